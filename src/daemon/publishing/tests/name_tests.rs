//! Tests of the names that outputs get when other files are in their way.

use super::*;
use crate::daemon::base::clock::now;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::records::history::Record;

#[test]
fn a_version_has_the_id_of_its_job_and_touches_no_other_result() {
    for tree in TREES {
        let mut place = Place::new(tree, "if_exists = \"version\"");
        fs::write(place.at("outbox/saida.txt"), "somebody's").unwrap();
        let mut paths = Vec::new();
        for content in [BOARD_1, BOARD_2, BOARD_1] {
            let pending = place.prepare("entrada.txt", content);
            let id = pending.claim.id.clone();
            let published = place.publish_one(pending);
            let archived = published.archived.clone().unwrap();
            assert!(archived.ends_with(own("entrada.ID.txt", &id)), "named like its archived input");
            let shown = path(published);
            assert_eq!(shown, own("saida.ID.txt", &id));
            assert!(place.at("outbox").join(own("saida.ID.json", &id)).exists());
            paths.push(shown);
        }
        let answers: Vec<_> =
            paths.iter().map(|path| place.read(&format!("outbox/{}", path.display()))).collect();
        assert_eq!(answers, ["1\n", "2\n", "1\n"]);
        assert_eq!(place.read("outbox/saida.txt"), "somebody's");
        assert_eq!(place.count("outbox"), 1 + 2 * 3 + 1, "and the staging folder");
    }
}

#[test]
fn a_name_that_is_taken_is_told_with_whose_it_is() {
    for tree in TREES {
        let place = std::cell::RefCell::new(Place::new(tree, ""));
        if !place.borrow().has_attributes() {
            return;
        }
        let publish = |name: &str, content: &str| {
            let mut place = place.borrow_mut();
            let pending = place.prepare(name, content);
            let published = place.publish_one(pending);
            Record::of(&published, &place.answerer.folders, now()).unwrap()
        };
        let collision = |record: &Record| record.collision().map(|words| words.replace(&record.id, "ID"));
        let answer = |name: &str, content: &str| {
            let record = publish(name, content);
            let json = record.output.as_ref().unwrap().0.with_extension("json");
            let json = fs::read(place.borrow().at("outbox").join(json)).unwrap();
            let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
            assert_eq!(json["id"], *record.id);
            let told = [&json["name_taken"], &json["taken_by"]].map(|name| name.as_str().map(str::to_owned));
            let known = [record.name_taken.as_ref(), record.taken_by.as_ref()];
            assert_eq!(told, known.map(|name| name.map(JsonPath::printable)), "{json}");
            (record.replaced, collision(&record))
        };
        assert_eq!(answer("a", BOARD_1), (false, None));
        let words = "a.saida.txt is the result of a; this one is a.saida.ID.txt";
        assert_eq!(answer("a.txt", BOARD_2), (false, Some(words.to_owned())));
        assert_eq!(answer("a", BOARD_2), (true, None));
        assert_eq!(answer("a.txt", BOARD_2), (false, Some(words.to_owned())), "each is kept");
        fs::write(place.borrow().at("outbox/b.saida.json"), "somebody's").unwrap();
        let words = "b.saida.json is somebody else's; this one is b.saida.ID.txt";
        assert_eq!(answer("b.txt", BOARD_1), (false, Some(words.to_owned())));
        fs::create_dir(place.borrow().at("outbox/c.erro.txt")).unwrap();
        let words = "c.erro.txt is somebody else's; this one is c.erro.ID.txt";
        assert_eq!(collision(&publish("c.txt", "Dear Sir")), Some(words.to_owned()));
        assert_eq!(collision(&publish("d.txt", "Dear Sir")), None);
    }
}

#[test]
fn a_version_published_before_a_crash_is_published_again_under_its_name() {
    for tree in TREES {
        let mut place = Place::new(tree, "if_exists = \"version\"");
        let claim = left_claimed(&mut place, "entrada.txt", BOARD_1);
        let result = own("saida.ID.txt", &claim.id);
        place.put_output(&result, "1\n", "entrada.txt");
        let pending = place.answerer.answer_claim(claim, &place.config);
        assert_eq!(path(place.publish_one(pending)), result);
        assert_eq!(place.count("outbox"), 3, "the text, the JSON and the staging folder");
    }
}

/// A crash after the first of two jobs was published, whose numbered names could meet: their IDs keep them apart.
#[test]
fn two_files_whose_numbered_names_would_meet_never_share_a_name_after_a_crash() {
    for tree in TREES {
        let mut place = Place::new(tree, "if_exists = \"version\"");
        fs::write(place.at("outbox/saida.txt"), "old").unwrap();
        let claims = [("entrada.txt", BOARD_1), ("entrada.2.txt", BOARD_2)]
            .map(|(name, content)| left_claimed(&mut place, name, content));
        let names = [own("saida.ID.txt", &claims[0].id), own("saida.2.ID.txt", &claims[1].id)];
        // The first was published before the crash.
        place.put_output(&names[0], "1\n", "entrada.txt");
        let group = claims.map(|claim| place.answerer.answer_claim(claim, &place.config));
        let shown: Vec<_> = place.publish(group.into()).into_iter().map(path).collect();
        assert_eq!(shown, names);
        let read = |name: &PathBuf| fs::read_to_string(place.at("outbox").join(name)).unwrap();
        assert_eq!((read(&names[0]), read(&names[1])), ("1\n".into(), "2\n".into()));
        assert_eq!(place.read("outbox/saida.txt"), "old");
    }
}

/// A version was published, the process died, and at the next start the route replaces.
#[test]
fn a_version_published_before_a_crash_keeps_its_name_when_its_route_replaces_now() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        fs::write(place.at("outbox/saida.txt"), "old").unwrap();
        let claim = left_claimed(&mut place, "entrada.txt", BOARD_1);
        let result = own("saida.ID.txt", &claim.id);
        place.put_output(&result, "1\n", "entrada.txt");
        let pending = place.answerer.answer_claim(claim, &place.config);
        assert_eq!(path(place.publish_one(pending)), result);
        assert_eq!(place.read("outbox/saida.txt"), "old");
    }
}

#[test]
fn what_is_no_regular_file_keeps_its_name_and_the_whole_group_gets_names_of_its_own() {
    for (tree, kind) in TREES.into_iter().flat_map(|tree| [(tree, "folder"), (tree, "link")]) {
        let mut place = Place::new(tree, "");
        let taken = place.at("outbox/saida.json");
        match kind {
            "folder" => fs::create_dir(&taken).unwrap(),
            _ => std::os::unix::fs::symlink("elsewhere", &taken).unwrap(),
        }
        let pending = place.prepare("entrada.txt", BOARD_1);
        let id = pending.claim.id.clone();
        assert_eq!(path(place.publish_one(pending)), own("saida.ID.txt", &id), "{kind}");
        assert!(!place.at("outbox/saida.txt").exists(), "answered twice");
        assert!(place.at("outbox").join(own("saida.ID.json", &id)).exists());
        assert!(!fs::symlink_metadata(taken).unwrap().is_file());
    }
}

#[test]
fn a_report_goes_past_a_folder_of_its_name() {
    for tree in TREES {
        let mut place = Place::new(tree, "if_exists = \"version\"");
        assert_eq!(place.answer("x.txt", "nothing"), Path::new("x.erro.txt"), "a report has no versions");
        fs::create_dir(place.at("outbox/erro.txt")).unwrap();
        let pending = place.prepare("entrada.txt", "nothing");
        let id = pending.claim.id.clone();
        assert_eq!(path(place.publish_one(pending)), own("erro.ID.txt", &id));
    }
}

#[test]
fn a_folder_whose_name_a_file_has_is_mirrored_under_the_id_of_each_job() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        assert_eq!(place.answer("a.txt", BOARD_1), Path::new("a.saida.txt"));
        let pending = place.prepare("a.saida.txt/x.txt", BOARD_2);
        let id = pending.claim.id.clone();
        assert_eq!(path(place.publish_one(pending)), own("a.saida.ID.txt/x.saida.txt", &id));
        assert_eq!(place.read("outbox/a.saida.txt"), "1\n");
        // The same after a crash, when the file that was in the way is gone.
        let claim = left_claimed(&mut place, "a.saida.txt/y.txt", BOARD_2);
        let folder = own("a.saida.ID.txt", &claim.id);
        fs::create_dir(place.at("outbox").join(&folder)).unwrap();
        fs::remove_file(place.at("outbox/a.saida.txt")).unwrap();
        let pending = place.answerer.answer_claim(claim, &place.config);
        assert_eq!(path(place.publish_one(pending)), folder.join("y.saida.txt"));
    }
}

#[test]
fn a_file_that_takes_a_free_name_in_between_stays_and_the_whole_group_goes_past_it() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        // Two inputs share the name of one JSON result.
        let group = vec![place.prepare("x.txt", BOARD_1), place.prepare("x.TXT", BOARD_2)];
        let mut published = place.publish(group);
        let second = published.pop().unwrap();
        assert_eq!(path(published.pop().unwrap()), Path::new("x.saida.txt"));
        assert!(!place.at("outbox/x.saida.TXT").exists(), "its JSON had no such name");
        let Published { pending, end: End::PublishAgain(_), .. } = second else {
            panic!("published: {second:?}")
        };
        assert!(!pending.claim.may_be_named, "nothing of it has a final name");
        let id = pending.claim.id.clone();
        assert_eq!(path(place.publish_one(pending)), own("x.saida.ID.TXT", &id));
        let read = |name: &str| fs::read_to_string(place.at("outbox").join(own(name, &id))).unwrap();
        assert_eq!(read("x.saida.ID.TXT"), "2\n");
        assert!(place.read("outbox/x.saida.json").contains("\"x.txt\""));
        assert!(read("x.saida.ID.json").contains("\"x.TXT\""));
        assert_eq!(place.count_staged(), 0);
    }
}

#[test]
fn an_output_of_another_input_and_a_persons_file_stay() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        assert_eq!(place.answer("x.txt", BOARD_1), Path::new("x.saida.txt"));
        if !place.has_attributes() {
            continue;
        }
        // If two inputs have results of the same name, the second gets a name of its own, each time.
        for _ in 0..2 {
            let pending = place.prepare("x.entrada.txt", BOARD_2);
            let id = pending.claim.id.clone();
            assert_eq!(path(place.publish_one(pending)), own("x.saida.ID.txt", &id));
        }
        assert_eq!(place.read("outbox/x.saida.txt"), "1\n");
        assert_eq!(place.answer("x.txt", BOARD_2), Path::new("x.saida.txt"), "its own is replaced");
        // Keeps a person's notes beside the results.
        fs::write(place.at("outbox/erro.txt"), "mine").unwrap();
        assert_eq!(place.answer("entrada.txt", BOARD_1), Path::new("saida.txt"));
        assert_eq!(place.read("outbox/erro.txt"), "mine");
        fs::write(place.at("outbox/y.saida.json"), "mine").unwrap();
        let pending = place.prepare("y.txt", BOARD_1);
        let id = pending.claim.id.clone();
        assert_eq!(path(place.publish_one(pending)), own("y.saida.ID.txt", &id));
        assert_eq!(place.read("outbox/y.saida.json"), "mine");
        // Keeps a person's file in the place of a version.
        let pending = place.prepare("y.txt", BOARD_2);
        let id = pending.claim.id.clone();
        fs::write(place.at("outbox").join(own("y.saida.ID.txt", &id)), "mine").unwrap();
        assert_eq!(path(place.publish_one(pending)), own("y.saida.ID-2.txt", &id));
        assert_eq!(fs::read_to_string(place.at("outbox").join(own("y.saida.ID.txt", &id))).unwrap(), "mine");
    }
}
