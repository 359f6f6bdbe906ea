//! `tabuleiro solve` of an archive: every member is routed by its own path, and one archive has all results.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::named_input::open;
use super::output::{Output, scratch};
use super::summary_text::{exit, not_read, start_pool, told, totals, unanswered};
use crate::cli::arguments::printable_path;
use crate::cli::failure::{Exit, Failure, print_error};
use crate::config::{Config, Done, Members, Reference, Route};
use tabuleiro_jobs::archive::{Archive, ArchiveWriter, Member};
use tabuleiro_jobs::grading::AnswerKey;
use tabuleiro_jobs::{JobError, Pool, Progress, Rejection, Summary};
use tabuleiro_puzzles::solver::Cancel;

/// Answers all members of an archive.
pub fn run(path: &Path, output: Option<&Path>, config: &Config) -> Result<Exit, Failure> {
    let started = Instant::now();
    let name = printable_path(path);
    if output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::new(Exit::Usage, "the results are an archive; name its file with -o"));
    }
    let archive = Archive::open(open(path, &name)?).map_err(|error| not_read(&name, &error))?;
    let pool = start_pool(config)?;
    let mut output = Output::open(output)?;
    let apart = [scratch(), scratch(), scratch()];
    let [first, second, third] = apart.map(|file| file.map_err(|error| Failure::output(&error)));
    let mut results = ArchiveWriter::new([first?, second?, third?]);
    let (mut sum, mut worst) = (Summary::default(), Exit::Ok);
    let tell = |member: &Member, done: Result<Done, Rejection>| {
        let name = format!("{name}/{}", member.printable_path());
        match done {
            Ok(Done::Answered(summary)) => {
                sum.puzzles += summary.puzzles;
                sum.invalid += summary.invalid;
                sum.undecided += summary.undecided;
                worst = worse(worst, exit(&summary));
                let text = told(&name, &summary);
                if !text.is_empty() {
                    print_error(text.trim_end());
                }
            }
            Ok(Done::Graded { .. }) => {}
            Err(rejection) => {
                worst = Exit::Data;
                print_error(&format!("tabuleiro: {name}: {rejection}"));
            }
        }
    };
    let (cancel, progress) = (Cancel::default(), Arc::<Progress>::default());
    let keys = Keys { solved: RefCell::default(), pool: &pool, cancel: &cancel };
    let members = Members {
        config,
        pool: &pool,
        cancel: &cancel,
        deadline: None,
        reference: &|route, path| keys.get(route, path),
        progress: &progress,
    };
    // Routes see it as it would lie in the inbox.
    let below = Path::new(path.file_name().unwrap_or_default());
    let answered = members
        .answer((&archive, below), &mut results, tell)
        .and_then(|lacking| results.finish(&mut output).map(|_| lacking).map_err(JobError::Write));
    match answered {
        Ok(lacking) => {
            for (folder, why) in lacking {
                print_error(&format!("tabuleiro: {name}/{folder}: {why}"));
            }
            output.commit()?;
        }
        Err(error) => return unanswered(error, &name),
    }
    print_error(&totals(&name, &sum, started.elapsed()));
    Ok(worst)
}

/// The references of routes that grade, each solved once.
struct Keys<'a> {
    solved: RefCell<HashMap<String, Arc<AnswerKey>>>,
    pool: &'a Pool,
    cancel: &'a Cancel,
}

impl Keys<'_> {
    fn get(&self, route: &Route, path: &Path) -> Result<Arc<AnswerKey>, JobError> {
        if let Some(key) = self.solved.borrow().get(&route.name) {
            return Ok(Arc::clone(key));
        }
        let (key, _) = Reference::read(path, route)?.solve(self.pool, self.cancel, &Arc::default())?;
        let key = Arc::new(key);
        self.solved.borrow_mut().insert(route.name.clone(), Arc::clone(&key));
        Ok(key)
    }
}

/// Of two exit codes the one that says more: what is invalid stays so, whatever is undecided.
fn worse(a: Exit, b: Exit) -> Exit {
    if a == Exit::Data || b == Exit::Ok { a } else { b }
}
