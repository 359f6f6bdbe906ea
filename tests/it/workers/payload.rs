//! Tests the maximum size of messages: what does not fit stays here, or arrives in parts.

use super::harness::{
    broker_with, drop_all, expect_as_local, generated, keep_busy, status, wait_for_count, wait_for_workers,
};

const SMALL: &str = "max_payload: 65536";

#[test]
fn puzzles_above_the_largest_message_are_solved_here() {
    let Some(broker) = broker_with(SMALL) else { return };
    let service = broker.place().start();
    let worker = broker.worker(2);
    wait_for_workers(&service, 2);
    // Two large puzzles among small ones.
    let large = generated("jump-game", 2, 1, &["rows=400", "columns=400", "players=2"]);
    let small = generated("jump-game", 12, 2, &["rows=60", "columns=60", "players=10"]);
    // The first free solver takes a puzzle, so repeat until the worker took some of the small ones.
    for round in 1.. {
        let name = format!("jump-{round}.txt");
        let files = [(name, format!("{small}{large}{small}{small}{large}"))];
        drop_all(&service, &files);
        expect_as_local(&service, &files);
        let solved = status(&service)["solved"].as_u64().unwrap();
        assert!(solved <= round * 36, "a large one was sent");
        if solved > 0 {
            break;
        }
        assert!(round < 100, "none was solved by the worker");
    }
    worker.stop();
}

#[test]
fn answers_above_the_largest_message_come_in_parts_or_are_found_here() {
    let Some(broker) = broker_with(SMALL) else { return };
    let service = broker.place().start();
    let worker = broker.worker(2);
    wait_for_workers(&service, 2);
    keep_busy(&service);
    // Transcripts of a few kilobytes each, many per batch.
    let many = generated("2048-game", 300, 2, &[]).replace("AUTO", "AUTO 300");
    // And a game whose transcript is larger than a message.
    let long = generated("2048-game", 3, 2, &["size=12"]).replace("AUTO", "AUTO 20000");
    let player = "#: player = random\n";
    let files = [
        ("game.txt".to_owned(), format!("{player}{many}")),
        ("game-long.txt".to_owned(), format!("{player}{long}")),
    ];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    wait_for_count(&service, "solved", 300);
    let told = status(&service);
    assert_eq!(told["refused"], 0, "{told}");
    worker.stop();
}
