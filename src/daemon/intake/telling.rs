//! What the intake says of itself, and of what it leaves alone.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use tracing::{info, warn};

use super::{DESCRIBED_MAX, Details, Intake, Message, Status};
use crate::daemon::answering::fair::{Length, RouteQueue};
use crate::daemon::fs::os;
use crate::daemon::intake::complaints::Rest;
use crate::daemon::intake::judging::Reason;
use crate::logging::kind;
use tabuleiro_puzzles::input::printable;

impl Intake {
    /// Hands over what was claimed, many files together: waking others for each costs more than claiming it.
    pub(super) fn tell_claimed(&mut self) {
        if !self.claimed.is_empty() {
            (self.tell)(Message::Claimed(std::mem::take(&mut self.claimed)));
        }
    }

    /// Says once why a folder of the inbox is not taken.
    pub(super) fn complain(&mut self, folder: &Path, reason: Reason, message: &str) {
        let owner = self.owner(folder);
        self.complain_of(folder, owner, reason, message);
    }

    /// Says once why something in the inbox that is `owner`'s is not taken.
    pub(super) fn complain_of(&mut self, below: &Path, owner: u32, reason: Reason, message: &str) {
        if self.complaints.is_new(below, owner, reason, Instant::now()) {
            say(below, message);
        }
    }

    /// Says what complaints of a listing were not made one by one.
    pub(super) fn complain_of_rest(&mut self) {
        for rest in self.complaints.end_listing(Instant::now()) {
            match rest {
                Rest::InFolder(folder, reason, owner, count) => say(
                    &folder,
                    &format!(
                        "about {count} more of user {owner} in this folder, because {}; tabuleiro why FILE tells of each",
                        reason.words()
                    ),
                ),
                Rest::Folders => say(
                    Path::new(""),
                    "there is something of the kind in more folders than are remembered; tabuleiro why FILE tells of each file",
                ),
            }
        }
    }

    /// Says once why something in the inbox cannot be read, listed or taken: permissions with their remedy, or the error.
    pub(super) fn fail(&mut self, below: &Path, owner: u32, reason: Reason, what: &str, error: &io::Error) {
        if self.denials.record(&self.setting.inbox, below, error) {
            self.complaints.note_failure();
        } else {
            self.complain_of(below, owner, reason, &format!("{what}: {error}"));
        }
    }

    pub(super) fn tell_trouble(&mut self) {
        let trouble = self.watch.trouble().map(str::to_owned);
        if trouble != self.status.trouble {
            if let Some(trouble) = &trouble {
                warn!(name: kind::POLLING.name, "polling every {:?} instead of relying on events: {trouble}", self.rescan_interval());
            } else {
                info!(name: kind::EVENTS_WORK.name, watches = self.watch.count(), "events work again");
            }
            self.status.trouble = trouble;
            (self.tell)(Message::Alive(self.status()));
        }
    }

    pub(super) fn tell_idle(&mut self) {
        if self.listing.is_under_way()
            || self.listing.again
            || self.listing.is_due()
            || !self.backlog.is_empty()
            || self.slots.is_full()
            || self.hinted.load(Ordering::Acquire)
        {
            return;
        }
        let waiting = self.candidates.iter().filter(|(_, candidate)| !self.is_hopeless(candidate)).count();
        let (incomplete, untaken) = (waiting + self.forgotten, self.complaints.has_failure());
        let found = (incomplete, untaken, self.denials.count());
        if self.idle_told.replace(found) != Some(found) {
            (self.tell)(Message::Idle { incomplete, untaken });
        }
    }

    pub(super) fn status(&self) -> Status {
        Status {
            trouble: self.watch.trouble().map(str::to_owned),
            shortage: self.low_water.shortage().map(str::to_owned),
            watches: self.watch.count(),
            incomplete: self.candidates.len() + self.forgotten,
            ..self.status.clone()
        }
    }

    /// Says how everything is, for somebody who asks.
    pub(super) fn describe(&mut self) {
        // What was found a while ago may be wrong by now.
        let _ = self.has_room();
        let mut incomplete = BTreeMap::new();
        for (below, _) in self.candidates.iter().take(DESCRIBED_MAX) {
            *incomplete.entry(self.setting.route_of(below)).or_default() += 1;
        }
        let full =
            |length| self.setting.names_where(|route| !self.slots.allow(&RouteQueue::new(route, length)));
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

/// Says that something in the inbox is not taken.
pub(super) fn say(below: &Path, message: &str) {
    let file = printable(below.as_os_str().as_encoded_bytes(), 300);
    warn!(name: kind::NOT_TAKEN.name, file, "not taken: {message}");
}
