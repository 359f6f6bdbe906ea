//! Tests `status` and the service's socket, with and without a running service, and for every user.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde_json::Value;

use super::recovery::{SLOW, slow_board, wait_until_begun};
use crate::harness::{BOARD_1, BOARD_2, Place, run_in, wait_for};

/// Returns the JSON and the exit code of `tabuleiro status --json`.
fn status(root: &Path) -> (Value, Option<i32>) {
    let output = run_in(root, &["status", "--json"], "");
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (value, output.status.code())
}

#[test]
fn the_status_tells_what_was_done_since_the_start() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", BOARD_1.replace("0 0\n", "") + BOARD_2);
    service.drop_file("letter-entrada.txt", "Dear Sir");
    service.expect("saida.txt", "1\n2\n");
    service.expect_some("letter-erro.txt");
    service.wait_until_idle(0);
    let counted = || Some(status(&service.at("")).0).filter(|status| status["since_start"]["rejected"] == 1);
    let up = wait_for("the counts", counted);
    assert_eq!(up["service"]["state"], "running");
    assert_eq!(up["since_start"]["answered"], 1, "{up}");
    assert_eq!(up["since_start"]["puzzles"], 2, "{up}");
    assert_eq!((&up["queue"]["in_hand"], &up["queue"]["in_hand_max"]), (&0.into(), &64.into()));
    assert!(up["intake"]["rescans"].as_u64() > Some(0) && up["intake"]["last_rescan"].is_string(), "{up}");
    assert!(up["disks"][0]["bytes_free"].as_u64() > Some(0), "{up}");
    let route = &up["routes"][0];
    assert_eq!((&route["name"], &route["since_start"]["rejected"]), (&"entrada".into(), &1.into()), "{up}");
    let place = service.stop();

    let (down, code) = status(&place.at(""));
    assert_eq!((&down["service"]["state"], code), (&"stopped".into(), Some(3)));
    assert_eq!(down["files"]["done"]["files"], 1, "{down}");
    assert_eq!(down["files"]["failed"]["files"], 1, "{down}");
    assert!(down["last_job"]["time"].is_string(), "{down}");
    let text = run_in(&place.at(""), &["status"], "");
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.starts_with("tabuleiro    does not run: no service listens on var/control.sock\n"),
        "{text}"
    );

    let service = place.start();
    let again = status(&service.at("")).0;
    assert_eq!(again["since_start"]["answered"], 0, "{again}");
    let text = run_in(&service.at(""), &["status"], "");
    assert_eq!(text.status.code(), Some(0));
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("since start  0 answered (0 puzzles; 0 files"), "{text}");
    assert!(text.contains("in hand      0 of at most 64\n"), "{text}");
}

#[test]
fn what_is_in_hand_and_what_waits_is_told_by_route() {
    let config = SLOW.replace("[workers]", "claims_max = 2\n[workers]");
    let service = Place::new().config(&config).start();
    for number in 0..4 {
        service.drop_file(&format!("slow-{number}.txt"), slow_board());
    }
    wait_until_begun(&service, 1);
    let waiting = || {
        let status = status(&service.at("")).0;
        let slow = status["routes"].as_array()?.iter().find(|route| route["name"] == "slow")?.clone();
        let has = slow["in_hand"].as_u64() >= Some(1) && slow["waiting_min"].as_u64() >= Some(2);
        (has || status["queue"]["may_be_more"] == true).then_some(slow)
    };
    let slow = wait_for("files in hand and behind", waiting);
    assert!(slow["in_hand"].as_u64() <= Some(2), "{slow}");
}

#[test]
fn a_hard_puzzle_is_told_with_how_long_it_takes() {
    let config = SLOW.replacen("time_limit = \"none\"", "time_limit = \"60s\"", 1);
    let service = Place::new().config(&config).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    let solving = || {
        let status = status(&service.at("")).0;
        Some(status["jobs"][0].clone()).filter(|job| job["solving"].is_object())
    };
    let job = wait_for("a puzzle that takes long", solving);
    let solving = &job["solving"];
    assert_eq!((&solving["number"], &solving["of"], &solving["limit_s"]), (&1.into(), &1.into(), &60.into()));
    assert_eq!((&job["per_cent"], &job["puzzles"]), (&0.into(), &0.into()), "{job}");
    let text = String::from_utf8(run_in(&service.at(""), &["status"], "").stdout).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(": puzzle 1 of 1, for ") && words.contains(" s of at most 60 s "), "{text}");
    service.wait_for_log("  0 %, 0 answered, for |puzzle 1 of 1, for |of at most 60 s");
    let _ = service.kill();
}

#[test]
fn clients_that_talk_nonsense_or_nothing_disturb_nobody() {
    let service = Place::new().start();
    let socket = service.at("var/control.sock");
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o660);
    let silent: Vec<_> = (0..10).map(|_| UnixStream::connect(&socket).unwrap()).collect();
    for _ in 0..50 {
        let mut client = UnixStream::connect(&socket).unwrap();
        let _ = client.write_all(&vec![b'{'; 100_000]);
    }
    let mut gone = UnixStream::connect(&socket).unwrap();
    // This client is gone before its turn, while earlier ones are still being served.
    let _ = gone.write_all(b"{\"tabuleiro\":1,\"ask\":\"status\"}\n");
    drop(gone);
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    wait_for("an answer", || {
        (run_in(&service.at(""), &["status"], "").status.code() == Some(0)).then_some(())
    });
    drop(silent);
    let place = service.stop();
    assert!(!place.at("var/control.sock").exists());
}

#[test]
fn a_socket_of_a_killed_service_is_replaced_and_none_is_made_where_none_is_wanted() {
    let place = Place::new().start().kill();
    assert!(place.at("var/control.sock").exists());
    assert_eq!(status(&place.at("")).1, Some(3), "nobody listens on it");
    let service = place.start();
    assert_eq!(status(&service.at("")).1, Some(0));
    let place = service.stop().config("[control]\nsocket = \"\"\n");
    let service = place.start();
    let output = run_in(&service.at(""), &["status"], "");
    assert_eq!(output.status.code(), Some(3));
    let words = String::from_utf8(output.stdout).unwrap();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("whether a service runs is not known"), "{words}");
    let _ = service.stop();
}

#[test]
fn a_service_that_does_not_answer_is_told_from_one_that_does_not_run() {
    let service = Place::new().start();
    // A socket that this user may not use would not stop root, so another program takes its name.
    let socket = service.at("var/control.sock");
    fs::remove_file(&socket).unwrap();
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let liar = std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        BufReader::new(&client).read_line(&mut String::new()).unwrap();
        client.write_all(b"{\"tabuleiro\":9}\n").unwrap();
    });
    let output = run_in(&service.at(""), &["status"], "");
    liar.join().unwrap();
    assert_eq!(output.status.code(), Some(75), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap().replace("\n  ", " ");
    assert!(told.contains("protocol 9, expected 1"), "{told}");
}

#[test]
fn the_service_s_own_files_are_refused_where_files_come_and_go() {
    for (key, config) in [
        ("control.socket", "[control]\nsocket = \"../inbox/control.sock\"\n"),
        ("metrics.textfile", "[metrics]\ntextfile = \"var/work/x.prom\"\n"),
        ("page.path", "[page]\npath = \"inbox/index.html\"\n"),
    ] {
        let (_place, output) = Place::new().config(config).run();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(78), "{stderr}");
        assert!(stderr.contains(key) && stderr.contains("lies in"), "{stderr}");
    }
}
