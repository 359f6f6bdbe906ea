//! `tabuleiro grades`: the class list, from the grades below a folder of the outbox.

// The rows of the list.
mod class;
// How the list is written.
mod formats;
// A grade in a file.
mod nota;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use self::class::{Take, class_list};
use self::nota::{is_nota, read};
use super::files::files_below;
use crate::cli::arguments::{ConfigArgs, printable_path};
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print, print_error};

/// What the help says after the options.
const AFTER_HELP: &str = "\
A line a student and exercise, from the .json files below the folder that have nota in their names;
the exercise is the route that graded them. A student whom no route names is called by the folder
of the submission. Times in the table are local (TZ), in the CSV they are UTC.

--format moodle is for the action \"Upload grading worksheet\" of an assignment, and for grades of
submissions that Moodle handed out (student = \"moodle\" in the route). Its columns are called as on
a site in English or, with results.language = \"pt\", in Brazilian Portuguese: upload it in that
language. Moodle passes over grades above the maximum of the assignment, which should be the points
of the route, and keeps those that it has unless you allow it to update them.

Examples:
  tabuleiro grades outbox/turma1                                 for people
  tabuleiro grades outbox/turma1/lista3 --format csv > notas.csv
  tabuleiro grades outbox/turma1/lista3 --format moodle --take last > worksheet.csv

Exit status: 0 all is well; 64 usage, or too many files; 65 a file holds no grade, or a student has
no ID of Moodle: told on standard error, and the others are listed; 66 no such folder, or no grade
below it; 74 input/output error; 78 configuration.";

/// Arguments of `grades`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct GradesArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// The outbox, or a folder in it
    folder: PathBuf,
    /// How the list is written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Which of a student's submissions counts
    #[arg(long, value_enum, default_value_t = Take::Best)]
    take: Take,
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
    let files = files_below(&args.folder, is_nota)?;
    if files.is_empty() {
        let message = format_args!("{folder}: no .json file below this folder has nota in its name");
        return Err(Failure::new(Exit::NoInput, message));
    }
    let mut told = Vec::new();
    let notas = files.iter().filter_map(|path| {
        let no_grade = |reason| told.push(format!("{}: no grade: {reason}", printable_path(path)));
        read(path).map_err(no_grade).ok()
    });
    let rows = class_list(notas, args.take);
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
        Format::Moodle => formats::moodle(&rows, args.config.load()?.results.language, &mut told),
    };
    for line in &told {
        print_error(&format!("tabuleiro: {line}"));
    }
    print(&text?)?;
    Ok(if told.is_empty() { Exit::Ok } else { Exit::Data })
}
