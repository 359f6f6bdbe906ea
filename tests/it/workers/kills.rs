//! Kills or pauses workers, the broker and the dispatcher at random while there are many files. Each file is answered
//! once, with the bytes of a local run.
//!
//! `WORKERS_FILES`, `WORKERS_KILLS` and `WORKERS_SEED` change length and course; `tests/workers/run` is the long form.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::process::Signal;

use super::harness::{Broker, Worker, broker, local_results, merges, number, one_a_solver, status};
use crate::harness::{Place, Service, job_in, wait_for};

/// Random points in time and victims, from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        // Knuth's MMIX generator; its high bits are good enough for this.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Everything that can be killed.
struct Field {
    broker: Broker,
    workers: Vec<Worker>,
    service: Option<Service>,
}

impl Field {
    fn service(&self) -> &Service {
        self.service.as_ref().unwrap()
    }

    /// Damages something, and returns what.
    fn strike(&mut self, random: &mut Random, pause: Duration) -> &'static str {
        let victim = random.below(self.workers.len());
        match random.below(10) {
            0..=3 => {
                let worker = &mut self.workers[victim];
                worker.kill();
                worker.start_again();
                "a worker is killed"
            }
            4 => {
                let worker = &mut self.workers[victim];
                worker.signal(Signal::TERM);
                worker.wait();
                worker.start_again();
                "a worker is stopped in order"
            }
            5 => {
                let worker = &self.workers[victim];
                worker.signal(Signal::STOP);
                std::thread::park_timeout(pause);
                worker.signal(Signal::CONT);
                "a worker is held up"
            }
            6 => {
                self.broker.kill();
                self.broker.start("");
                "the broker is killed"
            }
            7 => {
                self.broker.kill();
                self.broker.wipe();
                std::thread::park_timeout(pause);
                self.broker.start("");
                "the broker is away, and comes back empty"
            }
            _ => {
                let place = self.service.take().unwrap().kill();
                self.service = Some(place.start());
                "the intake is killed"
            }
        }
    }
}

/// Returns the number of files that are answered or set aside.
fn done(field: &Field) -> usize {
    field.service().files("var/done").len() + field.service().files("var/failed").len()
}

/// Returns the name and content of a file, from the samples in turn.
fn content(number: usize, samples: &[(String, String)]) -> (String, String) {
    let (name, content) = &samples[number % samples.len()];
    (name.replace(".txt", &format!("-{number}.txt")), content.clone())
}

/// Checks that every file is done or set aside, once, and has its result. A file that was in progress at two kills may
/// be set aside, as documented. Returns how many were.
fn check(
    place: &Place,
    files: usize,
    samples: &[(String, String)],
    expected: &BTreeMap<String, String>,
) -> usize {
    let (done, failed) = (place.files("var/done"), place.files("var/failed"));
    assert_eq!(done.len() + failed.len(), files, "{failed:?}");
    let results: Vec<_> = place
        .files("outbox")
        .into_iter()
        .filter(|name| name.ends_with("Z.txt") || name.ends_with("erro.txt"))
        .collect();
    assert_eq!(results.len(), files, "{results:?}");
    let mut set_aside = 0;
    for number in 0..files {
        let (name, _) = content(number, samples);
        let stem = name.strip_suffix(".txt").unwrap();
        let own: Vec<_> = results.iter().filter(|result| result.starts_with(&format!("{stem}."))).collect();
        assert_eq!(own.len(), 1, "{name}: {own:?}");
        let text = fs::read_to_string(place.at("outbox").join(own[0])).unwrap();
        if own[0].contains(".erro.") {
            assert!(text.contains("ended 2 times") || text.contains("2 workers ended"), "{name}: {text}");
            set_aside += 1;
        } else {
            assert!(job_in(own[0]).is_some(), "{own:?}");
            let sample = &samples[number % samples.len()].0.replace(".txt", ".saida.txt");
            assert!(text == expected[sample], "{name}: {text}\ninstead of\n{}", expected[sample]);
        }
    }
    set_aside
}

#[test]
fn kills_at_any_moment_lose_nothing_and_answer_nothing_twice() {
    let Some(broker) = broker() else { return };
    let (files, kills) = (number("WORKERS_FILES", 40), number("WORKERS_KILLS", 8));
    let pause = Duration::from_millis(number("WORKERS_PAUSE_MS", 300) as u64);
    let mut random = Random(number("WORKERS_SEED", 1) as u64);
    let config = broker.config("").replace("solver = ", "if_exists = \"version\"\nsolver = ");
    let mut samples = one_a_solver();
    samples.push(("merge-easy.txt".to_owned(), merges(2, 9)));
    let expected = local_results(&samples);
    let service = Place::new().config(&config).start();
    let workers = (0..3).map(|_| broker.worker(1)).collect();
    let mut field = Field { broker, workers, service: Some(service) };
    let mut dropped = 0;
    for strike in 1..=kills {
        while dropped < files * strike / kills {
            let (name, content) = content(dropped, &samples);
            field.service().drop_file(&name, content);
            dropped += 1;
        }
        let wanted = done(&field) + random.below(2 * files / kills);
        wait_for("some progress", || (done(&field) >= wanted.min(dropped)).then_some(()));
        std::thread::park_timeout(Duration::from_millis(random.below(200) as u64));
        let what = field.strike(&mut random, pause);
        println!("{strike}: {what}, {} of {dropped} are done", done(&field));
    }
    while done(&field) < files {
        let before = done(&field);
        wait_for("some progress", || (done(&field) > before).then_some(()));
    }
    field.service().wait_until_idle(0);
    let told = status(field.service());
    println!("{told}");
    let place = field.service.take().unwrap().stop();
    let set_aside = check(&place, files, &samples, &expected);
    for worker in field.workers {
        worker.stop();
    }
    println!("{files} files, {kills} kills, {set_aside} set aside after two of them");
}
