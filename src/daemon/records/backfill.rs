//! Jobs that the history lacks: a crash, a full disk or somebody's tidying cost their lines, but their inputs are kept, and
//! these are the truth.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::daemon::base::clock::{now, parse_stamp, stamp};
use crate::daemon::base::job_id::stamp_of;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::records::archive::{Kept, Place};
use crate::daemon::records::history;
use crate::daemon::records::history::{Found, Outcome, Query, Record};

/// The line of a job whose file was taken less than so long ago may still be on its way into the history.
const LINE_WAIT_MAX: Duration = Duration::from_secs(60);

/// Searches the history and adds the jobs that it lacks, with what the places and names of their inputs tell. A query for
/// routes, undecided puzzles or results cannot be answered by these, and finds none.
///
/// # Errors
/// Those of reading the history.
pub fn find(place: &Place, query: &Query) -> io::Result<Found> {
    let Query { failed, undecided, route, output, id, limit, .. } = query;
    let is_told_by_names = route.is_none() && output.is_none() && id.is_none() && (*failed || !undecided);
    // An input is kept before its line is written, so one that is listed first has a line by the time that these are read.
    let kept = if is_told_by_names { newest_kept(place, query) } else { Vec::new() };
    let mut found = history::find(&place.history(), query)?;
    // Where older jobs were left out, only those after the oldest that is there can be told to be missing.
    let is_partial = found.is_cut || found.is_searched_in_part;
    let oldest = found.records.first().map(|record| record.time.clone());
    if is_partial && oldest.is_none() {
        return Ok(found);
    }
    let begin = oldest.filter(|_| is_partial).max(query.since.map(stamp));
    let known: HashSet<_> = found.records.iter().map(|record| record.id.clone()).collect();
    let is_missing = |kept: &Kept| {
        !known.contains(&kept.id)
            && stamp_of(&kept.id).is_some_and(|time| begin.as_ref().is_none_or(|begin| time >= *begin))
    };
    let missing = kept.into_iter().filter(is_missing).map(record);
    found.records.extend(missing);
    found.records.sort_by(|a, b| a.time.cmp(&b.time));
    let too_many = limit.map_or(0, |limit| found.records.len().saturating_sub(limit));
    found.records.drain(..too_many);
    found.is_cut |= too_many > 0;
    Ok(found)
}

/// The newest inputs that a query may want: twice as many as it wants, because the history may know as many of them.
fn newest_kept(place: &Place, query: &Query) -> Vec<Kept> {
    let latest = now() - LINE_WAIT_MAX;
    let count_max = query.limit.map_or(usize::MAX, |limit| limit.saturating_add(1).saturating_mul(2));
    let mut newest = Vec::new();
    let keep_newest = |newest: &mut Vec<Kept>| {
        newest.sort_unstable_by(|a, b| b.id.cmp(&a.id));
        newest.truncate(count_max);
    };
    let roots: &[_] = if query.failed { &["failed"] } else { &["failed", "done"] };
    place.visit(roots, |kept| {
        let time = stamp_of(&kept.id).and_then(|time| parse_stamp(&time));
        let is_in_time =
            time.is_some_and(|time| time <= latest && query.since.is_none_or(|since| time >= since));
        if is_in_time && query.file.as_ref().is_none_or(|file| *file == kept.origin) {
            newest.push(kept);
        }
        if newest.len() >= count_max.saturating_mul(2) {
            keep_newest(&mut newest);
        }
        ControlFlow::Continue(())
    });
    keep_newest(&mut newest);
    newest
}

/// What an input's place and name tell of its job; the time is that at which it was taken.
fn record(kept: Kept) -> Record {
    let outcome = if kept.is_failed() { Outcome::Rejected } else { Outcome::Answered };
    Record {
        time: stamp_of(&kept.id).unwrap_or_default(),
        id: kept.id,
        file: JsonPath(kept.origin),
        route: None,
        solver: None,
        outcome,
        puzzles: 0,
        invalid: 0,
        undecided: 0,
        answers: None,
        rule: None,
        reason: Some("the history does not tell; the input is kept".to_owned()),
        waited_ms: 0.0,
        parse_ms: 0.0,
        solve_ms: 0.0,
        publish_ms: 0.0,
        bytes: 0,
        output: None,
        kept: Some(JsonPath(kept.path)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::daemon::base::clock::parse_stamp;
    use crate::daemon::records::history;

    #[test]
    fn what_the_history_lacks_is_told_by_the_kept_inputs() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| root.path().join(name);
        for name in ["var/done/a", "var/failed", "var/history"] {
            fs::create_dir_all(folder(name)).unwrap();
        }
        let inputs = [
            "done/a/x.20261121T100000.000001Z.txt",
            "failed/y.20261121T110000.000001Z.txt",
            "done/z.20261121T120000.000001Z.txt",
        ];
        for path in inputs {
            fs::write(folder("var").join(path), "1").unwrap();
        }
        let place =
            Place { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var"), deadline: None };
        // The history has the last one alone.
        let last = place.newest(Path::new("z.txt")).unwrap();
        let line =
            serde_json::to_string(&Record { time: "2026-11-21T12:00:01.000000Z".to_owned(), ..record(last) });
        let day =
            history::path_of(&place.history(), crate::daemon::base::clock::parse_day("2026-11-21").unwrap());
        fs::write(day, line.unwrap() + "\n").unwrap();
        let ask = |query: Query| {
            let found = find(&place, &query).unwrap();
            let files = found.records.iter().map(|record| record.file.printable());
            (files.collect::<Vec<_>>().join(" "), found.is_cut)
        };
        let files = |query| ask(query).0;
        assert_eq!(ask(Query::default()), ("a/x.txt y.txt z.txt".to_owned(), false));
        assert_eq!(files(Query { failed: true, ..Query::default() }), "y.txt");
        assert_eq!(files(Query { undecided: true, ..Query::default() }), "");
        assert_eq!(files(Query { route: Some("none".to_owned()), ..Query::default() }), "z.txt");
        assert_eq!(
            files(Query { since: parse_stamp("2026-11-21T10:30:00Z"), ..Query::default() }),
            "y.txt z.txt"
        );
        assert_eq!(files(Query { file: Some("a/x.txt".into()), ..Query::default() }), "a/x.txt");
        assert_eq!(ask(Query { limit: Some(2), ..Query::default() }), ("y.txt z.txt".to_owned(), true));
        // Nothing can be told to be missing from what was not searched.
        let over = Some(std::time::Instant::now());
        assert_eq!(files(Query { failed: true, deadline: over, ..Query::default() }), "");
        // The line of a job that has just ended may be on its way.
        let id = crate::daemon::base::job_id::JobIds::default().next();
        fs::write(folder("var/done").join(format!("new.{id}.txt")), "1").unwrap();
        assert_eq!(files(Query { limit: Some(1), ..Query::default() }), "z.txt");
    }
}
