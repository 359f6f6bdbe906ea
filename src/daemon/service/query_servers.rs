//! Answers clients of the control socket, and provides the metrics and the page with the loop's state.

use std::collections::BTreeMap;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use tokio::sync::{Mutex, MutexGuard, mpsc, oneshot, watch};
use tokio::time::timeout;
use tracing::{debug, error, info, warn};

use crate::config::Config;
use crate::daemon::answering::schedule::ClaimState;
use crate::daemon::base::clock::{now, stamp};
use crate::daemon::base::job_id;
use crate::daemon::base::job_tally::NO_ROUTE;
use crate::daemon::base::json_path::show;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::os::{Room, group_id};
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::inspect::metrics::{Timings, http, textfile};
use crate::daemon::inspect::not_taken::{Live, explain, origin};
use crate::daemon::inspect::page::{self, Facts, Site};
use crate::daemon::inspect::retry_inputs::{RetryRequest, retry};
use crate::daemon::inspect::serving::{self, ServerThread};
use crate::daemon::inspect::snapshot::{
    self, LogLost, Process, QueueCounts, RouteCounts, ServiceState, Snapshot,
};
use crate::daemon::inspect::socket::{Answer, Ask, Server};
use crate::daemon::intake::{self, Command};
use crate::daemon::records::file_search::{Search, is_below};
use crate::daemon::service::dispatcher::Dispatcher;
use crate::daemon::service::loop_state::{Event, Phase, Service};
use crate::logging::Sink;
use tabuleiro_jobs::archive::is_zip;

/// How long a client waits for the loop.
const LOOP_WAIT_MAX: Duration = Duration::from_secs(5);
/// How long a client waits while the disk is searched for other clients.
const TURN_WAIT_MAX: Duration = Duration::from_secs(15);
/// How long one question can search files and the history. Together with the waits before it, this is less than a
/// client waits for its answer.
const SEARCH_TIME_MAX: Duration = Duration::from_secs(20);
/// How long the intake can take to report its status before the loop answers without it.
const INTAKE_WAIT_MAX: Duration = Duration::from_secs(2);

/// Asks the loop questions from another thread.
#[derive(Clone)]
pub(super) struct LoopClient {
    pub(super) events: mpsc::Sender<Event>,
    pub(super) intake: Sender<Command>,
}

impl LoopClient {
    /// Asks the intake to report its status to the loop, then returns the loop's answer; `None` if the loop is late or
    /// has ended.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Service) -> T + Send + 'static,
    ) -> Option<T> {
        let (done, is_done) = oneshot::channel();
        if self.intake.send(Command::Describe(done)).is_ok() {
            let _ = timeout(INTAKE_WAIT_MAX, is_done).await;
        }
        let (reply, answer) = oneshot::channel();
        let question = move |service: &mut Service| drop(reply.send(question(service)));
        let ask = async {
            self.events.send(Event::Query(Box::new(question))).await.ok()?;
            answer.await.ok()
        };
        timeout(LOOP_WAIT_MAX, ask).await.ok()?
    }

    /// Returns a function that asks the same question each time.
    fn asking<T: Send + 'static>(&self, question: fn(&mut Service) -> T) -> serving::Ask<T> {
        let client = self.clone();
        Arc::new(move || {
            let client = client.clone();
            Box::pin(async move { client.ask(question).await })
        })
    }
}

/// The threads that serve the control socket, the metrics and the page, if the configuration names them.
pub(super) struct QueryServers {
    socket: Option<Server>,
    writing: Vec<ServerThread>,
    textfile: Option<PathBuf>,
    /// The page of the service.
    pub(super) page: Option<Arc<Site>>,
    /// Signals a change of something that the metrics or the page show.
    pub(super) changed: watch::Sender<()>,
    /// How long jobs took, for the metrics.
    pub(super) timings: Timings,
}

impl QueryServers {
    /// Starts the threads. If the socket or the address of the metrics cannot be used, logs that and goes on without.
    ///
    /// # Errors
    /// Fails if a thread cannot be started.
    pub(super) fn start(
        config: &Config,
        folders: &Folders,
        disk: &Arc<dyn Disk>,
        client: &LoopClient,
    ) -> io::Result<Self> {
        let (timings, changed) = (Timings::default(), watch::Sender::new(()));
        let status = client.asking(Service::status);
        let mut writing = Vec::new();
        if let Some(address) = config.metrics.listen {
            match TcpListener::bind(address) {
                Ok(listener) => {
                    info!(name: "metrics-served", address = %listener.local_addr()?, "metrics are served");
                    listener.set_nonblocking(true)?;
                    let serve = http::serve(listener, Arc::clone(&status), timings.clone());
                    writing.push(ServerThread::start("metrics", serve)?);
                }
                Err(error) => {
                    error!(name: "metrics-not-served", %address, reason = %error, "metrics cannot be served");
                }
            }
        }
        if let Some(path) = config.metrics.textfile.clone() {
            let keep = textfile::keep(path, changed.subscribe(), status, timings.clone());
            writing.push(ServerThread::start("textfile", keep)?);
        }
        let site = |path: &PathBuf| Arc::new(Site::new(path, &config.folders, folders));
        let page = config.page.path.as_ref().map(site);
        if let Some(page) = page.clone() {
            let ask = client.asking(|service| Box::new(service.facts()));
            writing.push(ServerThread::start("page", page::keep(page, changed.subscribe(), ask))?);
        }
        let socket = listen(config, disk, client);
        Ok(Self { socket, writing, textfile: config.metrics.textfile.clone(), page, changed, timings })
    }

    /// Ends the threads, and writes the last page and the last textfile, which can take a while.
    pub(super) fn end(self, mut facts: Facts) {
        drop((self.socket, self.writing));
        facts.snapshot.service.state = ServiceState::Stopping;
        if let Some(page) = self.page {
            page.write(&facts, &page.content(&facts));
        }
        let Some(path) = self.textfile else { return };
        if let Err(error) = textfile::write_snapshot(&path, &facts.snapshot, &self.timings) {
            textfile::log_failure(&path, &error);
        }
    }
}

/// Listens on the control socket, if the configuration names one.
fn listen(config: &Config, disk: &Arc<dyn Disk>, client: &LoopClient) -> Option<Server> {
    let path = config.control_socket()?;
    let asked = Arc::new(SocketHandler {
        client: client.clone(),
        folders: Search::of(&config.folders),
        disk: Arc::clone(disk),
        turn: Mutex::default(),
    });
    let group = group_id("control.group", config.control.group.as_deref());
    let started = group.and_then(|group| {
        Server::start(&path, config.control.mode, group, move |ask| Arc::clone(&asked).answer(ask))
    });
    match started {
        Ok(server) => {
            debug!(socket = %path.display(), "the service can be asked");
            Some(server)
        }
        Err(error) => {
            warn!(name: "no-socket", socket = %path.display(), reason = %error, "the service cannot be asked");
            None
        }
    }
}

/// Answers the clients of the control socket.
struct SocketHandler {
    client: LoopClient,
    folders: Search,
    disk: Arc<dyn Disk>,
    /// Held while the disk is searched: several searches at once would only slow each other down.
    turn: Mutex<()>,
}

impl SocketHandler {
    async fn answer(self: Arc<Self>, ask: Ask) -> Answer {
        let answer = match ask {
            Ask::Status => self.client.ask(Service::status).await.map(Answer::Status),
            Ask::Why { file } | Ask::Retry { wanted: RetryRequest::File(file) } if !is_below(&file.0) => {
                Some(Answer::Error("that is no path below the service's folders".to_owned()))
            }
            Ask::Why { file } => self.why(file.0).await,
            Ask::Retry { wanted } => self.retry(wanted).await,
        };
        answer.unwrap_or_else(|| Answer::Error("the service is busy or stopping; try again".to_owned()))
    }

    /// Waits for this client's turn, and returns a search with a deadline; `None` if other clients take too long.
    async fn turn(&self) -> Option<(MutexGuard<'_, ()>, Search)> {
        let turn = timeout(TURN_WAIT_MAX, self.turn.lock()).await.ok()?;
        let deadline = Some(Instant::now() + SEARCH_TIME_MAX);
        Some((turn, Search { deadline, ..self.folders.clone() }))
    }

    async fn why(&self, below: PathBuf) -> Option<Answer> {
        let (_turn, search) = self.turn().await?;
        let place = search.clone();
        let file = blocking(move || origin(&place, &below)).await?;
        let asked = file.clone();
        let known = move |service: &mut Service| (Arc::clone(&service.config), service.live(&asked));
        let (config, live) = self.client.ask(known).await?;
        blocking(move || Answer::Why(explain(&search, &config, Some(&live), &file))).await
    }

    async fn retry(&self, wanted: RetryRequest) -> Option<Answer> {
        let (_turn, search) = self.turn().await?;
        let config = self.client.ask(|service| Arc::clone(&service.config)).await?;
        let disk = Arc::clone(&self.disk);
        let retried = blocking(move || Answer::Retry(retry(&search, &*disk, &config, &wanted))).await;
        // Fails only when the loop has ended; the next start finds the files.
        let _ = self.client.events.send(Event::Query(Box::new(Service::look))).await;
        retried
    }
}

/// Runs `work`, which may block, on another thread; `None` if it panics, which is in the log.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

/// The maximum number of files in progress that the page names.
const NAMED_MAX: usize = 20;

impl Service {
    /// Returns a snapshot for a client, and asks the intake for a sign of life.
    fn status(&mut self) -> Box<Snapshot> {
        self.ping_intake(Instant::now());
        Box::new(self.snapshot())
    }

    /// Returns a snapshot; the intake's part is what it reported last.
    pub(super) fn snapshot(&self) -> Snapshot {
        let folders = &self.settings.folders;
        let process = Process {
            state: match self.phase {
                Phase::Starting => ServiceState::Starting,
                Phase::Running => ServiceState::Running,
                Phase::Stopping { .. } | Phase::Cancelled => ServiceState::Stopping,
            },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            started: stamp(self.started),
            inbox: folders.inbox.display().to_string(),
            outbox: folders.outbox.display().to_string(),
        };
        let lost = |sink: &Arc<Sink>| LogLost { sink: sink.name.to_owned(), lines: sink.lost() };
        Snapshot {
            time: stamp(now()),
            service: process,
            trouble: self.trouble(Instant::now()),
            intake: self.intake.status.report.clone(),
            queue: self.queue(),
            jobs: self.answerer.progress.jobs(),
            since_start: self.since_start.total,
            routes: self.routes(),
            disks: self.disks(),
            history_lost: self.history.lost(),
            remote: self.dispatcher.as_ref().map(Dispatcher::facts),
            page: self.servers.page.as_ref().and_then(|page| page.trouble()),
            log_lost: self.settings.log.iter().map(lost).collect(),
        }
    }

    /// Returns what the page may show to everybody.
    pub(super) fn facts(&self) -> Facts {
        let mut facts = Facts {
            snapshot: self.snapshot(),
            config: Arc::clone(&self.config),
            in_hand: Vec::new(),
            denied: Vec::new(),
            other_mounts: Vec::new(),
        };
        if !facts.has_names() {
            return facts;
        }
        let begun = facts.snapshot.jobs.iter().filter_map(|progress| {
            let job = self.jobs.get(&progress.id)?;
            Some((job, Some(progress.clone())))
        });
        let waits = |id: &str| facts.snapshot.jobs.iter().all(|progress| progress.id != id);
        let others = self.jobs.iter().filter(|(id, _)| waits(id)).map(|(_, job)| (job, None));
        let public = begun.chain(others).filter(|(job, _)| !job.is_private && !self.is_private(&job.origin));
        let named = public.map(|(job, progress)| (show(&job.origin), progress));
        facts.in_hand = named.take(NAMED_MAX).collect();
        let denied = self.intake.status.denied.iter().filter(|below| !self.is_private(below));
        facts.denied = denied.map(|below| show(below)).collect();
        facts.other_mounts = self.intake.status.other_mounts.iter().map(|folder| show(folder)).collect();
        facts
    }

    /// Returns whether the page must not name a file: its route is private, or it is an archive and some route grades.
    pub(super) fn is_private(&self, file: &Path) -> bool {
        let grades = || self.config.routes().iter().any(|route| route.grade.is_some());
        self.config.is_private(self.config.route(file).map(|route| &**route)) || is_zip(file) && grades()
    }

    fn queue(&self) -> QueueCounts {
        let status = &self.intake.status;
        QueueCounts {
            in_hand: self.schedule.len() as u64,
            in_hand_max: self.settings.config.intake.claims_max,
            resting: self.schedule.retrying() as u64,
            incomplete: status.incomplete as u64,
            waiting_min: status.left_behind.values().sum(),
            may_be_more: status.is_listing_held,
            put_back: self.put_back,
            tries_failed: self.tries_failed,
        }
    }

    /// Returns the routes by name. The intake reports files without a route under an empty name.
    fn routes(&self) -> Vec<RouteCounts> {
        let mut routes: BTreeMap<String, RouteCounts> = BTreeMap::new();
        let name = |route: &str| if route.is_empty() { NO_ROUTE.to_owned() } else { route.to_owned() };
        for job in self.jobs.values() {
            routes.entry(job.route.clone()).or_default().in_hand += 1;
        }
        let intake::Status { incomplete_by_route, left_behind, .. } = &self.intake.status;
        for (route, count) in incomplete_by_route {
            routes.entry(name(route)).or_default().incomplete = *count;
        }
        for (route, count) in left_behind {
            routes.entry(name(route)).or_default().waiting_min = *count;
        }
        for (route, counts) in &self.since_start.by_route {
            routes.entry(route.clone()).or_default().since_start = *counts;
        }
        routes.into_iter().map(|(name, route)| RouteCounts { name, ..route }).collect()
    }

    fn disks(&self) -> Vec<snapshot::Disk> {
        let disk = |(folder, room): &(PathBuf, Room)| snapshot::Disk {
            folder: folder.display().to_string(),
            bytes_free: room.bytes,
            files_free: room.files,
        };
        self.intake.status.rooms.iter().map(disk).collect()
    }

    /// Returns what the loop knows about a file.
    pub(super) fn live(&self, file: &Path) -> Live {
        let ids = self.jobs.iter().filter(|(_, job)| job.origin == file).map(|(id, _)| id);
        let words = |id: &String| format!("in hand since {}: {}", job_id::second_of(id), self.step(id));
        let (config, status) = (&self.config.intake, &self.intake.status);
        // A reload does not change this setting.
        let claims_max = self.settings.config.intake.claims_max;
        let route = self.config.route(file).map_or("", |route| &route.name);
        let interval = match status.report.reason {
            Some(_) => config.poll_interval.min(config.rescan_interval),
            None => config.rescan_interval,
        };
        Live {
            in_hand: ids.map(words).collect(),
            paused: status.report.paused.clone(),
            listed_every: format!("within {}", humantime::format_duration(interval)),
            is_full: self.schedule.len() as u64 >= claims_max || status.full.contains(route),
            is_full_of_long: status.full_of_long.contains(route),
            is_stopping: self.is_stopping(),
        }
    }

    /// Describes the step that a job in progress has reached, or what it waits for.
    fn step(&self, id: &str) -> String {
        match self.schedule.state(id) {
            Some(ClaimState::Retrying(due)) => {
                let left = due.saturating_duration_since(Instant::now()).as_secs();
                format!("its result could not be published, which the log explains; it is tried again in {left} s")
            }
            _ if self.quarantine.is_waiting(id) => {
                "it waits until the files that were being answered when the service died are answered, one by one"
                    .to_owned()
            }
            Some(ClaimState::Queued) => "it waits for an older file that makes the same result".to_owned(),
            Some(ClaimState::Dispatched | ClaimState::Left) | None => self.threads.step(id).to_owned(),
        }
    }
}
