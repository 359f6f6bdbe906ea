//! Computes the points of answers.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use tabuleiro_puzzles::solver::{Finding, Mark, Options, PARTIAL, POINTS, Partial, Reason};

/// Number of parts into which the points of one puzzle are divided while answers are counted. It is divisible by every
/// number up to 40, so shares with small denominators add up exactly.
const PARTS: u128 = 5_342_931_457_063_200;

/// The most points that are accepted from JSON. Up to this number, an `f64` tells all hundredths apart.
const EXACT_POINTS: f64 = 90_000_000_000_000.0;

/// Points as grades show them; the unit is a hundredth of a point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points(u64);

/// The points of each puzzle: all puzzles have the same, exact share. Only the displayed points are rounded.
#[derive(Debug, Clone, Copy)]
pub struct Shares {
    total: u64,
    puzzles: u64,
    partial: Partial,
}

/// Formats as `37`, `37.5` or `3.33`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, part) if part % 10 == 0 => write!(f, "{whole}.{}", part / 10),
            (whole, part) => write!(f, "{whole}.{part:02}"),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(100) {
            serializer.serialize_u64(self.0 / 100)
        } else {
            serializer.serialize_f64(self.0 as f64 / 100.0)
        }
    }
}

/// Rejects numbers with more than two decimals.
impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(deserializer)?;
        let hundredths = (points * 100.0).round();
        // If the text has at most two decimals, both values are the floating-point number nearest to it, so their bits
        // are equal.
        if !(0.0..=EXACT_POINTS).contains(&points) || (hundredths / 100.0).to_bits() != points.abs().to_bits()
        {
            return Err(de::Error::custom("expected points with two decimals at most"));
        }
        #[expect(
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation,
            reason = "it is neither below 0 nor too large"
        )]
        Ok(Self(hundredths as u64))
    }
}

impl Shares {
    /// Returns the shares for `puzzles` puzzles; 0 counts as 1.
    pub fn new(options: &Options, puzzles: u64) -> Self {
        let total = options.get(POINTS).unwrap_or(puzzles);
        Self { total, puzzles: puzzles.max(1), partial: options.get(PARTIAL) }
    }

    /// Returns the points of `puzzles` right answers.
    pub fn of(&self, puzzles: u64) -> Points {
        self.points(PARTS * u128::from(puzzles))
    }

    /// Returns what an answer earns, in parts of a puzzle's points. An answer that refutes ours counts as right.
    pub fn parts(&self, finding: &Finding) -> u128 {
        match (finding.mark, self.partial, finding.share) {
            (Mark::Accepted | Mark::Internal, ..) => PARTS,
            (Mark::Wrong(Reason::NotMinimal), Partial::Valid, Some(share)) => share.of(PARTS),
            _ => 0,
        }
    }

    /// Returns the points of `parts` parts. They are rounded down, so that an incomplete score is never shown as the
    /// maximum.
    pub fn points(&self, parts: u128) -> Points {
        let hundredths = parts * (u128::from(self.total) * 100) / (PARTS * u128::from(self.puzzles));
        Points(u64::try_from(hundredths).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(total: u64, puzzles: u64) -> Shares {
        Shares { total, puzzles, partial: Partial::Valid }
    }

    #[test]
    fn every_puzzle_counts_and_all_of_them_are_the_whole() {
        for (total, puzzles) in
            [(10, 3), (10, 6), (10, 7), (1, 1000), (100, 3), (1_000_000, 7), (7, 40_000_000)]
        {
            let shares = shares(total, puzzles);
            assert_eq!(shares.of(puzzles).to_string(), total.to_string());
            assert!(shares.of(puzzles - 1) < shares.of(puzzles));
        }
        let thirds = [0, 1, 2, 3].map(|right| shares(10, 3).of(right).to_string());
        assert_eq!(thirds, ["0", "3.33", "6.66", "10"]);
        // Half of the puzzles earn half of the points, whichever puzzles these are.
        assert_eq!(shares(10, 6).of(3).to_string(), "5");
        assert_eq!(
            [shares(10, 4).of(1), shares(10, 40).of(1), shares(1, 20).of(1)].map(|points| points.to_string()),
            ["2.5", "0.25", "0.05"]
        );
    }

    #[test]
    fn files_hold_two_decimals() {
        for (points, text) in [
            (Points(0), "0"),
            (Points(1000), "10"),
            (Points(666), "6.66"),
            (Points(650), "6.5"),
            (Points(5), "0.05"),
        ] {
            assert_eq!(serde_json::to_string(&points).unwrap(), text);
            assert_eq!(serde_json::from_str::<Points>(text).unwrap(), points);
        }
        for hundredths in (0..2_000_000).step_by(77) {
            let text = serde_json::to_string(&Points(hundredths)).unwrap();
            assert_eq!(serde_json::from_str::<Points>(&text).unwrap(), Points(hundredths), "{text}");
        }
        assert_eq!(serde_json::from_str::<Points>("8.50").unwrap(), Points(850));
        for text in ["6.666", "-1", "1e300", "\"6\"", "null"] {
            assert!(serde_json::from_str::<Points>(text).is_err(), "{text}");
        }
    }
}
