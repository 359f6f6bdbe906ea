//! Compares what a page shows with the real output.
//!
//! `…` within a line stands for any characters of that line, mostly times and numbers that vary. A line `…` stands for
//! any number of lines. Everything else must be equal.

/// Returns whether the lines shown match the lines found.
pub fn matches(shown: &[String], found: &[String]) -> bool {
    match (shown.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line.trim() == "…" => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        (Some((line, rest)), Some((first, others))) => line_matches(line, first) && matches(rest, others),
        _ => false,
    }
}

/// Returns whether a line shown matches a line found.
fn line_matches(shown: &str, found: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn what_varies_is_marked_and_everything_else_is_told_apart() {
    let lines = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
    let check = |shown: &str, found: &str| matches(&lines(shown), &lines(found));
    for (shown, found) in
        [("a", "a"), ("a…c…e", "abcde"), ("a…", "a"), ("…|b", "x|y|b"), ("a|…", "a"), ("a|…|c", "a|c|c")]
    {
        assert!(check(shown, found), "{shown} {found}");
    }
    for (shown, found) in
        [("a", "b"), ("a", "a|b"), ("a|b", "a"), ("a…a", "a"), ("a…c", "abd"), ("…|b", "b|c"), ("a ", "a")]
    {
        assert!(!check(shown, found), "{shown} {found}");
    }
}
