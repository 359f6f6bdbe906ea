//! The configuration: found, read, checked, matched and printed.
//!
//! A text becomes a [`Config`] only as a whole: [`Config::parse`] names everything that is wrong with it, with
//! line and column, or returns a value that needs no further checks. Keys that are missing have the defaults
//! that the shipped file ([`SHIPPED`]) documents. Two long lists stand there alone: a text without `intake.ignore`, or
//! without any `[[route]]`, has those of the shipped file.
//!
//! What a key is stands in one place, its line in a section: type, default, range, meaning, and whether it waits for
//! a restart. Reading, checking, printing and the JSON Schema come from there.

// The whole configuration.
mod document;
// What is wrong with a text, with its places.
mod faults;
// What it says about a file.
mod files;
// `[folders]`, and what lies in the daemon's own.
mod folders;
// Lists of globs, and the pattern that names a student.
mod globs;
// What a key is, and how a section is made of keys.
mod keys;
// Where the configuration is found.
mod locate;
// A text as tables and keys.
mod reader;
// `[remote]`.
mod remote;
// `[[route]]`.
mod route;
// The other sections.
mod settings;

pub use document::Config;
pub use faults::{ConfigError, Fault};
pub use files::{
    Done, Members, Reference, ResolveError, ResolvedJob, Routed, Stray, read_directives_warning, resolve,
};
pub use folders::{Folders, NestedFolders};
pub use globs::{Globs, Student, Who};
pub use keys::group_id;
pub use locate::{
    LocateError, Located, SHIPPED, SHIPPED_ORIGIN, SYSTEM_PATH, TEXT_BYTES_MAX, USER_PATH, WORKING_PATH,
    locate, user_path,
};
pub use remote::{Remote, WITHOUT_WORKERS};
pub use route::{IfExists, Route};
pub use settings::{
    Control, Durability, Formats, Intake, JournalMode, Level, Log, LogFormat, MemoryLimit, Metrics, Page,
    Readers, Readiness, Results, Retention, Rotation, WatchMode, Workers,
};
