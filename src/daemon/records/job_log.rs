//! Logs the end of a job: one line for the job, and one line for each of its first mistakes and warnings.

use tracing::{error, info, warn};

use crate::daemon::answering::pending_publication::{Made, PendingPublication, Unpacked};
use crate::daemon::base::clock::millis;
use crate::daemon::base::job_tally::NO_ROUTE;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::publishing::publisher::End;
use crate::daemon::records::history::{Ended, Record};
use crate::logging::event_text::told;
use crate::logging::kind;
use tabuleiro_jobs::grading::Standing;
use tabuleiro_jobs::{Reason, Rejection, Summary};
use tabuleiro_puzzles::input::Ignored;

/// Maximum number of mistakes of one kind that get a line of their own, per file or archive. The others are counted.
const NAMED_MAX: usize = 3;

pub fn log(Ended { published, record }: &Ended) {
    let pending = &published.pending;
    pending.span.in_scope(|| match (&published.end, record) {
        (_, Some(record)) => log_record(pending, record),
        (End::PutBack(why), None) => {
            info!(name: kind::PUT_BACK.name, file = pending.file, reason = why, "put back");
        }
        (End::AnswerAgain(why) | End::PublishAgain(why), None) => not_published(&pending.file, why),
        // A published job has a record. A job whose input is being copied comes here after the copy.
        _ => {}
    });
}

fn log_record(PendingPublication { made, file, .. }: &PendingPublication, record: &Record) {
    let Record { puzzles, waited_ms, publish_ms, bytes, .. } = *record;
    let (route, solver) = (record.route.as_deref().unwrap_or(NO_ROUTE), record.solver.as_deref());
    let [output, name_taken, taken_by] = [&record.output, &record.name_taken, &record.taken_by]
        .map(|path| path.as_ref().map(JsonPath::printable));
    let replaced = record.replaced.then_some(true);
    let (summary, unpacked) = match made {
        Made::Results { summary, .. } => {
            log_details(file, summary);
            (Some(summary), None)
        }
        Made::Archive(unpacked) => {
            log_members(file, unpacked);
            (None, Some(unpacked))
        }
        Made::Grade(graded) => {
            let standing = graded.grade.standing;
            info!(
                name: kind::GRADED.name,
                file,
                route,
                solver,
                student = record.student,
                points = record.points.as_deref().map(display),
                verdict = record.verdict,
                first_wrong = record.first_wrong,
                attempt = standing.map(|standing| standing.attempt),
                late = standing.filter(Standing::is_late).map(|_| true),
                over_attempts = standing.filter(Standing::is_over_attempts).map(|_| true),
                puzzles,
                not_graded = graded.grade.not_graded,
                waited_ms,
                grade_ms = millis(graded.took),
                publish_ms,
                bytes,
                result = output,
                replaced,
                name_taken,
                taken_by,
                "graded",
            );
            return;
        }
        Made::Rejected(rejection) => {
            if let Rejection::Because(Reason::Refuted { .. }) = rejection {
                error!(name: "refuted", file, "an answer of the program is wrong");
            }
            warn!(
                name: kind::REJECTED.name,
                file,
                route,
                rule = record.rule,
                reason = told(rejection),
                waited_ms,
                publish_ms,
                report = output,
                replaced,
                name_taken,
                taken_by,
                "rejected",
            );
            return;
        }
        // Other jobs publish nothing.
        _ => return,
    };
    let has_warnings = summary.is_some_and(|summary| summary.has_warnings())
        || unpacked.is_some_and(|unpacked| unpacked.has_warnings());
    info!(
        name: kind::ANSWERED.name,
        file,
        route,
        solver,
        members = unpacked.map(|unpacked| unpacked.members),
        members_answered = unpacked.map(|unpacked| unpacked.answered()),
        members_graded = unpacked.map(|unpacked| unpacked.graded),
        members_rejected = unpacked.map(|unpacked| unpacked.rejected),
        puzzles,
        answers = summary.map(|summary| summary.answers()),
        invalid = record.invalid,
        undecided = record.undecided,
        limit = summary.and_then(|summary| summary.limit.as_deref()),
        waited_ms,
        parse_ms = summary.map(|summary| millis(summary.parse)),
        solve_ms = record.solve_ms,
        solve_cpu_ms = summary.map(|summary| millis(summary.solve_cpu)),
        publish_ms,
        bytes,
        result = output,
        replaced,
        name_taken,
        taken_by,
        "answered{}",
        if has_warnings { " with warnings" } else { "" },
    );
}

/// Logs that the service will try a file again. The caller must be in the span of the job.
pub fn not_published(file: &str, reason: &str) {
    warn!(name: kind::NOT_PUBLISHED.name, file, reason, "not published");
}

/// Logs the rejected members of an archive, the folders without a file to grade, and the mistakes of other members.
fn log_members(file: &str, unpacked: &Unpacked) {
    for (member, rejection) in unpacked.reasons.iter().take(NAMED_MAX) {
        let (rule, reason) = (rejection.rule(), told(rejection));
        warn!(name: "rejected-member", file, member, rule, reason, "rejected member");
    }
    log_further(file, "rejected", unpacked.rejected, unpacked.reasons.len());
    for (folder, reason) in unpacked.lacking.iter().take(NAMED_MAX) {
        warn!(name: "nothing-to-grade", file, folder, reason = told(reason), "nothing to grade");
    }
    log_further(file, "lacking", unpacked.lacking.len() as u64, unpacked.lacking.len());
    for (member, summary) in &unpacked.noteworthy {
        log_details(&format!("{file}/{member}"), summary);
    }
}

/// Logs the mistakes, undecided puzzles, ignored lines and warnings of a file, each with its place.
fn log_details(file: &str, summary: &Summary) {
    for (puzzle, problem) in summary.mistakes.shown.iter().take(NAMED_MAX) {
        warn!(
            name: kind::INVALID_PUZZLE.name,
            file,
            line = problem.place.line,
            column = problem.place.column,
            puzzle,
            rule = problem.rule(),
            reason = told(problem),
            "invalid puzzle",
        );
    }
    for (puzzle, place, stop) in summary.stops.iter().take(NAMED_MAX) {
        warn!(name: kind::UNDECIDED_PUZZLE.name, file, line = place.line, puzzle, limit = stop.name(), "undecided puzzle");
    }
    if let Some(ignored) = &summary.ignored {
        let Ignored { place, lines, what, .. } = ignored;
        warn!(name: "ignored", file, line = place.line, column = place.column, lines, what = told(what), "ignored");
    }
    for warning in summary.warnings.iter().take(NAMED_MAX) {
        let (place, what) = (warning.place, told(&warning.what));
        warn!(name: "file-warning", file, line = place.line, column = place.column, what, "warning");
    }
    log_further(file, "invalid", summary.mistakes.entries, summary.mistakes.shown.len());
    let warnings = summary.warnings.len();
    log_further(file, "warnings", summary.warnings_dropped + warnings as u64, warnings);
}

/// Logs how many mistakes or warnings of a kind got no line of their own.
fn log_further(file: &str, what: &'static str, all: u64, kept: usize) {
    let more = all - kept.min(NAMED_MAX) as u64;
    if more > 0 {
        warn!(name: "further", file, what, more, "further");
    }
}
