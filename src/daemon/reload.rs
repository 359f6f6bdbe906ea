//! What a reload tells: that it happened, and what waits for a restart.

use tracing::{info, warn};

use crate::config::Config;
use crate::logging::kind;

/// Logs that `new` is in force. `running` is the configuration of the start, which keys that need a restart still
/// follow.
pub fn tell(running: &Config, new: &Config) {
    let waiting = running.waiting_for_restart(new);
    if !waiting.is_empty() {
        let keys = waiting.join(", ");
        warn!(name: kind::RESTART_NEEDED.name, keys, "keys that differ take effect only after a restart");
    }
    let routes = new.routes().len();
    info!(name: kind::RELOADED.name, routes, wait_for_restart = waiting.len(), "configuration reloaded");
}
