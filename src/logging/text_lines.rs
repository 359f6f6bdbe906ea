//! The text log: one line per event, below a line with the date.

use std::{fmt, io};

use parking_lot::Mutex;
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

use super::columns::folded;
use super::event_text::{EventText, Fields, Tone};
use super::kind;
use super::local_time::{now, parts};
use crate::terminal_language::shows_colours;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::words::Language;

/// The width of a line in a file, in columns.
const COLUMNS: usize = 100;
/// The width of the time of day and the gap after it.
const TIME_COLUMNS: usize = 10;
/// The maximum number of bytes of a line.
const LINE_BYTES_MAX: usize = 8192;

/// Formats events for a file or a terminal.
pub struct TextLines {
    language: Language,
    /// Whether lines are folded to the width of standard error.
    is_terminal: bool,
    /// The day of the previous line.
    day: Mutex<String>,
}

impl TextLines {
    pub fn new(language: Language, is_terminal: bool) -> Self {
        Self { language, is_terminal, day: Mutex::default() }
    }

    /// Returns whether lines are coloured. `NO_COLOR` disables colours.
    pub fn has_colours(&self) -> bool {
        self.is_terminal && shows_colours(&io::stderr())
    }

    /// Returns the day and its offset from UTC if the day is new, and the time of day.
    fn time(&self) -> (Option<String>, String) {
        let (second, offset) = parts(now());
        let (day, time) = second.split_once(' ').unwrap_or_default();
        let mut told = self.day.lock();
        let is_new = *told != day;
        day.clone_into(&mut told);
        (is_new.then(|| format!("{day} {offset}")), time.to_owned())
    }

    /// Returns the width available after the time of day.
    fn columns(&self) -> usize {
        let terminal =
            || rustix::termios::tcgetwinsize(io::stderr()).ok().map(|size| usize::from(size.ws_col));
        let columns = if self.is_terminal { terminal().filter(|columns| *columns > 0) } else { None };
        columns.unwrap_or(COLUMNS).saturating_sub(TIME_COLUMNS)
    }
}

/// Folds a text between words; further lines are aligned below the first.
fn laid_out(text: &str, columns: Option<usize>) -> String {
    let lines = text.lines().map(|line| printable(line.as_bytes(), LINE_BYTES_MAX));
    let fold = |line: String| columns.map_or_else(|| vec![line.clone()], |columns| folded(&line, columns));
    lines.flat_map(fold).collect::<Vec<_>>().join(&format!("\n{:TIME_COLUMNS$}", ""))
}

impl<S, N> FormatEvent<S, N> for TextLines
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let metadata = event.metadata();
        let is_detailed = LevelFilter::current() >= LevelFilter::DEBUG;
        if metadata.name() == kind::UNDECIDED_PUZZLE.name && !is_detailed {
            // The line of the file reports undecided puzzles.
            return Ok(());
        }
        let mut fields = Fields::new(self.language);
        event.record(&mut fields);
        let said = EventText::of(metadata, &fields);
        // Lines with fields are not folded, since people search them with grep.
        let columns = (!is_detailed).then(|| self.columns());
        let mut text = said.line(columns);
        if is_detailed {
            text.push_str("  ");
            for span in context.event_scope().into_iter().flatten() {
                if let Some(fields) = span.extensions().get::<FormattedFields<N>>() {
                    text.push_str(&format!(" {fields}"));
                }
            }
            for (name, value) in &fields.values {
                text.push_str(&format!(" {name}={value}"));
            }
        }
        let (day, time) = self.time();
        if let Some(day) = day {
            writeln!(line, "{day}")?;
        }
        let text = laid_out(&text, columns);
        if !line.has_ansi_escapes() {
            return writeln!(line, "{time}  {text}");
        }
        let colour = match said.tone {
            Tone::Plain => "",
            Tone::Attention => "\x1b[33m",
            Tone::Bad => "\x1b[31m",
        };
        // If the file name was folded, it gets the colour of the text.
        let (subject, text) = match &said.subject {
            Some(subject) if text.starts_with(subject.as_str()) => text.split_at(subject.len()),
            _ => ("", text.as_str()),
        };
        let (text, took) = match &said.took {
            Some(took) if text.ends_with(took.as_str()) => text.split_at(text.len() - took.len()),
            _ => (text, ""),
        };
        writeln!(line, "\x1b[2m{time}\x1b[0m  {subject}{colour}{text}\x1b[0m\x1b[2m{took}\x1b[0m")
    }
}

/// Returns a line with the current time for a text that is not an event.
pub fn line_of(text: &str) -> String {
    let (second, _) = parts(now());
    format!("{}  {text}\n", second.split_once(' ').unwrap_or_default().1)
}
