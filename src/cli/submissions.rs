//! What `grade` grades: the named files, and the submissions in the named folders and archives.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use super::files::{DEPTH_MAX, keep, visit_below};
use super::output::stream;
use super::summary_text::not_read;
use crate::cli::arguments::printable_path;
use crate::cli::failure::{Exit, Failure};
use tabuleiro_jobs::archive::{Archive, ArchiveError, Refusal, is_archive, is_zip};
use tabuleiro_jobs::grading::class::{Folder, Left, Unread, place};
use tabuleiro_puzzles::input::{printable, unaccented};
use tabuleiro_puzzles::words::Phrase;

/// What a submission should be called.
const WANTED: &str = "saida.txt";
/// The word that the name of a submission contains.
const WORD: &str = "saida";

/// The submissions, in order, including folders that contain nothing to grade.
pub struct Submissions {
    pub all: Vec<Submission>,
    /// The worst exit code of the problems that were printed during the search.
    pub worst: Exit,
}

/// The output of a student's program, or a folder without one.
pub struct Submission {
    /// Its printable path.
    pub name: String,
    pub source: Source,
}

/// Where the content of a submission comes from.
pub enum Source {
    /// A file; `-` is standard input.
    File(PathBuf),
    /// A member of an archive, by its number.
    Member { archive: Rc<Archive<File>>, index: usize },
    /// A shell command and its standard input.
    Program { command: String, input: Arc<Vec<u8>> },
    /// Nothing can be graded, for this reason.
    Nothing(Phrase),
}

/// A folder or an archive of submissions while it is searched.
struct Class {
    /// What messages call the class.
    name: String,
    tree: Folder,
    candidates: Vec<Candidate>,
    /// The members that are not read: path, student's folder, reason.
    refused: Vec<(String, String, Refusal)>,
}

/// A file that may be a submission.
struct Candidate {
    /// Its printable path in the class.
    path: String,
    /// The student's folder that contains it.
    folder: String,
    /// Its name in that folder.
    file: String,
    rank: Rank,
    /// Where the content is; `None` if the file is refused.
    source: Option<Source>,
}

/// How strongly the name of a file suggests that it is a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// It contains the word and ends in `.txt`.
    Output,
    /// It contains the word and has another ending or none: `saida`, `saida.out`.
    Bare,
    /// It ends in `.txt`.
    Text,
}

impl Submissions {
    /// Finds the submissions. Prints what is wrong with an archive or one of its members, and still adds the others.
    ///
    /// # Errors
    /// Exit code 74 if a folder cannot be read, 64 if it holds too many files or is too deep.
    pub fn find(named: &[PathBuf]) -> Result<Self, Failure> {
        let mut found = Self { all: Vec::new(), worst: Exit::Ok };
        for path in named {
            if path.is_dir() {
                found.add_folder(path)?;
            } else if is_zip(path) {
                found.add_archive(path);
            } else {
                found.add_file(path);
            }
        }
        Ok(found)
    }

    /// Returns the number of submissions that can be graded.
    pub fn count(&self) -> usize {
        self.all.iter().filter(|submission| submission.nothing().is_none()).count()
    }

    fn add_file(&mut self, path: &Path) {
        let name = if path.as_os_str() == "-" { "<stdin>".to_owned() } else { printable_path(path) };
        self.all.push(Submission { name, source: Source::File(path.to_owned()) });
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let mut class = Class::new(printable_path(folder));
        visit_below(folder, DEPTH_MAX, &mut |path, kind| {
            let below = printable_path(path.strip_prefix(folder).unwrap_or(&path));
            if kind.is_dir() {
                class.tree.add_folder(&below);
            } else if kind.is_symlink() {
                let (folder, name) = place(&below);
                class.tree.add_left(&folder, Left { name, why: Some(Unread::Link.into()) });
            } else if let Some(candidate) = class.add(&below, Source::File(path)) {
                keep(&mut class.candidates, candidate, folder)?;
            }
            Ok(())
        })?;
        self.choose(class);
        Ok(())
    }

    fn add_archive(&mut self, path: &Path) {
        let Ok(file) = File::open(path) else {
            // Grading reports it like any other file that cannot be opened.
            return self.add_file(path);
        };
        let name = printable_path(path);
        let archive = match Archive::open(file) {
            Ok(archive) => Rc::new(archive),
            Err(error) => {
                self.worst = self.worst.max(print_reason(&name, error));
                return;
            }
        };
        let mut class = Class::new(name);
        for folder in archive.folders() {
            class.tree.add_folder(&printable(folder.as_bytes(), usize::MAX));
        }
        for (index, member) in archive.members().iter().enumerate() {
            let path = member.printable_path();
            let Some(refusal) = member.refusal() else {
                let source = Source::Member { archive: Rc::clone(&archive), index };
                let candidate = class.add(&path, source);
                class.candidates.extend(candidate);
                continue;
            };
            class.refuse(&path, member.is_placed(), refusal);
        }
        self.choose(class);
    }

    /// Adds the submissions of a class, and the folders in which nothing can be graded. Prints why a member is not
    /// read, unless the line of its folder says so.
    fn choose(&mut self, class: Class) {
        let Class { name, mut tree, candidates, refused } = class;
        let begin = self.all.len();
        let chosen = chosen(&candidates);
        for (candidate, is_chosen) in candidates.into_iter().zip(chosen) {
            let Candidate { path, folder, file, source, .. } = candidate;
            // A refused file is in the tree already.
            let Some(source) = source else { continue };
            if is_chosen {
                tree.add_graded(&folder);
                self.all.push(Submission { name: format!("{name}/{path}"), source });
            } else {
                tree.add_left(&folder, Left { name: file, why: None });
            }
        }
        if self.all.len() == begin {
            self.worst = self.worst.max(Exit::NoInput);
        }
        let lacking = tree.lacking();
        for (path, folder, refusal) in refused {
            let is_below = |lacking: &str| {
                folder.strip_prefix(lacking).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            self.worst = self.worst.max(Exit::Data);
            if !lacking.iter().any(|(lacking, _)| !lacking.is_empty() && is_below(lacking)) {
                print_reason(&format!("{name}/{path}"), refusal.into());
            }
        }
        for (path, folder) in lacking {
            self.worst = self.worst.max(Exit::NotAccepted);
            let name = if path.is_empty() { name.clone() } else { format!("{name}/{path}") };
            self.all.push(Submission { name, source: Source::Nothing(folder.nothing(WANTED).sentence()) });
        }
        self.all[begin..].sort_by(|a, b| a.name.split('/').cmp(b.name.split('/')));
    }
}

impl Class {
    fn new(name: String) -> Self {
        Self { name, tree: Folder::default(), candidates: Vec::new(), refused: Vec::new() }
    }

    /// Records a file by its printable path and returns it if it may be a submission.
    fn add(&mut self, path: &str, source: Source) -> Option<Candidate> {
        let (folder, file) = place(path);
        let Some(rank) = Rank::of(&file) else {
            let why = is_archive(&file).then(|| Unread::Archive.into());
            self.tree.add_left(&folder, Left { name: file, why });
            return None;
        };
        Some(Candidate { path: path.to_owned(), folder, file, rank, source: Some(source) })
    }

    /// Records a file that is not read. If its name suggests a submission, no other file is graded instead.
    fn refuse(&mut self, path: &str, is_placed: bool, refusal: &Refusal) {
        let (folder, file) = if is_placed { place(path) } else { (String::new(), path.to_owned()) };
        if is_placed {
            self.tree.add_left(&folder, Left { name: file.clone(), why: Some(refusal.clone().into()) });
        }
        if let Some(rank) = Rank::of(&file) {
            let (path, folder) = (path.to_owned(), folder.clone());
            self.candidates.push(Candidate { path, folder, file, rank, source: None });
        }
        self.refused.push((path.to_owned(), folder, refusal.clone()));
    }
}

impl Rank {
    fn of(name: &str) -> Option<Self> {
        let name = unaccented(name);
        let has_word = name.contains(WORD);
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
        match ending {
            "txt" if has_word => Some(Self::Output),
            "txt" => Some(Self::Text),
            "" | "out" | "text" if stem.contains(WORD) => Some(Self::Bare),
            _ => None,
        }
    }
}

/// Returns which of the files are graded: those whose names say that they are outputs and, in a folder without one, the
/// only file that has the word but no `.txt`. If the whole class has none of these, every `.txt` is graded.
fn chosen(candidates: &[Candidate]) -> Vec<bool> {
    let mut counts = HashMap::<_, [usize; 2]>::new();
    for candidate in candidates {
        let [outputs, bare] = counts.entry(candidate.folder.as_str()).or_default();
        *outputs += usize::from(candidate.rank == Rank::Output);
        *bare += usize::from(candidate.rank == Rank::Bare);
    }
    let is_named = |candidate: &Candidate| match candidate.rank {
        Rank::Output => true,
        Rank::Bare => counts[candidate.folder.as_str()] == [0, 1],
        Rank::Text => false,
    };
    let has_named = candidates.iter().any(is_named);
    let is_chosen =
        |candidate: &Candidate| if has_named { is_named(candidate) } else { candidate.rank == Rank::Text };
    candidates.iter().map(is_chosen).collect()
}

impl Submission {
    /// Returns why the submission cannot be graded, if it is a folder without one.
    pub fn nothing(&self) -> Option<&Phrase> {
        match &self.source {
            Source::Nothing(why) => Some(why),
            _ => None,
        }
    }

    /// Opens the submission. A member is unpacked once before, so that no part of a damaged member is graded.
    ///
    /// # Errors
    /// The exit code and the reason: 66 if a file cannot be opened, 65 if a member is damaged, 74 if it cannot be read,
    /// 71 if a command cannot be started.
    pub fn open(&self) -> Result<Box<dyn Read + '_>, (Exit, Phrase)> {
        match &self.source {
            Source::File(path) => open(path)
                .map_err(|error| (Exit::NoInput, Unread::Unopened { error: error.to_string() }.into())),
            Source::Member { archive, index } => {
                let member = &archive.members()[*index];
                let opened = archive.check(member).and_then(|()| archive.read(member));
                opened.map_err(|error| {
                    let is_wrong = matches!(error, ArchiveError::Refused(_));
                    (if is_wrong { Exit::Data } else { Exit::Io }, why(error))
                })
            }
            Source::Program { command, input } => run(command, Arc::clone(input))
                .map_err(|error| (Exit::System, Unread::Unopened { error: error.to_string() }.into())),
            Source::Nothing(why) => Err((Exit::NotAccepted, why.clone())),
        }
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

/// Starts a shell command, which may run a hostile program of the same user. First makes this process not dumpable: the
/// kernel then denies such programs access to its memory, which holds the answers, and to its open files.
fn run(command: &str, input: Arc<Vec<u8>>) -> io::Result<Box<dyn Read>> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let mut child =
        Command::new("/bin/sh").args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    // The write fails if the program does not read all of its input; its output is graded anyway.
    thread::Builder::new().spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)))?;
    Ok(stdout.map_or_else(|| Box::new(io::empty()) as Box<dyn Read>, |stdout| Box::new(stdout)))
}

/// Returns why a member is not read.
fn why(error: ArchiveError) -> Phrase {
    match error {
        ArchiveError::Refused(why) => why,
        ArchiveError::Read(error) => Unread::Unreadable { error: error.to_string() }.into(),
    }
}

/// Prints why an archive or a member is not read.
fn print_reason(name: &str, error: ArchiveError) -> Exit {
    let failure = not_read(name, error);
    failure.tell();
    failure.exit
}
