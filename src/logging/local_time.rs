//! Times as people read them: those of their clocks, with the offset from UTC.
//!
//! `TZ` or `/etc/localtime` says which zone that is, UTC where neither can be read. They are read once, but each time has
//! the offset that the zone had then: daylight saving may begin while the service runs. What programs read, and the names of
//! files, are in UTC and are not made here. The C library is not asked: it reads the environment, which no thread may do
//! while another changes it.

use std::env;
use std::fmt;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{Date, OffsetDateTime, PrimitiveDateTime, UtcOffset};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tz::TimeZone;

const SECOND_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
const OFFSET_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[offset_hour sign:mandatory]:[offset_minute]");
const LINE_FORMAT: &[BorrowedFormatItem<'_>] = format_description!(
    "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6][offset_hour sign:mandatory]:[offset_minute]"
);

/// The last time that can be written.
const LAST: OffsetDateTime = time::PrimitiveDateTime::MAX.assume_utc();

static ZONE: LazyLock<Zone> = LazyLock::new(|| Zone::named(env::var("TZ").ok().as_deref()));

/// The time on a log line for people.
#[derive(Debug, Clone, Copy)]
pub struct LineTime;

impl FormatTime for LineTime {
    /// RFC 3339: `2026-11-21T10:43:32.084191-03:00`.
    fn format_time(&self, line: &mut Writer<'_>) -> fmt::Result {
        let text = ZONE.local(now()).format(LINE_FORMAT).map_err(|_| fmt::Error)?;
        line.write_str(&text)
    }
}

/// Returns the current time. Of a clock before 1970 or beyond the year 9999 it is the first or the last time that can be written:
/// libraries that ask the clock by themselves would panic, so call them only if [`is_clock_usable`].
#[must_use]
pub fn now() -> OffsetDateTime {
    at(SystemTime::now())
}

/// Whether the clock shows a time that every calendar has.
#[must_use]
pub fn is_clock_usable() -> bool {
    is_usable(SystemTime::now())
}

fn is_usable(time: SystemTime) -> bool {
    let since = time.duration_since(UNIX_EPOCH);
    since.is_ok_and(|since| {
        i64::try_from(since.as_secs()).is_ok_and(|seconds| seconds <= LAST.unix_timestamp())
    })
}

fn at(time: SystemTime) -> OffsetDateTime {
    match time {
        time if is_usable(time) => time.into(),
        time if time < UNIX_EPOCH => OffsetDateTime::UNIX_EPOCH,
        _ => LAST,
    }
}

/// A time in whole seconds, and the offset that it has here: `2026-11-21 10:43:32` and `-03:00`.
#[must_use]
pub fn parts(time: OffsetDateTime) -> (String, String) {
    ZONE.parts(time)
}

/// A time in whole seconds: `2026-11-21 10:43:32 -03:00`.
#[must_use]
pub fn second(time: OffsetDateTime) -> String {
    let (second, offset) = parts(time);
    format!("{second} {offset}")
}

/// When clocks here show that.
#[must_use]
pub fn at_clock(clock: PrimitiveDateTime) -> OffsetDateTime {
    ZONE.at_clock(clock)
}

/// When that day begins here.
#[must_use]
pub fn midnight(day: Date) -> OffsetDateTime {
    ZONE.midnight(day)
}

struct Zone(TimeZone);

impl Zone {
    /// The zone that `TZ` names, or that of the system.
    fn named(name: Option<&str>) -> Self {
        let zone = TimeZone::from_posix_tz(name.unwrap_or("localtime"));
        Self(zone.unwrap_or_else(|_| TimeZone::utc()))
    }

    fn offset(&self, unix_seconds: i64) -> UtcOffset {
        let seconds = self.0.find_local_time_type(unix_seconds).map_or(0, tz::LocalTimeType::ut_offset);
        UtcOffset::from_whole_seconds(seconds).unwrap_or(UtcOffset::UTC)
    }

    /// The same time with the offset that it has here; as it is where no calendar has it.
    fn local(&self, time: OffsetDateTime) -> OffsetDateTime {
        time.checked_to_offset(self.offset(time.unix_timestamp())).unwrap_or(time)
    }

    fn parts(&self, time: OffsetDateTime) -> (String, String) {
        let local = self.local(time);
        let text = |format| local.format(format).unwrap_or_default();
        (text(SECOND_FORMAT), text(OFFSET_FORMAT))
    }

    fn midnight(&self, day: Date) -> OffsetDateTime {
        self.at_clock(day.midnight())
    }

    fn at_clock(&self, clock: PrimitiveDateTime) -> OffsetDateTime {
        let near = clock.assume_utc().unix_timestamp();
        let offset = self.offset(near - i64::from(self.offset(near).whole_seconds()));
        clock.assume_offset(offset)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn each_time_has_the_offset_that_it_had() {
        let zone = Zone::named(Some("CET-1CEST,M3.5.0,M10.5.0/3"));
        let parts = |time| {
            let (second, offset) = zone.parts(time);
            format!("{second} {offset}")
        };
        assert_eq!(parts(datetime!(2026-07-01 12:00 UTC)), "2026-07-01 14:00:00 +02:00");
        assert_eq!(parts(datetime!(2026-12-31 23:30:01.9 UTC)), "2027-01-01 00:30:01 +01:00");
        // The hour that there is twice.
        assert_eq!(parts(datetime!(2026-10-25 00:30 UTC)), "2026-10-25 02:30:00 +02:00");
        assert_eq!(parts(datetime!(2026-10-25 01:30 UTC)), "2026-10-25 02:30:00 +01:00");
        assert_eq!(zone.midnight(date!(2026 - 07 - 01)), datetime!(2026-06-30 22:00 UTC));
        assert_eq!(zone.midnight(date!(2026 - 12 - 01)), datetime!(2026-11-30 23:00 UTC));
        let zone = Zone::named(Some("<-03>3"));
        assert_eq!(zone.parts(datetime!(2026-11-21 13:43:32 UTC)).1, "-03:00");
        let zone = Zone::named(Some("<+0545>-5:45"));
        assert_eq!(zone.parts(datetime!(2026-11-21 13:43:32 UTC)).1, "+05:45");
    }

    #[test]
    fn a_zone_that_nobody_knows_is_utc() {
        for name in ["", "Nowhere/City", "\0", ":"] {
            let time = datetime!(2026-11-21 13:43:32 UTC);
            assert_eq!(Zone::named(Some(name)).parts(time), ("2026-11-21 13:43:32".into(), "+00:00".into()));
        }
        assert_eq!(Zone::named(Some("<+03>-3")).local(LAST), LAST);
    }

    #[test]
    fn a_clock_beyond_what_calendars_have_shows_the_nearest_time_that_they_have() {
        let after = |seconds| UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        assert_eq!(at(after(253_402_300_799)), datetime!(9999-12-31 23:59:59 UTC));
        for beyond in [253_402_300_800, 300_000_000_000, i64::MAX as u64] {
            assert_eq!(at(after(beyond)), LAST);
            assert!(!is_usable(after(beyond)));
        }
        let before = UNIX_EPOCH - std::time::Duration::from_secs(1);
        assert_eq!((at(before), is_usable(before)), (OffsetDateTime::UNIX_EPOCH, false));
        assert!(is_usable(UNIX_EPOCH) && is_usable(after(253_402_300_799)) && is_clock_usable());
    }
}
