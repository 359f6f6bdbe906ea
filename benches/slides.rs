//! Measures slides per second for each form of the board: `cargo bench --bench slides`.
//!
//! Boards come from random games. Every form slides every board in all four directions, and each pass asserts how many
//! slides changed their board. Before that, every slide is compared with a plain one on an array. Times are thread
//! times, so that other programs on the machine do not count. An element is a slide.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rustix::time::{ClockId, clock_gettime};
use tabuleiro_puzzles::board::packed::PackedBoard;
use tabuleiro_puzzles::board::sliding::{Direction, SlidingBoard};
use tabuleiro_puzzles::solver::Random;

/// Number of boards of a size: too many for a branch predictor to memorise, but few enough for the first cache.
const BOARDS: usize = 512;

/// A board as an array of rows. Its slide is the obvious one.
type Plain<const N: usize> = [[u8; N]; N];

fn plain_slide<const N: usize>(board: &Plain<N>, direction: Direction) -> Plain<N> {
    let mut slid = [[0; N]; N];
    for lane in 0..N {
        let square = |at: usize| match direction {
            Direction::Left => (lane, at),
            Direction::Right => (lane, N - 1 - at),
            Direction::Up => (at, lane),
            Direction::Down => (N - 1 - at, lane),
        };
        let (mut filled, mut mergeable) = (0, false);
        for at in 0..N {
            let (row, column) = square(at);
            let rank = board[row][column];
            if rank == 0 {
                continue;
            }
            if mergeable {
                let (row, column) = square(filled - 1);
                if slid[row][column] == rank {
                    slid[row][column] += 1;
                    mergeable = false;
                    continue;
                }
            }
            let (row, column) = square(filled);
            slid[row][column] = rank;
            filled += 1;
            mergeable = true;
        }
    }
    slid
}

/// Returns every tenth board of random games, from an empty board on.
fn boards(size: usize) -> Vec<SlidingBoard> {
    let mut random = Random::new(size as u64);
    let empty = || SlidingBoard::new(size, vec![0; size * size]);
    let (mut board, mut boards, mut moves) = (empty(), Vec::new(), 0_u64);
    while boards.len() < BOARDS {
        let blanks: Vec<usize> = (0..size * size).filter(|&square| board.ranks()[square] == 0).collect();
        let square = blanks[random.below(blanks.len() as u64) as usize];
        board.ranks_mut()[square] = 1 + u8::from(random.below(10) == 0);
        moves += 1;
        if moves.is_multiple_of(10) {
            boards.push(board.clone());
        }
        let slid = |direction| {
            let mut next = board.clone();
            next.slide(direction).changed.then_some(next)
        };
        let mut next: Vec<SlidingBoard> = Direction::ALL.into_iter().filter_map(slid).collect();
        let chosen = random.below(next.len().max(1) as u64) as usize;
        board = if next.is_empty() { empty() } else { next.swap_remove(chosen) };
    }
    boards
}

fn to_plain<const N: usize>(board: &SlidingBoard) -> Plain<N> {
    std::array::from_fn(|row| std::array::from_fn(|column| board.ranks()[row * N + column]))
}

/// Times passes over the boards in one form. `changed` returns which slides change a board.
fn time<B>(
    criterion: &mut Criterion,
    (form, size): (&str, usize),
    (boards, expected): (&[B], usize),
    changed: impl Fn(&B) -> [bool; 4],
) {
    let mut group = criterion.benchmark_group("slides");
    group.throughput(Throughput::Elements(4 * boards.len() as u64));
    group.bench_function(BenchmarkId::new(form, format!("{size}x{size}")), |bencher| {
        bencher.iter_custom(|passes| {
            let begin = processor_time();
            for _ in 0..passes {
                let changes = |board| changed(std::hint::black_box(board)).map(usize::from);
                let count: usize = boards.iter().flat_map(changes).sum();
                assert_eq!(count, expected);
            }
            processor_time().saturating_sub(begin)
        });
    });
    group.finish();
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a clock of processor time begins at 0")
}

fn size<const N: usize>(criterion: &mut Criterion) {
    let boards = boards(N);
    let plain: Vec<Plain<N>> = boards.iter().map(to_plain).collect();
    let slides = plain.iter().flat_map(|board| Direction::ALL.map(|direction| (board, direction)));
    let expected = slides.filter(|(board, direction)| plain_slide(board, *direction) != **board).count();
    // Checks what each form makes of each board before any form is timed.
    let check = |form: &str, slide: &dyn Fn(&SlidingBoard, Direction) -> Option<SlidingBoard>| {
        for (board, plain) in boards.iter().zip(&plain) {
            for direction in Direction::ALL {
                let Some(slid) = slide(board, direction) else { return false };
                assert_eq!(to_plain::<N>(&slid), plain_slide(plain, direction), "{form}");
            }
        }
        true
    };

    time(criterion, ("plain array", N), (&plain, expected), |board| {
        Direction::ALL.map(|direction| plain_slide(board, direction) != *board)
    });
    check("any size", &|board, direction| {
        let mut slid = board.clone();
        slid.slide(direction);
        Some(slid)
    });
    time(criterion, ("any size", N), (&boards, expected), |board| {
        Direction::ALL.map(|direction| board.clone().slide(direction).changed)
    });
    if check("word", &|board, direction| {
        Some(PackedBoard::from_sliding(board)?.slide(direction, N).to_sliding(N))
    }) {
        let words: Vec<PackedBoard> = boards.iter().filter_map(PackedBoard::from_sliding).collect();
        time(criterion, ("word", N), (&words, expected), |board| {
            Direction::ALL.map(|direction| board.slide(direction, N) != *board)
        });
        if N == 4 {
            time(criterion, ("word, all four and points", N), (&words, expected), |board| {
                std::hint::black_box(board.moves()).map(|after| after.board != *board)
            });
        }
    }
}

fn slides(criterion: &mut Criterion) {
    size::<3>(criterion);
    size::<4>(criterion);
    size::<5>(criterion);
    size::<6>(criterion);
    size::<8>(criterion);
}

criterion_group!(benches, slides);
criterion_main!(benches);
