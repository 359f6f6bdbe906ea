//! What answers are worth.

use std::fmt;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::solver::{Mark, Options, PARTIAL, POINTS, Partial, Reason};

/// The most halves of points that a file tells exactly.
const EXACT_HALVES: f64 = 9_007_199_254_740_992.0;

/// Points, in halves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points(u64);

/// How points are shared among puzzles: evenly, in whole points; the first ones get those that are left over.
#[derive(Debug, Clone, Copy)]
pub struct Shares {
    each: u64,
    /// So many get one more.
    more: u64,
    partial: Partial,
}

impl Points {
    /// Whole points.
    #[must_use]
    pub fn whole(points: u64) -> Self {
        Self(points.saturating_mul(2))
    }

    /// As a number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0 as f64 / 2.0
    }

    fn half(self) -> Self {
        Self(self.0 / 2)
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// `37`, or `37.5`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0.is_multiple_of(2) { "" } else { ".5" })
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(2) {
            serializer.serialize_u64(self.0 / 2)
        } else {
            serializer.serialize_f64(self.value())
        }
    }
}

/// What is finer than halves is refused.
impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let halves = f64::deserialize(deserializer)? * 2.0;
        if !(0.0..=EXACT_HALVES).contains(&halves) || halves.fract() != 0.0 {
            return Err(de::Error::custom("expected points, in halves"));
        }
        #[expect(clippy::cast_sign_loss, reason = "it is none below 0")]
        Ok(Self(halves as u64))
    }
}

impl Shares {
    /// The shares of so many puzzles, one at least.
    pub fn new(options: &Options, puzzles: u64) -> Self {
        let total = options.get(POINTS).unwrap_or(puzzles);
        let puzzles = puzzles.max(1);
        Self { each: total / puzzles, more: total % puzzles, partial: options.get(PARTIAL) }
    }

    /// What the puzzle of that number, from 1, is worth.
    pub fn of(&self, number: u64) -> Points {
        Points::whole(self.each + u64::from(number <= self.more))
    }

    /// What an answer to it earns.
    pub fn earned(&self, number: u64, mark: Mark) -> Points {
        match (mark, self.partial) {
            (Mark::Accepted, _) => self.of(number),
            (Mark::Wrong(Reason::NotMinimal), Partial::Valid) => self.of(number).half(),
            _ => Points::default(),
        }
    }
}
