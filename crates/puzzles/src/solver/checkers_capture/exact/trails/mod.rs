//! Trails that are found without a search, and the one that uses a given set of edges.
//!
//! - [`quick`]: a trail through a graph by short paths between odd vertices; the trail of a set of edges.
//! - [`choice`]: the trail that a cheapest T-join leaves, as far as it is connected with the root.
//! - [`exchange`]: what joins the components that such a choice falls apart into.

// A balanced choice of a kernel's edges, and what it is worth.
mod choice;
// Circles that join the components of a balanced choice.
mod exchange;
// A long trail found at once, and the trail of a set of edges.
mod quick;

pub use choice::{Choice, Components};
pub use exchange::connect;
pub use quick::{Trail, balanced, through};
