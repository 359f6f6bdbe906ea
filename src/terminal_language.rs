//! The language of the program's output at a terminal: messages on standard error, `check`, summaries, the text log.
//!
//! Results and reports have a separate language, which the configuration, the route or the file sets. On the command
//! line, `--language` sets that one as well.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::OnceLock;

use tabuleiro_puzzles::words::Language;

/// The POSIX variables that name the locale. An earlier one overrides a later one.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

static CHOSEN: OnceLock<Language> = OnceLock::new();

/// Returns the language of `--language`, or else the language of the environment.
pub fn terminal_language() -> Language {
    chosen_language().unwrap_or_else(|| of_environment(|name| std::env::var_os(name)))
}

/// Returns the language of `--language`, if it was given.
pub fn chosen_language() -> Option<Language> {
    CHOSEN.get().copied()
}

/// Sets the language of `--language`. This has no effect if a language was already set.
pub fn choose_language(language: Language) {
    let _ = CHOSEN.set(language);
}

/// Returns whether to use colours on a stream: it is a terminal that supports them, and `NO_COLOR` is unset or empty.
pub fn shows_colours(stream: &impl IsTerminal) -> bool {
    let is_empty = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    stream.is_terminal() && is_empty("NO_COLOR") && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// Returns the language of the first variable that is not empty.
fn of_environment(variable: impl Fn(&str) -> Option<OsString>) -> Language {
    let locale = VARIABLES.iter().filter_map(|name| variable(name)).find(|locale| !locale.is_empty());
    let is_portuguese =
        locale.is_some_and(|locale| locale.as_encoded_bytes().to_ascii_lowercase().starts_with(b"pt"));
    if is_portuguese { Language::Portuguese } else { Language::English }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let of = |set: &[(&str, &str)]| {
            of_environment(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
        };
        assert_eq!(of(&[]), Language::English);
        assert_eq!(of(&[("LANG", "pt_BR.UTF-8")]), Language::Portuguese);
        assert_eq!(of(&[("LANG", "pt_BR.UTF-8"), ("LC_ALL", "C")]), Language::English);
        assert_eq!(of(&[("LANG", "pt_PT"), ("LC_ALL", ""), ("LC_TIME", "C")]), Language::Portuguese);
        assert_eq!(of(&[("LC_MESSAGES", "pt"), ("LANG", "en_GB")]), Language::Portuguese);
    }
}
