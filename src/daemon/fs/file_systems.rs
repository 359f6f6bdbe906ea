//! The file systems that results and claims are on, open for as long as jobs are in hand.
//!
//! Linux tells a write error once to each descriptor that was open when it happened. A descriptor that is opened for the
//! sync alone learns nothing when anybody else synced before it: another program, or another group of jobs. So these are
//! opened before the first byte of a result is written, and kept until its job ends. A service that rests keeps none open,
//! or its disks could not be unmounted.

use std::io;
use std::sync::Arc;

use crate::daemon::fs::disk::{Disk, FileSystem};
use crate::daemon::fs::service_folders::Folders;

/// One file system, or two.
pub struct FileSystems(Vec<Arc<dyn FileSystem>>);

impl FileSystems {
    /// Opens them. `None` if one of them does not tell what could not be written: each file is then synced by itself.
    ///
    /// # Errors
    /// Those of opening the folders.
    pub fn open(disk: &dyn Disk, folders: &Folders) -> io::Result<Option<Self>> {
        let opened = match disk.file_system(&folders.staging) {
            // Somebody deleted the outbox.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                disk.create_folders(&folders.staging)?;
                disk.file_system(&folders.staging)?
            }
            opened => opened?,
        };
        let Some(results) = opened else { return Ok(None) };
        if disk.stat(&folders.work)?.device == results.device() {
            return Ok(Some(Self(vec![results])));
        }
        Ok(disk.file_system(&folders.work)?.map(|claims| Self(vec![results, claims])))
    }

    /// Makes everything on them survive a crash.
    ///
    /// # Errors
    /// Those of `syncfs`, of every write since they were opened or last synced; an error where the folders are on other
    /// file systems by now.
    pub fn sync(&self, disk: &dyn Disk, folders: &Folders) -> io::Result<()> {
        self.0.iter().try_for_each(|file_system| file_system.sync())?;
        for folder in [&folders.staging, &folders.work] {
            let device = disk.stat(folder)?.device;
            if !self.0.iter().any(|file_system| file_system.device() == device) {
                let folder = folder.display();
                return Err(io::Error::other(format!("{folder} is on another file system than before")));
            }
        }
        Ok(())
    }
}
