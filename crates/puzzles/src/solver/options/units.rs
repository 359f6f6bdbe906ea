//! Durations and sizes, as people write them.

use std::ops::RangeInclusive;
use std::time::Duration;

use bytesize::ByteSize;

/// Of 365.25 days, as durations are written.
pub const YEAR: Duration = Duration::from_secs(31_557_600);
/// No duration of an option is shorter or longer.
pub const DURATIONS: RangeInclusive<Duration> =
    Duration::from_millis(1)..=Duration::from_secs(100 * YEAR.as_secs());
/// No size is larger.
pub const SIZE_MAX: u64 = 1 << 50;

/// A duration such as `10s`, `500ms`, `1h 30m`.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    humantime::parse_duration(text).ok()
}

/// A size in bytes such as `512MiB`, `2GiB`, `4096`.
#[must_use]
pub fn size(text: &str) -> Option<u64> {
    text.parse::<ByteSize>().ok().map(|size| size.as_u64())
}

/// `bytes` with the largest binary unit that divides it, so that parsing gives the same number back.
#[must_use]
pub fn format_size(bytes: u64) -> String {
    for (unit, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if bytes > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    format!("{bytes}B")
}
