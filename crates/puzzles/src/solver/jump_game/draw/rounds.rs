//! Who jumps where in which round, by the rules: for every player who can reach the goal in the winner's round a best way,
//! found by sets of squares that are taken backwards.
//!
//! This follows the rule word by word, unlike the search: small boards allow for it, and a picture shows all players.
//!
//! The table of rounds says who jumps in which order, how far, from where to where; below it who cannot win, and why.

use super::Way;
use super::description::{Words, place};
use crate::picture::{Markup, STRIP_MAX, html};
use crate::solver::Shown;
use crate::solver::jump_game::game::{Game, player_name};
use crate::solver::jump_game::jump_options::Tie;
use crate::words::{Language, Phrase};

/// Most players of a game whose rounds are shown: there is a letter for each.
pub const PLAYERS_MAX: usize = 26;

/// The rounds of a game that somebody wins.
pub struct Rounds {
    /// Players who can reach the goal in the winner's round, by their places in the list, each with a best way.
    pub ways: Vec<(usize, Vec<u32>)>,
    /// For every round the ways in the order in which their players jump.
    pub orders: Vec<Vec<usize>>,
    /// The others, each with the round in which the goal can be reached at the earliest.
    pub others: Vec<(usize, Option<usize>)>,
}

impl Rounds {
    /// Returns the rounds of a game if the answer that is shown is right. The way is the winner's if it leads to
    /// the goal in time.
    pub fn of(game: &Game, shown: &Shown<'_>, way: &Way) -> Option<Self> {
        if !shown.is_answered {
            return None;
        }
        let (winner, round) = (shown.answer.get("winner")?.as_str()?, shown.answer.get("round")?.as_u64()?);
        let distances = distances(game);
        let distance = |player: usize| distances[game.players[player] as usize];
        let least = (0..game.players.len()).filter_map(distance).min()?;
        if least as u64 != round {
            return None;
        }
        let (mut ways, mut others) = (Vec::new(), Vec::new());
        for player in 0..game.players.len() {
            match distance(player) {
                Some(distance) if distance == least => {
                    let is_their_answer =
                        player_name(player) == winner && way.is_whole(game) && way.squares.len() == least + 1;
                    let is_given = is_their_answer && way.squares.first() == Some(&game.players[player]);
                    let best = || best(game, &distances, game.players[player], least);
                    ways.push((player, if is_given { way.squares.clone() } else { best() }));
                }
                distance => others.push((player, distance)),
            }
        }
        let orders = orders(game, &ways, least);
        let first = orders.last().map_or(0, |order| order[0]);
        (player_name(ways[first].0) == winner).then_some(Self { ways, orders, others })
    }
}

/// Returns the fewest jumps from every square to the goal.
fn distances(game: &Game) -> Vec<Option<usize>> {
    let ends: Vec<Vec<u32>> =
        (0..game.board.squares() as u32).map(|from| game.rules.movement.ends(&game.board, from)).collect();
    // From where one gets to each square.
    let mut origins = vec![Vec::new(); ends.len()];
    for (from, ends) in (0..).zip(&ends) {
        for &to in ends {
            origins[to as usize].push(from);
        }
    }
    let mut distances = vec![None; ends.len()];
    let mut reached = vec![game.board.goal()];
    distances[game.board.goal() as usize] = Some(0);
    let mut next = 0;
    while let Some(&to) = reached.get(next) {
        next += 1;
        let further = distances[to as usize].map(|distance: usize| distance + 1);
        for &from in &origins[to as usize] {
            let distance: &mut Option<usize> = &mut distances[from as usize];
            if distance.is_none() {
                *distance = further;
                reached.push(from);
            }
        }
    }
    distances
}

/// Returns a best way to the goal, in so many rounds.
fn best(game: &Game, distances: &[Option<usize>], start: u32, rounds: usize) -> Vec<u32> {
    let ends = |from: u32| game.rules.movement.ends(&game.board, from);
    let is_nearer = |to: u32, from_goal: usize| distances[to as usize] == Some(from_goal);
    // Where the player can be after each round without losing one.
    let mut sets = vec![vec![start]];
    for round in 1..rounds {
        let mut set: Vec<u32> = sets[round - 1].iter().flat_map(|&from| ends(from)).collect();
        set.retain(|&to| is_nearer(to, rounds - round));
        set.sort_unstable();
        set.dedup();
        sets.push(set);
    }
    // The last jump does not matter; of the one before, then of those before that, the shortest count.
    for round in (0..rounds.saturating_sub(1)).rev() {
        let (before, behind) = sets.split_at_mut(round + 1);
        let set = &mut before[round];
        set.retain(|&from| ends(from).iter().any(|to| behind[0].binary_search(to).is_ok()));
        if round + 2 == rounds || game.rules.tie == Tie::PreviousRound {
            let least = set.iter().map(|&square| game.board.value(square)).min();
            set.retain(|&square| Some(game.board.value(square)) == least);
        }
    }
    let mut way = vec![start];
    for set in sets.iter().skip(1) {
        let next = ends(way[way.len() - 1]).into_iter().find(|to| set.binary_search(to).is_ok());
        way.extend(next);
    }
    if rounds > 0 {
        way.push(game.board.goal());
    }
    way
}

/// Returns the order of the players in every round.
fn orders(game: &Game, ways: &[(usize, Vec<u32>)], rounds: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..ways.len()).collect();
    let mut orders = Vec::with_capacity(rounds);
    for round in 0..rounds {
        if let Some(before) = round.checked_sub(1) {
            if game.rules.tie == Tie::FirstRound {
                order.sort_unstable();
            }
            order.sort_by_key(|&index| game.board.value(ways[index].1[before]));
        }
        orders.push(order.clone());
    }
    orders
}

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

/// Returns all jumps in their order; the game is over with the first one of the last round.
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
