//! Tests of access control lists, and what other tests need to read them.

use std::fs::{File, metadata};
use std::os::unix::fs::PermissionsExt;

use super::*;

/// Returns the users that the list of a file or folder names.
pub fn users(path: &Path) -> Vec<u32> {
    let mut list = [0; 200];
    let head = form::VERSION.to_le_bytes().len();
    let length = rustix::fs::lgetxattr(path, LIST, &mut list[..]).unwrap_or(head);
    let entries = list[head..length].chunks(8).filter(|entry| entry[..2] == form::USER.to_le_bytes());
    entries.map(|entry| u32::from_le_bytes(entry[4..].try_into().unwrap())).collect()
}

#[test]
fn a_list_has_the_form_that_linux_reads() {
    let alone =
        b"\x02\0\0\0\x01\0\x06\0\xff\xff\xff\xff\x04\0\x04\0\xff\xff\xff\xff\x20\0\0\0\xff\xff\xff\xff";
    assert_eq!(list(Kind::File, None), alone);
    let with_reader =
        b"\x02\0\0\0\x01\0\x07\0\xff\xff\xff\xff\x02\0\x05\0\xd2\x04\0\0\x04\0\x05\0\xff\xff\xff\xff\
                        \x10\0\x05\0\xff\xff\xff\xff\x20\0\x01\0\xff\xff\xff\xff";
    assert_eq!(list(Kind::Folder, Some(1234)), with_reader);
}

#[test]
fn a_restricted_file_has_its_reader_and_no_right_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let file = File::create(&path).unwrap();
    file.set_permissions(PermissionsExt::from_mode(0o666)).unwrap();
    for reader in [None, Some(1234), None] {
        if !restrict(Kind::File, &file, reader).unwrap() {
            return; // A file system without lists.
        }
        assert_eq!(metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
        let mut kept = [0; 100];
        let kept = rustix::fs::fgetxattr(&file, LIST, &mut kept[..]).map(|length| kept[..length].to_vec());
        // A list without entries for named users is stored as the file's mode.
        let wanted = reader.map(|reader| list(Kind::File, Some(reader))).ok_or(Errno::NODATA);
        assert_eq!(kept, wanted);
        assert_eq!(is_kept(&path), reader.is_some());
    }
}
