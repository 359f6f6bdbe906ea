//! Benchmarks `checkers-capture`: from text to text, reading alone, and hard boards. Every benchmark asserts its
//! answers, so it cannot become fast by being wrong.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabuleiro_jobs::{Job, JobInfo, Pool, TextSink, answer};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{self, Authority, Cancel, Options, Random, Solver, Work};

/// Number of boards of the generated file.
const BOARDS: u64 = 20_000;

/// Dense boards with few own pieces, found by a search for slow boards, each with its number of captures.
const HARD: &str = include_str!("hard-boards.txt");

fn checkers() -> &'static dyn Solver {
    solver::find("checkers-capture").expect("a registered solver")
}

fn generated() -> Vec<u8> {
    let options = Options::defaults(&[checkers().generator_options()]);
    let mut file = Vec::new();
    checkers().generate(&options, BOARDS, &mut Random::new(1), &mut file).expect("memory takes it all");
    file
}

fn solved(pool: &Pool, file: &[u8], algorithm: &str) -> Vec<u8> {
    let mut options = solver::default_options(checkers());
    options.set("algorithm", algorithm, Authority::Owner).expect("an option of the solver");
    let info = JobInfo { file: "bench", solver: checkers(), options: &options };
    let mut sink = TextSink::new(Vec::new(), &info);
    let mut input = Scanner::new(file, "bench").expect("memory can be read");
    let (cancel, progress) = (Cancel::default(), Arc::default());
    let job = Job { solver: checkers(), options: &options, pool, cancel: &cancel, progress: &progress };
    let summary = answer(&mut input, &job, &mut sink).expect("boards");
    assert_eq!(summary.invalid, 0);
    sink.finish(&summary).expect("memory takes it all")
}

fn end_to_end(criterion: &mut Criterion) {
    let file = generated();
    let mut group = criterion.benchmark_group("checkers-capture, random boards");
    group.throughput(Throughput::Elements(BOARDS));
    for threads in [1, 2] {
        let pool = Pool::new(threads).expect("threads");
        let expected = solved(&pool, &file, "backtracking");
        group.bench_function(format!("read, solved, written by {threads}"), |bencher| {
            bencher.iter(|| assert_eq!(solved(&pool, &file, "exact"), expected));
        });
    }
    group.finish();
}

fn reading(criterion: &mut Criterion) {
    let file = generated();
    let options = solver::default_options(checkers());
    let mut group = criterion.benchmark_group("checkers-capture, reading");
    group.throughput(Throughput::Bytes(file.len() as u64));
    group.bench_function("random boards", |bencher| {
        bencher.iter(|| {
            let mut input = Scanner::new(&file[..], "bench").expect("memory can be read");
            let mut reader = checkers().open(&options);
            let mut boards = 0;
            while let Some(entry) = reader.read(&mut input).expect("memory can be read") {
                boards += u64::from(matches!(entry.work, Work::Solve(_)));
            }
            assert_eq!(boards, BOARDS);
        });
    });
    group.finish();
}

fn hard_boards(criterion: &mut Criterion) {
    let pool = Pool::new(1).expect("a thread");
    let expected = solved(&pool, HARD.as_bytes(), "backtracking");
    let mut group = criterion.benchmark_group("checkers-capture, hard boards");
    group.throughput(Throughput::Elements(expected.iter().filter(|&&byte| byte == b'\n').count() as u64));
    group.sample_size(20).bench_function("all of them", |bencher| {
        bencher.iter(|| assert_eq!(solved(&pool, HARD.as_bytes(), "exact"), expected));
    });
    group.finish();
}

criterion_group!(benches, end_to_end, reading, hard_boards);
criterion_main!(benches);
