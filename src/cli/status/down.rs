//! A service that does not run, as its folders show it.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::text::ago;
use crate::cli::arguments::printable_path;
use crate::cli::asking::Asked;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::history::outcome;
use crate::config::Intake;
use crate::daemon::base::clock::{now, stamp};
use crate::daemon::claims::find;
use crate::daemon::records::history;
use crate::daemon::records::history::{Query, Record};

/// Files and folders looked at in one of the service's folders.
const COUNTED_MAX: u64 = 100_000;
/// Folders deeper than this are not looked into.
const DEPTH_MAX: usize = 64;

/// A service that does not run. The names of the fields are those of `tabuleiro status --json`; they stay.
#[derive(Debug, Serialize)]
pub struct Down {
    /// When this was so.
    pub time: String,
    service: Process,
    /// What lies in the folders.
    files: Files,
    /// The job that ended last.
    last_job: Option<Record>,
    /// Why that is not known to be a service that does not run.
    #[serde(skip)]
    silence: String,
    #[serde(skip)]
    lines: Vec<(&'static str, String)>,
}

#[derive(Debug, Serialize)]
struct Process {
    state: &'static str,
}

#[derive(Debug, Serialize)]
struct Files {
    inbox: Count,
    work: Count,
    done: Count,
    failed: Count,
}

/// Files below a folder.
#[derive(Debug, Default, Serialize)]
struct Count {
    files: u64,
    /// There may be more: so many were counted and no further.
    more: bool,
}

impl Down {
    /// Counts what lies in the folders.
    ///
    /// # Errors
    /// 74 when the history cannot be read; a folder that is missing or cannot be read holds nothing.
    pub fn look(asked: &Asked) -> Result<Self, Failure> {
        let folders = &asked.config.folders;
        let newest = Query { limit: Some(1), ..Query::default() };
        let found = history::find(&folders.history(), newest, |_| true).map_err(|error| {
            let folder = printable_path(&folders.history());
            Failure::new(Exit::Io, format_args!("cannot read the history in {folder}: {error}"))
        })?;
        let last_job = found.records.into_iter().next();
        let files = Files {
            inbox: Count::of(&folders.inbox, Some(&asked.config.intake)),
            work: claims(asked),
            done: Count::of(&folders.done(), None),
            failed: Count::of(&folders.failed(), None),
        };
        let lines = vec![
            ("inbox", format!("{} in {}", files.inbox.text(), printable_path(&folders.inbox))),
            ("in hand", format!("{} taken and not answered; the next start answers them", files.work.text())),
            ("done", format!("{} in {}", files.done.text(), printable_path(&folders.done()))),
            ("failed", format!("{} in {}", files.failed.text(), printable_path(&folders.failed()))),
        ];
        let service = Process { state: "stopped" };
        Ok(Self { time: stamp(now()), service, files, last_job, silence: asked.silence(), lines })
    }

    /// Some lines.
    pub fn text(&self) -> String {
        let mut text = format!("{:<12} does not run: {}\n", "tabuleiro", self.silence);
        for (name, what) in &self.lines {
            text.push_str(&format!("{name:<12} {what}\n"));
        }
        let last = self.last_job.as_ref().map_or("none is known".to_owned(), |record| {
            format!("{}: {} {}", ago(&record.time), record.file.printable(), outcome(record))
        });
        text + &format!("{:<12} {last}\n", "last job")
    }
}

impl Count {
    /// The files below a folder, those left out that the intake ignores.
    fn of(root: &Path, ignoring: Option<&Intake>) -> Self {
        let mut count = Self::default();
        let mut looked_at = 0;
        let mut folders = vec![(root.to_owned(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                looked_at += 1;
                if looked_at > COUNTED_MAX {
                    count.more = true;
                    return count;
                }
                if ignoring.is_some_and(|intake| intake.ignored_by(&entry.file_name()).is_some()) {
                    continue;
                }
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && depth < DEPTH_MAX => folders.push((entry.path(), depth + 1)),
                    Ok(kind) if kind.is_file() => count.files += 1,
                    _ => {}
                }
            }
        }
        count
    }

    fn text(&self) -> String {
        match (self.files, self.more) {
            (1, false) => "1 file".to_owned(),
            (files, false) => format!("{files} files"),
            (files, true) => format!("{files} files or more"),
        }
    }
}

/// Claims in the working folder.
fn claims(asked: &Asked) -> Count {
    let standing = find::standing(&asked.search.work(), &asked.search.tree()).unwrap_or_default();
    Count { files: standing.len() as u64, more: false }
}
