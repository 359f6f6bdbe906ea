//! The lines of a wrong puzzle: as they stand in the file, with what is meant marked, and what was read of its rows as a board.

use std::io::{self, Write};

use super::page_writer::Words;
use crate::Rejection;
use tabuleiro_puzzles::picture::{Frame, Markup, Page, PageWords, Point, SIDE_MAX, html, svg};
use tabuleiro_puzzles::solver::{Excerpt, Problem, Seen};
use tabuleiro_puzzles::words::{Language, Phrase};

/// Units of a square.
const SQUARE: f64 = 34.0;
/// Characters of a number that are shown in a square.
const TOKEN_MAX: usize = 6;

/// The lines of a problem with what is meant marked; the message stands below, unless it was told already.
pub fn excerpt(problem: &Problem, language: Language, is_told: bool) -> Markup {
    let Some(excerpt) = &problem.excerpt else { return html! {} };
    let wrong = problem.place.line;
    let line = |number: u64, text: &Markup, is_wrong: bool| {
        html! { @if is_wrong { "▶ " } @else { "  " } (format!("{number:>4}")) " │ " (text) "\n" }
    };
    let lines = problem.seen.as_ref().map_or(&[][..], |seen| &seen.lines);
    let message = problem.say(language);
    html! {
        figure {
            pre {
                @for (number, text) in lines.iter().filter(|(number, _)| *number < wrong) {
                    (line(*number, &html! { (text) }, false))
                }
                (line(wrong, &marked(excerpt), true))
                "       │ " (" ".repeat(before(excerpt))) ("▲".repeat(width(excerpt))) "\n"
                @for (number, text) in lines.iter().filter(|(number, _)| *number > wrong) {
                    (line(*number, &html! { (text) }, false))
                }
            }
            @if !is_told {
                figcaption { span class="bad" { (message) } }
            }
        }
        @if let Some(board) = problem.seen.as_ref().and_then(|seen| board(problem, seen, language)) {
            figure { (board) }
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

/// Columns before what is meant.
fn before(excerpt: &Excerpt) -> usize {
    excerpt.text[..excerpt.marked.start].chars().count()
}

fn width(excerpt: &Excerpt) -> usize {
    excerpt.text[excerpt.marked.clone()].chars().count().max(1)
}

/// What was read of the rows of a board, up to what is wrong.
fn board(problem: &Problem, seen: &Seen, language: Language) -> Option<Markup> {
    let (first, widths) = seen.rows?;
    // Where the first rows are not at hand, a board of the others would mislead.
    let rows: Vec<_> = seen.lines.iter().filter(|(number, _)| *number >= first).collect();
    if rows.first()?.0 != first {
        return None;
    }
    let read: Vec<_> = rows.iter().take_while(|(number, _)| *number <= problem.place.line).collect();
    let count = read.len().min(SIDE_MAX);
    let expected = |row: usize| usize::try_from(widths[row % 2]).unwrap_or(usize::MAX);
    let columns = (0..count).map(|row| read[row].1.split_whitespace().count().max(expected(row))).max()?;
    let columns = columns.min(SIDE_MAX);
    let frame = Frame {
        width: columns as f64 * SQUARE + 2.0,
        height: count as f64 * SQUARE + 2.0,
        title: say(Words::Read, language),
        description: problem.say(language),
    };
    let squares = read.iter().take(count).enumerate().map(|(row, (number, text))| {
        let at = |column: usize| Point { x: 1.0 + column as f64 * SQUARE, y: 1.0 + row as f64 * SQUARE };
        let is_wrong_line = *number == problem.place.line;
        let mark = problem.excerpt.as_ref().filter(|_| is_wrong_line).map(|excerpt| {
            // What stands before it on its line is a number of tokens.
            excerpt.text[..excerpt.marked.start].trim_start_matches('…').split_whitespace().count()
        });
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let width = tokens.len().max(expected(row)).max(mark.map_or(0, |mark| mark + 1)).min(columns);
        html! {
            @for column in 0..width {
                (square(at(column), tokens.get(column).copied(), mark.map(|mark| column.cmp(&mark))))
            }
        }
    });
    Some(svg(&frame, &html! { @for row in squares { (row) } }))
}

/// A square with what stands there, before, at or behind what is wrong.
fn square(at: Point, token: Option<&str>, side: Option<std::cmp::Ordering>) -> Markup {
    use std::cmp::Ordering::{Equal, Greater};
    let class = match (side, token) {
        (Some(Equal), _) => "read wrong",
        (Some(Greater), _) | (_, None) => "read open",
        _ => "read",
    };
    let side_length = SQUARE - 2.0;
    let text = token.map_or("?".to_owned(), |token| {
        let mut text: String = token.chars().take(TOKEN_MAX).collect();
        if token.chars().nth(TOKEN_MAX).is_some() {
            text.pop();
            text.push('…');
        }
        text
    });
    html! {
        rect class=(class) x=(at.x) y=(at.y) width=(side_length) height=(side_length) {}
        text x=(at.x + side_length / 2.0) y=(at.y + side_length / 2.0) font-size=(font_size(&text)) { (text) }
    }
}

/// Units that a text is high, so that it fits into a square.
fn font_size(text: &str) -> f64 {
    // A character is seven tenths as wide as it is high, at most.
    let fitting = (SQUARE - 4.0) / 0.7 / text.chars().count().max(1) as f64;
    fitting.min(12.0).floor()
}

fn say(words: Words, language: Language) -> String {
    Phrase::from(words).say(language)
}

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
            (excerpt(problem, language, true))
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
