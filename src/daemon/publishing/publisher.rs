//! Publishing: what is ready together becomes durable together.
//!
//! One thread takes all answered jobs that are ready (a lone one waits for no other) and does, in this order:
//!
//! - decide each result's name ([`output_names`](super::output_names)) and make the folders it needs;
//! - step 5, sync: the results' content, the claims that produced them, new folders;
//! - step 6, rename each result to its final name, over an older one if that is wanted, never deleting it first;
//! - step 7, sync the folders of the results;
//! - step 8, remove the older report of a file that now has a result, and sync its folder;
//! - step 9, only then move each input to `done` or `failed`. The next group's step 5 makes that durable, before an answer
//!   to the same name can appear.
//!
//! The steps are those of the table in ARCHITECTURE.md. With `durability = "none"` nothing is synced.
//!
//! A crash before step 6 leaves the old result and a claim that is answered again. A crash after it leaves the new
//! result and perhaps the claim, which is answered again, under the same name, to the same bytes. After a failed
//! sync everything written since counts as lost: it is made again, in new files. Any other failure leaves the results
//! that were made, and their publication goes on later.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tracing::warn;

use crate::config::{Config, Durability, IfExists};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{
    Made, PATH_BYTES_MAX, PendingPublication, Stage, Syncing,
};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::outputs::{self, Collision, Found};
use crate::daemon::fs::disk::{Access, Disk, folders_down};
use crate::daemon::fs::file_systems::FileSystems;
use crate::daemon::fs::mirror::Mirror;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::publishing::output_names::Job;
use crate::daemon::publishing::publication::{Move, Older, Publication};
use crate::daemon::publishing::rejection_report;
use tabuleiro_jobs::naming::{self, Output};
use tabuleiro_puzzles::input::printable;

pub use crate::daemon::publishing::publication::End;

/// Jobs made durable by one sync: larger groups measured slower.
pub const GROUP_MAX: usize = 256;

/// Publishes jobs.
pub struct Publisher {
    answerer: Arc<Answerer>,
    /// Folders of archived inputs that the next step 5 must sync, unless it syncs everything.
    owed: Mutex<BTreeSet<PathBuf>>,
}

/// What became of a job.
#[derive(Debug)]
pub struct Published {
    pub pending: PendingPublication,
    /// Where it ended.
    pub end: End,
    /// Where its input is archived, absolute.
    pub archived: Option<PathBuf>,
    /// Time from the answer to the end, waiting for the group included.
    pub took: Duration,
}

impl Publisher {
    /// Makes a publisher into the answerer's outbox.
    pub fn new(answerer: Arc<Answerer>) -> Self {
        Self { answerer, owed: Mutex::default() }
    }

    fn disk(&self) -> &dyn Disk {
        &*self.answerer.disk
    }

    /// Closes the folders that are kept open: no job follows for a while.
    pub fn close_cached_dirs(&self) {
        self.disk().close_cached_dirs();
    }

    /// Publishes a group of jobs.
    pub fn publish(&self, group: Vec<PendingPublication>, config: &Config) -> Vec<Published> {
        let started = Instant::now();
        let mut publications: Vec<_> = group.into_iter().map(|pending| self.plan(pending, config)).collect();
        let durability = config.results.durability;
        self.name(&mut publications, durability);
        let cleared = self.remove_older(&mut publications);
        if durability != Durability::None {
            self.sync_folders(cleared, &mut publications);
        }
        self.archive(&mut publications, durability);
        publications.into_iter().map(|publication| self.end(publication, started)).collect()
    }

    /// Decides names. Jobs that publish nothing end here.
    fn plan(&self, pending: PendingPublication, config: &Config) -> Publication {
        let mut publication = Publication::new(pending);
        let failed_syncs = self.answerer.failed_syncs.load(Ordering::Acquire);
        let is_synced = config.results.durability != Durability::None;
        publication.end = match &publication.pending.made {
            Made::PutBack(why) => Some(self.put_back(&publication.pending, why)),
            Made::Failed(message) => Some(End::AnswerAgain(message.clone())),
            Made::Waits(_) => Some(End::AnswerAgain("somebody may be writing its reference".to_owned())),
            // Older outputs are still to be removed, or only its input to be archived.
            _ if matches!(publication.pending.stage, Stage::Named(_)) => None,
            _ if publication.pending.failed_syncs != failed_syncs => {
                Some(End::AnswerAgain("a sync failed, which may have lost the result".to_owned()))
            }
            _ if is_synced && matches!(publication.pending.syncing, Syncing::Never) => {
                Some(End::AnswerAgain("it was answered under results.durability = \"none\", and the outbox is synced since the reload".to_owned()))
            }
            Made::Results { .. } | Made::Grade(_) | Made::Archive(_) | Made::Rejected(_) => self
                .choose(&mut publication, config)
                .err()
                .map(|error| End::PublishAgain(format!("cannot make the result: {error}"))),
        };
        publication
    }

    fn put_back(&self, pending: &PendingPublication, why: &'static str) -> End {
        let claim = &pending.claim;
        self.remove_staged(pending);
        // In the inbox it would be answered under another ID, and perhaps under another name.
        if claim.may_be_named {
            return End::AnswerAgain(format!(
                "a result of it may stand already, so it stays claimed ({why})"
            ));
        }
        let Folders { work, inbox, .. } = &self.answerer.folders;
        match self.answerer.gate.put_back(claim, work, inbox, self.disk()) {
            Ok(true) => End::PutBack(why),
            Ok(false) => End::AnswerAgain("a newer file of its name is there".to_owned()),
            Err(error) => End::AnswerAgain(format!("cannot put the file back: {error}")),
        }
    }

    /// Removes what nobody will publish.
    fn remove_staged(&self, pending: &PendingPublication) {
        let outputs: Vec<_> = pending.staged.iter().map(|(output, _)| *output).collect();
        self.answerer.staging.remove(&pending.claim.id, &outputs);
    }

    /// Decides the names of a job's outputs, and makes their folders.
    fn choose(&self, publication: &mut Publication, config: &Config) -> io::Result<()> {
        let (disk, outbox) = (self.disk(), &self.answerer.folders.outbox);
        let pending = &mut publication.pending;
        // A report is made now, for those who may read it now.
        pending.is_private |= config.is_private(None);
        let claim = &pending.claim;
        let access = outputs::folder_access(&config.results, &self.answerer.folders, disk)?;
        publication.origin = Mirror { disk, root: outbox, path: &claim.origin, job_id: &claim.id }
            .make(claim.may_be_named, &access)?;
        if let (Made::Rejected(rejection), true) = (&pending.made, pending.staged.is_empty()) {
            let older = naming::result_path(&publication.origin, pending.main_output, None);
            let older_if = |is_labelled| {
                let found = outputs::found(disk, outbox, &older, claim, is_labelled);
                (found == Found::Ours).then_some(&*older)
            };
            let staging = &self.answerer.staging;
            (pending.staged, pending.is_labelled) =
                rejection_report::stage(staging, pending, rejection, older_if, config)?;
        }
        let is_version = pending.if_exists == IfExists::Version && pending.made.has_result();
        let job = Job {
            origin: &publication.origin,
            id: &claim.id,
            must_be_own: is_version || pending.stage == Stage::Staged { name_taken: true },
            may_be_named: claim.may_be_named,
        };
        let outputs: Vec<_> = pending.staged.iter().map(|(output, _)| *output).collect();
        let names = job.names(&outputs, |path| self.found(path, claim, pending.is_labelled));
        let names = names.ok_or_else(|| {
            io::Error::other(
                "something else has all names that it may get; remove from the outbox what is no result",
            )
        })?;
        pending.collision = (names.are_own && !is_version)
            .then(|| {
                Collision::find(disk, outbox, (claim, &publication.origin, pending.is_labelled), outputs)
            })
            .flatten();
        // What an earlier try named is no earlier answer.
        pending.replaced =
            !names.are_own && !claim.may_be_named && names.paths.iter().any(|(_, is_new)| !is_new);
        let names = names.paths;
        let moved = |((_, from), (to, is_new)): (&(Output, PathBuf), (PathBuf, bool))| Move {
            from: from.clone(),
            to: outbox.join(to),
            is_new,
        };
        publication.moves = pending.staged.iter().zip(names).map(moved).collect();
        Ok(())
    }

    /// Returns what stands at a path below the outbox, from the view of a claim.
    fn found(&self, path: &Path, claim: &Claim, is_labelled: bool) -> Found {
        outputs::found(self.disk(), &self.answerer.folders.outbox, path, claim, is_labelled)
    }

    /// Steps 5 to 7.
    fn name(&self, publications: &mut [Publication], durability: Durability) {
        if durability == Durability::None {
            self.rename(publications);
            return;
        }
        // A claim is on disk before its ID appears in a name: otherwise its file could be claimed and named again.
        if publications.iter().any(Publication::is_to_be_named)
            && let Err(error) = self.sync_all(publications)
        {
            self.invalidate_unsynced(publications, &error);
        }
        let folders = self.rename(publications);
        self.sync_folders(folders, publications);
    }

    /// Step 5. Makes durable everything on the file systems of results and claims. Where they do not tell what could not be written,
    /// who wrote a file has synced it, and only names are left, folder by folder.
    fn sync_all(&self, publications: &[Publication]) -> io::Result<()> {
        let (disk, folders) = (self.disk(), &self.answerer.folders);
        let mut synced: Vec<&Arc<FileSystems>> = Vec::new();
        let mut one_by_one = Vec::new();
        for publication in publications.iter().filter(|publication| publication.is_to_be_named()) {
            match &publication.pending.syncing {
                Syncing::Together(all) if synced.iter().any(|done| Arc::ptr_eq(done, all)) => {}
                Syncing::Together(all) => {
                    all.sync(disk, folders)?;
                    synced.push(all);
                }
                Syncing::OneByOne | Syncing::Never => one_by_one.push(publication),
            }
        }
        if one_by_one.is_empty() {
            return Ok(());
        }
        let mut owed = self.owed.lock();
        for folder in &*owed {
            match disk.sync_folder(folder) {
                // Somebody tidied up.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => other?,
            }
        }
        owed.clear();
        let mut paths = Vec::new();
        for publication in one_by_one {
            paths.extend(publication.pending.claim.folders_to_sync(&folders.work, &folders.inbox, disk));
            for to in publication.moves.iter().filter_map(|output| output.to.parent()) {
                paths.extend(folders_down(&folders.outbox, to));
            }
        }
        paths.push(folders.staging.clone());
        let mut synced = HashSet::new();
        paths.iter().filter(|path| synced.insert(*path)).try_for_each(|path| disk.sync_folder(path))
    }

    /// Step 6; gives the folders that must be synced.
    fn rename(&self, publications: &mut [Publication]) -> BTreeSet<PathBuf> {
        let to_be_named = publications.iter_mut().filter(|publication| publication.is_to_be_named());
        to_be_named
            .flat_map(|publication| publication.rename(&self.answerer.folders.outbox, self.disk()))
            .collect()
    }

    /// Steps 7 and 8: syncs folders.
    fn sync_folders(&self, folders: BTreeSet<PathBuf>, publications: &mut [Publication]) {
        for folder in folders {
            if let Err(error) = self.disk().sync_folder(&folder) {
                self.invalidate_unsynced(publications, &error);
            }
        }
    }

    /// After a failed sync nothing that was written before it can be trusted to be on disk, of this group or of any
    /// other job in hand. A folder that somebody removed takes only what was in it.
    fn invalidate_unsynced(&self, publications: &mut [Publication], error: &io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            self.answerer.invalidate_unsynced();
        }
        for publication in publications.iter_mut().filter(|publication| publication.end.is_none()) {
            publication.end =
                Some(End::AnswerAgain(format!("cannot publish the result: cannot sync: {error}")));
        }
    }

    /// Step 8; gives the folders that must be synced. Usually there is nothing older. Only now: the result that
    /// replaces it is durable. And before the input moves, or a crash could leave the report for ever. What cannot be
    /// removed is tried again a few times; then it stays, and the log says so.
    fn remove_older(&self, publications: &mut [Publication]) -> BTreeSet<PathBuf> {
        let mut folders = BTreeSet::new();
        for publication in publications.iter_mut().filter(|publication| publication.end.is_none()) {
            let outbox = &self.answerer.folders.outbox;
            let mut older =
                Older { disk: self.disk(), outbox, publication, is_removed: publication.is_named };
            let removed = older.remove();
            if older.is_removed {
                folders.extend(outbox.join(&publication.origin).parent().map(Path::to_owned));
            }
            let Err((path, error)) = removed else { continue };
            let older = printable(path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
            let PendingPublication { span, file, failed_removals, .. } = &mut publication.pending;
            *failed_removals += 1;
            if *failed_removals < self.answerer.io_tries_max {
                let why = format!("published, but the older {older} cannot be removed: {error}");
                publication.end = Some(End::PublishAgain(why));
                continue;
            }
            span.in_scope(|| {
                warn!(file, older, reason = %error, "a report or page of an earlier answer may be out of date and cannot be removed; remove it by hand");
            });
        }
        folders
    }

    /// Step 9.
    fn archive(&self, publications: &mut [Publication], durability: Durability) {
        let disk = self.disk();
        let mut moved = BTreeSet::new();
        for publication in publications.iter_mut().filter(|publication| publication.end.is_none()) {
            let claim = &publication.pending.claim;
            let folders = &self.answerer.folders;
            let root = if publication.pending.made.has_result() { &folders.done } else { &folders.failed };
            let path = naming::archived_path(&claim.origin, &claim.id);
            let mirror = Mirror { disk, root, path: &path, job_id: &claim.id };
            let to = mirror.make(publication.is_again, &|_| Access::default()).map(|path| root.join(path));
            match to.map(|to| (claim.archive(&to, disk), to)) {
                Ok((Ok(()), to)) => {
                    if !matches!(publication.pending.syncing, Syncing::Together(_)) {
                        moved.extend(to.parent().into_iter().flat_map(|parent| folders_down(root, parent)));
                    }
                    claim.end(disk);
                    publication.archived = Some(to);
                }
                Ok((Err(error), to)) if error.kind() == io::ErrorKind::CrossesDevices => {
                    publication.end = Some(End::Copy(to));
                }
                Ok((Err(error), _)) | Err(error) => publication.end = Some(not_archived(root, &error)),
            }
        }
        if durability != Durability::None {
            self.owed.lock().extend(moved);
        }
    }

    /// Copies the input of a job that ended with [`End::Copy`] to its place on another file system. That may take long, so
    /// other groups do not wait for it.
    pub fn copy(&self, mut published: Published) -> Published {
        let End::Copy(to) = published.end else { return published };
        let (claim, cancel) = (&published.pending.claim, &self.answerer.cancel);
        published.end = match claim.archive_by_copy(&to, self.disk(), &|| !cancel.is_cancelled()) {
            Ok(()) => {
                claim.end(self.disk());
                published.archived = Some(to);
                self::published(&published.pending)
            }
            Err(error) => not_archived(&to, &error),
        };
        published
    }

    fn end(&self, publication: Publication, started: Instant) -> Published {
        let Publication { pending, archived, end, .. } = publication;
        let end = end.unwrap_or_else(|| published(&pending));
        if matches!(end, End::PublishAgain(_) | End::AnswerAgain(_)) {
            // A folder may be another one by now, so the next try opens it again.
            self.disk().close_cached_dirs();
        }
        if matches!(end, End::AnswerAgain(_)) {
            self.remove_staged(&pending);
        }
        Published { pending, end, archived, took: started.elapsed() }
    }
}

/// Returns the end of a job whose outputs have their names.
fn published(pending: &PendingPublication) -> End {
    match &pending.stage {
        Stage::Named(outputs) => End::Published(outputs.first().cloned().unwrap_or_default()),
        Stage::Staged { .. } => End::Published(PathBuf::new()),
    }
}

fn not_archived(to: &Path, error: &io::Error) -> End {
    End::PublishAgain(format!("published, but the input cannot be moved to {}: {error}", to.display()))
}
