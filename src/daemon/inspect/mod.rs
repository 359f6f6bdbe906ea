//! Everything that clients can ask of the service.

// Metrics for a monitoring system.
pub mod metrics;
// The page of the service, for everybody who can read the outbox.
pub mod page;
// Puts archived inputs back into the inbox.
pub mod retry_inputs;
// Threads that serve clients.
pub mod serving;
// The state of the service at one moment.
pub mod snapshot;
// Questions over the control socket.
pub mod socket;
// Explains why a file was not answered.
pub mod not_taken;
