//! The control socket: asking a service that runs, over a Unix stream socket of its own.
//!
//! A client sends one request, a JSON object in one line, gets one answer likewise, and is done; `wire.rs` has their
//! form. Whoever may write to the socket may ask. Clients are bounded in number, bytes and time, and served by a thread
//! of their own; another one alone waits for files.

// Sockets at paths of any length.
mod address;
// Asking.
mod client;
// Answering.
mod server;
// The lines of both sides.
mod wire;

pub use client::{AskError, ask};
pub use server::{Access, Server};
pub use wire::{Answer, Ask};

#[cfg(test)]
mod tests;
