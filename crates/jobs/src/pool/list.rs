//! The puzzles of a batch and the places for their answers.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use super::guests::Guests;
use super::limits::Limits;
use crate::progress::{Progress, PuzzleSlot};
use tabuleiro_puzzles::solver::{Options, Outcome, Puzzle, Solver};

/// How often a waiting thread checks whether any thread has begun its batch.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// Why a puzzle has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The solver panicked with this message.
    Panicked(String),
    /// The job was cancelled before the puzzle was begun.
    Cancelled,
    /// This many workers died while they solved the puzzle.
    Deadly(u32),
}

/// The answer to one puzzle, or why there is none.
pub struct Solved {
    /// The outcome, or why there is none.
    pub result: Result<Outcome, Failure>,
    /// How long the puzzle took to solve.
    pub wall: Duration,
}

/// The puzzles of a batch and the places for their answers.
pub struct List {
    tasks: Vec<Task>,
    pub(super) progress: Arc<Progress>,
    /// The limits of the job.
    pub limits: Limits,
    /// Where the puzzles come from.
    pub origin: Arc<Origin>,
    /// The guests of the pool. They also limit how many waiting threads solve puzzles.
    guests: Option<Arc<Guests>>,
    /// When the list was created.
    pub since: Instant,
    /// The index of the next puzzle: a thread that adds 1 has drawn the puzzle at the old value.
    next: AtomicUsize,
    /// Puzzles that threads of this process have drawn. Counted only if guests exist.
    drawn_here: AtomicUsize,
    /// Puzzles that a guest gave back.
    returned: Mutex<Returned>,
    has_returned: AtomicBool,
    /// Whether no caller waits for the answers any more.
    is_given_up: AtomicBool,
    /// Puzzles that have no answer yet.
    left: AtomicUsize,
    cpu_nanos: AtomicU64,
    /// Wakes the waiting thread: all puzzles are answered, or a guest returned one.
    wake: Sender<()>,
    woken: Receiver<()>,
}

/// Puzzles that a guest gave back.
#[derive(Default)]
struct Returned {
    for_anybody: VecDeque<usize>,
    for_threads: VecDeque<usize>,
}

/// Who may draw a puzzle that a guest gave back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawnBy {
    /// Threads and guests alike.
    Anybody,
    /// Threads of this process only.
    Threads,
}

/// A puzzle and the place for its answer.
struct Task {
    /// The number of the puzzle in the file, from 1.
    number: u64,
    puzzle: Box<dyn Puzzle>,
    solved: OnceLock<Solved>,
}

impl List {
    /// Returns a list of `puzzles`, each with its number in the file. Answers are counted in `progress`.
    /// `guests` are the guests of the pool that solves the list.
    pub fn new(
        puzzles: Vec<(u64, Box<dyn Puzzle>)>,
        limits: &Limits,
        progress: &Arc<Progress>,
        origin: Arc<Origin>,
        guests: Option<Arc<Guests>>,
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
            guests,
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

    /// Returns the puzzle at an index that was drawn, and its number in the file.
    pub fn puzzle(&self, index: usize) -> Option<(u64, &dyn Puzzle)> {
        self.tasks.get(index).map(|task| (task.number, &*task.puzzle))
    }

    /// Returns whether the puzzle at `index` has an answer.
    pub fn is_solved(&self, index: usize) -> bool {
        self.tasks.get(index).is_none_or(|task| task.solved.get().is_some())
    }

    /// Returns whether the list was given up, or its job cancelled.
    pub fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed) || self.limits.is_cancelled()
    }

    /// Returns whether there is a puzzle for a guest to draw.
    pub fn has_more(&self) -> bool {
        let has_new = || self.next.load(Ordering::Relaxed) < self.tasks.len();
        let has_old =
            || self.has_returned.load(Ordering::Relaxed) && !self.returned.lock().for_anybody.is_empty();
        !self.is_given_up() && (has_new() || has_old())
    }

    /// Returns how many puzzles threads of this process have drawn, counting a returned puzzle each time.
    pub fn drawn_here(&self) -> usize {
        self.drawn_here.load(Ordering::Relaxed)
    }

    /// Draws the next puzzle for a guest and returns its index.
    pub fn draw(&self) -> Option<usize> {
        self.draw_for(DrawnBy::Anybody)
    }

    /// Draws the next puzzle for a guest, or for a thread of the pool, and returns its index.
    fn draw_for(&self, who: DrawnBy) -> Option<usize> {
        // Avoids the lock: threads check this for every puzzle, and the queues are nearly always empty.
        if self.has_returned.load(Ordering::Relaxed) {
            let mut returned = self.returned.lock();
            let own = if who == DrawnBy::Threads { returned.for_threads.pop_front() } else { None };
            let index = own.or_else(|| returned.for_anybody.pop_front());
            self.update_has_returned(&returned);
            if index.is_some() {
                return index;
            }
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.tasks.len()).then_some(index)
    }

    fn update_has_returned(&self, returned: &Returned) {
        let has_some = !returned.for_anybody.is_empty() || !returned.for_threads.is_empty();
        self.has_returned.store(has_some, Ordering::Relaxed);
    }

    /// Takes back drawn puzzles without an answer, to be drawn again before all others.
    pub(super) fn take_back(&self, indexes: impl IntoIterator<Item = usize>, by: DrawnBy) {
        let mut returned = self.returned.lock();
        let to = match by {
            DrawnBy::Anybody => &mut returned.for_anybody,
            DrawnBy::Threads => &mut returned.for_threads,
        };
        to.extend(indexes.into_iter().filter(|&index| !self.is_solved(index)));
        self.update_has_returned(&returned);
        drop(returned);
        let _ = self.wake.try_send(());
    }

    /// Returns an address that lists of the same job share, and no others.
    pub fn job(&self) -> usize {
        Arc::as_ptr(&self.progress).addr()
    }

    /// Reports the puzzle that guests have held longest, and since when; `None` if they hold none.
    pub fn show_guest_puzzle(&self, longest: Option<(usize, Instant)>) {
        let slot = &self.progress.guests;
        match longest.and_then(|(index, since)| Some((self.tasks.get(index)?.number, since))) {
            Some((number, since)) => slot.set(number, self.progress.passed(since)),
            None => slot.restore(0),
        }
    }

    /// Stores an answer and returns whether it was the first. `cpu` is the processor time spent on it.
    pub fn put(&self, index: usize, solved: Solved, cpu: Duration) -> bool {
        let Some(task) = self.tasks.get(index) else { return false };
        let is_first = task.solved.set(solved).is_ok();
        if is_first {
            self.count(1, cpu);
        }
        is_first
    }

    /// Counts answered puzzles, and wakes the waiting thread after the last one.
    fn count(&self, solved: usize, cpu: Duration) {
        self.cpu_nanos.fetch_add(cpu.as_nanos() as u64, Ordering::Relaxed);
        if self.left.fetch_sub(solved, Ordering::AcqRel) == solved {
            let _ = self.wake.try_send(());
        }
    }

    /// Draws and solves puzzles until none is left.
    pub(super) fn work(&self) {
        let cpu_before = thread_cpu_time();
        let mut budget = self.limits.budget();
        let mut solved = 0;
        let slot = self.progress.slot(rayon::current_thread_index());
        let value_before = slot.map(PuzzleSlot::value);
        // One reading of the clock is the end of a puzzle and the beginning of the next one.
        let mut now = Instant::now();
        let mut nanos = self.progress.passed(now);
        while let Some(index) = self.draw_for(DrawnBy::Threads) {
            if self.guests.is_some() {
                self.drawn_here.fetch_add(1, Ordering::Relaxed);
            }
            let task = &self.tasks[index];
            if self.limits.is_cancelled() {
                // Nobody reads the answers any more, and it takes a while to begin hundreds of puzzles only to stop
                // them.
                let cancelled = Solved { result: Err(Failure::Cancelled), wall: Duration::ZERO };
                solved += usize::from(task.solved.set(cancelled).is_ok());
                continue;
            }
            budget.begin(self.limits.end(now), Some(now));
            if let Some(slot) = slot {
                slot.set(task.number, nanos);
            }
            let result = guarded(|| self.limits.named(task.puzzle.solve(&budget)));
            let end = Instant::now();
            let wall = end - now;
            // A guest may have answered the puzzle after it gave the puzzle back.
            solved += usize::from(task.solved.set(Solved { result, wall }).is_ok());
            (now, nanos) = (end, nanos + wall.as_nanos() as u64);
        }
        if let (Some(slot), Some(before)) = (slot, value_before) {
            slot.restore(before);
        }
        if solved > 0 {
            self.count(solved, thread_cpu_time().saturating_sub(cpu_before));
        }
    }

    /// Waits until every puzzle has an answer, and returns the processor time spent. If no thread of the pool has begun
    /// the list, the calling thread solves it, because all threads may be busy with other jobs for a long time.
    pub fn wait(&self) -> Duration {
        // If the guests that began the list are gone, the waiting thread solves the rest.
        let is_begun_here = || {
            let drawn = self.next.load(Ordering::Relaxed);
            let is_here = self.guests.is_none() || self.drawn_here() > 0;
            drawn >= self.tasks.len() || (drawn > 0 && is_here)
        };
        let is_begun_by_guests = || {
            let has_guests = self.guests.as_ref().is_some_and(|guests| guests.seats() > 0);
            has_guests && self.next.load(Ordering::Relaxed) > 0
        };
        let is_begun = || is_begun_here() || is_begun_by_guests();
        let has_returned = || self.has_returned.load(Ordering::Relaxed);
        let mut is_first = true;
        while self.left.load(Ordering::Acquire) > 0 {
            if !is_begun() || has_returned() {
                match &self.guests {
                    Some(guests) => guests.solve_while_waiting(is_first, || self.work()),
                    None => self.work(),
                }
            }
            is_first = false;
            if self.left.load(Ordering::Acquire) == 0 {
                break;
            }
            // `self` holds a sender, so an error can only be a timeout.
            let _ = if is_begun_here() && !has_returned() {
                self.woken.recv().ok()
            } else {
                self.woken.recv_timeout(LOOK_INTERVAL).ok()
            };
        }
        Duration::from_nanos(self.cpu_nanos.load(Ordering::Acquire))
    }

    /// Gives the list up: puzzles that were not begun are not solved any more.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
        self.next.store(self.tasks.len(), Ordering::Relaxed);
    }

    /// Returns the puzzles with their answers, in order, without the puzzles that have no answer.
    pub fn answers(&self) -> impl Iterator<Item = (&dyn Puzzle, &Solved)> {
        self.tasks.iter().filter_map(|task| Some((&*task.puzzle, task.solved.get()?)))
    }
}

/// Calls `solve` and turns a panic into a failure.
///
/// # Errors
/// Returns [`Failure::Panicked`] if `solve` panics.
pub fn guarded(solve: impl FnOnce() -> Outcome) -> Result<Outcome, Failure> {
    catch_unwind(AssertUnwindSafe(solve)).map_err(|panic| Failure::Panicked(panic_text(&*panic).to_owned()))
}

/// Returns the text of a panic from its payload; empty if the payload is no text.
pub fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let owned = || payload.downcast_ref::<String>().map(String::as_str);
    payload.downcast_ref::<&str>().copied().or_else(owned).unwrap_or_default()
}

/// Returns the processor time of the calling thread.
pub fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Where the puzzles of a list come from, for a guest that solves them on another machine.
#[derive(Debug)]
pub struct Origin {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// The options of the job.
    pub options: Options,
    /// The printable name of the file.
    pub file: Arc<str>,
    /// Average time that a puzzle of the file took so far, in nanoseconds; 0 while it is unknown.
    nanos_per_puzzle: AtomicU64,
}

impl Origin {
    /// Returns an origin whose time per puzzle is not known yet.
    pub fn new(solver: &'static dyn Solver, options: Options, file: Arc<str>) -> Self {
        Self { solver, options, file, nanos_per_puzzle: AtomicU64::new(0) }
    }

    /// Returns the average time that a puzzle of the file took so far; `None` while it is unknown.
    pub fn time_per_puzzle(&self) -> Option<Duration> {
        Some(self.nanos_per_puzzle.load(Ordering::Relaxed))
            .filter(|&nanos| nanos > 0)
            .map(Duration::from_nanos)
    }

    /// Updates the average time per puzzle: `puzzles` puzzles took `time` together. The latest measurement counts for a
    /// quarter.
    pub fn learn(&self, puzzles: usize, time: Duration) {
        let Some(mean) = time.as_nanos().checked_div(puzzles as u128) else { return };
        let mean = u64::try_from(mean).unwrap_or(u64::MAX);
        let before = self.nanos_per_puzzle.load(Ordering::Relaxed);
        let now = if before == 0 { mean } else { before - before / 4 + mean / 4 };
        self.nanos_per_puzzle.store(now.max(1), Ordering::Relaxed);
    }
}
