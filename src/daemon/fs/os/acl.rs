//! POSIX access control lists for outputs: one more user may read a file or list a folder.

use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{XattrFlags, fsetxattr, getxattr};
use rustix::io::Errno;

/// The attribute that holds a file's access control list, in the format of Linux's
/// `include/uapi/linux/posix_acl_xattr.h` and `posix_acl.h`. A version comes first, then the entries in the order of
/// their tags. An entry is a tag, permissions, and the ID of a user. All numbers are little-endian.
const LIST: &str = "system.posix_acl_access";

/// The tags of entries, and `POSIX_ACL_XATTR_VERSION`.
mod form {
    pub const VERSION: u32 = 2;
    pub const OWNER: u16 = 0x01;
    pub const USER: u16 = 0x02;
    pub const GROUP: u16 = 0x04;
    pub const MASK: u16 = 0x10;
    pub const OTHERS: u16 = 0x20;
    /// The ID in an entry that names no user (`ACL_UNDEFINED_ID`).
    pub const NO_NUMBER: u32 = u32::MAX;
}

/// The kind of thing to restrict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file: its owner reads and writes it, its group and the reader read it.
    File,
    /// A folder: its owner changes it, its group and the reader list it, and everybody else may pass through it.
    Folder,
}

/// Restricts a file or folder to its owner, its group and the user with the ID `reader`, and drops inherited entries.
/// Returns false, and changes nothing, if the file system keeps no lists.
///
/// # Errors
/// Returns the error of `fsetxattr`.
pub fn restrict(kind: Kind, file: impl AsFd, reader: Option<u32>) -> Result<bool, Errno> {
    match fsetxattr(file, LIST, &list(kind, reader), XattrFlags::empty()) {
        Err(Errno::OPNOTSUPP) => Ok(false),
        set => set.map(|()| true),
    }
}

/// Returns whether a folder has an access control list in addition to its mode.
pub fn is_kept(folder: &Path) -> bool {
    getxattr(folder, LIST, &mut [0; 0][..]).is_ok()
}

fn list(kind: Kind, reader: Option<u32>) -> Vec<u8> {
    let (owner, group, others) = match kind {
        Kind::File => (0o6, 0o4, 0),
        Kind::Folder => (0o7, 0o5, 0o1),
    };
    // A list with an entry for a user must have a mask: the upper bound of what named users and the group get.
    let entries = [
        Some((form::OWNER, owner, form::NO_NUMBER)),
        reader.map(|reader| (form::USER, group, reader)),
        Some((form::GROUP, group, form::NO_NUMBER)),
        reader.map(|_| (form::MASK, group, form::NO_NUMBER)),
        Some((form::OTHERS, others, form::NO_NUMBER)),
    ];
    let mut bytes = form::VERSION.to_le_bytes().to_vec();
    for (tag, permissions, number) in entries.into_iter().flatten() {
        bytes.extend(u16::to_le_bytes(tag));
        bytes.extend(u16::to_le_bytes(permissions));
        bytes.extend(u32::to_le_bytes(number));
    }
    bytes
}

#[cfg(test)]
#[path = "acl_tests.rs"]
pub mod tests;
