//! What goes wrong inside a job, and by whose fault.

use std::io;

use crate::job::{JobError, Rejection};

/// Whether this process or the system ran out of something, which is not the file's fault.
pub fn is_shortage(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM))
}

/// What went wrong inside a job, by whose fault it is.
pub enum Trouble {
    /// With the job: what is in the file, its reading, the writing of a result.
    Job(JobError),
    /// With the file, which cannot be opened or read.
    Unreadable(io::Error),
    /// With what is made of it.
    Make(io::Error),
}

impl Trouble {
    /// Whether reading failed for a reason that lies in the disk or the network, and may pass.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Job(JobError::Read(error)) | Self::Unreadable(error) => {
                matches!(error.raw_os_error(), Some(libc::EIO | libc::ESTALE | libc::ETIMEDOUT))
            }
            _ => false,
        }
    }
}

impl From<JobError> for Trouble {
    fn from(error: JobError) -> Self {
        Self::Job(error)
    }
}

impl From<Rejection> for Trouble {
    fn from(rejection: Rejection) -> Self {
        Self::Job(JobError::Rejected(rejection))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_not_the_files_fault() {
        assert!(is_shortage(&io::Error::from_raw_os_error(libc::EMFILE)));
        assert!(!is_shortage(&io::Error::from_raw_os_error(libc::EIO)));
        assert!(!is_shortage(&io::Error::other("x")));
    }

    #[test]
    fn what_may_pass_is_an_error_of_reading() {
        let error = io::Error::from_raw_os_error;
        assert!(Trouble::Unreadable(error(libc::ESTALE)).may_pass());
        assert!(Trouble::Job(JobError::Read(error(libc::EIO))).may_pass());
        assert!(!Trouble::Unreadable(error(libc::EACCES)).may_pass());
        assert!(!Trouble::Make(error(libc::EIO)).may_pass());
    }
}
