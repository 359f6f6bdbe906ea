//! The output of `solve`: standard output, a device, or a file that appears whole or not at all.
//!
//! A result for a plain file is written beside it and renamed over it at the end, so that an input without a
//! result, a full disk or a crash leave an earlier `saida.txt` as it was. The file in the making has no name
//! where the system can do that, so that not even a kill leaves anything behind. Where no second file can
//! stand (a folder that may not be written, a file with several names, or mounted by itself), the file that is
//! there is overwritten at the end instead.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Seek, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf, absolute};
use std::time::SystemTime;

use indicatif::ProgressBar;
use rustix::fs::{AtFlags, CWD, OFlags, linkat};

use crate::cli::arguments::printable_path;
use crate::cli::failure::{Exit, Failure};

/// Symbolic links followed, as in the kernel.
const LINKS_MAX: usize = 40;

/// Where a result is written. Unless it is committed, nothing is left of it but what a stream has seen.
pub struct Output {
    /// `None` only while it is given up.
    writer: Option<BufWriter<Stream>>,
    /// `None`: it is written as it comes.
    target: Option<Target>,
}

/// The file that is written, where a bar may stand on its terminal.
struct Stream {
    file: File,
    /// It stands there, and is taken back for as long as something is written.
    bar: Option<ProgressBar>,
    /// The beginning of a line, which the bar would overwrite.
    begun: Vec<u8>,
}

/// The place of a result that is in the making in a file of its own.
struct Target {
    path: PathBuf,
    /// The file that is there already.
    existing: Option<File>,
    /// That file has several names, or another owner than a new one: it is overwritten at the end.
    is_overwritten: bool,
    /// Where the result is made; `None`: it has no name yet.
    made_at: Option<PathBuf>,
}

impl Output {
    /// Opens the output without touching what is there; `None` is standard output.
    ///
    /// # Errors
    /// 73 when it cannot be created.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            let stdout = stream(io::stdout()).map_err(|error| Failure::output(&error))?;
            return Ok(Self::new(stdout, None));
        };
        Self::open_file(path).map_err(|error| cannot_create(path, &error))
    }

    fn open_file(path: &Path) -> io::Result<Self> {
        // /dev/stdout must not begin a file anew that the shell has opened for appending.
        if let (Ok(there), Ok(stdout)) = (fs::metadata(path), stream(io::stdout()))
            && stdout.metadata().is_ok_and(|stdout| same(&there, &stdout))
        {
            return Ok(Self::new(stdout, None));
        }
        let existing = match OpenOptions::new().write(true).open(path) {
            Ok(file) if !file.metadata()?.is_file() => return Ok(Self::new(file, None)),
            Ok(file) => Some(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let path = follow(path)?;
        let (file, made_at) = make_in(folder(&path)).or_else(|error| match existing {
            // It can be overwritten, though nothing may be made beside it.
            Some(_) => make_in(&std::env::temp_dir()),
            None => Err(error),
        })?;
        let mut target = Target { path, existing, is_overwritten: false, made_at };
        if let Some(existing) = &target.existing {
            let (there, made) = (existing.metadata()?, file.metadata()?);
            target.is_overwritten = there.nlink() > 1
                || (there.uid(), there.gid()) != (made.uid(), made.gid())
                || file.set_permissions(there.permissions()).is_err();
        }
        Ok(Self::new(file, Some(target)))
    }

    fn new(file: File, target: Option<Target>) -> Self {
        Self { writer: Some(BufWriter::new(Stream { file, bar: None, begun: Vec::new() })), target }
    }

    /// Takes `bar` back while answers are written, where they are seen on a terminal.
    pub fn make_room(&mut self, bar: &ProgressBar) {
        if let Some(stream) = self.writer.as_mut().map(BufWriter::get_mut)
            && stream.file.is_terminal()
        {
            stream.bar = Some(bar.clone());
        }
    }

    /// Writes what is still held back and puts the file into its place.
    ///
    /// # Errors
    /// 74 when writing fails, 73 when the file cannot take its place.
    pub fn commit(mut self) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if let Err(error) = writer.flush() {
            return Failure::unless_closed(&error);
        }
        let Some(target) = &mut self.target else { return Ok(()) };
        target.take(&mut writer.get_mut().file).map_err(|error| cannot_create(&target.path, &error))
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

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bar.is_none() {
            return self.file.write(bytes);
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        if whole > 0 {
            self.begun.extend_from_slice(&bytes[..whole]);
            self.flush()?;
        }
        self.begun.extend_from_slice(&bytes[whole..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(bar) = self.bar.as_ref().filter(|_| !self.begun.is_empty()) {
            bar.suspend(|| self.file.write_all(&self.begun))?;
            self.begun.clear();
        }
        self.file.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // What is held back is no result: a dropped `BufWriter` would write it.
        drop(self.writer.take().map(BufWriter::into_parts));
        if let Some(made_at) = self.target.as_mut().and_then(|target| target.made_at.take()) {
            remove(&made_at);
        }
    }
}

impl Target {
    fn take(&mut self, file: &mut File) -> io::Result<()> {
        if !self.is_overwritten {
            let replaced = self.replace(file);
            if replaced.is_ok() || self.existing.is_none() {
                return replaced;
            }
        }
        // So is a file that is mounted by itself, or that lies in a folder that may not be written.
        let Some(existing) = &mut self.existing else { return Ok(()) };
        file.rewind()?;
        existing.set_len(0)?;
        io::copy(file, existing).map(drop)
    }

    fn replace(&mut self, file: &File) -> io::Result<()> {
        if self.made_at.is_none() {
            let made_at = name_in(folder(&self.path));
            let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
            linkat(CWD, unnamed, CWD, &made_at, AtFlags::SYMLINK_FOLLOW)?;
            self.made_at = Some(made_at);
        }
        let Some(made_at) = &self.made_at else { return Ok(()) };
        fs::rename(made_at, &self.path)?;
        self.made_at = None;
        Ok(())
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
pub fn stream(stream: impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// The file that `path` stands for, behind symbolic links, there or not.
fn follow(path: &Path) -> io::Result<PathBuf> {
    // A path with a slash at its end means a folder.
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(link) = fs::read_link(&path) else { break };
        path = folder(&path).join(link);
    }
    Ok(path)
}

/// A new file in a folder, and its path if it has a name.
fn make_in(folder: &Path) -> io::Result<(File, Option<PathBuf>)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    if Path::new("/proc/self/fd").exists() {
        let flags = OFlags::TMPFILE.bits().cast_signed();
        if let Ok(file) = options.clone().custom_flags(flags).open(folder) {
            return Ok((file, None));
        }
    }
    let made_at = name_in(folder);
    Ok((options.create_new(true).open(&made_at)?, Some(made_at)))
}

/// A file for what is kept meanwhile, which is gone when it is closed.
pub fn scratch() -> io::Result<File> {
    let (file, made_at) = make_in(&std::env::temp_dir())?;
    if let Some(made_at) = made_at {
        remove(&made_at);
    }
    Ok(file)
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A hidden name, which no inbox takes and no other process chooses.
fn name_in(folder: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    folder.join(format!(".tabuleiro-{}-{:x}.tmp", std::process::id(), now.as_nanos()))
}

fn cannot_create(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::CannotCreate, format_args!("{}: cannot create: {error}", printable_path(path)))
}

fn remove(made_at: &Path) {
    // Nothing can be done when it stays.
    let _ = fs::remove_file(made_at);
}
