//! A class of 200 invented submissions: right in many forms, wrong in many ways, or hostile. Each comes with the points
//! that it must get, which are counted while it is made.

use std::fs;

use tabuleiro_jobs::archive::ArchiveWriter;
use tabuleiro_puzzles::solver::{Outcome, Random, Solver, default_options, find};

use crate::harness::run_in;
use crate::stated::{Sets, generated, with};

/// Number of puzzles of the reference.
const PUZZLES: usize = 20;
const STUDENTS: usize = 200;

/// A submission, and the grade that it must get.
pub struct Student {
    /// The name of the student's folder, which can be anything.
    pub name: String,
    pub text: Vec<u8>,
    pub points: usize,
    pub verdict: &'static str,
}

/// Returns the reference and the submissions.
pub fn class(seed: u64) -> (Vec<u8>, Vec<Student>) {
    let reference = generated(solver(), PUZZLES as u64, seed, &Sets::default());
    let lines = |text: String| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let numbers = lines(own_output(&reference, &[]));
    let paths = lines(own_output(&reference, &[("witness", "true")]));
    let mut random = Random::new(seed);
    let students = (0..STUDENTS).map(|at| {
        let (text, points, verdict) = match at % 4 {
            0 => (right(at / 4, &numbers, &paths, &mut random), PUZZLES, "accepted"),
            1 | 2 => wrong(at / 4, &numbers, &paths, &mut random),
            _ => hostile(at / 4, &numbers),
        };
        let names = ["ana", "béa", "c d", "=1+1", "-x", "o'b", "e\u{301}", "日本"];
        Student { name: format!("{}{at:03}", names[at % names.len()]), text, points, verdict }
    });
    (reference, students.collect())
}

/// Returns a right submission in one of many forms.
fn right(form: usize, numbers: &[String], paths: &[String], random: &mut Random) -> Vec<u8> {
    let mixed = || numbers.iter().zip(paths).enumerate();
    let text = match form % 8 {
        0 => numbers.join("\n") + "\n",
        1 => numbers.join("\r\n") + "\r\n",
        2 => "\u{feff}".to_owned() + &numbers.join("\n"),
        3 => numbers.join("\n\n \t\n") + "\n\n\n",
        4 => paths.join("\n") + "\n",
        5 => paths.join("  \n   "),
        6 => mixed()
            .map(|(at, (number, path))| format!("{}\n", if at % 2 == 0 { number } else { path }))
            .collect(),
        _ => {
            let mut text = String::new();
            for (_, (number, path)) in mixed() {
                text += if random.below(2) == 0 { number } else { path };
                text += ["\n", "\r\n", " \n\n"][random.below(3) as usize];
            }
            text
        }
    };
    text.into_bytes()
}

/// Returns a submission that is wrong in one of many ways, with its points and verdict.
fn wrong(
    way: usize,
    numbers: &[String],
    paths: &[String],
    random: &mut Random,
) -> (Vec<u8>, usize, &'static str) {
    let mut lines = numbers.to_vec();
    let at = random.below(PUZZLES as u64) as usize;
    let (points, verdict) = match way % 7 {
        0 => {
            lines[at] = format!("{}", number(&lines[at]) + 1);
            (PUZZLES - 1, "wrong-answer")
        }
        1 => {
            let many = 1 + random.below(PUZZLES as u64) as usize;
            lines[..many].fill("999".to_owned());
            (PUZZLES - many, "wrong-answer")
        }
        2 => {
            let many = 1 + random.below(PUZZLES as u64) as usize;
            lines.truncate(PUZZLES - many);
            (PUZZLES - many, "missing")
        }
        3 => {
            lines.push("0".to_owned());
            (PUZZLES, "extra")
        }
        4 => {
            "erro".clone_into(&mut lines[at]);
            (PUZZLES - 1, "presentation-error")
        }
        5 => {
            // The path of an answer with a capture loses its last square.
            let at = paths.iter().position(|path| path.contains(' ')).expect("a board with a capture");
            paths[at].rsplit_once(' ').unwrap().0.clone_into(&mut lines[at]);
            (PUZZLES - 1, "wrong-answer")
        }
        _ => {
            lines = lines.iter().map(|line| format!("Resposta: {line}")).collect();
            (0, "presentation-error")
        }
    };
    ((lines.join("\n") + "\n").into_bytes(), points, verdict)
}

/// Returns a submission that tries to do harm, or a file that is no submission, with its points and verdict.
fn hostile(kind: usize, numbers: &[String]) -> (Vec<u8>, usize, &'static str) {
    let text = numbers.join("\n");
    match kind % 8 {
        0 => (Vec::new(), 0, "missing"),
        1 => (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n".to_vec(), 0, "presentation-error"),
        2 => (b"7".repeat(20 << 20), 0, "presentation-error"),
        3 => (format!("#: points = 1000\n{text}\n").into_bytes(), 0, "presentation-error"),
        4 => (format!("\u{1b}[2J\u{202e}evil\n{text}\n").into_bytes(), 0, "presentation-error"),
        5 => (
            [b"\xff\xfe".as_slice(), &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()]
                .concat(),
            0,
            "presentation-error",
        ),
        6 => ("\u{0}\n".repeat(500).into_bytes(), 0, "presentation-error"),
        _ => (text.replace('\n', "\n999999999999999999999999\n").into_bytes(), 0, "any"),
    }
}

fn number(line: &str) -> u64 {
    line.parse().unwrap()
}

impl Student {
    /// Returns the points that it must get when `answers` are the right answers.
    pub fn points(&self, answers: &str) -> usize {
        // An unreadable line counts as one answer. Here it stands at the top and shifts all answers below it.
        let shifted = (self.verdict == "any" || self.points == 0).then(|| shifted(self, answers)).flatten();
        shifted.unwrap_or(self.points)
    }
}

/// Returns the right answers to the reference of [`class`].
pub fn answers(reference: &[u8]) -> String {
    own_output(reference, &[])
}

fn solver() -> &'static dyn Solver {
    find("checkers-capture").unwrap()
}

fn own_output(reference: &[u8], sets: &[(&str, &str)]) -> String {
    let sets = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let options = with(default_options(solver()), &sets);
    let outcomes = tabuleiro_jobs::answer_all(solver(), &options, "entrada.txt", reference).unwrap();
    outcomes.iter().map(Outcome::to_text).collect()
}

/// Packs the class into one archive.
pub fn packed(students: &[Student]) -> Vec<u8> {
    let mut archive = ArchiveWriter::in_memory();
    for student in students {
        archive.add_text(&format!("{}/saida.txt", student.name), &student.text).unwrap();
    }
    archive.finish(Vec::new()).unwrap()
}

/// Counts the answers that are right at their place. An unreadable line counts as an answer and shifts those below it.
fn shifted(student: &Student, answers: &str) -> Option<usize> {
    let text = String::from_utf8(student.text.clone()).ok()?;
    let mut said = text.lines();
    Some(answers.lines().filter(|answer| said.next() == Some(*answer)).count())
}

#[test]
fn a_class_of_200_gets_the_marks_that_it_must_get() {
    let (reference, students) = class(7);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("entrada.txt"), &reference).unwrap();
    for student in &students {
        let place = folder.path().join("turma").join(&student.name);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("saida.txt"), &student.text).unwrap();
    }
    let answers = answers(&reference);
    let output = run_in(folder.path(), &["grade", "--format", "csv", "entrada.txt", "turma"], "");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(!table.contains(|c: char| c.is_control() && c != '\n'), "{table}");
    let mut rows: Vec<_> =
        csv::Reader::from_reader(table.as_bytes()).into_records().map(Result::unwrap).collect();
    rows.sort_by_key(|row| {
        row[0]
            .chars()
            .rev()
            .take("000/saida.txt".len())
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect::<String>()
    });
    assert_eq!(rows.len(), students.len());
    for (row, student) in rows.iter().zip(&students) {
        assert_eq!(&row[1], student.points(&answers).to_string(), "{}: {}", student.name, &row[8]);
        assert!(student.verdict == "any" || row[4] == *student.verdict, "{}: {}", student.name, &row[8]);
    }
    // The same class in one archive gets the same rows in the same order.
    fs::write(folder.path().join("turma.zip"), packed(&students)).unwrap();
    let output = run_in(folder.path(), &["grade", "--format", "csv", "entrada.txt", "turma.zip"], "");
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(1), ""));
    let expected: Vec<_> = table.lines().map(|line| line.replace("turma/", "turma.zip/")).collect();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), expected);
    let accepted = rows.iter().filter(|row| &row[4] == "accepted").count();
    assert_eq!(accepted, students.iter().filter(|student| student.verdict == "accepted").count());
}
