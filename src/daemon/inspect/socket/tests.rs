//! Tests of the socket without a service.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use super::*;

fn start(path: &Path) -> Server {
    Server::start(path, 0o660, None, |_| async { Answer::Error("nothing to tell".to_owned()) }).unwrap()
}

/// Sends `bytes`, and returns the answer.
fn say(path: &Path, bytes: &[u8]) -> String {
    let mut stream = UnixStream::connect(path).unwrap();
    // A server that refuses the request early does not read all of it.
    let _ = stream.write_all(bytes);
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn a_question_gets_its_answer_at_a_path_of_any_length() {
    let root = tempfile::tempdir().unwrap();
    let long = root.path().join("x".repeat(150));
    fs::create_dir(&long).unwrap();
    for folder in [root.path(), &long] {
        let path = folder.join("control.sock");
        assert!(matches!(ask(&path, &Ask::Status), Err(AskError::NotRunning)));
        let server = start(&path);
        assert!(matches!(ask(&path, &Ask::Status), Err(AskError::Refused(why)) if why == "nothing to tell"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o660);
        drop(server);
        assert!(!path.exists());
    }
}

#[test]
fn a_socket_left_behind_is_replaced_and_nothing_else_is() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("control.sock");
    drop(UnixListener::bind(&path).unwrap());
    assert!(matches!(ask(&path, &Ask::Status), Err(AskError::NotRunning)), "nobody listens");
    let first = start(&path);
    let second = start(&path);
    drop(first);
    assert!(path.exists(), "it is the other's by now");
    drop(second);
    fs::write(&path, "mine").unwrap();
    Server::start(&path, 0o660, None, |_| async { Answer::Error(String::new()) }).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_answered() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("control.sock");
    let _server = start(&path);
    assert!(say(&path, b"hello\n").contains("no line of this protocol"));
    assert!(say(&path, b"{\"tabuleiro\":2,\"ask\":\"status\"}\n").contains("protocol 2, expected 1"));
    assert!(say(&path, b"{\"tabuleiro\":1,\"ask\":\"money\"}\n").contains("unknown variant"));
    assert!(say(&path, &b"x".repeat(70 << 10)).contains("more than 65536 bytes"));
    assert!(say(&path, &[b"[".repeat(60_000), b"\n".to_vec()].concat()).contains("\"error\""));
    let mut silent = UnixStream::connect(&path).unwrap();
    silent.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(silent.read(&mut [0]).unwrap(), 0);
    assert!(say(&path, b"{\"tabuleiro\":1,\"ask\":\"status\"}\n").contains("nothing to tell"));
}

#[test]
fn a_client_who_says_nothing_gives_his_place_to_a_further_one() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("control.sock");
    let _server = start(&path);
    // These clients send nothing, and hold all slots.
    let mut held: Vec<_> = (0..16).map(|_| UnixStream::connect(&path).unwrap()).collect();
    let answer = ask(&path, &Ask::Status);
    assert!(matches!(&answer, Err(AskError::Refused(why)) if why == "nothing to tell"), "{answer:?}");
    // Only the oldest client was evicted.
    assert_eq!(held[0].read(&mut [0]).unwrap(), 0);
    for index in [1, 3, 15] {
        held[index].write_all(b"{\"tabuleiro\":1,\"ask\":\"status\"}\n").unwrap();
        let mut text = String::new();
        held[index].read_to_string(&mut text).unwrap();
        assert!(text.contains("nothing to tell"), "{index}: {text:?}");
    }
}

#[test]
fn a_waiting_client_keeps_its_place() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("control.sock");
    let (begin, begun) = std::sync::mpsc::channel();
    let (go, gone) = tokio::sync::watch::channel(());
    let server = Server::start(&path, 0o660, None, move |_| {
        begin.send(()).unwrap();
        let mut gone = gone.clone();
        async move {
            // Ends when `go` is dropped.
            let _ = gone.changed().await;
            Answer::Error("done".to_owned())
        }
    });
    let _server = server.unwrap();
    let path = &path;
    std::thread::scope(|scope| {
        let servers: Vec<_> = (0..16).map(|_| scope.spawn(move || ask(path, &Ask::Status))).collect();
        (0..16).for_each(|_| begun.recv().unwrap());
        let further = scope.spawn(move || ask(path, &Ask::Status));
        drop(go);
        for asked in servers.into_iter().chain([further]) {
            let answer = asked.join().unwrap();
            assert!(matches!(&answer, Err(AskError::Refused(why)) if why == "done"), "{answer:?}");
        }
    });
}

#[test]
fn an_answer_that_is_not_taken_in_time_is_given_up_however_slowly_it_is_read() {
    let (here, mut there) = UnixStream::pair().unwrap();
    here.set_nonblocking(true).unwrap();
    // The reader takes one byte after the other, so no single write waits for long.
    let reader = std::thread::spawn(move || while there.read(&mut [0]).is_ok_and(|count| count > 0) {});
    let answer = Answer::Error("x".repeat(8 << 20));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let sent = runtime.block_on(async {
        let mut here = tokio::net::UnixStream::from_std(here).unwrap();
        send(&mut here, answer, std::time::Duration::from_millis(50)).await
    });
    assert_eq!(sent.unwrap_err().kind(), std::io::ErrorKind::TimedOut);
    reader.join().unwrap();
}
