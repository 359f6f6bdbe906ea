//! Measures how strong the player of `2048-game` is: plays whole games on one thread and prints a line of CSV for each.
//!
//! ```console
//! $ cargo run --release --example strength_2048 -- LABEL FIRST_SEED GAMES [KEY=VALUE ...] > games.csv
//! $ cargo run --release --example strength_2048 -- summary FILE.csv ...
//! ```
//!
//! The first command plays GAMES new games of 4 × 4 squares with consecutive seeds, under options of the solver
//! (`depth=auto percent_four=10`). It prints `setting,seed,score,largest,moves,seconds` as each game ends. The seconds
//! are thread time, so that other programs on the machine do not count. The second command makes a table of such files:
//! how often each piece was reached, with the 95 % interval of Wilson (Probable Inference, 1927).

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use rustix::time::{ClockId, clock_gettime};
use tabuleiro_jobs::answer_all;
use tabuleiro_puzzles::solver::{Authority, Options, default_options, find};

const USAGE: &str = "strength_2048 LABEL FIRST_SEED GAMES [KEY=VALUE ...] | strength_2048 summary FILE ...";
/// The pieces in the columns of the table.
const PIECES: [u64; 6] = [1024, 2048, 4096, 8192, 16384, 32768];
/// The quantile of the normal distribution for the central 95 %.
const Z: f64 = 1.959_964;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["summary", files @ ..] if !files.is_empty() => summary(files),
        [label, first_seed, games, sets @ ..] => match (first_seed.parse(), games.parse()) {
            (Ok(first_seed), Ok(games)) => play(label, first_seed, games, sets),
            _ => Err(USAGE.to_owned()),
        },
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays games and prints their lines.
fn play(label: &str, first_seed: u64, games: u64, sets: &[&str]) -> Result<(), String> {
    let solver = find("2048-game").ok_or("there is no 2048-game")?;
    let mut options = default_options(solver);
    for set in sets {
        let (key, value) = set.split_once('=').ok_or(USAGE)?;
        options.set(key, value, Authority::Owner).map_err(|error| error.to_string())?;
    }
    // The player uses all threads of the pool that it runs in.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    println!("setting,seed,score,largest,moves,seconds");
    for seed in first_seed..first_seed.saturating_add(games) {
        let line = pool.install(|| game(label, seed, &options))?;
        println!("{line}");
        io::stdout().flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Plays one game and returns its line.
fn game(label: &str, seed: u64, options: &Options) -> Result<String, String> {
    let solver = find("2048-game").ok_or("there is no 2048-game")?;
    let text = format!("4 {seed}\n{}AUTO\n", "0 0 0 0\n".repeat(4));
    let started = thread_seconds();
    let outcomes = answer_all(solver, options, "strength", text.as_bytes()).map_err(|e| e.to_string())?;
    let seconds = thread_seconds() - started;
    let answer = &outcomes.first().ok_or("no answer")?.answer;
    let (score, max, moves) = (&answer["score"], &answer["max"], &answer["moves"]);
    Ok(format!("{label},{seed},{score},{max},{moves},{seconds:.4}"))
}

/// Returns the processor time of this thread, in seconds.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The games of one setting.
#[derive(Default)]
struct Games {
    scores: Vec<u64>,
    largest: Vec<u64>,
    moves: u64,
    seconds: f64,
    seeds: Vec<u64>,
}

/// Prints a Markdown table of all settings in these files.
fn summary(files: &[&str]) -> Result<(), String> {
    let mut settings: BTreeMap<String, Games> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        for line in text.lines().filter(|line| !line.starts_with("setting,")) {
            let fields: Vec<&str> = line.split(',').collect();
            let [setting, seed, score, largest, moves, seconds] = fields[..] else {
                return Err(format!("{file}: {line}"));
            };
            let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{file}: {line}"));
            let games = settings.entry(setting.to_owned()).or_default();
            games.seeds.push(number(seed)?);
            games.scores.push(number(score)?);
            games.largest.push(number(largest)?);
            games.moves += number(moves)?;
            games.seconds += seconds.parse::<f64>().map_err(|_| format!("{file}: {line}"))?;
        }
    }
    let heads: String = PIECES.iter().map(|piece| format!(" {piece} |")).collect();
    println!("| setting | games (seeds) | moves/s | mean score | median |{heads}");
    println!("|---|---|---|---|---|{}", "---|".repeat(PIECES.len()));
    for (setting, games) in settings {
        println!("{}", games.row(&setting));
    }
    Ok(())
}

impl Games {
    fn row(mut self, setting: &str) -> String {
        let count = self.scores.len();
        self.scores.sort_unstable();
        let (first, last) = (self.seeds.iter().min().unwrap_or(&0), self.seeds.iter().max().unwrap_or(&0));
        let mean = self.scores.iter().sum::<u64>() / count.max(1) as u64;
        let median = self.scores.get(count / 2).copied().unwrap_or(0);
        let speed = self.moves as f64 / self.seconds;
        let reached: String = PIECES
            .iter()
            .map(|&piece| {
                let hits = self.largest.iter().filter(|&&largest| largest >= piece).count();
                let (low, high) = wilson(hits as f64, count as f64);
                let share = 100.0 * hits as f64 / count as f64;
                format!(" {share:.0} % ({:.0}–{:.0}) |", 100.0 * low, 100.0 * high)
            })
            .collect();
        format!("| {setting} | {count} ({first}–{last}) | {speed:.0} | {mean} | {median} |{reached}")
    }
}

/// Returns the 95 % confidence interval of the true share, after `hits` of `count`.
fn wilson(hits: f64, count: f64) -> (f64, f64) {
    let share = hits / count;
    let centre = share + Z * Z / (2.0 * count);
    let spread = Z * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    let scale = 1.0 + Z * Z / count;
    (((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0))
}
