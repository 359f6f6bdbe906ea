//! A grade, as read from a `nota.json`.

use std::fs::File;
use std::io::{BufReader, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::Deserialize;
use time::OffsetDateTime;

use crate::daemon::base::job_id::time_of;
use crate::logging::local_time;
use tabuleiro_jobs::grading::class::NOTHING_TO_GRADE;
use tabuleiro_jobs::grading::standing::mark;
use tabuleiro_jobs::grading::{Modified, Points};
use tabuleiro_jobs::naming::MoodleName;
use tabuleiro_puzzles::input::printable;

/// The maximum size of the file, in bytes.
const FILE_BYTES_MAX: u64 = 256 << 20;
/// The maximum length of a name in the file, in bytes.
const NAME_BYTES_MAX: usize = 4096;
/// The maximum length of an error's text, which can quote the file, in bytes.
const REASON_BYTES_MAX: usize = 300;

/// The grade of a submission; its texts are printable. The puzzles in the file, which can be many, are skipped.
#[derive(Debug, Default, Deserialize)]
pub struct Nota {
    #[serde(rename = "route")]
    pub exercise: String,
    /// The student's name, if it is known.
    #[serde(rename = "student")]
    pub name: Option<String>,
    /// The student's name or, if it is unknown, the folder or the submission.
    #[serde(skip)]
    pub student: String,
    #[serde(rename = "student_id")]
    pub id: Option<String>,
    pub grade: Grade,
    /// The ID of the job, which orders the submissions.
    pub job: Option<String>,
    pub submission: String,
    /// The number of the student's attempt; 0 if unknown.
    #[serde(default)]
    pub attempt: u64,
    #[serde(default, rename = "late")]
    pub is_late: bool,
    #[serde(default, rename = "over_attempts")]
    pub is_over_attempts: bool,
    /// When the submission was last modified.
    submitted: Option<String>,
    /// The digest of the submission's content.
    pub sha256: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Grade {
    pub verdict: String,
    /// The points; `None` if there was nothing to grade.
    pub points: Option<Points>,
    pub total: Option<Points>,
    #[serde(default)]
    pub not_graded: u64,
    /// The grade as one line of text.
    #[serde(default)]
    pub text: String,
}

impl Nota {
    /// Returns an entry without a grade for the student of the folder at `path`. The folder's name gives the student's
    /// name.
    pub fn nothing(exercise: &str, path: &str, text: String) -> Self {
        let folder = format!("{path}/");
        let found = MoodleName::of_path(&folder);
        let name = path.rsplit('/').next().unwrap_or(path);
        let student = found.map_or(name, |found| found.student).to_owned();
        Self {
            exercise: exercise.to_owned(),
            name: Some(student.clone()),
            student,
            id: found.map(|found| found.id.to_owned()),
            grade: Grade { verdict: NOTHING_TO_GRADE.to_owned(), text, ..Grade::default() },
            submission: path.to_owned(),
            ..Self::default()
        }
    }

    /// Returns when the submission was last modified or, if the grade does not say so, when the service took it. A time
    /// without an offset from UTC is in the local time zone.
    pub fn time(&self) -> Option<OffsetDateTime> {
        match self.submitted.as_deref().and_then(Modified::parse) {
            Some(Modified::Clock(clock)) => Some(local_time::ZONE.at_clock(clock)),
            Some(Modified::At(time)) => Some(time),
            None => time_of(self.job.as_deref()?),
        }
    }

    /// Returns whether the submission was in time and within the allowed attempts.
    pub fn counts(&self) -> bool {
        !self.is_late && !self.is_over_attempts
    }

    /// Returns why the grade does not count, in words for programs; empty if it counts.
    pub fn mark(&self) -> &'static str {
        mark(self.is_late, self.is_over_attempts)
    }
}

/// Reads a grade.
///
/// # Errors
/// Returns why the file holds no grade.
pub fn read(path: &Path) -> Result<Nota, String> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = File::options().read(true).custom_flags(flags).open(path);
    let file = file.map_err(|error| format!("cannot open: {error}"))?;
    let metadata = file.metadata().map_err(|error| format!("cannot read: {error}"))?;
    if !metadata.is_file() {
        return Err("it is no longer a file".to_owned());
    }
    if metadata.len() > FILE_BYTES_MAX {
        return Err(format!("it has {} bytes, more than {FILE_BYTES_MAX}", metadata.len()));
    }
    let content = serde_json::from_reader(BufReader::new(file.take(FILE_BYTES_MAX)));
    // The error can quote the file, so it is escaped.
    content
        .map_err(|error: serde_json::Error| printable(error.to_string().as_bytes(), REASON_BYTES_MAX))
        .and_then(checked)
}

/// Checks the grade, and escapes characters that would disturb a terminal or a table.
fn checked(mut nota: Nota) -> Result<Nota, String> {
    let shown = |text: &str| printable(text.as_bytes(), REASON_BYTES_MAX);
    if let Some(text) = nota.submitted.as_deref().filter(|text| Modified::parse(text).is_none()) {
        return Err(format!("submitted = {}: expected a time such as 2026-11-21T10:00:00Z", shown(text)));
    }
    if let Some(job) = nota.job.as_deref().filter(|job| time_of(job).is_none()) {
        return Err(format!("job = {}: expected an ID such as 20261121T121744.123456Z", shown(job)));
    }
    let has_points = nota.grade.points.is_some() && nota.grade.total.is_some();
    let is_graded = nota.grade.verdict != NOTHING_TO_GRADE;
    if is_graded && !has_points {
        return Err("it has no points".to_owned());
    }
    let Nota { submission, exercise, name, id, grade, .. } = &mut nota;
    let names = [submission, exercise, &mut grade.verdict].into_iter().chain(name).chain(id);
    for name in names {
        if name.len() > NAME_BYTES_MAX {
            return Err(format!("a name in it has more than {NAME_BYTES_MAX} bytes"));
        }
        *name = printable(name.as_bytes(), 10 * NAME_BYTES_MAX);
    }
    nota.grade.text = printable(nota.grade.text.as_bytes(), 10 * NAME_BYTES_MAX);
    nota.name.take_if(|name| name.is_empty());
    // Without a grade, the submission is the folder.
    let folder = nota.submission.rsplit_once('/').filter(|_| is_graded).map(|(folder, _)| folder);
    nota.student = nota.name.clone().unwrap_or_else(|| folder.unwrap_or(&nota.submission).to_owned());
    Ok(nota)
}
