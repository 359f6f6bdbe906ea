//! Checks that what the documents name in backquotes exists: paths of the repository, and items of the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use globset::Glob;
use regex::Regex;

use super::ROOT;
use super::page::all_documents;

/// The repository: its paths, and the identifiers of its Rust sources.
struct Repository {
    paths: BTreeSet<String>,
    /// Names of items, by the file that defines them.
    items: BTreeMap<String, BTreeSet<String>>,
}

impl Repository {
    fn read() -> Self {
        let mut repository = Self { paths: BTreeSet::new(), items: BTreeMap::new() };
        repository.add(Path::new(ROOT));
        repository
    }

    fn add(&mut self, folder: &Path) {
        let definition = Regex::new(
            r"\b(?:fn|struct|enum|trait|const|static|type|mod)\s+(\w+)|^\s*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*(?:[,({:]|= |$)|^impl.*?(\w+)(?:<[^>]*>)? \{$",
        )
        .unwrap();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(ROOT).unwrap().to_str().unwrap().to_owned();
            // Build output, and the files that the service and git keep, are not part of the repository.
            if ["target", ".git", "var", "fuzz/target"].contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                self.paths.insert(format!("{name}/"));
                self.add(&path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let found = text.lines().flat_map(|line| definition.captures_iter(line));
                let names =
                    found.map(|found| found.iter().skip(1).flatten().next().unwrap().as_str().to_owned());
                self.items.insert(name.clone(), names.collect());
            }
            self.paths.insert(name);
        }
    }

    /// Returns whether `path` exists at the root of the repository, or anywhere if it is a bare name. A part in
    /// capitals, such as `ID`, stands for any name.
    fn has_path(&self, path: &str) -> bool {
        let any = |part: &str| Regex::new(r"\b[A-Z]{2,}\b").unwrap().replace_all(part, "*").into_owned();
        let parts: Vec<_> = path.trim_end_matches('/').split('/').map(any).collect();
        let anywhere = if parts.len() == 1 { "**/" } else { "" };
        let matcher = Glob::new(&format!("{anywhere}{}", parts.join("/"))).unwrap().compile_matcher();
        self.paths.iter().any(|known| matcher.is_match(known.trim_end_matches('/')))
    }

    /// Returns whether one source, whose path ends with `file`, defines every name of `item`, as in `Disk::rename`.
    fn has_item(&self, file: &str, item: &str) -> bool {
        let mut files = self.items.iter().filter(|(path, _)| path.ends_with(file));
        files.any(|(_, known)| item.split("::").all(|name| known.contains(name.trim_end_matches("()"))))
    }
}

/// Returns what is wrong with one span in backquotes.
fn fault(repository: &Repository, span: &str) -> Option<String> {
    let path = Regex::new(r"^(?:[\w.*-]+/)+[\w.*{},-]*$").unwrap();
    let item = Regex::new(r"^(?:[A-Z]\w*::)+\w+(?:\(\))?$").unwrap();
    let file_item = Regex::new(r"^([\w./-]+\.rs): ([\w:]+)$").unwrap();
    let file = Regex::new(r"^[\w-]+\.rs$").unwrap();
    let top = |path: &str| Path::new(ROOT).join(path.split('/').next().unwrap()).is_dir();
    if let Some(found) = file_item.captures(span) {
        let (file, item) = (&found[1], &found[2]);
        return (!repository.has_item(file, item)).then(|| format!("{file} has no {item}"));
    }
    let is_ours = path.is_match(span)
        && top(span)
        && !["inbox", "outbox", "target"].contains(&span.split('/').next().unwrap());
    if (is_ours || file.is_match(span)) && !repository.has_path(span) {
        return Some(format!("there is no {span}"));
    }
    let is_missing = item.is_match(span) && !repository.has_item(".rs", span);
    is_missing.then(|| format!("no source defines {span}"))
}

#[test]
fn what_the_documents_name_in_backquotes_exists() {
    let repository = Repository::read();
    let (mut checked, mut faults) = (0, Vec::new());
    for page in all_documents() {
        for span in super::prose(&page.text).split('`').skip(1).step_by(2) {
            checked += 1;
            faults.extend(fault(&repository, span).map(|fault| format!("{}: {fault}", page.path)));
        }
    }
    assert!(checked >= 500, "only {checked} spans in backquotes");
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn what_does_not_exist_is_found() {
    let repository = Repository::read();
    for right in [
        "src/lib.rs",
        "docs/solvers/ID.md",
        "scanner.rs",
        "tests/it/*.rs",
        "Disk::rename",
        "crates/jobs/src/answering.rs: answer",
        "any words",
    ] {
        assert_eq!(fault(&repository, right), None);
    }
    for wrong in ["src/none.rs", "none.rs", "tests/none/*.rs", "Disk::none", "crates/jobs/src/lib.rs: none"] {
        assert!(fault(&repository, wrong).is_some(), "{wrong}");
    }
}
