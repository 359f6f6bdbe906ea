//! The one integration target: solvers against their pages, and later the whole service.

mod checkers_capture;
mod golden;
