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
}

criterion_group!(benches, checkers_capture, merge_2048, astar_2048, game_2048, jump_game);
criterion_main!(benches);
