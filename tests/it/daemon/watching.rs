//! Tests lost, missing or unavailable events, and inboxes that vanish: a listing finds every file.

use std::fs::{self, File};

use rustix::process::Signal;

use crate::harness::{BOARD_1, BOARD_2, Place, namespaces_work, wait_for};

const FAST: &str =
    "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"50ms\"\npoll_interval = \"20ms\"\n";

#[test]
fn an_overflow_of_events_leads_to_a_listing() {
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap_or_default();
    let Some(limit) = limit.trim().parse::<usize>().ok().filter(|limit| *limit <= 100_000) else {
        eprintln!("SKIPPED: too many events fit the queue here");
        return;
    };
    let service = Place::new().start();
    service.signal(Signal::STOP);
    // Two alternating names, so that the kernel cannot merge equal events. Each close is an event. The service may read
    // some before it stops.
    let litter = [service.at("inbox/a.tmp"), service.at("inbox/b.tmp")];
    for index in 0..=2 * limit {
        File::create(&litter[index % 2]).unwrap();
    }
    service.drop_file("a/b/entrada.txt", BOARD_1);
    service.drop_file("entrada.txt", BOARD_2);
    service.signal(Signal::CONT);
    service.expect("a/b/saida.txt", "1\n");
    service.expect("saida.txt", "2\n");
    service.wait_for_log("events were lost, listing the whole inbox");
}

/// Only the listing can find the file: its events were missed while the service was stopped, and the service never saw
/// its folder.
#[test]
fn a_listing_finds_what_no_event_announced() {
    let service = Place::new().config(&format!("{FAST}watch = \"poll\"\n")).start();
    for number in 0..30 {
        service.drop_file(&format!("f{number}/g/entrada.txt"), BOARD_1);
    }
    for number in 0..30 {
        service.expect(&format!("f{number}/g/saida.txt"), "1\n");
    }
    assert!(service.log().contains("listing the inbox every 20ms"));
}

#[test]
fn polling_can_be_chosen_and_given_up_by_a_reload() {
    let poll = format!("{FAST}watch = \"poll\"\n");
    let service = Place::new().config(&poll).start();
    service.wait_for_log("listing the inbox every 20ms|intake.watch");
    service.drop_file("a/entrada.txt", BOARD_1);
    service.expect("a/saida.txt", "1\n");
    // No listing is due, so only events can announce the file.
    service.reload("[intake]\nrescan_interval = \"1h\"\n");
    service.wait_for_log("events work again");
    service.drop_file("a/entrada.txt", BOARD_2);
    service.expect("a/saida.txt", "2\n");
}

#[test]
fn the_limit_of_watches_leads_to_polling_until_there_are_enough() {
    if !namespaces_work() {
        return;
    }
    let place = Place::new().config(FAST).namespaces("echo 5 > /proc/sys/user/max_inotify_watches");
    let place = (0..10).fold(place, |place, number| place.file(&format!("inbox/{number}/x.tmp"), ""));
    let service = place.start();
    service.wait_for_log("listing the inbox every 20ms|sysctl fs.inotify.max_user_watches");
    for number in 0..10 {
        service.drop_file(&format!("{number}/entrada.txt"), BOARD_1);
        service.expect(&format!("{number}/saida.txt"), "1\n");
    }
    for number in 2..10 {
        fs::remove_dir_all(service.at(&format!("inbox/{number}"))).unwrap();
    }
    service.wait_for_log("events work again");
}

/// When the limit is hit, no listing is due for an hour.
#[test]
fn what_is_dropped_into_a_folder_beyond_the_limit_of_watches_is_found_at_once() {
    if !namespaces_work() {
        return;
    }
    let config = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"1h\"\npoll_interval = \"20ms\"\n";
    let limit = "echo 5 > /proc/sys/user/max_inotify_watches";
    let service = Place::new().config(config).namespaces(limit).start();
    for number in 0..10 {
        fs::create_dir(service.at(&format!("inbox/{number}"))).unwrap();
    }
    service.wait_for_log("listing the inbox every 20ms|sysctl fs.inotify.max_user_watches");
    for number in 0..10 {
        service.drop_file(&format!("{number}/entrada.txt"), BOARD_1);
        service.expect(&format!("{number}/saida.txt"), "1\n");
    }
}

#[test]
fn an_inbox_that_is_mounted_over_and_unmounted_is_noticed() {
    if !namespaces_work() {
        return;
    }
    let service = Place::new().config(FAST).namespaces("true").start();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.in_namespaces("mount -t tmpfs tmpfs inbox");
    service.wait_for_log("the inbox is a new folder");
    fs::write(service.seen("inbox/x-entrada.txt"), BOARD_1).unwrap();
    service.wait_for_log("not taken|x-entrada.txt|another file system than the working folder");
    service.in_namespaces("umount inbox");
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
    wait_for("the second new inbox", || {
        (service.log().matches("the inbox is a new folder").count() == 2).then_some(())
    });
}

#[test]
fn an_inbox_renamed_away_and_back_is_served_again() {
    let service = Place::new().config(FAST).start();
    fs::rename(service.at("inbox"), service.at("away")).unwrap();
    service.wait_for_log("the inbox cannot be used");
    fs::write(service.at("away/entrada.txt"), BOARD_1).unwrap();
    fs::rename(service.at("away"), service.at("inbox")).unwrap();
    service.expect("saida.txt", "1\n");
}

/// Programs that open the file again for each append can rely on this.
#[test]
fn a_file_opened_and_closed_again_and_again_is_taken_whole_where_quiet_is_asked_for() {
    let config = "[intake]\nquiet_period = \"400ms\"\nreadiness = \"quiet\"\n";
    let service = Place::new().config(config).start();
    let path = service.at("inbox/entrada.txt");
    for part in ["3 3\n", "2 1 2", " 0 1\n", "0 0\n"] {
        use std::io::Write;
        File::options().create(true).append(true).open(&path).unwrap().write_all(part.as_bytes()).unwrap();
    }
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 1);
}
