//! `tabuleiro grades`: the class list, from the grades below a folder of the outbox.

// The rows of the list.
mod class_rows;
// How the list is written.
mod formats;
// A grade in a file.
mod nota;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use self::class_rows::{Take, class_list};
use self::nota::{Nota, read};
use super::files::{Kind, keep, visit_below};
use super::students::{Listed, StudentsArgs};
use crate::cli::arguments::{ConfigArgs, printable_path};
use crate::cli::failure::{Exit, Failure, print, print_error};
use tabuleiro_jobs::grading::class::{Folder, Left, Nothing};
use tabuleiro_jobs::naming::is_grade_json;

pub use self::formats::Worksheet;

/// What the help says after the options.
const AFTER_HELP: &str = "\
A line a student and exercise, from the .json files below the folder that have nota in their names;
the exercise is the route that graded them. A student whom no route names is called by the folder
of the submission. A folder without a grade beside others that have one is listed, too, if it has a
report (erro in its name) or an archive. --students LIST adds those of a CSV list of students who have neither;
tabuleiro help grade says which columns are read. Times in the table are local (TZ), in the CSV they are UTC.
Submissions that were late or beyond the attempts of their route do not count; a student who has no
others gets no points.

--take last takes the submission that was changed last, by the time of the file, or of the member of
the archive. A student of whom that cannot be told is left out.

--format moodle writes the grades with a comment each. It is for the action \"Upload grading worksheet\" of an assignment, and for grades of
submissions that Moodle handed out (student = \"moodle\" in the route). Its columns are called as on
a site in English or, with results.language = \"pt\", in Brazilian Portuguese: upload it in that
language. Moodle passes over grades above the maximum of the assignment, which should be the points
of the route, and keeps those that it has unless you allow it to update them.

Examples:
  tabuleiro grades outbox/turma1                                 for people
  tabuleiro grades outbox/turma1/lista3 --format csv > notas.csv
  tabuleiro grades outbox/turma1/lista3 --format moodle --take last > worksheet.csv

Exit status: 0 all is well; 64 usage, or too many files; 65 a file holds no grade, the last
submission of a student cannot be told, or a student has no ID of Moodle or no grade for it: told on
standard error, and the others are listed; 66 no such folder, or no grade
below it; 74 input/output error; 78 configuration.";

/// Arguments of `grades`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct GradesArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    students: StudentsArgs,
    /// The outbox, or a folder in it
    folder: PathBuf,
    /// How the list is written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Which of a student's submissions counts
    #[arg(long, value_enum, default_value_t = Take::Best)]
    take: Take,
    /// Count submissions after the deadline and beyond the attempts as well
    #[arg(long)]
    all: bool,
}

/// A way to write the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    #[value(help = "A row a student and exercise, for spreadsheets and programs")]
    Csv,
    #[value(help = "Moodle's offline grading worksheet")]
    Moodle,
}

/// Prints the list. What cannot be listed is told, and the others are.
pub fn run(args: &GradesArgs) -> Result<Exit, Failure> {
    let folder = printable_path(&args.folder);
    if !args.folder.is_dir() {
        return Err(Failure::new(Exit::NoInput, format_args!("{folder}: there is no such folder")));
    }
    let students = args.students.read()?;
    let Found { files, tree } = find(&args.folder)?;
    if files.is_empty() {
        let message = format_args!("{folder}: no .json file below this folder has nota in its name");
        return Err(Failure::new(Exit::NoInput, message));
    }
    let mut told = Vec::new();
    let mut notas: Vec<_> = files
        .iter()
        .filter_map(|path| {
            let no_grade = |reason| told.push(format!("{}: no grade: {reason}", printable_path(path)));
            read(path).map_err(no_grade).ok()
        })
        .collect();
    notas.extend(without(&notas, &tree, &folder));
    if let Some(mut students) = students {
        for nota in &notas {
            let names = [nota.student.as_str(), nota.id.as_deref().unwrap_or_default()];
            if let Err(why) = students.note(&nota.submission, &names) {
                print_error(&format!("tabuleiro: {} ({}): {why}", nota.student, nota.exercise));
            }
        }
        let exercise = only_exercise(&notas).to_owned();
        let absent =
            |listed: &Listed| Nota::nothing(&exercise, &listed.name, Nothing::Absent.told().to_string());
        notas.extend(students.absent().map(absent));
    }
    for nota in notas.iter().filter(|nota| nota.points.is_none()) {
        print_error(&format!("tabuleiro: {}: {}", nota.submission, nota.text));
    }
    let rows = class_list(notas.into_iter(), (args.take, args.all), &mut told);
    for row in rows.iter().filter(|row| row.is_mixed) {
        print_error(&format!(
            "tabuleiro: {} ({}): several files without a student's name count as one student's; let the route name the \
             students, by its key student",
            row.taken.student, row.taken.exercise
        ));
    }
    let text = match args.format {
        Format::Table => Ok(formats::table(&rows)),
        Format::Csv => Ok(formats::csv(&rows)),
        Format::Moodle => formats::worksheet(&rows, args.config.load()?.results.language, &mut told),
    };
    for line in &told {
        print_error(&format!("tabuleiro: {line}"));
    }
    print(&text?)?;
    Ok(if told.is_empty() { Exit::Ok } else { Exit::Data })
}

/// What lies below a folder of the outbox.
struct Found {
    /// What may hold a grade.
    files: Vec<PathBuf>,
    /// The folders with these, and with reports.
    tree: Folder,
}

fn find(folder: &Path) -> Result<Found, Failure> {
    let mut found = Found { files: Vec::new(), tree: Folder::default() };
    visit_below(folder, &mut |path, kind| {
        let Some(name) = path.file_name().filter(|_| kind == Kind::File) else { return Ok(()) };
        let below = path.parent().and_then(|above| above.strip_prefix(folder).ok()).map(printable_path);
        let below = below.unwrap_or_default();
        if is_grade_json(name) {
            found.tree.add_graded(&below);
            return keep(&mut found.files, path, folder);
        }
        let name = printable_path(Path::new(name));
        // A report, or the results of a student's own archive.
        let lower = name.to_lowercase();
        let is_left = match lower.rsplit_once('.') {
            Some((stem, "txt")) => stem.contains("erro"),
            Some((_, "zip")) => !below.is_empty(),
            _ => false,
        };
        if is_left {
            found.tree.add_left(&below, Left { name, why: None });
        }
        Ok(())
    })?;
    Ok(found)
}

/// The folders without a grade, of students who have none elsewhere.
fn without(notas: &[Nota], tree: &Folder, folder: &str) -> Vec<Nota> {
    let known: BTreeSet<_> = notas.iter().filter_map(|nota| nota.id.as_deref()).collect();
    let exercise = only_exercise(notas);
    let nothing = |(path, left): (String, &Folder)| {
        let why = Nothing::NoGrade { names: left.names() }.told().to_string();
        Nota::nothing(exercise, &format!("{folder}/{path}"), why)
    };
    let lacking = tree.lacking().into_iter().map(nothing);
    lacking.filter(|nota| nota.id.as_deref().is_none_or(|id| !known.contains(id))).collect()
}

/// The exercise of all grades; nothing if there are several.
fn only_exercise(notas: &[Nota]) -> &str {
    let first = notas.first().map_or("", |nota| nota.exercise.as_str());
    if notas.iter().all(|nota| nota.exercise == first) { first } else { "" }
}
