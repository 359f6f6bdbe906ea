//! The page beside a result shows the puzzles and their answers. The solvers draw the pictures; this module chooses the
//! puzzles and writes the pictures one by one, with the words around them.

mod gallery;
mod grade_page;
mod page_writer;
mod report_page;
mod result_page;

pub use gallery::HELD_BYTES_MAX;
pub(crate) use gallery::bytes_of;
pub(crate) use grade_page::GradePage;
pub use grade_page::picture_of;
pub use page_writer::{PageLinks, address};
pub use result_page::{PageSink, ResultFile, ResultFileError};
