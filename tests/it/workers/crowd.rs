//! Tests hundreds of workers, and thousands of batches in flight at the same time.

use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tabuleiro_remote::Heartbeat;

use super::harness::{
    Broker, broker, drop_all, expect_as_local, generated, merges, number, status, wait_for_count,
    wait_for_workers,
};
use crate::harness::{Place, run_in, wait_for};

/// Maximum memory of a dispatcher, in bytes.
const PEAK_MAX: u64 = 100_000_000;

/// Sends heartbeats of so many workers that do not exist.
async fn beat(client: &Client, (workers, threads): (u64, u32), build: &str) {
    for worker in 0..workers {
        let heartbeat = Heartbeat {
            worker,
            name: format!("ghost-{worker:03}"),
            version: "9".to_owned(),
            build: build.to_owned(),
            wire: 1,
            threads,
            busy: 3,
            solved: 4,
            memory_bytes: 1 << 40,
            is_resting: false,
            is_leaving: false,
        };
        let subject = format!("tabuleiro.worker.{worker:016x}");
        client.publish(subject, heartbeat.write().into()).await.unwrap();
    }
}

fn ghosts(broker: &Broker, workers: u64, build: &str, threads: u32) -> super::harness::Client {
    let build = build.to_owned();
    broker.client(move |client| async move {
        loop {
            beat(&client, (workers, threads), &build).await;
            client.flush().await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        }
    })
}

#[test]
fn hundreds_of_workers_are_listed_and_cost_little() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    wait_for("the broker", || (status(&service)["is_connected"] == true).then_some(()));
    let _ghosts = ghosts(&broker, 200, "another", 8);
    wait_for("them all", || (status(&service)["workers"].as_array()?.len() == 200).then_some(()));
    let listed = run_in(&service.at(""), &["status"], "");
    let text = String::from_utf8(listed.stdout).unwrap();
    assert!(text.contains("ghost-000"), "{text}");
    let files = [("merge.txt".to_owned(), merges(10, 5))];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    assert_eq!(status(&service)["sent"], 0, "they are of another build");
    let peak = service.peak_bytes().unwrap();
    println!("{} MB at most", peak / 1_000_000);
    assert!(peak < PEAK_MAX, "{peak} bytes");
}

/// Workers that announce themselves and begin nothing cost a few seconds, and no answer.
#[test]
fn what_nobody_begins_comes_back() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    wait_for("the broker", || (status(&service)["is_connected"] == true).then_some(()));
    let build = status(&service)["build"].as_str().unwrap().to_owned();
    let ghosts = ghosts(&broker, 200, &build, 8);
    wait_for_workers(&service, 1600);
    let files = [("merge.txt".to_owned(), merges(200, 5))];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    let status = status(&service);
    assert!(status["sent"].as_u64().unwrap() > 0 && status["returned"].as_u64().unwrap() > 0, "{status}");
    assert_eq!(status["solved"], 0);
    drop(ghosts);
}

/// The part of a batch that a client reads if it does not solve it.
#[derive(Deserialize)]
struct Beginning {
    intake: u64,
    number: u64,
}

/// A worker's report that it begins a batch: the kind of the report, then its fields.
#[derive(Serialize)]
struct Begun {
    kind: u8,
    number: u64,
    worker: u64,
    token: u64,
    first: u32,
    answers: Vec<u8>,
    cpu: Duration,
    given_back_from: Option<u32>,
}

/// A worker's report every second: the kind, its number, and its batches with their tokens.
#[derive(Serialize)]
struct AtWork<'a>(u8, u64, &'a [(u64, u64)]);

/// Number of workers that have thousands of batches in progress together.
const WORKERS: usize = 200;

/// Begins every batch that arrives, and reports every second which are in progress, like so many workers.
async fn work_on_all(client: Client) {
    let mut batches = client.subscribe("tabuleiro.job.>").await.unwrap();
    let mut replies = client.subscribe("ghost.replies").await.unwrap();
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let (mut intake, mut begun) = (String::new(), vec![Vec::new(); WORKERS]);
    let mut next = (0..WORKERS).cycle();
    loop {
        tokio::select! {
            Some(message) = batches.next() => {
                let Ok((batch, _)) = postcard::take_from_bytes::<Beginning>(&message.payload) else { continue };
                let worker = next.next().unwrap();
                let report = Begun {
                    kind: 0,
                    number: batch.number,
                    worker: worker as u64,
                    token: 1,
                    first: 0,
                    answers: Vec::new(),
                    cpu: Duration::ZERO,
                    given_back_from: None,
                };
                intake = format!("tabuleiro.intake.{:016x}", batch.intake);
                say(&client, &intake, &report).await;
                begun[worker].push((batch.number, 1));
            }
            Some(_) = replies.next() => {}
            _ = second.tick() => {
                for (worker, batches) in begun.iter().enumerate().filter(|(_, batches)| !batches.is_empty()) {
                    say(&client, &intake, &AtWork(1, worker as u64, batches)).await;
                }
            }
        }
    }
}

async fn say(client: &Client, intake: &str, report: &impl Serialize) {
    let report = postcard::to_stdvec(report).unwrap();
    client.publish_with_reply(intake.to_owned(), "ghost.replies", report.into()).await.unwrap();
}

/// `WORKERS_BATCHES` raises the number, for measurements.
#[test]
fn thousands_of_batches_are_in_flight_at_a_time() {
    let batches = number("WORKERS_BATCHES", 2_000);
    let Some(broker) = broker() else { return };
    // Long enough that batches get few puzzles, because none seems to be solved quickly.
    let config = broker.config("").replace("patience = \"0s\"", "patience = \"1s\"");
    let config = config.replace("[intake]", "[intake]\nclaims_max = 128");
    let service = Place::new().config(&config).start();
    wait_for("the broker", || (status(&service)["is_connected"] == true).then_some(()));
    let build = status(&service)["build"].as_str().unwrap().to_owned();
    let threads = batches.div_ceil(WORKERS);
    let _ghosts = ghosts(&broker, WORKERS as u64, &build, threads as u32);
    let _at_work = broker.client(work_on_all);
    wait_for_workers(&service, (WORKERS * threads) as u64);
    for file in 0..batches / 140 {
        let boards = generated("2048-merge", 512, file, &["size=10", "tiles=44"]);
        service.drop_file(&format!("merge-{file}.txt"), boards);
    }
    wait_for_count(&service, "in_flight", batches as u64);
    let (begun, before) = (Instant::now(), service.processor_time_of("remote").unwrap());
    // They stay in flight while reports on them arrive, longer than the silence after which they are taken back.
    let enough = Duration::from_secs(8);
    wait_for("some seconds", || (begun.elapsed() >= enough).then_some(()));
    // On a busy machine, some may have come back in the meantime and been sent again.
    wait_for_count(&service, "in_flight", batches as u64);
    let told = status(&service);
    assert_eq!(told["refused"].as_u64(), Some(0), "{told}");
    let used = service.processor_time_of("remote").unwrap().saturating_sub(before);
    let peak = service.peak_bytes().unwrap();
    println!(
        "{:.1} % of a core, {} MB at most",
        100.0 * used.div_duration_f64(begun.elapsed()),
        peak / 1_000_000
    );
    assert!(peak < PEAK_MAX, "{peak} bytes");
    let _ = service.kill();
}
