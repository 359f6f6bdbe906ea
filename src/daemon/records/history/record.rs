//! One job in the history.

use std::path::Path;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::daemon::answering::pending_publication::{Graded, Made, Stage, Unpacked};
use crate::daemon::base::clock::{millis, stamp};
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::publishing::publisher::{End, Published};
use tabuleiro_jobs::Summary;
use tabuleiro_puzzles::input::{Place, printable};
use tabuleiro_puzzles::words::Language;

/// How much of the reason for a rejection is kept.
const REASON_BYTES_MAX: usize = 1024;
/// Mistakes that a record tells of; the others are counted.
const MISTAKES_MAX: usize = 3;

/// A job that ended with a result or a report. The names of the fields are those of the history's lines; they stay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// When it ended: RFC 3339 in UTC.
    pub time: String,
    /// The job's ID, which tells when the file was taken.
    pub id: String,
    /// The file's path below the inbox.
    pub file: JsonPath,
    /// The route that took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The solver that answered it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Puzzles in it, of all verdicts.
    #[serde(default)]
    pub puzzles: u64,
    /// Puzzles that are invalid.
    #[serde(default)]
    pub invalid: u64,
    /// Puzzles that a limit ended.
    #[serde(default)]
    pub undecided: u64,
    /// Lines behind the end of the puzzles, which nobody read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored_lines: u64,
    /// The first invalid puzzles and rejected members, a line each, in English; a last line counts the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<String>,
    /// The first answers, as in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// What was earned of what, where it was graded: `37/40`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
    /// The verdict of the grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The first puzzle whose answer is not right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_wrong: Option<u64>,
    /// Whose submission it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub student: Option<String>,
    /// What rule it broke, where it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why it was rejected, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same in the language of the report, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// From being seen to being begun, in milliseconds.
    #[serde(default)]
    pub waited_ms: f64,
    /// Reading and parsing, in milliseconds.
    #[serde(default)]
    pub parse_ms: f64,
    /// Solving, in milliseconds.
    #[serde(default)]
    pub solve_ms: f64,
    /// Publishing, the wait for its group included, in milliseconds.
    #[serde(default)]
    pub publish_ms: f64,
    /// Bytes of input read.
    #[serde(default)]
    pub bytes: u64,
    /// The result's or the report's path below the outbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<JsonPath>,
    /// The paths of its other outputs, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<JsonPath>,
    /// It is not everybody's to see: a grade, or what only the owner reads. The page of the service does not tell of it.
    #[serde(default, rename = "private", skip_serializing_if = "std::ops::Not::not")]
    pub is_private: bool,
    /// An earlier output of the same input was replaced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// The plain name of the output, below the outbox, where something else has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_taken: Option<JsonPath>,
    /// The input whose output has that name, below the inbox, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_by: Option<JsonPath>,
    /// Where the input is kept, below the var folder: `done/…` or `failed/…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<JsonPath>,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// With a result.
    #[default]
    Answered,
    /// With a grade.
    Graded,
    /// With a report.
    Rejected,
}

impl Record {
    /// Returns the record of a job that ended at `time`; `None` if it is not over.
    #[must_use]
    pub fn of(published: &Published, folders: &Folders, time: OffsetDateTime) -> Option<Self> {
        let End::Published(output) = &published.end else { return None };
        let pending = &published.pending;
        let mut record = Self {
            time: stamp(time),
            id: pending.claim.id.clone(),
            file: pending.claim.origin.as_path().into(),
            route: pending.route.clone(),
            outcome: Outcome::Rejected,
            waited_ms: millis(pending.waited),
            publish_ms: millis(published.took),
            output: Some(output.as_path().into()),
            beside: match &pending.stage {
                Stage::Named(outputs) => outputs.iter().skip(1).map(|path| path.as_path().into()).collect(),
                Stage::Staged { .. } => Vec::new(),
            },
            is_private: pending.is_private,
            replaced: pending.replaced,
            name_taken: pending.collision.as_ref().map(|collision| collision.name.as_path().into()),
            taken_by: pending
                .collision
                .as_ref()
                .and_then(|collision| Some(collision.input.as_deref()?.into())),
            kept: published.archived.as_deref().and_then(|path| below_var(path, folders)),
            ..Self::default()
        };
        match &pending.made {
            Made::Results { solver, summary, .. } => {
                record.outcome = Outcome::Answered;
                record.solver = Some((*solver).to_owned());
                (record.puzzles, record.bytes) = (summary.puzzles, summary.bytes);
                (record.invalid, record.undecided) = (summary.invalid, summary.undecided);
                record.ignored_lines = summary.ignored.as_ref().map_or(0, |ignored| ignored.lines);
                record.mistakes = first_mistakes(problems_of(summary), summary.invalid);
                record.answers = Some(summary.answers());
                (record.parse_ms, record.solve_ms) = (millis(summary.parse), millis(summary.solve));
            }
            Made::Grade(graded) => {
                let Graded { solver, grade, student, bytes, .. } = &**graded;
                (record.outcome, record.is_private) = (Outcome::Graded, true);
                record.solver = Some((*solver).to_owned());
                (record.puzzles, record.bytes) = (grade.puzzles, *bytes);
                (record.points, record.first_wrong) = (Some(grade.share()), grade.first_wrong());
                (record.verdict, record.student) = (Some(grade.name().to_owned()), student.clone());
            }
            Made::Archive(unpacked) => {
                let Unpacked { members, graded, rejected, puzzles, invalid, undecided, bytes, .. } =
                    **unpacked;
                record.outcome = Outcome::Answered;
                record.is_private |= graded > 0;
                (record.puzzles, record.bytes) = (puzzles, bytes);
                (record.invalid, record.undecided) = (invalid, undecided);
                let answered = unpacked.answered();
                record.answers = Some(format!(
                    "{members} members: {answered} answered, {graded} graded, {rejected} rejected"
                ));
                let reasons = unpacked.reasons.iter().map(|(member, why)| format!("{member}: {why}"));
                let problems = unpacked.noteworthy.iter().flat_map(|(member, summary)| {
                    problems_of(summary).map(move |problem| format!("{member}: {problem}"))
                });
                record.mistakes = first_mistakes(reasons.chain(problems), rejected + invalid);
                record.solve_ms = millis(unpacked.took);
            }
            Made::Rejected(rejection) => {
                record.rule = Some(rejection.rule().to_owned());
                let shown = |reason: String| Some(printable(reason.as_bytes(), REASON_BYTES_MAX));
                record.reason = shown(rejection.to_string());
                let language = pending.language;
                record.told =
                    (language != Language::English).then(|| shown(rejection.say(language))).flatten();
            }
            Made::PutBack(_) | Made::Waits(_) | Made::Failed(_) => return None,
        }
        Some(record)
    }

    /// Its outputs, below the outbox, in the order in which people look for them.
    pub fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.output.iter().chain(&self.beside).map(|path| path.0.as_path())
    }

    /// Returns the grade in a few words: `37/40, wrong-answer, first at puzzle 7`.
    #[must_use]
    pub fn mark(&self) -> String {
        let first = self.first_wrong.map_or_else(String::new, |puzzle| format!(", first at puzzle {puzzle}"));
        let [points, verdict] = [&self.points, &self.verdict].map(|text| text.as_deref().unwrap_or("?"));
        format!("{points}, {verdict}{first}")
    }

    /// Returns why the output has not its plain name: `a.saida.txt is the result of a; this one is a.saida.20261121T….txt`.
    #[must_use]
    pub fn collision(&self) -> Option<String> {
        let (name, output) = (self.name_taken.as_ref()?.printable(), self.output.as_ref()?.printable());
        let kind = match self.outcome {
            Outcome::Answered => "result",
            Outcome::Graded => "grade",
            Outcome::Rejected => "report",
        };
        let whose = match &self.taken_by {
            Some(input) => format!("the {kind} of {}", input.printable()),
            None => "somebody else's".to_owned(),
        };
        Some(format!("{name} is {whose}; this one is {output}"))
    }
}

/// Returns the invalid puzzles that a summary kept, a line each.
fn problems_of(summary: &Summary) -> impl Iterator<Item = String> {
    summary.problems.iter().map(|(puzzle, problem)| {
        let Place { line, column } = problem.place;
        format!("puzzle {puzzle} (line {line}, column {column}): {}", problem.say(Language::English))
    })
}

/// Returns the first of so many mistakes, and how many more there are.
fn first_mistakes(mistakes: impl Iterator<Item = String>, count: u64) -> Vec<String> {
    let shown = mistakes.take(MISTAKES_MAX).map(|mistake| printable(mistake.as_bytes(), REASON_BYTES_MAX));
    let mut lines: Vec<_> = shown.collect();
    let more = count - lines.len() as u64;
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Returns the path below the var folder of an input that is kept.
fn below_var(path: &Path, folders: &Folders) -> Option<JsonPath> {
    let below = |root: &Path, name: &str| Some(Path::new(name).join(path.strip_prefix(root).ok()?));
    below(&folders.done, "done").or_else(|| below(&folders.failed, "failed")).map(JsonPath)
}
