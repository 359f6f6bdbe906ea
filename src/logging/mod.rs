//! The log: text for people or JSON for machines, to rotated files and standard error, or to the journal.
//!
//! Each destination is a sink with a bounded queue and a thread of its own, so that logging never blocks. A line is
//! lost only if its sink does not accept it. The sink counts lost lines.

// Measures and shortens texts for the columns of a terminal.
pub(crate) mod columns;
// The text of an event for people.
pub(crate) mod event_text;
// The journal of systemd.
pub mod journal;
// Kinds of event that people and programs may search for.
pub mod kind;
// Times for people.
pub mod local_time;
// Queues, and threads that write their lines.
mod sink;
// One line per event, for people.
mod text_lines;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal};
use std::panic::{self, PanicHookInfo};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tracing::level_filters::LevelFilter;
use tracing_appender::rolling::{self, RollingFileAppender};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::layer::{Layered, SubscriberExt};
use tracing_subscriber::{Layer, Registry, reload};

use self::sink::{lost_lines_message, to_stream};
use self::text_lines::{TextLines, line_of};
use crate::config::{JournalMode, Level, Log, LogFormat, Rotation};
use tabuleiro_jobs::panic_text;
use tabuleiro_puzzles::solver::Choice as _;
use tabuleiro_puzzles::words::Language;

pub use self::sink::Sink;

/// The link to the current log file, in the same folder.
pub const LATEST: &str = "latest";

/// How long the end of the log waits for queued lines, all sinks together.
pub const END_WAIT_MAX: Duration = Duration::from_secs(2);

/// Keeps the log running. Dropping it writes the queued lines, within [`END_WAIT_MAX`].
pub struct Logging {
    /// Changes the level.
    pub set_level: Arc<dyn Fn(Level) + Send + Sync>,
    /// The sinks that receive the lines.
    pub sinks: Sinks,
}

/// The sinks that receive log lines: `stderr`, `file`, `journal`.
pub type Sinks = Arc<[Arc<Sink>]>;

/// A layer that writes lines, above the filter by level.
type Lines = Box<dyn Layer<Layered<reload::Layer<LevelFilter, Registry>, Registry>> + Send + Sync>;

/// Starts the log of the process, with files in `folder`. Panics are logged, too. Lines on a terminal are in
/// `language`; files and the journal are in English.
///
/// # Errors
/// Fails if the folder cannot be written, a thread cannot be started, or the log was already started.
pub fn start(settings: &Log, folder: &Path, language: Language) -> Result<Logging, String> {
    let (level, level_handle) = reload::Layer::new(filter(settings.level));
    let (mut layers, mut sinks): (Vec<Lines>, Vec<_>) = (Vec::new(), Vec::new());
    let format = settings.format;
    let missing = move |lines| missing(format, lines);
    let no_thread = |error: io::Error| format!("cannot start a thread of the log: {error}");
    // The log goes to the journal instead of standard error if that ends there.
    let wants_journal = settings.stderr && settings.journal == JournalMode::Auto && journal::has_stderr();
    let journal = wants_journal.then(|| journal::connect(Path::new(journal::SOCKET))).transpose();
    let no_journal = journal.as_ref().err().map(ToString::to_string);
    if let Ok(Some((entries, sink))) = journal {
        layers.push(entries.boxed());
        sinks.push(sink);
    } else if settings.stderr {
        let sink =
            Sink::start("stderr", |lines| to_stream(&mut io::stderr(), lines), missing).map_err(no_thread)?;
        let is_terminal = io::stderr().is_terminal();
        let language = if is_terminal { language } else { Language::English };
        layers.push(lines(format, Arc::clone(&sink), TextLines::new(language, is_terminal)));
        sinks.push(sink);
    }
    if settings.file {
        let mut files = appender(settings, folder)?;
        let sink =
            Sink::start("file", move |lines| to_stream(&mut files, lines), missing).map_err(no_thread)?;
        layers.push(lines(format, Arc::clone(&sink), TextLines::new(Language::English, false)));
        sinks.push(sink);
    }
    let subscriber = tracing_subscriber::registry().with(level).with(layers).with(filter_fn(is_ours));
    tracing::subscriber::set_global_default(subscriber).map_err(|_| "the log was started already")?;
    panic::set_hook(Box::new(log_panic));
    if let Some(error) = no_journal {
        tracing::warn!("cannot reach the journal, logging to standard error: {error}");
    }
    // Fails only if the log has ended.
    let set_level = move |level| drop(level_handle.reload(filter(level)));
    Ok(Logging { set_level: Arc::new(set_level), sinks: sinks.into() })
}

/// Returns whether an event should be logged. Leaves out what libraries log about connections, which this program
/// reports once in its own words.
fn is_ours(metadata: &tracing::Metadata<'_>) -> bool {
    !["async_nats", "rustls"].iter().any(|library| metadata.target().starts_with(library))
}

impl Drop for Logging {
    fn drop(&mut self) {
        let deadline = Instant::now() + END_WAIT_MAX;
        self.sinks.iter().for_each(|sink| sink.end(deadline));
    }
}

/// Logs a panic. The default hook would instead block if nobody reads standard error.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let text = panic_text(panic.payload());
    let thread = thread.name().unwrap_or_default();
    tracing::error!(name: kind::PANICKED.name, thread, place, "panicked: {text:?}");
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        trace.to_string().lines().for_each(|line| tracing::error!("{line}"));
    }
}

/// Returns the line that reports missing lines in a text or JSON log.
fn missing(format: LogFormat, lines: u64) -> Vec<u8> {
    let message = lost_lines_message(lines);
    let line = match format {
        LogFormat::Text => line_of(&format!("warning: {message}")),
        LogFormat::Json => {
            let mut time = String::new();
            // Fails only for a time that no log line could show either.
            let _ = SystemTime.format_time(&mut Writer::new(&mut time));
            let fields =
                serde_json::json!({ "timestamp": time, "level": "WARN", "message": message, "lines": lines });
            format!("{fields}\n")
        }
    };
    line.into_bytes()
}

fn appender(settings: &Log, folder: &Path) -> Result<RollingFileAppender, String> {
    let rotation = match settings.rotation {
        Rotation::Daily => rolling::Rotation::DAILY,
        Rotation::Hourly => rolling::Rotation::HOURLY,
        Rotation::Never => rolling::Rotation::NEVER,
    };
    let mut builder = RollingFileAppender::builder()
        .rotation(rotation)
        .filename_prefix("tabuleiro")
        .filename_suffix("log")
        .latest_symlink(LATEST);
    if settings.files_kept > 0 {
        builder = builder.max_log_files(settings.files_kept as usize);
    }
    builder.build(folder).map_err(|error| format!("cannot write log files to {}: {error}", folder.display()))
}

fn lines(format: LogFormat, sink: Arc<Sink>, text: TextLines) -> Lines {
    let layer = tracing_subscriber::fmt::layer().with_writer(sink).with_target(false);
    match format {
        LogFormat::Text => layer.with_ansi(text.has_colours()).event_format(text).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).boxed(),
    }
}

fn filter(level: Level) -> LevelFilter {
    // The words of the configuration are those of the library.
    level.word().parse().unwrap_or(LevelFilter::INFO)
}
