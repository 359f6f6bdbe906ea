//! Keys and values that an earlier version knew: for one release they are warnings instead of errors.
//!
//! A configuration that somebody edited must not keep an upgraded service from starting.

/// What was removed.
struct Removed {
    /// `SECTION.KEY`; a key of a route is `route.KEY`.
    key: &'static str,
    /// The value that was removed; `None`: the whole key.
    value: Option<&'static str>,
    /// The first version without it.
    since: &'static str,
    /// What to write instead.
    instead: &'static str,
}

/// Everything that was removed since the last release.
const REMOVED: &[Removed] = &[
    Removed {
        key: "route.priority",
        value: None,
        since: "0.2.0",
        instead: "delete it: routes take turns, so none has to come first",
    },
    Removed {
        key: "route.share",
        value: None,
        since: "0.2.0",
        instead: "delete it: routes take turns, and each has room for its files",
    },
    Removed {
        key: "route.if_exists",
        value: Some("reject"),
        since: "0.2.0",
        instead: "write \"version\", which is in force now: each answer has a file of its own",
    },
    Removed {
        key: "retention.done_size",
        value: None,
        since: "0.2.0",
        instead: "write an age, such as done_age = \"90days\"",
    },
    Removed {
        key: "retention.failed_size",
        value: None,
        since: "0.2.0",
        instead: "write an age, such as failed_age = \"90days\"",
    },
    Removed {
        key: "retention.log_size",
        value: None,
        since: "0.2.0",
        instead: "write an age, such as log_age = \"30days\", or log.files_kept",
    },
];

/// What to tell whoever has that key, or that value of it; `None` when it was never removed.
pub(super) fn warning(key: &str, value: Option<&str>) -> Option<String> {
    let removed = REMOVED.iter().find(|removed| removed.key == key && removed.value == value)?;
    let Removed { since, instead, .. } = removed;
    let value = value.map(|value| format!(" = \"{value}\"")).unwrap_or_default();
    Some(format!("{key}{value} is gone since version {since} and is ignored; {instead}"))
}
