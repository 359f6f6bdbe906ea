//! A service that does not run, as its folders show it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::ago;
use crate::cli::arguments::printable_path;
use crate::cli::failure::{Exit, Failure};
use crate::cli::history::outcome;
use crate::cli::service_query::Asked;
use crate::cli::terminal_table::{columns, labelled};
use crate::config::Intake;
use crate::daemon::base::clock::{now, stamp};
use crate::daemon::claims::find;
use crate::daemon::records::history::{self, Query, Record};

/// Files and folders looked at in one of the service's folders.
const COUNTED_MAX: u64 = 100_000;

/// A service that does not run.
pub struct Down {
    /// What lies in the folders: the name in JSON, the name for people, how much, and what is to be known of it.
    files: [(&'static str, &'static str, Count, String); 4],
    /// The job that ended last.
    last_job: Option<Record>,
    /// Why that is not known to be a service that does not run.
    silence: String,
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
        let claims = find::standing(&asked.search.work(), &asked.search.tree()).unwrap_or_default();
        let claims = Count { files: claims.len() as u64, more: false };
        let place = |folder: &Path| format!("in {}", printable_path(folder));
        let (inbox, done, failed) = (&folders.inbox, folders.done(), folders.failed());
        let files = [
            ("inbox", "inbox", Count::of(inbox, Some(&asked.config.intake)), place(inbox)),
            ("work", "in hand", claims, "taken and not answered; the next start answers them".to_owned()),
            ("done", "done", Count::of(&done, None), place(&done)),
            ("failed", "failed", Count::of(&failed, None), place(&failed)),
        ];
        let last_job = found.records.into_iter().next();
        Ok(Self { files, last_job, silence: asked.silence() })
    }

    /// One object. The names in it stay.
    pub fn json(&self) -> Value {
        let files: Map<_, _> =
            self.files.iter().map(|(name, _, count, _)| ((*name).to_owned(), json!(count))).collect();
        let service = json!({ "state": "stopped" });
        json!({ "time": stamp(now()), "service": service, "files": files, "last_job": self.last_job })
    }

    /// Some lines, that fit the terminal.
    pub fn text(&self) -> String {
        let available = columns();
        let line = |label, text: &str| labelled(label, text, available);
        let mut text = line("tabuleiro", &format!("does not run: {}", self.silence));
        for (_, label, count, what) in &self.files {
            text += &line(label, &format!("{} {what}", count.text()));
        }
        let last = self.last_job.as_ref().map_or("none is known".to_owned(), |record| {
            format!("{}: {} {}", ago(&record.time), record.file.printable(), outcome(record))
        });
        text + &line("last job", &last)
    }
}

impl Count {
    /// The files below a folder, those left out that the intake ignores.
    fn of(root: &Path, ignoring: Option<&Intake>) -> Self {
        let mut count = Self::default();
        let mut looked_at = 0;
        let mut folders: Vec<PathBuf> = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
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
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
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
