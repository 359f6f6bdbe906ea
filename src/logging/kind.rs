//! The kinds of event that people and programs may search for: a name, and the `MESSAGE_ID` in the journal.
//!
//! The name of an event determines its kind: `info!(name: kind::READY.name, …)`. Text and JSON lines do not show the
//! name. An ID never changes its meaning and is never reused; `docs/journal.md` and the journal's catalog
//! (`packaging/tabuleiro.catalog`) explain each ID.

/// A kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The name of the events, in lower case.
    pub name: &'static str,
    /// `MESSAGE_ID`: 128 random bits as 32 hexadecimal digits in lower case, made by `systemd-id128 new`.
    pub id: &'static str,
}

impl Kind {
    /// Returns the kind with this name.
    pub fn of(name: &str) -> Option<Self> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }
}

/// Defines a constant for each kind, and the table of all kinds.
macro_rules! kinds {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $id:literal;)*) => {
        $($(#[$doc])* pub const $constant: Kind = Kind { name: $name, id: $id };)*
        /// All kinds.
        pub const KINDS: &[Kind] = &[$($constant),*];
    };
}

kinds! {
    /// The service starts.
    STARTING = "starting", "c18a75645f224ceaa8182407ee744625";
    /// The service watches the inbox and answers files.
    READY = "ready", "b4e5f9e7fcb2495081535f49da8efd71";
    /// The service first finishes files that an earlier run left in progress.
    RECOVERING = "recovering", "070921cda29a4e97aa210c28d960a7ea";
    /// The service received a signal to stop, and finishes the files in progress.
    STOPPING = "stopping", "14e4b53f03b84fc7a6bde06dc26cd84d";
    /// The service ends normally.
    STOPPED = "stopped", "eed1a401427447d7bd3911e76f751c44";
    /// The service cannot start or continue.
    FAILED = "failed", "46b144bfb90b41c692bc8e89b93becd0";
    /// A file has its result.
    ANSWERED = "answered", "5c9281e9c64c42aeb604f5f699e91094";
    /// A submission has its grade.
    GRADED = "graded", "c30e9067bcaa43359e74155d24fca4f2";
    /// A file has a report instead of a result.
    REJECTED = "rejected", "06da1da48abf41298e35bb5a4fb59cf9";
    /// Answering a file takes long.
    IN_PROGRESS = "in-progress", "d77f3a833f134c6f85b9b510deb7c905";
    /// A puzzle of a file is invalid; the others are answered.
    INVALID_PUZZLE = "invalid-puzzle", "543096b8655a4342805c67b22c351c44";
    /// A limit ended the search for the answer of a puzzle.
    UNDECIDED_PUZZLE = "undecided-puzzle", "c463739507f54fb59b2c022fff28fe8f";
    /// A file went back into the inbox, unanswered.
    PUT_BACK = "put-back", "4d1059201f174f778e03c696dbd68f91";
    /// A result could not be written; the service will try again.
    NOT_PUBLISHED = "not-published", "d5ef4076442c49b98031f1343e724314";
    /// A file stays in the working folder until the next start.
    LEFT_CLAIMED = "left-claimed", "66e80be48c214871a55289450861135d";
    /// A file or folder in the inbox is not taken for now.
    NOT_TAKEN = "not-taken", "2fa8ed3205cd4e0fbe14cff87733b631";
    /// A new configuration takes effect.
    RELOADED = "reloaded", "6c981ddce7724d769f5406a3e6c7b441";
    /// A new configuration is invalid, or comes too late; the old one stays in effect.
    RELOAD_REFUSED = "reload-refused", "e6ad75b0983e41dcbfd9551101556047";
    /// Keys were changed that take effect only after a restart.
    RESTART_NEEDED = "restart-needed", "68ba912777124402835ce1be1a3136b5";
    /// The service takes no files, because the disks are nearly full.
    PAUSED = "paused", "b629a868d56244debc88e08453bb4a16";
    /// The disks have room again.
    RESUMED = "resumed", "d6839b5de9c443a59b055bd1bec627ec";
    /// Events of the system are not reliable, so the inbox is polled.
    POLLING = "polling", "b05b5653b1bf446db305984dbd33b22d";
    /// Events are reliable again.
    EVENTS_WORK = "events-work", "3dc2af8ba96b430fa3cc155991d2d2ef";
    /// Events were lost, so the whole inbox is listed.
    EVENTS_LOST = "events-lost", "30f27adb1e9048b7ab9b61aad88eed5a";
    /// The inbox was replaced by another folder.
    INBOX_REPLACED = "inbox-replaced", "c1b6ba03628c4e17a093ca6ecad5c6ef";
    /// Old inputs, logs or history files were removed, as `[retention]` says.
    REMOVED = "removed", "2e41a545f57a468093fd78dd29ed0765";
    /// The history cannot be written; jobs continue without it.
    NO_HISTORY = "no-history", "be5501b2dffc44c8ac6559c322a79a6c";
    /// A part of the service is stuck, so the service stops notifying the watchdog.
    NO_PROGRESS = "no-progress", "c363963f29e840ceb68801e5c313c385";
    /// The service is connected to the broker that passes puzzles to workers.
    BROKER_CONNECTED = "broker-connected", "725d6c16ba2b4e8798c8102e725d5825";
    /// The broker disconnected or cannot be reached; the service solves all puzzles itself.
    BROKER_LOST = "broker-lost", "977d34da4a38472bbe47e99674b6d5c6";
    /// A worker on another machine connected.
    WORKER_CAME = "worker-came", "25ae26a698264543a7cb58bef61d076f";
    /// A worker disconnected.
    WORKER_WENT = "worker-went", "bab91359588f4c4dbfeaa1c48f0d9edb";
    /// A worker's process died while it had puzzles.
    WORKER_DIED = "worker-died", "a3ef8ecc4c5c48f78047e3eb1b29275d";
    /// The program panicked, which is a bug.
    PANICKED = "panicked", "fdf1bd92cba60739755841edfdb6c282";
    /// Lines of the log are missing because a sink did not accept them in time.
    LINES_LOST = "lines-lost", "ca2077355cf3fc059d3dd536209ce175";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{KINDS, Kind, READY};

    #[test]
    fn names_and_ids_are_unique_and_well_formed() {
        let names: HashSet<_> = KINDS.iter().map(|kind| kind.name).collect();
        let ids: HashSet<_> = KINDS.iter().map(|kind| kind.id).collect();
        assert_eq!((names.len(), ids.len()), (KINDS.len(), KINDS.len()));
        for Kind { name, id } in KINDS {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
            assert!(
                id.len() == 32 && id.bytes().all(|byte| b"0123456789abcdef".contains(&byte)),
                "{name}: {id}"
            );
        }
        assert_eq!(Kind::of("ready"), Some(READY));
        assert_eq!(Kind::of("event src/daemon/report.rs:1"), None);
    }
}
