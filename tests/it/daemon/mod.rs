//! The whole service, as users meet it.

mod arrival;
mod outcome;
mod recovery;
mod running;
