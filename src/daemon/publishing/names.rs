//! The names that a job's outputs get in the outbox.
//!
//! Usually the plain ones, `saida.txt` and `saida.json`. Where one of them is no regular file, and always under
//! `if_exists = "version"`, all outputs of the job have its ID in their names: `saida.20261121T121744.123456Z.txt`. So a
//! name follows from the job and from what stands in the outbox, and nothing need remember it: an answer after a crash
//! gets the same names.

use std::path::{Path, PathBuf};

use crate::naming::{self, Output};

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A regular file.
    File,
    /// A folder, a link, a device.
    Other,
}

/// A job whose outputs need names.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The path of its file below the inbox, as mirrored in the outbox.
    pub origin: &'a Path,
    /// Its ID.
    pub id: &'a str,
    /// Its outputs must have names of their own.
    pub must_be_own: bool,
    /// An earlier try may have given names.
    pub may_be_named: bool,
}

/// The names of a job's outputs, in their order.
#[derive(Debug, PartialEq, Eq)]
pub enum Names {
    /// The plain ones, as paths below the outbox. Those that nothing had must not replace anything.
    Plain(Vec<(PathBuf, bool)>),
    /// Those with the job's ID, as paths below the outbox, which are nobody else's.
    Own(Vec<PathBuf>),
}

impl Job<'_> {
    /// Names for `outputs`, where `find` tells what stands at a path below the outbox.
    pub fn names(&self, outputs: &[Output], find: impl Fn(&Path) -> Found) -> Names {
        let paths = |id| outputs.iter().map(move |output| naming::result_path(self.origin, *output, id));
        let own = || paths(Some(self.id));
        if self.must_be_own || self.may_be_named && own().any(|path| find(&path) != Found::Nothing) {
            return Names::Own(own().collect());
        }
        let mut plain = Vec::with_capacity(outputs.len());
        for path in paths(None) {
            match find(&path) {
                Found::Other => return Names::Own(own().collect()),
                found => plain.push((path, found == Found::Nothing)),
            }
        }
        Names::Plain(plain)
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
        job.names(outputs, |path| outbox.get(path).copied().unwrap_or(Found::Nothing))
    }

    fn own() -> Names {
        Names::Own(["a/saida.ID.txt", "a/saida.ID.json"].map(PathBuf::from).into())
    }

    fn plain(is_new: [bool; 2]) -> Names {
        Names::Plain(["a/saida.txt", "a/saida.json"].map(PathBuf::from).into_iter().zip(is_new).collect())
    }

    #[test]
    fn plain_names_replace_files_and_nothing_that_comes_later() {
        assert_eq!(names(job(), &BOTH, &[]), plain([true, true]));
        assert_eq!(names(job(), &BOTH, &[("a/saida.json", Found::File)]), plain([true, false]));
        let report = names(job(), &[Output::Report], &[("a/saida.txt", Found::Other)]);
        assert_eq!(report, Names::Plain(vec![("a/erro.txt".into(), true)]));
    }

    #[test]
    fn one_name_that_is_no_files_gives_all_outputs_names_of_their_own() {
        for taken in ["a/saida.txt", "a/saida.json"] {
            assert_eq!(names(job(), &BOTH, &[(taken, Found::Other)]), own());
        }
        let report = names(job(), &[Output::Report], &[("a/erro.txt", Found::Other)]);
        assert_eq!(report, Names::Own(vec!["a/erro.ID.txt".into()]));
    }

    #[test]
    fn a_version_has_the_job_in_its_name_whatever_there_is() {
        let job = Job { must_be_own: true, ..job() };
        for outbox in [&[][..], &[("a/saida.txt", Found::File)], &[("a/saida.ID.txt", Found::File)]] {
            assert_eq!(names(job, &BOTH, outbox), own());
        }
    }

    #[test]
    fn what_an_earlier_try_named_is_kept_to() {
        let job = Job { may_be_named: true, ..job() };
        // The folder that was in the way is gone.
        for named in ["a/saida.ID.txt", "a/saida.ID.json"] {
            assert_eq!(names(job, &BOTH, &[(named, Found::File)]), own());
        }
        assert_eq!(names(job, &BOTH, &[("a/saida.txt", Found::File)]), plain([false, true]));
    }
}
