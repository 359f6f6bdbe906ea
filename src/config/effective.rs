//! The configuration in force, as TOML.

use std::fmt::{self, Write};
use std::path::Path;
use std::time::Duration;

use toml::Value;

use super::raw::{Choice, NONE};
use super::route::LIMITS;
use super::{Config, Retention, Route};
use crate::solver::{OptionValue, format_size};

/// Every key of `config` with its value.
pub(super) fn text(config: &Config) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(config, &mut text);
    text
}

fn write(config: &Config, out: &mut String) -> fmt::Result {
    let Config { folders, log, intake, workers, results, control, retention, metrics, routes } = config;
    writeln!(out, "[folders]")?;
    for (key, folder) in [("inbox", &folders.inbox), ("outbox", &folders.outbox), ("var", &folders.var)] {
        writeln!(out, "{key} = {}", string(&folder.to_string_lossy()))?;
    }
    writeln!(out, "\n[log]")?;
    writeln!(out, "level = {}", string(log.level.name()))?;
    writeln!(out, "format = {}", string(log.format.name()))?;
    writeln!(out, "rotation = {}", string(log.rotation.name()))?;
    writeln!(out, "files_kept = {}", log.files_kept)?;
    writeln!(out, "file = {}", log.file)?;
    writeln!(out, "stderr = {}", log.stderr)?;
    writeln!(out, "journal = {}", string(log.journal.name()))?;
    writeln!(out, "\n[intake]")?;
    writeln!(out, "ignore = {}", strings(intake.ignore.patterns()))?;
    writeln!(out, "quiet_period = {}", duration(intake.quiet_period))?;
    writeln!(out, "readiness = {}", string(intake.readiness.name()))?;
    writeln!(out, "watch = {}", string(intake.watch.name()))?;
    writeln!(out, "rescan_interval = {}", duration(intake.rescan_interval))?;
    writeln!(out, "poll_interval = {}", duration(intake.poll_interval))?;
    writeln!(out, "free_space_min = {}", string(&format_size(intake.free_space_min_bytes)))?;
    writeln!(out, "free_files_min = {}", intake.free_files_min)?;
    writeln!(out, "size_limit = {}", string(&format_size(intake.size_limit_bytes)))?;
    writeln!(out, "claims_max = {}", intake.claims_max)?;
    writeln!(out, "\n[workers]")?;
    writeln!(out, "threads = {}", workers.threads.map_or(0, usize::from))?;
    writeln!(out, "memory_limit = {}", string(&workers.memory_limit.to_string()))?;
    writeln!(out, "stop_timeout = {}", duration(workers.stop_timeout))?;
    writeln!(out, "\n[results]")?;
    writeln!(out, "formats = {}", strings(results.formats.names()))?;
    writeln!(out, "durability = {}", string(results.durability.name()))?;
    writeln!(out, "size_limit = {}", string(&format_size(results.size_limit_bytes)))?;
    writeln!(out, "mode = \"{:04o}\"", results.mode)?;
    writeln!(out, "group = {}", string(results.group.as_deref().unwrap_or("")))?;
    writeln!(out, "\n[control]")?;
    let socket = control.socket.as_deref().unwrap_or(Path::new(""));
    writeln!(out, "socket = {}", string(&socket.to_string_lossy()))?;
    writeln!(out, "mode = \"{:04o}\"", control.mode)?;
    writeln!(out, "group = {}", string(control.group.as_deref().unwrap_or("")))?;
    write_retention(retention, out)?;
    writeln!(out, "\n[metrics]")?;
    let listen = metrics.listen.map(|address| address.to_string());
    writeln!(out, "listen = {}", string(&listen.unwrap_or_default()))?;
    let textfile = metrics.textfile.as_ref().map(|path| path.to_string_lossy());
    writeln!(out, "textfile = {}", string(&textfile.unwrap_or_default()))?;
    routes.iter().try_for_each(|route| write_route(route, out))
}

fn write_retention(retention: &Retention, out: &mut String) -> fmt::Result {
    let Retention { done, failed, history, log } = retention;
    writeln!(out, "\n[retention]")?;
    for (name, age) in [("done", done), ("failed", failed), ("history", history), ("log", log)] {
        writeln!(out, "{name}_age = {}", age.map_or_else(|| string(NONE), duration))?;
    }
    Ok(())
}

fn write_route(route: &Route, out: &mut String) -> fmt::Result {
    writeln!(out, "\n[[route]]")?;
    writeln!(out, "name = {}", string(&route.name))?;
    writeln!(out, "files = {}", strings(route.files.patterns()))?;
    writeln!(out, "solver = {}", string(route.solver.id()))?;
    let option = |(name, value)| format!("{name} = {}", option_value(value));
    let (limits, own): (Vec<_>, Vec<_>) = route.options.iter().partition(|(name, _)| LIMITS.contains(name));
    let own: Vec<_> = own.into_iter().map(option).collect();
    writeln!(out, "options = {{ {} }}", own.join(", "))?;
    for limit in limits {
        writeln!(out, "{}", option(limit))?;
    }
    writeln!(out, "allow_directives = {}", route.allow_directives)?;
    writeln!(out, "if_exists = {}", string(route.if_exists.name()))
}

fn option_value(value: OptionValue) -> String {
    match value {
        OptionValue::Flag(flag) => flag.to_string(),
        // TOML promises 63 bits only.
        OptionValue::Integer(number) if i64::try_from(number).is_ok() => number.to_string(),
        value => string(&value.to_string()),
    }
}

fn duration(value: Duration) -> String {
    string(&humantime::format_duration(value).to_string())
}

fn string(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

fn strings<T: AsRef<str>>(list: &[T]) -> String {
    let list: Vec<_> = list.iter().map(|text| string(text.as_ref())).collect();
    format!("[{}]", list.join(", "))
}
