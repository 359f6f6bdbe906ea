//! The IDs of jobs: `20261121T121744.123456Z`, the time at which a file was claimed.
//!
//! IDs sort in the order of arrival, and none is given twice.

use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use crate::logging::local_time::second;

const ID_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day]T[hour][minute][second].[subsecond digits:6]Z");
/// The length of a job's ID in bytes, up to the year 9999.
pub const LENGTH: usize = "20261121T121744.123456Z".len();

/// The latest time that is accepted from the clock: the beginning of the year 9999, in microseconds since 1970.
const LATEST_MICROS: i128 = 253_370_764_800_000_000;

/// Creates the IDs of jobs from the time of their claim. IDs never repeat and always rise, whatever the clock does.
#[derive(Debug, Default)]
pub struct JobIds {
    last_micros: i128,
}

impl JobIds {
    /// Returns the next ID: `20261121T121744.123456Z`.
    pub fn next(&mut self) -> String {
        self.next_at(SystemTime::now())
    }

    fn next_at(&mut self, now: SystemTime) -> String {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as i128;
        // After the latest time IDs count on, one microsecond per job, which lasts for centuries.
        self.last_micros = now.min(LATEST_MICROS).max(self.last_micros + 1);
        let time = OffsetDateTime::from_unix_timestamp_nanos(self.last_micros * 1000);
        time.ok().and_then(|time| time.format(ID_FORMAT).ok()).unwrap_or_default()
    }

    /// Makes the next ID later than `id`, which was found in the working folder.
    pub fn after(&mut self, id: &str) {
        if let Some(time) = time_of(id) {
            self.last_micros = self.last_micros.max(time.unix_timestamp_nanos() / 1000);
        }
    }
}

/// Returns when the job with this ID was claimed; `None` for a text that is no ID.
pub fn time_of(id: &str) -> Option<OffsetDateTime> {
    let time = time::PrimitiveDateTime::parse(id, ID_FORMAT).ok().filter(|_| id.len() == LENGTH);
    time.map(time::PrimitiveDateTime::assume_utc)
}

/// Returns whether the text is the ID of a job.
pub fn is_id(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| time_of(text).is_some())
}

/// Returns when the job's file was claimed, in whole seconds, for people.
pub fn second_of(id: &str) -> String {
    time_of(id).map_or_else(|| id.to_owned(), second)
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
        for wrong in ["", "20261121T121744.12345Z", "+0261121T121744.123456Z", "20261321T121744.123456Z"] {
            assert!(!is_id(wrong.as_bytes()), "{wrong}");
        }
    }
}
