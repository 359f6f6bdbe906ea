//! The page of one service: made from what the loop tells and the jobs that ended, and written where it belongs.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tracing::{info, warn};

use super::content::{Ended, Output, Words, content, disks, head};
use super::facts::Facts;
use super::jobs::{Job, LastJobs};
use super::link::encoded;
use super::place::Place;
use super::told::Told;
use crate::config;
use crate::daemon::base::clock;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::fs::disk::{Access, Disk};
use crate::daemon::fs::folders::Folders;
use crate::daemon::fs::os::group_id;
use crate::daemon::fs::tree::Tree;
use crate::daemon::inspect::snapshot;
use crate::daemon::publishing::publisher::Published;
use crate::daemon::records::history::Record;
use tabuleiro_puzzles::picture::{Markup, Page, PageWords};
use tabuleiro_puzzles::words::Phrase;

/// Time after which a browser reads the page again.
const REFRESH_INTERVAL: Duration = Duration::from_secs(10);

/// The page of a service.
pub struct Site {
    place: Place,
    folders: Folders,
    /// Its own, so that no folder stays open behind a look.
    outbox: Tree,
    jobs: LastJobs,
    /// Why it cannot be written.
    trouble: Mutex<Option<String>>,
}

impl Site {
    /// The page at `path`, which the configuration names.
    #[must_use]
    pub fn new(path: &Path, wanted: &config::Folders, folders: &Folders) -> Self {
        let place = Place::new(path, wanted, folders);
        let outbox = Tree::new([folders.outbox.as_path()]);
        let folders = folders.clone();
        Self { place, folders, outbox, jobs: LastJobs::default(), trouble: Mutex::default() }
    }

    /// A job ended, if it published anything.
    pub fn note(&self, published: &Published) {
        if let Some(record) = Record::of(published, &self.folders, clock::now()) {
            self.jobs.note(record);
        }
    }

    /// Why the page cannot be written.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the page is to say, but for what alone makes no new page.
    #[must_use]
    pub fn content(&self, facts: &Facts) -> Markup {
        self.jobs.load(&self.folders.history);
        let jobs = if facts.has_names() { self.jobs.newest_first() } else { Vec::new() };
        let ended: Vec<_> = jobs.into_iter().map(|job| self.ended(job)).collect();
        self.outbox.rest();
        content(facts, &ended, Words(facts.config.results.language))
    }

    /// Looks at what is left of a job.
    fn ended(&self, Job { record, is_replaced }: Job) -> Ended {
        let output = |path: &Path| Output {
            path: JsonPath::from(path).printable(),
            link: self.place.way.as_ref().map(|way| way.clone() + &encoded(path)),
            is_gone: !self.outbox.stat(&self.folders.outbox.join(path)).is_ok_and(|found| found.is_file),
        };
        let outputs = (!is_replaced).then(|| record.outputs().map(output).collect());
        Ended { record, outputs }
    }

    /// Writes the page with that content. False where it could not be written, which is said once.
    pub fn write(&self, facts: &Facts, content: &Markup) -> bool {
        let shown = self.place.path().display();
        let trouble = match self.page(facts, content).and_then(|page| self.place.write(&page, access(facts)?))
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
            let mut known = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
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
        let title = Phrase::from(Told::Title).say(language);
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

/// Whoever reads the outbox reads the page.
fn access(facts: &Facts) -> io::Result<Access> {
    let results = &facts.config.results;
    let group = results.group.as_deref().map(|group| group_id("results.group", group)).transpose()?;
    Ok(Access { mode: Some(results.mode), group, restricted: None })
}
