//! The table of rounds: who jumps in which order, how far, from where to where; below it who cannot win, and why.

use super::rounds::Rounds;
use super::told::{Words, place};
use crate::picture::{Markup, STRIP_MAX, html};
use crate::solver::jump_game::game::{Game, player_name};
use crate::words::{Language, Phrase};

/// A jump of a player, by the way's place among all.
struct Row {
    round: usize,
    way: usize,
}

/// Draws the table.
pub fn draw(game: &Game, rounds: &Rounds, language: Language) -> Markup {
    let say = |words: Words| Phrase::from(words).say(language);
    let rows = rows(rounds);
    // The first ones, and the jump that ends the game.
    let left_out = rows.len().saturating_sub(STRIP_MAX);
    let shown = rows.len() - left_out;
    let first = &rows[..shown - usize::from(left_out > 0)];
    let last = &rows[rows.len() - usize::from(left_out > 0)..];
    html! {
        @if !rows.is_empty() {
            div class="scroll" {
                table class="jg-rounds" {
                    thead {
                        tr {
                            th class="number" { (say(Words::Round)) }
                            th { (say(Words::Player)) }
                            th class="number" { (say(Words::Jump)) }
                            th { (say(Words::From)) }
                            th { (say(Words::To)) }
                        }
                    }
                    tbody {
                        @for row in first { (jump(game, rounds, row)) }
                        @if left_out > 0 { tr { td colspan="5" { (say(Words::LeftOut { jumps: left_out })) } } }
                        @for row in last { (jump(game, rounds, row)) }
                    }
                }
            }
        }
        @if !rounds.others.is_empty() {
            p class="soft" {
                @for &(player, round) in &rounds.others {
                    @let player = player_name(player);
                    (say(round.map_or(Words::Never { player: player.clone() }, |round| Words::Later { player, round })))
                    " "
                }
            }
        }
    }
}

/// All jumps in their order; the game is over with the first one of the last round.
fn rows(rounds: &Rounds) -> Vec<Row> {
    let last = rounds.orders.len();
    let in_round = |(index, order): (usize, &Vec<usize>)| {
        let round = index + 1;
        let jumps = if round == last { 1 } else { order.len() };
        order.iter().take(jumps).map(|&way| Row { round, way }).collect::<Vec<_>>()
    };
    rounds.orders.iter().enumerate().flat_map(in_round).collect()
}

fn jump(game: &Game, rounds: &Rounds, &Row { round, way }: &Row) -> Markup {
    let (player, squares) = &rounds.ways[way];
    let (from, to) = (squares[round - 1], squares[round]);
    html! {
        tr {
            td class="number" { (round) }
            td { (player_name(*player)) }
            td class="number" { (game.board.value(from)) }
            td { (place(&game.board, from)) }
            td { (place(&game.board, to)) }
        }
    }
}
