//! How the class list is written.

use super::class::Row;
use crate::cli::columns::columns;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::table::{self, CELL_BYTES_MAX, Column, Gives, times};
use crate::daemon::base::clock;
use crate::input::printable;
use crate::job::grading::formats::defused;
use crate::logging::local_time;
use crate::words::Language;

/// The columns of the CSV.
const CSV_COLUMNS: [&str; 10] = [
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
            taken.points.to_string(),
            taken.total.to_string(),
            taken.not_graded.to_string(),
            show(&taken.verdict.replace('-', " ")),
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
        column(&when, Gives::Nothing),
        column("submissions", Gives::End),
        column("submission", Gives::End),
    ];
    table::table(&head, &cells.collect::<Vec<_>>(), columns())
}

/// A row a student and exercise.
pub fn csv(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        let taken = &row.taken;
        let cells = [
            taken.exercise.clone(),
            taken.student.clone(),
            taken.id.clone().unwrap_or_default(),
            taken.points.to_string(),
            taken.total.to_string(),
            taken.not_graded.to_string(),
            taken.verdict.clone(),
            taken.time().map(clock::stamp).unwrap_or_default(),
            row.submissions.to_string(),
            taken.submission.clone(),
        ];
        cells.map(|cell| defused(&cell).into_owned())
    });
    records(CSV_COLUMNS, rows)
}

/// What a site calls the columns of the worksheet in its language: of what `mod/assign/feedback/offline` looks for, identifier,
/// grade and last modification; the name is for people. Before them what stands before the number of a participant.
fn headings(language: Language) -> (&'static str, [&'static str; 4]) {
    match language {
        Language::English => ("Participant ", ["Identifier", "Full name", "Grade", "Last modified (grade)"]),
        Language::Portuguese => {
            ("Participante", ["Identificador", "Nome completo", "Nota", "Última modificação (nota)"])
        }
    }
}

/// Moodle's offline grading worksheet. Who has no ID is told.
///
/// # Errors
/// 64 when a participant has several grades, of which Moodle would take the last.
pub fn moodle(rows: &[Row], language: Language, told: &mut Vec<String>) -> Result<String, Failure> {
    let (participant, headings) = headings(language);
    let mut cells = Vec::new();
    let mut known: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let (exercise, student) = (row.taken.exercise.as_str(), row.taken.student.as_str());
        let is_number = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let Some(id) = row.taken.id.as_deref().filter(is_number) else {
            let message = "no ID of Moodle is known, so this student is left out; let the route have student = \"moodle\"";
            told.push(format!("{student} ({exercise}): {message}"));
            continue;
        };
        known.push((id, exercise));
        // No grade was there: with that Moodle replaces none, unless it is told to.
        let modified = "-".to_owned();
        cells.push([
            format!("{participant}{id}"),
            defused(student).into_owned(),
            row.taken.points.to_string(),
            modified,
        ]);
    }
    known.sort_unstable();
    if let Some([(id, one), (_, other)]) = known.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let message = format_args!(
            "participant {id} has a grade in {one} and in {other}, and a worksheet has one for each: name the folder of one exercise"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(records(headings, cells))
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
