//! The page beside a result: what the puzzles and their answers look like. The pictures are drawn by the solvers; here they are
//! chosen, and written one by one with the words around them.

// Which puzzles are drawn.
mod gallery;
// The page of a grade.
mod grade_page;
// A page from its first word to its last.
mod page_writer;
// The page of a rejected file.
mod report_page;
// The pages of the outcomes of a job, and of a JSON result.
mod result_page;

pub use gallery::{Attempt, Content, Exhibit, Gallery, HELD_BYTES_MAX, Solved, bytes_of};
pub use grade_page::GradePage;
pub use page_writer::{Heading, PAGE_BYTES_MAX, write_page};
pub use report_page::write_report;
pub use result_page::{PageSink, ResultFile, ResultFileError};
