//! Learns the weights of the 2048 player on 4 × 4 by playing: `src/solver/game_2048/players/fast/weights.bin`.
//!
//! ```console
//! $ cargo run --release --example train_2048 -- SECONDS THREADS SEED WEIGHTS_KEPT weights.bin
//! ```
//!
//! The player looks one move ahead: it takes the move with the most points and promised points together. After
//! a game its boards are gone through from the last to the first; each weight of a board is changed so that the
//! board's value comes nearer to the points of the next move and the value after it (temporal differences on
//! boards after a move: Szubert and Jaśkowski, 2014). How much is each weight's own affair: less the more often
//! its changes took turns in sign (temporal coherence: Beal and Smith, 1999; for 2048 Jaśkowski, 2016). Four
//! games of five begin where an earlier game first had a 4096, an 8192, a 16384, or an 8192 beside it, so that
//! late boards are learned too (carousel: Jaśkowski, 2016).
//!
//! Threads change the weights without waiting for each other, and a change may be lost. So two runs agree only
//! with one thread and the same number of games; the weights in the repository cannot be made again to the bit.
//!
//! At the end the weights are put into bytes, and those with the largest product of the sum of all their
//! changes and their square are kept. The format is that of `network.rs`. Needs 1 GiB.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tabuleiro::board::packed::PackedBoard;
use tabuleiro::board::sliding::SlidingBoard;
use tabuleiro::solver::Random;

const USAGE: &str = "train_2048 SECONDS THREADS SEED WEIGHTS_KEPT FILE";
/// Weights of a tuple of six squares, and tuples, as in `network.rs`.
const TABLE: usize = 1 << 24;
const TUPLES: usize = 4;
/// Weights that a board's value is the sum of.
const SUMMANDS: f32 = (8 * TUPLES) as f32;
/// The points of the largest byte, as in `network.rs`.
const POINTS_MAX: f32 = 20_000.0;
const PERCENT_FOUR: u64 = 10;
/// Boards kept as beginnings of each kind.
const BEGINNINGS_MAX: usize = 2_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Option<Vec<u64>> = arguments.iter().take(4).map(|text| text.parse().ok()).collect();
    let (Some([seconds, threads, seed, kept]), Some(file)) = (numbers.as_deref(), arguments.get(4)) else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let training = Training::new();
    training.run(Duration::from_secs(*seconds), *threads, *seed);
    match std::fs::write(file, training.packed(*kept as usize)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A weight, as bits of floating-point numbers.
#[derive(Default)]
struct Weight {
    points: AtomicU32,
    /// The sum of its changes, and of their sizes.
    changes: AtomicU32,
    sizes: AtomicU32,
}

struct Training {
    weights: Vec<Weight>,
    /// Boards to begin with, by [`stage`] less one.
    beginnings: [Mutex<Vec<PackedBoard>>; 4],
    stop: AtomicBool,
    games: AtomicU64,
    points: AtomicU64,
}

impl Training {
    fn new() -> Self {
        Self {
            weights: (0..TUPLES * TABLE).map(|_| Weight::default()).collect(),
            beginnings: Default::default(),
            stop: AtomicBool::new(false),
            games: AtomicU64::new(0),
            points: AtomicU64::new(0),
        }
    }

    /// Trains for a time, and says every half minute how good new games are.
    fn run(&self, time: Duration, threads: u64, seed: u64) {
        let end = Instant::now() + time;
        std::thread::scope(|scope| {
            for thread in 0..threads {
                scope.spawn(move || self.play_and_learn(&mut Random::new(seed.wrapping_add(thread << 32))));
            }
            while let Some(left) = end.checked_duration_since(Instant::now()) {
                std::thread::sleep(left.min(Duration::from_secs(30)));
                let games = self.games.swap(0, Ordering::Relaxed);
                let points = self.points.swap(0, Ordering::Relaxed);
                println!("{games} new games, {} points on average", points / games.max(1));
            }
            self.stop.store(true, Ordering::Relaxed);
        });
    }

    fn play_and_learn(&self, random: &mut Random) {
        let mut turn = 0;
        while !self.stop.load(Ordering::Relaxed) {
            turn += 1;
            let begun = (turn % 5_usize).checked_sub(1).and_then(|kind| self.beginning(kind, random));
            let board = begun.unwrap_or_else(|| with_new_piece(with_new_piece(empty(), random), random));
            let path = self.play(board, random);
            if begun.is_none() {
                self.games.fetch_add(1, Ordering::Relaxed);
                #[expect(clippy::cast_sign_loss, reason = "points are at least 0")]
                let points = path.iter().map(|&(_, points)| points as u64).sum();
                self.points.fetch_add(points, Ordering::Relaxed);
            }
            self.learn(&path);
        }
    }

    fn beginning(&self, kind: usize, random: &mut Random) -> Option<PackedBoard> {
        let boards = self.beginnings[kind].lock().unwrap_or_else(PoisonError::into_inner);
        (!boards.is_empty()).then(|| boards[random.below(boards.len() as u64) as usize])
    }

    /// Plays a game from `board` until it is lost or has two pieces of 32768, which no packed board can merge; gives every
    /// board after a move, with the points of the move.
    fn play(&self, mut board: PackedBoard, random: &mut Random) -> Vec<(PackedBoard, f32)> {
        let mut path = Vec::new();
        let mut reached = stage(board);
        while !board.may_outgrow() {
            let moves = board.legal_moves().map(|(_, after)| {
                let points = after.points as f32;
                (points + self.value(after.board), after.board, points)
            });
            let Some((_, after, points)) = moves.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            path.push((after, points));
            board = with_new_piece(after, random);
            if stage(board) > reached {
                reached = stage(board);
                let mut boards = self.beginnings[reached - 1].lock().unwrap_or_else(PoisonError::into_inner);
                if boards.len() < BEGINNINGS_MAX {
                    boards.push(board);
                } else {
                    boards[random.below(BEGINNINGS_MAX as u64) as usize] = board;
                }
            }
        }
        path
    }

    fn learn(&self, path: &[(PackedBoard, f32)]) {
        let mut wanted = 0.0;
        for &(board, points) in path.iter().rev() {
            let change = (wanted - self.value(board)) / SUMMANDS;
            for index in indices(board) {
                let weight = &self.weights[index];
                let (sum, sizes) = (get(&weight.changes), get(&weight.sizes));
                let rate = if sizes > 0.0 { sum.abs() / sizes } else { 1.0 };
                set(&weight.points, get(&weight.points) + rate * change);
                set(&weight.changes, sum + change);
                set(&weight.sizes, sizes + change.abs());
            }
            wanted = points + self.value(board);
        }
    }

    fn value(&self, board: PackedBoard) -> f32 {
        indices(board).map(|index| get(&self.weights[index].points)).sum()
    }

    /// The file of the `kept` weights that matter most.
    fn packed(&self, kept: usize) -> Vec<u8> {
        let byte = |points: f32| {
            let root = (points.abs() / POINTS_MAX).min(1.0).sqrt() * 127.0;
            root.round().copysign(points) as i8
        };
        let mut matters: Vec<(f32, usize)> = self
            .weights
            .iter()
            .enumerate()
            .map(|(at, weight)| (get(&weight.sizes) * get(&weight.points).powi(2), at))
            .filter(|&(_, at)| byte(get(&self.weights[at].points)) != 0)
            .collect();
        matters.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        matters.truncate(kept);
        let mut places: Vec<usize> = matters.into_iter().map(|(_, at)| at).collect();
        places.sort_unstable();
        let mut file = (places.len() as u32).to_le_bytes().to_vec();
        let mut before = 0;
        for &at in &places {
            let mut gap = at - before;
            while gap >= 128 {
                file.push(gap as u8 | 128);
                gap >>= 7;
            }
            file.push(gap as u8);
            before = at;
        }
        file.extend(places.iter().map(|&at| byte(get(&self.weights[at].points)).cast_unsigned()));
        file
    }
}

/// The weights of a board: for each turn and reflection two rows with two squares more, and two blocks.
fn indices(board: PackedBoard) -> impl Iterator<Item = usize> {
    let columns = board.transposed();
    let turns = [board, columns, board.mirrored(), columns.mirrored()];
    turns.into_iter().flat_map(|turn| [turn.bits(), turn.upside_down().bits()]).flat_map(|bits| {
        let row = |shift: u32| (bits >> shift) as usize & 0xFF_FFFF;
        let block = |shift: u32| (bits >> shift & 0xFFF | (bits >> (shift + 16) & 0xFFF) << 12) as usize;
        [row(0), TABLE + row(16), 2 * TABLE + block(0), 3 * TABLE + block(16)]
    })
}

/// How late a board is: 1 with a 4096, 2 with an 8192, 3 with a 16384, 4 with an 8192 beside it.
fn stage(board: PackedBoard) -> usize {
    match (board.holds(14), board.holds(13), board.holds(12)) {
        (true, true, _) => 4,
        (true, false, _) => 3,
        (false, true, _) => 2,
        (false, false, true) => 1,
        (false, false, false) => 0,
    }
}

fn empty() -> PackedBoard {
    PackedBoard::from_sliding(&SlidingBoard::new(4, vec![0; 16])).expect("a board of 4 x 4 squares")
}

fn with_new_piece(board: PackedBoard, random: &mut Random) -> PackedBoard {
    let mut squares = board.empty_squares();
    let index = random.below(squares.left().max(1) as u64) as usize;
    let rank = 1 + u8::from(random.below(100) < PERCENT_FOUR);
    squares.nth(index).map_or(board, |square| board.with_piece(square, rank))
}

fn get(number: &AtomicU32) -> f32 {
    f32::from_bits(number.load(Ordering::Relaxed))
}

fn set(number: &AtomicU32, value: f32) {
    number.store(value.to_bits(), Ordering::Relaxed);
}
