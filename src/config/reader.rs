//! The configuration's text as tables and keys: every fault with its place, none hidden by another.
//!
//! A [`Table`] hands out the values of one TOML table under the keys it is asked for. The keys that were asked for
//! are the known ones; whatever else the table holds is a fault, or a warning where an earlier version knew it.

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::faults::{Faults, did_you_mean, quoted};
use super::removed;

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

/// A value that was found under a key, and where to complain about it.
pub(super) struct Found<'a, 't> {
    /// As errors call it: `[log] level`.
    name: String,
    spanned: &'a Spanned<DeValue<'t>>,
    pub(super) faults: &'a Faults<'t>,
}

impl<'a, 't> Found<'a, 't> {
    pub(super) fn value(&self) -> &'a DeValue<'t> {
        self.spanned.get_ref()
    }

    /// Where it stands.
    pub(super) fn offset(&self) -> usize {
        self.spanned.span().start
    }

    /// The items of a list, by the list's name.
    pub(super) fn items(&self) -> Option<impl Iterator<Item = Found<'a, 't>>> {
        let item = |spanned| Found { name: self.name.clone(), spanned, faults: self.faults };
        Some(self.value().as_array()?.iter().map(item))
    }

    /// Reports that the value is wrong.
    pub(super) fn wrong(&self, expected: &str) {
        let found = self.faults.quote(self.spanned.span());
        self.faults.add(self.offset(), format!("{} = {found}: expected {expected}", self.name));
    }
}

/// One table of the configuration, or its absence.
pub(super) struct Table<'a, 't> {
    /// As errors call it: `[log]`; empty for the whole document.
    title: String,
    entries: Option<&'a DeTable<'t>>,
    known: Vec<&'static str>,
    pub(super) faults: &'a Faults<'t>,
}

impl<'a, 't> Table<'a, 't> {
    pub(super) fn new(
        title: impl Into<String>,
        entries: Option<&'a DeTable<'t>>,
        faults: &'a Faults<'t>,
    ) -> Self {
        Self { title: title.into(), entries, known: Vec::new(), faults }
    }

    /// The value of `key`, which is known from now on.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Found<'a, 't>> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.found(key)
    }

    /// The section `[key]`.
    pub(super) fn section(&mut self, key: &'static str) -> Self {
        let entries = self.take(key).and_then(|found| {
            let entries = found.value().as_table();
            if entries.is_none() {
                found.wrong(&format!("a section [{key}]"));
            }
            entries
        });
        Self::new(format!("[{key}]"), entries, self.faults)
    }

    /// The value of `key`, without knowing it.
    pub(super) fn found(&self, key: &str) -> Option<Found<'a, 't>> {
        let spanned = self.entries?.get(key)?;
        let name = if self.title.is_empty() { key.to_owned() } else { format!("{} {key}", self.title) };
        Some(Found { name, spanned, faults: self.faults })
    }

    /// Every key with its offset and its value.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, usize, Found<'a, 't>)> + use<'a, 't, '_> {
        self.entries.into_iter().flatten().filter_map(|(key, _)| {
            let name: &str = key.get_ref();
            Some((name, key.span().start, self.found(name)?))
        })
    }

    /// Whether `key` has that value, which was removed: a warning then.
    pub(super) fn has_removed_value(&mut self, key: &'static str, value: &str) -> bool {
        let found = self.take(key).filter(|found| found.value().as_str() == Some(value));
        let warning = removed::warning(&self.path(key), Some(value));
        found.zip(warning).inspect(|(found, warning)| self.faults.warn(found.offset(), warning)).is_some()
    }

    /// Reports every key that nobody asked for. `hint` may know better where a key belongs.
    pub(super) fn finish(self, hint: impl Fn(&str) -> Option<String>) {
        for (name, offset, _) in self.entries().filter(|(name, ..)| !self.known.contains(name)) {
            if let Some(warning) = removed::warning(&self.path(name), None) {
                self.faults.warn(offset, warning);
                continue;
            }
            let place = if self.title.is_empty() { String::new() } else { format!(" in {}", self.title) };
            let hint = hint(name).unwrap_or_else(|| {
                format!("{}; known: {}", did_you_mean(name, &self.known), self.known.join(", "))
            });
            self.faults.add(offset, format!("unknown key '{}'{place}{hint}", quoted(name)));
        }
    }

    /// `SECTION.KEY`.
    fn path(&self, key: &str) -> String {
        format!("{}.{key}", self.title.trim_matches(['[', ']']))
    }
}

/// The value of an unsigned integer in any radix TOML allows.
pub(super) fn number(integer: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
