//! Answering those who ask: over the control socket, and for the metrics.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use tokio::sync::{Mutex, MutexGuard, mpsc, oneshot, watch};
use tokio::time::timeout;
use tracing::{error, info, warn};

use crate::config::Config;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::os::group_id;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::inspect::metrics::{self, Timings, http, textfile};
use crate::daemon::inspect::page::{self, Facts, Site};
use crate::daemon::inspect::retry_inputs::{Wanted, retry};
use crate::daemon::inspect::serving::ServerThread;
use crate::daemon::inspect::snapshot::State;
use crate::daemon::inspect::socket::{Access, Answer, Ask, Server};
use crate::daemon::inspect::why::{explain, origin};
use crate::daemon::intake::Command;
use crate::daemon::records::file_search::Search;
use crate::daemon::service::loop_state::{Event, Question};

/// How long somebody who asks waits for the loop.
const LOOP_WAIT_MAX: Duration = Duration::from_secs(5);
/// How long somebody waits while questions of others are searched for.
const TURN_WAIT_MAX: Duration = Duration::from_secs(15);
/// How long files and the history are searched for one question. With the waits before it, less than the time that a
/// client has for its answer.
const SEARCH_TIME_MAX: Duration = Duration::from_secs(20);
/// How long the intake has to say how it is, before the loop is asked what it knows.
const INTAKE_WAIT_MAX: Duration = Duration::from_secs(2);

/// Asks the loop.
#[derive(Clone)]
pub(super) struct LoopClient {
    pub(super) events: mpsc::Sender<Event>,
    pub(super) intake: Sender<Command>,
}

impl LoopClient {
    /// Returns the loop's answer, when the intake has told it how it is; `None` if it is late, or over.
    async fn ask<T>(&self, question: impl FnOnce(oneshot::Sender<T>) -> Question) -> Option<T> {
        let (done, is_done) = oneshot::channel();
        if self.intake.send(Command::Describe(done)).is_ok() {
            let _ = timeout(INTAKE_WAIT_MAX, is_done).await;
        }
        let (reply, answer) = oneshot::channel();
        let ask = async {
            self.events.send(Event::Asked(question(reply))).await.ok()?;
            answer.await.ok()
        };
        timeout(LOOP_WAIT_MAX, ask).await.ok()?
    }

    /// Returns the question for what everybody may know.
    fn facts(&self) -> page::Ask {
        let client = self.clone();
        Arc::new(move || {
            let client = client.clone();
            Box::pin(async move { client.ask(Question::Page).await })
        })
    }

    async fn metrics(&self, timings: &Timings) -> Option<String> {
        let snapshot = self.ask(Question::Status).await?;
        metrics::text(&snapshot, timings).ok()
    }
}

/// The threads that serve those who ask, where the configuration wants them. A service that cannot be asked or measured
/// serves all the same.
pub(super) struct QueryServers {
    socket: Option<Server>,
    writing: Vec<ServerThread>,
    textfile: Option<PathBuf>,
    /// The page of the service.
    pub(super) page: Option<Arc<Site>>,
    /// Something changed that is measured or on the page.
    pub(super) changed: watch::Sender<()>,
    /// How long jobs took.
    pub(super) timings: Timings,
}

impl QueryServers {
    /// Starts them.
    pub(super) fn start(
        config: &Config,
        folders: &Folders,
        disk: &Arc<dyn Disk>,
        client: &LoopClient,
    ) -> Self {
        let (timings, changed) = (Timings::default(), watch::Sender::new(()));
        let measured = (client.clone(), timings.clone());
        let ask: metrics::Ask = Arc::new(move || {
            let (client, timings) = measured.clone();
            Box::pin(async move { client.metrics(&timings).await })
        });
        let mut writing = Vec::new();
        if let Some(address) = config.metrics.listen {
            let serve = |listener| ServerThread::start("metrics", http::serve(listener, Arc::clone(&ask)));
            match http::listen(address).and_then(|listener| Ok((listener.local_addr()?, serve(listener)?))) {
                Ok((address, serving)) => {
                    info!(%address, "metrics are served");
                    writing.push(serving);
                }
                Err(error) => error!(%address, "metrics cannot be served: {error}"),
            }
        }
        if let Some(path) = config.metrics.textfile.clone() {
            let changed = changed.subscribe();
            let keep = async move { textfile::keep(&path, changed, ask).await };
            match ServerThread::start("textfile", keep) {
                Ok(serving) => writing.push(serving),
                Err(error) => error!("the metrics cannot be written: {error}"),
            }
        }
        let page =
            config.page.path.as_deref().map(|path| Arc::new(Site::new(path, &config.folders, folders)));
        if let Some(page) = page.clone() {
            match ServerThread::start("page", page::keep(page, changed.subscribe(), client.facts())) {
                Ok(serving) => writing.push(serving),
                Err(error) => error!("the page cannot be written: {error}"),
            }
        }
        let socket = listen(config, folders, disk, client);
        Self { socket, writing, textfile: config.metrics.textfile.clone(), page, changed, timings }
    }

    /// Ends them, which may take its time: the last page and the last textfile are written.
    pub(super) fn end(self, mut facts: Facts) {
        drop((self.socket, self.writing));
        facts.snapshot.service.state = State::Stopping;
        if let Some(page) = self.page {
            page.write_last(&facts);
        }
        let Some(path) = self.textfile else { return };
        let text = metrics::text(&facts.snapshot, &self.timings).map_err(std::io::Error::other);
        if let Err(error) = text.and_then(|text| textfile::write(&path, &text)) {
            textfile::log_failure(&path, &error);
        }
    }
}

/// Listens for questions, where the configuration wants that.
fn listen(config: &Config, folders: &Folders, disk: &Arc<dyn Disk>, client: &LoopClient) -> Option<Server> {
    let path = folders.control_socket(config)?;
    let asked = Arc::new(Asked {
        client: client.clone(),
        folders: folders.into(),
        disk: Arc::clone(disk),
        turn: Mutex::default(),
    });
    let group = config.control.group.as_deref().map(|group| group_id("control.group", group)).transpose();
    let started = group.and_then(|group| {
        let access = Access { mode: config.control.mode, group };
        Server::start(&path, access, move |ask| Arc::clone(&asked).answer(ask))
    });
    match started {
        Ok(server) => {
            info!(socket = %path.display(), "can be asked");
            Some(server)
        }
        Err(error) => {
            warn!("the service cannot be asked: control socket {}: {error}", path.display());
            None
        }
    }
}

/// Answers the clients of the control socket.
struct Asked {
    client: LoopClient,
    folders: Search,
    disk: Arc<dyn Disk>,
    /// Who has it may search the disk. Many at a time would only keep each other waiting.
    turn: Mutex<()>,
}

impl Asked {
    async fn answer(self: Arc<Self>, ask: Ask) -> Answer {
        let answer = match ask {
            Ask::Status => self.client.ask(Question::Status).await.map(Answer::Status),
            Ask::Why { file } | Ask::Retry { wanted: Wanted::File(file) } if !is_below(&file.0) => {
                Some(Answer::Error("that is no path below the service's folders".to_owned()))
            }
            Ask::Why { file } => self.why(file.0).await,
            Ask::Retry { wanted } => self.retry(wanted).await,
        };
        answer.unwrap_or_else(|| Answer::Error("the service is busy or ends; try again".to_owned()))
    }

    /// Waits for the turn to search, and for a limited time; `None` if others take too long.
    async fn turn(&self) -> Option<(MutexGuard<'_, ()>, Search)> {
        let turn = timeout(TURN_WAIT_MAX, self.turn.lock()).await.ok()?;
        let deadline = Some(Instant::now() + SEARCH_TIME_MAX);
        Some((turn, Search { deadline, ..self.folders.clone() }))
    }

    async fn why(&self, below: PathBuf) -> Option<Answer> {
        let (_turn, search) = self.turn().await?;
        let place = search.clone();
        let file = blocking(move || origin(&place, &below)).await?;
        let (config, live) = self.client.ask(|reply| Question::File(file.clone(), reply)).await?;
        blocking(move || Answer::Why(explain(&search, &config, Some(&live), &file))).await
    }

    async fn retry(&self, wanted: Wanted) -> Option<Answer> {
        let (_turn, search) = self.turn().await?;
        let (config, disk) = (self.client.ask(Question::Config).await?, Arc::clone(&self.disk));
        let retried = blocking(move || Answer::Retry(retry(&search, &*disk, &config, &wanted))).await;
        // Fails only when the loop has ended; the next start finds them.
        let _ = self.client.events.send(Event::Asked(Question::Look)).await;
        retried
    }
}

/// Waits for files on another thread. A panic was printed by the thread itself.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

/// Returns whether a path names something below a folder and nothing else.
fn is_below(path: &Path) -> bool {
    path.file_name().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
}
