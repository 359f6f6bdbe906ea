//! The page of the service: an HTML file, in the outbox usually, for everybody who can open it there.
//!
//! The loop hands over [`Facts`] and notes jobs that ended; a thread of its own makes the page of these when something
//! changed. Grades never appear on it. If only owners read results, it has counts alone. It holds no script and no form:
//! nothing can be changed from it.

// What the page says, and its words.
mod content;
// The file, and what else may have its name.
mod page_file;

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;
use tracing::{info, warn};

use crate::config::{self, Config, Readers};
use crate::daemon::answering::job_progress::JobProgress;
use crate::daemon::base::clock;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::fs::disk::{Access, Disk};
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::os::group_id;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::inspect::snapshot::{self, Snapshot};
use crate::daemon::publishing::publisher::Published;
use crate::daemon::records::history;
use crate::daemon::records::history::{Outcome, Query, Record};
use content::{Ended, Message, Output, Words, content, disks, head};
use page_file::{PageFile, encoded};
use tabuleiro_puzzles::picture::{Markup, Page, PageWords};
use tabuleiro_puzzles::words::Phrase;

/// Time after which a browser reads the page again.
const REFRESH_INTERVAL: Duration = Duration::from_secs(10);
/// Time between two looks at the service for the page.
const PAGE_INTERVAL: Duration = Duration::from_secs(5);
/// Jobs on the page.
const JOBS_MAX: usize = 100;
/// Read of the history at the start, its end.
const HISTORY_BYTES_MAX: u64 = 4 << 20;

/// The service at one moment, without the jobs that ended, as everybody may know it: no name of a file is in it that not
/// everybody may see.
#[derive(Debug, Clone)]
pub struct Facts {
    /// What `tabuleiro status` prints.
    pub snapshot: Snapshot,
    /// The configuration in force.
    pub config: Arc<Config>,
    /// Some of the files in hand, those first that are being answered: a printable path below the inbox, and how far the
    /// file is; `None` if nobody works on it.
    pub in_hand: Vec<(String, Option<JobProgress>)>,
    /// Printable paths below the inbox of some of what permissions keep from being taken.
    pub denied: Vec<String>,
    /// Printable paths below the inbox of folders on another mount, from which nothing is taken.
    pub other_mounts: Vec<String>,
}

impl Facts {
    /// Returns whether names of files and what became of them are shown at all.
    #[must_use]
    pub fn has_names(&self) -> bool {
        self.config.results.readers == Readers::Group
    }
}

/// Asks for what the page is made from; `None` if the service does not answer.
pub type Ask = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Option<Box<Facts>>> + Send>> + Send + Sync>;

/// Writes the page when something has `changed`: an idle service is not woken for it.
pub async fn keep(site: Arc<Site>, mut changed: watch::Receiver<()>, ask: Ask) {
    let mut throttle = Throttle::default();
    while changed.changed().await.is_ok() {
        tokio::time::sleep_until(throttle.due(Instant::now()).into()).await;
        // What changed until now is in the answer.
        changed.mark_unchanged();
        throttle.looked(Instant::now());
        let Some(facts) = ask().await else {
            changed.mark_changed();
            continue;
        };
        let content = site.content(&facts);
        if throttle.is_news(&content.0) && site.write(&facts, &content) {
            throttle.said(content.0);
        }
    }
}

/// When the page is written: at most so often, and only if it says something new.
#[derive(Debug, Default)]
struct Throttle {
    looked: Option<Instant>,
    said: Option<String>,
}

impl Throttle {
    /// Returns when the service may be looked at: now, or later.
    fn due(&self, now: Instant) -> Instant {
        self.looked.map_or(now, |looked| now.max(looked + PAGE_INTERVAL))
    }

    fn looked(&mut self, now: Instant) {
        self.looked = Some(now);
    }

    fn is_news(&self, content: &str) -> bool {
        self.said.as_deref() != Some(content)
    }

    fn said(&mut self, content: String) {
        self.said = Some(content);
    }
}

/// The page of a service.
pub struct Site {
    file: PageFile,
    folders: Folders,
    /// Its own, so that no folder stays open behind a look.
    outbox: Tree,
    jobs: LastJobs,
    /// Why it cannot be written.
    trouble: Mutex<Option<String>>,
}

impl Site {
    /// Prepares the page at `path`, which the configuration names.
    #[must_use]
    pub fn new(path: &Path, wanted: &config::Folders, folders: &Folders) -> Self {
        let file = PageFile::new(path, wanted, folders);
        let outbox = Tree::new([folders.outbox.as_path()]);
        let folders = folders.clone();
        Self { file, folders, outbox, jobs: LastJobs::default(), trouble: Mutex::default() }
    }

    /// Notes a job that ended, if it published anything.
    pub fn note(&self, published: &Published) {
        if let Some(record) = Record::of(published, &self.folders, clock::now()) {
            self.jobs.note(record);
        }
    }

    /// Returns why the page cannot be written.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().clone()
    }

    /// Makes what the page says, without what alone is not worth a new page: the time and the room on the disks.
    fn content(&self, facts: &Facts) -> Markup {
        self.jobs.load(&self.folders.history);
        let jobs = if facts.has_names() { self.jobs.newest_first() } else { Vec::new() };
        let ended: Vec<_> = jobs.into_iter().map(|job| self.ended(job)).collect();
        self.outbox.close_cached_dirs();
        content(facts, &ended, Words(facts.config.results.language))
    }

    fn ended(&self, Job { record, is_replaced }: Job) -> Ended {
        let output = |path: &Path| Output {
            path: JsonPath::from(path).printable(),
            link: self.file.way.as_ref().map(|way| way.clone() + &encoded(path)),
            is_gone: !self.outbox.stat(&self.folders.outbox.join(path)).is_ok_and(|found| found.is_file),
        };
        let outputs = (!is_replaced).then(|| record.outputs().map(output).collect());
        Ended { record, outputs }
    }

    /// Writes the page a last time.
    pub fn write_last(&self, facts: &Facts) {
        self.write(facts, &self.content(facts));
    }

    /// Writes the page with that content. Returns false if that failed, which is logged once.
    fn write(&self, facts: &Facts, content: &Markup) -> bool {
        let shown = self.file.path().display();
        let trouble = match self.page(facts, content).and_then(|page| self.file.write(&page, access(facts)?))
        {
            Ok(true) => None,
            Ok(false) => Some(format!(
                "{shown} is somebody else's, and stays; rename or remove it, or write another page.path"
            )),
            Err(error) => Some(format!("{shown}: {error}")),
        };
        let is_written = trouble.is_none();
        let before = {
            // The loop asks for it, and does not wait while it is logged.
            let mut known = self.trouble.lock();
            std::mem::replace(&mut *known, trouble.clone())
        };
        match trouble {
            Some(trouble) if before.as_ref() != Some(&trouble) => {
                warn!("the page cannot be written: {trouble}");
            }
            None if before.is_some() => info!("the page can be written again"),
            _ => {}
        }
        is_written
    }

    fn page(&self, facts: &Facts, content: &Markup) -> io::Result<Vec<u8>> {
        let language = facts.config.results.language;
        let (words, seconds) = (Words(language), REFRESH_INTERVAL.as_secs());
        let title = Phrase::from(Message::Title).say(language);
        let mut page =
            Page::begin(Vec::new(), PageWords { language, title: &title, refresh: Some(seconds) })?;
        page.write(&head(facts, words, seconds))?;
        page.write(content)?;
        let staging = self.folders.staging.display().to_string();
        let is_of_results = |disk: &snapshot::Disk| disk.folder == staging;
        page.write(&disks(facts, words, is_of_results))?;
        page.finish()
    }
}

/// Lets everybody read the page who reads the outbox.
fn access(facts: &Facts) -> io::Result<Access> {
    let results = &facts.config.results;
    let group = results.group.as_deref().map(|group| group_id("results.group", group)).transpose()?;
    Ok(Access { mode: Some(results.mode), group, restricted: None })
}

/// The jobs that ended last, as far as everybody may know of them: those since the start, and before them the history's.
#[derive(Debug, Default)]
struct LastJobs(Mutex<Jobs>);

#[derive(Debug, Default)]
struct Jobs {
    /// The newest first.
    jobs: VecDeque<Job>,
    /// The history was read.
    is_loaded: bool,
}

#[derive(Debug, Clone)]
struct Job {
    record: Record,
    /// A later job has the name of one of its outputs.
    is_replaced: bool,
}

impl LastJobs {
    fn note(&self, record: Record) {
        self.0.lock().add(record);
    }

    /// Reads the history, the first time. If it cannot be read, the log says so when it is written.
    fn load(&self, folder: &Path) {
        if self.0.lock().is_loaded {
            return;
        }
        let query = Query { bytes_max: Some(HISTORY_BYTES_MAX), ..Query::default() };
        let found = history::find(folder, query, |_| true).unwrap_or_default().records;
        let ids: BTreeSet<_> = found.iter().map(|record| record.id.clone()).collect();
        let mut all = Jobs { is_loaded: true, ..Jobs::default() };
        for record in found {
            all.add(record);
        }
        // The loop, which notes jobs, does not wait for more than this.
        let mut known = self.0.lock();
        let noted = std::mem::take(&mut known.jobs).into_iter().rev().map(|job| job.record);
        for record in noted.filter(|record| !ids.contains(&record.id)) {
            all.add(record);
        }
        *known = all;
    }

    fn newest_first(&self) -> Vec<Job> {
        self.0.lock().jobs.iter().cloned().collect()
    }
}

impl Jobs {
    fn add(&mut self, record: Record) {
        for job in &mut self.jobs {
            job.is_replaced |= job.record.outputs().any(|old| record.outputs().any(|new| new == old));
        }
        if !record.is_private && record.outcome != Outcome::Graded {
            self.jobs.push_front(Job { record, is_replaced: false });
            self.jobs.truncate(JOBS_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: usize, output: &str) -> Record {
        let output = Some(Path::new(output).into());
        Record { id: id.to_string(), output, beside: vec![Path::new("a.json").into()], ..Record::default() }
    }

    fn told(jobs: &LastJobs) -> Vec<(String, bool)> {
        jobs.newest_first().into_iter().map(|job| (job.record.id, job.is_replaced)).collect()
    }

    #[test]
    fn what_a_later_job_replaced_is_known_though_nobody_may_know_of_that_job() {
        let jobs = LastJobs::default();
        jobs.note(Record { beside: Vec::new(), ..record(1, "x.txt") });
        jobs.note(record(2, "a.txt"));
        jobs.note(Record { is_private: true, ..record(3, "b.txt") });
        jobs.note(Record { outcome: Outcome::Graded, ..record(4, "c.txt") });
        assert_eq!(told(&jobs), [("2".to_owned(), true), ("1".to_owned(), false)]);
        for id in 5..200 {
            jobs.note(record(id, "a.txt"));
        }
        let told = told(&jobs);
        assert_eq!(
            (told.len(), &told[0], &told[1]),
            (JOBS_MAX, &("199".into(), false), &("198".into(), true))
        );
    }

    #[test]
    fn the_history_comes_before_what_was_noted_and_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let line = |id: usize| serde_json::to_string(&record(id, &format!("{id}.txt"))).unwrap() + "\n";
        std::fs::write(folder.path().join("2026-11-21.jsonl"), line(1) + &line(2)).unwrap();
        let jobs = LastJobs::default();
        jobs.note(record(2, "2.txt"));
        jobs.note(record(3, "3.txt"));
        for _ in 0..2 {
            jobs.load(folder.path());
            let ids: Vec<_> = told(&jobs).into_iter().map(|(id, _)| id).collect();
            assert_eq!(ids, ["3", "2", "1"]);
        }
    }

    #[test]
    fn the_page_is_written_at_most_every_five_seconds() {
        let start = Instant::now();
        let mut throttle = Throttle::default();
        let (mut now, mut written) = (start, Vec::new());
        // Something changes every tenth of a second, for a minute.
        for tenth in 0..600 {
            now = now.max(start + Duration::from_millis(100 * tenth));
            now = throttle.due(now);
            throttle.looked(now);
            written.push(now);
        }
        assert_eq!(written[0], start, "the first change is told at once");
        assert!(written.windows(2).all(|two| two[1] - two[0] >= PAGE_INTERVAL));
        let later = now + 3 * PAGE_INTERVAL;
        assert_eq!(throttle.due(later), later, "and so is one after a while");
    }

    #[test]
    fn what_the_page_says_already_is_not_written_again() {
        let mut throttle = Throttle::default();
        assert!(throttle.is_news("a"));
        // Until it was written it is news.
        assert!(throttle.is_news("a"));
        throttle.said("a".to_owned());
        assert!(!throttle.is_news("a") && throttle.is_news("b"));
        throttle.said("b".to_owned());
        assert!(throttle.is_news("a"));
    }
}
