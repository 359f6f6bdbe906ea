//! Publishing: what is ready together becomes durable together.
//!
//! One thread takes all prepared jobs that are waiting (a lone one waits for nobody) and does, in this order:
//!
//! 1. choose each result's name, and record it in the claim where it is a choice;
//! 2. sync: the results' content, the claims that produced them, the chosen names, new folders;
//! 3. rename each result to its final name, over an older one where that is wanted, never deleting it first;
//! 4. sync the folders of the results;
//! 5. remove the older report of a file that now has a result, and sync its folder;
//! 6. only then move each input to `done` or `failed`;
//! 7. sync those folders, where a claim holds a choice, which must not go before its file (else the next group's step
//!    2 does so, before an answer to the same name can appear);
//! 8. remove what else is left of the claims: the chosen names.
//!
//! With `durability = "batch"` step 3 comes before step 2, which then covers step 4, where no name had to be
//! chosen; with `"none"` nothing is synced.
//!
//! A crash before 3 leaves the old result and a claim that is answered again. A crash after 3 leaves the new
//! result and perhaps the claim, which is answered again, under the same name, to the same bytes. After a failed
//! sync everything written since counts as lost: the whole group is made anew, in new files.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::config::{Config, Durability, IfExists};
use crate::daemon::answering::answer::{Answerer, Made, Prepared};
use crate::daemon::fs::disk::{Disk, exists, folders_down};
use crate::daemon::publishing::collision;
use crate::input::printable;
use crate::naming::{self, Output};

/// Jobs made durable by one sync: larger groups measured slower.
pub const GROUP_MAX: usize = 256;
/// Numbers tried for `if_exists = "version"`.
const VERSIONS_MAX: u32 = 1_000_000;

/// Makes prepared jobs public.
pub struct Publisher {
    answerer: Arc<Answerer>,
    /// Folders of kept inputs that the next step 2 must sync, where it does not sync everything.
    owed: Mutex<BTreeSet<PathBuf>>,
}

/// What became of a prepared job.
#[derive(Debug)]
pub struct Published {
    /// The job.
    pub prepared: Prepared,
    /// Where it ended.
    pub end: End,
    /// Where its input is kept, absolute.
    pub kept: Option<PathBuf>,
    /// Time from being prepared to the end, waiting for the group included.
    pub took: Duration,
}

/// Where a job ended.
#[derive(Debug)]
pub enum End {
    /// The result, or the report, stands at this path below the outbox.
    Published(PathBuf),
    /// The input lies in the inbox again.
    PutBack(&'static str),
    /// Nothing was published for good: its file is to be answered again.
    AnswerAgain(String),
    /// Nothing was published for good, but what was made stands: it is to be published again.
    PublishAgain(String),
}

/// A job on its way through the steps.
struct Step {
    prepared: Prepared,
    /// Temporary and final paths, absolute.
    moves: Vec<(PathBuf, PathBuf)>,
    /// The final names must not exist.
    fresh: bool,
    /// The path to tell, below the outbox.
    shown: PathBuf,
    /// Where the input is kept, absolute.
    kept: Option<PathBuf>,
    progress: Progress,
    /// Why it ends unpublished.
    trouble: Option<String>,
}

/// How far a job came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// Nothing has its final name.
    Chosen,
    /// A final name had another owner by then.
    Taken,
    /// A final name was given, or may have been.
    Renamed,
}

impl Publisher {
    /// A publisher into the answerer's outbox.
    pub fn new(answerer: Arc<Answerer>) -> Self {
        Self { answerer, owed: Mutex::default() }
    }

    fn disk(&self) -> &dyn Disk {
        &*self.answerer.disk
    }

    /// Lets go of what is kept open: no job follows for a while.
    pub fn rest(&self) {
        self.disk().rest();
    }

    /// Publishes a group of jobs.
    pub fn publish(&self, group: Vec<Prepared>, config: &Config) -> Vec<Published> {
        let started = Instant::now();
        let mut ended = Vec::new();
        let mut steps = Vec::new();
        for prepared in group {
            match self.choose(prepared, config) {
                Ok(step) => steps.push(step),
                Err(end) => {
                    let (prepared, end) = *end;
                    ended.push(Published { prepared, end, kept: None, took: started.elapsed() });
                }
            }
        }
        let durability = config.results.durability;
        self.name(&mut steps, durability);
        let cleared = self.remove_reports(&steps);
        if durability != Durability::None {
            self.sync_folders(cleared, &mut steps);
        }
        self.keep(&mut steps, durability);
        for step in steps {
            let (prepared, end, kept) = self.end(step);
            ended.push(Published { prepared, end, kept, took: started.elapsed() });
        }
        ended
    }

    /// Step 1. Jobs that publish nothing end here.
    fn choose(&self, prepared: Prepared, config: &Config) -> Result<Step, Box<(Prepared, End)>> {
        match &prepared.made {
            // In the inbox it would lose its record, and be answered again under another name.
            Made::PutBack(_) if prepared.claim.target(self.disk()).is_some() => {
                let end = End::AnswerAgain(
                    "a result may stand already under the name that was chosen for it".to_owned(),
                );
                return Err(Box::new((prepared, end)));
            }
            Made::PutBack(why) => {
                let why = *why;
                let end = match prepared.claim.put_back(&self.answerer.folders.inbox, self.disk()) {
                    Ok(true) => End::PutBack(why),
                    Ok(false) => End::AnswerAgain("a newer file has its name in the inbox".to_owned()),
                    Err(error) => End::AnswerAgain(format!("cannot put the file back: {error}")),
                };
                return Err(Box::new((prepared, end)));
            }
            Made::Failed(message) => {
                let message = message.clone();
                return Err(Box::new((prepared, End::AnswerAgain(message))));
            }
            Made::Results { .. } | Made::Rejected(_) => {}
        }
        match self.plan(&prepared, config) {
            Ok((moves, fresh)) => {
                let outbox = &self.answerer.folders.outbox;
                let shown = moves.first().and_then(|(_, to)| to.strip_prefix(outbox).ok());
                let shown = shown.unwrap_or(Path::new("")).to_owned();
                Ok(Step {
                    prepared,
                    moves,
                    fresh,
                    shown,
                    kept: None,
                    progress: Progress::Chosen,
                    trouble: None,
                })
            }
            Err(error) => {
                self.answerer.remove_temporaries(&prepared.claim.id);
                let end = End::AnswerAgain(format!("cannot make the result: {error}"));
                Err(Box::new((prepared, end)))
            }
        }
    }

    /// The renames of a job, and whether the names must be new.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn plan(&self, prepared: &Prepared, config: &Config) -> io::Result<(Vec<(PathBuf, PathBuf)>, bool)> {
        let outbox = &self.answerer.folders.outbox;
        let origin = collision::home(self.disk(), outbox, &prepared.claim.origin)?;
        if let Made::Results { files, .. } = &prepared.made {
            let (version, fresh) = self.version(prepared, &origin, files)?;
            let moves = files
                .iter()
                .map(|(output, made)| {
                    (made.clone(), outbox.join(naming::result_path(&origin, *output, version)))
                })
                .collect();
            return Ok((moves, fresh));
        }
        let Made::Rejected(rejection) = &prepared.made else { return Ok((Vec::new(), false)) };
        let mut text = rejection.report(&prepared.file);
        let older = naming::result_path(&origin, Output::Result, 1);
        if exists(self.disk(), &outbox.join(&older)) {
            let older = printable(older.as_os_str().as_encoded_bytes(), 1024);
            text.push_str(&format!("An older result still stands beside this report: {older}\n"));
        }
        let made = self.answerer.make_report(&prepared.claim.id, &text, config)?;
        let version = collision::version(self.disk(), outbox, &origin, &[Output::Report])?;
        let report = outbox.join(naming::result_path(&origin, Output::Report, version));
        Ok((vec![(made, report)], false))
    }

    /// The number of the result's name, and whether the name must be new. What an earlier try chose stands.
    fn version(
        &self,
        prepared: &Prepared,
        origin: &Path,
        files: &[(Output, PathBuf)],
    ) -> io::Result<(u32, bool)> {
        let claim = &prepared.claim;
        let path = |version| naming::result_path(origin, Output::Result, version);
        if prepared.if_exists == IfExists::Replace {
            let outputs: Vec<_> = files.iter().map(|(output, _)| *output).collect();
            let outbox = &self.answerer.folders.outbox;
            return Ok((collision::version(self.disk(), outbox, origin, &outputs)?, false));
        }
        if let Some(target) = claim.target(self.disk())
            && let Some(version) = (1..=VERSIONS_MAX).find(|version| path(*version) == target)
        {
            return Ok((version, false));
        }
        // Every output needs the name: one left alone would stop the second rename when the first is done.
        let taken = |version| {
            let mut paths = files.iter().map(|(output, _)| naming::result_path(origin, *output, version));
            paths.find(|path| exists(self.disk(), &self.answerer.folders.outbox.join(path)))
        };
        let free = (1..=VERSIONS_MAX).find(|version| taken(*version).is_none());
        let version = free.ok_or_else(|| io::Error::other("there are too many versions of the result"))?;
        claim.set_target(&path(version), self.disk())?;
        Ok((version, true))
    }

    /// Steps 2 to 4.
    fn name(&self, steps: &mut [Step], durability: Durability) {
        // A choice must be on disk before its name appears, or it could be made again, and otherwise.
        let is_chosen = |step: &Step| step.prepared.if_exists != IfExists::Replace;
        match durability {
            Durability::None => drop(self.rename(steps)),
            Durability::Batch if !steps.iter().any(is_chosen) => {
                self.rename(steps);
                if let Err(error) = self.sync(steps, true) {
                    fail_all(steps, &error);
                }
            }
            Durability::Full | Durability::Batch => {
                if let Err(error) = self.sync(steps, false) {
                    fail_all(steps, &error);
                }
                let named = self.rename(steps);
                self.sync_folders(named, steps);
            }
        }
    }

    /// Step 2, after step 3 where results are `named` already: everything on the file systems of results and claims, or what belongs to the group one by one.
    fn sync(&self, steps: &[Step], named: bool) -> io::Result<()> {
        let (disk, folders) = (self.disk(), &self.answerer.folders);
        if steps.is_empty() {
            return Ok(());
        }
        if disk.syncs_file_systems() {
            disk.sync_file_system(&folders.staging)?;
            if disk.stat(&folders.work)?.device == disk.stat(&folders.staging)?.device {
                return Ok(());
            }
            return disk.sync_file_system(&folders.work);
        }
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in &*owed {
            match disk.sync(folder) {
                // Somebody tidied up.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => other?,
            }
        }
        owed.clear();
        let mut paths = Vec::new();
        for step in steps {
            paths.extend(step.prepared.claim.paths_to_sync(&folders.work, &folders.inbox, disk));
            for (made, to) in &step.moves {
                paths.push(if named { to.clone() } else { made.clone() });
                paths
                    .extend(to.parent().into_iter().flat_map(|parent| folders_down(&folders.outbox, parent)));
            }
        }
        paths.push(folders.staging.clone());
        let mut synced = HashSet::new();
        paths.iter().filter(|path| synced.insert(*path)).try_for_each(|path| disk.sync(path))
    }

    /// Step 3; gives the folders that must be synced.
    fn rename(&self, steps: &mut [Step]) -> BTreeSet<PathBuf> {
        let mut folders = BTreeSet::new();
        for step in steps.iter_mut().filter(|step| step.trouble.is_none()) {
            for (index, (made, to)) in step.moves.iter().enumerate() {
                let renamed =
                    if step.fresh { self.disk().rename_new(made, to) } else { self.disk().rename(made, to) };
                step.progress = match &renamed {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Progress::Taken,
                    _ => Progress::Renamed,
                };
                if let Err(error) = renamed {
                    step.trouble = Some(format!("cannot publish the result: {error}"));
                    if step.progress == Progress::Taken {
                        // Another try chooses another name, so what has this one already would stay for ever.
                        for (_, to) in &step.moves[..index] {
                            let _ = self.disk().remove_file(to);
                        }
                    }
                    break;
                }
                folders.extend(to.parent().map(Path::to_owned));
            }
        }
        folders
    }

    /// Steps 4 and 5.
    fn sync_folders(&self, folders: BTreeSet<PathBuf>, steps: &mut [Step]) {
        for folder in folders {
            if let Err(error) = self.disk().sync(&folder) {
                fail_all(steps, &error);
            }
        }
    }

    /// Step 5; gives the folders that must be synced. Usually there is no older report. Only now: the result that
    /// replaces it is durable. And before the input moves, or a crash could leave the report for ever.
    fn remove_reports(&self, steps: &[Step]) -> BTreeSet<PathBuf> {
        let answered =
            |step: &&Step| step.trouble.is_none() && matches!(step.prepared.made, Made::Results { .. });
        let report = |step: &Step| {
            let name = step.prepared.claim.origin.file_name().unwrap_or_default();
            let path = naming::result_path(&step.shown.with_file_name(name), Output::Report, 1);
            let path = self.answerer.folders.outbox.join(path);
            // One that cannot be removed, a folder perhaps, is no reason to answer again and again.
            self.disk().remove_file(&path).ok()?;
            path.parent().map(Path::to_owned)
        };
        steps.iter().filter(answered).filter_map(report).collect()
    }

    /// Steps 6 to 8.
    fn keep(&self, steps: &mut [Step], durability: Durability) {
        let disk = self.disk();
        let mut moved = BTreeSet::new();
        let mut must_sync = false;
        for step in steps.iter_mut().filter(|step| step.trouble.is_none()) {
            let (root, to) = self.place_to_keep(&step.prepared);
            let kept = to.and_then(|to| step.prepared.claim.keep(&to, disk).map(|()| to));
            match kept {
                Ok(to) => {
                    moved.extend(to.parent().into_iter().flat_map(|parent| folders_down(root, parent)));
                    step.kept = Some(to);
                }
                Err(error) => {
                    let root = root.display();
                    step.trouble =
                        Some(format!("published, but the input cannot be moved to {root}: {error}"));
                }
            }
            must_sync |= step.prepared.if_exists != IfExists::Replace;
        }
        let is_lax = durability == Durability::None;
        let is_synced = is_lax || must_sync && moved.iter().all(|folder| disk.sync(folder).is_ok());
        if !is_synced {
            self.owed.lock().unwrap_or_else(PoisonError::into_inner).extend(moved);
        }
        // A chosen name whose file's move may not be on disk stays in its claim until the next start.
        let may_go = |step: &&Step| is_synced || step.prepared.if_exists == IfExists::Replace;
        for step in steps.iter().filter(|step| step.trouble.is_none()).filter(may_go) {
            step.prepared.claim.end(disk);
        }
    }

    /// Where an input is kept, and the folder in which that lies.
    fn place_to_keep(&self, prepared: &Prepared) -> (&Path, io::Result<PathBuf>) {
        let root = match prepared.made {
            Made::Results { .. } => &self.answerer.folders.done,
            _ => &self.answerer.folders.failed,
        };
        let home = collision::home(
            self.disk(),
            root,
            &naming::archived_path(&prepared.claim.origin, &prepared.claim.id),
        );
        (root, home.map(|home| root.join(home)))
    }

    fn end(&self, step: Step) -> (Prepared, End, Option<PathBuf>) {
        let Step { prepared, shown, kept, fresh, progress, trouble, .. } = step;
        let Some(message) = trouble else { return (prepared, End::Published(shown), kept) };
        // A folder may be another one by now: it is looked up anew for the next try.
        self.disk().rest();
        // Nothing stands under the name that this try chose, so the next may choose again. It must: the name may
        // have another owner, and a record that could not be synced would count as synced by the next sync.
        if fresh && progress != Progress::Renamed {
            prepared.claim.clear_target(self.disk());
        }
        self.answerer.remove_temporaries(&prepared.claim.id);
        (prepared, End::AnswerAgain(message), None)
    }
}

/// After a failed sync nothing of the group can be trusted to be on disk.
fn fail_all(steps: &mut [Step], error: &io::Error) {
    for step in steps {
        step.trouble.get_or_insert_with(|| format!("cannot publish the result: cannot sync: {error}"));
    }
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
