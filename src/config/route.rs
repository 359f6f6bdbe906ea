//! Routes: which files go to which solver, with which options and limits.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use time::OffsetDateTime;

use super::config_keys::{
    Declared, Key, Section, any_path, moment_or_nothing, option, scalar, section, section_rule, text, toml,
};
use super::globs::{Globs, Student, Subject, Who, globs};
use super::toml_reader::{KeyValue, Source, Table, quoted};
use tabuleiro_jobs::grading::formats::SubmissionOrigin;
use tabuleiro_jobs::grading::{Modified, Standing};
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::solver::{
    COMMON, Choice as _, GRADING, JOB_TIME_LIMIT, LANGUAGE, MEMORY_LIMIT, OptionSpec, OptionValue, Options,
    SOLVERS, Solver, TIME_LIMIT, Values, choice as choices, default_options, did_you_mean, is_of_grading,
};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// The maximum number of routes in a configuration.
const ROUTES_MAX: usize = 1000;
/// The maximum number of comparisons of a glob with an earlier route's globs. They find routes that no file can reach.
const COMPARISONS_MAX: usize = 20_000;
/// The largest value of `attempts`.
const ATTEMPTS_MAX: u64 = 1_000_000;
/// The maximum length of a route's name, in bytes.
const NAME_BYTES_MAX: usize = 64;
/// Names that no route may have: history, status and metrics use them for files without a route, and for routes that
/// are counted together.
const NAMES_TAKEN: [&str; 2] = ["none", "(others)"];
/// The common options that are keys of the route itself, not of its `options`.
const LIMITS: [OptionSpec; 3] = [TIME_LIMIT.spec, MEMORY_LIMIT.spec, JOB_TIME_LIMIT.spec];

section! {
    /// Which file goes to which solver.
    pub struct Route {
        /// Its name, which no other route has.
        pub name: String = name().required(),
        /// Globs on the path below the inbox; case does not matter.
        pub files: Globs = globs(Vec::new(), Subject::Path).required(),
        /// Where the files go, unless a directive names another; `tabuleiro solvers` lists them.
        pub solver: &'static dyn Solver = solver().required(),
        /// The input that students had, if the files are submissions to be graded. Its path is relative to the folder
        /// of the configuration file.
        pub grade: Option<PathBuf> =
            any_path("the path of the input that students had, or \"\" where files are answered"),
        /// How the path of a file names the student: a glob with {student} for a folder's name or a part of it, and
        /// optionally {id} for a number; or the program that made the folders.
        pub student: Option<Student> = student(),
        /// How many submissions of a student count. Later ones are graded and marked, but the class list ignores them.
        pub attempts: Option<u64> = scalar(None, Values::integer_or(&["unlimited"], 1..=ATTEMPTS_MAX)),
        /// Until when submissions count. Later ones are graded and marked, but the class list ignores them.
        pub deadline: Option<OffsetDateTime> = moment_or_nothing(),
        /// Options of the solver, witness and language; `tabuleiro solvers ID` lists them. With grade also the options
        /// of grading.
        pub options: Options = options(),
        /// Whether a file may set options itself, with lines `#: key = value` before its first number.
        pub allow_directives: bool = scalar(true, Values::flag()),
        /// Whether workers on other machines may solve its puzzles (see `[remote]`).
        pub remote: bool = scalar(true, Values::flag()),
        /// If the result exists already: replace it, or name every result by the time of its job.
        pub if_exists: IfExists = scalar(IfExists::Replace, Values::choice()),
    }
}

choices! {
    /// What happens if the result already exists.
    pub enum IfExists {
        /// The new result replaces it.
        Replace = "replace",
        /// The name of every result contains the ID of its job: `saida.20261121T121744.123456Z.txt`.
        Version = "version",
    }
}

messages! {
    "route"
    /// The description of a route in reports.
    enum RouteLine {
        /// What the route takes and its solver: `pulo (**/pulo*, **/jump*) to jump-game`.
        Leads = "leads" { route: String, files: String, solver: &'static str },
        /// The same for a route that grades: `lista3 (lista3/**/saida*) to be graded`.
        Grades = "grades" { route: String, files: String },
    }
}

impl Route {
    /// Returns a description of the route: its name, what it takes, and its solver.
    pub fn told(&self) -> Phrase {
        let (route, files) = (self.name.clone(), self.files.patterns().join(", "));
        if self.grade.is_some() {
            return RouteLine::Grades { route, files }.into();
        }
        RouteLine::Leads { route, files, solver: self.solver.id() }.into()
    }

    /// Returns whether the route takes the file at a path below the inbox.
    pub fn takes(&self, path_below_inbox: &Path) -> bool {
        self.files.first_match(path_below_inbox.as_os_str()).is_some()
    }

    /// Returns the student whom a path below the inbox names, with a printable name.
    pub fn whose(&self, path_below_inbox: &Path) -> Option<Who> {
        let who = self.student.as_ref()?.of(path_below_inbox)?;
        Some(Who { student: printable(who.student.as_bytes(), usize::MAX), ..who })
    }

    /// Returns the origin of a submission of `who`. The caller adds what only the job knows.
    pub fn submission_origin<'a>(
        &'a self,
        submission: &'a str,
        who: Option<&'a Who>,
    ) -> SubmissionOrigin<'a> {
        SubmissionOrigin {
            submission,
            student: who.map(|who| who.student.as_str()),
            student_id: who.and_then(|who| who.id.as_deref()),
            route: Some(&self.name),
            ..SubmissionOrigin::default()
        }
    }

    /// Returns whether a submission counts, by its attempt number and the time at which it was submitted. A time
    /// without an offset from UTC gets the offset of the deadline. A submission without a time is never late.
    pub fn standing(&self, attempt: u64, handed_in: Option<Modified>) -> Standing {
        let is_late =
            |deadline: &OffsetDateTime| handed_in.is_some_and(|time| time.by(deadline.offset()) > *deadline);
        Standing { attempt, attempts_max: self.attempts, missed: self.deadline.filter(is_late) }
    }

    /// Returns all keys of the route, including the limits.
    pub(super) fn all_keys(&self) -> Vec<Key> {
        let limits = LIMITS.iter().filter_map(|limit| {
            Some(option(limit).key(limit.name, limit.help, &self.options.value(limit.name)?))
        });
        self.keys().into_iter().chain(limits).collect()
    }

    /// Reads the options of the route's solver, and the limits, which are keys of the route itself. If the solver is
    /// unknown, the options are not checked.
    fn read_options(&mut self, table: &mut Table<'_, '_>, language: Language) {
        let is_known = table.found("solver").is_some_and(|id| id.value().as_str() == Some(self.solver.id()));
        self.options = default_options(self.solver);
        self.options.put(LANGUAGE.spec.name, OptionValue::Word(language.word()));
        for limit in &LIMITS {
            self.options.put(limit.name, option(limit).read(table, limit.name));
        }
        let of_grading = [
            ("student", self.student.is_some()),
            ("attempts", self.attempts.is_some()),
            ("deadline", self.deadline.is_some()),
        ];
        let misplaced = of_grading.into_iter().filter(|(_, is_set)| *is_set && self.grade.is_none());
        for found in misplaced.filter_map(|(key, _)| table.found(key)) {
            found.reject("a key of a route that grades: write grade = \"PATH\", the input that students had, beside it");
        }
        let mut own = table.section("options");
        if is_known {
            let grading = if self.grade.is_some() { GRADING } else { &[] };
            for spec in own_options(self.solver).chain(grading) {
                let default = self.options.value(spec.name).unwrap_or(spec.default_value());
                self.options.put(spec.name, option(spec).with_default(default).read(&mut own, spec.name));
            }
            own.finish(self::misplaced);
        }
    }
}

/// Reads the routes under the document's key `route`. Returns `None` if that key is missing. Warns about globs that
/// begin with the path of `inbox`. Routes that set no language for messages get `language`.
pub(super) fn read_all(
    root: &mut Table<'_, '_>,
    inbox: &Path,
    language: Language,
) -> Option<Vec<Arc<Route>>> {
    let found = root.take("route")?;
    let items: Vec<_> = found.items().into_iter().flatten().collect();
    if items.is_empty() {
        found.reject("sections [[route]], in two brackets, at least one or none at all");
    }
    if let Some(first_too_many) = items.get(ROUTES_MAX) {
        let message = format!("{} routes: expected at most {ROUTES_MAX}", items.len());
        root.source.add(first_too_many.offset(), message);
    }
    let mut names = HashMap::new();
    let routes = items.iter().take(ROUTES_MAX).zip(1_usize..).map(|(item, number)| {
        let mut table = item.section("[[route]]".to_owned());
        if let Some(found) = table.found("name")
            && let Some(name) = found.value().as_str()
        {
            let first = *names.entry(name).or_insert(number);
            if first != number {
                found.reject(&format!("another name, route {first} has this one"));
            }
        }
        let mut route = Route::read(&mut table);
        route.read_options(&mut table, language);
        let files = table.found("files");
        files.iter().filter_map(KeyValue::items).flatten().for_each(|glob| warn_of_inbox(&glob, inbox));
        table.finish(|key| hint(key, root.source.solvers));
        (files.map_or(0, |files| files.offset()), Arc::new(route))
    });
    let routes: Vec<_> = routes.collect();
    warn_of_covered(root.source, &routes);
    Some(routes.into_iter().map(|(_, route)| route).collect())
}

/// Warns if a glob begins with the path of the inbox: globs are compared with paths below the inbox.
fn warn_of_inbox(glob: &KeyValue<'_, '_>, inbox: &Path) {
    let Some(text) = glob.value().as_str() else { return };
    let names: Vec<_> = inbox.iter().filter_map(|name| name.to_str()).collect();
    let mut ends = (0..names.len()).map(|first| names[first..].join("/") + "/");
    let begins = |end: &String| text.get(..end.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(end));
    let Some(end) = ends.find(begins) else { return };
    let (end, rest) = (quoted(&end), quoted(&text[end.len()..]));
    glob.warn(&format!(
        "globs begin inside the inbox, so this one takes nothing but files of a folder {end} in the inbox; for files of \
         the inbox itself write \"{rest}\""
    ));
}

/// Warns about routes that no file can reach, because earlier routes take all files that they match. Each route comes
/// with the byte offset of its globs.
fn warn_of_covered(source: &Source<'_>, routes: &[(usize, Arc<Route>)]) {
    let mut left = COMPARISONS_MAX;
    for (index, (offset, route)) in routes.iter().enumerate() {
        let mut covering = |glob: &String| {
            routes[..index].iter().find_map(|(_, above)| {
                left = left.checked_sub(1)?;
                let (covering, glob) = (quoted(above.files.covering(glob)?), quoted(glob));
                Some(format!("'{covering}' of the route '{}' takes all of '{glob}'", above.name))
            })
        };
        let covered: Option<Vec<_>> = route.files.patterns().iter().map(&mut covering).collect();
        let Some(first) = covered.as_ref().and_then(|covered| covered.first()) else { continue };
        let name = &route.name;
        let message = format!(
            "no file ever comes to the route '{name}': the first route that matches takes a file, and above it {first}; \
             move the route '{name}' further up, or delete it"
        );
        source.warn(*offset, message);
    }
}

/// Returns why a key that is valid elsewhere is not an option of this route.
fn misplaced(key: &str) -> Option<String> {
    if is_limit(key) {
        return Some(": a limit belongs to the route itself, beside 'options', not in it".to_owned());
    }
    let why = ": an option of grading, for a route with grade = \"PATH\", the input that students had";
    is_of_grading(key).then(|| why.to_owned())
}

/// Returns a hint if an unknown key of a route is an option, which belongs in `options`.
fn hint(key: &str, solvers: &[&'static dyn Solver]) -> Option<String> {
    let mut options = COMMON.iter().chain(GRADING).chain(solvers.iter().flat_map(|solver| solver.options()));
    let is_option = options.any(|option| option.name == key);
    is_option.then(|| format!(": an option of a solver belongs in options = {{ {key} = … }}"))
}

/// Returns the options of a solver that belong in a route's `options`.
fn own_options(solver: &dyn Solver) -> impl Iterator<Item = &'static OptionSpec> {
    solver.options().iter().chain(COMMON.iter().filter(|spec| !is_limit(spec.name)))
}

fn is_limit(name: &str) -> bool {
    LIMITS.iter().any(|limit| limit.name == name)
}

fn name() -> Declared<String> {
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

fn solver() -> Declared<&'static dyn Solver> {
    let read = |found: &KeyValue<'_, '_>| {
        let (solvers, text) = (found.source.solvers, found.value().as_str().unwrap_or_default());
        let solver = solvers.iter().copied().find(|solver| solver.id() == text);
        if solver.is_none() {
            let known: Vec<_> = solvers.iter().map(|solver| solver.id()).collect();
            found.reject(&format!("one of {}{}", known.join(", "), did_you_mean(text, &known)));
        }
        Some(solver.unwrap_or(SOLVERS[0]))
    };
    Declared::new(SOLVERS[0], "the ID of a solver", json!({}), read, |solver| solver.id().into())
}

fn student() -> Declared<Option<Student>> {
    let expected = "\"nbgrader\", \"moodle\", a glob such as \"turma1/{student}/**\", or \"\" for none";
    let read = |found: &KeyValue<'_, '_>| match found.value().as_str()? {
        "" => Some(None),
        text => {
            let report = |why| found.source.add(found.offset(), format!("[[route]] student: {why}"));
            Some(Student::parse(text).map_err(report).ok())
        }
    };
    let rule = json!({ "type": "string", "maxLength": 1024 });
    let show = |student: &Option<Student>| student.as_ref().map_or("", |student| &student.text).into();
    Declared::new(None, expected, rule, read, show)
}

/// Declares a table of options. Their kinds depend on the solver, so this part of the schema says no more.
fn options() -> Declared<Options> {
    let none = || Options::defaults(&[]);
    let is_plain = |name: &str, value: OptionValue| {
        GRADING.iter().any(|spec| spec.name == name && spec.default_value() == value)
    };
    let show = move |options: &Options| {
        let own = options.iter().filter(|(name, value)| !is_limit(name) && !is_plain(name, *value));
        own.map(|(name, value)| (name.to_owned(), toml(value))).collect::<toml::Table>().into()
    };
    let expected = "a table such as { witness = true }";
    Declared::new(none(), expected, json!({ "type": "object" }), move |_| Some(none()), show)
}

/// The name of the JSON Schema of one route.
pub(super) const DEFINITION: &str = "route";

/// Returns the JSON Schemas of the routes and of one route.
pub(super) fn rules(solvers: &[&'static dyn Solver]) -> (Json, Json) {
    let source = Source::new("", solvers);
    let mut route = Route::read(&mut Table::document(None, &source));
    route.options = default_options(route.solver);
    let mut rule = section_rule(Route::ABOUT, route.all_keys());
    rule["properties"]["solver"]["enum"] = solvers.iter().map(|solver| solver.id()).collect();
    rule["properties"]["options"]["properties"] = option_rules(shared_options()).into();
    rule["allOf"] = solvers.iter().map(|solver| options_rule(*solver)).collect();
    let routes = json!({
        "type": "array",
        "minItems": 1,
        "maxItems": ROUTES_MAX,
        "description": "Which file goes to which solver: the first route that matches takes the file. Without any, the \
                        shipped routes hold.",
        "items": { "$ref": format!("#/definitions/{DEFINITION}") },
    });
    (routes, rule)
}

/// Returns the options that routes to every solver may have.
fn shared_options() -> impl Iterator<Item = &'static OptionSpec> {
    COMMON.iter().filter(|spec| !is_limit(spec.name)).chain(GRADING)
}

/// Returns which options a route to a solver may have, with the JSON Schemas of the solver's own.
fn options_rule(solver: &dyn Solver) -> Json {
    let mut rules = option_rules(solver.options().iter());
    rules.extend(shared_options().map(|spec| (spec.name.to_owned(), Json::Bool(true))));
    json!({
        "if": { "properties": { "solver": { "const": solver.id() } }, "required": ["solver"] },
        "then": { "properties": { "options": { "properties": rules, "additionalProperties": false } } },
    })
}

/// Returns the JSON Schemas of options by name.
fn option_rules(options: impl Iterator<Item = &'static OptionSpec>) -> serde_json::Map<String, Json> {
    let keys = options.map(|spec| {
        let value = spec.default_value();
        if spec.name == LANGUAGE.spec.name {
            let about = format!("{}; where absent, as results.language says", spec.help);
            // The schema shows no default, since it depends on `results.language`.
            option(spec).required().key(spec.name, &about, &value)
        } else {
            option(spec).key(spec.name, spec.help, &value)
        }
    });
    keys.map(|key| (key.name.to_owned(), key.rule)).collect()
}
