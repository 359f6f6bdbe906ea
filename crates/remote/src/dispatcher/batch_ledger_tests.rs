//! Tests of what can happen to a batch, singly and in random order: every puzzle ends with one answer.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::batch_ledger::BatchLedger;
use crate::protocol::{AT_WORK_BATCHES_MAX, AtWork, Died, Part, Reply, Unwanted, WorkerAnswer};
use tabuleiro_jobs::{DrawnBy, Guests, Limits, List, Origin, Pool, Solved};
use tabuleiro_puzzles::solver::{Budget, Cancel, Drawable, Gradable, Outcome, Puzzle, default_options, find};

/// The solver that reads outcomes.
const SOLVER: &str = "2048-merge";
/// A puzzle solved by the pool answers this number plus its index.
const HERE: u64 = 1_000;
/// Longer than any wait.
const LONG: Duration = Duration::from_secs(2 * 3600);

/// A puzzle that answers its number, and counts how often it was asked.
struct Numbered(u64, Arc<AtomicU64>);

impl fmt::Display for Numbered {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        unreachable!("nothing travels here")
    }
}

impl Drawable for Numbered {}

impl Gradable for Numbered {}

impl Puzzle for Numbered {
    fn solve(&self, _: &Budget) -> Outcome {
        self.1.fetch_add(1, Ordering::Relaxed);
        Outcome::number(self.0)
    }
}

/// A puzzle that is solved when the test lets it end.
struct Blocked(Mutex<(Sender<()>, Receiver<()>)>);

impl fmt::Display for Blocked {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        unreachable!("nothing travels here")
    }
}

impl Drawable for Blocked {}

impl Gradable for Blocked {}

impl Puzzle for Blocked {
    fn solve(&self, _: &Budget) -> Outcome {
        let held = self.0.lock().unwrap();
        held.0.send(()).unwrap();
        // The test ends the puzzle by dropping the sender.
        let _ = held.1.recv();
        Outcome::number(0)
    }
}

/// A ledger with one list. The pool has one thread, which solves puzzles that come back.
struct Field {
    ledger: BatchLedger,
    list: Arc<List>,
    guests: Arc<Guests>,
    cancel: Cancel,
    solved_here: Arc<AtomicU64>,
    now: Instant,
    pool: Pool,
}

impl Field {
    fn new(puzzles: usize) -> Self {
        let mut pool = Pool::new(1).unwrap();
        let guests = pool.open(0);
        guests.set_seats(1);
        let options = default_options(find(SOLVER).unwrap());
        let (cancel, solved_here) = (Cancel::default(), Arc::default());
        let limits = Limits::of(&options, pool.memory(), &cancel);
        let puzzle = |number| Box::new(Numbered(HERE + number, Arc::clone(&solved_here))) as Box<dyn Puzzle>;
        let puzzles = (0..puzzles as u64).map(|number| (number + 1, puzzle(number))).collect();
        let origin = Arc::new(Origin::new(find(SOLVER).unwrap(), options, "t".into()));
        let list = Arc::new(List::new(puzzles, &limits, &Arc::default(), origin, None));
        let ledger = BatchLedger::new(Arc::clone(&guests));
        Self { ledger, list, guests, cancel, solved_here, now: Instant::now(), pool }
    }

    /// Keeps the pool's thread busy until `held` closes, so that puzzles that come back wait. The returned function
    /// waits until the thread is free.
    fn keep(pool: &Pool, held: Receiver<()>) -> impl FnOnce() + use<> {
        let (begin, begun) = channel();
        let options = default_options(find(SOLVER).unwrap());
        let limits = Limits::of(&options, pool.memory(), &Cancel::default());
        let puzzle: Box<dyn Puzzle> = Box::new(Blocked(Mutex::new((begin, held))));
        let puzzles = vec![(1, puzzle)];
        let origin = Arc::new(Origin::new(find(SOLVER).unwrap(), options, "t".into()));
        let pending = pool.solve(List::new(puzzles, &limits, &Arc::default(), origin, pool.guests()), false);
        begun.recv().unwrap();
        move || assert!(pending.0.wait() < LONG)
    }

    /// Draws `puzzles` puzzles and sends them in a batch. Returns its number and their indexes.
    fn send(&mut self, puzzles: usize, alone: bool) -> (u64, Vec<usize>) {
        let drawn: Vec<_> = std::iter::from_fn(|| self.list.draw()).take(puzzles).collect();
        (self.ledger.send(&self.list, drawn.clone(), alone, self.now), drawn)
    }

    fn report(&mut self, part: &Part) -> Reply {
        self.ledger.report(part, self.now)
    }

    fn pass(&mut self, time: Duration) -> Vec<u64> {
        self.now += time;
        self.ledger.overdue(self.now)
    }

    /// Takes all batches back as after a lost connection, and solves the rest here. Returns all answers in order.
    fn end(&mut self) -> Vec<String> {
        self.ledger.take_all_back(self.now);
        assert_eq!(self.ledger.under_way(), (0, 0));
        self.guests.set_seats(0);
        // The list was announced to no thread of the pool.
        while let Some(index) = self.list.draw() {
            self.guests.give_back(&self.list, [index], DrawnBy::Threads);
        }
        self.list.wait();
        let told = |solved: &Solved| match &solved.result {
            Ok(outcome) => outcome.headline.to_string(),
            Err(failure) => format!("{failure:?}"),
        };
        self.list.answers().map(|(_, solved)| told(solved)).collect()
    }
}

/// Returns a report of worker 1, in its first delivery, with these answers from the first puzzle on.
fn part(number: u64, answers: Vec<WorkerAnswer>) -> Part {
    Part { number, worker: 1, token: 1, first: 0, answers, cpu: Duration::ZERO, given_back_from: None }
}

fn solved(value: u64) -> WorkerAnswer {
    WorkerAnswer::Solved { outcome: Outcome::number(value).to_json(), wall: Duration::from_millis(1) }
}

fn died(worker: u64, batches: &[u64]) -> Died {
    Died { worker, batches: batches.to_vec() }
}

#[test]
fn answers_come_in_parts_and_each_counts_once() {
    let mut field = Field::new(3);
    let (number, _) = field.send(3, false);
    assert_eq!(field.ledger.under_way(), (1, 0));
    assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored, "begun");
    assert_eq!(field.ledger.under_way(), (0, 1));
    let first = part(number, vec![solved(7), solved(8)]);
    assert_eq!(field.report(&first), Reply::Stored);
    // The reply was lost, so the report comes once more.
    assert_eq!(field.report(&first), Reply::Stored);
    assert_eq!(field.report(&Part { first: 2, ..part(number, vec![solved(9)]) }), Reply::Stored);
    assert_eq!(field.ledger.under_way(), (0, 0));
    assert_eq!(field.report(&first), Reply::Stale, "nobody waits for it");
    assert_eq!((field.ledger.counts.solved, field.ledger.counts.refused), (3, 0));
    assert_eq!(field.end(), ["7", "8", "9"]);
}

#[test]
fn a_second_delivery_is_stale_while_the_first_is_at_work() {
    let mut field = Field::new(1);
    let (number, _) = field.send(1, false);
    assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored);
    let second = Part { token: 2, ..part(number, vec![solved(6)]) };
    assert_eq!(field.report(&second), Reply::Stale);
    assert_eq!(field.report(&Part { worker: 2, ..second }), Reply::Stale);
    assert_eq!(field.report(&part(number, vec![solved(5)])), Reply::Stored);
    assert_eq!(field.end(), ["5"]);
}

#[test]
fn what_nobody_begins_in_time_comes_back_and_less_is_sent() {
    let mut field = Field::new(4);
    let (number, _) = field.send(2, false);
    field.ledger.stored(number, 77);
    let (other, _) = field.send(2, false);
    assert!(field.ledger.may_wait());
    assert_eq!(field.pass(Duration::from_millis(999)), [0; 0]);
    assert_eq!(field.pass(Duration::from_millis(1)), [77], "what is to be deleted");
    assert_eq!(field.ledger.counts.returned, 2);
    // Once a worker begins a batch, more batches may wait again.
    let (third, _) = field.send(0, false);
    assert!(!field.ledger.may_wait(), "one at a time");
    assert_eq!(field.report(&part(third, Vec::new())), Reply::Stored);
    assert!(field.ledger.may_wait());
    assert_eq!(field.report(&part(other, vec![solved(1), solved(2)])), Reply::Stale, "it had no holder");
    field.end();
}

#[test]
fn a_silent_worker_loses_its_batch_and_its_late_answers_still_count() {
    let mut field = Field::new(2);
    // Keep the pool's thread busy, so that puzzles that come back wait.
    let (hold, held) = channel();
    let keeper = Field::keep(&field.pool, held);
    let (number, _) = field.send(2, false);
    assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored);
    field.pass(Duration::from_millis(4_900));
    assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored, "heard");
    assert_eq!(field.ledger.under_way(), (0, 1));
    field.pass(Duration::from_secs(5));
    assert_eq!(field.ledger.under_way(), (0, 0));
    assert_eq!(field.report(&part(number, vec![solved(3)])), Reply::Stale);
    assert_eq!(field.report(&Part { worker: 9, ..part(number, vec![solved(4), solved(4)]) }), Reply::Stale);
    assert_eq!(field.ledger.counts.solved, 1);
    field.pass(Duration::from_secs(61));
    assert_eq!(field.report(&part(number, vec![solved(3), solved(4)])), Reply::Stale, "forgotten");
    drop(hold);
    keeper();
    assert_eq!(field.end(), ["3", "1001"]);
}

#[test]
fn one_word_a_worker_keeps_all_its_batches() {
    let mut field = Field::new(4);
    let [kept, lost, other] = [(); 3].map(|()| field.send(1, false).0);
    let (waiting, _) = field.send(1, false);
    for (number, worker) in [(kept, 1), (lost, 1), (other, 2)] {
        assert_eq!(field.report(&Part { worker, ..part(number, Vec::new()) }), Reply::Stored);
    }
    let word = |batches: &[(u64, u64)]| AtWork { worker: 1, batches: batches.to_vec() };
    field.pass(Duration::from_millis(4_900));
    let told = word(&[(kept, 1), (lost, 2), (other, 1), (waiting, 1), (99, 1)]);
    assert_eq!(
        field.ledger.at_work(&told, field.now),
        Unwanted(vec![lost, other, waiting, 99]),
        "another delivery, another worker's, one that nobody has begun, and none at all"
    );
    field.pass(Duration::from_millis(4_900));
    assert_eq!(field.ledger.under_way(), (0, 1), "the others were silent");
    assert_eq!(field.report(&part(kept, vec![solved(5)])), Reply::Stored);
    assert_eq!(field.ledger.at_work(&word(&[(kept, 1)]), field.now), Unwanted(vec![kept]), "answered");
    assert_eq!(field.ledger.counts.refused, 0);
    let flood = vec![(kept, 1); AT_WORK_BATCHES_MAX + 1];
    assert_eq!(field.ledger.at_work(&word(&flood), field.now), Unwanted(Vec::new()));
    assert_eq!(field.ledger.counts.refused, 1);
    assert_eq!(field.end(), ["5", "1001", "1002", "1003"]);
}

#[test]
fn a_worker_learns_that_a_job_was_given_up() {
    let mut field = Field::new(1);
    let (number, _) = field.send(1, false);
    assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored);
    let word = AtWork { worker: 1, batches: vec![(number, 1)] };
    assert_eq!(field.ledger.at_work(&word, field.now), Unwanted(Vec::new()));
    field.cancel.cancel();
    assert_eq!(field.ledger.at_work(&word, field.now), Unwanted(vec![number]));
    assert_eq!(field.ledger.under_way(), (0, 0));
}

#[test]
fn what_a_worker_gives_back_travels_again() {
    let mut field = Field::new(4);
    let (hold, held) = channel();
    let keeper = Field::keep(&field.pool, held);
    let (number, _) = field.send(4, false);
    let back = Part { given_back_from: Some(2), ..part(number, vec![solved(1)]) };
    assert_eq!(field.report(&back), Reply::Stored);
    assert_eq!(field.ledger.counts.returned, 1);
    let (again, indexes) = field.send(9, false);
    assert_eq!(indexes, [2, 3]);
    assert_eq!(field.report(&Part { worker: 2, ..part(again, vec![solved(3), solved(4)]) }), Reply::Stored);
    assert_eq!(field.report(&Part { first: 1, ..part(number, vec![solved(2)]) }), Reply::Stored);
    assert_eq!(field.ledger.under_way(), (0, 0));
    // Giving back more puzzles than there are changes nothing.
    assert_eq!(field.report(&Part { given_back_from: Some(u32::MAX), ..part(again, vec![]) }), Reply::Stale);
    drop(hold);
    keeper();
    assert_eq!(field.end(), ["1", "2", "3", "4"]);
    assert_eq!(field.solved_here.load(Ordering::Relaxed), 0);
}

#[test]
fn after_one_death_puzzles_travel_singly_and_the_second_one_ends_them() {
    let mut field = Field::new(3);
    let (number, _) = field.send(3, false);
    assert_eq!(field.report(&part(number, vec![solved(1)])), Reply::Stored);
    assert_eq!(field.ledger.died(&died(2, &[number]), field.now), 0, "it was not theirs");
    assert_eq!(field.ledger.died(&died(1, &[number, 99]), field.now), 2);
    assert_eq!(field.ledger.died(&died(1, &[number]), field.now), 0, "it is told twice");
    let mut alone = Vec::new();
    while let Some((list, index)) = field.ledger.next_suspect() {
        assert!(field.ledger.is_suspect(&list, index));
        alone.push((field.ledger.send(&list, vec![index], true, field.now), index));
    }
    assert_eq!(alone.iter().map(|(_, index)| *index).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(field.report(&Part { worker: 3, ..part(alone[0].0, Vec::new()) }), Reply::Stored);
    assert_eq!(field.report(&Part { worker: 4, ..part(alone[1].0, vec![solved(3)]) }), Reply::Stored);
    assert_eq!(field.ledger.died(&died(3, &[alone[0].0]), field.now), 1);
    assert_eq!(field.ledger.counts.poisoned, 1);
    assert_eq!(field.end(), ["1", "Deadly(2)", "3"]);
    assert_eq!(field.solved_here.load(Ordering::Relaxed), 0, "and not here either");
}

#[test]
fn a_death_that_is_told_late_counts_for_those_who_draw_the_puzzle_next() {
    let mut field = Field::new(1);
    let (hold, held) = channel();
    let keeper = Field::keep(&field.pool, held);
    let (number, _) = field.send(1, false);
    assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored);
    field.pass(Duration::from_secs(5));
    assert_eq!(field.ledger.died(&died(1, &[number]), field.now), 1);
    assert!(field.ledger.is_suspect(&field.list, 0) && field.ledger.next_suspect().is_none());
    assert_eq!(field.list.draw(), Some(0));
    field.ledger.isolate(&field.list, 0);
    // No worker is left for the puzzle.
    field.ledger.keep_suspects();
    drop(hold);
    keeper();
    assert_eq!(field.end(), ["1000"]);
}

#[test]
fn forged_reports_are_refused_and_harmless() {
    let mut field = Field::new(3);
    let never = part(u64::MAX, vec![solved(1)]);
    assert_eq!((field.report(&never), field.ledger.counts.refused), (Reply::Stale, 1));
    for wrong in [
        Part { first: 3, ..part(0, vec![solved(1)]) },
        Part { first: u32::MAX, ..part(0, vec![solved(1); 3]) },
        part(0, vec![solved(1); 4]),
        part(0, vec![WorkerAnswer::Solved { outcome: "[".to_owned(), wall: Duration::MAX }]),
        part(0, vec![WorkerAnswer::Solved { outcome: String::new(), wall: Duration::MAX }]),
    ] {
        let mut field = Field::new(3);
        let (number, _) = field.send(3, false);
        assert_eq!(field.report(&Part { number, ..wrong.clone() }), Reply::Refused, "{wrong:?}");
        assert_eq!((field.ledger.counts.refused, field.ledger.counts.returned), (1, 1));
        assert_eq!(field.ledger.under_way(), (0, 0));
        let answers = field.end();
        assert_eq!(answers.len(), 3);
        assert!(
            answers.iter().zip(0..).all(|(answer, at)| *answer == (HERE + at).to_string() || answer == "1")
        );
    }
    assert_eq!(field.end().len(), 3);
}

#[test]
fn what_no_worker_can_answer_is_solved_here_and_only_once() {
    let mut field = Field::new(3);
    let (number, _) = field.send(3, false);
    let panicked = WorkerAnswer::Panicked { message: "unlucky".to_owned() };
    assert_eq!(
        field.report(&part(number, vec![WorkerAnswer::TooLarge, panicked, WorkerAnswer::Unreadable])),
        Reply::Stored
    );
    assert_eq!(field.ledger.under_way(), (0, 0), "nobody waits for a worker");
    assert_eq!(field.pass(LONG), [0; 0]);
    assert_eq!(field.ledger.counts.returned, 0);
    assert_eq!(field.end(), ["1000", "Panicked(\"unlucky\")", "1002"]);
    assert_eq!(field.solved_here.load(Ordering::Relaxed), 2);
}

#[test]
fn nobody_waits_for_a_job_that_is_cancelled() {
    let mut field = Field::new(2);
    let (number, _) = field.send(1, false);
    let (other, _) = field.send(1, false);
    assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored);
    field.cancel.cancel();
    assert_eq!(field.report(&part(number, vec![solved(1)])), Reply::Stale);
    field.ledger.stored(other, 5);
    assert_eq!(field.pass(Duration::ZERO), [5]);
    assert_eq!(field.ledger.under_way(), (0, 0));
}

#[test]
fn a_batch_has_a_deadline_however_often_its_worker_is_heard() {
    let mut field = Field::new(1);
    let (number, _) = field.send(1, false);
    let mut heard = 0;
    while field.ledger.under_way() != (0, 0) {
        assert_eq!(field.report(&part(number, Vec::new())), Reply::Stored);
        field.pass(Duration::from_secs(1));
        heard += 1;
    }
    // The puzzle's limit of one minute and a margin of 30 s.
    assert_eq!(heard, 90);
    assert_eq!(field.end(), ["1000"]);
}

#[test]
fn a_batch_that_the_broker_does_not_take_comes_back() {
    let mut field = Field::new(2);
    let (number, _) = field.send(2, false);
    field.ledger.not_sent(number, field.now);
    field.ledger.not_sent(number, field.now);
    assert_eq!(field.ledger.counts.returned, 1);
    assert_eq!(field.report(&part(number, vec![solved(1)])), Reply::Stale);
    assert_eq!(field.end(), ["1000", "1001"]);
}

/// Knuth's MMIX generator; its high bits are good enough here.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Random events over small lists. A worker answers puzzle `i` with `i`; a forged report says something else.
#[test]
fn whatever_happens_every_puzzle_ends_with_one_answer() {
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let puzzles = 1 + random.below(6);
        let mut field = Field::new(puzzles);
        let mut sent: Vec<(u64, Vec<usize>)> = Vec::new();
        for _ in 0..random.below(40) {
            step(&mut field, &mut sent, &mut random);
        }
        let answers = field.end();
        assert_eq!(answers.len(), puzzles, "seed {seed}: {answers:?}");
        for (index, answer) in answers.iter().enumerate() {
            let is_right = *answer == index.to_string()
                || *answer == (HERE + index as u64).to_string()
                || (answer.starts_with("Deadly") && field.ledger.counts.poisoned > 0)
                || answer.starts_with("Panicked");
            assert!(is_right, "seed {seed}, puzzle {index}: {answers:?}");
        }
        assert!(field.ledger.counts.solved <= puzzles as u64, "seed {seed}");
    }
}

fn step(field: &mut Field, sent: &mut Vec<(u64, Vec<usize>)>, random: &mut Random) {
    match random.below(12) {
        0..=2 => {
            let batch = field.send(1 + random.below(4), false);
            sent.push(batch);
        }
        3 => {
            if let Some((list, index)) = field.ledger.next_suspect() {
                let number = field.ledger.send(&list, vec![index], true, field.now);
                sent.push((number, vec![index]));
            }
        }
        4 => drop(field.pass(Duration::from_millis(random.below(8_000) as u64))),
        5 => {
            let batches: Vec<_> = sent.iter().map(|(number, _)| *number).collect();
            field.ledger.died(&died(random.below(3) as u64, &batches), field.now);
        }
        6 => {
            if let Some((number, _)) = sent.get(random.below(sent.len())) {
                field.ledger.stored(*number, 1);
                if random.below(4) == 0 {
                    field.ledger.not_sent(*number, field.now);
                }
            }
        }
        7 if random.below(6) == 0 => field.ledger.take_all_back(field.now),
        _ => {
            let Some((number, indexes)) = sent.get(random.below(sent.len())) else { return };
            let part = any_part(*number, indexes, random);
            field.report(&part);
        }
    }
}

/// Returns a report of some worker on a batch, either true or malformed.
fn any_part(number: u64, indexes: &[usize], random: &mut Random) -> Part {
    let first = random.below(indexes.len() + 1);
    let count = random.below(indexes.len() - first + 1);
    let mut answer = |index: &usize| match random.below(12) {
        0 => WorkerAnswer::TooLarge,
        1 => WorkerAnswer::Unreadable,
        2 => WorkerAnswer::Panicked { message: "p".to_owned() },
        3 => WorkerAnswer::Solved { outcome: "{}".to_owned(), wall: Duration::MAX },
        _ => solved(*index as u64),
    };
    let mut answers: Vec<_> = indexes[first..first + count].iter().map(&mut answer).collect();
    if random.below(12) == 0 {
        // More answers than the batch has puzzles.
        answers.resize(indexes.len() + 3, WorkerAnswer::TooLarge);
    }
    Part {
        number: if random.below(12) == 0 { random.below(100) as u64 + 1_000 } else { number },
        worker: random.below(3) as u64,
        token: random.below(2) as u64,
        first: first as u32,
        answers,
        cpu: Duration::from_nanos(random.below(1_000) as u64),
        given_back_from: (random.below(4) == 0).then(|| random.below(6) as u32),
    }
}
