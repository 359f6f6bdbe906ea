//! `tabuleiro work`: solves puzzles for services on other machines.

use std::path::PathBuf;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tracing::{info, warn};

use crate::cli::arguments::load;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::config::{Config, Log, MemoryLimit};
use crate::daemon::memory_bytes;
use crate::logging::{self, kind};
use tabuleiro_remote::Access;
use tabuleiro_remote::worker::{Setting, run as work, state_folder};

const CONFIG_HELP: &str = "Configuration file, of which [remote], [workers] and [log] count";

/// Which broker, and by what it lets one in.
#[derive(Args)]
pub struct BrokerArgs {
    // A constant, since brackets in documentation are links.
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
    /// The configuration, and the broker of it or of the arguments.
    pub fn load(&self) -> Result<(Config, Access), Failure> {
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
        let access = Access { url, credentials: remote.credentials, ca: remote.ca, stream: remote.stream };
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

/// Solves until it is told to stop.
pub fn run(args: &WorkArgs) -> Result<Exit, Failure> {
    // Whoever reads standard error may have stopped.
    start(args).map_err(|failure| failure.within(logging::END_WAIT_MAX))
}

fn start(args: &WorkArgs) -> Result<Exit, Failure> {
    let (mut config, access) = args.broker.load()?;
    config.workers.threads = args.threads.unwrap_or(config.workers.threads);
    let threads = config.workers.thread_count().get();
    // It needs no folders, so its log is on standard error or in the journal.
    let log = Log { file: false, ..config.log.clone() };
    let _logging =
        logging::start(&log, "".as_ref()).map_err(|error| Failure::new(Exit::CannotCreate, error))?;
    info!(
        name: kind::STARTING.name,
        version = env!("CARGO_PKG_VERSION"),
        pid = std::process::id(),
        broker = access.shown(),
        threads,
        "starting"
    );
    let bytes = memory_bytes();
    let memory_bytes = match config.workers.memory_limit {
        MemoryLimit::Bytes(bytes) => Some(bytes),
        MemoryLimit::Auto => Some(bytes - bytes / 4),
        MemoryLimit::None => None,
    };
    let setting = Setting {
        access,
        threads,
        memory_bytes,
        stop_timeout: config.workers.stop_timeout,
        once: args.once,
        state: state_folder(),
    };
    work_until_end(setting)
}

fn work_until_end(setting: Setting) -> Result<Exit, Failure> {
    let system = |what: &str, error: &dyn std::fmt::Display| {
        Failure::new(Exit::System, format_args!("cannot {what}: {error}"))
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| system("start the runtime", &error))?;
    let ended = runtime.block_on(async {
        let stop = stop_signals().map_err(|error| system("install signal handlers", &error))?;
        let ready = |name: &str| {
            let states = [sd_notify::NotifyState::Ready, sd_notify::NotifyState::Status(name)];
            if let Err(error) = sd_notify::notify(&states) {
                warn!("cannot tell systemd that it is ready: {error}");
            }
        };
        work(setting, stop, ready).await.map_err(|error| {
            tracing::error!(name: kind::FAILED.name, "{error}");
            Failure::new(Exit::System, error)
        })
    });
    runtime.shutdown_background();
    ended.map(|()| Exit::Ok)
}

/// Turns true at the first signal to stop.
fn stop_signals() -> std::io::Result<watch::Receiver<bool>> {
    let (sender, receiver) = watch::channel(false);
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let mut stream = signal(kind)?;
        let sender = sender.clone();
        tokio::spawn(async move {
            while stream.recv().await.is_some() {
                sender.send_replace(true);
            }
        });
    }
    Ok(receiver)
}
