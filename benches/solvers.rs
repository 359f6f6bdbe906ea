//! One group per solver: reads and answers a generated file, with each algorithm that `[[bench]]` states in
//! `stated.toml` among the solver's golden cases, or else with the defaults. Every benchmark asserts its answers, so it
//! cannot become fast by being wrong.

#[allow(dead_code, reason = "each program uses its part")]
#[path = "../tests/stated.rs"]
mod stated;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabuleiro_jobs::answer_all;
use tabuleiro_puzzles::solver::{
    COMPARE_RULES, OptionValue, SOLVERS, Solver, Verdict, default_options, find,
};

use self::stated::{Bench, Sets, generated, stated, with};

fn answers(solver: &'static dyn Solver, sets: &Sets, file: &[u8]) -> Vec<String> {
    let mut options = with(default_options(solver), sets);
    // A file that chooses its rules is not answered by others as well.
    options.put(COMPARE_RULES.spec.name, OptionValue::Flag(false));
    let outcomes = answer_all(solver, &options, "bench", file).expect("memory can be read");
    assert!(outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Answered)));
    outcomes.into_iter().map(|outcome| outcome.headline.into()).collect()
}

/// Measures each algorithm on one file. All must give the same answers.
fn compare(criterion: &mut Criterion, solver: &'static dyn Solver, bench: &Bench) {
    let file = generated(solver, bench.puzzles, 1, &bench.generate);
    let expected = answers(solver, &bench.solve[0], &file);
    assert_eq!(expected.len() as u64, bench.puzzles);
    let mut group = criterion.benchmark_group(solver.id());
    group.throughput(Throughput::Elements(bench.puzzles)).sample_size(10);
    for sets in &bench.solve {
        let name = sets.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { "defaults" } else { &name };
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(answers(solver, sets, &file), expected));
        });
    }
    group.finish();
}

fn solvers(criterion: &mut Criterion) {
    for solver in SOLVERS {
        let mut benches = stated(*solver).bench;
        if benches.is_empty() {
            benches.push(Bench { puzzles: 20, generate: Sets::new(), solve: vec![Sets::new()] });
        }
        for bench in benches {
            compare(criterion, *solver, &bench);
        }
    }
}

/// Measures boards that are hard in different ways, with known answers.
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
    // A corridor of ones between walls of zeros, from side to side: it takes half as many rounds as there are squares.
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
    let solver = find("jump-game").expect("a registered solver");
    let mut group = criterion.benchmark_group("jump-game shapes");
    group.sample_size(10);
    for (name, file, expected) in &shapes {
        for (movement, expected) in ["walk", "straight"].into_iter().zip(expected) {
            let sets = Sets::from([("movement".to_owned(), movement.to_owned())]);
            group.throughput(Throughput::Bytes(file.len() as u64));
            group.bench_function(format!("{name} {movement}"), |bencher| {
                bencher.iter(|| {
                    let answers = answers(solver, &sets, file.as_bytes());
                    assert_eq!(answers, [*expected], "{name} {movement}");
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, solvers, jump_game_shapes);
criterion_main!(benches);
