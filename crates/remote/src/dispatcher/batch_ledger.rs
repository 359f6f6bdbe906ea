//! Tracks batches in flight: what was sent, which worker has it, what came back. Uses no network and reads no clock.
//!
//! If a batch is lost, each of its puzzles still gets an answer or goes back to its list. The first valid answer to a
//! puzzle counts, even if it comes late. A silent worker loses its batch. Only a reported death of a worker counts
//! against a puzzle: after the first death, the puzzle travels alone; after the second, the ledger gives it up.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::protocol::{AT_WORK_BATCHES_MAX, AtWork, Died, Part, Reply, Unwanted, WorkerAnswer};
use tabuleiro_jobs::{DrawnBy, Failure, Guests, List, RemoteCounts, Solved};
use tabuleiro_puzzles::solver::Outcome;

/// How long a batch may wait for a worker to begin it.
const BEGIN_MAX: Duration = Duration::from_secs(1);
/// How long a batch that travels alone may wait for a worker, which first finishes its other batches.
const BEGIN_ALONE_MAX: Duration = Duration::from_secs(60);
/// How long a worker may be silent; workers report every second.
const SILENCE_MAX: Duration = Duration::from_secs(5);
/// How long a worker may be silent if its batch travels alone. This leaves a worker that died the time to start again
/// and report the death.
const SILENCE_ALONE_MAX: Duration = Duration::from_secs(30);
/// How long the ledger remembers a batch that it took back, in case of late answers.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);
/// Maximum number of batches that the ledger remembers after taking them back.
const REMEMBERED_MAX: usize = 10_000;
/// The most batches that may wait for a worker. If no worker begins one in time, the bound falls to half of those that
/// still wait.
const WAITING_MAX: usize = 10_000;
/// Deaths of workers after which the ledger gives a puzzle up.
const DEATHS_MAX: u32 = 2;

pub struct BatchLedger {
    guests: Arc<Guests>,
    batches: BTreeMap<u64, SentBatch>,
    /// Number of `batches` that a worker has begun.
    begun: usize,
    /// Batches that were taken back, oldest first, each with the time at which it was taken back and its number.
    taken_back: VecDeque<(Instant, u64, SentBatch)>,
    /// Puzzles with which a worker died. They travel alone.
    suspects: VecDeque<(Weak<List>, usize)>,
    /// How many workers died with a puzzle. The address of the puzzle's list is part of the key; `Weak` keeps the
    /// address from being reused.
    deaths: HashMap<(usize, usize), (Weak<List>, u32)>,
    /// Lists of the jobs that show a worker's puzzle in their progress.
    shown: Vec<Weak<List>>,
    next: u64,
    waiting_max: usize,
    /// For the status.
    pub counts: RemoteCounts,
}

impl BatchLedger {
    /// Creates an empty ledger. It gives puzzles back to their lists through `guests`.
    pub fn new(guests: Arc<Guests>) -> Self {
        Self {
            guests,
            batches: BTreeMap::new(),
            begun: 0,
            taken_back: VecDeque::new(),
            suspects: VecDeque::new(),
            deaths: HashMap::new(),
            shown: Vec::new(),
            next: 0,
            waiting_max: WAITING_MAX,
            counts: RemoteCounts::default(),
        }
    }

    /// Returns how many batches wait for a worker, and how many a worker has begun.
    pub fn under_way(&self) -> (usize, usize) {
        let is_begun = |batch: &&SentBatch| batch.holder.is_some();
        debug_assert_eq!(self.begun, self.batches.values().filter(is_begun).count());
        (self.batches.len() - self.begun, self.begun)
    }

    pub fn count(&self) -> usize {
        self.batches.len()
    }

    /// Returns whether another batch may wait for a worker. The bound falls if workers do not begin batches in time,
    /// for example because they only send heartbeats.
    pub fn may_wait(&self) -> bool {
        self.count() - self.begun < self.waiting_max
    }

    /// Records a batch that is being sent, and returns its number.
    pub fn send(&mut self, list: &Arc<List>, indexes: Vec<usize>, alone: bool, now: Instant) -> u64 {
        self.next += 1;
        self.counts.sent += 1;
        self.batches.insert(self.next, SentBatch::new(list, indexes, alone, now));
        self.next
    }

    /// Records the sequence number under which the broker stored a batch.
    pub fn stored(&mut self, number: u64, sequence: u64) {
        if let Some(batch) = self.batches.get_mut(&number) {
            batch.sequence = Some(sequence);
        }
    }

    /// Takes a batch back that the broker did not store.
    pub fn not_sent(&mut self, number: u64, now: Instant) {
        if let Some(batch) = self.remove(number) {
            self.take_back(number, batch, now);
        }
    }

    /// Returns whether a worker has died with the puzzle.
    pub fn is_suspect(&self, list: &Arc<List>, index: usize) -> bool {
        self.deaths.contains_key(&key(list, index))
    }

    /// Queues a puzzle that must travel alone.
    pub fn isolate(&mut self, list: &Arc<List>, index: usize) {
        self.suspects.push_back((Arc::downgrade(list), index));
    }

    /// Returns the next puzzle that must travel alone.
    pub fn next_suspect(&mut self) -> Option<(Arc<List>, usize)> {
        loop {
            let (list, index) = self.suspects.pop_front()?;
            if let Some(list) = list.upgrade().filter(|list| !list.is_given_up() && !list.is_solved(index)) {
                return Some((list, index));
            }
        }
    }

    /// Leaves the puzzles that must travel alone to the pool's threads, because no worker is connected.
    pub fn keep_suspects(&mut self) {
        while let Some((list, index)) = self.next_suspect() {
            self.guests.give_back(&list, [index], DrawnBy::Threads);
        }
    }

    /// Processes a worker's report on a batch.
    pub fn report(&mut self, part: &Part, now: Instant) -> Reply {
        let number = part.number;
        let Some(batch) = self.batches.get_mut(&number) else { return self.report_late(part) };
        if batch.holder.is_none() {
            self.begun += 1;
            self.waiting_max = (self.waiting_max + 1).min(WAITING_MAX);
        }
        if !batch.claim_for(part, now) {
            return Reply::Stale;
        }
        batch.heard = now;
        if batch.list.is_given_up() {
            self.remove(number);
            return Reply::Stale;
        }
        let taken = batch.store_answers(part);
        self.counts.solved += taken.solved;
        if !taken.keep_here.is_empty() {
            batch.kept.extend(&taken.keep_here);
            self.guests.give_back(&batch.list, taken.keep_here, DrawnBy::Threads);
        }
        if let Some(from) = part.given_back_from {
            let back = batch.indexes.split_off((from as usize).min(batch.indexes.len()));
            if !back.is_empty() {
                self.counts.returned += 1;
                self.guests.give_back(&batch.list, back, DrawnBy::Anybody);
            }
        }
        if taken.is_wrong {
            self.counts.refused += 1;
            if let Some(batch) = self.remove(number) {
                self.take_back(number, batch, now);
            }
            return Reply::Refused;
        }
        if batch.open().next().is_none() {
            self.remove(number);
        }
        Reply::Stored
    }

    /// Processes a worker's list of batches in progress, and returns the numbers of those that are not needed any more.
    pub fn at_work(&mut self, at_work: &AtWork, now: Instant) -> Unwanted {
        let mut unwanted = Vec::new();
        if at_work.batches.len() > AT_WORK_BATCHES_MAX {
            self.counts.refused += 1;
            return Unwanted(unwanted);
        }
        for &(number, token) in &at_work.batches {
            let held = self.batches.get_mut(&number);
            match held.filter(|batch| batch.holder == Some((at_work.worker, token))) {
                Some(batch) if batch.list.is_given_up() => drop(self.remove(number)),
                Some(batch) => {
                    batch.heard = now;
                    continue;
                }
                None => {}
            }
            unwanted.push(number);
        }
        Unwanted(unwanted)
    }

    /// Processes a report on a batch that was taken back or never sent.
    fn report_late(&mut self, part: &Part) -> Reply {
        let Some((_, _, batch)) = self.taken_back.iter().rev().find(|(_, number, _)| *number == part.number)
        else {
            // The batch has ended or was forgotten. If it was never sent, the report counts as refused.
            self.counts.refused += u64::from(part.number > self.next);
            return Reply::Stale;
        };
        if batch.holder == Some((part.worker, part.token)) && !batch.list.is_given_up() {
            self.counts.solved += batch.store_answers(part).solved;
        }
        Reply::Stale
    }

    /// Records that a worker's process died with these batches, and returns how many of their puzzles had no answer.
    pub fn died(&mut self, died: &Died, now: Instant) -> usize {
        let mut lost = Vec::new();
        for number in &died.batches {
            let is_theirs = |batch: &SentBatch| batch.holder.is_some_and(|(worker, _)| worker == died.worker);
            if let Some(batch) = self.batches.get(number).filter(|batch| is_theirs(batch)) {
                lost.extend(batch.open().map(|index| (Arc::clone(&batch.list), index, true)));
                self.remove(*number);
                self.counts.returned += 1;
            } else if let Some(at) =
                self.taken_back.iter().position(|(_, over, sent)| over == number && is_theirs(sent))
                && let Some((_, _, batch)) = self.taken_back.remove(at)
            {
                // The puzzles are back in their list, or in flight again: `DispatcherState::draw` checks for deaths
                // when it draws them.
                lost.extend(batch.open().map(|index| (Arc::clone(&batch.list), index, false)));
            }
        }
        let puzzles = lost.len();
        for (list, index, was_in_flight) in lost {
            self.count_death(&list, index, was_in_flight);
        }
        self.forget(now);
        puzzles
    }

    /// Counts a death against a puzzle. `was_in_flight` says whether the worker still had the puzzle's batch.
    fn count_death(&mut self, list: &Arc<List>, index: usize, was_in_flight: bool) {
        let (_, deaths) = self.deaths.entry(key(list, index)).or_insert_with(|| (Arc::downgrade(list), 0));
        *deaths += 1;
        let deaths = *deaths;
        if deaths >= DEATHS_MAX {
            self.counts.poisoned += 1;
            let solved = Solved { result: Err(Failure::Deadly(deaths)), wall: Duration::ZERO };
            list.put(index, solved, Duration::ZERO);
        } else if was_in_flight {
            self.isolate(list, index);
        }
    }

    /// Takes back the batches that no worker began in time, whose worker is silent, or whose time is up. Drops the
    /// batches whose job has ended. Returns the sequence numbers in the stream of all these batches.
    pub fn overdue(&mut self, now: Instant) -> Vec<u64> {
        let is_overdue = |batch: &SentBatch| {
            let begun = batch.holder.is_some();
            let wait_max = match (begun, batch.alone) {
                (false, false) => BEGIN_MAX,
                (false, true) => BEGIN_ALONE_MAX,
                (true, false) => SILENCE_MAX,
                (true, true) => SILENCE_ALONE_MAX,
            };
            let silent = now.saturating_duration_since(batch.heard);
            silent >= wait_max || now >= batch.deadline || batch.list.is_given_up()
        };
        let overdue = self.batches.iter().filter(|(_, batch)| is_overdue(batch)).map(|(number, _)| *number);
        let overdue: Vec<_> = overdue.collect();
        // That a job ended says nothing about the workers.
        let waits = |batch: &SentBatch| batch.holder.is_none() && !batch.list.is_given_up();
        if overdue.iter().any(|number| self.batches.get(number).is_some_and(waits)) {
            self.waiting_max = (self.under_way().0 / 2).max(1);
        }
        let mut sequences = Vec::new();
        for number in overdue {
            let Some(batch) = self.remove(number) else { continue };
            sequences.extend(batch.sequence);
            if !batch.list.is_given_up() {
                self.take_back(number, batch, now);
            }
        }
        self.forget(now);
        sequences
    }

    /// Shows in each job's progress which of its puzzles a worker has had for longest.
    pub fn tell_progress(&mut self) {
        let mut longest: HashMap<_, (Arc<List>, usize, Instant)> = HashMap::new();
        for batch in self.batches.values().filter(|batch| batch.holder.is_some()) {
            let Some(index) = batch.open().next() else { continue };
            let found = longest.entry(batch.list.job());
            let theirs = || (Arc::clone(&batch.list), index, batch.since);
            let oldest = found.or_insert_with(theirs);
            if batch.since < oldest.2 {
                *oldest = theirs();
            }
        }
        for list in std::mem::take(&mut self.shown).iter().filter_map(Weak::upgrade) {
            if !longest.contains_key(&list.job()) {
                list.show_guest_puzzle(None);
            }
        }
        for (list, index, since) in longest.into_values() {
            list.show_guest_puzzle(Some((index, since)));
            self.shown.push(Arc::downgrade(&list));
        }
    }

    /// Takes all batches back, because no report can come any more.
    pub fn take_all_back(&mut self, now: Instant) {
        self.begun = 0;
        for (number, batch) in std::mem::take(&mut self.batches) {
            self.take_back(number, batch, now);
        }
        self.keep_suspects();
        self.tell_progress();
    }

    fn remove(&mut self, number: u64) -> Option<SentBatch> {
        let batch = self.batches.remove(&number)?;
        self.begun -= usize::from(batch.holder.is_some());
        Some(batch)
    }

    fn take_back(&mut self, number: u64, batch: SentBatch, now: Instant) {
        self.counts.returned += 1;
        // The pool's threads solve a puzzle that travelled alone: another worker would hardly do better.
        let by = if batch.alone { DrawnBy::Threads } else { DrawnBy::Anybody };
        self.guests.give_back(&batch.list, batch.open(), by);
        self.taken_back.push_back((now, number, batch));
    }

    fn forget(&mut self, now: Instant) {
        let is_old = |since: Instant| now.saturating_duration_since(since) >= REMEMBERED_FOR;
        while self.taken_back.len() > REMEMBERED_MAX
            || self.taken_back.front().is_some_and(|(since, _, _)| is_old(*since))
        {
            self.taken_back.pop_front();
        }
        self.deaths.retain(|_, (list, _)| list.strong_count() > 0);
    }
}

/// Identifies a puzzle among all that are being solved.
fn key(list: &Arc<List>, index: usize) -> (usize, usize) {
    (Arc::as_ptr(list).addr(), index)
}

/// Time that a batch may take in addition to the time limits of its puzzles.
const MARGIN: Duration = Duration::from_secs(30);
/// Maximum time that a batch may take, whatever the time limits of its puzzles.
const BATCH_TIME_MAX: Duration = Duration::from_secs(3600);

pub struct SentBatch {
    pub list: Arc<List>,
    /// The puzzles' indexes in the list, in the order in which they travel.
    pub indexes: Vec<usize>,
    /// Indexes of the puzzles that went back to the pool because no worker can answer them.
    pub kept: Vec<usize>,
    /// Whether the batch's worker solves nothing else at the same time.
    pub alone: bool,
    /// When its worker reported last, or when it was sent.
    pub heard: Instant,
    /// When the worker began the puzzle that it is solving.
    pub since: Instant,
    /// The worker that has begun the batch, and the token of that delivery.
    pub holder: Option<(u64, u64)>,
    /// When the batch is taken back even if its worker reports.
    pub deadline: Instant,
    pub sequence: Option<u64>,
}

impl SentBatch {
    pub fn new(list: &Arc<List>, indexes: Vec<usize>, alone: bool, now: Instant) -> Self {
        let (time, job_end) = list.limits.times();
        let puzzles = u32::try_from(indexes.len()).unwrap_or(u32::MAX);
        let own = time.map_or(BATCH_TIME_MAX, |time| time.saturating_mul(puzzles).saturating_add(MARGIN));
        let end = now + own.min(BATCH_TIME_MAX);
        let deadline = job_end.map_or(end, |job_end| end.min(job_end + MARGIN));
        Self {
            list: Arc::clone(list),
            indexes,
            kept: Vec::new(),
            alone,
            heard: now,
            since: now,
            holder: None,
            deadline,
            sequence: None,
        }
    }

    /// Gives the batch to the first worker that reports on it. Returns whether the reporting worker has the batch.
    pub fn claim_for(&mut self, part: &Part, now: Instant) -> bool {
        let reporter = (part.worker, part.token);
        let is_first = self.holder.is_none();
        let is_its = *self.holder.get_or_insert(reporter) == reporter;
        if is_first || is_its && !part.answers.is_empty() {
            self.since = now;
        }
        is_its
    }

    /// Returns the puzzles that still need an answer from a worker.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        let is_open = |index: &usize| !self.list.is_solved(*index) && !self.kept.contains(index);
        self.indexes.iter().copied().filter(is_open)
    }

    /// Puts the answers of a report into the list.
    pub fn store_answers(&self, part: &Part) -> ReportCounts {
        let mut taken = ReportCounts::default();
        let origin = &self.list.origin;
        let (mut time, mut cpu) = (Duration::ZERO, part.cpu);
        for (answer, at) in part.answers.iter().zip(part.first as usize..) {
            let Some(&index) = self.indexes.get(at) else {
                taken.is_wrong = true;
                break;
            };
            let solved = match answer {
                WorkerAnswer::Solved { outcome, wall } => {
                    let Ok(outcome) = Outcome::from_json(outcome, origin.solver) else {
                        taken.is_wrong = true;
                        break;
                    };
                    time = time.saturating_add(*wall);
                    Solved { result: Ok(self.list.limits.named(outcome)), wall: *wall }
                }
                WorkerAnswer::Panicked { message } => {
                    Solved { result: Err(Failure::Panicked(message.clone())), wall: Duration::ZERO }
                }
                WorkerAnswer::TooLarge | WorkerAnswer::Unreadable => {
                    taken.keep_here.push(index);
                    continue;
                }
            };
            let is_first = self.list.put(index, solved, std::mem::take(&mut cpu));
            taken.solved += u64::from(is_first);
        }
        origin.learn(part.answers.len(), time);
        taken
    }
}

/// The result of a report on a batch.
#[derive(Default)]
pub struct ReportCounts {
    /// How many puzzles the report answered.
    pub solved: u64,
    pub keep_here: Vec<usize>,
    /// Whether the report is malformed, or about puzzles that were not sent.
    pub is_wrong: bool,
}
