//! Reading input files: tokens with their places, the directives before them, and what is no text at all.

mod directives;
mod place;
mod rows;
mod scanner;
mod token;

pub use directives::{
    DIRECTIVE_BYTES_MAX, DIRECTIVES_MAX, Directive, DirectiveError, DirectiveFault, ReadDirectivesError,
    read_directives,
};
pub use place::{Place, Warning, printable};
pub use scanner::Scanner;
pub use token::{Lexeme, LineShape, Next, RawLine, Token};
