//! Tests of claims: both of their forms, what a crash leaves, and files that are not the service's.

use std::fs;
use std::sync::LazyLock;

use super::*;
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::find::{Gate, find, only_file};
use crate::daemon::fs::folder_tree::Tree;

static DISK: LazyLock<Tree> = LazyLock::new(|| Tree::new([std::env::temp_dir().as_path()]));

struct Place {
    root: tempfile::TempDir,
    ids: JobIds,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for folder in ["inbox/a/b", "work", "done"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        Self { root, ids: JobIds::default() }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn take(&mut self, origin: &str) -> Option<Claim> {
        let id = self.ids.next();
        let (work, inbox) = (self.at("work"), self.at("inbox"));
        Claim::take(&work, &inbox, Path::new(origin), id, &*DISK).unwrap()
    }
}

#[test]
fn a_claim_is_found_again_with_all_it_knew() {
    let mut place = Place::new();
    fs::write(place.at("inbox/a/b/x.txt"), "1").unwrap();
    fs::write(place.at("inbox/y.txt"), "2").unwrap();
    let mut first = place.take("a/b/x.txt").unwrap();
    fs::create_dir_all(place.at("inbox").join(long()).parent().unwrap()).unwrap();
    fs::write(place.at("inbox").join(long()), "3").unwrap();
    let second = place.take("y.txt").unwrap();
    let mut third = place.take(&long()).unwrap();
    assert_eq!((first.layout, third.layout), (Layout::Name, Layout::Folder));
    assert!(place.take("y.txt").is_none(), "taken already");
    third.begin_try(&*DISK).unwrap();
    first.begin_try(&*DISK).unwrap();
    first.begin_try(&*DISK).unwrap();
    first.end_try(&*DISK);
    first.begin_try(&*DISK).unwrap();
    assert!(!first.may_be_named && !second.may_be_named);

    let found = find(&place.at("work"), &*DISK).unwrap();
    assert_eq!(found.len(), 3, "and nothing is left of the failed claim");
    assert_eq!((&found[0].id, &found[0].origin), (&first.id, &first.origin));
    assert_eq!(found[0].tries, 1);
    assert!(found.iter().all(|claim| claim.may_be_named));
    assert_eq!(found[1].origin, Path::new("y.txt"));
    assert_eq!((&found[2].origin, found[2].tries), (&third.origin, 1));
    for (claim, content) in found.iter().zip(["1", "2", "3"]) {
        assert_eq!(fs::read_to_string(claim.input()).unwrap(), content);
        claim.archive(&place.at("done").join(&claim.id), &*DISK).unwrap();
        claim.end(&*DISK);
    }
    assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
}

/// Returns a path that is too long for the name of a claim.
fn long() -> String {
    format!("{}/{}/x.txt", "t".repeat(120), "u".repeat(120))
}

#[test]
fn a_claim_under_two_names_is_one_and_copies_are_removed() {
    let place = Place::new();
    let work = |name: &str| place.at("work").join(name);
    fs::write(work("20260101T000000.000000Z=y.txt"), "1").unwrap();
    fs::hard_link(work("20260101T000000.000000Z=y.txt"), work("20260101T000000.000000Z!1=y.txt")).unwrap();
    for copy in ["20260101T000000.000000Z.copy", "20260101T000000.000001Z.copy"] {
        fs::write(work(copy), "1").unwrap();
    }
    fs::create_dir(work("20260101T000000.000002Z.copy")).unwrap();
    fs::write(work("lock"), "").unwrap();
    let found = find(&place.at("work"), &*DISK).unwrap();
    assert_eq!((found.len(), found[0].tries, found[0].origin.as_path()), (1, 1, Path::new("y.txt")));
    assert_eq!(
        fs::read_dir(place.at("work")).unwrap().count(),
        3,
        "the claim, the lock and somebody's folder"
    );
    assert_eq!(fs::read_to_string(found[0].input()).unwrap(), "1");
}

#[test]
fn a_claim_in_a_folder_is_found_and_ended_and_an_empty_one_is_removed() {
    let place = Place::new();
    let folder = place.at("work/20260101T000000.000000Z!1");
    fs::create_dir_all(folder.join("a")).unwrap();
    fs::write(folder.join("a/y.txt"), "1").unwrap();
    fs::create_dir_all(place.at("work/20260101T000000.000001Z/a")).unwrap();
    let found = find(&place.at("work"), &*DISK).unwrap();
    assert_eq!((found.len(), found[0].tries, found[0].origin.as_path()), (1, 1, Path::new("a/y.txt")));
    found[0].archive(&place.at("done/y.1.txt"), &*DISK).unwrap();
    found[0].end(&*DISK);
    assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_be_listed_is_not_empty() {
    let place = Place::new();
    fs::write(place.at("work/x"), "1").unwrap();
    // The one error of a listing that even root gets.
    only_file(&place.at("work/x"), &*DISK).unwrap_err();
    assert_eq!(only_file(&place.at("work/y"), &*DISK).unwrap(), None);
}

#[test]
fn a_try_that_could_not_be_marked_is_none() {
    let mut place = Place::new();
    fs::write(place.at("inbox/y.txt"), "2").unwrap();
    let mut claim = place.take("y.txt").unwrap();
    // A folder in the way stops even root.
    let marked = claim.work.join(name::of(&claim.id, 1, Some(&claim.origin)));
    fs::create_dir(&marked).unwrap();
    claim.begin_try(&*DISK).unwrap_err();
    claim.begin_try(&*DISK).unwrap_err();
    assert_eq!(claim.tries, 0);
}

#[test]
fn a_finished_claim_leaves_nothing() {
    let mut place = Place::new();
    fs::write(place.at("inbox/y.txt"), "2").unwrap();
    let claim = place.take("y.txt").unwrap();
    claim.archive(&place.at("done/sub/y.1.txt"), &*DISK).unwrap();
    claim.end(&*DISK);
    assert_eq!(fs::read_to_string(place.at("done/sub/y.1.txt")).unwrap(), "2");
    assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
}

#[test]
fn a_claim_whose_file_was_removed_ends_all_the_same() {
    let mut place = Place::new();
    fs::write(place.at("inbox/y.txt"), "2").unwrap();
    let claim = place.take("y.txt").unwrap();
    fs::remove_file(claim.input()).unwrap();
    claim.archive(&place.at("done/y.1.txt"), &*DISK).unwrap();
    claim.end(&*DISK);
    assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
}

#[test]
fn a_file_behind_a_link_is_neither_taken_nor_put_back() {
    let mut place = Place::new();
    fs::create_dir(place.at("elsewhere")).unwrap();
    fs::write(place.at("elsewhere/y.txt"), "mine").unwrap();
    fs::write(place.at("inbox/a/y.txt"), "1").unwrap();
    let claim = place.take("a/y.txt").unwrap();
    // Somebody replaces the folder by a link after the intake saw it.
    fs::remove_dir_all(place.at("inbox/a")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", place.at("inbox/a")).unwrap();
    for disk in [Tree::new([place.root.path()]), Tree::new([place.root.path()]).without_extensions()] {
        let (work, inbox, id) = (place.at("work"), place.at("inbox"), place.ids.next());
        let error = Claim::take(&work, &inbox, Path::new("a/y.txt"), id, &disk);
        assert!(error.unwrap_err().to_string().contains("a symbolic link"));
        fs::remove_file(place.at("elsewhere/y.txt")).unwrap();
        claim.put_back(&inbox, &disk).unwrap_err();
        assert!(claim.input().exists() && !place.at("elsewhere/y.txt").exists());
        fs::write(place.at("elsewhere/y.txt"), "mine").unwrap();
    }
}

#[test]
fn putting_back_never_replaces_a_newer_file() {
    let mut place = Place::new();
    fs::write(place.at("inbox/a/y.txt"), "old").unwrap();
    let claim = place.take("a/y.txt").unwrap();
    fs::write(place.at("inbox/a/y.txt"), "new").unwrap();
    assert!(!claim.put_back(&place.at("inbox"), &*DISK).unwrap());
    assert_eq!(fs::read_to_string(place.at("inbox/a/y.txt")).unwrap(), "new");
    fs::remove_dir_all(place.at("inbox/a")).unwrap();
    assert!(
        claim.put_back(&place.at("inbox"), &Tree::new([place.root.path()]).without_extensions()).unwrap()
    );
    assert_eq!(fs::read_to_string(place.at("inbox/a/y.txt")).unwrap(), "old");
    assert!(find(&place.at("work"), &*DISK).unwrap().is_empty());
}

#[test]
fn a_file_is_not_put_back_while_a_newer_one_of_its_result_is_claimed() {
    let mut place = Place::new();
    let mut claim = |name: &str| {
        fs::write(place.at("inbox").join(name), name).unwrap();
        place.take(name).unwrap()
    };
    let (other, older, newer) = (claim("z.txt"), claim("a/y.txt"), claim("a/y.txt"));
    let (work, inbox, gate) = (place.at("work"), place.at("inbox"), Gate::default());
    let put_back = |claim: &Claim| gate.put_back(claim, &work, &inbox, &*DISK).unwrap();
    assert!(put_back(&other), "newer ones have other names");
    assert!(!put_back(&older) && older.input().exists());
    newer.archive(&place.at("done/y.1.txt"), &*DISK).unwrap();
    newer.end(&*DISK);
    assert!(put_back(&older));
    assert!(place.at("inbox/a/y.txt").exists());
}

#[test]
fn a_folder_on_another_file_system_gets_a_durable_copy() {
    let mut place = Place::new();
    fs::write(place.at("inbox/y.txt"), "1").unwrap();
    let (claim, to) = (place.take("y.txt").unwrap(), place.at("done/y.txt"));
    claim.archive_by_copy(&to, &*DISK, &|| false).unwrap_err();
    assert!(claim.input().exists() && !to.exists(), "given up, and nothing is lost or half there");
    claim.archive_by_copy(&to, &*DISK, &|| true).unwrap();
    assert!(!claim.input().exists());
    assert_eq!(fs::read_to_string(to).unwrap(), "1");
}

#[test]
fn a_folder_that_was_claimed_by_a_race_is_kept_and_what_is_no_claims_is_left_alone() {
    let place = Place::new();
    let folder = place.at("work/20260101T000000.000000Z=entrada.txt");
    for folder in [&folder, &place.at("work/somebodys")] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("precious.txt"), "1").unwrap();
    }
    let found = find(&place.at("work"), &*DISK).unwrap();
    assert_eq!((found.len(), found[0].input()), (1, folder.clone()));
    assert_eq!(fs::read_to_string(folder.join("precious.txt")).unwrap(), "1");
    assert!(place.at("work/somebodys/precious.txt").exists());
}
