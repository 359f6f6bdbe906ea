//! Games as files hold them.

// One line, cut into fields that know their places.
mod line;
// The MOVES line.
pub mod moves;
// The reader of a file of games.
pub mod reader;
// The seed of a game that names none.
mod seed;
