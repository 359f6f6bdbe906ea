//! From text to boards: carefully, or quickly where a board is written as most are.

mod fault;
mod header;
mod plain;
mod reader;
mod squares;

pub use reader::Reader;
