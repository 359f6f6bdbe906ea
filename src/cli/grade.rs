//! `tabuleiro grade`: submissions compared with what is proved about a reference.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::input::ReadingArgs;
use super::output::stream;
use super::reference::Reference;
use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print_error};
use crate::job::grading::formats::{Format, GradeWriter};
use crate::job::grading::{AnswerKey, Grade, GradeError};
use crate::solver::{Cancel, Choice as _, Reveal};

/// What the help says after the options.
const AFTER_HELP: &str = "\
A line a submission; where there is one, a line for every answer that is not right before it. Of a
folder the files are graded whose names have saida in them and end in .txt; where there are none,
all that end in .txt.

Examples:
  tabuleiro grade entrada.txt saida.txt            one submission
  tabuleiro grade lista3/entrada.txt turma1/       a class: a folder, a file or several
  tabuleiro grade --reveal own --set points=10 --set partial=valid entrada.txt saida.txt

Exit status: 0 every answer of every submission is right; 1 not all are; 64 usage; 65 the reference
is wrong; 66 no such file; 70 a submission shows that an answer of ours is wrong;
74 input/output error; 78 configuration.";

/// Files of a folder, and of the folders in it, at most.
const SUBMISSIONS_MAX: usize = 100_000;
/// Folders within folders at most.
const DEPTH_MAX: usize = 32;

/// Arguments of `grade`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct GradeArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// The input whose puzzles the submissions answer
    reference: PathBuf,
    /// What programs printed for it: files, folders; - is standard input
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
    let submissions = submissions(&args.submissions)?;
    let format = Format::from(args.format);
    let is_one = submissions.len() == 1;
    if format.is_for_one() && !is_one {
        let message =
            format_args!("this format has room for one submission, and {} are named", submissions.len());
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
    submissions: &[PathBuf],
    writer: &mut dyn GradeWriter,
) -> Result<Exit, GradeError> {
    let mut worst = Exit::Ok;
    for path in submissions {
        let name = if path.as_os_str() == "-" { "<stdin>".to_owned() } else { printable_path(path) };
        let exit = match open(path) {
            Ok(source) => exit(&grade(key, &name, source, writer)?),
            Err(error) => {
                print_error(&format!("tabuleiro: {name}: cannot open: {error}"));
                Exit::NoInput
            }
        };
        if exit as u8 > worst as u8 {
            worst = exit;
        }
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

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(stream(io::stdin())?));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(Box::new(file))
}

/// The files that are named, and those of the folders that are named, in order of name.
fn submissions(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in named {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let mut texts = Vec::new();
        walk(path, DEPTH_MAX, &mut texts)?;
        let is_output = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("saida"))
        };
        if texts.iter().any(is_output) {
            texts.retain(is_output);
        }
        if texts.is_empty() {
            let message = format_args!("{}: no file in this folder ends in .txt", printable_path(path));
            return Err(Failure::new(Exit::NoInput, message));
        }
        all.append(&mut texts);
    }
    Ok(all)
}

/// The text files of a folder and of those in it. A link is not followed.
fn walk(folder: &Path, depth: usize, texts: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable = |error: io::Error| {
        Failure::new(Exit::Io, format_args!("{}: cannot read: {error}", printable_path(folder)))
    };
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(unreadable)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        if kind.is_dir() && depth > 0 {
            walk(&path, depth - 1, texts)?;
        } else if kind.is_file() && path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt")) {
            if texts.len() == SUBMISSIONS_MAX {
                let message = format_args!(
                    "{}: more than {SUBMISSIONS_MAX} files; grade fewer at a time",
                    printable_path(folder)
                );
                return Err(Failure::new(Exit::Usage, message));
            }
            texts.push(path);
        }
    }
    Ok(())
}
