//! The configuration: found, read, checked, matched and printed.
//!
//! A text becomes a [`Config`] only as a whole: [`Config::parse`] names everything that is wrong with it, with
//! line and column, or returns a value that needs no further checks. Keys that are missing have the defaults
//! that the shipped file ([`SHIPPED`]) documents. Two long lists stand there alone: a text without `intake.ignore`, or
//! without any `[[route]]`, has those of the shipped file.
//!
//! What a key is stands in one place, its line in a section: type, default, range, meaning, and whether it waits for
//! a restart. Reading, checking, printing and the JSON Schema come from there.

// What a key is, and how a section is made of keys.
mod config_keys;
mod document;
mod faults;
// What the configuration says about a file.
mod files;
// `[folders]`, and what lies in the daemon's own.
mod folder_settings;
// Lists of globs, and the pattern that names a student.
mod globs;
// Where the configuration is found.
mod locate;
// `[remote]`.
mod remote;
// `[[route]]`.
mod route;
// The other sections.
mod sections;
// A text as tables and keys.
mod toml_reader;

pub use config_keys::group_id;
pub use document::Config;
pub use faults::{ConfigError, Fault};
pub use files::{
    Done, Members, Overrides, Reference, ResolveError, ResolvedJob, Routed, UnroutedFile,
    read_directives_warning, resolve,
};
pub use folder_settings::{Folders, NestedFolders};
pub use globs::{Globs, Student, Who};
pub use locate::{
    LocateError, Located, SHIPPED, SHIPPED_ORIGIN, SYSTEM_PATH, TEXT_BYTES_MAX, USER_PATH, WORKING_PATH,
    locate, user_path,
};
pub use remote::{Remote, WITHOUT_WORKERS};
pub use route::{IfExists, Route};
pub use sections::{
    Control, Durability, Formats, Intake, JournalMode, Level, Log, LogFormat, MemoryLimit, Metrics, Page,
    Readers, Readiness, Results, Retention, Rotation, WatchMode, Workers,
};
