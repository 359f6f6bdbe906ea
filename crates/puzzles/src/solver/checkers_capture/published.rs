//! The two published programs, as a reference.
//!
//! - [`backtracking`] walks every path from every own piece. It takes a captured piece off the board, goes on from
//!   there, and puts the piece back. The path is an explicit stack, so no board overflows the thread's stack.
//! - [`tree`] copies the board for every capture and inserts a node for it into an unbalanced binary tree. Nodes with
//!   more captures go to the left, so the leftmost node holds the maximum. Nothing is freed before the end: the memory
//!   grows with the number of paths, and is charged to the budget.

use super::capture::{Best, Interrupted};
use crate::board::checkers::{CheckersBoard, DIAGONALS, EMPTY, OPPONENT, OWN};
use crate::solver::{Budget, Charge, ChargedVec, Pace, Stop};

/// A square of the current path.
struct Visit {
    square: usize,
    /// The square of the piece captured on the way here; for the start, the start itself.
    over: usize,
    /// How many directions from here were tried.
    tried: usize,
}

/// Returns the longest capture on `board`, with its path if `witness`, by Algorithm I.
///
/// # Errors
/// The limit that ended the search, and what was proved until then.
pub fn backtracking(board: &CheckersBoard, witness: bool, budget: &Budget) -> Result<Best, Interrupted> {
    let mut best = Best::default();
    let at_most = board.count(OPPONENT) as u64;
    match walk_all(board, witness, budget, &mut best) {
        Ok(()) => Ok(best),
        Err(stop) => Err(Interrupted::new(stop, best, at_most)),
    }
}

fn walk_all(board: &CheckersBoard, witness: bool, budget: &Budget, best: &mut Best) -> Result<(), Stop> {
    let _board = Charge::new(board.squares().len() as u64, budget)?;
    let mut board = board.clone();
    let mut path = ChargedVec::new(budget);
    let mut pace = Pace::new(budget);
    for start in 0..board.squares().len() {
        pace.count(1)?;
        if board.squares()[start] != OWN {
            continue;
        }
        board.squares_mut()[start] = EMPTY;
        path.push(Visit { square: start, over: start, tried: 0 })?;
        while let Some(visit) = path.last_mut() {
            pace.count(1)?;
            let Some(&direction) = DIAGONALS.get(visit.tried) else {
                // All directions are tried: put the captured piece back, or at the start the own piece.
                let piece = if path.len() == 1 { OWN } else { OPPONENT };
                path.pop().into_iter().for_each(|visit| board.squares_mut()[visit.over] = piece);
                continue;
            };
            visit.tried += 1;
            let Some(jump) = board.jump(visit.square, direction) else { continue };
            board.squares_mut()[jump.over] = EMPTY;
            path.push(Visit { square: jump.to, over: jump.over, tried: 0 })?;
            let captures = path.len() as u64 - 1;
            if captures > best.captures {
                best.captures = captures;
                if witness {
                    best.path = path.iter().map(|visit| visit.square).collect();
                }
            }
        }
    }
    Ok(())
}

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// A capture. Its board is the one with the same number in [`Tree::boards`].
struct Node {
    captures: u32,
    /// The square of the capturing piece after the capture.
    square: u32,
    /// The node of the previous capture, or [`NONE`] for the first capture.
    before: u32,
    left: u32,
    right: u32,
}

struct Tree<'a> {
    nodes: ChargedVec<'a, Node>,
    boards: ChargedVec<'a, u8>,
    board_bytes: usize,
    pace: Pace<'a>,
}

/// Returns the longest capture on `board`, with its path if `witness`, by Algorithm II.
///
/// # Errors
/// The limit that ended the search, and what was proved until then.
pub fn tree(board: &CheckersBoard, witness: bool, budget: &Budget) -> Result<Best, Interrupted> {
    let mut tree = Tree {
        nodes: ChargedVec::new(budget),
        boards: ChargedVec::new(budget),
        board_bytes: board.squares().len(),
        pace: Pace::new(budget),
    };
    let grown = tree.grow_from_all(board);
    let best = tree.maximum(board, witness);
    match grown {
        Ok(()) => Ok(best),
        Err(stop) => Err(Interrupted::new(stop, best, board.count(OPPONENT) as u64)),
    }
}

impl Tree<'_> {
    fn grow_from_all(&mut self, board: &CheckersBoard) -> Result<(), Stop> {
        let _current = Charge::new(self.board_bytes as u64, self.pace.budget())?;
        let mut current = board.clone();
        for start in 0..self.board_bytes {
            self.pace.count(1)?;
            if board.squares()[start] == OWN {
                self.grow_from(start, board, &mut current)?;
            }
        }
        Ok(())
    }

    /// Adds a node for every capture of the piece on `start`. `current` is a scratch board.
    fn grow_from(
        &mut self,
        start: usize,
        board: &CheckersBoard,
        current: &mut CheckersBoard,
    ) -> Result<(), Stop> {
        let mut open = ChargedVec::new(self.pace.budget());
        open.push(NONE)?;
        while let Some(number) = open.pop() {
            self.pace.count(4 + self.board_bytes / 64)?;
            let (square, captures) = if let Some(node) = self.nodes.get(number as usize) {
                current.squares_mut().copy_from_slice(self.board_of(number as usize));
                (node.square as usize, node.captures)
            } else {
                current.squares_mut().copy_from_slice(board.squares());
                current.squares_mut()[start] = EMPTY;
                (start, 0)
            };
            for direction in DIAGONALS {
                let Some(jump) = current.jump(square, direction) else { continue };
                current.squares_mut()[jump.over] = EMPTY;
                open.push(self.add(captures + 1, jump.to, number, current)?)?;
                current.squares_mut()[jump.over] = OPPONENT;
            }
        }
        Ok(())
    }

    /// Returns the board after the capture of a node.
    fn board_of(&self, node: usize) -> &[u8] {
        &self.boards[node * self.board_bytes..][..self.board_bytes]
    }

    /// Stores a copy of the board, inserts its node into the tree, and returns the node.
    fn add(&mut self, captures: u32, square: usize, before: u32, board: &CheckersBoard) -> Result<u32, Stop> {
        let new = self.nodes.len() as u32;
        if new == NONE {
            return Err(Stop::MemoryLimit);
        }
        self.pace.count(self.board_bytes / 64)?;
        self.boards.extend_from_slice(board.squares())?;
        self.nodes.push(Node { captures, square: square as u32, before, left: NONE, right: NONE })?;
        if new > 0 {
            self.link(new)?;
        }
        Ok(new)
    }

    /// Links the last node into the tree: in a free place, or as the right child of the first node with equal captures.
    fn link(&mut self, new: u32) -> Result<(), Stop> {
        let captures = self.nodes[new as usize].captures;
        let mut at = 0_usize;
        loop {
            self.pace.count(1)?;
            let node = &mut self.nodes[at];
            if captures == node.captures {
                let right = std::mem::replace(&mut node.right, new);
                self.nodes[new as usize].right = right;
                return Ok(());
            }
            let side = if captures > node.captures { &mut node.left } else { &mut node.right };
            if *side == NONE {
                *side = new;
                return Ok(());
            }
            at = *side as usize;
        }
    }

    /// Returns the leftmost node's captures and path.
    fn maximum(&self, board: &CheckersBoard, witness: bool) -> Best {
        if self.nodes.is_empty() {
            return Best::default();
        }
        let mut number = 0;
        while self.nodes[number].left != NONE {
            number = self.nodes[number].left as usize;
        }
        let mut best = Best { captures: u64::from(self.nodes[number].captures), path: Vec::new() };
        if witness {
            best.path.push(self.nodes[number].square as usize);
            while self.nodes[number].before != NONE {
                number = self.nodes[number].before as usize;
                best.path.push(self.nodes[number].square as usize);
            }
            // The own piece that is missing after the first capture is the one that moved.
            let after = self.board_of(number);
            let mut squares = board.squares().iter().zip(after);
            best.path.extend(squares.position(|(&before, &after)| before == OWN && after == EMPTY));
            best.path.reverse();
        }
        best
    }
}
