//! The page of a JSON result: what became of the puzzles is in it, the puzzles are in its input.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::input::{open, unreadable};
use crate::cli::output::Output;
use crate::config::Config;
use tabuleiro_jobs::naming;
use tabuleiro_jobs::page::{ResultFile, ResultFileError};

/// Bytes that tell a result from an input.
const HEAD_BYTES: u64 = 64;

/// Whether the file is a result in JSON, by its first character.
pub fn is_result(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.is_ok() && head.trim_ascii_start().starts_with(b"{")
}

/// Draws a result from its input.
pub fn show(
    path: &Path,
    input: Option<&Path>,
    output: Option<&Path>,
    config: &Config,
) -> Result<Exit, Failure> {
    let name = printable_path(path);
    let wrong = |error: &ResultFileError| Failure::new(Exit::Data, format_args!("{name}: {error}"));
    let result = ResultFile::parse(BufReader::new(open(path, &name)?)).map_err(|error| wrong(&error))?;
    let input = match input {
        Some(input) => input.to_owned(),
        None => find(path, &result, config).ok_or_else(|| {
            let file = &result.file;
            let message = format_args!("{name}: the puzzles stand in its input, {file}, which is not found; name it with --input FILE");
            Failure::new(Exit::NoInput, message)
        })?,
    };
    let input_name = printable_path(&input);
    let digest = digest(&input).map_err(|error| unreadable(&input_name, &error))?;
    if digest != result.input_sha256() {
        let message = format_args!("{input_name}: is not the input of {name}: its content is another one");
        return Err(Failure::new(Exit::Data, message));
    }
    let source = open(&input, &input_name)?;
    let mut output = Output::open(output)?;
    match result.write_page(source, &mut output) {
        Ok(_) => {}
        Err(ResultFileError::Write(error)) => return Failure::unless_closed(&error).map(|()| Exit::Ok),
        Err(ResultFileError::Read(error)) => return Err(unreadable(&input_name, &error)),
        Err(error) => return Err(wrong(&error)),
    }
    output.commit()?;
    Ok(Exit::Ok)
}

/// The input of a result: beside it, in the inbox, or where the service keeps it.
fn find(path: &Path, result: &ResultFile, config: &Config) -> Option<PathBuf> {
    let below = Path::new(&result.file);
    let folders = &config.folders;
    let kept = result.id.as_ref().map(|id| folders.done().join(naming::archived_path(below, id)));
    let beside = below.file_name().map(|file| path.with_file_name(file));
    let candidates = beside.into_iter().chain(kept).chain([folders.inbox.join(below)]);
    candidates.into_iter().find(|path| path.is_file())
}

/// The SHA-256 digest of a file, in hexadecimal.
fn digest(path: &Path) -> io::Result<String> {
    let (mut file, mut digest, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            count => digest.update(&buffer[..count]),
        }
    }
}
