//! The page of a rejected file.

use std::io::{self, Write};

use super::lines;
use super::words::Words;
use crate::Rejection;
use tabuleiro_puzzles::picture::{Page, PageWords, html};
use tabuleiro_puzzles::words::{Language, Phrase};

/// Writes the page of a file that was rejected, with what else there is to say.
///
/// # Errors
/// Those of writing.
pub fn write_report<W: Write>(
    out: W,
    rejection: &Rejection,
    file: &str,
    remark: Option<&str>,
    language: Language,
) -> io::Result<W> {
    let say = |words: Words| Phrase::from(words).say(language);
    let title = say(Words::Report { file: file.to_owned() });
    let mut page = Page::begin(out, PageWords { language, title: &title, refresh: None })?;
    let help = rejection.help(language);
    page.write(&html! {
        p class="bad" { strong { (say(Words::Rejected)) } ": " (rejection.say(language)) }
        @if let Some(problem) = rejection.problem() {
            (lines::excerpt(problem, language, true))
        }
        @if let Some(advice) = rejection.advice() {
            p { (advice.say(language)) }
        }
        @for line in help.iter().filter(|line| !line.starts_with(' ')) {
            p { (line) }
        }
        @if help.iter().any(|line| line.starts_with(' ')) {
            pre { @for line in help.iter().filter(|line| line.starts_with(' ')) { (line.trim_start()) "\n" } }
        }
        @if let Some(remark) = remark {
            p { (remark) }
        }
    })?;
    page.finish()
}
