//! The rules that must hold after a crash, after recovery, and at the end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::scenarios::{Dropped, Scenario, THEIRS};
use crate::config::{Durability, IfExists};
use crate::daemon::base::job_id;
use crate::daemon::fs::model::Tree;
use tabuleiro_jobs::naming::{self, Output};

/// How a report begins. It stands for every complete report here.
const REJECTED: &str = "rejected: ";
/// Stands for the ID of a job whose file is not claimed yet.
const NO_ID: &str = "unclaimed";

/// Paths below the outbox, with contents as `shortened` returns them.
type Outbox = BTreeMap<PathBuf, String>;

/// What a scenario must lead to.
pub struct Ledger<'a> {
    scenario: &'a Scenario,
    drops: Vec<&'static Dropped>,
    durability: Durability,
    /// Whether the file system keeps attributes, which distinguish a person's file from an older output.
    labels: bool,
}

/// A course of events: the outbox before anything was dropped, and after each answered file.
type Course = Vec<Outbox>;

impl<'a> Ledger<'a> {
    pub fn new(scenario: &'a Scenario, durability: Durability, labels: bool) -> Self {
        Self { scenario, drops: scenario.drops().collect(), durability, labels }
    }

    /// Returns the allowed courses. The paths in `files` contain the IDs of their jobs.
    fn courses(&self, files: &Files) -> Vec<Course> {
        let below = |(path, content): &(&str, &str)| {
            Some((path.strip_prefix("/outbox/")?.into(), shortened(content)))
        };
        let before: Outbox = self.scenario.before.iter().filter_map(below).collect();
        // In the first course the newcomer does not arrive, or is replaced: without labels, a job that died before it
        // saw the file takes it for an older result. In the second course it arrives and stays.
        let mut courses = vec![self.course(files, before.clone(), None)];
        courses.extend(self.scenario.newcomer().map(|newcomer| self.course(files, before, Some(newcomer))));
        courses
    }

    fn course(&self, files: &Files, before: Outbox, newcomer: Option<(&str, &str)>) -> Course {
        let mut course = vec![before];
        for (number, dropped) in self.drops.iter().enumerate() {
            let mut outbox = course[number].clone();
            if let (0, Some((path, content))) = (number, newcomer) {
                outbox.insert(path.into(), content.to_owned());
            }
            let outputs = self.outputs(number, files, newcomer.is_some_and(|_| number == 0));
            let path = |output| naming::result_path(&self.origin(number, files), output, None);
            let report = path(Output::Report);
            if dropped.answer.is_some() && !self.is_theirs(&report) && outbox.remove(&report).is_some() {
                outbox.remove(&path(Output::ReportPage));
            }
            if dropped.answer.is_some() && !self.scenario.json {
                outbox.remove(&path(Output::ResultPage));
            }
            outbox.extend(outputs);
            course.push(outbox);
        }
        course
    }

    /// Returns the files that the answer to a dropped file adds to the outbox.
    fn outputs(&self, number: usize, files: &Files, must_be_own: bool) -> Vec<(PathBuf, String)> {
        let (origin, id) = (self.origin(number, files), self.id(number, files));
        let path = |output, id| naming::result_path(&origin, output, id);
        let Some(answer) = self.drops[number].answer else {
            let page = self.scenario.json.then(|| (path(Output::ReportPage, None), PAGE.to_owned()));
            return [(path(Output::Report, None), REJECTED.to_owned())].into_iter().chain(page).collect();
        };
        let mut outputs = vec![(Output::Result, answer)];
        if self.scenario.json {
            outputs.push((Output::ResultJson, "{}"));
            outputs.push((Output::ResultPage, PAGE));
        }
        let is_taken = |output: Output| {
            let (plain, own) = (path(output, None), path(output, Some(&id)));
            self.is_theirs(&plain)
                || self.was_there(|path| path != plain && path.starts_with(&plain) || path == own)
        };
        let is_version = self.scenario.if_exists == IfExists::Version;
        let is_own = must_be_own || is_version || outputs.iter().any(|(output, _)| is_taken(*output));
        let own = is_own.then_some(id.as_str());
        outputs.into_iter().map(|(output, content)| (path(output, own), content.to_owned())).collect()
    }

    /// Returns whether, at the start, the outbox held a file whose path below the outbox satisfies `is_it`.
    fn was_there(&self, is_it: impl Fn(&Path) -> bool) -> bool {
        let below = |(path, _): &(&'static str, &str)| path.strip_prefix("/outbox/").map(Path::new);
        self.scenario.before.iter().filter_map(below).any(is_it)
    }

    /// Returns whether a person's file stood at this path below the outbox at the start.
    fn is_theirs(&self, path: &Path) -> bool {
        let is_it = |(at, content): &(&str, &str)| {
            content.starts_with(THEIRS) && at.strip_prefix("/outbox/").map(Path::new) == Some(path)
        };
        self.labels && self.scenario.before.iter().any(is_it)
    }

    /// Returns the path of a dropped file as mirrored below the outbox.
    fn origin(&self, number: usize, files: &Files) -> PathBuf {
        let is_own = |plain: &Path, _: &Path| self.was_there(|path| path == plain);
        naming::mirrored(Path::new(self.drops[number].name), &self.id(number, files), is_own)
    }

    /// Returns the ID of the job that has or had the dropped file.
    fn id(&self, number: usize, files: &Files) -> String {
        let id_in = |(path, _): (PathBuf, u32)| {
            let text = path.to_string_lossy().into_owned();
            let mut parts = (0..text.len()).filter_map(|at| text.get(at..at + job_id::LENGTH));
            parts.find(|part| job_id::is_id(part.as_bytes())).map(str::to_owned)
        };
        self.places(files, number).into_iter().find_map(id_in).unwrap_or_else(|| NO_ID.to_owned())
    }

    /// Checks the tree right after a crash, before recovery.
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
        let courses = self.courses(&files);
        for (path, content) in outbox(&files) {
            let is_known = |outbox: &Outbox| outbox.get(&path) == Some(&content);
            if !courses.iter().flatten().any(is_known) {
                return Err(format!("{} is not whole or not right: {content:?}", path.display()));
            }
        }
        // A crash can leave older reports and pages removed.
        let is_result = |path: &Path| {
            let path = path.to_string_lossy();
            !path.contains("erro") && !path.contains("html")
        };
        for path in courses[0][0].keys().filter(|path| is_result(path)) {
            if !outbox(&files).contains_key(path) {
                return Err(format!("{} was there, and nothing replaced it", path.display()));
            }
        }
        Ok(())
    }

    /// Checks that the outbox is as after the answer to this file in `done` or `failed`, or as after a later answer.
    fn check_kept(&self, files: &Files, number: usize, drops: usize) -> Result<(), String> {
        let outbox = outbox(files);
        let courses = self.courses(files);
        // Whether everything that this file's answer changed is as it was after the answer number `after`.
        let is_after = |course: &Course, after: usize| {
            let names = course[number].keys().chain(course[number + 1].keys());
            let is_changed = |name: &&PathBuf| course[number].get(*name) != course[number + 1].get(*name);
            // While a later answer is in progress, the page of a report can be gone before or after its text.
            let may_be_gone =
                |name: &&PathBuf| number + 1 < drops && name.to_string_lossy().ends_with("erro.html");
            names
                .filter(is_changed)
                .filter(|name| !may_be_gone(name))
                .all(|name| outbox.get(name) == course[after].get(name))
        };
        if courses.iter().any(|course| (number + 1..=drops).any(|after| is_after(course, after))) {
            return Ok(());
        }
        Err(format!("{:?} is kept, and its answer is not there: {outbox:?}", self.drops[number]))
    }

    /// Checks the tree after recovery, before anything is answered.
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

    /// Checks at the end that each file was answered once, under one name. If `given_back`, the last file lies in the
    /// inbox instead.
    pub fn check_end(&self, tree: &Tree, drops: usize, given_back: bool) -> Result<(), String> {
        let files = files(tree);
        let answered = drops - usize::from(given_back);
        for number in 0..drops {
            let home = match () {
                () if number >= answered => "/inbox",
                () if self.drops[number].answer.is_some() => "/var/done",
                () => "/var/failed",
            };
            let places = self.places(&files, number);
            // A file that cannot be given back stays claimed.
            let is_home =
                |path: &Path| path.starts_with(home) || (number >= answered && path.starts_with("/var/work"));
            if places.len() != 1 || !is_home(&places[0].0) {
                return Err(format!("at the end {:?} is in {places:?}, not in {home}", self.drops[number]));
            }
        }
        let end = outbox(&files);
        let is_end = |end: &Outbox| self.courses(&files).iter().any(|course| *end == course[answered]);
        if is_end(&end) || is_end(&self.without_halves(&end, &files)) {
            return Ok(());
        }
        Err(format!("at the end the outbox is {end:?}"))
    }

    /// Returns the outbox without an output that may stay. If the process dies after one output of a group got its
    /// plain name, and somebody's file then takes the name of the other, both are published under names with the job's
    /// ID. The first plain name stays.
    fn without_halves(&self, outbox: &Outbox, files: &Files) -> Outbox {
        let mut outbox = outbox.clone();
        if self.labels
            && let Some((newcomer, _)) = self.scenario.newcomer()
        {
            for output in [Output::Result, Output::ResultJson] {
                let plain = naming::result_path(&self.origin(0, files), output, None);
                if plain != Path::new(newcomer) {
                    outbox.remove(&plain);
                }
            }
        }
        outbox
    }

    /// Checks the end after a file in progress at two crashes was set aside: no file is lost or incomplete.
    pub fn check_set_aside(&self, tree: &Tree, drops: usize) -> Result<(), String> {
        let files = files(tree);
        for number in 0..drops {
            let places = self.places(&files, number);
            if places.len() != 1 || !is_kept(&places[0].0) {
                return Err(format!("at the end {:?} is in {places:?}", self.drops[number]));
            }
            let report = naming::result_path(Path::new(self.drops[number].name), Output::Report, None);
            if self.drops[number].answer.is_some()
                && places[0].0.starts_with("/var/failed")
                && number + 1 == drops
                && !outbox(&files).contains_key(&report)
            {
                return Err(format!("{:?} was set aside without a report", self.drops[number]));
            }
        }
        Ok(())
    }

    /// Returns the paths of a dropped file outside the outbox, with its inode.
    fn places(&self, files: &Files, number: usize) -> Vec<(PathBuf, u32)> {
        let wanted = self.drops[number].content.as_bytes();
        let found =
            files.iter().filter(|(path, (_, content))| !path.starts_with("/outbox") && content == wanted);
        found.map(|(path, (inode, _))| (path.clone(), *inode)).collect()
    }
}

/// Returns whether a path is in `done` or `failed`, where answered inputs lie.
fn is_kept(path: &Path) -> bool {
    path.starts_with("/var/done") || path.starts_with("/var/failed")
}

/// Every file: its path, inode and content.
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

/// Stands for every complete page.
const PAGE: &str = "<!DOCTYPE html></html>\n";

/// Replaces complete reports, JSON and pages by a constant, because other tests check their details.
fn shortened(content: &str) -> String {
    if content.starts_with("<!DOCTYPE html>") && content.ends_with("</html>\n") {
        return PAGE.to_owned();
    }
    if content.starts_with(REJECTED) && content.ends_with('\n') {
        return REJECTED.to_owned();
    }
    match serde_json::from_str::<serde_json::Value>(content) {
        Ok(value) if value.is_object() => "{}".to_owned(),
        _ => content.to_owned(),
    }
}

/// Checks that no temporary file is left, and no claim unless `claims` is true.
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
