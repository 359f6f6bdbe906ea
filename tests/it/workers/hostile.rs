//! Messages from the network are not trusted: forged, malformed, oversized, and all of them twice.

use async_nats::{Client, HeaderMap};
use futures_util::StreamExt as _;

use super::harness::{
    broker, broker_with, drop_all, expect_as_local, generated, keep_busy, merges, one_a_solver, status,
    wait_for_count, wait_for_workers,
};
use crate::harness::wait_for;

/// Makes reports and heartbeats that nobody should send, from a real report.
fn forged(real: &[u8], round: usize) -> Vec<Vec<u8>> {
    let cut = real[..real.len() - 1 - round % (real.len() - 1)].to_vec();
    let longer = [real, &[round as u8]].concat();
    // A report on a batch that was never sent. The number follows the kind, and has one byte while it is small.
    let never = [&real[..1], &[0xff, 0xff, 0xff, 0xff, 0x7f], &real[2..]].concat();
    // A process that never existed solves all batches, and dies with them.
    let numbers: Vec<u8> = (1..=100).collect();
    let busy = [&[1, 77, 50][..], &numbers].concat();
    let dead = [&[2, 77, 100][..], &numbers].concat();
    let noise = (0..200).map(|at| (at * 31 + round * 17) as u8 | 0x80).collect();
    vec![cut, longer, never, busy, dead, noise, Vec::new(), vec![0xff; 100_000]]
}

#[test]
fn a_flood_of_forged_reports_is_refused_counted_and_harmless() {
    const FLOOD: usize = 2_000;
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(2);
    wait_for_workers(&service, 2);
    let (tell, told) = std::sync::mpsc::channel();
    let listener = broker.client(move |client: Client| async move {
        let mut reports = client.subscribe("tabuleiro.intake.*").await.unwrap();
        client.flush().await.unwrap();
        while let Some(report) = reports.next().await {
            let _ = tell.send((report.subject.to_string(), report.payload.to_vec()));
        }
    });
    let first = [("first/merge.txt".to_owned(), merges(30, 4))];
    drop_all(&service, &first);
    expect_as_local(&service, &first);
    let mut reports = told.try_iter();
    let has_answers = |report: &[u8]| report[0] == 0 && report[1] < 0x80 && report.len() > 40;
    let (subject, real) = reports.find(|(_, report)| has_answers(report)).unwrap();
    drop(listener);
    let lines = service.log().lines().count();
    let flood = broker.client(move |client: Client| async move {
        for round in 0..FLOOD {
            for report in forged(&real, round) {
                client.publish(subject.clone(), report.into()).await.unwrap();
            }
            client.publish(format!("tabuleiro.worker.{round:016x}"), vec![b'{'; round].into()).await.unwrap();
            client.publish("tabuleiro.job.1.none.none", vec![0; 100].into()).await.unwrap();
            if round % 50 == 0 {
                client.flush().await.unwrap();
            }
        }
        client.flush().await.unwrap();
        std::future::pending::<()>().await;
    });
    let files = one_a_solver();
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    wait_for_count(&service, "refused", FLOOD as u64);
    let status = status(&service);
    assert_eq!(
        (status["is_connected"].as_bool(), status["poisoned"].as_u64()),
        (Some(true), Some(0)),
        "{status}"
    );
    drop(flood);
    let more = service.log().lines().count() - lines;
    assert!(more < 40, "{more} lines more:\n{}", service.log());
    worker.stop();
}

#[test]
fn batches_that_no_intake_sent_do_no_harm_to_a_worker() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(1);
    wait_for_workers(&service, 1);
    let build = status(&service)["build"].as_str().unwrap().to_owned();
    let subject = format!("tabuleiro.job.1.{build}.2048-merge");
    broker.say(|client| async move {
        for length in [0, 1, 7, 5_000] {
            client.publish(subject.clone(), vec![0xfe; length].into()).await.unwrap();
        }
    });
    worker.wait_for_log("batches in a row failed");
    wait_for("its rest", || (status(&service)["workers"][0]["is_resting"] == true).then_some(()));
    let files = [("merge.txt".to_owned(), merges(10, 5))];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    worker.stop();
}

#[test]
fn batches_that_are_delivered_twice_are_answered_once() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(3);
    wait_for_workers(&service, 3);
    let twice = broker.client(|client: Client| async move {
        let mut batches = client.subscribe("tabuleiro.job.>").await.unwrap();
        client.flush().await.unwrap();
        while let Some(batch) = batches.next().await {
            if batch.headers.as_ref().is_some_and(|headers| headers.get("Again").is_some()) {
                continue;
            }
            let mut headers = HeaderMap::new();
            headers.insert("Again", "1");
            client.publish_with_headers(batch.subject, headers, batch.payload).await.unwrap();
        }
    });
    let files = one_a_solver();
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    for (name, _) in &files {
        service.expect_told(&format!("  {name}  "), 1);
    }
    let status = status(&service);
    assert_eq!((status["refused"].as_u64(), status["poisoned"].as_u64()), (Some(0), Some(0)), "{status}");
    drop(twice);
    worker.stop();
}

/// A network that loses every third report, simulated by a mapping of the broker.
const LOSS: &str =
    "mappings: { \"tabuleiro.intake.>\": [ { destination: \"tabuleiro.intake.>\", weight: 66% } ] }";

#[test]
fn reports_that_are_lost_cost_time_and_no_answer() {
    const PROBES: usize = 300;
    let Some(broker) = broker_with(LOSS) else { return };
    let arrived = broker.say(|client: Client| async move {
        let mut probes = client.subscribe("tabuleiro.intake.probe").await.unwrap();
        for _ in 0..PROBES {
            client.publish("tabuleiro.intake.probe", "".into()).await.unwrap();
        }
        client.flush().await.unwrap();
        let mut arrived = 0;
        while let Ok(Some(_)) = tokio::time::timeout(std::time::Duration::from_secs(1), probes.next()).await {
            arrived += 1;
        }
        arrived
    });
    assert!((PROBES / 2..PROBES * 5 / 6).contains(&arrived), "{arrived} of {PROBES} arrived");
    let service = broker.place().start();
    let worker = broker.worker(3);
    wait_for_workers(&service, 3);
    keep_busy(&service);
    // Transcripts of a few kilobytes each, which make batches with many parts.
    let games = generated("2048-game", 300, 2, &[]).replace("AUTO", "AUTO 300");
    let mut files = one_a_solver();
    files.push(("game-parts.txt".to_owned(), format!("#: player = random\n{games}")));
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    let status = status(&service);
    assert_eq!((status["refused"].as_u64(), status["poisoned"].as_u64()), (Some(0), Some(0)), "{status}");
    // How many of these come back in time depends on luck.
    assert!(status["sent"].as_u64() > Some(0), "{status}");
    worker.stop();
}
