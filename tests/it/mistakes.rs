//! Tests the messages about files with mistakes: `tests/mistakes/SOLVER/NAME.entrada.txt` must give `NAME.en.txt` and
//! `NAME.pt.txt`, byte for byte.
//!
//! Each expected file holds the result, or the report if the file is rejected, and below a line `--` what `check`
//! prints about the mistakes. `UPDATE=1` in the environment rewrites the expected files: read each of them like a
//! person who made that mistake. A new file shows a mistake, or a message, that no other file shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabuleiro::config::{
    Config, Overrides, ResolveError, SHIPPED, SHIPPED_ORIGIN, UnroutedFile, read_head, resolve,
};
use tabuleiro_jobs::{
    FileMessages, Job, JobError, JobInfo, MessageStyle, Pool, Reading, Rejection, TextSink,
};
use tabuleiro_puzzles::input::{Directive, Place, Scanner};
use tabuleiro_puzzles::solver::{Cancel, Choice as _, LANGUAGE, Options, Proposal, SOLVERS, Solver, Work};
use tabuleiro_puzzles::words::{Language, Phrase};

use crate::laid_out::laid_out;

/// The name of the files in messages.
const FILE: &str = "entrada.txt";
/// Minimum number of files with mistakes, over all solvers.
const CASES_MIN: usize = 90;
/// Maximum bytes of a line in a message.
const TOLD_BYTES_MAX: usize = 400;

/// The texts that a person gets.
#[derive(Default)]
struct Told {
    /// The result, or the report.
    text: String,
    /// What `check` prints about the mistakes.
    mistakes: String,
}

fn inputs(solver: &dyn Solver) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes").join(solver.id());
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_str().unwrap().ends_with(".entrada.txt"));
    paths.sort();
    paths
}

/// Reads a file up to its options.
fn options(
    scanner: &mut Scanner<'_>,
    solver: &'static dyn Solver,
    language: Language,
) -> Result<(Options, Vec<Directive>), Rejection> {
    let (directives, _) = read_head(scanner, None).map_err(|error| match error {
        JobError::Rejected(rejection) => rejection,
        error => panic!("memory can be read: {error}"),
    })?;
    let file = scanner.name().clone();
    let overrides = Overrides { solver: Some(solver), ..Overrides::default() };
    match resolve(&file, None, &directives, overrides, language) {
        Ok(job) => Ok((job.options, directives)),
        Err(ResolveError::Directive(error)) => Err(Rejection::directive(*error, scanner)),
        Err(error) => panic!("{error}"),
    }
}

/// Returns the advice about another solver that the file is for, by the shipped routes.
fn advice(input: &[u8], directives: &[Directive], solver: &'static dyn Solver) -> Option<Phrase> {
    let config = Config::parse(SHIPPED, SHIPPED_ORIGIN, SOLVERS).unwrap();
    let path = Some(Path::new(FILE));
    let stray = UnroutedFile { path, directives, tried: Some(solver), on_command_line: false };
    config.advise(&stray, || Ok(input))
}

fn told(input: &[u8], solver: &'static dyn Solver, language: Language, pool: &Pool) -> Told {
    let mut scanner = Scanner::new(input, FILE).unwrap();
    let (options, directives) = match options(&mut scanner, solver, language) {
        Ok(found) => found,
        Err(rejection) => return rejected(&rejection, language),
    };
    let language = options.get(LANGUAGE);
    follow_all(input, solver, &options);
    let info = JobInfo { file: FILE, solver, options: &options };
    let mut sink = TextSink::new(Vec::new(), &info);
    let (cancel, progress) = (Cancel::default(), Arc::default());
    let job = Job { solver, options: &options, pool, cancel: &cancel, progress: &progress };
    let advice = || advice(input, &directives, solver);
    let answered = tabuleiro_jobs::answer(&mut scanner, &job, &mut sink);
    let advised = answered.and_then(|mut summary| {
        summary.advise(solver.id(), advice)?;
        Ok(summary)
    });
    match advised {
        Ok(summary) => {
            let text = String::from_utf8(sink.finish(&summary).unwrap()).unwrap();
            let (noun, style) = (solver.info().noun, MessageStyle::of_file(language));
            let mistakes = FileMessages { name: FILE, noun, style }.mistakes(&summary.mistakes);
            Told { text, mistakes: if summary.is_for_another_solver() { String::new() } else { mistakes } }
        }
        Err(JobError::Rejected(rejection)) if rejection.advice().is_some() => rejected(&rejection, language),
        Err(JobError::Rejected(rejection)) => rejected(&rejection.advised(advice()), language),
        Err(error) => panic!("{error}"),
    }
}

fn rejected(rejection: &Rejection, language: Language) -> Told {
    Told { text: rejection.report(FILE, &MessageStyle::of_file(language)), ..Told::default() }
}

/// Panics if a proposal for a puzzle, when followed, does not make it valid. Without a line that belongs to no puzzle, the
/// next puzzle can have a mistake of its own.
fn follow_all(input: &[u8], solver: &'static dyn Solver, options: &Options) {
    let mut scanner = Scanner::new(input, FILE).unwrap();
    let mut reading = Reading::open(solver, options);
    while let Some(entry) = reading.read(&mut scanner).unwrap() {
        if let Work::Invalid(problem) = entry.work
            && let Some(proposal) = &problem.proposal
        {
            let is_stray = problem.rule() == "stray-line";
            // Lines further down can be stray as well.
            let is_mended = |work: &Work| match work {
                Work::Invalid(next) if ["stray-line", "titles"].contains(&next.rule()) => {
                    is_stray && next.place.line > problem.place.line
                }
                Work::Invalid(next) => is_stray && next.recognised,
                work => matches!(work, Work::Solve(_)),
            };
            follow(input, (solver, options), entry.place, (proposal, &is_mended));
        }
    }
}

fn follow(
    input: &[u8],
    (solver, options): (&'static dyn Solver, &Options),
    place: Place,
    (proposal, is_mended): (&Proposal, &dyn Fn(&Work) -> bool),
) {
    let text = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    let mended = proposal.apply(text, 1).expect("the proposal fits the file");
    let mut scanner = Scanner::new(&mended[..], FILE).unwrap();
    let mut reading = Reading::open(solver, options);
    let entry = std::iter::from_fn(|| reading.read(&mut scanner).unwrap())
        .find(|entry| entry.place.line >= place.line);
    // Nothing is left of a last puzzle that was an end marker.
    let is_mended = entry.is_none_or(|entry| is_mended(&entry.work));
    assert!(is_mended, "{proposal:?} does not mend the puzzle at {place}:\n{}", input.escape_ascii());
}

#[test]
fn every_mistake_is_told_to_the_byte() {
    let update = std::env::var_os("UPDATE").is_some();
    let pool = Pool::new(1).unwrap();
    let mut differences = String::new();
    let known = SOLVERS.iter().map(|solver| solver.id()).collect::<Vec<_>>().join(", ");
    for &solver in SOLVERS {
        for path in inputs(solver) {
            println!("{}", path.display());
            let input = fs::read(&path).unwrap();
            for language in [Language::English, Language::Portuguese] {
                let Told { text, mistakes } = told(&input, solver, language, &pool);
                let language = language.word();
                let too_long = text.lines().find(|line| line.len() > TOLD_BYTES_MAX);
                assert_eq!(too_long, None, "{}", path.display());
                // A further solver changes no expected file of another one.
                let text = text.replace(&known, "ALL SOLVERS");
                let told = if mistakes.is_empty() { text } else { format!("{text}--\n{mistakes}") };
                let name = path.file_name().unwrap().to_str().unwrap();
                let expected = path.with_file_name(name.replace(".entrada.txt", &format!(".{language}.txt")));
                if update {
                    fs::write(&expected, &told).unwrap();
                } else if fs::read_to_string(&expected).ok().as_ref() != Some(&told) {
                    differences.push_str(&format!("{}\n{told}\n", expected.display()));
                }
            }
        }
    }
    assert!(differences.is_empty(), "people are told otherwise now:\n{differences}");
}

#[test]
fn every_solver_with_a_layout_has_mistakes() {
    let counts: Vec<_> = laid_out().iter().map(|solver| (solver.id(), inputs(*solver).len())).collect();
    assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
    assert!(counts.iter().map(|(_, count)| count).sum::<usize>() >= CASES_MIN, "{counts:?}");
}
