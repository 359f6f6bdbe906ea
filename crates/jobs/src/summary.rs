//! What a job counted, and the mistakes and warnings that it found.

use std::time::Duration;

use crate::rejection::Rejection;
use tabuleiro_puzzles::input::{Ignored, Place, Warning};
use tabuleiro_puzzles::solver::{Problem, Proposal, Stop, Subject};
use tabuleiro_puzzles::words::Phrase;

/// The rule of the warning that another solver can read the whole file.
pub const LOOKS_LIKE: &str = "looks-like";
/// Maximum number of mistakes shown per rule. The others are counted.
const SAME_MAX: usize = 3;
/// Maximum number of mistakes shown per file.
const SHOWN_MAX: usize = 20;
/// Maximum number of lines named per rule for the mistakes that are not shown.
const LINES_MAX: usize = 3;
/// The rule that a line of words breaks. Only the first such line is shown, with the numbers of the others.
pub const STRAY_RULE: &str = "stray-line";
pub const STRAY_LINES_MAX: usize = 10;
/// The rules that lines between puzzles break. A line in a puzzle can break them, too; it then belongs to the puzzle.
const LINE_RULES: [&str; 8] = [
    STRAY_RULE,
    "marker-line",
    "marker-early",
    "end-marker",
    "puzzle-count",
    "goal-line",
    "other-solver",
    "loose-rows",
];
/// The rules about how many puzzles a file has.
const PUZZLE_COUNT_RULES: [&str; 10] = [
    "answers-behind",
    "case-count",
    "behind-count",
    "count-missing",
    "count-late",
    "count-again",
    "count-twice",
    "missing-case",
    "surplus-case",
    "text-after-cases",
];

/// Returns whether a problem of this rule can concern lines that belong to no puzzle.
pub fn is_of_lines(rule: &str) -> bool {
    LINE_RULES.contains(&rule)
}

/// Returns whether a problem of this rule concerns how many puzzles a file has.
pub fn is_of_count(rule: &str) -> bool {
    PUZZLE_COUNT_RULES.contains(&rule)
}

/// Returns whether a problem is about the file as a whole.
pub fn is_of_whole_file(problem: &Problem) -> bool {
    problem.what.scope == "whole"
}

/// What is wrong with the puzzles of a file: the first mistakes of each rule, and how many more there are.
#[derive(Debug, Default)]
pub struct Mistakes {
    /// The mistakes that are shown, each with the number of its puzzle from 1; `None` if it is in no puzzle.
    pub shown: Vec<(Option<u64>, Problem)>,
    /// Number of all mistakes. A puzzle can have several.
    pub count: u64,
    /// Number of entries of the file that have mistakes: puzzles, and lines that belong to none.
    pub entries: u64,
    /// Number of puzzles that have mistakes.
    pub puzzles: u64,
    /// Number of mistakes with a proposal.
    pub fixable: u64,
    groups: Vec<Group>,
}

/// The rules of the first and the last mistake of a puzzle. Puzzles with the same rules are shown as one group.
pub type Rules = [&'static str; 2];

/// Returns the rules of a puzzle's mistakes.
pub fn rules_of(problem: &Problem) -> Rules {
    [problem.rule(), problem.chain().last().map_or("", Problem::rule)]
}

/// Mistakes of the same rules.
#[derive(Debug)]
struct Group {
    rules: Rules,
    shown: usize,
    /// How many puzzles, or lines that belong to none, are not shown.
    further: u64,
    /// The lines of the first mistakes that are not shown.
    lines: Vec<u64>,
}

impl Mistakes {
    /// Adds a problem that comes after `valid` valid puzzles. Returns the number of the puzzle from 1 (`None` if the
    /// problem is that of no puzzle), and whether the mistake will be shown.
    pub fn add(&mut self, valid: u64, problem: &Problem) -> (Option<u64>, bool) {
        let (rule, is_line) = (problem.rule(), problem.subject == Subject::Lines);
        // A problem of the whole file has one entry for each puzzle that it makes invalid, if these are known.
        let is_whole = is_of_whole_file(problem);
        let is_puzzle = problem.subject == Subject::Puzzle && (!is_whole || problem.recognised);
        self.puzzles += u64::from(is_puzzle);
        let puzzle = (is_puzzle && !is_whole).then_some(valid + self.puzzles);
        self.entries += 1;
        // One mistake can make two puzzles invalid. It is shown and counted once.
        let is_same = |(_, shown): &(_, Problem)| shown.rule() == rule && shown.place == problem.place;
        if self.shown.iter().any(is_same) {
            return (puzzle, false);
        }
        let count = problem.chain().count() as u64;
        self.count += count;
        self.fixable += match problem.proposal {
            Some(_) => 1,
            None => problem.change().map_or(0, |_| count),
        };
        let same_max = if rule == STRAY_RULE { 1 } else { SAME_MAX };
        let lines_max = if is_line { STRAY_LINES_MAX } else { LINES_MAX };
        let rules = rules_of(problem);
        let at = self.groups.iter().position(|group| group.rules == rules).unwrap_or_else(|| {
            self.groups.push(Group { rules, shown: 0, further: 0, lines: Vec::new() });
            self.groups.len() - 1
        });
        let group = &mut self.groups[at];
        let is_shown = group.shown < same_max && self.shown.len() < SHOWN_MAX;
        if is_shown {
            group.shown += 1;
            self.shown.push((puzzle, problem.clone()));
        } else {
            let removed = match problem.proposal.as_deref() {
                Some(Proposal::RemoveLines { from_line, to_line }) if is_line => *from_line..=*to_line,
                _ => problem.place.line..=problem.place.line,
            };
            group.further += removed.end() - removed.start() + 1;
            let left = lines_max - group.lines.len();
            let last = group.lines.last().copied();
            group.lines.extend(removed.filter(|line| Some(*line) != last).take(left));
        }
        (puzzle, is_shown)
    }

    /// Counts mistakes that the caller reported itself. Each is in a line that belongs to no puzzle.
    pub fn add_lines(&mut self, problems: &[Problem]) {
        self.count += problems.len() as u64;
        self.entries += problems.len() as u64;
        self.fixable += problems.iter().filter(|problem| problem.proposal.is_some()).count() as u64;
    }

    /// Returns whether the file may be for another solver: it has mistakes, and the first is not about the whole file.
    pub fn allow_another_solver(&self) -> bool {
        self.count > 0 && !self.shown.first().is_some_and(|(_, first)| is_of_whole_file(first))
    }

    /// Returns how many valid puzzles were perhaps read from the lines of another solver's puzzles: those beside lines
    /// that belong to none, and those with rows on the line of the header.
    pub fn doubtful(&self, warnings: &[Warning]) -> u64 {
        let is_shared = |warning: &&Warning| warning.what.name == "shared-line";
        self.entries - self.puzzles + warnings.iter().filter(is_shared).count() as u64
    }

    /// Returns how many lines that belong to no puzzle have mistakes.
    pub fn lines(&self) -> u64 {
        let is_whole = |(_, problem): &&(_, Problem)| is_of_whole_file(problem) && !problem.recognised;
        let wholes = if self.puzzles > 0 { self.shown.iter().filter(is_whole).count() as u64 } else { 0 };
        (self.entries - self.puzzles).saturating_sub(wholes)
    }

    /// Returns, for each pair of rules, how many puzzles, or lines that belong to none, are not shown, and the first of
    /// their lines.
    pub fn further(&self) -> impl Iterator<Item = (Rules, u64, &[u64])> {
        let groups = self.groups.iter().filter(|group| group.further > 0);
        groups.map(|group| (group.rules, group.further, &*group.lines))
    }
}

/// What a job did, for the log and the history.
#[derive(Debug, Default)]
pub struct Summary {
    /// Number of all entries of the file: puzzles, and lines that belong to none.
    pub entries: u64,
    /// Number of puzzles, whatever their verdict.
    pub puzzles: u64,
    /// Number of invalid puzzles.
    pub invalid: u64,
    /// Number of puzzles whose search a limit ended.
    pub undecided: u64,
    /// Number of puzzles that have a different answer under other common rules.
    pub differing: u64,
    /// The first answers.
    pub headlines: Vec<String>,
    /// What is wrong with the invalid puzzles.
    pub mistakes: Mistakes,
    /// The first undecided puzzles: number from 1, place, and the limit that was hit.
    pub stops: Vec<(u64, Place, Stop)>,
    /// The limit that ended the first undecided puzzle, with its value.
    pub limit: Option<String>,
    /// Warnings about what looks wrong but makes no puzzle invalid.
    pub warnings: Vec<Warning>,
    /// Number of warnings that were not kept.
    pub warnings_dropped: u64,
    /// Lines after the end of the puzzles.
    pub ignored: Option<Ignored>,
    /// Bytes of input read.
    pub bytes: u64,
    /// Time spent reading and parsing.
    pub parse: Duration,
    /// Time from handing out the first puzzle to the last answer, minus the time spent parsing and writing.
    pub solve: Duration,
    /// Processor time spent solving, summed over all threads.
    pub solve_cpu: Duration,
    /// Time spent writing results.
    pub write: Duration,
}

impl Summary {
    /// Asks for advice about the whole file if it may be for another solver, and puts it before all other warnings.
    ///
    /// # Errors
    /// Rejects a file for another solver if no more of its puzzles are valid than lines belong to no puzzle.
    pub fn advise(
        &mut self,
        solver: &'static str,
        advice: impl FnOnce() -> Option<Phrase>,
    ) -> Result<(), Rejection> {
        let advice = if self.mistakes.allow_another_solver() { advice() } else { None };
        let Some(what) = advice else { return Ok(()) };
        let valid = self.puzzles - self.invalid;
        if what.name == LOOKS_LIKE && valid <= self.mistakes.doubtful(&self.warnings) {
            return Err(Rejection::NoPuzzle { solver, binary: false, problem: None, advice: Some(what) });
        }
        // What this solver reports as a mistake may be right for the other one.
        self.mistakes.fixable = 0;
        self.warnings.insert(0, Warning { place: Place { line: 1, column: 1 }, what, is_in_result: true });
        Ok(())
    }

    /// Adds a warning about the whole file after all other warnings.
    pub fn warn(&mut self, what: Option<Phrase>) {
        let place = Place { line: 1, column: 1 };
        self.warnings.extend(what.map(|what| Warning { place, what, is_in_result: true }));
    }

    /// Returns whether another solver can read the whole file. If so, only the warning about that is worth showing.
    pub fn is_for_another_solver(&self) -> bool {
        self.warnings.iter().any(|warning| warning.what.name == LOOKS_LIKE)
    }

    /// Returns whether the owner should check the file: it has invalid puzzles, warnings, or lines that were ignored.
    pub fn has_warnings(&self) -> bool {
        self.mistakes.count > 0 || !self.warnings.is_empty() || self.ignored.is_some()
    }

    /// Returns the first answers and how many more there are: `7, 36, no solution, … (297 more)`.
    pub fn answers(&self) -> String {
        let mut text = self.headlines.join(", ");
        let more = self.puzzles - self.headlines.len() as u64;
        if more > 0 {
            text.push_str(&format!(", … ({more} more)"));
        }
        text
    }
}
