//! docs/regressions.md names a test for every finding and every complaint; each of them exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All that is written in Rust below a folder.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// The names in backquotes in the last cell of a row.
fn tests_of(row: &str) -> Vec<&str> {
    let cell = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap();
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_finding_and_complaint_has_a_test_that_exists() {
    let table = fs::read_to_string(Path::new(ROOT).join("docs/regressions.md")).unwrap();
    let mut text = String::new();
    for folder in ["src", "tests"] {
        sources(&Path::new(ROOT).join(folder), &mut text);
    }
    let rows: Vec<_> =
        table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what")).collect();
    let (mut seen, mut missing) = (BTreeSet::new(), Vec::new());
    for row in &rows {
        let tests = tests_of(row);
        assert!(!tests.is_empty(), "no test in: {row}");
        for test in tests {
            let name = test.rsplit("::").next().unwrap();
            if !text.contains(&format!("#[test]\n    fn {name}()"))
                && !text.contains(&format!("#[test]\nfn {name}()"))
            {
                missing.push(test);
            }
            seen.insert(test);
        }
    }
    assert!(missing.is_empty(), "no such tests: {missing:#?}");
    let findings: Vec<_> =
        rows.iter().filter_map(|row| row[2..].split_once('.')?.0.parse::<u32>().ok()).collect();
    assert_eq!(findings, (1..=10).collect::<Vec<_>>());
    assert!(rows.len() >= 45 && seen.len() >= 60, "{} rows, {} tests", rows.len(), seen.len());
}
