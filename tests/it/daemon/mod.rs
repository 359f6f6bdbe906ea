//! The whole service, as users meet it.

mod arrival;
mod complaints;
mod hostile;
mod outcome;
mod recovery;
mod running;
