//! Explains why permissions keep the service from a file or folder, and what its owner can do.
//!
//! This module decides nothing; it explains what the system refuses. So it may check paths by name, although a name can
//! lead to another file a moment later.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use rustix::process::{getegid, geteuid, getgroups};

use crate::config::accounts::{GROUPS, USERS, name_of};
use crate::daemon::base::json_path::show;

/// In a folder with this bit only owners may rename files.
const STICKY: u32 = 0o1000;

/// A file or folder that the service may not read or take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    /// The file, or the uppermost closed folder on the way to it, relative to the inbox.
    pub below: PathBuf,
    /// The reason and the remedy, for the owner.
    pub why: String,
}

/// Returns why the file or folder at `below` the inbox cannot be read, listed or taken from; `None` if permissions
/// allow it.
pub fn denied(inbox: &Path, below: &Path) -> Option<Denied> {
    let is_folder = fs::symlink_metadata(inbox.join(below)).is_ok_and(|found| found.is_dir());
    let ways = below.ancestors().skip(usize::from(!is_folder));
    let all = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
    let closed = ways.take_while(|folder| !may(&inbox.join(folder), all)).last();
    if let Some(folder) = closed {
        let path = inbox.join(folder);
        let remedy = open_to_group(&path, true);
        let is_listed = may(&path, Access::READ_OK | Access::EXEC_OK);
        let cannot = if is_listed { "may not take files from the folder" } else { "may not list the folder" };
        let why = format!("the service {cannot} {}{}; to allow it: {remedy}", show(&path), whose(&path));
        return Some(Denied { below: folder.to_owned(), why });
    }
    let path = inbox.join(below);
    if is_folder {
        return None;
    }
    if !may(&path, Access::READ_OK) {
        let remedy = open_to_group(&path, false);
        let why = format!("the service may not read the file{}; to allow it: {remedy}", whose(&path));
        return Some(Denied { below: below.to_owned(), why });
    }
    let folder = path.parent()?;
    let of_others =
        |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.uid() != geteuid().as_raw());
    let is_sticky = fs::symlink_metadata(folder).is_ok_and(|found| found.mode() & STICKY != 0);
    let is_denied = is_sticky && of_others(folder) && of_others(&path) && !geteuid().is_root();
    is_denied.then(|| Denied {
        below: below.parent().unwrap_or(below).to_owned(),
        why: format!(
            "only owners may take files from the folder {}{}; to allow the service: chmod -t {}",
            show(folder),
            whose(folder),
            quoted(folder)
        ),
    })
}

/// Returns whether the system grants this process all of `access`.
fn may(path: &Path, access: Access) -> bool {
    rustix::fs::access(path, access).is_ok()
}

/// Says who owns a file or folder, or returns an empty string if that is unknown.
fn whose(path: &Path) -> String {
    let Ok(found) = fs::symlink_metadata(path) else { return String::new() };
    let (user, group) = (name_of(found.uid(), USERS), name_of(found.gid(), GROUPS));
    format!(" ({user} and the group {group} own it, mode {:o})", found.mode() & 0o7777)
}

/// Returns the command that opens a file or folder to the service's group.
fn open_to_group(path: &Path, is_folder: bool) -> String {
    let quoted = quoted(path);
    let (deep, mode) = if is_folder { ("-R ", "g+rwX") } else { ("", "g+r") };
    let chmod = format!("chmod {deep}{mode} {quoted}");
    let own = getegid().as_raw();
    let groups = getgroups().unwrap_or_default();
    let is_of_group = |group: u32| group == own || groups.iter().any(|own| own.as_raw() == group);
    if fs::symlink_metadata(path).is_ok_and(|found| is_of_group(found.gid())) {
        chmod
    } else {
        format!("chgrp {deep}{} {quoted} && {chmod}", name_of(own, GROUPS))
    }
}

/// Quotes a path for a shell. An administrator may paste the command as root, and somebody else chose the name.
fn quoted(path: &Path) -> String {
    let shown = show(path);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,=@%".contains(c);
    if shown.chars().all(is_plain) {
        shown
    } else if OsStr::new(&shown) == path.as_os_str() && !shown.contains('\'') {
        format!("'{shown}'")
    } else {
        // No quoting makes such a name safe in one line.
        "FOLDER_OR_FILE".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_may_be_taken_is_not_denied() {
        let inbox = tempfile::tempdir().unwrap();
        fs::create_dir_all(inbox.path().join("a/b")).unwrap();
        fs::write(inbox.path().join("a/b/entrada.txt"), "").unwrap();
        for below in ["a/b/entrada.txt", "a/b", ""] {
            assert_eq!(denied(inbox.path(), Path::new(below)), None, "{below}");
        }
    }

    #[test]
    fn the_uppermost_closed_folder_of_the_way_is_told() {
        if geteuid().is_root() {
            return; // Root may do everything; tests/it/daemon/permissions.rs runs the service as another user.
        }
        let inbox = tempfile::tempdir().unwrap();
        fs::create_dir_all(inbox.path().join("a/b/c")).unwrap();
        fs::write(inbox.path().join("a/b/c/entrada.txt"), "").unwrap();
        let close = |below: &str, mode| {
            fs::set_permissions(inbox.path().join(below), fs::Permissions::from_mode(mode)).unwrap();
        };
        close("a/b/c", 0o555);
        close("a/b", 0o555);
        let told = denied(inbox.path(), Path::new("a/b/c/entrada.txt")).unwrap();
        assert_eq!(told.below, Path::new("a/b"));
        assert!(told.why.contains("mode 555)") && told.why.contains("chmod -R g+rwX /"), "{told:?}");
        close("a/b", 0o755);
        close("a/b/c", 0o755);
        close("a/b/c/entrada.txt", 0o000);
        let told = denied(inbox.path(), Path::new("a/b/c/entrada.txt")).unwrap();
        assert_eq!(told.below, Path::new("a/b/c/entrada.txt"));
        assert!(told.why.contains("chmod g+r /"), "{told:?}");
    }

    #[test]
    fn a_name_does_nothing_in_a_shell() {
        for (name, told) in [
            (&b"/srv/inbox/turma-1"[..], "/srv/inbox/turma-1"),
            (b"/a b; rm -rf x", "'/a b; rm -rf x'"),
            ("/São".as_bytes(), "'/São'"),
            (b"/it's", "FOLDER_OR_FILE"),
            (b"/line\nbreak", "FOLDER_OR_FILE"),
            (b"/\xff", "FOLDER_OR_FILE"),
        ] {
            assert_eq!(quoted(Path::new(OsStr::from_bytes(name))), told);
        }
    }
}
