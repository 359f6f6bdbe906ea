//! The page beside a result shows the puzzles and their answers. The solvers draw the pictures; this module chooses the
//! puzzles and writes the pictures one by one, with the words around them.

mod gallery;
mod grade_page;
mod page_writer;
mod report_page;
mod result_page;

pub use gallery::{Attempt, Content, Exhibit, Gallery, HELD_BYTES_MAX, Rank, Solved, bytes_of, held_bytes};
pub use grade_page::{GradePage, picture_of};
pub use page_writer::{Heading, PAGE_BYTES_MAX, PageLinks, address, write_page};
pub use report_page::write_report;
pub use result_page::{PageSink, ResultFile, ResultFileError};
