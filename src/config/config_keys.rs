//! Keys of the configuration: a [`Declared`] reads a key, checks it, prints it and describes it as a JSON Schema.
//!
//! A section is a struct that [`section!`] defines. Each field declares a key: its type, the values that it accepts,
//! and its default. The field's documentation also goes into the schema.

use std::path::PathBuf;

use serde_json::{Value as Json, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use toml::Value;
use toml::de::DeValue;

use super::accounts::group_id;
use super::toml_reader::{KeyValue, Table, quoted};
use tabuleiro_puzzles::solver::{Kind, OptionSpec, OptionValue, Range, Values, did_you_mean};

/// A duration, as precisely as a schema can express it.
const DURATION_PATTERN: &str = "^([0-9]+ *[A-Za-zµ]+ *)+$";
/// A moment, or the empty string.
const MOMENT_PATTERN: &str =
    r"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))?$";
/// A size, as precisely as a schema can express it.
const SIZE_PATTERN: &str = r"^[0-9]+(\.[0-9]+)? *([kKmMgGtTpP]i?)?[bB]?$";

/// The longest path that the system accepts, in bytes.
pub(super) const PATH_BYTES_MAX: usize = 4095;

type Read<T> = Box<dyn Fn(&KeyValue<'_, '_>) -> Option<T>>;
type Show<T> = Box<dyn Fn(&T) -> Value>;

/// The declaration of a key: the values that it accepts, and its default.
pub(super) struct Declared<T> {
    default: T,
    /// What an error message says after "expected".
    expected: String,
    /// The accepted values as a JSON Schema.
    rule: Json,
    /// The accepted words. For a misspelt word, an error suggests the nearest.
    words: &'static [&'static str],
    is_required: bool,
    needs_restart: bool,
    read: Read<T>,
    show: Show<T>,
}

/// A key with its value in one configuration.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) value: Value,
    /// The JSON Schema of the key, with its description and default.
    pub(super) rule: Json,
    /// Whether the key has no default.
    pub(super) is_required: bool,
    /// Whether a new value takes effect only after a restart.
    pub(super) needs_restart: bool,
}

impl<T: 'static> Declared<T> {
    /// Declares a key that accepts the values for which `read` returns `Some`. `expected` describes these values in
    /// words, `rule` as a schema.
    pub(super) fn new(
        default: T,
        expected: impl Into<String>,
        rule: Json,
        read: impl Fn(&KeyValue<'_, '_>) -> Option<T> + 'static,
        show: impl Fn(&T) -> Value + 'static,
    ) -> Self {
        Self {
            default,
            expected: expected.into(),
            rule,
            words: &[],
            is_required: false,
            needs_restart: false,
            read: Box::new(read),
            show: Box::new(show),
        }
    }

    /// Returns the declaration for a key that is read only when the service starts.
    pub(super) fn after_restart(self) -> Self {
        Self { needs_restart: true, ..self }
    }

    /// Returns the declaration with another default.
    pub(super) fn with_default(self, default: T) -> Self {
        Self { default, ..self }
    }

    /// Returns the declaration for a required key; the default then only stands in for a wrong or missing value.
    pub(super) fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Returns the value of `key`, or the default if it is missing or wrong.
    pub(super) fn read(self, table: &mut Table<'_, '_>, key: &'static str) -> T {
        let Some(found) = table.take(key) else {
            if self.is_required {
                table.report_missing(key);
            }
            return self.default;
        };
        (self.read)(&found).unwrap_or_else(|| {
            let hint = did_you_mean(found.value().as_str().unwrap_or_default(), self.words);
            found.reject(&format!("{}{hint}", self.expected));
            self.default
        })
    }

    /// Returns the key with this name, description and value.
    pub(super) fn key(self, name: &'static str, about: &str, value: &T) -> Key {
        let Self { expected, mut rule, is_required, needs_restart, .. } = self;
        let about = about.trim().trim_end_matches('.');
        let restart = if needs_restart { "; takes effect after a restart" } else { "" };
        rule["description"] = json!(format!("{about}{restart}: {expected}."));
        if !is_required {
            rule["default"] = json!((self.show)(&self.default));
        }
        Key { name, value: (self.show)(value), rule, is_required, needs_restart }
    }
}

/// Declares a key that holds a word, a number, a flag, a duration or a size.
pub(super) fn scalar<T: Copy + 'static>(default: T, values: Values<T>) -> Declared<T> {
    let Values { kind, from, to } = values;
    let read = move |found: &KeyValue<'_, '_>| from(kind.parse(&found.scalar()?)?);
    let show = move |value: &T| toml(to(&kind, *value));
    Declared { words: kind.words, ..Declared::new(default, kind.to_string(), rule(&kind), read, show) }
}

/// Declares an option of a solver.
pub(super) fn option(spec: &OptionSpec) -> Declared<OptionValue> {
    scalar(spec.default_value(), Values { kind: spec.kind, from: Some, to: |_, value| value })
}

/// Returns a value as TOML.
pub(super) fn toml(value: OptionValue) -> Value {
    match value {
        OptionValue::Flag(flag) => flag.into(),
        OptionValue::Fraction(fraction) => fraction.into(),
        // TOML guarantees only 63 bits.
        OptionValue::Integer(number) => {
            i64::try_from(number).map_or_else(|_| number.to_string().into(), Value::Integer)
        }
        value => value.to_string().into(),
    }
}

/// Returns the JSON Schema of the values of a kind.
fn rule(kind: &Kind) -> Json {
    let rule = match kind.range {
        Range::Nothing => return json!({ "enum": kind.words }),
        Range::Flag => json!({ "type": "boolean" }),
        Range::Integer { min, max } | Range::PowerOfTwo { min, max } => match i64::try_from(max) {
            Ok(max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            // TOML guarantees only 63 bits; a larger number is written as a string.
            Err(_) => {
                json!({ "anyOf": [{ "type": "integer", "minimum": min }, { "const": max.to_string() }] })
            }
        },
        Range::Fraction => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Range::Duration { .. } => json!({ "type": "string", "pattern": DURATION_PATTERN }),
        Range::Size { min, max } => json!({ "anyOf": [
            { "type": "string", "pattern": SIZE_PATTERN },
            { "type": "integer", "minimum": min, "maximum": max },
        ] }),
    };
    if kind.words.is_empty() { rule } else { json!({ "anyOf": [{ "enum": kind.words }, rule] }) }
}

/// Declares a string that `parse` accepts.
pub(super) fn text<T: 'static>(
    default: T,
    expected: impl Into<String>,
    rule: Json,
    parse: impl Fn(&str) -> Option<T> + 'static,
    show: impl Fn(&T) -> String + 'static,
) -> Declared<T> {
    let read = move |found: &KeyValue<'_, '_>| found.value().as_str().and_then(&parse);
    Declared::new(default, expected, rule, read, move |value| show(value).into())
}

/// Declares a string that `parse` accepts, or the empty string for `None`.
pub(super) fn text_or_nothing<T: 'static>(
    expected: &str,
    rule: Json,
    parse: impl Fn(&str) -> Option<T> + 'static,
    show: fn(&T) -> String,
) -> Declared<Option<T>> {
    let parse = move |text: &str| if text.is_empty() { Some(None) } else { parse(text).map(Some) };
    text(None, expected, rule, parse, move |value| value.as_ref().map(show).unwrap_or_default())
}

/// Declares a path that `is_one` accepts, or the empty string for none. `pattern` states the same condition in the
/// schema.
pub(super) fn path_or_nothing(
    expected: &str,
    pattern: Option<&str>,
    is_one: impl Fn(&str) -> bool + 'static,
) -> Declared<Option<PathBuf>> {
    let mut rule = json!({ "type": "string", "maxLength": PATH_BYTES_MAX });
    if let Some(pattern) = pattern {
        rule["pattern"] = json!(pattern);
    }
    let parse = move |path: &str| path_of(path).filter(|_| is_one(path));
    text_or_nothing(expected, rule, parse, |path| path.to_string_lossy().into_owned())
}

/// Declares any path, or the empty string for none.
pub(super) fn any_path(expected: &str) -> Declared<Option<PathBuf>> {
    path_or_nothing(expected, None, |_| true)
}

/// Converts a text into a path. Returns `None` if the system accepts no such path.
pub(super) fn path_of(text: &str) -> Option<PathBuf> {
    (!text.is_empty() && text.len() <= PATH_BYTES_MAX && !text.contains('\0')).then(|| text.into())
}

/// Declares a moment, as a TOML date or in quotes, or the empty string for none. An offset from UTC is required, since
/// the service may run in another time zone than the people concerned.
pub(super) fn moment_or_nothing() -> Declared<Option<OffsetDateTime>> {
    let read = |found: &KeyValue<'_, '_>| {
        let text = match found.value() {
            DeValue::Datetime(time) => time.to_string(),
            value => value.as_str()?.to_owned(),
        };
        if text.is_empty() { Some(None) } else { OffsetDateTime::parse(&text, &Rfc3339).ok().map(Some) }
    };
    let show = |time: &Option<OffsetDateTime>| {
        time.and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default().into()
    };
    let expected = "a time with its offset from UTC, such as \"2026-12-01T23:59:00-03:00\", or \"\" for none";
    Declared::new(None, expected, json!({ "type": "string", "pattern": MOMENT_PATTERN }), read, show)
}

/// Declares permission bits.
pub(super) fn mode(default: u32) -> Declared<u32> {
    let expected =
        "octal digits in quotes, from \"0600\" to \"0777\", with reading and writing for the owner";
    let parse = |text: &str| {
        let digits = matches!(text.len(), 3 | 4) && text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
        let mode = u32::from_str_radix(text, 8).ok()?;
        (digits && (0o600..=0o777).contains(&mode)).then_some(mode)
    };
    let rule = json!({ "type": "string", "pattern": "^0?[67][0-7][0-7]$" });
    text(default, expected, rule, parse, |mode| format!("{mode:04o}"))
}

/// Declares a group by name or number; the empty string stands for the daemon's own group. `without` says, as part of a
/// warning, what goes wrong if the machine has no such group.
pub(super) fn group(without: &'static str) -> Declared<Option<String>> {
    let expected = "the name of a group, or \"\" for the daemon's own";
    let rule = json!({ "type": "string", "maxLength": 64, "pattern": "^[^\\s:/]*$" });
    let is_forbidden = |c: char| c.is_control() || c.is_whitespace() || c == ':' || c == '/';
    let read = move |found: &KeyValue<'_, '_>| {
        let name = found.value().as_str().filter(|name| name.len() <= 64 && !name.contains(is_forbidden))?;
        let group = Some(name.to_owned()).filter(|name| !name.is_empty());
        if group.is_some() && matches!(group_id(name), Ok(None)) {
            let name = quoted(name);
            found.warn(&format!(
                "this machine has no group '{name}', so {without}; make it with `groupadd {name}`, or write \
                 one of /etc/group, or a number"
            ));
        }
        Some(group)
    };
    let show = |group: &Option<String>| group.clone().unwrap_or_default().into();
    Declared::new(None, expected, rule, read, show)
}

/// Returns the JSON Schema of a section with these keys.
pub(super) fn section_rule(about: &str, keys: Vec<Key>) -> Json {
    let required: Vec<_> = keys.iter().filter(|key| key.is_required).map(|key| key.name).collect();
    let properties: serde_json::Map<_, _> =
        keys.into_iter().map(|key| (key.name.to_owned(), key.rule)).collect();
    let mut rule = json!({
        "type": "object",
        "description": about.trim(),
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        rule["required"] = required.into();
    }
    rule
}

/// A section of the configuration. [`section!`] implements this trait.
pub(super) trait Section: Sized {
    /// The description of the section.
    const ABOUT: &'static str;

    /// Reads the section; a key that is missing or wrong gets its default.
    fn read(table: &mut Table<'_, '_>) -> Self;

    /// Returns the keys in the order in which they are printed.
    fn keys(&self) -> Vec<Key>;
}

/// Defines the struct of a section and implements [`Section`] for it. A field is declared by `FIELD: TYPE = DECLARED`,
/// or by `FIELD as "KEY": TYPE = DECLARED` if the key has another name.
macro_rules! section {
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    ($(#[doc = $about:literal])* pub struct $name:ident {
        $($(#[doc = $doc:literal])* pub $field:ident $(as $key:literal)?: $type:ty = $declared:expr,)*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name { $($(#[doc = $doc])* pub $field: $type,)* }

        impl $crate::config::config_keys::Section for $name {
            const ABOUT: &'static str = concat!($($about),*);

            fn read(table: &mut $crate::config::toml_reader::Table<'_, '_>) -> Self {
                Self { $($field: $declared.read(table, section!(@key $field $($key)?)),)* }
            }

            fn keys(&self) -> Vec<$crate::config::config_keys::Key> {
                vec![$($declared.key(section!(@key $field $($key)?), concat!($($doc),*), &self.$field)),*]
            }
        }
    };
}
pub(super) use section;
