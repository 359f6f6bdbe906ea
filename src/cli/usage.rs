//! Help and usage errors: the last part of each help text, and a suggested line for a wrong command line.

use std::error::Error as _;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ErrorKind};

use super::cli_messages::say;
use crate::terminal_language::terminal_language;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::solver::{COMMON, Choice as _, GRADING, OptionSpec, SOLVERS, find};
use tabuleiro_puzzles::words::{Language, messages};

/// The last part of the help of every subcommand, each below a line `== NAME`.
const HELP: &str = include_str!("help.txt");
/// The maximum number of bytes of an argument that is shown.
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
        Similar = "similar" { word: String },
        Help = "help" { command: String },
        /// What to write instead.
        Try = "try" { line: String },
    }
}

/// Returns a command with the last part of the help of all its subcommands. The lines of each paragraph are joined, so
/// that they are wrapped only once, for the terminal.
pub fn with_help(command: Command) -> Command {
    let help = help_of(command.get_name());
    command.after_help(help).mut_subcommands(|subcommand| {
        let help = help_of(subcommand.get_name());
        subcommand.after_help(help)
    })
}

fn help_of(name: &str) -> String {
    let section = HELP.split("== ").find_map(|section| section.strip_prefix(name)?.strip_prefix("\n\n"));
    let mut text = String::new();
    for line in section.unwrap_or_default().trim_end().lines() {
        let begins_paragraph = line.is_empty() || line.starts_with(' ') || text.ends_with("\n\n");
        if !text.is_empty() && !text.ends_with("\n\n") {
            text.push(if begins_paragraph { '\n' } else { ' ' });
        }
        text.push_str(line);
        if line.is_empty() {
            text.push('\n');
        }
    }
    text
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

/// Prints what is wrong with a command line, and the suggested line if there is one.
///
/// # Errors
/// Fails if standard output or standard error cannot be written.
pub fn print_usage_error(error: &clap::Error, args: &[OsString]) -> io::Result<()> {
    match told(error).filter(|_| terminal_language() != Language::English) {
        Some(text) => eprintln_all(&text)?,
        None => error.print()?,
    }
    if error.use_stderr()
        && let Some(line) = instead(error, args)
    {
        eprintln_all(&say(Usage::Try { line }))?;
    }
    Ok(())
}

fn eprintln_all(text: &str) -> io::Result<()> {
    io::Write::write_all(&mut io::stderr(), format!("{text}\n").as_bytes())
}

/// Returns the error in the language of the terminal; `None` if clap's own message is printed.
fn told(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let message = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            Usage::UnknownCommand { found: context(ContextKind::InvalidSubcommand) }
        }
        ErrorKind::UnknownArgument => Usage::UnknownArgument { found: argument },
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let reason = error.source().map(ToString::to_string).unwrap_or_default();
            Usage::WrongValue { found: context(ContextKind::InvalidValue), argument, reason }
        }
        ErrorKind::MissingRequiredArgument => Usage::Missing { arguments: argument },
        ErrorKind::ArgumentConflict => {
            Usage::Conflict { first: argument, second: context(ContextKind::PriorArg) }
        }
        _ => return None,
    };
    let similar = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let similar = similar.into_iter().find_map(|kind| error.get(kind));
    let mut text = say(message);
    text.extend(similar.map(|word| format!("\n{}", say(Usage::Similar { word: word.to_string() }))));
    Some(text + "\n" + &say(Usage::Help { command: "tabuleiro --help".to_owned() }))
}

/// Returns the line that the user probably meant.
fn instead(error: &clap::Error, args: &[OsString]) -> Option<String> {
    let words: Vec<_> = args.iter().map(|word| printable(word.as_encoded_bytes(), SHOWN_BYTES_MAX)).collect();
    let invalid = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let is_file = |word: &str| !word.starts_with('-') && (has_ending(word) || Path::new(word).is_file());
    match (error.kind(), words.get(1)?.as_str()) {
        (ErrorKind::InvalidSubcommand, first) if is_file(first) => {
            Some(format!("tabuleiro solve {}", words[1..].join(" ")))
        }
        (ErrorKind::UnknownArgument, command) => {
            let invalid = invalid?;
            let at =
                words.iter().position(|word| *word == invalid || word.starts_with(&format!("{invalid}=")))?;
            if let Some(name) = invalid.strip_prefix("--") {
                return set_instead(&words, at, name);
            }
            let is_output = matches!(command, "solve" | "show") && is_file(&invalid);
            let before = words[..at].join(" ");
            let behind = words[at + 1..].iter().fold(String::new(), |text, word| text + " " + word);
            is_output.then(|| format!("{} -o {invalid}{behind}", before.replacen(&words[0], "tabuleiro", 1)))
        }
        (ErrorKind::ValueValidation | ErrorKind::InvalidValue, "generate") => {
            let [count, solver] = words.get(2..4)? else { return None };
            let is_swapped = count.parse::<u64>().is_ok() && find(solver).is_some();
            is_swapped.then(|| {
                let rest = words[4..].iter().fold(String::new(), |text, word| text + " " + word);
                format!("tabuleiro generate {solver} {count}{rest}")
            })
        }
        _ => None,
    }
}

fn has_ending(word: &str) -> bool {
    let ending = Path::new(word).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("txt") || ending.eq_ignore_ascii_case("zip"))
}

/// Returns the line with `--set NAME=VALUE` if an option of a solver was written as an option of the command line.
fn set_instead(words: &[String], at: usize, option: &str) -> Option<String> {
    let name = option.replace('-', "_");
    let specs = || SOLVERS.iter().flat_map(|solver| solver.options()).chain(COMMON).chain(GRADING);
    let spec: &OptionSpec = specs().find(|spec| spec.name == name)?;
    let (value, taken) = match words[at].split_once('=') {
        Some((_, value)) => (value, 1),
        None => match words.get(at + 1).filter(|next| spec.parse(next).is_ok()) {
            Some(next) => (next.as_str(), 2),
            None if spec.parse("true").is_ok() => ("true", 1),
            None => ("VALUE", 1),
        },
    };
    let set = format!("--set {name}={value}");
    let before = words[1..at].iter().map(String::as_str);
    let line: Vec<_> =
        before.chain([set.as_str()]).chain(words[at + taken..].iter().map(String::as_str)).collect();
    Some(format!("tabuleiro {}", line.join(" ")))
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
