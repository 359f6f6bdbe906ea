//! An independent implementation of slides of 2048 boards, square by square, for replays.

/// Moves a line of values towards its beginning. Returns the sum of the merged tiles. 0 is empty.
///
/// Tiles move one by one from the wall outwards. Equal tiles merge, but a merged tile does not merge again.
pub fn slide_line(line: &mut [u128]) -> u128 {
    let tiles: Vec<u128> = line.iter().copied().filter(|&value| value != 0).collect();
    line.fill(0);
    let (mut from, mut to, mut made) = (0, 0, 0);
    while from < tiles.len() {
        let merges = from + 1 < tiles.len() && tiles[from] == tiles[from + 1];
        line[to] = if merges { 2 * tiles[from] } else { tiles[from] };
        made += if merges { line[to] } else { 0 };
        from += if merges { 2 } else { 1 };
        to += 1;
    }
    made
}

/// Slides a square board by letter: E left, D right, C up, B down. Returns the sum of the merged tiles.
pub fn slide(board: &mut [u128], size: usize, letter: char) -> u128 {
    let mut made = 0;
    for index in 0..size {
        let square = |step: usize| match letter {
            'E' => index * size + step,
            'D' => index * size + size - 1 - step,
            'C' => step * size + index,
            'B' => (size - 1 - step) * size + index,
            other => panic!("{other:?} is no slide"),
        };
        let mut line: Vec<u128> = (0..size).map(|step| board[square(step)]).collect();
        made += slide_line(&mut line);
        for (step, value) in line.into_iter().enumerate() {
            board[square(step)] = value;
        }
    }
    made
}
