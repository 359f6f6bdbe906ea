//! A run of puzzles of one batch, and what became of them.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Parcels of which one word says that they are being solved.
pub const AT_WORK_PARCELS_MAX: usize = 1_000;

/// A run of puzzles of one batch, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parcel {
    /// The intake that sent it, and its number there. Every dispatch has one of its own.
    pub intake: u64,
    /// Its number.
    pub number: u64,
    /// The solver's ID.
    pub solver: String,
    /// What the file is called.
    pub file: String,
    /// The options that differ from their defaults.
    pub options: Vec<(String, String)>,
    /// What a puzzle may take.
    pub time: Option<Duration>,
    /// What is left of the job's time.
    pub job_left: Option<Duration>,
    /// Bytes that a puzzle may use.
    pub memory_bytes: u64,
    /// A worker died with it before: whoever takes it solves nothing else meanwhile.
    pub alone: bool,
    /// The puzzles.
    pub puzzles: Vec<PuzzleText>,
}

/// A puzzle as it displays itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleText {
    /// The line of the file on which the text would begin.
    pub first_line: u64,
    /// A file of its own.
    pub text: String,
}

/// What a worker tells the intake of a parcel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// Answers to a part of a parcel. Without any it asks whether the parcel is to be begun.
    Part(Part),
    /// What is being solved; said every second.
    AtWork(AtWork),
    /// What a process had in hand that died.
    Died(Died),
}

/// Answers to some puzzles of a parcel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The parcel.
    pub number: u64,
    /// The worker.
    pub worker: u64,
    /// Which delivery of the parcel this is: another one has another token.
    pub token: u64,
    /// The first puzzle that is answered here, in the parcel.
    pub first: u32,
    /// The answers, in order.
    pub answers: Vec<Answer>,
    /// The processor's time that they took.
    pub cpu: Duration,
    /// The puzzles from this one on are given back.
    pub given_back_from: Option<u32>,
}

/// What a worker is solving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtWork {
    /// The worker.
    pub worker: u64,
    /// Its parcels of this intake, each with the token of its delivery; at most [`AT_WORK_PARCELS_MAX`].
    pub parcels: Vec<(u64, u64)>,
}

/// What became of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It was solved.
    Solved {
        /// The outcome as JSON.
        outcome: String,
        /// How long that took.
        wall: Duration,
    },
    /// The solver panicked.
    Panicked {
        /// What it said.
        message: String,
    },
    /// Its answer is too large for a message.
    TooLarge,
    /// It cannot be read.
    Unreadable,
}

/// A process died with parcels in hand, as is known for sure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Died {
    /// The worker.
    pub worker: u64,
    /// Its parcels of this intake.
    pub parcels: Vec<u64>,
}

/// What the intake says to answers, and to a death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// It is kept; go on.
    Stored,
    /// Nobody wants the rest of it.
    Stale,
    /// It cannot be read.
    Refused,
}

/// What the intake says to [`AtWork`]: the parcels of which nobody wants the rest.
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
        assert_eq!(decode::<Parcel>(&[0xff; 64]), None);
    }
}
