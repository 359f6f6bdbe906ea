//! Lists of globs in the configuration: case-insensitive; `*` and `?` match within one path component.

// The student to whom a path belongs.
mod student;

use std::ffi::OsStr;
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobSet};
use serde_json::json;

use super::config_keys::Declared;
use super::toml_reader::{KeyValue, quoted};

pub use self::student::{Student, Who};

/// The maximum number of globs in one list.
const GLOBS_MAX: usize = 100;
/// The total length in bytes of a list of globs that is compiled only when it is needed.
const LAZY_BYTES_MAX: usize = 1024;

/// Stands for the text that a wildcard matches. If a glob contains this character itself, it is compared only for
/// equality.
const ANYTHING: char = '\u{10FFFF}';
/// Characters of globs that are too complex to compare.
const SPECIAL: [char; 5] = ['[', ']', '{', '}', '\\'];

/// A list of globs.
///
/// `*` and `?` do not match a `/`; `**/` matches any number of folders, including none; `[…]` and `{a,b}` work as
/// usual. Upper and lower case are the same. Bytes that are not UTF-8 are compared as `U+FFFD`.
#[derive(Debug, Clone)]
pub struct Globs {
    patterns: Vec<String>,
    subject: Subject,
    /// Most commands match none or few of the lists, and compiling them takes longer than most commands.
    set: OnceLock<GlobSet>,
}

impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Globs {
    /// Compiles the globs of a list; reports faulty globs and leaves them out.
    fn read(list: &KeyValue<'_, '_>, subject: Subject) -> Option<Self> {
        let items: Vec<_> = list.items()?.collect();
        let source = list.source;
        if items.is_empty() && subject == Subject::Path {
            list.reject("at least one glob such as \"**/entrada*\"");
        }
        if let Some(item) = items.get(GLOBS_MAX) {
            let message = format!("{} globs in one list: expected at most {GLOBS_MAX}", items.len());
            source.add(item.offset(), message);
        }
        let mut patterns = Vec::new();
        for item in items.iter().take(GLOBS_MAX) {
            let Some(pattern) = item.value().as_str() else {
                item.reject("a string");
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
        let bytes: usize = patterns.iter().map(String::len).sum();
        let globs = Self { patterns, subject, set: OnceLock::new() };
        // A short list of plain globs can always be compiled.
        if bytes > LAZY_BYTES_MAX || globs.patterns.iter().any(|pattern| pattern.contains(SPECIAL)) {
            drop(globs.set.set(globs.compiled()?));
        }
        Ok(globs)
    }

    fn compiled(&self) -> Result<GlobSet, String> {
        let globs = self.patterns.iter().map(|pattern| compile(pattern, self.subject));
        GlobSet::new(globs.collect::<Result<Vec<_>, _>>()?).map_err(|error| error.to_string())
    }

    /// Returns the first glob of the list that matches `subject`.
    pub fn first_match(&self, subject: &OsStr) -> Option<&str> {
        let set = self.set.get_or_init(|| self.compiled().unwrap_or_default());
        let index = set.matches(subject.to_string_lossy().to_lowercase()).into_iter().min()?;
        self.patterns.get(index).map(String::as_str)
    }

    /// Returns a glob of the list that matches every path that `other` matches. Finds only simple cases: the same glob,
    /// a glob for all of a folder that `other` begins with, or a glob for names in any folder.
    pub(super) fn covering(&self, other: &str) -> Option<&str> {
        let other = other.to_lowercase();
        // A name that `other` matches. Only a wildcard matches `ANYTHING`, so it matches any text there.
        let name = other.rsplit('/').next().filter(|name| *name != "**" && !name.contains(SPECIAL));
        let name = name.map(|name| name.replace(['*', '?'], &ANYTHING.to_string()));
        let covers = |pattern: &&String| {
            let pattern = pattern.to_lowercase();
            let folder = pattern.strip_suffix("**").filter(|folder| !folder.contains(['*', '?']));
            let folder = folder.filter(|folder| folder.is_empty() || folder.ends_with('/'));
            let names = pattern.strip_prefix("**/").filter(|name| !name.contains(['/', '?', ANYTHING]));
            pattern == other
                || pattern == "**/*"
                || folder.is_some_and(|folder| !folder.contains(SPECIAL) && other.starts_with(folder))
                || names.is_some_and(|names| {
                    !names.contains(SPECIAL) && name.as_deref().is_some_and(|name| fits(names, name))
                })
        };
        self.patterns.iter().find(covers).map(String::as_str)
    }

    /// Returns the globs as they were written in the configuration.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

/// Returns whether a glob without other wildcards than `*` matches a name. A compiled glob would, but compiling all
/// globs takes longer than most commands.
fn fits(glob: &str, name: &str) -> bool {
    let Some((begin, rest)) = glob.split_once('*') else { return glob == name };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let left = name.strip_prefix(begin).and_then(|name| {
        middle.split('*').try_fold(name, |left, piece| left.split_once(piece).map(|(_, left)| left))
    });
    left.is_some_and(|left| left.ends_with(end))
}

/// Declares a list of globs; a list of paths needs at least one.
///
/// # Panics
/// Panics if the default contains a faulty glob, which is a bug in the code.
pub(super) fn globs(default: Vec<String>, subject: Subject) -> Declared<Globs> {
    let rule = json!({
        "type": "array",
        "items": { "type": "string", "minLength": 1, "maxLength": GLOB_BYTES_MAX },
        "minItems": u8::from(subject == Subject::Path),
        "maxItems": GLOBS_MAX,
    });
    let default = Globs::of(default, subject).unwrap_or_else(|error| panic!("{error}"));
    let read = move |found: &KeyValue<'_, '_>| Globs::read(found, subject);
    Declared::new(default, "a list of strings", rule, read, |globs| globs.patterns.clone().into())
}

/// The maximum length of a glob, in bytes.
pub const GLOB_BYTES_MAX: usize = 1024;

/// What a glob is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A path below the inbox.
    Path,
    /// Only the name of a file or folder.
    Name,
}

/// Compiles one glob, or returns what is wrong with it.
///
/// Pattern and subject are folded to lower case first, since the matcher's own case folding is limited to ASCII.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Subject, compile, fits};

    proptest! {
        #[test]
        fn stars_fit_as_compiled_globs_match(glob in "[ab.*]{1,8}", name in "[ab.]{1,8}") {
            let compiled = compile(&glob, Subject::Name).unwrap().compile_matcher();
            prop_assert_eq!(fits(&glob, &name), compiled.is_match(&name));
        }
    }
}
