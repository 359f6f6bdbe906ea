//! Tests what ends the loop, and when the watchdog is fed, without waiting for either.

use std::thread;

use super::*;
use crate::config::Config;
use crate::daemon::answering::job_progress::STALL_MAX;
use crate::daemon::fs::service_folders::Folders;
use crate::logging::Sinks;
use tabuleiro_puzzles::solver::SOLVERS;

/// Returns the settings of a service with all its folders below `root`.
fn settings(root: &std::path::Path) -> Settings {
    let [inbox, outbox, var] = ["inbox", "outbox", "var"].map(|name| root.join(name));
    let (folders, lock) =
        Folders::prepare(&crate::config::Folders { base: None, inbox, outbox, var }).unwrap();
    let text = "[control]\nsocket = \"\"\n[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";
    Settings {
        config: Config::parse(text, "test", SOLVERS).unwrap(),
        folders,
        lock,
        once: false,
        reload: Arc::new(|| Err("nothing to read".to_owned())),
        log: Sinks::default(),
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn a_thread_that_panicked_ends_the_service() {
    let root = tempfile::tempdir().unwrap();
    let runtime = runtime();
    let _entered = runtime.enter();
    let (events, received) = mpsc::channel(EVENTS_MAX);
    let (panicked, panics) = mpsc::unbounded_channel();
    let sender = EventSender { events, panicked };
    let service = Service::start(settings(root.path()), &sender).unwrap();
    // Like any thread that sends events to the loop.
    let work = move || {
        sender.send(Event::Due);
        panic!("a test's own panic");
    };
    thread::Builder::new().name("publish".to_owned()).spawn(work).unwrap();
    let (_control, controlled) = mpsc::channel(1);
    let ended = runtime.block_on(serve(service, received, panics, controlled));
    assert!(matches!(&ended, Err(ServeError::Panicked(thread)) if thread == "publish"), "{ended:?}");
    // The service's threads keep working, so no other service may use these folders before the process has ended.
    let [inbox, outbox, var] = ["inbox", "outbox", "var"].map(|name| root.path().join(name));
    assert!(Folders::prepare(&crate::config::Folders { base: None, inbox, outbox, var }).is_err());
}

fn is_well(service: &Service, now: Instant) -> bool {
    service.progresses(now) == [true; 3]
}

#[test]
fn the_watchdog_is_told_until_something_is_stuck_for_very_long() {
    let root = tempfile::tempdir().unwrap();
    let runtime = runtime();
    let _entered = runtime.enter();
    let (events, received) = mpsc::channel(EVENTS_MAX);
    let (panicked, panics) = mpsc::unbounded_channel();
    let mut service = Service::start(settings(root.path()), &EventSender { events, panicked }).unwrap();
    let now = Instant::now();
    let shipped = Duration::from_secs(180);
    let almost = STALL_MAX.checked_sub(Duration::from_secs(1)).unwrap();
    assert!(is_well(&service, now + STALL_MAX * 2), "nobody has work");
    // The loop receives nothing here, so the intake seems not to answer.
    service.feed_watchdog(now);
    assert!(service.intake.pinged.is_set());
    assert!(is_well(&service, now + shipped) && is_well(&service, now + almost));
    assert!(!is_well(&service, now + STALL_MAX));
    assert_eq!(service.trouble(now).as_deref(), Some("the service starts"));
    service.phase = Phase::Running;
    assert_eq!(service.trouble(now), None);
    assert_eq!(service.trouble(now + STALL_MAX).as_deref(), Some("no progress: the intake"));
    // A second ping does not restart the intake's time, but its answer does.
    service.feed_watchdog(now + almost);
    assert!(!is_well(&service, now + STALL_MAX));
    service.intake.pinged.set(None);
    assert!(is_well(&service, now + STALL_MAX));
    let job = service.answerer.progress.begin("1", "a.txt", None, Some(shipped));
    assert!(is_well(&service, now + shipped * 2) && !is_well(&service, now + shipped * 2 + STALL_MAX));
    drop(job);
    let (stop, control) = mpsc::channel(1);
    stop.try_send(Control::Stop).unwrap();
    runtime.block_on(serve(service, received, panics, control)).unwrap();
}
