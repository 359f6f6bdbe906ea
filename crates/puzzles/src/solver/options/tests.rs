//! Tests of options: ranges, limits that directives may only lower, and misspelt names.

use std::time::Duration;

use super::*;

const LIMITS: &[OptionSpec] = &[OptionSpec {
    name: "limits",
    kind: Kind { words: &["published", "none"], range: Range::Nothing },
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
    assert_eq!(options.value("time_limit"), Some(OptionValue::Duration(Duration::from_secs(10))));
}

#[test]
fn unknown_options_name_the_nearest() {
    let error = Options::defaults(&[COMMON]).set("time-limit", "1s", Authority::Owner).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown option 'time-limit' (did you mean 'time_limit'?); known: job_time_limit, language, memory_limit, \
         picture, time_limit, witness"
    );
}

#[test]
fn values_are_checked() {
    let durations = Range::Duration { min: Duration::from_millis(1), max: Duration::from_secs(3600) };
    let either = |words, range| Kind { words, range };
    let kinds: &[(Kind, &[&str], &[&str])] = &[
        (either(&["a", "b"], Range::Nothing), &["a", "b"], &["A", "c", ""]),
        (Kind::of(Range::Flag), &["true", "false"], &["yes", "", "1"]),
        (Kind::of(Range::Integer { min: 2, max: 9 }), &["2", "9"], &["1", "10", "+3", "-3", "2.0", ""]),
        (Kind::of(Range::PowerOfTwo { min: 4, max: 64 }), &["4", "64"], &["2", "6", "128"]),
        (either(&["auto"], Range::Integer { min: 1, max: 9 }), &["auto", "3"], &["Auto", "0"]),
        (Kind::of(Range::Fraction), &["0", "0.45", "1"], &["1.1", "-0.1", "NaN", "inf"]),
        (either(&["none"], durations), &["10s", "none", "1h"], &["0s", "10", "-1s", "1h 5m"]),
        (Kind::of(durations), &["10ms"], &["none", "999999999y"]),
        (
            Kind::of(Range::Size { min: 1 << 20, max: 1 << 40 }),
            &["512MiB", "2 GiB", "1TiB"],
            &["1KiB", "-1", "x", "2TiB"],
        ),
    ];
    for (kind, good, bad) in kinds {
        for text in *good {
            let value = kind.parse(text).unwrap();
            assert_eq!(kind.parse(&value.to_string()), Some(value), "{text}");
        }
        for text in *bad {
            assert_eq!(kind.parse(text), None, "{kind:?} took {text}");
        }
    }
}

#[test]
fn kinds_say_what_they_take() {
    let kind = |words, range| Kind { words, range }.to_string();
    assert_eq!(kind(&["a", "b"], Range::Nothing), "one of \"a\", \"b\"");
    let size = Range::Size { min: 1 << 20, max: 1 << 40 };
    assert_eq!(kind(&["none"], size), "\"none\" or a size from \"1MiB\" to \"1TiB\"");
    let default = COMMON.iter().map(|spec| format!("{}: {}\n", spec.name, spec.kind)).collect::<String>();
    assert_eq!(
        default,
        "time_limit: \"none\" or a duration from \"1ms\" to \"100years\"\n\
         memory_limit: a size from \"1MiB\" to \"1024TiB\"\n\
         job_time_limit: \"none\" or a duration from \"1ms\" to \"100years\"\n\
         witness: \"required\" or true or false\n\
         picture: true or false\n\
         language: one of \"en\", \"pt\"\n"
    );
}
