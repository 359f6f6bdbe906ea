//! The sections except folders and routes: their keys, ranges and defaults.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::config_keys::{
    Declared, any_path, group, mode, path_or_nothing, scalar, section, text, text_or_nothing,
};
use super::folder_settings::absolute;
use super::globs::{Globs, Subject, globs};
use super::locate::SHIPPED;
use super::toml_reader::{KeyValue, Table};
use tabuleiro_puzzles::solver::{Kind, OptionValue, Range, SIZE_MAX, Values, YEAR, choice as choices};
use tabuleiro_puzzles::words::Language;

/// The smallest `workers.memory_limit`, since the service itself needs some memory.
const MEMORY_LIMIT_MIN: u64 = 64 << 20;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);

section! {
    /// What is logged, how and where.
    pub struct Log {
        /// The least important messages that are logged.
        pub level: Level = scalar(Level::Info, Values::choice()),
        /// For people, or one JSON object per line.
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
    /// The importance of log messages.
    pub enum Level {
        /// Only failures.
        Error = "error",
        /// Also warnings.
        Warn = "warn",
        /// Also one line for every file.
        Info = "info",
        /// Also the steps of every file.
        Debug = "debug",
        /// Everything.
        Trace = "trace",
    }
}

choices! {
    /// The format of log lines.
    pub enum LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object per line.
        Json = "json",
    }
}

choices! {
    /// When a new log file begins.
    pub enum Rotation {
        /// At midnight UTC.
        Daily = "daily",
        /// At every full hour.
        Hourly = "hourly",
        /// Never.
        Never = "never",
    }
}

choices! {
    /// Whether the log goes to the journal, as entries with fields, instead of standard error.
    pub enum JournalMode {
        /// If standard error is connected to the journal.
        Auto = "auto",
        /// Never.
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
        /// As soon as no program has it open for writing; if that cannot be determined, after the quiet period.
        Auto = "auto",
        /// After the quiet period, and when no program is known to have it open for writing.
        Quiet = "quiet",
    }
}

choices! {
    /// How the intake notices new files.
    pub enum WatchMode {
        /// By events of the system, or by polling if the events are not reliable.
        Auto = "auto",
        /// Only by polling.
        Poll = "poll",
    }
}

/// Returns globs of names that are never taken: dot files, files left by desktops and storage devices, and files that
/// browsers, editors and copying programs are still writing. The list is in the shipped configuration.
fn shipped_ignore() -> Vec<String> {
    let shipped: toml::Table = SHIPPED.parse().expect("a test reads it");
    shipped["intake"]["ignore"].clone().try_into().expect("a test reads it")
}

section! {
    /// The threads that solve.
    pub struct Workers {
        /// Threads that solve puzzles; 0 means one per core.
        pub threads: u64 = scalar(0, Values::integer(0..=1024)).after_restart(),
        /// Memory for the service itself and all puzzles being solved.
        pub memory_limit: MemoryLimit = scalar(MemoryLimit::Auto, memory_limit()),
        /// How long files may take to finish after a stop signal before they go back into the inbox.
        pub stop_timeout: Duration = scalar(30 * SECOND, Values::duration(SECOND / 1000..=HOUR)),
    }
}

impl Workers {
    /// Returns the number of worker threads on this machine.
    pub fn thread_count(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        NonZeroUsize::new(self.threads as usize).unwrap_or_else(cores)
    }
}

/// The memory that the service and all puzzles being solved may use together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryLimit {
    /// Three quarters of the machine's memory, or of what the control group allows.
    Auto,
    /// A number of bytes.
    Bytes(u64),
    /// No common limit; only the limits of the routes apply.
    None,
}

impl MemoryLimit {
    /// Returns the limit in bytes on a machine with `machine` bytes of memory.
    pub fn bytes(self, machine: u64) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            // A quarter is left to the system and to memory that is not accounted for. Whole MiB are easier to read.
            Self::Auto => Some((machine - machine / 4) >> 20 << 20),
            Self::None => None,
        }
    }
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
        /// The language of errors and warnings, unless a route, a directive or --set chooses another: English or
        /// Portuguese.
        pub language: Language = scalar(Language::English, Values::choice()),
        /// The largest result; the text and the JSON count separately.
        pub size_limit_bytes as "size_limit": u64 = scalar(4 << 30, Values::size(1 << 10..=SIZE_MAX)),
        /// Permissions of results and reports.
        pub mode: u32 = mode(0o644),
        /// The group that results are given to, by name or number.
        pub group: Option<String> = group("no result can be written"),
        /// Who may read results and reports: everybody whom the mode allows, or only the group and the owner of the
        /// dropped file.
        pub readers: Readers = scalar(Readers::Group, Values::choice()),
    }
}

choices! {
    /// Who may read results and reports.
    pub enum Readers {
        /// All users whom `results.mode` allows.
        Group = "group",
        /// The group and the user who owned the dropped file, whatever `results.mode` says.
        Owner = "owner",
    }
}

/// The outputs of every file that is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formats {
    /// `….saida.txt`.
    Text,
    /// `….saida.txt` and `….saida.json`.
    TextAndJson,
}

fn formats() -> Declared<Formats> {
    let read = |found: &KeyValue<'_, '_>| {
        let names: Option<Vec<_>> = found.items()?.map(|item| item.value().as_str()).collect();
        match names?.as_slice() {
            ["txt"] => Some(Formats::Text),
            ["txt", "json"] | ["json", "txt"] => Some(Formats::TextAndJson),
            _ => None,
        }
    };
    let show = |formats: &Formats| match formats {
        Formats::Text => vec!["txt"].into(),
        Formats::TextAndJson => vec!["txt", "json"].into(),
    };
    let rule = json!({ "enum": [["txt"], ["txt", "json"], ["json", "txt"]] });
    Declared::new(Formats::Text, "[\"txt\"] or [\"txt\", \"json\"]", rule, read, show)
}

choices! {
    /// When results are synced to the disk.
    pub enum Durability {
        /// Before they appear. A power failure loses no input and leaves no partial result.
        Full = "full",
        /// Never, for tests and for folders in memory. Everything survives the end of the process, but a power failure
        /// can lose inputs and results.
        None = "none",
    }
}

section! {
    /// The socket on which the running service answers.
    pub struct Control {
        /// The path of the socket, relative to the var folder.
        pub socket: Option<PathBuf> = path_or_nothing("the path of a socket, or \"\" for none", Some("^(.*[^/])?$"), |path| !path.ends_with('/'))
            .with_default(Some("control.sock".into()))
            .after_restart(),
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
    /// Returns whether nothing is ever removed.
    pub fn keeps_everything(&self) -> bool {
        [self.done, self.failed, self.history, self.log].iter().all(Option::is_none)
    }
}

section! {
    /// Where metrics can be read.
    pub struct Metrics {
        /// Where metrics are served over HTTP.
        pub listen: Option<SocketAddr> = text_or_nothing(
            "an address with a port such as \"127.0.0.1:9184\" or \"[::1]:9184\", or \"\" for none",
            json!({ "type": "string", "pattern": "^$|^[0-9.]+:[0-9]+$|^\\[[0-9A-Fa-f:.%]+\\]:[0-9]+$" }),
            |address| address.parse().ok(),
            ToString::to_string,
        ).after_restart(),
        /// The file that metrics are written to, for the textfile collector of the node exporter.
        pub textfile: Option<PathBuf> = file_ending_in(".prom").after_restart(),
    }
}

section! {
    /// The page of the service, which anybody who sees the outbox can open.
    pub struct Page {
        /// The file that the page is written to.
        pub path: Option<PathBuf> = file_ending_in(".html").after_restart(),
    }
}

/// Declares the path of a file with this ending. With another ending, the node exporter would not read the file, and a
/// browser would not show it as a page.
fn file_ending_in(ending: &'static str) -> Declared<Option<PathBuf>> {
    let expected = format!("the path of a file that ends in {ending}, or \"\" for none");
    let pattern = format!("^$|[^/]\\{ending}$");
    let is_one = move |path: &str| {
        path.strip_suffix(ending).is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/'))
    };
    path_or_nothing(&expected, Some(&pattern), is_one)
}

/// The error message if the configuration needs workers and this build has none.
pub const WITHOUT_WORKERS: &str = "this program was built without workers on other machines; build it with `cargo build --release --features workers`";

section! {
    /// Workers on other machines, which get puzzles over a NATS server.
    pub struct Remote {
        /// The addresses of the server, one or several with commas between them.
        pub url: Option<String> = text_or_nothing(
            "\"nats://HOST:PORT\" or \"tls://HOST:PORT\", or \"\" for no server",
            json!({ "type": "string", "maxLength": 1024, "pattern": "^$|^(nats|tls)://[^ ,]+( *, *(nats|tls)://[^ ,]+)*$" }),
            |url| url.split(',').all(|url| is_address(url.trim())).then(|| url.to_owned()),
            Clone::clone,
        ).after_restart(),
        /// A file with an nkey's seed or with credentials. A plain name is first searched among the credentials of the
        /// service manager; any other relative path begins at the folder of the configuration file.
        pub credentials: Option<PathBuf> = any_path("the path of a file, or \"\" for none").after_restart(),
        /// A file with certificate authorities for the server, in addition to those of the system; found like the
        /// credentials.
        pub ca: Option<PathBuf> = any_path("the path of a file, or \"\" for none").after_restart(),
        /// The name of the stream that carries the puzzles.
        pub stream: String = text(
            "TABULEIRO".to_owned(),
            "a name of 1 to 32 letters, digits, - and _",
            json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$" }),
            |name| is_stream(name).then(|| name.to_owned()),
            Clone::clone,
        ).after_restart(),
        /// How long a puzzle waits for a thread of this machine before a worker may take it.
        pub patience: Duration = scalar(Duration::from_millis(20), Values::duration(Duration::ZERO..=HOUR)).after_restart(),
    }
}

fn is_address(url: &str) -> bool {
    let host = url.strip_prefix("nats://").or_else(|| url.strip_prefix("tls://"));
    host.is_some_and(|host| !host.is_empty() && host.chars().all(|c| c.is_ascii_graphic()))
}

fn is_stream(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=32).contains(&name.len()) && name.bytes().all(is_plain)
}

impl Remote {
    /// Reports an error if `url` names a server, but this build has no workers.
    pub(super) fn report_left_out(&self, table: &Table<'_, '_>) {
        if let Some(found) = table.found("url").filter(|_| self.url.is_some() && !cfg!(feature = "workers")) {
            table.source.add(found.offset(), format!("remote.url: {WITHOUT_WORKERS}"));
        }
    }

    /// Returns the section with its relative paths made absolute below the folder of the configuration `file`. A plain
    /// name is first looked up among the credentials of the service manager.
    pub(super) fn placed(mut self, file: &Path, cwd: &Path) -> Self {
        for path in [&mut self.credentials, &mut self.ca] {
            let place = |path: PathBuf| {
                let own = || absolute(&file.with_file_name(&path), cwd);
                credential(&path).unwrap_or_else(own)
            };
            *path = path.take().map(place);
        }
        self
    }
}

/// Returns the path of a credential that the service manager provides to this process under a plain name.
fn credential(name: &Path) -> Option<PathBuf> {
    let folder = std::env::var_os("CREDENTIALS_DIRECTORY")?;
    let path = Path::new(&folder).join(name.file_name().filter(|plain| *plain == name)?);
    path.is_file().then_some(path)
}
