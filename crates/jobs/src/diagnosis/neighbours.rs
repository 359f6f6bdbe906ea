//! What the puzzles of a file show about the mistakes of each other.

use super::header_changes::quoted;
use super::missing_rows::without_mark;
use super::players::named_squares;
use super::second_mistakes::number_of;
use super::short_file::{FileRead, is_valid};
use super::{Mistake, excerpt};
use tabuleiro_puzzles::input::{Line, Marked, Place, Warning};
use tabuleiro_puzzles::solver::{Entry, Problem, Proposal, Subject, Work, named_lines};

/// The most valid games about whose players a warning is given.
const WARNINGS_MAX: usize = 8;

/// Corrects what was found about the puzzles one by one. `text` is the whole file.
pub fn look(read: &mut FileRead, text: &Marked<'_>, solver: &str) {
    match solver {
        "checkers-capture" => doubt_headers(read, text),
        "2048-game" => doubt_count(read, text),
        "jump-game" => doubt_players(read, text),
        _ => {}
    }
    doubt_both_headers(read);
    find_commented_headers(read, text);
    correct_count(read, text);
}

/// Withdraws the header proposed for rows after a whole checkers board if the header of that board may say too few rows
/// instead.
fn doubt_headers(read: &mut FileRead, text: &Marked<'_>) {
    for at in 1..read.entries.len() {
        let (before, _) = &read.entries[at - 1];
        let (place, is_sure) = (before.place, is_valid(before));
        let Work::Invalid(problem) = &mut read.entries[at].0.work else { continue };
        let Some(what) = rows_behind(place, problem, text).filter(|_| is_sure) else { continue };
        problem.what = what.into();
        problem.related = vec![place];
        (problem.proposal, problem.excerpt) = (None, None);
        excerpt::add(problem, text);
    }
}

/// Returns the mistake that rows follow the board whose header is at `place`, if that header may say too few rows.
/// `problem` proposes a header for these rows.
fn rows_behind(place: Place, problem: &Problem, text: &Marked<'_>) -> Option<Mistake> {
    let Proposal::InsertLine { line: next, text: missing } = problem.proposal.as_deref()? else {
        return None;
    };
    let header = text.line(place.line)?;
    let [said, columns] = header.numbers()?;
    let [rows, others] = Line { text: missing.as_bytes(), ..header }.numbers()?;
    let (header, fitting) = (quoted(&header), format!("{} {columns}", said.saturating_add(rows)));
    let (next, missing) = (*next, missing.clone());
    let what = Mistake::RowsBehind { rows, line: place.line, header, fitting, next, missing };
    // Many rows are more likely another board.
    (rows <= said / 2 && others == columns).then_some(what)
}

/// Takes a number before the first game for its seed if the file has another number of games, and another game has a
/// seed.
fn doubt_count(read: &mut FileRead, text: &Marked<'_>) {
    if read.problems().next().is_none_or(|problem| problem.rule() != "puzzle-count") {
        return;
    }
    let lines = text.lines_to_end();
    let line_of = |number| lines.binary_search_by_key(&number, |line| line.number).ok().map(|at| lines[at]);
    let is_game = |entry: &Entry| entry.problem().is_none_or(|problem| problem.subject == Subject::Puzzle);
    let games = read.entries.iter().filter(|(entry, _)| is_game(entry));
    let headers: Vec<_> = games.filter_map(|(entry, _)| line_of(entry.place.line)).collect();
    let Some((Entry { work: Work::Invalid(problem), .. }, _)) = read.entries.front_mut() else { return };
    let (count, header) = (line_of(problem.place.line), headers.first());
    if let (Some(line), Some(header)) = (count, header.filter(|header| header.numbers::<1>().is_some()))
        && line.number < header.number
        && line.numbers() != Some([headers.len() as u64])
        && headers.iter().any(|header| header.numbers::<2>().is_some())
    {
        let (from_line, to_line) = (line.number, header.number);
        let lines = vec![format!("{} {}", quoted(header), quoted(&line))];
        problem.what = Mistake::SeedLine { seed: quoted(&line), line: to_line }.into();
        problem.proposal = Some(Box::new(Proposal::ReplaceLines { from_line, to_line, lines }));
        excerpt::add(problem, text);
    }
}

/// Warns about valid games whose players can be counted from 1, if those of another game are.
fn doubt_players(read: &mut FileRead, text: &Marked<'_>) {
    if !read.problems().any(|problem| problem.rule() == "players-from-one") {
        return;
    }
    let lines = text.lines_to_end();
    let players = |game: &Entry| {
        let at = lines.binary_search_by_key(&game.place.line, |line| line.number).ok()?;
        let [rows, _] = lines[at].numbers()?;
        let [players] = lines.get(at + 1)?.numbers()?;
        let from = usize::try_from(rows).ok()?.checked_add(at + 2)?;
        let players = lines.get(from..from.checked_add(usize::try_from(players).ok()?)?)?;
        let square = |line: &Line<'_>| line.numbers::<2>();
        Some((players.first()?.place(), players.iter().map(square).collect::<Option<Vec<_>>>()?))
    };
    let valid = read.entries.iter().map(|(entry, _)| entry).filter(|entry| is_valid(entry));
    let valid: Vec<_> = valid.filter_map(players).collect();
    // A player on row or column 0 shows how they are counted.
    if valid.iter().any(|(_, squares)| squares.iter().flatten().any(|&number| number == 0)) {
        return;
    }
    let warning = |(place, squares): &(Place, Vec<[u64; 2]>)| {
        let squares: Vec<_> =
            squares.iter().map(|[row, column]| format!("{} {}", row - 1, column - 1)).collect();
        let what = Mistake::PlayersFromOneToo { squares: named_squares(&squares), line: place.line };
        Warning { place: *place, what: what.into(), is_in_result: true }
    };
    read.notes.warnings.extend(valid.iter().take(WARNINGS_MAX).map(warning));
}

/// Withdraws a proposal of two header lines if the rows after them may belong to the wrong puzzle before.
fn doubt_both_headers(read: &mut FileRead) {
    let mut is_wrong = false;
    for (entry, _) in &mut read.entries {
        if let Work::Invalid(problem) = &mut entry.work
            && is_wrong
            && problem.rule() == "header-missing"
            && matches!(problem.proposal.as_deref(), Some(Proposal::ReplaceLines { .. }))
        {
            (problem.proposal, problem.corrected) = (None, Vec::new());
        }
        is_wrong |= entry.problem().is_some_and(|problem| problem.rule() == "row-count");
    }
}

/// Proposes to remove the mark of a comment that is the missing header of the puzzle below it.
fn find_commented_headers(read: &mut FileRead, text: &Marked<'_>) {
    for (entry, _) in &mut read.entries {
        if let Work::Invalid(problem) = &mut entry.work
            && problem.rule() == "header-missing"
            && let Some(Proposal::InsertLine { line, text: header }) = problem.proposal.as_deref()
            && let Some(number) = line.checked_sub(1)
            && let Some((comment, change)) = text.line(number).and_then(|line| without_mark(&line))
            && comment.text.trim_ascii() == header.as_bytes()
        {
            let place = Place { line: number, column: comment.column };
            let what = Mistake::RowCommented { lines: named_lines([number]) };
            **problem = Problem::new(place, what).proposing(Some(change));
            excerpt::add(problem, text);
        }
    }
}

/// If the number of puzzles is wrong and all other mistakes have a certain correction, adds the right number.
fn correct_count(read: &mut FileRead, text: &Marked<'_>) {
    let is_count = |problem: &Problem| ["missing-case", "surplus-case"].contains(&problem.rule());
    if read.problems().any(|problem| !is_count(problem) && problem.change().is_none()) {
        return;
    }
    for (entry, _) in &mut read.entries {
        if let Work::Invalid(problem) = &mut entry.work
            && is_count(problem)
            && problem.proposal.is_none()
            && let Some(cases) = number_of(problem, "cases")
            && let Some(line) = text.line(problem.place.line)
            && let Some(count) = line.token_at(problem.place)
        {
            problem.part = Some(Box::new(Proposal::replace_token(count, &cases.to_string())));
        }
    }
}
