//! Shows the lines of an invalid puzzle as they stand in the file, with the mistake marked.

use std::io;

use super::page_writer::Words;
use crate::Rejection;
use tabuleiro_puzzles::picture::{Markup, Page, html};
use tabuleiro_puzzles::solver::{Excerpt, Problem};
use tabuleiro_puzzles::words::Language;

/// Returns the lines of a problem with the mistake marked. The message stands below, unless `is_told` says that the
/// page has it already.
pub fn excerpt(problem: &Problem, language: Language, is_told: bool) -> Markup {
    let Some(excerpt) = &problem.excerpt else { return html! {} };
    let wrong = problem.place.line;
    let line = |number: u64, text: &Markup, is_wrong: bool| {
        html! { @if is_wrong { "▶ " } @else { "  " } (format!("{number:>4}")) " │ " (text) "\n" }
    };
    let message = problem.say(language);
    let before = excerpt.text[..excerpt.marked.start].chars().count();
    let width = excerpt.text[excerpt.marked.clone()].chars().count().max(1);
    html! {
        figure {
            pre {
                @for (number, text) in problem.lines.iter().filter(|(number, _)| *number < wrong) {
                    (line(*number, &html! { (text) }, false))
                }
                (line(wrong, &marked(excerpt), true))
                "       │ " (" ".repeat(before)) ("▲".repeat(width)) "\n"
                @for (number, text) in problem.lines.iter().filter(|(number, _)| *number > wrong) {
                    (line(*number, &html! { (text) }, false))
                }
            }
            @if !is_told {
                figcaption { span class="bad" { (message) } }
            }
        }
    }
}

fn marked(Excerpt { text, marked }: &Excerpt) -> Markup {
    html! {
        (text[..marked.start])
        mark { (text[marked.clone()]) }
        (text[marked.end..])
    }
}

impl Rejection {
    /// Returns the page of a rejected file, with an additional remark if there is one.
    pub fn page(&self, file: &str, remark: Option<&str>, language: Language) -> Vec<u8> {
        // Writing to memory does not fail.
        self.write_page(file, remark, language).unwrap_or_default()
    }

    fn write_page(&self, file: &str, remark: Option<&str>, language: Language) -> io::Result<Vec<u8>> {
        let title = Words::Report { file: file.to_owned() }.say(language);
        let mut page = Page::begin(Vec::new(), language, &title)?;
        let help = self.help(language);
        page.write(&html! {
            p class="bad" { strong { (Words::Rejected.say(language)) } ": " (self.line(language)) }
            @if let Some(problem) = self.problem() {
                (excerpt(problem, language, true))
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
}
