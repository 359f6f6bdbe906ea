//! Keys and values that an earlier version knew: for one release they are warnings instead of errors.
//!
//! A configuration that somebody edited must not keep an upgraded service from starting.

/// Everything that was removed since the last release: `SECTION.KEY` (`route.KEY` in a route), the value that was
/// removed (`None` for the whole key), and what to write instead.
const REMOVED: &[(&str, Option<&str>, &str)] = &[
    ("route.priority", None, "delete it: routes take turns, so none has to come first"),
    ("route.share", None, "delete it: routes take turns, and each has room for its files"),
    (
        "route.if_exists",
        Some("reject"),
        "write \"version\", which is in force now: each answer has a file of its own",
    ),
    ("retention.done_size", None, "write an age, such as done_age = \"90days\""),
    ("retention.failed_size", None, "write an age, such as failed_age = \"90days\""),
    ("retention.log_size", None, "write an age, such as log_age = \"30days\", or log.files_kept"),
];

/// What to tell whoever has that key, or that value of it; `None` when it was never removed.
pub(super) fn warning(key: &str, value: Option<&str>) -> Option<String> {
    let (.., instead) = REMOVED.iter().find(|removed| (removed.0, removed.1) == (key, value))?;
    let value = value.map(|value| format!(" = \"{value}\"")).unwrap_or_default();
    Some(format!("{key}{value} is gone and is ignored; {instead}"))
}
