//! Learns by playing: games, and how they change the weights.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use tabuleiro_puzzles::board::packed::{After, PackedBoard};
use tabuleiro_puzzles::board::sliding::SlidingBoard;

use super::downgrade::{LARGEST_LEARNED, downgraded};

/// Number of weights of a tuple of six squares, as in `network.rs`.
pub const TABLE: usize = 1 << 24;
/// Number of tuples, as in `network.rs`.
pub const TUPLES: usize = 4;
/// Number of weights whose sum is the value of a board.
const SUMMANDS: usize = 8 * TUPLES;
/// λ of TD(λ): the share of what really came after a board in its target value. The rest is the value that the weights
/// give to the next board.
const LAMBDA: f32 = 0.5;
const PERCENT_FOUR: u64 = 10;
/// Maximum number of boards kept as beginnings of each kind.
const BEGINNINGS_MAX: usize = 2_000;
/// Number of kinds of beginnings.
const STAGES: usize = 3;

/// The sum of a weight's changes, and the sum of their absolute values.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Changes {
    sum: f32,
    sizes: f32,
}

/// What is learned, with the whole state of learning.
pub struct Learner {
    /// The points of each weight, tuple after tuple.
    pub points: Vec<f32>,
    /// The changes of each weight so far.
    pub changes: Vec<Changes>,
    /// Boards to begin games with, indexed by [`stage`] minus one.
    beginnings: [Vec<PackedBoard>; STAGES],
    random: SplitMix,
    /// Number of moves learned from, and of all games played.
    pub moves: u64,
    games: u64,
}

/// Statistics of games played from an empty board.
#[derive(Debug, Default)]
pub struct Played {
    pub games: u64,
    pub points: f64,
    /// Games that reached 8192 and 16384.
    pub reached: [u64; 2],
}

impl Learner {
    /// Creates a learner that knows nothing and expects `hope` points on any board.
    pub fn new(hope: f32, seed: u64) -> Self {
        Self {
            points: vec![hope / SUMMANDS as f32; TUPLES * TABLE],
            changes: vec![Changes::default(); TUPLES * TABLE],
            beginnings: Default::default(),
            random: SplitMix(seed),
            moves: 0,
            games: 0,
        }
    }

    /// Plays a game and learns from it.
    pub fn play_and_learn(&mut self, played: &mut Played) {
        self.games += 1;
        let begun = (self.games % 4).checked_sub(1).and_then(|turn| self.beginning(turn as usize));
        let board = begun.unwrap_or_else(|| {
            let empty = PackedBoard::from_sliding(&SlidingBoard::new(4, vec![0; 16])).expect("4 x 4 squares");
            let one = with_new_piece(empty, &mut self.random);
            with_new_piece(one, &mut self.random)
        });
        let path = self.play(board);
        if begun.is_none() {
            played.games += 1;
            played.points += path.iter().map(|&(_, points)| f64::from(points)).sum::<f64>();
            let last = path.last().map_or(board, |&(board, _)| board);
            for (reached, rank) in played.reached.iter_mut().zip(13..) {
                *reached += u64::from((rank..=LARGEST_LEARNED + 1).any(|rank| last.holds(rank)));
            }
        }
        self.moves += path.len() as u64;
        self.learn(&path);
    }

    /// Returns a random board at which an earlier game reached `stage` + 1, as [`stage`] counts, if any did.
    fn beginning(&mut self, stage: usize) -> Option<PackedBoard> {
        let boards = self.beginnings.get(stage)?;
        let at = self.random.below(boards.len().max(1) as u64) as usize;
        boards.get(at).copied()
    }

    /// Plays a game from `board` until it is lost or has a piece too large to learn about. Returns every board after a
    /// move, with the points of the move.
    fn play(&mut self, mut board: PackedBoard) -> Vec<(PackedBoard, f32)> {
        let mut path = Vec::new();
        let mut reached = stage(board);
        while !board.holds(LARGEST_LEARNED + 1) {
            let mut best: Option<(f32, After)> = None;
            for after in board.moves().into_iter().filter(|after| after.board != board) {
                let value = after.points as f32 + self.value(after.board);
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, after));
                }
            }
            let Some((_, after)) = best else { break };
            path.push((after.board, after.points as f32));
            board = with_new_piece(after.board, &mut self.random);
            let now = stage(board);
            if now > reached {
                reached = now;
                let boards = &mut self.beginnings[reached - 1];
                if boards.len() < BEGINNINGS_MAX {
                    boards.push(board);
                } else {
                    boards[self.random.below(BEGINNINGS_MAX as u64) as usize] = board;
                }
            }
        }
        path
    }

    /// Learns from the boards of a game, from the last to the first. If the game was not lost, its last board counts as
    /// what the weights say.
    fn learn(&mut self, mut path: &[(PackedBoard, f32)]) {
        let mut wanted = 0.0;
        if let Some((&(board, points), before)) = path.split_last()
            && board.holds(LARGEST_LEARNED + 1)
        {
            wanted = points + self.value(board);
            path = before;
        }
        for &(board, points) in path.iter().rev() {
            let weights = weights_of(board);
            let value = self.sum(&weights);
            let change = (wanted - value) / SUMMANDS as f32;
            let mut changed = value;
            for weight in weights {
                let changes = &mut self.changes[weight];
                let rate = if changes.sizes > 0.0 { changes.sum.abs() / changes.sizes } else { 1.0 };
                self.points[weight] += rate * change;
                changed += rate * change;
                changes.sum += change;
                changes.sizes += change.abs();
            }
            wanted = points + LAMBDA * wanted + (1.0 - LAMBDA) * changed;
        }
    }

    fn value(&self, board: PackedBoard) -> f32 {
        self.sum(&weights_of(downgraded(board)))
    }

    fn sum(&self, weights: &[usize; SUMMANDS]) -> f32 {
        weights.iter().map(|&weight| self.points[weight]).sum()
    }

    /// Writes the whole state of learning.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn save(&self, file: &Path) -> io::Result<()> {
        let unfinished = file.with_extension("part");
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
        let numbers = [self.moves, self.games, self.random.0];
        for number in numbers {
            out.write_all(&number.to_le_bytes())?;
        }
        for boards in &self.beginnings {
            out.write_all(&(boards.len() as u64).to_le_bytes())?;
            for board in boards {
                out.write_all(&board.bits().to_le_bytes())?;
            }
        }
        for (points, changes) in self.points.iter().zip(&self.changes) {
            for number in [*points, changes.sum, changes.sizes] {
                out.write_all(&number.to_le_bytes())?;
            }
        }
        out.into_inner()?.sync_all()?;
        std::fs::rename(unfinished, file)
    }

    /// Reads a saved state.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn load(file: &Path) -> io::Result<Self> {
        let mut input = BufReader::with_capacity(1 << 20, File::open(file)?);
        let mut learner = Self::new(0.0, 0);
        learner.moves = number(&mut input)?;
        learner.games = number(&mut input)?;
        learner.random = SplitMix(number(&mut input)?);
        for boards in &mut learner.beginnings {
            for _ in 0..number(&mut input)? {
                boards.push(of_bits(number(&mut input)?));
            }
        }
        for (points, changes) in learner.points.iter_mut().zip(&mut learner.changes) {
            let mut bytes = [0; 12];
            input.read_exact(&mut bytes)?;
            let [a, b, c] = [0, 4, 8].map(|at| f32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[at + byte])));
            (*points, *changes) = (a, Changes { sum: b, sizes: c });
        }
        Ok(learner)
    }
}

impl Changes {
    /// Returns the sum of the absolute changes.
    pub fn sizes(self) -> f32 {
        self.sizes
    }
}

fn number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn of_bits(bits: u64) -> PackedBoard {
    let ranks = (0..16).map(|square| (bits >> (4 * square)) as u8 & 15).collect();
    PackedBoard::from_sliding(&SlidingBoard::new(4, ranks)).expect("4 x 4 squares")
}

/// Returns the weights of a board: for each turn and reflection, two rows with two more squares each, and two blocks.
#[inline]
fn weights_of(board: PackedBoard) -> [usize; SUMMANDS] {
    let columns = board.transposed();
    let mut weights = [0; SUMMANDS];
    let turns = [board, columns, board.mirrored(), columns.mirrored()];
    let turns = turns.into_iter().flat_map(|turn| [turn.bits(), turn.upside_down().bits()]);
    for (bits, weights) in turns.zip(weights.as_chunks_mut::<TUPLES>().0) {
        let row = |shift: u32| (bits >> shift) as usize & (TABLE - 1);
        let block = |shift: u32| (bits >> shift & 0xFFF | (bits >> (shift + 16) & 0xFFF) << 12) as usize;
        *weights = [row(0), TABLE + row(16), 2 * TABLE + block(0), 3 * TABLE + block(16)];
    }
    weights
}

/// Returns how late a board is: 1 with an 8192, 2 if also with a 4096, 3 if also with a 2048.
fn stage(board: PackedBoard) -> usize {
    [13, 12, 11].into_iter().take_while(|&rank| board.holds(rank)).count()
}

fn with_new_piece(board: PackedBoard, random: &mut SplitMix) -> PackedBoard {
    let mut squares = board.empty_squares();
    let index = random.below(squares.left().max(1) as u64) as usize;
    let rank = 1 + u8::from(random.below(100) < PERCENT_FOUR);
    squares.nth(index).map_or(board, |square| board.with_piece(square, rank))
}

/// A random number generator whose state is easy to save: Steele, Lea and Flood, Fast Splittable Pseudorandom Number
/// Generators (2014).
struct SplitMix(u64);

impl SplitMix {
    /// Returns a number below `n`. All are equally likely except for a deviation of at most 1 in 2⁵⁰.
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ mixed >> 31) * u128::from(n)) >> 64) as u64
    }
}
