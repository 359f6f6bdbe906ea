//! Mistakes of a whole file: it holds no puzzles, or something precedes the text of every line.

use super::characters::is_invisible;
use super::{merge_conflict, surroundings};
use crate::recognise::{puzzles_in_lines, recognise};
use tabuleiro_puzzles::input::{Line, Marked, digits_value, is_comment};
use tabuleiro_puzzles::solver::{FormMistake, Problem, Proposal, PuzzleReader, Solver, counts};
use tabuleiro_puzzles::words::{Phrase, messages};

/// The most lines that are examined to tell what a file is.
const LINES_MAX: usize = 200;

/// Pieces of text that only programs have, by language. A piece without brackets begins a line.
const PROGRAMS: [(&str, &[&str]); 8] = [
    ("C++", &["#include <iostream>", "using namespace", "cout <<", "cin >>"]),
    ("C", &["#include", "int main", "printf(", "scanf("]),
    ("Java", &["import java", "public class", "public static void", "System.out"]),
    ("Portugol", &["programa {", "funcao inicio", "algoritmo", "escreva(", "leia("]),
    ("Python", &["def ", "print(", "input(", "import sys", "for i in "]),
    ("Pascal", &["program ", "readln", "writeln", "begin", "end."]),
    ("JavaScript", &["console.log(", "function ", "require("]),
    ("Rust", &["fn main", "println!"]),
];
/// Words with which lines of answers begin.
const ANSWERS: [&str; 7] = [
    "no solution",
    "SEM VENCEDORES",
    "Minimum number of moves",
    "unsolvable",
    "undecided",
    "score ",
    "invalid ",
];
/// Words of titles above answers, in lower case.
const OUTPUT_WORDS: [&str; 4] = ["output", "saída", "saida", "resposta"];

messages! {
    "whole"
    /// What a file is, or what is wrong with all of it.
    pub enum Mistake {
        /// The source of a program.
        Program = "program" { language: &'static str },
        /// Answers instead of puzzles.
        Answers = "answers",
        /// What Git writes in place of a large file.
        LfsPointer = "lfs-pointer",
        /// Nothing but words, or blanks that are no spaces.
        Words = "words" { only: &'static str },
        /// Each line begins with its number or letter; `of` says which, or that a line of column numbers stands above.
        LineNumbers = "line-numbers" { of: &'static str, lines: Phrase },
        /// Each line begins or ends with the same mark, such as `>` or a bullet.
        Quoted = "quoted" { side: &'static str, mark: String, lines: Phrase },
        /// Codes that a program added: colours of a terminal, tags of a web page.
        Codes = "codes" { kind: &'static str, lines: Phrase },
        /// A table drawn with bars and lines.
        Table = "table" { lines: Phrase },
        /// The data of a program.
        List = "list" { form: &'static str, lines: Phrase },
        /// Numbers in quotation marks.
        QuotationMarks = "quotation-marks" { lines: Phrase },
        /// A mail that quotes the input, or a patch that adds it.
        Mail = "quoted-input" { mark: String },
        /// One mark, or a blank that is no space, between the numbers of every line.
        Separators = "separators" { kind: &'static str, mark: String, lines: Phrase },
        /// The goal after each size.
        Goals = "goals" { goal: String, lines: Phrase },
        /// All numbers have a fraction that is 0, as programs print floating-point numbers.
        Fractions = "fractions" { found: String, lines: Phrase },
        /// Empty cells of a table for empty squares.
        EmptyCells = "empty-cells" { mark: String, lines: Phrase },
        /// Several puzzles on one line.
        OneLine = "one-line",
        /// Words before the numbers.
        Labels = "labels" { label: String, lines: Phrase },
        /// Words on lines of their own within a puzzle.
        Titles = "titles" { title: String, lines: Phrase },
        /// One mark for several empty squares.
        EmptyMarks = "empty-marks" { mark: String, lines: Phrase },
        /// Comments of another language.
        CommentStyle = "comment-style" { mark: String, lines: Phrase },
        /// Lines that consist of marks, such as those around a piece of code.
        MarkLines = "mark-lines" { mark: String, lines: Phrase },
        /// Text and marks around a piece of code.
        Fence = "code-fence" { mark: String, lines: Phrase },
        /// Two versions of some lines, between the marks of git.
        Conflict = "conflict" { from: u64, to: u64 },
        /// The first two lines are exchanged.
        Exchanged = "exchanged" { first: u64, second: u64 },
        /// Lines end with CR alone, or with a vertical tab.
        OldLineEnds = "old-line-ends" { mark: &'static str },
    }
}

/// Returns whether a problem is about the whole file and has a proposal, so that the file is surely for this solver.
fn is_mended(problem: &Problem) -> bool {
    let Phrase { scope, .. } = problem.what;
    scope == "whole" && problem.proposal.is_some()
}

/// Returns whether a problem is about some lines of the file and explains all mistakes in it.
pub fn explains_all(problem: &Problem) -> bool {
    // These changes alter every puzzle.
    const OF_ALL: [&str; 6] =
        ["quoted", "quotation-marks", "quoted-input", "one-line", "exchanged", "old-line-ends"];
    is_mended(problem) && !OF_ALL.contains(&problem.rule())
}

/// Returns whether a problem says that the file holds no puzzles at all.
pub fn is_no_input(problem: &Problem) -> bool {
    problem.what.scope == "whole" && ["answers", "program", "words", "lfs-pointer"].contains(&problem.rule())
}

/// Returns the mistake that the lines of a text, apart from the last, all end with CR alone, or with a vertical tab.
pub fn old_line_ends(text: &[u8]) -> Option<Mistake> {
    let text = text.trim_ascii_end();
    let marks = [(b'\r', "cr"), (b'\x0b', "vt")];
    let (_, mark) = marks.into_iter().find(|(mark, _)| text.contains(mark))?;
    (!text.contains(&b'\n')).then_some(Mistake::OldLineEnds { mark })
}

/// Returns what is wrong with the text from a wrong puzzle on, if it concerns more than this puzzle.
pub fn look_from(
    text: &Marked<'_>,
    whole: Option<&Marked<'_>>,
    solver: &'static dyn Solver,
) -> Option<Problem> {
    let read = &text.text[..text.read];
    if let Some(mistake) = old_line_ends(read).and_then(|_| old_line_ends(text.text)) {
        let place = Line { number: text.first.line, column: text.first.column, text: read }.place();
        let problem = Problem::new(place, mistake).recognised_if(whole.is_none());
        return Some(
            whole.map_or(problem.clone(), |whole| surroundings::with_line_ends(problem, whole, solver)),
        );
    }
    if let Some(problem) = answers_behind(text, solver) {
        return Some(problem);
    }
    merge_conflict::look(text)
}

/// Returns the problem of answers that follow a puzzle. The reader took the first answer for the next puzzle.
fn answers_behind(text: &Marked<'_>, solver: &'static dyn Solver) -> Option<Problem> {
    let begin = text.text[..text.read].trim_ascii_start();
    let is_answer = |answer: &&str| begin.starts_with(answer.as_bytes());
    let title = begin.split(|&byte| byte == b'\n').next().unwrap_or_default();
    // A winner and the round.
    let is_name = solver.id() == "jump-game" && title.trim_ascii().iter().all(u8::is_ascii_uppercase);
    let second = begin.split(|&byte| byte == b'\n').nth(1).unwrap_or_default();
    let is_winner = is_name && Line { number: 1, column: 1, text: second }.numbers::<1>().is_some();
    if !text.is_whole || !is_winner && !is_output_title(title) && !ANSWERS.iter().any(is_answer) {
        return None;
    }
    let lines = text.lines_to_end();
    let first = lines.first().filter(|first| first.number > 1 && lines.len() <= LINES_MAX)?;
    // Further puzzles can follow.
    let texts: Vec<_> = lines.iter().map(|line| line.text).collect();
    let is_puzzle = |at: &usize| puzzles_in_lines(solver, &texts[*at..].join(&b'\n')[..]) > 0;
    let end = (1..lines.len()).find(is_puzzle).unwrap_or(lines.len());
    let (from, to) = (first.number, lines[end - 1].number);
    let removed = Proposal::RemoveLines { from_line: from, to_line: to };
    let problem = Problem::new(first.place(), FormMistake::Answers { from, to }).recognised_if(false);
    (from < to).then(|| problem.proposing(Some(removed)))
}

/// Returns whether a line is a title above answers.
fn is_output_title(line: &[u8]) -> bool {
    let title = String::from_utf8_lossy(line).to_lowercase();
    OUTPUT_WORDS.iter().any(|word| title.contains(word)) && !title.contains(char::is_numeric)
}

/// Returns what is wrong with a whole file whose first puzzle is wrong.
pub fn look(text: &Marked<'_>, reader: &dyn PuzzleReader, solver: &'static dyn Solver) -> Option<Problem> {
    let is_line = |line: &Line<'_>| !line.text.trim_ascii().is_empty();
    let all = (1_u64..).zip(text.text.split(|&byte| byte == b'\n'));
    let all = all.map(|(number, text)| Line { number, column: 1, text });
    let lines: Vec<_> = all.filter(is_line).take(LINES_MAX).collect();
    let is_note = |line: &&Line<'_>| is_comment(line.text.trim_ascii_start());
    let place = lines.iter().find(|line| !is_note(line)).or(lines.first())?.place();
    let problem = |what: Mistake| Some(Problem::new(place, what).recognised_if(false));
    if let Some(problem) = look_from(text, Some(text), solver) {
        return Some(problem);
    }
    let has = |line: &Line<'_>, mark: &str| {
        let line = String::from_utf8_lossy(line.text);
        line.trim().starts_with(mark) || mark.ends_with('(') && line.contains(mark)
    };
    let is_program = |marks: &[&str]| lines.iter().any(|line| marks.iter().any(|mark| has(line, mark)));
    if let Some((language, _)) = PROGRAMS.iter().find(|(_, marks)| is_program(marks)) {
        return problem(Mistake::Program { language });
    }
    let is_answer = |line: &&Line<'_>| ANSWERS.iter().any(|answer| has(line, answer));
    let is_one = || {
        let rest = lines.iter().filter(|line| !is_answer(line)).map(|line| line.text).collect::<Vec<_>>();
        let moves = lines[0].tokens().last().and_then(|(_, token)| digits_value(0, token));
        // An answer with the boards on the way to it has one board more than moves.
        let puzzles = puzzles_in_lines(solver, &rest.join(&b'\n')[..]);
        rest.len() + 1 == lines.len() && puzzles > 0 && moves.is_none_or(|moves| puzzles != moves + 1)
    };
    // The puzzles can stand above the answers.
    let is_behind = || {
        let puzzles = lines.iter().take_while(|line| !is_answer(line) && !is_output_title(line.text));
        let puzzles: Vec<_> = puzzles.filter(|line| line.numbers_only()).map(|line| line.text).collect();
        puzzles_in_lines(solver, &puzzles.join(&b'\n')[..]) > 0
    };
    if lines.iter().any(|line| is_answer(&line)) && !is_one() && !is_behind()
        || are_answers(&lines, reader, solver)
    {
        return problem(Mistake::Answers);
    }
    if lines.first().is_some_and(|line| line.text.starts_with(b"version https://git-lfs")) {
        return problem(Mistake::LfsPointer);
    }
    if !lines.iter().any(|line| line.text.iter().any(u8::is_ascii_digit)) {
        let is_blank = |line: &Line<'_>| {
            let mut characters = line.text.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
            characters.all(|character| character.is_whitespace() || is_invisible(character))
        };
        return problem(Mistake::Words { only: if lines.iter().all(is_blank) { "blanks" } else { "words" } });
    }
    if let Some(found) = surroundings::look(text, reader, solver) {
        return Some(found);
    }
    let has_word = |line: &&Line<'_>| {
        let mut characters = line.text.iter().filter(|byte| byte.is_ascii_alphanumeric());
        characters.next().is_some_and(u8::is_ascii_alphabetic)
    };
    let words = lines.iter().filter(has_word).count();
    if 2 * words > lines.len() && lines.len() > 2 && !lines.iter().any(Line::numbers_only) {
        return problem(Mistake::Words { only: "words" });
    }
    // If the number of puzzles comes first, its line and the next one may be exchanged.
    if let ([first, second, rest @ ..], true) = (&lines[..], solver.info().noun == "case") {
        let others = rest.iter().map(|line| line.text);
        let exchanged: Vec<_> = [second.text, first.text].into_iter().chain(others).collect();
        let exchanged = exchanged.join(&b'\n');
        if first.count() != second.count() && !recognise([solver], || Ok(&exchanged[..])).is_empty() {
            let others = [second, first].map(|line| String::from_utf8_lossy(line.text.trim_ascii()).into());
            let proposal = Proposal::replace_lines(&lines[..2], others.into());
            let proposal = proposal.filter(|_| second.number == first.number + 1);
            let exchanged = problem(Mistake::Exchanged { first: first.number, second: second.number });
            return exchanged.map(|exchanged| exchanged.proposing(proposal));
        }
    }
    None
}

/// Returns whether each line is an answer: a number, perhaps with a label or a name before it or a proof after it; or a
/// line of a transcript. If puzzles begin with one number, a number alone shows nothing.
fn are_answers(lines: &[Line<'_>], reader: &dyn PuzzleReader, solver: &dyn Solver) -> bool {
    // No answer begins with a zero, but a row without blanks does.
    let is_number = |token: &str| {
        token.bytes().all(|byte| byte.is_ascii_digit()) && (token.len() < 2 || token.as_bytes()[0] != b'0')
    };
    let has_two = reader.fields().first().is_some_and(|fields| *counts(fields).start() > 1);
    let kind = |token: &str| match token.split_once(',') {
        _ if token == "+" => '+',
        _ if is_number(token) => '1',
        _ if token.bytes().all(|byte| byte.is_ascii_uppercase()) => 'A',
        Some((row, column)) if is_number(row) && is_number(column) => 'S',
        _ => '?',
    };
    // Programs also print how long they ran.
    let is_time = |text: &str| {
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        matches!(words[..], [first, .., time, "s" | "ms"]
            if first.starts_with(char::is_alphabetic) && time.contains(['.', ',']))
    };
    let texts = lines.iter().map(|line| String::from_utf8_lossy(line.text));
    let texts: Vec<_> = texts.filter(|text| !is_time(text)).collect();
    let bare: Vec<_> = texts.iter().map(|text| surroundings::without_labels(text)).collect();
    let are_labelled = bare.iter().all(Option::is_some);
    let lines = bare.iter().zip(&texts).map(|(bare, text)| bare.as_deref().unwrap_or(text));
    // Each line as the kinds of its tokens: a name and two numbers are `A11`.
    let lines: Vec<String> = lines.map(|line| line.split_ascii_whitespace().map(kind).collect()).collect();
    let is_printed = |kinds: &String| match kinds.strip_prefix('1') {
        Some("") => has_two,
        // One word behind a number proves nothing.
        Some(proof) => {
            proof.len() > 1 && ['S', 'A'].iter().any(|kind| proof.chars().all(|other| other == *kind))
        }
        None => ["A1", "A11", "A111", "+111"].contains(&kinds.as_str()),
    };
    let are_long = lines.iter().any(|kinds| kinds.len() > 1);
    // A number of cases and the first number of a case look like two answers.
    let least = if are_labelled || are_long {
        1
    } else if solver.info().noun == "case" {
        3
    } else {
        2
    };
    let are_pairs = || lines.len().is_multiple_of(2) && lines.chunks(2).all(|pair| pair == ["A", "1"]);
    lines.len() >= least && (lines.iter().all(is_printed) || are_pairs())
}
