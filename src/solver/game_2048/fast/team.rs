//! Threads that help with the thinking where cores are idle.
//!
//! A helper searches the same position as the player's own thread, beginning elsewhere, and what it finds it
//! only leaves in the memory they share. The player's thread searches everything itself and finds much of it
//! done. Since values are functions of their questions ([`super::search`]), helpers change how soon a move is
//! found, never which.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::super::meter::Meter;
use super::memo::Memo;
use super::network::Network;
use super::search::{Chances, Reach, Search};
use crate::board::packed::PackedBoard;
use crate::solver::{Budget, Cancel, Stop};

/// Games that are being played by this process, each on a thread of its own.
static PLAYING: AtomicUsize = AtomicUsize::new(0);

/// The helpers of one game.
pub struct Team {
    helpers: Vec<Helper>,
    threads: usize,
}

/// A request to think about a position until the flag says stop.
struct Request {
    board: PackedBoard,
    reach: Reach,
    cancel: Cancel,
}

struct Helper {
    requests: Option<SyncSender<Request>>,
    thread: Option<JoinHandle<()>>,
}

/// Ends the helpers' thinking about one position when it is dropped.
pub struct Thinking(Cancel);

impl Drop for Thinking {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Team {
    /// As many helpers as make `threads` threads with the player's own. A thread that cannot be started is
    /// done without.
    pub fn new(network: &'static Network, memo: &Arc<Memo>, chances: &Chances, threads: usize) -> Self {
        PLAYING.fetch_add(1, Ordering::Relaxed);
        let helpers = (1..threads).filter_map(|number| {
            let (requests, received) = sync_channel::<Request>(1);
            let (memo, chances) = (Arc::clone(memo), chances.clone());
            let thread = std::thread::Builder::new().name("2048 helper".to_owned()).spawn(move || {
                while let Ok(Request { board, reach, cancel }) = received.recv() {
                    let budget = Budget::new(None, None, u64::MAX, cancel);
                    let meter = Meter::new(&budget);
                    let mut search = Search { network, memo: &memo, chances: &chances, meter };
                    // It ends when it is cancelled, or has seen everything.
                    let _: Result<(), Stop> = help(&mut search, board, reach, (number, threads));
                }
            });
            Some(Helper { requests: Some(requests), thread: Some(thread.ok()?) })
        });
        Self { helpers: helpers.collect(), threads }
    }

    /// Has idle cores think about `board` until what is returned is dropped.
    pub fn think(&self, board: PackedBoard, reach: Reach) -> Thinking {
        let cancel = Cancel::default();
        let idle = self.threads.saturating_sub(PLAYING.load(Ordering::Relaxed));
        for requests in self.helpers.iter().take(idle).filter_map(|helper| helper.requests.as_ref()) {
            // A helper that has not yet ended its last request goes without this one.
            let _ = requests.try_send(Request { board, reach, cancel: cancel.clone() });
        }
        Thinking(cancel)
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        PLAYING.fetch_sub(1, Ordering::Relaxed);
        for helper in &mut self.helpers {
            // Without a sender the helper's loop ends.
            helper.requests = None;
            if let Some(thread) = helper.thread.take() {
                let _ = thread.join();
            }
        }
    }
}

/// Searches what the player's thread is going to search, from helper `number` of `threads` on.
fn help(
    search: &mut Search<'_>,
    board: PackedBoard,
    reach: Reach,
    (number, threads): (usize, usize),
) -> Result<(), Stop> {
    let reach = reach.after_move();
    let mut pieces = Vec::new();
    for (_, after) in board.legal_moves() {
        let squares = after.board.empty_squares();
        let empties = squares.left();
        for square in squares {
            // Only the questions matter here.
            let _ = search.chances.expected(empties, reach, |rank, left| {
                pieces.push((after.board.with_piece(square, rank), left));
                Ok(0.0)
            });
        }
    }
    let start = pieces.len() * number / threads;
    pieces.rotate_left(start);
    for (board, left) in pieces {
        search.before_move(board, left)?;
    }
    Ok(())
}
