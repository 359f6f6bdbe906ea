//! Strength against time: the games of a player's settings, a point a setting.
//!
//! Reads what `examples/strength_2048.rs` prints, `setting,seed,score,largest,moves,seconds`. Settings that differ
//! in a number alone, such as `depth=1` and `depth=2`, are the points of one line; any other is a point by itself.

use std::collections::BTreeMap;

use super::series::{Point, Series, percentile};

/// What is drawn of the games.
#[derive(Debug, Clone, Copy)]
pub enum Measure {
    /// The mean score; the band holds the games from the 10th to the 90th percentile.
    Score,
    /// The share of games with a piece of at least this value; the band holds the true share with 95 %.
    Share(u64),
}

/// 97.5th percentile of the normal distribution.
const NORMAL_97_5: f64 = 1.959_964;

/// The games of one setting.
#[derive(Default)]
struct Games {
    scores: Vec<f64>,
    largest: Vec<f64>,
    moves: f64,
    seconds: f64,
}

/// The lines of a picture, from the fastest setting to the slowest.
pub fn read(csv: &str, measure: Measure) -> Result<Vec<Series>, String> {
    let mut settings: BTreeMap<&str, Games> = BTreeMap::new();
    for (index, line) in csv.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
        let (setting, numbers) =
            game(line).ok_or_else(|| format!("line {}: no game in '{line}'", index + 1))?;
        let games = settings.entry(setting).or_default();
        let [score, largest, moves, seconds] = numbers;
        games.scores.push(score);
        games.largest.push(largest);
        games.moves += moves;
        games.seconds += seconds;
    }
    let mut lines: BTreeMap<&str, Vec<Point>> = BTreeMap::new();
    for (setting, games) in settings {
        let line = setting.split_once('=').map_or(setting, |(key, _)| key);
        lines.entry(line).or_default().push(point(setting, games, measure));
    }
    if lines.is_empty() {
        return Err("no games".to_owned());
    }
    let series = lines.into_iter().map(|(name, mut points)| {
        points.sort_by(|one, other| one.size.total_cmp(&other.size));
        Series { name: name.to_owned(), points }
    });
    Ok(series.collect())
}

/// The setting of a game, and its score, largest piece, moves and seconds.
fn game(line: &str) -> Option<(&str, [f64; 4])> {
    let fields: Vec<&str> = line.split(',').collect();
    let [setting, _seed, numbers @ ..] = &fields[..] else { return None };
    let numbers: Vec<f64> = numbers.iter().map_while(|number| number.parse().ok()).collect();
    let numbers: [f64; 4] = numbers.try_into().ok()?;
    numbers.iter().all(|number| number.is_finite() && *number >= 0.0).then_some((setting, numbers))
}

/// Strength over nanoseconds a move.
fn point(setting: &str, mut games: Games, measure: Measure) -> Point {
    let size = (1e9 * games.seconds / games.moves.max(1.0)).max(1.0);
    let label = setting.split_once('=').map(|(_, number)| number.to_owned());
    let count = games.scores.len() as f64;
    match measure {
        Measure::Score => {
            let middle = games.scores.iter().sum::<f64>() / count;
            games.scores.sort_by(f64::total_cmp);
            let at = |share| percentile(&games.scores, share);
            Point { size, low: at(0.1), middle, high: at(0.9), label }
        }
        Measure::Share(value) => {
            let reached = games.largest.iter().filter(|&&largest| largest >= value as f64).count() as f64;
            let (low, high) = wilson(reached, count);
            Point { size, low, middle: reached / count, high, label }
        }
    }
}

/// The interval that holds the true share with 95 % (Wilson, Probable Inference, the Law of Succession, and
/// Statistical Inference, 1927).
fn wilson(reached: f64, count: f64) -> (f64, f64) {
    let share = reached / count;
    let z2 = NORMAL_97_5 * NORMAL_97_5;
    let centre = share + z2 / (2.0 * count);
    let spread = NORMAL_97_5 * (share * (1.0 - share) / count + z2 / (4.0 * count * count)).sqrt();
    let scale = 1.0 + z2 / count;
    (((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0))
}
