//! Names of results, reports and archived inputs, made from the name of the file that was dropped.
//!
//! - The last `entrada` in a name becomes `saida` in a result and `erro` in a report, in the same case:
//!   `turma2-entrada.txt` gives `turma2-saida.txt`, `Entrada.txt` gives `Saida.txt`, `ENTRADA.TXT` gives `SAIDA.TXT`.
//!   Any other mixture of cases gives lower case.
//! - If a name also holds `saida`, `erro` or `nota`, its `entrada` stays, because outputs of different inputs would
//!   otherwise share a name: `erro-entrada.txt` gives `erro-entrada.saida.txt`.
//! - Any other `NAME.txt` gives `NAME.saida.txt`. The ending can have any case and keeps it: `X.TXT` gives
//!   `X.saida.TXT`.
//! - Any other name is kept whole: `a.dat` gives `a.dat.saida.txt`.
//! - JSON results and pages have `.json` and `.html` instead of `.txt`, or appended to any other ending.
//! - A report is always a text: `entrada.dat` gives `saida.dat` and `erro.dat.txt`.
//! - The name of a grade comes from its submission, whose last `saida` becomes `nota` by the same rule: `saida.txt`
//!   gives `nota.txt` and `nota.json`, `x.txt` gives `x.nota.txt`.
//! - The prefix that Moodle puts before the name of a file stays: `Ana_101_assignsubmission_file_saida.txt` gives
//!   `Ana_101_assignsubmission_file_nota.txt`, whatever words the student's name holds.
//! - An archive gives an archive: `turma.zip` gives `turma.saida.zip`, and the report `turma.zip.erro.txt`.
//!
//! Different inputs can still lead to the same name, for example `x.txt` and `x.entrada.txt`. Therefore each output
//! carries a [`label`], the path of its input, and only an output of the same input is ever replaced.
//!
//! A name that is too long for a file system is cut in its middle, between two characters, and a digest of the whole
//! name takes the place of the cut, so different names stay different. The ending stays. Names are bytes and need not
//! be UTF-8.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::digest::hex;
use tabuleiro_puzzles::input::printable;

/// The longest name a file system takes, in bytes.
pub const NAME_BYTES_MAX: usize = 255;
/// The longest extension, in bytes with its dot, that is treated apart from the rest of its name.
const EXTENSION_BYTES_MAX: usize = 32;
/// The longest job ID in a name, in bytes.
const ID_BYTES_MAX: usize = 64;
/// The words of inputs and outputs. If a name holds another of them besides the one to replace, none is replaced.
const WORDS: [&[u8]; 4] = [b"entrada", b"saida", b"erro", b"nota"];
/// The longest path that a label holds as it is, in bytes.
const LABEL_BYTES_MAX: usize = 1000;
/// Number of hexadecimal digits of the digest in a label.
const DIGEST_DIGITS: usize = 64;
/// Number of digest bytes in a name that was cut.
const DIGEST_BYTES: usize = 8;
/// The longest path that is shown, in bytes.
const SHOWN_BYTES_MAX: usize = 1024;

/// Returns a path as printable text on one line.
pub fn printable_path(path: &Path) -> String {
    printable(path.as_os_str().as_bytes(), SHOWN_BYTES_MAX)
}

/// The kinds of output that a dropped file can have in the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The answers: `saida.txt`.
    Result,
    /// The answers as JSON, beside the text: `saida.json`.
    ResultJson,
    /// Why the file was rejected: `erro.txt`.
    Report,
    /// The grade of a submission: `nota.txt`.
    Grade,
    /// The grade as JSON, beside the text: `nota.json`.
    GradeJson,
    /// The outputs of the members of an archive: `saida.zip`.
    Archive,
    /// The pictures of the answers, beside the text: `saida.html`.
    ResultPage,
    /// The report for a browser, beside the text: `erro.html`.
    ReportPage,
    /// The grade for a browser, beside the text: `nota.html`.
    GradePage,
}

impl Output {
    /// Every kind of output.
    pub const ALL: [Self; 9] = [
        Self::Result,
        Self::ResultJson,
        Self::Report,
        Self::Grade,
        Self::GradeJson,
        Self::Archive,
        Self::ResultPage,
        Self::ReportPage,
        Self::GradePage,
    ];

    /// Returns the page that accompanies this text; `None` if this is not a text.
    pub fn page(self) -> Option<Self> {
        match self {
            Self::Result => Some(Self::ResultPage),
            Self::Report => Some(Self::ReportPage),
            Self::Grade => Some(Self::GradePage),
            _ => None,
        }
    }

    /// Returns the extension that replaces `.txt` in the name; `None` if `.txt` stays.
    fn instead_of_txt(self) -> Option<&'static [u8]> {
        match self {
            Self::Result | Self::Report | Self::Grade | Self::Archive => None,
            Self::ResultJson | Self::GradeJson => Some(b".json"),
            Self::ResultPage | Self::ReportPage | Self::GradePage => Some(b".html"),
        }
    }
}

/// Returns the name of an output of the dropped file `input`, a name without folders. This is the plain name, or with
/// `job_id` the name that has the job's ID before the extension, as the archived input does:
/// `saida.20261121T121744.123456Z.txt`.
///
/// An ID longer than 64 bytes is cut.
pub fn output(input: &OsStr, kind: Output, job_id: Option<&str>) -> OsString {
    let (word, instead_of, ending): (_, &[u8], &[u8]) = match kind {
        Output::Result | Output::ResultJson | Output::ResultPage => ("saida", b"entrada", b".txt"),
        Output::Report | Output::ReportPage => ("erro", b"entrada", b".txt"),
        Output::Grade | Output::GradeJson | Output::GradePage => ("nota", b"saida", b".txt"),
        Output::Archive => ("saida", b"entrada", b".zip"),
    };
    let name = sanitized(input);
    // The prefix holds the number of the participant, by which Moodle must find the file again.
    let prefix = input.to_str().and_then(MoodleName::of_file).map_or(0, |name| name.prefix.len());
    let (stem, mut tail) = derived(&name[prefix..], word, instead_of, ending);
    let stem = [&name[..prefix], &stem].concat();
    if matches!(kind, Output::Report | Output::ReportPage) && !ends_with(&tail, b".txt") {
        tail.extend_from_slice(b".txt");
    }
    if let Some(job_id) = job_id {
        let at = extension_start(&tail).unwrap_or(tail.len());
        tail.splice(at..at, mark_of(job_id));
    }
    if let Some(extension) = kind.instead_of_txt() {
        if ends_with(&tail, b".txt") {
            tail.truncate(tail.len() - b".txt".len());
        }
        tail.extend_from_slice(extension);
    }
    OsString::from_vec(fitted(&stem, &tail))
}

/// Returns the name under which a dropped file is archived in `done` or `failed`. The job's ID stands before the
/// extension: `entrada.20261121T121744.123456Z.txt`.
///
/// An ID longer than 64 bytes is cut.
pub fn archived(input: &OsStr, job_id: &str) -> OsString {
    let mut name = sanitized(input);
    if name.is_empty() {
        // With an empty ID, or a dot as the ID, the name would consist of dots alone and mean the folder itself or its
        // parent.
        name.push(b'_');
    }
    // A leading dot hides a file and does not begin an extension.
    let extension = extension_start(&name).filter(|&at| at > 0);
    let (stem, extension) = name.split_at(extension.unwrap_or(name.len()));
    let tail = [mark_of(job_id).as_slice(), extension].concat();
    OsString::from_vec(fitted(stem, &tail))
}

/// Returns whether a file with this name can be a grade as JSON.
pub fn is_grade_json(name: &OsStr) -> bool {
    let name = name.as_bytes().to_ascii_lowercase();
    name.ends_with(b".json") && name.windows(4).any(|part| part == b"nota")
}

/// Returns the path below the outbox of an output for the file at `origin` below the inbox.
pub fn result_path(origin: &Path, kind: Output, job_id: Option<&str>) -> PathBuf {
    origin.with_file_name(output(origin.file_name().unwrap_or_default(), kind, job_id))
}

/// Returns the label that an output of the file at `origin` below the inbox carries. It is that path, or the SHA-256
/// digest of the path in hexadecimal if the path is longer than an attribute can be.
pub fn label(origin: &Path) -> Vec<u8> {
    let path = origin.as_os_str().as_bytes();
    if path.len() <= LABEL_BYTES_MAX {
        return path.to_vec();
    }
    hex(&Sha256::digest(path)).into_bytes()
}

/// Returns the path below the inbox that a [`label`] holds; `None` if the label may be a digest.
pub fn labelled(label: &[u8]) -> Option<PathBuf> {
    let may_be_digest = label.len() == DIGEST_DIGITS && label.iter().all(u8::is_ascii_hexdigit);
    (!label.is_empty() && !may_be_digest).then(|| PathBuf::from(OsStr::from_bytes(label)))
}

/// Returns the path below `done` or `failed` of the file that was dropped at `origin` below the inbox.
pub fn archived_path(origin: &Path, job_id: &str) -> PathBuf {
    origin.with_file_name(archived(origin.file_name().unwrap_or_default(), job_id))
}

/// Returns `path` with the job's ID in the names of those folders for which `is_own(plain, own)` returns true. The ID
/// stands where an archived input has it. `plain` and `own` are paths below the folder that contains `path`.
pub fn mirrored(path: &Path, job_id: &str, is_own: impl Fn(&Path, &Path) -> bool) -> PathBuf {
    let mut below = PathBuf::new();
    for folder in path.parent().into_iter().flatten() {
        let (plain, own) = (below.join(folder), below.join(archived(folder, job_id)));
        below = if is_own(&plain, &own) { own } else { plain };
    }
    below.join(path.file_name().unwrap_or_default())
}

/// The name of a folder or a file in a class archive that Moodle packed: `Ana Silva_101_assignsubmission_file_`. If
/// the archive has no folders, this prefix stands before the name of every file:
/// `Ana Silva_101_assignsubmission_file_saida.txt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoodleName<'a> {
    /// The name of the participant.
    pub student: &'a str,
    /// The number of the participant.
    pub id: &'a str,
    /// The prefix that Moodle put before the student's own name for the file.
    pub prefix: &'a str,
    /// The name that the student gave to the file.
    pub file: &'a str,
}

impl<'a> MoodleName<'a> {
    /// Parses the name of a folder. Moodle alone chose the name, so the last number in it counts.
    pub fn of_folder(name: &'a str) -> Option<Self> {
        Self::all(name).last().filter(|found| found.file.is_empty())
    }

    /// Parses the name of a file. The first number in it counts, because the student chose what follows.
    pub fn of_file(name: &'a str) -> Option<Self> {
        Self::all(name).next().filter(|found| !found.file.is_empty())
    }

    /// Parses the path of a file, with `/` between the names. The first folder that Moodle named counts, because
    /// students chose the names below it.
    pub fn of_path(path: &'a str) -> Option<Self> {
        let mut folders = path.split('/');
        let file = folders.next_back()?;
        folders.find_map(Self::of_folder).or_else(|| Self::of_file(file))
    }

    fn all(name: &'a str) -> impl Iterator<Item = Self> {
        const WORDS: [&str; 2] = ["_assignsubmission_file", "_assignsubmission_onlinetext"];
        let places = name.match_indices("_assignsubmission_");
        places.filter_map(move |(at, _)| {
            let rest = &name[at..];
            let word = WORDS.iter().find(|word| rest.starts_with(**word))?;
            let end = at + word.len();
            let file = if name.len() == end { "" } else { name[end..].strip_prefix('_')? };
            let (student, id) = name[..at].rsplit_once('_')?;
            let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
            let prefix = &name[..name.len() - file.len()];
            (is_number && !student.is_empty()).then_some(Self { student, id, prefix, file })
        })
    }
}

/// Returns the part of a name that holds a job's ID: a dot and the ID.
fn mark_of(job_id: &str) -> Vec<u8> {
    let id = sanitized(OsStr::new(job_id));
    [b".", &id[..boundary(&id, ID_BYTES_MAX)]].concat()
}

/// Returns the name with its last `instead_of` replaced by `word`. If the name has no `instead_of`, or holds another of
/// `WORDS` as well, `word` is inserted before `ending` instead. The name is returned in two parts; only the first may be
/// cut.
fn derived(name: &[u8], word: &str, instead_of: &[u8], ending: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let last = |word: &[u8]| name.windows(word.len()).rposition(|part| part.eq_ignore_ascii_case(word));
    let is_alone = WORDS.iter().all(|word| *word == instead_of || last(word).is_none());
    if let Some(at) = last(instead_of).filter(|_| is_alone) {
        let (input_word, rest) = name[at..].split_at(instead_of.len());
        let tail = [in_case_of(input_word, word).as_bytes(), rest].concat();
        // The part after the word may be the long one, so only the extension is sure to stay.
        let split = extension_start(&tail).unwrap_or(tail.len());
        return ([&name[..at], &tail[..split]].concat(), tail[split..].to_vec());
    }
    if name.len() > ending.len() && ends_with(name, ending) {
        let (stem, extension) = name.split_at(name.len() - ending.len());
        return (stem.to_vec(), [b".", word.as_bytes(), extension].concat());
    }
    (name.to_vec(), [b".", word.as_bytes(), ending].concat())
}

/// Returns `word` in the case of `model`.
fn in_case_of(model: &[u8], word: &str) -> String {
    let is_upper = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_uppercase);
    let (first, rest) = model.split_at(1);
    match (is_upper(first), is_upper(rest), rest.iter().all(u8::is_ascii_lowercase)) {
        (true, true, _) => word.to_uppercase(),
        (true, _, true) => word[..1].to_uppercase() + &word[1..],
        _ => word.to_owned(),
    }
}

/// Returns where the last extension of a name, or of the tail of a name, begins, with its dot.
fn extension_start(name: &[u8]) -> Option<usize> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let length = name.len() - dot;
    (2..=EXTENSION_BYTES_MAX).contains(&length).then_some(dot)
}

/// Joins `stem` and `tail`. If they are too long together, the stem is cut and marked with its digest.
fn fitted(stem: &[u8], tail: &[u8]) -> Vec<u8> {
    if stem.len() + tail.len() <= NAME_BYTES_MAX {
        return [stem, tail].concat();
    }
    let mark = format!("~{}", hex(&Sha256::digest(stem)[..DIGEST_BYTES]));
    let left = NAME_BYTES_MAX.saturating_sub(mark.len() + tail.len());
    [&stem[..boundary(stem, left)], mark.as_bytes(), tail].concat()
}

/// Returns the largest length up to `max` that cuts no UTF-8 character of `bytes`.
fn boundary(bytes: &[u8], max: usize) -> usize {
    if bytes.len() <= max {
        return bytes.len();
    }
    let is_inside = |at: usize| bytes[at] & 0b1100_0000 == 0b1000_0000;
    // A character has at most three continuation bytes; a longer run is not UTF-8.
    (max.saturating_sub(3)..=max).rev().find(|&at| !is_inside(at)).unwrap_or(max)
}

/// Returns the bytes of a name. Bytes that no name can contain are replaced, so that a caller's mistake stays harmless.
fn sanitized(name: &OsStr) -> Vec<u8> {
    let replace = |&byte: &u8| if matches!(byte, b'/' | 0) { b'_' } else { byte };
    name.as_bytes().iter().map(replace).collect()
}

fn ends_with(name: &[u8], ending: &[u8]) -> bool {
    name.len() >= ending.len() && name[name.len() - ending.len()..].eq_ignore_ascii_case(ending)
}

#[cfg(test)]
#[path = "naming_tests.rs"]
mod tests;
