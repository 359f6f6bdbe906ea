//! The metrics as a file, for the textfile collector of the node exporter.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tracing::warn;

use crate::daemon::inspect::metrics::Ask;

/// Time between two textfiles.
const TEXTFILE_INTERVAL: Duration = Duration::from_secs(15);

/// Writes the metrics when something has `changed`: an idle service is not woken for it.
pub async fn keep(path: &Path, mut changed: watch::Receiver<()>, ask: Ask) {
    let mut is_failing = false;
    while changed.changed().await.is_ok() {
        let next = Instant::now() + TEXTFILE_INTERVAL;
        if let Some(text) = ask().await {
            let written = write(path, &text);
            if let Some(error) = written.as_ref().err().filter(|_| !is_failing) {
                log_failure(path, error);
            }
            is_failing = written.is_err();
        }
        tokio::time::sleep_until(next).await;
    }
}

/// Says that the file could not be written.
pub fn log_failure(path: &Path, error: &io::Error) {
    warn!(file = %path.display(), "the metrics cannot be written: {error}");
}

/// Writes the file whole, by a rename: the collector never sees a part of it. It can be read by everybody, since the
/// collector is another user. What it tells is over after a crash, so nothing is synced.
///
/// # Errors
/// Those of making and renaming the file.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    // The collector takes names that end in `.prom` alone.
    let mut made: OsString = path.as_os_str().to_owned();
    made.push(".tmp");
    // One that an earlier run left, or a link that somebody put there.
    match fs::remove_file(&made) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::create_new(&made)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(Permissions::from_mode(0o644))?;
    drop(file);
    fs::rename(&made, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tabuleiro.prom");
        fs::write(folder.path().join("mine"), "mine").unwrap();
        std::os::unix::fs::symlink("mine", folder.path().join("tabuleiro.prom.tmp")).unwrap();
        for text in ["a 1\n", "b 2\n"] {
            write(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644);
        assert_eq!(fs::read_to_string(folder.path().join("mine")).unwrap(), "mine");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        write(&folder.path().join("missing/x.prom"), "").unwrap_err();
    }
}
