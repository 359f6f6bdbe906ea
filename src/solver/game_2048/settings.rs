//! The options of `2048-game`: their table, and their values once chosen.

use std::time::Duration;

use crate::solver::{DirectiveRule, Kind, OptionSpec, Options};

/// The most moves that the expectimax player looks ahead.
pub const DEPTH_MAX: u64 = 8;

/// The solver's own options.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "player",
        kind: Kind::Choice(&["expectimax", "greedy", "random"]),
        default: "expectimax",
        help: "who plays AUTO: the best expected position (on 4 x 4 with 64 MiB of what was learned), the most \
               points at once, or any legal move",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "depth",
        kind: Kind::WordOrInteger { word: "auto", min: 1, max: DEPTH_MAX },
        default: "auto",
        help: "moves that expectimax looks ahead, on 4 x 4 leaving out the least likely pieces; auto: more the \
               fewer squares are empty",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "time_per_move",
        kind: Kind::Duration { none: true },
        default: "none",
        help: "time in which expectimax looks ahead as far as it gets (at most depth, where that is a \
               number); such games can differ from run to run",
        directive: DirectiveRule::LowerOnly,
    },
    OptionSpec {
        name: "percent_four",
        kind: Kind::Integer { min: 0, max: 100 },
        default: "5",
        help: "percentage of new pieces that are a 4",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "max_new_value",
        kind: Kind::PowerOfTwo { min: 2, max: 4 },
        default: "4",
        help: "largest new piece; 2 switches fours off",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "transcript",
        kind: Kind::Flag,
        default: "false",
        help: "print the whole game after the board; witness = true does so as well",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "on_illegal",
        kind: Kind::Choice(&["reject", "skip"]),
        default: "reject",
        help: "what a move that changes nothing does: make the game invalid, or count as skipped",
        directive: DirectiveRule::Free,
    },
];

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerKind {
    /// Looks ahead.
    Expectimax,
    /// Most points at once.
    Greedy,
    /// Any legal move.
    Random,
}

/// What becomes of a move that changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllegalPolicy {
    /// The game is invalid.
    Reject,
    /// It is passed over and counted.
    Skip,
}

/// The chosen options of a file.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who plays `AUTO`.
    pub player: PlayerKind,
    /// Moves to look ahead, 1 to [`DEPTH_MAX`]; `None`: by position.
    pub depth: Option<u32>,
    /// Time to look ahead; `None`: by depth.
    pub time_per_move: Option<Duration>,
    /// Fours in a hundred new pieces, 0 to 100; 0 when fours are switched off.
    pub percent_four: u64,
    /// The whole game is printed.
    pub transcript: bool,
    /// The whole game goes into the outcome for machines as well.
    pub witness: bool,
    /// What becomes of a move that changes nothing.
    pub on_illegal: IllegalPolicy,
    /// Bytes that a game may take.
    pub memory_limit: u64,
}

impl Settings {
    /// The values in `options`.
    pub fn new(options: &Options) -> Self {
        let fours = options.integer("max_new_value").is_some_and(|value| value >= 4);
        let witness = options.flag("witness");
        Self {
            player: match options.choice("player") {
                "greedy" => PlayerKind::Greedy,
                "random" => PlayerKind::Random,
                _ => PlayerKind::Expectimax,
            },
            depth: options.integer("depth").map(|depth| depth.clamp(1, DEPTH_MAX) as u32),
            time_per_move: options.duration("time_per_move"),
            percent_four: options.integer("percent_four").filter(|_| fours).unwrap_or(0),
            transcript: witness || options.flag("transcript"),
            witness,
            on_illegal: match options.choice("on_illegal") {
                "skip" => IllegalPolicy::Skip,
                _ => IllegalPolicy::Reject,
            },
            memory_limit: options.size("memory_limit"),
        }
    }
}
