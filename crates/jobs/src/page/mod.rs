//! The page beside a result: what the puzzles and their answers look like. The pictures are drawn by the solvers; here they are
//! chosen, and written one by one with the words around them.

// A puzzle on a page, with what became of it.
mod exhibit;
// Which puzzles are drawn.
mod gallery;
// The page of a grade.
mod grade;
// The lines of a wrong puzzle.
mod lines;
// The page of a rejected file.
mod report;
// The page of a JSON result.
mod result;
// What takes the outcomes of a job.
mod sink;
// What the pages say.
mod words;
// A page from its first word to its last.
mod writer;

pub use exhibit::{Attempt, Content, Exhibit, Solved, bytes_of};
pub use gallery::{Gallery, HELD_BYTES_MAX};
pub use grade::GradePage;
pub use report::write_report;
pub use result::{ResultFile, ResultFileError};
pub use sink::PageSink;
pub use writer::{Heading, PAGE_BYTES_MAX, write_page};
