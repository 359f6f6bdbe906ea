//! The metrics as a file, for the textfile collector of the node exporter.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tracing::warn;

use crate::daemon::fs::disk::{Access, Disk};
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::inspect::metrics::{Timings, text};
use crate::daemon::inspect::serving::Ask;
use crate::daemon::inspect::snapshot::Snapshot;

/// The minimum time between two writes of the file.
const TEXTFILE_INTERVAL: Duration = Duration::from_secs(15);

/// Writes the metrics when something has `changed`. An idle service is not woken for this.
pub async fn keep(
    path: PathBuf,
    mut changed: watch::Receiver<()>,
    ask: Ask<Box<Snapshot>>,
    timings: Timings,
) {
    let mut is_failing = false;
    while changed.changed().await.is_ok() {
        let next = Instant::now() + TEXTFILE_INTERVAL;
        if let Some(snapshot) = ask().await {
            let written = write_snapshot(&path, &snapshot, &timings);
            if let Some(error) = written.as_ref().err().filter(|_| !is_failing) {
                log_failure(&path, error);
            }
            is_failing = written.is_err();
        }
        tokio::time::sleep_until(next).await;
    }
}

/// Logs that the file could not be written.
pub fn log_failure(path: &Path, error: &io::Error) {
    warn!(name: "no-textfile", path = %path.display(), reason = %error, "the metrics cannot be written");
}

/// Writes the metrics of a snapshot.
///
/// # Errors
/// Returns the errors of [`write()`].
pub fn write_snapshot(path: &Path, snapshot: &Snapshot, timings: &Timings) -> io::Result<()> {
    write(path, &text(snapshot, timings).map_err(io::Error::other)?)
}

/// Replaces the file atomically, by a rename: the collector never sees a part of it. Everybody can read the file, since
/// the collector runs as another user. The numbers are outdated after a crash, so nothing is synced.
///
/// # Errors
/// Fails if the file cannot be created, written or renamed.
fn write(path: &Path, text: &str) -> io::Result<()> {
    // The collector reads only names that end in `.prom`.
    let mut made = path.as_os_str().to_owned();
    made.push(".tmp");
    let (tree, made) = (Tree::new(path.parent()), Path::new(&made));
    // Replaces a file that an earlier run left, or a link that somebody put there.
    let mut file = tree.create_file(made, Access { mode: Some(0o644), ..Access::default() })?;
    file.write_all(text.as_bytes())?;
    tree.rename(made, path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

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
