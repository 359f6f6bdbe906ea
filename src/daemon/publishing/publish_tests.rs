//! Tests of publishing, on both platforms.

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::claim::Claim;
use crate::daemon::fs::folders::{Folders, WorkLock};
use crate::daemon::fs::os::Platform;
use crate::job::Pool;
use crate::solver::SOLVERS;

const BOARD_1: &str = "3 3\n2 1 2 0 1\n0 0\n";
const BOARD_2: &str = "5 3\n1 0 2 1 0 2 0 0\n0 0\n";
const PLATFORMS: [fn() -> Platform; 2] = [Platform::native, || Platform::Portable];

/// Folders, a answerer and a publisher, without threads.
struct Place {
    root: TempDir,
    answerer: Arc<Answerer>,
    publisher: Publisher,
    config: Config,
    ids: JobIds,
    _lock: WorkLock,
}

impl Place {
    fn new(platform: fn() -> Platform, route: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let [inbox, outbox, var] = ["inbox", "outbox", "var"].map(|name| root.path().join(name));
        let (folders, lock) = Folders::prepare(&crate::config::Folders { inbox, outbox, var }).unwrap();
        let pool = Pool::new(1).unwrap();
        let disk = Arc::new(folders.tree(platform()));
        let answerer = Arc::new(Answerer::new(folders, disk, pool));
        let publisher = Publisher::new(Arc::clone(&answerer));
        let text = format!(
            "[results]\nformats = [\"txt\", \"json\"]\n[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\n\
             solver = \"checkers-capture\"\n{route}\n"
        );
        let config = Config::parse(&text, "test", SOLVERS).unwrap();
        Self { root, answerer, publisher, config, ids: JobIds::default(), _lock: lock }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn claim(&mut self, name: &str, content: &str) -> Claim {
        let path = self.at("inbox").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        let Folders { work, inbox, .. } = &self.answerer.folders;
        let (id, disk) = (self.ids.next(), &*self.answerer.disk);
        Claim::take(work, inbox, Path::new(name), id, Instant::now(), disk).unwrap().unwrap()
    }

    fn prepare(&mut self, name: &str, content: &str) -> Prepared {
        let claim = self.claim(name, content);
        self.answerer.answer(claim, &self.config)
    }

    fn publish(&self, group: Vec<Prepared>) -> Vec<Published> {
        self.publisher.publish(group, &self.config)
    }

    /// Answers a file and tells where its result or report stands.
    fn answer(&mut self, name: &str, content: &str) -> PathBuf {
        let prepared = self.prepare(name, content);
        match self.publish(vec![prepared]).pop().unwrap().end {
            End::Published(path) => path,
            end => panic!("{name}: {end:?}"),
        }
    }

    /// Tries again what was not published, after `mend` removed the obstacle.
    fn again(&self, published: Published, mend: impl FnOnce()) -> PathBuf {
        let Published { prepared, end: End::AnswerAgain(_), .. } = published else {
            panic!("published: {published:?}");
        };
        assert!(prepared.claim.input().exists(), "the claim stands");
        assert_eq!(self.count("var/done") + self.count("var/failed"), 0);
        assert_eq!(fs::read_dir(&self.answerer.folders.staging).unwrap().count(), 0);
        mend();
        let prepared = self.answerer.answer(prepared.claim, &self.config);
        assert_eq!(prepared.claim.tries, 0);
        match self.publish(vec![prepared]).pop().unwrap().end {
            End::Published(path) => path,
            end => panic!("{end:?}"),
        }
    }

    fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.at(folder)).unwrap().count()
    }
}

/// A folder in the place of what was made: it cannot be renamed over an older result, not even by root.
fn spoil(prepared: &Prepared) -> PathBuf {
    let Made::Results { files, .. } = &prepared.made else { panic!("no result: {prepared:?}") };
    let (_, made) = &files[0];
    fs::remove_file(made).unwrap();
    fs::create_dir(made).unwrap();
    made.clone()
}

#[test]
fn results_are_published_and_inputs_kept() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        let group = vec![place.prepare("entrada.txt", BOARD_1), place.prepare("a/b/x.txt", BOARD_2)];
        let ended = place.publish(group);
        assert!(ended.iter().all(|published| matches!(published.end, End::Published(_))), "{ended:?}");
        assert_eq!(place.read("outbox/saida.txt"), "1\n");
        assert_eq!(place.read("outbox/a/b/x.saida.txt"), "2\n");
        assert!(place.read("outbox/a/b/x.saida.json").contains("checkers-capture"));
        assert_eq!(
            (place.count("var/done"), place.count("var/done/a/b"), place.count("var/failed")),
            (2, 1, 0)
        );
        assert_eq!(place.count("var/work"), 1, "only the lock");
        assert_eq!(fs::read_dir(&place.answerer.folders.staging).unwrap().count(), 0);
        // Again, over the older one.
        assert_eq!(place.answer("entrada.txt", BOARD_2), Path::new("saida.txt"));
        assert_eq!(place.read("outbox/saida.txt"), "2\n");
    }
}

#[test]
fn versions_never_touch_an_older_result() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        for (content, name) in [(BOARD_1, "saida.txt"), (BOARD_2, "saida.2.txt"), (BOARD_1, "saida.3.txt")] {
            assert_eq!(place.answer("entrada.txt", content), Path::new(name));
        }
        assert_eq!(
            (place.read("outbox/saida.txt"), place.read("outbox/saida.2.txt")),
            ("1\n".into(), "2\n".into())
        );
    }
}

#[test]
fn a_version_is_free_only_when_all_its_outputs_are() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        fs::write(place.at("outbox/saida.json"), "old").unwrap();
        assert_eq!(place.answer("entrada.txt", BOARD_1), Path::new("saida.2.txt"));
        assert!(!place.at("outbox/saida.txt").exists(), "answered twice");
        assert_eq!(place.read("outbox/saida.json"), "old");
    }
}

#[test]
fn a_version_that_another_result_takes_in_between_leaves_nothing_behind() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        // Two names, one JSON result.
        let group = vec![place.prepare("x.txt", BOARD_1), place.prepare("x.TXT", BOARD_2)];
        let mut published = place.publish(group);
        let second = published.pop().unwrap();
        assert!(matches!(&published[0].end, End::Published(path) if path == Path::new("x.saida.txt")));
        assert!(!place.at("outbox/x.saida.TXT").exists(), "its JSON had no such name");
        let Published { prepared, end: End::AnswerAgain(_), .. } = second else {
            panic!("published: {second:?}")
        };
        let prepared = place.answerer.answer(prepared.claim, &place.config);
        let ended = place.publish(vec![prepared]).pop().unwrap().end;
        assert!(matches!(&ended, End::Published(path) if path == Path::new("x.saida.2.TXT")), "{ended:?}");
        assert_eq!(place.read("outbox/x.saida.2.TXT"), "2\n");
        assert!(place.read("outbox/x.saida.json").contains("\"x.txt\""));
        assert!(place.read("outbox/x.saida.2.json").contains("\"x.TXT\""));
    }
}

#[test]
fn a_chosen_version_is_kept_by_another_try() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        // What a crash between the rename of the result and the move of the input leaves.
        let claim = place.claim("entrada.txt", BOARD_1);
        claim.set_target(Path::new("saida.2.txt"), &*place.answerer.disk).unwrap();
        fs::write(place.at("outbox/saida.txt"), "0\n").unwrap();
        fs::write(place.at("outbox/saida.2.txt"), "1\n").unwrap();
        let prepared = place.answerer.answer(claim, &place.config);
        let ended = place.publish(vec![prepared]).pop().unwrap().end;
        assert!(matches!(&ended, End::Published(path) if path == Path::new("saida.2.txt")), "{ended:?}");
        assert!(!place.at("outbox/saida.3.txt").exists());
    }
}

#[test]
fn a_success_removes_the_report() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        assert_eq!(place.answer("entrada.txt", "nothing"), Path::new("erro.txt"));
        assert_eq!(place.answer("entrada.txt", BOARD_1), Path::new("saida.txt"));
        assert!(!place.at("outbox/erro.txt").exists());
    }
}

#[test]
fn a_rename_that_fails_keeps_the_claim_and_the_report() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        fs::write(place.at("outbox/erro.txt"), "old").unwrap();
        fs::write(place.at("outbox/saida.txt"), "0\n").unwrap();
        let group = vec![place.prepare("entrada.txt", BOARD_1)];
        let spoilt = spoil(&group[0]);
        let published = place.publish(group).pop().unwrap();
        assert_eq!(
            (place.read("outbox/erro.txt"), place.read("outbox/saida.txt")),
            ("old".into(), "0\n".into())
        );
        fs::remove_dir(spoilt).unwrap();
        let path = place.again(published, || ());
        assert_eq!(path, Path::new("saida.txt"));
        assert_eq!(place.read("outbox/saida.txt"), "1\n");
    }
}

#[test]
fn one_job_that_fails_stops_no_other_of_its_group() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        fs::write(place.at("outbox/saida.txt"), "0\n").unwrap();
        let group = vec![place.prepare("entrada.txt", BOARD_1), place.prepare("x.txt", BOARD_2)];
        spoil(&group[0]);
        let ended = place.publish(group);
        assert!(
            matches!(ended[0].end, End::AnswerAgain(_)) && matches!(ended[1].end, End::Published(_)),
            "{ended:?}"
        );
    }
}

#[test]
fn a_sync_that_fails_publishes_nothing_and_is_tried_again_in_new_files() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        let group = vec![place.prepare("entrada.txt", BOARD_1)];
        // The made results vanish: nothing can be synced.
        let (staging, away) = (place.answerer.folders.staging.clone(), place.at("away"));
        fs::rename(&staging, &away).unwrap();
        let published = place.publish(group).pop().unwrap();
        assert!(
            matches!(&published.end, End::AnswerAgain(why) if why.contains("cannot sync") ),
            "{published:?}"
        );
        assert!(!place.at("outbox/saida.txt").exists());
        fs::create_dir(&staging).unwrap();
        assert_eq!(place.again(published, || {}), Path::new("saida.txt"));
    }
}

#[test]
fn a_file_given_up_lies_in_the_inbox_again_or_stays_claimed() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        let (older, younger) = (place.claim("a/x.txt", "older"), place.claim("a/x.txt", "younger"));
        let group = [younger, older].map(|claim| Answerer::give_up(claim, "the service ends"));
        let ended = place.publish(group.into());
        assert!(
            matches!(ended[0].end, End::PutBack(_)) && matches!(ended[1].end, End::AnswerAgain(_)),
            "{ended:?}"
        );
        assert_eq!(place.read("inbox/a/x.txt"), "younger");
        assert!(ended[1].prepared.claim.input().exists());
    }
}

#[test]
fn a_file_whose_reading_is_cancelled_is_put_back() {
    let mut place = Place::new(Platform::native, "");
    let claim = place.claim("entrada.txt", BOARD_1);
    place.answerer.cancel.cancel();
    let prepared = place.answerer.answer(claim, &place.config);
    assert!(matches!(prepared.made, Made::PutBack(_)), "{:?}", prepared.made);
}
