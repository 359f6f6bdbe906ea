//! Formats of the class list.

use std::collections::BTreeMap;
use std::io;

use super::Row;
use super::nota;
use crate::cli::cli_messages::{CliMessage, say};
use crate::cli::failure::{Exit, Failure};
use crate::cli::terminal_table::{self, CELL_BYTES_MAX, Column, Shrink, times};
use crate::daemon::base::clock;
use crate::logging::local_time;
use tabuleiro_jobs::grading::formats::{GradeWriter, defused};
use tabuleiro_jobs::grading::{Grade, Points, Wording};
use tabuleiro_jobs::naming::MoodleName;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::words::Language;

/// The first line of the CSV.
const CSV_HEAD: &str =
    "exercise,student,id,points,total,not_graded,verdict,when,submissions,submission,attempts,mark";

/// Returns a table for people, as wide as the terminal.
pub fn table(rows: &[Row]) -> String {
    let parts = rows.iter().map(|row| row.taken.time().map(local_time::parts).unwrap_or_default());
    let (when, shown) = times("when", parts.collect());
    let show = |text: &str| printable(text.as_bytes(), CELL_BYTES_MAX);
    let points_of = |row: &Row| if row.counts { points(row.taken.grade.points) } else { "-".to_owned() };
    let columns = vec![
        Column::new("exercise", Shrink::Middle, rows, |row| show(&row.taken.exercise)),
        Column::new("student", Shrink::Middle, rows, |row| show(&row.taken.student)),
        Column::new("points", Shrink::Nothing, rows, points_of),
        Column::new("total", Shrink::Nothing, rows, |row| points(row.taken.grade.total)),
        Column::new("not graded", Shrink::End, rows, |row| row.taken.grade.not_graded.to_string()),
        Column::new("verdict", Shrink::Nothing, rows, |row| show(&verdict(row).replace('-', " "))),
        Column::new("attempts", Shrink::Nothing, rows, |row| row.attempts.to_string()),
        Column::new(&when, Shrink::Nothing, &shown, String::clone),
        Column::new("submissions", Shrink::End, rows, |row| row.submissions.to_string()),
        Column::new("submission", Shrink::End, rows, |row| show(&row.taken.submission)),
    ];
    terminal_table::table(columns, terminal_table::columns())
}

/// Returns the verdict and its mark. If the grade does not count, returns only the mark, which says why.
fn verdict(row: &Row) -> String {
    match (row.counts, row.taken.mark()) {
        (true, "") => row.taken.grade.verdict.clone(),
        (true, mark) => format!("{}, {mark}", row.taken.grade.verdict),
        (false, mark) => mark.to_owned(),
    }
}

/// Returns one row for each student and exercise.
pub fn csv(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        let taken = &row.taken;
        let cells = [
            taken.exercise.clone(),
            taken.student.clone(),
            taken.id.clone().unwrap_or_default(),
            if row.counts { points(taken.grade.points) } else { String::new() },
            points(taken.grade.total),
            taken.grade.not_graded.to_string(),
            taken.grade.verdict.clone(),
            taken.time().map(clock::stamp).unwrap_or_default(),
            row.submissions.to_string(),
            taken.submission.clone(),
            row.attempts.to_string(),
            taken.mark().to_owned(),
        ];
        cells.map(|cell| defused(&cell).into_owned())
    });
    records(CSV_HEAD, rows)
}

/// Returns points as the text of a cell, which is empty if there is no grade.
fn points(points: Option<Points>) -> String {
    points.as_ref().map(Points::to_string).unwrap_or_default()
}

/// A row of Moodle's worksheet.
#[derive(Clone)]
pub struct MoodleRow {
    /// The number of the participant.
    pub id: String,
    pub student: String,
    /// `None` leaves the grade in Moodle unchanged.
    pub points: Option<Points>,
    pub comment: String,
}

/// Returns Moodle's offline grading worksheet.
pub fn moodle(marks: impl IntoIterator<Item = MoodleRow>, language: Language) -> String {
    // The words of a Moodle site in this language: the one before a participant's number, and the names of the columns.
    // Moodle's `mod/assign/feedback/offline` looks for all columns except the name, which is for people.
    let (participant, head) = match language {
        Language::English => {
            ("Participant ", "Identifier,Full name,Grade,Last modified (grade),Feedback comments")
        }
        Language::Portuguese => (
            "Participante",
            "Identificador,Nome completo,Nota,Última modificação (nota),Comentários de feedback",
        ),
    };
    let rows = marks.into_iter().map(|mark| {
        // Moodle interprets a comment as HTML.
        let comment = mark.comment.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        [
            format!("{participant}{}", mark.id),
            defused(&mark.student).into_owned(),
            points(mark.points),
            // `-` means that no grade existed before. Moodle then keeps existing grades, unless told otherwise.
            "-".to_owned(),
            defused(&comment).into_owned(),
        ]
    });
    records(head, rows)
}

/// Returns the class list as Moodle's offline grading worksheet, and adds a message to `told` for each grade that it
/// leaves out.
///
/// # Errors
/// Fails with exit code 64 if a participant has several grades, since Moodle would take the last.
pub fn worksheet(rows: &[Row], language: Language, told: &mut Vec<String>) -> Result<String, Failure> {
    let mut marks = Vec::new();
    let mut known: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let taken = &row.taken;
        let is_number = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let (student, exercise) = (taken.student.clone(), taken.exercise.clone());
        let left_out = match taken.id.as_deref().filter(is_number) {
            _ if !row.counts => {
                CliMessage::NotCounted { student, exercise, mark: taken.mark().replace('-', " ") }
            }
            // No answer of the submission could be compared with a proved one.
            _ if taken.grade.verdict == "not-graded" => CliMessage::Ungraded { student, exercise },
            Some(id) => {
                known.push((id, &taken.exercise));
                let nota::Grade { points, text, .. } = &taken.grade;
                marks.push(MoodleRow { id: id.to_owned(), student, points: *points, comment: text.clone() });
                continue;
            }
            None if taken.grade.points.is_none() => continue,
            None => CliMessage::NoMoodleId { student, exercise },
        };
        told.push(say(left_out));
    }
    known.sort_unstable();
    if let Some([(id, one), (_, other)]) = known.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let [id, one, other] = [id, one, other].map(|text| (*text).to_owned());
        return Err(Failure::of(Exit::Usage, CliMessage::TwoGrades { id, one, other }));
    }
    Ok(moodle(marks, language))
}

/// Returns rows as CSV below a line with as many headings.
fn records<const N: usize>(head: &str, rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(head.split(','));
    for row in rows {
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Collects one row per participant, identified by the folder of the submission. Of several grades, the best counts.
pub struct Worksheet {
    wording: Wording,
    /// The rows by the number of the participant.
    rows: BTreeMap<String, MoodleRow>,
    /// Submissions whose paths name no participant.
    unknown: Vec<String>,
}

impl Worksheet {
    /// Creates an empty worksheet; `wording` words the comments.
    pub fn new(wording: Wording) -> Self {
        Self { wording, rows: BTreeMap::new(), unknown: Vec::new() }
    }

    /// Returns the worksheet, and one line for each submission that it leaves out.
    pub fn text(self, language: Language) -> (String, Vec<String>) {
        let left_out = |name| say(CliMessage::NoMoodleFolder { name });
        (moodle(self.rows.into_values(), language), self.unknown.into_iter().map(left_out).collect())
    }

    fn add(&mut self, name: &str, points: Option<Points>, comment: String) -> bool {
        let Some(found) = MoodleName::of_path(name) else { return false };
        let mark = MoodleRow { id: found.id.to_owned(), student: found.student.to_owned(), points, comment };
        let known = self.rows.entry(mark.id.clone()).or_insert_with(|| mark.clone());
        if points > known.points {
            *known = mark;
        }
        true
    }
}

impl GradeWriter for Worksheet {
    fn end(&mut self, name: &str, grade: &Grade) -> io::Result<()> {
        let points = (!grade.is_ungraded()).then_some(grade.points);
        if !self.add(name, points, self.wording.line(grade)) {
            self.unknown.push(name.to_owned());
        }
        Ok(())
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        // `grade` prints the reason. A submission without a grade is not listed as left out.
        self.add(&format!("{name}/"), None, why.to_owned());
        Ok(())
    }
}
