//! What a key of the configuration is: a [`Declared`] reads it, checks it, prints it and says it as a JSON Schema.
//!
//! A section is a struct whose fields are its keys, declared once with [`section!`]: a field has its type, the
//! values it takes with their default, and its documentation, which is the schema's too.

use std::io;

use serde_json::{Value as Json, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use toml::Value;
use toml::de::DeValue;

use super::faults::quoted;
use super::toml_reader::{Found, Table};
use tabuleiro_puzzles::solver::{Kind, OptionSpec, OptionValue, Range, Values, did_you_mean};

/// A duration, as far as a schema can say.
const DURATION_PATTERN: &str = "^([0-9]+ *[A-Za-zµ]+ *)+$";
/// A moment, or nothing.
const MOMENT_PATTERN: &str =
    r"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))?$";
/// A size, as far as a schema can say.
const SIZE_PATTERN: &str = r"^[0-9]+(\.[0-9]+)? *([kKmMgGtTpP]i?)?[bB]?$";

type Read<T> = Box<dyn Fn(&Found<'_, '_>) -> Option<T>>;
type Show<T> = Box<dyn Fn(&T) -> Value>;

/// A key as it is declared: the values that it takes, and its default.
pub(super) struct Declared<T> {
    default: T,
    /// What an error says that it expected.
    expected: String,
    /// The same as a JSON Schema.
    rule: Json,
    /// The words among which a misspelt one is looked for.
    words: &'static [&'static str],
    is_required: bool,
    needs_restart: bool,
    read: Read<T>,
    show: Show<T>,
}

/// A key with the value it has in one configuration.
pub(super) struct Key {
    /// As it is written.
    pub(super) name: &'static str,
    /// Its value.
    pub(super) value: Value,
    /// Its JSON Schema, with its meaning and its default.
    pub(super) rule: Json,
    /// Whether it has no default.
    pub(super) is_required: bool,
    /// Whether a new value waits for a restart.
    pub(super) needs_restart: bool,
}

impl<T: 'static> Declared<T> {
    /// Values for which `read` gives something. `expected` says in words, and `rule` as a schema, which these are.
    pub(super) fn new(
        default: T,
        expected: impl Into<String>,
        rule: Json,
        read: impl Fn(&Found<'_, '_>) -> Option<T> + 'static,
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

    /// The same, of a key that is read at the start of the service alone.
    pub(super) fn after_restart(self) -> Self {
        Self { needs_restart: true, ..self }
    }

    /// The same with another default.
    pub(super) fn with_default(self, default: T) -> Self {
        Self { default, ..self }
    }

    /// The same, of a key that everybody has to write; the default is for a text that is wrong.
    pub(super) fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The value of `key`; the default when it is missing or wrong.
    pub(super) fn read(self, table: &mut Table<'_, '_>, key: &'static str) -> T {
        let Some(found) = table.take(key) else {
            if self.is_required {
                table.misses(key);
            }
            return self.default;
        };
        (self.read)(&found).unwrap_or_else(|| {
            let hint = did_you_mean(found.value().as_str().unwrap_or_default(), self.words);
            found.wrong(&format!("{}{hint}", self.expected));
            self.default
        })
    }

    /// The key of that name and meaning where it has `value`.
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

/// A word, a number, a flag, a duration or a size.
pub(super) fn scalar<T: Copy + 'static>(default: T, values: Values<T>) -> Declared<T> {
    let Values { kind, from, to } = values;
    let read = move |found: &Found<'_, '_>| from(kind.parse(&found.scalar()?)?);
    let show = move |value: &T| toml(to(&kind, *value));
    Declared { words: kind.words, ..Declared::new(default, kind.to_string(), rule(&kind), read, show) }
}

/// An option of a solver.
pub(super) fn option(spec: &OptionSpec) -> Declared<OptionValue> {
    scalar(spec.default_value(), Values { kind: spec.kind, from: Some, to: |_, value| value })
}

/// A value as TOML.
pub(super) fn toml(value: OptionValue) -> Value {
    match value {
        OptionValue::Flag(flag) => flag.into(),
        OptionValue::Fraction(fraction) => fraction.into(),
        // TOML promises 63 bits only.
        OptionValue::Integer(number) => {
            i64::try_from(number).map_or_else(|_| number.to_string().into(), Value::Integer)
        }
        value => value.to_string().into(),
    }
}

/// The JSON Schema of the values of a kind.
fn rule(kind: &Kind) -> Json {
    let rule = match kind.range {
        Range::Nothing => return json!({ "enum": kind.words }),
        Range::Flag => json!({ "type": "boolean" }),
        Range::Integer { min, max } | Range::PowerOfTwo { min, max } => match i64::try_from(max) {
            Ok(max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            // TOML promises 63 bits only; a larger number is a string.
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

/// A string that `parse` takes.
pub(super) fn text<T: 'static>(
    default: T,
    expected: impl Into<String>,
    rule: Json,
    parse: impl Fn(&str) -> Option<T> + 'static,
    show: impl Fn(&T) -> String + 'static,
) -> Declared<T> {
    let read = move |found: &Found<'_, '_>| found.value().as_str().and_then(&parse);
    Declared::new(default, expected, rule, read, move |value| show(value).into())
}

/// A string that `parse` takes, or the empty one for nothing.
pub(super) fn text_or_nothing<T: 'static>(
    default: Option<T>,
    expected: &str,
    rule: Json,
    parse: fn(&str) -> Option<T>,
    show: fn(&T) -> String,
) -> Declared<Option<T>> {
    let parse = move |text: &str| if text.is_empty() { Some(None) } else { parse(text).map(Some) };
    text(default, expected, rule, parse, move |value| value.as_ref().map(show).unwrap_or_default())
}

/// A moment, as TOML writes it or in quotes, or the empty string for none. Its offset from UTC must be there: the service may run in
/// another time zone than the people whom it concerns.
pub(super) fn moment_or_nothing() -> Declared<Option<OffsetDateTime>> {
    let read = |found: &Found<'_, '_>| {
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

/// Permission bits.
pub(super) fn mode(default: u32) -> Declared<u32> {
    let expected =
        "three octal digits in quotes, from \"0600\" to \"0777\", with reading and writing for the owner";
    let parse = |text: &str| {
        let digits = matches!(text.len(), 3 | 4) && text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
        let mode = u32::from_str_radix(text, 8).ok()?;
        (digits && (0o600..=0o777).contains(&mode)).then_some(mode)
    };
    let rule = json!({ "type": "string", "pattern": "^0?[67][0-7][0-7]$" });
    text(default, expected, rule, parse, |mode| format!("{mode:04o}"))
}

/// A group by name or number; the daemon's where there is none. `without` is what becomes of the service where the machine
/// has no such group.
pub(super) fn group(without: &'static str) -> Declared<Option<String>> {
    let expected = "the name of a group, or \"\" for the daemon's own";
    let rule = json!({ "type": "string", "maxLength": 64, "pattern": "^[^\\s:/]*$" });
    let parse = |name: &str| {
        let is_odd = name.contains(|c: char| c.is_control() || c.is_whitespace() || c == ':' || c == '/');
        (name.len() <= 64 && !is_odd).then(|| name.to_owned())
    };
    let declared = text_or_nothing(None, expected, rule, parse, Clone::clone);
    let read = declared.read;
    let read = move |found: &Found<'_, '_>| {
        let group = read(found)?;
        if let Some(name) = group.as_deref().filter(|name| found.source.is_thorough && is_missing(name)) {
            let name = quoted(name);
            found.warn(&format!(
                "this machine has no group '{name}', so {without}; make it with `groupadd {name}`, or write one that \
                 `getent group` lists"
            ));
        }
        Some(group)
    };
    Declared { read: Box::new(read), ..declared }
}

/// Whether the machine has no group of that name, as far as it tells.
fn is_missing(group: &str) -> bool {
    matches!(group_id(group), Ok(None))
}

/// The number of a group given by name or number; `None` where the machine has none of that name.
///
/// # Errors
/// When the system cannot tell.
pub fn group_id(group: &str) -> io::Result<Option<u32>> {
    if let Ok(number) = group.parse() {
        return Ok(Some(number));
    }
    Ok(nix::unistd::Group::from_name(group)?.map(|group| group.gid.as_raw()))
}

/// The JSON Schema of a section of these keys.
pub(super) fn section_rule(about: &str, keys: Vec<Key>) -> Json {
    let required: Vec<_> = keys.iter().filter(|key| key.is_required).map(|key| key.name).collect();
    let properties: serde_json::Map<_, _> =
        keys.into_iter().map(|key| (key.name.to_owned(), key.rule)).collect();
    json!({
        "type": "object",
        "description": about.trim(),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A section of the configuration. [`section!`] makes one.
pub(super) trait Section: Sized {
    /// What it is about.
    const ABOUT: &'static str;

    /// Reads it; what is missing or wrong has its default.
    fn read(table: &mut Table<'_, '_>) -> Self;

    /// Its keys, in the order in which they are printed.
    fn keys(&self) -> Vec<Key>;
}

/// Makes the struct of a section, and its [`Section`]: `FIELD: TYPE = DECLARED`, or `FIELD as "KEY": TYPE = DECLARED`
/// where the key has another name.
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
