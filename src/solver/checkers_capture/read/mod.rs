//! From text to boards: carefully, or quickly where a board is written as most are.

// Why the rest of a board is not read.
mod fault;
// The header of a board, `N M`.
mod header;
// The quick way from text to bits.
mod plain;
// Reads the boards of a file.
mod reader;
// The squares of a board as they arrive, and what ends a board before all are there.
mod squares;

pub use reader::Reader;
