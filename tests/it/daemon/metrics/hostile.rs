//! Tests clients that ask for metrics in other ways than a scraper.

use std::io::{Read, Write};

use super::{LISTEN, QUIET, address, ask, connect, scrape};
use crate::harness::{BOARD_1, BOARD_2, Place};

#[test]
fn other_requests_get_the_right_error() {
    let service = Place::new().config(&format!("{QUIET}{LISTEN}")).start();
    let address = address(&service);
    let many = "X: y\r\n".repeat(200);
    let long = format!("X: {}\r\n", "y".repeat(100_000));
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), "404"),
        ("GET /metrics/../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), "404"),
        ("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".to_owned(), "405"),
        ("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), "200"),
        ("GET /metrics HTTP/1.0\r\n\r\n".to_owned(), "200"),
        ("\u{1}\u{2}\u{3}\r\n\r\n".to_owned(), "400"),
        (format!("GET /metrics HTTP/1.1\r\nHost: x\r\n{many}\r\n"), "431"),
    ] {
        let (head, _) = ask(address, &request);
        assert_eq!(head.split(' ').nth(1), Some(status), "{request:?}: {head}");
    }
    // The service refuses before it has read everything, so the connection can break before the answer is read.
    let mut stream = connect(address);
    let _ = stream.write_all(format!("GET /metrics HTTP/1.1\r\nHost: x\r\n{long}\r\n").as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 200"));
    scrape(address);
}

#[test]
fn scrapers_that_hold_on_to_their_connections_disturb_nobody() {
    let service = Place::new().config(&format!("{QUIET}{LISTEN}")).start();
    let address = address(&service);
    let mut held = Vec::new();
    for index in 0..100 {
        let mut stream = connect(address);
        // Some clients send nothing, some never finish their request.
        if index % 2 == 0 {
            stream.write_all(b"GET /metrics HTTP/1.1\r\nHo").unwrap();
        }
        held.push(stream);
    }
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.reload(&format!("{QUIET}{LISTEN}"));
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
    // They are gone, and a proper client is served.
    drop(held);
    scrape(address);
    // A client that stays connected does not keep the service from ending.
    let _held = connect(address);
    let _ = service.stop();
}

#[test]
fn one_that_holds_on_gives_its_place_to_a_further_one() {
    let service = Place::new().config(&format!("{QUIET}{LISTEN}")).start();
    let address = address(&service);
    let mut held: Vec<_> = (0..64).map(|_| connect(address)).collect();
    scrape(address);
    // The service closed only the oldest connection for it. Nobody waited until the others timed out.
    assert_eq!(held[0].read(&mut [0]).unwrap(), 0);
    held[1].write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    held[1].read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
}

#[test]
fn a_flood_of_scrapes_is_answered() {
    let service = Place::new().config(&format!("{QUIET}{LISTEN}")).start();
    let address = address(&service);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| (0..8).for_each(|_| drop(scrape(address))));
        }
        service.drop_file("entrada.txt", BOARD_1);
        service.expect("saida.txt", "1\n");
    });
}
