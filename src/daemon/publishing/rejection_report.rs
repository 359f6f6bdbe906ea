//! The report on a rejected file, made when it is published.

use std::io;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::daemon::answering::pending_publication::{PATH_BYTES_MAX, PendingPublication};
use crate::daemon::answering::staging::Staging;
use tabuleiro_jobs::Rejection;
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::page::write_report;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::words::{Phrase, messages};

messages! {
    "report"
    /// What a report has beside the rejection.
    enum Note {
        /// A result of an earlier file of that name.
        OlderResult = "older-result" { older: String },
    }
}

/// Outputs with their temporary files, and whether they name their input.
type Staged = (Vec<(Output, PathBuf)>, bool);

/// Writes the report and, where it is wanted, its page under temporary names. `older` is the result of an earlier file of that
/// name, if it stands there, told whether outputs name their input.
///
/// # Errors
/// When the outbox cannot be written, or the group of results is unknown.
pub fn stage<'a>(
    staging: &Staging,
    pending: &PendingPublication,
    rejection: &Rejection,
    older: impl Fn(bool) -> Option<&'a Path>,
    config: &Config,
) -> io::Result<Staged> {
    let PendingPublication { claim, file, language, syncing, has_page, .. } = pending;
    let note = |is_labelled| {
        older(is_labelled).map(|older| {
            let older = printable(older.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
            Phrase::from(Note::OlderResult { older }).say(*language)
        })
    };
    let text = |is_labelled| {
        let note = note(is_labelled).map(|note| note + "\n");
        (rejection.report(file, *language) + &note.unwrap_or_default()).into_bytes()
    };
    let page = |is_labelled| {
        let note = note(is_labelled);
        let page = write_report(Vec::new(), rejection, file, note.as_deref(), *language);
        // Writing to memory cannot fail.
        page.unwrap_or_default()
    };
    let staged = |output| (output, staging.path(&claim.id, output));
    let mut is_labelled = staging.report(claim, Output::Report, &text, config, syncing)?;
    let mut outputs = vec![staged(Output::Report)];
    if *has_page {
        is_labelled &= staging.report(claim, Output::ReportPage, &page, config, syncing)?;
        outputs.push(staged(Output::ReportPage));
    }
    Ok((outputs, is_labelled))
}
