//! The sections but for the folders and the routes: their keys, ranges and defaults.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::config_keys::{Declared, group, mode, scalar, section, text_or_nothing};
use super::globs::{Globs, Subject, globs};
use super::locate::SHIPPED;
use super::toml_reader::Found;
use tabuleiro_puzzles::solver::{Kind, OptionValue, Range, SIZE_MAX, Values, YEAR, choice as choices};
use tabuleiro_puzzles::words::Language;

/// The least `workers.memory_limit`: the service itself needs some.
const MEMORY_LIMIT_MIN: u64 = 64 << 20;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);

section! {
    /// What is logged, how and where.
    pub struct Log {
        /// The least important messages that are logged.
        pub level: Level = scalar(Level::Info, Values::choice()),
        /// For people, or one JSON object a line.
        pub format: LogFormat = scalar(LogFormat::Text, Values::choice()).after_restart(),
        /// When a new file begins.
        pub rotation: Rotation = scalar(Rotation::Daily, Values::choice()).after_restart(),
        /// Log files kept, the current one included; 0 keeps all.
        pub files_kept: u64 = scalar(14, Values::integer(0..=10_000)).after_restart(),
        /// Whether to log to files in log/ of the var folder.
        pub file: bool = scalar(true, Values::flag()).after_restart(),
        /// Whether to log to standard error.
        pub stderr: bool = scalar(true, Values::flag()).after_restart(),
        /// Whether the log goes to systemd's journal as entries with fields if standard error ends there.
        pub journal: JournalMode = scalar(JournalMode::Auto, Values::choice()).after_restart(),
    }
}

choices! {
    /// Importance of log messages.
    pub enum Level {
        /// Only what failed.
        Error = "error",
        /// Also what deserves attention.
        Warn = "warn",
        /// Also a line for every file.
        Info = "info",
        /// Also the steps of every file.
        Debug = "debug",
        /// Everything.
        Trace = "trace",
    }
}

choices! {
    /// Form of log lines.
    pub enum LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object a line.
        Json = "json",
    }
}

choices! {
    /// When a new log file begins.
    pub enum Rotation {
        /// At midnight, UTC.
        Daily = "daily",
        /// At every full hour.
        Hourly = "hourly",
        /// Never.
        Never = "never",
    }
}

choices! {
    /// Whether entries of the journal, with fields, take the place of lines on standard error.
    pub enum JournalMode {
        /// Where standard error ends in the journal.
        Auto = "auto",
        /// Nowhere.
        Never = "never",
    }
}

section! {
    /// What is taken from the inbox, and when.
    pub struct Intake {
        /// Globs of the names of files and folders that are never taken; case does not matter.
        pub ignore: Globs = globs(shipped_ignore(), Subject::Name),
        /// How long a file must stay unchanged if the system cannot tell whether a program still writes it.
        pub quiet_period: Duration = scalar(2 * SECOND, Values::duration(SECOND / 100..=HOUR)),
        /// When a file is complete: as soon as no program has it open for writing, or always after the quiet period.
        pub readiness: Readiness = scalar(Readiness::Auto, Values::choice()),
        /// How new files are noticed: by events of the system if they are reliable, or only by listing the inbox.
        pub watch: WatchMode = scalar(WatchMode::Auto, Values::choice()),
        /// Time between two listings of the whole inbox.
        pub rescan_interval: Duration = scalar(30 * SECOND, Values::duration(SECOND / 100..=24 * HOUR)),
        /// Time between two listings if events are not reliable.
        pub poll_interval: Duration = scalar(2 * SECOND, Values::duration(SECOND / 100..=HOUR)),
        /// The service takes nothing while fewer bytes are free in the var folder or the outbox.
        pub free_space_min_bytes as "free_space_min": u64 = scalar(64 << 20, Values::size(0..=SIZE_MAX)),
        /// The service takes nothing while the var folder or the outbox has room for fewer files.
        pub free_files_min: u64 = scalar(1000, Values::integer(0..=1_000_000_000)),
        /// The largest file that is taken.
        pub size_limit_bytes as "size_limit": u64 = scalar(2 << 30, Values::size(1..=SIZE_MAX)),
        /// Files that the service works on at a time; others wait in the inbox.
        pub claims_max: u64 = scalar(64, Values::integer(1..=10_000)).after_restart(),
    }
}

choices! {
    /// When a file is complete.
    pub enum Readiness {
        /// As soon as nobody has it open for writing; when it is quiet where that cannot be told.
        Auto = "auto",
        /// When nobody has it open for writing, as far as can be told, and it is quiet.
        Quiet = "quiet",
    }
}

choices! {
    /// Where the intake learns of new files.
    pub enum WatchMode {
        /// From events of the system, and from polling where these cannot be relied on.
        Auto = "auto",
        /// From polling alone.
        Poll = "poll",
    }
}

/// Names that are never taken: dot files, litter of desktops and storage devices, and what is still being written by
/// browsers, editors and copying programs. The list stands in the shipped configuration.
fn shipped_ignore() -> Vec<String> {
    let shipped: toml::Table = SHIPPED.parse().expect("a test reads it");
    shipped["intake"]["ignore"].clone().try_into().expect("a test reads it")
}

impl Intake {
    /// The ignore pattern that makes a file or folder of that name be left alone.
    #[must_use]
    pub fn ignored_by(&self, name: &OsStr) -> Option<&str> {
        self.ignore.first_match(name)
    }
}

section! {
    /// The threads that solve.
    pub struct Workers {
        /// Threads that solve puzzles; 0 means one per core.
        pub threads: u64 = scalar(0, Values::integer(0..=1024)).after_restart(),
        /// Memory for all puzzles being solved, including the service itself.
        pub memory_limit: MemoryLimit = scalar(MemoryLimit::Auto, memory_limit()),
        /// How long files may take to finish after a stop signal before they go back into the inbox.
        pub stop_timeout: Duration = scalar(30 * SECOND, Values::duration(SECOND / 1000..=HOUR)),
    }
}

impl Workers {
    /// The number of worker threads on this machine.
    #[must_use]
    pub fn thread_count(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        NonZeroUsize::new(self.threads as usize).unwrap_or_else(cores)
    }
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

fn memory_limit() -> Values<MemoryLimit> {
    let range = Range::Size { min: MEMORY_LIMIT_MIN, max: SIZE_MAX };
    Values {
        kind: Kind { words: &["auto", "none"], range },
        from: |limit| match limit {
            OptionValue::Word("auto") => Some(MemoryLimit::Auto),
            OptionValue::Word(_) => Some(MemoryLimit::None),
            limit => limit.number().map(MemoryLimit::Bytes),
        },
        to: |_, limit| match limit {
            MemoryLimit::Auto => OptionValue::Word("auto"),
            MemoryLimit::Bytes(bytes) => OptionValue::Size(bytes),
            MemoryLimit::None => OptionValue::Word("none"),
        },
    }
}

section! {
    /// The files that appear in the outbox.
    pub struct Results {
        /// What is written for every file.
        pub formats: Formats = formats(),
        /// When results are synced to the disk: before they appear, or never.
        pub durability: Durability = scalar(Durability::Full, Values::choice()),
        /// The language of errors and warnings, unless a route, a directive or --set chooses another: English or Portuguese.
        pub language: Language = scalar(Language::English, Values::choice()),
        /// The largest result; the text and the JSON count separately.
        pub size_limit_bytes as "size_limit": u64 = scalar(4 << 30, Values::size(1 << 10..=SIZE_MAX)),
        /// Permissions of results and reports.
        pub mode: u32 = mode(0o644),
        /// The group that results are given to, by name or number.
        pub group: Option<String> = group("no result can be written"),
        /// Who may read results and reports: everybody whom the mode allows, or only the group and the owner of the dropped file.
        pub readers: Readers = scalar(Readers::Group, Values::choice()),
    }
}

choices! {
    /// Who may read results and reports.
    pub enum Readers {
        /// Whom their permissions let: the group and others, as `results.mode` says.
        Group = "group",
        /// The group, and the user who owned the dropped file, whatever `results.mode` says.
        Owner = "owner",
    }
}

/// What is written for every file that is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formats {
    /// `….saida.txt`.
    Text,
    /// `….saida.txt` and `….saida.json`.
    TextAndJson,
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

fn formats() -> Declared<Formats> {
    let read = |found: &Found<'_, '_>| {
        let names: Option<Vec<_>> = found.items()?.map(|item| item.value().as_str()).collect();
        match names?.as_slice() {
            ["txt"] => Some(Formats::Text),
            ["txt", "json"] | ["json", "txt"] => Some(Formats::TextAndJson),
            _ => None,
        }
    };
    let show = |formats: &Formats| formats.names().to_vec().into();
    let rule = json!({ "enum": [["txt"], ["txt", "json"], ["json", "txt"]] });
    Declared::new(Formats::Text, "[\"txt\"] or [\"txt\", \"json\"]", rule, read, show)
}

choices! {
    /// When results are synced to the disk.
    pub enum Durability {
        /// Before they appear: what was seen once is never lost or torn.
        Full = "full",
        /// Never, for tests and folders in memory: everything survives the end of the process, and a power failure may lose inputs and
        /// results.
        None = "none",
    }
}

section! {
    /// The socket over which the service that runs is asked.
    pub struct Control {
        /// Its path, relative to the var folder.
        pub socket: Option<PathBuf> = text_or_nothing(
            Some("control.sock".into()),
            "the path of a socket, or \"\" for none",
            json!({ "type": "string", "maxLength": 4095, "pattern": "^(.*[^/])?$" }),
            |path| (is_path(path) && !path.ends_with('/')).then(|| path.into()),
            |path: &PathBuf| path.to_string_lossy().into_owned(),
        ).after_restart(),
        /// Its permissions; every user who may write to it may ask.
        pub mode: u32 = mode(0o660).after_restart(),
        /// The group that it is given to, by name or number.
        pub group: Option<String> = group("nobody can ask the service").after_restart(),
    }
}

section! {
    /// How long inputs, logs and the history are kept. Results are never removed.
    pub struct Retention {
        /// How long inputs that were answered are kept.
        pub done as "done_age": Option<Duration> = age(None),
        /// How long inputs that were rejected are kept.
        pub failed as "failed_age": Option<Duration> = age(None),
        /// How long the history of jobs is kept.
        pub history as "history_age": Option<Duration> = age(Some(YEAR)),
        /// How long log files are kept.
        pub log as "log_age": Option<Duration> = age(None),
    }
}

fn age(default: Option<Duration>) -> Declared<Option<Duration>> {
    scalar(default, Values::duration_or_none(HOUR..=100 * YEAR))
}

impl Retention {
    /// Whether nothing is ever removed.
    #[must_use]
    pub fn keeps_everything(&self) -> bool {
        [self.done, self.failed, self.history, self.log].iter().all(Option::is_none)
    }
}

section! {
    /// Where metrics can be read.
    pub struct Metrics {
        /// Where metrics are served over HTTP.
        pub listen: Option<SocketAddr> = text_or_nothing(
            None,
            "an address with a port such as \"127.0.0.1:9184\" or \"[::1]:9184\", or \"\" for none",
            json!({ "type": "string", "pattern": "^$|^[0-9.]+:[0-9]+$|^\\[[0-9A-Fa-f:.%]+\\]:[0-9]+$" }),
            |address| address.parse().ok(),
            ToString::to_string,
        ).after_restart(),
        /// What metrics are written to for the textfile collector of the node exporter.
        pub textfile: Option<PathBuf> = text_or_nothing(
            None,
            "the path of a file that ends in .prom, or \"\" for none",
            json!({ "type": "string", "maxLength": 4095, "pattern": "^$|[^/]\\.prom$" }),
            |path| is_file_of(path, ".prom").then(|| path.into()),
            |path: &PathBuf| path.to_string_lossy().into_owned(),
        ).after_restart(),
    }
}

section! {
    /// The page of the service, which anybody who sees the outbox can open.
    pub struct Page {
        /// What it is written to.
        pub path: Option<PathBuf> = text_or_nothing(
            None,
            "the path of a file that ends in .html, or \"\" for none",
            json!({ "type": "string", "maxLength": 4095, "pattern": "^$|[^/]\\.html$" }),
            |path| is_file_of(path, ".html").then(|| path.into()),
            |path: &PathBuf| path.to_string_lossy().into_owned(),
        ).after_restart(),
    }
}

/// Of another name a collector reads nothing, and a browser shows no page.
fn is_file_of(path: &str, ending: &str) -> bool {
    let stem = path.strip_suffix(ending);
    is_path(path) && stem.is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/'))
}

/// Whether the system takes a path of that text.
pub(super) fn is_path(text: &str) -> bool {
    !text.is_empty() && text.len() < 4096 && !text.contains('\0')
}
