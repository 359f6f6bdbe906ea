//! What must hold after a crash, after recovery, and at the end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::output;
use super::scenarios::{Dropped, Scenario};
use crate::config::{Durability, IfExists};
use crate::daemon::fs::model::Tree;
use crate::naming::Output;

/// The beginning of a report, which stands for all of it here.
const REJECTED: &str = "rejected: ";

/// The outbox: paths below it and contents, a report's only by its beginning.
type Outbox = BTreeMap<PathBuf, String>;

/// What a scenario must lead to.
pub struct Ledger<'a> {
    scenario: &'a Scenario,
    drops: Vec<&'static Dropped>,
    /// The outbox before anything was dropped, and after each file was answered.
    outboxes: Vec<Outbox>,
    /// Whether each file is answered, and not rejected.
    answered: Vec<bool>,
    durability: Durability,
}

impl<'a> Ledger<'a> {
    pub fn new(scenario: &'a Scenario, durability: Durability) -> Self {
        let mut outbox: Outbox = BTreeMap::new();
        for (path, content) in scenario.before {
            if let Some(name) = path.strip_prefix("/outbox/") {
                outbox.insert(name.into(), shortened(content));
            }
        }
        let mut ledger = Self {
            scenario,
            drops: scenario.drops().collect(),
            outboxes: vec![outbox],
            answered: vec![],
            durability,
        };
        for dropped in scenario.drops() {
            let mut outbox = ledger.outboxes[ledger.outboxes.len() - 1].clone();
            let answered = ledger.answer(dropped, &mut outbox);
            ledger.answered.push(answered);
            ledger.outboxes.push(outbox);
        }
        ledger
    }

    /// What an answer changes in the outbox; false when it is a report.
    fn answer(&self, dropped: &Dropped, outbox: &mut Outbox) -> bool {
        let result = |version| output(dropped.name, Output::Result, version);
        let version = match self.scenario.if_exists {
            IfExists::Version => (1..=9).find(|version| !outbox.contains_key(&result(*version))).unwrap_or(1),
            IfExists::Replace => 1,
        };
        let report = output(dropped.name, Output::Report, 1);
        let Some(answer) = dropped.answer else {
            outbox.insert(report, REJECTED.to_owned());
            return false;
        };
        outbox.remove(&report);
        outbox.insert(result(version), answer.to_owned());
        if self.scenario.json {
            outbox.insert(output(dropped.name, Output::ResultJson, version), "{}".to_owned());
        }
        true
    }

    /// Right after a crash, before anything is recovered.
    pub fn check_crashed(&self, tree: &Tree, drops: usize) -> Result<(), String> {
        let files = files(tree);
        for number in 0..drops {
            let places = self.places(&files, number);
            let (Some(first), true) = (places.first(), places.iter().all(|place| place.1 == places[0].1))
            else {
                return Err(format!("{:?} is in no folder, or twice: {places:?}", self.drops[number]));
            };
            for place in [first, &places[places.len() - 1]] {
                if is_kept(&place.0) {
                    self.check_kept(&files, number, drops)?;
                }
            }
        }
        if self.durability != Durability::Full {
            return Ok(());
        }
        for (path, content) in outbox(&files) {
            let known = self.outboxes.iter().any(|outbox| outbox.get(&path) == Some(&content));
            if !known {
                return Err(format!("{} is not whole or not right: {content:?}", path.display()));
            }
        }
        let is_result = |path: &Path| !path.to_string_lossy().contains("erro");
        for path in self.outboxes[0].keys().filter(|path| is_result(path)) {
            if !outbox(&files).contains_key(path) {
                return Err(format!("{} was there, and nothing replaced it", path.display()));
            }
        }
        Ok(())
    }

    /// A file lies in `done` or `failed`: the outbox is as it was after its answer, or after a later one.
    fn check_kept(&self, files: &Files, number: usize, drops: usize) -> Result<(), String> {
        let outbox = outbox(files);
        let changed = |after: usize| {
            let dropped = self.drops[number];
            // The names that this file's answer or a later one's of that name may have changed.
            let mut names = vec![output(dropped.name, Output::Report, 1)];
            for version in 1..=2 {
                names.push(output(dropped.name, Output::Result, version));
            }
            let is_own =
                |name: &&PathBuf| self.outboxes[number].get(*name) != self.outboxes[number + 1].get(*name);
            names.iter().filter(is_own).all(|name| outbox.get(name) == self.outboxes[after].get(name))
        };
        if (number + 1..=drops).any(changed) {
            return Ok(());
        }
        // The answer to a later file of that name, not yet on disk, may be torn where the earlier answer stood.
        let is_underway = |later: usize| {
            let places = self.places(files, later);
            self.drops[later].name == self.drops[number].name && !places.iter().any(|place| is_kept(&place.0))
        };
        if self.durability == Durability::Batch && (number + 1..drops).any(is_underway) {
            return Ok(());
        }
        Err(format!("{:?} is kept, and its answer is not there: {outbox:?}", self.drops[number]))
    }

    /// After recovery, before anything is answered.
    pub fn check_recovered(&self, tree: &Tree, drops: usize) -> Result<(), String> {
        let files = files(tree);
        for number in 0..drops {
            let places = self.places(&files, number);
            if places.len() != 1 {
                return Err(format!("after recovery {:?} is in {places:?}", self.drops[number]));
            }
        }
        check_clean(tree, true)
    }

    /// At the end: everything is answered, each file once, under one name. What was `given_back` last lies in the
    /// inbox.
    pub fn check_end(&self, tree: &Tree, drops: usize, given_back: bool) -> Result<(), String> {
        let files = files(tree);
        let answered = drops - usize::from(given_back);
        for number in 0..drops {
            let home = match () {
                () if number >= answered => "/inbox",
                () if self.answered[number] => "/var/done",
                () => "/var/failed",
            };
            let places = self.places(&files, number);
            // What cannot be given back stays claimed.
            let is_home =
                |path: &Path| path.starts_with(home) || (number >= answered && path.starts_with("/var/work"));
            if places.len() != 1 || !is_home(&places[0].0) {
                return Err(format!("at the end {:?} is in {places:?}, not in {home}", self.drops[number]));
            }
        }
        if outbox(&files) != self.outboxes[answered] {
            return Err(format!("at the end the outbox is {:?}", outbox(&files)));
        }
        Ok(())
    }

    /// At the end, where a file that was in hand at two crashes was set aside: nothing is lost or half there.
    pub fn check_set_aside(&self, tree: &Tree, drops: usize) -> Result<(), String> {
        let files = files(tree);
        for number in 0..drops {
            let places = self.places(&files, number);
            if places.len() != 1 || !is_kept(&places[0].0) {
                return Err(format!("at the end {:?} is in {places:?}", self.drops[number]));
            }
            let report = output(self.drops[number].name, Output::Report, 1);
            if self.answered[number]
                && places[0].0.starts_with("/var/failed")
                && number + 1 == drops
                && !outbox(&files).contains_key(&report)
            {
                return Err(format!("{:?} was set aside without a report", self.drops[number]));
            }
        }
        Ok(())
    }

    /// Where a dropped file lies, and its number.
    fn places(&self, files: &Files, number: usize) -> Vec<(PathBuf, u32)> {
        let wanted = self.drops[number].content.as_bytes();
        let found =
            files.iter().filter(|(path, (_, content))| !path.starts_with("/outbox") && content == wanted);
        found.map(|(path, (inode, _))| (path.clone(), *inode)).collect()
    }
}

/// Whether an input there is over.
fn is_kept(path: &Path) -> bool {
    path.starts_with("/var/done") || path.starts_with("/var/failed")
}

/// Every file, with its number and content.
type Files = BTreeMap<PathBuf, (u32, Vec<u8>)>;

fn files(tree: &Tree) -> Files {
    let with_content = |(path, (inode, content)): (PathBuf, (u32, Option<&[u8]>))| {
        content.map(|content| (path, (inode, content.to_vec())))
    };
    tree.walk().into_iter().filter_map(with_content).collect()
}

fn outbox(files: &Files) -> Outbox {
    let below = |(path, (_, content)): (&PathBuf, &(u32, Vec<u8>))| {
        let path = path.strip_prefix("/outbox").ok()?;
        let hidden = path.starts_with(".tabuleiro-1-1");
        (!hidden).then(|| (path.to_owned(), shortened(&String::from_utf8_lossy(content))))
    };
    files.iter().filter_map(below).collect()
}

/// Reports and JSON, whose details other tests check, stand for all that are whole.
fn shortened(content: &str) -> String {
    if content.starts_with(REJECTED) && content.ends_with('\n') {
        return REJECTED.to_owned();
    }
    match serde_json::from_str::<serde_json::Value>(content) {
        Ok(value) if value.is_object() => "{}".to_owned(),
        _ => content.to_owned(),
    }
}

/// No temporary is left, and no claim either, unless there may be `claims`.
pub fn check_clean(tree: &Tree, claims: bool) -> Result<(), String> {
    for (path, (_, content)) in tree.walk() {
        let is_temporary = path.starts_with("/outbox/.tabuleiro-1-1") && content.is_some();
        let is_claim = path.starts_with("/var/work") && path != Path::new("/var/work");
        if is_temporary || (is_claim && !claims) {
            return Err(format!("{} was left", path.display()));
        }
    }
    Ok(())
}
