//! What an earlier answer to the same input left, and a new one supersedes.

use std::path::{Path, PathBuf};

use super::step::Step;
use crate::daemon::answering::prepared::Prepared;
use crate::daemon::claims::outputs::{self, Found};
use crate::daemon::fs::disk::Disk;
use crate::job::naming::{self, Output};

/// Removes the report of a file that has a result now, and an older page beside a text that has none. Gives the folder that must
/// be synced, if anything was there.
pub fn remove(disk: &dyn Disk, outbox: &Path, step: &Step) -> Option<PathBuf> {
    let Prepared { made, staged, replaced, has_page, .. } = &step.prepared;
    let remove = |output| remove_output((disk, outbox), step, output);
    let is_there = |output| is_there((disk, outbox), step, output);
    // The page goes first, and its text only when it is gone: where there is no text nobody looks for a page. After a crash the
    // text alone may be gone.
    let has_report = made.has_result() && is_there(Output::Report);
    let mut removed = made.has_result() && (has_report || step.is_again) && remove(Output::ReportPage);
    if has_report && !is_there(Output::ReportPage) {
        removed |= remove(Output::Report);
    }
    // A page stands beside its text: where none was replaced, or an earlier try replaced none, there is no page either.
    if !has_page
        && (*replaced || step.is_again)
        && let Some(page) = staged.first().and_then(|(text, _)| text.page())
    {
        removed |= remove(page);
    }
    let path = outbox.join(&step.origin);
    removed.then(|| path.parent().map(Path::to_owned))?
}

/// Whether there is an older output of a job's input.
fn is_there((disk, outbox): (&dyn Disk, &Path), step: &Step, output: Output) -> bool {
    let path = naming::result_path(&step.origin, output, None);
    let Prepared { claim, is_labelled, .. } = &step.prepared;
    outputs::found(disk, outbox, &path, claim, *is_labelled) == Found::Ours
}

/// Removes an older output of a job's input; false where there is none.
fn remove_output((disk, outbox): (&dyn Disk, &Path), step: &Step, output: Output) -> bool {
    let path = naming::result_path(&step.origin, output, None);
    // One that cannot be removed is no reason to answer again and again.
    is_there((disk, outbox), step, output) && disk.remove_file(&outbox.join(path)).is_ok()
}
