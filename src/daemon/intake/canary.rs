//! A file that proves that events still arrive: made in the inbox and removed at once.
//!
//! A watch can die without a word: its file system was unmounted and mounted again, a queue was lost, a container's
//! folder never sent events at all. So every listing of the inbox sends a canary, and the next one asks whether it
//! was heard. Nothing waits for it, and nothing wakes up for it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use notify::Event;

use crate::daemon::fs::folders::{OWN_PREFIX, is_own};

/// An event that takes longer than this is one that does not come.
const PATIENCE: Duration = Duration::from_secs(1);
/// So many canaries in a row must stay unheard: the first may have met a busy machine.
const SILENT_MAX: u32 = 2;

/// Sends canaries and counts those that nobody heard.
#[derive(Debug)]
pub struct Canary {
    path: PathBuf,
    heard: Arc<AtomicBool>,
    sent: Option<Instant>,
    silent: u32,
}

/// The part of a canary that listens to the events.
#[derive(Debug)]
pub struct Ear {
    path: PathBuf,
    heard: Arc<AtomicBool>,
}

impl Canary {
    /// The canary of the daemon `owner` in `inbox`. One that a crash left there is removed.
    pub fn new(inbox: &Path, owner: &str) -> Self {
        let path = inbox.join(format!("{OWN_PREFIX}canary-{owner}"));
        // Usually there is none.
        let _ = fs::remove_file(&path);
        Self { path, heard: Arc::default(), sent: None, silent: 0 }
    }

    /// What listens for this canary.
    pub fn ear(&self) -> Ear {
        Ear { path: self.path.clone(), heard: Arc::clone(&self.heard) }
    }

    /// Whether the last canary was sent long enough ago and not heard: all watches are then better made anew, before
    /// anything is listed.
    pub fn is_unheard(&mut self) -> bool {
        if self.sent.is_some_and(|sent| sent.elapsed() < PATIENCE) && !self.heard.load(Ordering::Acquire) {
            return false;
        }
        let was_sent = self.sent.take().is_some();
        let heard = self.heard.swap(false, Ordering::AcqRel);
        if was_sent {
            self.silent = if heard { 0 } else { self.silent.saturating_add(1) };
        }
        was_sent && !heard
    }

    /// Sends another one, unless the last one may still be heard.
    pub fn send(&mut self) {
        // Where none can be made (the disk is full, the inbox is read-only) nothing is proved either way.
        if self.sent.is_none() && File::create_new(&self.path).is_ok() {
            self.sent = Some(Instant::now());
            // Removed by the next start if it stays.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Nobody listens any more for the one that was sent, so its silence would prove nothing.
    pub fn recall(&mut self) {
        self.sent = None;
    }

    /// Whether it is sent in `folder` itself.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.path.parent() == Some(folder)
    }

    /// Why events are not to be relied on.
    pub fn complaint(&self) -> Option<&str> {
        (self.silent >= SILENT_MAX).then_some(
            "a file made in the inbox for a moment sent no event, and watching it anew did not help; set \
             intake.watch = \"poll\" if events do not work there",
        )
    }
}

impl Ear {
    /// Takes the canary's paths out of an event. Lost events are no silence: the queue that lost them works.
    pub fn hear(&self, mut event: Event) -> Event {
        if event.need_rescan() || event.paths.contains(&self.path) {
            self.heard.store(true, Ordering::Release);
        }
        // Those of other daemons on the same inbox say nothing either.
        event.paths.retain(|path| !is_own(path));
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, EventKind, Flag};

    fn event_of(path: &Path) -> Event {
        Event::new(EventKind::Create(CreateKind::File)).add_path(path.to_owned())
    }

    /// A canary whose last one was sent long enough ago.
    fn send_later(canary: &mut Canary) -> bool {
        if let Some(sent) = &mut canary.sent {
            *sent -= 2 * PATIENCE;
        }
        let is_unheard = canary.is_unheard();
        canary.send();
        is_unheard
    }

    #[test]
    fn two_unheard_canaries_are_told_and_a_heard_one_ends_that() {
        let inbox = tempfile::tempdir().unwrap();
        let mut canary = Canary::new(inbox.path(), "1");
        let ear = canary.ear();
        for unheard in [false, true] {
            assert_eq!(send_later(&mut canary), unheard);
            assert!(canary.complaint().is_none());
        }
        assert!(send_later(&mut canary));
        assert!(canary.complaint().is_some());
        let event = ear.hear(event_of(&inbox.path().join(".tabuleiro-canary-1")));
        assert!(event.paths.is_empty(), "it is no hint");
        assert!(!send_later(&mut canary));
        assert!(canary.complaint().is_none());
        assert_eq!(fs::read_dir(inbox.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_canary_that_is_on_its_way_or_was_recalled_proves_nothing() {
        let inbox = tempfile::tempdir().unwrap();
        let mut canary = Canary::new(inbox.path(), "1");
        canary.send();
        assert!(!canary.is_unheard() && canary.sent.is_some());
        canary.recall();
        assert!(!send_later(&mut canary));
        assert_eq!(canary.silent, 0);
    }

    #[test]
    fn only_its_own_canary_or_an_overflow_is_heard() {
        let inbox = tempfile::tempdir().unwrap();
        let canary = Canary::new(inbox.path(), "1");
        let ear = canary.ear();
        let other = ear.hear(event_of(&inbox.path().join(".tabuleiro-canary-2")));
        let file = ear.hear(event_of(&inbox.path().join("entrada.txt")));
        assert!(other.paths.is_empty() && file.paths.len() == 1);
        assert!(!canary.heard.load(Ordering::Acquire));
        ear.hear(Event::new(EventKind::Other).set_flag(Flag::Rescan));
        assert!(canary.heard.load(Ordering::Acquire));
    }

    #[test]
    fn a_canary_that_cannot_be_made_proves_nothing() {
        let inbox = tempfile::tempdir().unwrap();
        let mut canary = Canary::new(&inbox.path().join("missing"), "1");
        for _ in 0..5 {
            send_later(&mut canary);
        }
        assert!(canary.complaint().is_none());
    }

    #[test]
    fn a_canary_left_by_a_crash_is_removed() {
        let inbox = tempfile::tempdir().unwrap();
        fs::write(inbox.path().join(".tabuleiro-canary-1"), "").unwrap();
        fs::write(inbox.path().join(".tabuleiro-canary-2"), "").unwrap();
        let _canary = Canary::new(inbox.path(), "1");
        assert!(!inbox.path().join(".tabuleiro-canary-1").exists());
        assert!(inbox.path().join(".tabuleiro-canary-2").exists(), "another daemon's");
    }
}
