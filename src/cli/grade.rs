//! `tabuleiro grade`: compares submissions with the proved answers to a reference.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::grades::Worksheet;
use super::named_input::ReadingArgs;
use super::output::stream;
use super::solved_reference::Reference;
use super::students::Students;
use super::submissions::{Source, Submission, Submissions};
use crate::cli::arguments::{NAMED_CONFIG_HELP, printable_path};
use crate::cli::cli_messages::{CliMessage, say};
use crate::cli::failure::{Exit, Failure, print_error, warn};
use tabuleiro_jobs::grading::class::Nothing;
use tabuleiro_jobs::grading::formats::{Format, GradeWriter};
use tabuleiro_jobs::grading::{AnswerKey, Wording};
use tabuleiro_jobs::{JobError, recognise};
use tabuleiro_puzzles::input::unaccented;
use tabuleiro_puzzles::solver::{Cancel, Choice as _, LANGUAGE, Reveal, SOLVERS};

/// The formats of grades; `moodle` is that of a class list.
const FORMATS: [&str; 7] = ["text", "json", "csv", "gradescope", "vpl", "junit", "moodle"];

/// Arguments of `grade`.
#[derive(Args)]
#[command(mut_arg("config", |arg| arg.help(NAMED_CONFIG_HELP)))]
pub struct GradeArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// The input whose puzzles the submissions answer
    reference: PathBuf,
    /// What programs printed for it: files, folders, .zip archives; - is standard input
    #[arg(required_unless_present = "run", value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// Grade what this shell command prints, which gets the reference on standard input once its answers are known
    #[arg(long, value_name = "COMMAND", conflicts_with = "submissions")]
    run: Option<String>,
    /// What is told: everything; what is wrong in the student's answers, without the right ones; the points; nothing
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(Reveal::WORDS))]
    reveal: Option<String>,
    /// A CSV list of the students: who handed in nothing is listed, too
    #[arg(long, value_name = "LIST")]
    students: Option<PathBuf>,
    /// How to write grades: gradescope and vpl for one submission, junit as XML, moodle as an offline worksheet
    #[arg(long, default_value = "text", value_parser = PossibleValuesParser::new(FORMATS))]
    format: String,
}

/// Grades every submission; the worst of them decides the exit code.
pub fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    if let [submission] = &args.submissions[..]
        && is_swapped(&args.reference, submission)
    {
        let (first, second) = (printable_path(submission), printable_path(&args.reference));
        let line = format!("tabuleiro grade {first} {second}");
        return Err(Failure::of(Exit::Usage, CliMessage::SwappedFiles { line }));
    }
    let mut submissions = Submissions::find(&args.submissions)?;
    let students = args.students.as_deref().map(Students::read).transpose()?;
    // `None` is the worksheet, which is a class list.
    let format = Format::from_word(&args.format);
    let many = submissions.count();
    if submissions.all.is_empty() && students.is_none() && args.run.is_none() {
        return Ok(submissions.worst);
    }
    if matches!(format, Some(Format::Gradescope | Format::Vpl)) && many > 1 {
        return Err(Failure::of(Exit::Usage, CliMessage::OneSubmission { count: many }));
    }
    let reveal = args.reveal.as_deref().map(|word| ("reveal", word));
    let reference = Reference::open(&args.reference, &args.reading, reveal)?;
    if let Some(command) = &args.run {
        let source = Source::Program { command: command.clone(), input: Arc::clone(&reference.text) };
        submissions.all.push(Submission { name: "program".to_owned(), source });
    }
    let key = reference.solve()?;
    let stdout = stream(io::stdout()).map_err(|error| Failure::output(&error))?;
    let mut out = BufWriter::new(stdout);
    let graded = if let Some(format) = format {
        let mut writer = format.writer(&key, submissions.all.len() == 1, &mut out);
        grade_all(&key, &submissions, students, &mut *writer)
    } else {
        // Students read the comments in the worksheet.
        let mut worksheet = Worksheet::new(Wording::to_students(&key.options));
        let graded = grade_all(&key, &submissions, students, &mut worksheet);
        graded.and_then(|exit| {
            let (text, lines) = worksheet.text(key.options.get(LANGUAGE));
            for line in &lines {
                print_error(&format!("tabuleiro: {line}"));
            }
            out.write_all(text.as_bytes()).map_err(JobError::Write)?;
            Ok(if lines.is_empty() { exit } else { exit.max(Exit::Data) })
        })
    };
    let graded = graded.and_then(|exit| out.flush().map(|()| exit).map_err(JobError::Write));
    graded.or_else(|error| match error {
        JobError::Write(error) => Failure::unless_closed(&error).map(|()| Exit::Ok),
        error => Err(Failure::new(Exit::Io, error)),
    })
}

/// Returns whether the reference and the submission seem swapped: the reference has the name of a submission, and only
/// the other file holds puzzles.
fn is_swapped(reference: &Path, submission: &Path) -> bool {
    let holds_puzzles = |path: &Path| !recognise(SOLVERS.iter().copied(), || File::open(path)).is_empty();
    let name = reference.file_name().unwrap_or_default().to_string_lossy();
    unaccented(&name).contains("saida") && !holds_puzzles(reference) && holds_puzzles(submission)
}

/// Grades the submissions one after the other. Reports those that cannot be read, folders without a submission, and
/// students of the list who have no folder, and continues with the others.
fn grade_all(
    key: &AnswerKey,
    submissions: &Submissions,
    mut students: Option<Students>,
    writer: &mut dyn GradeWriter,
) -> Result<Exit, JobError> {
    let mut worst = submissions.worst;
    let wording = Wording::to_staff(&key.options);
    for submission in &submissions.all {
        let name = &submission.name;
        worst = worst.max(match submission.open() {
            Ok(source) => grade(key, name, source, writer)?,
            Err((exit, why)) => {
                print_error(&format!("tabuleiro: {name}: {}", say(why.clone())));
                let is_told = submission.nothing().is_some();
                let why = if is_told { why } else { Nothing::ToGrade { why }.into() };
                writer.nothing(name, &wording.say(why)).map_err(JobError::Write)?;
                exit
            }
        });
        if let Some(why) = students.as_mut().and_then(|students| students.note(name, &[])) {
            print_error(&format!("tabuleiro: {name}: {}", say(why)));
        }
    }
    for student in students.iter().flat_map(Students::absent) {
        let why = Nothing::Absent.sentence();
        print_error(&format!("tabuleiro: {}: {}", student.name, say(why.clone())));
        writer.nothing(&student.name, &wording.say(why)).map_err(JobError::Write)?;
        worst = worst.max(Exit::NotAccepted);
    }
    writer.finish().map_err(JobError::Write)?;
    Ok(worst)
}

/// Grades one submission.
fn grade(
    key: &AnswerKey,
    name: &str,
    source: impl Read,
    writer: &mut dyn GradeWriter,
) -> Result<Exit, JobError> {
    writer.begin(name).map_err(JobError::Write)?;
    let grade = key.grade(source, &Cancel::default(), |graded| writer.puzzle(name, graded))?;
    writer.end(name, &grade).map_err(JobError::Write)?;
    if grade.internal.is_some() {
        warn(CliMessage::Refuted { name: name.to_owned() });
        return Ok(Exit::Software);
    }
    Ok(if grade.is_accepted() { Exit::Ok } else { Exit::NotAccepted })
}
