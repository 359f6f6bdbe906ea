//! What a reload tells: every key that changed, and what waits for a restart.

use tracing::{info, warn};

use crate::config::{Change, Config, Effect};
use crate::input::printable;
use crate::logging::kind;

/// Changes of one reload that are logged; the rest is counted.
const CHANGES_MAX: usize = 200;
/// Bytes of a value that are logged.
const VALUE_BYTES_MAX: usize = 300;

/// What the configuration that was read changes.
#[derive(Debug, Default)]
pub struct Changes {
    /// What is otherwise from now on.
    in_force: Vec<Change>,
    /// What is otherwise than what runs, and stays so until a restart.
    waiting: Vec<Change>,
    /// What waited for a restart, and is again as it runs.
    reverted: Vec<Change>,
}

impl Changes {
    /// What `new` changes. `running` is the configuration of the start, which keys that need a restart still follow;
    /// `before` the one that was read last.
    #[must_use]
    pub fn between(running: &Config, before: &Config, new: &Config) -> Self {
        let split = |changes: Vec<Change>| -> (Vec<_>, Vec<_>) {
            changes.into_iter().partition(|change| change.effect() == Effect::Reload)
        };
        let (in_force, touched) = split(before.changes(new));
        let (_, waiting) = split(running.changes(new));
        let is_waiting = |change: &Change| waiting.iter().any(|other| same_key(change, other));
        let reverted = touched.into_iter().filter(|change| !is_waiting(change)).collect();
        Self { in_force, waiting, reverted }
    }

    /// Logs it, a line a change, and one that says it all.
    pub fn log(&self, routes: usize) {
        let (in_force, waiting, reverted) = (&self.in_force, &self.waiting, &self.reverted);
        // First what a person has to act upon, should there be too many.
        for change in waiting.iter().take(CHANGES_MAX) {
            log_waiting(change);
        }
        let left = CHANGES_MAX.saturating_sub(waiting.len());
        reverted.iter().chain(in_force).take(left).for_each(|change| log_change(change, reverted));
        let more = (waiting.len() + reverted.len() + in_force.len()).saturating_sub(CHANGES_MAX);
        if more > 0 {
            info!(more, "further changes");
        }
        info!(name: kind::RELOADED.name, routes, changed = in_force.len(), wait_for_restart = waiting.len(), "configuration reloaded");
    }
}

fn same_key(a: &Change, b: &Change) -> bool {
    matches!((a, b), (Change::Key { key: a, .. }, Change::Key { key: b, .. }) if a == b)
}

fn log_waiting(change: &Change) {
    if let Change::Key { key, old, new } = change {
        warn!(name: kind::RESTART_NEEDED.name, key, old = %value(old), new = %value(new), "changed, and takes effect only after a restart");
    }
}

fn log_change(change: &Change, reverted: &[Change]) {
    match change {
        Change::Key { key, new, .. } if reverted.contains(change) => {
            info!(name: kind::CHANGED.name, key, new = %value(new), "as it runs again, no restart is needed for it");
        }
        Change::Key { key, old, new } => {
            info!(name: kind::CHANGED.name, key, old = %value(old), new = %value(new), "changed");
        }
        Change::RouteAdded { route } => info!(name: kind::CHANGED.name, route = value(route), "route added"),
        Change::RouteRemoved { route } => info!(name: kind::CHANGED.name, route, "route removed"),
        Change::RouteKey { route, key, old, new } => {
            let shown = |text: &Option<String>| text.as_deref().map_or_else(|| "nothing".to_owned(), value);
            info!(name: kind::CHANGED.name, route, key, old = %shown(old), new = %shown(new), "route changed");
        }
        Change::RouteOrder { order } => {
            info!(name: kind::CHANGED.name, order = value(&order.join(", ")), "routes are tried in another order");
        }
    }
}

/// A value that fits a line.
fn value(text: &str) -> String {
    printable(text.as_bytes(), VALUE_BYTES_MAX)
}
