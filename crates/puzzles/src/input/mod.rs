//! Reading input files: tokens with their places, the directives before them, and what is no text at all.

// Directives.
mod directives;
// Names compared as people and file systems do.
mod folding;
// Lines of a text that was read already.
mod marked;
// Places in an input file.
mod place;
// Plain numbers in bulk.
mod rows;
// A scanner for text made of unsigned numbers.
mod scanner;
// Tokens and lines of an input, and how bytes become them.
mod token;

pub use directives::{
    DIRECTIVE_BYTES_MAX, DIRECTIVES_MAX, Directive, DirectiveError, NearMiss, ReadDirectivesError,
    read_directives, read_directives_and_near_misses,
};
pub use folding::{folded, unaccented};
pub use marked::{Line, Marked};
pub use place::{Ignored, LINE_MAX, Place, Spot, Warning, printable};
pub use scanner::Scanner;
pub use token::{
    Found, Lexeme, LineShape, Next, QUOTE_BYTES_MAX, RawLine, Token, digits_value, is_blank, is_comment,
};
