//! Which files may be removed, and how old they are: their names tell.
//!
//! Not the time of their last change, which an archived input has from whoever wrote it, nor that of their last renaming,
//! which a restored backup has lost. And whatever has another name is somebody's own, and stays.

use std::ffi::OsStr;

use time::{Duration, OffsetDateTime};

use crate::daemon::base::clock;
use crate::daemon::base::job_id;
use crate::daemon::records::archive;

/// What the files of a folder are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Archived inputs, with the ID of their job in the name.
    Inputs,
    /// Days of the history: `2026-11-21.jsonl`.
    History,
    /// Log files: `tabuleiro.2026-11-21.log`, `tabuleiro.2026-11-21-13.log`.
    Logs,
}

impl Kind {
    /// From when on the age of the file of that name counts: when its job began, or when its day or hour was over. `None`
    /// for what is no such file.
    #[must_use]
    pub fn time(self, name: &OsStr) -> Option<OffsetDateTime> {
        match self {
            Self::Inputs => job_id::time_of(&archive::parts(name)?.0),
            Self::History => end_of_day(name.to_str()?.strip_suffix(".jsonl")?),
            Self::Logs => {
                let period = name.to_str()?.strip_prefix("tabuleiro.")?.strip_suffix(".log")?;
                end_of_day(period).or_else(|| end_of_hour(period))
            }
        }
    }
}

fn end_of_day(day: &str) -> Option<OffsetDateTime> {
    Some(clock::parse_day(day)?.next_day()?.midnight().assume_utc())
}

fn end_of_hour(period: &str) -> Option<OffsetDateTime> {
    let (day, hour) = period.rsplit_once('-')?;
    clock::parse_stamp(&format!("{day}T{hour}:00:00Z"))?.checked_add(Duration::HOUR)
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn the_name_of_a_kept_input_tells_when_its_job_began() {
        let id = "20251121T134332.084191Z";
        let time = clock::parse_stamp("2025-11-21T13:43:32.084191Z");
        assert!(time.is_some());
        for dropped in ["entrada.txt", "a.b.c", ".hidden", "x", "", "no-extension", "é.txt"] {
            let name = tabuleiro_jobs::naming::archived(OsStr::new(dropped), id);
            assert_eq!(Kind::Inputs.time(&name), time, "{name:?}");
        }
        let long = tabuleiro_jobs::naming::archived(OsStr::new(&"n".repeat(255)), id);
        assert_eq!(Kind::Inputs.time(&long), time);
        let raw = tabuleiro_jobs::naming::archived(OsStr::from_bytes(b"\xff.txt"), id);
        assert_eq!(Kind::Inputs.time(&raw), time);
    }

    #[test]
    fn other_names_are_somebody_s_own() {
        for name in [
            "entrada.txt",
            "20251121T134332.084191Z",
            "a.20251121T134332.084191Z.saida.txt",
            "a.20251321T134332.084191Z.txt",
            "a20251121T134332.084191Z.txt",
            "2025-11-21.jsonl",
            "",
        ] {
            assert_eq!(Kind::Inputs.time(OsStr::new(name)), None, "{name}");
        }
        for name in ["tabuleiro.log", "latest", "tabuleiro.2025-11-21-24.log", "other.2025-11-21.log"] {
            assert_eq!(Kind::Logs.time(OsStr::new(name)), None, "{name}");
        }
        for name in ["2025-11-31.jsonl", "2025-11-21.json", "notes.jsonl"] {
            assert_eq!(Kind::History.time(OsStr::new(name)), None, "{name}");
        }
    }

    #[test]
    fn the_age_of_a_period_counts_from_its_end() {
        let hour = time::Duration::HOUR;
        let day = clock::parse_stamp("2025-11-22T00:00:00Z");
        assert!(day.is_some());
        assert_eq!(Kind::History.time(OsStr::new("2025-11-21.jsonl")), day);
        assert_eq!(Kind::Logs.time(OsStr::new("tabuleiro.2025-11-21.log")), day);
        assert_eq!(Kind::Logs.time(OsStr::new("tabuleiro.2025-11-21-23.log")), day);
        assert_eq!(Kind::Logs.time(OsStr::new("tabuleiro.2025-11-21-22.log")), day.map(|end| end - hour));
    }
}
