//! Tests of the watches and of what events say.

use super::*;
use notify::event::{CreateKind, Flag};

#[test]
fn an_overflow_event_without_paths_asks_for_a_rescan() {
    let mut hints = Hints::default();
    let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    assert!(collect(&mut hints, Ok(overflow), Path::new("/inbox")));
    assert!(hints.rescan);
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
fn reading_and_writing_in_progress_say_nothing() {
    let mut hints = Hints::default();
    for kind in [
        EventKind::Access(AccessKind::Read),
        EventKind::Access(AccessKind::Close(AccessMode::Read)),
        EventKind::Modify(ModifyKind::Data(notify::event::DataChange::Any)),
    ] {
        let event = Event::new(kind).add_path("/inbox/a".into());
        assert!(!collect(&mut hints, Ok(event), Path::new("/inbox")));
    }
    let beside = Event::new(EventKind::Create(CreateKind::File)).add_path("/outbox/a".into());
    assert!(!collect(&mut hints, Ok(beside), Path::new("/inbox")));
    assert!(hints.paths.is_empty());
}

#[test]
fn what_left_says_nothing_unless_it_is_the_inbox() {
    let mut hints = Hints::default();
    let left =
        |path: &str| Event::new(EventKind::Modify(ModifyKind::Name(RenameMode::From))).add_path(path.into());
    assert!(!collect(&mut hints, Ok(left("/inbox/a")), Path::new("/inbox")));
    assert!(hints.paths.is_empty());
    assert!(collect(&mut hints, Ok(left("/inbox")), Path::new("/inbox")));
    let came = Event::new(EventKind::Modify(ModifyKind::Name(RenameMode::To))).add_path("/inbox/b".into());
    assert!(collect(&mut hints, Ok(came), Path::new("/inbox")));
    assert_eq!(hints.paths.len(), 2);
}

fn watch(source: &Source, inbox: &Path) -> Watch {
    Watch::new(source, inbox, || {})
}

#[test]
fn lost_events_make_all_watches_anew() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = watch(&Source::Silent(0), inbox.path());
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
    let mut watch = watch(&Source::Silent(0), inbox.path());
    let identity = Identity::of(inbox.path()).unwrap();
    for _ in 0..2 {
        watch.begin_round(false);
        watch.file_systems.insert(identity.0, Some("NFS"));
        watch.add(inbox.path());
        let trouble = watch.trouble().unwrap();
        assert!(trouble.contains("remote file system (NFS)") && trouble.contains("intake.poll_interval"));
        assert_eq!(watch.count(), 1, "what is done here still sends events");
    }
    watch.begin_round(false);
    watch.add(inbox.path());
    assert_eq!(watch.trouble(), None);
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
    let mut watch = watch(&Source::Silent(2), inbox.path());
    watch.begin_round(false);
    watch.add(inbox.path());
    assert!(watch.trouble().is_some_and(|why| why.contains("max_user_instances")));
    assert_eq!(watch.count(), 0);
    watch.begin_round(false);
    watch.add(inbox.path());
    assert_eq!((watch.trouble(), watch.count()), (None, 1));
}

#[test]
fn folders_beyond_the_bound_are_not_watched() {
    let inbox = tempfile::tempdir().unwrap();
    let mut watch = watch(&Source::Silent(0), inbox.path());
    watch.folders = Table::new(2);
    watch.begin_round(false);
    for name in ["", "a", "b"] {
        fs::create_dir_all(inbox.path().join(name)).unwrap();
        assert!(!watch.tells_cut());
        watch.add(&inbox.path().join(name));
    }
    assert!(watch.tells_cut() && !watch.tells_cut(), "told once");
    assert_eq!((watch.count(), watch.paths.len()), (2, 2));
    fs::remove_dir(inbox.path().join("a")).unwrap();
    watch.begin_round(false);
    watch.add(inbox.path());
    watch.end_round(inbox.path());
    watch.add(&inbox.path().join("b"));
    assert_eq!((watch.is_cut, watch.count(), watch.trouble()), (false, 2, None), "there is room again");
}
