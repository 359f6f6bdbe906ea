//! Tests that the model behaves as documented.

use super::*;

fn trees(order: Order, act: impl FnOnce(&Model)) -> Vec<Vec<String>> {
    let model = Model::new(order, false);
    for folder in ["/a", "/b"] {
        model.create_folder(Path::new(folder)).unwrap();
    }
    model.put(Path::new("/a/old"), b"old");
    model.boot(model.visible(), true, None);
    act(&model);
    let history = model.take_history();
    let shown = |tree: Tree| {
        let files = tree.walk().into_iter().filter_map(|(path, (_, content))| {
            Some(format!("{} {}", path.display(), String::from_utf8_lossy(content?)))
        });
        files.collect::<Vec<_>>()
    };
    crash_states(&history[history.len() - 1], 64, &mut Random::new(1)).into_iter().map(shown).collect()
}

fn write(model: &Model, path: &str) {
    model.create(Path::new(path), Access::default()).unwrap().write_all(b"new!").unwrap();
}

#[test]
fn unsynced_content_has_four_fates_and_its_name_two() {
    let left = trees(Order::Any, |model| write(model, "/b/new"));
    let old = "/a/old old".to_owned();
    let fates = ["", "ne", "\0\0\0\0", "new!"].map(|content| vec![old.clone(), format!("/b/new {content}")]);
    assert_eq!(left.len(), 5, "{left:?}");
    assert!(fates.iter().all(|fate| left.contains(fate)) && left.contains(&vec![old]), "{left:?}");
}

#[test]
fn syncs_cover_what_they_say_and_no_more() {
    let content_only = trees(Order::Any, |model| {
        let mut file = model.create(Path::new("/b/new"), Access::default()).unwrap();
        file.write_all(b"new!").unwrap();
        file.sync().unwrap();
    });
    assert_eq!(content_only, [vec!["/a/old old", "/b/new new!"], vec!["/a/old old"]]);
    let name_only = trees(Order::Any, |model| {
        write(model, "/b/new");
        model.sync_folder(Path::new("/b")).unwrap();
    });
    assert_eq!(name_only.len(), 4, "{name_only:?}");
    let all = trees(Order::Any, |model| {
        write(model, "/b/new");
        sync_all(model).unwrap();
    });
    assert_eq!(all, [["/a/old old", "/b/new new!"]]);
}

#[test]
fn a_move_shows_on_the_sides_that_the_file_system_allows() {
    let (here, there) = (vec!["/a/old old".to_owned()], vec!["/b/moved old".to_owned()]);
    let both = [here.clone(), there.clone()].concat();
    for (order, allowed) in [
        (Order::Journal, vec![&here, &there]),
        (Order::Any, vec![&here, &there]),
        (Order::AnyInHalves, vec![&here, &there, &both]),
        (Order::Careless, vec![&here, &there, &both, &Vec::new()]),
    ] {
        let left = trees(order, |model| model.rename(Path::new("/a/old"), Path::new("/b/moved")).unwrap());
        assert_eq!(left.len(), allowed.len(), "{order:?}: {left:?}");
        assert!(allowed.iter().all(|tree| left.contains(tree)), "{order:?}: {left:?}");
    }
}

fn opened(model: &Model) -> Arc<dyn FileSystem> {
    model.file_system(Path::new("/")).unwrap().unwrap()
}

fn sync_all(model: &Model) -> io::Result<()> {
    opened(model).sync()
}

#[test]
fn what_a_failed_sync_should_have_written_is_written_by_no_later_one() {
    let model = Model::new(Order::Any, false);
    model.boot(Tree::default(), true, Some(Fault { operation: 2, trouble: Trouble::Fails(libc::EIO) }));
    write(&model, "/new");
    sync_all(&model).unwrap_err();
    sync_all(&model).unwrap();
    let history = model.take_history();
    assert_eq!(crash_states(&history[history.len() - 1], 64, &mut Random::new(1)).len(), 4);
}

#[test]
fn a_write_error_is_told_once_to_each_descriptor_that_was_open() {
    let model = Model::new(Order::Any, false);
    model.boot(Tree::default(), false, Some(Fault { operation: 2, trouble: Trouble::WritesFail }));
    let (first, second) = (opened(&model), opened(&model));
    let mut file = model.create(Path::new("/new"), Access::default()).unwrap();
    file.write_all(b"new!").unwrap();
    first.sync().unwrap_err();
    first.sync().unwrap();
    sync_all(&model).unwrap();
    second.sync().unwrap_err();
    second.sync().unwrap();
    file.sync().unwrap_err();
}
