//! Finds the folders of a class that have nothing to grade.

use std::collections::{BTreeMap, BTreeSet};

use crate::naming::MoodleName;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::words::{Phrase, messages};

/// The verdict on a folder with nothing to grade.
pub const NOTHING_TO_GRADE: &str = "nothing-to-grade";
/// Number of file names that a message about such a folder lists.
const NAMES_MAX: usize = 3;
/// The most bytes of a name in a message.
const SHOWN_BYTES_MAX: usize = 255;
/// Levels of folders that are distinguished: classes, and a folder per student.
const LEVELS_MAX: usize = 4;

messages! {
    "nothing"
    /// Why a student has nothing to grade.
    pub enum Nothing {
        /// The whole sentence, which the other variants complete.
        ToGrade = "to-grade" { why: Phrase },
        /// The folder has files, but no submission.
        Found = "found" { names: String, wanted: String },
        /// Like `Found`, with more files than are named.
        FoundMore = "found-more" { names: String, more: u64, wanted: String },
        /// One of the files may be a submission, but it cannot be read.
        Unread = "unread" { name: String, why: Phrase },
        Empty = "empty",
        /// The list of students names a student who has no folder.
        Absent = "absent",
        /// A folder of the outbox has these files, but no grade.
        NoGrade = "no-grade" { names: String },
    }
}

messages! {
    "left"
    /// Why a file in a folder is not read.
    pub enum Unread {
        Archive = "archive",
        Link = "link",
        Unopened = "unopened" { error: String },
        Unreadable = "unreadable" { error: String },
    }
}

impl Nothing {
    /// Returns the whole sentence.
    pub fn sentence(self) -> Phrase {
        Self::ToGrade { why: self.into() }.into()
    }
}

/// A file in a folder that is not graded.
#[derive(Debug, Clone)]
pub struct Left {
    /// The path of the file in the folder.
    pub name: String,
    /// Why the file is not read, if it may be a submission.
    pub why: Option<Phrase>,
}

/// A folder of a class, with its content.
#[derive(Debug, Default)]
pub struct Folder {
    folders: BTreeMap<String, Folder>,
    /// Some file in it, at any level, is graded.
    is_graded: bool,
    /// Number of files directly in it that are graded.
    submissions: u64,
    /// The first files directly in it that are not graded.
    left: Vec<Left>,
    more: u64,
    /// Moodle's participants who have a graded file.
    graded: BTreeSet<(String, String)>,
}

impl Folder {
    /// Adds a folder at `path`, which has `/` between its names, and returns it.
    pub fn add_folder(&mut self, path: &str) -> &mut Self {
        names(path).fold(self, |folder, name| folder.folders.entry(name.to_owned()).or_default())
    }

    /// Adds a graded file to the folder at `path`.
    pub fn add_graded(&mut self, path: &str) {
        self.is_graded = true;
        self.graded.extend(participant(path));
        let mut folder = self;
        for name in names(path) {
            folder = folder.folders.entry(name.to_owned()).or_default();
            folder.is_graded = true;
        }
        folder.submissions += 1;
    }

    /// Adds a file that is not graded to the folder at `path`.
    pub fn add_left(&mut self, path: &str, left: Left) {
        let folder = self.add_folder(path);
        if folder.left.len() < NAMES_MAX {
            folder.left.push(left);
        } else {
            folder.more += 1;
        }
    }

    /// Returns the students' folders with nothing graded, with their paths, in order of name. If this folder has
    /// neither a graded file nor folders, it is returned itself, with an empty path.
    ///
    /// Students' folders lie directly in the folder of the class, or in a folder that is alone in it. A folder with one
    /// submission and no other folder with submissions belongs to one student. A participant of Moodle can have one
    /// folder for files and one for a text, and is listed once.
    ///
    /// The folders count as classes instead if none of them holds a submission directly, and one of these holds:
    /// - One of them has several folders with submissions.
    /// - All of them have several folders, and no two of them have a folder of the same name.
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
        let mut known = self.graded.clone();
        lacking.retain(|(path, _)| participant(path).is_none_or(|participant| known.insert(participant)));
        lacking
    }

    /// Returns the only folder in this one, if it may be a class.
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

    /// Returns how many of its folders have something graded.
    fn branches(&self) -> usize {
        self.folders.values().filter(|folder| folder.is_graded).count()
    }

    /// Returns whether its folders are classes, by the rules of [`lacking`](Self::lacking).
    fn has_classes(&self) -> bool {
        let folders = || self.folders.values();
        if folders().any(|folder| folder.submissions > 0) {
            return false;
        }
        // If the folders belong to students, their own folders, such as `src`, mostly have the same names.
        let mut names = BTreeSet::new();
        let mut names_differ =
            || folders().flat_map(|folder| folder.folders.keys()).all(|name| names.insert(name));
        let all_have_several = || folders().len() > 1 && folders().all(|folder| folder.folders.len() > 1);
        folders().any(|folder| folder.branches() > 1) || all_have_several() && names_differ()
    }

    fn add_lacking<'a>(&'a self, path: &str, lacking: &mut Vec<(String, &'a Self)>) {
        let are_classes = self.has_classes();
        for (name, folder) in &self.folders {
            let path = joined(path, name);
            if !folder.is_graded {
                lacking.push((path, folder));
            } else if are_classes {
                folder.add_lacking(&path, lacking);
            }
        }
    }

    /// Returns why this folder has nothing to grade; `wanted` is what submissions are called.
    pub fn nothing(&self, wanted: &str) -> Nothing {
        let (mut left, mut more) = (Vec::new(), 0);
        self.collect("", &mut left, &mut more);
        if let Some((name, why)) = left.iter().find_map(|file| Some((&file.name, file.why.as_ref()?))) {
            return Nothing::Unread { name: shown(name), why: why.clone() };
        }
        if left.is_empty() {
            return Nothing::Empty;
        }
        let (names, wanted) = (listed(&left), wanted.to_owned());
        if more > 0 { Nothing::FoundMore { names, more, wanted } } else { Nothing::Found { names, wanted } }
    }

    /// Lists the first files in this folder that are not graded.
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

/// Returns the names of the files, printable.
fn listed(left: &[Left]) -> String {
    left.iter().map(|file| shown(&file.name)).collect::<Vec<_>>().join(", ")
}

fn shown(name: &str) -> String {
    printable(name.as_bytes(), SHOWN_BYTES_MAX)
}

/// Returns the number and the name of the Moodle participant to whom a folder belongs.
fn participant(path: &str) -> Option<(String, String)> {
    let found = path.split('/').find_map(MoodleName::of_folder)?;
    Some((found.id.to_owned(), found.student.to_owned()))
}

/// Returns the names in a path, for as many levels as are distinguished.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty()).take(LEVELS_MAX)
}

/// Splits a path into the student's folder and the name of the file. Moodle may put the folder into the file's name.
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
