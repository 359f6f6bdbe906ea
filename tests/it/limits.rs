//! docs/limits.md against the code and the configuration: nothing is missing, every value is right.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tabuleiro::solver::{duration, size};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Where every constant that is a limit must be in the table; solvers have many that bound nothing outside.
const COVERED: [&str; 9] = [
    "src/config",
    "src/daemon",
    "src/input",
    "src/job",
    "src/logging",
    "src/picture",
    "src/remote",
    "src/job/naming.rs",
    "src/cli",
];
/// Names of constants that are limits end like this.
const ENDINGS: [&str; 5] = ["_MAX", "_INTERVAL", "_MARGIN", "_LAST", "_BYTES"];
/// No limits of what users give or get, or told with another constant.
const NOT_LIMITS: [(&str, &str); 15] = [
    // For whoever tries a worker with any bytes.
    ("src/remote/worker/trial.rs", "MEMORY_MAX"),
    ("src/remote/worker/trial.rs", "PUZZLES_MAX"),
    ("src/remote/worker/trial.rs", "TIME_MAX"),
    // Sizes of a line and of a name.
    ("src/remote/worker/hands.rs", "LINE_BYTES"),
    ("src/remote/protocol/subject.rs", "BUILD_BYTES"),
    // How a chart and a board look.
    ("src/picture/chart.rs", "MARKS_MAX"),
    ("src/picture/chart.rs", "POWERS_MAX"),
    ("src/picture/chart.rs", "POWER_MAX"),
    ("src/picture/chart.rs", "PLAIN_MAX"),
    ("src/picture/strip.rs", "SMALL_MAX"),
    ("src/picture/tiles.rs", "EMPTY_MAX"),
    // The size of a mark in a name.
    ("src/daemon/records/archive.rs", "CUT_MARK_BYTES"),
    // The size of a field's head.
    ("src/job/archive/path.rs", "UNICODE_HEAD_BYTES"),
    // A longer number takes the careful way.
    ("src/input/rows.rs", "DIGITS_MAX"),
    // The size of a digest.
    ("src/job/naming.rs", "DIGEST_BYTES"),
];

/// A row of the table: default, and key or constant.
struct Row {
    default: String,
    place: String,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(Path::new(ROOT).join("docs/limits.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.contains("| | |"));
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 4, "{line}");
        Row { default: cells[1].to_owned(), place: cells[2].to_owned() }
    };
    rows.map(row).skip(1).collect()
}

/// The constants of a file with the text of their values.
fn constants(path: &str) -> BTreeMap<String, String> {
    let text =
        fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let constant = |line: &str| {
        let (_, rest) = line.trim_start().split_once("const ")?;
        let (name, rest) = rest.split_once(": ")?;
        let (_, value) = rest.split_once(" = ")?;
        let named =
            name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        named.then(|| (name.to_owned(), value.trim_end_matches(';').to_owned()))
    };
    text.lines().filter_map(constant).collect()
}

/// The value of a constant: whole numbers with `*`, `<<`, `-` and parentheses around the first term, or a time in its own unit.
fn value(text: &str) -> Option<u64> {
    if let Some(seconds) = text.strip_prefix("Duration::from_secs(") {
        return seconds.strip_suffix(')')?.replace('_', "").parse().ok();
    }
    let text = text.replace(['(', ')', '_'], "");
    if let Some((left, right)) = text.split_once(" - ") {
        return Some(value(left)? - value(right)?);
    }
    if let Some((left, right)) = text.split_once(" << ") {
        return Some(value(left)? << value(right)?);
    }
    if let Some(millis) = text.strip_prefix("Duration::frommillis") {
        return millis.parse().ok();
    }
    text.split(" * ").map(|factor| factor.parse::<u64>().ok()).product()
}

/// A default as the table writes it for a constant: `10,000`, `4 KiB`, `2 s`.
fn written(text: &str) -> Option<u64> {
    let text = text.replace(',', "");
    match text.split_once(' ') {
        None => text.parse().ok(),
        Some((time, "s" | "ms")) => time.parse().ok(),
        Some((number, unit)) => size(&format!("{number}{unit}")),
    }
}

#[test]
fn every_constant_of_the_table_has_the_value_that_it_says() {
    let mut seen = 0;
    for row in rows() {
        let Some((name, path)) = row.place.split_once("` in `") else { continue };
        let (name, path) = (name.trim_start_matches('`'), path.trim_end_matches('`'));
        let constants = constants(path);
        let found = constants.get(name).unwrap_or_else(|| panic!("{path} has no constant {name}"));
        let found = value(found).unwrap_or_else(|| panic!("{path}: {name} = {found}"));
        assert_eq!(written(&row.default), Some(found), "{name} in {path}: the table says {}", row.default);
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn every_limit_among_the_constants_is_in_the_table() {
    let mut missing = BTreeSet::new();
    let told: BTreeSet<_> = rows().into_iter().map(|row| row.place).collect();
    let mut files = Vec::new();
    for root in COVERED {
        collect(Path::new(ROOT).join(root).as_path(), &mut files);
    }
    assert!(files.len() > 40, "{}", files.len());
    for path in files {
        let path = path.strip_prefix(ROOT).unwrap().trim_start_matches('/').to_owned();
        for name in constants(&path).into_keys() {
            let is_limit = ENDINGS.iter().any(|ending| name.ends_with(ending));
            let is_told = told.contains(&format!("`{name}` in `{path}`"));
            if is_limit && !is_told && !NOT_LIMITS.contains(&(path.as_str(), name.as_str())) {
                missing.insert(format!("{name} in {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "not in docs/limits.md: {missing:?}");
}

fn collect(path: &Path, files: &mut Vec<String>) {
    // Models of file systems and the like: no part of the program.
    if path.ends_with("crash_matrix") || path.ends_with("fs/model") {
        return;
    }
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), files);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
        let path = path.to_string_lossy().into_owned();
        if !path.ends_with("_tests.rs") {
            files.push(path);
        }
    }
}

/// The keys of the shipped configuration that are numbers, durations or sizes (or may be), or `"none"` for no limit,
/// with their defaults.
fn keys() -> BTreeMap<String, String> {
    let text = fs::read_to_string(Path::new(ROOT).join("config/tabuleiro.toml")).unwrap();
    let document: toml::Table = text.parse().unwrap();
    let mut keys = BTreeMap::new();
    let mut add = |section: &str, table: &toml::Table| {
        for (key, value) in table {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            // A mode has octal digits and counts nothing.
            let is_number = duration(&value).is_some() || size(&value).is_some();
            let counts = is_number || value == "none" || key == "memory_limit";
            if counts && key != "mode" {
                keys.insert(format!("`{section}.{key}`"), format!("`{value}`"));
            }
        }
    };
    for section in document.keys().filter(|section| *section != "route") {
        add(section, document[section].as_table().unwrap());
    }
    // The first route has every key.
    add("route", document["route"][0].as_table().unwrap());
    keys
}

#[test]
fn every_limit_of_the_configuration_is_in_the_table_with_its_default() {
    let told: BTreeMap<_, _> = rows()
        .into_iter()
        .filter(|row| !row.place.contains(" in "))
        .map(|row| (row.place, row.default))
        .collect();
    let keys = keys();
    assert!(keys.len() >= 11, "{keys:?}");
    assert_eq!(told, keys, "docs/limits.md on the left, config/tabuleiro.toml on the right");
}
