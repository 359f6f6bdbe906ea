//! `tabuleiro play`: a game of 2048 in the terminal, in which the program can choose moves.

#[cfg(test)]
mod panic_tests;
mod play_session;
mod terminal;
mod view;

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use self::play_session::{Reply, Session};
use self::terminal::{Input, Terminal};
use crate::cli::arguments::key_value;
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure, print};
use crate::terminal_language::terminal_language;
use tabuleiro_puzzles::solver::{Budget, Cancel, LiveGame, find, options_from};

/// The largest board; a larger one fits no screen.
const SIZE_MAX: u64 = 64;
/// Bytes of memory for choosing a move, not counting the boards of the game.
const THINKING_BYTES_MAX: u64 = 256 << 20;

/// Arguments of `play`.
#[derive(Args)]
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
    let options = options_from(solver, &args.sets).map_err(Failure::set)?;
    if let Some(reason) = Terminal::refusal() {
        return Err(Failure::of(Exit::Usage, CliMessage::NoTerminal { reason: reason.to_string() }));
    }
    let game = LiveGame::new(args.size as usize, args.seed.unwrap_or_else(any_seed), &options);
    let session = play(Session::new(game, terminal_language()))
        .map_err(|error| Failure::new(Exit::Io, format_args!("the terminal does not answer: {error}")))?;
    let game = &session.game;
    let ended = Reply::Ended { score: game.score(), moves: game.moves(), seed: game.seed() };
    print(&(session.say(ended) + "\n")).map(|()| Exit::Ok)
}

/// Shows the game and handles keys until the player quits. Then restores the terminal.
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

/// Returns a seed from the current time: microseconds, cut to nine digits that are quick to type.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() / 1_000 % 1_000_000_000) as u64
}
