//! `2048-game`: replays or plays games of 2048 from a file.
//!
//! The game itself always runs on the board of any size ([`crate::board::sliding`]), so that its answer is
//! exact however large pieces grow; only the thinking of the expectimax player moves to a 4 × 4 board in 64
//! bits, and to what was learned about it ([`fast`]), where it can. Same file, same options, same game: new pieces come from the game's seed
//! alone ([`seed`]), and the player's depth is a function of the position.

mod expectimax;
mod fast;
mod game;
mod generate;
mod line;
mod live;
mod meter;
mod moves;
mod play;
mod player;
mod position;
mod reader;
mod report;
mod seed;
mod settings;
mod value;

use std::io;

pub use self::live::LiveGame;
use self::reader::GameReader;
use self::settings::Settings;
use super::{Example, OptionSpec, Options, PuzzleReader, Random, Solver};

/// The solver `2048-game`.
#[derive(Debug, Clone, Copy)]
pub struct Game2048;

impl Solver for Game2048 {
    fn id(&self) -> &'static str {
        "2048-game"
    }

    fn about(&self) -> &'static str {
        "replay a game of 2048 from its moves, or let the program play it"
    }

    fn input_format(&self) -> &'static str {
        "  any number of games, each:
  N [SEED]           size of the board, from 2; seed of the new pieces (a hash of the game without one)
  N lines of N       the board: 0 empty, or a power of two; all 0: a new game, which gets two pieces
  MOVES              one line: a run of D right, E left, C up, B down (or 1, 2, 3, 4; any case, blanks
                     ignored), or AUTO (the program plays), or AUTO k (at most k moves), or - (none)
  Header, rows and MOVES are lines of their own, of at most 16 MiB. After an error the reader goes on behind
  the next line that is MOVES: letters, -, AUTO, or one number like 1234 that is no power of two."
    }

    fn output_format(&self) -> &'static str {
        "  score S            the sum of all pieces made by merging
  moves M            moves made
  max V              the largest piece
  over yes|no        whether no direction changes the board
  seed X             the seed of the new pieces
  N lines of N       the board
  + r c v            with transcript or witness: each piece of a new game, row and column from 0
  D r c v            likewise: each move and the piece inserted after it
  skipped K          with on_illegal = skip: moves that changed nothing, if any
  undecided (stopped after M moves)   when a limit ended the game there
  or one line `invalid game: ...` for a game that cannot be read, or whose moves break the rules.
  New pieces: ChaCha8 of the seed; for each the square, even over the empty ones in row order, then a number
  below 100 that makes it a 4 when it is less than percent_four. The random player draws from a ChaCha8 of
  its own, seeded with the complement of the seed. A seed that is not given is the FNV-1a hash of N as 8 bytes
  (low first), the base-2 logarithm of each value as a byte (0 for an empty square), and the moves as
  D E C B, AUTO or AUTO k."
    }

    fn example(&self) -> Example {
        Example {
            input: "4 7\n\
                    2 2 2 2\n\
                    2 2 4 8\n\
                    0 0 0 0\n\
                    0 0 0 0\n\
                    D\n\
                    2 1\n\
                    0 0\n\
                    0 0\n\
                    AUTO\n",
            output: "score 12\nmoves 1\nmax 8\nover no\nseed 7\n0 2 4 4\n0 4 4 8\n0 0 0 0\n0 0 0 0\n\
                     score 52\nmoves 10\nmax 16\nover yes\nseed 1\n16 4\n4 2\n",
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        settings::OPTIONS
    }

    fn generator_options(&self) -> &'static [OptionSpec] {
        generate::OPTIONS
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(GameReader::new(Settings::new(options)))
    }

    fn generate(
        &self,
        options: &Options,
        count: u64,
        random: &mut Random,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        generate::generate(options, count, random, out)
    }
}
