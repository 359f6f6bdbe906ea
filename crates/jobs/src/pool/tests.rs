//! Tests of guests that draw, answer, give back, and die.

use std::fmt;
use std::sync::atomic::AtomicU64;

use super::*;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tabuleiro_puzzles::solver::{
    Authority, Budget, Cancel, Drawable, Gradable, Options, Outcome, Puzzle, SOLVERS, default_options,
};

/// A puzzle whose answer is how often it was solved.
#[derive(Default)]
struct Counting(AtomicU64);

impl fmt::Display for Counting {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        unreachable!("nothing travels here")
    }
}

impl Drawable for Counting {}

impl Gradable for Counting {}

impl Puzzle for Counting {
    fn solve(&self, _: &Budget) -> Outcome {
        Outcome::number(self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

fn options() -> Options {
    default_options(SOLVERS[0])
}

/// Returns a list of `puzzles` puzzles from which no pool thread draws.
fn list(puzzles: usize, cancel: &Cancel) -> Arc<List> {
    let pool = Pool::new(1).unwrap();
    let limits = Limits::of(&options(), pool.memory(), cancel);
    let puzzles = (1..).zip((0..puzzles).map(|_| Box::new(Counting::default()) as Box<dyn Puzzle>));
    let origin = Arc::new(Origin::new(SOLVERS[0], options(), "t".into()));
    Arc::new(List::new(puzzles.collect(), &limits, &Arc::default(), origin, None))
}

fn number(value: u64) -> Solved {
    Solved { result: Ok(Outcome::number(value)), wall: Duration::ZERO }
}

fn headlines(list: &List) -> Vec<String> {
    list.answers()
        .map(|(_, solved)| match &solved.result {
            Ok(outcome) => outcome.headline.to_string(),
            Err(failure) => format!("{failure:?}"),
        })
        .collect()
}

#[test]
fn what_a_guest_draws_nobody_else_solves() {
    let list = list(4, &Cancel::default());
    assert_eq!([list.draw(), list.draw()], [Some(0), Some(1)]);
    list.work();
    assert!(!list.has_more());
    assert!(list.put(1, number(20), Duration::from_secs(2)));
    assert!(list.put(0, number(10), Duration::from_secs(1)));
    assert!(list.wait() >= Duration::from_secs(3));
    assert_eq!(headlines(&list), ["10", "20", "1", "1"]);
}

#[test]
fn what_a_guest_gives_back_is_solved_by_who_waits() {
    let list = list(3, &Cancel::default());
    while list.draw().is_some() {}
    assert!(!list.has_more());
    assert!(list.put(1, number(20), Duration::ZERO));
    // Puzzle 1 has an answer already.
    list.take_back(0..3, DrawnBy::Anybody);
    assert!(list.has_more());
    list.wait();
    assert_eq!(headlines(&list), ["1", "20", "1"]);
}

#[test]
fn who_waits_already_learns_that_something_came_back() {
    let list = list(2, &Cancel::default());
    while list.draw().is_some() {}
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| list.wait());
        assert!(list.put(0, number(10), Duration::ZERO));
        list.take_back([1], DrawnBy::Anybody);
        waits.join().unwrap();
    });
    assert_eq!(headlines(&list), ["10", "1"]);
}

#[test]
fn what_is_to_stay_here_no_guest_draws() {
    let list = list(2, &Cancel::default());
    while list.draw().is_some() {}
    list.take_back([0], DrawnBy::Threads);
    list.take_back([1], DrawnBy::Anybody);
    assert_eq!([list.draw(), list.draw()], [Some(1), None]);
    assert!(!list.has_more());
    assert!(list.put(1, number(20), Duration::ZERO));
    list.wait();
    assert_eq!(headlines(&list), ["1", "20"]);
}

#[test]
fn the_first_answer_is_kept() {
    let list = list(1, &Cancel::default());
    assert_eq!(list.draw(), Some(0));
    list.take_back([0], DrawnBy::Anybody);
    // The answer is late, and still the first.
    assert!(list.put(0, number(7), Duration::ZERO));
    assert!(!list.put(0, number(8), Duration::ZERO));
    assert!(!list.put(1, number(9), Duration::ZERO), "there is no such puzzle");
    list.work();
    list.wait();
    assert_eq!(headlines(&list), ["7"]);
}

#[test]
fn guests_learn_that_nobody_wants_the_answers() {
    let cancel = Cancel::default();
    let cancelled = list(2, &cancel);
    assert_eq!(cancelled.draw(), Some(0));
    cancel.cancel();
    assert!(cancelled.is_given_up() && !cancelled.has_more());
    cancelled.take_back([0], DrawnBy::Anybody);
    cancelled.wait();
    assert_eq!(headlines(&cancelled), ["Cancelled", "Cancelled"]);
    let given_up = list(2, &Cancel::default());
    given_up.give_up();
    assert!(given_up.is_given_up() && !given_up.has_more());
    assert_eq!(given_up.draw(), None);
}

#[test]
fn guests_find_the_oldest_list_and_what_came_back() {
    let mut pool = Pool::new(1).unwrap();
    let guests = pool.open(0);
    let lists = [list(1, &Cancel::default()), list(1, &Cancel::default())];
    let early = list(1, &Cancel::default());
    guests.add(&early);
    guests.set_seats(1);
    assert!(Arc::ptr_eq(&guests.lists()[0], &early), "it waits for who comes later");
    assert_eq!(early.draw(), Some(0));
    let (ring, rung) = std::sync::mpsc::channel();
    assert!(guests.call_on_next_list(move || ring.send(()).unwrap()));
    for list in &lists {
        guests.add(list);
    }
    rung.try_recv().unwrap();
    assert!(rung.try_recv().is_err(), "it rings once");
    let oldest = guests.lists().swap_remove(0);
    assert!(Arc::ptr_eq(&oldest, &lists[0]));
    assert_eq!(oldest.draw(), Some(0));
    assert!(Arc::ptr_eq(&guests.lists()[0], &lists[1]));
    // The pool's own thread answers the returned puzzle.
    guests.give_back(&oldest, [0], DrawnBy::Threads);
    oldest.wait();
    assert_eq!(headlines(&oldest), ["1"]);
}

#[test]
fn what_puzzles_take_is_learnt_from_guests() {
    let origin = Origin::new(SOLVERS[0], options(), "t".into());
    assert_eq!(origin.time_per_puzzle(), None);
    origin.learn(0, Duration::from_secs(1));
    assert_eq!(origin.time_per_puzzle(), None);
    origin.learn(10, Duration::from_millis(100));
    assert_eq!(origin.time_per_puzzle(), Some(Duration::from_millis(10)));
    origin.learn(1, Duration::from_millis(50));
    assert_eq!(origin.time_per_puzzle(), Some(Duration::from_millis(20)));
}

#[test]
fn granted_limits_are_those_of_the_job() {
    let mut options = options();
    options.set("time_limit", "5s", Authority::Owner).unwrap();
    let (memory, cancel) = (Memory::unlimited(), Cancel::default());
    let own = Limits::of(&options, &memory, &cancel);
    let granted = Limits::granted(own.times().0, None, own.memory_bytes, &memory, &cancel);
    assert_eq!(granted.times().0, Some(Duration::from_secs(5)));
    assert_eq!(granted.memory_bytes, own.memory_bytes);
}

#[test]
fn a_panic_beside_the_solvers_is_told() {
    let (tell, told) = crossbeam_channel::bounded(1);
    let pool = Pool::watched(1, move || tell.send(()).unwrap()).unwrap();
    pool.threads.spawn_fifo(|| panic!("a test's own panic"));
    told.recv().unwrap();
}
