//! The loop that owns the service's state.

mod asked;
mod control;
mod facts;
mod jobs;
mod measuring;
mod settings;
pub mod snapshot;
mod tidying;
mod waiting;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use time::Date;
use tokio::sync::mpsc;
use tracing::{error, info, warn};

pub use facts::{Counts, NO_ROUTE, Tally};
pub use settings::{Control, ServeError, Settings};
pub use snapshot::Snapshot;

use facts::Facts;
use measuring::{Client, Measuring};
use tidying::Tidying;
use waiting::Waiting;

use super::answer::Workshop;
use super::claim::{Claim, JobIds};
use super::clock;
use super::disk::Disk;
use super::history::{self, History};
use super::intake::{self, Command, Report, Rules};
use super::memory;
use super::progress::Reporter;
use super::publish::Publisher;
use super::recovery;
use super::socket::Server;
use super::systemd;
use super::threads::{FromPublisher, Threads};
use crate::config::Config;
use crate::job::Pool;
use crate::logging::kind;

/// Messages waiting for the loop; whoever sends more waits.
const EVENTS_MAX: usize = 1024;
/// Tries of a job with `once`, after which the service gives up and ends; without it, it tries for ever.
const ONCE_TRIES_MAX: u32 = 3;
/// The status line is sent at most this often.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);

/// Everything that can happen.
enum Event {
    Intake(Report),
    Publisher(FromPublisher),
    Control(Control),
    /// The configuration was read again; the error is for the log.
    Reloaded(Result<Box<Config>, String>),
    /// Somebody asks something.
    Asked(asked::Question),
    /// What earlier runs did on that day.
    Counted(Date, Tally),
    /// Somebody wants the metrics.
    Measure(Client),
    /// Old files were removed; the next will be too old in that time.
    Tidied(Option<Duration>),
    /// Time to prove that everything makes progress.
    Watchdog,
    /// Something was due: a retry, a status line, the end of the stop's deadline.
    Due,
}

/// Runs the service until it is told to stop (or, with `once`, has nothing more to do).
///
/// # Errors
/// [`ServeError`], before the service is ready; with `once` also when a result cannot be published.
pub async fn run(settings: Settings, mut control: mpsc::Receiver<Control>) -> Result<(), ServeError> {
    let (events, mut received) = mpsc::channel(EVENTS_MAX);
    let mut service = Service::start(settings, &events)?;
    let (ask, mut measures) = mpsc::channel(1);
    service.measuring = Measuring::start(&service.config.metrics, ask);
    let mut watchdog = systemd::watchdog_interval().map(tokio::time::interval);
    let mut controlled = true;
    while !service.is_over() {
        let due = service.due();
        let event = tokio::select! {
            // In this order, so that a flood of files never starves a signal or the watchdog.
            biased;
            control = control.recv(), if controlled => if let Some(control) = control { Event::Control(control) } else { controlled = false; continue },
            () = tick(&mut watchdog) => Event::Watchdog,
            () = tokio::time::sleep_until(due.into()) => Event::Due,
            Some(client) = measures.recv() => Event::Measure(client),
            Some(event) = received.recv() => event,
        };
        service.handle(event);
    }
    let gave_up = service.gave_up;
    service.end(received).await;
    if gave_up { Err(ServeError::GaveUp) } else { Ok(()) }
}

async fn tick(interval: &mut Option<tokio::time::Interval>) {
    match interval {
        Some(interval) => drop(interval.tick().await),
        None => std::future::pending().await,
    }
}

#[allow(clippy::struct_excessive_bools, reason = "each is told by another thread")]
struct Service {
    config: Arc<Config>,
    settings: Settings,
    workshop: Arc<Workshop>,
    threads: Threads,
    intake: Sender<Command>,
    intake_thread: std::thread::JoinHandle<()>,
    /// Results being made, each with the claims that will make the same result after it.
    lanes: HashMap<PathBuf, VecDeque<Claim>>,
    /// Claims that wait for another try, by when it is due.
    resting: BTreeMap<(Instant, String), Claim>,
    /// Tries that failed, by job.
    failures: HashMap<String, u32>,
    in_hand: usize,
    /// As it was at the start.
    claims_max: usize,
    /// Claims that stay in the working folder until the next start.
    left: usize,
    /// The claims in hand, by ID.
    jobs: BTreeMap<String, Job>,
    facts: Facts,
    history: Arc<History>,
    /// Those who wait for the intake's word.
    waiting: Waiting,
    /// Held until the end; removes the socket then.
    server: Option<Server>,
    tidying: Tidying,
    measuring: Measuring,
    phase: Phase,
    intake_status: intake::Status,
    /// What the intake said when it was asked for details last.
    intake_details: intake::Details,
    /// When the intake said something last.
    intake_told: Instant,
    intake_alive: bool,
    intake_ended: bool,
    publisher_alive: bool,
    idle: bool,
    events: mpsc::Sender<Event>,
    /// Requests to read the configuration, the one under way included.
    reloads: u32,
    /// With `once`: something could not be published.
    gave_up: bool,
    /// Tells how long jobs get on.
    progress: Reporter,
    status_due: Option<Instant>,
    status_sent: Instant,
}

/// A claim in hand.
#[derive(Debug)]
struct Job {
    /// The file's path below the inbox.
    origin: PathBuf,
    /// The name of the route that took it, [`NO_ROUTE`] where none did.
    route: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Starting,
    Running,
    Stopping { deadline: Instant },
    Cancelled,
}

impl Service {
    fn start(settings: Settings, events: &mpsc::Sender<Event>) -> Result<Self, ServeError> {
        let folders = settings.folders.clone();
        let disk: Arc<dyn Disk> = Arc::new(folders.tree(settings.platform));
        let claims = recovery::recover(&folders, &*disk)?;
        let mut ids = JobIds::default();
        for claim in &claims {
            ids.after(&claim.id);
        }
        let config = Arc::new(settings.config.clone());
        let workers = config.workers.thread_count().get();
        let pool = Pool::new(workers).map_err(|error| ServeError::Threads(error.to_string()))?;
        memory::share(&pool, &config);
        let workshop = Arc::new(Workshop::new(folders.clone(), disk, pool));
        let publisher = Publisher::new(Arc::clone(&workshop));
        let history = Arc::new(History::new(folders.clone()));
        count_today(&folders.history, events);
        let (tell, record) = (events.clone(), Arc::clone(&history));
        let threads = Threads::start(workers, &workshop, publisher, move |message| {
            if let FromPublisher::Published(group) = &message {
                record.append(group);
            }
            // Fails only when the loop has ended.
            let _ = tell.blocking_send(Event::Publisher(message));
        })
        .map_err(|error| ServeError::Threads(error.to_string()))?;
        let claims_max = config.intake.claims_max;
        let setting = intake::Setting {
            inbox: folders.inbox,
            work: folders.work,
            making: folders.making,
            disk: Arc::clone(&workshop.disk),
            platform: settings.platform,
            events: settings.events,
            slots: claims_max.saturating_sub(claims.len()),
        };
        let tell = events.clone();
        let (intake, intake_thread) = intake::start(setting, Rules::of(&config), ids, move |report| {
            let _ = tell.blocking_send(Event::Intake(report));
        })
        .map_err(|error| ServeError::Threads(error.to_string()))?;
        let mut service = Self {
            config,
            settings,
            workshop,
            threads,
            intake,
            intake_thread,
            lanes: HashMap::new(),
            resting: BTreeMap::new(),
            failures: HashMap::new(),
            in_hand: 0,
            claims_max,
            left: 0,
            jobs: BTreeMap::new(),
            facts: Facts::new(clock::now()),
            history,
            waiting: Waiting::default(),
            server: None,
            tidying: Tidying::default(),
            measuring: Measuring::default(),
            phase: Phase::Starting,
            intake_status: intake::Status::default(),
            intake_details: intake::Details::default(),
            intake_told: Instant::now(),
            intake_alive: true,
            intake_ended: false,
            publisher_alive: true,
            idle: false,
            events: events.clone(),
            reloads: 0,
            gave_up: false,
            progress: Reporter::default(),
            status_due: None,
            status_sent: Instant::now(),
        };
        service.server =
            asked::listen(&service.config, &service.settings.folders, &service.workshop.disk, events);
        if !claims.is_empty() {
            info!(name: kind::RECOVERING.name, files = claims.len(), "finishing what an earlier run left");
        }
        for claim in claims {
            service.take(claim);
        }
        Ok(service)
    }

    fn is_over(&self) -> bool {
        match self.phase {
            Phase::Starting => false,
            Phase::Running => {
                self.settings.once && self.idle && self.in_hand == 0 && !self.tidying.is_under_way()
            }
            Phase::Stopping { .. } | Phase::Cancelled => self.intake_ended && self.in_hand == self.left,
        }
    }

    /// When the loop must look after itself next.
    fn due(&self) -> Instant {
        let retry = self.resting.keys().next().map(|(due, _)| *due);
        let deadline = match self.phase {
            Phase::Stopping { deadline } => Some(deadline),
            _ => None,
        };
        let idle = Instant::now() + Duration::from_secs(86_400);
        let shown = [self.status_due, self.waiting.due(), self.progress.due(), self.measuring.due()];
        let dues = [retry, deadline, self.tidying.due()].into_iter().chain(shown);
        dues.flatten().min().unwrap_or(idle)
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Intake(report) => self.heed_intake(report),
            Event::Publisher(FromPublisher::Published(group)) => {
                let free = group.into_iter().filter_map(|published| self.close(published)).collect();
                // Fails only when the intake has ended.
                let _ = self.intake.send(Command::Release(free));
            }
            Event::Publisher(FromPublisher::Alive) => self.publisher_alive = true,
            Event::Control(Control::Reload) => self.reload(),
            Event::Control(Control::Stop) => self.stop(),
            Event::Asked(question) => self.heed_question(question),
            Event::Counted(day, tally) => self.facts.add_earlier(day, &tally),
            Event::Reloaded(config) => self.reloaded(config),
            Event::Measure(client) => self.measure(client),
            Event::Tidied(next) => self.tidied(next),
            Event::Watchdog => self.watch_over(),
            Event::Due => self.do_what_is_due(),
        }
    }

    fn heed_intake(&mut self, report: Report) {
        match report {
            Report::Claimed(claims) => {
                self.idle = false;
                for claim in claims {
                    self.take(claim);
                }
            }
            Report::Watching(status) => {
                self.learn(status);
                if self.phase == Phase::Starting {
                    self.phase = Phase::Running;
                    info!(name: kind::READY.name, inbox = %self.settings.folders.inbox.display(), "ready");
                    systemd::ready(&self.line());
                    self.measuring.changed();
                    self.tidy();
                }
            }
            Report::Idle { waiting } => {
                if std::mem::replace(&mut self.intake_status.waiting, waiting) != waiting {
                    self.measuring.changed();
                }
                self.idle = waiting == 0;
            }
            Report::Alive(status) => {
                self.intake_alive = true;
                let paused = status.shortage.is_some();
                if paused != self.intake_status.shortage.is_some() {
                    self.tell_status_soon();
                }
                self.learn(status);
                if paused && self.settings.once && !self.is_stopping() {
                    self.gave_up = true;
                    self.stop();
                }
            }
            Report::Ended => {
                self.intake_ended = true;
                self.put_back_the_rest();
            }
        }
    }

    /// Notes how the intake is.
    fn learn(&mut self, mut status: intake::Status) {
        let details = status.details.take();
        // How often it lists is none of it: that alone must not wake an idle service.
        let told = |status: &intake::Status| {
            (status.trouble.is_some(), status.shortage.is_some(), status.waiting, status.overflows)
        };
        if told(&status) != told(&self.intake_status) {
            self.measuring.changed();
        }
        self.intake_status = status;
        self.intake_told = Instant::now();
        if let Some(details) = details {
            self.intake_details = details;
            self.answer_described();
        }
    }

    /// The status line changed; the intake's part of it is asked for first.
    fn tell_status_soon(&mut self) {
        self.measuring.changed();
        if self.status_due.is_none() {
            self.status_due = Some(Instant::now().max(self.status_sent + STATUS_INTERVAL));
            // Fails only when the intake has ended.
            let _ = self.intake.send(Command::Ping);
        }
    }

    fn is_stopping(&self) -> bool {
        !matches!(self.phase, Phase::Starting | Phase::Running)
    }

    fn do_what_is_due(&mut self) {
        let now = Instant::now();
        if self.progress.look(|| self.workshop.progress.jobs(), now) {
            self.tell_status_soon();
        }
        while let Some(entry) = self.resting.first_entry().filter(|entry| entry.key().0 <= now) {
            let claim = entry.remove();
            self.order(claim);
        }
        if self.status_due.is_some_and(|due| due <= now) {
            self.status_due = None;
            self.status_sent = now;
            let stopping = if self.is_stopping() { "stopping, " } else { "" };
            let line = self.line();
            systemd::status(&format!("{stopping}{line}"));
        }
        if self.waiting.due().is_some_and(|due| due <= now) {
            self.answer_waiting();
        }
        self.measure_what_is_due(now);
        if self.tidying.due().is_some_and(|due| due <= now) {
            self.tidy();
        }
        if let Phase::Stopping { deadline } = self.phase
            && deadline <= now
        {
            self.cancel("the deadline is over");
        }
    }

    fn watch_over(&mut self) {
        if self.intake_alive && self.publisher_alive && !self.threads.is_stuck() {
            systemd::watchdog();
        } else {
            error!(
                name: kind::NO_PROGRESS.name,
                intake = self.intake_alive,
                publisher = self.publisher_alive,
                "no progress; the watchdog is not told that all is well"
            );
        }
        (self.intake_alive, self.publisher_alive) = (false, false);
        // Fails only when the intake has ended, which the next tick tells.
        let _ = self.intake.send(Command::Ping);
        self.threads.ping();
    }

    /// Ends the threads; what the intake claimed at the last moment stays for the next start.
    async fn end(mut self, mut received: mpsc::Receiver<Event>) {
        let _ = self.intake.send(Command::Stop);
        self.stop_measuring().await;
        let end_measuring = self.end_measuring();
        drop((self.intake, self.server));
        let Counts { answered, rejected, undecided, .. } = self.facts.since_start.total;
        let (intake, threads, tidying) = (self.intake_thread, self.threads, self.tidying);
        let join = tokio::task::spawn_blocking(move || {
            // A panic was printed by the thread itself.
            let _ = intake.join();
            threads.join();
            tidying.end();
            end_measuring();
        });
        // The threads may be waiting to tell something.
        let drain = async { while received.recv().await.is_some() {} };
        tokio::select! {
            _ = join => {}
            () = drain => {}
        }
        info!(name: kind::STOPPED.name, answered, rejected, undecided, "stopped");
    }
}

/// Has counted, away from the loop, what earlier runs did today.
fn count_today(history: &Path, events: &mpsc::Sender<Event>) {
    let (history, events, today) = (history.to_owned(), events.clone(), clock::now().date());
    // What this run adds to the file is counted as it happens.
    let bytes = std::fs::metadata(history::path_of(&history, today)).map_or(0, |file| file.len());
    if bytes == 0 {
        return;
    }
    tokio::task::spawn_blocking(move || match history::tally(&history, today, bytes) {
        // Fails only when the loop has ended.
        Ok(tally) => drop(events.blocking_send(Event::Counted(today, tally))),
        Err(error) => warn!("what was done today before this start is not counted: {error}"),
    });
}
