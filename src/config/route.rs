//! Routes: which files go to which solver, with which options and limits.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use serde_json::{Value as Json, json};
use toml::Value;
use toml::de::DeValue;

use super::faults::{did_you_mean, quoted};
use super::globs::{Globs, Subject, globs};
use super::keys::{DURATION_PATTERN, Kind, SIZE_PATTERN, choice, flag, text};
use super::reader::{Found, Table, number};
use crate::input::printable;
use crate::solver::{
    Authority, COMMON, Choice, JOB_TIME_LIMIT, Kind as OptionKind, MEMORY_LIMIT, OptionError, OptionSpec,
    OptionValue, Options, Solver, TIME_LIMIT, choice as choices, default_options,
};

/// Routes in one configuration.
const ROUTES_MAX: usize = 1000;
/// Bytes in a route's name.
const NAME_BYTES_MAX: usize = 64;
/// Names that the history, the status and the metrics have for files of no route, and for routes counted together.
const NAMES_TAKEN: [&str; 2] = ["none", "(others)"];
/// The common options that are keys of the route itself, beside its `options`.
const LIMITS: [OptionSpec; 3] = [TIME_LIMIT.spec, MEMORY_LIMIT.spec, JOB_TIME_LIMIT.spec];
/// The keys without a default.
const REQUIRED: [&str; 3] = ["name", "files", "solver"];

choices! {
    /// What happens when a result of that name exists already.
    pub enum IfExists {
        /// The new result takes its place.
        Replace = "replace",
        /// Every result has the ID of its job in its name: `saida.20261121T121744.123456Z.txt`.
        Version = "version",
    }
}

/// A checked `[[route]]`.
#[derive(Clone)]
pub struct Route {
    name: String,
    files: Globs,
    solver: &'static dyn Solver,
    options: Options,
    allow_directives: bool,
    if_exists: IfExists,
}

/// Two routes are the same when they are written the same.
impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.effective() == other.effective()
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.effective())
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

    /// Its keys with their values as TOML, a line each.
    pub(super) fn effective(&self) -> String {
        let options = self.options.iter().map(|(name, value)| (name.to_owned(), option_value(value)));
        let (limits, own): (toml::Table, toml::Table) = options.partition(|(name, _)| is_limit(name));
        let (name, files, solver) =
            (Value::from(&*self.name), self.files.value(), Value::from(self.solver.id()));
        let (directives, if_exists) = (self.allow_directives, Value::from(self.if_exists.word()));
        let limits: String = limits.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        format!(
            "name = {name}\nfiles = {files}\nsolver = {solver}\noptions = {}\n{limits}\
             allow_directives = {directives}\nif_exists = {if_exists}\n",
            Value::Table(own)
        )
    }

    /// Whether it takes the file at that path below the inbox.
    #[must_use]
    pub fn takes(&self, path_below_inbox: &Path) -> bool {
        self.files.first_match(path_below_inbox.as_os_str()).is_some()
    }
}

/// The routes of a document under its key `route`; `None` when there is no such key.
pub(super) fn read_all(root: &mut Table<'_, '_>, solvers: &[&'static dyn Solver]) -> Option<Vec<Route>> {
    let found = root.take("route")?;
    let items: Vec<_> = found.items().into_iter().flatten().collect();
    if items.is_empty() {
        found.wrong("sections [[route]], in two brackets, at least one or none at all");
    }
    if let Some(first_too_many) = items.get(ROUTES_MAX) {
        let message = format!("{} routes: expected at most {ROUTES_MAX}", items.len());
        root.faults.add(first_too_many.offset(), message);
    }
    let mut routes = Vec::new();
    let mut seen = HashMap::new();
    for (item, number) in items.iter().take(ROUTES_MAX).zip(1_usize..) {
        let Some(entries) = item.value().as_table() else {
            item.wrong("a section [[route]]");
            continue;
        };
        let mut table = Table::new("[[route]]", Some(entries), root.faults);
        for key in REQUIRED.into_iter().filter(|key| !entries.contains_key(*key)) {
            root.faults.add(item.offset(), format!("[[route]] number {number} has no key '{key}'"));
        }
        // Names are compared even of routes that are wrong otherwise.
        if let Some(found) = table.found("name")
            && let Some(name) = found.value().as_str()
        {
            let first = *seen.entry(name).or_insert(number);
            if first != number {
                found.wrong(&format!("another name, route {first} has this one"));
            }
        }
        routes.extend(read(&mut table, solvers));
        table.finish(|key| hint(key, solvers));
    }
    Some(routes)
}

fn read(table: &mut Table<'_, '_>, solvers: &[&'static dyn Solver]) -> Option<Route> {
    let name = name().read(table, "name");
    let files = files().read(table, "files");
    if let Some(found) = table.found("files")
        && found.value().as_array().is_some_and(|array| array.is_empty())
    {
        found.wrong("at least one glob such as \"**/entrada*\"");
    }
    let solver = read_solver(table, solvers);
    let mut options = solver.map_or_else(|| Options::defaults(&[COMMON]), default_options);
    for limit in LIMITS {
        if let Some(found) = table.take(limit.name) {
            set(&found, &mut options, limit.name);
        }
    }
    read_options(table, solver, &mut options);
    let allow_directives = allow_directives().read(table, "allow_directives");
    let if_exists = if table.has_removed_value("if_exists", "reject") {
        IfExists::Version
    } else {
        if_exists().read(table, "if_exists")
    };
    Some(Route { name, files, solver: solver?, options, allow_directives, if_exists })
}

fn read_solver(table: &mut Table<'_, '_>, solvers: &[&'static dyn Solver]) -> Option<&'static dyn Solver> {
    let found = table.take("solver")?;
    let text = found.value().as_str().unwrap_or_default();
    let solver = solvers.iter().copied().find(|solver| solver.id() == text);
    if solver.is_none() {
        let known: Vec<_> = solvers.iter().map(|solver| solver.id()).collect();
        found.wrong(&format!("one of {}{}", known.join(", "), did_you_mean(text, &known)));
    }
    solver
}

/// The solver's own options, and `witness`. Without a solver they cannot be judged.
fn read_options(table: &mut Table<'_, '_>, solver: Option<&'static dyn Solver>, options: &mut Options) {
    let Some(found) = table.take("options") else { return };
    let Some(entries) = found.value().as_table() else {
        found.wrong("a table such as { witness = true }");
        return;
    };
    for (name, offset, found) in Table::new("[[route]]", Some(entries), table.faults).entries() {
        if is_limit(name) {
            let message = format!(
                "[[route]] options.{name}: a limit belongs to the route itself, beside 'options', not in it"
            );
            table.faults.add(offset, message);
            continue;
        }
        let Some(solver) = solver else { continue };
        if options.knows(name) {
            set(&found, options, name);
            continue;
        }
        // The limits are options to a solver, but no keys here.
        let known: Vec<_> = options.iter().map(|(name, _)| name).filter(|name| !is_limit(name)).collect();
        let message = format!(
            "[[route]] options: unknown option '{}' of {}{}; known: {}",
            quoted(name),
            solver.id(),
            did_you_mean(name, &known),
            known.join(", ")
        );
        table.faults.add(offset, message);
    }
}

/// Sets an option from a TOML value, and reports what is wrong with it.
fn set(found: &Found<'_, '_>, options: &mut Options, name: &str) {
    let Some(text) = scalar(found.value()) else {
        found.wrong("a string, a number, true or false");
        return;
    };
    match options.set(name, &text, Authority::Owner) {
        Ok(()) => {}
        Err(OptionError::OutOfRange { expected, .. }) => found.wrong(&expected),
        Err(error) => found.faults.add(found.offset(), format!("[[route]] {error}")),
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

/// An option's value as TOML.
fn option_value(value: OptionValue) -> Value {
    match value {
        OptionValue::Flag(flag) => flag.into(),
        // TOML promises 63 bits only.
        OptionValue::Integer(number) => {
            i64::try_from(number).map_or_else(|_| number.to_string().into(), Value::Integer)
        }
        value => value.to_string().into(),
    }
}

/// Where an option at route level belongs.
fn hint(key: &str, solvers: &[&'static dyn Solver]) -> Option<String> {
    let mut options = COMMON.iter().chain(solvers.iter().flat_map(|solver| solver.options()));
    let is_option = options.any(|option| option.name == key);
    is_option.then(|| format!(": an option of a solver belongs in options = {{ {key} = … }}"))
}

fn is_limit(name: &str) -> bool {
    LIMITS.iter().any(|limit| limit.name == name)
}

fn name() -> Kind<String> {
    let expected =
        format!("a name of 1 to {NAME_BYTES_MAX} printable bytes other than {}", NAMES_TAKEN.join(" and "));
    let rule = json!({ "type": "string", "minLength": 1, "maxLength": NAME_BYTES_MAX });
    let is_name = |name: &str| {
        (1..=NAME_BYTES_MAX).contains(&name.len())
            && !NAMES_TAKEN.contains(&name)
            && printable(name.as_bytes(), usize::MAX) == name
    };
    text(String::new(), expected, rule, move |name| is_name(name).then(|| name.to_owned()), Clone::clone)
}

fn files() -> Kind<Globs> {
    globs(&[], Subject::Path)
}

fn allow_directives() -> Kind<bool> {
    flag(true)
}

fn if_exists() -> Kind<IfExists> {
    choice(IfExists::Replace)
}

/// The JSON Schema of the routes.
pub(super) fn rule(solvers: &[&'static dyn Solver]) -> Json {
    let directives =
        "Whether a file may set options itself, with lines `#: key = value` before its first number";
    let exists = "When the result exists already: replace it, or name every result by the time of its job";
    let default = allow_directives().key("allow_directives", directives, &true).rule;
    let mut properties = json!({
        "name": name().required("Its name, unique in the configuration"),
        "files": files().required("Globs on the path below the inbox, upper and lower case the same"),
        "solver": {
            "enum": solvers.iter().map(|solver| solver.id()).collect::<Vec<_>>(),
            "description": "Where the files go; `tabuleiro solvers` lists them.",
        },
        "options": {
            "type": "object",
            "default": {},
            "description": "Options of the solver, and witness; `tabuleiro solvers ID` lists them.",
        },
        "allow_directives": default,
        "if_exists": if_exists().key("if_exists", exists, &IfExists::Replace).rule,
    });
    properties["files"]["minItems"] = json!(1);
    for limit in LIMITS {
        properties[limit.name] = option_rule(&limit);
    }
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": ROUTES_MAX,
        "description": "Which file goes to which solver: the first route that matches takes the file. Without any, the \
                        shipped routes hold.",
        "items": {
            "type": "object",
            "properties": properties,
            "required": REQUIRED,
            "additionalProperties": false,
            "allOf": solvers.iter().map(|solver| options_rule(*solver)).collect::<Vec<_>>(),
        },
    })
}

/// The JSON Schema of the options of routes to a solver.
fn options_rule(solver: &dyn Solver) -> Json {
    let own = solver.options().iter().chain(COMMON.iter().filter(|spec| !is_limit(spec.name)));
    let rules: serde_json::Map<_, _> = own.map(|spec| (spec.name.to_owned(), option_rule(spec))).collect();
    json!({
        "if": { "properties": { "solver": { "const": solver.id() } }, "required": ["solver"] },
        "then": { "properties": { "options": { "properties": rules, "additionalProperties": false } } },
    })
}

/// The JSON Schema of an option.
fn option_rule(spec: &OptionSpec) -> Json {
    let range = |min: u64, max: u64| match i64::try_from(max) {
        Ok(max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
        // TOML promises 63 bits only; a larger number is a string.
        Err(_) => json!({ "anyOf": [{ "type": "integer", "minimum": min }, { "const": max.to_string() }] }),
    };
    let mut rule = match spec.kind {
        OptionKind::Choice(words) => json!({ "enum": words }),
        OptionKind::Flag => json!({ "type": "boolean" }),
        OptionKind::Integer { min, max } | OptionKind::PowerOfTwo { min, max } => range(min, max),
        OptionKind::WordOrInteger { word, min, max } => {
            json!({ "anyOf": [{ "const": word }, range(min, max)] })
        }
        OptionKind::Fraction { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
        OptionKind::Duration { none: true } => {
            json!({ "type": "string", "pattern": format!("^none$|{DURATION_PATTERN}") })
        }
        OptionKind::Duration { none: false } => json!({ "type": "string", "pattern": DURATION_PATTERN }),
        OptionKind::Size { min } => json!({
            "anyOf": [{ "type": "string", "pattern": SIZE_PATTERN }, { "type": "integer", "minimum": min }]
        }),
    };
    rule["description"] = json!(format!("{}; {}", spec.help, spec.kind));
    let number = spec.default.parse::<u64>().map(Json::from);
    let flag = spec.default.parse::<bool>().map(Json::from);
    rule["default"] = number.or(flag).unwrap_or_else(|_| json!(spec.default));
    rule
}
