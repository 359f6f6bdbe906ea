//! What submissions are graded by: references with their answers, each read and solved once.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tracing::{info, warn};

use crate::config::{Config, Reference, Route};
use crate::daemon::base::clock::millis;
use crate::daemon::fs::os::{Writers, writers};
use tabuleiro_jobs::grading::AnswerKey;
use tabuleiro_jobs::{JobError, Pool, Progress, Summary};
use tabuleiro_puzzles::solver::Cancel;

/// A reference that changed more recently than that may not be whole yet: where the system does not tell who has it open for
/// writing, nothing else says so. It is also longer than a tick of any file system's clock, so a later change gives it another time.
const SETTLED: Duration = Duration::from_secs(2);

/// References with their answers. They are told apart by their path and what routes have them solved by; each is kept by the digest of
/// its content.
#[derive(Default)]
pub struct References(Mutex<HashMap<String, Arc<Mutex<Kept>>>>);

/// A reference that was read once, or is to be.
#[derive(Default)]
struct Kept {
    /// The file as it was when it was read.
    file: Option<FileState>,
    /// What it held, and the answers.
    solved: Option<([u8; 32], Arc<AnswerKey>)>,
    /// The file as it was last found too new to be read, and when it was first found so.
    unsettled: Option<(FileState, Instant)>,
    /// Why submissions wait, as it was logged.
    told: Option<&'static str>,
}

/// What changes with the content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileState {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl References {
    /// Returns the reference of a route, read and solved unless it is unchanged. Other callers wait meanwhile.
    ///
    /// # Errors
    /// [`JobError::Unsettled`] while somebody writes it; others when it cannot be read or solved. An older one is not used then.
    pub fn get(
        &self,
        route: &Route,
        path: &Path,
        pool: &Pool,
        cancel: &Cancel,
        progress: &Arc<Progress>,
    ) -> Result<Arc<AnswerKey>, JobError> {
        let kept = Arc::clone(self.0.lock().entry(name(route, path)).or_default());
        let mut kept = kept.lock();
        let look = || path.metadata().map(|found| FileState::of(&found)).map_err(JobError::Read);
        let state = look()?;
        if let Some((_, key)) = kept.solved.as_ref().filter(|_| kept.file == Some(state)) {
            return Ok(Arc::clone(key));
        }
        kept.check_settled(route, path, state)?;
        let reference = Reference::read(path, route)?;
        // Nobody wrote while it was read, or it may be half the old one and half the new one.
        kept.check_settled(route, path, look()?)?;
        let digest: [u8; 32] = Sha256::digest(&reference.text[..]).into();
        let known = kept.solved.take().filter(|(known, _)| *known == digest);
        let key = match known {
            Some((_, key)) => key,
            None => solve(&reference, route, pool, cancel, progress)?,
        };
        kept.file = Some(state);
        kept.solved = Some((digest, Arc::clone(&key)));
        Ok(key)
    }

    /// Has the references of a configuration solved before anybody waits for them, and forgets all others.
    pub fn prepare(&self, config: &Config, pool: &Pool, cancel: &Cancel) {
        let routes = || config.routes().iter().filter_map(|route| Some((&**route, route.grade.as_deref()?)));
        let names: Vec<_> = routes().map(|(route, path)| name(route, path)).collect();
        self.0.lock().retain(|name, _| names.contains(name));
        for (route, path) in routes().filter(|_| !cancel.is_cancelled()) {
            match self.get(route, path, pool, cancel, &Arc::default()) {
                // The latter is logged already.
                Ok(_) | Err(JobError::Unsettled { .. }) => {}
                Err(error) => warn!(route = route.name, "submissions wait: {}", error.of_reference(path)),
            }
        }
    }
}

impl Kept {
    /// Checks that nobody writes the file, which is in that state; logs once that submissions wait.
    fn check_settled(&mut self, route: &Route, path: &Path, state: FileState) -> Result<(), JobError> {
        let left = self.left_to_settle(state, Instant::now(), SystemTime::now());
        let (why, pause) = if is_being_written(path).map_err(JobError::Read)? {
            // Once it is closed, it has to settle.
            ("is open for writing", SETTLED)
        } else if !left.is_zero() {
            ("changed less than 2 seconds ago", left)
        } else {
            self.told = None;
            return Ok(());
        };
        let path = path.display().to_string();
        if self.told.replace(why) != Some(why) {
            info!(route = route.name, "submissions wait: the reference {path} {why}");
        }
        Err(JobError::Unsettled { path, why, pause })
    }

    /// Returns how long a file in that state has to stay as it is until it may be read. That is also counted from when it
    /// was first found so: a file from a machine whose clock is ahead would wait for ours to get there.
    fn left_to_settle(&mut self, state: FileState, now: Instant, clock: SystemTime) -> Duration {
        let (_, since) = *self.unsettled.insert(match self.unsettled {
            Some(known) if known.0 == state => known,
            _ => (state, now),
        });
        let age = state.changed().and_then(|changed| clock.duration_since(changed).ok()).unwrap_or_default();
        SETTLED.saturating_sub(age.max(now.duration_since(since)))
    }
}

/// Returns whether somebody has a file open for writing, as far as the system tells.
fn is_being_written(path: &Path) -> io::Result<bool> {
    // Opening anything else may wait for somebody; the reader refuses it.
    Ok(path.metadata()?.is_file() && writers(&File::open(path)?) == Writers::Some)
}

/// Returns what tells references apart before they are read.
fn name(route: &Route, path: &Path) -> String {
    format!("{} {:?} {}", route.solver.id(), route.options, path.display())
}

fn solve(
    reference: &Reference,
    route: &Route,
    pool: &Pool,
    cancel: &Cancel,
    progress: &Arc<Progress>,
) -> Result<Arc<AnswerKey>, JobError> {
    let (key, summary) = reference.solve(pool, cancel, progress)?;
    tell(route, &reference.name, &summary);
    Ok(Arc::new(key))
}

/// Logs what a reference holds; what it has no proved answer to is not graded.
fn tell(route: &Route, reference: &str, summary: &Summary) {
    let Summary { puzzles, undecided, .. } = *summary;
    let (route, solve_ms) = (&route.name, millis(summary.solve));
    if undecided > 0 {
        warn!(
            route,
            reference, puzzles, undecided, solve_ms, "reference solved; its undecided puzzles are not graded"
        );
    } else {
        info!(route, reference, puzzles, solve_ms, "reference solved");
    }
}

impl FileState {
    fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }

    /// Returns when the file changed last, whatever time of modification it was given.
    fn changed(&self) -> Option<SystemTime> {
        let (seconds, nanos) = self.changed;
        let since = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanos).ok()?);
        SystemTime::UNIX_EPOCH.checked_add(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(changed: (i64, i64)) -> FileState {
        FileState { device: 1, inode: 1, bytes: 1, modified: (0, 0), changed }
    }

    #[test]
    fn a_file_settles_two_seconds_after_its_last_change() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let clock = SystemTime::UNIX_EPOCH + 1_000 * second;
        let left = |state| Kept::default().left_to_settle(state, now, clock);
        assert_eq!(left(state((0, 0))), Duration::ZERO);
        assert_eq!(left(state((998, 0))), Duration::ZERO);
        assert_eq!(left(state((998, 500_000_000))), second / 2);
        assert_eq!(left(state((1_000, 0))), 2 * second);
    }

    #[test]
    fn a_file_from_a_clock_that_is_ahead_settles_two_seconds_after_it_was_found() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let clock = SystemTime::UNIX_EPOCH + 1_000 * second;
        let (mut kept, ahead, changed) = (Kept::default(), state((5_000, 0)), state((5_001, 0)));
        let mut left = |state, seconds| kept.left_to_settle(state, start + seconds * second, clock);
        assert_eq!(left(ahead, 0), 2 * second);
        assert_eq!(left(ahead, 1), second);
        assert_eq!(left(changed, 2), 2 * second, "it changed again");
        assert_eq!(left(changed, 4), Duration::ZERO);
    }
}
