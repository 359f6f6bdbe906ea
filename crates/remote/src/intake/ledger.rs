//! The parcels that are under way: what was sent, who has it, what came back. It knows no network and reads no clock.
//!
//! Whatever becomes of a parcel, its puzzles end with an answer or back in their list: an answer that is valid is taken, the
//! first one for each puzzle; a worker that is silent loses its parcel; and what comes late is still an answer while its puzzle
//! has none. Only a death that is known for sure counts against a puzzle. After one it travels singly; the second one ends it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::sent::Sent;
use crate::protocol::{AT_WORK_PARCELS_MAX, AtWork, Died, Part, Reply, Unwanted};
use tabuleiro_jobs::{Failure, Guests, List, Solved};

/// How long a parcel may wait for a worker to begin it.
const BEGIN_MAX: Duration = Duration::from_secs(1);
/// The same of one whose worker is to solve nothing else meanwhile, and finishes that first.
const BEGIN_ALONE_MAX: Duration = Duration::from_secs(60);
/// How long a worker may be silent that says every second what it solves; and how long one that may have died with its only puzzle, so that
/// its next start can say so.
const SILENCE_MAX: Duration = Duration::from_secs(5);
const SILENCE_ALONE_MAX: Duration = Duration::from_secs(30);
/// How long parcels that were taken back are remembered, and how many.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);
const REMEMBERED_MAX: usize = 10_000;
/// Parcels that may wait for a worker at a time. It halves whenever one is not begun in time.
const WAITING_MAX: usize = 10_000;
/// Workers that may die with one puzzle.
const DEATHS_MAX: u32 = 2;

/// What became of parcels and puzzles until now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Parcels sent.
    pub sent: u64,
    /// Parcels that were taken back, wholly or in part.
    pub returned: u64,
    /// Puzzles with which too many workers died.
    pub poisoned: u64,
    /// Puzzles that workers answered.
    pub solved: u64,
    /// Reports that could not be read, or named what was never sent.
    pub refused: u64,
}

/// The parcels that are under way.
pub struct Ledger {
    guests: Arc<Guests>,
    parcels: BTreeMap<u64, Sent>,
    /// Those of them that a worker has begun.
    begun: usize,
    /// Parcels that were taken back, the oldest first, each since then.
    over: VecDeque<(Instant, u64, Sent)>,
    /// Puzzles with which a worker died; they travel singly.
    suspects: VecDeque<(Weak<List>, usize)>,
    deaths: HashMap<(usize, usize), (Weak<List>, u32)>,
    /// The lists that say what workers do.
    told: Vec<Weak<List>>,
    next: u64,
    waiting_max: usize,
    /// What became of them until now.
    pub tally: Tally,
}

impl Ledger {
    /// Nothing is under way. What comes back goes to the lists by `guests`.
    #[must_use]
    pub fn new(guests: Arc<Guests>) -> Self {
        Self {
            guests,
            parcels: BTreeMap::new(),
            begun: 0,
            over: VecDeque::new(),
            suspects: VecDeque::new(),
            deaths: HashMap::new(),
            told: Vec::new(),
            next: 0,
            waiting_max: WAITING_MAX,
            tally: Tally::default(),
        }
    }

    /// Parcels under way: those that no worker has begun, and those that one has.
    #[must_use]
    pub fn under_way(&self) -> (usize, usize) {
        let is_begun = |parcel: &&Sent| parcel.holder.is_some();
        debug_assert_eq!(self.begun, self.parcels.values().filter(is_begun).count());
        (self.parcels.len() - self.begun, self.begun)
    }

    /// Parcels under way.
    #[must_use]
    pub fn count(&self) -> usize {
        self.parcels.len()
    }

    /// Whether another parcel may wait for a worker: fewer may where those before were not begun in time, by workers that are there
    /// only by name.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        self.count() - self.begun < self.waiting_max
    }

    /// Notes that a parcel is being sent, and gives its number.
    pub fn send(&mut self, list: &Arc<List>, indexes: Vec<usize>, alone: bool, now: Instant) -> u64 {
        self.next += 1;
        self.tally.sent += 1;
        self.parcels.insert(self.next, Sent::new(list, indexes, alone, now));
        self.next
    }

    /// The broker has it, under that number.
    pub fn stored(&mut self, number: u64, sequence: u64) {
        if let Some(parcel) = self.parcels.get_mut(&number) {
            parcel.sequence = Some(sequence);
        }
    }

    /// The broker did not take it.
    pub fn not_sent(&mut self, number: u64, now: Instant) {
        if let Some(parcel) = self.remove(number) {
            self.take_back(number, parcel, now);
        }
    }

    /// Whether a worker has died with the puzzle.
    #[must_use]
    pub fn is_suspect(&self, list: &Arc<List>, index: usize) -> bool {
        self.deaths.contains_key(&key(list, index))
    }

    /// Has the puzzle travel singly.
    pub fn isolate(&mut self, list: &Arc<List>, index: usize) {
        self.suspects.push_back((Arc::downgrade(list), index));
    }

    /// The next puzzle that is to travel singly.
    pub fn next_suspect(&mut self) -> Option<(Arc<List>, usize)> {
        loop {
            let (list, index) = self.suspects.pop_front()?;
            if let Some(list) = list.upgrade().filter(|list| !list.is_given_up() && !list.is_solved(index)) {
                return Some((list, index));
            }
        }
    }

    /// No worker is there for puzzles that are to travel singly: they are solved here.
    pub fn keep_suspects(&mut self) {
        while let Some((list, index)) = self.next_suspect() {
            self.guests.give_back(&list, [index], true);
        }
    }

    /// A worker reports on a parcel.
    pub fn report(&mut self, part: &Part, now: Instant) -> Reply {
        let number = part.number;
        let Some(parcel) = self.parcels.get_mut(&number) else { return self.report_late(part) };
        if parcel.holder.is_none() {
            self.begun += 1;
            self.waiting_max = (self.waiting_max + 1).min(WAITING_MAX);
        }
        if !parcel.is_held_by(part, now) {
            return Reply::Stale;
        }
        parcel.heard = now;
        if parcel.list.is_given_up() {
            self.remove(number);
            return Reply::Stale;
        }
        let taken = parcel.take(part);
        self.tally.solved += taken.solved;
        if !taken.keep_here.is_empty() {
            parcel.kept.extend(&taken.keep_here);
            self.guests.give_back(&parcel.list, taken.keep_here, true);
        }
        if let Some(from) = part.given_back_from {
            let back = parcel.indexes.split_off((from as usize).min(parcel.indexes.len()));
            if !back.is_empty() {
                self.tally.returned += 1;
                self.guests.give_back(&parcel.list, back, false);
            }
        }
        if taken.is_wrong {
            self.tally.refused += 1;
            if let Some(parcel) = self.remove(number) {
                self.take_back(number, parcel, now);
            }
            return Reply::Refused;
        }
        if parcel.is_answered() {
            self.remove(number);
        }
        Reply::Stored
    }

    /// A worker says what it is solving.
    pub fn at_work(&mut self, word: &AtWork, now: Instant) -> Unwanted {
        let mut unwanted = Vec::new();
        if word.parcels.len() > AT_WORK_PARCELS_MAX {
            self.tally.refused += 1;
            return Unwanted(unwanted);
        }
        for &(number, token) in &word.parcels {
            let held = self.parcels.get_mut(&number);
            match held.filter(|parcel| parcel.holder == Some((word.worker, token))) {
                Some(parcel) if parcel.list.is_given_up() => drop(self.remove(number)),
                Some(parcel) => {
                    parcel.heard = now;
                    continue;
                }
                None => {}
            }
            unwanted.push(number);
        }
        Unwanted(unwanted)
    }

    /// A worker reports on a parcel that it has lost, or that there never was.
    fn report_late(&mut self, part: &Part) -> Reply {
        let Some((_, _, parcel)) = self.over.iter().rev().find(|(_, number, _)| *number == part.number)
        else {
            // Everything was answered, or it is forged.
            self.tally.refused += u64::from(part.number > self.next);
            return Reply::Stale;
        };
        if parcel.holder == Some((part.worker, part.token)) && !parcel.list.is_given_up() {
            self.tally.solved += parcel.take(part).solved;
        }
        Reply::Stale
    }

    /// A process has died with parcels in hand: how many puzzles it took with it.
    pub fn died(&mut self, died: &Died, now: Instant) -> usize {
        let mut lost = Vec::new();
        for number in &died.parcels {
            let is_theirs = |parcel: &Sent| parcel.holder.is_some_and(|(worker, _)| worker == died.worker);
            if let Some(parcel) = self.parcels.get(number).filter(|parcel| is_theirs(parcel)) {
                lost.extend(parcel.open().map(|index| (Arc::clone(&parcel.list), index, true)));
                self.remove(*number);
                self.tally.returned += 1;
            } else if let Some(at) =
                self.over.iter().position(|(_, over, sent)| over == number && is_theirs(sent))
                && let Some((_, _, parcel)) = self.over.remove(at)
            {
                // They are in their list again, or on their way once more: those who draw them look at the deaths.
                lost.extend(parcel.open().map(|index| (Arc::clone(&parcel.list), index, false)));
            }
        }
        let puzzles = lost.len();
        for (list, index, is_ours) in lost {
            self.count_death(&list, index, is_ours);
        }
        self.forget(now);
        puzzles
    }

    fn count_death(&mut self, list: &Arc<List>, index: usize, is_ours: bool) {
        let (_, deaths) = self.deaths.entry(key(list, index)).or_insert_with(|| (Arc::downgrade(list), 0));
        *deaths += 1;
        let deaths = *deaths;
        if deaths >= DEATHS_MAX {
            self.tally.poisoned += 1;
            let solved = Solved { result: Err(Failure::Deadly { deaths }), wall: Duration::ZERO };
            list.put(index, solved, Duration::ZERO);
        } else if is_ours {
            self.isolate(list, index);
        }
    }

    /// Takes the parcels back that nobody began, whose workers are silent, whose time is over or whose job is: where the broker has
    /// them, their numbers there.
    pub fn overdue(&mut self, now: Instant) -> Vec<u64> {
        let is_overdue = |parcel: &Sent| {
            let begun = parcel.holder.is_some();
            let wait_max = match (begun, parcel.alone) {
                (false, false) => BEGIN_MAX,
                (false, true) => BEGIN_ALONE_MAX,
                (true, false) => SILENCE_MAX,
                (true, true) => SILENCE_ALONE_MAX,
            };
            let silent = now.saturating_duration_since(parcel.heard);
            silent >= wait_max || now >= parcel.deadline || parcel.list.is_given_up()
        };
        let overdue = self.parcels.iter().filter(|(_, parcel)| is_overdue(parcel)).map(|(number, _)| *number);
        let overdue: Vec<_> = overdue.collect();
        let is_begun = |number| self.parcels.get(number).is_some_and(|parcel| parcel.holder.is_some());
        if !overdue.iter().all(is_begun) {
            self.waiting_max = (self.under_way().0 / 2).max(1);
        }
        let mut sequences = Vec::new();
        for number in overdue {
            let Some(parcel) = self.remove(number) else { continue };
            sequences.extend(parcel.sequence);
            if !parcel.list.is_given_up() {
                self.take_back(number, parcel, now);
            }
        }
        self.forget(now);
        sequences
    }

    /// Has each job say which of its puzzles is with a worker for longest.
    pub fn tell_progress(&mut self) {
        let mut longest: HashMap<_, (Arc<List>, usize, Instant)> = HashMap::new();
        for parcel in self.parcels.values().filter(|parcel| parcel.holder.is_some()) {
            let Some(index) = parcel.open().next() else { continue };
            let found = longest.entry(parcel.list.job());
            let theirs = || (Arc::clone(&parcel.list), index, parcel.since);
            let oldest = found.or_insert_with(theirs);
            if parcel.since < oldest.2 {
                *oldest = theirs();
            }
        }
        for list in std::mem::take(&mut self.told).iter().filter_map(Weak::upgrade) {
            if !longest.contains_key(&list.job()) {
                list.tell_guests(None);
            }
        }
        for (list, index, since) in longest.into_values() {
            list.tell_guests(Some((index, since)));
            self.told.push(Arc::downgrade(&list));
        }
    }

    /// Takes everything back: nothing can come any more.
    pub fn take_all_back(&mut self, now: Instant) {
        self.begun = 0;
        for (number, parcel) in std::mem::take(&mut self.parcels) {
            self.take_back(number, parcel, now);
        }
        self.keep_suspects();
        self.tell_progress();
    }

    fn remove(&mut self, number: u64) -> Option<Sent> {
        let parcel = self.parcels.remove(&number)?;
        self.begun -= usize::from(parcel.holder.is_some());
        Some(parcel)
    }

    fn take_back(&mut self, number: u64, parcel: Sent, now: Instant) {
        self.tally.returned += 1;
        // A puzzle that travelled singly stays here: another worker would hardly do better.
        self.guests.give_back(&parcel.list, parcel.open(), parcel.alone);
        self.over.push_back((now, number, parcel));
    }

    /// Forgets what is over for long.
    fn forget(&mut self, now: Instant) {
        let is_old = |since: Instant| now.saturating_duration_since(since) >= REMEMBERED_FOR;
        while self.over.len() > REMEMBERED_MAX
            || self.over.front().is_some_and(|(since, _, _)| is_old(*since))
        {
            self.over.pop_front();
        }
        self.deaths.retain(|_, (list, _)| list.strong_count() > 0);
    }
}

/// A puzzle among all that are being solved.
fn key(list: &Arc<List>, index: usize) -> (usize, usize) {
    (Arc::as_ptr(list).addr(), index)
}
