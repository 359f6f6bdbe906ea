//! Where lines of the log leave: each sink has a queue bounded in bytes, and a thread that writes it. Who logs never waits.
//!
//! What finds the queue full is counted instead of kept, until the queue is empty again; then one line says how many
//! are missing.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{mem, thread};

use tracing_subscriber::fmt::MakeWriter;

/// Bytes of lines that wait for a sink or are being written to it; one longer line may wait alone.
pub const QUEUE_BYTES_MAX: usize = 4 << 20;
/// Bytes written at once, and a line more.
const CHUNK_BYTES: usize = 64 << 10;
/// What a line takes in memory beside its bytes.
const LINE_COST: usize = 64;

/// A sink, to which lines are written by anybody.
#[derive(Clone)]
pub struct Sink(Arc<Shared>);

struct Shared {
    name: &'static str,
    queue: Mutex<Queue>,
    /// There is something to write, or the end.
    filled: Condvar,
    /// The thread has ended.
    ended: Condvar,
    /// Lines that were not written.
    lost: AtomicU64,
}

#[derive(Default)]
struct Queue {
    lines: Vec<Vec<u8>>,
    /// What the lines take, those being written included.
    bytes: usize,
    /// Nothing is kept until all is written.
    is_full: bool,
    /// Lines lost that no line tells of yet.
    untold: u64,
    is_closed: bool,
    has_ended: bool,
}

impl Sink {
    /// Starts the thread of a sink. `write` writes lines and says how many of them failed; it may take its time. `tell`
    /// makes the line that so many are missing.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(
        name: &'static str,
        mut write: impl FnMut(&[Vec<u8>]) -> usize + Send + 'static,
        tell: impl Fn(u64) -> Vec<u8> + Send + 'static,
    ) -> io::Result<Self> {
        let sink = Self(Arc::new(Shared {
            name,
            queue: Mutex::default(),
            filled: Condvar::new(),
            ended: Condvar::new(),
            lost: AtomicU64::new(0),
        }));
        let shared = Arc::clone(&sink.0);
        let work = move || shared.write_all(&mut write, &tell);
        thread::Builder::new().name(format!("log-{name}")).spawn(work)?;
        Ok(sink)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Lines that were not written.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }

    /// Takes a line, or counts it. Never waits for what is being written.
    pub fn push(&self, line: &[u8]) {
        let mut queue = self.0.lock();
        let cost = line.len() + LINE_COST;
        queue.is_full |= queue.bytes > 0 && queue.bytes + cost > QUEUE_BYTES_MAX;
        if queue.is_full || queue.is_closed {
            queue.untold += 1;
            self.0.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        queue.bytes += cost;
        queue.lines.push(line.to_vec());
        if queue.lines.len() == 1 {
            self.0.filled.notify_one();
        }
    }

    /// Takes no more lines, and waits until those taken are written, at most until `deadline`.
    pub fn end(&self, deadline: Instant) {
        let mut queue = self.0.lock();
        queue.is_closed = true;
        self.0.filled.notify_one();
        while !queue.has_ended {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            queue = self.0.ended.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all(&self, write: &mut impl FnMut(&[Vec<u8>]) -> usize, tell: &impl Fn(u64) -> Vec<u8>) {
        // Whether the last line was written: where it was not, the line that tells of it would not be either.
        let mut is_taken = true;
        let mut queue = self.lock();
        loop {
            if queue.lines.is_empty() {
                queue.is_full = false;
                if is_taken && queue.untold > 0 {
                    let lines = mem::take(&mut queue.untold);
                    drop(queue);
                    is_taken = write(&[tell(lines)]) == 0;
                    queue = self.lock();
                    queue.untold += if is_taken { 0 } else { lines };
                    continue;
                }
                if queue.is_closed {
                    queue.has_ended = true;
                    self.ended.notify_all();
                    return;
                }
                queue = self.filled.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let lines = mem::take(&mut queue.lines);
            drop(queue);
            let mut rest = &lines[..];
            while !rest.is_empty() {
                let (chunk, bytes, left) = chunk(rest);
                let failed = write(chunk);
                is_taken = failed < chunk.len();
                self.lost.fetch_add(failed as u64, Ordering::Relaxed);
                let mut queue = self.lock();
                queue.bytes -= bytes;
                queue.untold += failed as u64;
                rest = left;
            }
            queue = self.lock();
        }
    }
}

/// The first lines with what they take in the queue, and the others.
fn chunk(lines: &[Vec<u8>]) -> (&[Vec<u8>], usize, &[Vec<u8>]) {
    let mut bytes = 0;
    let mut count = 0;
    while count < lines.len() && bytes < CHUNK_BYTES {
        bytes += lines[count].len() + LINE_COST;
        count += 1;
    }
    (&lines[..count], bytes, &lines[count..])
}

/// What a sink says of lines that it did not take.
pub fn missing_words(lines: u64) -> String {
    let (lines, them) =
        if lines == 1 { ("1 line".to_owned(), "it") } else { (format!("{lines} lines"), "them") };
    format!("{lines} not written: nobody took {them} in time")
}

/// Writes lines to a stream, in one piece.
pub fn to_stream(stream: &mut impl Write, lines: &[Vec<u8>]) -> usize {
    match stream.write_all(&lines.concat()) {
        Ok(()) => 0,
        Err(_) => lines.len(),
    }
}

/// A line is written to it in one piece.
impl Write for &Sink {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'s> MakeWriter<'s> for Sink {
    type Writer = &'s Self;

    fn make_writer(&'s self) -> Self::Writer {
        self
    }
}

#[cfg(test)]
#[path = "sink_tests.rs"]
mod tests;
