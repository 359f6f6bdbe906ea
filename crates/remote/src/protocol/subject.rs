//! Names of subjects, and of the program's build.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};

use sha2::{Digest, Sha256};

/// The version of the protocol. It changes with the messages, so that no build misreads those of another.
pub const WIRE: u32 = 1;

const BUILD_BYTES: usize = 6;

/// Which program this is: the beginning of the digest of its file. Another build may answer differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build(String);

impl Build {
    /// Returns the build of the running program.
    ///
    /// # Errors
    /// If the program's file cannot be read.
    pub fn own() -> io::Result<Self> {
        // The file that runs, even if an upgrade has replaced it.
        let running = File::open("/proc/self/exe");
        let mut program = running.or_else(|_| File::open(std::env::current_exe()?))?;
        let mut digest = Sha256::new();
        let mut piece = vec![0; 1 << 16];
        loop {
            match program.read(&mut piece)? {
                0 => break,
                read => digest.update(&piece[..read]),
            }
        }
        let digest = digest.finalize();
        Ok(Self(digest.iter().take(BUILD_BYTES).map(|byte| format!("{byte:02x}")).collect()))
    }

    #[cfg(test)]
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The subjects below the name of a stream: `tabuleiro.job.1.3f0c….checkers-capture`.
#[derive(Debug, Clone)]
pub struct Subjects {
    prefix: String,
}

impl Subjects {
    #[must_use]
    pub fn of(stream: &str) -> Self {
        Self { prefix: stream.to_lowercase() }
    }

    #[must_use]
    pub fn jobs(&self) -> String {
        format!("{}.job.>", self.prefix)
    }

    /// Returns the subject of batches for a build, of one solver or (`>`) of all.
    #[must_use]
    pub fn job(&self, build: &Build, solver: &str) -> String {
        format!("{}.job.{WIRE}.{build}.{solver}", self.prefix)
    }

    /// Returns the subject of reports to a dispatcher.
    #[must_use]
    pub fn dispatcher(&self, dispatcher: u64) -> String {
        format!("{}.intake.{dispatcher:016x}", self.prefix)
    }

    /// Returns the subject of heartbeats, of one worker or (`None`) of all.
    #[must_use]
    pub fn worker(&self, worker: Option<u64>) -> String {
        let worker = worker.map_or_else(|| "*".to_owned(), |worker| format!("{worker:016x}"));
        format!("{}.worker.{worker}", self.prefix)
    }

    /// Returns the subject on which heartbeats are asked for.
    #[must_use]
    pub fn who(&self) -> String {
        format!("{}.who", self.prefix)
    }

    /// Returns the inbox of a dispatcher, which workers need not be allowed to read.
    #[must_use]
    pub fn dispatcher_inbox(&self) -> String {
        format!("_INBOX_{}_intake", self.prefix)
    }

    /// Returns the inbox of `tabuleiro workers`.
    #[must_use]
    pub fn who_inbox(&self) -> String {
        format!("_INBOX_{}_who", self.prefix)
    }

    /// Returns the inbox of a worker.
    #[must_use]
    pub fn worker_inbox(&self) -> String {
        format!("_INBOX_{}_worker", self.prefix)
    }
}

/// Returns a random number, which identifies a process.
#[must_use]
pub fn random() -> u64 {
    let mut bytes = [0; 8];
    // If the system has no randomness yet, time and process ID must do.
    if rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) == Ok(bytes.len()) {
        return u64::from_le_bytes(bytes);
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64).rotate_left(20) ^ u64::from(std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_stand_below_the_name_of_the_stream() {
        let (subjects, build) = (Subjects::of("TABULEIRO"), Build::named("b1"));
        assert_eq!(subjects.job(&build, "jump-game"), "tabuleiro.job.1.b1.jump-game");
        assert_eq!(subjects.dispatcher(255), "tabuleiro.intake.00000000000000ff");
        assert_eq!(subjects.worker(None), "tabuleiro.worker.*");
    }

    #[test]
    fn a_build_is_told_by_the_program() {
        let build = Build::own().unwrap();
        assert_eq!(build, Build::own().unwrap());
        assert_eq!(build.to_string().len(), 2 * BUILD_BYTES);
    }
}
