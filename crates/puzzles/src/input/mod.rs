//! Reads input files: tokens with their places, the directives before them, and a check for binary data.

mod directives;
mod folding;
mod marked;
mod place;
mod rows;
mod scanner;
mod token;

pub use directives::{
    DIRECTIVE_BYTES_MAX, DIRECTIVES_MAX, Directive, DirectiveError, NearMiss, ReadDirectivesError,
    read_directives, read_directives_and_near_misses,
};
pub use folding::{folded, unaccented};
pub use marked::{Line, Marked};
pub use place::{Ignored, LINE_MAX, Notes, Place, Spot, Warning, printable};
pub use rows::Glance;
pub use scanner::Scanner;
pub use token::{
    Lexeme, Next, NoToken, QUOTE_BYTES_MAX, RawLine, Token, digits_value, is_blank, is_comment, is_omission,
    is_page_or_time,
};
