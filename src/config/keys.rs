//! What a key of the configuration is: one [`Kind`] reads it, checks it, prints it and says it as a JSON Schema.
//!
//! A section is a struct whose fields are its keys, declared once with [`section!`]: a field has its type, the
//! kind of its values with their default and range, and its documentation, which is the schema's too.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Value as Json, json};
use toml::Value;
use toml::de::DeValue;

use super::faults::did_you_mean;
use super::reader::{Found, Table, number};
use crate::solver::{Choice, duration as parse_duration, format_size, size as parse_size};

/// What a limit is that there is not.
const NONE: &str = "none";
/// A duration, as far as a schema can say.
pub(super) const DURATION_PATTERN: &str = "^([0-9]+ *[A-Za-zµ]+ *)+$";
/// A size, likewise.
pub(super) const SIZE_PATTERN: &str = r"^[0-9]+(\.[0-9]+)? *([kKmMgGtTpP]i?)?[bB]?$";

type Read<T> = Box<dyn Fn(&Found<'_, '_>) -> Option<T>>;
type Show<T> = Box<dyn Fn(&T) -> Value>;

/// The values that a key takes, and its default.
pub(super) struct Kind<T> {
    default: T,
    /// What an error says that it expected.
    expected: String,
    /// The same as a JSON Schema.
    rule: Json,
    /// The words among which a misspelt one is looked for.
    words: &'static [&'static str],
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
    /// Whether a new value waits for a restart.
    pub(super) needs_restart: bool,
}

impl<T: 'static> Kind<T> {
    /// Values for which `read` gives something. `expected` says in words, and `rule` as a schema, which these are.
    pub(super) fn new(
        default: T,
        expected: impl Into<String>,
        rule: Json,
        read: impl Fn(&Found<'_, '_>) -> Option<T> + 'static,
        show: impl Fn(&T) -> Value + 'static,
    ) -> Self {
        let (read, show) = (Box::new(read), Box::new(show));
        Self { default, expected: expected.into(), rule, words: &[], needs_restart: false, read, show }
    }

    /// The same values, of a key that is read at the start of the service alone.
    pub(super) fn after_restart(self) -> Self {
        Self { needs_restart: true, ..self }
    }

    /// The same values as another type.
    pub(super) fn map<U: 'static>(self, to: fn(T) -> U, from: fn(&U) -> T) -> Kind<U> {
        let Self { default, expected, rule, words, needs_restart, read, show } = self;
        Kind {
            default: to(default),
            expected,
            rule,
            words,
            needs_restart,
            read: Box::new(move |found| read(found).map(to)),
            show: Box::new(move |value| show(&from(value))),
        }
    }

    /// The value of `key`; the default when it is missing or wrong.
    pub(super) fn read(self, table: &mut Table<'_, '_>, key: &'static str) -> T {
        let Some(found) = table.take(key) else { return self.default };
        (self.read)(&found).unwrap_or_else(|| {
            let hint = did_you_mean(found.value().as_str().unwrap_or_default(), self.words);
            found.wrong(&format!("{}{hint}", self.expected));
            self.default
        })
    }

    /// The key of that name and meaning where it has `value`.
    pub(super) fn key(self, name: &'static str, about: &str, value: &T) -> Key {
        let default = json!((self.show)(&self.default));
        let (value, needs_restart) = ((self.show)(value), self.needs_restart);
        let mut rule = self.required(about);
        rule["default"] = default;
        Key { name, value, rule, needs_restart }
    }

    /// The JSON Schema of a key of that meaning that has no default.
    pub(super) fn required(self, about: &str) -> Json {
        let Self { expected, mut rule, needs_restart, .. } = self;
        let about = about.trim().trim_end_matches('.');
        let restart = if needs_restart { "; takes effect after a restart" } else { "" };
        rule["description"] = json!(format!("{about}{restart}: {expected}."));
        rule
    }
}

/// `true` or `false`.
pub(super) fn flag(default: bool) -> Kind<bool> {
    let rule = json!({ "type": "boolean" });
    Kind::new(default, "true or false", rule, |found| found.value().as_bool(), |flag| Value::Boolean(*flag))
}

/// A whole number in a range.
pub(super) fn integer(default: u64, range: RangeInclusive<u64>) -> Kind<u64> {
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    let rule = json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() });
    let read = move |found: &Found<'_, '_>| {
        found.value().as_integer().and_then(number).filter(|number| range.contains(number))
    };
    Kind::new(default, expected, rule, read, |number| Value::Integer(*number as i64))
}

/// A duration in a range.
pub(super) fn duration(default: Duration, range: RangeInclusive<Duration>) -> Kind<Duration> {
    let [low, high] = [range.start(), range.end()].map(|end| humantime::format_duration(*end));
    let expected = format!("a duration from \"{low}\" to \"{high}\"");
    let parse = move |text: &str| parse_duration(text).filter(|value| range.contains(value));
    let rule = json!({ "type": "string", "pattern": DURATION_PATTERN });
    text(default, expected, rule, parse, |value| humantime::format_duration(*value).to_string())
}

/// A duration in a range, or `"none"`.
pub(super) fn duration_or_none(
    default: Option<Duration>,
    range: RangeInclusive<Duration>,
) -> Kind<Option<Duration>> {
    let Kind { expected, read, show, .. } = duration(*range.start(), range);
    let read = move |found: &Found<'_, '_>| match found.value().as_str() {
        Some(NONE) => Some(None),
        _ => read(found).map(Some),
    };
    let show = move |value: &Option<Duration>| value.as_ref().map_or_else(|| NONE.into(), &show);
    let rule = json!({ "type": "string", "pattern": format!("^{NONE}$|{DURATION_PATTERN}") });
    Kind::new(default, format!("{expected}, or \"{NONE}\""), rule, read, show)
}

/// A size in bytes in a range, written with a unit or as a number of bytes.
pub(super) fn size(default: u64, range: RangeInclusive<u64>) -> Kind<u64> {
    let [low, high] = [range.start(), range.end()].map(|end| format_size(*end));
    let rule = json!({ "anyOf": [
        { "type": "string", "pattern": SIZE_PATTERN },
        { "type": "integer", "minimum": range.start(), "maximum": range.end() },
    ] });
    let read = move |found: &Found<'_, '_>| bytes(found.value()).filter(|bytes| range.contains(bytes));
    let expected = format!("a size from \"{low}\" to \"{high}\"");
    Kind::new(default, expected, rule, read, |bytes| format_size(*bytes).into())
}

/// A size, written with a unit or as a number of bytes.
pub(super) fn bytes(value: &DeValue<'_>) -> Option<u64> {
    match value {
        DeValue::String(text) => parse_size(text),
        DeValue::Integer(integer) => number(integer),
        _ => None,
    }
}

/// One of the words of `T`.
pub(super) fn choice<T: Choice>(default: T) -> Kind<T> {
    let words: Vec<_> = T::WORDS.iter().map(|word| format!("\"{word}\"")).collect();
    let expected = format!("one of {}", words.join(", "));
    let kind =
        text(default, expected, json!({ "enum": T::WORDS }), T::from_word, |value| value.word().to_owned());
    Kind { words: T::WORDS, ..kind }
}

/// A string that `parse` takes.
pub(super) fn text<T: 'static>(
    default: T,
    expected: impl Into<String>,
    rule: Json,
    parse: impl Fn(&str) -> Option<T> + 'static,
    show: fn(&T) -> String,
) -> Kind<T> {
    let read = move |found: &Found<'_, '_>| found.value().as_str().and_then(&parse);
    Kind::new(default, expected, rule, read, move |value| show(value).into())
}

/// A string that `parse` takes, or the empty one for nothing.
pub(super) fn text_or_nothing<T: 'static>(
    default: Option<T>,
    expected: &str,
    rule: Json,
    parse: fn(&str) -> Option<T>,
    show: fn(&T) -> String,
) -> Kind<Option<T>> {
    let parse = move |text: &str| if text.is_empty() { Some(None) } else { parse(text).map(Some) };
    let read = move |found: &Found<'_, '_>| found.value().as_str().and_then(parse);
    Kind::new(default, expected, rule, read, move |value| value.as_ref().map(show).unwrap_or_default().into())
}

/// Permission bits.
pub(super) fn mode(default: u32) -> Kind<u32> {
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

/// A group by name or number; the daemon's where there is none.
pub(super) fn group() -> Kind<Option<String>> {
    let expected = "the name of a group, or \"\" for the daemon's own";
    let rule = json!({ "type": "string", "maxLength": 64, "pattern": "^[^\\s:/]*$" });
    let parse = |name: &str| {
        let is_odd = name.contains(|c: char| c.is_control() || c.is_whitespace() || c == ':' || c == '/');
        (name.len() <= 64 && !is_odd).then(|| name.to_owned())
    };
    text_or_nothing(None, expected, rule, parse, Clone::clone)
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

/// Makes the struct of a section, and its [`Section`]: `FIELD: TYPE = KIND`, or `FIELD as "KEY": TYPE = KIND` where
/// the key has another name.
macro_rules! section {
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    ($(#[doc = $about:literal])* pub struct $name:ident {
        $($(#[doc = $doc:literal])* pub $field:ident $(as $key:literal)?: $type:ty = $kind:expr,)*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name { $($(#[doc = $doc])* pub $field: $type,)* }

        impl $crate::config::keys::Section for $name {
            const ABOUT: &'static str = concat!($($about),*);

            fn read(table: &mut $crate::config::reader::Table<'_, '_>) -> Self {
                Self { $($field: $kind.read(table, section!(@key $field $($key)?)),)* }
            }

            fn keys(&self) -> Vec<$crate::config::keys::Key> {
                vec![$($kind.key(section!(@key $field $($key)?), concat!($($doc),*), &self.$field)),*]
            }
        }
    };
}
pub(super) use section;
