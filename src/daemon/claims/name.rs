//! The names of claims in the working folder: `ID=PATH` and `ID!TRIES=PATH`. If such a name would be too long, the
//! claim is a folder `ID` or `ID!TRIES` that holds the path.
//!
//! PATH is the file's path below the inbox, with `%2F` for `/` and `%25` for `%`. All other bytes are kept.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::daemon::base::job_id::is_id;

/// The longest name that every usual file system accepts, in bytes.
const NAME_BYTES_MAX: usize = 255;
/// Bytes reserved for `!TRIES`.
const TRIES_ROOM: usize = 1 + 10;

/// The parts of a claim's name.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    pub id: String,
    pub tries: u32,
    /// The path below the inbox; `None` if the claim is a folder.
    pub origin: Option<PathBuf>,
}

/// Returns whether the name of a claim has room for its path, however often the claim is tried.
pub fn fits(id: &str, origin: &Path) -> bool {
    let escaped = |byte: &u8| if matches!(byte, b'/' | b'%') { 3 } else { 1 };
    let path: usize = origin.as_os_str().as_bytes().iter().map(escaped).sum();
    id.len() + TRIES_ROOM + 1 + path <= NAME_BYTES_MAX
}

/// Returns the name of a claim, or of its folder if `origin` is `None`.
pub fn of(id: &str, tries: u32, origin: Option<&Path>) -> OsString {
    let mut name = id.as_bytes().to_vec();
    if tries > 0 {
        name.extend(format!("!{tries}").as_bytes());
    }
    let Some(origin) = origin else { return OsString::from_vec(name) };
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

/// Parses the name of a claim. Returns `None` for a name that no claim has.
pub fn parse(name: &OsStr) -> Option<Named> {
    let bytes = name.as_bytes();
    let mut parts = bytes.splitn(2, |byte| *byte == b'=');
    let head = str::from_utf8(parts.next()?).ok()?;
    let origin = match parts.next() {
        Some(path) => Some(PathBuf::from(OsString::from_vec(unescape(path)?))),
        None => None,
    };
    let (id, tries) = match head.split_once('!') {
        Some((id, tries)) => (id, tries.parse().ok()?),
        None => (head, 0),
    };
    // Accept only names that `of` writes.
    let is_ours = is_id(id.as_bytes()) && of(id, tries, origin.as_deref()) == name;
    is_ours.then(|| Named { id: id.to_owned(), tries, origin })
}

fn unescape(path: &[u8]) -> Option<Vec<u8>> {
    let mut parts = path.split(|byte| *byte == b'%');
    let mut bytes = parts.next()?.to_vec();
    for part in parts {
        let (escaped, plain) = part.split_at_checked(2)?;
        bytes.push(match escaped {
            b"2F" => b'/',
            b"25" => b'%',
            _ => return None,
        });
        bytes.extend(plain);
    }
    (!bytes.is_empty()).then_some(bytes)
}

/// The end of the name of a claimed file's copy; the ID of the job precedes it.
pub const COPY: &str = ".copy";

/// Returns whether a name is that of a copy, which only a crash leaves behind.
pub fn is_copy(name: &OsStr) -> bool {
    name.as_bytes().strip_suffix(COPY.as_bytes()).is_some_and(is_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: &str = "20261121T121744.123456Z";

    #[test]
    fn names_are_told_apart_from_everything_else() {
        assert_eq!(of(ID, 0, Some(Path::new("a/b%.txt"))), "20261121T121744.123456Z=a%2Fb%25.txt");
        assert_eq!(of(ID, 2, Some(Path::new("=!.txt"))), "20261121T121744.123456Z!2==!.txt");
        for other in
            ["lock", "=", "=a", "x=", "x!=a", "x!0=a", "x!01=a", "x!a=b", "x=a%2fb", "x=a%", "x", "x!1"]
        {
            assert_eq!(parse(OsStr::new(other)), None, "{other}");
        }
        for wrong in ["!0", "!01", "=a%2fb", "=a%", "!a", "="] {
            assert_eq!(parse(OsStr::new(&format!("{ID}{wrong}"))), None, "{wrong}");
        }
        for tries in [0, 3] {
            let named = Named { id: ID.to_owned(), tries, origin: None };
            assert_eq!(parse(&of(ID, tries, None)), Some(named));
        }
        assert!(is_copy(OsStr::new("20261121T121744.123456Z.copy")));
        assert!(["x.copy", ".copy", ID].iter().all(|other| !is_copy(OsStr::new(other))));
    }

    #[test]
    fn a_name_fits_with_all_its_marks_or_not_at_all() {
        let fits_with = |count| fits(ID, Path::new(&"x".repeat(count)));
        assert!(fits_with(220) && !fits_with(221) && !fits(ID, Path::new(&"%".repeat(74))));
        assert_eq!(of(ID, u32::MAX, Some(Path::new(&"x".repeat(220)))).len(), NAME_BYTES_MAX);
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
            let name = of(ID, tries, Some(&origin));
            prop_assert!(!name.as_bytes().contains(&b'/'));
            let named = parse(&name).unwrap();
            prop_assert_eq!((named.id.as_str(), named.tries), (ID, tries));
            prop_assert_eq!(named.origin, Some(origin));
        }
    }
}
