//! The jump game literally by its page: a parser of its own, unit steps, and all shortest paths of all players.

use std::fmt::Write as _;

use tabuleiro_puzzles::solver::Random;

/// A game as the file states it.
#[derive(Debug, Clone)]
pub struct Game {
    pub rows: usize,
    pub columns: usize,
    pub values: Vec<u64>,
    /// Row and column of each player.
    pub players: Vec<(usize, usize)>,
}

/// The two readings of each of the two rules.
pub const MODES: [(&str, &str); 4] = [
    ("walk", "previous-round"),
    ("walk", "first-round"),
    ("straight", "previous-round"),
    ("straight", "first-round"),
];

impl Game {
    /// Parses all games of a valid file without comments.
    pub fn parse_all(text: &str) -> Vec<Self> {
        let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<u64>().unwrap());
        let mut games = Vec::new();
        while let Some(rows) = numbers.next() {
            let mut next = || numbers.next().unwrap();
            let (rows, columns, players) = (rows as usize, next() as usize, next());
            let values = (0..rows * columns).map(|_| next()).collect();
            let players = (0..players).map(|_| (next() as usize, next() as usize)).collect();
            games.push(Self { rows, columns, values, players });
        }
        games
    }

    pub fn text(&self) -> String {
        let mut text = format!("{} {}\n{}\n", self.rows, self.columns, self.players.len());
        for row in self.values.chunks(self.columns) {
            let row: Vec<String> = row.iter().map(u64::to_string).collect();
            text += &(row.join(" ") + "\n");
        }
        for (row, column) in &self.players {
            writeln!(text, "{row} {column}").unwrap();
        }
        text
    }

    /// Makes a game of about `squares` squares at most, in many shapes, with many zeros and sometimes numbers far
    /// beyond the board.
    pub fn random(random: &mut Random, squares: u64) -> Self {
        let squares = if random.chance(0.3) { random.between(1, squares) } else { squares };
        let (rows, columns) = match random.below(6) {
            0 => (1, squares),
            1 => (squares, 1),
            _ => {
                let rows = random.between(1, squares.isqrt() + 2).min(squares);
                (rows, squares / rows)
            }
        };
        // Small numbers and players in a corner cause many rounds and many equal jumps.
        let long = random.chance(0.4);
        let zeros = if long { 0.03 } else { [0.0, 0.1, 0.4, 0.7][random.below(4) as usize] };
        let huge = if long { 0.0 } else { [0.0, 0.0, 0.2][random.below(3) as usize] };
        let side = rows.max(columns);
        let top = if long { random.between(1, 3) } else { [2, 3, side, 2 * side][random.below(4) as usize] };
        let mut value = || {
            if random.chance(zeros) {
                0
            } else if random.chance(huge) {
                [1 << 31, 1 << 32, u64::MAX - 5][random.below(3) as usize] + random.below(5)
            } else {
                random.between(u64::from(long), top)
            }
        };
        let values = (0..rows * columns).map(|_| value()).collect();
        let corner = if long { 3 } else { u64::MAX };
        let mut player =
            || (random.below(rows.min(corner)) as usize, random.below(columns.min(corner)) as usize);
        let players = (0..40).map(|_| player()).collect::<Vec<_>>();
        let count = if random.chance(0.1) { random.between(8, 40) } else { random.between(1, 7) } as usize;
        let (rows, columns) = (rows as usize, columns as usize);
        Self { rows, columns, values, players: players[..count].to_vec() }
    }

    pub fn goal(&self) -> usize {
        self.values.len() - 1
    }

    pub fn square(&self, (row, column): (usize, usize)) -> usize {
        row * self.columns + column
    }

    /// Returns the adjacent squares.
    fn neighbours(&self, square: usize) -> Vec<usize> {
        let (row, column) = (square / self.columns, square % self.columns);
        let mut found = Vec::new();
        if row > 0 {
            found.push(square - self.columns);
        }
        if row + 1 < self.rows {
            found.push(square + self.columns);
        }
        if column > 0 {
            found.push(square - 1);
        }
        if column + 1 < self.columns {
            found.push(square + 1);
        }
        found
    }

    /// Returns where a jump from `square` can end, by the words of the rules, step by step.
    pub fn ends(&self, movement: &str, square: usize) -> Vec<usize> {
        let value = self.values[square];
        if value == 0 {
            return Vec::new();
        }
        if movement == "straight" {
            let (row, column) = (square / self.columns, square % self.columns);
            let value = usize::try_from(value).unwrap_or(usize::MAX);
            let ends = [
                (row.checked_sub(value), Some(column)),
                (row.checked_add(value), Some(column)),
                (Some(row), column.checked_sub(value)),
                (Some(row), column.checked_add(value)),
            ];
            let inside = |end: &(usize, usize)| end.0 < self.rows && end.1 < self.columns;
            let ends = ends.into_iter().filter_map(|(row, column)| row.zip(column)).filter(inside);
            return ends.map(|end| self.square(end)).collect();
        }
        // After enough steps only their parity matters, because two more steps lead back and forth.
        let enough = 2 * self.values.len() as u64;
        let steps = if value > enough { enough + (value - enough) % 2 } else { value };
        let mut here = vec![false; self.values.len()];
        here[square] = true;
        for _ in 0..steps {
            let mut there = vec![false; self.values.len()];
            for from in (0..here.len()).filter(|&from| here[from]) {
                for to in self.neighbours(from) {
                    there[to] = true;
                }
            }
            here = there;
        }
        (0..here.len()).filter(|&to| here[to]).collect()
    }
}

/// The answer, and the key that the winner's path must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Best {
    pub player: usize,
    pub round: usize,
    /// The compared values, the last jump but one first.
    pub compared: Vec<u64>,
}

/// Returns the values on the path that the page compares, in its order.
pub fn compared(game: &Game, tie: &str, path: &[usize]) -> Vec<u64> {
    let round = path.len() - 1;
    if round < 2 {
        return Vec::new();
    }
    let values = path[..=round - 2].iter().rev().map(|&square| game.values[square]);
    if tie == "first-round" { values.take(1).collect() } else { values.collect() }
}

/// Finds the answer by brute force: compares all shortest paths of all players.
pub fn solve(game: &Game, movement: &str, tie: &str) -> Option<Best> {
    let ends: Vec<Vec<usize>> = (0..game.values.len()).map(|square| game.ends(movement, square)).collect();
    let distances = distances(game, &ends);
    let starts = || game.players.iter().map(|&player| game.square(player));
    let round = starts().filter_map(|square| distances[square]).min()?;
    let mut best: Option<(Vec<u64>, usize)> = None;
    for (player, start) in starts().enumerate().filter(|(_, start)| distances[*start] == Some(round)) {
        let mut paths = vec![vec![start]];
        while let Some(path) = paths.pop() {
            let at = path[path.len() - 1];
            if path.len() == round + 1 {
                let key = (compared(game, tie, &path), player);
                if best.as_ref().is_none_or(|best| key < *best) {
                    best = Some(key);
                }
                continue;
            }
            for &to in &ends[at] {
                if distances[to] == Some(round - path.len()) {
                    paths.push([&path[..], &[to]].concat());
                }
            }
        }
    }
    best.map(|(compared, player)| Best { player, round, compared })
}

/// Returns the fewest jumps from every square to the goal.
fn distances(game: &Game, ends: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut distances = vec![None; game.values.len()];
    distances[game.goal()] = Some(0);
    for round in 1..=game.values.len() {
        for from in 0..game.values.len() {
            if distances[from].is_none() && ends[from].iter().any(|&to| distances[to] == Some(round - 1)) {
                distances[from] = Some(round);
            }
        }
    }
    distances
}

/// Makes one of two mistakes of published programs, in which the first player to come owns a square. The squares of a
/// round are expanded in the order of the claims, or (`sorted`) by jump and the owner's position in the list, which is
/// not enough under the rule of the first round.
pub fn one_owner(game: &Game, movement: &str, sorted: bool) -> Option<(usize, usize)> {
    let starts: Vec<usize> = game.players.iter().map(|&player| game.square(player)).collect();
    if let Some(winner) = starts.iter().position(|&start| start == game.goal()) {
        return Some((winner, 0));
    }
    let mut owners: Vec<Option<usize>> = vec![None; game.values.len()];
    let mut layer = Vec::new();
    for (player, &start) in starts.iter().enumerate() {
        if owners[start].is_none() {
            owners[start] = Some(player);
            layer.push(start);
        }
    }
    let mut round = 1;
    while !layer.is_empty() {
        if let Some(first) = layer.iter().find(|&&from| game.ends(movement, from).contains(&game.goal())) {
            return owners[*first].map(|owner| (owner, round));
        }
        if sorted {
            layer.sort_by_key(|&from| (game.values[from], owners[from]));
        }
        let mut next = Vec::new();
        for &from in &layer {
            for to in game.ends(movement, from) {
                if owners[to].is_none() {
                    owners[to] = owners[from];
                    next.push(to);
                }
            }
        }
        layer = next;
        round += 1;
    }
    None
}
