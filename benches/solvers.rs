//! One group a solver: a generated file read and answered, and the published algorithms on a file that they
//! can still manage. Every bench asserts its answers, so it cannot become fast by being wrong.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabuleiro::solver::{self, Authority, Options, Random, Solver, Verdict, answer_all};

/// A file of `count` puzzles as `tabuleiro generate ID COUNT --seed 1 --set …` writes it.
fn generated(solver: &dyn Solver, count: u64, sets: &[(&str, &str)]) -> Vec<u8> {
    let mut options = Options::defaults(&[solver.generator_options()]);
    for (key, value) in sets {
        options.set(key, value, Authority::Owner).expect("an option of the generator");
    }
    let mut file = Vec::new();
    solver.generate(&options, count, &mut Random::new(1), &mut file).expect("memory takes it all");
    file
}

fn answers(solver: &dyn Solver, sets: &[(&str, &str)], file: &[u8]) -> Vec<String> {
    let mut options = solver::default_options(solver);
    for (key, value) in sets {
        options.set(key, value, Authority::Owner).expect("an option of the solver");
    }
    let outcomes = answer_all(solver, &options, "bench", file).expect("memory can be read");
    assert!(outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Answered)));
    outcomes.into_iter().map(|outcome| outcome.headline.into()).collect()
}

/// Measures each algorithm on one file; all must give the same answers.
fn compare(
    criterion: &mut Criterion,
    id: &str,
    count: u64,
    generate: &[(&str, &str)],
    algorithms: &[&[(&str, &str)]],
) {
    let solver = solver::find(id).expect("a registered solver");
    let file = generated(solver, count, generate);
    let expected = answers(solver, algorithms[0], &file);
    assert_eq!(expected.len() as u64, count);
    let mut group = criterion.benchmark_group(id);
    group.throughput(Throughput::Elements(count)).sample_size(10);
    for sets in algorithms {
        let name = sets.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(answers(solver, sets, &file), expected));
        });
    }
    group.finish();
}

fn checkers_capture(criterion: &mut Criterion) {
    let algorithms: [&[(&str, &str)]; 3] =
        [&[("algorithm", "exact")], &[("algorithm", "backtracking")], &[("algorithm", "tree")]];
    compare(criterion, "checkers-capture", 300, &[], &algorithms);
}

fn merge_2048(criterion: &mut Criterion) {
    let algorithms: [&[(&str, &str)]; 2] = [&[("algorithm", "shortest")], &[("algorithm", "breadth-first")]];
    compare(criterion, "2048-merge", 30, &[("size", "4"), ("tiles", "14")], &algorithms);
}

fn astar_2048(criterion: &mut Criterion) {
    compare(criterion, "2048-astar", 3, &[], &[&[("goal", "2048")]]);
}

fn game_2048(criterion: &mut Criterion) {
    compare(criterion, "2048-game", 20, &[], &[&[("player", "greedy")]]);
}

fn jump_game(criterion: &mut Criterion) {
    let straight: [&[(&str, &str)]; 2] = [
        &[("movement", "straight"), ("algorithm", "fast")],
        &[("movement", "straight"), ("algorithm", "breadth-first")],
    ];
    compare(criterion, "jump-game", 200, &[], &straight);
    jump_game_shapes(criterion);
}

/// Boards that are hard in one way or another: each answer is known.
fn jump_game_shapes(criterion: &mut Criterion) {
    const SIDE: usize = 300;
    let square = |value: &dyn Fn(usize, usize) -> u64, players: &[(usize, usize)]| {
        let mut file = format!("{SIDE} {SIDE}\n{}\n", players.len());
        for row in 0..SIDE {
            let values: Vec<String> = (0..SIDE).map(|column| value(row, column).to_string()).collect();
            file += &(values.join(" ") + "\n");
        }
        for (row, column) in players {
            file += &format!("{row} {column}\n");
        }
        file
    };
    // A corridor of ones between walls of zeros, from side to side: as many rounds as half the squares.
    let corridor = |row: usize, column: usize| {
        let end = if row % 4 == 1 { SIDE - 1 } else { 0 };
        u64::from(row.is_multiple_of(2) || column == end)
    };
    let crowd: Vec<(usize, usize)> = (0..40_000).map(|at| (at / 200, at % 200)).collect();
    let line = format!("1 90000\n1\n{}\n0 0\n", "7 ".repeat(90_000));
    let shapes: [(&str, String, [&str; 2]); 6] = [
        ("snake", square(&corridor, &[(0, 0)]), ["A 44850"; 2]),
        ("huge", square(&|_, _| u64::MAX - 1, &[(0, 1)]), ["SEM VENCEDORES"; 2]),
        ("long", square(&|_, _| 75, &[(0, 0), (0, 1)]), ["A 8", "SEM VENCEDORES"]),
        (
            "mixed",
            square(&|row, column| u64::MAX >> (row * column % 64), &[(0, 0)]),
            ["A 2", "SEM VENCEDORES"],
        ),
        ("crowd", square(&|_, _| 1, &crowd), ["BGDL 200"; 2]),
        ("line", line, ["A 12857"; 2]),
    ];
    let solver = solver::find("jump-game").expect("a registered solver");
    let mut group = criterion.benchmark_group("jump-game shapes");
    group.sample_size(10);
    for (name, file, expected) in &shapes {
        for (movement, expected) in ["walk", "straight"].into_iter().zip(expected) {
            group.throughput(Throughput::Bytes(file.len() as u64));
            group.bench_function(format!("{name} {movement}"), |bencher| {
                bencher.iter(|| {
                    let answers = answers(solver, &[("movement", movement)], file.as_bytes());
                    assert_eq!(answers, [*expected], "{name} {movement}");
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, checkers_capture, merge_2048, astar_2048, game_2048, jump_game);
criterion_main!(benches);
