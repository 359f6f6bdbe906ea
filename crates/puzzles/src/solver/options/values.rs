//! The chosen values of a solver's options.

use std::collections::BTreeMap;

use super::common::is_of_grading;
use super::spec::{DirectiveRule, OptionError, OptionSpec, meant};
use super::typed::OptionKey;
use super::value_kind::OptionValue;

/// Who sets an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// The configuration or the command line, which may set anything in range.
    Owner,
    /// A directive in an input file, which may lower limits but never raise them.
    Directive,
}

/// The values of a solver's options, chosen or default.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    values: BTreeMap<&'static str, (OptionValue, &'static OptionSpec)>,
}

impl Options {
    /// Returns the defaults of the options in `tables`.
    ///
    /// # Panics
    /// Panics if a default is not in its option's range, which is a mistake in the table.
    pub fn defaults(tables: &[&'static [OptionSpec]]) -> Self {
        let specs = tables.iter().copied().flatten();
        Self { values: specs.map(|spec| (spec.name, (spec.default_value(), spec))).collect() }
    }

    /// Sets one option from text.
    ///
    /// # Errors
    /// Fails if the option is unknown, the value is out of range, or a directive would raise a limit.
    pub fn set(&mut self, name: &str, text: &str, authority: Authority) -> Result<(), OptionError> {
        let Some((current, spec)) = self.values.get_mut(name) else {
            return Err(self.unknown(name));
        };
        let value = spec.parse(text)?;
        if authority == Authority::Directive
            && spec.directive == DirectiveRule::LowerOnly
            && spec.is_above(value, *current)
        {
            return Err(OptionError::Raised {
                name: spec.name,
                // Formatted by the option, because the text of the file may be long and hold anything.
                found: value.to_string(),
                max: current.to_string(),
            });
        }
        *current = value;
        Ok(())
    }

    /// Sets one option to a value of its own kind. Unknown names are ignored.
    pub fn put(&mut self, name: &str, value: OptionValue) {
        if let Some((current, _)) = self.values.get_mut(name) {
            *current = value;
        }
    }

    /// Returns every option with its value, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, OptionValue)> + '_ {
        self.values.iter().map(|(name, (value, _))| (*name, *value))
    }

    /// Returns the options that differ from their defaults, each as [`set`](Self::set) reads it.
    /// [`options_from`](crate::solver::options_from) restores the same options from them.
    pub fn chosen(&self) -> Vec<(String, String)> {
        let chosen = self.values.iter().filter(|(_, (value, spec))| *value != spec.default_value());
        chosen.map(|(name, (value, _))| ((*name).to_owned(), value.to_string())).collect()
    }

    /// Returns the value of an option of this solver.
    ///
    /// # Panics
    /// Panics if the option is not in the solver's table, which is a mistake in the solver.
    pub fn get<T: Copy>(&self, key: OptionKey<T>) -> T {
        let name = key.spec.name;
        let value = self.value(name).and_then(key.read);
        value.unwrap_or_else(|| panic!("no such option {name} in the table"))
    }

    /// Returns the value of the option with this name, if there is one.
    pub fn value(&self, name: &str) -> Option<OptionValue> {
        self.values.get(name).map(|(value, _)| *value)
    }

    fn unknown(&self, name: &str) -> OptionError {
        let names: Vec<_> = self.values.keys().copied().collect();
        let known: Vec<_> = names.iter().copied().filter(|name| !is_of_grading(name)).collect();
        OptionError::Unknown {
            name: crate::input::printable(name.as_bytes(), 40),
            hint: meant(name, &names),
            known: known.join(", "),
        }
    }
}
