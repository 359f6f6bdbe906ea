//! The service on the model: its claims, answers, publications and recovery are the real ones; only the listing of
//! the inbox and the order of work, which touch nothing, are made here.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::scenarios::{Act, Scenario};
use super::{Cut, Fault};
use crate::config::{Config, Durability, IfExists};
use crate::daemon::answer::{TRIES_MAX, Workshop, result_path};
use crate::daemon::claim::Claim;
use crate::daemon::disk::Disk;
use crate::daemon::disk::model::{Model, Order, Tree};
use crate::daemon::folders::Folders;
use crate::daemon::publish::{End, Publisher};
use crate::daemon::recovery;
use crate::job::Pool;
use crate::naming::Output;
use crate::solver::{Choice, SOLVERS};

/// Rounds of answering after which nothing would ever end.
const ROUNDS_MAX: usize = 20;

/// How a life after a crash goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// What is there is answered.
    Answer,
    /// The service is stopped at once, and the next one answers.
    GivenBack,
}

/// Workshop and publisher on a model.
pub struct Service {
    pub model: Model,
    workshop: Arc<Workshop>,
    publisher: Publisher,
    config: Config,
    /// What is there before anything happens.
    before: Tree,
    hand: Vec<Claim>,
    next_id: u64,
}

impl Service {
    pub fn new(scenario: &Scenario, order: Order, posix_only: bool, durability: Durability) -> Self {
        let model = Model::new(order, posix_only);
        let at = |path: &str| PathBuf::from(path);
        let folders = Folders {
            inbox: at("/inbox"),
            outbox: at("/outbox"),
            making: at("/outbox/.tabuleiro-1-1"),
            work: at("/var/work"),
            done: at("/var/done"),
            failed: at("/var/failed"),
            history: at("/var/history"),
            log: at("/var/log"),
        };
        let Folders { inbox, making, work, done, failed, .. } = &folders;
        for folder in [inbox, making, work, done, failed] {
            model.create_folders(folder).unwrap();
        }
        for (path, content) in scenario.before {
            model.put(Path::new(path), content.as_bytes());
        }
        let before = model.visible();
        let policy = match scenario.if_exists {
            IfExists::Replace => "replace",
            IfExists::Version => "version",
        };
        let formats = if scenario.json { "[\"txt\", \"json\"]" } else { "[\"txt\"]" };
        let text = format!(
            "[results]\nformats = {formats}\ndurability = \"{}\"\n[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\n\
             solver = \"checkers-capture\"\nif_exists = \"{policy}\"\n",
            durability.word()
        );
        let config = Config::parse(&text, "test", SOLVERS).unwrap();
        let disk: Arc<dyn Disk> = Arc::new(model.clone());
        let pool = Pool::new(1).unwrap();
        let workshop = Arc::new(Workshop::new(folders, disk, pool));
        let publisher = Publisher::new(Arc::clone(&workshop));
        Self { model, workshop, publisher, config, before, hand: Vec::new(), next_id: 1 }
    }

    /// Runs the scenario; gives the states after each operation.
    pub fn act(&mut self, scenario: &Scenario, fault: Option<Fault>) -> Result<Vec<Cut>, String> {
        self.boot(self.before.clone(), true, fault);
        self.next_id = 1;
        let mut drops_at = Vec::new();
        let mut drops = 0;
        self.hand =
            recovery::recover(&self.workshop.folders, &self.model).map_err(|error| error.to_string())?;
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
                Act::GiveBack => self.give_back(),
            }
        }
        let history = self.model.take_history();
        drops_at.resize(history.len(), drops);
        Ok(history.into_iter().zip(drops_at).collect())
    }

    fn boot(&mut self, tree: Tree, record: bool, fault: Option<Fault>) {
        self.model.boot(tree, record, fault);
        self.publisher = Publisher::new(Arc::clone(&self.workshop));
    }

    /// Starts on what a crash left. True when a file is to be set aside.
    pub fn recover(&mut self, tree: Tree, record: bool) -> Result<bool, String> {
        self.boot(tree, record, None);
        self.next_id = 500_000;
        self.hand =
            recovery::recover(&self.workshop.folders, &self.model).map_err(|error| error.to_string())?;
        Ok(self.hand.iter().any(|claim| claim.tries >= TRIES_MAX))
    }

    /// Answers everything that is there.
    pub fn finish(&mut self, life: Life) -> Result<(), String> {
        if life == Life::GivenBack {
            self.give_back();
            self.hand =
                recovery::recover(&self.workshop.folders, &self.model).map_err(|error| error.to_string())?;
        }
        self.answer()?;
        self.claim(false)?;
        self.answer()
    }

    fn claim(&mut self, again: bool) -> Result<(), String> {
        let Folders { inbox, work, .. } = &self.workshop.folders;
        let mut found = Vec::new();
        files_below(&self.model, inbox, Path::new(""), &mut found);
        for origin in found {
            let mut take = || {
                let id = format!("20260102T000000.{:06}Z", self.next_id);
                self.next_id += 1;
                Claim::take(work, inbox, &origin, id, Instant::now(), &self.model)
            };
            // After an error the intake meets the file again in the next listing.
            let taken = take().or_else(|error| if again { take() } else { Err(error) });
            self.hand.extend(taken.map_err(|error| format!("not claimed: {error}"))?);
        }
        Ok(())
    }

    /// Answers the claims in hand, those of one result after each other, and the others in one group.
    fn answer(&mut self) -> Result<(), String> {
        for _ in 0..ROUNDS_MAX {
            if self.hand.is_empty() {
                return Ok(());
            }
            let mut lanes = HashSet::new();
            let (group, later): (Vec<_>, Vec<_>) = std::mem::take(&mut self.hand)
                .into_iter()
                .partition(|claim| lanes.insert(result_path(&claim.origin, Output::Result, 1)));
            let prepared = group.into_iter().map(|claim| self.workshop.answer(claim, &self.config)).collect();
            for published in self.publisher.publish(prepared, &self.config) {
                if let End::Again(_) = published.end {
                    self.hand.push(published.prepared.claim);
                }
            }
            self.hand.extend(later);
            self.hand.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        }
        Err(format!("never answered: {:?}", self.hand))
    }

    fn give_back(&mut self) {
        let mut claims = std::mem::take(&mut self.hand);
        claims.sort_unstable_by(|a, b| b.id.cmp(&a.id));
        let group = claims.into_iter().map(|claim| Workshop::give_up(claim, "the service ends")).collect();
        self.publisher.publish(group, &self.config);
    }
}

fn files_below(model: &Model, inbox: &Path, below: &Path, found: &mut Vec<PathBuf>) {
    for entry in model.list(&inbox.join(below)).unwrap() {
        let path = below.join(&entry.name);
        if entry.is_folder { files_below(model, inbox, &path, found) } else { found.push(path) }
    }
}
