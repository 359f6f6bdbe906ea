//! The puzzles of a batch and the places for their answers.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::{Mutex, MutexGuard};

use super::guests::Waiters;
use super::limits::Limits;
use crate::progress::{Hand, Progress};
use tabuleiro_puzzles::solver::{Options, Outcome, Puzzle, thread_cpu_time};

/// Time between two looks of somebody who waits for a batch that nobody has begun.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// Why a puzzle has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The solver panicked, and said this.
    Panicked(String),
    /// The job was cancelled before it was begun.
    Cancelled,
    /// Workers died with it.
    Deadly {
        /// How many.
        deaths: u32,
    },
}

/// The answer to one puzzle, or why there is none.
pub struct Solved {
    /// The answer.
    pub result: Result<Outcome, Failure>,
    /// How long that took.
    pub wall: Duration,
}

/// The puzzles of a batch and the places for their answers.
pub struct List {
    tasks: Vec<Task>,
    pub(super) progress: Arc<Progress>,
    limits: Limits,
    /// Where the puzzles come from, where guests may draw.
    origin: Option<Arc<Origin>>,
    /// Whoever waits asks there whether to solve meanwhile, where there are guests.
    waiters: Option<Arc<Waiters>>,
    since: Instant,
    /// Whoever adds to it has drawn the puzzle of the number before.
    next: AtomicUsize,
    /// Puzzles that threads of this process have drawn; counted where others may draw.
    drawn_here: AtomicUsize,
    /// Puzzles that a guest gave back.
    returned: Mutex<Returned>,
    has_returned: AtomicBool,
    /// Nobody waits for the answers any more.
    is_given_up: AtomicBool,
    /// Puzzles that have no answer yet.
    left: AtomicUsize,
    cpu_nanos: AtomicU64,
    /// Wakes who waits: all is answered, or something came back.
    wake: Sender<()>,
    woken: Receiver<()>,
}

/// Puzzles that a guest gave back.
#[derive(Default)]
struct Returned {
    /// For whoever draws.
    any: VecDeque<usize>,
    /// Not for guests.
    here: VecDeque<usize>,
}

/// A puzzle and the place for its answer.
struct Task {
    /// Its number in the file, from 1.
    number: u64,
    puzzle: Arc<dyn Puzzle>,
    solved: OnceLock<Solved>,
}

impl List {
    /// A list of `puzzles`, each with its number in the file, that `progress` is told of. Guests may draw from it where there is an
    /// `origin`.
    #[must_use]
    pub fn new(
        puzzles: Vec<(u64, Arc<dyn Puzzle>)>,
        limits: &Limits,
        progress: &Arc<Progress>,
        origin: Option<Arc<Origin>>,
        waiters: Option<Arc<Waiters>>,
    ) -> Self {
        let (wake, woken) = bounded(1);
        Self {
            left: AtomicUsize::new(puzzles.len()),
            tasks: puzzles
                .into_iter()
                .map(|(number, puzzle)| Task { number, puzzle, solved: OnceLock::new() })
                .collect(),
            progress: Arc::clone(progress),
            limits: limits.clone(),
            origin,
            waiters,
            since: Instant::now(),
            next: AtomicUsize::new(0),
            drawn_here: AtomicUsize::new(0),
            returned: Mutex::default(),
            has_returned: AtomicBool::new(false),
            is_given_up: AtomicBool::new(false),
            cpu_nanos: AtomicU64::new(0),
            wake,
            woken,
        }
    }

    pub(super) fn puzzles(&self) -> usize {
        self.tasks.len()
    }

    /// Where the puzzles come from; `None` if no guest may draw them.
    #[must_use]
    pub fn origin(&self) -> Option<&Arc<Origin>> {
        self.origin.as_ref()
    }

    /// When it was made.
    #[must_use]
    pub fn since(&self) -> Instant {
        self.since
    }

    /// The limits of its job.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The puzzle at an index that was drawn, and its number in the file.
    #[must_use]
    pub fn puzzle(&self, index: usize) -> Option<(u64, &Arc<dyn Puzzle>)> {
        self.tasks.get(index).map(|task| (task.number, &task.puzzle))
    }

    /// Whether the puzzle at an index has its answer.
    #[must_use]
    pub fn is_solved(&self, index: usize) -> bool {
        self.tasks.get(index).is_none_or(|task| task.solved.get().is_some())
    }

    /// Whether nobody wants the answers.
    #[must_use]
    pub fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed) || self.limits.is_cancelled()
    }

    /// Whether there is a puzzle for a guest to draw.
    #[must_use]
    pub fn has_more(&self) -> bool {
        let has_new = || self.next.load(Ordering::Relaxed) < self.tasks.len();
        let has_old = || self.has_returned.load(Ordering::Relaxed) && !self.returned().any.is_empty();
        !self.is_given_up() && (has_new() || has_old())
    }

    /// Puzzles that threads of this process have drawn, those that came back included.
    #[must_use]
    pub fn drawn_here(&self) -> usize {
        self.drawn_here.load(Ordering::Relaxed)
    }

    /// Draws the next puzzle for a guest: its index.
    #[must_use]
    pub fn draw(&self) -> Option<usize> {
        self.draw_returned(|returned| returned.any.pop_front()).or_else(|| self.draw_new())
    }

    /// Draws the next puzzle for a thread of the pool.
    fn draw_here(&self) -> Option<usize> {
        let old =
            self.draw_returned(|returned| returned.here.pop_front().or_else(|| returned.any.pop_front()));
        old.or_else(|| self.draw_new())
    }

    fn draw_new(&self) -> Option<usize> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.tasks.len()).then_some(index)
    }

    fn draw_returned(&self, pop: impl FnOnce(&mut Returned) -> Option<usize>) -> Option<usize> {
        // Nearly always there is nothing, and this is asked for every puzzle.
        if !self.has_returned.load(Ordering::Relaxed) {
            return None;
        }
        let mut returned = self.returned();
        let index = pop(&mut returned);
        self.note_returned(&returned);
        index
    }

    fn returned(&self) -> MutexGuard<'_, Returned> {
        self.returned.lock()
    }

    fn note_returned(&self, returned: &Returned) {
        let is_any = !returned.any.is_empty() || !returned.here.is_empty();
        self.has_returned.store(is_any, Ordering::Relaxed);
    }

    /// Takes puzzles back that were drawn and have no answer. They are drawn again, before all others; by no guest where they are
    /// to stay `here`.
    pub(super) fn take_back(&self, indexes: impl IntoIterator<Item = usize>, here: bool) {
        let mut returned = self.returned();
        let to = if here { &mut returned.here } else { &mut returned.any };
        to.extend(indexes.into_iter().filter(|&index| !self.is_solved(index)));
        self.note_returned(&returned);
        drop(returned);
        let _ = self.wake.try_send(());
    }

    /// What lists of one job have in common, and no others.
    #[must_use]
    pub fn job(&self) -> usize {
        Arc::as_ptr(&self.progress).addr()
    }

    /// Says which of its puzzles guests have for longest, and since when; `None` where they have none.
    pub fn tell_guests(&self, longest: Option<(usize, Instant)>) {
        let guests = self.progress.guests();
        match longest.and_then(|(index, since)| Some((self.tasks.get(index)?.number, since))) {
            Some((number, since)) => guests.take(number, self.progress.passed(since)),
            None => guests.go_on(0),
        }
    }

    /// Puts an answer into its place, and says whether it was the first. `cpu` is the processor's time that it took.
    pub fn put(&self, index: usize, solved: Solved, cpu: Duration) -> bool {
        let Some(task) = self.tasks.get(index) else { return false };
        let is_first = task.solved.set(solved).is_ok();
        if is_first {
            self.count(1, cpu);
        }
        is_first
    }

    /// So many puzzles more are answered.
    fn count(&self, solved: usize, cpu: Duration) {
        self.cpu_nanos.fetch_add(cpu.as_nanos() as u64, Ordering::Relaxed);
        if self.left.fetch_sub(solved, Ordering::AcqRel) == solved {
            let _ = self.wake.try_send(());
        }
    }

    /// Draws puzzles and solves them, as long as there are any.
    pub(super) fn work(&self) {
        let cpu_before = thread_cpu_time();
        let mut budget = self.limits.budget();
        let mut solved = 0;
        let hand = self.progress.hand(rayon::current_thread_index());
        let held_before = hand.map(Hand::held);
        // The end of one puzzle is the beginning of the next.
        let mut now = Instant::now();
        let mut nanos = self.progress.passed(now);
        while let Some(index) = self.draw_here() {
            if self.waiters.is_some() {
                self.drawn_here.fetch_add(1, Ordering::Relaxed);
            }
            let task = &self.tasks[index];
            if self.limits.is_cancelled() {
                // Nobody will look at the answers: to begin hundreds of puzzles only to end them takes a while.
                let cancelled = Solved { result: Err(Failure::Cancelled), wall: Duration::ZERO };
                solved += usize::from(task.solved.set(cancelled).is_ok());
                continue;
            }
            budget.begin(self.limits.end(now), Some(now));
            if let Some(hand) = hand {
                hand.take(task.number, nanos);
            }
            let result = guarded(|| self.limits.named(task.puzzle.solve(&budget)));
            let end = Instant::now();
            let wall = end - now;
            // A guest may have brought it meanwhile that had given it back.
            solved += usize::from(task.solved.set(Solved { result, wall }).is_ok());
            (now, nanos) = (end, nanos + wall.as_nanos() as u64);
        }
        if let (Some(hand), Some(before)) = (hand, held_before) {
            hand.go_on(before);
        }
        if solved > 0 {
            self.count(solved, thread_cpu_time().saturating_sub(cpu_before) + budget.take_helped());
        }
    }

    /// Waits until all is answered, and says what processor time that took.
    pub fn wait(&self) -> Duration {
        // Guests who began it and have gone leave the rest to whoever waits: the threads may all be busy for long.
        let is_sure = || {
            let drawn = self.next.load(Ordering::Relaxed);
            let is_here = self.waiters.is_none() || self.drawn_here() > 0;
            drawn >= self.tasks.len() || (drawn > 0 && is_here)
        };
        let by_guests = || {
            let are_there = self.waiters.as_ref().is_some_and(|waiters| waiters.seats() > 0);
            are_there && self.next.load(Ordering::Relaxed) > 0
        };
        let is_begun = || is_sure() || by_guests();
        let has_returned = || self.has_returned.load(Ordering::Relaxed);
        let mut is_first = true;
        while self.left.load(Ordering::Acquire) > 0 {
            if !is_begun() || has_returned() {
                self.help(is_first);
            }
            is_first = false;
            if self.left.load(Ordering::Acquire) == 0 {
                break;
            }
            // The sender is here, so this is a message or the end of the time.
            let _ = if is_sure() && !has_returned() {
                self.woken.recv().ok()
            } else {
                self.woken.recv_timeout(LOOK_INTERVAL).ok()
            };
        }
        Duration::from_nanos(self.cpu_nanos.load(Ordering::Acquire))
    }

    /// Solves while waiting, unless there are enough who do.
    fn help(&self, is_first: bool) {
        let Some(waiters) = &self.waiters else { return self.work() };
        if waiters.enter(is_first) {
            self.work();
            waiters.leave();
        }
    }

    /// Nobody waits for the answers any more: what was not begun stays so.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
        self.next.store(self.tasks.len(), Ordering::Relaxed);
    }

    /// The puzzles with their answers, in order. Those that are not there yet, or were not begun, are left out.
    pub fn answers(&self) -> impl Iterator<Item = (&Arc<dyn Puzzle>, &Solved)> {
        self.tasks.iter().filter_map(|task| Some((&task.puzzle, task.solved.get()?)))
    }
}

/// Solves; a panic is a failure.
///
/// # Errors
/// [`Failure::Panicked`].
pub fn guarded(solve: impl FnOnce() -> Outcome) -> Result<Outcome, Failure> {
    catch_unwind(AssertUnwindSafe(solve)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        Failure::Panicked(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())
    })
}

/// Where the puzzles of a list come from, for somebody who solves them elsewhere.
#[derive(Debug)]
pub struct Origin {
    /// The solver's ID.
    pub solver: &'static str,
    /// The options of the job.
    pub options: Options,
    /// What the file is called.
    pub file: Arc<str>,
    /// What a puzzle of the file took so far, in nanoseconds; 0 while that is not known.
    nanos_a_puzzle: AtomicU64,
}

impl Origin {
    /// Nothing is known yet of what a puzzle takes.
    #[must_use]
    pub fn new(solver: &'static str, options: Options, file: Arc<str>) -> Self {
        Self { solver, options, file, nanos_a_puzzle: AtomicU64::new(0) }
    }

    /// What a puzzle of the file took so far.
    #[must_use]
    pub fn time_a_puzzle(&self) -> Option<Duration> {
        Some(self.nanos_a_puzzle.load(Ordering::Relaxed)).filter(|&nanos| nanos > 0).map(Duration::from_nanos)
    }

    /// So many more were solved, in that time together. What was seen last counts for a quarter.
    pub fn learn(&self, puzzles: usize, time: Duration) {
        let Some(mean) = time.as_nanos().checked_div(puzzles as u128) else { return };
        let mean = u64::try_from(mean).unwrap_or(u64::MAX);
        let before = self.nanos_a_puzzle.load(Ordering::Relaxed);
        let now = if before == 0 { mean } else { before - before / 4 + mean / 4 };
        self.nanos_a_puzzle.store(now.max(1), Ordering::Relaxed);
    }
}
