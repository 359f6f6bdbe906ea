//! Help and usage errors: the last part of each help text, and a suggested line for a wrong command line.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::cli_messages::say;
use super::failure::style;
use tabuleiro_jobs::wrapped;
use tabuleiro_puzzles::input::{printable, unaccented};
use tabuleiro_puzzles::solver::{COMMON, Choice as _, GRADING, OptionSpec, SOLVERS, find};
use tabuleiro_puzzles::words::{Language, messages};

/// The last part of each subcommand's help, below a line `== NAME`.
const HELP: &str = include_str!("help.txt");
/// The maximum number of bytes that messages show of an argument.
const SHOWN_BYTES_MAX: usize = 200;

messages! {
    "usage"
    /// What is wrong with a command line, and what to write instead.
    enum Usage {
        UnknownCommand = "unknown-command" { found: String },
        UnknownArgument = "unknown-argument" { found: String },
        WrongValue = "wrong-value" { found: String, argument: String, reason: String },
        Missing = "missing" { arguments: String },
        Conflict = "conflict" { first: String, second: String },
        ValidValues = "valid-values" { words: String },
        Similar = "similar" { word: String },
        SimilarSome = "similar-some" { words: String },
        /// The command's usage line, as clap writes it.
        Line = "line" { line: String },
        Help = "help" { command: String },
        /// What to write instead.
        Try = "try" { line: String },
        OneInput = "one-input",
    }
}

/// Adds the last part of the help to a command and its subcommands. Joins the lines of each paragraph, because clap
/// wraps them for the terminal.
pub fn with_help(command: Command) -> Command {
    let help = help_of(command.get_name());
    command.after_help(help).mut_subcommands(|subcommand| {
        let help = help_of(subcommand.get_name());
        subcommand.after_help(help)
    })
}

fn help_of(name: &str) -> String {
    let section = HELP.split("== ").find_map(|section| section.strip_prefix(name)?.strip_prefix("\n\n"));
    let paragraphs = section.unwrap_or_default().trim_end().split("\n\n").map(|paragraph| {
        // Lines that begin with blanks are examples.
        paragraph.split("\n  ").map(|lines| lines.replace('\n', " ")).collect::<Vec<_>>().join("\n  ")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Returns the language that the command line chooses, even if the rest of the command line is wrong.
pub fn chosen_language(args: &[OsString]) -> Option<Language> {
    let mut words = args.iter().filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--language") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(language) = value.and_then(Language::from_word) {
            return Some(language);
        }
    }
    None
}

/// Prints what is wrong with a command line, and what to write instead if that is known.
///
/// # Errors
/// Fails if standard output or standard error cannot be written.
pub fn print_usage_error(error: &clap::Error, args: &[OsString]) -> io::Result<()> {
    let words: Vec<_> = args.iter().map(|word| printable(word.as_encoded_bytes(), SHOWN_BYTES_MAX)).collect();
    let instead = instead(error, &words);
    let Some(messages) = messages_about(error, instead.is_some()) else { return error.print() };
    let columns = style(&io::stderr()).columns;
    let mut text: String = messages.iter().map(|message| wrapped(message, columns)).collect();
    // A line to copy is not wrapped.
    text.extend(instead.map(|instead| say(instead) + "\n"));
    io::stderr().write_all(text.as_bytes())
}

/// Returns the message that proposes a line.
pub fn try_instead(line: String) -> String {
    say(Usage::Try { line })
}

/// Returns the messages about the error in the language of the terminal, or `None` if clap's own message is good
/// enough. Clap has no Portuguese, and its English message advises users to pass an unknown option as a value.
fn messages_about(error: &clap::Error, has_instead: bool) -> Option<Vec<String>> {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let message = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            Usage::UnknownCommand { found: context(ContextKind::InvalidSubcommand) }
        }
        ErrorKind::UnknownArgument => Usage::UnknownArgument { found: argument },
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let words = || words_of(error, ContextKind::ValidValue).join(", ");
            let reason = error.source().map(ToString::to_string);
            let reason = reason.unwrap_or_else(|| say(Usage::ValidValues { words: words() }));
            Usage::WrongValue { found: context(ContextKind::InvalidValue), argument, reason }
        }
        ErrorKind::MissingRequiredArgument => Usage::Missing { arguments: argument },
        ErrorKind::ArgumentConflict => {
            Usage::Conflict { first: argument, second: context(ContextKind::PriorArg) }
        }
        _ => return None,
    };
    let similar = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let similar = similar.into_iter().map(|kind| words_of(error, kind)).find(|words| !words.is_empty());
    let similar = similar.filter(|_| !has_instead).map(|words| match &words[..] {
        [word] => Usage::Similar { word: word.clone() },
        words => Usage::SimilarSome { words: words.join(", ") },
    });
    let usage = error.get(ContextKind::Usage).filter(|_| !has_instead).map(ToString::to_string);
    let usage = usage.and_then(|usage| Some(usage.split_once(": ")?.1.trim_end().to_owned()));
    let usage = usage.map(|line| Usage::Line { line });
    let help = Usage::Help { command: "tabuleiro --help".to_owned() };
    Some([Some(message), similar, usage, Some(help)].into_iter().flatten().map(say).collect())
}

/// Returns the words of an error's context, such as similar commands.
fn words_of(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    }
}

/// Returns the command line that the user probably meant, if the program accepts it.
fn instead(error: &clap::Error, words: &[String]) -> Option<Usage> {
    // The language can stand before the command.
    let mut begin = 1;
    while let Some(word) = words.get(begin).filter(|word| word.starts_with("--language")) {
        begin += if word.contains('=') { 1 } else { 2 };
    }
    let (before, words) = words.split_at_checked(begin)?;
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let invalid = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let at = words.iter().position(|word| word.split('=').next() == Some(&invalid));
    let line = match (error.kind(), words.first(), at) {
        (ErrorKind::InvalidSubcommand, Some(first), _) if is_file(first) => Some(line(&["solve"], &words)),
        (ErrorKind::UnknownArgument, Some(&("solve" | "show")), Some(at)) if is_file(words[at]) => {
            let files = || (1..at).filter(|&file| !words[file].starts_with('-'));
            let first = files().find(|&file| is_file(words[file]) || find(words[file]).is_some())?;
            // If one of two inputs were proposed as the output, it would be overwritten.
            let is_input = |word: &str| Path::new(word).is_file() && !is_output(word);
            if is_input(words[first]) && is_input(words[at]) {
                return Some(Usage::OneInput);
            }
            two_files(&words, first, at)
        }
        (ErrorKind::UnknownArgument, _, _) => {
            everyday_option(&words).or_else(|| set_instead(&words, at?, invalid.strip_prefix("--")?))
        }
        (ErrorKind::ValueValidation | ErrorKind::InvalidValue, Some(&"generate"), _) => match words[1..] {
            [count, solver, ref rest @ ..] if count.parse::<u64>().is_ok() && find(solver).is_some() => {
                Some(line(&["generate", solver, count], rest))
            }
            _ => None,
        },
        _ => None,
    }?;
    let all: Vec<_> =
        std::iter::once("tabuleiro".to_owned()).chain(before[1..].to_vec()).chain(line).collect();
    super::program().try_get_matches_from(&all).is_ok().then(|| Usage::Try { line: all.join(" ") })
}

fn line(begin: &[&str], rest: &[&str]) -> Vec<String> {
    [begin, rest].concat().into_iter().map(str::to_owned).collect()
}

/// Returns whether a word of the command line names a file.
fn is_file(word: &str) -> bool {
    let ending = Path::new(word).extension();
    let has_ending = || {
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("txt") || ending.eq_ignore_ascii_case("zip"))
    };
    !word.starts_with('-') && (has_ending() || Path::new(word).is_file())
}

/// Returns whether the file has a name that results usually have.
pub fn is_output(word: &str) -> bool {
    let name =
        Path::new(word).file_name().map(|name| unaccented(&name.to_string_lossy())).unwrap_or_default();
    ["saida", "output", "out.", "result", "resposta"].iter().any(|begin| name.starts_with(begin))
}

/// Returns the line with `-o` before the second of two files, or before the first one if their names say that it is the
/// output. If the first word is a solver instead of a file, returns the line with `--solver` before it.
fn two_files(words: &[&str], first: usize, second: usize) -> Option<Vec<String>> {
    let (one, two) = (words[first], words[second]);
    let (input, output) = if is_output(one) && !is_output(two) { (two, one) } else { (one, two) };
    let meant = if find(one).is_some() { ["--solver", one, two] } else { [input, "-o", output] };
    if find(one).is_none() && Path::new(output).is_file() && !is_output(output) {
        return None;
    }
    let mut line = line(&words[..first], &meant);
    line.extend(words[first + 1..second].iter().chain(&words[second + 1..]).map(|word| (*word).to_owned()));
    Some(line)
}

/// Options, each with the words that people write for it, in Portuguese or shortened, without accents.
const EVERYDAY_OPTIONS: [(&str, &[&str]); 7] = [
    ("--fix", &["--corrigir", "--conserta"]),
    ("--language pt", &["--pt"]),
    ("--language en", &["--en"]),
    ("--language", &["--lingua", "--idioma"]),
    ("--output", &["--saida"]),
    ("--input", &["--entrada"]),
    ("--help", &["--ajuda"]),
];

/// Returns the line with everyday options replaced, or `None` if it has none.
fn everyday_option(words: &[&str]) -> Option<Vec<String>> {
    let replaced = |word: &&str| {
        let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let name = unaccented(name);
        let (option, _) = EVERYDAY_OPTIONS.iter().find(|(_, everyday)| everyday.contains(&&*name))?;
        Some(option.split(' ').chain(value).map(str::to_owned).collect::<Vec<_>>())
    };
    let line = words.iter().flat_map(|word| replaced(word).unwrap_or_else(|| vec![(*word).to_owned()]));
    words.iter().any(|word| replaced(word).is_some()).then(|| line.collect())
}

/// Returns the line with `--set NAME=VALUE` if an option of a solver was written as an option of the command line.
fn set_instead(words: &[&str], at: usize, option: &str) -> Option<Vec<String>> {
    let name = option.replace('-', "_");
    let specs = || SOLVERS.iter().flat_map(|solver| solver.options()).chain(COMMON).chain(GRADING);
    let spec: &OptionSpec = specs().find(|spec| spec.name == name)?;
    let (value, taken) = match words[at].split_once('=') {
        Some((_, value)) => (value, 1),
        None => match words.get(at + 1).filter(|next| spec.parse(next).is_ok()) {
            Some(next) => (*next, 2),
            None if spec.parse("true").is_ok() => ("true", 1),
            None => ("VALUE", 1),
        },
    };
    let set = format!("{name}={value}");
    let mut line = line(&words[..at], &["--set", &set]);
    line.extend(words[at + taken..].iter().map(|word| (*word).to_owned()));
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined_and_others_stay() {
        let help = help_of("validate");
        assert!(help.contains("of one line:\n  exec tabuleiro validate \"$@\"\n\nFEEDBACK_DIR"), "{help}");
        assert!(help.lines().count() < 10, "{help}");
    }

    #[test]
    fn the_language_is_found_in_a_wrong_line() {
        let chosen = |line: &str| chosen_language(&line.split(' ').map(Into::into).collect::<Vec<_>>());
        assert_eq!(chosen("tabuleiro x --language pt"), Some(Language::Portuguese));
        assert_eq!(chosen("tabuleiro --language=en x"), Some(Language::English));
        assert_eq!(chosen("tabuleiro --language fr"), None);
    }
}
