//! Submissions: the number of the attempt, the time when it was received, and its grade.
//!
//! The grades are the record: those in the outbox, and those of jobs in progress, which are on their way there. The
//! same content makes no new attempt, whether a student drops it again or a teacher has it graded again. It keeps the
//! number and the time that it had before.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Instant;

use parking_lot::Mutex;
use serde::Deserialize;
use time::OffsetDateTime;

use crate::config::{Route, Who};
use crate::daemon::answering::answerer::{Answerer, Attempt};
use crate::daemon::answering::pending_publication::{Graded, Made, PendingPublication};
use crate::daemon::answering::staging::Audience;
use crate::daemon::base::clock;
use crate::daemon::base::job_id::time_of;
use crate::daemon::fs::disk::{Disk, Entry, OpenFile, if_found};
use crate::daemon::fs::service_folders::is_own;
use tabuleiro_jobs::grading::formats::SubmissionOrigin;
use tabuleiro_jobs::grading::{GradeOutputs, Modified, Standing};
use tabuleiro_jobs::naming::{self, Output, is_grade_json};
use tabuleiro_jobs::{JobError, Limits, sha256_of};
use tabuleiro_puzzles::solver::{REVEAL, Reveal};

/// Maximum number of a student's grades that are read.
const GRADES_MAX: usize = 10_000;
/// Maximum depth to which the folder of a student is searched.
const DEPTH_MAX: usize = 64;
/// The name of a submission with fewer bytes is contained whole in the name of its grade.
const NAME_BYTES_KEPT: usize = 200;
/// Maximum length of the first line of a grade, in bytes.
const HEAD_BYTES_MAX: u64 = 64 * 1024;

/// The numbered submissions of jobs in progress. A job holds its own until its grade is in the outbox.
#[derive(Default)]
pub struct Attempts(Mutex<Vec<Weak<Counted>>>);

/// A submission that has its number, as the first line of its grade states it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Counted {
    submission: String,
    route: String,
    student: Option<String>,
    student_id: Option<String>,
    /// 0 in a grade made by the command line.
    attempt: u64,
    /// When the service first found this content.
    #[serde(with = "time::serde::rfc3339::option")]
    received: Option<OffsetDateTime>,
    sha256: Option<String>,
    late: bool,
    over_attempts: bool,
}

/// The number of a submission, and what follows from it.
struct Number {
    /// Which attempt it is, and whether it is late or over the limit.
    pub standing: Standing,
    /// The grade does not count, and must not replace one that does.
    pub keeps_other: bool,
    /// Must be held until the grade is in the outbox.
    pub counted: Arc<Counted>,
}

impl Attempts {
    /// Numbers a submission by the SHA-256 of its content. Known content keeps its number. New content gets the number
    /// after the student's last attempt. `who` is the student, if the route says how to find that.
    fn number(
        &self,
        submission: &Attempt<'_>,
        route: &Route,
        who: Option<&Who>,
        sha256: &str,
    ) -> io::Result<Number> {
        let Attempt { answerer, job: PendingPublication { claim, file, .. }, .. } = submission;
        let mut mine = Counted {
            submission: file.to_owned(),
            route: route.name.clone(),
            student: who.map(|who| who.student.clone()),
            student_id: who.and_then(|who| who.id.clone()),
            sha256: Some(sha256.to_owned()),
            ..Counted::default()
        };
        // Two submissions of one student must not get the same number.
        let mut in_hand = self.0.lock();
        // Jobs in progress are read before the outbox: a grade that is published in between is found there.
        let mut others: Vec<Arc<Counted>> = in_hand.iter().filter_map(Weak::upgrade).collect();
        in_hand.retain(|counted| counted.strong_count() > 0);
        let mut searched = GradesFolder::of(&claim.origin, who);
        searched.folder = answerer.folders.outbox.join(&searched.folder);
        let mut grades = Vec::new();
        searched.read(&*answerer.disk, &mut grades)?;
        others.extend(grades.into_iter().map(Arc::new));
        others.retain(|other| other.is_of_student_of(&mine));
        let is_same = |other: &&Arc<Counted>| other.sha256 == mine.sha256;
        let same = others.iter().filter(is_same).min_by_key(|other| other.attempt);
        let last = others.iter().map(|other| other.attempt).max().unwrap_or_default();
        let now = time_of(&claim.id).unwrap_or_else(clock::now);
        let received = others.iter().filter(is_same).filter_map(|other| other.received).min().unwrap_or(now);
        let standing = route
            .standing(same.map_or(last.saturating_add(1), |same| same.attempt), Some(Modified::At(received)));
        let counts_there = |other: &Arc<Counted>| {
            other.counts() && other.submission == mine.submission && other.sha256 != mine.sha256
        };
        let keeps_other = !standing.counts() && others.iter().any(counts_there);
        (mine.attempt, mine.received) = (standing.attempt, Some(received));
        (mine.late, mine.over_attempts) = (standing.is_late(), standing.is_over_attempts());
        let counted = Arc::new(mine);
        in_hand.push(Arc::downgrade(&counted));
        Ok(Number { standing, keeps_other, counted })
    }
}

impl Counted {
    /// Returns whether `self` is of the same exercise and student as `mine`. A student is known by an ID, or else by
    /// the name, or else by the path of the submission.
    fn is_of_student_of(&self, mine: &Self) -> bool {
        let is_one = match (&mine.student_id, &mine.student) {
            (Some(_), _) => self.student_id == mine.student_id,
            (None, Some(_)) => self.student == mine.student,
            (None, None) => self.submission == mine.submission,
        };
        is_one && self.route == mine.route
    }

    fn counts(&self) -> bool {
        !self.late && !self.over_attempts
    }
}

/// Where the grades of a student are.
struct GradesFolder {
    /// The folder in the outbox.
    folder: PathBuf,
    /// How many levels of folders below it may hold grades.
    depth: usize,
    /// Part of their names, so that not every grade of a class in one folder is read. Empty if it is not known.
    word: String,
}

impl GradesFolder {
    fn of(origin: &Path, who: Option<&Who>) -> Self {
        if let Some(who) = who.filter(|who| who.depth < origin.components().count()) {
            let folder = origin.components().take(who.depth).collect();
            return Self { folder, depth: DEPTH_MAX, word: String::new() };
        }
        let folder = origin.parent().unwrap_or(Path::new("")).to_owned();
        let name = origin.file_name().unwrap_or_default();
        let word = if let Some(who) = who {
            who.student.clone()
        } else {
            let grade = naming::output(name, Output::GradeJson, None);
            Path::new(&grade).file_stem().unwrap_or_default().to_string_lossy().into_owned()
        };
        // Other names are changed in the names of grades.
        let is_kept = name.len() < NAME_BYTES_KEPT && !word.contains(['\\', char::REPLACEMENT_CHARACTER]);
        let is_translated = who.is_some() && word.to_lowercase().contains("saida");
        Self { folder, depth: 0, word: if is_kept && !is_translated { word } else { String::new() } }
    }

    /// Adds the grades in the folder to `grades`.
    fn read(&self, disk: &dyn Disk, grades: &mut Vec<Counted>) -> io::Result<()> {
        let Self { folder, depth, word } = self;
        for Entry { name, is_folder } in if_found(disk.list(folder))?.unwrap_or_default() {
            let path = folder.join(&name);
            if is_folder && *depth > 0 && !is_own(&path) {
                Self { folder: path, depth: depth - 1, word: word.clone() }.read(disk, grades)?;
            } else if !is_folder && is_grade_json(&name) && grades.len() < GRADES_MAX {
                let is_wanted = word.is_empty() || name.to_string_lossy().contains(word.as_str());
                grades.extend(if is_wanted { read(disk, &path)? } else { None });
            }
        }
        Ok(())
    }
}

/// Reads a grade. Returns `None` if the file holds none or is gone.
fn read(disk: &dyn Disk, path: &Path) -> io::Result<Option<Counted>> {
    let file = match disk.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A link, or something else that somebody put there.
        Err(_) if !disk.stat(path).is_ok_and(|found| found.is_file) => return Ok(None),
        file => file?,
    };
    let mut head = Vec::new();
    BufReader::new(file.take(HEAD_BYTES_MAX)).read_until(b'\n', &mut head)?;
    // The JSON object continues after its first line.
    let head = head.trim_ascii_end();
    let head = head.strip_suffix(b",").map(|head| [head, b"}"].concat());
    Ok(head.and_then(|head| serde_json::from_slice(&head).ok()))
}

/// Grades a submission by the reference at the path `reference`.
pub(super) fn grade(
    attempt: &Attempt<'_>,
    route: &Route,
    reference: &Path,
    input: &mut dyn OpenFile,
) -> Result<Made, JobError> {
    let counts = &attempt.counts;
    let Answerer { pool, cancel, references, attempts, .. } = attempt.answerer;
    let key = references.get(route, reference, pool, cancel, &counts.progress);
    let key = key.map_err(|error| error.of_reference(reference))?;
    attempt.begin(&key.options);
    let who = route.whose(&attempt.job.claim.origin);
    let started = Instant::now();
    let sha256 = digest(attempt, input).map_err(JobError::Read)?;
    let number = attempts.number(attempt, route, who.as_ref(), &sha256);
    // The outbox could not be read: a temporary error, or one that keeps the grade from being written, too.
    let Number { standing, keeps_other, counted } = number.map_err(JobError::Write)?;
    let received = counted.received.map(clock::stamp).unwrap_or_default();
    let (seconds, nanos) = input.stat().map_err(JobError::Read)?.modified;
    let origin = SubmissionOrigin {
        job: Some(&attempt.job.claim.id),
        standing: Some(standing),
        submitted: Modified::since_1970(seconds, nanos),
        received: Some(&received),
        sha256: Some(&sha256),
        ..route.submission_origin(&attempt.job.file, who.as_ref())
    };
    let mut text = attempt.staged(Output::Grade, Audience::Readers)?;
    // The JSON has the points, for the class list, so students may read it only if something is revealed.
    let audience = match key.options.get(REVEAL) {
        Reveal::None => Audience::Staff,
        _ => Audience::Readers,
    };
    let mut json = attempt.staged(Output::GradeJson, audience)?;
    let has_page = attempt.has(Output::GradePage);
    let mut page = has_page.then(|| attempt.staged(Output::GradePage, Audience::Readers)).transpose()?;
    let links = page.as_ref().map(|_| attempt.links(Output::Grade, attempt.collision().is_some()));
    let page_out = page.as_mut().map(|page| page as _).zip(links);
    let out = GradeOutputs { text: &mut text, json: &mut json, page: page_out };
    let limits = Limits::of(&key.options, pool.memory(), cancel);
    let grade = key.write_grade(attempt.source(input), &origin, out, &limits)?;
    attempt.finish([text, json].into_iter().chain(page))?;
    let (bytes, took) = (counts.bytes_read.load(Ordering::Relaxed), started.elapsed());
    let student = who.map(|who| who.student);
    let solver = key.solver.id();
    Ok(Made::Grade(Box::new(Graded { solver, grade, student, keeps_other, counted, bytes, took })))
}

/// Returns the SHA-256 of a submission in hexadecimal, and rewinds the file.
fn digest(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> io::Result<String> {
    let digest = sha256_of(attempt.source(input))?;
    input.rewind()?;
    attempt.counts.bytes_read.store(0, Ordering::Relaxed);
    Ok(digest)
}
