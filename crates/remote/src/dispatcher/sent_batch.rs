//! A batch that is under way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::protocol::{Answer, Part};
use tabuleiro_jobs::{Failure, List, Solved};
use tabuleiro_puzzles::solver::{Outcome, find};

/// Time that a batch may take beyond that of its puzzles.
const MARGIN: Duration = Duration::from_secs(30);
/// Time that a batch may take if its puzzles have no limit.
const WITHOUT_LIMIT: Duration = Duration::from_secs(3600);

pub struct SentBatch {
    pub list: Arc<List>,
    /// The puzzles' indexes in the list, in the order in which they travel.
    pub indexes: Vec<usize>,
    /// Those that went back because no worker can answer them.
    pub kept: Vec<usize>,
    /// Its worker solves nothing else at the same time.
    pub alone: bool,
    /// When it was sent, or its worker reported last.
    pub heard: Instant,
    /// When its worker began its present puzzle.
    pub since: Instant,
    /// The worker that has begun it, and the token of that delivery.
    pub holder: Option<(u64, u64)>,
    /// When it is taken back even if its worker reports.
    pub deadline: Instant,
    pub sequence: Option<u64>,
}

impl SentBatch {
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

    /// Returns whether the reporting worker has the batch. The first worker that reports gets it.
    pub fn is_held_by(&mut self, part: &Part, now: Instant) -> bool {
        let reporter = (part.worker, part.token);
        if self.holder.is_none() || !part.answers.is_empty() {
            self.since = now;
        }
        *self.holder.get_or_insert(reporter) == reporter
    }

    /// Returns the puzzles without an answer.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        let is_open = |index: &usize| !self.list.is_solved(*index) && !self.kept.contains(index);
        self.indexes.iter().copied().filter(is_open)
    }

    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.open().next().is_none()
    }

    /// Puts the answers of a report into the list.
    pub fn take(&self, part: &Part) -> Received {
        let mut taken = Received::default();
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

/// What a report on a batch came to.
#[derive(Default)]
pub struct Received {
    /// How many puzzles it answered.
    pub solved: u64,
    pub keep_here: Vec<usize>,
    /// It is malformed, or about puzzles that were not sent.
    pub is_wrong: bool,
}
