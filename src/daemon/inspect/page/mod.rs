//! The page of the service: an HTML file, in the outbox usually, for everybody who can open it there.
//!
//! The loop hands over [`Facts`] and notes jobs that ended; a thread of its own makes the page of these, when something changed.
//! Grades never appear on it. Where only owners read results it has counts alone. It holds no script and no form: nothing can
//! be changed from it.

// What the page says.
mod content;
// What the loop knows of the service that everybody may know.
mod facts;
// The jobs that ended last.
mod jobs;
// The thread that keeps it.
mod keep;
// Links from the page to outputs.
mod link;
// When it is written.
mod pace;
// The file, and what else may have its name.
mod place;
// The page of one service.
mod site;
// Its words.
mod told;

pub use facts::{Facts, InHand, NotTaken};
pub use keep::{Ask, keep};
pub use site::Site;
