//! The references by which submissions are graded, with their answers. Each is read and solved once.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tracing::{info, warn};

use crate::config::{Config, Reference, Route};
use crate::daemon::base::clock::millis;
use crate::daemon::fs::disk::Stat;
use crate::daemon::fs::opened::stat_of;
use crate::daemon::fs::os::{Writers, writers};
use tabuleiro_jobs::grading::AnswerKey;
use tabuleiro_jobs::{JobError, Pool, Progress, Summary};
use tabuleiro_puzzles::solver::Cancel;

/// How long a reference must stay unchanged before it is read. After a recent change it may be incomplete, and the
/// system cannot always report whether a program still writes it. The time is also longer than a tick of any file
/// system's clock, so a later change gets a different time.
const SETTLE_TIME: Duration = Duration::from_secs(2);

/// References with their answers, by path, solver and options. A reference is solved again only if the digest of its
/// content changes.
#[derive(Default)]
pub struct References(Mutex<HashMap<String, Arc<Mutex<Kept>>>>);

/// A reference that was read, or that will be.
#[derive(Default)]
struct Kept {
    /// The file when it was read.
    file: Option<Stat>,
    /// The SHA-256 of its content, and the answers.
    solved: Option<([u8; 32], Arc<AnswerKey>)>,
    /// The last state of the file while it settled, and when the service first found the file in that state.
    unsettled: Option<(Stat, Instant)>,
    /// The last logged reason why submissions wait.
    logged_reason: Option<&'static str>,
}

impl References {
    /// Returns the reference of a route with its answers. Reads and solves it if it has changed; meanwhile other
    /// callers that need the same reference wait.
    ///
    /// # Errors
    /// Returns [`JobError::Unsettled`] while somebody writes the reference, and other errors if it cannot be read or
    /// solved. It never falls back to an older version.
    pub fn get(
        &self,
        route: &Route,
        path: &Path,
        pool: &Pool,
        cancel: &Cancel,
        progress: &Arc<Progress>,
    ) -> Result<Arc<AnswerKey>, JobError> {
        let kept = Arc::clone(self.0.lock().entry(reference_key(route, path)).or_default());
        let mut kept = kept.lock();
        let stat = || {
            rustix::fs::stat(path).map(|found| stat_of(&found)).map_err(|error| JobError::Read(error.into()))
        };
        let state = stat()?;
        if let Some((_, key)) = kept.solved.as_ref().filter(|_| kept.file == Some(state)) {
            return Ok(Arc::clone(key));
        }
        kept.check_settled(route, path, state)?;
        let reference = Reference::read(path, route)?;
        // If somebody wrote into the file while it was read, the text may mix the old and the new version.
        kept.check_settled(route, path, stat()?)?;
        let digest: [u8; 32] = Sha256::digest(&reference.text[..]).into();
        let known = kept.solved.take().filter(|(known, _)| *known == digest);
        let key = if let Some((_, key)) = known {
            key
        } else {
            let (key, summary) = reference.solve(pool, cancel, progress)?;
            log_solved(route, &reference.name, &summary);
            Arc::new(key)
        };
        kept.file = Some(state);
        kept.solved = Some((digest, Arc::clone(&key)));
        Ok(key)
    }

    /// Solves the references of a configuration before a submission needs them. Forgets all others.
    pub fn prepare(&self, config: &Config, pool: &Pool, cancel: &Cancel) {
        let routes = || config.routes().iter().filter_map(|route| Some((&**route, route.grade.as_deref()?)));
        let names: Vec<_> = routes().map(|(route, path)| reference_key(route, path)).collect();
        self.0.lock().retain(|name, _| names.contains(name));
        for (route, path) in routes().filter(|_| !cancel.is_cancelled()) {
            match self.get(route, path, pool, cancel, &Arc::default()) {
                // An unsettled reference is logged already.
                Ok(_) | Err(JobError::Unsettled { .. }) => {}
                Err(error) => {
                    warn!(name: "submissions-wait", route = route.name, reason = %error.of_reference(path), "submissions wait");
                }
            }
        }
    }
}

impl Kept {
    /// Checks that no program writes the file, and that it has settled. Otherwise logs once that submissions wait.
    fn check_settled(&mut self, route: &Route, path: &Path, state: Stat) -> Result<(), JobError> {
        let left = self.left_to_settle(state, Instant::now(), SystemTime::now());
        let (why, pause) = if is_being_written(path).map_err(JobError::Read)? {
            // When the writer closes the file, it must still settle.
            ("is open for writing", SETTLE_TIME)
        } else if !left.is_zero() {
            ("changed less than 2 seconds ago", left)
        } else {
            self.logged_reason = None;
            return Ok(());
        };
        let path = path.display().to_string();
        if self.logged_reason.replace(why) != Some(why) {
            info!(name: "reference-unsettled", route = route.name, reference = path, reason = why, "submissions wait");
        }
        Err(JobError::Unsettled { path, why, pause })
    }

    /// Returns how long a file in this state must stay unchanged before it can be read. The time since the state was
    /// first found counts, too: otherwise a file from a machine whose clock is ahead would wait until our clock gets
    /// there.
    fn left_to_settle(&mut self, state: Stat, now: Instant, clock: SystemTime) -> Duration {
        let (_, since) = *self.unsettled.insert(match self.unsettled {
            Some(known) if known.0 == state => known,
            _ => (state, now),
        });
        let age = changed(state).and_then(|changed| clock.duration_since(changed).ok()).unwrap_or_default();
        SETTLE_TIME.saturating_sub(age.max(now.duration_since(since)))
    }
}

/// Returns whether the system reports that a program has a file open for writing.
fn is_being_written(path: &Path) -> io::Result<bool> {
    // Opening a FIFO may block. `Reference::read` refuses what is not a regular file.
    Ok(path.metadata()?.is_file() && writers(&File::open(path)?) == Writers::Some)
}

/// Returns the key of a reference, known before the reference is read.
fn reference_key(route: &Route, path: &Path) -> String {
    format!("{} {:?} {}", route.solver.id(), route.options, path.display())
}

/// Logs a solved reference. Warns if a puzzle has no proved answer, because such puzzles are not graded.
fn log_solved(route: &Route, reference: &str, summary: &Summary) {
    let Summary { puzzles, undecided, .. } = *summary;
    let (route, solve_ms) = (&route.name, millis(summary.solve));
    if undecided > 0 {
        warn!(name: "reference-undecided", route, reference, puzzles, undecided, solve_ms, "reference solved");
    } else {
        info!(name: "reference-solved", route, reference, puzzles, solve_ms, "reference solved");
    }
}

/// Returns when a file last changed.
fn changed(state: Stat) -> Option<SystemTime> {
    let (seconds, nanos) = state.changed;
    let since = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanos).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(changed: (i64, i64)) -> Stat {
        Stat {
            is_file: true,
            is_folder: false,
            is_link: false,
            device: 1,
            inode: 1,
            bytes: 1,
            modified: (0, 0),
            changed,
            owner: 1,
        }
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
