//! From text to boards: carefully, or quickly where a board is written as most are.

// What a line that is not read yet is.
mod ahead;
// Why a board is not read.
mod fault;
// The header of a board, `N M`.
mod header;
// What is wrong with a board.
mod mistake;
// The quick way from text to bits.
mod plain;
// Reads the boards of a file.
mod reader;
// The squares of a board as they arrive, and what ends a board before or behind its last one.
mod squares;
// The numbers behind a header.
mod tally;

pub use reader::Reader;
