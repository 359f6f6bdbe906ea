//! Tests of the queues: turns, spare takers and lengths, and every rule on random sequences.

use proptest::prelude::*;

use super::*;

fn short(route: &str) -> RouteQueue {
    RouteQueue::new(route, Length::Short)
}

fn long(route: &str) -> RouteQueue {
    RouteQueue::new(route, Length::Long)
}

fn queue(takers: usize, jobs: &[(&str, u32)]) -> FairQueue<u32> {
    let queue = FairQueue::new(move || takers);
    for (route, job) in jobs {
        queue.push(short(route), *job);
    }
    queue.close();
    queue
}

/// Runs the next job.
fn run<T>(queue: &FairQueue<T>) -> Option<T> {
    let (job, name) = queue.take()?;
    queue.end(&name);
    Some(job)
}

/// Returns whether a job would begin if a taker were free.
fn may_begin<T>(jobs: &FairQueue<T>) -> bool {
    let state = jobs.state.lock();
    let spare = state.running >= (jobs.takers)();
    state.queues.values().any(|queue| queue.may_begin(spare))
}

#[test]
fn a_route_with_many_jobs_leaves_every_other_its_turn() {
    let queue = queue(1, &[("a", 1), ("a", 2), ("a", 3), ("b", 10), ("b", 11), ("c", 20)]);
    let order: Vec<u32> = std::iter::from_fn(|| run(&queue)).collect();
    assert_eq!(order, [1, 10, 20, 2, 11, 3]);
}

#[test]
fn routes_share_the_takers() {
    let queue = queue(4, &[("a", 1), ("a", 2), ("a", 3), ("b", 10), ("b", 11)]);
    let order: Vec<u32> = (0..4).map(|_| queue.take().unwrap().0).collect();
    assert_eq!(order, [1, 10, 2, 11]);
}

#[test]
fn a_spare_taker_begins_only_for_an_idle_route() {
    let queue = queue(2, &[("a", 1), ("a", 2), ("a", 3), ("b", 10)]);
    queue.take().unwrap();
    let (job, second) = queue.take().unwrap();
    assert_eq!(job, 10);
    queue.end(&second);
    let (job, _) = queue.take().unwrap();
    assert_eq!(job, 2);
    assert!(!may_begin(&queue), "two run, and the third is of the same route");
    queue.push(short("b"), 11);
    let (job, _) = queue.take().unwrap();
    assert_eq!(job, 11);
}

#[test]
fn a_short_file_is_not_stuck_behind_long_ones_of_its_route() {
    let queue = FairQueue::new(move || 2);
    for job in 0..4 {
        queue.push(long("a"), job);
    }
    queue.take().unwrap();
    let (job, _) = queue.take().unwrap();
    assert_eq!(job, 1);
    assert!(!may_begin(&queue), "both are busy with long files, and more of them wait");
    for job in [10, 11] {
        queue.push(short("a"), job);
    }
    let (job, spare) = queue.take().unwrap();
    assert_eq!(job, 10, "a spare taker begins the short one");
    assert!(!may_begin(&queue), "one at a time");
    queue.end(&spare);
    assert_eq!(queue.take().unwrap().0, 11);
}

#[test]
fn a_long_file_is_not_stuck_behind_short_ones_of_its_route() {
    let queue = FairQueue::new(move || 1);
    for job in 0..4 {
        queue.push(short("a"), job);
    }
    queue.push(long("a"), 10);
    let order: Vec<u32> = (0..5).filter_map(|_| run(&queue)).collect();
    assert_eq!(order, [0, 10, 1, 2, 3]);
    assert_eq!((Length::of(LONG_BYTES - 1), Length::of(LONG_BYTES)), (Length::Short, Length::Long));
}

#[test]
fn what_has_not_begun_can_be_withdrawn() {
    let queue = queue(1, &[("a", 1), ("a", 2), ("b", 10)]);
    let (job, running) = queue.take().unwrap();
    assert_eq!((job, queue.withdraw()), (1, vec![2, 10]));
    assert!(!queue.is_waiting(|_| true));
    queue.end(&running);
    assert!(queue.take().is_none() && queue.state.lock().queues.is_empty());
}

#[test]
fn takers_in_threads_get_every_job_once() {
    let queue = FairQueue::new(move || 2);
    let taken = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..5 {
            scope.spawn(|| {
                while let Some(job) = run(&queue) {
                    taken.lock().push(job);
                }
            });
        }
        for job in 0..1000_u32 {
            let length = if job % 7 == 0 { Length::Long } else { Length::Short };
            queue.push(RouteQueue::new(["a", "b", "c"][job as usize % 3], length), job);
        }
        queue.close();
    });
    let mut taken = taken.into_inner();
    taken.sort_unstable();
    assert_eq!(taken, (0..1000).collect::<Vec<_>>());
    assert!(queue.state.lock().queues.is_empty());
}

/// A job in the property test: its route, length and number.
type Job = (usize, Length, u32);

/// An event of the queues.
#[derive(Debug, Clone)]
enum Step {
    Push { route: usize, length: Length },
    Take,
    End { which: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let length = prop_oneof![Just(Length::Short), Just(Length::Long)];
    prop_oneof![
        (0..4_usize, length).prop_map(|(route, length)| Step::Push { route, length }),
        Just(Step::Take),
        (0..16_usize).prop_map(|which| Step::End { which }),
    ]
}

proptest! {
    /// In any order of events a job begins if and only if it may, each queue keeps its order, and no queue is served
    /// twice while another one waits that may begin.
    #[test]
    fn every_rule_holds_after_every_step(
        steps in prop::collection::vec(step(), 1..200),
        takers in 1..4_usize,
    ) {
        let queue: FairQueue<Job> = FairQueue::new(move || takers);
        let (mut waiting, mut running): (Vec<Job>, Vec<(Job, RouteQueue)>) = (Vec::new(), Vec::new());
        let mut passed_by: Vec<(usize, Length)> = Vec::new();
        let mut number = 0;
        for step in steps {
            match step {
                Step::Push { route, length } => {
                    number += 1;
                    queue.push(RouteQueue::new(&route.to_string(), length), (route, length, number));
                    waiting.push((route, length, number));
                }
                Step::End { which } if !running.is_empty() => {
                    let which = which % running.len();
                    queue.end(&running.swap_remove(which).1);
                    passed_by.clear();
                }
                Step::End { .. } => {}
                Step::Take => {
                    let runs = |job: &Job| running.iter().any(|(other, _)| (other.0, other.1) == (job.0, job.1));
                    let spare = running.len() >= takers;
                    let may = |job: &Job| !spare || !runs(job);
                    let picked = queue.state.lock().pick(takers);
                    prop_assert_eq!(picked.is_some(), waiting.iter().any(may));
                    let Some((job, name)) = picked else { continue };
                    prop_assert!(may(&job));
                    let first = waiting.iter().find(|other| (other.0, other.1) == (job.0, job.1));
                    prop_assert_eq!(first, Some(&job), "first in, first out");
                    let is_new = |other: &&Job| may(other) && !passed_by.contains(&(other.0, other.1));
                    prop_assert!(is_new(&&job) || !waiting.iter().any(|other| is_new(&other)), "in turn");
                    passed_by.push((job.0, job.1));
                    waiting.retain(|other| *other != job);
                    running.push((job, name));
                }
            }
        }
    }
}
