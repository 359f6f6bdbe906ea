//! Folders that were opened a moment ago, and need not be looked up again.
//!
//! What is named relative to an open folder lands in that folder, wherever it was moved to. So a folder is used only for
//! a moment after it was looked up by its path. A service that rests keeps none open ([`Recent::forget`]).

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// How long after it was opened a folder is used without being looked up again.
pub const FRESH: Duration = Duration::from_millis(100);
/// Folders kept open: one for staging, and what a course's folders need at a time.
const RECENT_MAX: usize = 16;

/// Folders opened within the last [`FRESH`], by their absolute paths.
#[derive(Debug, Default)]
pub struct Recent(Mutex<Vec<Opened>>);

#[derive(Debug)]
struct Opened {
    path: PathBuf,
    folder: Arc<OwnedFd>,
    since: Instant,
}

impl Opened {
    /// Byte by byte: quicker than by components. A folder that is written in two ways is opened twice.
    fn is_at(&self, path: &Path) -> bool {
        self.path.as_os_str() == path.as_os_str()
    }
}

impl Recent {
    /// Returns the folder of that path, if it was opened a moment ago.
    pub fn get(&self, path: &Path) -> Option<Arc<OwnedFd>> {
        let mut all = self.0.lock();
        let index = all.iter().position(|opened| opened.is_at(path))?;
        if all[index].since.elapsed() >= FRESH {
            all.swap_remove(index);
            return None;
        }
        Some(Arc::clone(&all[index].folder))
    }

    /// Keeps a folder that was just opened, in the place of the oldest if there are too many.
    pub fn put(&self, path: &Path, folder: &Arc<OwnedFd>) {
        let mut all = self.0.lock();
        all.retain(|opened| !opened.is_at(path));
        if all.len() >= RECENT_MAX
            && let Some(oldest) = (0..all.len()).min_by_key(|index| all[*index].since)
        {
            all.swap_remove(oldest);
        }
        all.push(Opened { path: path.to_owned(), folder: Arc::clone(folder), since: Instant::now() });
    }

    /// Has a folder looked up the next time, because it may not be what it was; false where it is looked up anyway.
    pub fn drop(&self, path: &Path) -> bool {
        let mut all = self.0.lock();
        let before = all.len();
        all.retain(|opened| !opened.is_at(path));
        all.len() < before
    }

    /// Closes all of them.
    pub fn forget(&self) {
        self.0.lock().clear();
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn open(path: &Path) -> Arc<OwnedFd> {
        Arc::new(File::open(path).unwrap().into())
    }

    #[test]
    fn a_folder_is_used_for_a_moment_only() {
        let place = tempfile::tempdir().unwrap();
        let recent = Recent::default();
        recent.put(place.path(), &open(place.path()));
        assert!(recent.get(place.path()).is_some());
        assert!(recent.get(&place.path().join("other")).is_none());
        recent.0.lock()[0].since -= FRESH;
        assert!(recent.get(place.path()).is_none());
        assert_eq!(recent.0.lock().len(), 0, "and closed then");
    }

    #[test]
    fn few_folders_are_open_at_a_time_and_none_after_a_rest() {
        let place = tempfile::tempdir().unwrap();
        let recent = Recent::default();
        let path = |number: usize| place.path().join(number.to_string());
        for number in 0..2 * RECENT_MAX {
            recent.put(&path(number), &open(place.path()));
        }
        assert_eq!(recent.0.lock().len(), RECENT_MAX);
        assert!(recent.get(&path(0)).is_none());
        let last = path(2 * RECENT_MAX - 1);
        assert!(recent.get(&last).is_some());
        assert!(recent.drop(&last) && !recent.drop(&last));
        assert!(recent.get(&last).is_none());
        recent.forget();
        assert_eq!(recent.0.lock().len(), 0);
    }
}
