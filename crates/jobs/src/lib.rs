//! Answers one file of puzzles: reads them in batches, solves them in parallel, writes the answers in order.
//!
//! A [`Job`] says what solves a file and within which limits; [`answer`] runs it. The caller supplies the input and the
//! [`Sink`] for the outcomes, because a job knows nothing of folders, logs or the time of day. The other modules write
//! the formats of results ([`Sinks`], [`page`]), report files that cannot be answered ([`Rejection`]), read archives
//! ([`archive`]), name outputs ([`naming`]) and grade submissions ([`grading`]).
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
//! The memory depends on the largest puzzle and the number of threads, but not on the size of the file. A batch ends
//! after 64 KiB of input or 512 puzzles. At most [`Pool::threads`] + 2 batches exist at once, plus one for each puzzle
//! that other machines can solve at once ([`Guests`]), and at most 64 of these.

mod answering;
pub mod archive;
mod diagnosis;
mod digest;
mod file_kind;
mod file_messages;
pub mod grading;
mod json_object;
pub mod naming;
pub mod page;
mod pool;
mod progress;
mod recognise;
mod rejection;
mod result_json;
mod rule_examples;
mod sinks;
mod summary;

pub use answering::{Job, JobError, answer, answer_all};
pub use diagnosis::{Reading, with_excerpt};
pub use digest::{Digesting, hex, sha256_of};
pub use file_kind::refuse_by_head;
pub use file_messages::{FileMessage, FileMessages, MessageStyle, puzzle_count, wrapped};
pub use pool::{
    DrawnBy, Failure, Guests, Limits, List, Memory, Origin, Pool, RemoteCounts, RemoteFacts, Solved,
    WorkerFact, guarded, panic_text, thread_cpu_time,
};
pub use progress::{Progress, Solving};
pub use recognise::{BYTES_MAX as RECOGNISED_BYTES_MAX, Recognised, puzzles_in_lines, recognise};
pub use rejection::{NotText, Reason, Rejection};
pub use result_json::{JsonOrigin, JsonSink};
pub use rule_examples::RuleExample;
pub use sinks::{Answered, JobInfo, Sink, Sinks, TextSink};
pub use summary::{Mistakes, Summary};

#[cfg(test)]
mod tests;
