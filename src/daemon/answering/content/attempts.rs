//! Submissions: which attempt of its student one is, when it was received, and its grade.
//!
//! The grades are the memory: those that stand in the outbox, and those of jobs in hand, which are on their way there. A student
//! who drops the same content again has made no new attempt, and neither has a teacher who has it graded again: both get
//! the number and the time that this content had before.

use std::io::{self, BufRead, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Instant;

use parking_lot::Mutex;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use super::Attempt;
use crate::config::{Route, Who};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{Graded, Made};
use crate::daemon::base::clock;
use crate::daemon::base::job_id::time_of;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::disk::{Disk, Entry, OpenFile};
use crate::daemon::fs::service_folders::is_own;
use tabuleiro_jobs::grading::formats::NoteOrigin;
use tabuleiro_jobs::grading::{Modified, NoteOut, Standing};
use tabuleiro_jobs::naming::{self, Output, is_grade_json};
use tabuleiro_jobs::{JobError, Limits};
use tabuleiro_puzzles::solver::{REVEAL, Reveal};

/// Grades of a student that are read.
const GRADES_MAX: usize = 10_000;
/// Depth to which the folder of a student is searched.
const DEPTH_MAX: usize = 64;
/// Names of submissions that are shorter stand whole in the names of their grades.
const NAME_BYTES_KEPT: usize = 200;
/// Bytes of the first line of a grade.
const HEAD_BYTES_MAX: u64 = 64 * 1024;

/// The submissions of jobs in hand that have their numbers. A job holds its own until its grade stands in the outbox.
#[derive(Default)]
pub struct Attempts(Mutex<Vec<Weak<Counted>>>);

/// A submission that has its number, as the first line of its grade tells it.
#[derive(Debug, Clone, Deserialize)]
pub struct Counted {
    submission: String,
    route: String,
    student: Option<String>,
    student_id: Option<String>,
    /// 0 in a grade of an earlier version.
    #[serde(default)]
    attempt: u64,
    #[serde(default, with = "clock::optional_stamp")]
    received: Option<OffsetDateTime>,
    sha256: Option<String>,
    #[serde(default)]
    late: bool,
    #[serde(default)]
    over_attempts: bool,
}

/// A submission that is to get its number.
pub struct Submission<'a> {
    pub claim: &'a Claim,
    /// Its printable path below the inbox.
    pub file: &'a str,
    /// The route that takes it.
    pub route: &'a Route,
    /// Whose it is, where the route says so.
    pub who: Option<&'a Who>,
    /// The SHA-256 of its content.
    pub sha256: &'a str,
}

/// The number of a submission, and what follows from it.
pub struct Number {
    /// How it stands beside the others of its student.
    pub standing: Standing,
    /// When the service found its content first.
    pub received: OffsetDateTime,
    /// It does not count, and must not take the place of a grade that does.
    pub keeps_other: bool,
    /// What is to be held until the grade stands in the outbox.
    pub counted: Arc<Counted>,
}

impl Attempts {
    /// Numbers a submission: like the same content before, else by one more than the last attempt of the student.
    ///
    /// # Errors
    /// When the grades of the student cannot be looked at.
    pub fn number(&self, submission: &Submission<'_>, outbox: &Path, disk: &dyn Disk) -> io::Result<Number> {
        let Submission { claim, file, route, who, sha256 } = *submission;
        let mut mine = Counted {
            submission: file.to_owned(),
            route: route.name.clone(),
            student: who.map(|who| who.student.clone()),
            student_id: who.and_then(|who| who.id.clone()),
            attempt: 0,
            received: None,
            sha256: Some(sha256.to_owned()),
            late: false,
            over_attempts: false,
        };
        // Two submissions of one student must not get the same number.
        let mut in_hand = self.0.lock();
        // These are read before the outbox: a grade that is published in between is found there.
        let mut others: Vec<Arc<Counted>> = in_hand.iter().filter_map(Weak::upgrade).collect();
        in_hand.retain(|counted| counted.strong_count() > 0);
        let Place { folder, depth, word } = Place::of(&claim.origin, who);
        let mut grades = Vec::new();
        find(disk, &outbox.join(folder), (depth, &word), &mut grades)?;
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
        Ok(Number { standing, received, keeps_other, counted })
    }
}

impl Counted {
    /// Returns whether it is of the same exercise and student: known by an ID, else by the name, else by the path of the
    /// submission.
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

/// Where the grades of a student lie.
struct Place {
    /// The folder of the outbox.
    folder: PathBuf,
    /// How many folders deep they lie in it.
    depth: usize,
    /// What their names contain, so that not every grade of a class in one folder is read.
    word: String,
}

impl Place {
    fn of(origin: &Path, who: Option<&Who>) -> Self {
        if let Some(who) = who.filter(|who| who.depth < origin.components().count()) {
            let folder = origin.components().take(who.depth).collect();
            return Self { folder, depth: DEPTH_MAX, word: String::new() };
        }
        let folder = origin.parent().unwrap_or(Path::new("")).to_owned();
        let name = origin.file_name().unwrap_or_default();
        let word = match who {
            Some(who) => who.student.clone(),
            None => Path::new(&naming::output(name, Output::GradeJson, None))
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        };
        // Other names are not kept as they are.
        let is_kept = name.len() < NAME_BYTES_KEPT && !word.contains(['\\', char::REPLACEMENT_CHARACTER]);
        let is_translated = who.is_some() && word.to_lowercase().contains("saida");
        Self { folder, depth: 0, word: if is_kept && !is_translated { word } else { String::new() } }
    }
}

/// Reads the grades in a folder whose names contain a word.
fn find(
    disk: &dyn Disk,
    folder: &Path,
    (depth, word): (usize, &str),
    grades: &mut Vec<Counted>,
) -> io::Result<()> {
    let entries = match disk.list(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for Entry { name, is_folder } in entries {
        let path = folder.join(&name);
        if is_folder && depth > 0 && !is_own(&path) {
            find(disk, &path, (depth - 1, word), grades)?;
        } else if !is_folder && is_grade_json(&name) && grades.len() < GRADES_MAX {
            let is_wanted = word.is_empty() || name.to_string_lossy().contains(word);
            grades.extend(if is_wanted { read(disk, &path)? } else { None });
        }
    }
    Ok(())
}

/// Reads a grade; nothing where the file holds none, or is gone.
fn read(disk: &dyn Disk, path: &Path) -> io::Result<Option<Counted>> {
    let file = match disk.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A link, or something else that somebody put there.
        Err(_) if !disk.stat(path).is_ok_and(|found| found.is_file) => return Ok(None),
        file => file?,
    };
    let mut head = Vec::new();
    BufReader::new(file.take(HEAD_BYTES_MAX)).read_until(b'\n', &mut head)?;
    // The object goes on behind its first line.
    let head = head.trim_ascii_end();
    let head = head.strip_suffix(b",").map(|head| [head, b"}"].concat());
    Ok(head.and_then(|head| serde_json::from_slice(&head).ok()))
}

/// Grades a submission by the reference at that path.
pub(super) fn grade(
    attempt: &Attempt<'_>,
    route: &Route,
    reference: &Path,
    input: &mut dyn OpenFile,
) -> Result<Made, JobError> {
    let Attempt { counts, claim, file, .. } = attempt;
    let Answerer { pool, cancel, disk, folders, references, attempts, .. } = attempt.answerer;
    let key = references.get(route, reference, pool, cancel, &counts.progress);
    let key = key.map_err(|error| error.of_reference(reference))?;
    attempt.begin(&key.options);
    let who = route.whose(&attempt.claim.origin);
    let started = Instant::now();
    let sha256 = digest(attempt, input).map_err(JobError::Read)?;
    let submission = Submission { claim, file, route, who: who.as_ref(), sha256: &sha256 };
    let number = attempts.number(&submission, &folders.outbox, &**disk);
    // Whatever hinders that passes, or the grade cannot be written either.
    let Number { standing, received, keeps_other, counted } = number.map_err(JobError::Write)?;
    let received = clock::stamp(received);
    let origin = NoteOrigin {
        submission: attempt.file,
        student: who.as_ref().map(|who| who.student.as_str()),
        student_id: who.as_ref().and_then(|who| who.id.as_deref()),
        route: Some(&route.name),
        job: Some(&attempt.claim.id),
        standing: Some(standing),
        submitted: Modified::since_1970(input.stat().map_err(JobError::Read)?.modified),
        received: Some((&received, &sha256)),
    };
    let mut text = BufWriter::new(attempt.staged(Output::Grade).map_err(JobError::Write)?);
    // It has the points, for the class list.
    let json = match key.options.get(REVEAL) {
        Reveal::None => attempt.staged_for(Output::GradeJson, true),
        _ => attempt.staged(Output::GradeJson),
    };
    let mut json = BufWriter::new(json.map_err(JobError::Write)?);
    let page = attempt.has(Output::GradePage).then(|| attempt.staged(Output::GradePage)).transpose();
    let mut page = page.map_err(JobError::Write)?.map(BufWriter::new);
    let out = NoteOut { text: &mut text, json: &mut json, page: page.as_mut().map(|page| page as _) };
    let limits = Limits::of(&key.options, pool.memory(), cancel);
    let grade = key.note(attempt.source(input, None), &origin, out, &limits)?;
    attempt.finish([text, json].into_iter().chain(page)).map_err(JobError::Write)?;
    let (bytes, took) = (counts.bytes_read.load(Ordering::Relaxed), started.elapsed());
    let student = who.map(|who| who.student);
    let solver = key.solver.id();
    Ok(Made::Grade(Box::new(Graded { solver, grade, student, keeps_other, counted, bytes, took })))
}

/// Reads a submission for its digest, and goes back to its beginning.
fn digest(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> io::Result<String> {
    let mut source = attempt.source(input, Some(Sha256::new()));
    io::copy(&mut source, &mut io::sink())?;
    let digest = source.digest.unwrap_or_default().finalize();
    input.rewind()?;
    attempt.counts.bytes_read.store(0, Ordering::Relaxed);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
