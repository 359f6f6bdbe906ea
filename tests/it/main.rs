//! The one integration target: solvers against their pages, and later the whole service.

mod checkers_capture;
mod checkers_capture_budget;
mod checkers_capture_reader;
mod golden;
