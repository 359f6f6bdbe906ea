//! Times for people: in the local time zone, with the offset from UTC.
//!
//! The variable `TZ` or the file `/etc/localtime` determines the zone; if neither can be read, it is UTC. They are read
//! only once, but each time has the offset that the zone had at that time: daylight saving can begin while the service
//! runs. Times for programs and in file names are in UTC and are not made here. This module does not use the C library,
//! which reads the environment; that is unsafe while another thread changes it.

use std::env;
use std::sync::LazyLock;

use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime, UtcOffset};
use tz::TimeZone;

const SECOND_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
const OFFSET_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[offset_hour sign:mandatory]:[offset_minute]");

/// The local time zone.
pub static ZONE: LazyLock<Zone> = LazyLock::new(|| Zone::named(env::var("TZ").ok().as_deref()));

/// Returns the current time. The kernel does not allow a clock beyond the range of calendars.
pub fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

/// Returns a time in whole seconds, and its local offset: `2026-11-21 10:43:32` and `-03:00`.
pub fn parts(time: OffsetDateTime) -> (String, String) {
    ZONE.parts(time)
}

/// Returns a time in whole seconds: `2026-11-21 10:43:32 -03:00`.
pub fn second(time: OffsetDateTime) -> String {
    let (second, offset) = parts(time);
    format!("{second} {offset}")
}

/// A time zone.
pub struct Zone(TimeZone);

impl Zone {
    /// Returns the zone that `TZ` names, or that of the system; UTC if the zone is unknown.
    fn named(name: Option<&str>) -> Self {
        let zone = TimeZone::from_posix_tz(name.unwrap_or("localtime"));
        Self(zone.unwrap_or_else(|_| TimeZone::utc()))
    }

    fn offset(&self, unix_seconds: i64) -> UtcOffset {
        let seconds = self.0.find_local_time_type(unix_seconds).map_or(0, tz::LocalTimeType::ut_offset);
        UtcOffset::from_whole_seconds(seconds).unwrap_or(UtcOffset::UTC)
    }

    /// Returns the same time with its local offset, or unchanged if the calendar cannot express that.
    fn local(&self, time: OffsetDateTime) -> OffsetDateTime {
        time.checked_to_offset(self.offset(time.unix_timestamp())).unwrap_or(time)
    }

    fn parts(&self, time: OffsetDateTime) -> (String, String) {
        let local = self.local(time);
        let text = |format| local.format(format).unwrap_or_default();
        (text(SECOND_FORMAT), text(OFFSET_FORMAT))
    }

    /// Returns the time at which clocks in this zone show `clock`.
    pub fn at_clock(&self, clock: PrimitiveDateTime) -> OffsetDateTime {
        let near = clock.assume_utc().unix_timestamp();
        let offset = self.offset(near - i64::from(self.offset(near).whole_seconds()));
        clock.assume_offset(offset)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

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
        // The hour that occurs twice.
        assert_eq!(parts(datetime!(2026-10-25 00:30 UTC)), "2026-10-25 02:30:00 +02:00");
        assert_eq!(parts(datetime!(2026-10-25 01:30 UTC)), "2026-10-25 02:30:00 +01:00");
        assert_eq!(zone.at_clock(datetime!(2026-07-01 0:00)), datetime!(2026-06-30 22:00 UTC));
        assert_eq!(zone.at_clock(datetime!(2026-12-01 0:00)), datetime!(2026-11-30 23:00 UTC));
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
        let last = PrimitiveDateTime::MAX.assume_utc();
        assert_eq!(Zone::named(Some("<+03>-3")).local(last), last);
    }
}
