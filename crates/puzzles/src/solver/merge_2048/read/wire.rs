//! The form in which a case travels: its squares as classes of tiles, a byte each.

use serde::{Deserialize, Serialize};

use crate::solver::WireError;
use crate::solver::merge_2048::tally::Tally;
use crate::solver::wire::{decode, encode};

#[derive(Serialize, Deserialize)]
struct Form<'a> {
    size: u64,
    moves_max: u64,
    #[serde(borrow)]
    tiles: Tiles<'a>,
}

#[derive(Serialize, Deserialize)]
enum Tiles<'a> {
    /// The values of the classes, and the class of every square.
    Kept(Vec<u64>, &'a [u8]),
    /// The values with how often each occurs, and tiles of others, of a board that exceeds the memory limit.
    Counted(Vec<(u64, u64)>, u64),
}

/// A case as it travels.
pub struct Traveller {
    pub size: u64,
    pub moves_max: u64,
    pub squares: Option<Vec<u8>>,
    pub tally: Tally,
}

/// A case as bytes.
pub fn to_wire(size: u64, moves_max: u64, squares: Option<&[u8]>, tally: &Tally) -> Vec<u8> {
    let classes = tally.known();
    let tiles = if let Some(squares) = squares {
        Tiles::Kept(classes.iter().map(|&(value, _)| value).collect(), squares)
    } else {
        let counted: u64 = classes.iter().map(|&(_, tiles)| tiles).sum();
        Tiles::Counted(classes.to_vec(), tally.tiles() - counted)
    };
    encode(&Form { size, moves_max, tiles })
}

/// The case that these bytes are; its sides are not looked at.
///
/// # Errors
/// What is wrong with them.
pub fn of_wire(wire: &[u8]) -> Result<Traveller, WireError> {
    let Form { size, moves_max, tiles } = decode(wire)?;
    let count = u128::from(size) * u128::from(size);
    let (squares, tally) = match tiles {
        Tiles::Kept(values, squares) => {
            WireError::unless(
                count == squares.len() as u128,
                "another number of squares than its side says",
            )?;
            (Some(squares.to_vec()), Tally::again(&values, squares))
        }
        Tiles::Counted(classes, others) => (None, Tally::counted(classes, others)),
    };
    let tally = tally.filter(|tally| u128::from(tally.tiles()) <= count);
    let tally = tally.ok_or(WireError::Wrong("tiles that are none"))?;
    Ok(Traveller { size, moves_max, squares, tally })
}
