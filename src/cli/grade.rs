//! `tabuleiro grade`: submissions compared with what is proved about a reference.

use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::grades::Worksheet;
use super::named_input::ReadingArgs;
use super::output::stream;
use super::solved_reference::Reference;
use super::students::{Students, StudentsArgs};
use super::submissions::Submissions;
use crate::cli::arguments::NAMED_CONFIG_HELP;
use crate::cli::failure::{Exit, Failure, print_error};
use tabuleiro_jobs::grading::class::Nothing;
use tabuleiro_jobs::grading::formats::{Format, GradeWriter};
use tabuleiro_jobs::grading::{AnswerKey, Grade, GradeError, Wording};
use tabuleiro_puzzles::solver::{Cancel, Choice as _, LANGUAGE, Reveal};

/// What the help says after the options.
const AFTER_HELP: &str = "\
One line per submission. If there is only one, a line for each of its wrong answers stands before it.

Of a folder, the files are graded whose names contain saida (or saída) and end in .txt. In a folder
without one, a single file such as saida or saida.out is graded. If no file has such a name, all
that end in .txt are graded. A .zip is graded like the folder that was packed in it. A student's
folder without a submission has a line on standard error that says what was found there.

--students LIST also names those who handed in nothing. LIST is a CSV file such as Moodle, Google
Classroom or a spreadsheet exports. Its first line names the columns: name, first name, last name,
identifier, id number, email address or folder, or the same in Portuguese (nome, sobrenome,
identificador, matrícula, pasta).

--format moodle writes the grading worksheet of a Moodle assignment, with a comment for each student
who handed something in. Unless --reveal says otherwise, the comments do not contain right answers.

The solver is that of --solver, else of a directive in the reference, else of its name by the
shipped routes, else the one that can read all of it. Students may control the current folder, so
a configuration is read only if --config names it.

Examples:
  tabuleiro grade entrada.txt saida.txt            one submission
  tabuleiro grade lista3/entrada.txt turma1/       a class: a folder, a file or several
  tabuleiro grade lista3/entrada.txt turma.zip     the same, as Moodle hands it out
  tabuleiro grade --students turma.csv --format csv lista3/entrada.txt turma.zip > notas.csv
  tabuleiro grade --format moodle lista3/entrada.txt turma.zip > worksheet.csv
  tabuleiro grade --reveal own --set points=10 --set partial=valid entrada.txt saida.txt

Exit status: 0 every answer of every submission is right; 1 not all are, a student has nothing to
grade, or a submission could not be graded, because no answer to compare with is proved; 64 usage;
65 the reference is wrong or has an invalid puzzle, or an archive or something in it is wrong; 66 no
such file; 70 a submission shows that an answer of ours is wrong; 74 input/output error; 78
configuration.";

/// Arguments of `grade`.
#[derive(Args)]
#[command(after_help = AFTER_HELP, mut_arg("config", |arg| arg.help(NAMED_CONFIG_HELP)))]
pub struct GradeArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// The input whose puzzles the submissions answer
    reference: PathBuf,
    /// What programs printed for it: files, folders, .zip archives; - is standard input
    #[arg(required = true, value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// What is told: everything; what is wrong in the student's answers, without the right ones; the points; nothing
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(Reveal::WORDS))]
    reveal: Option<String>,
    #[command(flatten)]
    students: StudentsArgs,
    /// How grades are written
    #[arg(long, value_enum, default_value_t = FormatArg::Text)]
    format: FormatArg,
}

/// [`Format`] on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Lines for people
    Text,
    /// An array of objects
    Json,
    /// A row a submission
    Csv,
    /// Gradescope's results.json, for one submission
    Gradescope,
    /// What Moodle's VPL reads, for one submission
    Vpl,
    #[value(help = "JUnit's XML")]
    Junit,
    #[value(help = "Moodle's offline grading worksheet")]
    Moodle,
}

impl FormatArg {
    /// The format that `src/job` writes, unless this is one of a class list.
    fn of_grades(self) -> Option<Format> {
        Some(match self {
            Self::Text => Format::Text,
            Self::Json => Format::Json,
            Self::Csv => Format::Csv,
            Self::Gradescope => Format::Gradescope,
            Self::Vpl => Format::Vpl,
            Self::Junit => Format::Junit,
            Self::Moodle => return None,
        })
    }
}

/// Grades every submission; the worst of them decides the exit code.
pub fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    let submissions = Submissions::find(&args.submissions)?;
    let students = args.students.read()?;
    let format = args.format.of_grades();
    let many = submissions.count();
    if submissions.all.is_empty() && students.is_none() {
        return Ok(submissions.worst);
    }
    if format.is_some_and(Format::is_for_one) && many > 1 {
        let message = format_args!("this format has room for one submission, and {many} are named");
        return Err(Failure::new(Exit::Usage, message));
    }
    let reveal = args.reveal.as_deref().map(|word| ("reveal", word));
    let key = Reference::open(&args.reference, &args.reading, reveal)?.solve()?;
    let stdout = stream(io::stdout()).map_err(|error| Failure::output(&error))?;
    let mut out = BufWriter::new(stdout);
    let class = Class { key: &key, submissions: &submissions, students };
    let graded = if let Some(format) = format {
        class.grade(&mut *format.writer(&key, submissions.all.len() == 1, &mut out))
    } else {
        // Students read the comments.
        let mut worksheet = Worksheet::new(Wording::to_students(&key.options));
        let graded = class.grade(&mut worksheet);
        graded.and_then(|exit| {
            let (text, lines) = worksheet.text(key.options.get(LANGUAGE));
            for line in &lines {
                print_error(&format!("tabuleiro: {line}"));
            }
            out.write_all(text.as_bytes()).map_err(GradeError::Write)?;
            Ok(if lines.is_empty() { exit } else { exit.max(Exit::Data) })
        })
    };
    let graded = graded.and_then(|exit| out.flush().map(|()| exit).map_err(GradeError::Write));
    graded.or_else(|error| match error {
        GradeError::Write(error) => Failure::unless_closed(&error).map(|()| Exit::Ok),
        error => Err(Failure::new(Exit::Io, error)),
    })
}

/// What is graded, and by what.
struct Class<'a> {
    key: &'a AnswerKey,
    submissions: &'a Submissions,
    students: Option<Students>,
}

impl Class<'_> {
    /// Grades the submissions one after the other. One that cannot be read is told, and the others are graded. So are folders
    /// without a submission, and students of the list who have no folder.
    fn grade(mut self, writer: &mut dyn GradeWriter) -> Result<Exit, GradeError> {
        let mut worst = self.submissions.worst;
        let told = Wording::to_staff(&self.key.options);
        for submission in &self.submissions.all {
            let name = &submission.name;
            worst = worst.max(match submission.open() {
                Ok(source) => exit(&grade(self.key, name, source, writer)?),
                Err((exit, why)) => {
                    print_error(&format!("tabuleiro: {name}: {why}"));
                    let is_told = submission.nothing().is_some();
                    let why = if is_told { why } else { Nothing::ToGrade { why }.into() };
                    writer.nothing(name, &told.say(why)).map_err(GradeError::Write)?;
                    exit
                }
            });
            if let Some(students) = &mut self.students
                && let Err(why) = students.note(name, &[])
            {
                print_error(&format!("tabuleiro: {name}: {why}"));
            }
        }
        for student in self.students.iter().flat_map(Students::absent) {
            let why = Nothing::Absent.told();
            print_error(&format!("tabuleiro: {}: {why}", student.name));
            writer.nothing(&student.name, &told.say(why)).map_err(GradeError::Write)?;
            worst = worst.max(Exit::NotAccepted);
        }
        writer.finish().map_err(GradeError::Write)?;
        Ok(worst)
    }
}

fn grade(
    key: &AnswerKey,
    name: &str,
    source: impl Read,
    writer: &mut dyn GradeWriter,
) -> Result<Grade, GradeError> {
    writer.begin(name).map_err(GradeError::Write)?;
    let grade = key.grade(source, &Cancel::default(), |graded| writer.puzzle(name, graded))?;
    writer.end(name, &grade).map_err(GradeError::Write)?;
    if grade.internal.is_some() {
        print_error(&format!(
            "tabuleiro: {name}: this submission proves that an answer of ours is wrong, so its grade is none; keep it and the \
             reference, and report them"
        ));
    }
    Ok(grade)
}

fn exit(grade: &Grade) -> Exit {
    if grade.internal.is_some() {
        Exit::Software
    } else if grade.is_accepted() {
        Exit::Ok
    } else {
        Exit::NotAccepted
    }
}
