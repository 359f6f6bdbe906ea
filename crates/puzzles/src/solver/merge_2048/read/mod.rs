//! The reading of a file: T and the number of cases ([`reader`]), a case by its tokens ([`case`]), and what its lines
//! tell about a wrong count of values ([`row_lines`]).

// A case by its tokens.
mod case;
// Where the next case begins.
mod headers;
// Reads a file of cases.
mod reader;
// What the lines of a case tell about its count of values.
mod row_lines;

pub(super) use reader::CaseReader;
