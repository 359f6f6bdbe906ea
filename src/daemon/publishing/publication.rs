//! One job of a group that is being published: its renames, the names of its outputs, the report on a rejected file.
//!
//! Usually outputs have plain names, `saida.txt` and `saida.json`. If something else has one of them, and always under
//! `if_exists = "version"`, all outputs of the job have its ID in their names: `saida.20261121T121744.123456Z.txt`. So
//! the names depend only on the job and the content of the outbox, and an answer after a crash gets the same names. If
//! those are taken as well, the ID gets a number: `20261121T121744.123456Z-2`.

use std::io;
use std::path::{Path, PathBuf};

use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{PendingPublication, Stage};
use crate::daemon::base::json_path::show;
use crate::daemon::claims::outputs::Occupant;
use crate::daemon::fs::disk::{Disk, exists};
use tabuleiro_jobs::naming::{self, Output};
use tabuleiro_jobs::{MessageStyle, Rejection};
use tabuleiro_puzzles::words::{Phrase, messages};

/// How many names with the job's ID are tried.
const OWN_NAMES_MAX: usize = 100;

/// How the publication of a job ended.
#[derive(Debug)]
pub enum End {
    /// The outputs are published.
    Published,
    /// The input lies in the inbox again.
    PutBack(&'static str),
    /// Published, but the input must be [copied](super::publisher::Publisher::copy) to its place on another file
    /// system, which can take long.
    Copy(PathBuf),
    /// The outputs are kept, and their publication continues later where it stopped.
    PublishAgain(String),
    /// The outputs are gone or cannot be trusted: the claim must be answered again, in new files.
    AnswerAgain(String),
}

/// A job in publication, from its plan to its end.
pub struct Publication {
    /// The job.
    pub pending: PendingPublication,
    /// The path of the input below the inbox, as mirrored in the outbox.
    pub origin: PathBuf,
    /// The renames of its outputs; none if the outputs have their names already.
    pub moves: Vec<Move>,
    /// Whether an earlier try can have left something in the outbox.
    pub is_again: bool,
    /// Whether an earlier try gave the outputs their names.
    pub is_named: bool,
    /// The absolute path of the archived input.
    pub archived: Option<PathBuf>,
    /// How the job ended; `None` while steps remain.
    pub end: Option<End>,
}

/// A rename to a final name. Paths are absolute.
pub struct Move {
    /// The temporary file.
    pub from: PathBuf,
    /// The final name.
    pub to: PathBuf,
    /// Whether the rename must not replace anything.
    pub is_new: bool,
}

impl Publication {
    /// Creates the publication of a job, with nothing planned yet.
    pub fn new(pending: PendingPublication) -> Self {
        let claim = &pending.claim;
        let named = match &pending.stage {
            Stage::Named(outputs) => outputs.first(),
            Stage::Staged { .. } => None,
        };
        let (is_again, is_named) = (claim.may_be_named, named.is_some());
        // A published output shows where the input's folder is mirrored: that folder's name can hold the job's ID.
        let origin = named.zip(claim.origin.file_name()).map(|(output, name)| output.with_file_name(name));
        let origin = origin.unwrap_or_else(|| claim.origin.clone());
        Self { pending, origin, moves: Vec::new(), is_again, is_named, archived: None, end: None }
    }

    /// Returns whether this group publishes its outputs.
    pub fn is_to_be_named(&self) -> bool {
        self.end.is_none() && !self.moves.is_empty()
    }

    /// Gives all outputs their final names, or none of them. Returns the folders in which names changed.
    pub fn rename(&mut self, outbox: &Path, disk: &dyn Disk) -> Vec<PathBuf> {
        self.pending.claim.may_be_named = true;
        let mut folders = Vec::new();
        // A rename that replaces an older output cannot be undone, so it comes last.
        let mut order: Vec<_> = self.moves.iter().collect();
        order.sort_by_key(|output| !output.is_new);
        for (index, output) in order.iter().enumerate() {
            let Move { from, to, is_new } = *output;
            folders.extend(to.parent().map(Path::to_owned));
            let renamed = if *is_new { disk.rename_new(from, to) } else { disk.rename(from, to) };
            if let Err(error) = renamed {
                for Move { from, to, .. } in order[..index].iter().filter(|output| output.is_new) {
                    // `refused` checks below whether this worked.
                    let _ = disk.rename(to, from);
                }
                self.end = Some(self.refused(&error, disk));
                return folders;
            }
        }
        let below = |output: &Move| output.to.strip_prefix(outbox).unwrap_or(Path::new("")).to_owned();
        self.pending.stage = Stage::Named(self.moves.iter().map(below).collect());
        folders
    }

    /// Returns the end of a job whose outputs could not be renamed to their final names.
    fn refused(&mut self, error: &io::Error, disk: &dyn Disk) -> End {
        let why = format!("cannot publish the result: {error}");
        if !self.moves.iter().all(|output| exists(disk, &output.from)) {
            return End::AnswerAgain(why);
        }
        self.pending.claim.may_be_named = self.is_again;
        // If another file has taken a name, the next try must use names with the job's ID. Otherwise it would take that
        // file for an older result, and replace it.
        let is_taken = error.kind() == io::ErrorKind::AlreadyExists;
        if let Stage::Staged { name_taken } = &mut self.pending.stage {
            *name_taken |= is_taken;
        }
        End::PublishAgain(why)
    }
}

/// A job whose outputs need names.
#[derive(Debug, Clone, Copy)]
pub struct OutputNaming<'a> {
    /// The path of the input below the inbox, as mirrored in the outbox.
    pub origin: &'a Path,
    pub id: &'a str,
    /// Whether the outputs must have the job's ID in their names.
    pub must_be_own: bool,
    /// Whether an earlier try can have given names.
    pub may_be_named: bool,
}

/// The names of a job's outputs.
#[derive(Debug, PartialEq, Eq)]
pub struct Names {
    /// Paths below the outbox, in the order of the outputs, each with whether its rename must not replace anything.
    pub paths: Vec<(PathBuf, bool)>,
    /// Whether the names hold the job's ID.
    pub are_own: bool,
}

impl OutputNaming<'_> {
    /// Chooses names for `outputs`. `find` looks up a path below the outbox. Returns `None` if all names are taken.
    pub fn names(&self, outputs: &[Output], find: impl Fn(&Path) -> Occupant) -> Option<Names> {
        // The paths that an ID gives; `None` if one of them is taken.
        let paths = |id: Option<&str>| {
            let path = |output: &Output| {
                let path = naming::result_path(self.origin, *output, id);
                let found = find(&path);
                (found != Occupant::Other).then_some((path, found == Occupant::Nothing))
            };
            outputs.iter().map(path).collect::<Option<Vec<_>>>()
        };
        let own = || {
            (1..=OWN_NAMES_MAX).filter_map(|number| match number {
                1 => paths(Some(self.id)),
                _ => paths(Some(&format!("{}-{number}", self.id))),
            })
        };
        let is_named = |paths: &Vec<(PathBuf, bool)>| paths.iter().any(|(_, is_new)| !is_new);
        let named = if self.may_be_named { own().next().filter(is_named) } else { None };
        let plain = if self.must_be_own || named.is_some() { None } else { paths(None) };
        let are_own = plain.is_none();
        Some(Names { paths: named.or(plain).or_else(|| own().next())?, are_own })
    }
}

messages! {
    "report"
    /// What a report says besides the rejection.
    enum Note {
        /// A result of an earlier file with the same name exists.
        OlderResult = "older-result" { older: String },
    }
}

/// Writes the report and, if wanted, its page under temporary names. `older` returns the result of an earlier file of
/// the same name if there is one. It is called after the report is created, because only then it is known whether
/// outputs get labels.
///
/// # Errors
/// Fails if the outbox cannot be written, or if the group of results is unknown.
pub fn stage_report<'a>(
    answerer: &Answerer,
    pending: &PendingPublication,
    rejection: &Rejection,
    older: impl Fn() -> Option<&'a Path>,
) -> io::Result<Vec<Output>> {
    let PendingPublication { file, has_page, is_labelled, .. } = pending;
    let language = pending.language.get();
    let note = || older().map(|older| Phrase::from(Note::OlderResult { older: show(older) }).say(language));
    let text = || {
        let note = note().map(|note| note + "\n");
        (rejection.report(file, &MessageStyle::of_file(language)) + &note.unwrap_or_default()).into_bytes()
    };
    let page = || rejection.page(file, note().as_deref(), language);
    is_labelled.set(true);
    answerer.stage_report(pending, Output::Report, &text)?;
    let mut outputs = vec![Output::Report];
    if has_page.get() {
        answerer.stage_report(pending, Output::ReportPage, &page)?;
        outputs.push(Output::ReportPage);
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const BOTH: [Output; 2] = [Output::Result, Output::ResultJson];
    fn job() -> OutputNaming<'static> {
        OutputNaming { origin: Path::new("a/entrada.txt"), id: "ID", must_be_own: false, may_be_named: false }
    }

    fn names(job: OutputNaming<'_>, outputs: &[Output], outbox: &[(&str, Occupant)]) -> Names {
        let outbox: BTreeMap<&Path, Occupant> =
            outbox.iter().map(|(path, found)| (Path::new(path), *found)).collect();
        job.names(outputs, |path| outbox.get(path).copied().unwrap_or(Occupant::Nothing)).unwrap()
    }

    fn own(id: &str, is_new: [bool; 2]) -> Names {
        let paths = ["a/saida.ID.txt", "a/saida.ID.json"].map(|path| PathBuf::from(path.replace("ID", id)));
        Names { paths: paths.into_iter().zip(is_new).collect(), are_own: true }
    }

    fn plain(is_new: [bool; 2]) -> Names {
        let paths = ["a/saida.txt", "a/saida.json"].map(PathBuf::from);
        Names { paths: paths.into_iter().zip(is_new).collect(), are_own: false }
    }

    #[test]
    fn plain_names_replace_outputs_of_the_same_input_and_nothing_that_comes_later() {
        assert_eq!(names(job(), &BOTH, &[]), plain([true, true]));
        assert_eq!(names(job(), &BOTH, &[("a/saida.json", Occupant::Ours)]), plain([true, false]));
        let report = names(job(), &[Output::Report], &[("a/saida.txt", Occupant::Other)]);
        assert_eq!((report.paths, report.are_own), (vec![("a/erro.txt".into(), true)], false));
    }

    #[test]
    fn one_name_that_is_somebodys_gives_all_outputs_names_of_their_own() {
        for taken in ["a/saida.txt", "a/saida.json"] {
            assert_eq!(names(job(), &BOTH, &[(taken, Occupant::Other)]), own("ID", [true, true]));
        }
        let report = names(job(), &[Output::Report], &[("a/erro.txt", Occupant::Other)]);
        assert_eq!((report.paths, report.are_own), (vec![("a/erro.ID.txt".into(), true)], true));
    }

    #[test]
    fn a_version_has_the_job_in_its_name_whatever_there_is() {
        let job = OutputNaming { must_be_own: true, ..job() };
        for outbox in [&[][..], &[("a/saida.txt", Occupant::Ours)]] {
            assert_eq!(names(job, &BOTH, outbox), own("ID", [true, true]));
        }
        assert_eq!(names(job, &BOTH, &[("a/saida.ID.txt", Occupant::Ours)]), own("ID", [false, true]));
    }

    #[test]
    fn names_from_an_earlier_try_are_kept() {
        let job = OutputNaming { may_be_named: true, ..job() };
        // The folder that was in the way is gone by now.
        assert_eq!(names(job, &BOTH, &[("a/saida.ID.txt", Occupant::Ours)]), own("ID", [false, true]));
        assert_eq!(names(job, &BOTH, &[("a/saida.ID.json", Occupant::Ours)]), own("ID", [true, false]));
        assert_eq!(names(job, &BOTH, &[("a/saida.txt", Occupant::Ours)]), plain([false, true]));
    }

    #[test]
    fn nobody_can_take_all_names_of_a_job() {
        let job = OutputNaming { must_be_own: true, ..job() };
        let taken = [("a/saida.ID.txt", Occupant::Other), ("a/saida.ID-2.json", Occupant::Other)];
        assert_eq!(names(job, &BOTH, &taken), own("ID-3", [true, true]));
        // Nor can anybody make a job rename an answer that is already published.
        let job = OutputNaming { may_be_named: true, must_be_own: false, ..job };
        let taken = [("a/saida.ID.txt", Occupant::Other), ("a/saida.ID-2.txt", Occupant::Ours)];
        assert_eq!(names(job, &BOTH, &taken), own("ID-2", [false, true]));
        assert_eq!(job.names(&BOTH, |_| Occupant::Other), None);
    }
}
