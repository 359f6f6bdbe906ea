//! `tabuleiro work` solves puzzles for services on other machines; `tabuleiro workers` lists the workers.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tokio::signal::unix::SignalKind;
use tokio::sync::watch;
use tracing::info;

use crate::cli::arguments::load;
use crate::cli::failure::{Exit, Failure};
use crate::cli::serve::{how_to_stop, in_runtime, signals};
use crate::cli::terminal_table::{Column, Shrink, columns, table};
use crate::config::{Config, Log};
use crate::daemon::memory_bytes;
use crate::daemon::service::systemd;
use crate::logging::{self, kind};
use crate::terminal_language::terminal_language;
use tabuleiro_remote::worker::{self, Setting, state_folder};
use tabuleiro_remote::{BrokerAccess, Heartbeat, who};

/// Arguments of `workers`.
#[derive(Args)]
pub struct WorkersArgs {
    #[command(flatten)]
    broker: BrokerArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Asks all workers for a heartbeat, and prints the workers that answer.
pub fn list(args: &WorkersArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (_, access) = args.broker.load()?;
    let broker = access.shown();
    let (workers, build) = in_runtime(who::ask(&access))?
        .map_err(|error| Failure::new(Exit::NotRunning, format_args!("{broker}: {error}")))?;
    let build = build.unwrap_or_default();
    let text = if args.json {
        format!("{}\n", json!({ "broker": broker, "build": build, "workers": workers }))
    } else {
        listed(&workers, &broker, &build, columns())
    };
    out.write_all(text.as_bytes()).map_err(|error| Failure::output(&error))?;
    Ok(Exit::Ok)
}

fn listed(workers: &[Heartbeat], broker: &str, build: &str, available: usize) -> String {
    if workers.is_empty() {
        return format!("no worker is there ({broker}); start one with: tabuleiro work --url {broker}\n");
    }
    let remark = |worker: &Heartbeat| match worker {
        _ if worker.build != build => "another build than this program".to_owned(),
        Heartbeat { is_resting: true, .. } => "takes nothing for a while".to_owned(),
        _ => String::new(),
    };
    let columns = vec![
        Column::new("worker", Shrink::Middle, workers, |worker| worker.name.clone()),
        Column::new("version", Shrink::Nothing, workers, |worker| worker.version.clone()),
        Column::new("build", Shrink::Nothing, workers, |worker| worker.build.clone()),
        Column::new("threads", Shrink::Nothing, workers, |worker| worker.threads.to_string()),
        Column::new("busy", Shrink::Nothing, workers, |worker| worker.busy.to_string()),
        Column::new("solved", Shrink::Nothing, workers, |worker| worker.solved.to_string()),
        Column::new("", Shrink::End, workers, remark),
    ];
    table(columns, available)
}

const CONFIG_HELP: &str = "Configuration file, of which [remote], [workers] and [log] count";

/// The broker, and the credentials for it.
#[derive(Args)]
pub struct BrokerArgs {
    // A constant, since rustdoc reads brackets as links.
    #[arg(long, value_name = "FILE", help = CONFIG_HELP)]
    config: Option<PathBuf>,
    /// Address of the NATS server: nats://HOST:PORT or tls://HOST:PORT
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// File with an nkey's seed, or credentials
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// File with authorities that the server is verified by
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl BrokerArgs {
    /// Returns the configuration and the broker; arguments override the broker in the configuration.
    pub fn load(&self) -> Result<(Config, BrokerAccess), Failure> {
        let config = load(self.config.as_deref())?;
        let mut remote = config.remote.clone();
        remote.url = self.url.clone().or(remote.url);
        remote.credentials = self.credentials.clone().or(remote.credentials);
        remote.ca = self.ca.clone().or(remote.ca);
        let url = remote.url.ok_or_else(|| {
            Failure::new(
                Exit::Config,
                "no broker: write --url nats://HOST:4222, or url = \"nats://HOST:4222\" below [remote] in the configuration",
            )
        })?;
        let access =
            BrokerAccess { url, credentials: remote.credentials, ca: remote.ca, stream: remote.stream };
        Ok((config, access))
    }
}

/// Arguments of `work`.
#[derive(Args)]
pub struct WorkArgs {
    #[command(flatten)]
    broker: BrokerArgs,
    /// Puzzles solved at a time; without it workers.threads of the configuration, 0 being one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1024))]
    threads: Option<u64>,
    /// Exit when there has been nothing to solve for five seconds
    #[arg(long)]
    once: bool,
}

/// Solves puzzles until the process receives a signal to stop, or with `--once` until none are left.
pub fn work(args: &WorkArgs) -> Result<Exit, Failure> {
    let (mut config, access) = args.broker.load()?;
    config.workers.threads = args.threads.unwrap_or(config.workers.threads);
    let threads = config.workers.thread_count().get();
    // `work` has no folders, so it logs to standard error or the journal.
    let log = Log { file: false, ..config.log.clone() };
    let _logging = logging::start(&log, "".as_ref(), terminal_language())
        .map_err(|error| Failure::new(Exit::CannotCreate, error))?;
    info!(
        name: kind::STARTING.name,
        version = env!("CARGO_PKG_VERSION"),
        pid = std::process::id(),
        broker = access.shown(),
        threads,
        "solving puzzles of {} on {threads} {}; stop with {}",
        access.shown(),
        if threads == 1 { "thread" } else { "threads" },
        how_to_stop(),
    );
    let setting = Setting {
        access,
        threads,
        memory_bytes: config.workers.memory_limit.bytes(memory_bytes()),
        stop_timeout: config.workers.stop_timeout,
        once: args.once,
        state: state_folder(),
    };
    in_runtime(async {
        let (stop, stopped) = watch::channel(false);
        let mut stops = signals(&[(SignalKind::terminate(), ()), (SignalKind::interrupt(), ())])
            .map_err(|error| Failure::system("install signal handlers", error))?;
        tokio::spawn(async move {
            while stops.recv().await.is_some() {
                stop.send_replace(true);
            }
        });
        worker::run(setting, stopped, systemd::ready).await.map_err(|error| {
            tracing::error!(name: kind::FAILED.name, "cannot start: {error}");
            Failure::system("start", error)
        })
    })?
    .map(|()| Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_a_line_each() {
        let worker = |name: &str, build: &str| Heartbeat {
            worker: 1,
            name: name.to_owned(),
            version: "0.1.0".to_owned(),
            build: build.to_owned(),
            wire: 1,
            threads: 4,
            busy: 2,
            solved: 17,
            memory_bytes: 1,
            is_resting: false,
            is_leaving: false,
        };
        let workers = [worker("lab-1/812", "b1"), worker("lab-2/99", "b2")];
        assert_eq!(
            listed(&workers, "nats://broker", "b1", 100),
            "worker     version  build  threads  busy  solved\n\
             lab-1/812  0.1.0    b1     4        2     17\n\
             lab-2/99   0.1.0    b2     4        2     17      another build than this program\n"
        );
        assert!(listed(&[], "nats://broker", "b1", 100).contains("--url nats://broker"));
    }
}
