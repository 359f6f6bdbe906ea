//! Learns the weights of the 4 × 4 player by playing: `crates/puzzles/src/solver/game_2048/players/fast/weights.bin`.
//!
//! ```console
//! $ cargo run --release --example train_2048 -- learn CHECKPOINT MOVES SEED HOPE
//! $ cargo run --release --example train_2048 -- pack CHECKPOINT WEIGHTS_KEPT POINTS weights.bin
//! ```
//!
//! The first command learns from MOVES moves. It saves its state (800 MB) in CHECKPOINT after every 100 million moves
//! and at the end, and continues from there when it is started again. SEED and HOPE count only if there is no such
//! file. It uses one thread, so the same seed and number of moves give the same weights, interrupted or not. It needs
//! 800 MB of memory.
//!
//! The player looks one move ahead: it takes the move with the largest sum of points and expected points. After a game,
//! it goes through the boards from the last to the first and changes each weight of a board so that the board's value
//! approaches the points of the next move plus the value of the next board. That value is half what the weights say and
//! half what really followed: TD(λ) on boards after a move, λ = ½ (Szubert and Jaśkowski, 2014; Jaśkowski, Mastering
//! 2048, 2016). Each weight has its own learning rate, which is lower the more often its changes alternated in sign
//! (temporal coherence: Beal and Smith, 1999). HOPE is the value of an unknown board. A high value
//! makes the player try everything (optimistic initialization: Guei, Chen and Wu, 2021), which takes more moves than
//! were spent here. Three of four games begin where an earlier game first had an 8192, also a 4096, or also a 2048,
//! once there are such boards, so that late boards are learned too (carousel: Jaśkowski, 2016). A game ends when it
//! makes a 16384: the player treats such boards as boards with smaller pieces (`fast/downgrade.rs`).
//!
//! The second command writes the `WEIGHTS_KEPT` weights with the largest sum of changes, in steps of POINTS points.

use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

// At the path that the library's modules use.
mod board {
    pub use tabuleiro_puzzles::board::packed;
}
// The library's decoder of weights.
#[path = "../../crates/puzzles/src/solver/game_2048/players/fast/coded.rs"]
mod coded;
// The library's replacement of boards with a 16384.
#[path = "../../crates/puzzles/src/solver/game_2048/players/fast/downgrade.rs"]
mod downgrade;
mod encode;
mod learn;
mod pack;

use learn::{Learner, Played};

const USAGE: &str = "train_2048 learn CHECKPOINT MOVES SEED HOPE | \
                     train_2048 pack CHECKPOINT WEIGHTS_KEPT POINTS FILE";
/// Numbers of moves after which the state is printed, and saved.
const SAID_INTERVAL: u64 = 5_000_000;
const SAVED_INTERVAL: u64 = 100_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["learn", file, moves, seed, hope] => learn(Path::new(file), moves, seed, hope),
        ["pack", file, kept, points, packed] => pack(Path::new(file), kept, points, packed),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the weights of a checkpoint.
fn pack(file: &Path, kept: &str, points: &str, packed: &str) -> Result<(), String> {
    let (kept, points) = (number(kept)?, number(points)?);
    let learner = Learner::load(file).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{} moves", learner.moves);
    std::fs::write(packed, pack::pack(&learner, kept, points)?).map_err(|error| format!("{packed}: {error}"))
}

/// Parses a number of the command line.
fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text} is no such number: {USAGE}"))
}

/// Learns until `moves` moves were learned from, starting at the checkpoint if there is one.
fn learn(file: &Path, moves: &str, seed: &str, hope: &str) -> Result<(), String> {
    let (moves, seed, hope): (u64, u64, f32) = (number(moves)?, number(seed)?, number(hope)?);
    let mut learner = if file.exists() {
        Learner::load(file).map_err(|error| format!("{}: {error}", file.display()))?
    } else {
        Learner::new(hope, seed)
    };
    let mut played = Played::default();
    let mut since = (Instant::now(), learner.moves);
    while learner.moves < moves {
        let before = learner.moves;
        learner.play_and_learn(&mut played);
        let passed = |interval| before / interval != learner.moves / interval;
        if passed(SAID_INTERVAL) {
            let (seconds, new) = (since.0.elapsed().as_secs_f64(), learner.moves - since.1);
            let games = played.games.max(1) as f64;
            let [low, high] = played.reached.map(|reached| 100.0 * reached as f64 / games);
            println!(
                "{} million moves, {:.0} a second; {games} new games, {:.0} points on average; \
                 8192 {low:.0} %, 16384 {high:.0} %",
                learner.moves / 1_000_000,
                new as f64 / seconds,
                played.points / games
            );
            (played, since) = (Played::default(), (Instant::now(), learner.moves));
        }
        if passed(SAVED_INTERVAL) || learner.moves >= moves {
            learner.save(file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(())
}
