//! Batches of puzzles, and the reports on them.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Batches that one [`AtWork`] may name.
pub const AT_WORK_BATCHES_MAX: usize = 1_000;

/// Consecutive puzzles of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// The number of the dispatcher that sent it.
    pub dispatcher: u64,
    /// The number of this dispatch; a puzzle that is sent again has another one.
    pub number: u64,
    pub solver: String,
    /// The file's name in messages.
    pub file: String,
    /// The options that differ from their defaults.
    pub options: Vec<(String, String)>,
    /// The time limit of a puzzle.
    pub time: Option<Duration>,
    /// What is left of the job's time.
    pub job_left: Option<Duration>,
    pub memory_bytes: u64,
    /// A worker died with its puzzle before: the next one solves nothing else at the same time.
    pub alone: bool,
    pub puzzles: Vec<PuzzleText>,
}

/// A puzzle as it displays itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleText {
    /// The line of the file on which the text would begin.
    pub first_line: u64,
    pub text: String,
}

/// What a worker tells a dispatcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// Answers to a part of a batch. Without any it asks whether to begin the batch.
    Part(Part),
    /// The batches that the worker is solving, every second.
    AtWork(AtWork),
    /// The batches that a process had when it died.
    Died(Died),
}

/// Answers to some puzzles of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub number: u64,
    pub worker: u64,
    /// Tells this delivery of the batch from others.
    pub token: u64,
    /// The index in the batch of the first puzzle answered here.
    pub first: u32,
    pub answers: Vec<Answer>,
    /// CPU time of the answers.
    pub cpu: Duration,
    /// The puzzles from this one on are given back.
    pub given_back_from: Option<u32>,
}

/// What a worker is solving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtWork {
    pub worker: u64,
    /// Its batches of this dispatcher with the tokens of their deliveries; at most [`AT_WORK_BATCHES_MAX`].
    pub batches: Vec<(u64, u64)>,
}

/// What became of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    Solved {
        /// The outcome as JSON.
        outcome: String,
        wall: Duration,
    },
    /// The solver panicked.
    Panicked { message: String },
    /// The answer is too large for a message.
    TooLarge,
    /// It cannot be read.
    Unreadable,
}

/// A worker's process is known to have died with these batches of the dispatcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Died {
    pub worker: u64,
    pub batches: Vec<u64>,
}

/// The dispatcher's reply to [`Part`] and [`Died`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Stored; go on.
    Stored,
    /// Nobody wants the rest of the batch.
    Stale,
    /// It cannot be read.
    Refused,
}

/// The dispatcher's reply to [`AtWork`]: the batches that nobody wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwanted(pub Vec<u64>);

/// Writes a message as bytes.
#[must_use]
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Only types without a form of their own, such as lists of unknown length, cannot be written.
    postcard::to_stdvec(message).unwrap_or_default()
}

/// Reads a whole message; `None` if it is malformed.
#[must_use]
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (message, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_wholly_or_not_at_all() {
        let part = Part {
            number: 7,
            worker: u64::MAX,
            token: 3,
            first: 1,
            answers: vec![
                Answer::Solved { outcome: "7".to_owned(), wall: Duration::from_millis(5) },
                Answer::Panicked { message: "unlucky".to_owned() },
                Answer::TooLarge,
                Answer::Unreadable,
            ],
            cpu: Duration::from_nanos(1),
            given_back_from: Some(9),
        };
        let report = Report::Part(part);
        let wire = encode(&report);
        assert_eq!(decode(&wire), Some(report));
        for length in 0..wire.len() {
            assert_eq!(decode::<Report>(&wire[..length]), None);
        }
        assert_eq!(decode::<Report>(&[wire, vec![0]].concat()), None);
        assert_eq!(decode::<Batch>(&[0xff; 64]), None);
    }
}
