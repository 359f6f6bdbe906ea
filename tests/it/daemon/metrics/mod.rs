//! Tests metrics in the format of Prometheus, over HTTP and as a text file.

mod hostile;
mod parser;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::harness::{BOARD_1, Place, Service, wait_for};
use parser::Metrics;

const QUIET: &str = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"1h\"\n";
const LISTEN: &str = "[metrics]\nlisten = \"127.0.0.1:0\"\n";
/// A board with an invalid square.
const INVALID: &str = "3 3\n7 1 2 0 1\n0 0\n";

/// Returns the address at which the service serves its metrics.
fn address(service: &Service) -> SocketAddr {
    let line = service.wait_for_log("metrics are served at http://|/metrics");
    let (_, address) = line.trim_end_matches("/metrics").rsplit_once("//").unwrap();
    address.parse().unwrap()
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Returns the head and the body of the answer to a request.
fn ask(address: SocketAddr, request: &str) -> (String, String) {
    let mut stream = connect(address);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
    (head.to_owned(), body.to_owned())
}

fn scrape(address: SocketAddr) -> Metrics {
    let (head, body) = ask(address, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.to_lowercase().contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{head}");
    Metrics::parse(&body)
}

/// Scrapes until a sample has a value, because values can be a second old.
fn wait_for_sample(address: SocketAddr, sample: &str, value: f64) -> Metrics {
    wait_for(sample, || {
        let metrics = scrape(address);
        metrics.value(sample).is_some_and(|found| (found - value).abs() < 1e-9).then_some(metrics)
    })
}

#[test]
fn jobs_are_counted_by_route_and_outcome_and_timed() {
    let service = Place::new().config(&format!("{QUIET}{LISTEN}")).start();
    service.drop_file("entrada.txt", BOARD_1);
    service.drop_file("sub/entrada.txt", INVALID);
    service.drop_file("letter-entrada.txt", "Dear Sir or Madam");
    service.drop_file("what.dat", BOARD_1);
    service.expect_some("what.dat.erro.txt");
    service.expect_some("letter-erro.txt");
    service.expect("saida.txt", "1\n");
    service.expect_some("sub/saida.txt");
    service.wait_until_idle(0);
    let address = address(&service);
    wait_for_sample(address, "tabuleiro_publishing_seconds_count", 4.0);
    // A job is counted after its result was published.
    for route in ["entrada", "none"] {
        let rejected = format!("tabuleiro_jobs_total{{outcome=\"rejected\",route=\"{route}\"}}");
        wait_for_sample(address, &rejected, 1.0);
    }
    let answered = "tabuleiro_jobs_total{outcome=\"answered\",route=\"entrada\"}";
    let metrics = wait_for_sample(address, answered, 2.0);
    for (sample, value) in [
        ("tabuleiro_jobs_total{outcome=\"answered\",route=\"entrada\"}", 2.0),
        ("tabuleiro_jobs_total{outcome=\"rejected\",route=\"entrada\"}", 1.0),
        ("tabuleiro_jobs_total{outcome=\"rejected\",route=\"none\"}", 1.0),
        ("tabuleiro_jobs_invalid_total{route=\"entrada\"}", 1.0),
        ("tabuleiro_jobs_undecided_total{route=\"entrada\"}", 0.0),
        ("tabuleiro_puzzles_total{route=\"entrada\"}", 2.0),
        ("tabuleiro_waiting_seconds_count", 4.0),
        ("tabuleiro_solving_seconds_count{solver=\"checkers-capture\"}", 2.0),
        ("tabuleiro_in_hand_max", 64.0),
        ("tabuleiro_in_hand", 0.0),
        ("tabuleiro_paused", 0.0),
    ] {
        assert_eq!(metrics.value(sample), Some(value), "{sample}\n{metrics:#?}");
    }
    let build = format!("tabuleiro_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(metrics.value(&build), Some(1.0));
    assert!(metrics.value("tabuleiro_rescans_total").unwrap() >= 1.0);
    assert_eq!(metrics.samples_of("tabuleiro_disk_free_bytes").count(), 2);
    assert!(metrics.samples_of("tabuleiro_disk_free_bytes").all(|bytes| bytes > 0.0));
}

#[test]
fn the_health_of_a_service_is_told() {
    let service = Place::new().config(&format!("{QUIET}{LISTEN}")).start();
    let address = address(&service);
    // The first answer may come before everything is watched.
    let head = wait_for("health", || {
        let (head, body) = ask(address, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(head.starts_with("HTTP/1.1 200 OK") || body == "the service starts\n", "{head} {body}");
        (body == "ok\n").then_some(head)
    });
    assert!(head.contains("\r\ncontent-type: text/plain; charset=utf-8"), "{head}");
    let (head, body) = ask(address, "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 OK") && body.is_empty(), "{head} {body}");
    let (head, _) = ask(address, "POST /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 405"), "{head}");
}

#[test]
fn the_textfile_is_written_when_something_changed_and_at_the_end() {
    let config = format!("{QUIET}[metrics]\ntextfile = \"metrics/tabuleiro.prom\"\n");
    let service = Place::new().config(&config).file("metrics/other.prom", "").start();
    let path = service.at("metrics/tabuleiro.prom");
    let first = wait_for("the textfile", || fs::read_to_string(&path).ok());
    assert_eq!(Metrics::parse(&first).value("tabuleiro_publishing_seconds_count"), Some(0.0));
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    let place = service.stop();
    let last = Metrics::parse(&fs::read_to_string(&path).unwrap());
    assert_eq!(last.value("tabuleiro_jobs_total{outcome=\"answered\",route=\"entrada\"}"), Some(1.0));
    assert_eq!(place.files("metrics"), ["other.prom", "tabuleiro.prom"]);
    assert!(last.is_like_promtool());
}

#[test]
fn a_textfile_that_cannot_be_written_is_told_and_disturbs_nothing() {
    let config = format!("{QUIET}[metrics]\ntextfile = \"missing/tabuleiro.prom\"\n");
    let service = Place::new().config(&config).start();
    service.wait_for_log("warning: the metrics cannot be written|missing/tabuleiro.prom");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    let _ = service.stop();
}

#[test]
fn an_address_that_is_taken_keeps_nobody_from_being_served() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let service = Place::new().config(&format!("{QUIET}[metrics]\nlisten = \"{address}\"\n")).start();
    service.wait_for_log("error: metrics cannot be served");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
}

#[test]
fn names_of_routes_are_escaped() {
    let route = "[[route]]\nname = 'a \"b\" \\ {é}'\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";
    let service = Place::new().config(&format!("{QUIET}{LISTEN}{route}")).start();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    let sample = "tabuleiro_jobs_total{outcome=\"answered\",route=\"a \\\"b\\\" \\\\ {é}\"}";
    wait_for_sample(address(&service), sample, 1.0);
}

/// docs/metrics.md has one row for each metric and no others, with its type and its labels.
#[test]
fn every_metric_is_documented() {
    // Nobody listens there, so the broker is unreachable.
    let has_workers = cfg!(feature = "workers");
    let remote = if has_workers { "[remote]\nurl = \"nats://127.0.0.1:1\"\n" } else { "" };
    let service = Place::new().config(&format!("{QUIET}{LISTEN}{remote}")).start();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    let metrics = wait_for_sample(address(&service), "tabuleiro_publishing_seconds_count", 1.0);
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/metrics.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `tabuleiro_"));
    let documented: BTreeSet<_> = rows
        .filter(|row| has_workers || !row.starts_with("| `tabuleiro_remote_"))
        .map(|row| {
            let cells: Vec<_> =
                row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
            (cells[0].clone(), cells[1].clone(), cells[2].clone())
        })
        .collect();
    // Not every system reports these.
    let optional = ["tabuleiro_watches_max", "tabuleiro_disk_free_files"];
    let mut found = metrics.families();
    found.extend(documented.iter().filter(|row| optional.contains(&row.0.as_str())).cloned());
    assert_eq!(documented, found);
}

impl Metrics {
    /// Returns whether Prometheus's own tool accepts the metrics. Returns true, and says so, if it is not installed.
    fn is_like_promtool(&self) -> bool {
        let tool = Command::new("promtool")
            .args(["check", "metrics"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut tool) = tool else {
            eprintln!("SKIPPED: promtool is not installed; the test's own parser was content");
            return true;
        };
        tool.stdin.take().unwrap().write_all(self.text().as_bytes()).unwrap();
        // Code 3 is an opinion about style, 1 a fault.
        tool.wait().unwrap().code() != Some(1)
    }
}
