//! Tests of publishing, with and without the calls that only some kernels and file systems have.

// Outputs that cannot be published.
mod failures;
// The names that outputs get.
mod name_tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::XattrFlags;
use tempfile::TempDir;

use crate::config::Config;
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{Made, PendingPublication, Stage};
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find::find;
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::service_folders::{Folders, WorkLock};
use crate::daemon::publishing::publisher::{End, Published, Publisher};
use tabuleiro_jobs::Pool;
use tabuleiro_jobs::naming::Output;
use tabuleiro_puzzles::solver::SOLVERS;

const BOARD_1: &str = "3 3\n2 1 2 0 1\n0 0\n";
const BOARD_2: &str = "5 3\n1 0 2 1 0 2 0 0\n0 0\n";
const TREES: [fn(&Folders) -> Tree; 2] = [Folders::tree, |folders| folders.tree().without_extensions()];

/// Folders, an answerer and a publisher, without threads.
struct Place {
    root: TempDir,
    answerer: Arc<Answerer>,
    publisher: Publisher,
    config: Config,
    ids: JobIds,
    _lock: WorkLock,
}

impl Place {
    fn new(tree: fn(&Folders) -> Tree, route: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let [inbox, outbox, var] = ["inbox", "outbox", "var"].map(|name| root.path().join(name));
        let (folders, lock) =
            Folders::prepare(&crate::config::Folders { base: None, inbox, outbox, var }).unwrap();
        let pool = Pool::new(1).unwrap();
        let disk = Arc::new(tree(&folders));
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
        Claim::take(work, inbox, Path::new(name), id, disk).unwrap().unwrap()
    }

    fn prepare(&mut self, name: &str, content: &str) -> PendingPublication {
        let claim = self.claim(name, content);
        self.answerer.answer_claim(claim, &self.config)
    }

    fn publish(&self, group: Vec<PendingPublication>) -> Vec<Published> {
        self.publisher.publish(group)
    }

    /// Answers a file and returns the path of its result or report.
    fn answer(&mut self, name: &str, content: &str) -> PathBuf {
        let pending = self.prepare(name, content);
        path(self.publish_one(pending))
    }

    fn publish_one(&self, pending: PendingPublication) -> Published {
        self.publish(vec![pending]).pop().unwrap()
    }

    /// Answers a job again that could not be published.
    fn again(&self, published: Published) -> PathBuf {
        let Published { pending, end: End::AnswerAgain(_), .. } = published else {
            panic!("published: {published:?}");
        };
        self.check_claimed(&pending);
        assert_eq!(self.count_staged(), 0);
        let pending = self.answerer.answer_claim(pending.claim, &self.config);
        assert_eq!(pending.claim.tries, 0);
        path(self.publish_one(pending))
    }

    /// Publishes a job again from its temporary files, after `mend` removed the obstacle.
    fn go_on(&self, published: Published, mend: impl FnOnce()) -> PathBuf {
        let Published { pending, end: End::PublishAgain(_), .. } = published else {
            panic!("published: {published:?}");
        };
        self.check_claimed(&pending);
        mend();
        path(self.publish_one(pending))
    }

    fn check_claimed(&self, pending: &PendingPublication) {
        assert!(pending.claim.input().exists(), "the claim stands");
        assert_eq!(self.count("var/done") + self.count("var/failed"), 0);
    }

    /// Creates an older output of `input`.
    fn put_output(&self, path: impl AsRef<Path>, content: &str, input: &str) {
        let path = self.at("outbox").join(path);
        fs::write(&path, content).unwrap();
        // If the file system keeps no attributes, every file counts as an output of the same input.
        let _ = rustix::fs::setxattr(&path, "user.tabuleiro.input", input.as_bytes(), XattrFlags::empty());
    }

    fn has_attributes(&self) -> bool {
        let path = self.at("attributes");
        fs::write(&path, "").unwrap();
        rustix::fs::setxattr(&path, "user.tabuleiro.input", b"x", XattrFlags::empty()).is_ok()
    }

    fn count_staged(&self) -> usize {
        fs::read_dir(&self.answerer.folders.staging).unwrap().count()
    }

    fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.at(folder)).unwrap().count()
    }
}

/// Returns the path of the first output below the outbox.
fn path(published: Published) -> PathBuf {
    match (published.end, published.pending.stage) {
        (End::Published, Stage::Named(mut outputs)) => outputs.swap_remove(0),
        (end, _) => panic!("{}: {end:?}", published.pending.file),
    }
}

/// Returns the name of an output with the ID of its job.
fn own(pattern: &str, id: &str) -> PathBuf {
    pattern.replace("ID", id).into()
}

/// Puts a file where a folder is needed: an obstacle that stops even root.
fn block(path: &Path) {
    let _ = fs::remove_dir_all(path);
    fs::write(path, "in the way").unwrap();
}

fn unblock(path: &Path) {
    fs::remove_file(path).unwrap();
    fs::create_dir(path).unwrap();
}

/// Recreates what a crash between the rename of a result and the move of its input leaves, as the next start finds it.
fn left_claimed(place: &mut Place, name: &str, content: &str) -> Claim {
    let id = place.claim(name, content).id;
    let found = find(&place.answerer.folders.work, &*place.answerer.disk).unwrap();
    found.into_iter().find(|claim| claim.id == id).unwrap()
}

#[test]
fn results_are_published_and_inputs_kept() {
    for tree in TREES {
        let mut place = Place::new(tree, "");
        let group = vec![place.prepare("entrada.txt", BOARD_1), place.prepare("a/b/x.txt", BOARD_2)];
        let ended = place.publish(group);
        assert!(ended.iter().all(|published| matches!(published.end, End::Published)), "{ended:?}");
        assert_eq!(place.read("outbox/saida.txt"), "1\n");
        assert_eq!(place.read("outbox/a/b/x.saida.txt"), "2\n");
        assert!(place.read("outbox/a/b/x.saida.json").contains("checkers-capture"));
        assert_eq!(
            (place.count("var/done"), place.count("var/done/a/b"), place.count("var/failed")),
            (2, 1, 0)
        );
        assert_eq!(place.count("var/work"), 1, "only the lock");
        assert_eq!(fs::read_dir(&place.answerer.folders.staging).unwrap().count(), 0);
        // A second answer replaces the first.
        assert_eq!(place.answer("entrada.txt", BOARD_2), Path::new("saida.txt"));
        assert_eq!(place.read("outbox/saida.txt"), "2\n");
    }
}
