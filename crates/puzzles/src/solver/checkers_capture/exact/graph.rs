//! The captures of a board as a graph in which every capture move is a trail.
//!
//! A vertex is a square on which a capturing piece may stand, an edge an opponent piece between two of them.
//! A jump keeps the parities of row and column and changes row + column by a multiple of four (0 or 4), so
//! of the two diagonals over one opponent piece no move ever uses both: they lie in different components.
//! A capture move is therefore exactly a trail (no edge twice) that begins on an own piece's square and
//! touches no other own piece's square. The graph is planar, and no vertex has more than four edges.
//!
//! Proofs: docs/proofs/checkers.md, sections 1 and 2.

use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::solver::{Charge, Pace, Stop};

/// No edge, no vertex.
pub const NONE: u32 = u32::MAX;

/// All squares and jumps of a board. Vertices are numbered row by row.
#[derive(Debug)]
pub struct Graph<'b> {
    /// The playable square of each vertex, ascending.
    pub squares: Vec<u32>,
    /// Whether an own piece stands there at first.
    pub own: Vec<bool>,
    /// The two vertices of each edge. No edge joins two own pieces' squares.
    pub edges: Vec<[u32; 2]>,
    /// The edges of each vertex.
    pub links: Links,
    _charge: Charge<'b>,
}

/// The edges of every vertex, four at most.
#[derive(Debug, Clone)]
pub struct Links(Vec<[u32; 4]>);

impl Links {
    /// What a vertex takes.
    pub const BYTES: usize = size_of::<[u32; 4]>();

    /// Returns the edges of each of so many vertices, given by their ends.
    pub fn new(vertices: usize, edges: impl Iterator<Item = [usize; 2]>) -> Self {
        let mut links = Self(vec![[NONE; 4]; vertices]);
        for (number, ends) in edges.enumerate() {
            for end in ends {
                links.add(end, number);
            }
        }
        links
    }

    /// Gives `vertex` one more edge.
    pub fn add(&mut self, vertex: usize, edge: usize) {
        if let Some(free) = self.0[vertex].iter_mut().find(|edge| **edge == NONE) {
            *free = edge as u32;
        }
    }

    /// Returns the edges of `vertex`.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.0[vertex].iter().take_while(|&&edge| edge != NONE).map(|&edge| edge as usize)
    }

    /// Takes `edge` away from `vertex`.
    pub fn remove(&mut self, vertex: usize, edge: usize) {
        let mut left = [NONE; 4];
        for (place, other) in left.iter_mut().zip(self.of(vertex).filter(|&other| other != edge)) {
            *place = other as u32;
        }
        self.0[vertex] = left;
    }

    /// Gives `vertex` the edge `new` in the place of `old`.
    pub fn replace(&mut self, vertex: usize, old: usize, new: usize) {
        if let Some(edge) = self.0[vertex].iter_mut().find(|edge| **edge as usize == old) {
            *edge = new as u32;
        }
    }
}

impl<'b> Graph<'b> {
    /// Returns the graph of `board`.
    ///
    /// # Errors
    /// The limit that ended it: a graph may be larger than the memory it may take. A board whose squares or
    /// edges cannot be numbered by 32 bits counts as too large for any.
    pub fn new(board: &CheckersBoard, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        const VERTEX_BYTES: usize = size_of::<u32>() + size_of::<bool>() + Links::BYTES;

        let square_count = board.squares().len();
        if square_count >= NONE as usize {
            return Err(Stop::MemoryLimit);
        }
        let _numbers = Charge::new((square_count * size_of::<u32>()) as u64, pace.budget())?;
        let mut number = vec![NONE; square_count];
        let (mut edge_count, mut vertex_count) = (0, 0);
        for index in 0..square_count {
            pace.count(1)?;
            for square in edges_over(board, index).inspect(|_| edge_count += 1).flatten() {
                vertex_count += usize::from(number[square] == NONE);
                number[square] = 0;
            }
        }
        if edge_count >= NONE as usize {
            return Err(Stop::MemoryLimit);
        }
        let bytes = edge_count * size_of::<[u32; 2]>() + vertex_count * VERTEX_BYTES;
        let charge = Charge::new(bytes as u64, pace.budget())?;
        let (mut squares, mut own) = (Vec::with_capacity(vertex_count), Vec::with_capacity(vertex_count));
        for (square, number) in number.iter_mut().enumerate().filter(|(_, number)| **number != NONE) {
            pace.count(1)?;
            *number = squares.len() as u32;
            squares.push(square as u32);
            own.push(board.squares()[square] == OWN);
        }
        let mut edges = Vec::with_capacity(edge_count);
        for index in 0..square_count {
            pace.count(1)?;
            edges.extend(edges_over(board, index).map(|edge| edge.map(|square| number[square])));
        }
        let links =
            Links::new(squares.len(), edges.iter().map(|ends: &[u32; 2]| ends.map(|end| end as usize)));
        Ok(Self { squares, own, edges, links, _charge: charge })
    }

    /// Returns the vertices one jump from `vertex` on which no own piece stands.
    pub fn free_neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let neighbours = self.links.of(vertex as usize).map(move |edge| across(self.edges[edge], vertex));
        neighbours.filter(|&next| !self.own[next as usize])
    }
}

/// Returns the end of an edge that is not `vertex`.
pub fn across([a, b]: [u32; 2], vertex: u32) -> u32 {
    a ^ b ^ vertex
}

/// Returns the pairs of squares between which the piece on the square `over` can be jumped: two at most.
fn edges_over(board: &CheckersBoard, over: usize) -> impl Iterator<Item = [usize; 2]> + '_ {
    let squares = board.squares();
    let place = (squares[over] == OPPONENT).then(|| board.place(over));
    let place = place.filter(|&(row, column)| {
        row > 0 && column > 0 && row + 1 < board.rows() && column + 1 < board.columns()
    });
    place.into_iter().flat_map(move |(row, column)| {
        let ends = [
            [board.index(row - 1, column - 1), board.index(row + 1, column + 1)],
            [board.index(row - 1, column + 1), board.index(row + 1, column - 1)],
        ];
        ends.into_iter().filter(move |ends| {
            let [a, b] = ends.map(|end| squares[end]);
            a != OPPONENT && b != OPPONENT && (a == EMPTY || b == EMPTY)
        })
    })
}

/// Boards for the tests of what stands on graphs.
#[cfg(test)]
pub mod lattices {
    use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
    use crate::solver::Random;

    /// A square board whose even rows are filled with opponent pieces by so many percent, with one own piece.
    pub fn lattice(
        random: &mut Random,
        sides: (u64, u64),
        percent: (u64, u64),
        own: (usize, usize),
    ) -> CheckersBoard {
        let side = random.between(sides.0, sides.1) as usize;
        let fill = random.between(percent.0, percent.1) as f64 / 100.0;
        let row = |row: usize| (row % 2..side).step_by(2).map(move |column| (row, column));
        let squares = (0..side).flat_map(row).map(|(row, column)| match (row, column) {
            place if place == own => OWN,
            _ if row % 2 == 0 && random.chance(fill) => OPPONENT,
            _ => EMPTY,
        });
        let squares = squares.collect();
        CheckersBoard::new(side, side, squares)
    }
}
