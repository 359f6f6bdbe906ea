//! Reading input files: tokens with their places, the directives before them, and what is no text at all.

mod place;
mod scanner;

pub use place::{Place, Warning, printable};
pub use scanner::{Lexeme, LineShape, Next, RawLine, Scanner, Token};
