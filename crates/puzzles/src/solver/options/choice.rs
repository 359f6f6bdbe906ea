//! A choice among a few words: an enum from the table of its words.

/// An enum each of whose values is written as a word. The macro `choice!` makes one.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every word with its meaning, the default first; in order of size where the choice is a limit.
    const ALL: &'static [(&'static str, Self)];
    /// The words alone.
    const WORDS: &'static [&'static str];

    /// The word for this value.
    #[must_use]
    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }

    /// The value for a word.
    #[must_use]
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }
}

/// Makes an enum and the words for its values, from one table:
/// `choice! { /// Who goes first. enum Tie { /// Who was ahead. Previous = "previous-round", … } }`.
#[macro_export]
macro_rules! choice {
    ($(#[$about:meta])* $vis:vis enum $name:ident {
        $($(#[$meaning:meta])* $value:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name { $($(#[$meaning])* $value),+ }

        impl $crate::solver::Choice for $name {
            const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$value)),+];
            const WORDS: &'static [&'static str] = &[$($word),+];
        }
    };
}
pub use choice;
