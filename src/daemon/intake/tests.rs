//! Tests of the intake, driven step by step instead of by its thread.

use std::fs::{self, File};
use std::path::PathBuf;

use tokio::sync::oneshot;

use super::*;
use crate::daemon::answering::fair::{Length, RouteQueue};
use crate::daemon::base::job_id::JobIds;
use crate::daemon::fs::disk::OpenFile;
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::os::{Writers, writers};
use crate::daemon::intake::judging::{FOLDER_BYTES_MAX, Reason};
use tabuleiro_puzzles::solver::SOLVERS;

struct Place {
    root: tempfile::TempDir,
    intake: Intake,
    /// Kept, so that the intake can send messages.
    messages: Receiver<Message>,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for folder in ["inbox", "work"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        let (sender, commands) = unbounded();
        let (tell, messages) = unbounded();
        let setting = IntakeSettings {
            config: config("watch = \"poll\"\n"),
            ids: JobIds::default(),
            folders: Folders {
                inbox: root.path().join("inbox"),
                outbox: root.path().join("outbox"),
                staging: root.path().to_owned(),
                work: root.path().join("work"),
                done: root.path().join("done"),
                failed: root.path().join("failed"),
                history: root.path().join("history"),
                log: root.path().join("log"),
            },
            tree: Arc::new(Tree::new([root.path()])),
            gate: Arc::default(),
            recovered: Vec::new(),
        };
        let tell = Box::new(move |message| drop(tell.send(message)));
        let intake = Intake::new(setting, commands, sender, tell);
        Self { root, intake, messages }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join("inbox").join(path)
    }

    /// Creates an intake that waits for an empty file to get its content.
    fn with_candidate(name: &str) -> Self {
        let mut place = Self::new();
        fs::write(place.at(name), "").unwrap();
        place.intake.look_at(Path::new(name));
        assert_eq!(place.intake.candidates.len(), 1);
        place
    }

    /// Returns how many files were claimed.
    fn claimed(&mut self) -> usize {
        self.intake.report_claimed();
        let claimed = |message| if let Message::Claimed(claims) = message { claims.len() } else { 0 };
        self.messages.try_iter().map(claimed).sum()
    }

    /// Makes all candidates due, and checks them.
    fn look_again(&mut self) {
        for candidate in self.intake.candidates.values_mut() {
            candidate.look_again = Instant::now();
        }
        self.intake.look_at_candidates();
    }
}

fn entrada(length: Length) -> RouteQueue {
    RouteQueue::new("entrada", length)
}

fn config(intake: &str) -> Arc<Config> {
    Arc::new(Config::parse(&format!("[intake]\n{intake}"), "test", SOLVERS).unwrap())
}

#[test]
fn a_candidate_that_a_reload_ignores_is_forgotten() {
    let mut place = Place::with_candidate("a.txt");
    place.intake.setting.config = config("ignore = [\"*.txt\"]");
    place.look_again();
    assert!(place.intake.candidates.is_empty(), "else the intake examines it without a pause");
}

#[test]
fn a_candidate_replaced_by_a_folder_or_a_link_is_forgotten() {
    let mut place = Place::with_candidate("a.txt");
    fs::remove_file(place.at("a.txt")).unwrap();
    fs::create_dir(place.at("a.txt")).unwrap();
    place.look_again();
    assert!(place.intake.candidates.is_empty(), "else it is listed without a pause");

    let mut place = Place::with_candidate("a.txt");
    fs::remove_file(place.at("a.txt")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.at("a.txt")).unwrap();
    place.look_again();
    assert!(place.intake.candidates.is_empty());
    assert!(place.messages.is_empty());
}

#[test]
fn folders_that_hints_name_are_not_held_open_all_at_once() {
    let mut place = Place::new();
    // Reports polling as the start does. Reported later, it would lead to a listing.
    place.intake.report_trouble();
    for number in 0..100 {
        let folder = format!("f{number}");
        fs::create_dir(place.at(&folder)).unwrap();
        fs::write(place.at(&folder).join("entrada.txt"), "1").unwrap();
        place.intake.look_at(Path::new(&folder));
    }
    let open = |place: &Place| place.intake.listing.walk.iter().map(|walk| walk.folders.len()).sum::<usize>();
    place.intake.listing.next = Instant::now() + Duration::from_secs(3600);
    assert_eq!(open(&place), 0);
    while place.intake.walk_on() {
        assert!(open(&place) <= 1);
        place.intake.slots = Slots::new(64);
    }
    assert_eq!(place.claimed(), 100);
}

#[test]
fn a_file_opened_for_writing_between_the_look_and_the_claim_is_put_back() {
    let mut place = Place::new();
    let path = place.at("entrada.txt");
    fs::write(&path, "3 3\n").unwrap();
    let file = place.intake.setting.tree.open_file(&path).unwrap();
    let state = file.stat().unwrap();
    let writer = File::options().append(true).open(&path).unwrap();
    if writers(&file) != Writers::Some {
        return; // No leases here.
    }
    place.intake.claim(Path::new("entrada.txt"), entrada(Length::Short), Instant::now(), &file, &state);
    assert!(path.exists());
    assert_eq!(place.claimed(), 0);
    drop(writer);
    place.intake.claim(Path::new("entrada.txt"), entrada(Length::Short), Instant::now(), &file, &state);
    assert_eq!(place.claimed(), 1);
}

#[test]
fn files_that_waited_for_their_quiet_period_are_claimed_as_slots_become_free() {
    let mut place = Place::new();
    place.intake.setting.config = config("readiness = \"quiet\"\nquiet_period = \"1h\"");
    for number in 0..10 {
        fs::write(place.at(&format!("{number}.txt")), "1").unwrap();
        place.intake.look_at(Path::new(&format!("{number}.txt")));
    }
    assert_eq!(place.intake.candidates.len(), 10);
    place.intake.slots = Slots::new(2);
    Arc::make_mut(&mut place.intake.setting.config).intake.quiet_period = Duration::ZERO;
    place.look_again();
    let first = place.claimed();
    assert!((1..10).contains(&first), "{first}");
    assert_eq!(place.intake.candidates.len(), 10 - first, "the others are known all the same");
    // Since they are known, the next check need not wait for another quiet period.
    place.intake.slots = Slots::new(64);
    place.look_again();
    assert_eq!(place.claimed(), 10 - first);
}

#[test]
fn questions_without_end_do_not_keep_the_intake_from_files() {
    let mut place = Place::new();
    fs::write(place.at("entrada.txt"), "3 3\n").unwrap();
    let (ask, (tell, messages)) = (place.intake.waker.clone(), unbounded());
    // The client asks again as soon as it gets an answer, so there is always a question.
    place.intake.tell = Box::new(move |message| {
        let is_answer = matches!(&message, Message::Alive(_));
        let _ = tell.send(message);
        if is_answer {
            let _ = ask.send(Command::Describe(oneshot::channel().0));
        }
    });
    place.messages = messages;
    place.intake.waker.send(Command::Describe(oneshot::channel().0)).unwrap();
    assert!(place.intake.handle_commands());
    let answers = place.messages.try_iter().count();
    assert!((1..=COMMANDS_MAX + 1).contains(&answers), "{answers}");
}

#[test]
fn the_routes_that_may_claim_no_more_are_told() {
    let mut place = Place::new();
    let mut count = 0;
    while place.intake.slots.allow(&entrada(Length::Short)) {
        place.intake.slots.take(&count.to_string(), entrada(Length::Short));
        count += 1;
    }
    place.intake.describe();
    let told = place.messages.try_iter().filter_map(|message| match message {
        Message::Alive(status) => Some(status),
        _ => None,
    });
    let Status { full, full_of_long, .. } = *told.last().unwrap();
    assert!(full.contains("entrada") && !full.contains("merge") && !full.contains(""), "{full:?}");
    assert!(!full_of_long.contains("merge") && !full_of_long.contains("entrada"), "{full_of_long:?}");
}

#[test]
fn that_polling_begins_is_told_at_once_and_once() {
    let mut place = Place::new();
    let told = |place: &mut Place| {
        place.intake.report_trouble();
        let is_polling =
            |message| matches!(message, Message::Alive(status) if status.report.reason.is_some());
        place
            .messages
            .try_iter()
            .filter(|message| matches!(message, Message::Alive(_)))
            .map(is_polling)
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&mut place), [true]);
    assert_eq!(told(&mut place), [false; 0]);
}

/// Files of a route that may claim no more are skipped, remembered, and claimed in turn.
#[test]
fn a_listing_goes_on_past_a_route_that_is_full() {
    let mut place = Place::new();
    for number in 0..10 {
        fs::write(place.at(&format!("{number}-entrada.txt")), "1").unwrap();
    }
    fs::create_dir(place.at("2048-merge")).unwrap();
    fs::write(place.at("2048-merge/z.txt"), "1").unwrap();
    place.intake.slots = Slots::new(8);
    place.intake.begin_walk();
    while place.intake.walk_on() {}
    let left: u64 = place.intake.backlog.count().values().sum();
    let first = place.claimed() as u64;
    assert_eq!((first, left), (5, 6), "half the slots, and the other route's file");
    assert!(!place.at("2048-merge/z.txt").exists());
    place.intake.look_at_backlog();
    assert_eq!(place.claimed(), 0);
    place.intake.slots = Slots::new(8);
    place.intake.look_at_backlog();
    assert_eq!((place.claimed(), place.intake.backlog.count()), (4, [("entrada".to_owned(), 2)].into()));
}

/// Fills the table of incomplete files with files of one owner.
fn fill(place: &mut Place, owner: u32) {
    let candidate = place.intake.candidates.iter().next().unwrap().1.clone();
    place.intake.candidates.clear();
    for number in 0..CANDIDATES_MAX {
        let path = PathBuf::from(format!("other/{number:05}"));
        place.intake.candidates.put(owner, path.into(), candidate.clone());
    }
}

#[test]
fn incomplete_files_of_one_owner_keep_nobody_else_s_waiting() {
    let mut place = Place::with_candidate("a-entrada.txt");
    let own = place.intake.owner(Path::new("a-entrada.txt"));
    fill(&mut place, own + 1);
    place.intake.look_at(Path::new("a-entrada.txt"));
    assert!(place.intake.candidates.get_mut(Path::new("a-entrada.txt")).is_some());
    assert_eq!((place.intake.candidates.len(), place.intake.forgotten), (CANDIDATES_MAX, 1));
}

#[test]
fn incomplete_files_beyond_the_bound_are_listed_until_none_is_left() {
    let mut place = Place::with_candidate("a-entrada.txt");
    place.intake.listing.next = Instant::now() + Duration::from_secs(3600);
    let own = place.intake.owner(Path::new("a-entrada.txt"));
    fill(&mut place, own);
    place.intake.look_at(Path::new("a-entrada.txt"));
    assert_eq!(place.intake.forgotten, 1, "its owner has the whole table");
    let idle = |place: &mut Place| {
        place.intake.report_idle();
        let told =
            |message| if let Message::Idle { incomplete, .. } = message { Some(incomplete) } else { None };
        place.messages.try_iter().find_map(told)
    };
    assert_eq!(idle(&mut place), Some(CANDIDATES_MAX + 1));
    // The others became complete and were taken.
    place.intake.candidates.clear();
    assert_eq!(idle(&mut place), Some(1), "else the service would end with --once");
    place.intake.look_at_candidates();
    assert!(place.intake.listing.is_due());
    place.intake.step();
    assert_eq!((place.intake.candidates.len(), place.intake.forgotten), (1, 0));
}

/// The queue holds one of two slots. The other one is for other queues.
#[test]
fn a_listing_with_one_free_slot_comes_to_its_end_and_the_intake_rests() {
    let mut place = Place::new();
    for number in 0..1_000 {
        fs::write(place.at(&format!("{number}-entrada.txt")), "1").unwrap();
    }
    place.intake.slots = Slots::new(2);
    let mut steps = 0;
    while place.intake.wait().is_zero() {
        place.intake.step();
        steps += 1;
        assert!(steps < 100, "it does not rest");
    }
    assert_eq!((place.claimed(), place.intake.listing.walk.is_none()), (1, true));
    assert!(!place.intake.slots.is_full());
}

#[test]
fn a_folder_swapped_for_a_link_while_it_is_listed_names_nothing_outside() {
    let mut place = Place::new();
    fs::create_dir_all(place.at("a")).unwrap();
    let outside = place.root.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(place.at("a/entrada.txt"), "1").unwrap();
    fs::write(outside.join("entrada.txt"), "1").unwrap();
    std::os::unix::fs::symlink("nowhere", outside.join("secret")).unwrap();
    place.intake.begin_walk();
    while place.intake.listing.walk.as_ref().is_some_and(|walk| walk.folders.len() < 2) {
        assert!(place.intake.walk_on());
    }
    fs::rename(place.at("a"), place.root.path().join("away")).unwrap();
    std::os::unix::fs::symlink(&outside, place.at("a")).unwrap();
    while place.intake.walk_on() {}
    place.intake.look_at(Path::new("a/secret"));
    place.intake.look_at(Path::new("a/entrada.txt"));
    assert_eq!(place.claimed(), 0);
    assert!(outside.join("entrada.txt").exists());
    let now = Instant::now();
    let owner = place.intake.owner(Path::new("a"));
    assert!(place.intake.complaints.is_new(Path::new("a/secret"), owner, Reason::Kind, now), "it was named");
}

#[test]
fn folders_that_are_too_deep_or_too_long_are_neither_watched_nor_listed() {
    let mut place = Place::new();
    let long = vec!["x".repeat(250); 5].join("/");
    fs::create_dir_all(place.at(&long)).unwrap();
    fs::write(place.at(&long).join("entrada.txt"), "1").unwrap();
    place.intake.begin_walk();
    while place.intake.walk_on() {}
    assert_eq!((place.claimed(), place.intake.complaints.has_failure), (0, true));
    let parent = Path::new(&long).parent().unwrap();
    assert!(parent.as_os_str().len() <= FOLDER_BYTES_MAX);
    let now = Instant::now();
    let owner = place.intake.owner(Path::new(&long));
    assert!(!place.intake.complaints.is_new(Path::new(&long), owner, Reason::TooLong, now), "it was told");
}
