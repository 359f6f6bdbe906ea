//! The log lines of a job that ended: one that says it all, and one for each thing that is wrong.

use std::path::Path;

use tracing::{error, info, warn};

use crate::daemon::answering::prepared::{Graded, Made, Unpacked};
use crate::daemon::base::clock::millis;
use crate::daemon::base::tally::Counts;
use crate::daemon::publishing::publisher::{End, Published};
use crate::input::{Ignored, printable};
use crate::job::{Rejection, Summary};
use crate::logging::kind;
use crate::words::Language;

/// Logs the end of a job. Gives how it counts; `None` where neither result nor report was published.
pub fn log(published: &Published) -> Option<Counts> {
    let Published { prepared, end, took, .. } = published;
    prepared.span.in_scope(|| {
        let file = prepared.file.as_str();
        let show = |path: &Path| printable(path.as_os_str().as_encoded_bytes(), 1024);
        let name_taken = prepared.collision.as_ref().map(|collision| show(&collision.name));
        let taken_by = prepared.collision.as_ref().and_then(|collision| collision.input.as_deref().map(show));
        match (end, &prepared.made) {
            (End::Published(path), Made::Results { solver, summary, .. }) => {
                details(file, summary);
                let result = show(path);
                info!(
                    name: kind::ANSWERED.name,
                    file,
                    route = prepared.route.as_deref().unwrap_or("none"),
                    solver,
                    puzzles = summary.puzzles,
                    answers = summary.answers(),
                    invalid = summary.invalid,
                    undecided = summary.undecided,
                    waited_ms = millis(prepared.waited),
                    parse_ms = millis(summary.parse),
                    solve_ms = millis(summary.solve),
                    solve_cpu_ms = millis(summary.solve_cpu),
                    publish_ms = millis(*took),
                    bytes = summary.bytes,
                    result,
                    replaced = prepared.replaced.then_some(true),
                    name_taken,
                    taken_by,
                    "answered{}",
                    if summary.is_odd() { " with warnings" } else { "" },
                );
                Some(Counts::answered(summary.puzzles, summary.invalid, summary.undecided))
            }
            (End::Published(path), Made::Grade(graded)) => {
                let Graded { solver, grade, student, bytes, took: grading } = &**graded;
                info!(
                    name: kind::GRADED.name,
                    file,
                    route = prepared.route.as_deref().unwrap_or("none"),
                    solver,
                    student = student.as_deref(),
                    points = %grade.share(),
                    verdict = grade.name(),
                    first_wrong = grade.first_wrong(),
                    puzzles = grade.puzzles,
                    not_graded = grade.not_graded,
                    waited_ms = millis(prepared.waited),
                    grade_ms = millis(*grading),
                    publish_ms = millis(*took),
                    bytes,
                    result = show(path),
                    replaced = prepared.replaced.then_some(true),
                    name_taken,
                    taken_by,
                    "graded",
                );
                Some(Counts::graded())
            }
            (End::Published(path), Made::Archive(unpacked)) => {
                members(file, unpacked);
                let (answered, odd) = (
                    unpacked.answered(),
                    unpacked.rejected + unpacked.invalid > 0
                        || unpacked.odd.iter().any(|(_, summary)| summary.is_odd()),
                );
                info!(
                    name: kind::ANSWERED.name,
                    file,
                    route = prepared.route.as_deref().unwrap_or("none"),
                    members = unpacked.members,
                    members_answered = answered,
                    members_graded = unpacked.graded,
                    members_rejected = unpacked.rejected,
                    puzzles = unpacked.puzzles,
                    invalid = unpacked.invalid,
                    undecided = unpacked.undecided,
                    waited_ms = millis(prepared.waited),
                    solve_ms = millis(unpacked.took),
                    publish_ms = millis(*took),
                    bytes = unpacked.bytes,
                    result = show(path),
                    replaced = prepared.replaced.then_some(true),
                    name_taken,
                    taken_by,
                    "answered{}",
                    if odd { " with warnings" } else { "" },
                );
                Some(Counts::answered(unpacked.puzzles, unpacked.invalid, unpacked.undecided))
            }
            (End::Published(path), Made::Rejected(rejection)) => {
                if let Rejection::Refuted { .. } = rejection {
                    error!(file, "{rejection}");
                }
                warn!(
                    name: kind::REJECTED.name,
                    file,
                    route = prepared.route.as_deref().unwrap_or("none"),
                    rule = rejection.rule(),
                    reason = rejection.to_string(),
                    waited_ms = millis(prepared.waited),
                    publish_ms = millis(*took),
                    report = show(path),
                    replaced = prepared.replaced.then_some(true),
                    name_taken,
                    taken_by,
                    "rejected",
                );
                Some(Counts::rejected())
            }
            (End::PutBack(why), _) => {
                info!(name: kind::PUT_BACK.name, file, reason = why, "put back into the inbox");
                None
            }
            (End::AnswerAgain(why) | End::PublishAgain(why), _) => {
                not_published(file, why);
                None
            }
            // A job with neither result nor report publishes nothing, and one to be copied is told of when that is done.
            (End::Published(_) | End::Copy(_), _) => None,
        }
    })
}

/// Logs, in the span of its job, that a file is tried again.
pub fn not_published(file: &str, reason: &str) {
    warn!(name: kind::NOT_PUBLISHED.name, file, reason, "not published, will be tried again");
}

/// What is wrong or odd in the members of an archive.
fn members(file: &str, unpacked: &Unpacked) {
    for (member, rejection) in &unpacked.reasons {
        warn!(file, member, rule = rejection.rule(), reason = rejection.to_string(), "rejected member");
    }
    let more = unpacked.rejected - unpacked.reasons.len() as u64;
    if more > 0 {
        warn!(file, more, "further rejected members");
    }
    for (member, summary) in &unpacked.odd {
        details(&format!("{file}/{member}"), summary);
    }
}

/// What is wrong or odd in the file, each with its place.
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
