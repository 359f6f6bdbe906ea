//! Tests of the trees, with and without the calls that only some kernels and file systems have.

use std::os::unix::fs::symlink;

use super::*;
use crate::daemon::fs::os::acl::tests::users;

const TREES: [fn(&Path) -> Tree; 2] =
    [|root| Tree::new([root]), |root| Tree::new([root]).without_extensions()];

impl Tree {
    /// Uses only the fallbacks, as on a kernel and a file system without extensions.
    pub fn without_extensions(self) -> Self {
        Self { has_extensions: false, ..self }
    }
}

#[test]
fn renames_never_replace_with_or_without_extensions() {
    for tree_of in TREES {
        let root = tempfile::tempdir().unwrap();
        let tree = tree_of(root.path());
        let path = |name| root.path().join(name);
        fs::write(path("a"), "a").unwrap();
        fs::write(path("b"), "b").unwrap();
        let error = tree.rename_new(&path("a"), &path("b")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        tree.rename_new(&path("a"), &path("c")).unwrap();
        assert_eq!(fs::read_to_string(path("c")).unwrap(), "a");
        assert_eq!(fs::read_to_string(path("b")).unwrap(), "b");
        let error = tree.rename_new(&path("a"), &path("d")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        tree.rename(&path("c"), &path("b")).unwrap();
        assert_eq!(fs::read_to_string(path("b")).unwrap(), "a");
    }
}

#[test]
fn nothing_leads_out_of_a_tree_with_or_without_extensions() {
    for tree_of in TREES {
        let root = tempfile::tempdir().unwrap();
        for folder in ["in/real", "out/sub"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        fs::write(root.path().join("out/file"), "mine").unwrap();
        fs::write(root.path().join("in/new"), "new").unwrap();
        let inside = root.path().join("in");
        symlink("../out", inside.join("link")).unwrap();
        symlink("../../out", inside.join("real/link")).unwrap();
        let tree = tree_of(&inside);
        for link in ["link", "real/link", "link/sub", "real/link/made"] {
            let folder = inside.join(link);
            for error in [
                tree.create_folders(&folder).unwrap_err(),
                tree.create(&folder.join("x"), Access::default()).err().unwrap(),
                tree.rename(&inside.join("new"), &folder.join("file")).unwrap_err(),
                tree.rename(&folder.join("file"), &inside.join("taken")).unwrap_err(),
                tree.rename_new(&folder.join("file"), &inside.join("taken")).unwrap_err(),
                tree.remove_file(&folder.join("file")).unwrap_err(),
                tree.label(&folder.join("file")).unwrap_err(),
            ] {
                assert!(error.to_string().contains("link is a symbolic link"), "{link}: {error}");
            }
            assert!(tree.stat(&folder.join("sub")).is_err());
        }
        for outside in ["out", "in/../out", "elsewhere"] {
            let error = tree.create_folders(&root.path().join(outside)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{outside}");
        }
        assert_eq!(fs::read_to_string(root.path().join("out/file")).unwrap(), "mine");
        assert_eq!(fs::read_dir(root.path().join("out")).unwrap().count(), 2);
        // A link itself can be replaced and removed like any other name.
        tree.rename(&inside.join("new"), &inside.join("link")).unwrap();
        tree.remove_file(&inside.join("real/link")).unwrap();
        assert!(root.path().join("out/sub").is_dir());
    }
}

#[test]
fn folders_are_made_and_paths_of_any_length_reached_with_or_without_extensions() {
    for tree_of in TREES {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("made");
        let tree = tree_of(&inside);
        let deep = inside.join(vec!["d".repeat(200); 40].join("/"));
        tree.create_folders(&deep).unwrap();
        tree.create_folders(&deep).unwrap();
        assert!(tree.stat(&deep).unwrap().is_folder);
        drop(tree.create(&deep.join("file"), Access::default()).unwrap());
        let error = tree.create_folders(&deep.join("file/sub")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        tree.sync_folder(&deep).unwrap();
        tree.rename(&deep.join("file"), &inside.join("file")).unwrap();
        assert!(inside.join("file").exists());
        let error = tree.sync_folder(&inside.join("missing")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn a_folder_made_anew_or_exchanged_for_a_link_is_noticed_at_once_where_something_is_missing() {
    for tree_of in TREES {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("in");
        let tree = tree_of(&inside);
        let folder = inside.join("sub");
        tree.create_folders(&folder).unwrap();
        drop(tree.create(&folder.join("a"), Access::default()).unwrap());
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        drop(tree.create(&folder.join("b"), Access::default()).unwrap());
        assert!(inside.join("sub/b").exists());
        fs::write(inside.join("sub/c"), "c").unwrap();
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir_all(root.path().join("out")).unwrap();
        fs::write(root.path().join("out/c"), "mine").unwrap();
        symlink("../out", &folder).unwrap();
        let error = tree.rename(&folder.join("c"), &inside.join("c")).unwrap_err();
        assert!(error.to_string().contains("a symbolic link"), "{error}");
        tree.create(&folder.join("d"), Access::default()).err().unwrap();
        assert_eq!(fs::read_dir(root.path().join("out")).unwrap().count(), 1);
    }
}

#[test]
fn a_file_made_anew_is_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, older) = (folder.path().join("a"), folder.path().join("older"));
    let disk = Tree::new([folder.path()]);
    disk.create(&path, Access::default()).unwrap().write_all(b"long").unwrap();
    disk.link(&path, &older).unwrap();
    let access = Access { mode: Some(0o640), ..Access::default() };
    disk.create(&path, access).unwrap().write_all(b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::read_to_string(&older).unwrap(), "long");
    assert!(!disk.stat(&path).unwrap().is_same_file(&disk.stat(&older).unwrap()));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(disk.open(&path).unwrap().stat().unwrap(), disk.stat(&path).unwrap());
}

#[test]
fn a_listing_tells_files_from_folders() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Tree::new([folder.path()]);
    disk.create_folder(&folder.path().join("b")).unwrap();
    disk.create(&folder.path().join("a"), Access::default()).unwrap();
    let mut entries = disk.list(folder.path()).unwrap();
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    let entry = |name: &str, is_folder| Entry { name: name.into(), is_folder };
    assert_eq!(entries, [entry("a", false), entry("b", true)]);
    disk.remove_tree(&folder.path().join("b")).unwrap();
    disk.remove_file(&folder.path().join("a")).unwrap();
    assert_eq!(disk.list(folder.path()).unwrap(), []);
    disk.list(&folder.path().join("b")).unwrap_err();
}

#[test]
fn what_is_missing_cannot_be_synced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), "a").unwrap();
    let missing = folder.path().join("missing");
    for tree_of in TREES {
        let disk = tree_of(folder.path());
        disk.sync_folder(folder.path()).unwrap();
        disk.sync_folder(&missing).unwrap_err();
        disk.open(&folder.path().join("a")).unwrap().sync().unwrap();
        if let Some(opened) = disk.file_system(folder.path()).unwrap() {
            assert!(disk.has_extensions);
            assert_eq!(opened.device(), disk.stat(folder.path()).unwrap().device);
            opened.sync().unwrap();
        }
        assert!(disk.file_system(&missing).is_err());
    }
}

#[test]
fn a_new_file_names_its_input_where_attributes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    for tree_of in TREES {
        let disk = tree_of(folder.path());
        let path = folder.path().join("a");
        let mut file = disk.create(&path, Access::default()).unwrap();
        assert_eq!(disk.label(&path).unwrap(), None);
        let is_labelled = file.label(b"turma/entrada.txt").unwrap();
        file.sync().unwrap();
        assert_eq!(disk.label(&path).unwrap(), is_labelled.then(|| b"turma/entrada.txt".to_vec()));
        disk.label(&folder.path().join("b")).unwrap_err();
    }
}

/// An access control list that gives a folder's own group, everybody and the user 4321 all rights to new files in it.
const OPEN_TO_ALL: &[u8] =
    b"\x02\0\0\0\x01\0\x07\0\xff\xff\xff\xff\x02\0\x07\0\xe1\x10\0\0\x04\0\x07\0\xff\xff\xff\xff\
    \x10\0\x07\0\xff\xff\xff\xff\x20\0\x07\0\xff\xff\xff\xff";

/// Returns the users whose access control entries let them read a path, and its mode with the set-group-ID bit.
fn readers(path: &Path) -> (Vec<u32>, u32) {
    (users(path), fs::metadata(path).unwrap().permissions().mode() & 0o2777)
}

#[test]
fn a_restricted_file_or_folder_has_one_reader_whatever_its_folder_gives() {
    for tree_of in TREES {
        let root = tempfile::tempdir().unwrap();
        fs::set_permissions(root.path(), PermissionsExt::from_mode(0o2755)).unwrap();
        let tree = tree_of(root.path());
        let has_lists = tree.has_extensions;
        let flags = rustix::fs::XattrFlags::empty();
        let default = "system.posix_acl_default";
        if has_lists && rustix::fs::setxattr(root.path(), default, OPEN_TO_ALL, flags).is_err() {
            return; // A file system without lists.
        }
        let path = |below: &str| root.path().join(below);
        for reader in [None, Some(1234)] {
            let access = Access { mode: Some(0o666), group: None, restricted: Some(Restricted { reader }) };
            let mut file = tree.create(&path("new"), access).unwrap();
            file.label(b"entrada.txt").unwrap();
            file.write_all(b"x").unwrap();
            tree.rename(&path("new"), &path("file")).unwrap();
            let users: Vec<_> = reader.filter(|_| has_lists).into_iter().collect();
            assert_eq!(readers(&path("file")), (users, 0o640), "lists: {has_lists}");
        }
        // `access` is asked for each new folder by its own path. An existing folder stays as it is.
        fs::create_dir(path("there")).unwrap();
        let before = readers(&path("there"));
        let access = |folder: &Path| {
            let reader = Some(1234).filter(|_| folder == path("there/shared/ana"));
            Access { restricted: Some(Restricted { reader }), ..Access::default() }
        };
        tree.create_folders_for(&path("there/shared/ana"), &access).unwrap();
        tree.create_folders_for(&path("there/shared/ana"), &|_| panic!("it is there")).unwrap();
        assert_eq!(readers(&path("there")), before);
        if has_lists {
            // The new folders take their group from the folder above, as all folders do.
            let mode = (before.1 & 0o2000) | 0o751;
            assert_eq!(readers(&path("there/shared")), (vec![], mode));
            assert_eq!(readers(&path("there/shared/ana")), (vec![1234], mode));
        }
        let entries = |folder: &str| tree.list(&path(folder)).unwrap().len();
        assert_eq!(["there", "there/shared", "there/shared/ana"].map(entries), [1, 1, 0]);
        let error = tree.create_folders_for(&path("file/b"), &access).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory, "{error}");
    }
}
