//! Lists of globs as the configuration uses them: case-insensitive, `*` and `?` within one path component.

use std::ffi::OsStr;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::json;
use toml::Value;

use super::faults::quoted;
use super::keys::Kind;
use super::reader::Found;

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
    /// The globs of a list; faulty ones are reported and left out.
    fn read(list: &Found<'_, '_>, subject: Subject) -> Option<Self> {
        let items: Vec<_> = list.items()?.collect();
        let faults = list.faults;
        if let Some(item) = items.get(GLOBS_MAX) {
            let message = format!("{} globs in one list: expected at most {GLOBS_MAX}", items.len());
            faults.add(item.offset(), message);
        }
        let mut patterns = Vec::new();
        let mut builder = GlobSetBuilder::new();
        for item in items.iter().take(GLOBS_MAX) {
            let Some(pattern) = item.value().as_str() else {
                item.wrong("a string");
                continue;
            };
            match compile(pattern, subject) {
                Ok(glob) => {
                    builder.add(glob);
                    patterns.push(pattern.to_owned());
                }
                Err(reason) => {
                    faults.add(item.offset(), format!("glob '{}': {reason}", quoted(pattern)));
                }
            }
        }
        let set = builder.build().unwrap_or_else(|error| {
            faults.add(list.offset(), format!("the globs of this list together: {error}"));
            GlobSet::empty()
        });
        Some(Self { patterns, set })
    }

    /// The globs of a table in the code.
    ///
    /// # Panics
    /// When one is none, which is a mistake in the table.
    fn of(patterns: &[&str], subject: Subject) -> Self {
        let set = patterns.iter().map(|pattern| compile(pattern, subject)).collect::<Result<Vec<_>, _>>();
        let set = set.and_then(|globs| GlobSet::new(globs).map_err(|error| error.to_string()));
        let set = set.unwrap_or_else(|error| panic!("{error}"));
        Self { patterns: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(), set }
    }

    /// The first glob of the list that `subject` matches.
    #[must_use]
    pub fn first_match(&self, subject: &OsStr) -> Option<&str> {
        let folded = subject.to_string_lossy().to_lowercase();
        let index = self.set.matches(folded).into_iter().min()?;
        self.patterns.get(index).map(String::as_str)
    }

    /// The list as TOML.
    pub(super) fn value(&self) -> Value {
        self.patterns.clone().into()
    }

    /// The globs as they were written.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

/// A list of globs.
pub(super) fn globs(default: &[&str], subject: Subject) -> Kind<Globs> {
    let rule = json!({
        "type": "array",
        "items": { "type": "string", "minLength": 1, "maxLength": GLOB_BYTES_MAX },
        "maxItems": GLOBS_MAX,
    });
    let read = move |found: &Found<'_, '_>| Globs::read(found, subject);
    Kind::new(Globs::of(default, subject), "a list of strings", rule, read, Globs::value)
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
