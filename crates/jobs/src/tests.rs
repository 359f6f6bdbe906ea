//! Tests of jobs with a toy solver: order, counts, cancellation, panics, bounded batches.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use super::*;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::picture::{Board, GridPicture, Kind};
use tabuleiro_puzzles::solver::{
    AnswerReader, Budget, Cancel, Drawable, Entry, Example, Gradable, Options, Outcome, Problem, Puzzle,
    PuzzleReader, Random, RenderInput, Solver, SolverInfo, Stop, Work, default_options, find,
};
use tabuleiro_puzzles::words::Phrase;

/// Doubles numbers; 13 panics, 99 waits until it is cancelled, words are invalid.
struct Doubler;
struct DoublerReader;
struct Number(u64);

impl Solver for Doubler {
    fn info(&self) -> &'static SolverInfo {
        &SolverInfo {
            id: "doubler",
            noun: "number",
            about: "doubles",
            input_format: "",
            output_format: "",
            example: Example { input: "1", output: "2\n" },
            is_recognised: false,
            options: &[],
            generator_options: &[],
        }
    }
    fn open(&self, _: &Options) -> Box<dyn PuzzleReader> {
        Box::new(DoublerReader)
    }
    fn answers(&self, _: &Options) -> Box<dyn AnswerReader> {
        unreachable!("nothing is graded here")
    }
    fn generate(&self, _: &Options, _: u64, _: &mut Random, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// Reads like jump-game, but is not recognised.
struct Hidden;

impl Solver for Hidden {
    fn info(&self) -> &'static SolverInfo {
        Doubler.info()
    }
    fn open(&self, _: &Options) -> Box<dyn PuzzleReader> {
        let jump = find("jump-game").unwrap();
        jump.open(&default_options(jump))
    }
    fn answers(&self, options: &Options) -> Box<dyn AnswerReader> {
        Doubler.answers(options)
    }
    fn generate(&self, _: &Options, _: u64, _: &mut Random, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn only_a_solver_that_says_so_is_recognised_in_files_of_others() {
    let file = || Ok(&b"1 3\n1\n1 1 1\n0 0\n"[..]);
    let found = |solver: &'static dyn Solver| recognise::recognise([solver], file).len();
    assert_eq!((found(find("jump-game").unwrap()), found(&Hidden)), (1, 0));
}

impl PuzzleReader for DoublerReader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        use tabuleiro_puzzles::input::Token;
        let lexeme = input.next_token()?;
        let place = lexeme.place;
        Ok(match lexeme.token {
            Token::End => None,
            Token::Number(value) => Some(Entry { place, work: Work::Solve(Box::new(Number(value))) }),
            _ => {
                let what = Phrase {
                    scope: "number",
                    name: "number",
                    arguments: vec![("found", lexeme.token.quoted())],
                };
                let problem = Problem::new(place, what).recognised_if(false);
                Some(Entry { place, work: Work::Invalid(Box::new(problem)) })
            }
        })
    }

    fn fresh_reader(&self) -> Box<dyn PuzzleReader> {
        Box::new(DoublerReader)
    }
}

/// A puzzle that cannot be drawn.
const NOT_DRAWN: u64 = 666;

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Drawable for Number {
    fn draw(&self, _: &RenderInput) -> Option<GridPicture> {
        assert_ne!(self.0, NOT_DRAWN, "a test's own panic");
        let mut picture = GridPicture::new(Kind::Map, [1, 1], "a square".to_owned());
        picture.boards.push(Board { texts: vec![(0, "drawn".to_owned())], ..Board::default() });
        Some(picture)
    }
}

impl Gradable for Number {}

impl Puzzle for Number {
    fn solve(&self, budget: &Budget) -> Outcome {
        assert!(self.0 != 13, "unlucky");
        if self.0 == 99 {
            let stop = loop {
                if let Err(stop) = budget.check() {
                    break stop;
                }
                std::thread::yield_now();
            };
            return Outcome::undecided(
                stop,
                tabuleiro_puzzles::solver::Bounds::default(),
                Phrase { scope: "merge", name: "expected-slides", arguments: Vec::new() },
            );
        }
        Outcome::number(2 * self.0)
    }
}

fn run(text: &str, options: &Options, cancel: &Cancel) -> (Result<Summary, JobError>, String) {
    let pool = Pool::new(3).unwrap();
    let mut sink = TextSink::new(Vec::new(), &JobInfo { file: "t.txt", solver: &Doubler, options });
    let mut scanner = Scanner::new(text.as_bytes(), "t.txt").unwrap();
    let job = Job { solver: &Doubler, options, pool: &pool, cancel, progress: &Arc::default() };
    let result = answer(&mut scanner, &job, &mut sink);
    let out = sink.finish(result.as_ref().unwrap_or(&Summary::default())).unwrap();
    (result, String::from_utf8(out).unwrap())
}

#[test]
fn answers_come_in_order_whatever_the_threads_do() {
    let text: String = (0..100_000).map(|n| format!("{} \n", n + 100)).collect();
    let expected: String = (0..100_000).map(|n| format!("{}\n", 2 * (n + 100))).collect();
    let (summary, out) = run(&text, &default_options(&Doubler), &Cancel::default());
    assert!(out == expected);
    let summary = summary.unwrap();
    assert_eq!((summary.puzzles, summary.invalid, summary.undecided), (100_000, 0, 0));
    assert_eq!(summary.answers(), "200, 202, 204, 206, 208, 210, … (99994 more)");
    assert_eq!(summary.bytes, text.len() as u64);
}

#[test]
fn invalid_puzzles_stand_in_their_place() {
    let (summary, out) = run("1\nx\n3", &default_options(&Doubler), &Cancel::default());
    assert_eq!(out, "2\ninvalid number: number-number [t.txt:2:1]\n6\n");
    let summary = summary.unwrap();
    assert_eq!((summary.puzzles, summary.invalid), (3, 1));
    assert_eq!(summary.mistakes.shown[0].0, Some(2));
}

#[test]
fn a_file_without_a_recognised_puzzle_is_rejected() {
    for text in ["", "x", "x y z", "# only a comment"] {
        let (result, _) = run(text, &default_options(&Doubler), &Cancel::default());
        let Err(JobError::Rejected(rejection)) = result else { panic!("{text:?} has no puzzle") };
        let rule = if text.starts_with('x') { "no-puzzle" } else { "blank-file" };
        assert_eq!(rejection.rule(), rule, "{text:?}");
    }
}

#[test]
fn a_panic_ends_the_job_and_not_the_pool() {
    let (result, _) = run("1 2 13 4", &default_options(&Doubler), &Cancel::default());
    assert!(matches!(result, Err(JobError::Panicked { number: 3, message }) if message.contains("unlucky")));
}

#[test]
fn limits_end_a_puzzle_and_are_counted() {
    let mut options = default_options(&Doubler);
    options.set("time_limit", "5ms", tabuleiro_puzzles::solver::Authority::Owner).unwrap();
    let (summary, out) = run("1 99 3", &options, &Cancel::default());
    assert_eq!(out, "2\nundecided (the largest number of slides M)\n6\n");
    let summary = summary.unwrap();
    assert_eq!(summary.undecided, 1);
    assert!(matches!(summary.stops[0], (2, _, Stop::TimeLimit)));
}

#[test]
fn the_job_limit_ends_every_puzzle_left() {
    let mut options = default_options(&Doubler);
    options.set("job_time_limit", "20ms", tabuleiro_puzzles::solver::Authority::Owner).unwrap();
    let (summary, _) = run("99 99 99 99 99", &options, &Cancel::default());
    let summary = summary.unwrap();
    assert_eq!(summary.undecided, 5);
    assert!(summary.stops.iter().all(|(_, _, stop)| *stop == Stop::JobTimeLimit));
}

#[test]
fn a_cancelled_job_has_no_result() {
    let cancel = Cancel::default();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run("1 99 3", &default_options(&Doubler), &cancel).0);
        cancel.cancel();
        assert!(matches!(job.join().unwrap(), Err(JobError::Cancelled)));
    });
}

#[test]
fn compressed_and_wide_text_is_refused() {
    let refused = |bytes: &[u8]| refuse_by_head(&Scanner::new(bytes, "t").unwrap()).unwrap_err();
    assert_eq!(refused(b""), Rejection::Because(Reason::Empty));
    let compressed = |format: &str| Rejection::NotText(NotText::Compressed { format: format.to_owned() });
    assert_eq!(refused(b"\x1f\x8b\x08..."), compressed("gzip"));
    assert_eq!(refused(b"PK\x03\x04..."), compressed("zip"));
    let wide = |encoding| Rejection::NotText(NotText::Wide { encoding });
    assert_eq!(refused(b"\xff\xfe1\0"), wide("UTF-16"));
    assert_eq!(refused(b"\xff\xfe\0\0"), wide("UTF-32"));
    assert_eq!(refuse_by_head(&Scanner::new(&b"3 3"[..], "t").unwrap()), Ok(()));
}

#[test]
fn json_results_are_valid_json() {
    let options = default_options(&Doubler);
    let pool = Pool::new(1).unwrap();
    let info = JobInfo { file: "a \"b\"", solver: &Doubler, options: &options };
    let origin = JsonOrigin { id: Some("20261121T121744.123456Z"), ..JsonOrigin::default() };
    let mut sink = JsonSink::new(Vec::new(), &info, &origin).unwrap();
    let mut scanner = Scanner::new(&b"1 x 3"[..], "t").unwrap();
    let (cancel, progress) = (Cancel::default(), Arc::default());
    let job = Job { solver: &Doubler, options: &options, pool: &pool, cancel: &cancel, progress: &progress };
    let summary = answer(&mut scanner, &job, &mut sink).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&sink.finish(&summary, "00").unwrap()).unwrap();
    assert_eq!((&json["id"], &json["name_taken"]), (&origin.id.into(), &serde_json::Value::Null));
    assert_eq!(json["puzzles"][0]["answer"], 2);
    assert_eq!(json["puzzles"][1]["invalid"]["rule"], "number");
    assert_eq!(json["puzzles"][2]["number"], 3);
    assert_eq!(json["job"]["input_sha256"], "00");
}

/// Cancels the job when it is solved, and counts how often that happens.
struct Stopper {
    cancel: Cancel,
    solved: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl fmt::Display for Stopper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a stopper")
    }
}

impl Drawable for Stopper {}

impl Gradable for Stopper {}

impl Puzzle for Stopper {
    fn solve(&self, _: &Budget) -> Outcome {
        self.solved.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.cancel.cancel();
        Outcome::number(0)
    }
}

#[test]
fn what_a_cancelled_job_has_not_begun_stays_so() {
    let (cancel, solved) = (Cancel::default(), std::sync::Arc::default());
    let puzzle =
        |_| -> Box<dyn Puzzle> { Box::new(Stopper { cancel: cancel.clone(), solved: Arc::clone(&solved) }) };
    let pool = Pool::new(1).unwrap();
    let limits = Limits::of(&default_options(&Doubler), pool.memory(), &cancel);
    let puzzles = (1..).zip((0..100).map(puzzle)).collect();
    let origin = Arc::new(Origin::new(&Doubler, default_options(&Doubler), "t".into()));
    let list = List::new(puzzles, &limits, &Arc::default(), origin, pool.guests());
    pool.solve(list, false).0.wait();
    // The pool's thread solves one, and the waiting thread may solve another if it is as quick.
    assert!((1..=2).contains(&solved.load(std::sync::atomic::Ordering::Relaxed)));
}

#[test]
fn no_answer_is_lost_to_a_mistake_in_drawing_it() {
    let options = default_options(&Doubler);
    let (cancel, pool) = (Cancel::default(), Pool::new(1).unwrap());
    let info = JobInfo { file: "t.txt", solver: &Doubler, options: &options };
    let mut sink = page::PageSink::new(Vec::new(), &info, page::PageLinks::default());
    let mut input = Scanner::new(&b"1 666 2"[..], "t.txt").unwrap();
    let progress = Arc::default();
    let job = Job { solver: &Doubler, options: &options, pool: &pool, cancel: &cancel, progress: &progress };
    let summary = answer(&mut input, &job, &mut sink).unwrap();
    let page = sink.finish(&summary, &job.limits()).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert_eq!(
        (page.matches(">drawn</text>").count(), page.matches("could not be drawn").count()),
        (2, 1),
        "{page}"
    );
    assert!(page.contains("<span>2: 1332</span>"), "{page}");
}
