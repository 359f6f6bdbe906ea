//! The file system as the service uses it.

// Why permissions forbid an access, and what to do about it.
pub mod access;
// Every operation that must survive a crash, as a trait.
pub mod disk;
// The service's own folders.
pub mod service_folders;
// Open files, folders and file systems.
pub mod opened;
// Calls that only Linux has, each with a fallback.
pub mod os;
// Trees of folders, whose operations follow no links.
pub mod folder_tree;

// A file system in memory that can lose unsynced changes.
#[cfg(test)]
pub mod model;
