//! Checks `jump-game`: replays the winner's jumps and compares the round with that of a plain search.

use std::collections::VecDeque;

use tabuleiro_puzzles::solver::{Outcome, Verdict};

use super::reading;
use super::solving::{Input, Sets};

const CHOICES: [Sets; 6] = [
    &[("movement", "walk"), ("tie", "previous-round")],
    &[("movement", "straight"), ("tie", "previous-round")],
    &[("movement", "walk"), ("tie", "first-round")],
    &[("movement", "straight"), ("tie", "first-round")],
    &[("movement", "walk"), ("algorithm", "breadth-first")],
    &[("movement", "straight"), ("algorithm", "breadth-first"), ("early_stop", "false")],
];
/// Maximum number of squares of a board that is searched again.
const SEARCHED_MAX: usize = 150;

/// Reads, solves and replays a file of games.
pub fn check(data: &[u8]) {
    let Some(input) = Input::new("jump-game", &CHOICES, data) else { return };
    let straight = input.set("movement") == Some("straight");
    let rivals: &[Sets] = &[&[("algorithm", "fast")], &[("algorithm", "breadth-first")]];
    let mut winners = Vec::new();
    input.check(rivals, |place, outcome| {
        let game = Game::read(&reading::numbers(input.text, place), straight);
        game.verify(outcome);
        if matches!(outcome.verdict, Verdict::Answered) {
            winners.push((place, outcome.headline.clone()));
        }
    });
    for (place, winner) in &winners {
        let first = winners.iter().find(|(at, _)| at == place).map(|(_, winner)| winner);
        assert_eq!(Some(winner), first, "two answers to the game at {place}");
    }
}

struct Game {
    rows: usize,
    columns: usize,
    values: Vec<u64>,
    players: Vec<(usize, usize)>,
    straight: bool,
}

impl Game {
    fn read(numbers: &[u64], straight: bool) -> Self {
        let (rows, columns, players) = (numbers[0] as usize, numbers[1] as usize, numbers[2] as usize);
        // If memory cannot hold a game, only its bounds are verified.
        let area = rows.saturating_mul(columns).min(numbers.len() - 3);
        let values = numbers[3..3 + area].to_vec();
        let squares = numbers[3 + area..].chunks_exact(2).take(players);
        let players = squares.map(|pair| (pair[0] as usize, pair[1] as usize)).collect();
        Self { rows, columns, values, players, straight }
    }

    fn verify(&self, outcome: &Outcome) {
        if let Verdict::Undecided { .. } = outcome.verdict {
            let least = outcome.bounds.at_least.expect("a round");
            assert_eq!(outcome.headline, format!("undecided (at least round {least})"));
            if self.values.len() <= SEARCHED_MAX {
                assert!(self.fewest_rounds().is_none_or(|rounds| rounds >= least), "{}", outcome.headline);
            }
            return;
        }
        let text = outcome.to_text();
        let lines: Vec<&str> = text.lines().collect();
        if lines == ["SEM VENCEDORES"] {
            assert!(self.values.len() > SEARCHED_MAX || self.fewest_rounds().is_none(), "somebody wins");
            return;
        }
        let [winner, round, path] = lines[..] else { panic!("not three lines: {text}") };
        let round: usize = round.parse().expect("a round");
        let path: Vec<(usize, usize)> = path
            .split(' ')
            .map(|square| square.split_once(',').expect("row,column"))
            .map(|(row, column)| (row.parse().expect("a row"), column.parse().expect("a column")))
            .collect();
        assert_eq!(path.len(), round + 1, "{text}");
        assert_eq!(path[0], self.players[player(winner)], "{text}");
        assert_eq!(path[round], (self.rows - 1, self.columns - 1), "{text}");
        for pair in path.windows(2) {
            assert!(self.may_jump(pair[0], pair[1]), "{text}");
        }
        if self.values.len() <= SEARCHED_MAX {
            assert_eq!(self.fewest_rounds(), Some(round as u64), "{text}");
        }
    }

    fn may_jump(&self, from: (usize, usize), to: (usize, usize)) -> bool {
        let jump = self.values[from.0 * self.columns + from.1];
        let (down, right) = (from.0.abs_diff(to.0) as u64, from.1.abs_diff(to.1) as u64);
        if jump == 0 || to.0 >= self.rows || to.1 >= self.columns {
            return false;
        }
        if self.straight {
            down.min(right) == 0 && down.max(right) == jump
        } else {
            self.values.len() > 1 && down + right <= jump && (jump - down - right).is_multiple_of(2)
        }
    }

    /// Returns the fewest rounds in which any player reaches the goal, by breadth-first search from all players.
    fn fewest_rounds(&self) -> Option<u64> {
        let squares = || (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        let mut rounds = vec![None; self.values.len()];
        let mut queue: VecDeque<_> = self.players.iter().copied().collect();
        for &(row, column) in &self.players {
            rounds[row * self.columns + column] = Some(0_u64);
        }
        while let Some(from) = queue.pop_front() {
            let round = rounds[from.0 * self.columns + from.1].expect("it was reached");
            for to in squares().filter(|&to| self.may_jump(from, to)) {
                let reached = &mut rounds[to.0 * self.columns + to.1];
                if reached.is_none() {
                    *reached = Some(round + 1);
                    queue.push_back(to);
                }
            }
        }
        *rounds.last().expect("a board has a square")
    }
}

/// Returns the number of a player: A is 0, Z is 25, AA is 26.
fn player(name: &str) -> usize {
    name.bytes().fold(0, |number, letter| 26 * number + usize::from(letter - b'A') + 1) - 1
}
