//! The one integration target: solvers against their pages, and later the whole service.

mod astar;
mod golden;
