//! `tabuleiro init --judge`: writes the files that a judge or grader needs, including the running program. The
//! templates are files in this folder.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use sha2::{Digest, Sha256};

use super::init::InitArgs;
use super::solved_reference::Reference;
use super::summary_text::{failure, start_pool};
use super::validate::well_formed;
use crate::cli::arguments::printable_path;
use crate::cli::failure::{Exit, Failure, print};
use tabuleiro_jobs::{Job, JobInfo, Pool, Progress, Reading, TextSink, hex};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Authority, Cancel, Options, Solver, Work};

/// The judge or grader for which `init` makes a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Judge {
    #[value(help = "A problem package for Kattis, DOMjudge and others")]
    Kattis,
    /// Execution files for Moodle's VPL
    Vpl,
    /// An autograder for Gradescope
    Gradescope,
}

/// The statements in Portuguese, each with its title on the first line.
const PORTUGUESE: [(&str, &str); 5] = [
    ("checkers-capture", include_str!("kattis/checkers-capture.pt.tex")),
    ("2048-merge", include_str!("kattis/2048-merge.pt.tex")),
    ("2048-astar", include_str!("kattis/2048-astar.pt.tex")),
    ("2048-game", include_str!("kattis/2048-game.pt.tex")),
    ("jump-game", include_str!("kattis/jump-game.pt.tex")),
];

/// Python code that cuts the last line off an answer, for a wrong submission.
const BUT_LAST_LINE: &str = "[:answer[:-1].rfind(\"\\n\") + 1]";

/// The folder of a judge while it is being written.
struct Package<'a> {
    folder: &'a Path,
    solver: &'static dyn Solver,
    options: Options,
    /// The reference without its directives, which are already in `options`.
    text: String,
    pool: Pool,
}

/// Creates the folder for a judge. With `--each`, every puzzle of the reference becomes a test case of its own.
///
/// # Errors
/// Exit code 78 if the program is not linked statically, 73 if the folder exists or cannot be created. Also fails if
/// the reference cannot be solved.
pub fn make(judge: Judge, reference: &Path, args: &InitArgs) -> Result<Exit, Failure> {
    if !cfg!(target_feature = "crt-static") {
        let message = "this program needs shared libraries, which a judge lacks: build the static \
                       program with packaging/static, and run target/static/tabuleiro init";
        return Err(Failure::new(Exit::Config, message));
    }
    let reference = Reference::open(reference, &args.reading, None)?;
    let pool = start_pool(&reference.config)?;
    let text = String::from_utf8_lossy(&reference.text);
    let text = text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("#:")).collect();
    let (solver, options) = (reference.job.solver, reference.job.options.clone());
    // Every puzzle must have a proved answer, whichever machine judges it.
    let key = reference.solve()?;
    if let Some(puzzle) = key.unjudged() {
        let message = format_args!("the answer to puzzle {puzzle} of the reference is undecided");
        return Err(Failure::new(Exit::Data, message));
    }
    let folder = &*args.folder;
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| Failure::create(parent, &error))?;
    }
    // No other user may read the reference while its folder is written.
    DirBuilder::new().mode(0o700).create(folder).map_err(|error| Failure::create(folder, &error))?;
    let package = Package { folder, solver, options, text, pool };
    match judge {
        Judge::Kattis => package.kattis(args.each)?,
        Judge::Vpl => package.write_script("vpl_evaluate.sh", include_str!("vpl/vpl_evaluate.sh"))?,
        Judge::Gradescope => {
            package.write_script("run_autograder", include_str!("gradescope/run_autograder"))?;
            package.write("setup.sh", include_str!("gradescope/setup.sh"), true)?;
        }
    }
    print(&format!("made {}\n", printable_path(folder))).map(|()| Exit::Ok)
}

impl Package<'_> {
    /// Writes the script of a grader, and the files that it needs.
    fn write_script(&self, name: &str, script: &str) -> Result<(), Failure> {
        let flags = format!("--solver {}", self.solver_with_options());
        self.write(name, &script.replace("{flags}", &flags), true)?;
        self.write("program.sh", include_str!("program.sh"), true)?;
        self.write("entrada.txt", &self.text, false)?;
        self.copy_program("tabuleiro")
    }

    /// Writes a problem package.
    fn kattis(&self, each: bool) -> Result<(), Failure> {
        let info = self.solver.info();
        let secret = if each { self.puzzles(&self.text, &self.options)? } else { vec![self.whole()?] };
        // If the options of the package change the rules, the solver's example may be invalid. Then it is left out.
        let example = self.puzzles(info.example.input, &self.options);
        let mut known = HashSet::new();
        let mut answers = serde_json::Map::new();
        for (group, cases) in [("secret", secret), ("sample", example.unwrap_or_default())] {
            // Identical test cases are written once.
            let new = cases.into_iter().filter(|(text, _)| known.insert(text.clone()));
            for (number, (text, needs_proof)) in (1..).zip(new) {
                let answer = self.answer(&text, needs_proof)?;
                self.write(&format!("data/{group}/{number:03}.in"), &text, false)?;
                self.write(&format!("data/{group}/{number:03}.ans"), &answer, false)?;
                answers.insert(hex(&Sha256::digest(&text)), answer.into());
            }
        }
        let answers = serde_json::Value::from(answers).to_string().replace("\",\"", "\",\n    \"");
        for (name, about, part) in [
            ("accepted/right.py", "A right submission", ""),
            ("wrong_answer/unfinished.py", "A wrong submission, which omits the last line", BUT_LAST_LINE),
        ] {
            let text = include_str!("kattis/submission.py").replace("{about}", about).replace("{part}", part);
            self.write(&format!("submissions/{name}"), &text.replace("{answers}", &answers), false)?;
        }
        for (folder, command) in
            [("output_validators", "validate --solver"), ("input_validators", "validate-input")]
        {
            let command = format!("{command} {}", self.solver_with_options());
            let run = include_str!("kattis/run-validator").replace("{command}", &command);
            self.write(&format!("{folder}/tabuleiro/build"), "#!/bin/sh\n", true)?;
            self.write(&format!("{folder}/tabuleiro/run"), &run, true)?;
            self.copy_program(&format!("{folder}/tabuleiro/tabuleiro"))?;
        }
        let digest = hex(&Sha256::digest(&self.text));
        let parts = [&digest[..8], &digest[8..12], &digest[13..16], &digest[17..20], &digest[20..32]];
        // A UUID of version 8, whose bits are application-specific.
        let uuid = format!("{}-{}-8{}-8{}-{}", parts[0], parts[1], parts[2], parts[3], parts[4]);
        self.write("problem.yaml", &include_str!("kattis/problem.yaml").replace("{uuid}", &uuid), false)?;
        self.statements()
    }

    /// Writes the statements, including the options that change the rules of the puzzle.
    fn statements(&self) -> Result<(), Failure> {
        let info = self.solver.info();
        let (name, about) = (info.id.replace('-', " "), info.about.split_at(1));
        let english = include_str!("kattis/statement.en.tex")
            .replace("{name}", &name)
            .replace("{about}", &format!("{}{}", about.0.to_uppercase(), about.1))
            .replace("{input_format}", info.input_format.trim_end())
            .replace("{output_format}", info.output_format.trim_end());
        let portuguese = PORTUGUESE.iter().find(|(id, _)| *id == info.id).map_or("", |(_, text)| text);
        let is_rule = |name: &str| info.options.iter().any(|spec| spec.name == name);
        let chosen = self.options.chosen().into_iter().filter(|(name, _)| is_rule(name));
        let rules: String = chosen.map(|(name, value)| format!("\\verb|{name} = {value}|\n\n")).collect();
        for (language, text, heading) in [("en", &*english, "Rules"), ("pt", portuguese, "Regras")] {
            let with_rules = format!("{text}\n\\section*{{{heading}}}\n{rules}");
            let text = if rules.is_empty() { text } else { &with_rules };
            self.write(&format!("problem_statement/problem.{language}.tex"), text, false)?;
        }
        Ok(())
    }

    /// Returns the whole reference as one test case, and whether its answer needs a proof.
    fn whole(&self) -> Result<(String, bool), Failure> {
        well_formed(self.text.as_bytes(), self.solver, &self.options).map_err(|why| {
            let message = format_args!(
                "the reference is not a valid test case: {why}; --each writes each of its puzzles as a file"
            );
            Failure::new(Exit::Data, message)
        })?;
        let needs_proof =
            self.puzzles(&self.text, &self.options)?.iter().any(|(_, needs_proof)| *needs_proof);
        Ok((self.text.clone(), needs_proof))
    }

    /// Returns each puzzle as a file of its own, and whether its answer needs a proof.
    fn puzzles(&self, text: &str, options: &Options) -> Result<Vec<(String, bool)>, Failure> {
        let cannot = |error: io::Error| Failure::new(Exit::Io, error);
        let mut scanner = Scanner::new(text.as_bytes(), "reference").map_err(cannot)?;
        let mut reading = Reading::open(self.solver, options);
        let mut puzzles = Vec::new();
        while let Some(entry) = reading.read(&mut scanner).map_err(cannot)? {
            let Work::Solve(puzzle) = entry.work else {
                let line = entry.place.line;
                let message = format_args!("line {line}: the puzzle breaks these rules");
                return Err(Failure::new(Exit::Data, message));
            };
            let text = format!("{}\n", puzzle.to_string().trim_end());
            puzzles.push((text, !puzzle.needs_answer()));
        }
        Ok(puzzles)
    }

    /// Returns the output of a correct program for a test case.
    fn answer(&self, case: &str, needs_proof: bool) -> Result<String, Failure> {
        let (solver, pool, mut options) = (self.solver, &self.pool, self.options.clone());
        if needs_proof {
            options.set("witness", "true", Authority::Owner).map_err(Failure::set)?;
        }
        let (cancel, progress, mut out) = (Cancel::default(), Arc::<Progress>::default(), Vec::new());
        let info = JobInfo { file: "reference", solver, options: &options };
        let job = Job { solver, options: &options, pool, cancel: &cancel, progress: &progress };
        let mut scanner =
            Scanner::new(case.as_bytes(), "reference").map_err(|error| Failure::new(Exit::Io, error))?;
        let mut sink = TextSink::new(&mut out, &info);
        let summary = tabuleiro_jobs::answer(&mut scanner, &job, &mut sink)
            .map_err(|error| failure(error, "reference"))?;
        sink.finish(&summary).map_err(|error| Failure::output(&error))?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Returns the solver and the options of the reference as arguments for a script.
    fn solver_with_options(&self) -> String {
        let sets = self.options.chosen().into_iter().map(|(key, value)| format!(" --set '{key}={value}'"));
        format!("{}{}", self.solver.id(), sets.collect::<String>())
    }

    fn copy_program(&self, name: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let copied = std::env::current_exe().and_then(|program| fs::copy(program, &path));
        copied.map(drop).map_err(|error| Failure::create(&path, &error))
    }

    fn write(&self, name: &str, text: &str, is_program: bool) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, text)?;
            if is_program { fs::set_permissions(&path, Permissions::from_mode(0o755)) } else { Ok(()) }
        };
        write().map_err(|error| Failure::create(&path, &error))
    }
}
