//! Tests of publishing, on both platforms.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::claim::Claim;
use crate::daemon::claims::find::find;
use crate::daemon::claims::recovery::recover;
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
        path(self.publish_one(prepared))
    }

    fn publish_one(&self, prepared: Prepared) -> Published {
        self.publish(vec![prepared]).pop().unwrap()
    }

    /// Answers again what could not be published.
    fn again(&self, published: Published) -> PathBuf {
        let Published { prepared, end: End::AnswerAgain(_), .. } = published else {
            panic!("published: {published:?}");
        };
        self.check_claimed(&prepared);
        assert_eq!(self.count_staged(), 0);
        let prepared = self.answerer.answer(prepared.claim, &self.config);
        assert_eq!(prepared.claim.tries, 0);
        path(self.publish_one(prepared))
    }

    /// Publishes again what could not be published, from the files that were made, after `mend` removed the obstacle.
    fn go_on(&self, published: Published, mend: impl FnOnce()) -> PathBuf {
        let Published { prepared, end: End::PublishAgain(_), .. } = published else {
            panic!("published: {published:?}");
        };
        self.check_claimed(&prepared);
        mend();
        path(self.publish_one(prepared))
    }

    fn check_claimed(&self, prepared: &Prepared) {
        assert!(prepared.claim.input().exists(), "the claim stands");
        assert_eq!(self.count("var/done") + self.count("var/failed"), 0);
    }

    fn count_staged(&self) -> usize {
        fs::read_dir(&self.answerer.folders.staging).unwrap().count()
    }

    fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.at(folder)).unwrap().count()
    }
}

fn path(published: Published) -> PathBuf {
    match published.end {
        End::Published(path) => path,
        end => panic!("{}: {end:?}", published.prepared.file),
    }
}

/// The name of an output with the ID of its job.
fn own(pattern: &str, id: &str) -> PathBuf {
    pattern.replace("ID", id).into()
}

/// A file that stands where a folder is needed: an obstacle that stops root, too.
fn block(path: &Path) {
    let _ = fs::remove_dir_all(path);
    fs::write(path, "in the way").unwrap();
}

fn unblock(path: &Path) {
    fs::remove_file(path).unwrap();
    fs::create_dir(path).unwrap();
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
fn a_version_has_the_id_of_its_job_and_touches_no_other_result() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        fs::write(place.at("outbox/saida.txt"), "somebody's").unwrap();
        let mut paths = Vec::new();
        for content in [BOARD_1, BOARD_2, BOARD_1] {
            let prepared = place.prepare("entrada.txt", content);
            let id = prepared.claim.id.clone();
            let published = place.publish_one(prepared);
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

/// What a crash between the rename of a result and the move of its input leaves, found by the next start.
fn left_claimed(place: &mut Place, name: &str, content: &str) -> Claim {
    let id = place.claim(name, content).id;
    let found = find(&place.answerer.folders.work, &*place.answerer.disk).unwrap();
    found.into_iter().find(|claim| claim.id == id).unwrap()
}

#[test]
fn a_version_published_before_a_crash_is_published_again_under_its_name() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        let claim = left_claimed(&mut place, "entrada.txt", BOARD_1);
        let result = own("saida.ID.txt", &claim.id);
        fs::write(place.at("outbox").join(&result), "1\n").unwrap();
        let prepared = place.answerer.answer(claim, &place.config);
        assert_eq!(path(place.publish_one(prepared)), result);
        assert_eq!(place.count("outbox"), 3, "the text, the JSON and the staging folder");
    }
}

/// The crash of two claims that chose the same version, one of them recorded and lost: their names cannot be the same.
#[test]
fn two_files_whose_numbered_names_would_meet_never_share_a_name_after_a_crash() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        fs::write(place.at("outbox/saida.txt"), "old").unwrap();
        let claims = [("entrada.txt", BOARD_1), ("entrada.2.txt", BOARD_2)]
            .map(|(name, content)| left_claimed(&mut place, name, content));
        let names = [own("saida.ID.txt", &claims[0].id), own("saida.2.ID.txt", &claims[1].id)];
        // The first was published before the crash.
        fs::write(place.at("outbox").join(&names[0]), "1\n").unwrap();
        let group = claims.map(|claim| place.answerer.answer(claim, &place.config));
        let shown: Vec<_> = place.publish(group.into()).into_iter().map(path).collect();
        assert_eq!(shown, names);
        let read = |name: &PathBuf| fs::read_to_string(place.at("outbox").join(name)).unwrap();
        assert_eq!((read(&names[0]), read(&names[1])), ("1\n".into(), "2\n".into()));
        assert_eq!(place.read("outbox/saida.txt"), "old");
    }
}

/// A version was published, the process died, and the route replaces when the service starts again.
#[test]
fn a_version_published_before_a_crash_keeps_its_name_when_its_route_replaces_now() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        fs::write(place.at("outbox/saida.txt"), "old").unwrap();
        let claim = left_claimed(&mut place, "entrada.txt", BOARD_1);
        let result = own("saida.ID.txt", &claim.id);
        fs::write(place.at("outbox").join(&result), "1\n").unwrap();
        let prepared = place.answerer.answer(claim, &place.config);
        assert_eq!(path(place.publish_one(prepared)), result);
        assert_eq!(place.read("outbox/saida.txt"), "old");
    }
}

/// An earlier version recorded a name, the process died, and somebody's file has that name now.
#[test]
fn a_name_that_an_earlier_version_recorded_gives_nobodys_file_away() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        let id = place.claim("entrada.txt", BOARD_1).id;
        let record = place.answerer.folders.work.join(format!("{id}.target"));
        fs::write(&record, "saida.2.txt\n.\n").unwrap();
        fs::write(place.at("outbox/saida.2.txt"), "someone else's").unwrap();
        let claim = recover(&place.answerer.folders, &*place.answerer.disk).unwrap().pop().unwrap();
        let prepared = place.answerer.answer(claim, &place.config);
        assert_eq!(path(place.publish_one(prepared)), own("saida.ID.txt", &id));
        assert_eq!(place.read("outbox/saida.2.txt"), "someone else's");
        assert!(!record.exists());
    }
}

#[test]
fn what_is_no_regular_file_keeps_its_name_and_the_whole_group_gets_names_of_its_own() {
    for (platform, kind) in
        PLATFORMS.into_iter().flat_map(|platform| [(platform, "folder"), (platform, "link")])
    {
        let mut place = Place::new(platform, "");
        let taken = place.at("outbox/saida.json");
        match kind {
            "folder" => fs::create_dir(&taken).unwrap(),
            _ => std::os::unix::fs::symlink("elsewhere", &taken).unwrap(),
        }
        let prepared = place.prepare("entrada.txt", BOARD_1);
        let id = prepared.claim.id.clone();
        assert_eq!(path(place.publish_one(prepared)), own("saida.ID.txt", &id), "{kind}");
        assert!(!place.at("outbox/saida.txt").exists(), "answered twice");
        assert!(place.at("outbox").join(own("saida.ID.json", &id)).exists());
        assert!(!fs::symlink_metadata(taken).unwrap().is_file());
    }
}

#[test]
fn a_report_goes_past_a_folder_of_its_name() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        assert_eq!(place.answer("x.txt", "nothing"), Path::new("x.erro.txt"), "a report has no versions");
        fs::create_dir(place.at("outbox/erro.txt")).unwrap();
        let prepared = place.prepare("entrada.txt", "nothing");
        let id = prepared.claim.id.clone();
        assert_eq!(path(place.publish_one(prepared)), own("erro.ID.txt", &id));
    }
}

#[test]
fn a_folder_whose_name_a_file_has_is_mirrored_under_the_id_of_each_job() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        assert_eq!(place.answer("a.txt", BOARD_1), Path::new("a.saida.txt"));
        let prepared = place.prepare("a.saida.txt/x.txt", BOARD_2);
        let id = prepared.claim.id.clone();
        assert_eq!(path(place.publish_one(prepared)), own("a.saida.ID.txt/x.saida.txt", &id));
        assert_eq!(place.read("outbox/a.saida.txt"), "1\n");
        // After a crash, when the file that was in the way is gone.
        let claim = left_claimed(&mut place, "a.saida.txt/y.txt", BOARD_2);
        let folder = own("a.saida.ID.txt", &claim.id);
        fs::create_dir(place.at("outbox").join(&folder)).unwrap();
        fs::remove_file(place.at("outbox/a.saida.txt")).unwrap();
        let prepared = place.answerer.answer(claim, &place.config);
        assert_eq!(path(place.publish_one(prepared)), folder.join("y.saida.txt"));
    }
}

#[test]
fn a_file_that_takes_a_free_name_in_between_stays_and_the_whole_group_goes_past_it() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        // Two names, one JSON result.
        let group = vec![place.prepare("x.txt", BOARD_1), place.prepare("x.TXT", BOARD_2)];
        let mut published = place.publish(group);
        let second = published.pop().unwrap();
        assert!(matches!(&published[0].end, End::Published(path) if path == Path::new("x.saida.txt")));
        assert!(!place.at("outbox/x.saida.TXT").exists(), "its JSON had no such name");
        let Published { prepared, end: End::PublishAgain(_), .. } = second else {
            panic!("published: {second:?}")
        };
        assert!(!prepared.claim.may_be_named, "nothing of it has a final name");
        let id = prepared.claim.id.clone();
        assert_eq!(path(place.publish_one(prepared)), own("x.saida.ID.TXT", &id));
        let read = |name: &str| fs::read_to_string(place.at("outbox").join(own(name, &id))).unwrap();
        assert_eq!(read("x.saida.ID.TXT"), "2\n");
        assert!(place.read("outbox/x.saida.json").contains("\"x.txt\""));
        assert!(read("x.saida.ID.json").contains("\"x.TXT\""));
        assert_eq!(place.count_staged(), 0);
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
fn an_outbox_that_cannot_be_written_keeps_the_answer_which_is_published_later() {
    let cases = [(BOARD_1, "a/saida.txt"), ("nothing", "a/erro.txt")];
    for (platform, (content, output)) in
        PLATFORMS.into_iter().flat_map(|platform| cases.map(|case| (platform, case)))
    {
        let mut place = Place::new(platform, "");
        // A link stops whoever makes folders, and is no file that a job goes past.
        std::os::unix::fs::symlink("elsewhere", place.at("outbox/a")).unwrap();
        let prepared = place.prepare("a/entrada.txt", content);
        let published = place.publish_one(prepared);
        assert!(!published.prepared.claim.may_be_named);
        // From now on nobody answers anything.
        place.answerer.cancel.cancel();
        let shown = place.go_on(published, || fs::remove_file(place.at("outbox/a")).unwrap());
        assert_eq!(shown, Path::new(output));
        assert_eq!(place.count_staged(), 0);
    }
}

#[test]
fn an_archive_that_cannot_be_written_keeps_the_result_and_only_the_input_is_moved_later() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "if_exists = \"version\"");
        block(&place.at("var/done"));
        let prepared = place.prepare("entrada.txt", BOARD_1);
        let id = prepared.claim.id.clone();
        let published = place.publish_one(prepared);
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
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        std::os::unix::fs::symlink("elsewhere", place.at("outbox/a")).unwrap();
        let group = vec![place.prepare("a/entrada.txt", BOARD_1), place.prepare("x.txt", BOARD_2)];
        let ended = place.publish(group);
        assert!(
            matches!(ended[0].end, End::PublishAgain(_)) && matches!(ended[1].end, End::Published(_)),
            "{ended:?}"
        );
    }
}

#[test]
fn a_rename_that_fails_keeps_the_claim_and_the_report() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        fs::write(place.at("outbox/erro.txt"), "old").unwrap();
        fs::write(place.at("outbox/saida.txt"), "0\n").unwrap();
        // A temporary is gone, so it has to be made anew.
        let prepared = place.prepare("entrada.txt", BOARD_1);
        let (output, json) = &prepared.staged[1];
        assert_eq!(*output, Output::ResultJson);
        fs::remove_file(json).unwrap();
        let published = place.publish_one(prepared);
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
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        let group = vec![place.prepare("entrada.txt", BOARD_1)];
        // The made results vanish: nothing can be synced.
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
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        let (first, second) = (place.prepare("x.txt", BOARD_1), place.prepare("y.txt", BOARD_2));
        place.answerer.failed_syncs.fetch_add(1, Ordering::AcqRel);
        for (prepared, name) in [(first, "x.saida.txt"), (second, "y.saida.txt")] {
            let published = place.publish_one(prepared);
            assert!(!place.at("outbox").join(name).exists());
            let Published { prepared, end: End::AnswerAgain(_), .. } = published else {
                panic!("published: {published:?}")
            };
            let prepared = place.answerer.answer(prepared.claim, &place.config);
            assert_eq!(path(place.publish_one(prepared)), Path::new(name));
        }
    }
}

#[test]
fn a_file_given_up_lies_in_the_inbox_again_or_stays_claimed() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        let (older, younger) = (place.claim("a/x.txt", "older"), place.claim("a/x.txt", "younger"));
        let group = [younger, older].map(|claim| Prepared::new(claim, Made::PutBack("the service ends")));
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
fn an_answer_given_up_leaves_no_temporaries_and_its_file_goes_back_unless_it_may_be_named() {
    for platform in PLATFORMS {
        let mut place = Place::new(platform, "");
        let mut prepared = place.prepare("x.txt", BOARD_1);
        prepared.made = Made::PutBack("the service ends");
        assert!(matches!(place.publish_one(prepared).end, End::PutBack(_)));
        assert_eq!((place.read("inbox/x.txt"), place.count_staged()), (BOARD_1.to_owned(), 0));
        fs::remove_file(place.at("inbox/x.txt")).unwrap();
        let claim = left_claimed(&mut place, "x.txt", BOARD_1);
        let mut prepared = place.answerer.answer(claim, &place.config);
        prepared.made = Made::PutBack("the service ends");
        let published = place.publish_one(prepared);
        assert!(matches!(published.end, End::AnswerAgain(_)), "{published:?}");
        assert!(published.prepared.claim.input().exists() && !place.at("inbox/x.txt").exists());
        assert_eq!(place.count_staged(), 0);
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
