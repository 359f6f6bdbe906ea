//! Tests of the queue: turns, shares, priorities, lengths; every rule on random sequences too.

use proptest::prelude::*;

use super::*;

const NORMAL: Standing = Standing { priority: Priority::Normal, share: 1 };

fn standing(priority: Priority, share: usize) -> Standing {
    Standing { priority, share }
}

fn queue(takers: usize, jobs: &[(&str, u32)]) -> FairQueue<u32> {
    let queue = FairQueue::new(takers);
    for (route, job) in jobs {
        queue.push(route, NORMAL, Length::Short, *job);
    }
    queue.close();
    queue
}

/// What would begin next, were there a taker.
fn next(queue: &FairQueue<u32>) -> Option<u32> {
    let state = queue.lock();
    let spare = state.running >= queue.takers;
    let may_begin = state.routes.values().filter(|route| route.next(spare).is_some());
    let route = may_begin.min_by_key(|route| route.turn(state.taken))?;
    let line = match route.next(spare)? {
        Length::Short => &route.short,
        Length::Long => &route.long,
    };
    line.waiting.front().copied()
}

#[test]
fn a_route_with_many_jobs_leaves_every_other_its_turn() {
    let queue = queue(1, &[("a", 1), ("a", 2), ("a", 3), ("b", 10), ("b", 11), ("c", 20)]);
    let order: Vec<u32> = std::iter::from_fn(|| queue.take().map(|(job, _running)| job)).collect();
    assert_eq!(order, [1, 10, 20, 2, 11, 3]);
}

#[test]
fn the_route_with_fewest_running_jobs_comes_first() {
    let queue = queue(4, &[("a", 1), ("a", 2), ("a", 3), ("b", 10), ("b", 11)]);
    let mut running = Vec::new();
    let mut order = Vec::new();
    for _ in 0..4 {
        let (job, guard) = queue.take().unwrap();
        order.push(job);
        running.push(guard);
    }
    assert_eq!(order, [1, 10, 2, 11]);
}

#[test]
fn a_spare_taker_begins_only_for_an_idle_route() {
    let queue = queue(2, &[("a", 1), ("a", 2), ("a", 3), ("b", 10)]);
    let (_, _first) = queue.take().unwrap();
    let (job, second) = queue.take().unwrap();
    assert_eq!(job, 10);
    drop(second);
    let (job, _second) = queue.take().unwrap();
    assert_eq!(job, 2);
    assert_eq!(next(&queue), None, "two run, and the third is of the same route");
    queue.push("b", NORMAL, Length::Short, 11);
    let (job, _spare) = queue.take().unwrap();
    assert_eq!(job, 11);
}

#[test]
fn a_short_file_is_not_stuck_behind_long_ones_of_its_route() {
    let queue = FairQueue::new(2);
    for job in 0..4 {
        queue.push("a", NORMAL, Length::Long, job);
    }
    let (_, _first) = queue.take().unwrap();
    let (job, _second) = queue.take().unwrap();
    assert_eq!(job, 1);
    assert_eq!(next(&queue), None, "both are busy with long files, and more of them wait");
    for job in [10, 11] {
        queue.push("a", NORMAL, Length::Short, job);
    }
    let (job, spare) = queue.take().unwrap();
    assert_eq!(job, 10, "a spare taker begins the short one");
    assert_eq!(next(&queue), None, "one at a time");
    drop(spare);
    assert_eq!(next(&queue), Some(11));
}

#[test]
fn a_long_file_is_not_stuck_behind_short_ones_of_its_route() {
    let queue = FairQueue::new(1);
    for job in 0..4 {
        queue.push("a", NORMAL, Length::Short, job);
    }
    queue.push("a", NORMAL, Length::Long, 10);
    let order: Vec<u32> = (0..5).map(|_| queue.take().unwrap().0).collect();
    assert_eq!(order, [0, 10, 1, 2, 3]);
    assert_eq!((Length::of(LONG_BYTES - 1), Length::of(LONG_BYTES)), (Length::Short, Length::Long));
}

#[test]
fn a_higher_priority_begins_first_and_a_lower_one_is_not_forgotten() {
    let queue = FairQueue::new(1);
    for job in 0..200 {
        queue.push("low", standing(Priority::Low, 1), Length::Short, job);
        queue.push("high", standing(Priority::High, 1), Length::Short, 1000 + job);
    }
    let order: Vec<u32> = (0..200).map(|_| queue.take().unwrap().0).collect();
    let low: Vec<_> = (0..).zip(&order).filter(|(_, job)| **job < 1000).map(|(place, _)| place).collect();
    assert_eq!(low, [32, 65, 98, 131, 164, 197]);
}

#[test]
fn routes_begin_files_in_proportion_to_their_shares() {
    for takers in 1..5 {
        let queue: FairQueue<u32> = FairQueue::new(takers);
        for job in 0..1000 {
            queue.push("a", standing(Priority::Normal, 3), Length::Short, job);
            queue.push("b", NORMAL, Length::Short, 1000 + job);
            queue.push("c", NORMAL, Length::Short, 2000 + job);
        }
        // Every job takes as long as any other.
        let mut running = VecDeque::new();
        let mut begun = [0_usize; 3];
        for _ in 0..500 {
            if running.len() == takers {
                running.pop_front();
            }
            let (job, guard) = queue.take().unwrap();
            running.push_back(guard);
            begun[job as usize / 1000] += 1;
        }
        let [a, b, c] = begun;
        assert!(a.abs_diff(300) <= 5 && b.abs_diff(100) <= 5 && c.abs_diff(100) <= 5, "{takers}: {begun:?}");
    }
}

#[test]
fn takers_in_threads_get_every_job_once() {
    let queue = FairQueue::new(2);
    let taken = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..5 {
            scope.spawn(|| {
                while let Some((job, _running)) = queue.take() {
                    taken.lock().unwrap().push(job);
                }
            });
        }
        for job in 0..1000_u32 {
            let length = if job % 7 == 0 { Length::Long } else { Length::Short };
            queue.push(["a", "b", "c"][job as usize % 3], NORMAL, length, job);
        }
        queue.close();
    });
    let mut taken = taken.into_inner().unwrap();
    taken.sort_unstable();
    assert_eq!(taken, (0..1000).collect::<Vec<_>>());
    assert!(queue.lock().routes.is_empty());
}

/// A job as the property knows it.
type Job = (usize, Length, u32);

/// What happens to the queue.
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
    /// Whatever happens in whatever order: who may begin does, nobody else, and each line in its order.
    #[test]
    fn every_rule_holds_after_every_step(
        steps in prop::collection::vec(step(), 1..200),
        takers in 1..4_usize,
        standings in prop::collection::vec((0..3_usize, 1..101_usize), 4),
    ) {
        let priorities = [Priority::Low, Priority::Normal, Priority::High];
        let queue: FairQueue<Job> = FairQueue::new(takers);
        let (mut waiting, mut running): (Vec<Job>, Vec<(Job, Running<'_, Job>)>) = (Vec::new(), Vec::new());
        let mut number = 0;
        for step in steps {
            match step {
                Step::Push { route, length } => {
                    number += 1;
                    let (priority, share) = standings[route];
                    let standing = standing(priorities[priority], share);
                    queue.push(&route.to_string(), standing, length, (route, length, number));
                    waiting.push((route, length, number));
                }
                Step::End { which } if !running.is_empty() => {
                    let which = which % running.len();
                    drop(running.swap_remove(which));
                }
                Step::End { .. } => {}
                Step::Take => {
                    let runs = |route: usize, short_only: bool| running.iter().any(|(job, _)| {
                        job.0 == route && (!short_only || job.1 == Length::Short)
                    });
                    let spare = running.len() >= takers;
                    let may = |job: &Job| !spare || !runs(job.0, job.1 == Length::Short);
                    let picked = queue.lock().pick(takers);
                    prop_assert_eq!(picked.is_some(), waiting.iter().any(may));
                    let Some((job, route, length)) = picked else { continue };
                    prop_assert!(may(&job));
                    let first = waiting.iter().find(|other| (other.0, other.1) == (job.0, job.1));
                    prop_assert_eq!(first, Some(&job), "first in, first out");
                    waiting.retain(|other| *other != job);
                    running.push((job, Running { queue: &queue, route, length }));
                }
            }
        }
    }
}
