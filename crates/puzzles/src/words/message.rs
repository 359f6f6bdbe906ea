//! Messages as data: the name of a message and its arguments.

use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A message: its name and its arguments. The macro `messages!` declares which messages exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Phrase {
    /// The part of the program that the message belongs to. Names are unique within a scope.
    pub scope: &'static str,
    /// The stable name, for example `square-value`. For a mistake in a puzzle, the name is the rule that is broken.
    pub name: &'static str,
    /// The arguments, by name.
    pub arguments: Vec<(&'static str, Argument)>,
}

/// An argument of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Argument {
    /// A number.
    Number(u128),
    /// A printable text that is the same in all languages, such as a token of a file.
    Text(String),
    /// Another message.
    Phrase(Phrase),
}

/// Accepts only messages that the catalogues have, with all their arguments.
impl<'de> Deserialize<'de> for Phrase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Sent {
            scope: String,
            name: String,
            arguments: Vec<(String, Argument)>,
        }

        let Sent { scope, name, arguments } = Sent::deserialize(deserializer)?;
        let known = Self::from_parts(&scope, &name, arguments);
        known.ok_or_else(|| D::Error::custom("no message of the catalogues"))
    }
}

/// Serialises the arguments of a message for programs, as an object.
pub(crate) struct Data<'a>(pub &'a [(&'static str, Argument)]);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, argument)| (name, ArgumentData(argument))))
    }
}

/// Serialises an argument as a number, a string, or an object with the name and arguments of a message. A number that
/// does not fit in 64 bits becomes a string.
struct ArgumentData<'a>(&'a Argument);

impl Serialize for ArgumentData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Argument::Number(number) => match u64::try_from(*number) {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.collect_str(number),
            },
            Argument::Text(text) => serializer.serialize_str(text),
            Argument::Phrase(phrase) => {
                let mut map = serializer.serialize_map(Some(1 + phrase.arguments.len()))?;
                map.serialize_entry("name", phrase.name)?;
                for (name, argument) in &phrase.arguments {
                    map.serialize_entry(name, &Self(argument))?;
                }
                map.end()
            }
        }
    }
}

macro_rules! argument_from {
    ($($from:ty: $value:ident => $argument:expr),+ $(,)?) => {
        $(impl From<$from> for Argument {
            fn from($value: $from) -> Self {
                $argument
            }
        })+
    };
}
argument_from! {
    u128: number => Self::Number(number),
    u64: number => Self::Number(number.into()),
    u32: number => Self::Number(number.into()),
    usize: number => Self::Number(number as u128),
    String: text => Self::Text(text),
    &str: text => Self::Text(text.to_owned()),
    Phrase: phrase => Self::Phrase(phrase),
}

/// `None` becomes an empty string.
impl<T: Into<Phrase>> From<Option<T>> for Argument {
    fn from(phrase: Option<T>) -> Self {
        phrase.map_or_else(|| Self::Text(String::new()), |phrase| Self::Phrase(phrase.into()))
    }
}

/// Declares messages: `messages! { "checkers" /// Doc. enum Mistake { /// Doc. Area = "area" { rows: u64 } } }`.
/// The catalogues call this entry `checkers-area`; its text uses every argument.
#[macro_export]
macro_rules! messages {
    ($scope:literal $(#[$about:meta])* $vis:vis enum $name:ident {
        $($(#[$meaning:meta])* $message:ident = $word:literal $({ $($argument:ident: $kind:ty),+ $(,)? })?),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the catalogues say what the arguments are")]
        $vis enum $name { $($(#[$meaning])* $message $({ $($argument: $kind),+ })?),+ }

        impl From<$name> for $crate::words::Phrase {
            fn from(message: $name) -> Self {
                match message {
                    $($name::$message $({ $($argument),+ })? => Self {
                        scope: $scope,
                        name: $word,
                        arguments: vec![$($((stringify!($argument), $argument.into())),+)?],
                    }),+
                }
            }
        }
    };
}
pub use messages;
