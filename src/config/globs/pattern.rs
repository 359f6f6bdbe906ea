//! One glob: case-insensitive, `*` and `?` within one path component.

use globset::{Glob, GlobBuilder};

/// Bytes in one glob.
pub const GLOB_BYTES_MAX: usize = 1024;

/// What a glob is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A path below the inbox.
    Path,
    /// The name of a file or folder alone.
    Name,
}

/// One glob, or what is wrong with it.
///
/// Both sides are folded to lower case first, because the matcher's own case folding knows ASCII only.
pub fn compile(pattern: &str, subject: Subject) -> Result<Glob, String> {
    if pattern.is_empty() {
        return Err("expected at least one character".to_owned());
    }
    if pattern.len() > GLOB_BYTES_MAX {
        return Err(format!("{} bytes, expected at most {GLOB_BYTES_MAX}", pattern.len()));
    }
    if subject == Subject::Name && pattern.contains('/') {
        return Err("it is compared with a name alone, expected no '/'".to_owned());
    }
    if pattern.starts_with('/') {
        return Err("it is compared with the path below the inbox, expected no '/' at the start".to_owned());
    }
    if pattern.ends_with('/') {
        return Err(
            "expected the name of a file; for all files of a folder write '/**' at the end".to_owned()
        );
    }
    GlobBuilder::new(&pattern.to_lowercase())
        .case_insensitive(true)
        .literal_separator(true)
        .backslash_escape(true)
        .build()
        .map_err(|error| format!("{}, expected a glob such as '**/entrada*'", error.kind()))
}
