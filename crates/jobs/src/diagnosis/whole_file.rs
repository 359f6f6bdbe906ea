//! Mistakes of a whole file: it holds no puzzles, or something precedes the text of every line.

use crate::recognise::{puzzles_in_lines, recognise};
use tabuleiro_puzzles::input::{Line, Marked, is_comment};
use tabuleiro_puzzles::solver::{Problem, Proposal, PuzzleReader, Solver};
use tabuleiro_puzzles::words::messages;

/// The most lines that are examined to tell what a file is.
const LINES_MAX: usize = 200;

/// Beginnings of lines that only programs have, by language.
const PROGRAMS: [(&str, &[&str]); 7] = [
    ("C++", &["#include <iostream>", "using namespace", "cout <<", "cin >>"]),
    ("C", &["#include", "int main", "printf(", "scanf("]),
    ("Java", &["import java", "public class", "public static void", "System.out"]),
    ("Python", &["def ", "print(", "input(", "import sys", "for i in "]),
    ("Pascal", &["program ", "readln", "writeln", "begin", "end."]),
    ("JavaScript", &["console.log", "function ", "require("]),
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

messages! {
    "whole"
    /// What a file is, or what is wrong with all of it.
    enum Mistake {
        /// The source of a program.
        Program = "program" { language: &'static str },
        /// Answers instead of puzzles.
        Answers = "answers",
        /// Nothing but words.
        Words = "words",
        /// Each line begins with its number.
        LineNumbers = "line-numbers" { from: u64, to: u64 },
        /// Each line begins with `>`.
        Quoted = "quoted",
        /// The first two lines are exchanged.
        Exchanged = "exchanged" { first: u64, second: u64 },
        /// Lines end with CR alone.
        OldLineEnds = "old-line-ends",
    }
}

/// Returns what is wrong with a whole file whose first puzzle is wrong.
pub fn look(text: &Marked<'_>, reader: &dyn PuzzleReader, solver: &'static dyn Solver) -> Option<Problem> {
    let begins_well = |text: &[u8]| puzzles_in_lines(solver, text) > 0;
    let is_line = |line: &Line<'_>| !line.text.trim_ascii().is_empty();
    let all = (1_u64..).zip(text.text.split(|&byte| byte == b'\n'));
    let all = all.map(|(number, text)| Line { number, column: 1, text });
    let lines: Vec<_> = all.filter(is_line).take(LINES_MAX).collect();
    let is_note = |line: &&Line<'_>| is_comment(line.text.trim_ascii_start());
    let place = lines.iter().find(|line| !is_note(line)).or(lines.first())?.place();
    let problem = |what: Mistake| Some(Problem::new(place, what).recognised_if(false));
    let body = text.text.trim_ascii_end();
    if body.contains(&b'\r') && !body.contains(&b'\n') {
        return problem(Mistake::OldLineEnds);
    }
    let has = |line: &Line<'_>, mark: &str| String::from_utf8_lossy(line.text).trim().starts_with(mark);
    let is_program = |marks: &[&str]| lines.iter().any(|line| marks.iter().any(|mark| has(line, mark)));
    if let Some((language, _)) = PROGRAMS.iter().find(|(_, marks)| is_program(marks)) {
        return problem(Mistake::Program { language });
    }
    if lines.iter().any(|line| ANSWERS.iter().any(|answer| has(line, answer))) || are_answers(&lines, reader)
    {
        return problem(Mistake::Answers);
    }
    if !lines.iter().any(|line| line.text.iter().any(u8::is_ascii_digit)) {
        return problem(Mistake::Words);
    }
    let (from, to) = (lines.first()?.number, lines.last()?.number);
    if lines.len() > 2 && without_numbers(&lines).is_some_and(|bare| begins_well(&bare)) {
        return problem(Mistake::LineNumbers { from, to });
    }
    if let [first, second, rest @ ..] = &lines[..] {
        let others = rest.iter().map(|line| line.text);
        let exchanged: Vec<_> = [second.text, first.text].into_iter().chain(others).collect();
        let exchanged = exchanged.join(&b'\n');
        if first.count() != second.count() && !recognise([solver], || Ok(&exchanged[..])).is_empty() {
            return problem(Mistake::Exchanged { first: first.number, second: second.number });
        }
    }
    let are_quoted = lines.len() > 1 && lines.iter().all(|line| has(line, ">"));
    let proposal = Proposal::ReplaceAll {
        from_line: from,
        to_line: to,
        characters: ">".to_owned(),
        with: String::new(),
    };
    let bare = proposal.apply(text.text, 1).filter(|bare| are_quoted && begins_well(bare));
    bare.map(|_| Problem::new(place, Mistake::Quoted).proposing(Some(proposal)))
}

/// Returns whether each line is a number, or a name and a number, though a puzzle begins with two numbers.
fn are_answers(lines: &[Line<'_>], reader: &dyn PuzzleReader) -> bool {
    let is_number = |token: &[u8]| token.iter().all(u8::is_ascii_digit);
    let has_two = reader
        .fields()
        .first()
        .is_some_and(|fields| fields.iter().filter(|field| !field.is_optional).count() > 1);
    let is_name = |token: &[u8]| token.iter().all(u8::is_ascii_uppercase);
    let is_answer = |line: &Line<'_>| {
        let tokens: Vec<_> = line.tokens().map(|(_, token)| token).collect();
        match tokens[..] {
            [number] => is_number(number) && has_two,
            [name, number] => is_name(name) && is_number(number),
            _ => false,
        }
    };
    lines.len() > 2 && lines.iter().all(is_answer)
}

/// Returns the lines without their line numbers; `None` if they have none.
fn without_numbers(lines: &[Line<'_>]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut before = None;
    for line in lines {
        let line = line.text.trim_ascii();
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number: u64 = std::str::from_utf8(&line[..digits]).ok()?.parse().ok()?;
        let rest = line[digits..].iter().skip_while(|byte| b".:)|-".contains(byte));
        if before.is_some_and(|before: u64| before.checked_add(1) != Some(number)) {
            return None;
        }
        before = Some(number);
        text.extend(rest);
        text.push(b'\n');
    }
    Some(text)
}
