//! Tests full disks, folders on other file systems, and several daemons.

use std::fs;

use crate::harness::{BOARD_1, BOARD_2, Place, namespaces_work, wait_for};

/// Number of files that two daemons share.
const FILES: usize = 300;
const FAST: &str = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"50ms\"\n";

#[test]
fn nothing_is_taken_while_the_disk_is_nearly_full() {
    let service = Place::new().config(&format!("{FAST}free_space_min = \"1024TiB\"\n")).start();
    service.drop_file("entrada.txt", BOARD_1);
    service.wait_for_log("nothing is taken from the inbox for now|intake.free_space_min");
    assert_eq!(service.files("inbox"), ["entrada.txt"]);
    service.reload(&format!("{FAST}free_space_min = \"0B\"\n"));
    service.wait_for_log("there is room again");
    service.expect("saida.txt", "1\n");
}

#[test]
fn once_ends_and_says_so_where_the_disk_is_nearly_full() {
    let place = Place::new().config("[intake]\nfree_space_min = \"1024TiB\"\n").argument("--once");
    let (place, output) = place.file("inbox/entrada.txt", BOARD_1).run();
    assert_eq!(output.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&output.stderr).contains("intake.free_space_min"));
    assert_eq!(place.files("inbox"), ["entrada.txt"]);
}

#[test]
fn a_lack_of_inodes_pauses_and_ends_by_itself() {
    if !namespaces_work() {
        return;
    }
    let service = Place::new()
        .config(&format!("{FAST}free_space_min = \"0B\"\nfree_files_min = 20\n"))
        .namespaces("mkdir outbox; mount -t tmpfs -o size=1m,nr_inodes=50 tmpfs outbox")
        .start();
    let ballast: Vec<_> = (0..40).map(|number| service.seen(&format!("outbox/ballast-{number}"))).collect();
    for path in &ballast[..35] {
        fs::write(path, "").unwrap();
    }
    service.drop_file("entrada.txt", BOARD_1);
    service.wait_for_log("nothing is taken from the inbox for now|intake.free_files_min");
    for path in &ballast[..35] {
        fs::remove_file(path).unwrap();
    }
    let result = service.seen("outbox/saida.txt");
    assert_eq!(wait_for("the result", || fs::read_to_string(&result).ok()), "1\n");
}

#[test]
fn a_full_disk_truncates_nothing_and_is_tried_again() {
    if !namespaces_work() {
        return;
    }
    let service = Place::new()
        .config(&format!("{FAST}free_space_min = \"0B\"\nfree_files_min = 0\n"))
        .namespaces("mkdir outbox; mount -t tmpfs -o size=64k tmpfs outbox")
        .start();
    let ballast = service.seen("outbox/ballast");
    fs::write(&ballast, vec![b'x'; 80 << 10]).unwrap_err();
    service.drop_file("entrada.txt", BOARD_1);
    service.wait_for_log("not finished, will be tried again|No space left");
    let result = service.seen("outbox/saida.txt");
    assert!(!result.exists());
    fs::remove_file(ballast).unwrap();
    assert_eq!(wait_for("the result", || fs::read_to_string(&result).ok()), "1\n");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 1);
}

#[test]
fn inputs_are_kept_on_another_file_system_too() {
    if !namespaces_work() {
        return;
    }
    let setup = "mkdir -p var/done var/failed; for f in done failed; do mount -t tmpfs tmpfs var/$f; done";
    let service = Place::new().config(FAST).namespaces(setup).start();
    service.drop_file("a/entrada.txt", BOARD_1);
    service.drop_file("a/x-entrada.txt", "");
    service.expect("a/saida.txt", "1\n");
    service.expect_some("a/x-erro.txt");
    service.wait_until_idle(0);
    for (folder, content) in [("var/done/a", BOARD_1), ("var/failed/a", "")] {
        let kept = fs::read_dir(service.seen(folder)).unwrap().next().unwrap().unwrap();
        assert_eq!(fs::read_to_string(kept.path()).unwrap(), content);
    }
}

#[test]
fn a_huge_file_with_holes_is_kept_on_a_small_file_system_and_no_other_waits() {
    if !namespaces_work() {
        return;
    }
    let setup = "mkdir -p var/failed; mount -t tmpfs -o size=4m tmpfs var/failed";
    let service = Place::new().config(FAST).namespaces(setup).start();
    let made = fs::File::create(service.at("huge")).unwrap();
    made.set_len(1 << 40).unwrap();
    drop(made);
    // More content than the disk has room for.
    fs::write(service.at("full"), vec![b'x'; 8 << 20]).unwrap();
    for name in ["huge", "full"] {
        fs::rename(service.at(name), service.at(&format!("inbox/{name}-entrada.txt"))).unwrap();
    }
    service.expect_some("huge-erro.txt");
    service.expect_some("full-erro.txt");
    service.wait_for_log("the input cannot be moved to");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    wait_for("the copy of the huge file", || {
        let mut kept = fs::read_dir(service.seen("var/failed")).ok()?.flatten();
        kept.find(|kept| kept.metadata().is_ok_and(|found| found.len() == 1 << 40))
    });
}

#[test]
fn a_read_only_outbox_is_tried_again_until_it_can_be_written() {
    if !namespaces_work() {
        return;
    }
    let setup = "mkdir outbox; mount -t tmpfs tmpfs outbox";
    let service = Place::new().config(FAST).namespaces(setup).start();
    service.in_namespaces("mount -o remount,ro outbox");
    service.drop_file("entrada.txt", BOARD_1);
    service.wait_for_log("not finished, will be tried again|Read-only file system");
    service.in_namespaces("mount -o remount,rw outbox");
    let result = service.seen("outbox/saida.txt");
    assert_eq!(wait_for("the result", || fs::read_to_string(&result).ok()), "1\n");
}

#[test]
fn two_daemons_share_an_inbox_and_answer_nothing_twice() {
    let first = Place::new().config(FAST).start();
    let (inbox, outbox) = (first.at("inbox"), first.at("outbox"));
    let folders = format!("{FAST}[folders]\ninbox = {inbox:?}\noutbox = {outbox:?}\n");
    let second = Place::new().config(&folders).start();
    for number in 0..FILES {
        first.drop_file(
            &format!("{}/{number}-entrada.txt", number % 7),
            if number % 2 == 0 { BOARD_1 } else { BOARD_2 },
        );
    }
    for number in 0..FILES {
        let answer = if number % 2 == 0 { "1\n" } else { "2\n" };
        first.expect(&format!("{}/{number}-saida.txt", number % 7), answer);
    }
    first.wait_until_idle(0);
    second.wait_until_idle(0);
    let (ours, theirs) = (first.files("var/done").len(), second.files("var/done").len());
    assert_eq!(ours + theirs, FILES);
    assert_eq!(first.files("outbox").len(), FILES);
    for service in [&first, &second] {
        assert!(!service.log().contains("warning"), "{}", service.log());
    }
}

/// Thousands of files for a slow solver, and one for a fast solver. The fast one comes last in any listing, and arrives
/// while the slow ones hold as many slots as they may.
#[test]
fn a_fast_route_does_not_wait_for_a_slow_one() {
    let config = format!(
        "{FAST}claims_max = 8\n[workers]\nthreads = 1\n\
         [[route]]\nname = \"slow\"\nfiles = [\"slow/*\"]\nsolver = \"checkers-capture\"\n\
         options = {{ algorithm = \"backtracking\", limits = \"none\" }}\ntime_limit = \"none\"\njob_time_limit = \"none\"\n\
         [[route]]\nname = \"fast\"\nfiles = [\"zzz/*\"]\nsolver = \"checkers-capture\"\n"
    );
    let mut place = Place::new().config(&config).file("inbox/zzz/z-entrada.txt", BOARD_1);
    for number in 0..2000 {
        place = place.file(&format!("inbox/slow/{number}-entrada.txt"), super::recovery::slow_board());
    }
    let service = place.start();
    service.expect("zzz/z-saida.txt", "1\n");
    for number in 0..3 {
        service.drop_file(&format!("zzz/{number}-entrada.txt"), BOARD_2);
        service.expect(&format!("zzz/{number}-saida.txt"), "2\n");
    }
    assert!(service.files("inbox/slow").len() > 1900, "the slow ones are still there");
}

/// Two mounts of one file system have the same device number, but no file can be renamed from one to the other.
#[test]
fn bind_mounts_of_one_file_system_end_the_start_with_the_remedy() {
    if !namespaces_work() {
        return;
    }
    let (place, output) = Place::new()
        .namespaces("mkdir real-inbox var; mount --bind real-inbox inbox; mount --bind var var")
        .argument("--once")
        .run();
    assert_eq!(output.status.code(), Some(78));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("different mounts") && error.contains("mount one folder that holds both"),
        "{error}"
    );
    assert_eq!(
        place.files("real-inbox").len() + place.files("inbox").len(),
        0,
        "nothing is left of the trial"
    );
}

#[test]
fn a_folder_of_the_inbox_on_another_mount_is_told_and_not_taken() {
    if !namespaces_work() {
        return;
    }
    let setup = "mkdir -p inbox/sub elsewhere; mount --bind elsewhere inbox/sub";
    let place = Place::new().config(FAST).namespaces(setup).file("elsewhere/entrada.txt", BOARD_1);
    let service = place.file("inbox/entrada.txt", BOARD_2).start();
    service.expect("saida.txt", "2\n");
    service.wait_for_log("not taken|sub|on another mount of the same one");
    let ask = |arguments: &[&str]| {
        let output = crate::harness::run_in(&service.at("."), arguments, "");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    wait_for("the status", || ask(&["status"]).contains("NOT TAKEN").then_some(()));
    let why = ask(&["why", "sub/entrada.txt"]);
    assert!(why.contains("left alone") && why.contains("another mount"), "{why}");
    let place = service.stop();
    assert_eq!(place.files("elsewhere"), ["entrada.txt"]);

    let place = Place::new().namespaces(setup).file("elsewhere/entrada.txt", BOARD_1);
    let (_, output) = place.argument("--once").run();
    assert_eq!(output.status.code(), Some(74), "a file could not be taken");
    assert!(String::from_utf8_lossy(&output.stderr).contains("some files in the inbox could not be taken"));
}

#[test]
fn many_routes_and_claims_need_few_open_files_and_too_few_are_told() {
    if !namespaces_work() {
        return;
    }
    let routes: String = (0..200)
        .map(|number| {
            format!(
                "[[route]]\nname = \"r{number}\"\nfiles = [\"{number}/**/*\"]\nsolver = \"checkers-capture\"\n"
            )
        })
        .collect();
    let mut place = Place::new()
        .config(&format!("{FAST}[results]\ndurability = \"none\"\n{routes}"))
        .namespaces("ulimit -n 1024");
    let deep = vec!["d"; 60].join("/");
    for number in 0..200 {
        place = place.file(&format!("inbox/{number}/{deep}/entrada.txt"), BOARD_1);
    }
    let (place, output) = place.argument("--once").run();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !log.contains("warning"), "{log}");
    assert_eq!((place.files("inbox").len(), place.files("outbox").len()), (0, 200));

    let (_, output) = Place::new().namespaces("ulimit -n 200").argument("--once").run();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(log.contains("only 200 files may be open at a time"), "{log}");
}
