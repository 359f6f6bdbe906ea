//! What submissions are graded by: references with their answers, each read and solved once.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};
use tracing::{info, warn};

use crate::config::{Config, Reference, Route};
use crate::daemon::base::clock::millis;
use crate::job::grading::AnswerKey;
use crate::job::{JobError, Pool, Progress, Summary};
use crate::solver::Cancel;

/// A file that was changed more recently than that when it was read may have changed again within a tick of its file system's clock.
const SETTLED: Duration = Duration::from_secs(2);

/// References with their answers. They are told apart by their path and what routes have them solved by; each is kept by the digest of
/// its content.
#[derive(Default)]
pub struct References(Mutex<HashMap<String, Arc<Mutex<Kept>>>>);

/// A reference that was read once, or is to be.
#[derive(Default)]
struct Kept {
    /// The file as it was when it was read, where that is sure to have been its content.
    file: Option<FileState>,
    /// What it held, and the answers.
    solved: Option<([u8; 32], Arc<AnswerKey>)>,
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
    /// The reference of a route, read and solved unless it is what it was before. Whoever asks meanwhile waits for that.
    ///
    /// # Errors
    /// When it cannot be read or solved; an older one is not used then.
    pub fn get(
        &self,
        (route, path): (&Route, &Path),
        pool: &Pool,
        cancel: &Cancel,
        progress: &Arc<Progress>,
    ) -> Result<Arc<AnswerKey>, JobError> {
        let kept = Arc::clone(self.lock().entry(name(route, path)).or_default());
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = path.metadata().map_err(JobError::Read)?;
        let state = FileState::of(&found);
        if let Some((_, key)) = kept.solved.as_ref().filter(|_| kept.file == Some(state)) {
            return Ok(Arc::clone(key));
        }
        let reference = Reference::read(path, route)?;
        let digest: [u8; 32] = Sha256::digest(&reference.text[..]).into();
        let known = kept.solved.take().filter(|(known, _)| *known == digest);
        let key = match known {
            Some((_, key)) => key,
            None => solve(&reference, route, pool, cancel, progress)?,
        };
        kept.file = state.is_settled().then_some(state);
        kept.solved = Some((digest, Arc::clone(&key)));
        Ok(key)
    }

    /// Has the references of a configuration solved before anybody waits for them, and forgets all others.
    pub fn prepare(&self, config: &Config, pool: &Pool, cancel: &Cancel) {
        let routes = || config.routes().iter().filter_map(|route| Some((&**route, route.grade.as_deref()?)));
        let names: Vec<_> = routes().map(|(route, path)| name(route, path)).collect();
        self.lock().retain(|name, _| names.contains(name));
        for (route, path) in routes().filter(|_| !cancel.is_cancelled()) {
            if let Err(error) = self.get((route, path), pool, cancel, &Arc::default()) {
                warn!(route = route.name, "submissions wait: {}", error.of_reference(path));
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Mutex<Kept>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What tells references apart before they are read.
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
    let Reference { name, text, job } = reference;
    let (name, text) = (Arc::clone(name), Arc::clone(text));
    let shown = Arc::clone(&name);
    let options = job.options.clone();
    let (key, summary) = AnswerKey::solve((name, text), (job.solver, options), pool, cancel, progress)?;
    tell(route, &shown, &summary);
    Ok(Arc::new(key))
}

/// Logs what a reference holds; what it has no proved answer to is not graded.
fn tell(route: &Route, reference: &str, summary: &Summary) {
    let Summary { puzzles, invalid, undecided, .. } = *summary;
    let (route, solve_ms) = (&route.name, millis(summary.solve));
    if invalid + undecided > 0 {
        warn!(
            route,
            reference,
            puzzles,
            invalid,
            undecided,
            solve_ms,
            "reference solved; its invalid and undecided puzzles are not graded"
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

    /// Whether a change from now on gives it another time.
    fn is_settled(&self) -> bool {
        let latest = self.modified.max(self.changed).0;
        let seconds = u64::try_from(latest).unwrap_or_default();
        let latest = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds + 1));
        latest.is_some_and(|latest| latest.elapsed().is_ok_and(|since| since >= SETTLED))
    }
}
