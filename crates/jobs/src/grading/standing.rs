//! The standing of a submission among all submissions of the same student: when it was handed in, which attempt it is,
//! and whether it counts.

use std::fmt;

use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime, UtcOffset};

const CLOCK_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]");
const DEADLINE_FORMAT: &[BorrowedFormatItem<'_>] = format_description!(
    "[year]-[month]-[day] [hour]:[minute]:[second] [offset_hour sign:mandatory]:[offset_minute]"
);

/// When a file was last changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modified {
    /// At this moment.
    At(OffsetDateTime),
    /// When some clock showed this time. Archives do not name the clock's time zone.
    Clock(PrimitiveDateTime),
}

/// The standing of a submission among those of its student.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The number of the attempt, from 1.
    pub attempt: u64,
    /// How many attempts count; `None` if all do.
    pub attempts_max: Option<u64>,
    /// The deadline that the submission missed.
    pub missed: Option<OffsetDateTime>,
}

impl Modified {
    /// Returns the time `seconds` and `nanos` after 1970 began; `None` outside the years 0 to 9999.
    pub fn since_1970(seconds: i64, nanos: i64) -> Option<Self> {
        let nanos = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let time = OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?;
        (0..10_000).contains(&time.year()).then_some(Self::At(time))
    }

    /// Parses a time in the form in which it is displayed.
    pub fn parse(text: &str) -> Option<Self> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).map(Self::At);
        moment.or_else(|_| PrimitiveDateTime::parse(text, CLOCK_FORMAT).map(Self::Clock)).ok()
    }

    /// Returns the moment. A time without an offset is read as that of a clock with `offset` from UTC.
    pub fn by(self, offset: UtcOffset) -> OffsetDateTime {
        match self {
            Self::At(time) => time,
            Self::Clock(time) => time.assume_offset(offset),
        }
    }
}

/// Displays the time in RFC 3339 format, `2026-11-21T12:17:44Z`, but without an offset if that is unknown.
impl fmt::Display for Modified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::At(time) => time.format(&Rfc3339),
            Self::Clock(time) => time.format(CLOCK_FORMAT),
        };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}

impl Standing {
    /// Returns whether the submission was handed in after the deadline.
    pub fn is_late(&self) -> bool {
        self.missed.is_some()
    }

    /// Returns whether the attempt is beyond those that count.
    pub fn is_over_attempts(&self) -> bool {
        self.attempts_max.is_some_and(|most| self.attempt > most)
    }

    /// Returns whether the submission counts: it is neither late nor beyond the attempts.
    pub fn counts(&self) -> bool {
        !self.is_late() && !self.is_over_attempts()
    }
}

/// Returns why a submission does not count, for programs; empty if it does.
pub fn mark(is_late: bool, is_over_attempts: bool) -> &'static str {
    match (is_late, is_over_attempts) {
        (false, false) => "",
        (true, false) => "late",
        (false, true) => "over-attempts",
        (true, true) => "late over-attempts",
    }
}

/// Formats a deadline for messages, in the time zone in which it was set.
pub fn deadline_text(deadline: OffsetDateTime) -> String {
    deadline.format(DEADLINE_FORMAT).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use time::macros::{datetime, offset};

    use super::*;

    #[test]
    fn a_time_is_read_as_it_was_written() {
        for text in ["2026-11-21T12:17:44Z", "2026-11-21T12:17:44.123456789Z", "2026-11-21T12:17:44"] {
            assert_eq!(Modified::parse(text).unwrap().to_string(), text);
        }
        let noon = Modified::Clock(datetime!(2026-11-21 12:00));
        assert_eq!(noon.by(offset!(-3)), datetime!(2026-11-21 15:00 UTC));
        assert_eq!(Modified::since_1970(i64::MAX, 0), None);
        assert_eq!(Modified::since_1970(1, 5).unwrap().to_string(), "1970-01-01T00:00:01.000000005Z");
        assert_eq!(deadline_text(datetime!(2026-12-01 23:59 -3)), "2026-12-01 23:59:00 -03:00");
    }
}
