//! `tabuleiro grade`: submissions compared with what is proved about a reference.

use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::input::ReadingArgs;
use super::output::stream;
use super::reference::Reference;
use super::submissions::Submissions;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print_error};
use crate::job::grading::formats::{Format, GradeWriter};
use crate::job::grading::{AnswerKey, Grade, GradeError};
use crate::solver::{Cancel, Choice as _, Reveal};

/// What the help says after the options.
const AFTER_HELP: &str = "\
A line a submission; where there is one, a line for every answer that is not right before it. Of a
folder the files are graded whose names have saida in them and end in .txt; where there are none,
all that end in .txt. A .zip is graded like the folder that was packed in it.

Examples:
  tabuleiro grade entrada.txt saida.txt            one submission
  tabuleiro grade lista3/entrada.txt turma1/       a class: a folder, a file or several
  tabuleiro grade lista3/entrada.txt turma.zip     the same, as Moodle hands it out
  tabuleiro grade --reveal own --set points=10 --set partial=valid entrada.txt saida.txt

Exit status: 0 every answer of every submission is right; 1 not all are; 64 usage; 65 the reference
is wrong, or an archive or something in it; 66 no such file; 70 a submission shows that an answer
of ours is wrong; 74 input/output error; 78 configuration.";

/// Arguments of `grade`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
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
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Text => Self::Text,
            FormatArg::Json => Self::Json,
            FormatArg::Csv => Self::Csv,
            FormatArg::Gradescope => Self::Gradescope,
            FormatArg::Vpl => Self::Vpl,
            FormatArg::Junit => Self::Junit,
        }
    }
}

/// Grades every submission; the worst of them decides the exit code.
pub fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    let submissions = Submissions::find(&args.submissions)?;
    let format = Format::from(args.format);
    let (many, is_one) = (submissions.all.len(), submissions.all.len() == 1);
    if many == 0 {
        return Ok(submissions.worst);
    }
    if format.is_for_one() && !is_one {
        let message = format_args!("this format has room for one submission, and {many} are named");
        return Err(Failure::new(Exit::Usage, message));
    }
    let reveal = args.reveal.as_deref().map(|word| ("reveal", word));
    let key = Reference::open(&args.reference, &args.reading, reveal)?.solve()?;
    let stdout = stream(io::stdout()).map_err(|error| Failure::output(&error))?;
    let mut out = BufWriter::new(stdout);
    let graded = grade_all(&key, &submissions, &mut *format.writer(&key, is_one, &mut out));
    let graded = graded.and_then(|exit| out.flush().map(|()| exit).map_err(GradeError::Write));
    graded.or_else(|error| match error {
        GradeError::Write(error) => Failure::unless_closed(&error).map(|()| Exit::Ok),
        error => Err(Failure::new(Exit::Io, error)),
    })
}

/// Grades submissions one after the other. One that cannot be read is told, and the others are graded.
fn grade_all(
    key: &AnswerKey,
    submissions: &Submissions,
    writer: &mut dyn GradeWriter,
) -> Result<Exit, GradeError> {
    let mut worst = submissions.worst;
    for submission in &submissions.all {
        worst = worst.max(match submission.open() {
            Ok(source) => exit(&grade(key, &submission.name(), source, writer)?),
            Err(failure) => {
                print_error(&format!("tabuleiro: {failure}"));
                failure.exit
            }
        });
    }
    writer.finish().map_err(GradeError::Write)?;
    Ok(worst)
}

fn grade(
    key: &AnswerKey,
    name: &str,
    source: impl Read,
    writer: &mut dyn GradeWriter,
) -> Result<Grade, GradeError> {
    writer.begin(name).map_err(GradeError::Write)?;
    let grade = key.grade(source, &Cancel::default(), |graded| writer.puzzle(graded))?;
    writer.end(&grade).map_err(GradeError::Write)?;
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
