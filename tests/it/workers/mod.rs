//! Workers on other machines, as users meet them: a service, workers and a NATS server on the loopback interface.
//!
//! `NATS_SERVER` names the server's program; without it every test here says that it is skipped. `tests/workers/run` has the
//! long form.

mod answers;
mod broker;
mod credentials;
mod crowd;
mod deaths;
mod harness;
mod hostile;
mod kills;
mod payload;
