//! The sections log, intake, workers, results and control: their keys, ranges and defaults.

use std::ffi::OsStr;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use toml::de::DeValue;

use super::globs::{Globs, Subject};
use super::raw::{Choice, Section, number};
use crate::solver::{format_size, size};

/// Names that are never taken: dot files, litter of desktops and storage devices, and what is still being
/// written by browsers, editors and copying programs.
pub(super) const IGNORE_DEFAULT: &[&str] = &[
    ".*",
    "*~",
    "~$*",
    "#*#",
    "Thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    "$RECYCLE.BIN",
    "System Volume Information",
    "@eaDir",
    "#recycle",
    "__MACOSX",
    "lost+found",
    "*.tmp",
    "*.temp",
    "*.part",
    "*.partial",
    "*.filepart",
    "*.crdownload",
    "*.download",
    "*.opdownload",
    "*.swp",
    "*.swx",
];

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);

/// `[log]`: what is logged, how and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The least important messages that are logged.
    pub level: Level,
    /// For people or for machines.
    pub format: LogFormat,
    /// When a new file begins.
    pub rotation: Rotation,
    /// Log files kept, the current one included; 0: all.
    pub files_kept: u64,
    /// Whether to write to files below `var/log`.
    pub file: bool,
    /// Whether to write to standard error.
    pub stderr: bool,
    /// Whether entries of the journal take the place of standard error.
    pub journal: JournalMode,
}

/// Importance of log messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Only what failed.
    Error,
    /// And what deserves attention.
    Warn,
    /// And a line for every file.
    Info,
    /// And the steps of every file.
    Debug,
    /// Everything.
    Trace,
}

impl Choice for Level {
    const ALL: &'static [(&'static str, Self)] = &[
        ("error", Self::Error),
        ("warn", Self::Warn),
        ("info", Self::Info),
        ("debug", Self::Debug),
        ("trace", Self::Trace),
    ];
}

/// Form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Choice for LogFormat {
    const ALL: &'static [(&'static str, Self)] = &[("text", Self::Text), ("json", Self::Json)];
}

/// Whether entries of the journal, with fields, take the place of lines on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalMode {
    /// Where standard error ends in the journal.
    Auto,
    /// Nowhere.
    Never,
}

impl Choice for JournalMode {
    const ALL: &'static [(&'static str, Self)] = &[("auto", Self::Auto), ("never", Self::Never)];
}

/// When a new log file begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// At midnight, UTC.
    Daily,
    /// At every full hour.
    Hourly,
    /// Never.
    Never,
}

impl Choice for Rotation {
    const ALL: &'static [(&'static str, Self)] =
        &[("daily", Self::Daily), ("hourly", Self::Hourly), ("never", Self::Never)];
}

impl Log {
    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let log = Self {
            level: section.choice("level", Level::Info),
            format: section.choice("format", LogFormat::Text),
            rotation: section.choice("rotation", Rotation::Daily),
            files_kept: section.integer("files_kept", 14, 0..=10_000),
            file: section.flag("file", true),
            stderr: section.flag("stderr", true),
            journal: section.choice("journal", JournalMode::Auto),
        };
        section.finish(|_| None);
        log
    }
}

/// `[intake]`: what is taken from the inbox, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Intake {
    /// Names of files and folders that are left alone.
    pub ignore: Globs,
    /// How long a file must be unchanged where it cannot be known that nobody writes it.
    pub quiet_period: Duration,
    /// When a file is complete.
    pub readiness: Readiness,
    /// Where the intake learns of new files.
    pub watch: WatchMode,
    /// Time between two listings of the whole inbox.
    pub rescan_interval: Duration,
    /// The same where events cannot be relied on.
    pub poll_interval: Duration,
    /// Bytes that must be free in the working folder and the outbox for anything to be taken.
    pub free_space_min_bytes: u64,
    /// Files and folders that they must have room for.
    pub free_files_min: u64,
    /// The largest file that is taken, in bytes.
    pub size_limit_bytes: u64,
    /// Files claimed at a time; further ones wait in the inbox.
    pub claims_max: usize,
}

/// When a file is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// As soon as nobody has it open for writing; when it is quiet where that cannot be told.
    Auto,
    /// When nobody has it open for writing, as far as can be told, and it is quiet.
    Quiet,
}

impl Choice for Readiness {
    const ALL: &'static [(&'static str, Self)] = &[("auto", Self::Auto), ("quiet", Self::Quiet)];
}

/// Where the intake learns of new files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchMode {
    /// From events of the system, and from polling where these cannot be relied on.
    Auto,
    /// From polling alone.
    Poll,
}

impl Choice for WatchMode {
    const ALL: &'static [(&'static str, Self)] = &[("auto", Self::Auto), ("poll", Self::Poll)];
}

impl Intake {
    /// The ignore pattern that makes a file or folder of that name be left alone.
    #[must_use]
    pub fn ignored_by(&self, name: &OsStr) -> Option<&str> {
        self.ignore.first_match(name)
    }

    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let defaults = || IGNORE_DEFAULT.iter().map(|name| ((*name).to_owned(), 0)).collect();
        let ignore = section.strings("ignore").unwrap_or_else(defaults);
        let intake = Self {
            ignore: Globs::build(ignore, Subject::Name, section.faults),
            quiet_period: section.duration("quiet_period", 2 * SECOND, SECOND / 100..=HOUR),
            readiness: section.choice("readiness", Readiness::Auto),
            watch: section.choice("watch", WatchMode::Auto),
            rescan_interval: section.duration("rescan_interval", 30 * SECOND, SECOND / 100..=24 * HOUR),
            poll_interval: section.duration("poll_interval", 2 * SECOND, SECOND / 100..=HOUR),
            free_space_min_bytes: section.size("free_space_min", 64 << 20, 0..=1 << 50),
            free_files_min: section.integer("free_files_min", 1000, 0..=1_000_000_000),
            size_limit_bytes: section.size("size_limit", 2 << 30, 1..=1 << 50),
            claims_max: section.integer("claims_max", 64, 1..=10_000) as usize,
        };
        section.finish(|_| None);
        intake
    }
}

/// `[workers]`: the threads that solve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workers {
    /// Worker threads; `None`: one a core.
    pub threads: Option<NonZeroUsize>,
    /// What all puzzles that are solved at a time may use together.
    pub memory_limit: MemoryLimit,
    /// How long files in hand may take to finish after a stop signal before they are put back.
    pub stop_timeout: Duration,
}

/// What all puzzles that are solved at a time may use together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryLimit {
    /// Most of the machine's memory, or of what the control group allows.
    Auto,
    /// So many bytes.
    Bytes(u64),
    /// As much as the limits of the routes allow them.
    None,
}

/// As the configuration has it.
impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Bytes(bytes) => f.write_str(&format_size(*bytes)),
            Self::None => f.write_str("none"),
        }
    }
}

/// The least `workers.memory_limit`: the service itself needs some.
const MEMORY_LIMIT_MIN: u64 = 64 << 20;

impl MemoryLimit {
    fn read(section: &mut Section<'_, '_>) -> Self {
        let expected =
            format!("\"auto\", \"none\" or a size from \"{}\" to \"1024TiB\"", format_size(MEMORY_LIMIT_MIN));
        section.parsed("memory_limit", Self::Auto, &expected, |value| {
            let bytes = match value {
                DeValue::String(text) if text == "auto" => return Some(Self::Auto),
                DeValue::String(text) if text == "none" => return Some(Self::None),
                DeValue::String(text) => size(text),
                DeValue::Integer(integer) => number(integer),
                _ => None,
            };
            bytes.filter(|bytes| (MEMORY_LIMIT_MIN..=1 << 50).contains(bytes)).map(Self::Bytes)
        })
    }
}

impl Workers {
    /// The number of worker threads on this machine.
    #[must_use]
    pub fn thread_count(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let workers = Self {
            threads: NonZeroUsize::new(section.integer("threads", 0, 0..=1024) as usize),
            memory_limit: MemoryLimit::read(&mut section),
            stop_timeout: section.duration("stop_timeout", 30 * SECOND, SECOND / 1000..=HOUR),
        };
        section.finish(|_| None);
        workers
    }
}

/// `[results]`: the files that appear in the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    /// What is written for every file.
    pub formats: Formats,
    /// When results are synced to the disk.
    pub durability: Durability,
    /// The largest result, in bytes; text and JSON each have as many.
    pub size_limit_bytes: u64,
    /// Permission bits of results and reports.
    pub mode: u32,
    /// The group results are given to, by name or number; `None`: the daemon's.
    pub group: Option<String>,
}

/// What is written for every file that is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formats {
    /// `….saida.txt`.
    Text,
    /// `….saida.txt` and `….saida.json`.
    TextAndJson,
}

/// When results are synced to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Before they appear: what was seen once is never lost or torn.
    Full,
    /// As soon as they have appeared, and before their inputs leave the working folder: nothing is lost, but after a
    /// power failure a result may be missing or torn until the next start has answered its input again.
    Batch,
    /// When the system likes: everything survives the end of the process, and a power failure may lose inputs and
    /// results.
    None,
}

impl Choice for Durability {
    const ALL: &'static [(&'static str, Self)] =
        &[("full", Self::Full), ("batch", Self::Batch), ("none", Self::None)];
}

impl Formats {
    /// The names in the configuration.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Text => &["txt"],
            Self::TextAndJson => &["txt", "json"],
        }
    }
}

impl Results {
    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let formats = "[\"txt\"] or [\"txt\", \"json\"]";
        let mode =
            "three octal digits in quotes, from \"0600\" to \"0777\", with reading and writing for the owner";
        let group = "the name of a group, or \"\" for the daemon's own";
        let results = Self {
            formats: section.parsed("formats", Formats::Text, formats, |value| {
                let names: Option<Vec<_>> =
                    value.as_array()?.iter().map(|item| item.get_ref().as_str()).collect();
                match names?.as_slice() {
                    ["txt"] => Some(Formats::Text),
                    ["txt", "json"] | ["json", "txt"] => Some(Formats::TextAndJson),
                    _ => None,
                }
            }),
            durability: section.choice("durability", Durability::Full),
            size_limit_bytes: section.size("size_limit", 4 << 30, 1 << 10..=1 << 50),
            mode: section.parsed("mode", 0o644, mode, |value| value.as_str().and_then(file_mode)),
            group: section.parsed("group", None, group, |value| {
                let name = value.as_str().filter(|name| is_group(name))?;
                Some((!name.is_empty()).then(|| name.to_owned()))
            }),
        };
        section.finish(|_| None);
        results
    }
}

/// `[control]`: the socket over which the service is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// Its path, relative to the var folder; `None`: there is none.
    pub socket: Option<PathBuf>,
    /// Its permission bits; to ask is to write.
    pub mode: u32,
    /// The group it is given to, by name or number; `None`: the daemon's.
    pub group: Option<String>,
}

impl Control {
    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let socket = "the path of a socket, or \"\" for none";
        let mode =
            "three octal digits in quotes, from \"0600\" to \"0777\", with reading and writing for the owner";
        let group = "the name of a group, or \"\" for the daemon's own";
        let is_path = |text: &&str| text.len() < 4096 && !text.contains('\0') && !text.ends_with('/');
        let control = Self {
            socket: section.parsed("socket", Some("control.sock".into()), socket, |value| {
                let path = value.as_str().filter(is_path)?;
                Some((!path.is_empty()).then(|| path.into()))
            }),
            mode: section.parsed("mode", 0o660, mode, |value| value.as_str().and_then(file_mode)),
            group: section.parsed("group", None, group, |value| {
                let name = value.as_str().filter(|name| is_group(name))?;
                Some((!name.is_empty()).then(|| name.to_owned()))
            }),
        };
        section.finish(|_| None);
        control
    }
}

fn file_mode(text: &str) -> Option<u32> {
    let digits = matches!(text.len(), 3 | 4) && text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let mode = u32::from_str_radix(text, 8).ok()?;
    (digits && (0o600..=0o777).contains(&mode)).then_some(mode)
}

fn is_group(name: &str) -> bool {
    name.len() <= 64 && !name.contains(|c: char| c.is_control() || c.is_whitespace() || c == ':' || c == '/')
}
