//! Tests workers on other machines as users see them: a service, workers and a NATS server on the loopback interface.
//!
//! `NATS_SERVER` names the server's program. Without it, every test here reports that it is skipped.
//! `tests/workers/run` is the long form.

mod answers;
mod broker;
mod credentials;
mod crowd;
mod deaths;
mod harness;
mod hostile;
mod kills;
mod payload;
