//! Chooses the puzzles to draw: those that are invalid, undecided or wrong come first, then the largest answers, then
//! the first puzzles. The memory does not grow with the file, and a puzzle that is not chosen costs one comparison.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{
    Bounds, Options, Outcome, Problem, Puzzle, RenderInput, Solver, Teller, Verdict, read_displayed,
};

/// The most puzzles drawn on a page.
const DRAWN_MAX: usize = 200;
/// Bytes of all puzzles and witnesses that are held for a page.
pub const HELD_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Bytes that one puzzle and its witness may hold. A larger one would displace many others, and little of it would be
/// visible.
const PUZZLE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Approximate bytes of memory per byte of a puzzle's input: a number takes four bytes in memory, and often two in the
/// input, a digit and a blank.
const INPUT_FACTOR: u64 = 2;

/// The priority with which a puzzle is drawn; the greatest rank comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    needs_attention: bool,
    size: u64,
    number: Reverse<u64>,
}

impl Rank {
    /// Ranks puzzle `number` of the file. Puzzles that are invalid, undecided or wrong need attention; they come before
    /// all others, in the order of the file. The others are ranked by the size of the answer, which `bounds` gives.
    pub fn of(number: u64, needs_attention: bool, bounds: Bounds) -> Self {
        let size = bounds.at_most.or(bounds.at_least).filter(|_| !needs_attention).unwrap_or(0);
        Self { needs_attention, size, number: Reverse(number) }
    }
}

/// Returns approximately how many bytes are held for a puzzle with `input_bytes` bytes of input and this witness.
pub fn held_bytes(input_bytes: u64, witness: &Value) -> u64 {
    INPUT_FACTOR * input_bytes + bytes_of(witness)
}

/// The puzzles chosen so far.
#[derive(Default)]
pub struct Gallery {
    chosen: BTreeMap<Rank, (Exhibit, u64)>,
    bytes: u64,
    /// The lowest chosen rank, once the gallery is full.
    least: Option<Rank>,
}

impl Gallery {
    /// Offers a puzzle that holds `bytes` bytes. `exhibit` is called only if the puzzle is among those chosen so far.
    #[inline]
    pub fn offer(&mut self, rank: Rank, bytes: u64, exhibit: impl FnOnce() -> Exhibit) {
        // `exhibit` copies the witness, so it is called only if there is room.
        if self.least.is_none_or(|least| rank >= least) && bytes <= PUZZLE_BYTES_MAX {
            self.take(rank, bytes, exhibit());
        }
    }

    #[cold]
    fn take(&mut self, rank: Rank, mut bytes: u64, mut exhibit: Exhibit) {
        if let Some(attempt) = &mut exhibit.attempt {
            let claimed_bytes = bytes_of(&attempt.input.witness);
            if bytes + claimed_bytes > PUZZLE_BYTES_MAX {
                (attempt.input.witness, attempt.is_too_long) = (Value::Null, true);
            } else {
                bytes += claimed_bytes;
            }
        }
        self.bytes += bytes;
        self.chosen.insert(rank, (exhibit, bytes));
        while self.chosen.len() > DRAWN_MAX || self.bytes > HELD_BYTES_MAX {
            let Some((_, (_, bytes))) = self.chosen.pop_first() else { break };
            self.bytes -= bytes;
        }
        let is_full = self.chosen.len() == DRAWN_MAX;
        self.least = self.chosen.first_key_value().map(|(least, _)| *least).filter(|_| is_full);
    }

    /// Returns the chosen puzzles, in the order of the file.
    pub fn into_exhibits(self) -> Vec<Exhibit> {
        let mut exhibits: Vec<_> = self.chosen.into_values().map(|(exhibit, _)| exhibit).collect();
        exhibits.sort_by_key(|exhibit| exhibit.number);
        exhibits
    }
}

/// A puzzle on a page.
pub struct Exhibit {
    /// The number of the puzzle in the file, from 1.
    pub number: u64,
    /// Where the puzzle begins.
    pub place: Place,
    /// The puzzle; `None` if it is invalid, or if a limit stopped the reader before it was read.
    pub puzzle: Option<Box<dyn Puzzle>>,
    /// The data to draw.
    pub input: RenderInput,
    /// What is wrong with the puzzle.
    pub problem: Option<Box<Problem>>,
    /// The answer of a submission.
    pub attempt: Option<Attempt>,
}

/// The answer of a submission to a puzzle.
pub struct Attempt {
    /// The answer is right.
    pub is_right: bool,
    /// The verdict and the mistake, in words.
    pub told: String,
    /// The page may show the right answer.
    pub shows_right: bool,
    /// The submitted answer in one line, with the witness it gives. It holds nothing from the reference answer.
    pub input: RenderInput,
    /// The answer gives a witness that is too long to draw.
    pub is_too_long: bool,
}

impl Exhibit {
    /// Returns the exhibit of a puzzle of a job and its outcome.
    pub fn of(
        number: u64,
        place: Place,
        puzzle: Option<Box<dyn Puzzle>>,
        outcome: &Outcome,
        teller: &Teller<'_>,
    ) -> Self {
        let problem = match &outcome.verdict {
            Verdict::Invalid(problem) => Some(problem.clone()),
            _ => None,
        };
        let puzzle = puzzle.filter(|_| problem.is_none());
        Self { number, place, puzzle, input: outcome.render_input(teller), problem, attempt: None }
    }

    /// Returns whether a limit left the answer open.
    pub fn is_undecided(&self) -> bool {
        self.problem.is_none() && !self.input.is_answered && self.attempt.is_none()
    }
}

/// Copies a puzzle by printing and reading it. Returns `None` if a bug prevents that: then only the drawing is lost,
/// not the answer.
pub fn copy_of(puzzle: &dyn Puzzle, solver: &dyn Solver, options: &Options) -> Option<Box<dyn Puzzle>> {
    let copy = || read_displayed(solver, options, &puzzle.to_string(), &Arc::from(""), 1);
    catch_unwind(AssertUnwindSafe(copy)).ok().flatten()
}

/// Returns the approximate bytes that a value takes.
pub fn bytes_of(value: &Value) -> u64 {
    let own = size_of::<Value>() as u64;
    match value {
        Value::Array(items) => own + items.iter().map(bytes_of).sum::<u64>(),
        Value::String(text) => own + text.len() as u64,
        _ => own,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use tabuleiro_puzzles::input::Place;
    use tabuleiro_puzzles::words::Language;

    fn input(witness: Value, bounds: Bounds) -> RenderInput {
        let (language, headline, answer) = (Language::English, String::new(), Value::Null);
        RenderInput { language, headline, is_answered: true, answer, witness, bounds }
    }

    fn exhibit(number: u64, bounds: Bounds) -> Exhibit {
        let (place, input) = (Place { line: number, column: 1 }, input(Value::Null, bounds));
        Exhibit { number, place, puzzle: None, input, problem: None, attempt: None }
    }

    fn offer(gallery: &mut Gallery, number: u64, needs_attention: bool, size: u64, bytes: u64) {
        let bounds = Bounds { at_least: Some(size), at_most: Some(size) };
        gallery.offer(Rank::of(number, needs_attention, bounds), bytes, || exhibit(number, bounds));
    }

    fn numbers(gallery: Gallery) -> Vec<u64> {
        gallery.into_exhibits().iter().map(|exhibit| exhibit.number).collect()
    }

    #[test]
    fn odd_ones_come_first_then_the_largest_then_the_first() {
        let mut gallery = Gallery::default();
        for number in 1..=1000 {
            offer(&mut gallery, number, number % 10 == 0, number / 500, 10);
        }
        let odd: Vec<u64> = (1..=100).map(|tenth| 10 * tenth).collect();
        // Only 1000 has the answer 2, and it is odd. The puzzles with the answer 1 follow in the order of the file.
        let rest = (500..1000).filter(|number| number % 10 != 0).take(100);
        let mut expected: Vec<u64> = odd.into_iter().chain(rest).collect();
        expected.sort_unstable();
        assert_eq!(numbers(gallery), expected);
    }

    #[test]
    fn what_has_no_room_is_not_made() {
        let mut gallery = Gallery::default();
        let rank = Rank::of(1, true, Bounds::default());
        gallery.offer(rank, PUZZLE_BYTES_MAX + 1, || unreachable!("it is too large"));
    }

    #[test]
    fn a_puzzle_is_drawn_without_a_witness_that_is_too_long() {
        let mut gallery = Gallery::default();
        let long: Value = vec![Value::from(vec![0, 1]); 1 << 16].into();
        assert!(bytes_of(&long) > PUZZLE_BYTES_MAX);
        let attempt = Attempt {
            is_right: false,
            told: String::new(),
            shows_right: false,
            input: input(long, Bounds::default()),
            is_too_long: false,
        };
        let exhibit = || Exhibit { attempt: Some(attempt), ..exhibit(1, Bounds::default()) };
        gallery.offer(Rank::of(1, true, Bounds::default()), 20, exhibit);
        let attempt = gallery.into_exhibits().remove(0).attempt.unwrap();
        assert!(attempt.input.witness.is_null() && attempt.is_too_long);
    }

    #[test]
    fn what_is_held_is_bounded() {
        let mut gallery = Gallery::default();
        for number in 1..=20 {
            offer(&mut gallery, number, false, number, PUZZLE_BYTES_MAX / 2);
        }
        offer(&mut gallery, 21, false, 21, 2 * PUZZLE_BYTES_MAX);
        let held = HELD_BYTES_MAX / (PUZZLE_BYTES_MAX / 2);
        assert_eq!(numbers(gallery), (21 - held..=20).collect::<Vec<_>>());
    }
}
