//! The whole service, as users meet it.

mod arrival;
mod faults;
mod model;
mod outcome;
mod recovery;
mod running;
mod watching;
