//! Tests of failures: outputs that cannot be published are kept or made again, and files that are given up go back.

use std::os::unix::fs::MetadataExt;
use std::sync::atomic::Ordering;

use super::*;

#[test]
fn a_success_removes_the_report() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        assert_eq!(place.answer("entrada.txt", "nothing"), Path::new("erro.txt"));
        assert_eq!(place.answer("entrada.txt", BOARD_1), Path::new("saida.txt"));
        assert!(!place.at("outbox/erro.txt").exists());
    }
}

#[test]
fn an_outbox_that_cannot_be_written_keeps_the_answer_which_is_published_later() {
    let cases = [(BOARD_1, "a/saida.txt"), ("nothing", "a/erro.txt")];
    for (tree, (content, output)) in TREES.into_iter().flat_map(|tree| cases.map(|case| (tree, case))) {
        let mut place = Place::new(tree, "");
        // A link stops a job that creates folders. Unlike a file, it makes no job choose another folder.
        std::os::unix::fs::symlink("elsewhere", place.at("outbox/a")).unwrap();
        let pending = place.prepare("a/entrada.txt", content);
        let published = place.publish_one(pending);
        assert!(!published.pending.claim.may_be_named);
        // From now on every answer is cancelled.
        place.answerer.cancel.cancel();
        let shown = place.go_on(published, || fs::remove_file(place.at("outbox/a")).unwrap());
        assert_eq!(shown, Path::new(output));
        assert_eq!(place.count_staged(), 0);
    }
}

#[test]
fn an_archive_that_cannot_be_written_keeps_the_result_and_only_the_input_is_moved_later() {
    for tree in TREES {
        let mut place = Place::new(tree, "if_exists = \"version\"");
        block(&place.at("var/done"));
        let pending = place.prepare("entrada.txt", BOARD_1);
        let id = pending.claim.id.clone();
        let published = place.publish_one(pending);
        assert!(matches!(&published.end, End::PublishAgain(why) if why.contains("input cannot be moved")));
        let result = own("saida.ID.txt", &id);
        let inode = || fs::metadata(place.at("outbox").join(&result)).unwrap().ino();
        let before = inode();
        unblock(&place.at("var/done"));
        assert_eq!(place.go_on(published, || ()), result);
        assert_eq!(inode(), before, "the same file");
        assert_eq!((place.count("var/done"), place.count("var/work")), (1, 1), "and the lock");
    }
}

#[test]
fn one_job_that_fails_stops_no_other_of_its_group() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        std::os::unix::fs::symlink("elsewhere", place.at("outbox/a")).unwrap();
        let group = vec![place.prepare("a/entrada.txt", BOARD_1), place.prepare("x.txt", BOARD_2)];
        let ended = place.publish(group);
        assert!(
            matches!(ended[0].end, End::PublishAgain(_)) && matches!(ended[1].end, End::Published),
            "{ended:?}"
        );
    }
}

#[test]
fn a_rename_that_fails_keeps_the_claim_and_the_report() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        place.put_output("erro.txt", "old", "entrada.txt");
        place.put_output("saida.txt", "0\n", "entrada.txt");
        // A temporary file is gone, so the outputs must be made again.
        let pending = place.prepare("entrada.txt", BOARD_1);
        fs::remove_file(place.answerer.staged_path(&pending.claim.id, Output::ResultJson)).unwrap();
        let published = place.publish_one(pending);
        assert_eq!(
            (place.read("outbox/erro.txt"), place.read("outbox/saida.txt")),
            ("old".into(), "0\n".into())
        );
        assert_eq!(place.again(published), Path::new("saida.txt"));
        assert_eq!(place.read("outbox/saida.txt"), "1\n");
        assert!(!place.at("outbox/erro.txt").exists());
    }
}

#[test]
fn a_sync_that_fails_publishes_nothing_and_is_tried_again_in_new_files() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        let group = vec![place.prepare("entrada.txt", BOARD_1)];
        // The temporary files vanish, so nothing can be synced.
        let (staging, away) = (place.answerer.folders.staging.clone(), place.at("away"));
        fs::rename(&staging, &away).unwrap();
        let published = place.publish(group).pop().unwrap();
        assert!(
            matches!(&published.end, End::AnswerAgain(why) if why.contains("cannot sync")),
            "{published:?}"
        );
        assert!(!place.at("outbox/saida.txt").exists());
        fs::create_dir(&staging).unwrap();
        assert_eq!(place.again(published), Path::new("saida.txt"));
    }
}

#[test]
fn a_sync_that_fails_condemns_what_was_made_before_it() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        let (first, second) = (place.prepare("x.txt", BOARD_1), place.prepare("y.txt", BOARD_2));
        place.answerer.failed_syncs.fetch_add(1, Ordering::AcqRel);
        for (pending, name) in [(first, "x.saida.txt"), (second, "y.saida.txt")] {
            let published = place.publish_one(pending);
            assert!(!place.at("outbox").join(name).exists());
            let Published { pending, end: End::AnswerAgain(_), .. } = published else {
                panic!("published: {published:?}")
            };
            let pending = place.answerer.answer_claim(pending.claim, &place.config);
            assert_eq!(path(place.publish_one(pending)), Path::new(name));
        }
    }
}

#[test]
fn a_file_given_up_lies_in_the_inbox_again_or_stays_claimed() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        let (older, younger) = (place.claim("a/x.txt", "older"), place.claim("a/x.txt", "younger"));
        let config = Arc::new(place.config.clone());
        let group = [younger, older].map(|claim| *PendingPublication::unanswered(claim, &config));
        let ended = place.publish(group.into());
        assert!(
            matches!(ended[0].end, End::PutBack(_)) && matches!(ended[1].end, End::AnswerAgain(_)),
            "{ended:?}"
        );
        assert_eq!(place.read("inbox/a/x.txt"), "younger");
        assert!(ended[1].pending.claim.input().exists());
    }
}

#[test]
fn an_answer_given_up_leaves_no_temporaries_and_its_file_goes_back_unless_it_may_be_named() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        let mut pending = place.prepare("x.txt", BOARD_1);
        pending.made = Made::PutBack("the service ends");
        assert!(matches!(place.publish_one(pending).end, End::PutBack(_)));
        assert_eq!((place.read("inbox/x.txt"), place.count_staged()), (BOARD_1.to_owned(), 0));
        fs::remove_file(place.at("inbox/x.txt")).unwrap();
        let claim = left_claimed(&mut place, "x.txt", BOARD_1);
        let mut pending = place.answerer.answer_claim(claim, &place.config);
        pending.made = Made::PutBack("the service ends");
        let published = place.publish_one(pending);
        assert!(matches!(published.end, End::AnswerAgain(_)), "{published:?}");
        assert!(published.pending.claim.input().exists() && !place.at("inbox/x.txt").exists());
        assert_eq!(place.count_staged(), 0);
    }
}

#[test]
fn a_file_whose_reading_is_cancelled_is_put_back() {
    let mut place = Place::new(Folders::tree, "");
    let claim = place.claim("entrada.txt", BOARD_1);
    place.answerer.cancel.cancel();
    let pending = place.answerer.answer_claim(claim, &place.config);
    assert!(matches!(pending.made, Made::PutBack(_)), "{:?}", pending.made);
}
