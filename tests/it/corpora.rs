//! Runs every file of the fuzzers' corpora through the checks of its target, so that a fault found once cannot return
//! unnoticed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tabuleiro_puzzles::solver::{self, Authority, SOLVERS};

use crate::stated::golden;

#[path = "../../fuzz/src/checks/mod.rs"]
mod checks;

pub use checks::pages::sound;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz");

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 10, "{} has {} files", folder.display(), files.len());
    files
}

fn check_all(files: &[PathBuf], check: impl Fn(&[u8]) + Sync) {
    files.par_iter().for_each(|file| {
        println!("{}", file.display());
        check(&fs::read(file).unwrap());
    });
}

#[test]
fn every_file_of_the_corpora_passes_the_checks_of_its_target() {
    let corpora = Path::new(ROOT).join("corpus");
    for (target, check) in checks::TARGETS {
        check_all(&files(&corpora.join(target)), check);
    }
    for solver in SOLVERS {
        let check = |input: &[u8]| checks::check_solver(*solver, input);
        let folder = corpora.join(solver.id());
        if folder.exists() {
            check_all(&files(&folder), check);
        } else {
            // The first byte chooses options and limits.
            let inputs: Vec<_> = golden(*solver).into_iter().map(|input| input.file).collect();
            let chosen = |input: &Vec<u8>| {
                (0..=u8::MAX).step_by(5).for_each(|byte| check(&[&[byte], &input[..]].concat()));
            };
            inputs.par_iter().for_each(chosen);
        }
    }
}

/// Every byte of an archive has a meaning, so the test changes each byte of each archive in a few ways.
#[test]
fn an_archive_with_any_byte_changed_passes_the_checks() {
    let small = |file: &PathBuf| fs::metadata(file).unwrap().len() < 1000;
    let files: Vec<_> = files(&Path::new(ROOT).join("corpus/archive")).into_iter().filter(small).collect();
    assert!(files.len() >= 10);
    files.par_iter().for_each(|file| {
        let archive = fs::read(file).unwrap();
        for at in 0..archive.len() {
            for change in [0x01, 0x08, 0x80, 0xff, archive[at]] {
                let mut changed = archive.clone();
                changed[at] ^= change;
                checks::archive::check(&changed);
            }
        }
    });
}

/// A target missing from the list would never run. Nor would the rules of a removed solver.
#[test]
fn every_target_is_in_the_list() {
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(Path::new(ROOT).join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    let solvers: BTreeSet<_> = SOLVERS.iter().map(|solver| solver.id().to_owned()).collect();
    let mut targets: BTreeSet<_> = checks::TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    if cfg!(not(feature = "workers")) {
        targets.insert("remote".to_owned());
    }
    let mut programs = targets.clone();
    programs.insert("solvers".to_owned());
    assert_eq!(names("fuzz_targets"), programs);
    assert!(names("corpus").is_subset(&(&solvers | &targets)), "a corpus of nothing");
    assert!(checks::REPLAYED.iter().all(|(id, _)| solvers.contains(*id)), "rules of no solver");
}

/// The target `directives` found this: the error quoted the value as in the file, with tabs and in full length.
#[test]
fn a_limit_that_was_raised_is_quoted_in_print() {
    let mut options = solver::default_options(solver::SOLVERS[0]);
    for value in ["2m\t1s".to_owned(), "61s ".repeat(500)] {
        let error =
            options.set("time_limit", value.trim_end(), Authority::Directive).unwrap_err().to_string();
        assert!(!error.contains('\t') && error.len() < 200, "{error:?}");
    }
}
