//! The one integration target: solvers against their pages, and later the whole service.

mod game_2048;
mod game_2048_limits;
mod golden;
