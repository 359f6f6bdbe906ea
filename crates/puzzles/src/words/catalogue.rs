//! Languages, and for each of them a catalogue with the text of every message.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{Entry, Message};
use unic_langid::LanguageIdentifier;

use super::message::{Argument, Phrase};

/// The largest number that a catalogue gets as a number. It gets larger ones as text, and uses the plural for them.
const EXACT_MAX: u128 = 1 << 53;

/// A language of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Portuguese, as it is written in Brazil.
    Portuguese,
}

impl Phrase {
    /// Returns the message as text.
    pub fn say(&self, language: Language) -> String {
        language.say(self)
    }

    /// Returns the message with this name and these arguments. `None` if the catalogues have no such message, or if its
    /// arguments differ.
    pub(crate) fn from_parts(scope: &str, name: &str, arguments: Vec<(String, Argument)>) -> Option<Self> {
        let (id, text) = ENGLISH.texts.get_key_value(format!("{scope}-{name}").as_str())?;
        let mut missing = argument_names(text);
        let mut known = Vec::with_capacity(missing.len());
        for (name, argument) in arguments {
            let at = missing.iter().position(|known| *known == name)?;
            known.push((missing.swap_remove(at), argument));
        }
        let (scope, name) = (&id[..scope.len()], &id[scope.len() + 1..]);
        missing.is_empty().then_some(Self { scope, name, arguments: known })
    }
}

/// Returns the source of each message in a catalogue, by its ID. A message begins with a letter at the start of a line,
/// and ends before the next such line or comment.
fn texts_in(source: &'static str) -> HashMap<&'static str, &'static str> {
    let begins = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase() || c == '#');
    let mut texts = HashMap::new();
    let mut rest = source;
    while !rest.is_empty() {
        let lines = rest.split_inclusive('\n');
        let more: usize = lines.skip(1).take_while(|line| !begins(line)).map(str::len).sum();
        let first = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let (text, behind) = rest.split_at(first + more);
        texts.extend(text.split_once(" =").map(|(id, _)| (id, text)));
        rest = behind;
    }
    texts
}

/// Returns the names of the arguments of a message, given its source.
fn argument_names(text: &'static str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for behind in text.split('$').skip(1) {
        let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(behind.len());
        if !names.contains(&&behind[..end]) {
            names.push(&behind[..end]);
        }
    }
    names
}

/// Displays the message in English, the language of the log.
impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Language::English))
    }
}

impl std::error::Error for Phrase {}

struct Catalogue {
    /// The language and the functions, but no messages. Parsing all messages takes longer than most commands, so each
    /// is parsed when it is needed.
    bundle: FluentBundle<FluentResource>,
    source: &'static str,
    /// The source of each message, by its ID.
    texts: HashMap<&'static str, &'static str>,
}

static ENGLISH: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new("en", "and", include_str!("en.ftl")));
/// In "pt-PT", 0 is plural, as in `0 erros`; in "pt" it is singular.
static PORTUGUESE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::new("pt-PT", "e", include_str!("pt.ftl")));

impl Language {
    fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::English => &ENGLISH,
            Self::Portuguese => &PORTUGUESE,
        }
    }

    /// Returns the source text of the catalogue.
    pub fn source(self) -> &'static str {
        self.catalogue().source
    }

    /// Returns the text of the message `id`; `find` supplies each argument by name. `None` if the catalogues lack the
    /// message or `find` lacks an argument.
    pub fn text_of(self, id: &str, find: impl Fn(&str) -> Option<Argument>) -> Option<String> {
        let (id, text) = ENGLISH.texts.get_key_value(id)?;
        let (scope, name) = id.split_once('-')?;
        let names = argument_names(text).into_iter();
        let arguments = names.map(|name| Some((name, find(name)?))).collect::<Option<_>>()?;
        Some(self.say(&Phrase { scope, name, arguments }))
    }

    /// Returns a message as text.
    pub fn say(self, phrase: &Phrase) -> String {
        self.catalogue().say(phrase)
    }
}

impl Catalogue {
    /// Creates a catalogue. `and` is the word before the last item of a list.
    fn new(language: &str, and: &'static str, source: &'static str) -> Self {
        let language: LanguageIdentifier = language.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // The default surrounds every argument with invisible isolation marks, which would end up in people's files.
        bundle.set_use_isolating(false);
        // `bundle` is new, so neither name is taken.
        let _ = bundle.add_function("SPAN", |bounds, _| span(bounds).into());
        let _ = bundle.add_function("LIST", move |items, _| listed(items, and).into());
        Self { bundle, source, texts: texts_in(source) }
    }

    /// Returns a message as text. If the catalogue lacks the message or its source is wrong, returns its ID. A test
    /// checks that this does not happen.
    fn say(&self, phrase: &Phrase) -> String {
        let id = format!("{}-{}", phrase.scope, phrase.name);
        let text = self.texts.get(id.as_str()).copied().unwrap_or_default().to_owned();
        let parsed = FluentResource::try_new(text).unwrap_or_else(|(parsed, _)| parsed);
        let Some(Entry::Message(Message { value: Some(pattern), .. })) = parsed.entries().next() else {
            return id;
        };
        let mut arguments = FluentArgs::with_capacity(phrase.arguments.len());
        for (name, argument) in &phrase.arguments {
            arguments.set(*name, self.value(argument));
        }
        self.bundle.format_pattern(pattern, Some(&arguments), &mut Vec::new()).into_owned()
    }

    fn value<'a>(&self, argument: &'a Argument) -> FluentValue<'a> {
        match argument {
            Argument::Number(number) if *number <= EXACT_MAX => FluentValue::from(*number as f64),
            Argument::Number(number) => number.to_string().into(),
            Argument::Text(text) => text.as_str().into(),
            Argument::Phrase(phrase) => self.say(phrase).into(),
        }
    }
}

/// Implements the function `SPAN` of the catalogues: returns whether two bounds include `one`, `two` or `more` lines.
/// With it a catalogue says `lines 1 and 2`, but `lines 1 to 3`.
fn span(bounds: &[FluentValue<'_>]) -> &'static str {
    let [FluentValue::Number(from), FluentValue::Number(to)] = bounds else { return "more" };
    match to.value - from.value {
        ..0.5 => "one",
        ..1.5 => "two",
        _ => "more",
    }
}

/// Implements the function `LIST` of the catalogues: returns `6, 10 and 14` for `6, 10, 14`. Returns a list that ends
/// with `…` as it is.
fn listed(items: &[FluentValue<'_>], and: &str) -> String {
    let Some(FluentValue::String(items)) = items.first() else { return String::new() };
    match items.rsplit_once(", ").filter(|(_, last)| *last != "…") {
        Some((before, last)) => format!("{before} {and} {last}"),
        None => items.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_plainly_and_decide_between_one_and_many() {
        let bundle = Catalogue::new(
            "pt-PT",
            "e",
            "x-lines = { $lines ->\n    [one] one line\n   *[other] { $lines } lines\n}\n",
        );
        let say = |lines: u128| {
            bundle.say(&Phrase { scope: "x", name: "lines", arguments: vec![("lines", lines.into())] })
        };
        assert_eq!(say(1), "one line");
        assert_eq!(say(0), "0 lines");
        assert_eq!(say(12_345_678), "12345678 lines");
        assert_eq!(say(u128::MAX), format!("{} lines", u128::MAX));
    }

    #[test]
    fn lists_and_ranges_of_two_have_an_and() {
        let bundle =
            Catalogue::new("en", "and", "x-list = { LIST($lines) }\nx-span = { SPAN($from, $to) }\n");
        let list = |lines: &str| {
            bundle.say(&Phrase { scope: "x", name: "list", arguments: vec![("lines", lines.into())] })
        };
        assert_eq!([list("6"), list("6, 10"), list("6, 10, …")], ["6", "6 and 10", "6, 10, …"]);
        let span = |to: u64| {
            let arguments = vec![("from", 5_u64.into()), ("to", to.into())];
            bundle.say(&Phrase { scope: "x", name: "span", arguments })
        };
        assert_eq!([span(5), span(6), span(7)], ["one", "two", "more"]);
    }
}
