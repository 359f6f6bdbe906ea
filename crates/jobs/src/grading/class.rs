//! The folders of a class, and those of which nothing can be graded.

use std::collections::{BTreeMap, BTreeSet};

use crate::naming::MoodleName;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::words::{Phrase, messages};

/// The verdict on a folder of which nothing can be graded.
pub const NOTHING_TO_GRADE: &str = "nothing-to-grade";
/// Names that are told of such a folder.
const NAMES_MAX: usize = 3;
/// How much of a name is told.
const SHOWN_BYTES_MAX: usize = 255;
/// Folders within folders that are told apart: a class, or several, and a folder for each student.
const LEVELS_MAX: usize = 4;

messages! {
    "nothing"
    /// Why nothing of a student can be graded.
    pub enum Nothing {
        /// The sentence of which the others are the end.
        ToGrade = "to-grade" { why: Phrase },
        /// There are other files than a submission.
        Found = "found" { names: String, wanted: String },
        /// The same, with more files than are named.
        FoundMore = "found-more" { names: String, more: u64, wanted: String },
        /// One of them may be a submission, but is not read.
        Unread = "unread" { name: String, why: Phrase },
        /// There are no files.
        Empty = "empty",
        /// A list of students has a student who has no folder.
        Absent = "absent",
        /// A folder of the outbox has no grade, but these files.
        NoGrade = "no-grade" { names: String },
    }
}

messages! {
    "left"
    /// Why a file of a folder is not read.
    pub enum Unread {
        /// It is an archive.
        Archive = "archive",
        /// It is a symbolic link.
        Link = "link",
        /// The system does not open it.
        Unopened = "unopened" { error: String },
        /// The system does not read it.
        Unreadable = "unreadable" { error: String },
    }
}

impl Nothing {
    /// The whole sentence.
    #[must_use]
    pub fn told(self) -> Phrase {
        Self::ToGrade { why: self.into() }.into()
    }
}

/// A file that is not graded.
#[derive(Debug, Clone)]
pub struct Left {
    /// Its path in the folder.
    pub name: String,
    /// Why it is not read, if it may be a submission.
    pub why: Option<Phrase>,
}

/// A folder of a class, with what lies in it.
#[derive(Debug, Default)]
pub struct Folder {
    folders: BTreeMap<String, Folder>,
    /// Something of it, directly or below, is graded.
    is_graded: bool,
    /// How many files directly in it are graded.
    submissions: u64,
    /// The first files directly in it that are not.
    left: Vec<Left>,
    /// How many more there are.
    more: u64,
}

impl Folder {
    /// Notes a folder at a path with `/` between its names.
    pub fn add_folder(&mut self, path: &str) -> &mut Self {
        names(path).fold(self, |folder, name| folder.folders.entry(name.to_owned()).or_default())
    }

    /// Notes a file in the folder at `path` that is graded.
    pub fn add_graded(&mut self, path: &str) {
        self.is_graded = true;
        let mut folder = self;
        for name in names(path) {
            folder = folder.folders.entry(name.to_owned()).or_default();
            folder.is_graded = true;
        }
        folder.submissions += 1;
    }

    /// Notes a file in the folder at `path` that is not graded.
    pub fn add_left(&mut self, path: &str, left: Left) {
        let folder = self.add_folder(path);
        if folder.left.len() < NAMES_MAX {
            folder.left.push(left);
        } else {
            folder.more += 1;
        }
    }

    /// The students' folders of which nothing is graded, by their paths, in order of name. The path is empty if this folder
    /// itself has neither a grade nor folders.
    ///
    /// Students' folders lie directly in the folder of the class, or in an only folder in that. If none of them holds a
    /// submission directly, and one has several folders with submissions or no two of them have a folder of the same name,
    /// they are classes. A folder that has one submission and no folder with another is one student's.
    #[must_use]
    pub fn lacking(&self) -> Vec<(String, &Self)> {
        let mut lacking = Vec::new();
        let (mut class, mut path) = (self, String::new());
        while let Some((name, only)) = class.only_folder() {
            path = joined(&path, name);
            class = only;
        }
        if class.folders.is_empty() && !class.is_graded {
            lacking.push((path, class));
        } else if class.submissions != 1 || class.branches() > 0 {
            class.add_lacking(&path, &mut lacking);
        }
        lacking
    }

    /// The folder that this one wraps, if that may be a class.
    fn only_folder(&self) -> Option<(&str, &Self)> {
        let (name, only) = self.folders.first_key_value()?;
        let is_only = self.folders.len() == 1 && self.left.is_empty() && self.submissions == 0;
        let is_class = match only.folders.len() {
            0 => false,
            1 => only.left.is_empty() && only.submissions == 0,
            _ => true,
        };
        (is_only && is_class).then_some((name, only))
    }

    /// How many of its folders have something graded.
    fn branches(&self) -> usize {
        self.folders.values().filter(|folder| folder.is_graded).count()
    }

    fn add_lacking<'a>(&'a self, path: &str, lacking: &mut Vec<(String, &'a Self)>) {
        // The folders of several students, such as `src`, mostly have the same names.
        let mut names = BTreeSet::new();
        let are_classes = self.folders.values().all(|folder| folder.submissions == 0)
            && (self.folders.values().any(|folder| folder.branches() > 1)
                || self.folders.len() > 1
                    && self.folders.values().all(|folder| folder.folders.len() > 1)
                    && self
                        .folders
                        .values()
                        .flat_map(|folder| folder.folders.keys())
                        .all(|name| names.insert(name)));
        for (name, folder) in &self.folders {
            let path = joined(path, name);
            if !folder.is_graded {
                lacking.push((path, folder));
            } else if are_classes {
                folder.add_lacking(&path, lacking);
            }
        }
    }

    /// Why nothing in it can be graded, where submissions are called `wanted`.
    #[must_use]
    pub fn nothing(&self, wanted: &str) -> Nothing {
        let (mut left, mut more) = (Vec::new(), 0);
        self.collect("", &mut left, &mut more);
        nothing(&left, more, wanted)
    }

    /// The first files in it that are not graded.
    #[must_use]
    pub fn names(&self) -> String {
        let mut left = Vec::new();
        self.collect("", &mut left, &mut 0);
        listed(&left)
    }

    fn collect(&self, path: &str, left: &mut Vec<Left>, more: &mut u64) {
        *more += self.more;
        for file in &self.left {
            if left.len() < NAMES_MAX {
                left.push(Left { name: joined(path, &file.name), ..file.clone() });
            } else {
                *more += 1;
            }
        }
        for (name, folder) in &self.folders {
            folder.collect(&joined(path, name), left, more);
        }
    }
}

/// Why nothing of a student can be graded who has these files and `more`, where submissions are called `wanted`.
#[must_use]
pub fn nothing(left: &[Left], more: u64, wanted: &str) -> Nothing {
    let more = more + left.len().saturating_sub(NAMES_MAX) as u64;
    if let Some((name, why)) = left.iter().find_map(|file| Some((&file.name, file.why.as_ref()?))) {
        return Nothing::Unread { name: shown(name), why: why.clone() };
    }
    if left.is_empty() {
        return Nothing::Empty;
    }
    let (names, wanted) = (listed(left), wanted.to_owned());
    if more > 0 { Nothing::FoundMore { names, more, wanted } } else { Nothing::Found { names, wanted } }
}

/// The first names, printable.
fn listed(left: &[Left]) -> String {
    left.iter().take(NAMES_MAX).map(|file| shown(&file.name)).collect::<Vec<_>>().join(", ")
}

fn shown(name: &str) -> String {
    printable(name.as_bytes(), SHOWN_BYTES_MAX)
}

/// The names in a path that are told apart.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty()).take(LEVELS_MAX)
}

/// The folder in which a file counts as lying, and its name there: Moodle may put the folder before the name of the file.
#[must_use]
pub fn place(path: &str) -> (String, String) {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    match MoodleName::of_file(file) {
        Some(found) => (joined(folder, found.prefix), found.file.to_owned()),
        None => (folder.to_owned(), file.to_owned()),
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}
