//! Checks that every message that the code declares has a text in every language, with all its arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use tabuleiro_puzzles::words::Language;

use crate::stated::workspace;

/// Names of messages, each with the names of its arguments.
type Messages = BTreeMap<String, BTreeSet<String>>;

/// Collects the messages that the macro `messages!` declares anywhere.
#[derive(Default)]
struct Declared(Messages);

impl<'ast> Visit<'ast> for Declared {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.is_ident("messages") {
            self.read(call.tokens.clone());
        }
    }
}

impl Declared {
    fn read(&mut self, tokens: TokenStream) {
        let mut scope = None;
        for token in tokens {
            match token {
                TokenTree::Literal(literal) if scope.is_none() => scope = Some(unquoted(&literal)),
                TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace => {
                    self.read_names(scope.as_deref().expect("the scope comes first"), group.stream());
                }
                _ => {}
            }
        }
    }

    /// Parses `Name = "name" { argument: Type, … }, …`.
    fn read_names(&mut self, scope: &str, tokens: TokenStream) {
        let mut name = None;
        for token in tokens {
            match token {
                TokenTree::Literal(literal) => {
                    let full = format!("{scope}-{}", unquoted(&literal));
                    assert!(
                        self.0.insert(full.clone(), BTreeSet::new()).is_none(),
                        "{full} is declared twice"
                    );
                    name = Some(full);
                }
                TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace => {
                    let arguments = arguments(group.stream());
                    self.0.insert(name.clone().expect("its name comes before its arguments"), arguments);
                }
                _ => {}
            }
        }
    }
}

/// Returns the names before a single colon, not before `::`.
fn arguments(tokens: TokenStream) -> BTreeSet<String> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':');
    let names = tokens.windows(3).filter_map(|three| match three {
        [TokenTree::Ident(name), colon, next] if is_colon(colon) && !is_colon(next) => Some(name.to_string()),
        _ => None,
    });
    names.collect()
}

fn unquoted(literal: &proc_macro2::Literal) -> String {
    literal.to_string().trim_matches('"').to_owned()
}

fn declared() -> Messages {
    let mut declared = Declared::default();
    let mut folders = vec![workspace().join("src")];
    let crates = fs::read_dir(workspace().join("crates")).unwrap();
    folders.extend(crates.map(|entry| entry.unwrap().path().join("src")));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                declared.visit_file(&syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap());
            }
        }
    }
    declared.0
}

/// Parses the messages of a catalogue: a name at the beginning of a line, and the indented lines below it.
fn written(language: Language) -> Messages {
    let mut messages = Messages::new();
    let mut name = String::new();
    for line in language.source().lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if !line.starts_with([' ', '}']) {
            line.split_once(" = ").expect("NAME = text").0.clone_into(&mut name);
            assert!(messages.insert(name.clone(), BTreeSet::new()).is_none(), "{name} stands twice");
        }
        for part in line.split('$').skip(1) {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
            messages.get_mut(&name).unwrap().insert(part[..end].to_owned());
        }
    }
    messages
}

#[test]
fn every_message_stands_in_every_language_with_all_its_arguments() {
    let declared = declared();
    assert!(declared.len() > 50, "{declared:#?}");
    for language in [Language::English, Language::Portuguese] {
        let written = written(language);
        for (name, arguments) in &declared {
            let text = written.get(name).unwrap_or_else(|| panic!("{language:?} lacks {name}"));
            assert_eq!(text, arguments, "{name} in {language:?}");
        }
        // Other tests match the texts of the log with its events, and the texts of rules with their examples.
        let is_idle = |name: &&String| {
            let is_elsewhere = name.starts_with("log-") || name.starts_with("explain-");
            !declared.contains_key(*name) && !is_elsewhere
        };
        let idle: Vec<_> = written.keys().filter(is_idle).collect();
        assert!(idle.is_empty(), "nobody says these in {language:?}: {idle:?}");
    }
    assert_eq!(written(Language::English), written(Language::Portuguese));
}

/// Fluent silently skips what it cannot parse, so this test requires that it parses everything.
#[test]
fn the_catalogues_are_without_mistakes() {
    for language in [Language::English, Language::Portuguese] {
        let source = language.source().to_owned();
        if let Err((_, errors)) = fluent_bundle::FluentResource::try_new(source) {
            panic!("{language:?}: {errors:?}");
        }
    }
}
