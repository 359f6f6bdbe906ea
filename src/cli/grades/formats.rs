//! How the class list is written.

use std::collections::BTreeMap;
use std::io;

use super::class_rows::Row;
use crate::cli::failure::{Exit, Failure};
use crate::cli::terminal_table::{self, CELL_BYTES_MAX, Column, Gives, columns, times};
use crate::daemon::base::clock;
use crate::logging::local_time;
use tabuleiro_jobs::grading::formats::{GradeWriter, defused};
use tabuleiro_jobs::grading::{Grade, Points, Wording};
use tabuleiro_jobs::naming::MoodleName;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::words::Language;

/// The columns of the CSV.
const CSV_COLUMNS: [&str; 12] = [
    "exercise",
    "student",
    "id",
    "points",
    "total",
    "not_graded",
    "verdict",
    "when",
    "submissions",
    "submission",
    "attempts",
    "mark",
];

/// For people, as wide as the terminal.
pub fn table(rows: &[Row]) -> String {
    let parts = rows.iter().map(|row| row.taken.time().map(local_time::parts).unwrap_or_default());
    let (when, shown) = times("when", parts.collect());
    let cells = rows.iter().zip(shown).map(|(row, when)| {
        let show = |text: &str| printable(text.as_bytes(), CELL_BYTES_MAX);
        let taken = &row.taken;
        vec![
            show(&taken.exercise),
            show(&taken.student),
            if row.counts { points(taken.points) } else { "-".to_owned() },
            points(taken.total),
            taken.not_graded.to_string(),
            show(&verdict(row).replace('-', " ")),
            row.attempts.to_string(),
            when,
            row.submissions.to_string(),
            show(&taken.submission),
        ]
    });
    let column = |head, gives| Column { head, gives };
    let head = [
        column("exercise", Gives::Middle),
        column("student", Gives::Middle),
        column("points", Gives::Nothing),
        column("total", Gives::Nothing),
        column("not graded", Gives::End),
        column("verdict", Gives::Nothing),
        column("attempts", Gives::Nothing),
        column(&when, Gives::Nothing),
        column("submissions", Gives::End),
        column("submission", Gives::End),
    ];
    terminal_table::table(&head, &cells.collect::<Vec<_>>(), columns())
}

/// The verdict, and why the grade does not count; that alone where none of the student's does.
fn verdict(row: &Row) -> String {
    match (row.counts, row.taken.mark()) {
        (true, "") => row.taken.verdict.clone(),
        (true, mark) => format!("{}, {mark}", row.taken.verdict),
        (false, mark) => mark.to_owned(),
    }
}

/// A row a student and exercise.
pub fn csv(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        let taken = &row.taken;
        let cells = [
            taken.exercise.clone(),
            taken.student.clone(),
            taken.id.clone().unwrap_or_default(),
            if row.counts { points(taken.points) } else { String::new() },
            points(taken.total),
            taken.not_graded.to_string(),
            taken.verdict.clone(),
            taken.time().map(clock::stamp).unwrap_or_default(),
            row.submissions.to_string(),
            taken.submission.clone(),
            row.attempts.to_string(),
            taken.mark().to_owned(),
        ];
        cells.map(|cell| defused(&cell).into_owned())
    });
    records(CSV_COLUMNS, rows)
}

/// Points in a cell, which is empty where there is no grade.
fn points(points: Option<Points>) -> String {
    points.as_ref().map(Points::to_string).unwrap_or_default()
}

/// What a site calls the columns of the worksheet in its language: of what `mod/assign/feedback/offline` looks for, identifier,
/// grade, last modification and comments; the name is for people. Before them what stands before the number of a participant.
fn headings(language: Language) -> (&'static str, [&'static str; 5]) {
    match language {
        Language::English => (
            "Participant ",
            ["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"],
        ),
        Language::Portuguese => (
            "Participante",
            [
                "Identificador",
                "Nome completo",
                "Nota",
                "Última modificação (nota)",
                "Comentários de feedback",
            ],
        ),
    }
}

/// A row of Moodle's worksheet.
pub struct Mark<'a> {
    /// The number of the participant.
    pub id: &'a str,
    pub student: &'a str,
    /// `None` leaves the grade as it is.
    pub points: Option<Points>,
    pub comment: &'a str,
}

/// Moodle's offline grading worksheet.
pub fn moodle<'a>(marks: impl Iterator<Item = Mark<'a>>, language: Language) -> String {
    let (participant, headings) = headings(language);
    let rows = marks.map(|mark| {
        // Moodle takes a comment for HTML.
        let comment = mark.comment.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        [
            format!("{participant}{}", mark.id),
            defused(mark.student).into_owned(),
            points(mark.points),
            // No grade was there: with that Moodle replaces none, unless it is told to.
            "-".to_owned(),
            defused(&comment).into_owned(),
        ]
    });
    records(headings, rows)
}

/// The class list as Moodle's offline grading worksheet. Who has no ID is told.
///
/// # Errors
/// 64 when a participant has several grades, of which Moodle would take the last.
pub fn worksheet(rows: &[Row], language: Language, told: &mut Vec<String>) -> Result<String, Failure> {
    let mut marks = Vec::new();
    let mut known: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let (exercise, student) = (row.taken.exercise.as_str(), row.taken.student.as_str());
        if !row.counts {
            let mark = row.taken.mark().replace('-', " ");
            told.push(format!(
                "{student} ({exercise}): {mark}, so this student is left out; --all takes it all the same"
            ));
            continue;
        }
        if row.taken.is_ungraded() {
            told.push(format!(
                "{student} ({exercise}): the submission could not be graded, so this student is left out"
            ));
            continue;
        }
        let is_number = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let Some(id) = row.taken.id.as_deref().filter(is_number) else {
            if row.taken.points.is_none() {
                continue;
            }
            let message = "no ID of Moodle is known, so this student is left out; let the route have student = \"moodle\"";
            told.push(format!("{student} ({exercise}): {message}"));
            continue;
        };
        known.push((id, exercise));
        marks.push(Mark { id, student, points: row.taken.points, comment: &row.taken.text });
    }
    known.sort_unstable();
    if let Some([(id, one), (_, other)]) = known.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let message = format_args!(
            "participant {id} has a grade in {one} and in {other}, and a worksheet has one for each: name the folder of one exercise"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(moodle(marks.into_iter(), language))
}

/// Rows below their heads.
fn records<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record(head);
    for row in rows {
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Collects a row for each participant, who is known by the folder of the submission. Of several grades the best counts.
pub struct Worksheet {
    told: Wording,
    /// Full name, points and comment by the number of the participant.
    rows: BTreeMap<String, (String, Option<Points>, String)>,
    /// Submissions of nobody that Moodle knows.
    unknown: Vec<String>,
}

impl Worksheet {
    /// Nothing is graded yet; comments are told like that.
    pub fn new(told: Wording) -> Self {
        Self { told, rows: BTreeMap::new(), unknown: Vec::new() }
    }

    /// The text, and what is left out of it, a line each.
    pub fn text(self, language: Language) -> (String, Vec<String>) {
        let marks = self.rows.iter().map(|(id, (student, points, comment))| Mark {
            id,
            student,
            points: *points,
            comment,
        });
        let hint = "Moodle's folders are called Name_ID_assignsubmission_file_";
        let left_out =
            |name| format!("{name}: no ID of Moodle is known, so this submission is left out; {hint}");
        (moodle(marks, language), self.unknown.iter().map(left_out).collect())
    }

    fn add(&mut self, name: &str, points: Option<Points>, comment: String) -> bool {
        let Some(found) = MoodleName::of_path(name) else { return false };
        let row = (found.student.to_owned(), points, comment);
        let known = self.rows.entry(found.id.to_owned()).or_insert_with(|| row.clone());
        if points > known.1 {
            *known = row;
        }
        true
    }
}

impl GradeWriter for Worksheet {
    fn end(&mut self, name: &str, grade: &Grade) -> io::Result<()> {
        let points = (!grade.is_ungraded()).then_some(grade.points);
        if !self.add(name, points, self.told.line(grade)) {
            self.unknown.push(name.to_owned());
        }
        Ok(())
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        // It has been told; without a grade there is nothing to leave out.
        self.add(&format!("{name}/"), None, why.to_owned());
        Ok(())
    }
}
