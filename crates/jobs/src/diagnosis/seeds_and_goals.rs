//! Finds the seed of a game, or the goal of a search, on a line where it does not belong.

use super::Mistake;
use super::header_changes::{numbers_of, quoted, whole};
use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::solver::{Problem, Proposal, Solver};

/// The option of solvers that search for a goal, and the smallest number that is taken for one.
const GOAL: &str = "goal";
pub const GOAL_MIN: u64 = 16;
/// Words with which people name the seed.
const SEED_WORDS: [&str; 2] = ["seed", "semente"];
/// Words with which people name the goal.
const GOAL_WORDS: [&str; 4] = ["goal", "meta", "alvo", "objetivo"];

/// Returns whether a solver searches for a goal.
pub fn has_goal(solver: &dyn Solver) -> bool {
    solver.options().iter().any(|option| option.name == GOAL)
}

/// Reports a seed on a line before the size of a game. Before the first game, the line must have a word for the seed,
/// because a number alone can be the number of games.
pub fn seed_before(line: &Line<'_>, trial: &Trial<'_>) -> Option<Problem> {
    let [_, _] = trial.reader.fields().first()?[..] else { return None };
    let named = seed_of(line);
    let seed = named.clone().or_else(|| line.numbers_only().then(|| quoted(line)))?;
    let header = trial.lines_behind(line).next().filter(|header| header.numbers::<1>().is_some())?;
    let (from_line, to_line) = (line.number, header.number);
    let lines = vec![format!("{} {seed}", quoted(&header))];
    let change = Some(Proposal::ReplaceLines { from_line, to_line, lines });
    let change = change.filter(|_| named.is_some() || !trial.takes_next);
    let problem = Problem::new(line.place(), Mistake::SeedLine { seed, line: to_line });
    trial.taking_next().mended(problem, change)
}

/// Reports a line with a word that means the seed, after the size of the game or before it.
pub fn seed_line(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let (at, line, seed) =
        lines.iter().enumerate().find_map(|(at, line)| Some((at, line, seed_of(line)?)))?;
    if at == 0 {
        return seed_before(line, trial);
    }
    let header = lines.first().filter(|header| header.numbers::<1>().is_some())?;
    let written = whole(header, format!("{} {seed}", quoted(header)));
    let changes = vec![written, Proposal::remove_line(line.number)];
    let what = Mistake::SeedLine { seed, line: header.number };
    trial.mended(Problem::new(line.place(), what), [Proposal::All { changes }])
}

/// Returns the number of a line that begins with a word for the seed and has no other number.
pub fn seed_of(line: &Line<'_>) -> Option<String> {
    let text = String::from_utf8_lossy(line.text).to_lowercase();
    let numbers = numbers_of(line);
    let is_named = SEED_WORDS.iter().any(|word| text.trim_start().starts_with(word));
    (is_named && numbers.len() == 1).then(|| numbers.concat())
}

/// Proposes to move a seed after the rows to the first line of its game.
pub fn seed_late(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Proposal> {
    let (header, seed) = (lines.first()?, problem.line_in(lines)?);
    let (moves, number) = seed.text.split_at((problem.place.column - seed.column) as usize);
    let number = number.trim_ascii();
    let written = whole(header, format!("{} {}", quoted(header), printable(number, QUOTE_BYTES_MAX)));
    let removed = if moves.trim_ascii().is_empty() {
        Proposal::remove_line(seed.number)
    } else {
        Proposal::replace_token((problem.place, number), "")
    };
    trial.first_of([Proposal::All { changes: vec![written, removed] }])
}

/// Returns the problem of a goal on a line of its own, which belongs in a directive. If the puzzle before breaks
/// `before_rule`, a first line is more likely a row of that puzzle.
pub fn goal_line(lines: &[Line<'_>], before_rule: &str, trial: &Trial<'_>) -> Option<Problem> {
    let is_first = matches!(before_rule, "" | "goal-line");
    // The goal can also follow the size on its line.
    let is_size = |line: &Line<'_>| {
        let is_next = |next: &Line<'_>| line.numbers::<2>().is_some_and(|[size, _]| size == next.count());
        lines.iter().any(|next| next.number > line.number && is_next(next))
    };
    let goal_of = |line: &Line<'_>| {
        let text = String::from_utf8_lossy(line.text).trim().to_lowercase();
        let is_named = GOAL_WORDS.iter().any(|word| text.starts_with(word));
        let numbers = numbers_of(line);
        let number = match &numbers[..] {
            [number] => number,
            [_, number] if is_size(line) => number,
            _ => return None,
        };
        let goal = number.parse::<u64>().ok().filter(|_| is_named || line.numbers_only())?;
        (goal >= GOAL_MIN && goal.is_power_of_two()).then_some(goal)
    };
    let mut first_two = lines.iter().take(2).skip(usize::from(!is_first));
    let (line, goal) = first_two.find_map(|line| Some((line, goal_of(line)?)))?;
    if !has_goal(trial.solver) {
        return None;
    }
    // Without the line, the puzzle must be valid. A directive must come before all puzzles, so only a line before the
    // first one can become a directive.
    let size = (line.count() > 1 && line.numbers_only()).then(|| numbers_of(line)[0].clone());
    let (from_line, to_line) = (line.number, line.number);
    let replaced = |lines| Proposal::ReplaceLines { from_line, to_line, lines };
    let is_mended = |change| trial.first_of([change]).is_some();
    let removed = size.clone().map_or_else(|| Proposal::remove_line(from_line), |size| replaced(vec![size]));
    if !is_mended(removed) {
        return None;
    }
    let directive = [format!("#: {GOAL} = {goal}")];
    let change = replaced(directive.into_iter().chain(size).collect());
    let proposal = trial.first_of(Some(change).filter(|_| trial.takes_next));
    let what = Mistake::GoalLine { goal, line: line.number };
    Some(Problem::new(line.place(), what).proposing(proposal))
}
