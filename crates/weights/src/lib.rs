//! The weights of `tabuleiro-puzzles`' player of 2048. The crate is named by their digest: a release that keeps them
//! depends on the same crate, and nobody uploads or downloads them again. New weights make a new crate.

/// `weights.bin`, as `examples/train_2048` writes it. Its SHA-256 digest begins as this crate's name ends.
pub static WEIGHTS: &[u8] = include_bytes!("weights.bin");
