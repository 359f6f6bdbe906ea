//! What a new configuration changes, key by key, and which of it waits for a restart.
//!
//! Configurations are compared as what they print ([`Config::effective`]), so that no key can be forgotten here.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::Config;

/// When a key that was changed takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// With the reload: for every file that is taken, answered or published from then on.
    Reload,
    /// With the next start of the service.
    Restart,
}

/// When each key takes effect; those of a route are written `route.KEY`. A test holds it to the schema.
pub const EFFECTS: &[(&str, Effect)] = &[
    ("folders.inbox", Effect::Restart),
    ("folders.outbox", Effect::Restart),
    ("folders.var", Effect::Restart),
    ("log.level", Effect::Reload),
    ("log.format", Effect::Restart),
    ("log.rotation", Effect::Restart),
    ("log.files_kept", Effect::Restart),
    ("log.file", Effect::Restart),
    ("log.stderr", Effect::Restart),
    ("log.journal", Effect::Restart),
    ("intake.ignore", Effect::Reload),
    ("intake.quiet_period", Effect::Reload),
    ("intake.readiness", Effect::Reload),
    ("intake.watch", Effect::Reload),
    ("intake.rescan_interval", Effect::Reload),
    ("intake.poll_interval", Effect::Reload),
    ("intake.free_space_min", Effect::Reload),
    ("intake.free_files_min", Effect::Reload),
    ("intake.size_limit", Effect::Reload),
    ("intake.claims_max", Effect::Restart),
    ("workers.threads", Effect::Restart),
    ("workers.memory_limit", Effect::Reload),
    ("workers.stop_timeout", Effect::Reload),
    ("results.formats", Effect::Reload),
    ("results.durability", Effect::Reload),
    ("results.size_limit", Effect::Reload),
    ("results.mode", Effect::Reload),
    ("results.group", Effect::Reload),
    ("control.socket", Effect::Restart),
    ("control.mode", Effect::Restart),
    ("control.group", Effect::Restart),
    ("retention.done_age", Effect::Reload),
    ("retention.failed_age", Effect::Reload),
    ("retention.history_age", Effect::Reload),
    ("retention.log_age", Effect::Reload),
    ("metrics.listen", Effect::Restart),
    ("metrics.textfile", Effect::Restart),
    ("route.name", Effect::Reload),
    ("route.files", Effect::Reload),
    ("route.solver", Effect::Reload),
    ("route.options", Effect::Reload),
    ("route.time_limit", Effect::Reload),
    ("route.memory_limit", Effect::Reload),
    ("route.job_time_limit", Effect::Reload),
    ("route.allow_directives", Effect::Reload),
    ("route.if_exists", Effect::Reload),
];

/// Something that differs between two configurations. Values are written as in TOML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A key of a section.
    Key {
        /// `SECTION.KEY`.
        key: String,
        /// Its value before.
        old: String,
        /// Its value now.
        new: String,
    },
    /// A route that is new.
    RouteAdded {
        /// The route, as routes are shown to people.
        route: String,
    },
    /// A route that is no more.
    RouteRemoved {
        /// Its name.
        route: String,
    },
    /// A key of a route that both have.
    RouteKey {
        /// The route's name.
        route: String,
        /// The key; an option of the solver is `options.NAME`.
        key: String,
        /// Its value before; `None` where the solver of before has no such option.
        old: Option<String>,
        /// Its value now; `None` where the solver of now has no such option.
        new: Option<String>,
    },
    /// Routes that both have are tried in another order.
    RouteOrder {
        /// The names of all routes, in the order in which they are tried now.
        order: Vec<String>,
    },
}

impl Change {
    /// When it takes effect.
    #[must_use]
    pub fn effect(&self) -> Effect {
        let Self::Key { key, .. } = self else { return Effect::Reload };
        // A key that nobody classified must not be taken for one that is in force.
        EFFECTS.iter().find(|(name, _)| name == key).map_or(Effect::Restart, |(_, effect)| *effect)
    }
}

impl Config {
    /// What is otherwise in `new`: sections in the order of the configuration, then the routes.
    #[must_use]
    pub fn changes(&self, new: &Self) -> Vec<Change> {
        let (before, after) = (keys(self), keys(new));
        let mut changes = Vec::new();
        for (key, value) in &after {
            let old = before.iter().find(|(name, _)| name == key).map(|(_, value)| value);
            if let Some(old) = old.filter(|old| *old != value) {
                changes.push(Change::Key { key: key.clone(), old: old.clone(), new: value.clone() });
            }
        }
        self.route_changes(new, &mut changes);
        changes
    }

    fn route_changes(&self, new: &Self, changes: &mut Vec<Change>) {
        let by_name = |config: &Self| -> BTreeMap<String, usize> {
            let names = config.routes.iter().enumerate();
            names.map(|(index, route)| (route.name().to_owned(), index)).collect()
        };
        let (before, after) = (by_name(self), by_name(new));
        for route in &self.routes {
            if !after.contains_key(route.name()) {
                changes.push(Change::RouteRemoved { route: route.name().to_owned() });
            }
        }
        let is_changed = self.routes != new.routes;
        let (tables_before, tables_after) =
            if is_changed { (tables(self), tables(new)) } else { (Vec::new(), Vec::new()) };
        for (index, route) in new.routes.iter().enumerate() {
            let Some(&old_index) = before.get(route.name()) else {
                changes.push(Change::RouteAdded { route: route.to_string() });
                continue;
            };
            if self.routes[old_index] != *route {
                let (old, new) = (&tables_before[old_index], &tables_after[index]);
                route_keys(route.name(), old, new, changes);
            }
        }
        let kept = |config: &Self, other: &BTreeMap<String, usize>| -> Vec<String> {
            let names = config.routes.iter().map(|route| route.name().to_owned());
            names.filter(|name| other.contains_key(name)).collect()
        };
        if kept(self, &after) != kept(new, &before) {
            let order = new.routes.iter().map(|route| route.name().to_owned()).collect();
            changes.push(Change::RouteOrder { order });
        }
    }
}

/// What differs between two routes of one name.
fn route_keys(
    route: &str,
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
    changes: &mut Vec<Change>,
) {
    let mut names: Vec<_> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for key in names {
        let (old, new) = (old.get(key), new.get(key));
        if old != new {
            let (route, key) = (route.to_owned(), key.clone());
            changes.push(Change::RouteKey { route, key, old: old.cloned(), new: new.cloned() });
        }
    }
}

/// All keys but those of routes, as `SECTION.KEY`, with their values as they are written.
fn keys(config: &Config) -> Vec<(String, String)> {
    let document = document(&Config { routes: Vec::new(), ..config.clone() });
    let mut keys = Vec::new();
    for (section, table) in &document {
        for (key, value) in table.as_table().into_iter().flatten() {
            keys.push((format!("{section}.{key}"), value.to_string()));
        }
    }
    // Sections and keys in the order in which the configuration has them, which a table does not keep.
    let place = |key: &str| EFFECTS.iter().position(|(name, _)| *name == key);
    keys.sort_by_key(|(key, _)| place(key));
    keys
}

/// The keys of every route; those of its options are `options.NAME`.
fn tables(config: &Config) -> Vec<BTreeMap<String, String>> {
    let document = document(config);
    let routes = document.get("route").and_then(Value::as_array).into_iter().flatten();
    let flat = |route: &Value| {
        let mut keys = BTreeMap::new();
        for (key, value) in route.as_table().into_iter().flatten() {
            match value {
                Value::Table(options) => {
                    keys.extend(
                        options.iter().map(|(name, value)| (format!("{key}.{name}"), value.to_string())),
                    );
                }
                value => drop(keys.insert(key.clone(), value.to_string())),
            }
        }
        keys
    };
    routes.map(flat).collect()
}

/// What a configuration prints, as a table.
fn document(config: &Config) -> Table {
    // It is TOML whatever the values are; a property of `Config` that has tests of its own.
    config.effective().parse().unwrap_or_default()
}
