//! What goes wrong inside a job, and by whose fault.

use std::io;

use tabuleiro_jobs::JobError;

/// Returns whether this process or the system ran out of something, which is not the file's fault.
pub fn is_shortage(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM))
}

/// Returns whether an operation failed for a reason that lies in the disk or the network, and may pass.
pub fn is_transient(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EIO | libc::ESTALE | libc::ETIMEDOUT))
}

/// Returns whether reading failed for such a reason.
pub fn may_pass(error: &JobError) -> bool {
    matches!(error, JobError::Read(error) if is_transient(error))
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
        assert!(may_pass(&JobError::Read(error(libc::ESTALE))));
        assert!(may_pass(&JobError::Read(error(libc::EIO))));
        assert!(!may_pass(&JobError::Read(error(libc::EACCES))));
        assert!(!may_pass(&JobError::Write(error(libc::EIO))));
    }
}
