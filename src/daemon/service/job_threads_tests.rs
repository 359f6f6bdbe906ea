//! Tests a publisher that waits for a disk.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crossbeam_channel::bounded;

use super::*;
use crate::daemon::answering::job_progress::STALL_MAX;
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::service_folders::Folders;
use tabuleiro_jobs::Pool;
use tabuleiro_puzzles::solver::SOLVERS;

#[test]
fn a_publisher_counts_as_stuck_only_long_after_any_sync() {
    let root = tempfile::tempdir().unwrap();
    let [inbox, outbox, var] = ["inbox", "outbox", "var"].map(|name| root.path().join(name));
    let (folders, _lock) =
        Folders::prepare(&crate::config::Folders { base: None, inbox, outbox, var }).unwrap();
    let disk = Arc::new(folders.tree());
    fs::write(folders.inbox.join("a.txt"), "").unwrap();
    let id = JobIds::default().next();
    let claim = Claim::take(&folders.work, &folders.inbox, Path::new("a.txt"), id, &*disk);
    let answerer = Arc::new(Answerer::new(folders, disk, Pool::new(1).unwrap()));
    // The publisher's group ends when `tell` returns, so `tell` stands for slow syncs.
    let ((begin, begun), (go, gone)) = (bounded(1), bounded::<()>(0));
    let tell = move |_| {
        let _ = begin.send(());
        let _ = gone.recv();
    };
    let threads = Threads::start(1, &answerer, Publisher::new(Arc::clone(&answerer)), tell).unwrap();
    let before = Instant::now();
    let config = Arc::new(Config::parse("", "test", SOLVERS).unwrap());
    threads.publish(PendingPublication::unanswered(claim.unwrap().unwrap(), &config));
    begun.recv().unwrap();
    let after = Instant::now();
    // 90 s, half the watchdog interval of the shipped unit, once ended the service. STALL_MAX is much longer.
    assert!(!threads.publishing.is_stuck(after + Duration::from_secs(90)));
    assert!(!threads.publishing.is_stuck(before + STALL_MAX / 2));
    assert!(threads.publishing.is_stuck(after + STALL_MAX));
    drop(go);
    threads.join();
}
