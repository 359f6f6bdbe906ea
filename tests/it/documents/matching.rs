//! Whether what a page shows is what came out.
//!
//! `…` within a line stands for any run of characters of that line, times and numbers that vary mostly; a line `…` for any
//! number of lines. Everything else is as it is.

/// Whether the lines shown are the lines found.
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

/// Whether a line shown is a line found.
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
