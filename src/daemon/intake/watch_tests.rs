//! Tests of the watches and of the hints from events.

use notify::event::{CreateKind, Flag};

use super::*;

#[test]
fn an_overflow_event_without_paths_asks_for_a_rescan() {
    let mut hints = Hints::default();
    let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    collect(&mut hints, Ok(overflow), Path::new("/inbox"));
    assert!(hints.rescan && !hints.is_empty());
}

#[test]
fn too_many_hints_become_one_rescan() {
    let mut hints = Hints::default();
    for number in 0..=HINTS_MAX {
        let path = PathBuf::from(format!("/inbox/{number}"));
        let event = Event::new(EventKind::Create(CreateKind::File)).add_path(path);
        collect(&mut hints, Ok(event), Path::new("/inbox"));
    }
    assert!(hints.rescan && hints.paths.is_empty());
}

#[test]
fn what_happens_beside_the_inbox_says_nothing() {
    let mut hints = Hints::default();
    let beside = Event::new(EventKind::Create(CreateKind::File)).add_path("/outbox/a".into());
    collect(&mut hints, Ok(beside), Path::new("/inbox"));
    assert!(hints.is_empty());
}

/// Returns the masks of this process's watches of a folder, as the system reports them.
fn masks(folder: &Path) -> Vec<u32> {
    let inode = format!(" ino:{:x} ", fs::metadata(folder).unwrap().ino());
    let texts = fs::read_dir("/proc/self/fdinfo").unwrap().flatten();
    let texts = texts.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    let of_folder = |text: String| {
        let lines = text.lines().filter(|line| line.starts_with("inotify ") && line.contains(&inode));
        let hex = lines.filter_map(|line| line.split_once(" mask:")?.1.split(' ').next());
        hex.map(|hex| u32::from_str_radix(hex, 16).unwrap()).collect::<Vec<_>>()
    };
    texts.flat_map(of_folder).collect()
}

#[test]
fn the_system_tells_neither_that_a_file_is_opened_nor_that_it_is_read_or_written() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = Watch::new(None, inbox.path(), || {});
    watch.begin_round(false);
    watch.add(inbox.path());
    let masks = masks(inbox.path());
    assert_eq!(masks.len(), 1);
    let unwanted = libc::IN_OPEN | libc::IN_ACCESS | libc::IN_CLOSE_NOWRITE | libc::IN_MODIFY;
    let wanted = libc::IN_CLOSE_WRITE | libc::IN_CREATE | libc::IN_MOVED_TO | libc::IN_ATTRIB;
    assert_eq!((masks[0] & unwanted, masks[0] & wanted), (0, wanted), "{:x}", masks[0]);
}

#[test]
fn watches_made_anew_leave_none_of_the_old_ones() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = Watch::new(None, inbox.path(), || {});
    for _ in 0..3 {
        watch.begin_round(true);
        assert_eq!(masks(inbox.path()).len(), 0);
        watch.add(inbox.path());
        assert_eq!((masks(inbox.path()).len(), watch.count()), (1, 1));
    }
}

#[test]
fn what_left_says_nothing_unless_it_is_the_inbox() {
    let mut hints = Hints::default();
    let left =
        |path: &str| Event::new(EventKind::Modify(ModifyKind::Name(RenameMode::From))).add_path(path.into());
    collect(&mut hints, Ok(left("/inbox/a")), Path::new("/inbox"));
    assert!(hints.is_empty());
    collect(&mut hints, Ok(left("/inbox")), Path::new("/inbox"));
    assert_eq!(hints.paths.len(), 1);
    let came = Event::new(EventKind::Modify(ModifyKind::Name(RenameMode::To))).add_path("/inbox/b".into());
    collect(&mut hints, Ok(came), Path::new("/inbox"));
    assert_eq!(hints.paths.len(), 2);
}

/// Creates a watch whose watcher never sends an event. Creating the watcher fails the first `failures` times.
fn silent(mut failures: usize) -> Watch {
    Watch::from_factory(Some(Box::new(move || {
        if failures > 0 {
            failures -= 1;
            return Err(notify::Error::io(io::Error::from_raw_os_error(libc::EMFILE)));
        }
        Ok((Box::new(notify::NullWatcher) as Box<dyn Watcher + Send>, bounded(0).1))
    })))
}

#[test]
fn lost_events_make_all_watches_anew() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = silent(0);
    watch.begin_round(false);
    watch.add(inbox.path());
    watch.begin_round(false);
    assert_eq!(watch.count(), 1);
    watch.begin_round(true);
    assert_eq!(watch.count(), 0, "lost events may have told of other folders");
}

#[test]
fn a_remote_file_system_is_trouble_for_as_long_as_it_is_met() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = silent(0);
    let identity = Identity::of(inbox.path()).unwrap();
    for _ in 0..2 {
        watch.begin_round(false);
        watch.file_systems.insert(identity.0, Some("NFS"));
        watch.add(inbox.path());
        let trouble = watch.trouble.as_deref().unwrap();
        assert!(trouble.contains("remote file system (NFS)") && trouble.contains("intake.poll_interval"));
        assert_eq!(watch.count(), 1, "what is done here still sends events");
    }
    watch.begin_round(false);
    watch.add(inbox.path());
    assert_eq!(watch.trouble.as_deref(), None);
}

#[test]
fn limits_are_explained_with_their_remedy() {
    let error = notify::Error::new(notify::ErrorKind::MaxFilesWatch);
    assert!(explain(&error).contains("sysctl fs.inotify.max_user_watches"));
    let error = notify::Error::io(io::Error::from_raw_os_error(libc::EMFILE));
    assert!(explain(&error).contains("sysctl fs.inotify.max_user_instances"));
}

#[test]
fn a_watcher_that_could_not_be_made_is_tried_again_with_each_listing() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = silent(2);
    watch.begin_round(false);
    watch.add(inbox.path());
    assert!(watch.trouble.as_deref().is_some_and(|why| why.contains("max_user_instances")));
    assert_eq!(watch.count(), 0);
    watch.begin_round(false);
    watch.add(inbox.path());
    assert_eq!((watch.trouble.as_deref(), watch.count()), (None, 1));
}

#[test]
fn folders_beyond_the_bound_are_not_watched() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = silent(0);
    watch.folders = Table::new(2);
    watch.begin_round(false);
    for name in ["", "a", "b"] {
        fs::create_dir_all(inbox.path().join(name)).unwrap();
        assert!(!watch.must_log_cut());
        watch.add(&inbox.path().join(name));
    }
    assert!(watch.must_log_cut() && !watch.must_log_cut(), "told once");
    assert_eq!((watch.count(), watch.paths.len()), (2, 2));
    fs::remove_dir(inbox.path().join("a")).unwrap();
    watch.begin_round(false);
    watch.add(inbox.path());
    watch.end_round(inbox.path());
    watch.add(&inbox.path().join("b"));
    assert_eq!(
        (watch.is_cut, watch.count(), watch.trouble.as_deref()),
        (false, 2, None),
        "there is room again"
    );
}
