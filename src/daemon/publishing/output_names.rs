//! The names that a job's outputs get in the outbox.
//!
//! Usually the plain ones, `saida.txt` and `saida.json`. Where one of them is somebody else's, and always under
//! `if_exists = "version"`, all outputs of the job have its ID in their names: `saida.20261121T121744.123456Z.txt`. So a
//! name follows from the job and from what stands in the outbox, and nothing need remember it: an answer after a crash
//! gets the same names. Somebody may have taken those as well: then the ID gets a number, `20261121T121744.123456Z-2`.

use std::path::{Path, PathBuf};

use crate::daemon::claims::outputs::Found;
use tabuleiro_jobs::naming::{self, Output};

/// Names with the job's ID that are tried.
const OWN_NAMES_MAX: usize = 100;

/// A job whose outputs need names.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The path of its file below the inbox, as mirrored in the outbox.
    pub origin: &'a Path,
    pub id: &'a str,
    /// Its outputs must have names of their own.
    pub must_be_own: bool,
    /// An earlier try may have given names.
    pub may_be_named: bool,
}

/// The names of a job's outputs.
#[derive(Debug, PartialEq, Eq)]
pub struct Names {
    /// Paths below the outbox, in the order of the outputs, each with whether it must not replace anything.
    pub paths: Vec<(PathBuf, bool)>,
    /// They have the job's ID.
    pub are_own: bool,
}

impl Job<'_> {
    /// Names for `outputs`, where `find` tells what stands at a path below the outbox. `None` if all are taken.
    pub fn names(&self, outputs: &[Output], find: impl Fn(&Path) -> Found) -> Option<Names> {
        // The paths that an ID gives, unless one of them is taken.
        let paths = |id: Option<&str>| {
            let path = |output: &Output| {
                let path = naming::result_path(self.origin, *output, id);
                let found = find(&path);
                (found != Found::Other).then_some((path, found == Found::Nothing))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const BOTH: [Output; 2] = [Output::Result, Output::ResultJson];
    fn job() -> Job<'static> {
        Job { origin: Path::new("a/entrada.txt"), id: "ID", must_be_own: false, may_be_named: false }
    }

    fn names(job: Job<'_>, outputs: &[Output], outbox: &[(&str, Found)]) -> Names {
        let outbox: BTreeMap<&Path, Found> =
            outbox.iter().map(|(path, found)| (Path::new(path), *found)).collect();
        job.names(outputs, |path| outbox.get(path).copied().unwrap_or(Found::Nothing)).unwrap()
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
        assert_eq!(names(job(), &BOTH, &[("a/saida.json", Found::Ours)]), plain([true, false]));
        let report = names(job(), &[Output::Report], &[("a/saida.txt", Found::Other)]);
        assert_eq!((report.paths, report.are_own), (vec![("a/erro.txt".into(), true)], false));
    }

    #[test]
    fn one_name_that_is_somebodys_gives_all_outputs_names_of_their_own() {
        for taken in ["a/saida.txt", "a/saida.json"] {
            assert_eq!(names(job(), &BOTH, &[(taken, Found::Other)]), own("ID", [true, true]));
        }
        let report = names(job(), &[Output::Report], &[("a/erro.txt", Found::Other)]);
        assert_eq!((report.paths, report.are_own), (vec![("a/erro.ID.txt".into(), true)], true));
    }

    #[test]
    fn a_version_has_the_job_in_its_name_whatever_there_is() {
        let job = Job { must_be_own: true, ..job() };
        for outbox in [&[][..], &[("a/saida.txt", Found::Ours)]] {
            assert_eq!(names(job, &BOTH, outbox), own("ID", [true, true]));
        }
        assert_eq!(names(job, &BOTH, &[("a/saida.ID.txt", Found::Ours)]), own("ID", [false, true]));
    }

    #[test]
    fn what_an_earlier_try_named_is_kept_to() {
        let job = Job { may_be_named: true, ..job() };
        // The folder that was in the way is gone.
        assert_eq!(names(job, &BOTH, &[("a/saida.ID.txt", Found::Ours)]), own("ID", [false, true]));
        assert_eq!(names(job, &BOTH, &[("a/saida.ID.json", Found::Ours)]), own("ID", [true, false]));
        assert_eq!(names(job, &BOTH, &[("a/saida.txt", Found::Ours)]), plain([false, true]));
    }

    #[test]
    fn nobody_can_take_all_names_of_a_job() {
        let job = Job { must_be_own: true, ..job() };
        let taken = [("a/saida.ID.txt", Found::Other), ("a/saida.ID-2.json", Found::Other)];
        assert_eq!(names(job, &BOTH, &taken), own("ID-3", [true, true]));
        // Nor move an answer that stands already.
        let job = Job { may_be_named: true, must_be_own: false, ..job };
        let taken = [("a/saida.ID.txt", Found::Other), ("a/saida.ID-2.txt", Found::Ours)];
        assert_eq!(names(job, &BOTH, &taken), own("ID-2", [false, true]));
        assert_eq!(job.names(&BOTH, |_| Found::Other), None);
    }
}
