//! Reads the configuration's text as tables and keys, and reports every fault with its line and column.
//!
//! A [`Table`] returns the values of one TOML table by key. The keys that were requested are the known ones; any other
//! key in the table is a fault.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use tabuleiro_puzzles::input::{Place, printable};
use tabuleiro_puzzles::solver::{Solver, did_you_mean};

/// Parses the document, and reports as many syntax errors as the parser can distinguish.
pub(super) fn parse<'t>(text: &'t str, source: &Source<'t>) -> Option<DeTable<'t>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().unwrap_or(text.len()..text.len());
        let found = source.quote(span.clone());
        let found = if found.is_empty() { String::new() } else { format!(", found '{found}'") };
        source.add(span.start, format!("no valid TOML: {}{found}", error.message()));
    }
    errors.is_empty().then(|| table.into_inner())
}

/// A value found under a key, with its position for messages.
pub(super) struct KeyValue<'a, 't> {
    /// The name in errors: `[log] level`.
    name: String,
    spanned: &'a Spanned<DeValue<'t>>,
    pub(super) source: &'a Source<'t>,
}

impl<'a, 't> KeyValue<'a, 't> {
    pub(super) fn value(&self) -> &'a DeValue<'t> {
        self.spanned.get_ref()
    }

    /// Returns a string, a number or a flag in the form in which an option is written.
    pub(super) fn scalar(&self) -> Option<String> {
        match self.value() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(integer) => {
                Some(number(integer).map_or_else(|| integer.to_string(), |number| number.to_string()))
            }
            DeValue::Float(float) => Some(float.as_str().to_owned()),
            DeValue::Boolean(flag) => Some(flag.to_string()),
            DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
        }
    }

    /// Returns the byte offset of the value.
    pub(super) fn offset(&self) -> usize {
        self.spanned.span().start
    }

    /// Returns the items of a list, each with the list's name.
    pub(super) fn items(&self) -> Option<impl Iterator<Item = KeyValue<'a, 't>>> {
        let item = |spanned| KeyValue { name: self.name.clone(), spanned, source: self.source };
        Some(self.value().as_array()?.iter().map(item))
    }

    /// Returns the value as a section with a title.
    pub(super) fn section(&self, title: String) -> Table<'a, 't> {
        let entries = self.value().as_table();
        if entries.is_none() {
            self.reject(&format!("a section {title}"));
        }
        Table { title, offset: self.offset(), entries, known: Vec::new(), source: self.source }
    }

    /// Records a warning about the value.
    pub(super) fn warn(&self, message: &str) {
        let found = self.source.quote(self.spanned.span());
        self.source.warn(self.offset(), format!("{} = {found}: {message}", self.name));
    }

    /// Records that the value is wrong.
    pub(super) fn reject(&self, expected: &str) {
        let found = self.source.quote(self.spanned.span());
        self.source.add(self.offset(), format!("{} = {found}: expected {expected}", self.name));
    }
}

/// One table of the configuration; it can be absent.
pub(super) struct Table<'a, 't> {
    /// The name in errors: `[log]`; empty for the whole document.
    title: String,
    offset: usize,
    entries: Option<&'a DeTable<'t>>,
    known: Vec<&'static str>,
    pub(super) source: &'a Source<'t>,
}

impl<'a, 't> Table<'a, 't> {
    /// Returns the whole document, or an empty one.
    pub(super) fn document(entries: Option<&'a DeTable<'t>>, source: &'a Source<'t>) -> Self {
        Self { title: String::new(), offset: 0, entries, known: Vec::new(), source }
    }

    /// Returns the value of `key`, and marks the key as known.
    pub(super) fn take(&mut self, key: &'static str) -> Option<KeyValue<'a, 't>> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.found(key)
    }

    /// Returns the section under `key`.
    pub(super) fn section(&mut self, key: &'static str) -> Self {
        let title = format!("[{}]", self.name(key).replace(['[', ']'], "").replace(' ', "."));
        match self.take(key) {
            Some(found) => found.section(title),
            None => Self { title, ..Self::document(None, self.source) },
        }
    }

    /// Returns the value of `key` without marking the key as known.
    pub(super) fn found(&self, key: &str) -> Option<KeyValue<'a, 't>> {
        let spanned = self.entries?.get(key)?;
        Some(KeyValue { name: self.name(key), spanned, source: self.source })
    }

    /// Reports that `key` is missing, unless the whole table is absent.
    pub(super) fn report_missing(&self, key: &str) {
        if self.entries.is_some() {
            self.source.add(self.offset, format!("{} has no key '{key}'", self.title));
        }
    }

    /// Reports every unknown key. `hint` can say where a key belongs.
    pub(super) fn finish(self, hint: impl Fn(&str) -> Option<String>) {
        for key in self.entries.into_iter().flatten().map(|(key, _)| key) {
            let (name, offset): (&str, _) = (key.get_ref(), key.span().start);
            if self.known.contains(&name) {
                continue;
            }
            let place = if self.title.is_empty() { String::new() } else { format!(" in {}", self.title) };
            let hint = hint(name).unwrap_or_else(|| {
                format!("{}; known: {}", did_you_mean(name, &self.known), self.known.join(", "))
            });
            self.source.add(offset, format!("unknown key '{}'{place}{hint}", quoted(name)));
        }
    }

    /// Returns the name of a key in errors.
    fn name(&self, key: &str) -> String {
        if self.title.is_empty() { key.to_owned() } else { format!("{} {key}", self.title) }
    }
}

/// Returns the value of an unsigned integer in any radix that TOML allows.
fn number(integer: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// The maximum number of bytes of a wrong value that are quoted.
const QUOTE_BYTES_MAX: usize = 60;

/// An error or a warning about the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The position.
    pub place: Place,
    /// What was found and what was expected.
    pub message: String,
}

/// Everything that is wrong with a configuration, in the order of its lines.
///
/// The display has one line per fault: `FILE:LINE:COLUMN: MESSAGE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    origin: String,
    faults: Vec<Fault>,
    dropped: usize,
}

impl ConfigError {
    /// The maximum number of faults that are described; further ones are only counted.
    pub const FAULTS_MAX: usize = 50;

    /// Returns the faults, at most [`Self::FAULTS_MAX`], at least one.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, faults, dropped } = self;
        let faults = faults.iter().map(|Fault { place, message }| format!("{origin}:{place}: {message}"));
        let more = (*dropped > 0).then(|| format!("{origin}: and {dropped} more"));
        f.write_str(&faults.chain(more).collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for ConfigError {}

/// A text that is being read, with the faults and warnings found so far.
pub(super) struct Source<'t> {
    text: &'t str,
    /// The solvers that routes may name.
    pub(super) solvers: &'t [&'static dyn Solver],
    faults: RefCell<Vec<(usize, String)>>,
    warnings: RefCell<Vec<(usize, String)>>,
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str, solvers: &'t [&'static dyn Solver]) -> Self {
        Self { text, solvers, faults: RefCell::default(), warnings: RefCell::default() }
    }

    /// Records a fault at a byte offset of the text.
    pub(super) fn add(&self, offset: usize, message: String) {
        self.faults.borrow_mut().push((offset, message));
    }

    /// Records a warning at a byte offset of the text.
    pub(super) fn warn(&self, offset: usize, message: String) {
        self.warnings.borrow_mut().push((offset, message));
    }

    /// Returns a part of the text, printable and shortened for a message.
    pub(super) fn quote(&self, span: Range<usize>) -> String {
        printable(self.text.get(span).unwrap_or_default().as_bytes(), QUOTE_BYTES_MAX)
    }

    /// Returns `value` and the warnings, or the faults if there are any.
    pub(super) fn finish<T>(self, origin: &str, value: Option<T>) -> Result<(T, Vec<Fault>), ConfigError> {
        let (faults, dropped) = placed(self.text, self.faults.into_inner());
        match value {
            Some(value) if faults.is_empty() => Ok((value, placed(self.text, self.warnings.into_inner()).0)),
            _ => Err(ConfigError { origin: origin.to_owned(), faults, dropped }),
        }
    }
}

/// Returns the first [`ConfigError::FAULTS_MAX`] messages with their positions, and the number of further ones.
fn placed(text: &str, mut list: Vec<(usize, String)>) -> (Vec<Fault>, usize) {
    list.sort();
    list.dedup();
    let dropped = list.len().saturating_sub(ConfigError::FAULTS_MAX);
    list.truncate(ConfigError::FAULTS_MAX);
    let fault = |(offset, message)| Fault { place: place(text, offset), message };
    (list.into_iter().map(fault).collect(), dropped)
}

/// Returns the line and column of a byte offset.
fn place(text: &str, offset: usize) -> Place {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let last_line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = before.split(|&byte| byte == b'\n').count() as u64;
    Place { line, column: last_line.len() as u64 + 1 }
}

/// Quotes a user's word for a message.
pub(super) fn quoted(word: &str) -> String {
    printable(word.as_bytes(), QUOTE_BYTES_MAX)
}
