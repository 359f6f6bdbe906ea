//! Keys and values that earlier versions knew: for one release they are warnings instead of errors.
//!
//! A configuration that somebody edited must not keep an upgraded service from starting.

/// What was removed.
pub(super) struct Removed {
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
    gone("route.priority", "delete it: routes take turns, so none has to come first"),
    gone("route.share", "delete it: routes take turns, and each has room for its files"),
    gone("retention.done_size", "write an age, such as done_age = \"90days\""),
    gone("retention.failed_size", "write an age, such as failed_age = \"90days\""),
    gone("retention.log_size", "write an age, such as log_age = \"30days\", or log.files_kept"),
    Removed {
        key: "route.if_exists",
        value: Some("reject"),
        since: SINCE,
        instead: "write \"version\", which is in force now: each answer has a file of its own",
    },
];

/// The version that lost them.
const SINCE: &str = "0.2.0";

const fn gone(key: &'static str, instead: &'static str) -> Removed {
    Removed { key, value: None, since: SINCE, instead }
}

/// The removed key of that path, or its removed value.
pub(super) fn find(key: &str, value: Option<&str>) -> Option<&'static Removed> {
    REMOVED.iter().find(|removed| removed.key == key && removed.value == value)
}

impl Removed {
    /// What a warning says of it.
    pub(super) fn warning(&self) -> String {
        let Self { key, value, since, instead } = self;
        let found = value.map(|value| format!(" = \"{value}\"")).unwrap_or_default();
        format!("{key}{found} is gone since version {since} and is ignored; {instead}")
    }
}
