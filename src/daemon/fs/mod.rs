//! The file system as the service uses it.

// What permissions forbid, and what to do about it.
pub mod access;
// Copies of files, without their holes.
mod copy;
// Every operation that must survive a crash, as a trait.
pub mod disk;
// The file systems of results and claims, held open to learn of write errors.
pub mod file_systems;
// The service's own folders.
pub mod service_folders;
// Where a path below the inbox is mirrored.
pub mod mirror;
// Open files, folders and file systems.
pub mod opened;
// What only Linux has, each with a fallback.
pub mod os;
// Folders opened a moment ago.
pub mod recent;
// The folders below one root, without following links.
pub mod folder_tree;

// A file system in memory that can lose what was not synced.
#[cfg(test)]
pub mod model;
