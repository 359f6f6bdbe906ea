//! Lists of globs as the configuration uses them: case-insensitive, `*` and `?` within one path component.

use std::ffi::OsStr;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::raw::Faults;
use crate::input::printable;

/// Globs in one list.
const GLOBS_MAX: usize = 100;
/// Bytes in one glob.
const GLOB_BYTES_MAX: usize = 1024;

/// What globs of a list are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// A path below the inbox.
    Path,
    /// The name of a file or folder alone.
    Name,
}

/// A list of globs.
///
/// `*` and `?` do not cross a `/`, `**/` stands for any number of folders, none included, `[…]` and `{a,b}`
/// as usual; upper and lower case are the same. Bytes that are no UTF-8 are compared as `U+FFFD`.
#[derive(Debug, Clone)]
pub struct Globs {
    patterns: Vec<String>,
    set: GlobSet,
}

impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Globs {
    /// The globs of `list`, each of which stands at an offset of the configuration; faulty ones are left out.
    pub(super) fn build(list: Vec<(String, usize)>, subject: Subject, faults: &Faults<'_>) -> Self {
        if let Some((_, offset)) = list.get(GLOBS_MAX) {
            faults.add(*offset, format!("{} globs in one list: expected at most {GLOBS_MAX}", list.len()));
        }
        let first_offset = list.first().map_or(0, |(_, offset)| *offset);
        let mut patterns = Vec::new();
        let mut builder = GlobSetBuilder::new();
        for (pattern, offset) in list.into_iter().take(GLOBS_MAX) {
            match compile(&pattern, subject) {
                Ok(glob) => {
                    builder.add(glob);
                    patterns.push(pattern);
                }
                Err(reason) => {
                    faults.add(offset, format!("glob '{}': {reason}", printable(pattern.as_bytes(), 60)));
                }
            }
        }
        let set = builder.build().unwrap_or_else(|error| {
            faults.add(first_offset, format!("the globs of this list together: {error}"));
            GlobSet::empty()
        });
        Self { patterns, set }
    }

    /// The first glob of the list that `subject` matches.
    #[must_use]
    pub fn first_match(&self, subject: &OsStr) -> Option<&str> {
        let folded = subject.to_string_lossy().to_lowercase();
        let index = self.set.matches(folded).into_iter().min()?;
        self.patterns.get(index).map(String::as_str)
    }

    /// The globs as they were written.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

/// One glob, or what is wrong with it.
///
/// Both sides are folded to lower case first, because the matcher's own case folding knows ASCII only.
fn compile(pattern: &str, subject: Subject) -> Result<globset::Glob, String> {
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
