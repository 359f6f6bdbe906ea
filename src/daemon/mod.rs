//! daemon
mod claim;
mod folders;
mod os;
mod systemd;
