//! The configuration's text as tables and keys: every fault with its place, none hidden by another.
//!
//! A [`Section`] hands out the values of one TOML table under the keys it is asked for. The keys that were
//! asked for are the known ones, so the code that reads a key is the only place that names it; whatever else
//! the table holds is a fault. Reading goes on after a fault with the default, so that one run of
//! `check-config` names everything that is wrong.

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::error::{ConfigError, Fault};
use super::removed;
use crate::input::{Place, printable};
use crate::solver::{duration, format_size, nearest, size};

/// A value and where it stands.
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// What a limit is that there is not.
pub(super) const NONE: &str = "none";
/// How much of a wrong value is quoted.
const QUOTE_BYTES_MAX: usize = 60;

/// The faults found so far in one text.
pub(super) struct Faults<'t> {
    text: &'t str,
    list: RefCell<Vec<(usize, String)>>,
    warnings: RefCell<Vec<(usize, String)>>,
}

impl<'t> Faults<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, list: RefCell::default(), warnings: RefCell::default() }
    }

    /// Records a fault at a byte offset of the text.
    pub(super) fn add(&self, offset: usize, message: impl Into<String>) {
        self.list.borrow_mut().push((offset.min(self.text.len()), message.into()));
    }

    /// What the text says there, fit for a line of a message.
    pub(super) fn quote(&self, span: Range<usize>) -> String {
        printable(self.text.get(span).unwrap_or_default().as_bytes(), QUOTE_BYTES_MAX)
    }

    /// Records what deserves attention, and is no fault.
    pub(super) fn warn(&self, offset: usize, message: String) {
        self.warnings.borrow_mut().push((offset, message));
    }

    /// `value` when nothing was found, and the warnings.
    pub(super) fn finish<T>(self, origin: &str, value: Option<T>) -> Result<(T, Vec<Fault>), ConfigError> {
        let fault = |(offset, message)| Fault { place: place(self.text, offset), message };
        let mut warnings = self.warnings.into_inner();
        warnings.sort();
        warnings.truncate(ConfigError::FAULTS_MAX);
        let mut list = self.list.into_inner();
        match value {
            Some(value) if list.is_empty() => return Ok((value, warnings.into_iter().map(fault).collect())),
            _ => {}
        }
        list.sort();
        list.dedup();
        let dropped = list.len().saturating_sub(ConfigError::FAULTS_MAX);
        list.truncate(ConfigError::FAULTS_MAX);
        Err(ConfigError::new(origin, list.into_iter().map(fault).collect(), dropped))
    }
}

/// Line and column of a byte offset.
fn place(text: &str, offset: usize) -> Place {
    let before = &text.as_bytes()[..offset];
    let last_line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = before.split(|&byte| byte == b'\n').count() as u64;
    Place { line, column: last_line.len() as u64 + 1 }
}

/// The document, with as many syntax errors as the parser can tell apart.
pub(super) fn parse<'t>(text: &'t str, faults: &Faults<'t>) -> Option<DeTable<'t>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().unwrap_or(text.len()..text.len());
        let found = faults.quote(span.clone());
        let found = if found.is_empty() { String::new() } else { format!(", found '{found}'") };
        faults.add(span.start, format!("no valid TOML: {}{found}", error.message()));
    }
    errors.is_empty().then(|| table.into_inner())
}

/// A setting that is one of a few words.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every word with its meaning.
    const ALL: &'static [(&'static str, Self)];

    /// The word, as it is written in the configuration.
    #[must_use]
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }
}

/// One table of the configuration, or its absence.
pub(super) struct Section<'a, 't> {
    /// As errors call it: `[log]`.
    title: String,
    table: Option<&'a DeTable<'t>>,
    known: Vec<&'static str>,
    pub(super) faults: &'a Faults<'t>,
}

impl<'a, 't> Section<'a, 't> {
    pub(super) fn new(
        title: impl Into<String>,
        table: Option<&'a DeTable<'t>>,
        faults: &'a Faults<'t>,
    ) -> Self {
        Self { title: title.into(), table, known: Vec::new(), faults }
    }

    /// The value of `key`, which is known from now on.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'a Value<'t>> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.table?.get(key)
    }

    /// The section `[key]`.
    pub(super) fn section(&mut self, key: &'static str) -> Section<'a, 't> {
        let value = self.take(key);
        let table = value.and_then(|value| {
            let table = value.get_ref().as_table();
            if table.is_none() {
                self.wrong(key, value, &format!("a section [{key}]"));
            }
            table
        });
        Section::new(format!("[{key}]"), table, self.faults)
    }

    /// The value of `key` as `parse` sees it; `default` when it is missing or wrong.
    pub(super) fn parsed<T>(
        &mut self,
        key: &'static str,
        default: T,
        expected: &str,
        parse: impl FnOnce(&DeValue<'t>) -> Option<T>,
    ) -> T {
        let Some(value) = self.take(key) else { return default };
        parse(value.get_ref()).unwrap_or_else(|| {
            self.wrong(key, value, expected);
            default
        })
    }

    pub(super) fn flag(&mut self, key: &'static str, default: bool) -> bool {
        self.parsed(key, default, "true or false", DeValue::as_bool)
    }

    pub(super) fn integer(&mut self, key: &'static str, default: u64, range: RangeInclusive<u64>) -> u64 {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.parsed(key, default, &expected, |value| {
            value.as_integer().and_then(number).filter(|number| range.contains(number))
        })
    }

    pub(super) fn duration(
        &mut self,
        key: &'static str,
        default: Duration,
        range: RangeInclusive<Duration>,
    ) -> Duration {
        let [low, high] = [range.start(), range.end()].map(|end| humantime::format_duration(*end));
        let expected = format!("a duration from \"{low}\" to \"{high}\"");
        self.parsed(key, default, &expected, |value| {
            value.as_str().and_then(duration).filter(|value| range.contains(value))
        })
    }

    /// A duration, or `None` for the word that says so.
    pub(super) fn duration_or_none(
        &mut self,
        key: &'static str,
        default: Option<Duration>,
        range: RangeInclusive<Duration>,
    ) -> Option<Duration> {
        let [low, high] = [range.start(), range.end()].map(|end| humantime::format_duration(*end));
        let expected = format!("a duration from \"{low}\" to \"{high}\", or \"{NONE}\"");
        self.parsed(key, default, &expected, |value| match value.as_str()? {
            NONE => Some(None),
            text => duration(text).filter(|value| range.contains(value)).map(Some),
        })
    }

    pub(super) fn size(&mut self, key: &'static str, default: u64, range: RangeInclusive<u64>) -> u64 {
        let [low, high] = [range.start(), range.end()].map(|end| format_size(*end));
        let expected = format!("a size from \"{low}\" to \"{high}\"");
        self.parsed(key, default, &expected, |value| bytes(value).filter(|bytes| range.contains(bytes)))
    }

    pub(super) fn choice<T: Choice>(&mut self, key: &'static str, default: T) -> T {
        let names: Vec<_> = T::ALL.iter().map(|(name, _)| *name).collect();
        let expected = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let Some(value) = self.take(key) else { return default };
        let text = value.get_ref().as_str();
        if let Some((_, choice)) = T::ALL.iter().find(|(name, _)| Some(*name) == text) {
            return *choice;
        }
        let hint = did_you_mean(text.unwrap_or_default(), &names);
        self.wrong(key, value, &format!("one of {expected}{hint}"));
        default
    }

    /// An array of strings, each with its offset; strings of it that are none are faults.
    pub(super) fn strings(&mut self, key: &'static str) -> Option<Vec<(String, usize)>> {
        let value = self.take(key)?;
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(key, value, "a list of strings");
            return None;
        };
        let strings = array.iter().filter_map(|item| {
            let text = item.get_ref().as_str();
            if text.is_none() {
                self.wrong(key, item, "a string");
            }
            text.map(|text| (text.to_owned(), item.span().start))
        });
        Some(strings.collect())
    }

    /// Whether `key` has a value that was removed, which is told.
    pub(super) fn warn_of_removed(&self, key: &'static str, value: &str) -> bool {
        let found = self.table.and_then(|table| table.get(key));
        let Some(found) = found.filter(|found| found.get_ref().as_str() == Some(value)) else { return false };
        let removed = removed::find(&self.path(key), Some(value));
        removed.inspect(|removed| self.faults.warn(found.span().start, removed.warning())).is_some()
    }

    /// `SECTION.KEY`.
    fn path(&self, key: &str) -> String {
        format!("{}.{key}", self.title.trim_matches(['[', ']']))
    }

    /// Reports that `key` has a wrong value.
    pub(super) fn wrong(&self, key: &str, value: &Value<'t>, expected: &str) {
        let found = self.faults.quote(value.span());
        let title = if self.title.is_empty() { String::new() } else { format!("{} ", self.title) };
        self.faults.add(value.span().start, format!("{title}{key} = {found}: expected {expected}"));
    }

    /// Reports every key that nobody asked for. `hint` may know better where a key belongs.
    pub(super) fn finish(self, hint: impl Fn(&str) -> Option<String>) {
        let Some(table) = self.table else { return };
        for (key, _) in table {
            let name: &str = key.get_ref();
            if self.known.contains(&name) {
                continue;
            }
            if let Some(removed) = removed::find(&self.path(name), None) {
                self.faults.warn(key.span().start, removed.warning());
                continue;
            }
            let place = if self.title.is_empty() { String::new() } else { format!(" in {}", self.title) };
            let quoted = printable(name.as_bytes(), QUOTE_BYTES_MAX);
            let hint = hint(name).unwrap_or_else(|| {
                format!("{}; known: {}", did_you_mean(name, &self.known), self.known.join(", "))
            });
            self.faults.add(key.span().start, format!("unknown key '{quoted}'{place}{hint}"));
        }
    }
}

/// A size, written with a unit or as a number of bytes.
fn bytes(value: &DeValue<'_>) -> Option<u64> {
    match value {
        DeValue::String(text) => size(text),
        DeValue::Integer(integer) => number(integer),
        _ => None,
    }
}

/// A hint for a misspelt word, or nothing.
pub(super) fn did_you_mean(word: &str, known: &[&str]) -> String {
    nearest(word, known).map(|name| format!(", did you mean '{name}'?")).unwrap_or_default()
}

/// The value of an unsigned integer in any radix TOML allows.
pub(super) fn number(integer: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
