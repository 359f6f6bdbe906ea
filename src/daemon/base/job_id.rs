//! The IDs of jobs: `20261121T121744.123456Z`, the time at which a file was claimed.
//!
//! IDs sort in the order of arrival, and none is given twice.

use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::clock::parse_stamp;
use crate::logging::local_time::second;

const ID_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day]T[hour][minute][second].[subsecond digits:6]Z");
/// The form of a job's ID; a `0` stands for any digit.
const ID_FORM: &[u8] = b"00000000T000000.000000Z";
/// The length of a job's ID, until the year 9999.
pub const LENGTH: usize = ID_FORM.len();

/// The latest time that a clock is believed: the beginning of the year 9999, in microseconds since 1970.
const LATEST_MICROS: i128 = 253_370_764_800_000_000;

/// Names jobs by the time of their claim, never the same twice and always rising, whatever the clock does.
#[derive(Debug, Default)]
pub struct JobIds {
    last_micros: i128,
}

impl JobIds {
    /// Returns the next name: `20261121T121744.123456Z`.
    pub fn next(&mut self) -> String {
        self.next_at(SystemTime::now())
    }

    fn next_at(&mut self, now: SystemTime) -> String {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as i128;
        // A clock beyond what a name can say counts on from there: a microsecond a job lasts for centuries.
        self.last_micros = now.min(LATEST_MICROS).max(self.last_micros + 1);
        let time = OffsetDateTime::from_unix_timestamp_nanos(self.last_micros * 1000);
        time.ok().and_then(|time| time.format(ID_FORMAT).ok()).unwrap_or_default()
    }

    /// Goes on behind a name found in the working folder.
    pub fn after(&mut self, id: &str) {
        if let Some(time) = time_of(id) {
            self.last_micros = self.last_micros.max(time.unix_timestamp_nanos() / 1000);
        }
    }
}

/// Returns when the job of that ID was claimed.
#[must_use]
pub fn time_of(id: &str) -> Option<OffsetDateTime> {
    time::PrimitiveDateTime::parse(id, ID_FORMAT).ok().map(time::PrimitiveDateTime::assume_utc)
}

/// Returns the time that the ID of a job tells, at which its file was taken, as RFC 3339 writes it.
#[must_use]
pub fn stamp_of(id: &str) -> Option<String> {
    let part = |from: usize, to: usize| id.get(from..to).filter(|_| is_id(id.as_bytes()));
    let (date, clock) =
        ([part(0, 4)?, part(4, 6)?, part(6, 8)?], [part(9, 11)?, part(11, 13)?, part(13, 23)?]);
    Some(format!("{}T{}", date.join("-"), clock.join(":")))
}

/// Returns whether that is the ID of a job.
#[must_use]
pub fn is_id(text: &[u8]) -> bool {
    let fits = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() == ID_FORM.len() && text.iter().zip(ID_FORM).all(fits)
}

/// Returns when the file of that job was taken, in whole seconds, for people.
#[must_use]
pub fn second_of(id: &str) -> String {
    let time = stamp_of(id).and_then(|stamp| parse_stamp(&stamp));
    time.map_or_else(|| id.to_owned(), second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_rise_and_never_repeat() {
        let mut ids = JobIds::default();
        let names: Vec<_> = (0..1000).map(|_| ids.next()).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(names[0].len(), "20261121T121744.123456Z".len());
        ids.after("29990101T000000.000000Z");
        assert_eq!(ids.next(), "29990101T000000.000001Z");
        let beyond = UNIX_EPOCH + std::time::Duration::from_secs(300_000_000_000);
        assert_eq!(ids.next_at(beyond), "99990101T000000.000000Z");
        assert_eq!(ids.next_at(beyond), "99990101T000000.000001Z");
        assert!(is_id(ids.next().as_bytes()), "and goes on from there");
    }
}
