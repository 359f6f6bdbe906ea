//! The output of `solve`: standard output, a device, or a file that appears whole or not at all.
//!
//! A result for a plain file is written to a temporary file in the same folder, which replaces the plain file at the
//! end. So an earlier `saida.txt` is unchanged if the input has no result or the disk is full. A link, a file with
//! several hard links or another owner, or a file in a folder that takes no new file is overwritten at the end instead.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, IsTerminal, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf, absolute};

use indicatif::ProgressBar;
use tempfile::TempPath;

use crate::cli::failure::Failure;

/// Output is written when this many bytes are buffered. All answers of a short file fit, because only its end shows
/// whether it was written for another solver.
const BUFFER_BYTES: usize = 256 << 10;

/// Where a result is written. If it is dropped without a commit, nothing is written except what a stream has already
/// received.
pub struct Output {
    file: File,
    /// The bytes that are not written yet.
    buffer: Vec<u8>,
    /// A progress bar on the terminal that the output goes to, hidden while answers are written.
    bar: Option<ProgressBar>,
    /// `None` if the output is a stream, which receives the bytes as they are written.
    target: Option<Target>,
}

/// The destination of a result that is first written to another file.
struct Target {
    path: PathBuf,
    /// The temporary file that is renamed to `path`; `None` if `path` is overwritten instead.
    made_at: Option<TempPath>,
}

impl Output {
    /// Opens the output without changing an existing file; `None` is standard output.
    ///
    /// # Errors
    /// Exit code 73 if the output cannot be created.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            let stdout = stream(io::stdout()).map_err(|error| Failure::output(&error))?;
            return Ok(Self::new(stdout, None));
        };
        Self::open_file(path).map_err(|error| Failure::create(path, &error))
    }

    fn open_file(path: &Path) -> io::Result<Self> {
        // If the shell opened standard output for appending, /dev/stdout must not truncate that file.
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
        let there = existing.map(|file| file.metadata()).transpose()?;
        let (file, made_at) = make(path, there.as_ref())?;
        Ok(Self::new(file, Some(Target { path: path.to_owned(), made_at })))
    }

    fn new(file: File, target: Option<Target>) -> Self {
        Self { file, buffer: Vec::new(), bar: None, target }
    }

    /// Hides `bar` while answers are written, if they go to a terminal.
    pub fn make_room(&mut self, bar: &ProgressBar) {
        if self.file.is_terminal() {
            self.bar = Some(bar.clone());
        }
    }

    /// Writes the buffered bytes and moves the file to its destination.
    ///
    /// # Errors
    /// Exit code 74 if writing fails, 73 if the file cannot be moved to its destination.
    pub fn commit(mut self) -> Result<(), Failure> {
        if let Err(error) = self.flush() {
            return Failure::unless_closed(&error);
        }
        let Some(Target { path, made_at }) = self.target.take() else { return Ok(()) };
        // A file that is a mount point of its own cannot be replaced.
        if made_at.is_some_and(|made_at| made_at.persist(&path).is_ok()) {
            return Ok(());
        }
        let file = &mut self.file;
        let overwritten = file.rewind().and_then(|()| io::copy(file, &mut File::create(&path)?));
        overwritten.map(drop).map_err(|error| Failure::create(&path, &error))
    }

    /// Writes the first `count` buffered bytes.
    fn write_buffered(&mut self, count: usize) -> io::Result<()> {
        let (file, bytes) = (&mut self.file, &self.buffer[..count]);
        match &self.bar {
            Some(bar) if count > 0 => bar.suspend(|| file.write_all(bytes))?,
            _ => file.write_all(bytes)?,
        }
        self.buffer.drain(..count);
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_BYTES {
            // The bar would overwrite the beginning of an unfinished line.
            let is_whole = |byte: &u8| self.bar.is_none() || *byte == b'\n';
            let unfinished = bytes.iter().rev().position(is_whole);
            self.write_buffered(unfinished.map_or(0, |unfinished| self.buffer.len() - unfinished))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_buffered(self.buffer.len())?;
        self.file.flush()
    }
}

/// Returns whether input and output are the same file, so that writing one would destroy the other. `None` stands for
/// a standard stream. A terminal or another character device may be both.
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

/// Returns a standard stream without the standard library's buffer.
pub fn stream(stream: impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// Creates the file that receives the result for `path`; `there` describes the existing file at `path`. Also returns
/// the new file's path if the new file can replace the existing one.
fn make(path: &Path, there: Option<&Metadata>) -> io::Result<(File, Option<TempPath>)> {
    let anonymous = || Ok((tempfile::tempfile()?, None));
    if path.is_symlink() || there.is_some_and(|there| there.nlink() > 1) {
        return anonymous();
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tabuleiro-").suffix(".tmp").permissions(Permissions::from_mode(0o666));
    let (file, made_at) = match (builder.tempfile_in(folder), there) {
        (Ok(made), _) => made.into_parts(),
        (Err(_), Some(_)) => return anonymous(),
        (Err(error), None) => return Err(error),
    };
    if let Some(there) = there {
        let made = file.metadata()?;
        let is_kept = (there.uid(), there.gid()) == (made.uid(), made.gid());
        if !is_kept || file.set_permissions(there.permissions()).is_err() {
            return anonymous();
        }
    }
    Ok((file, Some(made_at)))
}
