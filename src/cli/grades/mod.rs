//! `tabuleiro grades`: makes the class list from the grades below a folder of the outbox.

// Formats of the list.
mod formats;
// A grade in a file.
mod nota;

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use self::nota::{Nota, read};
use super::files::{DEPTH_MAX, keep, visit_below};
use super::students::{Listed, Students};
use crate::cli::arguments::{ConfigArgs, printable_path};
use crate::cli::cli_messages::{CliMessage, say};
use crate::cli::failure::{Exit, Failure, print, print_error, warn};
use tabuleiro_jobs::grading::class::{Folder, Left, Nothing};
use tabuleiro_jobs::naming::is_grade_json;

pub use self::formats::Worksheet;

/// Arguments of `grades`.
#[derive(Args)]
pub struct GradesArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// A CSV list of the students: who handed in nothing is listed, too
    #[arg(long, value_name = "LIST")]
    students: Option<PathBuf>,
    /// The outbox, or a folder in it
    folder: PathBuf,
    /// How the list is written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Which of a student's submissions counts
    #[arg(long, value_enum, default_value_t = Take::Best)]
    take: Take,
    /// Count submissions after the deadline and beyond the attempts as well
    #[arg(long)]
    all: bool,
}

/// A format of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    #[value(help = "One row per student and exercise, for spreadsheets and programs")]
    Csv,
    #[value(help = "Moodle's offline grading worksheet")]
    Moodle,
}

/// Prints the list. Reports grades that cannot be listed, and lists the others.
pub fn run(args: &GradesArgs) -> Result<Exit, Failure> {
    let folder = printable_path(&args.folder);
    if !args.folder.is_dir() {
        return Err(Failure::open(&folder, &std::io::ErrorKind::NotFound.into()));
    }
    let students = args.students.as_deref().map(Students::read).transpose()?;
    let (files, tree) = find(&args.folder)?;
    if files.is_empty() {
        return Err(Failure::of(Exit::NoInput, CliMessage::NoGrades { folder }));
    }
    let mut messages = Vec::new();
    let mut notas: Vec<_> = files
        .iter()
        .filter_map(|path| {
            let no_grade = |reason| messages.push(format!("{}: no grade: {reason}", printable_path(path)));
            read(path).map_err(no_grade).ok()
        })
        .collect();
    let exercise = only_exercise(&notas).to_owned();
    // List a folder without a grade if its student has no grade elsewhere.
    for (path, left) in tree.lacking() {
        let why = Nothing::NoGrade { names: left.names() }.sentence().to_string();
        notas.push(Nota::nothing(&exercise, &format!("{folder}/{path}"), why));
    }
    if let Some(mut students) = students {
        for nota in &notas {
            let names = [nota.student.as_str(), nota.id.as_deref().unwrap_or_default()];
            if let Some(why) = students.note(&nota.submission, &names) {
                print_error(&format!("tabuleiro: {} ({}): {}", nota.student, nota.exercise, say(why)));
            }
        }
        let absent =
            |listed: &Listed| Nota::nothing(&exercise, &listed.name, Nothing::Absent.sentence().to_string());
        notas.extend(students.absent().map(absent));
    }
    for nota in notas.iter().filter(|nota| nota.grade.points.is_none()) {
        print_error(&format!("tabuleiro: {}: {}", nota.submission, nota.grade.text));
    }
    let rows = class_list(notas, args, &mut messages);
    for row in rows.iter().filter(|row| row.is_mixed) {
        let (student, exercise) = (row.taken.student.clone(), row.taken.exercise.clone());
        warn(CliMessage::Mixed { student, exercise });
    }
    let text = match args.format {
        Format::Table => Ok(formats::table(&rows)),
        Format::Csv => Ok(formats::csv(&rows)),
        Format::Moodle => formats::worksheet(&rows, args.config.load()?.results.language, &mut messages),
    };
    for line in &messages {
        print_error(&format!("tabuleiro: {line}"));
    }
    print(&text?)?;
    Ok(if messages.is_empty() { Exit::Ok } else { Exit::Data })
}

/// Returns the files below a folder of the outbox that may hold a grade, and the folders that hold such files or
/// reports.
fn find(folder: &Path) -> Result<(Vec<PathBuf>, Folder), Failure> {
    let (mut files, mut tree) = (Vec::new(), Folder::default());
    visit_below(folder, DEPTH_MAX, &mut |path, kind| {
        let Some(name) = path.file_name().filter(|_| kind.is_file()) else { return Ok(()) };
        let below = path.parent().and_then(|above| above.strip_prefix(folder).ok()).map(printable_path);
        let below = below.unwrap_or_default();
        if is_grade_json(name) {
            tree.add_graded(&below);
            return keep(&mut files, path, folder);
        }
        let name = printable_path(Path::new(name));
        // A report, or the results of a student's archive.
        let lower = name.to_lowercase();
        let ending = lower.rsplit_once('.').map_or("", |(_, ending)| ending);
        if ending == "txt" && lower.contains("erro") || ending == "zip" && !below.is_empty() {
            tree.add_left(&below, Left { name, why: None });
        }
        Ok(())
    })?;
    Ok((files, tree))
}

/// Returns the exercise of all grades, or an empty string if there are several exercises.
fn only_exercise(notas: &[Nota]) -> &str {
    let first = notas.first().map_or("", |nota| nota.exercise.as_str());
    if notas.iter().all(|nota| nota.exercise == first) { first } else { "" }
}

/// Which of several submissions counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Take {
    /// The one with the most points; of several, the last
    Best,
    /// The one that was changed last
    Last,
}

/// The grades of one student in one exercise.
pub struct Row {
    /// The grade that counts or, if none counts, the one to show.
    pub taken: Nota,
    /// Whether the grade counts: it is neither late nor beyond the attempts, or such grades count as well.
    pub counts: bool,
    /// The number of graded submissions; 0 if there was nothing to grade.
    pub submissions: u64,
    /// The number of the student's attempts, as far as the grades show it.
    pub attempts: u64,
    /// Whether the student is unknown and the row combines files with different names.
    pub is_mixed: bool,
}

/// Returns the rows, ordered by exercise and student. With `--all`, submissions that are late or beyond the attempts
/// count as well. If a student's last submission cannot be determined, adds a message to `messages` instead of a row.
fn class_list(notas: Vec<Nota>, args: &GradesArgs, messages: &mut Vec<String>) -> Vec<Row> {
    let mut students: BTreeMap<_, Vec<Nota>> = BTreeMap::new();
    for nota in notas {
        // An ID identifies a student; two students can have the same name.
        let name = nota.id.is_none().then(|| nota.student.clone());
        students.entry((nota.exercise.clone(), nota.id.clone(), name)).or_default().push(nota);
    }
    let rows = students.into_values().filter_map(|notas| {
        let (student, exercise) = (notas[0].student.clone(), notas[0].exercise.clone());
        let row = row(notas, args.take, args.all);
        if row.is_none() {
            messages.push(say(CliMessage::Unclear { student, exercise }));
        }
        row
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_cached_key(|row| (row.taken.exercise.clone(), row.taken.student.clone()));
    rows
}

/// Returns the row for the grades of one student; `None` if it is unclear which grade counts.
fn row(notas: Vec<Nota>, take: Take, all: bool) -> Option<Row> {
    let mut notas = without_superseded(notas);
    // A submission without a grade matters only if the student has no graded one.
    let submissions = notas.iter().filter(|nota| nota.grade.points.is_some()).count() as u64;
    notas.retain(|nota| submissions == 0 || nota.grade.points.is_some());
    let attempts = notas.iter().map(|nota| nota.attempt).max().unwrap_or_default().max(submissions);
    let is_other = |nota: &Nota| nota.submission != notas[0].submission;
    let is_mixed = notas.iter().any(|nota| nota.name.is_none() && nota.id.is_none() && is_other(nota));
    let counts = all || notas.iter().any(Nota::counts);
    let mut left: Vec<_> = notas.into_iter().filter(|nota| all || !counts || nota.counts()).collect();
    left.sort_by(|one, other| take.order(one, other));
    let taken = left.pop()?;
    let is_unclear = |other: &Nota| {
        let is_later = taken.time().is_some() && other.time().is_some() && take.order(other, &taken).is_lt();
        !is_later && (other.grade.points, &other.grade.verdict) != (taken.grade.points, &taken.grade.verdict)
    };
    if take == Take::Last && left.iter().any(is_unclear) {
        return None;
    }
    Some(Row { taken, counts, submissions, attempts, is_mixed })
}

/// Removes grades whose content was graded again later.
fn without_superseded(notas: Vec<Nota>) -> Vec<Nota> {
    let mut newest: HashMap<String, Option<String>> = HashMap::new();
    for nota in &notas {
        if let Some(sha256) = &nota.sha256 {
            let job = newest.entry(sha256.clone()).or_default();
            *job = nota.job.clone().max(job.take());
        }
    }
    let is_newest = |nota: &Nota| nota.sha256.as_ref().is_none_or(|sha256| newest[sha256] == nota.job);
    notas.into_iter().filter(is_newest).collect()
}

impl Take {
    /// Compares two grades; the greater one counts.
    fn order(self, one: &Nota, other: &Nota) -> Ordering {
        let time = (one.time(), &one.job).cmp(&(other.time(), &other.job));
        match self {
            Self::Best => one.grade.points.cmp(&other.grade.points).then(time),
            Self::Last => time,
        }
    }
}
