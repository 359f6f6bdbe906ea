//! A grade as a `nota.json` has it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::Deserialize;
use time::OffsetDateTime;

use crate::daemon::base::job_id::time_of;
use crate::input::printable;
use crate::job::grading::Points;

/// Bytes of a file.
const FILE_BYTES_MAX: u64 = 256 << 20;
/// Bytes of a name in it.
const NAME_BYTES_MAX: usize = 4096;
/// How much of what is wrong with a file is told.
const REASON_BYTES_MAX: usize = 300;

/// The grade of a submission, its texts printable.
#[derive(Debug)]
pub struct Nota {
    pub exercise: String,
    /// The name, or what stands for it.
    pub student: String,
    /// Whether the student's name is known.
    pub is_named: bool,
    pub id: Option<String>,
    pub points: Points,
    pub total: Points,
    pub not_graded: u64,
    pub verdict: String,
    /// The ID of the job, by which the submissions have their order.
    pub job: Option<String>,
    pub submission: String,
}

/// The part of a file that is read. The puzzles, which may be many, are skipped.
#[derive(Deserialize)]
struct Content {
    submission: String,
    student: Option<String>,
    student_id: Option<String>,
    route: String,
    job: Option<String>,
    grade: Grade,
}

#[derive(Deserialize)]
struct Grade {
    verdict: String,
    points: Points,
    total: Points,
    not_graded: u64,
}

impl Nota {
    /// When the submission was taken.
    pub fn time(&self) -> Option<OffsetDateTime> {
        time_of(self.job.as_deref()?)
    }
}

/// Whether a file of that name may hold a grade.
pub fn is_nota(name: &OsStr) -> bool {
    let is_json = Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    is_json && name.to_string_lossy().to_lowercase().contains("nota")
}

/// Reads a grade.
///
/// # Errors
/// Why the file holds none, in words.
pub fn read(path: &Path) -> Result<Nota, String> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = File::options().read(true).custom_flags(flags).open(path);
    let file = file.map_err(|error| format!("cannot open: {error}"))?;
    let metadata = file.metadata().map_err(|error| format!("cannot read: {error}"))?;
    if !metadata.is_file() {
        return Err("it is no file any more".to_owned());
    }
    if metadata.len() > FILE_BYTES_MAX {
        return Err(format!("it has {} bytes, and {FILE_BYTES_MAX} are read at most", metadata.len()));
    }
    let content = serde_json::from_reader(BufReader::new(file.take(FILE_BYTES_MAX)));
    // What is wrong may quote the file.
    content
        .map_err(|error: serde_json::Error| printable(error.to_string().as_bytes(), REASON_BYTES_MAX))
        .and_then(nota)
}

fn nota(content: Content) -> Result<Nota, String> {
    let Content { submission, student, student_id, route, job, grade } = content;
    if let Some(job) = job.as_deref().filter(|job| time_of(job).is_none()) {
        let job = printable(job.as_bytes(), REASON_BYTES_MAX);
        return Err(format!("job = {job}: expected an ID such as 20261121T121744.123456Z"));
    }
    let names =
        [Some(&submission), student.as_ref(), student_id.as_ref(), Some(&route), Some(&grade.verdict)];
    if names.into_iter().flatten().any(|name| name.len() > NAME_BYTES_MAX) {
        return Err(format!("a name in it has more than {NAME_BYTES_MAX} bytes"));
    }
    // All of it is told, escaped where a terminal or a table would suffer.
    let show = |text: &str| printable(text.as_bytes(), 10 * NAME_BYTES_MAX);
    let student = student.filter(|name| !name.is_empty());
    let folder = submission.rsplit_once('/').map_or(submission.as_str(), |(folder, _)| folder);
    Ok(Nota {
        exercise: show(&route),
        is_named: student.is_some(),
        student: show(student.as_deref().unwrap_or(folder)),
        id: student_id.as_deref().map(show),
        points: grade.points,
        total: grade.total,
        not_graded: grade.not_graded,
        verdict: show(&grade.verdict),
        job,
        submission: show(&submission),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_grades_are_told_by_their_names() {
        for name in
            ["nota.json", "lista-nota.json", "x.nota.json", "NOTA.JSON", "nota.20261121T121744.123456Z.json"]
        {
            assert!(is_nota(OsStr::new(name)), "{name}");
        }
        for name in ["saida.json", "nota.txt", "nota", "nota.json.bak", "json"] {
            assert!(!is_nota(OsStr::new(name)), "{name}");
        }
    }
}
