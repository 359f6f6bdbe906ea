//! Durations and sizes, as people write them.

use std::time::Duration;

use bytesize::ByteSize;

/// A duration such as `10s`, `500ms`, `1h 30m`, from 1 ms to 1000 years.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    let range = Duration::from_millis(1)..Duration::from_secs(1000 * 365 * 86_400);
    humantime::parse_duration(text).ok().filter(|value| range.contains(value))
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
