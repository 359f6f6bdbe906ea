//! Lists of globs as the configuration uses them: case-insensitive, `*` and `?` within one path component.

// Whose submission a path is.
mod student;

use std::ffi::OsStr;

use globset::{Glob, GlobBuilder, GlobSet};
use serde_json::json;

use super::config_keys::Declared;
use super::faults::quoted;
use super::toml_reader::Found;

pub use self::student::{Student, Who};

/// Globs in one list.
const GLOBS_MAX: usize = 100;

/// Stands for whatever a wildcard matches. A glob that has it itself is not said to match more than itself.
const ANYTHING: char = '\u{10FFFF}';
/// Folders that `**` is tried with.
const DEPTH: usize = 8;

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
    /// The globs of a list; faulty ones are reported and left out.
    fn read(list: &Found<'_, '_>, subject: Subject) -> Option<Self> {
        let items: Vec<_> = list.items()?.collect();
        let source = list.source;
        if items.is_empty() && subject == Subject::Path {
            list.wrong("at least one glob such as \"**/entrada*\"");
        }
        if let Some(item) = items.get(GLOBS_MAX) {
            let message = format!("{} globs in one list: expected at most {GLOBS_MAX}", items.len());
            source.add(item.offset(), message);
        }
        let mut patterns = Vec::new();
        for item in items.iter().take(GLOBS_MAX) {
            let Some(pattern) = item.value().as_str() else {
                item.wrong("a string");
                continue;
            };
            match compile(pattern, subject) {
                Ok(_) => patterns.push(pattern.to_owned()),
                Err(reason) => source.add(item.offset(), format!("glob '{}': {reason}", quoted(pattern))),
            }
        }
        let globs = Self::of(patterns, subject).or_else(|error| {
            source.add(list.offset(), format!("the globs of this list together: {error}"));
            Self::of(Vec::new(), subject)
        });
        globs.ok()
    }

    fn of(patterns: Vec<String>, subject: Subject) -> Result<Self, String> {
        let globs =
            patterns.iter().map(|pattern| compile(pattern, subject)).collect::<Result<Vec<_>, _>>()?;
        let set = GlobSet::new(globs).map_err(|error| error.to_string())?;
        Ok(Self { patterns, set })
    }

    /// The first glob of the list that `subject` matches.
    #[must_use]
    pub fn first_match(&self, subject: &OsStr) -> Option<&str> {
        let folded = subject.to_string_lossy().to_lowercase();
        let index = self.set.matches(folded).into_iter().min()?;
        self.patterns.get(index).map(String::as_str)
    }

    /// A glob of the list that matches every path that `other` matches. `None` does not say that there is no such glob, but
    /// that none is known for sure.
    ///
    /// It is the same glob; or one of `*`, `**` and letters alone that matches all [`examples`] of `other`. What an example has
    /// for a wildcard can then only be matched by a wildcard, which matches anything else there, too; and of [`DEPTH`] folders
    /// in a row a glob that names fewer matches some by `**`, which matches more of them, too.
    pub(super) fn covering(&self, other: &str) -> Option<&str> {
        let other = other.to_lowercase();
        if let Some(same) = self.patterns.iter().find(|pattern| pattern.to_lowercase() == other) {
            return Some(same);
        }
        let is_sure = |index: &usize| {
            let pattern = &self.patterns[*index];
            let is_plain = !pattern.contains(['?', '[', ']', '{', '}', '\\', ANYTHING]);
            is_plain && pattern.split('/').count() < DEPTH
        };
        let mut examples = examples(&other)?.into_iter();
        let mut covering = self.set.matches(examples.next()?);
        covering.retain(is_sure);
        for example in examples {
            if covering.is_empty() {
                return None;
            }
            let matching = self.set.matches(example);
            covering.retain(|index| matching.contains(index));
        }
        covering.first().map(|index| self.patterns[*index].as_str())
    }

    /// The globs as they were written.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

/// Paths that stand for all that a glob in lower case matches; `None` for one that is too hard to tell.
fn examples(glob: &str) -> Option<Vec<String>> {
    let parts: Vec<_> = glob.split('/').collect();
    if glob.contains(['[', ']', '{', '}', '\\']) || parts.iter().filter(|part| **part == "**").count() > 2 {
        return None;
    }
    let folder = format!("{ANYTHING}/");
    let mut paths = vec![String::new()];
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let parts: Vec<_> = match *part {
            // At the end it is at least the file.
            "**" => (usize::from(is_last)..=DEPTH).map(|count| folder.repeat(count)).collect(),
            part => vec![part.replace(['*', '?'], &ANYTHING.to_string()) + "/"],
        };
        paths = paths.iter().flat_map(|path| parts.iter().map(move |part| format!("{path}{part}"))).collect();
    }
    Some(paths.iter().map(|path| path.trim_end_matches('/').to_owned()).collect())
}

/// A list of globs, of paths at least one.
///
/// # Panics
/// When the default holds a faulty one, which is a mistake in the code.
pub(super) fn globs(default: Vec<String>, subject: Subject) -> Declared<Globs> {
    let rule = json!({
        "type": "array",
        "items": { "type": "string", "minLength": 1, "maxLength": GLOB_BYTES_MAX },
        "minItems": u8::from(subject == Subject::Path),
        "maxItems": GLOBS_MAX,
    });
    let default = Globs::of(default, subject).unwrap_or_else(|error| panic!("{error}"));
    let read = move |found: &Found<'_, '_>| Globs::read(found, subject);
    Declared::new(default, "a list of strings", rule, read, |globs| globs.patterns.clone().into())
}

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
