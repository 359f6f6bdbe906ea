//! Every file of the fuzzers' corpora, through the checks of its target: what a fuzzer once found stays found.

use std::fs;
use std::path::Path;

use rayon::prelude::*;
use tabuleiro::solver::{self, Authority};

#[path = "../../fuzz/src/checks/mod.rs"]
mod checks;

#[test]
fn every_file_of_the_corpora_passes_the_checks_of_its_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (target, check) in checks::TARGETS {
        let folder = root.join(target);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 10, "{} has {} files", folder.display(), files.len());
        files.par_iter().for_each(|file| {
            println!("{}", file.display());
            check(&fs::read(file).unwrap());
        });
    }
}

/// A target that no list names would never be run.
#[test]
fn every_target_is_in_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let mut files: Vec<String> = fs::read_dir(root.join("fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut listed: Vec<String> = checks::TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    files.sort_unstable();
    listed.sort_unstable();
    assert_eq!(files, listed);
}

/// Found by the target `directives`: the error quoted the value as it stood in the file, tabs included, and in
/// full length.
#[test]
fn a_limit_that_was_raised_is_quoted_in_print() {
    let mut options = solver::default_options(solver::SOLVERS[0]);
    for value in ["2m\t1s".to_owned(), "61s ".repeat(500)] {
        let error =
            options.set("time_limit", value.trim_end(), Authority::Directive).unwrap_err().to_string();
        assert!(!error.contains('\t') && error.len() < 200, "{error:?}");
    }
}
