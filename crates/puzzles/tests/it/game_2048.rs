//! Tests `2048-game` against its page. An independent implementation of the rules replays every transcript; it shares
//! only the random number generator that the page defines.

use proptest::prelude::*;
use serde_json::Value;
use tabuleiro_puzzles::solver::{self, Authority, Outcome, Random, Verdict};

/// A game as its file describes it, read by a parser that accepts only valid games.
#[derive(Debug, Clone)]
pub struct Game {
    pub seed: Option<u64>,
    pub rows: Vec<Vec<u128>>,
    pub moves: String,
}

impl Game {
    pub fn new(size: usize, seed: u64, moves: &str) -> Self {
        Self { seed: Some(seed), rows: vec![vec![0; size]; size], moves: moves.to_owned() }
    }

    pub fn text(&self) -> String {
        let seed = self.seed.map(|seed| format!(" {seed}")).unwrap_or_default();
        let rows: String = self.rows.iter().map(|row| join(row) + "\n").collect();
        format!("{}{seed}\n{rows}{}\n", self.rows.len(), self.moves)
    }
}

fn join(row: &[u128]) -> String {
    row.iter().map(u128::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns the outcomes of a file with these options.
pub fn outcomes(input: &[u8], set: &[(&str, &str)]) -> Vec<Outcome> {
    let solver = solver::find("2048-game").unwrap();
    let mut options = solver::default_options(solver);
    for (key, value) in set {
        options.set(key, value, Authority::Owner).unwrap();
    }
    crate::answer_all(solver, &options, "t", input)
}

/// Returns the only outcome of one game.
pub fn outcome(game: &Game, set: &[(&str, &str)]) -> Outcome {
    let mut outcomes = outcomes(game.text().as_bytes(), set);
    assert_eq!(outcomes.len(), 1);
    outcomes.remove(0)
}

/// Slides a row towards its first square: takes the pieces out, merges them as a list, and pads with empty squares.
fn slide_row(row: &[u128]) -> (Vec<u128>, u128) {
    let mut pieces = row.iter().copied().filter(|&value| value != 0).peekable();
    let (mut out, mut points) = (Vec::new(), 0);
    while let Some(piece) = pieces.next() {
        if pieces.next_if_eq(&piece).is_some() {
            out.push(2 * piece);
            points += 2 * piece;
        } else {
            out.push(piece);
        }
    }
    out.resize(row.len(), 0);
    (out, points)
}

fn turned(rows: &[Vec<u128>]) -> Vec<Vec<u128>> {
    (0..rows.len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn mirrored(rows: &[Vec<u128>]) -> Vec<Vec<u128>> {
    rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

/// Returns the board after a move, and the points. Right, up and down are left on a turned board.
fn slide(rows: &[Vec<u128>], letter: char) -> (Vec<Vec<u128>>, u128) {
    let left = |rows: &[Vec<u128>]| {
        let (rows, points): (Vec<_>, Vec<u128>) = rows.iter().map(|row| slide_row(row)).unzip();
        (rows, points.iter().sum())
    };
    match letter {
        'E' => left(rows),
        'D' => {
            let (moved, points) = left(&mirrored(rows));
            (mirrored(&moved), points)
        }
        'C' | 'B' => {
            let (moved, points) = slide(&turned(rows), if letter == 'C' { 'E' } else { 'D' });
            (turned(&moved), points)
        }
        other => panic!("no move {other}"),
    }
}

fn is_over(rows: &[Vec<u128>]) -> bool {
    "DECB".chars().all(|letter| slide(rows, letter).0 == rows)
}

/// Replays a printed game.
struct Referee {
    rows: Vec<Vec<u128>>,
    random: Random,
    fours: u64,
}

impl Referee {
    fn inserted(&mut self) -> (usize, usize, u128) {
        let size = self.rows.len();
        let empty: Vec<_> = (0..size * size).filter(|at| self.rows[at / size][at % size] == 0).collect();
        let at = empty[self.random.below(empty.len() as u64) as usize];
        let value = if self.random.below(100) < self.fours { 4 } else { 2 };
        self.rows[at / size][at % size] = value;
        (at / size, at % size, value)
    }
}

/// Replays the transcript in a printed result and checks each of its lines.
pub fn verify(game: &Game, text: &str, fours: u64) -> Vec<char> {
    let mut lines = text.lines();
    let mut field = |name: &str| {
        let line = lines.next().unwrap();
        line.strip_prefix(name).unwrap_or_else(|| panic!("{line}")).trim().to_owned()
    };
    let fields = ["score", "moves", "max", "over", "seed"].map(&mut field);
    let seed: u64 = fields[4].parse().unwrap();
    if let Some(given) = game.seed {
        assert_eq!(seed, given);
    }
    let size = game.rows.len();
    let board: Vec<Vec<u128>> = (0..size)
        .map(|_| lines.next().unwrap().split(' ').map(|value| value.parse().unwrap()).collect())
        .collect();
    let mut referee = Referee { rows: game.rows.clone(), random: Random::new(seed), fours };
    let (mut score, mut played) = (0, Vec::new());
    let mut opening = 0;
    for line in lines.take_while(|line| !line.starts_with("skipped") && !line.starts_with("undecided")) {
        let mark = line.chars().next().unwrap();
        if mark == '+' {
            opening += 1;
            assert!(played.is_empty(), "a piece of a new game after a move");
        } else {
            let (moved, points) = slide(&referee.rows, mark);
            assert_ne!(moved, referee.rows, "{line} changes nothing");
            referee.rows = moved;
            score += points;
            played.push(mark);
        }
        let (row, column, value) = referee.inserted();
        assert_eq!(line, format!("{mark} {row} {column} {value}"));
    }
    let fresh = game.rows.iter().flatten().all(|&value| value == 0);
    assert_eq!(opening, if fresh { 2 } else { 0 });
    assert_eq!(referee.rows, board);
    assert_eq!(fields[0], score.to_string());
    assert_eq!(fields[1], played.len().to_string());
    assert_eq!(fields[2], board.iter().flatten().max().unwrap().to_string());
    assert_eq!(fields[3], if is_over(&board) { "yes" } else { "no" });
    played
}

#[test]
fn the_referee_knows_the_rows_of_the_page() {
    let right = |row: [u128; 4]| slide(&[row.to_vec()], 'D');
    assert_eq!(right([2, 2, 2, 2]), (vec![vec![0, 0, 4, 4]], 8));
    assert_eq!(right([2, 2, 4, 8]), (vec![vec![0, 4, 4, 8]], 4));
    assert_eq!(slide(&[vec![2, 4, 0, 0]], 'E').0, [[2, 4, 0, 0]]);
    assert_ne!(slide(&[vec![8, 4, 2, 2]], 'E').0, [[8, 4, 2, 2]]);
}

#[test]
fn the_seed_of_a_game_without_one_is_the_documented_hash() {
    let fnv = |bytes: &[u8]| {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let ranked: &[(&str, &[u8])] = &[
        ("4 0\n2 8\nD c1 4\n", b"\x02\0\0\0\0\0\0\0\x02\x00\x01\x03DCDB"),
        ("0 0\n0 0\nauto\n", b"\x02\0\0\0\0\0\0\0\0\0\0\0AUTO"),
        ("0 0\n0 0\nAUTO 07\n", b"\x02\0\0\0\0\0\0\0\0\0\0\0AUTO 7"),
        ("0 0\n0 0\n-\n", b"\x02\0\0\0\0\0\0\0\0\0\0\0"),
    ];
    for (rest, hashed) in ranked {
        let answer = outcomes(format!("2\n{rest}").as_bytes(), &[("on_illegal", "skip")]).remove(0);
        assert_eq!(answer.answer["seed"], fnv(hashed), "{rest}");
    }
}

#[test]
fn every_game_of_every_player_is_replayed() {
    let players = ["expectimax", "greedy", "random"];
    for (index, player) in players.iter().enumerate() {
        for size in 2..=5 {
            for (percent, new_max, fours) in [("5", "4", 5), ("100", "4", 100), ("50", "2", 0), ("0", "4", 0)]
            {
                let game = Game::new(size, 77 + index as u64, if size < 4 { "AUTO" } else { "AUTO 60" });
                let set = [
                    ("player", *player),
                    ("percent_four", percent),
                    ("max_new_value", new_max),
                    ("transcript", "true"),
                    ("depth", "2"),
                ];
                let answer = outcome(&game, &set);
                let played = verify(&game, &answer.to_text(), fours);
                assert!(size < 4 || played.len() <= 60);
                assert_eq!(answer.answer["moves"], played.len());
                assert_eq!(answer.witness, Value::Null);
            }
        }
    }
}

#[test]
fn whole_games_of_two_moves_ahead_reach_2048() {
    let mut reached = 0;
    for seed in 1..=3 {
        let game = Game::new(4, seed, "AUTO");
        let answer = outcome(&game, &[("witness", "true"), ("depth", "2")]);
        let text = answer.to_text();
        let played = verify(&game, &text, 5);
        assert!(matches!(answer.verdict, Verdict::Answered));
        assert_eq!(answer.answer["over"], true);
        reached += u32::from(answer.answer["max"].as_u64().unwrap() >= 2048);
        // The witness for programs is the transcript, line by line.
        let proof: Vec<_> =
            answer.witness.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        assert_eq!(proof, text.lines().skip(5 + 4).collect::<Vec<_>>());
        assert_eq!(proof.len(), 2 + played.len());
    }
    assert_eq!(reached, 3, "games that reached 2048");
}

#[test]
fn the_threads_of_the_pool_change_no_game() {
    let game = Game::new(4, 6, "AUTO 300");
    let texts = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| outcome(&game, &[("transcript", "true")]).to_text())
    });
    assert_eq!(verify(&game, &texts[0], 5).len(), 300);
    assert!(texts.iter().all(|text| *text == texts[0]));
}

#[test]
fn a_game_played_by_the_program_is_the_same_when_replayed_from_its_moves() {
    for size in [2, 3, 4] {
        let game = Game::new(size, 5, "AUTO 100");
        let text = outcome(&game, &[("transcript", "true"), ("depth", "1")]).to_text();
        let moves: String = verify(&game, &text, 5).into_iter().collect();
        let replay = Game { moves, ..game };
        assert_eq!(outcome(&replay, &[("transcript", "true")]).to_text(), text);
    }
}

#[test]
fn the_random_player_does_not_disturb_the_pieces() {
    let first = |player| {
        let game = Game::new(4, 123, "AUTO 1");
        let text = outcome(&game, &[("player", player), ("transcript", "true")]).to_text();
        text.lines().filter(|line| line.starts_with('+')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(first("random"), first("greedy"));
}

/// Returns what the referee makes of the moves: the text without the transcript, or where the game is invalid.
fn expected(game: &Game, skip: bool) -> Result<String, (u64, bool)> {
    let seed = game.seed.unwrap();
    let mut referee = Referee { rows: game.rows.clone(), random: Random::new(seed), fours: 5 };
    if referee.rows.iter().flatten().all(|&value| value == 0) {
        referee.inserted();
        referee.inserted();
    }
    let (mut score, mut moves, mut skipped) = (0, 0, 0);
    for (column, letter) in (1..).zip(game.moves.chars()) {
        let letter = match letter.to_ascii_uppercase() {
            '1' => 'D',
            '2' => 'E',
            '3' => 'C',
            '4' => 'B',
            ' ' => continue,
            other => other,
        };
        let (rows, points) = slide(&referee.rows, letter);
        if rows == referee.rows {
            if !skip {
                return Err((column, is_over(&referee.rows)));
            }
            skipped += 1;
            continue;
        }
        referee.rows = rows;
        score += points;
        moves += 1;
        referee.inserted();
    }
    let over = if is_over(&referee.rows) { "yes" } else { "no" };
    let max = referee.rows.iter().flatten().max().unwrap();
    let rows: String = referee.rows.iter().map(|row| join(row) + "\n").collect();
    let tail = if skipped > 0 { format!("skipped {skipped}\n") } else { String::new() };
    Ok(format!("score {score}\nmoves {moves}\nmax {max}\nover {over}\nseed {seed}\n{rows}{tail}"))
}

#[test]
fn thousands_of_replays_agree_with_the_referee() {
    let mut random = Random::new(2);
    let (mut legal, mut without_effect, mut after_end) = (0, 0, 0);
    for round in 0..4000_u64 {
        let size = 2 + random.below(4) as usize;
        let mut game = Game::new(size, random.bits(), "");
        if round % 3 > 0 {
            let fullness = 1 + random.below(9);
            for value in game.rows.iter_mut().flatten() {
                if random.below(10) > fullness {
                    continue;
                }
                *value = 1 << [1, 1, 2, 2, 3, 4, 10, 63][random.below(8) as usize];
            }
        }
        for _ in 0..=random.below(30) {
            game.moves.push(b"DECBdecb1234 "[random.below(13) as usize] as char);
        }
        if game.moves.trim().is_empty() {
            continue;
        }
        for (policy, skip) in [("reject", false), ("skip", true)] {
            let answer = outcome(&game, &[("on_illegal", policy)]);
            match (expected(&game, skip), &answer.verdict) {
                (Ok(text), Verdict::Answered) => {
                    legal += 1;
                    assert_eq!(answer.to_text(), text, "{}", game.text());
                }
                (Err((column, over)), Verdict::Invalid(problem)) => {
                    assert_eq!((problem.place.line, problem.place.column), (2 + size as u64, column));
                    assert_eq!(problem.rule(), if over { "move-after-end" } else { "move-without-effect" });
                    if over { after_end += 1 } else { without_effect += 1 }
                }
                (expected, found) => panic!("{}: {expected:?}, {found:?}", game.text()),
            }
        }
    }
    assert!(legal > 3000 && without_effect > 500 && after_end > 10, "{legal} {without_effect} {after_end}");
}

/// Returns the most points that one move can score, by the referee.
fn greedy_best(rows: &[Vec<u128>]) -> u128 {
    "ECDB"
        .chars()
        .map(|letter| slide(rows, letter))
        .filter(|moved| moved.0 != rows)
        .map(|m| m.1)
        .max()
        .unwrap()
}

#[test]
fn the_greedy_player_takes_the_most_points() {
    let game = Game::new(4, 3, "AUTO");
    let text = outcome(&game, &[("player", "greedy"), ("transcript", "true")]).to_text();
    let played = verify(&game, &text, 5);
    let mut referee = Referee { rows: game.rows, random: Random::new(3), fours: 5 };
    referee.inserted();
    referee.inserted();
    for letter in played {
        let (moved, points) = slide(&referee.rows, letter);
        assert_eq!(points, greedy_best(&referee.rows));
        referee.rows = moved;
        referee.inserted();
    }
}

#[test]
fn generated_files_are_valid_and_repeatable() {
    let solver = solver::find("2048-game").unwrap();
    for size in ["2", "4", "7"] {
        let mut options = solver::Options::defaults(&[solver.generator_options()]);
        options.set("size", size, Authority::Owner).unwrap();
        let generate = |seed| {
            let mut file = Vec::new();
            solver.generate(&options, 3, &mut Random::new(seed), &mut file).unwrap();
            file
        };
        assert_eq!(generate(4), generate(4));
        assert_ne!(generate(4), generate(5));
        let answers = outcomes(&generate(4), &[("player", "random")]);
        let seeds: Vec<_> = answers.iter().map(|answer| answer.answer["seed"].as_u64().unwrap()).collect();
        assert_eq!(seeds, [seeds[0], seeds[0] + 1, seeds[0] + 2]);
        assert!(answers.iter().all(|answer| answer.answer["over"] == true));
    }
}

proptest! {
    /// Whatever one game looks like, the game after its MOVES line is answered, if that line has a letter or `-`. (A
    /// line of digits can be taken for a header or a row.)
    #[test]
    fn a_bad_game_does_not_spoil_the_next(
        header in "[2-4]( [0-9]{1,3})?",
        rows in prop::collection::vec("[0-9x]{1,3}( [0-9x]{1,3}){0,4}", 0..6),
        moves in "[DECB]{1,5}|AUTO 1|-",
    ) {
        let good = Game::new(4, 9, "-");
        let input = format!("{header}\n{}\n{moves}\n{}", rows.join("\n"), good.text());
        let answers = outcomes(input.as_bytes(), &[("depth", "1")]);
        prop_assert_eq!(answers.last().unwrap().to_text(), outcome(&good, &[]).to_text());
    }
}
