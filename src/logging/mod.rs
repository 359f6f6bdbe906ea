//! The log: to files with rotation, to standard error, as text for people or JSON for machines, or to the journal.
//!
//! Files are written by a thread of their own; when it cannot keep up, logging waits. No line is dropped.

// The journal of systemd.
pub mod journal;
// Kinds of event that may be looked for.
pub mod kind;

use std::io::{self, IsTerminal};
use std::path::Path;

use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_appender::rolling::{self, RollingFileAppender};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layered, SubscriberExt};
use tracing_subscriber::{Layer, Registry, reload};

use self::journal::Journal;
use crate::config::{JournalMode, Level, Log, LogFormat, Rotation};

/// The link to the current log file, beside it.
pub const LATEST: &str = "latest";

/// Keeps the log running; dropping it writes what is still waiting.
pub struct Logging {
    level: reload::Handle<LevelFilter, Registry>,
    _file: Option<WorkerGuard>,
}

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
    /// Another log was started in this process.
    #[error("the log was started already")]
    Twice,
}

/// Starts the log of a process, with files in `folder`.
///
/// # Errors
/// When the folder cannot be written.
pub fn start(settings: &Log, folder: &Path) -> Result<Logging, LogError> {
    let (level, level_handle) = reload::Layer::new(filter(settings.level));
    let mut layers = Vec::new();
    let mut guard = None;
    let journal = wants_journal(settings).then(Journal::connect).transpose();
    let no_journal = journal.as_ref().err().map(ToString::to_string);
    match journal {
        Ok(Some(journal)) => layers.push(journal.boxed()),
        Ok(None) | Err(_) if settings.stderr => {
            layers.push(lines(settings.format, io::stderr, stderr_has_colours()));
        }
        Ok(None) | Err(_) => {}
    }
    if settings.file {
        let (writer, worker) =
            NonBlockingBuilder::default().lossy(false).thread_name("log").finish(appender(settings, folder)?);
        guard = Some(worker);
        layers.push(lines(settings.format, writer, false));
    }
    let subscriber = tracing_subscriber::registry().with(level).with(layers);
    tracing::subscriber::set_global_default(subscriber).map_err(|_| LogError::Twice)?;
    if let Some(error) = no_journal {
        tracing::warn!("cannot reach the journal, logging to standard error: {error}");
    }
    Ok(Logging { level: level_handle, _file: guard })
}

impl Logging {
    /// Changes the level of a running log.
    pub fn set_level(&self, level: Level) {
        // Fails only when the log has ended.
        let _ = self.level.reload(filter(level));
    }
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

fn lines<W>(format: LogFormat, writer: W, colours: bool) -> Lines
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let layer = tracing_subscriber::fmt::layer().with_writer(writer).with_target(false);
    match format {
        LogFormat::Text => layer.with_ansi(colours).boxed(),
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
