//! What surrounds the numbers of a whole file: line numbers, bullets, brackets, words. Each recogniser finds one of
//! these and removes it from all lines. If the file is then valid, that change is the proposal.

mod cells;
mod line_marks;
mod numbered_lines;

use super::whole_file::{Mistake, old_line_ends};
use crate::recognise::{puzzles_in_lines, reads_rows};
use tabuleiro_puzzles::input::{Line, Marked, Place, QUOTE_BYTES_MAX, is_comment, printable};
use tabuleiro_puzzles::solver::{Problem, Proposal, PuzzleReader, Solver, named_lines};
use tabuleiro_puzzles::words::Phrase;

/// Marks with which people and programs quote, each with its partner.
const QUOTES: [char; 8] = ['"', '\'', '“', '”', '‘', '’', '«', '»'];
/// Marks of comments in other languages.
const COMMENTS: [&str; 8] = ["%", ";", "--", "/*", "(*", "!", "REM ", "'"];
/// Marks that people write for empty squares.
const EMPTY_MARKS: [&str; 12] = [".", "_", "-", "*", "x", "X", "□", "⬜", "·", "–", "—", "~"];
/// Marks that programs write between numbers.
const SEPARATORS: [char; 3] = [';', ',', '&'];
/// A blank in the source of a web page.
const HTML_BLANK: &str = "&nbsp;";
/// The vertical lines of a drawn table.
const BARS: [char; 3] = ['|', '│', '║'];
/// The most lines that are changed one by one. If there are more, all lines from the first to the last are replaced.
const CHANGED_MAX: usize = 4;
/// The letters in lines of moves. A line with only these letters is not a title.
pub(super) const MOVES: &str = "DECBAUTOLR";

/// What surrounds the numbers of a file, as one recogniser found it.
struct Finding {
    what: Phrase,
    /// The problem is at a mark within the line; otherwise it is at the beginning of the line.
    is_mark: bool,
    /// The lines without what surrounds their numbers; an empty line is removed.
    lines: Vec<String>,
    /// The file is surely written like this, even if its numbers are wrong as well.
    is_sure: bool,
}

/// A file whose first puzzle is wrong: its lines, without blanks around them, and how many bytes of blanks precede each.
struct File<'a> {
    text: &'a [u8],
    lines: Vec<&'a str>,
    indents: Vec<usize>,
    reader: &'a dyn PuzzleReader,
    solver: &'static dyn Solver,
}

/// Returns what surrounds the numbers of a file.
pub fn look(text: &Marked<'_>, reader: &dyn PuzzleReader, solver: &'static dyn Solver) -> Option<Problem> {
    let file = File::new(text, reader, solver)?;
    let findings = file.findings();
    let mended = findings.iter().find_map(|finding| Some((finding, Some(file.mended(&finding.lines)?))));
    let (finding, proposal) =
        mended.or_else(|| Some((findings.iter().find(|finding| finding.is_sure)?, None)))?;
    let problem = file.problem(finding)?;
    let is_mended = proposal.is_some();
    Some(problem.proposing(proposal).recognised_if(is_mended))
}

/// Returns what surrounds the numbers of a file that can have other mistakes, too, and whether the file is surely
/// written like this. The changes keep the number of every line.
pub fn look_partly(
    text: &Marked<'_>,
    reader: &dyn PuzzleReader,
    solver: &'static dyn Solver,
) -> Vec<(Problem, bool)> {
    let Some(file) = File::new(text, reader, solver) else { return Vec::new() };
    let problem = |finding: &Finding| {
        let changed: Vec<_> = file.changed(&finding.lines).collect();
        let (first, last) = (*changed.first()?, *changed.last()?);
        let lines = finding.lines[first..=last].to_vec();
        let (from_line, to_line) = (first as u64 + 1, last as u64 + 1);
        let change = Proposal::ReplaceLines { from_line, to_line, lines };
        let are_kept = changed.iter().all(|line| !finding.lines[*line].contains('\n'));
        let part = file.one_by_one(&finding.lines).map(Box::new);
        let problem = file.problem(finding)?.proposing(are_kept.then_some(change));
        are_kept.then_some((Problem { part, ..problem }, finding.is_sure))
    };
    file.findings().iter().filter_map(problem).collect()
}

/// Returns the problem of a file without line feeds, and the change to the lines that it should have.
pub fn line_ends_apart(text: &Marked<'_>) -> Option<Problem> {
    let apart = String::from_utf8_lossy(text.text).replace(['\r', '\x0b'], "\n");
    let lines = apart.lines().map(str::to_owned).collect();
    let change = Proposal::ReplaceLines { from_line: 1, to_line: 1, lines };
    Some(Problem::new(text.first, old_line_ends(text.text)?).proposing(Some(change)))
}

/// Adds the change of the line ends to the problem if it makes the whole file valid.
pub fn with_line_ends(problem: Problem, text: &Marked<'_>, solver: &'static dyn Solver) -> Problem {
    let change = line_ends_apart(text).and_then(|apart| apart.proposal);
    let is_right =
        |change: &Proposal| matches!(change, Proposal::ReplaceLines { lines, .. } if reads(solver, lines));
    let change = change.map(|change| *change).filter(is_right);
    let recognised = problem.recognised || change.is_some();
    problem.proposing(change).recognised_if(recognised)
}

impl<'a> File<'a> {
    fn new(text: &Marked<'a>, reader: &'a dyn PuzzleReader, solver: &'static dyn Solver) -> Option<Self> {
        let whole = std::str::from_utf8(text.text).ok().filter(|_| text.is_whole)?;
        let whole = whole.strip_prefix('\u{feff}').unwrap_or(whole);
        let indents = whole.lines().map(|line| line.len() - line.trim_start().len()).collect();
        Some(Self {
            text: whole.as_bytes(),
            lines: whole.lines().map(str::trim).collect(),
            indents,
            reader,
            solver,
        })
    }

    /// Returns what the recognisers find.
    fn findings(&self) -> Vec<Finding> {
        let recognisers = [
            File::codes,
            File::line_numbers,
            File::marks,
            File::table,
            File::list,
            File::separators,
            File::fractions,
            File::marks_at_ends,
            File::empty_cells,
            File::goals,
            File::one_line,
            File::quotation_marks,
            File::empty_marks,
            File::comments,
            File::fence,
            File::mark_lines,
            File::labels,
            File::titles,
        ];
        recognisers.iter().filter_map(|recognise| recognise(self)).collect()
    }

    /// Returns the problem of what was found, at the first line that changes.
    fn problem(&self, finding: &Finding) -> Option<Problem> {
        let line = self.changed(&finding.lines).next()?;
        let (old, new) = (self.lines[line], &*finding.lines[line]);
        let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new);
        // Without a mark, the beginning of the line is removed.
        let same: usize = same.filter(|_| finding.is_mark).map(|(old, _)| old.len_utf8()).sum();
        let column = self.indents[line] + same.min(old.len().saturating_sub(1)) + 1;
        let place = Place { line: line as u64 + 1, column: column as u64 };
        Some(Problem::new(place, finding.what.clone()))
    }

    /// Creates a finding. `what` makes the mistake from `mark` (the mark or the words that the change removes) and from
    /// the text that names the changed lines.
    fn finding(
        &self,
        mark: &str,
        lines: Vec<String>,
        what: impl FnOnce(String, Phrase) -> Mistake,
    ) -> Finding {
        let changed = named_lines(self.changed(&lines).map(|line| line as u64 + 1));
        let what = what(mark.to_owned(), changed).into();
        Finding { what, is_mark: !mark.is_empty(), lines, is_sure: false }
    }

    /// Returns whether 0 is an empty square. On a board of jump-game it is a number like any other.
    fn has_empty_squares(&self) -> bool {
        self.solver.id() != "jump-game"
    }

    /// Returns the lines that are neither blank nor comments.
    fn content(&self) -> impl Iterator<Item = &'a str> {
        self.lines.iter().copied().filter(|line| is_content(line))
    }

    /// Returns all lines, after a change of those that are neither blank nor comments. A line whose words stay is not
    /// changed.
    fn each(&self, mut change: impl FnMut(&str) -> String) -> Vec<String> {
        let changed = |line: &&str| {
            let made = if is_content(line) { change(line) } else { (*line).to_owned() };
            let is_same = made.split_ascii_whitespace().eq(line.split_ascii_whitespace());
            if is_same && !made.contains('\n') { (*line).to_owned() } else { made }
        };
        self.lines.iter().map(changed).collect()
    }

    /// Returns the indices of the changed lines.
    fn changed(&self, lines: &[String]) -> impl Iterator<Item = usize> {
        let pairs = self.lines.iter().zip(lines).enumerate();
        pairs.filter(|(_, (old, new))| **old != new.as_str()).map(|(index, _)| index)
    }

    /// Recognises a table: rows between bars, perhaps with lines drawn between them.
    fn table(&self) -> Option<Finding> {
        let is_drawn = |line: &str| !line.contains(char::is_alphanumeric);
        let is_row = |line: &str| !is_drawn(line) && line.starts_with(BARS);
        let is_whole = self.content().all(|line| is_drawn(line) || is_row(line));
        let are_others = |line| is_drawn(line) || is_row(line) || is_plain(line);
        if !self.content().any(is_row) || !self.content().any(is_drawn) && !self.content().all(are_others) {
            return None;
        }
        // The names of the columns stand above a line.
        let content: Vec<_> = self.content().collect();
        let is_title = |pair: &&[&str]| {
            is_row(pair[0]) && is_drawn(pair[1]) && !pair[0].contains(|c: char| c.is_ascii_digit())
        };
        let titles: Vec<_> = content.windows(2).filter(is_title).map(|pair| pair[0]).collect();
        // A cell without a number is an empty square.
        let has_empty = |line: &str| {
            let mut cells = line.split(BARS).skip(1).collect::<Vec<_>>();
            cells.pop();
            cells.len() > 1 && cells.iter().any(|cell| cell.trim().is_empty())
        };
        let is_filled =
            self.has_empty_squares() && self.content().any(|line| is_row(line) && has_empty(line));
        let filled = |line: &str| {
            let cells = line.trim_matches(BARS).split(BARS).map(str::trim);
            cells.map(|cell| if cell.is_empty() { "0" } else { cell }).collect::<Vec<_>>().join(" ")
        };
        let bare = |is_filled: bool| {
            self.each(|line| match line {
                _ if titles.contains(&line) => String::new(),
                _ if is_row(line) && is_filled => filled(line),
                _ if is_row(line) => spaced(line, &BARS),
                // A line `-` stands for no moves.
                _ if line.len() > 1 && is_drawn(line) => String::new(),
                _ => line.to_owned(),
            })
        };
        // The empty cells can be the squares that are not playable.
        let cells = bare(false);
        if is_filled && reads(self.solver, &cells) {
            return Some(self.finding("", cells, |_, lines| Mistake::Table { lines }));
        }
        let what = if is_filled {
            |_, lines| Mistake::EmptyCells { mark: "|".to_owned(), lines }
        } else {
            |_, lines| Mistake::Table { lines }
        };
        Some(Finding { is_sure: is_whole, ..self.finding("", bare(is_filled), what) })
    }

    /// Recognises the data of a program: numbers in brackets, perhaps assigned to a name.
    fn list(&self) -> Option<Finding> {
        // In a list, a number or another bracket follows a bracket.
        let is_list_at =
            |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || "[{(".contains(c));
        let has = |line: &&str| {
            let mut rests = line.match_indices(['[', '{', '(']).map(|(at, _)| &line[at + 1..]);
            rests.any(|rest| rest.trim().is_empty() || is_list_at(rest))
        };
        let bracketed = self.content().filter(has).count();
        let is_begun = ["[[", "{{", "= [", "= {", "=[", "={"];
        let is_json = |line: &str| line.contains("\":");
        let is_list = self.content().any(|line| is_begun.iter().any(|begin| line.contains(begin)))
            || self.content().any(is_json) && self.content().next()?.starts_with(['[', '{']);
        if !is_list && 2 * bracketed < self.content().count() || bracketed == 0 {
            return None;
        }
        let is_matrix = |line: &str| line.split_once('[').is_some_and(|(_, rest)| rest.contains("; "));
        let is_assigned = self.content().any(|line| line.contains('=') && !is_matrix(line));
        let form = match () {
            () if self.content().any(is_json) => "json",
            () if self.content().any(|line| line.contains('{')) => "c",
            () if is_assigned || self.content().any(|line| line.contains("[[")) => "python",
            () => "other",
        };
        let lines = self.each(|line| {
            let is_of_list = |character: char| character.is_ascii_digit() || "[{(=;".contains(character);
            let is_word = !line.contains(is_of_list) && line.contains(char::is_alphabetic);
            if is_word || !line.contains(|character: char| character.is_ascii_punctuation()) {
                return line.to_owned();
            }
            // A name can have digits, and a size in brackets can follow it.
            let values = line.rsplit_once('=').map_or(line, |(_, values)| values);
            let rows = values.split(['[', '{', '(', ';']).map(|row| {
                let digits = row.split(|character: char| !character.is_ascii_digit());
                digits.filter(|digits| !digits.is_empty()).collect::<Vec<_>>().join(" ")
            });
            rows.filter(|row| !row.is_empty()).collect::<Vec<_>>().join("\n")
        });
        let is_begun = self.content().next().is_some_and(|line| line.contains(['[', '{', '=']));
        let found = self.finding(form, lines, |_, lines| Mistake::List { form, lines });
        Some(Finding { is_sure: is_begun && form != "other", ..found })
    }

    /// Recognises one mark between the numbers of every line, as spreadsheets and LaTeX write it.
    fn separators(&self) -> Option<Finding> {
        if self.content().any(|line| line.contains(HTML_BLANK)) {
            let lines = self.each(|line| line.replace(HTML_BLANK, " "));
            let what = |mark, lines| Mistake::Separators { kind: "mark", mark, lines };
            return Some(self.finding(HTML_BLANK, lines, what));
        }
        // A matrix of LaTeX stands between commands, and the line with its size has no `&`.
        let is_command = |line: &str, mark: char| mark == '&' && line.starts_with('\\');
        let has = |line: &str, mark: char| {
            line.contains(mark)
                || is_command(line, mark)
                || mark == '&' && line.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
        };
        let are_apart = |mark: &char| {
            self.content().all(|line| has(line, *mark) || is_plain(line))
                && self.content().filter(|line| line.trim_end_matches(*mark).contains(*mark)).count() > 1
        };
        let is_other_blank = |character: &char| character.is_whitespace() && !character.is_ascii();
        let other_blank = self.content().flat_map(str::chars).find(is_other_blank);
        let mark = SEPARATORS.into_iter().chain(other_blank).find(are_apart)?;
        // Nobody knows which number an empty cell should hold if 0 is a number like any other.
        let has_empty = |line: &str| line.trim_matches(mark).split(mark).any(|cell| cell.trim().is_empty());
        if !self.has_empty_squares() && !mark.is_whitespace() && self.content().any(has_empty) {
            return None;
        }
        // The line with the names of the columns is removed, too.
        let is_numbers = |line: &str| {
            let is_heading = line.contains(mark) && line.contains(char::is_alphabetic);
            !is_command(line, mark) && !is_heading
        };
        let lines =
            self.each(|line| if is_numbers(line) { spaced(line, &[mark, '\\']) } else { String::new() });
        let (kind, mark) = match mark {
            '&' if self.content().any(|line| line.contains('\\')) => ("latex", mark.to_string()),
            '\0'..='\x7f' => ("mark", mark.to_string()),
            blank => ("blank", format!("U+{:04X}", u32::from(blank))),
        };
        let what = |mark, lines| Mistake::Separators { kind, mark, lines };
        (self.content().count() > 2).then(|| self.finding(&mark, lines, what))
    }

    /// Recognises numbers or lines in quotation marks.
    fn quotation_marks(&self) -> Option<Finding> {
        let are_quoted = self.content().all(|line| line.starts_with(QUOTES));
        let separators = [&QUOTES[..], &[',', ';']].concat();
        // Some programs also escape the ends of lines.
        let lines = self.each(|line| {
            let parts = line.split("\\n").map(|part| spaced(part, &separators));
            parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
        });
        let has_breaks = self.content().any(|line| line.contains("\\n"));
        let what = |_, lines| {
            if has_breaks {
                Mistake::Codes { kind: "quoted", lines }
            } else {
                Mistake::QuotationMarks { lines }
            }
        };
        let found = || self.finding("", lines, what);
        are_quoted.then(|| Finding { is_sure: true, ..found() })
    }

    /// Recognises the same mark in place of several empty squares.
    fn empty_marks(&self) -> Option<Finding> {
        let is_mark = |token: &str| EMPTY_MARKS.contains(&token);
        let is_row = |line: &str| line.split_ascii_whitespace().count() > 1;
        if !self.has_empty_squares() {
            return None;
        }
        let mut marks = self.content().filter(|line| is_row(line)).flat_map(str::split_ascii_whitespace);
        let mark = marks.find(|token| is_mark(token))?;
        let lines = self.each(|line| {
            // If a point stands for each digit 0, larger numbers have it, too: 1. for 10.
            let is_of_zeros = |token: &str| {
                token == mark
                    || mark == "." && token.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            };
            let squares = line
                .split_ascii_whitespace()
                .map(|token| if is_of_zeros(token) { token.replace(mark, "0") } else { token.to_owned() });
            if is_row(line) { squares.collect::<Vec<_>>().join(" ") } else { line.to_owned() }
        });
        marks
            .any(is_mark)
            .then(|| self.finding(mark, lines, |mark, lines| Mistake::EmptyMarks { mark, lines }))
    }

    /// Recognises comments of another language.
    fn comments(&self) -> Option<Finding> {
        let mark = |line: &str| {
            let mark = COMMENTS.into_iter().find(|mark| line.starts_with(mark));
            // The format of a program, such as `%d %d`, is no comment.
            let is_format = line.split_ascii_whitespace().all(|word| word.starts_with('%'));
            mark.filter(|_| line.contains(char::is_alphabetic) && !is_format)
        };
        let first = self.content().find_map(mark)?;
        let lines =
            self.each(|line| if mark(line).is_some() { format!("# {line}") } else { line.to_owned() });
        Some(self.finding(first.trim(), lines, |mark, lines| Mistake::CommentStyle { mark, lines }))
    }

    /// Recognises words with a colon or an equals sign before numbers.
    fn labels(&self) -> Option<Finding> {
        if !self.content().any(|line| without_labels(line).is_some_and(|bare| !bare.is_empty())) {
            return None;
        }
        let first = self.content().find(|line| without_labels(line).is_some())?;
        let label = label(first)?;
        // Words behind a label are no part of a puzzle either.
        let is_words = |bare: &String| bare.contains(char::is_lowercase) && !bare.contains(char::is_numeric);
        let lines = self.each(|line| match without_labels(line) {
            Some(bare) if is_words(&bare) => String::new(),
            bare => bare.unwrap_or_else(|| line.to_owned()),
        });
        let found = self.finding(&shown(label), lines, |label, lines| Mistake::Labels { label, lines });
        Some(Finding { is_mark: !first.starts_with(label), ..found })
    }

    /// Recognises words before numbers, and words on lines of their own within a puzzle.
    fn titles(&self) -> Option<Finding> {
        let is_title = |line: &&str| {
            let is_letter = |character: char| character.is_alphabetic() && !MOVES.contains(character);
            let bare = without_labels(line).unwrap_or_else(|| (*line).to_owned());
            // Moves with a comment behind them are no title.
            let before = bare.split('#').next().unwrap_or_default();
            before.contains(is_letter) && !bare.contains(|character: char| character.is_ascii_digit())
        };
        let is_labelled = |line: &str| without_labels(line).is_some_and(|bare| !bare.is_empty());
        let first = self.content().find(|line| is_title(line) || without_labels(line).is_some())?;
        // The reader itself reports titles before a puzzle.
        let behind: Vec<_> = self.content().skip_while(is_title).collect();
        if puzzles_in_lines(self.solver, behind.join("\n").as_bytes()) > 0 {
            return None;
        }
        let lines = self.each(|line| {
            let bare = without_labels(line).unwrap_or_else(|| line.to_owned());
            if is_title(&line) && !is_labelled(line) { String::new() } else { bare }
        });
        let what = if self.content().any(is_labelled) {
            |label, lines| Mistake::Labels { label, lines }
        } else {
            |title, lines| Mistake::Titles { title, lines }
        };
        Some(self.finding(&shown(label(first).unwrap_or(first)), lines, what))
    }

    /// Returns the change to these lines if the whole file is then valid, perhaps after changed lines with one number
    /// each are joined in pairs, or a size or a number of cases is added.
    fn mended(&self, lines: &[String]) -> Option<Proposal> {
        let is_alone = |index: &usize| {
            !lines[*index].is_empty() && lines[*index].bytes().all(|byte| byte.is_ascii_digit())
        };
        let alone: Vec<_> = self.changed(lines).filter(is_alone).collect();
        let joined = |skipped: usize| {
            let mut lines = lines.to_vec();
            let mut left = alone.iter().skip(skipped).peekable();
            while let Some(&first) = left.next() {
                if let Some(&second) =
                    left.next_if(|second| (first + 1..**second).all(|index| lines[index].is_empty()))
                {
                    let number = std::mem::take(&mut lines[second]);
                    lines[first] = format!("{} {number}", lines[first]);
                }
            }
            lines
        };
        let variants = [lines.to_vec(), joined(0), joined(1)];
        let mended = variants.into_iter().find_map(|lines| {
            let added = std::iter::once(None).chain(self.first_lines(&lines).into_iter().map(Some));
            added.map(|added| with_first(&lines, added)).find(|lines| reads(self.solver, lines))
        })?;
        let changed: Vec<_> = self.changed(&mended).collect();
        let (first, last) = (*changed.first()?, *changed.last()?);
        let with = &mended[first];
        let place = Place { line: first as u64 + 1, column: self.indents[first] as u64 + 1 };
        let one = Proposal::Replace { place, bytes: self.lines[first].len() as u64, with: with.clone() };
        if first == last && !with.is_empty() && !with.contains('\n') && one.apply(self.text, 1).is_some() {
            return Some(one);
        }
        if let Some(change) = self.one_by_one(&mended) {
            return Some(change);
        }
        let lines = mended[first..=last].iter().filter(|line| !line.is_empty());
        let lines = lines.flat_map(|line| line.lines()).map(str::to_owned).collect();
        Some(Proposal::ReplaceLines { from_line: first as u64 + 1, to_line: last as u64 + 1, lines })
    }

    /// Returns a change for each changed line, if they are few or all are removed.
    fn one_by_one(&self, lines: &[String]) -> Option<Proposal> {
        let changed: Vec<_> = self.changed(lines).collect();
        let change = |&line: &usize| match line as u64 + 1 {
            number if lines[line].is_empty() => Proposal::remove_line(number),
            number => Proposal::replace_line(number, lines[line].clone()),
        };
        let are_few = changed.len() <= CHANGED_MAX && !changed.iter().any(|&line| lines[line].contains('\n'));
        let are_removed = changed.iter().all(|&line| lines[line].is_empty());
        (are_few || are_removed).then(|| Proposal::All { changes: changed.iter().map(change).collect() })
    }

    /// Returns first lines that may be missing: a size that fits all rows, or the number of cases.
    fn first_lines(&self, lines: &[String]) -> Vec<String> {
        let text = lines.join("\n");
        let rows = text.lines().filter(|line| is_content(line));
        let widths: Vec<_> = rows.map(|row| row.split_ascii_whitespace().count() as u64).collect();
        let none = Line { number: 1, column: 1, text: b"" };
        let width = widths.first().copied().filter(|first| widths.iter().all(|width| width == first));
        let sizes = width.map(|width| self.reader.headers(&none, widths.len() as u64, [width; 2]));
        let count = (self.solver.info().noun == "case").then(|| "1".to_owned());
        sizes.into_iter().flatten().chain(count).collect()
    }
}

/// Returns a line without its labels, which are words that end with a colon or an equals sign; `None` if it has none.
pub fn without_labels(line: &str) -> Option<String> {
    let (mut bare, mut rest) = (String::new(), without_time(line));
    while let Some(at) = rest.find([':', '=']) {
        let before = &rest[..at];
        let letters = before.find(char::is_alphabetic)?;
        let is_blank = |character: char| character.is_ascii_digit() || " \t,;".contains(character);
        let is_word = |character: char| character.is_alphanumeric() || " \t_-.,()ºª°'#".contains(character);
        // A line of moves is no label.
        let is_move = |character: char| "DECB ".contains(character);
        let are_moves = before[letters..].chars().all(is_move);
        if !before[..letters].chars().all(is_blank) || !before[letters..].chars().all(is_word) || are_moves {
            return None;
        }
        bare = bare + " " + &before[..letters];
        rest = rest[at..].trim_start_matches([':', '=', '>']);
    }
    let bare = spaced(&(bare + " " + rest), &[',', ';']);
    (rest.len() < line.len()).then_some(bare)
}

/// Returns a line without the time in brackets with which a chat begins it.
fn without_time(line: &str) -> &str {
    let time = line.strip_prefix('[').and_then(|line| line.split_once("] "));
    time.filter(|(time, _)| time.contains(':')).map_or(line, |(_, rest)| rest)
}

/// Returns the words before the first colon or equals sign of a line, with that mark and the time of a chat before them.
fn label(line: &str) -> Option<&str> {
    let bare = without_time(line);
    let time = line.len() - bare.len();
    let Some(end) = bare.find([':', '=']) else { return line[..time].split_inclusive(']').next() };
    let begin = if time > 0 { 0 } else { bare[..end].find(char::is_alphabetic)? };
    Some(&line[begin..=time + end])
}

/// Returns the lines, with `added` before the first that is neither blank nor a comment.
fn with_first(lines: &[String], added: Option<String>) -> Vec<String> {
    let mut lines = lines.to_vec();
    if let (Some(added), Some(first)) = (added, lines.iter_mut().find(|line| is_content(line))) {
        *first = format!("{added}\n{first}");
    }
    lines
}

/// Returns whether all of a file with these lines is valid, with each row on a line of its own.
fn reads(solver: &'static dyn Solver, lines: &[String]) -> bool {
    reads_rows(solver, lines.join("\n").as_bytes())
}

/// Returns whether a line is so short that it need not have the mark of rows: a header, a line of moves, an end marker.
fn is_plain(line: &str) -> bool {
    line.split_ascii_whitespace().count() < 3
}

fn is_content(line: &str) -> bool {
    !line.is_empty() && !is_comment(line.as_bytes())
}

/// Returns a line with some characters replaced by spaces, one between any two words.
fn spaced(line: &str, characters: &[char]) -> String {
    let words = line.split(|character: char| character.is_whitespace() || characters.contains(&character));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn shown(text: &str) -> String {
    printable(text.as_bytes(), QUOTE_BYTES_MAX)
}
