//! Writing the history: a line a job, in one write a group.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use time::Date;
use tracing::{info, warn};

use crate::daemon::base::clock;
use crate::daemon::fs::folders::Folders;
use crate::daemon::publishing::publisher::Published;
use crate::daemon::records::history::days::path_of;
use crate::daemon::records::history::record::Record;
use crate::logging::kind;

/// Appends to the history.
#[derive(Debug)]
pub struct History {
    folders: Folders,
    open: Mutex<Open>,
    /// Jobs whose line could not be written.
    lost: AtomicU64,
}

#[derive(Debug, Default)]
pub(super) struct Open {
    file: Option<(Date, File)>,
    /// The file may not end with a whole line.
    torn: bool,
    /// The last try to write failed, which was said.
    failing: bool,
}

impl History {
    /// A history in the folder `history` of the service.
    #[must_use]
    pub fn new(folders: Folders) -> Self {
        Self { folders, open: Mutex::default(), lost: AtomicU64::new(0) }
    }

    /// Jobs whose line could not be written since the start.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Appends the jobs of a group that ended with a result or a report. What cannot be written is counted, and said
    /// once.
    pub fn append(&self, group: &[Published]) {
        let now = clock::now();
        let records: Vec<_> =
            group.iter().filter_map(|published| Record::of(published, &self.folders, now)).collect();
        if records.is_empty() {
            return;
        }
        let mut open = self.open.lock();
        match write(&mut open, &self.folders.history, now.date(), &records) {
            Ok(()) if open.failing => {
                open.failing = false;
                info!("the history can be written again");
            }
            Ok(()) => {}
            Err(error) => {
                self.lost.fetch_add(records.len() as u64, Ordering::Relaxed);
                if !open.failing {
                    let folder = self.folders.history.display();
                    warn!(name: kind::NO_HISTORY.name, "the history in {folder} cannot be written, jobs go on without: {error}");
                }
                *open = Open { failing: true, ..Open::default() };
            }
        }
    }
}

pub(super) fn write(open: &mut Open, folder: &Path, day: Date, records: &[Record]) -> io::Result<()> {
    // A file that somebody removed would swallow everything until midnight.
    let is_current =
        |(of, file): &(Date, File)| *of == day && file.metadata().is_ok_and(|found| found.nlink() > 0);
    if !open.file.as_ref().is_some_and(is_current) {
        let (file, torn) = open_day(folder, day)?;
        (open.file, open.torn) = (Some((day, file)), torn);
    }
    let Some((_, file)) = &mut open.file else { return Ok(()) };
    let mut lines = Vec::new();
    if open.torn {
        lines.push(b'\n');
    }
    for record in records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    file.write_all(&lines)?;
    open.torn = false;
    Ok(())
}

/// Opens the file of a day, and says whether its last line is torn.
fn open_day(folder: &Path, day: Date) -> io::Result<(File, bool)> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let mut file = options.open(path_of(folder, day))?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("the day's file is no regular file"));
    }
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok((file, last != [b'\n']))
}
