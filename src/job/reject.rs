//! Files that get a report instead of a result, and the report's words.

use std::fmt::Write as _;

use crate::input::Scanner;
use crate::solver::Problem;
use crate::words::Language;

/// Why a whole file is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// Larger than the configuration allows.
    #[error("the file has {bytes} bytes, the limit is {bytes_max} (intake.size_limit)")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        bytes_max: u64,
    },
    /// The result would be larger than the configuration allows.
    #[error("the result would have more than {bytes_max} bytes (results.size_limit)")]
    ResultTooLarge {
        /// The limit.
        bytes_max: u64,
    },
    /// Compressed, or an archive.
    #[error("the file is compressed ({format}); drop the text file itself")]
    Compressed {
        /// `gzip`, `zip`, …
        format: &'static str,
    },
    /// UTF-16 or UTF-32 text.
    #[error("the file is {encoding} text; save it as UTF-8 or ASCII")]
    WideText {
        /// `UTF-16`, …
        encoding: &'static str,
    },
    /// No puzzle could be made out.
    #[error("no puzzle for {solver} in the file{}{}", if *binary { ", which holds binary data" } else { "" },
            problem.as_ref().map(|p| format!(": {}", p.say(Language::English))).unwrap_or_default())]
    NoPuzzle {
        /// The solver that tried.
        solver: &'static str,
        /// There are NUL bytes at the beginning.
        binary: bool,
        /// The first thing that did not fit.
        problem: Option<Problem>,
    },
    /// A directive is wrong, unknown or not allowed.
    #[error("{message}")]
    Directive {
        /// The error, with its place.
        message: String,
    },
    /// No route takes the file.
    #[error("no route takes the file")]
    NoRoute {
        /// Each route with its patterns, as tried.
        tried: Vec<String>,
        /// Solvers that can read the file's first puzzle.
        readable_by: Vec<&'static str>,
    },
    /// The service died repeatedly while it answered this file.
    #[error("the service ended {tries} times while it answered this file, which is set aside")]
    SetAside {
        /// How many times.
        tries: u32,
    },
    /// A solver panicked.
    #[error("internal error in solver {solver} at puzzle {number}: {message}")]
    SolverPanicked {
        /// The solver.
        solver: &'static str,
        /// The puzzle, from 1.
        number: u64,
        /// What the panic said.
        message: String,
    },
    /// Something panicked outside the solver.
    #[error("internal error while the file was read: {message}")]
    ReaderPanicked {
        /// What the panic said.
        message: String,
    },
    /// Somebody kept changing it.
    #[error("the file changes while it is read; drop it again when nothing writes to it any more")]
    Changing,
    /// The file cannot be read.
    #[error("the file cannot be read: {message}")]
    Unreadable {
        /// The system's words.
        message: String,
    },
}

impl Rejection {
    /// The text of the report: a first line with the reason, then what helps.
    #[must_use]
    pub fn report(&self, file: &str) -> String {
        let mut text = format!("rejected: {file}: {self}\n");
        // Writing to a string cannot fail.
        let _ = match self {
            Self::NoPuzzle { solver, problem, .. } => {
                if let Some(problem) = problem {
                    let _ = writeln!(text, "place: {file}:{}", problem.place);
                }
                writeln!(text, "The format is described by: tabuleiro solvers {solver}")
            }
            Self::NoRoute { tried, readable_by } => {
                let _ = writeln!(text, "Routes tried, in order:");
                for route in tried {
                    let _ = writeln!(text, "  {route}");
                }
                if readable_by.is_empty() {
                    writeln!(text, "No solver can read the file's beginning either.")
                } else {
                    let solvers = readable_by.join(", ");
                    let _ = writeln!(text, "Solvers that could read it: {solvers}");
                    let first = readable_by[0];
                    writeln!(
                        text,
                        "Rename the file so that a route takes it, or put it into a folder named {first}."
                    )
                }
            }
            _ => Ok(()),
        };
        text
    }

    /// A stable name for the log.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Empty => "empty-file",
            Self::TooLarge { .. } => "file-too-large",
            Self::ResultTooLarge { .. } => "result-too-large",
            Self::Compressed { .. } => "compressed-file",
            Self::WideText { .. } => "wide-text",
            Self::NoPuzzle { .. } => "no-puzzle",
            Self::Directive { .. } => "directive",
            Self::NoRoute { .. } => "no-route",
            Self::SetAside { .. } => "set-aside",
            Self::SolverPanicked { .. } | Self::ReaderPanicked { .. } => "internal-error",
            Self::Changing => "changing-file",
            Self::Unreadable { .. } => "unreadable",
        }
    }
}

/// Refuses what its first bytes show to be no plain text.
///
/// # Errors
/// The rejection.
pub fn refuse_by_head(scanner: &Scanner<'_>) -> Result<(), Rejection> {
    const COMPRESSED: &[(&[u8], &str)] = &[
        (b"\x1f\x8b", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"PK\x05\x06", "zip"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"BZh", "bzip2"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"7z\xbc\xaf\x27\x1c", "7-zip"),
        (b"Rar!\x1a\x07", "rar"),
        (b"\x1f\x9d", "compress"),
        (b"\x04\x22\x4d\x18", "lz4"),
        (b"LZIP", "lzip"),
    ];
    let head = scanner.head();
    if head.is_empty() {
        return Err(Rejection::Empty);
    }
    if let Some((_, format)) = COMPRESSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(Rejection::Compressed { format });
    }
    match wide_encoding(head) {
        Some(encoding) => Err(Rejection::WideText { encoding }),
        None => Ok(()),
    }
}

/// The encoding of a text in units of two or four bytes: by its mark, or by the zeros that stand where the first
/// two ASCII characters have theirs. No other text begins with those.
fn wide_encoding(head: &[u8]) -> Option<&'static str> {
    let is_ascii = |byte: u8| (1..=0x7f).contains(&byte);
    // The four-byte units first: their mark begins like that of two bytes.
    match *head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [a, 0, 0, 0, b, 0, 0, 0, ..] | [0, 0, 0, a, 0, 0, 0, b, ..] if is_ascii(a) && is_ascii(b) => {
            Some("UTF-32")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] if is_ascii(a) && is_ascii(b) => Some("UTF-16"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::wide_encoding;

    #[test]
    fn wide_text_is_known_by_its_mark_or_its_zeros() {
        for (head, encoding) in [
            (&b"\xff\xfe"[..], Some("UTF-16")),
            (b"\xfe\xff\x003", Some("UTF-16")),
            (b"3\0 \x003\0", Some("UTF-16")),
            (b"\x003\x00 ", Some("UTF-16")),
            (b"\xff\xfe\0\0", Some("UTF-32")),
            (b"\0\0\xfe\xff", Some("UTF-32")),
            (b"3\0\0\0 \0\0\0", Some("UTF-32")),
            (b"\0\0\x003\0\0\0 ", Some("UTF-32")),
            (b"3 3\n", None),
            (b"3\0", None),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"\0\x01\x02\x03", None),
            (b"", None),
        ] {
            assert_eq!(wide_encoding(head), encoding, "{head:?}");
        }
    }
}
