//! `tabuleiro history`: lists the finished jobs that the history holds.

use clap::Args;
use time::{Duration, OffsetDateTime, UtcOffset};

use super::service_query::printable_json;
use super::terminal_table::{CELL_BYTES_MAX, Column, Shrink, columns, table, times, wrapped};
use crate::cli::arguments::{ConfigArgs, known_route, printable_path, routes};
use crate::cli::cli_messages::{CliMessage, reason};
use crate::cli::failure::{Exit, Failure, print, print_error};
use crate::config::Config;
use crate::daemon::base::clock;
use crate::daemon::base::job_tally::NO_ROUTE;
use crate::daemon::records::history::{Matches, Outcome, Query, Record, find};
use crate::logging::local_time;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::solver::duration;

/// The indentation of a note below a row.
const NOTE_INDENT: &str = "    ";

/// Arguments of `history`.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct HistoryArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Files that were rejected
    #[arg(long)]
    failed: bool,
    /// Files with an invalid puzzle; combined with --failed or --undecided, files of any of these kinds
    #[arg(long)]
    invalid: bool,
    /// Files with a puzzle that a limit ended
    #[arg(long)]
    undecided: bool,
    /// Files that ended since then: 1h (an hour ago), 2026-11-21 (its midnight here) or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<OffsetDateTime>,
    /// Files of that route; `none` for those that no route takes
    #[arg(long, value_name = "NAME", add = routes())]
    route: Option<String>,
    /// Show at most this many jobs, the newest
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

impl HistoryArgs {
    fn wants(&self, record: &Record) -> bool {
        let kinds = [
            (self.failed, record.outcome == Outcome::Rejected),
            (self.invalid, record.invalid > 0),
            (self.undecided, record.undecided > 0),
        ];
        let is_of_kind =
            kinds.iter().all(|(wanted, _)| !wanted) || kinds.iter().any(|(wanted, is)| *wanted && *is);
        let route = record.route.as_deref().unwrap_or(NO_ROUTE);
        is_of_kind && self.route.as_deref().is_none_or(|wanted| wanted == route)
    }
}

/// Prints the jobs, the newest last.
pub fn run(args: &HistoryArgs) -> Result<Exit, Failure> {
    let config = args.config.load()?;
    if let Some(route) = &args.route {
        check_route(route, &config)?;
    }
    // One record more than the limit shows whether there are older ones.
    let limit = args.limit as usize;
    let query = Query { since: args.since, limit: Some(limit + 1), ..Query::default() };
    let mut found = find_records(&config, query, |record| args.wants(record))?;
    let is_cut = found.records.len() > limit;
    if is_cut {
        found.records.remove(0);
    }
    print(&if args.json { found.records.iter().map(printable_json).collect() } else { text(&found) })?;
    for note in notes(&found, is_cut.then_some(limit)) {
        print_error(&format!("tabuleiro: {note}"));
    }
    Ok(Exit::Ok)
}

/// Returns an error if the route is neither in the configuration nor in the history. A route in the history can have
/// been renamed or removed since.
fn check_route(name: &str, config: &Config) -> Result<(), Failure> {
    let Err(unknown) = known_route(name, config, &[NO_ROUTE]) else { return Ok(()) };
    let query = Query { limit: Some(1), ..Query::default() };
    let found = find_records(config, query, |record| record.route.as_deref() == Some(name))?;
    if found.records.is_empty() && !found.is_searched_in_part { Err(unknown) } else { Ok(()) }
}

/// Finds jobs in the history.
///
/// # Errors
/// Exit code 74 if the history cannot be read.
pub fn find_records(
    config: &Config,
    query: Query,
    is_wanted: impl Fn(&Record) -> bool,
) -> Result<Matches, Failure> {
    let folder = config.folders.history();
    find(&folder, query, is_wanted).map_err(|error| {
        let message = CliMessage::NoHistory { folder: printable_path(&folder), reason: reason(&error) };
        Failure::of(Exit::Io, message)
    })
}

fn text(found: &Matches) -> String {
    if found.records.is_empty() {
        return "nothing found\n".to_owned();
    }
    let (ended, shown) = times("ended", found.records.iter().map(time).collect());
    let (available, records) = (columns(), &found.records[..]);
    let show = |text: &str| printable(text.as_bytes(), CELL_BYTES_MAX);
    let route = |record: &Record| show(record.route.as_deref().unwrap_or(NO_ROUTE));
    let what = |record: &Record| {
        let mark = (record.outcome == Outcome::Graded).then(|| record.mark());
        show(mark.as_ref().or(record.answers.as_ref()).or(record.reason.as_ref()).map_or("", String::as_str))
    };
    let columns = vec![
        Column::new(&ended, Shrink::Nothing, &shown, String::clone),
        Column::new("outcome", Shrink::Nothing, records, outcome),
        Column::new("route", Shrink::End, records, route),
        Column::new("file", Shrink::Middle, records, |record| record.file.printable()),
        Column::new("answers, or why not", Shrink::End, records, what),
    ];
    let table = table(columns, available);
    // The heading line has no note.
    let notes = std::iter::once(None).chain(found.records.iter().map(Record::collision));
    table
        .lines()
        .zip(notes)
        .map(|(line, note)| format!("{line}\n{}", note_lines(note.as_deref(), available)))
        .collect()
}

/// Returns the note of a row as lines below the row, because the table has no column for it.
fn note_lines(note: Option<&str>, available: usize) -> String {
    let lines = note.map(|note| wrapped(note, available.saturating_sub(NOTE_INDENT.len()).max(1)));
    lines.into_iter().flatten().map(|line| format!("{NOTE_INDENT}{line}\n")).collect()
}

/// Returns when a job ended, in whole seconds, and its offset from UTC.
fn time(record: &Record) -> (String, String) {
    let unreadable = || (printable(record.time.as_bytes(), CELL_BYTES_MAX), String::new());
    clock::parse_stamp(&record.time).map_or_else(unreadable, local_time::parts)
}

/// Returns how a job ended, in words.
pub fn outcome(record: &Record) -> String {
    let Record { puzzles, invalid, undecided, .. } = record;
    let outcome = match (record.outcome, *undecided, *invalid) {
        (Outcome::Rejected, ..) => "rejected".to_owned(),
        (Outcome::Graded, ..) => "graded".to_owned(),
        (Outcome::Answered, 0, 0) => "answered".to_owned(),
        (Outcome::Answered, 0, _) => format!("answered, {invalid} of {puzzles} invalid"),
        (Outcome::Answered, _, 0) => format!("answered, {undecided} of {puzzles} undecided"),
        (Outcome::Answered, ..) => {
            format!("answered, {undecided} undecided and {invalid} invalid of {puzzles}")
        }
    };
    match record.ignored_lines {
        0 => outcome,
        1 => outcome + ", 1 line ignored",
        lines => format!("{outcome}, {lines} lines ignored"),
    }
}

fn notes(found: &Matches, limit: Option<usize>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(limit) = limit {
        notes.push(format!("there are older ones; the newest {limit} are shown (--limit)"));
    }
    if found.is_searched_in_part {
        let note =
            "the history is long, and its older part was not searched; give a more recent time with --since";
        notes.push(note.to_owned());
    }
    if found.unreadable > 0 {
        notes.push(format!("{} lines cannot be read and are left out", found.unreadable));
    }
    notes
}

/// Parses a time: how long ago, a local date, or RFC 3339.
pub fn since(text: &str) -> Result<OffsetDateTime, String> {
    let ago = || clock::now().checked_sub(Duration::try_from(duration(text)?).ok()?);
    let date = || clock::parse_day(text).map(|day| local_time::ZONE.at_clock(day.midnight()));
    let time = ago().or_else(date).or_else(|| clock::parse_stamp(text));
    time.and_then(|time| time.checked_to_offset(UtcOffset::UTC)).ok_or_else(|| {
        "expected how long ago (1h, 30m, 2days), a date (2026-11-21) or a time (2026-11-21T10:00:00Z)"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn only_what_is_asked_for_is_shown() {
        let record = |text: &str| -> Record {
            let rest = r#""time":"2026-11-21T10:00:01Z","id":"20261121T100000.000001Z","file":"a""#;
            serde_json::from_str(&format!("{{{text},{rest}}}")).unwrap()
        };
        let records = [
            record(r#""outcome":"rejected","route":"entrada""#),
            record(r#""outcome":"answered","undecided":1,"invalid":1"#),
            record(r#""outcome":"answered","route":"entrada""#),
        ];
        let ask = |arguments: &[&str]| {
            let cli = HistoryCli::parse_from([&["history"], arguments].concat());
            records.each_ref().map(|record| cli.args.wants(record))
        };
        assert_eq!(ask(&[]), [true, true, true]);
        assert_eq!(ask(&["--failed"]), [true, false, false]);
        assert_eq!(ask(&["--undecided"]), [false, true, false]);
        assert_eq!(ask(&["--invalid"]), [false, true, false]);
        assert_eq!(ask(&["--failed", "--undecided"]), [true, true, false]);
        assert_eq!(ask(&["--route", "entrada"]), [true, false, true]);
        assert_eq!(ask(&["--route", "none"]), [false, true, false]);
    }

    #[derive(clap::Parser)]
    struct HistoryCli {
        #[command(flatten)]
        args: HistoryArgs,
    }

    #[test]
    fn a_time_can_be_given_in_three_ways() {
        let then = since("1h").unwrap();
        let hour = clock::now() - then;
        assert!(hour >= Duration::HOUR && hour < Duration::HOUR + Duration::MINUTE);
        assert_eq!(local_time::parts(since("2026-11-21").unwrap()).0, "2026-11-21 00:00:00");
        assert_eq!(clock::stamp(since("2026-11-21T12:00:00+02:00").unwrap()), "2026-11-21T10:00:00.000000Z");
        for wrong in ["", "yesterday", "2026-11-31", "99999999999999days", "9999-12-31T23:59:59-03:00"] {
            since(wrong).unwrap_err();
        }
    }
}
