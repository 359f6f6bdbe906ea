//! Compares `2048-merge` with its floor, the plain breadth-first search, on full boards, by time and memory.
//!
//! ```text
//! cargo bench --bench merge_2048              the floor gets 60 s and 4 GiB per case
//! cargo bench --bench merge_2048 -- 10        the floor gets 10 s per case
//! ```
//!
//! Prints CSV, `size,tiles,algorithm,seconds,peak_bytes,resident_bytes,answer`, one line per case and algorithm: the
//! processor time, the peak memory charged to the budget, and the peak resident memory. A process of its own solves
//! each case, so that the figures of one do not hide in those of another. The last lines are comments with the ratios.
//! All answers are asserted: they equal that of the floor, or lie within what the floor proved.

use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{self, Authority, Budget, Cancel, Options, Outcome, Random, Verdict, Work};

/// Size, tiles, cases. The sparse ones are beyond the floor, which does not get them.
const FLOOR: [(u64, u64, u64); 2] = [(6, 36, 10), (8, 64, 12)];
const SPARSE: [(u64, u64, u64); 2] = [(10, 60, 10), (20, 80, 6)];
/// Bytes that the searches may charge.
const MEMORY_BYTES_MAX: u64 = 4 << 30;
/// Seconds for the default search, which should need far fewer.
const DEFAULT_SECONDS: u64 = 600;
const ALGORITHMS: [&str; 2] = ["breadth-first", "shortest"];

type Failure = Box<dyn Error>;

/// One line of CSV, parsed.
struct Figures {
    seconds: f64,
    peak_bytes: f64,
    resident_bytes: f64,
    answer: String,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [size, tiles, number, algorithm, seconds] = &arguments[..] {
        let case = (size.parse()?, tiles.parse()?, number.parse()?);
        println!("{}", solve(case, algorithm, seconds.parse()?)?);
        return Ok(());
    }
    let floor_seconds = arguments.first().map_or(Ok(60), |seconds| seconds.parse())?;
    println!("size,tiles,algorithm,seconds,peak_bytes,resident_bytes,answer");
    for (size, tiles, cases) in FLOOR {
        let mut sums = [[0.0; 3]; 2];
        let mut undecided = 0;
        for number in 0..cases {
            let floor = figures((size, tiles, number), ALGORITHMS[0], floor_seconds)?;
            let found = figures((size, tiles, number), ALGORITHMS[1], DEFAULT_SECONDS)?;
            assert!(allows(&floor.answer, &found.answer), "{} against {}", floor.answer, found.answer);
            undecided += u64::from(floor.answer.starts_with("undecided"));
            for (sum, one) in sums.iter_mut().zip([floor, found]) {
                sum[0] += one.seconds;
                sum[1] += one.peak_bytes;
                sum[2] += one.resident_bytes;
            }
        }
        let ratio = |index: usize| sums[0][index] / sums[1][index];
        println!(
            "# {size} x {size}, {tiles} tiles, floor to default: time {:.1}, charged memory {:.1}, resident {:.1}; \
             the floor left {undecided} of {cases} undecided",
            ratio(0),
            ratio(1),
            ratio(2)
        );
    }
    for (size, tiles, cases) in SPARSE {
        for number in 0..cases {
            let found = figures((size, tiles, number), ALGORITHMS[1], DEFAULT_SECONDS)?;
            assert!(!found.answer.starts_with("undecided"), "{}", found.answer);
        }
    }
    Ok(())
}

/// Starts a process that solves a case, and prints its line.
fn figures(case: (u64, u64, u64), algorithm: &str, seconds: u64) -> Result<Figures, Failure> {
    let numbers = [case.0, case.1, case.2].map(|number| number.to_string());
    let output = Command::new(std::env::current_exe()?)
        .args(numbers)
        .args([algorithm, &seconds.to_string()])
        .stderr(std::process::Stdio::inherit())
        .output()?;
    let line = String::from_utf8(output.stdout)?;
    print!("{line}");
    let mut fields = line.trim_end().splitn(7, ',').skip(3);
    let mut field = || fields.next().ok_or("a line of seven fields");
    Ok(Figures {
        seconds: field()?.parse()?,
        peak_bytes: field()?.parse()?,
        resident_bytes: field()?.parse()?,
        answer: field()?.to_owned(),
    })
}

/// Returns whether an exact answer is consistent with the answer of the floor.
fn allows(floor: &str, answer: &str) -> bool {
    let Some(proved) = floor.strip_prefix("undecided (at least ") else { return floor == answer };
    let at_least: u64 = proved.trim_end_matches(')').parse().unwrap_or(u64::MAX);
    answer == "no solution" || answer.parse::<u64>().is_ok_and(|answer| at_least <= answer)
}

/// Solves a case and returns its line.
fn solve(case: (u64, u64, u64), algorithm: &str, seconds: u64) -> Result<String, Failure> {
    let (size, tiles, number) = case;
    let solver = solver::find("2048-merge").ok_or("a registered solver")?;
    let mut options = Options::defaults(&[solver.generator_options()]);
    let mut file = Vec::new();
    options.set("size", &size.to_string(), Authority::Owner)?;
    options.set("tiles", &tiles.to_string(), Authority::Owner)?;
    solver.generate(&options, number + 1, &mut Random::new(1), &mut file)?;
    let mut options = solver::default_options(solver);
    options.set("algorithm", algorithm, Authority::Owner)?;
    let mut scanner = Scanner::new(&file[..], "bench")?;
    let mut reader = solver.open(&options);
    let mut entry = reader.read(&mut scanner)?;
    for _ in 0..number {
        entry = reader.read(&mut scanner)?;
    }
    let Some(Work::Solve(puzzle)) = entry.map(|entry| entry.work) else { return Err("a valid case".into()) };
    let end = Instant::now() + Duration::from_secs(seconds);
    let budget = Budget::new(Some(end), None, MEMORY_BYTES_MAX, Cancel::default());
    let before = processor_seconds()?;
    let Outcome { verdict, headline, .. } = puzzle.solve(&budget);
    let seconds = processor_seconds()? - before;
    assert!(matches!(verdict, Verdict::Answered | Verdict::Undecided(_)), "{headline}");
    let (peak, resident) = (budget.memory_bytes_peak(), resident_bytes()?);
    Ok(format!("{size},{tiles},{algorithm},{seconds:.3},{peak},{resident},{headline}"))
}

/// Returns the processor time of this process, in seconds.
fn processor_seconds() -> Result<f64, Failure> {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// Returns the peak resident memory of this process.
fn resident_bytes() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("a line VmHWM")?;
    let kibibytes: u64 = line.split_whitespace().nth(1).ok_or("a number")?.parse()?;
    Ok(kibibytes << 10)
}
