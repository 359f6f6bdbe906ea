//! The file of the page. Writing it replaces only another page, and follows no link.
//!
//! Links from the page to outputs are relative, so they work from a local folder and from any web server.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::config;
use crate::daemon::fs::disk::{Access, Disk, if_found};
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::opened::{PAGE, attribute, set_attribute};
use crate::daemon::fs::service_folders::{Folders, OWN_PREFIX};
use tabuleiro_jobs::page::address;

/// The location of the page.
pub struct PageFile {
    tree: Tree,
    /// The absolute path of the page.
    pub path: PathBuf,
    /// The temporary file in the same folder. A file that an earlier run left there is replaced.
    temporary: PathBuf,
    /// The prefix of links from the page to outputs; `None` if no link can reach them.
    pub link_prefix: Option<String>,
}

impl PageFile {
    /// Resolves the configured `path` of the page against the configured folders `wanted` and the real ones. Symbolic
    /// links on the way to the page are followed once, here; links below the outbox are never followed.
    pub fn new(path: &Path, wanted: &config::Folders, folders: &Folders) -> Self {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let path = absolute(path);
        let outbox = &folders.outbox;
        let real = || {
            let folder = path.parent().unwrap_or(&path);
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            folder.join(path.file_name().unwrap_or_default())
        };
        let path =
            path.strip_prefix(absolute(&wanted.outbox)).map_or_else(|_| real(), |below| outbox.join(below));
        let folder = path.parent().unwrap_or(outbox);
        let root = if path.starts_with(outbox) { outbox } else { folder };
        let mut temporary = OsString::from(OWN_PREFIX);
        temporary.push(path.file_name().unwrap_or_default());
        Self {
            tree: Tree::new([root]),
            temporary: folder.join(temporary),
            link_prefix: link_prefix(folder, outbox),
            path,
        }
    }

    /// Replaces the page atomically, by a rename. The content is outdated after a crash, so nothing is synced. Returns
    /// false, and replaces nothing, if something other than a page has the name.
    ///
    /// # Errors
    /// Fails if the file cannot be created, written or renamed.
    pub fn write(&self, page: &[u8], access: Access) -> io::Result<bool> {
        let (exists, is_marked) = match if_found(self.tree.stat(&self.path))? {
            None => (false, false),
            Some(found) if !found.is_file => return Ok(false),
            Some(_) => match self.tree.open_file(&self.path).and_then(|file| attribute(&file, PAGE)) {
                Ok(mark) => (true, mark.is_some()),
                // A file that cannot be read may belong to somebody else.
                Err(_) => return Ok(false),
            },
        };
        let mut file = self.tree.create_file(&self.temporary, access)?;
        let mut write = || {
            // A file without a mark counts as a page only if the file system does not store marks.
            if set_attribute(&file, PAGE, b"1")? && exists && !is_marked {
                return Ok(false);
            }
            file.write_all(page)?;
            if exists {
                return self.tree.rename(&self.temporary, &self.path).map(|()| true);
            }
            match self.tree.rename_new(&self.temporary, &self.path) {
                // Another program took the name in the meantime.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                renamed => renamed.map(|()| true),
            }
        };
        let written = write();
        if !matches!(written, Ok(true)) {
            // If removing it fails, the next page replaces it.
            let _ = self.tree.remove_file(&self.temporary);
        }
        written
    }
}

/// Returns the prefix of a link from a page in `folder` to an output below `outbox`. `None` if neither folder lies in
/// the other: a web server for the page may then not serve the outputs.
fn link_prefix(folder: &Path, outbox: &Path) -> Option<String> {
    if let Ok(down) = outbox.strip_prefix(folder) {
        return Some(down.iter().map(|name| address(Path::new(name)) + "/").collect());
    }
    Some("../".repeat(folder.strip_prefix(outbox).ok()?.iter().count()))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    const ACCESS: Access = Access { mode: Some(0o640), group: None, restricted: None };

    fn place(root: &Path, path: &str) -> PageFile {
        let at = |name: &str| root.join(name);
        let wanted = config::Folders { base: None, inbox: at("inbox"), outbox: at("outbox"), var: at("var") };
        let (folders, _lock) = Folders::prepare(&wanted).unwrap();
        PageFile::new(&at(path), &wanted, &folders)
    }

    #[test]
    fn a_page_replaces_pages_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let place = place(root.path(), "outbox/index.html");
        let (path, folder) = (place.path.clone(), root.path().join("outbox"));
        let write = |text: &str| place.write(text.as_bytes(), ACCESS);
        // The temporary name is taken: by a leftover of a crash or, as here, by a link that somebody put there.
        fs::write(root.path().join("mine"), "mine").unwrap();
        symlink(root.path().join("mine"), folder.join(".tabuleiro-index.html")).unwrap();
        for text in ["one", "two"] {
            assert!(write(text).unwrap());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::remove_file(&path).unwrap();
        symlink(root.path().join("mine"), &path).unwrap();
        assert!(!write("three").unwrap());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(!write("four").unwrap());
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "a person's").unwrap();
        let keeps_marks =
            set_attribute(&fs::File::open(root.path().join("mine")).unwrap(), PAGE, b"1").unwrap();
        assert_eq!(write("five").unwrap(), !keeps_marks);
        assert_eq!(fs::read_to_string(&path).unwrap(), if keeps_marks { "a person's" } else { "five" });
        assert_eq!(fs::read_to_string(root.path().join("mine")).unwrap(), "mine");
        assert!(fs::symlink_metadata(folder.join(".tabuleiro-index.html")).is_err());
    }

    #[test]
    fn no_link_in_the_outbox_leads_the_page_elsewhere_and_one_on_the_way_to_it_may() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["elsewhere", "real/outbox"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        symlink("real/outbox", root.path().join("outbox")).unwrap();
        symlink(root.path().join("elsewhere"), root.path().join("real/outbox/site")).unwrap();
        place(root.path(), "outbox/site/index.html").write(b"x", ACCESS).unwrap_err();
        assert_eq!(fs::read_dir(root.path().join("elsewhere")).unwrap().count(), 0);
        symlink("elsewhere", root.path().join("www")).unwrap();
        for (path, way) in
            [("outbox/a.html", Some("")), ("a.html", Some("real/outbox/")), ("www/a.html", None)]
        {
            let place = place(root.path(), path);
            assert!(place.write(b"x", ACCESS).unwrap());
            assert_eq!(
                (place.link_prefix.as_deref(), root.path().join(path).is_file()),
                (way, true),
                "{path}"
            );
        }
    }

    #[test]
    fn a_link_leads_down_or_up_and_never_beside() {
        let way = |folder: &str, outbox: &str| link_prefix(Path::new(folder), Path::new(outbox));
        assert_eq!(way("/srv/out", "/srv/out").as_deref(), Some(""));
        assert_eq!(way("/srv", "/srv/o t/a").as_deref(), Some("o%20t/a/"));
        assert_eq!(way("/srv/out/site/x", "/srv/out").as_deref(), Some("../../"));
        assert_eq!(way("/var/www", "/srv/out"), None);
        assert_eq!(way("/srv/outer", "/srv/out"), None);
    }

    #[test]
    fn no_byte_of_a_name_means_anything_in_a_link() {
        let name = Path::new(OsStr::from_bytes(b"javascript:a/%41?#\"'<>& \n\xff\xc3\xa9~-_.txt"));
        assert_eq!(address(name), "javascript%3Aa/%2541%3F%23%22%27%3C%3E%26%20%0A%FF%C3%A9~-_.txt");
    }
}
