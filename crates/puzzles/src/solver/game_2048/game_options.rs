//! The options of `2048-game`: their table and their chosen values.

use std::time::Duration;

use crate::solver::{
    DURATIONS, MEMORY_LIMIT, OptionKey, OptionSpec, Options, PICTURE, Values, WITNESS, choice,
};

/// Maximum number of moves that the expectimax player looks ahead.
pub const DEPTH_MAX: u32 = 8;

choice! {
    /// The player of `AUTO`.
    pub enum PlayerKind {
        Expectimax = "expectimax",
        Greedy = "greedy",
        Random = "random",
    }
}

choice! {
    /// The effect of a move that changes nothing.
    pub enum IllegalPolicy {
        Reject = "reject",
        Skip = "skip",
    }
}

const PLAYER: OptionKey<PlayerKind> = OptionKey::choice(
    "player",
    "who plays AUTO: the best expected position (on 4 x 4 with 128 MiB of what was learned), the most points at \
     once, or any legal move",
);

const DEPTH: OptionKey<Option<u64>> = Values::integer_or(&["auto"], 1..=DEPTH_MAX as u64).option(
    "depth",
    "auto",
    "moves that expectimax looks ahead, on 4 x 4 leaving out the least likely pieces; auto: more the fewer \
     squares are empty",
);

const TIME_PER_MOVE: OptionKey<Option<Duration>> = Values::duration_or_none(DURATIONS)
    .option(
        "time_per_move",
        "none",
        "time in which expectimax looks ahead as far as it gets (at most depth, where that is a number); such \
         games can differ from run to run",
    )
    .lower_only();

const PERCENT_FOUR: OptionKey<u64> =
    Values::integer(0..=100).option("percent_four", "5", "percentage of new pieces that are a 4");

const MAX_NEW_VALUE: OptionKey<u64> =
    Values::power_of_two(2..=4).option("max_new_value", "4", "largest new piece; 2 switches fours off");

const TRANSCRIPT: OptionKey<bool> = Values::flag().option(
    "transcript",
    "false",
    "print the whole game after the board; witness = true does so as well",
);

const ON_ILLEGAL: OptionKey<IllegalPolicy> = OptionKey::choice(
    "on_illegal",
    "what a move that changes nothing does: make the game invalid, or count as skipped",
);

/// The solver's own options.
pub const OPTIONS: &[OptionSpec] = &[
    PLAYER.spec,
    DEPTH.spec,
    TIME_PER_MOVE.spec,
    PERCENT_FOUR.spec,
    MAX_NEW_VALUE.spec,
    TRANSCRIPT.spec,
    ON_ILLEGAL.spec,
];

/// The option values that hold for a file.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The player of `AUTO`.
    pub player: PlayerKind,
    /// Number of moves to look ahead, 1 to [`DEPTH_MAX`]; `None` if it depends on the board.
    pub depth: Option<u32>,
    /// Time to look ahead in each move; `None` if only `depth` limits it.
    pub time_per_move: Option<Duration>,
    /// Number of fours per hundred new pieces; 0 if fours are switched off.
    pub percent_four: u64,
    pub transcript: bool,
    /// Whether the outcome for programs includes the whole game.
    pub witness: bool,
    /// Whether a picture of the game is wanted.
    pub picture: bool,
    /// The effect of a move that changes nothing.
    pub on_illegal: IllegalPolicy,
    pub memory_limit: u64,
}

impl Settings {
    /// Returns the values in `options`.
    pub fn new(options: &Options) -> Self {
        let fours = options.get(MAX_NEW_VALUE) >= 4;
        let witness = options.get(WITNESS);
        Self {
            player: options.get(PLAYER),
            depth: options.get(DEPTH).map(|depth| depth as u32),
            time_per_move: options.get(TIME_PER_MOVE),
            percent_four: if fours { options.get(PERCENT_FOUR) } else { 0 },
            transcript: witness || options.get(TRANSCRIPT),
            witness,
            picture: options.get(PICTURE),
            on_illegal: options.get(ON_ILLEGAL),
            memory_limit: options.get(MEMORY_LIMIT),
        }
    }
}
