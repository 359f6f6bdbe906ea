//! The log: to files with rotation, to standard error, as text for people or JSON for machines, or to the journal.
//!
//! Each of them is a sink with a bounded queue and a thread of its own, so that nobody who logs waits. A line is lost only
//! where its sink does not take it, and then it is counted.

// The journal of systemd.
pub mod journal;
// Kinds of event that may be looked for.
pub mod kind;
// Times as people read them.
pub mod local_time;
// Queues, and threads that write them.
mod sink;

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

use self::journal::Journal;
use self::local_time::{LineTime, is_clock_usable};
use self::sink::{Sink, missing_words, to_stream};
use crate::config::{JournalMode, Level, Log, LogFormat, Rotation};

/// The link to the current log file, beside it.
pub const LATEST: &str = "latest";

/// How long the end of the log waits for what is still queued, all sinks together.
pub const END_WAIT_MAX: Duration = Duration::from_secs(2);

/// Keeps the log running; dropping it writes what is still waiting, within [`END_WAIT_MAX`].
pub struct Logging {
    level: LevelHandle,
    sinks: Sinks,
}

/// Changes the level of a running log.
#[derive(Clone)]
pub struct LevelHandle(reload::Handle<LevelFilter, Registry>);

/// Where lines go.
#[derive(Clone, Default)]
pub struct Sinks(Arc<[Sink]>);

/// A layer that writes lines, on top of the level's filter.
type Lines = Box<dyn Layer<Layered<reload::Layer<LevelFilter, Registry>, Registry>> + Send + Sync>;

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The log folder cannot be written.
    #[error("cannot write log files to {folder}: {source}")]
    Folder {
        /// The folder.
        folder: String,
        /// Why.
        source: rolling::InitError,
    },
    /// A thread cannot be started.
    #[error("cannot start a thread of the log: {0}")]
    Thread(#[from] io::Error),
    /// Another log was started in this process.
    #[error("the log was started already")]
    Twice,
}

/// Starts the log of a process, with files in `folder`. What a panic says goes to it, too.
///
/// # Errors
/// When the folder cannot be written.
pub fn start(settings: &Log, folder: &Path) -> Result<Logging, LogError> {
    let (level, level_handle) = reload::Layer::new(filter(settings.level));
    let (mut layers, mut sinks): (Vec<Lines>, Vec<_>) = (Vec::new(), Vec::new());
    let format = settings.format;
    let missing = move |lines| missing(format, lines);
    let journal = wants_journal(settings).then(Journal::connect).transpose();
    let no_journal = journal.as_ref().err().map(ToString::to_string);
    match journal {
        Ok(Some(journal)) => {
            let (entries, sink) = journal.start()?;
            layers.push(entries.boxed());
            sinks.push(sink);
        }
        Ok(None) | Err(_) if settings.stderr => {
            let sink = Sink::start("stderr", |lines| to_stream(&mut io::stderr(), lines), missing)?;
            layers.push(lines(format, sink.clone(), stderr_has_colours()));
            sinks.push(sink);
        }
        Ok(None) | Err(_) => {}
    }
    if settings.file {
        let (settings, folder) = (settings.clone(), folder.to_owned());
        // With any other clock the appender panics.
        let mut files = is_clock_usable().then(|| appender(&settings, &folder)).transpose()?;
        let write = move |lines: &[Vec<u8>]| {
            if !is_clock_usable() {
                return lines.len();
            }
            if files.is_none() {
                files = appender(&settings, &folder).ok();
            }
            files.as_mut().map_or(lines.len(), |files| to_stream(files, lines))
        };
        let sink = Sink::start("file", write, missing)?;
        layers.push(lines(format, sink.clone(), false));
        sinks.push(sink);
    }
    let subscriber = tracing_subscriber::registry().with(level).with(layers).with(filter_fn(is_ours));
    tracing::subscriber::set_global_default(subscriber).map_err(|_| LogError::Twice)?;
    panic::set_hook(Box::new(log_panic));
    if let Some(error) = no_journal {
        tracing::warn!("cannot reach the journal, logging to standard error: {error}");
    }
    if settings.file && !is_clock_usable() {
        tracing::warn!(
            "the clock is before 1970 or beyond the year 9999; set it: until then no log files are written"
        );
    }
    Ok(Logging { level: LevelHandle(level_handle), sinks: Sinks(sinks.into()) })
}

/// What libraries say of connections is told in our own words, once.
fn is_ours(metadata: &tracing::Metadata<'_>) -> bool {
    !["async_nats", "rustls"].iter().any(|library| metadata.target().starts_with(library))
}

impl Logging {
    /// What changes its level.
    #[must_use]
    pub fn level(&self) -> LevelHandle {
        self.level.clone()
    }

    /// Where its lines go.
    #[must_use]
    pub fn sinks(&self) -> Sinks {
        self.sinks.clone()
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        let deadline = Instant::now() + END_WAIT_MAX;
        self.sinks.0.iter().for_each(|sink| sink.end(deadline));
    }
}

impl LevelHandle {
    /// Sets the level.
    pub fn set(&self, level: Level) {
        // Fails only when the log has ended.
        let _ = self.0.reload(filter(level));
    }
}

impl Sinks {
    /// The name of each sink (`stderr`, `file`, `journal`), and lines that it did not take.
    pub fn lost(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|sink| (sink.name(), sink.lost()))
    }
}

/// Not left to the runtime, which would wait for a standard error that nobody reads.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let said = panic.payload();
    let text = said.downcast_ref::<&str>().copied();
    let said = text.or_else(|| said.downcast_ref::<String>().map(String::as_str)).unwrap_or_default();
    let thread = thread.name().unwrap_or_default();
    tracing::error!(name: kind::PANICKED.name, thread, place, "panicked: {said:?}");
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        trace.to_string().lines().for_each(|line| tracing::error!("{line}"));
    }
}

/// The line of a stream that says how many are missing.
fn missing(format: LogFormat, lines: u64) -> Vec<u8> {
    let mut time = String::new();
    // Fails only for a clock that no log line could tell either.
    let _ = match format {
        LogFormat::Text => LineTime.format_time(&mut Writer::new(&mut time)),
        LogFormat::Json => SystemTime.format_time(&mut Writer::new(&mut time)),
    };
    let message = missing_words(lines);
    let line = match format {
        LogFormat::Text => format!("{time}  WARN {message}\n"),
        LogFormat::Json => {
            let fields =
                serde_json::json!({ "timestamp": time, "level": "WARN", "message": message, "lines": lines });
            format!("{fields}\n")
        }
    };
    line.into_bytes()
}

/// Whether the journal takes the place of standard error.
fn wants_journal(settings: &Log) -> bool {
    settings.stderr && settings.journal == JournalMode::Auto && journal::has_stderr()
}

fn stderr_has_colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn appender(settings: &Log, folder: &Path) -> Result<RollingFileAppender, LogError> {
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
    builder.build(folder).map_err(|source| LogError::Folder { folder: folder.display().to_string(), source })
}

fn lines(format: LogFormat, sink: Sink, colours: bool) -> Lines {
    let layer = tracing_subscriber::fmt::layer().with_writer(sink).with_target(false);
    match format {
        LogFormat::Text => layer.with_timer(LineTime).with_ansi(colours).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).boxed(),
    }
}

fn filter(level: Level) -> LevelFilter {
    match level {
        Level::Error => LevelFilter::ERROR,
        Level::Warn => LevelFilter::WARN,
        Level::Info => LevelFilter::INFO,
        Level::Debug => LevelFilter::DEBUG,
        Level::Trace => LevelFilter::TRACE,
    }
}
