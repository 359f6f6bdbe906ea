//! What outlives a connection.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::crew::Crew;
use super::ledger::Ledger;
use super::packing::Packing;
use crate::link::Access;
use crate::protocol::Build;
use tabuleiro_jobs::RemoteFacts;

/// What outlives a connection.
pub struct Intake {
    /// Makes parcels.
    pub packing: Packing,
    /// Those that are under way.
    pub ledger: Ledger,
    /// The workers that are there.
    pub crew: Crew,
    /// The broker.
    pub access: Access,
    /// What workers must be.
    pub build: Build,
    /// Whoever asks reads them.
    pub facts: Arc<Mutex<RemoteFacts>>,
    /// Called when the connection or a worker came or went.
    pub tell: Box<dyn Fn() + Send>,
}

impl Intake {
    /// The broker is gone: nobody is there, and everything comes back.
    pub fn lost(&mut self, trouble: &str) {
        self.packing.guests.set_seats(0);
        self.crew.forget();
        self.ledger.take_all_back(Instant::now());
        self.note_facts(Some(trouble));
    }

    /// Has whoever asks see how it is; `trouble` says why there is no connection.
    pub fn note_facts(&self, trouble: Option<&str>) {
        let (waiting, held) = self.ledger.under_way();
        let tally = self.ledger.tally;
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        let before = (facts.is_connected, facts.help());
        facts.is_connected = trouble.is_none();
        facts.trouble = trouble.map(str::to_owned);
        facts.workers = self.crew.facts(Instant::now());
        (facts.waiting, facts.in_flight) = (waiting as u64, held as u64);
        (facts.sent, facts.returned, facts.poisoned) = (tally.sent, tally.returned, tally.poisoned);
        (facts.solved, facts.refused) = (tally.solved, tally.refused);
        let after = (facts.is_connected, facts.help());
        drop(facts);
        if after != before {
            (self.tell)();
        }
    }
}
