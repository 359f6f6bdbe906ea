//! The page of the service: an HTML file, usually in the outbox, for everybody who can open it there.
//!
//! A separate thread writes the page when something changed, from the [`Facts`] of the loop and the end of the history.
//! Grades never appear on the page. If only owners may read results, it shows only counts. It contains no script and no
//! form, so nothing can be changed through it.

// The content of the page, and its messages.
mod content;
// The file of the page, which replaces only another page.
mod page_file;

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use content::{Message, Output, Row, Words, content, disks, head};
use page_file::PageFile;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;
use tracing::{info, warn};

use crate::config::{self, Config, Readers};
use crate::daemon::answering::job_progress::JobProgress;
use crate::daemon::base::json_path::show;
use crate::daemon::fs::disk::{Access, Disk};
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::os::group_id;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::inspect::serving::Ask;
use crate::daemon::inspect::snapshot::{self, Snapshot};
use crate::daemon::records::history::{self, Outcome, Query, Record};
use tabuleiro_jobs::page::address;
use tabuleiro_puzzles::picture::{Markup, Page};

/// The minimum time between two versions of the page.
const PAGE_INTERVAL: Duration = Duration::from_secs(5);
/// The maximum number of jobs on the page.
const JOBS_MAX: usize = 100;
/// How many bytes at the end of the history are read for a page.
const HISTORY_BYTES_MAX: u64 = 4 << 20;

/// The state of the service at one moment, without ended jobs. Every reader of the page may know the files it names.
#[derive(Debug, Clone)]
pub struct Facts {
    /// What `tabuleiro status` prints.
    pub snapshot: Snapshot,
    /// The configuration in force.
    pub config: Arc<Config>,
    /// The first files in progress, by their printable paths below the inbox. Files that are being answered come first,
    /// with their progress.
    pub in_hand: Vec<(String, Option<JobProgress>)>,
    /// Printable paths below the inbox of files and folders that cannot be taken because of their permissions.
    pub denied: Vec<String>,
    /// Printable paths below the inbox of folders on another mount, from which nothing is taken.
    pub other_mounts: Vec<String>,
}

impl Facts {
    /// Returns whether the page names files.
    pub fn has_names(&self) -> bool {
        self.config.results.readers == Readers::Group
    }
}

/// Rewrites the page when something has `changed`: at most every 5 seconds, and only if its content differs. An idle
/// service is not woken for this.
pub async fn keep(site: Arc<Site>, mut changed: watch::Receiver<()>, ask: Ask<Box<Facts>>) {
    let (mut due, mut said) = (Instant::now(), None);
    while changed.changed().await.is_ok() {
        tokio::time::sleep_until(due).await;
        // The answer includes every change up to now.
        changed.mark_unchanged();
        due = Instant::now() + PAGE_INTERVAL;
        let Some(facts) = ask().await else {
            changed.mark_changed();
            continue;
        };
        let content = site.content(&facts);
        if said.as_ref() != Some(&content.0) && site.write(&facts, &content) {
            said = Some(content.0);
        }
    }
}

/// The page of a service.
pub struct Site {
    file: PageFile,
    folders: Folders,
    /// A separate tree, so that no folder stays open.
    outbox: Tree,
    /// Why the page cannot be written.
    trouble: Mutex<Option<String>>,
}

impl Site {
    /// Prepares the page at `path`, which the configuration names.
    pub fn new(path: &Path, wanted: &config::Folders, folders: &Folders) -> Self {
        let file = PageFile::new(path, wanted, folders);
        let outbox = Tree::new([folders.outbox.as_path()]);
        let folders = folders.clone();
        Self { file, folders, outbox, trouble: Mutex::default() }
    }

    /// Returns why the page cannot be written.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().clone()
    }

    /// Renders the content without the time and the free space. A change of those alone does not cause a new page.
    pub fn content(&self, facts: &Facts) -> Markup {
        let jobs = if facts.has_names() { last_jobs(&self.folders.history) } else { Vec::new() };
        let ended: Vec<_> = jobs.into_iter().map(|job| self.ended(job)).collect();
        content(facts, &ended, Words(facts.config.results.language))
    }

    fn ended(&self, (record, is_replaced): (Record, bool)) -> Row {
        let is_there = |path: &&Path| {
            !is_replaced && self.outbox.stat(&self.folders.outbox.join(path)).is_ok_and(|found| found.is_file)
        };
        let output = |path: &Path| Output {
            path: show(path),
            link: self.file.link_prefix.as_ref().map(|way| way.clone() + &address(path)),
        };
        let outputs = record.outputs().filter(is_there).map(output).collect();
        (record, outputs)
    }

    /// Writes the page with `content`. Returns false on failure. A cause that persists is logged once.
    pub fn write(&self, facts: &Facts, content: &Markup) -> bool {
        let shown = self.file.path.display();
        let written = self.page(facts, content).and_then(|page| self.file.write(&page, access(facts)?));
        let trouble = match written {
            Ok(true) => None,
            Ok(false) => Some(format!(
                "{shown} is somebody else's, and stays; rename or remove it, or write another page.path"
            )),
            Err(error) => Some(format!("{shown}: {error}")),
        };
        let is_written = trouble.is_none();
        // The loop takes this lock, too, and must not wait for the log.
        let before = std::mem::replace(&mut *self.trouble.lock(), trouble.clone());
        match trouble {
            Some(trouble) if before.as_ref() != Some(&trouble) => {
                warn!(name: "no-page", reason = trouble, "the page cannot be written");
            }
            None if before.is_some() => info!(name: "page-works", "the page can be written again"),
            _ => {}
        }
        is_written
    }

    fn page(&self, facts: &Facts, content: &Markup) -> io::Result<Vec<u8>> {
        let language = facts.config.results.language;
        let words = Words(language);
        let title = words.say(Message::Title);
        let mut page = Page::begin(Vec::new(), language, &title)?;
        page.write(&head(facts, words))?;
        page.write(content)?;
        let staging = self.folders.staging.display().to_string();
        let is_of_results = |disk: &snapshot::Disk| disk.folder == staging;
        page.write(&disks(facts, words, is_of_results))?;
        page.finish()
    }
}

/// Returns the permissions of the page, which are those of results.
fn access(facts: &Facts) -> io::Result<Access> {
    let results = &facts.config.results;
    let group = group_id("results.group", results.group.as_deref())?;
    Ok(Access { mode: Some(results.mode), group, restricted: None })
}

/// Returns the latest jobs that everybody may know of, the newest first, each with whether a later job reused the name
/// of an output. Read errors are ignored: the log reports an unusable history when the service writes to it.
fn last_jobs(history: &Path) -> Vec<(Record, bool)> {
    let (mut later, mut are_replaced) = (HashSet::new(), Vec::new());
    // The search begins with the newest job.
    let is_shown = |record: &Record| {
        let is_replaced = record.outputs().any(|output| later.contains(output));
        later.extend(record.outputs().map(Path::to_owned));
        let is_shown = !record.is_private && record.outcome != Outcome::Graded;
        are_replaced.extend(is_shown.then_some(is_replaced));
        is_shown
    };
    let query = Query { limit: Some(JOBS_MAX), bytes_max: Some(HISTORY_BYTES_MAX), ..Query::default() };
    let found = history::find(history, query, is_shown).unwrap_or_default().records;
    found.into_iter().rev().zip(are_replaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: usize, output: &str) -> Record {
        let output = Some(Path::new(output).into());
        Record { id: id.to_string(), output, beside: vec![Path::new("a.json").into()], ..Record::default() }
    }

    fn told(records: &[Record]) -> Vec<(String, bool)> {
        let folder = tempfile::tempdir().unwrap();
        let lines = records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n");
        std::fs::write(folder.path().join("2026-11-21.jsonl"), lines.collect::<String>()).unwrap();
        let jobs = last_jobs(folder.path()).into_iter();
        jobs.map(|(record, is_replaced)| (record.id, is_replaced)).collect()
    }

    #[test]
    fn what_a_later_job_replaced_is_known_though_nobody_may_know_of_that_job() {
        let mut jobs = vec![
            Record { beside: Vec::new(), ..record(1, "x.txt") },
            record(2, "a.txt"),
            Record { is_private: true, ..record(3, "b.txt") },
            Record { outcome: Outcome::Graded, ..record(4, "c.txt") },
        ];
        assert_eq!(told(&jobs), [("2".to_owned(), true), ("1".to_owned(), false)]);
        jobs.extend((5..200).map(|id| record(id, "a.txt")));
        let told = told(&jobs);
        assert_eq!(
            (told.len(), &told[0], &told[1]),
            (JOBS_MAX, &("199".into(), false), &("198".into(), true))
        );
    }
}
