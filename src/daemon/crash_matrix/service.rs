//! The service on the model. It claims, answers, publishes, recovers and schedules with the real code; only the inbox
//! is listed here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::scenarios::{Act, Scenario};
use super::{Cut, Fault};
use crate::config::{Config, Durability, IfExists};
use crate::daemon::answering::answerer::{Answerer, TRIES_MAX};
use crate::daemon::answering::pending_publication::PendingPublication;
use crate::daemon::answering::schedule::{Action, Retry, Schedule};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find::recover;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::model::{Model, Order, Tree};
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::publishing::publisher::{End, Publisher};
use tabuleiro_jobs::Pool;
use tabuleiro_jobs::naming::{self, Output};
use tabuleiro_puzzles::solver::{Choice, SOLVERS};

/// The most rounds of answering; a scenario that needs more would never end.
const ROUNDS_MAX: usize = 20;

/// How the life after a crash goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// The service answers what the crash left.
    Answer,
    /// The service is stopped at once, and the next one answers.
    GivenBack,
}

/// Answerer and publisher on a model.
pub struct Service {
    pub model: Model,
    answerer: Arc<Answerer>,
    publisher: Publisher,
    config: Arc<Config>,
    /// The tree before the scenario begins.
    before: Tree,
    schedule: Schedule,
    /// Actions that the schedule has asked for.
    actions: Vec<Action>,
    /// The claims that are neither being answered nor published.
    held: BTreeMap<String, Box<PendingPublication>>,
    now: Instant,
    next_id: u64,
}

impl Service {
    pub fn new(scenario: &Scenario, order: Order, posix_only: bool, durability: Durability) -> Self {
        let model = Model::new(order, posix_only);
        let at = |path: &str| PathBuf::from(path);
        let folders = Folders {
            inbox: at("/inbox"),
            outbox: at("/outbox"),
            staging: at("/outbox/.tabuleiro-1-1"),
            work: at("/var/work"),
            done: at("/var/done"),
            failed: at("/var/failed"),
            history: at("/var/history"),
            log: at("/var/log"),
        };
        let Folders { inbox, staging, work, done, failed, .. } = &folders;
        for folder in [inbox, staging, work, done, failed] {
            model.create_folders(folder).unwrap();
        }
        for (path, content) in scenario.before {
            let label = scenario.input_of(path, content).map(|input| naming::label(Path::new(input)));
            model.put_labelled(Path::new(path), content.as_bytes(), label.as_deref());
        }
        let before = model.visible();
        let policy = match scenario.if_exists {
            IfExists::Replace => "replace",
            IfExists::Version => "version",
        };
        let formats = if scenario.json { "[\"txt\", \"json\"]" } else { "[\"txt\"]" };
        let picture = scenario.json;
        let text = format!(
            "[results]\nformats = {formats}\ndurability = \"{}\"\n[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\n\
             solver = \"checkers-capture\"\nif_exists = \"{policy}\"\noptions = {{ picture = {picture} }}\n",
            durability.word()
        );
        let config = Arc::new(Config::parse(&text, "test", SOLVERS).unwrap());
        let disk: Arc<dyn Disk> = Arc::new(model.clone());
        let pool = Pool::new(1).unwrap();
        let answerer = Arc::new(Answerer::new(folders, disk, pool));
        let publisher = Publisher::new(Arc::clone(&answerer));
        Self {
            model,
            answerer,
            publisher,
            config,
            before,
            schedule: Schedule::new(false),
            actions: Vec::new(),
            held: BTreeMap::new(),
            now: Instant::now(),
            next_id: 1,
        }
    }

    /// Runs the scenario and returns the cuts after each operation.
    pub fn act(&mut self, scenario: &Scenario, fault: Option<Fault>) -> Result<Vec<Cut>, String> {
        self.boot(self.before.clone(), true, fault);
        self.next_id = 1;
        let mut drops_at = Vec::new();
        let mut drops = 0;
        self.take_up()?;
        for act in scenario.acts {
            match act {
                Act::Drop(dropped) => {
                    drops += 1;
                    self.model.put(&Path::new("/inbox").join(dropped.name), dropped.content.as_bytes());
                    drops_at.resize(self.model.operations(), drops - 1);
                }
                Act::Claimed(_) => drops += 1,
                Act::Claim => self.claim(fault.is_some())?,
                Act::Answer => self.answer()?,
                Act::Newcomer(path, content) => {
                    self.model.await_newcomer(&Path::new("/outbox").join(path), content.as_bytes());
                }
                Act::GiveBack => self.give_back(),
            }
        }
        let history = self.model.take_history();
        drops_at.resize(history.len(), drops);
        Ok(history.into_iter().zip(drops_at).collect())
    }

    fn boot(&mut self, tree: Tree, record: bool, fault: Option<Fault>) {
        self.model.boot(tree, record, fault);
        self.publisher = Publisher::new(Arc::clone(&self.answerer));
    }

    /// Starts from what a crash left. Returns true if a file is to be set aside.
    pub fn recover(&mut self, tree: Tree, record: bool) -> Result<bool, String> {
        self.boot(tree, record, None);
        self.next_id = 500_000;
        self.take_up()
    }

    /// Recovers what an earlier life left. Returns true if a file is to be set aside.
    fn take_up(&mut self) -> Result<bool, String> {
        (self.schedule, self.actions, self.held) = (Schedule::new(false), Vec::new(), BTreeMap::new());
        let claims = recover(&self.answerer.folders, &self.model)?;
        let set_aside = claims.iter().any(|claim| claim.tries >= TRIES_MAX);
        for claim in claims {
            self.take(claim);
        }
        Ok(set_aside)
    }

    fn take(&mut self, claim: Claim) {
        let result = naming::result_path(&claim.origin, Output::Result, None);
        self.actions.extend(self.schedule.claimed(&claim.id, &result));
        self.held.insert(claim.id.clone(), PendingPublication::unanswered(claim, &self.config));
    }

    /// Answers all files and claims.
    pub fn finish(&mut self, life: Life) -> Result<(), String> {
        if life == Life::GivenBack {
            self.give_back();
            self.take_up()?;
        }
        self.answer()?;
        self.claim(false)?;
        self.answer()
    }

    fn claim(&mut self, again: bool) -> Result<(), String> {
        let Folders { inbox, work, .. } = &self.answerer.folders.clone();
        let mut found = Vec::new();
        files_below(&self.model, inbox, Path::new(""), &mut found);
        for origin in found {
            let mut take = || {
                let id = format!("20260102T000000.{:06}Z", self.next_id);
                self.next_id += 1;
                Claim::take(work, inbox, &origin, id, &self.model)
            };
            // After an error the intake finds the file again in its next listing.
            let taken = take().or_else(|error| if again { take() } else { Err(error) });
            if let Some(claim) = taken.map_err(|error| format!("not claimed: {error}"))? {
                self.take(claim);
            }
        }
        Ok(())
    }

    /// Answers all claims. Each round is one group of whatever the schedule allows.
    fn answer(&mut self) -> Result<(), String> {
        for _ in 0..ROUNDS_MAX {
            if self.schedule.is_empty() {
                return Ok(());
            }
            if let Some(due) = self.schedule.next_due() {
                self.now = self.now.max(due);
                self.actions.extend(self.schedule.due(self.now));
            }
            self.perform();
        }
        Err(format!("never answered: {:?}", self.schedule))
    }

    /// Performs the actions of the schedule, in one group.
    fn perform(&mut self) {
        let mut group = Vec::new();
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Answer(id) => {
                    let Some(mut pending) = self.held.remove(&id) else { continue };
                    self.answerer.answer(&mut pending);
                    if pending.is_put_back() {
                        self.held.insert(id.clone(), pending);
                        self.actions.extend(self.schedule.interrupted(&id, Duration::ZERO, self.now));
                    } else {
                        group.push(*pending);
                    }
                }
                Action::Publish(id) => {
                    let Some(pending) = self.held.remove(&id) else { continue };
                    group.push(*pending);
                }
                Action::GiveBack(id) => {
                    let Some(mut pending) = self.held.remove(&id) else { continue };
                    pending.give_up();
                    group.push(*pending);
                }
                Action::Leave(_) | Action::GiveUp => {}
            }
        }
        for published in self.publisher.publish(group) {
            let id = published.pending.claim.id.clone();
            let retry = match published.end {
                End::AnswerAgain(_) => Retry::Answer,
                End::PublishAgain(_) | End::Copy(_) => Retry::Publish,
                End::Published | End::PutBack(_) => {
                    self.actions.extend(self.schedule.ended(&id));
                    continue;
                }
            };
            self.held.insert(id.clone(), Box::new(published.pending));
            self.actions.extend(self.schedule.failed(&id, retry, Duration::ZERO, self.now));
        }
    }

    /// Stops the service before it begins any action.
    fn give_back(&mut self) {
        let not_begun = std::mem::take(&mut self.actions);
        self.schedule.stop(not_begun.iter().filter_map(Action::id));
        self.actions = self.schedule.close();
        self.perform();
    }
}

fn files_below(model: &Model, inbox: &Path, below: &Path, found: &mut Vec<PathBuf>) {
    for entry in model.list(&inbox.join(below)).unwrap() {
        let path = below.join(&entry.name);
        if entry.is_folder { files_below(model, inbox, &path, found) } else { found.push(path) }
    }
}
