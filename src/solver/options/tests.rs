//! Tests of options: ranges, limits that directives may only lower, names that are nearly right.

use std::time::Duration;

use super::*;

const LIMITS: &[OptionSpec] = &[OptionSpec {
    name: "limits",
    kind: Kind::Choice(&["published", "none"]),
    default: "published",
    help: "",
    directive: DirectiveRule::LowerOnly,
}];

#[test]
fn directives_lower_limits_and_never_raise_them() {
    let mut options = Options::defaults(&[COMMON, LIMITS]);
    let mut directive = |name, text| options.set(name, text, Authority::Directive);
    assert_eq!(directive("time_limit", "10s"), Ok(()));
    assert!(matches!(directive("time_limit", "11s"), Err(OptionError::Raised { .. })));
    assert!(matches!(directive("time_limit", "none"), Err(OptionError::Raised { .. })));
    assert!(matches!(directive("memory_limit", "2GiB"), Err(OptionError::Raised { .. })));
    assert!(matches!(directive("limits", "none"), Err(OptionError::Raised { .. })));
    assert_eq!(directive("witness", "true"), Ok(()));
    assert_eq!(options.set("limits", "none", Authority::Owner), Ok(()));
    assert_eq!(options.value("limits"), Some(OptionValue::Word("none")));
    assert_eq!(options.value("time_limit"), Some(OptionValue::Duration(Some(Duration::from_secs(10)))));
}

#[test]
fn unknown_options_name_the_nearest() {
    let error = Options::defaults(&[COMMON]).set("time-limit", "1s", Authority::Owner).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown option 'time-limit', did you mean 'time_limit'?; known: job_time_limit, memory_limit, \
         time_limit, witness"
    );
}

#[test]
fn values_are_checked() {
    let kinds: &[(Kind, &[&str], &[&str])] = &[
        (Kind::Flag, &["true", "false"], &["yes", "", "1"]),
        (Kind::Integer { min: 2, max: 9 }, &["2", "9"], &["1", "10", "+3", "-3", "2.0", ""]),
        (Kind::PowerOfTwo { min: 4, max: 64 }, &["4", "64"], &["2", "6", "128"]),
        (Kind::WordOrInteger { word: "auto", min: 1, max: 9 }, &["auto", "3"], &["Auto", "0"]),
        (Kind::Fraction { min: 0.0, max: 1.0 }, &["0", "0.45", "1"], &["1.1", "-0.1", "NaN", "inf"]),
        (Kind::Duration { none: true }, &["10s", "none", "1h 5m"], &["0s", "10", "-1s"]),
        (Kind::Duration { none: false }, &["10ms"], &["none", "999999999y"]),
        (Kind::Size { min: 1 << 20 }, &["512MiB", "2 GiB"], &["1KiB", "-1", "x"]),
    ];
    for (kind, good, bad) in kinds {
        let spec =
            OptionSpec { name: "x", kind: *kind, default: "", help: "", directive: DirectiveRule::Free };
        for text in *good {
            let value = spec.parse(text).unwrap();
            assert_eq!(spec.parse(&value.to_string()), Ok(value), "{text}");
        }
        for text in *bad {
            assert!(spec.parse(text).is_err(), "{kind:?} took {text}");
        }
    }
}
