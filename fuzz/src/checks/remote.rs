//! What intakes and workers take from the network: any bytes as a parcel, as reports on parcels, and as a heartbeat.

use std::sync::Arc;

use tabuleiro_puzzles::solver::{Puzzle, find, read_displayed};
use tabuleiro_remote::Heartbeat;
use tabuleiro_remote::fuzzing::{outcomes, reported};

use super::solving;

/// The solver of the puzzles that are under way, and one of them.
const SOLVER: &str = "2048-merge";
const PUZZLE: &str = "1\n3 4\n4 2 4\n4 2 4\n4 4 4\n";
const PUZZLES: usize = 3;
/// Puzzles that a worker tries of a parcel.
const TRIED_MAX: usize = 16;
/// The longest name that a heartbeat tells.
const NAME_CHARACTERS_MAX: usize = 100;

/// The first byte chooses what the others are.
pub fn check(data: &[u8]) {
    match data.split_first() {
        None => {}
        Some((choice, bytes)) if choice % 3 == 0 => check_parcel(bytes),
        Some((choice, bytes)) if choice % 3 == 1 => check_reports(bytes),
        Some((_, bytes)) => check_heartbeat(bytes),
    }
}

fn check_parcel(bytes: &[u8]) {
    let told = outcomes(bytes).map_or(0, |outcomes| outcomes.len());
    assert!(told <= TRIED_MAX);
}

/// Each report stands behind its length, two bytes, the lower one first.
fn check_reports(mut bytes: &[u8]) {
    let mut reports = Vec::new();
    while let Some((&length, rest)) = bytes.split_first_chunk() {
        let (report, behind) = rest.split_at(rest.len().min(u16::from_le_bytes(length).into()));
        reports.push(report);
        bytes = behind;
    }
    let solver = find(SOLVER).expect("there is this solver");
    let options = solving::options(solver, &[]);
    let file = Arc::from("entrada.txt");
    let puzzle = || read_displayed(solver, &options, PUZZLE, &file, 1).expect("it is one");
    let puzzles: Vec<Arc<dyn Puzzle>> = (0..PUZZLES).map(|_| puzzle()).collect();
    let Some((elsewhere, answered)) = reported(solver, &options, &puzzles, &reports) else { return };
    assert!(elsewhere <= PUZZLES as u64, "{elsewhere} were solved elsewhere");
    assert_eq!(answered, PUZZLES);
}

fn check_heartbeat(bytes: &[u8]) {
    let Some(heartbeat) = Heartbeat::read(bytes) else { return };
    for text in [&heartbeat.name, &heartbeat.version, &heartbeat.build] {
        assert!(text.chars().count() <= NAME_CHARACTERS_MAX && !text.contains(char::is_control), "{text:?}");
    }
    assert_eq!(Heartbeat::read(&heartbeat.write()), Some(heartbeat), "another heartbeat came back");
}
