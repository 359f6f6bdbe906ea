//! Checks what the compiler cannot check about layers: inside the program's crate, imports lead one way.

use std::fs;
use std::path::Path;

use regex::Regex;

/// The layers of `src/`, from the lowest up. A file imports only from its own layer and from those before it.
const ROOMS: [&str; 13] = [
    "config",
    "logging",
    "daemon/base",
    "daemon/fs",
    "daemon/claims",
    "daemon/answering",
    "daemon/intake",
    "daemon/publishing",
    "daemon/records",
    "daemon/inspect",
    "daemon/service",
    "daemon",
    "cli",
];

/// Returns the index of the layer that holds the module `path`, such as `daemon/fs/tree`; `None` for the crate's root.
fn room(path: &str) -> Option<usize> {
    let holds =
        |room: &&str| path.strip_prefix(*room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    ROOMS.iter().position(holds)
}

/// Returns the imports in `text`, a file of `module`, that lead to a layer above its own.
fn wrong_imports(module: &str, text: &str) -> Vec<String> {
    let import = Regex::new(r"\b(crate|(?:super::)*super)((?:::[a-z_]\w*)+)").unwrap();
    let Some(here) = room(module) else { return Vec::new() };
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let leads_up = |path: &&str| room(path).is_some_and(|there| there > here);
    let target = |found: regex::Captures<'_>| {
        let base = match &found[1] {
            "crate" => "",
            supers => module.rsplitn(supers.matches("super").count() + 1, '/').last().unwrap_or_default(),
        };
        format!("{base}/{}", found[2][2..].replace("::", "/")).trim_start_matches('/').to_owned()
    };
    let targets: Vec<_> = import.captures_iter(&code).map(target).collect();
    targets
        .iter()
        .map(String::as_str)
        .filter(leads_up)
        .map(|path| format!("src/{module} imports {path}"))
        .collect()
}

fn check(folder: &Path, root: &Path, files: &mut usize, wrong: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap();
        if path.is_dir() && name != "daemon/crash_matrix" && !name.ends_with("/tests") {
            check(&path, root, files, wrong);
        } else if let Some(module) = name.strip_suffix(".rs").filter(|module| !module.ends_with("tests")) {
            *files += 1;
            let module = module.trim_end_matches("/mod");
            wrong.extend(wrong_imports(module, &fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn imports_lead_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut wrong) = (0, Vec::new());
    check(&root, &root, &mut files, &mut wrong);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(files > 100, "only {files} files were read");
}

#[test]
fn an_import_that_leads_up_is_found() {
    let found = |module, line| wrong_imports(module, line).len();
    assert_eq!(found("daemon/fs/tree", "use crate::daemon::claims::Claim;"), 1);
    assert_eq!(found("daemon/fs", "use super::claims::Claim;"), 1);
    assert_eq!(found("daemon/claims/claim", "use crate::daemon::fs::Disk; use super::outputs::found;"), 0);
    assert_eq!(found("config", "use crate::cli::exit::ExitCode;"), 1);
}
