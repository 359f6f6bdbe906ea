//! What the intake says of itself, and of what it leaves alone.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

use tracing::{info, warn};

use super::{COMPLAINTS_MAX, DESCRIBED_MAX, Details, Intake, Message, Status};
use crate::daemon::answering::fair::{Length, RouteQueue};
use crate::daemon::fs::os;
use crate::input::printable;
use crate::logging::kind;

impl Intake {
    /// Hands over what was claimed, many files together: waking others for each costs more than claiming it.
    pub(super) fn tell_claimed(&mut self) {
        if !self.claimed.is_empty() {
            (self.tell)(Message::Claimed(std::mem::take(&mut self.claimed)));
        }
    }

    /// Says once why something in the inbox is not taken.
    pub(super) fn complain(&mut self, below: &Path, kind: &'static str, message: &str) {
        if self.complaints.len() >= COMPLAINTS_MAX {
            self.complaints.clear();
        }
        if self.complaints.insert((below.to_owned(), kind)) {
            let file = printable(below.as_os_str().as_encoded_bytes(), 300);
            warn!(name: kind::NOT_TAKEN.name, file, "not taken: {message}");
        }
    }

    /// Says once why something in the inbox cannot be read, listed or taken: permissions with their remedy, or the error.
    pub(super) fn complain_of(&mut self, below: &Path, kind: &'static str, what: &str, error: &io::Error) {
        if !self.denials.meet(&self.setting.inbox, below, error) {
            self.complain(below, kind, &format!("{what}: {error}"));
        }
    }

    pub(super) fn tell_trouble(&mut self) {
        let trouble = self.watch.trouble().map(str::to_owned);
        if trouble != self.trouble_told {
            if let Some(trouble) = &trouble {
                warn!(name: kind::POLLING.name, "polling every {:?} instead of relying on events: {trouble}", self.rescan_interval());
            } else {
                info!(name: kind::EVENTS_WORK.name, watches = self.watch.count(), "events work again");
            }
            self.trouble_told = trouble;
            (self.tell)(Message::Alive(self.status()));
        }
    }

    pub(super) fn tell_idle(&mut self) {
        if self.walk.is_some()
            || !self.folders.is_empty()
            || self.walk_again
            || self.is_walk_due()
            || !self.backlog.is_empty()
            || self.slots.is_full()
            || self.hinted.load(Ordering::Acquire)
        {
            return;
        }
        let incomplete = self.candidates.values().filter(|candidate| !self.is_hopeless(candidate)).count();
        if self.idle_told != Some(incomplete) {
            self.idle_told = Some(incomplete);
            (self.tell)(Message::Idle { incomplete });
        }
    }

    pub(super) fn status(&self) -> Status {
        Status {
            details: None,
            trouble: self.watch.trouble().map(str::to_owned),
            shortage: self.low_water.shortage().map(str::to_owned),
            watches: self.watch.count(),
            incomplete: self.candidates.len(),
            rescans: self.rescans,
            last_rescan: self.last_rescan,
            overflows: self.overflows,
            last_overflow: self.last_overflow,
        }
    }

    /// Says how everything is, for somebody who asks.
    pub(super) fn describe(&mut self) {
        // What was found a while ago may be wrong by now.
        let _ = self.has_room();
        let mut incomplete = BTreeMap::new();
        for below in self.candidates.keys().take(DESCRIBED_MAX) {
            *incomplete.entry(self.rules.route_of(below)).or_default() += 1;
        }
        let full =
            |length| self.rules.names_where(|route| !self.slots.allow(&RouteQueue::new(route, length)));
        let details = Details {
            watches_max: os::watches_max(),
            rooms: self.low_water.found().to_vec(),
            incomplete,
            left_behind: self.backlog.count(),
            full: full(Length::Short),
            full_of_long: full(Length::Long),
            is_listing_held: self.slots.is_full(),
            denied: self.denials.told(),
        };
        (self.tell)(Message::Alive(Status { details: Some(Box::new(details)), ..self.status() }));
    }
}
