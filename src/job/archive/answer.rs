//! The members of an archive answered: for each a result or a report, in the folder that it had.

use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::open::{Archive, Member, SHOWN_BYTES_MAX};
use super::refusal::ArchiveError;
use super::write::ArchiveWriter;
use crate::input::printable;
use crate::job::{JobError, Rejection, Summary};
use crate::naming::{self, Output};
use crate::words::Language;

/// What became of a member, and the language of its report.
pub struct Answered {
    /// Its result is written, or will never be.
    pub result: Result<Summary, JobError>,
    /// What people are told in.
    pub language: Language,
}

/// Answers all members of an archive, in order, into `results`.
///
/// `answer` writes the result of a member. Its path is the one that routes decide by: the archive's name is a folder before it. A
/// member without a result gets a report, and `tell` learns of each what became of it. Where a report cannot stand beside its member,
/// because of the member's path, it stands in one for the archive, at the root.
///
/// # Errors
/// Those of reading and writing, and a stop: there are no results then.
pub fn answer_members<R: Read + Seek, S: Read + Write + Seek>(
    (archive, name): (&Archive<R>, &Path),
    results: &mut ArchiveWriter<S>,
    language: Language,
    mut answer: impl FnMut(&Member, &Path, &mut dyn Write) -> Answered,
    mut tell: impl FnMut(&Member, &Result<Summary, Rejection>),
) -> Result<(), JobError> {
    let folder = PathBuf::from(name.file_stem().unwrap_or_default());
    let shown = printable(folder.as_os_str().as_encoded_bytes(), SHOWN_BYTES_MAX);
    let mut of_archive = String::new();
    for member in archive.members() {
        let mut language = language;
        let result = match archive.check(member) {
            Ok(()) => {
                let mut out = results.begin().map_err(JobError::Write)?;
                let answered = answer(member, &folder.join(member.path()), &mut out);
                language = answered.language;
                match answered.result {
                    Ok(summary) => {
                        out.end(&output(member, Output::Result)).map_err(JobError::Write)?;
                        Ok(summary)
                    }
                    Err(JobError::Rejected(rejection)) => Err(rejection),
                    Err(error) => return Err(error),
                }
            }
            Err(ArchiveError::Refused(why)) => Err(Rejection::NotRead(why)),
            Err(ArchiveError::Read(error)) => return Err(JobError::Read(error)),
        };
        if let Err(rejection) = &result {
            let report = rejection.report(&format!("{shown}/{}", member.printable_path()), language);
            if member.is_placed() {
                write_text(results, &output(member, Output::Report), &report)?;
            } else {
                of_archive.push_str(&report);
            }
        }
        tell(member, &result);
    }
    if !of_archive.is_empty() {
        let report = naming::output(name.file_name().unwrap_or_default(), Output::Report, None);
        write_text(results, &report.to_string_lossy(), &of_archive)?;
    }
    Ok(())
}

fn write_text<S: Read + Write + Seek>(
    results: &mut ArchiveWriter<S>,
    path: &str,
    text: &str,
) -> Result<(), JobError> {
    let mut out = results.begin().map_err(JobError::Write)?;
    let written = out.write_all(text.as_bytes()).and_then(|()| out.end(path));
    written.map(drop).map_err(JobError::Write)
}

/// The path of what is made of a member.
fn output(member: &Member, kind: Output) -> String {
    naming::result_path(Path::new(member.path()), kind, None).to_string_lossy().into_owned()
}
