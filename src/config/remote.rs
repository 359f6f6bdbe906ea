//! `[remote]`: the broker over which workers on other machines get puzzles.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::config_keys::{Declared, scalar, section, text, text_or_nothing};
use super::folder_settings::absolute;
use super::sections::is_path;
use super::toml_reader::Table;
use tabuleiro_puzzles::solver::Values;

/// What people read who ask this build for what it leaves out.
pub const WITHOUT_WORKERS: &str = "this program was built without workers on other machines; build it with `cargo build --release --features workers`";
const HOUR: Duration = Duration::from_secs(3600);

section! {
    /// Workers on other machines, which get puzzles over a NATS server.
    pub struct Remote {
        /// The addresses of the server, one or several with commas between them.
        pub url: Option<String> = text_or_nothing(
            None,
            "\"nats://HOST:PORT\" or \"tls://HOST:PORT\", or \"\" for no server",
            json!({ "type": "string", "maxLength": 1024, "pattern": "^$|^(nats|tls)://[^ ,]+( *, *(nats|tls)://[^ ,]+)*$" }),
            |url| url.split(',').all(|url| is_address(url.trim())).then(|| url.to_owned()),
            Clone::clone,
        ).after_restart(),
        /// A file with an nkey's seed or with credentials. A plain name is first searched among the credentials of the service
        /// manager; any other relative path begins at the folder of the configuration file.
        pub credentials: Option<PathBuf> = file_or_nothing().after_restart(),
        /// A file with certificate authorities for the server, in addition to those of the system; found like the credentials.
        pub ca: Option<PathBuf> = file_or_nothing().after_restart(),
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

fn file_or_nothing() -> Declared<Option<PathBuf>> {
    text_or_nothing(
        None,
        "the path of a file, or \"\" for none",
        json!({ "type": "string", "maxLength": 4095 }),
        |path| is_path(path).then(|| path.into()),
        |path: &PathBuf| path.to_string_lossy().into_owned(),
    )
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
    /// Reports a server that this build cannot use.
    pub(super) fn report_left_out(&self, table: &Table<'_, '_>) {
        if let Some(found) = table.found("url").filter(|_| self.url.is_some() && !cfg!(feature = "workers")) {
            table.source.add(found.offset(), format!("remote.url: {WITHOUT_WORKERS}"));
        }
    }

    /// The same with its relative paths made absolute below the folder of the configuration `file`; plain names are those of
    /// credentials of the service manager, where it has them.
    #[must_use]
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

/// A credential that the service manager has for this process under a plain name.
fn credential(name: &Path) -> Option<PathBuf> {
    let folder = std::env::var_os("CREDENTIALS_DIRECTORY")?;
    let path = Path::new(&folder).join(name.file_name().filter(|plain| *plain == name)?);
    path.is_file().then_some(path)
}
