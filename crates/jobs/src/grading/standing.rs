//! How a submission stands beside the others of its student: when it was handed in, which attempt it is, whether it counts.

use std::fmt;

use serde::{Serialize, Serializer};
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, Month, OffsetDateTime, PrimitiveDateTime, UtcOffset};

const CLOCK_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]");
const TOLD_FORMAT: &[BorrowedFormatItem<'_>] = format_description!(
    "[year]-[month]-[day] [hour]:[minute]:[second] [offset_hour sign:mandatory]:[offset_minute]"
);

/// When a file was changed last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modified {
    /// At that moment.
    At(OffsetDateTime),
    /// When a clock showed that. Archives do not say in which time zone the clock was.
    Clock(PrimitiveDateTime),
}

/// A submission among those of its student.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Which attempt it is, from 1.
    pub attempt: u64,
    /// How many attempts count.
    pub attempts_max: Option<u64>,
    /// The deadline that it missed.
    pub missed: Option<OffsetDateTime>,
}

impl Modified {
    /// Seconds and nanoseconds since 1970; nothing where no calendar has that time.
    #[must_use]
    pub fn since_1970((seconds, nanos): (i64, i64)) -> Option<Self> {
        let nanos = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let time = OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?;
        (0..10_000).contains(&time.year()).then_some(Self::At(time))
    }

    /// What a clock showed; nothing where no clock shows that.
    #[must_use]
    pub fn on_clock((year, month, day): (u16, u8, u8), (hour, minute, second): (u8, u8, u8)) -> Option<Self> {
        let date = Date::from_calendar_date(year.into(), Month::try_from(month).ok()?, day).ok()?;
        Some(Self::Clock(date.with_hms(hour, minute, second).ok()?))
    }

    /// Reads a time as it is written.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).map(Self::At);
        moment.or_else(|_| PrimitiveDateTime::parse(text, CLOCK_FORMAT).map(Self::Clock)).ok()
    }

    /// The moment, by a clock of that offset from UTC where it was read off a clock.
    #[must_use]
    pub fn by(self, offset: UtcOffset) -> OffsetDateTime {
        match self {
            Self::At(time) => time,
            Self::Clock(time) => time.assume_offset(offset),
        }
    }
}

/// As RFC 3339 writes it: `2026-11-21T12:17:44Z`; without an offset where that is not known.
impl fmt::Display for Modified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::At(time) => time.format(&Rfc3339),
            Self::Clock(time) => time.format(CLOCK_FORMAT),
        };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Modified {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Standing {
    /// Whether it was handed in after the deadline.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.missed.is_some()
    }

    /// Whether there were as many attempts as count before it.
    #[must_use]
    pub fn is_over_attempts(&self) -> bool {
        self.attempts_max.is_some_and(|most| self.attempt > most)
    }

    /// Whether it is neither late nor beyond the attempts.
    #[must_use]
    pub fn counts(&self) -> bool {
        !self.is_late() && !self.is_over_attempts()
    }
}

/// Why a submission does not count, for machines; empty where it does.
#[must_use]
pub fn mark(is_late: bool, is_over_attempts: bool) -> &'static str {
    match (is_late, is_over_attempts) {
        (false, false) => "",
        (true, false) => "late",
        (false, true) => "over-attempts",
        (true, true) => "late over-attempts",
    }
}

/// A deadline as people are told it, by the clock that it was set by.
#[must_use]
pub fn told(deadline: OffsetDateTime) -> String {
    deadline.format(TOLD_FORMAT).unwrap_or_default()
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
        let noon = Modified::on_clock((2026, 11, 21), (12, 0, 0)).unwrap();
        assert_eq!(noon.by(offset!(-3)), datetime!(2026-11-21 15:00 UTC));
        assert_eq!(Modified::on_clock((1980, 0, 0), (0, 0, 0)), None);
        assert_eq!(Modified::since_1970((i64::MAX, 0)), None);
        assert_eq!(Modified::since_1970((1, 5)).unwrap().to_string(), "1970-01-01T00:00:01.000000005Z");
        assert_eq!(told(datetime!(2026-12-01 23:59 -3)), "2026-12-01 23:59:00 -03:00");
    }
}
