//! Languages, and for each of them a catalogue with the text of every message.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{Entry, Message};
use unic_langid::LanguageIdentifier;

use super::message::{Argument, Phrase};

/// The largest number that a catalogue counts exactly. Larger numbers are always plural.
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
}

impl Phrase {
    /// Returns the message with this name and these arguments. `None` if the catalogues have no such message, or if its
    /// arguments differ.
    pub(crate) fn known(scope: &str, name: &str, arguments: Vec<(String, Argument)>) -> Option<Self> {
        let (id, text) = ENGLISH.texts.get_key_value(format!("{scope}-{name}").as_str())?;
        let names = arguments_of(text);
        let mut taken: Vec<(&'static str, Argument)> = Vec::with_capacity(names.len());
        for (name, argument) in arguments {
            let name = names.iter().find(|known| **known == name)?;
            let is_new = taken.iter().all(|(other, _)| other != name);
            is_new.then(|| taken.push((name, argument)))?;
        }
        let (scope, name) = (&id[..scope.len()], &id[scope.len() + 1..]);
        (taken.len() == names.len()).then_some(Self { scope, name, arguments: taken })
    }
}

/// Returns the texts of a catalogue by their IDs. A text reaches from a line that begins with a letter to the next such
/// line or comment.
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

/// Returns the names of the arguments in a text.
fn arguments_of(text: &'static str) -> Vec<&'static str> {
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
    /// The functions and the language. It has no messages: parsing all of them would take longer than most commands, so
    /// each is parsed when it is said.
    bundle: FluentBundle<FluentResource>,
    texts: HashMap<&'static str, &'static str>,
}

static ENGLISH: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new("en", "and", include_str!("en.ftl")));
/// By the rule of "pt-PT", 0 is plural: `0 erros`. That of "pt" counts it as one.
static PORTUGUESE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::new("pt-PT", "e", include_str!("pt.ftl")));

impl Language {
    /// Returns the source text of the catalogue.
    pub fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("en.ftl"),
            Self::Portuguese => include_str!("pt.ftl"),
        }
    }

    /// Returns the text of the message `id`; `find` supplies each argument by name. `None` if the catalogues lack the
    /// message or `find` lacks an argument.
    pub fn text_of(self, id: &str, find: impl Fn(&str) -> Option<Argument>) -> Option<String> {
        let (id, text) = ENGLISH.texts.get_key_value(id)?;
        let (scope, name) = id.split_once('-')?;
        let names = arguments_of(text).into_iter();
        let arguments = names.map(|name| Some((name, find(name)?))).collect::<Option<_>>()?;
        Some(self.say(&Phrase { scope, name, arguments }))
    }

    /// Returns a message as text.
    pub fn say(self, phrase: &Phrase) -> String {
        match self {
            Self::English => &ENGLISH,
            Self::Portuguese => &PORTUGUESE,
        }
        .say(phrase)
    }
}

impl Catalogue {
    /// Creates a catalogue. `and` is what stands before the last item of a list.
    fn new(language: &str, and: &'static str, text: &'static str) -> Self {
        let language: LanguageIdentifier = language.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Isolation marks would appear around every number in people's files.
        bundle.set_use_isolating(false);
        // `bundle` is new, so neither name is taken.
        let _ = bundle.add_function("SPAN", |bounds, _| span(bounds).into());
        let _ = bundle.add_function("LIST", move |items, _| listed(items, and).into());
        Self { bundle, texts: texts_in(text) }
    }

    /// Returns a message as text; its ID if the catalogue lacks it or its text is wrong, which a test reports.
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

/// Returns how many lines there are from the first bound to the second: `one`, `two` or `more`. The function `SPAN` of the
/// catalogues, so that they say `lines 1 and 2`, and `lines 1 to 3`.
fn span(bounds: &[FluentValue<'_>]) -> &'static str {
    let [FluentValue::Number(from), FluentValue::Number(to)] = bounds else { return "more" };
    match to.value - from.value {
        ..0.5 => "one",
        ..1.5 => "two",
        _ => "more",
    }
}

/// Returns `6, 10 and 14` for `6, 10, 14`. A list that goes on has no last item. The function `LIST` of the catalogues.
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
