//! Publishing: all outputs that are ready become durable together.
//!
//! One thread takes all answered jobs that are ready; a single job does not wait for others. It then does, in this
//! order:
//!
//! - decide each result's name ([`OutputNaming::names`]) and make the folders it needs;
//! - step 5, sync: the results' content, the claims that produced them, new folders;
//! - step 6, rename each result to its final name, over an older one if the route replaces;
//! - step 7, sync the folders of the results;
//! - step 8, remove the older report of a file that now has a result, and sync its folder;
//! - step 9, only then move each input to `done` or `failed`. The next group's step 5 makes that durable, before an
//!   answer to the same name can appear.
//!
//! The steps are those of the table in ARCHITECTURE.md. With `durability = "none"` nothing is synced.
//!
//! A crash before step 6 leaves the old result and a claim that is answered again. A crash after step 6 leaves the new
//! result and perhaps the claim, which is answered again, under the same name, with the same bytes. If a sync fails,
//! everything written since the last successful sync counts as lost, and the service writes it again, in new files.
//! After any other failure the publisher keeps the outputs and continues later.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tracing::warn;

use crate::config::{Durability, IfExists};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{Made, PendingPublication, Stage, Syncing};
use crate::daemon::base::json_path::show;
use crate::daemon::claims::outputs::{self, Lookup, Mirror, Occupant};
use crate::daemon::fs::disk::{Access, Disk, FileSystems, folders_down, if_found};
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::publishing::publication::{Move, OutputNaming, Publication, stage_report};
use tabuleiro_jobs::naming::{self, Output};

pub use crate::daemon::publishing::publication::End;

/// Maximum number of jobs that one sync makes durable. Larger groups were slower in measurements.
pub const GROUP_MAX: usize = 256;

/// Publishes jobs.
pub struct Publisher {
    answerer: Arc<Answerer>,
    /// Folders of archived inputs that the next step 5 must sync, unless it syncs whole file systems.
    unsynced: Mutex<BTreeSet<PathBuf>>,
}

/// A job after its publication.
#[derive(Debug)]
pub struct Published {
    pub pending: PendingPublication,
    /// How its publication ended.
    pub end: End,
    /// The absolute path of the archived input.
    pub archived: Option<PathBuf>,
    /// Time from the answer to the end, including the wait for the group.
    pub took: Duration,
}

impl Publisher {
    /// Creates a publisher for the answerer's outbox.
    pub fn new(answerer: Arc<Answerer>) -> Self {
        Self { answerer, unsynced: Mutex::default() }
    }

    fn disk(&self) -> &dyn Disk {
        &*self.answerer.disk
    }

    /// Publishes a group of jobs.
    pub fn publish(&self, group: Vec<PendingPublication>) -> Vec<Published> {
        let started = Instant::now();
        let is_synced = group.iter().any(is_synced);
        let mut publications: Vec<_> = group.into_iter().map(|pending| self.plan(pending)).collect();
        self.name(&mut publications, is_synced);
        let cleared = self.remove_older(&mut publications);
        if is_synced {
            self.sync_folders(cleared, &mut publications);
        }
        self.archive(&mut publications, is_synced);
        publications.into_iter().map(|publication| self.end(publication, started)).collect()
    }

    /// Prepares the publication of a job. A job that publishes nothing ends here.
    fn plan(&self, pending: PendingPublication) -> Publication {
        let mut publication = Publication::new(pending);
        let failed_syncs = self.answerer.failed_syncs.load(Ordering::Acquire);
        publication.end = match &publication.pending.made {
            Made::PutBack(why) => Some(self.put_back(&publication.pending, why)),
            Made::Failed(message) => Some(End::AnswerAgain(message.clone())),
            Made::Waits(_) => Some(End::AnswerAgain("somebody may be writing its reference".to_owned())),
            // The outputs have their names. Only older outputs must be removed, and the input archived.
            _ if matches!(publication.pending.stage, Stage::Named(_)) => None,
            _ if publication.pending.failed_syncs != failed_syncs => {
                Some(End::AnswerAgain("a sync failed, which may have lost the result".to_owned()))
            }
            _ if matches!(publication.pending.syncing, Syncing::Never) && is_synced(&publication.pending) => {
                Some(End::AnswerAgain("it was answered under results.durability = \"none\", and the outbox is synced since the reload".to_owned()))
            }
            Made::Results { .. } | Made::Grade(_) | Made::Archive(_) | Made::Rejected(_) => self
                .choose_names(&mut publication)
                .err()
                .map(|error| End::PublishAgain(format!("cannot make the result: {error}"))),
        };
        publication
    }

    fn put_back(&self, pending: &PendingPublication, why: &'static str) -> End {
        let claim = &pending.claim;
        self.answerer.remove_staged(&claim.id, &pending.staged);
        // In the inbox the file would be answered under another ID, and perhaps under another name.
        if claim.may_be_named {
            let why = format!("its result may be published already, so it stays claimed ({why})");
            return End::AnswerAgain(why);
        }
        let Folders { work, inbox, .. } = &self.answerer.folders;
        match self.answerer.gate.put_back(claim, work, inbox, self.disk()) {
            Ok(true) => End::PutBack(why),
            Ok(false) => End::AnswerAgain("a newer file of its name is there".to_owned()),
            Err(error) => End::AnswerAgain(format!("cannot put the file back: {error}")),
        }
    }

    /// Decides the names of a job's outputs, and creates their folders.
    fn choose_names(&self, publication: &mut Publication) -> io::Result<()> {
        let (disk, outbox) = (self.disk(), &self.answerer.folders.outbox);
        let pending = &mut publication.pending;
        let (claim, config) = (&pending.claim, &pending.config);
        let access = outputs::folder_access(&config.results, &self.answerer.folders, disk)?;
        publication.origin = Mirror { disk, root: outbox, path: &claim.origin, job_id: &claim.id }
            .make(claim.may_be_named, &access)?;
        let lookup = Lookup { disk, outbox, claim, labelled: &pending.is_labelled };
        if let (Made::Rejected(rejection), true) = (&pending.made, pending.staged.is_empty()) {
            let route = config.route(&claim.origin).map(|route| &**route);
            let main = config.outputs(&claim.origin, route, false)[0];
            let older = naming::result_path(&publication.origin, main, None);
            let older_if = || (lookup.found(&older) == Occupant::Ours).then_some(&*older);
            pending.staged = stage_report(&self.answerer, pending, rejection, older_if)?;
        }
        let is_version = pending.if_exists == IfExists::Version && pending.made.has_result();
        let job = OutputNaming {
            origin: &publication.origin,
            id: &claim.id,
            must_be_own: is_version || pending.stage == Stage::Staged { name_taken: true },
            may_be_named: claim.may_be_named,
        };
        let outputs = &pending.staged;
        let all_taken =
            "all names that it may get are taken; remove from the outbox the files that are not results";
        let names = job.names(outputs, |path| lookup.found(path));
        let names = names.ok_or_else(|| io::Error::other(all_taken))?;
        let has_collision = names.are_own && !is_version;
        pending.collision = has_collision.then(|| lookup.collision(&publication.origin, outputs)).flatten();
        // If an earlier try gave names, the output that has the name now may be this job's own.
        pending.replaced =
            !names.are_own && !claim.may_be_named && names.paths.iter().any(|(_, is_new)| !is_new);
        for (output, (to, is_new)) in outputs.iter().zip(names.paths) {
            let from = self.answerer.staged_path(&claim.id, *output);
            publication.moves.push(Move { from, to: outbox.join(to), is_new });
        }
        Ok(())
    }

    /// Does steps 5 to 7.
    fn name(&self, publications: &mut [Publication], is_synced: bool) {
        // A claim must be durable before its ID appears in a name. Otherwise a power failure could undo the claim, and
        // the file would get another ID and a second name.
        if is_synced
            && publications.iter().any(Publication::is_to_be_named)
            && let Err(error) = self.sync_all(publications)
        {
            self.invalidate_unsynced(publications, &error);
        }
        let outbox = &self.answerer.folders.outbox;
        let to_be_named = publications.iter_mut().filter(|publication| publication.is_to_be_named());
        let folders = to_be_named.flat_map(|publication| publication.rename(outbox, self.disk())).collect();
        if is_synced {
            self.sync_folders(folders, publications);
        }
    }

    /// Makes everything on the file systems of results and claims durable (step 5). If these file systems do not report
    /// write errors, each file was synced by its writer, and this syncs only the folders.
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
        let mut unsynced = self.unsynced.lock();
        for folder in &*unsynced {
            // Somebody may have removed the folder.
            if_found(disk.sync_folder(folder))?;
        }
        unsynced.clear();
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

    /// Syncs folders (steps 7 and 8).
    fn sync_folders(&self, folders: BTreeSet<PathBuf>, publications: &mut [Publication]) {
        for folder in folders {
            if let Err(error) = self.disk().sync_folder(&folder) {
                self.invalidate_unsynced(publications, &error);
            }
        }
    }

    /// Ends all jobs of the group after a failed sync. Nothing written since the last successful sync is surely on
    /// disk, so all other jobs in progress are answered again, too. If the sync failed because a folder is missing,
    /// only that folder's content is lost.
    fn invalidate_unsynced(&self, publications: &mut [Publication], error: &io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            self.answerer.invalidate_unsynced();
        }
        for publication in publications.iter_mut().filter(|publication| publication.end.is_none()) {
            let why = format!("cannot publish the result: cannot sync: {error}");
            publication.end = Some(End::AnswerAgain(why));
        }
    }

    /// Removes older reports and pages (step 8), after the new result is durable and before the input moves: otherwise
    /// a crash could leave a report for ever. A failed removal is retried a few times; then the output stays, and the
    /// log says so. Returns the folders that must be synced; usually there are none.
    fn remove_older(&self, publications: &mut [Publication]) -> BTreeSet<PathBuf> {
        let mut folders = BTreeSet::new();
        for publication in publications.iter_mut().filter(|publication| publication.end.is_none()) {
            let mut is_removed = publication.is_named;
            let removed = self.remove_older_of(publication, &mut is_removed);
            if is_removed {
                let changed = self.answerer.folders.outbox.join(&publication.origin);
                folders.extend(changed.parent().map(Path::to_owned));
            }
            let Err((path, error)) = removed else { continue };
            let older = show(&path);
            let PendingPublication { span, file, failed_removals, .. } = &mut publication.pending;
            *failed_removals += 1;
            if *failed_removals < self.answerer.io_tries_max {
                let why = format!("published, but the older {older} cannot be removed: {error}");
                publication.end = Some(End::PublishAgain(why));
                continue;
            }
            span.in_scope(|| {
                warn!(name: "outdated-output", file, older, reason = %error, "an output of an earlier answer cannot be removed");
            });
        }
        folders
    }

    /// Removes the report of a file that now has a result, and the old page of a result or report that no longer has
    /// one. The error names the first output that could not be removed: its path below the outbox, and the cause.
    fn remove_older_of(
        &self,
        publication: &Publication,
        is_removed: &mut bool,
    ) -> Result<(), (PathBuf, io::Error)> {
        let Publication { pending, origin, is_again, .. } = publication;
        let (disk, outbox) = (self.disk(), &self.answerer.folders.outbox);
        let path = |output| naming::result_path(origin, output, None);
        let lookup = Lookup { disk, outbox, claim: &pending.claim, labelled: &pending.is_labelled };
        let is_there = |output| match lookup.look(&path(output)) {
            Ok(found) => Ok(found == Occupant::Ours),
            Err(error) => Err((path(output), error)),
        };
        let mut remove = |output| {
            if !is_there(output)? {
                return Ok(());
            }
            if_found(disk.remove_file(&outbox.join(path(output)))).map_err(|error| (path(output), error))?;
            *is_removed = true;
            Ok(())
        };
        // Remove a report's page before its text: once the text is gone, no later job looks for the page. After an
        // interrupted try, look for the page even if the text is gone: a crash can keep the removal of the text and
        // lose that of the page.
        let report = pending.made.has_result().then(|| {
            let has_report = is_there(Output::Report)?;
            if has_report || *is_again {
                remove(Output::ReportPage)?;
            }
            if has_report { remove(Output::Report) } else { Ok(()) }
        });
        // A page exists only with its text. If no text was replaced, now or by an earlier try, there is no page either.
        let page = pending.staged.first().and_then(|text| text.page());
        let page = page.filter(|_| !pending.has_page.get() && (pending.replaced || *is_again));
        page.map_or(Ok(()), remove).and(report.unwrap_or(Ok(())))
    }

    /// Archives the inputs (step 9).
    fn archive(&self, publications: &mut [Publication], is_synced: bool) {
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
        if is_synced {
            self.unsynced.lock().extend(moved);
        }
    }

    /// Copies the input of a job that ended with [`End::Copy`] to its place on another file system. Other groups do not
    /// wait for this, because it can take long.
    pub fn copy(&self, mut published: Published) -> Published {
        let End::Copy(to) = published.end else { return published };
        let (claim, cancel) = (&published.pending.claim, &self.answerer.cancel);
        published.end = match claim.archive_by_copy(&to, self.disk(), &|| !cancel.is_cancelled()) {
            Ok(()) => {
                claim.end(self.disk());
                published.archived = Some(to);
                End::Published
            }
            Err(error) => not_archived(&to, &error),
        };
        published
    }

    fn end(&self, publication: Publication, started: Instant) -> Published {
        let Publication { pending, archived, end, .. } = publication;
        let end = end.unwrap_or(End::Published);
        if matches!(end, End::AnswerAgain(_)) {
            self.answerer.remove_staged(&pending.claim.id, &pending.staged);
        }
        Published { pending, end, archived, took: started.elapsed() }
    }
}

/// Returns whether the outputs of a job are synced before they appear.
fn is_synced(pending: &PendingPublication) -> bool {
    pending.config.results.durability != Durability::None
}

fn not_archived(to: &Path, error: &io::Error) -> End {
    End::PublishAgain(format!("published, but the input cannot be moved to {}: {error}", to.display()))
}
