//! The whole service, as users meet it.

mod arrival;
mod complaints;
mod faults;
mod hostile;
mod model;
mod outcome;
mod recovery;
mod running;
mod watching;
