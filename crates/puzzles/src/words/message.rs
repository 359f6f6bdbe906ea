//! Messages as data: the name of a message and its arguments.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A message: its name, and what it is about. The macro `messages!` declares what messages there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// What part of the program says it; names are unique within it.
    pub scope: &'static str,
    /// Its stable name: `square-value`. Of what is wrong with a puzzle it is the rule.
    pub name: &'static str,
    /// Its arguments by their names.
    pub arguments: Vec<(&'static str, Argument)>,
}

/// An argument of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A number.
    Number(u128),
    /// A text that is the same in all languages, such as a token of a file; printable.
    Text(String),
    /// A message of its own.
    Phrase(Phrase),
}

impl Phrase {
    /// Its arguments for machines.
    #[must_use]
    pub fn data(&self) -> impl Serialize + '_ {
        Data(&self.arguments)
    }
}

/// The arguments of a message as an object.
struct Data<'a>(&'a [(&'static str, Argument)]);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, argument) in self.0 {
            map.serialize_entry(name, argument)?;
        }
        map.end()
    }
}

/// A number, a string, or an object with the name and the arguments of a message. A number that doubles cannot hold is a
/// string.
impl Serialize for Argument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => match u64::try_from(*number) {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.collect_str(number),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::Phrase(phrase) => {
                let mut map = serializer.serialize_map(Some(1 + phrase.arguments.len()))?;
                map.serialize_entry("name", phrase.name)?;
                for (name, argument) in &phrase.arguments {
                    map.serialize_entry(name, argument)?;
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

/// Nothing is no text.
impl<T: Into<Phrase>> From<Option<T>> for Argument {
    fn from(phrase: Option<T>) -> Self {
        phrase.map_or_else(|| Self::Text(String::new()), |phrase| Self::Phrase(phrase.into()))
    }
}

/// Declares messages: `messages! { "checkers" /// What is wrong. pub enum Mistake { /// Meaning. Area = "area" { rows: u64 }, } }`.
/// The entry in the catalogues is called `checkers-area`, and all arguments stand in it.
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
