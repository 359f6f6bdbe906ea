//! The log lines of a job that ended: one that says it all, and one for each thing that is wrong.

use std::path::Path;

use tracing::{error, info, warn};

use crate::daemon::answering::pending_publication::{Graded, Made, Unpacked};
use crate::daemon::base::clock::millis;
use crate::daemon::base::job_tally::Counts;
use crate::daemon::publishing::publisher::{End, Published};
use crate::logging::kind;
use tabuleiro_jobs::grading::Standing;
use tabuleiro_jobs::{Rejection, Summary};
use tabuleiro_puzzles::input::{Ignored, printable};
use tabuleiro_puzzles::words::Language;

/// Folders of a class that the log names because nothing in them could be graded; the others are counted.
const LACKING_MAX: usize = 20;

/// A job that published something, as its log lines show it.
struct Ended<'a> {
    file: &'a str,
    route: &'a str,
    waited_ms: f64,
    publish_ms: f64,
    /// The path below the outbox.
    output: String,
    replaced: Option<bool>,
    name_taken: Option<String>,
    taken_by: Option<String>,
}

/// Logs the end of a job. Returns how it counts; `None` if neither result nor report was published.
pub fn log(published: &Published) -> Option<Counts> {
    let Published { pending, end, took, .. } = published;
    pending.span.in_scope(|| {
        let file = pending.file.as_str();
        let path = match end {
            End::Published(path) => path,
            End::PutBack(why) => {
                info!(name: kind::PUT_BACK.name, file, reason = why, "put back into the inbox");
                return None;
            }
            End::AnswerAgain(why) | End::PublishAgain(why) => {
                not_published(file, why);
                return None;
            }
            // Logged once its input is copied.
            End::Copy(_) => return None,
        };
        let show = |path: &Path| printable(path.as_os_str().as_encoded_bytes(), 1024);
        let collision = pending.collision.as_ref();
        let ended = Ended {
            file,
            route: pending.route.as_deref().unwrap_or("none"),
            waited_ms: millis(pending.waited),
            publish_ms: millis(*took),
            output: show(path),
            replaced: pending.replaced.then_some(true),
            name_taken: collision.map(|collision| show(&collision.name)),
            taken_by: collision.and_then(|collision| collision.input.as_deref().map(show)),
        };
        match &pending.made {
            Made::Results { solver, summary } => Some(answered(ended, solver, summary)),
            Made::Grade(graded) => Some(self::graded(ended, graded)),
            Made::Archive(unpacked) => Some(self::unpacked(ended, unpacked)),
            Made::Rejected(rejection) => Some(rejected(ended, rejection)),
            // A job with neither result nor report publishes nothing.
            Made::PutBack(_) | Made::Waits(_) | Made::Failed(_) => None,
        }
    })
}

fn answered(ended: Ended<'_>, solver: &str, summary: &Summary) -> Counts {
    let Ended { file, route, waited_ms, publish_ms, output, replaced, name_taken, taken_by } = ended;
    details(file, summary);
    info!(
        name: kind::ANSWERED.name,
        file,
        route,
        solver,
        puzzles = summary.puzzles,
        answers = summary.answers(),
        invalid = summary.invalid,
        undecided = summary.undecided,
        waited_ms,
        parse_ms = millis(summary.parse),
        solve_ms = millis(summary.solve),
        solve_cpu_ms = millis(summary.solve_cpu),
        publish_ms,
        bytes = summary.bytes,
        result = output,
        replaced,
        name_taken,
        taken_by,
        "answered{}",
        if summary.has_warnings() { " with warnings" } else { "" },
    );
    Counts::answered(summary.puzzles, summary.invalid, summary.undecided)
}

fn graded(ended: Ended<'_>, graded: &Graded) -> Counts {
    let Ended { file, route, waited_ms, publish_ms, output, replaced, name_taken, taken_by } = ended;
    let Graded { solver, grade, student, bytes, took, .. } = graded;
    let standing = grade.standing;
    info!(
        name: kind::GRADED.name,
        file,
        route,
        solver,
        student = student.as_deref(),
        points = %grade.share(),
        verdict = grade.name(),
        first_wrong = grade.first_wrong(),
        attempt = standing.map(|standing| standing.attempt),
        late = standing.filter(Standing::is_late).map(|_| true),
        over_attempts = standing.filter(Standing::is_over_attempts).map(|_| true),
        puzzles = grade.puzzles,
        not_graded = grade.not_graded,
        waited_ms,
        grade_ms = millis(*took),
        publish_ms,
        bytes,
        result = output,
        replaced,
        name_taken,
        taken_by,
        "graded",
    );
    Counts::graded()
}

fn unpacked(ended: Ended<'_>, unpacked: &Unpacked) -> Counts {
    let Ended { file, route, waited_ms, publish_ms, output, replaced, name_taken, taken_by } = ended;
    members(file, unpacked);
    let Unpacked { members, graded, rejected, puzzles, invalid, undecided, bytes, took, .. } = unpacked;
    let has_warnings =
        rejected + invalid > 0 || unpacked.noteworthy.iter().any(|(_, summary)| summary.has_warnings());
    info!(
        name: kind::ANSWERED.name,
        file,
        route,
        members,
        members_answered = unpacked.answered(),
        members_graded = graded,
        members_rejected = rejected,
        puzzles,
        invalid,
        undecided,
        waited_ms,
        solve_ms = millis(*took),
        publish_ms,
        bytes,
        result = output,
        replaced,
        name_taken,
        taken_by,
        "answered{}",
        if has_warnings { " with warnings" } else { "" },
    );
    Counts::answered(*puzzles, *invalid, *undecided)
}

fn rejected(ended: Ended<'_>, rejection: &Rejection) -> Counts {
    let Ended { file, route, waited_ms, publish_ms, output, replaced, name_taken, taken_by } = ended;
    if let Rejection::Refuted { .. } = rejection {
        error!(file, "{rejection}");
    }
    warn!(
        name: kind::REJECTED.name,
        file,
        route,
        rule = rejection.rule(),
        reason = rejection.to_string(),
        waited_ms,
        publish_ms,
        report = output,
        replaced,
        name_taken,
        taken_by,
        "rejected",
    );
    Counts::rejected()
}

/// Logs, in the span of its job, that a file is tried again.
pub fn not_published(file: &str, reason: &str) {
    warn!(name: kind::NOT_PUBLISHED.name, file, reason, "not published, will be tried again");
}

/// Logs what is wrong or remarkable in the members of an archive.
fn members(file: &str, unpacked: &Unpacked) {
    for (member, rejection) in &unpacked.reasons {
        warn!(file, member, rule = rejection.rule(), reason = rejection.to_string(), "rejected member");
    }
    let more = unpacked.rejected - unpacked.reasons.len() as u64;
    if more > 0 {
        warn!(file, more, "further rejected members");
    }
    for (folder, reason) in unpacked.lacking.iter().take(LACKING_MAX) {
        warn!(file, folder, %reason, "nothing to grade");
    }
    if let Some(more) = unpacked.lacking.len().checked_sub(LACKING_MAX).filter(|more| *more > 0) {
        warn!(file, more, "further folders with nothing to grade");
    }
    for (member, summary) in &unpacked.noteworthy {
        details(&format!("{file}/{member}"), summary);
    }
}

/// Logs what is wrong or remarkable in the file, each with its place.
fn details(file: &str, summary: &Summary) {
    for (puzzle, problem) in &summary.problems {
        warn!(
            name: kind::INVALID_PUZZLE.name,
            file,
            line = problem.place.line,
            column = problem.place.column,
            puzzle,
            rule = problem.rule(),
            reason = problem.say(Language::English),
            "invalid puzzle",
        );
    }
    for (puzzle, place, stop) in &summary.stops {
        warn!(name: kind::UNDECIDED_PUZZLE.name, file, line = place.line, puzzle, limit = stop.name(), "undecided puzzle");
    }
    if let Some(ignored) = &summary.ignored {
        let Ignored { place, lines, what } = ignored;
        warn!(file, line = place.line, column = place.column, lines, "ignored: {what}");
    }
    for warning in &summary.warnings {
        warn!(file, line = warning.place.line, column = warning.place.column, "{}", warning.what);
    }
    let further = [
        ("invalid puzzles", summary.invalid - summary.problems.len() as u64),
        ("undecided puzzles", summary.undecided - summary.stops.len() as u64),
        ("warnings", summary.warnings_dropped),
    ];
    for (what, more) in further.into_iter().filter(|(_, more)| *more > 0) {
        warn!(file, more, "further {what}");
    }
}
