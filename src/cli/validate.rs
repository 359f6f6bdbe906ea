//! `tabuleiro validate` and `validate-input`: validators for problem packages of ICPC and Kattis.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;

use super::named_input::ReadingArgs;
use super::output::stream;
use super::solved_reference::Reference;
use crate::cli::arguments::{NAMED_CONFIG_HELP, SolverId, key_value, printable_path};
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure, print};
use tabuleiro_jobs::Reading;
use tabuleiro_jobs::grading::{Grade, Points, Wording, read_reference};
use tabuleiro_jobs::page::picture_of;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Cancel, Mark, Options, Solver, Work, options_from};
use tabuleiro_puzzles::words::Language;

/// The first lines of the judge's message if a submission refutes our answer.
const REFUTED: &str = "\
OUR ANSWER IS REFUTED: this submission proves a better one, which was judged right. Judge the other
submissions again; keep this one with the input, and report both.
";

/// The message about numbers that are not graded.
const UNPROVED: &str = "\
not graded: neither the submission nor our search proves that the number is the best; print what proves it
";

/// Arguments of `validate`.
#[derive(Args)]
#[command(mut_arg("config", |arg| arg.help(NAMED_CONFIG_HELP)))]
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

/// Compares standard input with the proved answers to the input.
pub fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    let key = Reference::open(&args.input, &args.reading, Some(("picture", "true")))?.solve()?;
    // Checked before the submission is read, so that no submission can influence the result.
    if let Some(puzzle) = key.unjudged() {
        let message = CliMessage::UndecidedPuzzle { name: printable_path(&args.input), puzzle };
        return Err(Failure::of(Exit::Data, message));
    }
    let source = stream(io::stdin()).map_err(|error| Failure::new(Exit::Io, error))?;
    let judge = Wording::to_staff(&key.options);
    let mut images = None;
    let grade = key.grade(source, &Cancel::default(), |graded| {
        if images.is_none() && !matches!(graded.finding.mark, Mark::Accepted | Mark::NotGraded) {
            images = Some([judge, judge.without_answers()].map(|wording| picture_of(&key, wording, graded)));
        }
        Ok(())
    });
    let grade = grade.map_err(|error| Failure::new(Exit::Io, format_args!("the submission: {error}")))?;
    let alarm = if grade.refuting > 0 { REFUTED } else { "" };
    let open = if grade.not_graded > 0 { UNPROVED } else { "" };
    write(args, "judgemessage.txt", &format!("{alarm}{}\n{open}", judge.line(&grade)))?;
    write(args, "teammessage.txt", &format!("{}\n{open}", judge.without_answers().line(&grade)))?;
    for (name, image) in ["judgeimage.svg", "teamimage.svg"].iter().zip(images.iter().flatten().flatten()) {
        write(args, name, image)?;
    }
    let exit = verdict(&grade, args.score);
    // The judge treats a score with a rejection as an error.
    if args.score && exit == Exit::JudgeAccepted {
        write(args, "score.txt", &format!("{}\n", grade.points))?;
    }
    Ok(exit)
}

/// Returns the verdict for a judge. An answer that proves ours wrong is right. An answer that is not graded, because
/// neither the submission nor our search proves that it is the best, is not accepted.
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
    fs::write(&path, text).map_err(|error| Failure::create(&path, &error))
}

/// Arguments of `validate-input`.
#[derive(Args)]
pub struct ValidateInputArgs {
    /// Solver whose puzzles it must hold
    #[arg(value_name = "ID", value_parser = SolverId)]
    solver: &'static dyn Solver,
    /// Set an option of the solver
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    sets: Vec<(String, String)>,
}

/// Checks whether standard input is a test case: exit code 42, or 43 with the reason.
pub fn run_input(args: &ValidateInputArgs) -> Result<Exit, Failure> {
    let options = options_from(args.solver, &args.sets).map_err(Failure::set)?;
    let text = stream(io::stdin()).and_then(read_reference).map_err(|error| Failure::new(Exit::Io, error))?;
    match well_formed(&text, args.solver, &options) {
        Ok(()) => Ok(Exit::JudgeAccepted),
        Err(why) => print(&format!("{why}\n")).map(|()| Exit::JudgeWrongAnswer),
    }
}

/// Checks that a test case holds only valid puzzles in the form in which `Display` writes them, since students'
/// programs may rely on it.
///
/// # Errors
/// Returns the first part that is not well-formed.
pub fn well_formed(text: &[u8], solver: &'static dyn Solver, options: &Options) -> Result<(), String> {
    let name = "input";
    let cannot_read = |error: io::Error| error.to_string();
    let mut scanner = Scanner::new(text, name).map_err(cannot_read)?;
    let (mut reading, mut puzzles) = (Reading::open(solver, options), Vec::new());
    while let Some(entry) = reading.read(&mut scanner).map_err(cannot_read)? {
        let line = entry.place.line;
        match entry.work {
            Work::Solve(puzzle) => puzzles.push((line as usize - 1, puzzle.to_string())),
            Work::Invalid(problem) => {
                return Err(format!("line {}: {}", problem.place.line, problem.say(Language::English)));
            }
            Work::Settled(_) => return Err(format!("line {line}: a limit does not allow for the puzzle")),
        }
    }
    if let Some(warning) = scanner.take_warnings().0.first() {
        return Err(format!("line {}: {}", warning.place.line, warning.what));
    }
    if let Some(ignored) = scanner.take_ignored() {
        return Err(format!("line {}: {}", ignored.place.line, ignored.what));
    }
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let Some(text) = text.strip_suffix('\n') else { return Err("the last line has no end".to_owned()) };
    let lines: Vec<_> = text.split('\n').collect();
    let begins: Vec<_> = puzzles.iter().map(|(line, _)| *line).collect();
    // Only the number of puzzles may come before them.
    let head = &lines[..begins.first().copied().unwrap_or(lines.len())];
    if puzzles.is_empty() || !head.is_empty() && head != [puzzles.len().to_string()] {
        return Err("line 1: no puzzle begins here".to_owned());
    }
    let ends = begins.iter().skip(1).copied().chain([lines.len()]);
    for ((begin, displayed), end) in puzzles.iter().zip(ends) {
        let displayed: Vec<_> = displayed.trim_end().split('\n').collect();
        // `Display` writes a whole file with one puzzle, so its first and last lines may be missing here.
        if !displayed.windows(end - begin).any(|part| part == &lines[*begin..end]) {
            return Err(format!("line {}: the puzzle is not written as in {displayed:?}", begin + 1));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::solver::{Random, SOLVERS, default_options};

    fn grade(accepted: u64, refuting: u64, points: &str) -> Grade {
        let points = serde_json::from_str(points).unwrap();
        Grade { puzzles: 3, accepted, refuting, points, ..Grade::default() }
    }

    #[test]
    fn what_the_generators_write_is_well_formed_and_little_else_is() {
        for solver in SOLVERS {
            let (mut file, options) = (Vec::new(), Options::defaults(&[solver.generator_options()]));
            solver.generate(&options, 3, &mut Random::new(1), &mut file).unwrap();
            let options = default_options(*solver);
            let check = |text: &[u8]| well_formed(text, *solver, &options);
            assert_eq!(check(&file), Ok(()), "{}", solver.id());
            for at in 0..file.len() {
                let is_digit = |at: usize| file.get(at).is_some_and(u8::is_ascii_digit);
                let begins_number = is_digit(at) && (at == 0 || !is_digit(at - 1));
                let zero = begins_number.then_some(&b"0"[..]);
                for change in [&b" "[..], b"\n", b"\r", b"+", b"x"].into_iter().chain(zero) {
                    let changed = [&file[..at], change, &file[at..]].concat();
                    assert!(check(&changed).is_err(), "{}: {}", solver.id(), changed.escape_ascii());
                }
            }
            for text in [
                &b""[..],
                b"\n",
                b"0 0\n",
                &[b"# a comment\n", &file[..]].concat(),
                &[&file[..], b"\n"].concat(),
            ] {
                assert!(check(text).is_err(), "{}: {:?}", solver.id(), String::from_utf8_lossy(text));
            }
        }
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
