//! Drops files and waits for their answers.

use std::collections::VecDeque;
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};

use super::{ANSWER, BOARD, Error};

/// If the service does not answer within this time, it is broken.
const PATIENCE: Duration = Duration::from_secs(600);
/// Time between two checks of the outbox while many files are answered.
const LOOK: Duration = Duration::from_millis(5);
/// Time between two files dropped one by one, after which the service is idle again.
const PAUSE: Duration = Duration::from_millis(20);

/// The inbox and outbox of the service, and a folder on the same file system.
pub struct Place {
    staging: PathBuf,
    inbox: PathBuf,
    outbox: PathBuf,
}

impl Place {
    pub fn new(staging: &str, inbox: &str, outbox: &str) -> Self {
        Self { staging: staging.into(), inbox: inbox.into(), outbox: outbox.into() }
    }

    /// Returns the time from the rename of the first file to the answer of the last one.
    pub fn throughput(&self, count: usize) -> Result<Duration, Error> {
        let names: Vec<String> = (0..count).map(|number| format!("f{number:07}")).collect();
        for name in &names {
            fs::write(self.staging.join(name), BOARD)?;
        }
        // Writing the inputs is not part of the measurement.
        rustix::fs::syncfs(fs::File::open(&self.staging)?)?;
        let started = Instant::now();
        for name in &names {
            fs::rename(self.staging.join(name), self.inbox.join(format!("{name}-entrada.txt")))?;
        }
        let answers = names.iter().map(|name| self.outbox.join(format!("{name}-saida.txt")));
        let mut missing: VecDeque<PathBuf> = answers.collect();
        loop {
            // Checks from both ends, because the service takes files in the order of a listing, which can go either
            // way. While there is no new answer, a check costs two calls, however many files there are. An observer
            // that lists the outbox again and again takes a third of a core away from the service.
            while missing.front().is_some_and(|path| is_answered(path)) {
                missing.pop_front();
            }
            while missing.back().is_some_and(|path| is_answered(path)) {
                missing.pop_back();
            }
            if missing.is_empty() {
                return Ok(started.elapsed());
            }
            if started.elapsed() > PATIENCE {
                return Err(format!("{} files without an answer", missing.len()).into());
            }
            thread::sleep(LOOK);
        }
    }

    /// Returns for each file the time from its rename to the event of its whole answer.
    pub fn latency(&self, count: usize) -> Result<Vec<Duration>, Error> {
        let events = inotify::init(CreateFlags::CLOEXEC)?;
        inotify::add_watch(&events, &self.outbox, WatchFlags::MOVED_TO | WatchFlags::CLOSE_WRITE)?;
        let mut times = Vec::new();
        for number in 0..count {
            let staged = self.staging.join("one");
            fs::write(&staged, BOARD)?;
            rustix::fs::syncfs(fs::File::open(&self.staging)?)?;
            thread::sleep(PAUSE);
            let started = Instant::now();
            fs::rename(staged, self.inbox.join(format!("l{number:07}-entrada.txt")))?;
            times.push(self.wait_for(&events, &format!("l{number:07}-saida.txt"), started)?);
        }
        Ok(times)
    }

    fn wait_for(&self, events: &OwnedFd, name: &str, started: Instant) -> Result<Duration, Error> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(events, &mut buffer);
        loop {
            let event = reader.next()?;
            if event.file_name().is_some_and(|found| found.to_bytes() == name.as_bytes()) {
                let time = started.elapsed();
                // The peers open and close an answer more than once.
                if fs::read_to_string(self.outbox.join(name))? == ANSWER {
                    return Ok(time);
                }
            }
            if started.elapsed() > PATIENCE {
                return Err(format!("no answer {name}").into());
            }
        }
    }
}

/// Returns whether an answer is there and whole. The peers write it under its final name.
fn is_answered(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text == ANSWER)
}
