//! A grade as a `nota.json` has it.

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
    /// The points; `None` if there was nothing to grade.
    pub points: Option<Points>,
    pub total: Option<Points>,
    pub not_graded: u64,
    pub verdict: String,
    /// The grade in a line.
    pub text: String,
    /// The ID of the job, by which the submissions have their order.
    pub job: Option<String>,
    pub submission: String,
    /// Which attempt of the student it is, as far as that is known.
    pub attempt: u64,
    pub is_late: bool,
    pub is_over_attempts: bool,
    /// When it was changed last.
    submitted: Option<Modified>,
    /// The digest of its content.
    pub sha256: Option<String>,
}

/// The part of a file that is read. The puzzles, which may be many, are skipped.
#[derive(Deserialize)]
struct Content {
    submission: String,
    student: Option<String>,
    student_id: Option<String>,
    route: String,
    job: Option<String>,
    #[serde(default)]
    attempt: u64,
    #[serde(default)]
    late: bool,
    #[serde(default)]
    over_attempts: bool,
    submitted: Option<String>,
    sha256: Option<String>,
    grade: Grade,
}

#[derive(Deserialize)]
struct Grade {
    verdict: String,
    points: Option<Points>,
    total: Option<Points>,
    #[serde(default)]
    not_graded: u64,
    #[serde(default)]
    text: String,
}

impl Nota {
    /// A student without a grade, of the folder at `path`, who is called by it.
    pub fn nothing(exercise: &str, path: &str, text: String) -> Self {
        let folder = format!("{path}/");
        let found = MoodleName::of_path(&folder);
        let name = path.rsplit('/').next().unwrap_or(path);
        Self {
            exercise: exercise.to_owned(),
            student: found.map_or(name, |found| found.student).to_owned(),
            is_named: true,
            id: found.map(|found| found.id.to_owned()),
            points: None,
            total: None,
            not_graded: 0,
            verdict: NOTHING_TO_GRADE.to_owned(),
            text,
            job: None,
            submission: path.to_owned(),
            attempt: 0,
            is_late: false,
            is_over_attempts: false,
            submitted: None,
            sha256: None,
        }
    }

    /// Whether none of its answers could be compared with a proved one: it has no points to be counted.
    pub fn is_ungraded(&self) -> bool {
        self.verdict == "not-graded"
    }

    /// When the submission was changed last; of a grade that does not say so, when the service took it. A time without an offset
    /// from UTC is one of clocks here.
    pub fn time(&self) -> Option<OffsetDateTime> {
        match self.submitted {
            Some(Modified::Clock(clock)) => Some(local_time::at_clock(clock)),
            Some(Modified::At(time)) => Some(time),
            None => time_of(self.job.as_deref()?),
        }
    }

    /// Whether it was in time and among the attempts that count.
    pub fn counts(&self) -> bool {
        !self.is_late && !self.is_over_attempts
    }

    /// Why it does not count, for machines.
    pub fn mark(&self) -> &'static str {
        mark(self.is_late, self.is_over_attempts)
    }
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
    let Content { submission, student, student_id, route, job, grade, submitted, sha256, .. } = content;
    let (attempt, is_late, is_over_attempts) = (content.attempt, content.late, content.over_attempts);
    let time = submitted.as_deref().map(|text| {
        Modified::parse(text).ok_or_else(|| {
            let text = printable(text.as_bytes(), REASON_BYTES_MAX);
            format!("submitted = {text}: expected a time such as 2026-11-21T10:00:00Z")
        })
    });
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
    let folder = match submission.rsplit_once('/') {
        Some((folder, _)) if grade.verdict != NOTHING_TO_GRADE => folder,
        // Nothing to grade is told of a folder.
        _ => &submission,
    };
    if grade.verdict != NOTHING_TO_GRADE && (grade.points.is_none() || grade.total.is_none()) {
        return Err("it has no points".to_owned());
    }
    Ok(Nota {
        exercise: show(&route),
        is_named: student.is_some(),
        student: show(student.as_deref().unwrap_or(folder)),
        id: student_id.as_deref().map(show),
        points: grade.points,
        total: grade.total,
        not_graded: grade.not_graded,
        verdict: show(&grade.verdict),
        text: show(&grade.text),
        job,
        submission: show(&submission),
        attempt,
        is_late,
        is_over_attempts,
        submitted: time.transpose()?,
        sha256,
    })
}
