//! Names of users and groups, from /etc/passwd and /etc/group if they exist. Other sources, such as a directory
//! service, need modules of the C library, which the static program cannot load. An account that only such a source
//! knows has a number here, but no name.

use std::{fs, io};

/// The list of users, with lines like those of [`GROUPS`].
pub const USERS: &str = "/etc/passwd";
/// The list of groups. A line has the name, a password, the number, and more fields, separated by `:`.
pub const GROUPS: &str = "/etc/group";

/// Returns the number of a group that is given by name or number; `None` if the machine has no group with that name.
///
/// # Errors
/// Fails if the list of groups exists but cannot be read.
pub fn group_id(group: &str) -> io::Result<Option<u32>> {
    if let Ok(number) = group.parse() {
        return Ok(Some(number));
    }
    match fs::read(GROUPS) {
        Ok(list) => Ok(accounts(&list).find(|(name, _)| name == group).map(|(_, number)| number)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the name for a number in a list, [`USERS`] or [`GROUPS`], or else the number as text.
pub fn name_of(number: u32, list: &str) -> String {
    let list = fs::read(list).unwrap_or_default();
    let found = accounts(&list).find(|(_, other)| *other == number);
    found.map_or_else(|| number.to_string(), |(name, _)| name)
}

/// Parses the names and numbers of a list; skips a line without a number.
fn accounts(list: &[u8]) -> impl Iterator<Item = (String, u32)> {
    list.split(|byte| *byte == b'\n').filter_map(|line| {
        let mut fields = line.split(|byte| *byte == b':');
        let name = String::from_utf8_lossy(fields.next()?).into_owned();
        Some((name, str::from_utf8(fields.nth(1)?).ok()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_a_number_are_skipped() {
        let list = b"root:x:0:\n# none\n+::::\nx:y\nturma:*:1001:ana,bia\n\xff:x:7:\nlast::4294967295:";
        let expected = [("root", 0), ("turma", 1001), ("\u{fffd}", 7), ("last", u32::MAX)];
        let found: Vec<_> = accounts(list).collect();
        assert_eq!(found, expected.map(|(name, number)| (name.to_owned(), number)));
    }

    #[test]
    fn unlisted_accounts_have_only_a_number() {
        assert_eq!(group_id("1234").unwrap(), Some(1234));
        assert_eq!(group_id("no-such-group").unwrap(), None);
        assert_eq!([name_of(0, USERS), name_of(0, GROUPS)], ["root"; 2]);
        assert_eq!(name_of(3_999_999_999, USERS), "3999999999");
        assert_eq!(name_of(0, "/no/such/list"), "0");
    }
}
