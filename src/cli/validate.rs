//! `tabuleiro validate`: an output validator as the problem package format of ICPC and Kattis calls one.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;

use super::named_input::ReadingArgs;
use super::output::stream;
use super::solved_reference::Reference;
use crate::cli::arguments::{NAMED_CONFIG_HELP, printable_path};
use crate::cli::failure::{Exit, Failure};
use tabuleiro_jobs::grading::{Grade, Points, Wording};
use tabuleiro_puzzles::solver::Cancel;

/// What the help says after the options.
const AFTER_HELP: &str = "\
For a judge, whose problem package has a validator of one line:
  exec tabuleiro validate \"$@\"
What the judge knows stands in FEEDBACK_DIR/judgemessage.txt, what the team may know, without the
right answer, in teammessage.txt. The solver is that of --solver, else of a directive in INPUT, else
of the name of INPUT by the shipped routes, else the one that can read all of it. A configuration is
read only if --config names it.

Exit status: 42 accepted, with --score also what earns points; 43 wrong answer; anything else is an
error of the judge, which no submission causes: 64 usage; 65 INPUT is wrong, or has a puzzle without
a right answer; 66 no such file; 73 the feedback cannot be written; 74 input/output error;
78 configuration.";

/// What the judge is told before all else.
const REFUTED: &str = "\
OUR ANSWER IS REFUTED: this submission proves a better one, which was judged right. Judge the other
submissions again; keep this one with the input, and report both.
";

/// What is said of numbers that are not graded.
const UNPROVED: &str = "\
not graded: neither the submission nor our search proves that the number is the best; print what proves it
";

/// Arguments of `validate`.
#[derive(Args)]
#[command(after_help = AFTER_HELP, mut_arg("config", |arg| arg.help(NAMED_CONFIG_HELP)))]
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
    // Said before any submission is read, so that none decides whether the judge is at fault.
    if let Some(puzzle) = key.unjudged() {
        let message = format_args!(
            "{}: the answer to puzzle {puzzle} is undecided, so no submission can be judged",
            printable_path(&args.input)
        );
        return Err(Failure::new(Exit::Data, message));
    }
    let source = stream(io::stdin()).map_err(|error| Failure::new(Exit::Io, error))?;
    let grade = key
        .grade(source, &Cancel::default(), |_| Ok(()))
        .map_err(|error| Failure::new(Exit::Io, format_args!("the submission: {error}")))?;
    let judge = Wording::to_staff(&key.options);
    let alarm = if grade.refuting > 0 { REFUTED } else { "" };
    let open = if grade.not_graded > 0 { UNPROVED } else { "" };
    write(args, "judgemessage.txt", &format!("{alarm}{}\n{open}", judge.line(&grade)))?;
    write(args, "teammessage.txt", &format!("{}\n{open}", judge.without_answers().line(&grade)))?;
    let exit = verdict(&grade, args.score);
    // A score beside a rejection is an error of the judge.
    if args.score && exit == Exit::JudgeAccepted {
        write(args, "score.txt", &format!("{}\n", grade.points))?;
    }
    Ok(exit)
}

/// The verdict for a judge, whatever the submission holds. An answer that proves ours wrong is right. One that is not graded,
/// because neither it nor we prove that it is the best, is not.
fn verdict(grade: &Grade, has_score: bool) -> Exit {
    let earns = has_score && grade.points > Points::default();
    if earns || grade.is_faultless() && grade.not_graded == 0 {
        Exit::JudgeAccepted
    } else {
        Exit::JudgeWrongAnswer
    }
}

fn write(args: &ValidateArgs, name: &str, text: &str) -> Result<(), Failure> {
    let path = Path::new(&args.feedback_dir).join(name);
    fs::write(&path, text).map_err(|error| {
        Failure::new(Exit::CannotCreate, format_args!("{}: cannot write: {error}", printable_path(&path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(accepted: u64, refuting: u64, points: &str) -> Grade {
        let points = serde_json::from_str(points).unwrap();
        Grade { puzzles: 3, accepted, refuting, points, ..Grade::default() }
    }

    #[test]
    fn an_answer_that_refutes_ours_is_right() {
        assert_eq!(verdict(&grade(3, 0, "3"), false), Exit::JudgeAccepted);
        assert_eq!(verdict(&grade(2, 1, "3"), false), Exit::JudgeAccepted);
        assert_eq!(verdict(&grade(0, 3, "3"), true), Exit::JudgeAccepted);
        assert_eq!(verdict(&grade(1, 1, "2"), false), Exit::JudgeWrongAnswer);
        assert_eq!(verdict(&Grade { extra: 1, ..grade(2, 1, "3") }, false), Exit::JudgeWrongAnswer);
    }

    #[test]
    fn what_is_not_graded_is_not_accepted() {
        let grade = |points| Grade { not_graded: 1, ..grade(2, 0, points) };
        assert_eq!(verdict(&grade("2"), false), Exit::JudgeWrongAnswer);
        assert_eq!(
            [verdict(&grade("2"), true), verdict(&grade("0"), true)],
            [Exit::JudgeAccepted, Exit::JudgeWrongAnswer]
        );
    }
}
