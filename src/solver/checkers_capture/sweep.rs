//! The most captures on a [`Half`] by dynamic programming over its squares, for boards on which a depth-first
//! search takes too long.
//!
//! Squares are taken row by row along the longer side, with the jumps down from each. Between two squares, what
//! matters of the jumps chosen so far is which of the open ones (at most seven) are chosen, which of those
//! hang together, whether the own piece has begun and whether the end of the trail is behind. The chosen jumps
//! are a trail when they hang together, touch one own piece's square, and leave every other square but the end
//! with an even number. Of equal states only the one with the most jumps goes on.
//!
//! First the same is done backwards without regard to what hangs together, in small tables: so much can be added
//! at most to each state, and which own pieces are worth the while is known by a bound before. States that cannot exceed the best known trail are dropped, and few are left where
//! that trail is the longest or nearly so. Neither drops a longer trail: the result is exact. All that is
//! a frontier search (see [`super::search`] for its source) that is made for few open jumps.

use super::bitboard::{Half, Jumps, bits};
use super::bounded;

/// Open jumps at most: a grid of 64 squares has eight columns or eight rows at most.
const OPEN_MAX: usize = 7;
/// Subsets of the open jumps, each begun or not and ended or not.
const SKETCHES: usize = 4 << OPEN_MAX;
/// States between two squares, of some 20 ns each, before the general algorithm is better.
const STATES_MAX: usize = 1024;
/// Places of the table that finds equal states.
const TABLE: usize = 4 * STATES_MAX;
/// What cannot be completed.
const NEVER: i8 = i8::MIN;

const BEGUN: u8 = 1;
const ENDED: u8 = 2;

/// The most captures of any own piece, or `at_least` if no piece has more; `None` if it is too hard to find.
#[must_use]
pub fn longest(halves: &[Half; 2], at_least: usize) -> Option<usize> {
    let mut best = at_least;
    for half in halves {
        for even in [true, false] {
            let starts = bits(half.starts() & half.squares_of(even));
            let starts = starts
                .filter(|&start| bounded::most_from(half, start) > best)
                .fold(0, |all, start| all | start);
            if starts != 0 {
                let jumps = half.jumps_of_all(starts, even).reached_from(starts);
                best = Sweep::new(half, jumps, even).longest(best)?;
            }
        }
    }
    Some(best)
}

/// A square with jumps, in its turn.
#[derive(Clone, Copy)]
struct Step {
    /// The open jumps that end here, and in whose places those down from here stand.
    pair: u8,
    /// The jumps down from here.
    down: u8,
    own: bool,
}

struct Sweep {
    steps: Vec<Step>,
    /// Behind so many squares: what can be added at most to each subset of the open jumps, four a subset.
    rest: Vec<[i8; SKETCHES]>,
}

/// The jumps chosen before a square.
#[derive(Clone, Copy, Default)]
struct State {
    /// Three bits an open jump: 0 where it is not chosen, else the part it hangs together with, numbered by first
    /// appearance.
    parts: u32,
    chosen: u8,
    /// [`BEGUN`], [`ENDED`].
    flags: u8,
    captures: u8,
}

impl Sweep {
    /// The squares whose row + column is `even` or not, with these jumps between them.
    fn new(half: &Half, jumps: Jumps, even: bool) -> Self {
        let (rows, columns) = half.size();
        let lying = columns > rows;
        let (rows, columns) = if lying { (columns, rows) } else { (rows, columns) };
        let bit =
            |row: usize, column: usize| if lying { half.bit(column, row) } else { half.bit(row, column) };
        let has = |cells: u64, row: usize, column: usize| {
            row + 1 < rows && column + 1 < columns && cells & bit(row, column) != 0
        };
        let mut steps = Vec::with_capacity(32);
        for row in 0..rows {
            for column in (0..columns).filter(|column| (row + column).is_multiple_of(2) == even) {
                let (mut pair, mut down, mut up) = (0, 0, false);
                if column > 0 {
                    pair |= 1 << (column - 1);
                    down |= u8::from(has(jumps.rising, row, column - 1)) << (column - 1);
                    up |= row > 0 && has(jumps.falling, row - 1, column - 1);
                }
                if column + 1 < columns {
                    pair |= 1 << column;
                    down |= u8::from(has(jumps.falling, row, column)) << column;
                    up |= row > 0 && has(jumps.rising, row - 1, column);
                }
                if up || down != 0 {
                    steps.push(Step { pair, down, own: half.is_own(bit(row, column)) });
                }
            }
        }
        let mut sweep = Self { rest: vec![[NEVER; SKETCHES]; steps.len() + 1], steps };
        sweep.look_back();
        sweep
    }

    /// Fills `rest`, from the last square to the first.
    fn look_back(&mut self) {
        let last = self.steps.len();
        self.rest[last][usize::from(BEGUN)] = 0;
        self.rest[last][usize::from(BEGUN | ENDED)] = 0;
        // The jumps that are open before each square.
        let mut open = vec![0_u8; last + 1];
        for (index, step) in self.steps.iter().enumerate() {
            open[index + 1] = open[index] & !step.pair | step.down;
        }
        for index in (0..last).rev() {
            let step = self.steps[index];
            for chosen in subsets(open[index]) {
                for flags in 0..4 {
                    let rest = step.ways(chosen, flags).map(|(down, flags)| {
                        let behind = self.rest[index + 1][sketch(chosen & !step.pair | down, flags)];
                        if behind == NEVER { NEVER } else { behind + down.count_ones() as i8 }
                    });
                    self.rest[index][sketch(chosen, flags)] = rest.max().unwrap_or(NEVER);
                }
            }
        }
    }

    /// The most captures, or `best` if there are not more.
    fn longest(&self, mut best: usize) -> Option<usize> {
        let (mut states, mut next) = (vec![State::default()], Vec::new());
        let mut table = vec![0_u16; TABLE];
        for (step, rest) in self.steps.iter().zip(&self.rest[1..]) {
            for state in &states {
                for (down, flags) in step.ways(state.chosen, state.flags) {
                    let chosen = state.chosen & !step.pair | down;
                    let captures = state.captures + down.count_ones() as u8;
                    let rest = rest[sketch(chosen, flags)];
                    if rest == NEVER || i32::from(captures) + i32::from(rest) <= best as i32 {
                        continue;
                    }
                    match state.parts_behind(*step, down) {
                        Some(parts) => keep(State { parts, chosen, flags, captures }, &mut next, &mut table),
                        // What hangs together is complete: the trail, if nothing else is there and it has begun.
                        None if chosen == 0 && flags & BEGUN != 0 => best = best.max(usize::from(captures)),
                        None => {}
                    }
                }
                if next.len() > STATES_MAX {
                    return None;
                }
            }
            std::mem::swap(&mut states, &mut next);
            next.clear();
            table.fill(0);
        }
        Some(best)
    }
}

impl Step {
    /// What may be chosen of the jumps down, behind so many chosen ones from above: with the flags behind it.
    #[inline]
    fn ways(self, chosen: u8, flags: u8) -> impl Iterator<Item = (u8, u8)> {
        let above = (chosen & self.pair).count_ones();
        subsets(self.down).filter_map(move |down| {
            let degree = above + down.count_ones();
            if self.own && degree > 0 {
                return (flags & BEGUN == 0).then_some((down, flags | BEGUN));
            }
            if degree.is_multiple_of(2) {
                return Some((down, flags));
            }
            (flags & ENDED == 0).then_some((down, flags | ENDED))
        })
    }
}

impl State {
    /// The parts behind a square where these jumps down are chosen; `None` where a part has no open jump left.
    #[inline]
    fn parts_behind(self, step: Step, down: u8) -> Option<u32> {
        /// A part that is no other's number: at least one of the seven places is free here.
        const NEW: u32 = 7;

        let (mut first, mut second) = (0, 0);
        for place in places(step.pair & self.chosen) {
            let part = self.parts >> place & 7;
            (first, second) = if first == 0 { (part, 0) } else { (first, part) };
        }
        let touched = first != 0 || down != 0;
        let joined = if first == 0 { NEW } else { first };
        let (mut parts, mut count, mut numbers, mut open) = (0, 0, [0_u32; 8], false);
        for place in places(self.chosen & !step.pair | down) {
            let here = down >> (place / 3) & 1 != 0;
            let mut part = if here { joined } else { self.parts >> place & 7 };
            if part == second {
                part = joined;
            }
            open |= part == joined;
            let number = &mut numbers[part as usize];
            if *number == 0 {
                count += 1;
                *number = count;
            }
            parts |= *number << place;
        }
        (open || !touched).then_some(parts)
    }
}

/// Keeps a state, or the better one of it and its equal.
fn keep(state: State, states: &mut Vec<State>, table: &mut [u16]) {
    let key = state.parts | u32::from(state.flags) << (3 * OPEN_MAX);
    let mut place = (key.wrapping_mul(0x9e37_79b1) >> 16) as usize % TABLE;
    loop {
        let Some(index) = usize::from(table[place]).checked_sub(1) else {
            states.push(state);
            table[place] = states.len() as u16;
            return;
        };
        let known = &mut states[index];
        if known.parts == state.parts && known.flags == state.flags {
            known.captures = known.captures.max(state.captures);
            return;
        }
        place = (place + 1) % TABLE;
    }
}

/// The index of a subset of the open jumps with its flags.
fn sketch(chosen: u8, flags: u8) -> usize {
    usize::from(chosen) << 2 | usize::from(flags)
}

/// All subsets, the empty one last.
fn subsets(set: u8) -> impl Iterator<Item = u8> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != 0).then(|| (subset - 1) & set);
        Some(subset)
    })
}

/// Where the parts of a set of open jumps stand.
fn places(set: u8) -> impl Iterator<Item = u32> {
    bits(u64::from(set)).map(|bit| 3 * bit.trailing_zeros())
}
