//! What somebody may ask of the service.

// What is measured, for a monitoring system.
pub mod metrics;
// The page of the service, for everybody who sees the outbox.
pub mod page;
// Puts answered files back into the inbox.
pub mod retry_inputs;
// Threads that serve clients.
pub mod serving;
// How the service is at one moment.
pub mod snapshot;
// Questions over the control socket.
pub mod socket;
// Why a file was not answered.
pub mod why;
