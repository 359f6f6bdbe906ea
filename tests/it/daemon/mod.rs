//! The whole service, as users meet it.

mod arrival;
mod complaints;
mod faults;
mod hostile;
mod kill;
mod metrics;
mod model;
mod outcome;
mod recovery;
mod reloading;
mod retention;
mod running;
mod watching;
