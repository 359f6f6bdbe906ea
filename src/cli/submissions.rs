//! What `grade` grades: the files that are named, and those of the folders and archives that are named.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::files::files_below;
use super::outcome::exit_of_archive;
use super::output::stream;
use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print_error};
use crate::job::archive::{Archive, ArchiveError, is_zip};

/// The submissions, in order.
pub struct Submissions {
    pub all: Vec<Submission>,
    /// The exit code of what is none, and was told.
    pub worst: Exit,
}

/// What a program printed.
pub enum Submission {
    /// A file; `-` is standard input.
    File(PathBuf),
    /// A member of an archive, by its number.
    Member { archive: Rc<NamedArchive>, index: usize },
}

/// An archive and what messages call it.
pub struct NamedArchive {
    name: String,
    archive: Archive<File>,
}

impl Submissions {
    /// Finds them. What is wrong with an archive, or with a member of one, is told, and the others are graded.
    ///
    /// # Errors
    /// 66 when nothing in a folder can be graded, 74 when a folder cannot be read, 64 when it holds too much.
    pub fn find(named: &[PathBuf]) -> Result<Self, Failure> {
        let mut found = Self { all: Vec::new(), worst: Exit::Ok };
        for path in named {
            if path.is_dir() {
                found.add_folder(path)?;
            } else if is_zip(path) {
                found.add_archive(path);
            } else {
                found.all.push(Submission::File(path.clone()));
            }
        }
        Ok(found)
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let mut texts = files_below(folder, is_text)?;
        keep_outputs(&mut texts, |path| path.as_path());
        if texts.is_empty() {
            let message = format_args!("{}: no file in this folder ends in .txt", printable_path(folder));
            return Err(Failure::new(Exit::NoInput, message));
        }
        self.all.extend(texts.into_iter().map(Submission::File));
        Ok(())
    }

    fn add_archive(&mut self, path: &Path) {
        let Ok(file) = File::open(path) else {
            // It is told like any other file that cannot be opened.
            self.all.push(Submission::File(path.to_owned()));
            return;
        };
        let name = printable_path(path);
        let archive = match Archive::open(file) {
            Ok(archive) => archive,
            Err(error) => {
                self.worst = self.worst.max(tell(&name, &error));
                return;
            }
        };
        for (member, refusal) in
            archive.members().iter().filter_map(|member| Some((member, member.refusal()?)))
        {
            let error = refusal.clone().into();
            self.worst = self.worst.max(tell(&format!("{name}/{}", member.printable_path()), &error));
        }
        let members = archive.members().iter().enumerate();
        let mut texts: Vec<_> = members
            .filter(|(_, member)| is_text(member.path().as_ref()))
            .map(|(index, member)| (index, PathBuf::from(member.path())))
            .collect();
        keep_outputs(&mut texts, |(_, path)| path.as_path());
        texts.retain(|(index, _)| archive.members()[*index].refusal().is_none());
        if texts.is_empty() {
            print_error(&format!("tabuleiro: {name}: nothing in this archive that can be read ends in .txt"));
            self.worst = self.worst.max(Exit::NoInput);
        }
        let archive = Rc::new(NamedArchive { name, archive });
        let member = |(index, _)| Submission::Member { archive: Rc::clone(&archive), index };
        self.all.extend(texts.into_iter().map(member));
    }
}

impl Submission {
    /// What it is called.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) if path.as_os_str() == "-" => "<stdin>".to_owned(),
            Self::File(path) => printable_path(path),
            Self::Member { archive: named, index } => {
                format!("{}/{}", named.name, named.archive.members()[*index].printable_path())
            }
        }
    }

    /// Opens it. A member is unpacked once before, so that nothing is graded of one that is damaged.
    ///
    /// # Errors
    /// 66 when a file cannot be opened, 65 when a member is damaged, 74 when reading fails.
    pub fn open(&self) -> Result<Box<dyn Read + '_>, Failure> {
        match self {
            Self::File(path) => open(path).map_err(|error| {
                Failure::new(Exit::NoInput, format_args!("{}: cannot open: {error}", self.name()))
            }),
            Self::Member { archive: named, index } => {
                let archive = &named.archive;
                let member = &archive.members()[*index];
                let opened = archive.check(member).and_then(|()| archive.read(member));
                opened.map_err(|error| {
                    Failure::new(exit_of_archive(&error), format_args!("{}: {error}", self.name()))
                })
            }
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

/// Says why an archive, or a member, is not read.
fn tell(name: &str, error: &ArchiveError) -> Exit {
    print_error(&format!("tabuleiro: {name}: {error}"));
    exit_of_archive(error)
}

fn is_text(path: &OsStr) -> bool {
    Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"))
}

/// Of several texts those count that say they are outputs, where there are such.
fn keep_outputs<T>(texts: &mut Vec<T>, path: impl Fn(&T) -> &Path) {
    let is_output = |text: &T| {
        path(text).file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("saida"))
    };
    if texts.iter().any(is_output) {
        texts.retain(is_output);
    }
}
