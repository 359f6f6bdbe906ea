//! Sinks for log lines: each has a queue, bounded in bytes, and a thread that writes the lines. Logging never waits.
//!
//! If a line does not fit in the queue, the sink drops it, and drops all later lines until the queue is empty again.
//! Then it writes one line that reports how many were lost.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;
use std::{mem, thread};

use parking_lot::Mutex;

/// The maximum bytes of lines that are queued or being written. A longer line is accepted if there is no other.
pub const QUEUE_BYTES_MAX: usize = 4 << 20;
/// Lines are written in chunks of about this many bytes; the last line of a chunk can exceed it.
const CHUNK_BYTES: usize = 64 << 10;
/// The memory that a line takes in addition to its bytes.
const LINE_COST: usize = 64;

/// A sink; any thread can write lines to it.
pub struct Sink {
    /// The name of the sink.
    pub name: &'static str,
    /// Sends lines to the thread; `None` ends it.
    lines: Sender<Option<Vec<u8>>>,
    room: Mutex<Room>,
    /// The number of lines that were not written.
    lost: AtomicU64,
    /// Disconnected when the thread has ended.
    ended: Mutex<Receiver<()>>,
}

#[derive(Default)]
struct Room {
    /// The cost in bytes of the queued lines and of those being written.
    bytes: usize,
    /// Set when a line did not fit. While it is set, the sink keeps no line.
    is_full: bool,
    /// The number of lost lines that are not yet reported.
    unreported: u64,
}

impl Sink {
    /// Starts the thread of a sink. `write` writes lines, returns the number of lines that failed, and may block.
    /// `report` returns the line that reports a number of lost lines.
    ///
    /// # Errors
    /// Fails if the thread cannot be started.
    pub fn start(
        name: &'static str,
        mut write: impl FnMut(&[Vec<u8>]) -> usize + Send + 'static,
        report: impl Fn(u64) -> Vec<u8> + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        let ((lines, waiting), (alive, ended)) = (channel(), channel());
        let (room, lost, ended) = (Mutex::default(), AtomicU64::new(0), Mutex::new(ended));
        let sink = Arc::new(Self { name, lines, room, lost, ended });
        let shared = Arc::clone(&sink);
        let work = move || {
            shared.write_all(&waiting, &mut write, &report);
            // The receiver is dropped first: once `ended` is disconnected, a further line counts as lost.
            drop::<(_, Sender<()>)>((waiting, alive));
        };
        thread::Builder::new().name(format!("log-{name}")).spawn(work)?;
        Ok(sink)
    }

    /// Returns the number of lines that were not written.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Queues a line, or counts it as lost. Never waits for lines that are being written.
    pub fn push(&self, line: &[u8]) {
        // The format leaves out some events; their lines are empty.
        if line.is_empty() {
            return;
        }
        let mut room = self.room.lock();
        let bytes = room.bytes + cost(line);
        room.is_full |= room.bytes > 0 && bytes > QUEUE_BYTES_MAX;
        if !room.is_full && self.lines.send(Some(line.to_vec())).is_ok() {
            room.bytes = bytes;
        } else {
            room.unreported += 1;
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Accepts no more lines, and waits until the queued ones are written, at most until `deadline`.
    pub fn end(&self, deadline: Instant) {
        // Fails if the thread has already ended.
        let _ = self.lines.send(None);
        let _ = self.ended.lock().recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }

    fn write_all(
        &self,
        lines: &Receiver<Option<Vec<u8>>>,
        write: &mut impl FnMut(&[Vec<u8>]) -> usize,
        report: &impl Fn(u64) -> Vec<u8>,
    ) {
        let mut is_open = true;
        while is_open && let Ok(Some(line)) = lines.recv() {
            let (mut bytes, mut chunk) = (cost(&line), vec![line]);
            while bytes < CHUNK_BYTES
                && let Ok(next) = lines.try_recv()
            {
                let Some(line) = next else {
                    is_open = false;
                    break;
                };
                bytes += cost(&line);
                chunk.push(line);
            }
            let failed = write(&chunk);
            self.lost.fetch_add(failed as u64, Ordering::Relaxed);
            let mut room = self.room.lock();
            room.bytes -= bytes;
            room.unreported += failed as u64;
            room.is_full &= room.bytes > 0;
            // If the last line could not be written, a report would fail as well.
            if room.bytes == 0 && room.unreported > 0 && failed < chunk.len() {
                let lost = mem::take(&mut room.unreported);
                drop(room);
                if write(&[report(lost)]) > 0 {
                    self.room.lock().unreported += lost;
                }
            }
        }
    }
}

fn cost(line: &[u8]) -> usize {
    line.len() + LINE_COST
}

/// Returns the message that reports lost lines.
pub fn lost_lines_message(lines: u64) -> String {
    let (lines, them) =
        if lines == 1 { ("1 line".to_owned(), "it") } else { (format!("{lines} lines"), "them") };
    format!("{lines} of the log not written: writing {them} failed or took too long")
}

/// Writes lines to a stream in one piece. Returns the number of lines that failed.
pub fn to_stream(stream: &mut impl Write, lines: &[Vec<u8>]) -> usize {
    match stream.write_all(&lines.concat()) {
        Ok(()) => 0,
        Err(_) => lines.len(),
    }
}

/// Each call of `write` must pass one whole line.
impl Write for &Sink {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[path = "sink_tests.rs"]
mod tests;
