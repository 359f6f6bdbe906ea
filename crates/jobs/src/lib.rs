//! Answers one file of puzzles: reads them in batches, solves them in parallel, writes the answers in order.
//!
//! A [`Job`] says what solves a file and within which limits; [`answer`] runs it. The caller brings the input and the [`Sink`] for the
//! outcomes: a job knows nothing of folders, logs or the time of day. Around that are the formats of results ([`Sinks`], [`page`]), files
//! that cannot be answered ([`Rejection`]), archives ([`archive`]), names of outputs ([`naming`]) and the grading of submissions
//! ([`grading`]).
//!
//! ```
//! use tabuleiro_jobs::{Job, JobInfo, Pool, TextSink, answer};
//! use tabuleiro_puzzles::input::Scanner;
//! use tabuleiro_puzzles::solver::{Cancel, default_options, find};
//!
//! let solver = find("checkers-capture").expect("a solver");
//! let (options, example) = (default_options(solver), &solver.info().example);
//! let pool = Pool::new(2)?;
//! let job = Job { solver, options: &options, pool: &pool, cancel: &Cancel::default(), progress: &Default::default() };
//!
//! let mut input = Scanner::new(example.input.as_bytes(), "entrada.txt")?;
//! let mut sink = TextSink::new(Vec::new(), &JobInfo { file: "entrada.txt", solver, options: &options });
//! let summary = answer(&mut input, &job, &mut sink)?;
//! assert_eq!(sink.finish(&summary)?, example.output.as_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Memory is bounded by the largest puzzle and the number of threads, not by the file: a batch ends after 64 KiB of input or 512 puzzles,
//! and at most [`Pool::threads`] + 2 batches exist at a time, plus one for each guest ([`Guests`]), 64 at most.

mod answering;
pub mod archive;
mod diagnosis;
mod file_kind;
pub mod grading;
pub mod naming;
pub mod page;
mod pool;
mod progress;
mod recognise;
mod rejection;
mod result_json;
mod sinks;
mod summary;

pub use answering::{Job, JobError, answer, answer_all};
pub use diagnosis::{Reading, excerpt_lines};
pub use file_kind::refuse_by_head;
pub use pool::{
    Failure, Guests, Limits, List, Memory, Origin, Pool, RemoteFacts, Solved, WorkerFact, guarded,
};
pub use progress::{Progress, Solving};
pub use recognise::{BYTES_MAX as RECOGNISED_BYTES_MAX, Recognised, recognise};
pub use rejection::{NotText, Rejection};
pub use result_json::{JsonOrigin, JsonSink};
pub use sinks::{Answered, JobInfo, Sink, Sinks, TextSink};
pub use summary::Summary;

#[cfg(test)]
mod tests;
