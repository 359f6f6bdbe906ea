//! `tabuleiro check`: reads files as a job would, without solving anything.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::named_input::{Input, ReadingArgs, named, open};
use super::summary_text::{failure, not_read};
use crate::cli::arguments::printable_path;
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure, print, print_error, style};
use crate::cli::fix::write_fixed;
use crate::config::{Config, ResolvedJob, Routed};
use tabuleiro_jobs::archive::{Archive, Member, is_zip};
use tabuleiro_jobs::{FileMessages, MessageStyle, Mistakes, Reading, Rejection, with_excerpt, wrapped};
use tabuleiro_puzzles::input::{DIRECTIVES_MAX, Place, Scanner};
use tabuleiro_puzzles::solver::{Authority, Entry, Problem, Proposal, Work};
use tabuleiro_puzzles::words::Phrase;

/// Arguments of `check`.
#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    format: CheckFormat,
    /// Write a corrected copy beside the file, and list what was changed
    #[arg(long, conflicts_with = "format")]
    fix: bool,
    /// Files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// For people
    Text,
    /// One array of objects
    Json,
}

/// Checks every file; the worst result decides the exit code. Prints findings to standard output, and the reason why a
/// file cannot be checked to standard error.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let config = args.reading.config.load()?;
    let mut check = Check { args, config: &config, style: style(&io::stdout()), objects: 0, worst: Exit::Ok };
    for path in &args.files {
        let checked = if is_zip(path) { check.archive(path) } else { check.file(path) };
        check.note(&printable_path(path), checked)?;
    }
    if check.is_json() {
        print(if check.objects == 0 { "[]\n" } else { "\n]\n" })?;
    }
    Ok(check.worst)
}

/// A finding in the JSON output.
#[derive(Default, Serialize)]
struct Finding<'a> {
    file: &'a str,
    line: Option<u64>,
    column: Option<u64>,
    kind: &'static str,
    rule: &'static str,
    puzzle: Option<u64>,
    message: String,
    help: Option<String>,
    proposal: Option<&'a Proposal>,
    related: &'a [Place],
}

impl<'a> Finding<'a> {
    fn new(file: &'a str, kind: &'static str, place: Option<Place>, what: (&'static str, String)) -> Self {
        let (line, column) = (place.map(|place| place.line), place.map(|place| place.column));
        let (rule, message) = what;
        Self { file, line, column, kind, rule, message, ..Self::default() }
    }
}

/// The results of reading a file.
#[derive(Default)]
pub struct Findings {
    pub valid: u64,
    pub mistakes: Mistakes,
    /// Whether some part of the file is recognisable as a puzzle of the solver.
    recognised: bool,
    /// Whether the solver accepts a file without puzzles.
    pub allows_empty: bool,
    /// Which other solver the file seems to be written for. Then what this one found is no mistake.
    advice: Option<Phrase>,
}

impl Findings {
    /// Reads the puzzles to the end. Calls `tell` for each mistake with the number of its puzzle and the problem.
    pub fn read(
        scanner: &mut Scanner<'_>,
        job: &ResolvedJob,
        mut tell: impl FnMut(Option<u64>, Box<Problem>) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let mut found = Self::default();
        let mut reader = Reading::open(job.solver, &job.options);
        let name = Arc::clone(scanner.name());
        loop {
            match reader.read(scanner) {
                Ok(Some(Entry { work, .. })) => {
                    let mistake = match work {
                        Work::Invalid(problem) => Some(problem),
                        Work::Solve(puzzle) => {
                            puzzle.mistake().map(|problem| Box::new(with_excerpt(problem, scanner)))
                        }
                        Work::Settled(_) => None,
                    };
                    let Some(problem) = mistake else {
                        (found.valid, found.recognised) = (found.valid + 1, true);
                        continue;
                    };
                    found.recognised |= problem.recognised;
                    let (puzzle, _) = found.mistakes.add(found.valid, &problem);
                    tell(puzzle, problem)?;
                }
                Ok(None) => break,
                Err(error) => return Err(Failure::read(&name, &error)),
            }
        }
        found.allows_empty = reader.allows_empty();
        Ok(found)
    }
}

/// Opens a file that is read without its wrong directives, which are returned. Calls `tell` for each failure that
/// reports some of them. Returns `None` if the file has no solver without its directives.
fn open_without_wrong_directives(
    path: Option<&Path>,
    (config, reading): (&Config, &ReadingArgs),
    mut tell: impl FnMut(&str, Failure) -> Result<(), Failure>,
) -> Result<Option<(Input, ResolvedJob, Vec<Problem>)>, Failure> {
    let (mut input, mut directives) = (Input::open(path)?, Vec::<Problem>::new());
    loop {
        let failure = match input.resolve(config, reading, false) {
            Ok(mut job) => {
                // The puzzles are read with the options that were meant.
                for problem in &mut directives {
                    if let Some(Proposal::ReplaceLines { lines, .. }) = problem.proposal.as_deref()
                        && let Some(line) = lines.first()
                        && let Some((key, value)) = line.trim_start_matches("#:").split_once('=')
                        && job.options.set(key.trim(), value.trim(), Authority::Directive).is_err()
                    {
                        problem.proposal = None;
                    }
                }
                directives.sort_by_key(|problem| problem.place.line);
                return Ok(Some((input, job, directives)));
            }
            Err(failure) => failure,
        };
        let is_new = |problem: &Problem| {
            path.is_some() && directives.iter().all(|other| other.place.line != problem.place.line)
        };
        match failure.rejection.as_deref() {
            Some(Rejection::Directive(problem)) if directives.len() < DIRECTIVES_MAX && is_new(problem) => {
                directives.extend(problem.chain().cloned());
            }
            _ if directives.is_empty() => return Err(failure),
            _ => return Ok(None),
        }
        tell(&input.name, failure)?;
        let lines = directives.iter().map(|problem| problem.place.line).collect();
        input = Input::open_without(path, lines)?;
    }
}

/// Reports on standard error why a file with wrong directives is rejected, and what is wrong with its puzzles.
///
/// # Errors
/// Returns the failure if it is another one.
pub fn tell_rejected(path: &Path, config: &Config, reading: &ReadingArgs) -> Result<Exit, Failure> {
    let opened = open_without_wrong_directives(Some(path), (config, reading), |_, failure| {
        failure.tell();
        Ok(())
    })?;
    let Some((mut input, job, _)) = opened else { return Ok(Exit::Data) };
    let found = Findings::read(&mut input.scanner, &job, |_, _| Ok(()))?;
    let mistakes = &found.mistakes;
    let is_its = mistakes.count > 0
        && !(mistakes.allow_another_solver() && input.advice(config, Some(job.solver)).is_some());
    if is_its {
        let noun = job.solver.info().noun;
        let messages = FileMessages { name: &input.name, noun, style: style(&io::stderr()) };
        print_error(messages.mistakes(mistakes).trim_end());
    }
    Ok(Exit::Data)
}

/// The state of the command while it checks files.
struct Check<'a> {
    args: &'a CheckArgs,
    config: &'a Config,
    style: MessageStyle,
    /// The number of JSON objects printed so far.
    objects: u64,
    worst: Exit,
}

impl Check<'_> {
    fn is_json(&self) -> bool {
        self.args.format == CheckFormat::Json
    }

    /// Records the result of a file, and prints why it was not checked if it failed.
    fn note(&mut self, name: &str, checked: Result<Exit, Failure>) -> Result<(), Failure> {
        let exit = match checked {
            Ok(exit) => exit,
            Err(failure) => {
                match &failure.rejection {
                    Some(rejection) => self.rejected(name, rejection)?,
                    None => failure.tell(),
                }
                failure.exit
            }
        };
        self.worst = self.worst.worse(exit);
        Ok(())
    }

    fn rejected(&mut self, name: &str, rejection: &Rejection) -> Result<(), Failure> {
        if self.is_json() {
            let problem = rejection.problem();
            if let Rejection::Directive(problem) = rejection {
                return self.objects_of((name, "rejected", None), problem);
            }
            let what = (rejection.rule(), rejection.say(self.style.language));
            let finding = Finding::new(name, "rejected", problem.map(|problem| problem.place), what);
            return self.object(&finding);
        }
        if let Rejection::Directive(problem) = rejection {
            return print(&FileMessages { name, noun: "", style: self.style }.problem(None, problem));
        }
        // The routes would be listed again for each member of an archive.
        if let Rejection::NoRoute { .. } = rejection {
            return print(&rejection.message(name, &self.style));
        }
        print(&rejection.report(name, &self.style))
    }

    /// Prints a problem, and what else is wrong with the same puzzle.
    fn objects_of(
        &mut self,
        (name, kind, puzzle): (&str, &'static str, Option<u64>),
        problem: &Problem,
    ) -> Result<(), Failure> {
        let language = self.style.language;
        let mut problems = problem.chain();
        problems.try_for_each(|problem| {
            let what = (problem.rule(), problem.what.say(language));
            self.object(&Finding {
                puzzle,
                help: problem.help(language),
                proposal: problem.proposal.as_deref(),
                related: &problem.related,
                ..Finding::new(name, kind, Some(problem.place), what)
            })
        })
    }

    fn object(&mut self, finding: &Finding<'_>) -> Result<(), Failure> {
        let begin = if self.objects == 0 { "[\n" } else { ",\n" };
        self.objects += 1;
        // A finding holds only text and numbers, which can always be serialised.
        print(&format!("{begin}{}", serde_json::to_string(finding).unwrap_or_default()))
    }

    fn file(&mut self, path: &Path) -> Result<Exit, Failure> {
        let path = named(Some(path));
        if self.args.fix && path.is_none() {
            return Err(Failure::of(Exit::Usage, CliMessage::FixNeedsFile));
        }
        let (config, reading) = (self.config, &self.args.reading);
        let opened = open_without_wrong_directives(path, (config, reading), |name, failure| {
            self.note(name, Err(failure))
        })?;
        let Some((mut input, job, directives)) = opened else { return Ok(Exit::Data) };
        let mut found = self.read(&mut input.scanner, &job)?;
        if found.mistakes.allow_another_solver() {
            found.advice = input.advice(self.config, Some(job.solver));
        }
        // What this solver found may be right for another one.
        let fixed = path.filter(|_| self.args.fix && found.advice.is_none());
        if found.advice.is_some() {
            found.mistakes.fixable = 0;
        }
        found.mistakes.add_lines(&directives);
        let is_fixable = found.mistakes.fixable > 0;
        if fixed.is_some() {
            // The lines below the count say what was fixed.
            found.mistakes.fixable = 0;
        }
        let (exit, warnings) = self.tell(&mut input.scanner, &job, found)?;
        if let Some(path) = fixed {
            let written = if is_fixable { write_fixed(path, &job, &directives, &self.style)? } else { None };
            let name = printable_path(path);
            let unchanged = match exit {
                Exit::Ok => CliMessage::FixNone { name, warnings },
                _ => CliMessage::FixNothing { name },
            };
            print(&written.unwrap_or_else(|| wrapped(&self.style.say(unchanged), self.style.columns)))?;
        }
        Ok(exit)
    }

    /// Reads the puzzles to the end, and prints the JSON objects of their mistakes.
    fn read(&mut self, scanner: &mut Scanner<'_>, job: &ResolvedJob) -> Result<Findings, Failure> {
        let name = Arc::clone(scanner.name());
        Findings::read(scanner, job, |puzzle, problem| {
            if self.is_json() { self.objects_of((&name, "invalid", puzzle), &problem) } else { Ok(()) }
        })
    }

    /// Prints the findings, beginning with the advice on which solver the file is for. Returns how many warnings there are.
    fn tell(
        &mut self,
        scanner: &mut Scanner<'_>,
        job: &ResolvedJob,
        found: Findings,
    ) -> Result<(Exit, u64), Failure> {
        let name = Arc::clone(scanner.name());
        let Findings { valid, mut mistakes, recognised, allows_empty, advice, .. } = found;
        let is_for_another = advice.is_some();
        let (mut warnings, dropped) = scanner.take_warnings();
        // The mistake of counted moves says what the warning says.
        let is_counted = |line: u64| {
            let rules = ["counted-moves", "moves-count"];
            let is_its = |problem: &Problem| problem.place.line == line && rules.contains(&problem.rule());
            mistakes.shown.iter().any(|(_, problem)| is_its(problem))
        };
        warnings.retain(|warning| warning.what.name != "mixed-moves" || !is_counted(warning.place.line));
        let ignored = scanner.take_ignored();
        let info = job.solver.info();
        let messages = FileMessages { name: &name, noun: info.noun, style: self.style };
        let is_complete = recognised || (mistakes.count == 0 && allows_empty);
        let is_well = mistakes.count == 0 && is_complete && ignored.is_none();
        let told = (if is_well { Exit::Ok } else { Exit::Data }, warnings.len() as u64);
        let rejection = Rejection::no_puzzle(info.id, mistakes.count, None, scanner);
        if self.is_json() {
            let say = |what: &Phrase| (what.name, what.say(self.style.language));
            let place = Place { line: 1, column: 1 };
            let advice = advice.iter().map(|advice| ("warning", place, say(advice)));
            let warnings = warnings.iter().map(|warning| ("warning", warning.place, say(&warning.what)));
            let ignored = ignored.iter().map(|ignored| ("ignored", ignored.place, say(&ignored.what)));
            let findings: Vec<_> = advice.chain(warnings).chain(ignored).collect();
            for (kind, place, what) in findings {
                self.object(&Finding::new(&name, kind, Some(place), what))?;
            }
            if !is_complete {
                self.rejected(&name, &rejection)?;
            }
            return Ok(told);
        }
        let mut text = advice.map(|advice| messages.line(advice)).unwrap_or_default();
        let is_explained = !scanner.looks_binary
            && mistakes.shown.iter().any(|(_, problem)| Rejection::is_explained(problem));
        let doubtful = mistakes.doubtful(&warnings);
        if is_for_another {
            mistakes.puzzles = mistakes.entries;
        } else {
            text.push_str(&messages.mistakes(&mistakes));
            text.push_str(&messages.warnings(&warnings, dropped));
            text.extend(ignored.as_ref().map(|ignored| messages.ignored(ignored)));
        }
        // In a file for another solver, the count of what this one could not read says nothing. Nor does the count of
        // puzzles that solving would reject.
        let has_counts = if is_for_another {
            valid > doubtful
        } else {
            valid + mistakes.puzzles > 0 || mistakes.count == 0
        };
        if !is_for_another && !is_complete && !is_explained {
            let is_told = mistakes.count > 0;
            let message = if is_told { String::new() } else { rejection.message(&name, &self.style) };
            text.push_str(&(message + &rejection.help_text(&self.style)));
        } else if has_counts {
            let ignored = ignored.as_ref().map_or(0, |ignored| ignored.lines);
            let (solver, invalid) = (info.id.to_owned(), mistakes.puzzles);
            let name = name.to_string();
            let counts = self.style.say(CliMessage::Checked { name, solver, valid, invalid, ignored });
            text.push_str(&wrapped(&counts, self.style.columns));
        }
        text.extend(messages.count(&mistakes).filter(|_| !is_for_another));
        print(&text)?;
        Ok(told)
    }

    /// Checks the members of an archive, each with its own path, as `solve` reads them.
    fn archive(&mut self, path: &Path) -> Result<Exit, Failure> {
        self.args.reading.refuse_choices()?;
        if self.args.fix {
            return Err(Failure::of(Exit::Usage, CliMessage::FixNeedsFile));
        }
        let name = printable_path(path);
        let archive = Archive::open(open(path, &name)?).map_err(|error| not_read(&name, error))?;
        if archive.members().is_empty() {
            return Err(Failure::of(Exit::Data, CliMessage::EmptyArchive { name }));
        }
        let folder = Path::new(path.file_name().unwrap_or_default()).with_extension("");
        for member in archive.members() {
            let name = format!("{name}/{}", member.printable_path());
            let below = folder.join(member.path());
            let checked = self.member(&archive, member, &name, &below);
            self.note(&name, checked)?;
        }
        Ok(Exit::Ok)
    }

    /// Checks a member by its path below the inbox.
    fn member(
        &mut self,
        archive: &Archive<File>,
        member: &Member,
        name: &str,
        below: &Path,
    ) -> Result<Exit, Failure> {
        archive.check(member).map_err(|error| not_read(name, error))?;
        let route = self.config.route(below).map(Arc::as_ref);
        if let Some(route) = route.filter(|route| route.grade.is_some()) {
            let graded = CliMessage::Graded { name: name.to_owned(), route: route.name.clone() };
            if !self.is_json() {
                print(&wrapped(&self.style.say(graded), self.style.columns))?;
            }
            return Ok(Exit::Ok);
        }
        let read = || archive.read(member).map_err(io::Error::other);
        let source = BufReader::new(archive.read(member).map_err(|error| not_read(name, error))?);
        let mut scanner = Scanner::new(source, name).map_err(|error| Failure::read(name, &error))?;
        let routed = Routed { config: self.config, path: below, route, open: read };
        let (job, directives) = routed.resolve(&mut scanner).map_err(|error| failure(error, name))?;
        let mut found = self.read(&mut scanner, &job)?;
        if found.mistakes.allow_another_solver() {
            found.advice = routed.advice(&directives, Some(job.solver));
        }
        Ok(self.tell(&mut scanner, &job, found)?.0)
    }
}
