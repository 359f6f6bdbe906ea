//! `tabuleiro serve`: runs the daemon in the foreground, as systemd expects.

use std::io::IsTerminal;
use std::sync::Arc;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tracing::info;

use crate::cli::arguments::{ConfigArgs, load_with_warnings};
use crate::cli::failure::{Exit, Failure};
use crate::config::Config;
use crate::daemon::answering::memory_plan::SPARE_WORKERS;
use crate::daemon::fs::os::raise_open_files;
use crate::daemon::fs::service_folders::FolderError;
use crate::daemon::{Control, Folders, ServeError, Settings, run as serve};
use crate::logging::{self, kind};
use crate::terminal_language::terminal_language;

/// Open files that are not a worker's: the folders of the deepest listing, cached folders, connected clients.
const OPEN_FILES_BASE: u64 = 256;
/// Files that one worker may have open: an input, its copy, its outputs.
const OPEN_FILES_OF_WORKER: u64 = 8;

/// Arguments of `serve`.
#[derive(Args)]
pub struct ServeArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Answer the files in the inbox, then exit
    #[arg(long)]
    once: bool,
}

/// Runs the service until it receives a signal to stop, or with `--once` until the inbox is answered.
pub fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    let (config, located, warnings) = load_with_warnings(args.config.config.as_deref())?;
    let (folders, lock) = Folders::prepare(&config.folders).map_err(ServeError::from).map_err(failure)?;
    folders.check_files(&config).map_err(ServeError::from).map_err(failure)?;
    let logging = logging::start(&config.log, &folders.log, terminal_language())
        .map_err(|error| Failure::new(Exit::CannotCreate, error))?;
    let set_level = Arc::clone(&logging.set_level);
    log_settings(&config, &located.origin(), &folders);
    log_warnings(warnings, &config, &folders);
    warn_of_few_open_files(raise_open_files(), config.workers.thread_count().get() as u64);
    let (path, served) = (located.path.clone(), folders.clone());
    let reload = move || {
        let (config, _, warnings) =
            load_with_warnings(path.as_deref()).map_err(|failure| failure.to_string())?;
        log_warnings(warnings, &config, &served);
        set_level(config.log.level);
        Ok(config)
    };
    let settings = Settings {
        config,
        folders,
        lock,
        once: args.once,
        reload: Arc::new(reload),
        log: logging.sinks.clone(),
    };
    in_runtime(async {
        let kinds = [
            (SignalKind::terminate(), Control::Stop),
            (SignalKind::interrupt(), Control::Stop),
            (SignalKind::hangup(), Control::Reload),
        ];
        let control = signals(&kinds).map_err(|error| Failure::system("install signal handlers", error))?;
        serve(settings, control).await.map_err(|error| {
            tracing::error!(name: kind::FAILED.name, "{error}");
            failure(error)
        })
    })?
    .map(|()| Exit::Ok)
}

/// Runs a future to its end in a runtime on the calling thread. Does not wait for threads that still read files.
///
/// # Errors
/// Exit code 71 if the system refuses the runtime.
pub fn in_runtime<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let started = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = started.map_err(|error| Failure::system("start the runtime", error))?;
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(output)
}

fn failure(error: ServeError) -> Failure {
    let exit = match &error {
        ServeError::Folders(FolderError::Locked(_)) => Exit::Temporary,
        ServeError::Folders(FolderError::Unusable { .. }) => Exit::CannotCreate,
        ServeError::Folders(_) => Exit::Config,
        ServeError::Recover(_) | ServeError::GaveUp | ServeError::Untaken => Exit::Io,
        ServeError::Threads(_) => Exit::System,
        ServeError::Panicked(_) => Exit::Software,
    };
    Failure::new(exit, error)
}

/// Returns a receiver of what the signals of these kinds mean.
pub fn signals<T: Copy + Send + 'static>(kinds: &[(SignalKind, T)]) -> std::io::Result<mpsc::Receiver<T>> {
    let (sender, receiver) = mpsc::channel(8);
    for (kind, meaning) in kinds.iter().copied() {
        let (mut stream, sender) = (signal(kind)?, sender.clone());
        tokio::spawn(async move {
            // Without a receiver, the program is ending.
            while stream.recv().await.is_some() && sender.send(meaning).await.is_ok() {}
        });
    }
    Ok(receiver)
}

/// Warns if the process may open fewer files than `threads` workers and the spare ones need.
fn warn_of_few_open_files(limit: Option<u64>, threads: u64) {
    let needed = OPEN_FILES_BASE + OPEN_FILES_OF_WORKER * (threads + SPARE_WORKERS as u64);
    if let Some(limit) = limit.filter(|limit| *limit < needed) {
        tracing::warn!(
            "only {limit} files may be open at a time, and {needed} are needed for {threads} threads; raise the limit \
             (ulimit -n, or LimitNOFILE= of the unit), or lower workers.threads"
        );
    }
}

/// Logs the warnings about the configuration. If only owners may read results, also logs what prevents that, and which
/// folders all users can access.
fn log_warnings(mut warnings: Vec<String>, config: &Config, folders: &Folders) {
    warnings.extend(config.open_to_others());
    let warnings = warnings.into_iter().map(|warning| format!("configuration: {warning}"));
    for warning in warnings.chain(folders.check_readers(config)) {
        tracing::warn!("{warning}");
    }
}

/// Logs the configuration, folders and threads of the service.
fn log_settings(config: &Config, origin: &str, folders: &Folders) {
    info!(
        name: kind::STARTING.name,
        version = env!("CARGO_PKG_VERSION"),
        pid = std::process::id(),
        config = origin,
        inbox = %folders.inbox.display(),
        outbox = %folders.outbox.display(),
        work = %folders.work.display(),
        threads = config.workers.thread_count(),
        routes = config.routes().len(),
        stop = how_to_stop(),
        "starting"
    );
    for line in config.effective().lines().filter(|line| !line.trim().is_empty()) {
        tracing::debug!("effective: {line}");
    }
}

/// Returns how a person can stop the program: Ctrl-C if standard error is a terminal, else `kill`.
pub fn how_to_stop() -> String {
    if std::io::stderr().is_terminal() { "Ctrl-C".to_owned() } else { format!("kill {}", std::process::id()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_has_an_exit_code_that_nothing_else_of_the_service_has() {
        let panicked = failure(ServeError::Panicked("intake".to_owned()));
        assert_eq!(panicked.exit, Exit::Software);
        assert!(panicked.to_string().starts_with("the thread intake panicked"), "{panicked}");
    }
}
