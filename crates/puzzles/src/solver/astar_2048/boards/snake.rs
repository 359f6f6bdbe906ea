//! The snake: beams want the tiles in falling order along it, so that equals come to lie side by side.

/// Largest board whose beams go by the snake alone. On larger ones there is room to leave tiles lying about, and
/// the fewest tiles come first: from the start boards of 5 × 5 to 8 × 8 the narrowest beam then meets the bound
/// for most goals, where by the snake alone it takes up to twice the moves. On 4 × 4 it is the other way round.
pub(super) const ALONE_SIZE_MAX: usize = 4;
/// The weight of the snake's head is two to this power.
const HEAD_BITS: usize = 62;
/// Weights fall by this power of two from one place to the next, where the snake is alone.
const STEP_BITS: usize = 2;

/// The weight of a square is two to this: it falls from the head on, and stays at 1 where it would fall below.
pub(super) fn weight_bits(size: usize, row: usize, column: usize) -> usize {
    let step_bits = if size <= ALONE_SIZE_MAX { STEP_BITS } else { 1 };
    HEAD_BITS.saturating_sub(step_bits * place(size, row, column))
}

/// Place in the snake, 0 at its head: along the left column, back along the next one, and so on. It ends in the
/// upper right corner, where the twos appear.
fn place(size: usize, row: usize, column: usize) -> usize {
    let downwards = (size - column).is_multiple_of(2);
    let along = if downwards { row } else { size - 1 - row };
    column * size + along
}
