//! The configuration's text as tables and keys: every fault with its place, none hidden by another.
//!
//! A [`Table`] hands out the values of one TOML table under the keys it is asked for. The keys that were asked for
//! are the known ones; anything else in the table is a fault.

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::faults::{Source, quoted};
use tabuleiro_puzzles::solver::did_you_mean;

/// The document, with as many syntax errors as the parser can tell apart.
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

/// A value that was found under a key, and where to complain about it.
pub(super) struct Found<'a, 't> {
    /// As errors call it: `[log] level`.
    name: String,
    spanned: &'a Spanned<DeValue<'t>>,
    pub(super) source: &'a Source<'t>,
}

impl<'a, 't> Found<'a, 't> {
    pub(super) fn value(&self) -> &'a DeValue<'t> {
        self.spanned.get_ref()
    }

    /// A string, a number or a flag, as an option has it written.
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

    /// Where it stands.
    pub(super) fn offset(&self) -> usize {
        self.spanned.span().start
    }

    /// The items of a list, by the list's name.
    pub(super) fn items(&self) -> Option<impl Iterator<Item = Found<'a, 't>>> {
        let item = |spanned| Found { name: self.name.clone(), spanned, source: self.source };
        Some(self.value().as_array()?.iter().map(item))
    }

    /// The section of that title.
    pub(super) fn section(&self, title: String) -> Table<'a, 't> {
        let entries = self.value().as_table();
        if entries.is_none() {
            self.wrong(&format!("a section {title}"));
        }
        Table { title, offset: self.offset(), entries, known: Vec::new(), source: self.source }
    }

    /// Tells what deserves attention in the value.
    pub(super) fn warn(&self, message: &str) {
        let found = self.source.quote(self.spanned.span());
        self.source.warn(self.offset(), format!("{} = {found}: {message}", self.name));
    }

    /// Reports that the value is wrong.
    pub(super) fn wrong(&self, expected: &str) {
        let found = self.source.quote(self.spanned.span());
        self.source.add(self.offset(), format!("{} = {found}: expected {expected}", self.name));
    }
}

/// One table of the configuration, or its absence.
pub(super) struct Table<'a, 't> {
    /// As errors call it: `[log]`; empty for the whole document.
    title: String,
    offset: usize,
    entries: Option<&'a DeTable<'t>>,
    known: Vec<&'static str>,
    pub(super) source: &'a Source<'t>,
}

impl<'a, 't> Table<'a, 't> {
    /// The whole document, or one without any key.
    pub(super) fn document(entries: Option<&'a DeTable<'t>>, source: &'a Source<'t>) -> Self {
        Self { title: String::new(), offset: 0, entries, known: Vec::new(), source }
    }

    /// The value of `key`, which is known from now on.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Found<'a, 't>> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.found(key)
    }

    /// The section under `key`.
    pub(super) fn section(&mut self, key: &'static str) -> Self {
        let title = format!("[{}]", self.name(key).replace(['[', ']'], "").replace(' ', "."));
        match self.take(key) {
            Some(found) => found.section(title),
            None => Self { title, ..Self::document(None, self.source) },
        }
    }

    /// The value of `key`, without knowing it.
    pub(super) fn found(&self, key: &str) -> Option<Found<'a, 't>> {
        let spanned = self.entries?.get(key)?;
        Some(Found { name: self.name(key), spanned, source: self.source })
    }

    /// Reports that there is no `key`, if there is a table at all.
    pub(super) fn misses(&self, key: &str) {
        if self.entries.is_some() {
            self.source.add(self.offset, format!("{} has no key '{key}'", self.title));
        }
    }

    /// Reports every key that nobody asked for. `hint` may know better where a key belongs.
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

    /// What errors call a key.
    fn name(&self, key: &str) -> String {
        if self.title.is_empty() { key.to_owned() } else { format!("{} {key}", self.title) }
    }
}

/// The value of an unsigned integer in any radix TOML allows.
fn number(integer: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
