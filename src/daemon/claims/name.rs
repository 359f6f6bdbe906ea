//! The names of claims in the working folder: `ID=PATH` and `ID!TRIES=PATH`.
//!
//! The path is that of the file below the inbox, with `%2F` for `/` and `%25` for `%`. Its other bytes may be any.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::daemon::base::job_id::is_id;

/// Bytes of a name that every usual file system takes.
const NAME_BYTES_MAX: usize = 255;
/// Bytes kept for `!TRIES`.
const TRIES_ROOM: usize = 1 + 10;

/// What a claim's name says.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    pub id: String,
    pub tries: u32,
    pub origin: PathBuf,
}

/// Returns whether a claim can have a name that says it all, however often it is tried.
pub fn fits(id: &str, origin: &Path) -> bool {
    let escaped = |byte: &u8| if matches!(byte, b'/' | b'%') { 3 } else { 1 };
    let path: usize = origin.as_os_str().as_bytes().iter().map(escaped).sum();
    id.len() + TRIES_ROOM + 1 + path <= NAME_BYTES_MAX
}

/// Returns the name of a claim.
pub fn of(id: &str, tries: u32, origin: &Path) -> OsString {
    let mut name = id.as_bytes().to_vec();
    if tries > 0 {
        name.extend(format!("!{tries}").as_bytes());
    }
    name.push(b'=');
    for byte in origin.as_os_str().as_bytes() {
        match byte {
            b'/' => name.extend(b"%2F"),
            b'%' => name.extend(b"%25"),
            byte => name.push(*byte),
        }
    }
    OsString::from_vec(name)
}

/// Returns what a name says; `None` for one that no claim has.
pub fn parse(name: &OsStr) -> Option<Named> {
    let name = name.as_bytes();
    let at = name.iter().position(|byte| *byte == b'=')?;
    let (head, path) = (std::str::from_utf8(&name[..at]).ok()?, &name[at + 1..]);
    let (id, tries) = match head.split_once('!') {
        Some((id, tries)) => (id, tries.parse().ok()?),
        None => (head, 0),
    };
    let named =
        Named { id: id.to_owned(), tries, origin: PathBuf::from(OsString::from_vec(unescape(path)?)) };
    // Written by `of`, and by nothing else.
    (!id.is_empty() && of(id, tries, &named.origin).as_bytes() == name).then_some(named)
}

fn unescape(path: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let [byte, after @ ..] = rest {
        (rest, bytes) = match (byte, after) {
            (b'%', [b'2', b'F', after @ ..]) => (after, push(bytes, b'/')),
            (b'%', [b'2', b'5', after @ ..]) => (after, push(bytes, b'%')),
            (b'%', _) => return None,
            _ => (after, push(bytes, *byte)),
        };
    }
    (!bytes.is_empty()).then_some(bytes)
}

fn push(mut bytes: Vec<u8>, byte: u8) -> Vec<u8> {
    bytes.push(byte);
    bytes
}

/// Ends the name of a copy of a claimed file, which begins with the ID of the job.
pub const COPY: &str = ".copy";

/// Returns whether a name is that of a copy, or of what earlier versions recorded about a claim: left by a crash.
pub fn is_left(name: &OsStr) -> bool {
    let name = name.as_bytes();
    [COPY, ".target"].iter().any(|ending| name.strip_suffix(ending.as_bytes()).is_some_and(is_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: &str = "20261121T121744.123456Z";

    #[test]
    fn names_are_told_apart_from_everything_else() {
        assert_eq!(of(ID, 0, Path::new("a/b%.txt")), "20261121T121744.123456Z=a%2Fb%25.txt");
        assert_eq!(of(ID, 2, Path::new("=!.txt")), "20261121T121744.123456Z!2==!.txt");
        for other in ["lock", "=", "=a", "x=", "x!=a", "x!0=a", "x!01=a", "x!a=b", "x=a%2fb", "x=a%", ID] {
            assert_eq!(parse(OsStr::new(other)), None, "{other}");
        }
        for left in ["20261121T121744.123456Z.target", "20261121T121744.123456Z.copy"] {
            assert!(is_left(OsStr::new(left)), "{left}");
        }
        assert!(
            ["x.target", ".target", "x.copy", ".copy", ID].iter().all(|other| !is_left(OsStr::new(other)))
        );
    }

    #[test]
    fn a_name_fits_with_all_its_marks_or_not_at_all() {
        let fits_with = |count| fits(ID, Path::new(&"x".repeat(count)));
        assert!(fits_with(220) && !fits_with(221) && !fits(ID, Path::new(&"%".repeat(74))));
        assert_eq!(of(ID, u32::MAX, Path::new(&"x".repeat(220))).len(), NAME_BYTES_MAX);
    }

    proptest! {
        #[test]
        fn a_name_says_what_it_was_made_of(
            tries in 0_u32..5,
            path in prop::collection::vec(prop::collection::vec(1_u8.., 1..9), 1..5),
        ) {
            let parts = path.into_iter().map(|part| part.into_iter().filter(|byte| *byte != b'/').collect::<Vec<_>>());
            let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
            prop_assume!(!parts.is_empty());
            let origin = PathBuf::from(OsString::from_vec(parts.join(&b'/')));
            let name = of(ID, tries, &origin);
            prop_assert!(!name.as_bytes().contains(&b'/'));
            let named = parse(&name).unwrap();
            prop_assert_eq!((named.id.as_str(), named.tries), (ID, tries));
            prop_assert_eq!(named.origin.as_os_str(), origin.as_os_str());
        }
    }
}
