//! The whole configuration: reading it from a text, printing it, its JSON Schema, and comparing it after a reload.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::config_keys::{Key, Section, section_rule};
use super::files::Reference;
use super::folder_settings::{Folders, absolute};
use super::locate::{Located, SHIPPED, SHIPPED_ORIGIN, WORKING_PATH};
use super::route::{self, Route};
use super::sections::{
    Control, Formats, Intake, Log, Metrics, Page, Readers, Remote, Results, Retention, Workers,
};
use super::toml_reader::{self as reader, ConfigError, Fault, KeyValue, Source, Table};
use tabuleiro_jobs::archive::is_zip;
use tabuleiro_jobs::naming::Output;
use tabuleiro_puzzles::solver::{Solver, format_size};
use tabuleiro_puzzles::words::{Language, Phrase};

/// Defines [`Config`] from its sections. Each section is listed only here, with its key in the document and its type.
macro_rules! sections {
    ($($(#[doc = $doc:literal])* $name:ident: $section:ident,)*) => {
        /// A checked configuration.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Config {
            $($(#[doc = $doc])* pub $name: $section,)*
            routes: Vec<Arc<Route>>,
        }

        impl Config {
            /// Reads all sections except the routes.
            fn read_sections(root: &mut Table<'_, '_>) -> Self {
                Self { $($name: section(root, stringify!($name)),)* routes: Vec::new() }
            }

            /// Returns every section except the routes: its name, its description, its keys.
            fn sections(&self) -> Vec<(&'static str, &'static str, Vec<Key>)> {
                vec![$((stringify!($name), $section::ABOUT, self.$name.keys())),*]
            }
        }
    };
}

sections! {
    /// The folders of the service.
    folders: Folders,
    /// Level, format and destinations of the log.
    log: Log,
    /// Which files are taken from the inbox, and when.
    intake: Intake,
    /// The solver threads.
    workers: Workers,
    /// The files that appear in the outbox.
    results: Results,
    /// The socket on which the service answers questions.
    control: Control,
    /// How long inputs, logs and the history are kept.
    retention: Retention,
    /// Where metrics are published.
    metrics: Metrics,
    /// Where the page of the service is written.
    page: Page,
    /// Workers on other machines.
    remote: Remote,
}

impl Config {
    /// Reads and checks a configuration. `origin` is the name of the text in errors: its path. Routes may name the
    /// given solvers.
    ///
    /// # Errors
    /// Returns all faults, ordered by line. If there are syntax errors, only these are reported.
    pub fn parse(text: &str, origin: &str, solvers: &[&'static dyn Solver]) -> Result<Self, ConfigError> {
        Self::parse_with_warnings(text, origin, solvers).map(|(config, _)| config)
    }

    /// Parses like [`Self::parse`], and also returns warnings: groups that this machine does not have, and routes that
    /// no file can reach.
    ///
    /// # Errors
    /// Fails like [`Self::parse`].
    pub fn parse_with_warnings(
        text: &str,
        origin: &str,
        solvers: &[&'static dyn Solver],
    ) -> Result<(Self, Vec<Fault>), ConfigError> {
        let source = Source::new(text, solvers);
        let config = match reader::parse(text, &source) {
            Some(table) => Some(Self::read(Table::document(Some(&table), &source))?),
            None => None,
        };
        source.finish(origin, config)
    }

    /// Returns the configuration with its relative paths made absolute below [`Folders::base`], if it has a base. The
    /// shipped configuration is treated as a checkout's [`WORKING_PATH`]. References of routes are made absolute below
    /// the folder of the configuration file.
    pub fn placed(mut self, located: &Located, cwd: &Path) -> Self {
        let file = located.path.as_deref().unwrap_or(Path::new(WORKING_PATH));
        for route in self.routes.iter_mut().filter(|route| route.grade.is_some()) {
            let route = Arc::make_mut(route);
            route.grade = route.grade.take().map(|grade| absolute(&file.with_file_name(grade), cwd));
        }
        self.remote = self.remote.placed(file, cwd);
        if let Some(base) = self.folders.absolute_base(file, cwd) {
            self.metrics.textfile = self.metrics.textfile.map(|textfile| base.join(textfile));
            self.page.path = self.page.path.map(|page| base.join(page));
            self.folders = Folders { base: Some(base.clone()), ..self.folders.below(&base) };
        }
        self
    }

    /// Reads the references of all routes that grade; together they may have at most `bytes_max` bytes. The
    /// configuration must have been read from `text` and placed.
    ///
    /// # Errors
    /// Reports each reference that is missing or unusable for grading, at the line that names it.
    pub fn check_references(&self, bytes_max: u64, text: &str, origin: &str) -> Result<(), ConfigError> {
        let source = Source::new(text, &[]);
        let table = reader::parse(text, &source);
        let routes = Table::document(table.as_ref(), &source).take("route");
        let mut left = bytes_max;
        for (route, item) in self.routes.iter().zip(routes.iter().filter_map(KeyValue::items).flatten()) {
            let found = item.section("[[route]]".to_owned()).found("grade");
            let (Some(found), Some(path)) = (found, &route.grade) else { continue };
            let why = match Reference::check(path, route) {
                Ok(bytes) if bytes <= left => {
                    left -= bytes;
                    continue;
                }
                Ok(_) => {
                    let max = format_size(bytes_max);
                    format!("with this one all references have more than {max} together")
                }
                Err(error) => error.to_string(),
            };
            found.reject(&format!("an input by which submissions can be graded; {}: {why}", path.display()));
        }
        source.finish(origin, Some(())).map(drop)
    }

    fn read(mut root: Table<'_, '_>) -> Result<Self, ConfigError> {
        let mut config = Self::read_sections(&mut root);
        config.folders.report_nested(&root.section("folders"));
        config.remote.report_left_out(&root.section("remote"));
        let language = config.results.language;
        config.routes = match route::read_all(&mut root, &config.folders.inbox, language) {
            Some(routes) => routes,
            None => shipped_routes(root.source.solvers, language)?,
        };
        root.finish(|_| None);
        Ok(config)
    }

    /// Returns the route that takes the file at a path below the inbox: the first that matches.
    pub fn route(&self, path_below_inbox: &Path) -> Option<&Arc<Route>> {
        self.routes.iter().find(|route| route.takes(path_below_inbox))
    }

    /// Returns all routes, in the order in which they are tried.
    pub fn routes(&self) -> &[Arc<Route>] {
        &self.routes
    }

    /// Returns the outputs of the file at a path below the inbox, which `route` takes, with or without a page. The
    /// first output is the one that people look for.
    pub fn outputs(&self, path_below_inbox: &Path, route: Option<&Route>, has_page: bool) -> Vec<Output> {
        if is_zip(path_below_inbox) {
            return vec![Output::Archive];
        }
        let is_graded = route.is_some_and(|route| route.grade.is_some());
        let (text, json, page) = if is_graded {
            (Output::Grade, Output::GradeJson, Output::GradePage)
        } else {
            (Output::Result, Output::ResultJson, Output::ResultPage)
        };
        let has_json = is_graded || self.results.formats == Formats::TextAndJson;
        [text].into_iter().chain(has_json.then_some(json)).chain(has_page.then_some(page)).collect()
    }

    /// Returns whether the outputs of a file that `route` takes are private: grades, and all outputs if only owners may
    /// read results.
    pub fn is_private(&self, route: Option<&Route>) -> bool {
        self.results.readers == Readers::Owner || route.is_some_and(|route| route.grade.is_some())
    }

    /// Returns the path of the control socket, which may be configured relative to the var folder.
    pub fn control_socket(&self) -> Option<PathBuf> {
        self.control.socket.as_ref().map(|socket| self.folders.var.join(socket))
    }

    /// Returns a description of each route, in order, for the report on a file that no route takes.
    pub fn tried(&self) -> impl Iterator<Item = Phrase> + '_ {
        self.routes.iter().map(|route| route.told())
    }

    /// Returns a warning for everything that all users can access although `results.readers` restricts results to their
    /// owners, each with the command or setting that closes it.
    pub fn open_to_others(&self) -> Vec<String> {
        match self.results.readers {
            Readers::Group => Vec::new(),
            Readers::Owner => self.folders.open_to_others(&self.control),
        }
    }

    /// Returns the configuration as TOML: every key with its effective value. Parsing it gives the same configuration.
    pub fn effective(&self) -> String {
        let section = |title: String, keys: Vec<Key>| {
            keys.iter().fold(title, |text, key| text + &format!("{} = {}\n", key.name, key.value))
        };
        let sections =
            self.sections().into_iter().map(|(name, _, keys)| section(format!("[{name}]\n"), keys));
        let routes = self.routes.iter().map(|route| section("[[route]]\n".to_owned(), route.all_keys()));
        sections.chain(routes).collect::<Vec<_>>().join("\n")
    }

    /// Returns the keys, as `SECTION.KEY`, that differ in `new` and take effect only when the service starts.
    pub fn waiting_for_restart(&self, new: &Self) -> Vec<String> {
        let keys = |config: &Self| {
            let sections = config.sections().into_iter();
            sections.flat_map(|(section, _, keys)| keys.into_iter().map(move |key| (section, key)))
        };
        let pairs = keys(self).zip(keys(new));
        let changed = pairs.filter(|((_, old), (_, new))| old.needs_restart && old.value != new.value);
        changed.map(|((section, key), _)| format!("{section}.{}", key.name)).collect()
    }

    /// Returns the JSON Schema of configurations whose routes may name the given solvers.
    pub fn schema(solvers: &[&'static dyn Solver]) -> String {
        let source = Source::new("", solvers);
        let defaults = Self::read_sections(&mut Table::document(None, &source));
        let sections = defaults.sections().into_iter();
        let mut properties: serde_json::Map<_, _> =
            sections.map(|(section, about, keys)| (section.to_owned(), section_rule(about, keys))).collect();
        let (routes, route) = route::rules(solvers);
        properties.insert("route".to_owned(), routes);
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "Configuration of Tabuleiro",
            "description": "Keys that are left out have their defaults. Ranges of durations and sizes that this \
                            schema cannot express stand in their descriptions; `tabuleiro check-config` checks them all.",
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
            "definitions": { route::DEFINITION: route },
        });
        schema_text(&schema, 0) + "\n"
    }
}

fn shipped_routes(
    solvers: &[&'static dyn Solver],
    language: Language,
) -> Result<Vec<Arc<Route>>, ConfigError> {
    let source = Source::new(SHIPPED, solvers);
    let table = reader::parse(SHIPPED, &source);
    let read = |table| route::read_all(&mut Table::document(Some(&table), &source), Path::new(""), language);
    let routes = table.and_then(read);
    source.finish(SHIPPED_ORIGIN, routes).map(|(routes, _)| routes)
}

fn section<T: Section>(root: &mut Table<'_, '_>, name: &'static str) -> T {
    let mut table = root.section(name);
    let section = T::read(&mut table);
    table.finish(|_| None);
    section
}

/// How deep the schema is spread over several lines: keys of a section and solvers of a route have one line each.
const SPREAD_DEPTH_MAX: usize = 4;

/// Returns the text of a part of the schema, which lies in `depth` objects and arrays.
fn schema_text(value: &Json, depth: usize) -> String {
    let (begin, items, end) = match value {
        Json::Object(keys) => {
            let key = |(name, value)| format!("{}: {}", json!(name), schema_text(value, depth + 1));
            ("{", keys.iter().map(key).collect::<Vec<_>>(), "}")
        }
        Json::Array(items) => ("[", items.iter().map(|item| schema_text(item, depth + 1)).collect(), "]"),
        plain => return plain.to_string(),
    };
    if depth >= SPREAD_DEPTH_MAX {
        return format!("{begin}{}{end}", items.join(", "));
    }
    let indent = "  ".repeat(depth);
    let lines: Vec<_> = items.iter().map(|item| format!("{indent}  {item}")).collect();
    format!("{begin}\n{}\n{indent}{end}", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::solver::SOLVERS;

    #[test]
    fn references_beyond_the_limit_together_are_refused_where_the_one_too_many_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("entrada.txt");
        std::fs::write(&path, format!("# {}\n3 3\n2 1 2 0 1\n0 0\n", "x".repeat(1100))).unwrap();
        let route = |name: &str| {
            let path = path.display();
            format!(
                "[[route]]\nname = \"{name}\"\nfiles = [\"{name}\"]\nsolver = \"checkers-capture\"\ngrade = \"{path}\"\n"
            )
        };
        let text = route("a") + &route("b");
        let config = Config::parse(&text, "t.toml", SOLVERS).unwrap();
        config.check_references(4096, &text, "t.toml").unwrap();
        let error = config.check_references(2048, &text, "t.toml").unwrap_err().to_string();
        assert!(error.starts_with("t.toml:10:9: [[route]] grade = "), "{error}");
        assert!(error.ends_with("with this one all references have more than 2KiB together"), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}
