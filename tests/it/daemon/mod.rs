//! The whole service, as users meet it.

mod arrival;
mod complaints;
mod faults;
mod hostile;
mod journal;
mod kill;
mod model;
mod outcome;
mod recovery;
mod running;
mod watching;
