//! Times as the service tells programs: UTC, to the microsecond, as RFC 3339 writes them.

use std::time::Instant;

use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{Date, OffsetDateTime, UtcOffset};

pub use crate::logging::local_time::now;

const STAMP_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]Z");
const DATE_FORMAT: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// A time as text: `2026-11-21T13:43:32.084191Z`; empty for one that UTC has in the year 10000.
#[must_use]
pub fn stamp(time: OffsetDateTime) -> String {
    let utc = time.checked_to_offset(UtcOffset::UTC);
    utc.and_then(|utc| utc.format(STAMP_FORMAT).ok()).unwrap_or_default()
}

/// Returns the time that [`stamp`] wrote, or any other of RFC 3339, in UTC. `None` also for one that UTC has in the year
/// 10000.
#[must_use]
pub fn parse_stamp(text: &str) -> Option<OffsetDateTime> {
    let time = OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).ok()?;
    time.checked_to_offset(UtcOffset::UTC)
}

/// A time or none in JSON: as [`stamp`] writes it, and any other of RFC 3339 when it is read.
pub mod optional_stamp {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
    use time::OffsetDateTime;

    /// Writes the time.
    ///
    /// # Errors
    /// Those of the serializer.
    #[allow(clippy::ref_option, reason = "serde calls it so")]
    pub fn serialize<S: Serializer>(time: &Option<OffsetDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
        time.map(super::stamp).serialize(serializer)
    }

    /// Reads the time.
    ///
    /// # Errors
    /// When it is no time.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<OffsetDateTime>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let expected = || de::Error::custom("expected a time such as 2026-11-21T10:00:00Z");
        super::parse_stamp(&text).map(Some).ok_or_else(expected)
    }
}

/// A day as text: `2026-11-21`; empty beyond the year 9999.
#[must_use]
pub fn day(date: Date) -> String {
    date.format(DATE_FORMAT).unwrap_or_default()
}

/// Returns the day that [`day`] wrote.
#[must_use]
pub fn parse_day(text: &str) -> Option<Date> {
    Date::parse(text, DATE_FORMAT).ok()
}

/// Returns when an instant was by the clock on the wall, as that goes now.
#[must_use]
pub fn wall(instant: Instant) -> OffsetDateTime {
    now() - instant.elapsed()
}

/// A duration in milliseconds with three decimals, for log fields.
#[must_use]
pub fn millis(duration: std::time::Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_times_are_written_and_those_beyond_are_none() {
        let last = time::PrimitiveDateTime::MAX;
        assert_eq!(stamp(last.assume_utc()), "9999-12-31T23:59:59.999999Z");
        assert_eq!(stamp(last.assume_offset(time::macros::offset!(-3))), "");
        assert_eq!(parse_stamp("9999-12-31T23:59:59-03:00"), None);
        assert!(parse_stamp("9999-12-31T23:59:59+03:00").is_some_and(|time| time.offset() == UtcOffset::UTC));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let time = OffsetDateTime::from_unix_timestamp_nanos(1_763_732_612_084_191_000).unwrap();
        assert_eq!(stamp(time), "2025-11-21T13:43:32.084191Z");
        assert_eq!(parse_stamp(&stamp(time)), Some(time));
        assert_eq!(parse_day(&day(time.date())), Some(time.date()));
        assert_eq!(parse_day("2025-11-31"), None);
    }
}
