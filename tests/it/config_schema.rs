//! The JSON Schema of the configuration agrees with the parser on every key, default, range and choice.

use std::path::Path;

use regex::Regex;
use serde_json::{Map, Value, json};
use tabuleiro::config::{Config, SHIPPED};
use tabuleiro_puzzles::solver::{COMMON, GRADING, OptionSpec, Range, SOLVERS};

const SECTIONS: [&str; 9] =
    ["folders", "log", "intake", "workers", "results", "control", "retention", "metrics", "page"];
/// A value of a type that no key accepts.
const WRONG: &str = "1979-05-27";
/// The common options that are keys of the route itself.
const LIMITS: [&str; 3] = ["time_limit", "memory_limit", "job_time_limit"];
const ROUTE: &str = "[[route]]\nname = \"a\"\nfiles = [\"a\"]\nsolver = \"2048-game\"\n";

/// The schema file next to the shipped configuration.
const FILE: &str = "config/tabuleiro.schema.json";

fn schema() -> Value {
    serde_json::from_str(&Config::schema(SOLVERS)).unwrap()
}

/// The file must equal the schema that the program generates. `tabuleiro init` writes it, which updates it.
#[test]
fn the_file_is_the_schema_of_the_program() {
    let found = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)).unwrap();
    assert!(
        found == Config::schema(SOLVERS),
        "{FILE} is out of date: rm {FILE} && cargo run -- init . makes it anew"
    );
}

fn as_json(toml_text: &str) -> Value {
    serde_json::to_value(toml_text.parse::<toml::Table>().unwrap()).unwrap()
}

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, "t.toml", SOLVERS).map_err(|error| error.to_string())
}

/// Returns what the parser expects instead of a wrong value of a key.
fn expected(text_with_wrong_value: &str) -> String {
    let error = parse(text_with_wrong_value).expect_err(text_with_wrong_value);
    error.split_once(": expected ").unwrap_or_else(|| panic!("{error}")).1.to_owned()
}

fn keys(object: &Value) -> Vec<&String> {
    let mut keys: Vec<_> = object.as_object().unwrap().keys().collect();
    keys.sort();
    keys
}

/// Returns the first violation of the schema, or `None`. Panics at an unknown keyword, so that no keyword stays
/// unchecked.
fn fault(schema: &Value, value: &Value, at: &str) -> Option<String> {
    if *schema == json!(true) {
        return None;
    }
    let schema = schema.as_object().unwrap();
    schema.iter().find_map(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "default" | "definitions" => None,
        "$ref" => {
            let name = rule.as_str().unwrap().strip_prefix("#/definitions/").unwrap();
            fault(&self::schema()["definitions"][name], value, at)
        }
        "then" => schema.get("if").is_none().then(|| panic!("'then' without 'if'")),
        "allOf" => rule.as_array().unwrap().iter().find_map(|rule| fault(rule, value, at)),
        "if" => {
            if fault(rule, value, at).is_none() {
                fault(&schema["then"], value, at)
            } else {
                None
            }
        }
        "properties" => each(value, |key, value| {
            rule.get(key).and_then(|rule| fault(rule, value, &format!("{at}.{key}")))
        }),
        "additionalProperties" => {
            assert_eq!(*rule, json!(false));
            each(value, |key, _| schema["properties"].get(key).is_none().then(|| format!("{at}: {key}")))
        }
        "items" => value.as_array()?.iter().find_map(|item| fault(rule, item, &format!("{at}[]"))),
        _ => (!holds(keyword, rule, value)).then(|| format!("{at}: {keyword} {rule}, found {value}")),
    })
}

fn each(value: &Value, check: impl Fn(&str, &Value) -> Option<String>) -> Option<String> {
    value.as_object()?.iter().find_map(|(key, value)| check(key, value))
}

/// Returns whether a rule about a single value holds. A rule about another type always holds.
fn holds(keyword: &str, rule: &Value, value: &Value) -> bool {
    let number = || rule.as_u64().unwrap();
    let length = |length: Option<usize>, fits: fn(u64, u64) -> bool| {
        length.is_none_or(|length| fits(length as u64, number()))
    };
    let chars = || value.as_str().map(|text| text.chars().count());
    let items = || value.as_array().map(Vec::len);
    match keyword {
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("type {other}"),
        },
        "enum" => rule.as_array().unwrap().contains(value),
        "const" => rule == value,
        "anyOf" => rule.as_array().unwrap().iter().any(|rule| fault(rule, value, "").is_none()),
        "required" => rule.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
        "minimum" => value.as_i64().is_none_or(|value| value >= rule.as_i64().unwrap()),
        "maximum" => value.as_i64().is_none_or(|value| value <= rule.as_i64().unwrap()),
        "minLength" => length(chars(), |found, limit| found >= limit),
        "maxLength" => length(chars(), |found, limit| found <= limit),
        "minItems" => length(items(), |found, limit| found >= limit),
        "maxItems" => length(items(), |found, limit| found <= limit),
        "pattern" => {
            value.as_str().is_none_or(|text| Regex::new(rule.as_str().unwrap()).unwrap().is_match(text))
        }
        other => panic!("the test does not know the keyword {other}"),
    }
}

#[test]
fn sections_have_the_parser_s_keys_defaults_and_ranges() {
    let (schema, effective) = (schema(), as_json(&parse("").unwrap().effective()));
    let sections = &schema["properties"];
    assert_eq!(keys(sections), keys(&effective));
    for section in SECTIONS {
        assert_eq!(keys(&sections[section]["properties"]), keys(&effective[section]));
        for (key, rule) in sections[section]["properties"].as_object().unwrap() {
            assert_eq!(rule["default"], effective[section][key], "default of {section}.{key}");
            let expected = expected(&format!("[{section}]\n{key} = {WRONG}\n"));
            assert!(says(rule, &expected), "{section}.{key}: expected {expected}, schema {rule}");
        }
    }
}

/// Returns whether a rule, or its description if a schema cannot express it, states what the parser expects.
fn says(rule: &Value, expected: &str) -> bool {
    if rule["type"] == "boolean" {
        return expected == "true or false";
    }
    if let (Some(low), Some(high)) = (rule.get("minimum"), rule.get("maximum")) {
        return expected == format!("a whole number from {low} to {high}");
    }
    let words: Vec<_> = rule["enum"].as_array().into_iter().flatten().map(Value::to_string).collect();
    let description = rule["description"].as_str().unwrap();
    expected == format!("one of {}", words.join(", ")) || description.ends_with(&format!(": {expected}."))
}

#[test]
fn routes_have_the_parser_s_keys_defaults_and_choices() {
    let schema = schema();
    let route = &schema["definitions"]["route"];
    let effective = as_json(&parse(ROUTE).unwrap().effective());
    let effective = &effective["route"][0];
    assert_eq!(keys(&route["properties"]), keys(effective));
    assert_eq!(route["required"], json!(["name", "files", "solver"]));
    for key in ["allow_directives", "if_exists"] {
        let rule = &route["properties"][key];
        assert_eq!(rule["default"], effective[key], "{key}");
        let expected = expected(&format!("{ROUTE}{key} = {WRONG}\n"));
        assert!(says(rule, &expected), "{key}: expected {expected}, schema {rule}");
    }
    for key in LIMITS {
        let spec = COMMON.iter().find(|spec| spec.name == key).unwrap();
        assert_eq!(route["properties"][key], rule(spec), "{key}");
    }
    let ids: Vec<_> = SOLVERS.iter().map(|solver| solver.id()).collect();
    assert_eq!(route["properties"]["solver"]["enum"], json!(ids));
}

#[test]
fn every_solver_has_its_options_in_the_schema() {
    let route = &schema()["definitions"]["route"];
    let shared = || COMMON.iter().filter(|spec| !LIMITS.contains(&spec.name)).chain(GRADING);
    let wanted = shared().map(|spec| (spec.name.to_owned(), rule(spec))).collect();
    assert_eq!(route["properties"]["options"]["properties"], Value::Object(wanted));
    let rules = route["allOf"].as_array().unwrap();
    assert_eq!(rules.len(), SOLVERS.len());
    for (found, solver) in rules.iter().zip(SOLVERS) {
        assert_eq!(
            found["if"],
            json!({ "properties": { "solver": { "const": solver.id() } }, "required": ["solver"] })
        );
        let mut wanted: Map<_, _> = shared().map(|spec| (spec.name.to_owned(), json!(true))).collect();
        wanted.extend(solver.options().iter().map(|spec| (spec.name.to_owned(), rule(spec))));
        let options = &found["then"]["properties"]["options"];
        assert_eq!(options["additionalProperties"], json!(false));
        assert_eq!(options["properties"], Value::Object(wanted), "{}", solver.id());
    }
}

/// Returns an option's rule in the schema.
fn rule(spec: &OptionSpec) -> Value {
    const DURATION: &str = "^([0-9]+ *[A-Za-zµ]+ *)+$";
    const SIZE: &str = r"^[0-9]+(\.[0-9]+)? *([kKmMgGtTpP]i?)?[bB]?$";
    let range = |min: u64, max: u64| match i64::try_from(max) {
        Ok(max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
        // TOML guarantees only 63 bits; a larger number is a string.
        Err(_) => json!({ "anyOf": [{ "type": "integer", "minimum": min }, { "const": max.to_string() }] }),
    };
    let mut rule = match spec.kind.range {
        Range::Nothing => json!({ "enum": spec.kind.words }),
        Range::Flag => json!({ "type": "boolean" }),
        Range::Integer { min, max } | Range::PowerOfTwo { min, max } => range(min, max),
        Range::Fraction => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Range::Duration { .. } => json!({ "type": "string", "pattern": DURATION }),
        Range::Size { min, max } => json!({ "anyOf": [
            { "type": "string", "pattern": SIZE },
            { "type": "integer", "minimum": min, "maximum": max },
        ] }),
    };
    if !matches!(spec.kind.range, Range::Nothing) && !spec.kind.words.is_empty() {
        rule = json!({ "anyOf": [{ "enum": spec.kind.words }, rule] });
    }
    if spec.name == "language" {
        // The default is the language of the results.
        let about = format!("{}; where absent, as results.language says: {}.", spec.help, spec.kind);
        rule["description"] = json!(about);
        return rule;
    }
    rule["description"] = json!(format!("{}: {}.", spec.help, spec.kind));
    let number = spec.default.parse::<u64>().map(Value::from);
    let flag = spec.default.parse::<bool>().map(Value::from);
    rule["default"] = number.or(flag).unwrap_or_else(|_| json!(spec.default_value().to_string()));
    rule
}

#[test]
fn the_schema_takes_the_shipped_configuration() {
    assert!(SHIPPED.starts_with("#:schema ./tabuleiro.schema.json\n"), "editors look in the first comment");
    for text in [SHIPPED, &parse("").unwrap().effective(), ""] {
        assert_eq!(fault(&schema(), &as_json(text), "$"), None);
    }
}

#[test]
fn the_schema_and_the_parser_agree() {
    let route = |text: &str| format!("{ROUTE}{text}\n");
    let section = |section: &str, text: &str| format!("[{section}]\n{text}\n");
    let cases = [
        (section("folders", "inbox = \"a\""), true),
        (section("folders", "inbox = \"\""), false),
        (section("folders", "inbok = \"a\""), false),
        (section("log", "files_kept = 10000"), true),
        (section("log", "files_kept = 10001"), false),
        (section("log", "files_kept = -1"), false),
        (section("log", "level = \"loud\""), false),
        (section("intake", "ignore = []"), true),
        (section("intake", "ignore = [1]"), false),
        (section("intake", "ignore = [\"\"]"), false),
        (section("intake", "quiet_period = \"1h\""), true),
        (section("intake", "rescan_interval = \"1h 30m\""), true),
        (section("intake", "quiet_period = \"1\""), false),
        (section("intake", "quiet_period = 1"), false),
        (section("intake", "size_limit = 4096"), true),
        (section("intake", "size_limit = \"1.5 GiB\""), true),
        (section("intake", "size_limit = 0"), false),
        (section("intake", "size_limit = \"big\""), false),
        (section("results", "formats = [\"json\", \"txt\"]"), true),
        (section("results", "formats = [\"json\"]"), false),
        (section("results", "mode = \"0660\""), true),
        (section("results", "mode = \"777\""), true),
        (section("results", "mode = \"0577\""), false),
        (section("results", "mode = \"1777\""), false),
        (section("results", "group = \"alunos\""), true),
        (section("results", "group = \"a b\""), false),
        (section("results", "readers = \"owner\""), true),
        (section("results", "readers = \"everybody\""), false),
        (section("retention", "done_age = \"none\""), true),
        (section("retention", "done_age = \"2weeks\""), true),
        (section("retention", "done_age = \"never\""), false),
        (section("metrics", "listen = \"127.0.0.1:9184\""), true),
        (section("metrics", "listen = \"[::1]:9184\""), true),
        (section("metrics", "listen = \"localhost\""), false),
        (section("metrics", "textfile = \"a.prom\""), true),
        (section("metrics", "textfile = \"a.txt\""), false),
        (section("page", "path = \"site/index.html\""), true),
        (section("page", "path = \"\""), true),
        (section("page", "path = \"site/.html\""), false),
        (section("page", "path = \"index.htm\""), false),
        ("route = []\n".to_owned(), false),
        ("rout = 1\n".to_owned(), false),
        ("[[route]]\nname = \"a\"\n".to_owned(), false),
        (route("options = { depth = \"auto\", witness = true }"), true),
        (route("options = { depth = 8 }"), true),
        (route("options = { depth = 9 }"), false),
        (route("options = { goal = 8 }"), false),
        (route("time_limit = \"none\""), true),
        (route("memory_limit = 1048576"), true),
        (route("memory_limit = 1048575"), false),
        (route("if_exists = \"ask\""), false),
        (route("options = { witness = \"required\" }"), true),
        (route("options = { witness = \"needed\" }"), false),
        (route("grade = \"x\"\nattempts = 3\ndeadline = \"2026-12-01T23:59:00-03:00\""), true),
        (route("grade = \"x\"\nattempts = \"unlimited\"\ndeadline = \"\""), true),
        (route("grade = \"x\"\nattempts = 0"), false),
        (route("grade = \"x\"\ndeadline = \"2026-12-01T23:59:00\""), false),
        (route("grade = \"x\"\ndeadline = \"amanhã\""), false),
        (route("depth = 2"), false),
    ];
    for (text, valid) in cases {
        assert_eq!(parse(&text).is_ok(), valid, "parser: {text}");
        let found = fault(&schema(), &as_json(&text), "$");
        assert_eq!(found.is_none(), valid, "schema: {text}{found:?}");
    }
}

/// A sixth solver needs no edit: the schema has the options of all given solvers.
#[test]
fn solvers_of_others_are_in_their_schema() {
    let schema: Value = serde_json::from_str(&Config::schema(&SOLVERS[..2])).unwrap();
    let route = &schema["definitions"]["route"];
    assert_eq!(route["properties"]["solver"]["enum"].as_array().unwrap().len(), 2);
    assert_eq!(route["allOf"].as_array().unwrap().len(), 2);
}
