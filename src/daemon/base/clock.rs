//! Times as programs read them: UTC, to the microsecond, in the format of RFC 3339.

use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{Date, OffsetDateTime, UtcOffset};

pub use crate::logging::local_time::now;

const STAMP_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]Z");
const DATE_FORMAT: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// Returns a time as text: `2026-11-21T13:43:32.084191Z`; empty if its year in UTC is 10000.
pub fn stamp(time: OffsetDateTime) -> String {
    let utc = time.checked_to_offset(UtcOffset::UTC);
    utc.and_then(|utc| utc.format(STAMP_FORMAT).ok()).unwrap_or_default()
}

/// Parses a time written by [`stamp`] or in any other form of RFC 3339, and converts it to UTC. `None` also if its year
/// in UTC is 10000.
pub fn parse_stamp(text: &str) -> Option<OffsetDateTime> {
    let time = OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).ok()?;
    time.checked_to_offset(UtcOffset::UTC)
}

/// Returns a day as text: `2026-11-21`; empty beyond the year 9999.
pub fn day(date: Date) -> String {
    date.format(DATE_FORMAT).unwrap_or_default()
}

/// Parses a day written by [`day`].
pub fn parse_day(text: &str) -> Option<Date> {
    Date::parse(text, DATE_FORMAT).ok()
}

/// Returns a duration in milliseconds with three decimals, for log fields.
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
