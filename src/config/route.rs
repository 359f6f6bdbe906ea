//! Routes: which files go to which solver, with which options and limits.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::globs::{Globs, Subject};
use super::raw::{Choice, Section, Value, did_you_mean, number};
use crate::input::printable;
use crate::solver::{Authority, COMMON, OptionError, Options, Solver, default_options};

/// Routes in one configuration.
pub(super) const ROUTES_MAX: usize = 1000;
/// Bytes in a route's name.
const NAME_BYTES_MAX: usize = 64;
/// Names that the history, the status and the metrics have for files of no route, and for routes counted together.
const NAMES_TAKEN: [&str; 2] = ["none", "(others)"];
/// The common options that are keys of the route itself, beside its `options`.
pub(super) const LIMITS: [&str; 3] = ["time_limit", "memory_limit", "job_time_limit"];

/// What happens when a result of that name exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfExists {
    /// The new result takes its place.
    Replace,
    /// Every result has the ID of its job in its name: `saida.20261121T121744.123456Z.txt`.
    Version,
}

impl Choice for IfExists {
    const ALL: &'static [(&'static str, Self)] = &[("replace", Self::Replace), ("version", Self::Version)];
}

/// A checked `[[route]]`.
#[derive(Clone)]
pub struct Route {
    pub(super) name: String,
    pub(super) files: Globs,
    pub(super) solver: &'static dyn Solver,
    pub(super) options: Options,
    pub(super) allow_directives: bool,
    pub(super) if_exists: IfExists,
}

impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.files == other.files
            && self.solver.id() == other.solver.id()
            && self.options == other.options
            && self.allow_directives == other.allow_directives
            && self.if_exists == other.if_exists
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Route")
            .field("name", &self.name)
            .field("files", &self.files.patterns())
            .field("solver", &self.solver.id())
            .field("options", &self.options)
            .field("allow_directives", &self.allow_directives)
            .field("if_exists", &self.if_exists)
            .finish()
    }
}

/// A route as a person wants to see it: `pulo (**/pulo*, **/jump*) to jump-game`.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}) to {}", self.name, self.files.patterns().join(", "), self.solver.id())
    }
}

impl Route {
    /// Its name, unique in the configuration and fit for a line of a log.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The globs of the files it takes.
    #[must_use]
    pub fn files(&self) -> &Globs {
        &self.files
    }

    /// The solver its files go to, unless a directive names another.
    #[must_use]
    pub fn solver(&self) -> &'static dyn Solver {
        self.solver
    }

    /// All options of its solver, the common ones and the limits included, with the route's values.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options.clone()
    }

    /// Whether its files may hold directives.
    #[must_use]
    pub fn allow_directives(&self) -> bool {
        self.allow_directives
    }

    /// What happens when the result exists already.
    #[must_use]
    pub fn if_exists(&self) -> IfExists {
        self.if_exists
    }

    /// Whether it takes the file at that path below the inbox.
    #[must_use]
    pub fn takes(&self, path_below_inbox: &Path) -> bool {
        self.files.first_match(path_below_inbox.as_os_str()).is_some()
    }
}

/// The routes of a document under its key `route`; `None` when there is no such key.
pub(super) fn read_all(root: &mut Section<'_, '_>, solvers: &[&'static dyn Solver]) -> Option<Vec<Route>> {
    let value = root.take("route")?;
    let Some(array) = value.get_ref().as_array().filter(|array| !array.is_empty()) else {
        root.wrong("route", value, "sections [[route]], in two brackets, at least one or none at all");
        return Some(Vec::new());
    };
    if let Some(first_too_many) = array.get(ROUTES_MAX) {
        let message = format!("{} routes: expected at most {ROUTES_MAX}", array.len());
        root.faults.add(first_too_many.span().start, message);
    }
    let mut routes = Vec::new();
    let mut seen = HashMap::new();
    for (index, item) in array.iter().take(ROUTES_MAX).enumerate() {
        let Some(table) = item.get_ref().as_table() else {
            root.wrong("route", item, "a section [[route]]");
            continue;
        };
        let reader = RouteReader { number: index + 1, item, table, solvers };
        routes.extend(reader.read(root));
        // Names are compared even of routes that are wrong otherwise.
        if let Some(value) = table.get("name")
            && let Some(name) = value.get_ref().as_str()
        {
            let first = *seen.entry(name).or_insert(index + 1);
            if first != index + 1 {
                root.wrong("[[route]] name", value, &format!("another name, route {first} has this one"));
            }
        }
    }
    Some(routes)
}

/// Reads one route.
struct RouteReader<'a, 't> {
    /// Its number in the document, from 1.
    number: usize,
    item: &'a Value<'t>,
    table: &'a DeTable<'t>,
    solvers: &'a [&'static dyn Solver],
}

impl<'a, 't> RouteReader<'a, 't> {
    fn read(&self, root: &Section<'a, 't>) -> Option<Route> {
        let mut section = Section::new("[[route]]", Some(self.table), root.faults);
        let expected = format!(
            "a name of 1 to {NAME_BYTES_MAX} printable bytes other than {}",
            NAMES_TAKEN.join(" and ")
        );
        let name = section.parsed("name", None, &expected, |value| {
            value.as_str().filter(|name| is_name(name)).map(|name| Some(name.to_owned()))
        });
        let files = section.strings("files");
        let solver = self.solver(&mut section);
        let mut options = solver.map_or_else(|| Options::defaults(&[COMMON]), default_options);
        for key in LIMITS {
            if let Some(value) = section.take(key) {
                set(&section, &mut options, key, value);
            }
        }
        read_options(&mut section, solver, &mut options);
        let allow_directives = section.flag("allow_directives", true);
        let if_exists = if section.warn_of_removed("if_exists", "reject") {
            let _ = section.take("if_exists");
            IfExists::Version
        } else {
            section.choice("if_exists", IfExists::Replace)
        };
        for key in ["name", "files", "solver"] {
            if self.table.get(key).is_none() {
                let message = format!("[[route]] number {} has no key '{key}'", self.number);
                section.faults.add(self.item.span().start, message);
            }
        }
        let files = Globs::build(files.unwrap_or_default(), Subject::Path, section.faults);
        if let Some(value) = self.table.get("files")
            && value.get_ref().as_array().is_some_and(|array| array.is_empty())
        {
            section.wrong("files", value, "at least one glob such as \"**/entrada*\"");
        }
        section.finish(|key| self.hint(key));
        Some(Route { name: name?, files, solver: solver?, options, allow_directives, if_exists })
    }

    fn solver(&self, section: &mut Section<'a, 't>) -> Option<&'static dyn Solver> {
        let value = section.take("solver")?;
        let text = value.get_ref().as_str().unwrap_or_default();
        let solver = self.solvers.iter().copied().find(|solver| solver.id() == text);
        if solver.is_none() {
            let known: Vec<_> = self.solvers.iter().map(|solver| solver.id()).collect();
            let hint = did_you_mean(text, &known);
            section.wrong("solver", value, &format!("one of {}{hint}", known.join(", ")));
        }
        solver
    }

    /// Where an option at route level belongs.
    fn hint(&self, key: &str) -> Option<String> {
        let is_option = COMMON
            .iter()
            .chain(self.solvers.iter().flat_map(|solver| solver.options()))
            .any(|option| option.name == key);
        is_option.then(|| format!(": an option of a solver belongs in options = {{ {key} = … }}"))
    }
}

/// The solver's own options, and `witness`. Without a solver they cannot be judged.
fn read_options(section: &mut Section<'_, '_>, solver: Option<&'static dyn Solver>, options: &mut Options) {
    let Some(value) = section.take("options") else { return };
    let Some(table) = value.get_ref().as_table() else {
        section.wrong("options", value, "a table such as { witness = true }");
        return;
    };
    for (key, value) in table {
        let name: &str = key.get_ref();
        if LIMITS.contains(&name) {
            let message = format!(
                "[[route]] options.{name}: a limit belongs to the route itself, beside 'options', not in it"
            );
            section.faults.add(key.span().start, message);
            continue;
        }
        let Some(solver) = solver else { continue };
        if options.knows(name) {
            set(section, options, name, value);
            continue;
        }
        // The limits are options to a solver, but no keys here.
        let known = options.iter().map(|(name, _)| name).filter(|name| !LIMITS.contains(name));
        let known: Vec<_> = known.collect();
        let message = format!(
            "[[route]] options: unknown option '{}' of {}{}; known: {}",
            printable(name.as_bytes(), 60),
            solver.id(),
            did_you_mean(name, &known),
            known.join(", ")
        );
        section.faults.add(key.span().start, message);
    }
}

/// Sets an option from a TOML value, and reports what is wrong with it.
fn set(section: &Section<'_, '_>, options: &mut Options, name: &str, value: &Value<'_>) {
    let Some(text) = scalar(value.get_ref()) else {
        section.wrong(name, value, "a string, a number, true or false");
        return;
    };
    match options.set(name, &text, Authority::Owner) {
        Ok(()) => {}
        Err(OptionError::OutOfRange { expected, .. }) => section.wrong(name, value, &expected),
        Err(error) => section.faults.add(value.span().start, format!("[[route]] {error}")),
    }
}

/// A TOML string, integer, float or boolean as an option's text.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(integer) => {
            Some(number(integer).map_or_else(|| integer.to_string(), |number| number.to_string()))
        }
        DeValue::Float(float) => Some(float.as_str().to_owned()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

fn is_name(name: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&name.len())
        && !NAMES_TAKEN.contains(&name)
        && printable(name.as_bytes(), usize::MAX) == name
}
