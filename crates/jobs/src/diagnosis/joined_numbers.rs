//! Numbers without blanks between them.

use super::Mistake;
use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, digits_value};
use tabuleiro_puzzles::solver::{Problem, Proposal};

/// The most numbers of a row that is searched for joined numbers.
const SPLIT_NUMBERS_MAX: u64 = 64;
/// The most digits that are split, and into how many numbers.
const SPLIT_DIGITS_MAX: usize = 10;
const SPLIT_PARTS_MAX: u64 = 10;

/// Returns the problem of numbers without blanks between them, if only one number of the rows that are too short can be
/// split, and only in one way.
pub fn look(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let layout = trial.reader.layout(lines)?;
    let board = layout.parts.first()?;
    let (behind, board_rows) = (lines.get(layout.header_lines..)?, usize::try_from(board.rows).ok()?);
    let rows = || behind.iter().take(board_rows);
    let widths = board.widths?;
    let mut odd = (0..).zip(rows()).filter(|&(row, line): &(usize, _)| line.count() != widths[row % 2]);
    let (row, line) = odd.next()?;
    let missing =
        widths[row % 2].checked_sub(line.count()).filter(|missing| (1..SPLIT_PARTS_MAX).contains(missing))?;
    if odd.next().is_some() || line.count() > SPLIT_NUMBERS_MAX {
        return None;
    }
    let is_long = |token: &&[u8]| token.len() > 1 && token.iter().all(u8::is_ascii_digit);
    let tokens = || line.tokens().filter(|(_, token)| is_long(token));
    let all = || rows().flat_map(Line::tokens).map(|(_, token)| token);
    let is_power =
        |token: &[u8]| digits_value(0, token).is_some_and(|value| value == 0 || value.is_power_of_two());
    // If only one number is no power of two, it was meant as several. If there are more or none, a number that is no
    // longer than others is more likely whole.
    let others: Vec<_> = all().filter(|token| is_long(token) && !is_power(token)).collect();
    let are_powers = all().all(is_power);
    let is_usual = |token: &[u8]| match others[..] {
        [other] => token != other,
        _ => are_powers || all().filter(|other| other.len() >= token.len()).count() > 1,
    };
    // No number begins with 0.
    let has_zero = tokens().any(|(_, token)| token[0] == b'0');
    let are_all_powers = |apart: &String| apart.split(' ').all(|number| is_power(number.as_bytes()));
    let splits = tokens()
        .filter(|(_, token)| if has_zero { token[0] == b'0' } else { !is_usual(token) })
        .flat_map(|(place, token)| {
            let mut found = Vec::new();
            split(&String::from_utf8_lossy(token), missing + 1, "", &mut found);
            if others.len() == 1 && found.iter().any(are_all_powers) {
                found.retain(are_all_powers);
            }
            found.into_iter().map(move |apart| Proposal::replace_token((place, token), &apart))
        });
    let proposal = trial.only_one_of(splits)?;
    let Proposal::Replace { place, with: apart, .. } = &proposal else { return None };
    let found = apart.replace(' ', "");
    let what = Mistake::NumbersJoined { found, apart: apart.clone() };
    Some(Problem::new(*place, what).proposing(Some(proposal)))
}

/// Adds each way to split `digits` into `parts` numbers, with `before` in front of them. No number begins with a
/// needless 0.
fn split(digits: &str, parts: u64, before: &str, found: &mut Vec<String>) {
    let is_number = |digits: &str| digits == "0" || !digits.starts_with('0');
    if parts == 1 && is_number(digits) {
        found.push(format!("{before}{digits}"));
    }
    let ends = (1..digits.len()).filter(|_| parts > 1 && digits.len() <= SPLIT_DIGITS_MAX);
    for end in ends.filter(|&end| is_number(&digits[..end])) {
        split(&digits[end..], parts - 1, &format!("{before}{} ", &digits[..end]), found);
    }
}
