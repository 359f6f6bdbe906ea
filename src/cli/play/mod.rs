//! `tabuleiro play`: a game of 2048 in the terminal, with the program at hand.

#[cfg(test)]
mod panic_tests;
// What happens while a person plays.
mod play_session;
// The terminal of a game.
mod terminal;
// What a person sees of a game.
mod view;

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use self::play_session::Session;
use self::terminal::{Input, Terminal};
use crate::cli::arguments::key_value;
use crate::cli::failure::{Exit, Failure, print};
use tabuleiro_puzzles::solver::{Authority, Budget, Cancel, LiveGame, default_options, find};

/// The largest board: more does not fit any screen.
const SIZE_MAX: u64 = 64;
/// Memory for thinking about a move, besides the boards of the game.
const THINKING_BYTES_MAX: u64 = 256 << 20;

/// Arguments of `play`.
#[derive(Args)]
#[command(after_help = "\
Keys: the arrows or H J K L slide the pieces; A lets the program make a move; U takes a move back, as often as
you like; N begins a new game; Q or Ctrl-C leaves. Set NO_COLOR to do without colours.

The same size, seed and moves give the same game, here and in a file.")]
pub struct PlayArgs {
    /// Squares on a side
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(2..=SIZE_MAX))]
    size: u64,
    /// Seed of the new pieces; without one every game is another
    #[arg(long)]
    seed: Option<u64>,
    /// Set an option of 2048-game, such as `percent_four=10`; `tabuleiro solvers 2048-game` lists them
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    sets: Vec<(String, String)>,
}

/// Plays until the player leaves.
pub fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let Some(solver) = find("2048-game") else {
        return Err(Failure::new(Exit::Software, "there is no 2048-game"));
    };
    let mut options = default_options(solver);
    for (key, value) in &args.sets {
        options.set(key, value, Authority::Owner).map_err(|error| Failure::set(&error))?;
    }
    if let Some(reason) = Terminal::refusal() {
        return Err(Failure::new(Exit::Usage, format_args!("a game needs a terminal: {reason}")));
    }
    let game = LiveGame::new(args.size as usize, args.seed.unwrap_or_else(any_seed), &options);
    let session = play(Session::new(game))
        .map_err(|error| Failure::new(Exit::Io, format_args!("the terminal does not answer: {error}")))?;
    let game = session.game();
    print(&format!("score {}, {} moves, seed {}\n", game.score(), game.moves(), game.seed()))?;
    Ok(Exit::Ok)
}

/// Shows the game and does what the keys say, until one says leave. The terminal is given back then.
fn play(mut session: Session) -> io::Result<Session> {
    let mut terminal = Terminal::take()?;
    loop {
        Terminal::show(&session)?;
        match terminal.input()? {
            Input::Wish(wish) => {
                session.fulfil(wish, &Budget::new(None, None, THINKING_BYTES_MAX, Cancel::default()));
            }
            Input::Resized => {}
            Input::Quit => return Ok(session),
        }
    }
}

/// A seed that nobody chose: the nanoseconds of now, cut to what is quickly typed.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() / 1_000 % 1_000_000_000) as u64
}
