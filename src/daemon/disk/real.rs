//! The real file system.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{CWD, RenameFlags};

use super::{Access, Disk, Entry, OpenFile, Stat, rename_by_link};
use crate::daemon::os::Platform;

impl Disk for Platform {
    fn stat(&self, path: &Path) -> io::Result<Stat> {
        fs::symlink_metadata(path).map(|metadata| stat_of(&metadata))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok(Entry { is_folder: entry.file_type()?.is_dir(), name: entry.file_name() })
        };
        fs::read_dir(folder)?.map(entry).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        File::open(path).map(|file| Box::new(file) as Box<dyn OpenFile>)
    }

    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn Write + Send>> {
        let file = match File::create_new(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_file(path)?;
                File::create_new(path)?
            }
            other => other?,
        };
        if let Some(group) = access.group {
            rustix::fs::fchown(&file, None, Some(rustix::fs::Gid::from_raw(group)))?;
        }
        if let Some(mode) = access.mode {
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(Box::new(file))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn create_folders(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if *self == Self::Linux {
            match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
                Ok(()) => return Ok(()),
                // Some file systems lack the flag.
                Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {}
                Err(error) => return Err(error.into()),
            }
        }
        rename_by_link(self, from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_tree(&self, folder: &Path) -> io::Result<()> {
        fs::remove_dir_all(folder)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn syncs_file_systems(&self) -> bool {
        cfg!(target_os = "linux") && *self == Self::Linux
    }

    fn sync_file_system(&self, path: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(File::open(path)?)?;
        #[cfg(not(target_os = "linux"))]
        let _ = path;
        Ok(())
    }
}

impl OpenFile for File {
    fn stat(&self) -> io::Result<Stat> {
        self.metadata().map(|metadata| stat_of(&metadata))
    }
}

fn stat_of(metadata: &Metadata) -> Stat {
    Stat {
        is_folder: metadata.is_dir(),
        device: metadata.dev(),
        inode: metadata.ino(),
        bytes: metadata.len(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLATFORMS: [Platform; 2] = [Platform::Linux, Platform::Portable];

    #[test]
    fn renames_never_replace_on_any_platform() {
        for platform in PLATFORMS {
            let folder = tempfile::tempdir().unwrap();
            let path = |name| folder.path().join(name);
            fs::write(path("a"), "a").unwrap();
            fs::write(path("b"), "b").unwrap();
            let error = platform.rename_new(&path("a"), &path("b")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            platform.rename_new(&path("a"), &path("c")).unwrap();
            assert_eq!(fs::read_to_string(path("c")).unwrap(), "a");
            assert_eq!(fs::read_to_string(path("b")).unwrap(), "b");
            let error = platform.rename_new(&path("a"), &path("d")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
        }
    }

    #[test]
    fn a_file_made_anew_is_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let (path, older) = (folder.path().join("a"), folder.path().join("older"));
        let disk = Platform::native();
        disk.create(&path, Access::default()).unwrap().write_all(b"long").unwrap();
        fs::hard_link(&path, &older).unwrap();
        let access = Access { mode: Some(0o640), group: None };
        disk.create(&path, access).unwrap().write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_to_string(&older).unwrap(), "long");
        assert!(!disk.stat(&path).unwrap().is_same_file(&disk.stat(&older).unwrap()));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn what_is_missing_cannot_be_synced() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "a").unwrap();
        let missing = folder.path().join("missing");
        for platform in PLATFORMS {
            platform.sync(folder.path()).unwrap();
            platform.sync(&folder.path().join("a")).unwrap();
            platform.sync(&missing).unwrap_err();
        }
        if Platform::Linux.syncs_file_systems() {
            Platform::Linux.sync_file_system(folder.path()).unwrap();
            Platform::Linux.sync_file_system(&missing).unwrap_err();
        }
        assert!(!Platform::Portable.syncs_file_systems());
    }
}
