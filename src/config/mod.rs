//! The configuration: finding, reading, checking, matching and printing it.
//!
//! [`Config::parse`] either reports everything that is wrong with a text, with line and column, or returns a [`Config`]
//! that needs no further checks. Missing keys have the defaults that the shipped file ([`SHIPPED`]) documents. Two long
//! lists exist only in that file: a text without `intake.ignore`, or without any `[[route]]`, gets the shipped list.
//!
//! A key is declared in one place, its line in a section: type, default, range, description, and whether it needs a
//! restart. Reading, checking, printing and the JSON Schema use this declaration.

// Names of users and groups.
pub(crate) mod accounts;
// Declarations of keys and sections.
mod config_keys;
mod document;
// How the configuration applies to a file.
mod files;
// `[folders]`, and the paths in the service's own folder.
mod folder_settings;
// Lists of globs, and the pattern that names a student.
mod globs;
// Finds the configuration.
mod locate;
// `[[route]]`.
mod route;
// The other sections.
mod sections;
// Reads a text as tables and keys.
mod toml_reader;

pub use document::Config;
pub use files::{
    Done, Members, Overrides, REFERENCES_BYTES_MAX, Reference, ResolveError, ResolvedJob, Routed,
    UnroutedFile, read_head, resolve,
};
pub use folder_settings::{Folders, NestedFolders};
pub use globs::{Globs, Student, Who};
pub use locate::{
    LocateError, Located, SHIPPED, SHIPPED_ORIGIN, SYSTEM_PATH, TEXT_BYTES_MAX, USER_PATH, WORKING_PATH,
    locate, user_path,
};
pub use route::{IfExists, Route};
pub use sections::{
    Control, Durability, Formats, Intake, JournalMode, Level, Log, LogFormat, MemoryLimit, Metrics, Page,
    Readers, Readiness, Remote, Results, Retention, Rotation, WITHOUT_WORKERS, WatchMode, Workers,
};
pub use toml_reader::{ConfigError, Fault};
