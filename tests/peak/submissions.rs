//! Submissions that are as large as anybody may drop, graded with pages, one and many at a time: what that takes stays within what
//! the service plans for it.

use std::io::{self, Read};
use std::sync::{Arc, LazyLock};
use std::thread;

use tabuleiro_jobs::grading::formats::SubmissionOrigin;
use tabuleiro_jobs::grading::{AnswerKey, Grade, GradeOutputs};
use tabuleiro_jobs::page::HELD_BYTES_MAX;
use tabuleiro_jobs::page::PageLinks;
use tabuleiro_jobs::{Job, Limits, Pool};
use tabuleiro_puzzles::solver::{Authority, Cancel, FREE_BYTES, default_options, find};

use super::{ALLOCATOR, SMALL_BYTES_MAX, allocated};

/// A submission that repeats itself, and what it is graded by.
struct Hostile {
    solver: &'static str,
    reference: String,
    begin: &'static str,
    repeated: String,
}

impl Hostile {
    fn new(solver: &'static str, reference: &str, begin: &'static str, repeated: &str) -> Self {
        Self { solver, reference: reference.to_owned(), begin, repeated: repeated.to_owned() }
    }
}

/// Answers as long as can be of each solver, and a class of long answers whose pages are full.
static HOSTILE: LazyLock<Vec<Hostile>> = LazyLock::new(|| {
    let game = "2 1\n0 0\n0 0\nAUTO 9\n";
    let transcript = format!("score 4\n{}", "D 0 0 2\n".repeat(5000));
    vec![
        Hostile::new("2048-merge", "1\n3 5\n2 0 2\n4 0 8\n0 0 0\n", "3 ", "D "),
        Hostile::new("2048-merge", "1\n3 5\n2 0 2\n4 0 8\n0 0 0\n", "", "DCEB"),
        Hostile::new("checkers-capture", "3 3\n2 1 2 0 1\n0 0\n", "1 ", "0,2 2,0 "),
        Hostile::new("jump-game", "1 4\n1\n1 1 2 0\n0 0\n", "A 3\n", "0,0 0,1 "),
        Hostile::new("2048-astar", "2\n2 2\n0 0\n", "", "2\n2 4\n8 16\n"),
        Hostile::new("2048-astar", "2\n2 2\n0 0\n", "9\n", "2 4 "),
        Hostile::new("2048-game", game, "score 4\n", "D 0 0 2\n"),
        Hostile::new("2048-game", "2 1\n0 0\n0 0\nDCEB\n", "", "+ 0 0 2\n"),
        Hostile::new("2048-game", &game.repeat(400), "", &transcript),
    ]
});

/// What is read of it, which takes no memory.
struct Source<'a> {
    text: [&'a [u8]; 2],
    left: u64,
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = &mut self.text;
        let most = buffer.len().min(text[0].len()).min(self.left as usize);
        buffer[..most].copy_from_slice(&text[0][..most]);
        text[0] = &text[0][most..];
        if text[0].is_empty() {
            text[0] = text[1];
        }
        self.left -= most as u64;
        Ok(most)
    }
}

/// How many submissions are graded at a time, and the memory that they share: so many may use so much, all others little.
#[derive(Debug, Clone, Copy)]
struct Plan {
    submissions: u64,
    /// Size of each.
    size: u64,
    permits: u64,
    bytes_max: u64,
}

impl Hostile {
    fn key(&self, pool: &Pool) -> AnswerKey {
        let solver = find(self.solver).unwrap();
        let mut options = default_options(solver);
        options.set("picture", "true", Authority::Owner).unwrap();
        let text = Arc::new(self.reference.clone().into_bytes());
        let (cancel, progress) = (Cancel::default(), Arc::default());
        let job = Job { solver, options: &options, pool, cancel: &cancel, progress: &progress };
        AnswerKey::solve("entrada.txt".into(), text, &job).unwrap().0
    }

    fn grade(&self, size: u64, key: &AnswerKey, pool: &Pool) -> Grade {
        let text = [self.begin, &self.repeated].map(str::as_bytes);
        let text = if self.begin.is_empty() { [text[1], text[1]] } else { text };
        let origin = SubmissionOrigin { submission: "saida.txt", ..SubmissionOrigin::default() };
        let (mut text_out, mut json, mut page) = (io::sink(), io::sink(), io::sink());
        let out = GradeOutputs {
            text: &mut text_out,
            json: &mut json,
            page: Some((&mut page, PageLinks::default())),
        };
        let limits = Limits::of(&key.options, pool.memory(), &Cancel::default());
        key.write_grade(Source { text, left: size }, &origin, out, &limits).unwrap()
    }

    /// What is wrong with the memory that grading it takes.
    fn fault(&self, plan: Plan) -> Option<String> {
        let pool = Pool::new(1).unwrap();
        let key = self.key(&pool);
        pool.memory().set(plan.permits as usize, plan.bytes_max);
        // Whatever is made once is there before.
        let before = allocated();
        ALLOCATOR.reset_peak_usage();
        thread::scope(|scope| {
            for _ in 0..plan.submissions {
                scope.spawn(|| {
                    let grade = self.grade(plan.size, &key, &pool);
                    assert_eq!((grade.puzzles, grade.accepted), (key.puzzles(), 0), "{}", self.solver);
                });
            }
        });
        let seen = (ALLOCATOR.peak_usage() as u64).saturating_sub(before);
        let each = FREE_BYTES + HELD_BYTES_MAX + SMALL_BYTES_MAX;
        let planned = plan.submissions * each + plan.permits.min(plan.submissions) * plan.bytes_max;
        println!("{} {:?} {plan:?}: {} KiB of {}", self.solver, self.begin, seen >> 10, planned >> 10);
        (seen > planned).then(|| format!("{} {:?} {plan:?} takes {seen} bytes", self.solver, self.repeated))
    }
}

/// What is wrong with the memory that all of them take.
pub fn faults() -> Vec<String> {
    let plans = [
        Plan { submissions: 1, size: 15 << 20, permits: 1, bytes_max: 64 << 20 },
        Plan { submissions: 4, size: 6 << 20, permits: 1, bytes_max: 8 << 20 },
        Plan { submissions: 16, size: 3 << 20, permits: 2, bytes_max: 24 << 20 },
    ];
    HOSTILE.iter().flat_map(|hostile| plans.map(|plan| hostile.fault(plan))).flatten().collect()
}
