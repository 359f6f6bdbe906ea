//! A parcel that is under way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::protocol::{Answer, Part};
use tabuleiro_jobs::{Failure, List, Solved};
use tabuleiro_puzzles::solver::{Outcome, find};

/// What a parcel may take beyond the time of its puzzles.
const MARGIN: Duration = Duration::from_secs(30);
/// The same where its puzzles have no limit.
const WITHOUT_LIMIT: Duration = Duration::from_secs(3600);

/// A parcel that is under way.
pub struct Sent {
    /// Where its puzzles were drawn from.
    pub list: Arc<List>,
    /// Their indexes there, in the order in which they travel.
    pub indexes: Vec<usize>,
    /// Those of them that went back, because no worker can answer them.
    pub kept: Vec<usize>,
    /// Its worker solves nothing else meanwhile.
    pub alone: bool,
    /// When it was sent, or its worker was heard last.
    pub heard: Instant,
    /// When its worker began it, or got on to its next puzzle.
    pub since: Instant,
    /// The worker that has begun it, and the token of its delivery.
    pub holder: Option<(u64, u64)>,
    /// When it is taken back in any case.
    pub deadline: Instant,
    /// Its number in the stream.
    pub sequence: Option<u64>,
}

impl Sent {
    /// A parcel of the puzzles at these indexes, which is sent now.
    #[must_use]
    pub fn new(list: &Arc<List>, indexes: Vec<usize>, alone: bool, now: Instant) -> Self {
        let (time, job_end) = list.limits().times();
        let puzzles = u32::try_from(indexes.len()).unwrap_or(u32::MAX);
        let own = time.map_or(WITHOUT_LIMIT, |time| time.saturating_mul(puzzles).saturating_add(MARGIN));
        let end = now + own.min(WITHOUT_LIMIT);
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

    /// Whether the worker of that report has it, or takes it now.
    pub fn is_held_by(&mut self, part: &Part, now: Instant) -> bool {
        let reporter = (part.worker, part.token);
        if self.holder.is_none() || !part.answers.is_empty() {
            self.since = now;
        }
        *self.holder.get_or_insert(reporter) == reporter
    }

    /// The puzzles that are to be answered by it, and were not yet.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        let is_open = |index: &usize| !self.list.is_solved(*index) && !self.kept.contains(index);
        self.indexes.iter().copied().filter(is_open)
    }

    /// Whether all its puzzles have answers.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.open().next().is_none()
    }

    /// Puts answers into their places.
    pub fn take(&self, part: &Part) -> Taken {
        let mut taken = Taken::default();
        let Some((solver, origin)) =
            self.list.origin().and_then(|origin| Some((find(origin.solver)?, origin)))
        else {
            return taken;
        };
        let (mut time, mut cpu) = (Duration::ZERO, part.cpu);
        for (answer, at) in part.answers.iter().zip(part.first as usize..) {
            let Some(&index) = self.indexes.get(at) else {
                taken.is_wrong = true;
                break;
            };
            let solved = match answer {
                Answer::Solved { outcome, wall } => {
                    let Ok(outcome) = Outcome::from_json(outcome, solver) else {
                        taken.is_wrong = true;
                        break;
                    };
                    time = time.saturating_add(*wall);
                    Solved { result: Ok(self.list.limits().named(outcome)), wall: *wall }
                }
                Answer::Panicked { message } => {
                    Solved { result: Err(Failure::Panicked(message.clone())), wall: Duration::ZERO }
                }
                Answer::TooLarge | Answer::Unreadable => {
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

/// What a part of a parcel came to.
#[derive(Default)]
pub struct Taken {
    /// Puzzles that have their answer by it.
    pub solved: u64,
    /// Puzzles that no worker can answer.
    pub keep_here: Vec<usize>,
    /// It names what was not sent, or cannot be read.
    pub is_wrong: bool,
}
