//! Options and limits of a check, and what every outcome must satisfy.

use std::time::{Duration, Instant};

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, Options, Outcome, Puzzle, Solver, Stop, Verdict, read_displayed,
};

use super::reading;

/// Maximum number of puzzles of a file that are solved; the others are only read.
const SOLVED_MAX: usize = 6;
/// Time for one puzzle within the larger limits.
pub const TIME: Duration = Duration::from_millis(10);
/// Memory in bytes within the larger limits.
pub const MEMORY: u64 = 4 << 20;
/// Memory in bytes within the tiny limits; the first byte of the input chooses.
const TINY: [u64; 4] = [0, 500, 10_000, 200_000];

/// Options by name and value.
pub type Sets = &'static [(&'static str, &'static str)];

/// An input for a solver. The first byte chooses options and the tiny limit; the rest is the file.
pub struct Input<'a> {
    pub solver: &'static dyn Solver,
    sets: Vec<(&'static str, &'static str)>,
    pub options: Options,
    pub text: &'a [u8],
    tiny: u64,
}

impl<'a> Input<'a> {
    /// Splits `data` into choices and text. Returns `None` if `data` is empty.
    pub fn new(
        id: &str,
        choices: &[impl AsRef<[(&'static str, &'static str)]>],
        data: &'a [u8],
    ) -> Option<Self> {
        let (&choice, text) = data.split_first()?;
        let solver = solver::find(id).expect("a registered solver");
        let sets = choices[usize::from(choice) % choices.len()].as_ref().to_vec();
        let mut options = options(solver, &sets);
        options.set("witness", "true", Authority::Owner).expect("every solver has it");
        options.set("memory_limit", "4MiB", Authority::Owner).expect("every solver has it");
        let tiny = TINY[usize::from(choice) / choices.len() % TINY.len()];
        Some(Self { solver, sets, options, text, tiny })
    }

    /// Returns the value chosen for an option, if it is among the choices.
    pub fn set(&self, name: &str) -> Option<&'static str> {
        self.sets.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// Reads the whole file and solves its first puzzles within tiny and larger limits, and again with each of the
    /// `rivals` set. All must agree. Passes every outcome to `verify`.
    pub fn check(&self, rivals: &[Sets], mut verify: impl FnMut(Place, &Outcome)) {
        let larger: Vec<Outcome> = self
            .puzzles(&self.options)
            .map(|(place, puzzle)| {
                let tiny = solve(&*puzzle, self.tiny);
                verify(place, &tiny);
                let larger = solve(&*puzzle, MEMORY);
                verify(place, &larger);
                agree(&tiny, &larger);
                travel(self.solver, &self.options, &*puzzle, &[&tiny, &larger]);
                let cancel = Cancel::default();
                cancel.cancel();
                puzzle.solve(&Budget::new(None, None, MEMORY, cancel));
                larger
            })
            .collect();
        for sets in rivals {
            let mut options = self.options.clone();
            for (key, value) in *sets {
                options.set(key, value, Authority::Owner).expect("an option of the solver");
            }
            for ((place, puzzle), larger) in self.puzzles(&options).zip(&larger) {
                let rival = solve(&*puzzle, MEMORY);
                verify(place, &rival);
                agree(&rival, larger);
            }
        }
    }

    fn puzzles(&self, options: &Options) -> impl Iterator<Item = (Place, Box<dyn Puzzle>)> + use<> {
        let entries = reading::entries(self.solver, options, self.text);
        entries.into_iter().filter_map(|entry| Some((entry.place, entry.puzzle?))).take(SOLVED_MAX)
    }
}

/// Solves within limits. Panics if the outcome is not text, names another limit, or has contradictory bounds.
fn solve(puzzle: &dyn Puzzle, memory: u64) -> Outcome {
    let outcome = puzzle.solve(&Budget::new(Some(Instant::now() + TIME), None, memory, Cancel::default()));
    let text = outcome.to_text();
    assert!(text.ends_with('\n') && !text.contains("\n\n"), "no whole lines: {text:?}");
    assert!(!outcome.headline.contains(char::is_control), "{:?}", outcome.headline);
    if let Verdict::Undecided { stop, .. } = outcome.verdict {
        assert!(matches!(stop, Stop::TimeLimit | Stop::MemoryLimit), "{stop:?} was not the limit");
    }
    let (least, most) = (outcome.bounds.at_least, outcome.bounds.at_most);
    assert!(least.unwrap_or(0) <= most.unwrap_or(u64::MAX), "{least:?} above {most:?}");
    outcome
}

/// Checks that a displayed puzzle reads as the same one, and that outcomes return unchanged from another machine.
pub fn travel(solver: &dyn Solver, options: &Options, puzzle: &dyn Puzzle, outcomes: &[&Outcome]) {
    let text = puzzle.to_string();
    let there = read_displayed(solver, options, &text, &"f".into(), puzzle.first_line());
    // The reader takes a carriage return with a line feed for one end of a line.
    let is_whole = text.lines().count() > 2 && !text.contains('\r');
    assert!(there.is_some() || !is_whole, "{}: not read again:\n{text}", solver.id());
    for outcome in outcomes {
        let json = outcome.to_json();
        let back = Outcome::from_json(&json, solver).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert_eq!((back.to_json(), back.to_text()), (json, outcome.to_text()), "another outcome came back");
    }
}

/// Checks that two outcomes of a puzzle have overlapping bounds, and that both have a solution or neither.
fn agree(one: &Outcome, other: &Outcome) {
    for (low, high) in [(one, other), (other, one)] {
        let (least, most) = (low.bounds.at_least.unwrap_or(0), high.bounds.at_most.unwrap_or(u64::MAX));
        assert!(least <= most, "{} and {}", one.headline, other.headline);
    }
    let answered = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Answered);
    if answered(one) && answered(other) {
        assert_eq!(
            one.answer.is_string(),
            other.answer.is_string(),
            "{} and {}",
            one.headline,
            other.headline
        );
    }
}

/// Returns the defaults with `sets`.
pub fn options(solver: &dyn Solver, sets: &[(&str, &str)]) -> Options {
    let mut options = solver::default_options(solver);
    for (key, value) in sets {
        options.set(key, value, Authority::Owner).expect("an option of the solver");
    }
    options
}
