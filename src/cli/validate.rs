//! `tabuleiro validate`: an output validator as the problem package format of ICPC and Kattis calls one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::input::ReadingArgs;
use super::output::stream;
use super::reference::Reference;
use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::job::grading::{Points, Told};
use crate::solver::{Cancel, Reveal};

/// What the help says after the options.
const AFTER_HELP: &str = "\
For a judge, whose problem package has a validator of one line:
  exec tabuleiro validate \"$@\"
What the judge knows stands in FEEDBACK_DIR/judgemessage.txt, what the team may know, without the
right answer, in teammessage.txt. The solver is that of --solver, else of a directive in INPUT, else
of the name of INPUT, else the one that can read all of it.

Exit status: 42 accepted, with --score also what earns points; 43 wrong answer; anything else is an
error of the judge: 64 usage; 65 INPUT is wrong, or has a puzzle without a right answer; 66 no such
file; 70 the submission shows that an answer of ours is wrong; 73 the feedback cannot be written;
74 input/output error; 78 configuration.";

/// Arguments of `validate`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct ValidateArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// The input of the test case
    input: PathBuf,
    /// The judge's own answer; it is not needed, and not read
    answer: PathBuf,
    /// The folder for messages
    feedback_dir: PathBuf,
    /// Write score.txt, for a problem with custom scoring: what earns points is accepted with them
    #[arg(long)]
    score: bool,
}

/// Compares standard input with what is proved about the input.
pub fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    let key = Reference::open(&args.input, &args.reading, None)?.solve()?;
    let source = stream(io::stdin()).map_err(|error| Failure::new(Exit::Io, error))?;
    let grade = key
        .grade(source, &Cancel::default(), |_| Ok(()))
        .map_err(|error| Failure::new(Exit::Io, format_args!("the submission: {error}")))?;
    let (judge, team) = (Told::new(&key.options), Told::revealing(&key.options, Reveal::Own));
    write(args, "judgemessage.txt", &format!("{}\n", judge.line(&grade)))?;
    write(args, "teammessage.txt", &format!("{}\n", team.line(&grade)))?;
    if grade.internal.is_some() {
        return Err(Failure::new(Exit::Software, judge.line(&grade)));
    }
    // Where points are told, a part of them is accepted with that score. A score beside a rejection is an error of the judge.
    let has_points = args.score && grade.points > Points::default();
    if !grade.is_accepted() && !has_points {
        return Ok(Exit::JudgeWrongAnswer);
    }
    // A test case that cannot be judged is the judge's fault.
    if grade.not_graded > 0 {
        return Err(Failure::new(Exit::Data, judge.line(&grade)));
    }
    if args.score {
        write(args, "score.txt", &format!("{}\n", grade.points))?;
    }
    Ok(Exit::JudgeAccepted)
}

fn write(args: &ValidateArgs, name: &str, text: &str) -> Result<(), Failure> {
    let path = Path::new(&args.feedback_dir).join(name);
    fs::write(&path, text).map_err(|error| {
        Failure::new(Exit::CannotCreate, format_args!("{}: cannot write: {error}", printable_path(&path)))
    })
}
