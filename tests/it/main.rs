//! The one integration target: solvers against their pages, and later the whole service.

mod golden;
mod merge_2048;
