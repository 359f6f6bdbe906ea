//! Games as files hold them.

// Where games begin, by the lines ahead.
mod ahead;
// Moves that are written as elsewhere.
mod foreign;
// One line, cut into fields that know their places.
mod line;
// The MOVES line.
pub mod moves;
// The reader of a file of games.
pub mod reader;
// The seed of a game that names none.
mod seed;
