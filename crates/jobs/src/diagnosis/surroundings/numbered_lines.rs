//! Lines that begin with their numbers, and sizes with a goal behind them.

use std::ops::Range;

use super::{File, Finding, Mistake, is_content, puzzles_in_lines, reads};
use crate::diagnosis::seeds_and_goals::{GOAL_MIN, has_goal};

/// The fewest consecutive numbered lines. Two players can stand on rows 0 and 1 by chance, so more lines are tried as
/// well.
const RUN_MIN: usize = 2;
const LONG_RUN_MIN: usize = 3;
/// The most runs of numbered lines that are tried one by one.
const RUNS_MAX: usize = 16;

impl File<'_> {
    /// Recognises lines that all begin with their numbers, or rows that do.
    pub(super) fn line_numbers(&self) -> Option<Finding> {
        let runs = self.numbered_runs();
        let at_least = |least| runs.iter().filter(|run| run.len() >= least).cloned().collect::<Vec<_>>();
        let long = at_least(LONG_RUN_MIN);
        // The next header can begin with the next number.
        let ends = |run: &Range<usize>| [run.clone(), run.start..run.end - 1];
        let single = long.iter().take(RUNS_MAX).flat_map(ends).map(|run| vec![run]).collect::<Vec<_>>();
        let tried = [at_least(RUN_MIN), long.clone()].into_iter().chain(single);
        tried.filter(|runs| !runs.is_empty()).find_map(|runs| self.without_numbers(&runs))
    }

    /// Returns the runs of consecutive lines that begin with their numbers.
    fn numbered_runs(&self) -> Vec<Range<usize>> {
        let all: Vec<_> = self.content().map(numbered).collect();
        let mut runs = Vec::new();
        let mut from = 0;
        while from < all.len() {
            let first = all[from].map(|(number, _)| number);
            let run_of = |follows: fn(u64, u64) -> Option<u64>| {
                let is_next = |(at, line): &(u64, &Option<(u64, _)>)| {
                    line.is_some_and(|(number, _)| {
                        first.and_then(|first| follows(first, *at)) == Some(number)
                    })
                };
                (0..).zip(&all[from..]).take_while(is_next).count()
            };
            let (up, down) = (run_of(u64::checked_add), run_of(u64::checked_sub));
            // Chess counts its rows down to 1.
            let has_row = |line: &Option<(_, &str)>| line.is_some_and(|(_, rest)| !rest.is_empty());
            let are_rows = all[from..from + down].iter().all(has_row);
            let is_chess = are_rows && down >= LONG_RUN_MIN && first == Some(down as u64);
            let run = if is_chess { down } else { up };
            // If all lines are numbered, the first number can be any, and blank lines can have numbers, too.
            let has_text = |line: &Option<(u64, &str)>| line.is_some_and(|(_, rest)| !rest.is_empty());
            let texts = all[from..from + run].iter().take_while(|line| has_text(line)).count();
            let end = from + if run == all.len() { run } else { texts };
            let is_first = is_chess || first.is_some_and(|first| first < 2);
            runs.extend((is_first || run == all.len()).then_some(from..end));
            from += run.max(1);
        }
        runs
    }

    /// Recognises numbers before these lines.
    fn without_numbers(&self, runs: &[Range<usize>]) -> Option<Finding> {
        let mut are_numbered = vec![false; self.content().count()];
        for run in runs {
            are_numbered[run.clone()].fill(true);
        }
        let mut are = are_numbered.iter();
        let lines = self.each(|line| match (are.next(), numbered(line)) {
            (Some(true), Some((_, rest))) => rest.replace('\t', " "),
            _ => line.to_owned(),
        });
        let are_all = are_numbered.iter().skip(1).all(|are| *are) && are_numbered.len() > 2;
        let found = |(of, lines)| self.finding("", lines, |_, lines| Mistake::LineNumbers { of, lines });
        if are_all {
            // A mark after a number shows that the number does not belong to the puzzle.
            let is_marked = |line: &str| {
                line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ':', ')', '|'])
            };
            let is_sure = self.content().all(is_marked)
                || puzzles_in_lines(self.solver, lines.join("\n").as_bytes()) > 0;
            return Some(Finding { is_sure, ..found(("lines", lines)) });
        }
        let bare = self.without_column_labels(&lines, &are_numbered);
        let is_lettered = |line: &str| line.starts_with(|first: char| first.is_ascii_alphabetic());
        let has_letters = self.content().zip(&are_numbered).any(|(line, are)| *are && is_lettered(line));
        // Names before players are no letters of rows.
        if has_letters && self.solver.id() == "jump-game" {
            return None;
        }
        let of = if has_letters { "letters" } else { "lines" };
        let tried = [(of, lines), ("rows-and-columns", bare)];
        tried.into_iter().find(|(_, lines)| reads(self.solver, lines)).map(found)
    }

    /// Removes the lines above numbered rows that have as many words as the rows without their numbers.
    fn without_column_labels(&self, lines: &[String], are_numbered: &[bool]) -> Vec<String> {
        let content: Vec<_> = (0..lines.len()).filter(|&at| is_content(self.lines[at])).collect();
        let words = |at: usize| lines[content[at]].split_ascii_whitespace().count();
        let mut bare = lines.to_vec();
        for at in 1..content.len() {
            if are_numbered[at] && !are_numbered[at - 1] && words(at - 1) == words(at) {
                bare[content[at - 1]].clear();
            }
        }
        bare
    }

    /// Recognises the goal after the size on several lines.
    pub(super) fn goals(&self) -> Option<Finding> {
        let size_and_goal = |line: &str| {
            let (size, goal) = line.split_once(' ')?;
            let (size, goal) = (size.parse::<u64>().ok()?, goal.trim().parse::<u64>().ok()?);
            (goal.is_power_of_two() && goal >= GOAL_MIN).then_some((size, goal))
        };
        let (_, goal) = size_and_goal(self.content().next()?).filter(|_| has_goal(self.solver))?;
        let mut is_begun = false;
        let lines = self.each(|line| match size_and_goal(line).filter(|(_, other)| *other == goal) {
            Some((size, _)) if std::mem::replace(&mut is_begun, true) => size.to_string(),
            Some((size, _)) => format!("#: goal = {goal}\n{size}"),
            None => line.to_owned(),
        });
        let are_several = self.changed(&lines).count() > 1;
        let what = |goal, lines| Mistake::Goals { goal, lines };
        are_several.then(|| self.finding(&goal.to_string(), lines, what))
    }
}

/// Returns the number with which a line begins (for a letter, its position in the alphabet), and the text after that
/// number and its mark.
fn numbered(line: &str) -> Option<(u64, &str)> {
    let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
    let letter = line.bytes().next().filter(u8::is_ascii_alphabetic);
    let (number, rest) = match letter.zip(line.get(1..)) {
        Some((letter, rest)) => {
            rest.starts_with([' ', '\t', '.', ':', ')', '|', '-']).then_some(())?;
            (u64::from(letter.to_ascii_lowercase() - b'a') + 1, rest)
        }
        None => (line[..line.len() - rest.len()].parse().ok()?, rest),
    };
    Some((number, rest.trim_start().trim_start_matches(['.', ':', ')', '|', '-']).trim_start()))
}
