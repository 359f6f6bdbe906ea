//! Checks readers over any bytes, and parses the numbers of a puzzle without them.

use std::io::{self, Read};
use std::iter;

use tabuleiro_jobs::Reading;
use tabuleiro_puzzles::input::{Place, Scanner};
use tabuleiro_puzzles::solver::{Options, Problem, Proposal, Puzzle, Solver, Verdict, Work};
use tabuleiro_puzzles::words::Language;

/// A source that returns 1 to 7 bytes per call.
pub struct Trickle<'a> {
    rest: &'a [u8],
    step: usize,
}

impl<'a> Trickle<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text, step: 0 }
    }
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.step = (self.step + 3) % 7;
        let count = (self.step + 1).min(self.rest.len()).min(buffer.len());
        let (now, later) = self.rest.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.rest = later;
        Ok(count)
    }
}

/// Maximum bytes of a message about a puzzle.
const TOLD_BYTES_MAX: usize = 400;

/// The rule for lines that belong to no puzzle.
const STRAY_RULE: &str = "stray-line";

/// Entries of a file, the messages about them, and the mistakes with a proposal, each with the place of its puzzle.
type ReadAll = (Vec<Found>, Vec<String>, Vec<(Place, Box<Problem>)>);

/// An entry of a file: where it begins, and its puzzle if it is valid.
pub struct Found {
    pub place: Place,
    pub puzzle: Option<Box<dyn Puzzle>>,
}

/// Reads all entries of `text`. Panics if a call consumes nothing, if an outcome without solving is not a line of text,
/// or if the text reads differently in small pieces.
pub fn entries(solver: &'static dyn Solver, options: &Options, text: &[u8]) -> Vec<Found> {
    let (whole, said, problems) = read_all(solver, options, text);
    let (_, said_in_pieces, _) = read_all(solver, options, Trickle::new(text));
    assert_eq!(said, said_in_pieces, "read in small pieces, the file is another");
    for (place, problem) in problems {
        // Other puzzles can begin on its line.
        let is_before = |found: &&Found| found.place.line == place.line && found.place < place;
        let before = whole.iter().take_while(|found| found.place != place).filter(is_before).count();
        follow(solver, options, text, (place, before), &problem);
    }
    whole
}

/// Returns whether a file of cases lacks their count. The reader infers that from everything that follows, so a
/// proposal for one case can change how the file is read.
fn lacks_count(solver: &'static dyn Solver, options: &Options, text: &[u8]) -> bool {
    let mut scanner = Scanner::new(text, "f").expect("memory can be read");
    let mut reader = Reading::open(solver, options);
    let mut next = || reader.read(&mut scanner).expect("memory can be read");
    iter::from_fn(&mut next)
        .any(|entry| matches!(entry.work, Work::Invalid(problem) if problem.rule() == "count-missing" || problem.rule() == "count-late"))
}

/// Follows the proposal for a wrong puzzle. Panics if the puzzle does not become valid. It is the first one from its
/// line on, after skipping `before` puzzles. Lines that belong to no puzzle are removed even if the puzzle behind them is
/// wrong.
fn follow(
    solver: &'static dyn Solver,
    options: &Options,
    text: &[u8],
    (place, mut before): (Place, usize),
    problem: &Problem,
) {
    let proposal = problem.proposal.as_ref().expect("only mistakes with a proposal are followed");
    let bom = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mended = proposal.apply(&text[bom..], 1);
    let mended = mended.unwrap_or_else(|| panic!("{proposal:?} does not fit the file"));
    let mut scanner = Scanner::new(&mended[..], "f").expect("memory can be read");
    let mut reader = Reading::open(solver, options);
    while let Some(entry) = reader.read(&mut scanner).expect("memory can be read") {
        if entry.place.line >= place.line {
            if before > 0 {
                before -= 1;
                continue;
            }
            let is_mended = match &entry.work {
                Work::Solve(_) => true,
                // Lines further down can be stray as well.
                Work::Invalid(next) if [STRAY_RULE, "titles"].contains(&next.rule()) => {
                    problem.rule() == STRAY_RULE && next.place.line > problem.place.line
                }
                Work::Invalid(next) => problem.rule() == STRAY_RULE && next.recognised,
                Work::Settled(_) => false,
            };
            let is_mended = is_mended || lacks_count(solver, options, text);
            assert!(is_mended, "{proposal:?} does not mend the puzzle at {place}:\n{}", text.escape_ascii());
            return;
        }
    }
    // Nothing but an end marker is left of a last puzzle that was one, and nothing of lines that belong to no puzzle.
    let line = mended.split(|&byte| byte == b'\n').nth(place.line as usize - 1).unwrap_or_default();
    let is_marker = line.iter().filter(|byte| byte.is_ascii_digit()).all(|&byte| byte == b'0');
    let is_away = is_marker || matches!(**proposal, Proposal::RemoveLines { .. });
    assert!(is_away, "{proposal:?} takes the puzzle at {place} away:\n{}", text.escape_ascii());
}

/// Returns the entries, all messages about them, and the mistakes with a proposal.
fn read_all(solver: &'static dyn Solver, options: &Options, source: impl Read) -> ReadAll {
    let mut scanner = Scanner::new(source, "f").expect("memory can be read");
    let mut reader = Reading::open(solver, options);
    let (mut entries, mut said, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let (mut consumed, mut idle) = (scanner.bytes_consumed(), 0);
    while let Some(entry) = reader.read(&mut scanner).expect("memory can be read") {
        // Something missing at the end of the file can be an entry, and so can each puzzle that a mistake of the whole file
        // spoils.
        idle += u64::from(scanner.bytes_consumed() == consumed);
        consumed = scanner.bytes_consumed();
        assert!(idle <= 1 + consumed / 2, "{idle} entries up to {} consumed nothing", entry.place);
        let puzzle = match entry.work {
            Work::Solve(puzzle) => {
                said.push(format!("{}", entry.place));
                Some(puzzle)
            }
            Work::Settled(outcome) => {
                let text = outcome.to_text();
                assert!(!matches!(outcome.verdict, Verdict::Answered), "answered unread: {text}");
                assert_eq!(text, outcome.headline.clone() + "\n");
                assert!(!outcome.headline.contains(char::is_control), "{:?}", outcome.headline);
                said.push(format!("{} {text}", entry.place));
                None
            }
            Work::Invalid(problem) => {
                for language in [Language::English, Language::Portuguese] {
                    let text = problem.say(language);
                    assert!(!text.contains(char::is_control) && text.len() < TOLD_BYTES_MAX, "{text:?}");
                    said.push(format!("{} {} {text}", entry.place, problem.place));
                }
                problems.extend(problem.proposal.is_some().then_some((entry.place, problem)));
                None
            }
        };
        entries.push(Found { place: entry.place, puzzle });
    }
    assert!(reader.read(&mut scanner).expect("memory can be read").is_none(), "the end is the end");
    let (warnings, dropped) = scanner.take_warnings();
    said.extend(warnings.iter().map(|warning| format!("{} {}", warning.place, warning.what)));
    said.extend(scanner.take_ignored().map(|ignored| format!("{} {}", ignored.place, ignored.what)));
    said.push(format!("{dropped} more, empty {}", reader.allows_empty()));
    (entries, said, problems)
}

/// Returns the numbers from `place` on, up to the first other word, without comment lines.
pub fn numbers(text: &[u8], place: Place) -> Vec<u64> {
    words(text, place).map_while(|word| word.parse().ok()).collect()
}

/// Returns the words from `place` on, without comment lines.
pub fn words(text: &[u8], place: Place) -> impl Iterator<Item = String> + '_ {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.split(|&byte| byte == b'\n').enumerate().skip(place.line as usize - 1).flat_map(
        move |(index, line)| {
            let first = index + 1 == place.line as usize;
            let line = if first { &line[place.column as usize - 1..] } else { line };
            let words = line.split(|byte| b" \t\r\x0b\x0c".contains(byte)).filter(|word| !word.is_empty());
            let begins = words.clone().next().unwrap_or_default();
            let comment = begins.starts_with(b"#") || begins.starts_with(b"//");
            let words = words.filter(|_| !comment);
            words.map(|word| String::from_utf8_lossy(word).into_owned()).collect::<Vec<_>>()
        },
    )
}
