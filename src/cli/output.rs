//! The output of `solve`: standard output, a device, or a file that appears whole or not at all.
//!
//! A result for a plain file is written beside it and renamed over it at the end, so that an input without a
//! result, a full disk or a crash leave an earlier `saida.txt` as it was. The file in the making has no name
//! where the system can do that, so that not even a kill leaves anything behind. Where no second file can
//! stand (a folder that may not be written, a file with several names, or mounted by itself), the file is
//! overwritten in place instead, from the first byte written.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Seek, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf, absolute};
use std::time::SystemTime;

use rustix::fs::{AtFlags, CWD, OFlags, linkat};

use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;

/// Symbolic links followed, as in the kernel.
const LINKS_MAX: usize = 40;

/// Where a result is written. Unless it is committed, nothing that can be avoided is left of it.
pub struct Output {
    /// `None` only while it is given up.
    writer: Option<BufWriter<Target>>,
    replacement: Option<Replacement>,
}

/// A file that may have to be emptied before its first byte.
struct Target {
    file: File,
    stale: bool,
}

/// A file in the making that will take another's place.
struct Replacement {
    /// Where it stands; `None`: it has no name yet.
    made_at: Option<PathBuf>,
    target: PathBuf,
    /// The file that is there already.
    existing: Option<File>,
}

impl Output {
    /// Opens the output without touching what is there; `None` is standard output.
    ///
    /// # Errors
    /// 73 when it cannot be created.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            let stdout = stream(io::stdout()).map_err(|error| Failure::output(&error))?;
            return Ok(Self::plain(stdout));
        };
        Self::open_file(path).map_err(|error| {
            let path = printable_path(path);
            Failure::new(Exit::CannotCreate, format_args!("{path}: cannot create: {error}"))
        })
    }

    fn open_file(path: &Path) -> io::Result<Self> {
        // /dev/stdout must not begin a file anew that the shell has opened for appending.
        if let (Ok(there), Ok(stdout)) = (fs::metadata(path), stream(io::stdout()))
            && stdout.metadata().is_ok_and(|stdout| same(&there, &stdout))
        {
            return Ok(Self::plain(stdout));
        }
        let existing = match OpenOptions::new().write(true).open(path) {
            Ok(file) if !file.metadata()?.is_file() => return Ok(Self::plain(file)),
            Ok(file) => Some(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let target = follow(path)?;
        match (existing, make_beside(&target)) {
            (None, made) => {
                let (file, made_at) = made?;
                Ok(Self::replacing(file, Replacement { made_at, target, existing: None }))
            }
            (Some(existing), Ok((file, made_at))) if existing.metadata()?.nlink() == 1 => {
                let alike = copy_owner_and_mode(&existing.metadata()?, &file);
                let replacement = Replacement { made_at, target, existing: Some(existing) };
                let mut output = Self::replacing(file, replacement);
                if alike.is_err()
                    && let Some(existing) =
                        output.replacement.as_mut().and_then(|replacement| replacement.existing.take())
                {
                    return Ok(Self::in_place(existing));
                }
                Ok(output)
            }
            (Some(existing), made) => {
                if let Ok((_, Some(made_at))) = made {
                    remove(&made_at);
                }
                Ok(Self::in_place(existing))
            }
        }
    }

    fn plain(file: File) -> Self {
        Self { writer: Some(BufWriter::new(Target { file, stale: false })), replacement: None }
    }

    fn in_place(file: File) -> Self {
        Self { writer: Some(BufWriter::new(Target { file, stale: true })), replacement: None }
    }

    fn replacing(file: File, replacement: Replacement) -> Self {
        let mut output = Self::plain(file);
        output.replacement = Some(replacement);
        output
    }

    /// Whether what is written is seen at once.
    pub fn is_terminal(&self) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.get_ref().file.is_terminal())
    }

    /// Writes what is still held back and puts the file into its place.
    ///
    /// # Errors
    /// 74 when writing fails, 73 when the file cannot take its place.
    pub fn commit(mut self) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let written = writer.flush().and_then(|()| writer.get_mut().refresh());
        if let Err(error) = written {
            return Failure::unless_closed(&error);
        }
        let Some(replacement) = &mut self.replacement else { return Ok(()) };
        replacement.take_place(&mut writer.get_mut().file).map_err(|error| {
            let path = printable_path(&replacement.target);
            Failure::new(Exit::CannotCreate, format_args!("{path}: cannot create: {error}"))
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(bytes.len()), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // What is held back is no result: a dropped `BufWriter` would write it.
        drop(self.writer.take().map(BufWriter::into_parts));
        if let Some(made_at) = self.replacement.as_mut().and_then(|replacement| replacement.made_at.take()) {
            remove(&made_at);
        }
    }
}

impl Target {
    /// Removes what an earlier result left.
    fn refresh(&mut self) -> io::Result<()> {
        if self.stale {
            self.file.set_len(0)?;
            self.stale = false;
        }
        Ok(())
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.refresh()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Replacement {
    fn take_place(&mut self, file: &mut File) -> io::Result<()> {
        let made_at = match self.made_at.take() {
            Some(made_at) => made_at,
            None => link_beside(file, &self.target)?,
        };
        let Err(error) = fs::rename(&made_at, &self.target) else { return Ok(()) };
        remove(&made_at);
        // A file that is mounted by itself cannot be replaced, but written.
        let Some(existing) = &mut self.existing else { return Err(error) };
        file.rewind()?;
        existing.set_len(0)?;
        io::copy(file, existing).map(drop)
    }
}

/// Whether reading one and writing the other would be the same file: devices, such as a terminal, may be both.
///
/// `None` stands for a standard stream.
pub fn is_same_file(input: Option<&Path>, output: Option<&Path>) -> bool {
    let input_there = input.map_or_else(|| stream(io::stdin())?.metadata(), fs::metadata);
    let output_there = output.map_or_else(|| stream(io::stdout())?.metadata(), fs::metadata);
    match (input_there, output_there) {
        (Ok(input), Ok(output)) => {
            let kind = input.file_type();
            same(&input, &output) && (kind.is_file() || kind.is_fifo() || kind.is_block_device())
        }
        _ => match (input, output) {
            (Some(input), Some(output)) => absolute(input).ok() == absolute(output).ok(),
            _ => false,
        },
    }
}

fn same(a: &Metadata, b: &Metadata) -> bool {
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// A standard stream without the buffer of the standard library.
fn stream(stream: impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// The file that `path` stands for, behind symbolic links, there or not.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(link) = fs::read_link(&path) else {
            // A path with a slash at its end means a folder.
            let is_folder = path.as_os_str().as_encoded_bytes().last().is_none_or(|last| *last == b'/');
            let kind = if is_folder { io::ErrorKind::IsADirectory } else { return Ok(path) };
            return Err(kind.into());
        };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(io::Error::from_raw_os_error(libc::ELOOP))
}

/// A new file in the folder of `target`, and its path if it has a name.
fn make_beside(target: &Path) -> io::Result<(File, Option<PathBuf>)> {
    let folder = folder(target);
    if Path::new("/proc/self/fd").exists() {
        let flags = OFlags::TMPFILE.bits().cast_signed();
        let made = OpenOptions::new().read(true).write(true).custom_flags(flags).open(folder);
        if let Ok(file) = made {
            return Ok((file, None));
        }
    }
    let made_at = name_beside(target);
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&made_at)?;
    Ok((file, Some(made_at)))
}

/// Gives a file without a name one beside `target`.
fn link_beside(file: &File, target: &Path) -> io::Result<PathBuf> {
    let made_at = name_beside(target);
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(CWD, unnamed, CWD, &made_at, AtFlags::SYMLINK_FOLLOW)?;
    Ok(made_at)
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A hidden name, which no inbox takes and no other process chooses.
fn name_beside(target: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    folder(target).join(format!(".tabuleiro-{}-{:x}.tmp", std::process::id(), now.as_nanos()))
}

fn copy_owner_and_mode(from: &Metadata, to: &File) -> io::Result<()> {
    let made = to.metadata()?;
    if (made.uid(), made.gid()) != (from.uid(), from.gid()) {
        fchown(to, Some(from.uid()), Some(from.gid()))?;
    }
    to.set_permissions(from.permissions())
}

fn remove(made_at: &Path) {
    // Nothing can be done when it stays.
    let _ = fs::remove_file(made_at);
}
