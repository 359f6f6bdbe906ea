//! The whole service, as users meet it.

mod arrival;
mod kill;
mod outcome;
mod recovery;
mod running;
