//! Publishing: what is ready together becomes durable together.
//!
//! One thread takes all prepared jobs that are waiting (a lone one waits for nobody) and does, in this order:
//!
//! 1. choose each result's name, and record it in the claim where it is a choice;
//! 2. sync: the results' content, the claims that produced them, the chosen names, new folders;
//! 3. rename each result to its final name, over an older one where that is wanted, never deleting it first;
//! 4. sync the folders of the results;
//! 5. only then move each input to `done` or `failed` and remove its claim.
//!
//! A crash before 3 leaves the old result and a claim that is answered again. A crash after 3 leaves the new
//! result and perhaps the claim, which is answered again, under the same name, to the same bytes. After a failed
//! sync everything written since counts as lost: the whole group is made anew, in new files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answer::{Made, Prepared, Workshop, result_path};
use super::neighbour;
use super::os::Platform;
use super::tree::Tree;
use crate::config::{Config, IfExists};
use crate::input::printable;
use crate::job::Rejection;
use crate::naming::{self, Output};

/// Jobs made durable by one sync: larger groups measured slower.
pub const GROUP_MAX: usize = 256;
/// Numbers tried for `if_exists = "version"`.
const VERSIONS_MAX: u32 = 1_000_000;

/// Makes prepared jobs public.
pub struct Publisher {
    workshop: Arc<Workshop>,
    platform: Platform,
}

/// What became of a prepared job.
#[derive(Debug)]
pub struct Published {
    /// The job.
    pub prepared: Prepared,
    /// Where it ended.
    pub end: End,
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
    /// Nothing was published for good; try again.
    Again(String),
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
    error: Option<io::Error>,
}

impl Publisher {
    /// A publisher into the workshop's outbox.
    pub fn new(workshop: Arc<Workshop>, platform: Platform) -> Self {
        Self { workshop, platform }
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
                    ended.push(Published { prepared, end, took: started.elapsed() });
                }
            }
        }
        if let Err(error) = self.sync(&steps) {
            fail_all(&mut steps, &error);
        }
        let folders = self.rename(&mut steps);
        for folder in folders {
            if let Err(error) = self.tree().sync_folder(&folder) {
                fail_all(&mut steps, &error);
            }
        }
        for step in steps {
            let (prepared, end) = self.end(step);
            ended.push(Published { prepared, end, took: started.elapsed() });
        }
        ended
    }

    /// Step 1. Jobs that publish nothing end here.
    fn choose(&self, mut prepared: Prepared, config: &Config) -> Result<Step, Box<(Prepared, End)>> {
        match &prepared.made {
            Made::PutBack(why) => {
                let why = *why;
                let end = match prepared.claim.put_back(&self.workshop.folders.inbox, self.platform) {
                    Ok(true) => End::PutBack(why),
                    Ok(false) => End::Again("a newer file has its name in the inbox".to_owned()),
                    Err(error) => End::Again(format!("cannot put the file back: {error}")),
                };
                return Err(Box::new((prepared, end)));
            }
            Made::Failed(message) => {
                let message = message.clone();
                return Err(Box::new((prepared, End::Again(message))));
            }
            Made::Results { .. } | Made::Rejected(_) => {}
        }
        match self.plan(&mut prepared, config) {
            Ok((moves, fresh)) => {
                let outbox = &self.workshop.folders.outbox;
                let shown = moves.first().and_then(|(_, to)| to.strip_prefix(outbox).ok());
                let shown = shown.unwrap_or(Path::new("")).to_owned();
                Ok(Step { prepared, moves, fresh, shown, error: None })
            }
            Err(error) => {
                self.workshop.remove_temporaries(&prepared.claim.id);
                let end = End::Again(format!("cannot make the result: {error}"));
                Err(Box::new((prepared, end)))
            }
        }
    }

    /// The renames of a job, and whether the names must be new.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn plan(&self, prepared: &mut Prepared, config: &Config) -> io::Result<(Vec<(PathBuf, PathBuf)>, bool)> {
        let outbox = &self.workshop.folders.outbox;
        let origin = neighbour::home(&self.tree(), outbox, &prepared.claim.origin)?;
        if let Made::Results { files, .. } = &prepared.made {
            let (version, fresh) = match self.version(prepared, &origin, files)? {
                Ok(chosen) => chosen,
                Err(rejection) => {
                    self.workshop.remove_temporaries(&prepared.claim.id);
                    prepared.made = Made::Rejected(rejection);
                    return self.plan(prepared, config);
                }
            };
            let moves = files
                .iter()
                .map(|(output, made)| (made.clone(), outbox.join(result_path(&origin, *output, version))))
                .collect();
            return Ok((moves, fresh));
        }
        let Made::Rejected(rejection) = &prepared.made else { return Ok((Vec::new(), false)) };
        let mut text = rejection.report(&prepared.file);
        let older = result_path(&origin, Output::Result, 1);
        if outbox.join(&older).exists() {
            let older = printable(older.as_os_str().as_encoded_bytes(), 1024);
            text.push_str(&format!("An older result still stands beside this report: {older}\n"));
        }
        let made = self.workshop.make_report(&prepared.claim.id, &text, config)?;
        let version = neighbour::version(&self.tree(), outbox, &origin, &[Output::Report])?;
        let report = outbox.join(result_path(&origin, Output::Report, version));
        Ok((vec![(made, report)], false))
    }

    /// The number of the result's name, and whether the name must be new. What an earlier try chose stands.
    fn version(
        &self,
        prepared: &Prepared,
        origin: &Path,
        files: &[(Output, PathBuf)],
    ) -> io::Result<Result<(u32, bool), Rejection>> {
        let claim = &prepared.claim;
        let path = |version| result_path(origin, Output::Result, version);
        if prepared.if_exists == IfExists::Replace {
            let outputs: Vec<_> = files.iter().map(|(output, _)| *output).collect();
            let outbox = &self.workshop.folders.outbox;
            return Ok(Ok((neighbour::version(&self.tree(), outbox, origin, &outputs)?, false)));
        }
        if let Some(target) = claim.target()
            && let Some(version) = (1..=VERSIONS_MAX).find(|version| path(*version) == target)
        {
            return Ok(Ok((version, false)));
        }
        // Every output needs the name: one left alone would stop the second rename when the first is done.
        let taken = |version| {
            let mut paths = files.iter().map(|(output, _)| result_path(origin, *output, version));
            paths.find(|path| self.workshop.folders.outbox.join(path).symlink_metadata().is_ok())
        };
        if prepared.if_exists == IfExists::Reject
            && let Some(result) = taken(1)
        {
            let result = printable(result.as_os_str().as_encoded_bytes(), 1024);
            return Ok(Err(Rejection::ResultExists { result }));
        }
        let free = (1..=VERSIONS_MAX).find(|version| taken(*version).is_none());
        let version = free.ok_or_else(|| io::Error::other("there are too many versions of the result"))?;
        claim.set_target(&path(version))?;
        Ok(Ok((version, true)))
    }

    fn tree(&self) -> Tree<'_> {
        self.workshop.folders.tree(self.platform)
    }

    /// Step 2.
    fn sync(&self, steps: &[Step]) -> io::Result<()> {
        if steps.is_empty() {
            return Ok(());
        }
        let folders = &self.workshop.folders;
        let mut roots: Vec<&Path> = vec![&folders.making];
        if fs::metadata(&folders.work)?.dev() != fs::metadata(&folders.making)?.dev() {
            roots.push(&folders.work);
        }
        let mut items = BTreeSet::new();
        if self.platform == Platform::Portable {
            items.insert(folders.making.clone());
            for step in steps {
                items.extend(step.prepared.claim.paths_to_sync(&folders.work, &folders.inbox));
                for (made, to) in &step.moves {
                    items.insert(made.clone());
                    let parents = to.ancestors().skip(1).take_while(|path| path.starts_with(&folders.outbox));
                    items.extend(parents.map(Path::to_owned));
                }
            }
        }
        self.platform.sync_group(&roots, &items.into_iter().collect::<Vec<_>>())
    }

    /// Step 3; gives the folders that must be synced.
    fn rename(&self, steps: &mut [Step]) -> BTreeSet<PathBuf> {
        let mut folders = BTreeSet::new();
        for step in steps.iter_mut().filter(|step| step.error.is_none()) {
            for (index, (made, to)) in step.moves.iter().enumerate() {
                let tree = self.tree();
                let renamed = if step.fresh { tree.rename_new(made, to) } else { tree.rename(made, to) };
                if let Err(error) = renamed {
                    step.error = Some(error);
                    if step.fresh {
                        // Another try chooses another name, so what has this one already would stay for ever.
                        for (_, to) in &step.moves[..index] {
                            let _ = tree.remove_file(to);
                        }
                    }
                    break;
                }
                folders.extend(to.parent().map(Path::to_owned));
            }
        }
        folders
    }

    /// Step 5.
    fn end(&self, step: Step) -> (Prepared, End) {
        let Step { prepared, shown, fresh, error, .. } = step;
        let taken = fresh && error.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::AlreadyExists);
        let folders = &self.workshop.folders;
        let kept = match prepared.made {
            Made::Results { .. } => &folders.done,
            _ => &folders.failed,
        };
        let origin = &prepared.claim.origin;
        let name = naming::kept(origin.file_name().unwrap_or_default(), &prepared.claim.id);
        if error.is_none() && matches!(prepared.made, Made::Results { .. }) {
            let origin = shown.with_file_name(origin.file_name().unwrap_or_default());
            let report = result_path(&origin, Output::Report, 1);
            // Usually there is none. Only now: the result that replaces it is durable.
            let _ = self.tree().remove_file(&folders.outbox.join(report));
        }
        let keep = || {
            let home = neighbour::home(&self.tree(), kept, origin)?;
            prepared.claim.finish(&kept.join(home.with_file_name(name)), &self.tree())
        };
        let result = match error {
            Some(error) => Err(format!("cannot publish the result: {error}")),
            None => keep().map_err(|error| {
                format!("published, but the input cannot be moved to {}: {error}", kept.display())
            }),
        };
        match result {
            Ok(()) => (prepared, End::Published(shown)),
            Err(message) => {
                if taken {
                    // The name got another owner between the choice and the rename: choose again.
                    prepared.claim.clear_target();
                }
                self.workshop.remove_temporaries(&prepared.claim.id);
                (prepared, End::Again(message))
            }
        }
    }
}

/// After a failed sync nothing of the group can be trusted to be on disk.
fn fail_all(steps: &mut [Step], error: &io::Error) {
    for step in steps {
        step.error.get_or_insert_with(|| io::Error::new(error.kind(), format!("cannot sync: {error}")));
    }
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
