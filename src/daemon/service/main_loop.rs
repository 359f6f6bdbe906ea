//! The loop: its start, the handling of each event, and its end.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tracing::{error, info};

use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::fair::RouteQueue;
use crate::daemon::answering::job_progress::CHECK_INTERVAL;
use crate::daemon::answering::memory_plan;
use crate::daemon::answering::quarantine::Quarantine;
use crate::daemon::answering::schedule::{ONCE_TRIES_MAX, Schedule};
use crate::daemon::base::clock;
use crate::daemon::base::job_id::JobIds;
use crate::daemon::base::job_tally::{OutcomeCounts, Tally};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find::recover;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::os;
use crate::daemon::intake::{self, Command, Message};
use crate::daemon::publishing::publisher::Publisher;
use crate::daemon::records::history::History;
use crate::daemon::records::retention::Cleaner;
use crate::daemon::service::job_threads::Threads;
use crate::daemon::service::loop_state::{
    Control, Event, EventSender, Intake, Phase, ServeError, Service, Settings,
};
use crate::daemon::service::query_servers::{LoopClient, QueryServers};
use crate::daemon::service::{dispatcher, systemd};
use crate::logging::kind;
use tabuleiro_jobs::Pool;

/// How many events can wait for the loop before their senders must wait.
const EVENTS_MAX: usize = 1024;
/// The minimum time between two status lines.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);

/// Runs the service until it is stopped or, with `once`, has nothing more to do.
///
/// # Errors
/// Fails if the service cannot start, a thread panics or, with `once`, a file cannot be taken or published.
pub async fn run(settings: Settings, control: mpsc::Receiver<Control>) -> Result<(), ServeError> {
    // If a program opens a file for writing while the service holds a lease on it, the kernel sends the service SIGIO.
    os::survives_sigio();
    let (events, received) = mpsc::channel(EVENTS_MAX);
    let (panicked, panics) = mpsc::unbounded_channel();
    let service = Service::start(settings, &EventSender { events, panicked })?;
    serve(service, received, panics, control).await
}

async fn serve(
    mut service: Service,
    mut received: mpsc::Receiver<Event>,
    mut panics: mpsc::UnboundedReceiver<String>,
    mut control: mpsc::Receiver<Control>,
) -> Result<(), ServeError> {
    while !service.is_over() {
        let due = service.due();
        let event = tokio::select! {
            // In this order, so that a flood of files never starves a signal or the watchdog.
            biased;
            Some(thread) = panics.recv() => {
                // The threads keep working until the process ends, so nothing that they use may be dropped before that,
                // least of all the lock.
                std::mem::forget(service);
                return Err(ServeError::Panicked(thread));
            }
            Some(control) = control.recv() => Event::Control(control),
            () = tokio::time::sleep_until(due.into()) => Event::Due,
            Some(event) = received.recv() => event,
        };
        service.handle(event);
    }
    let result = match (service.gave_up, service.settings.once && service.untaken) {
        (true, _) => Err(ServeError::GaveUp),
        (false, true) => Err(ServeError::Untaken),
        (false, false) => Ok(()),
    };
    service.end(received).await;
    result
}

impl Service {
    fn start(settings: Settings, sender: &EventSender) -> Result<Self, ServeError> {
        let events = &sender.events;
        let folders = settings.folders.clone();
        let tree = Arc::new(folders.tree());
        let disk: Arc<dyn Disk> = Arc::clone(&tree) as Arc<dyn Disk>;
        let claims = recover(&folders, &*disk).map_err(ServeError::Recover)?;
        let mut ids = JobIds::default();
        for claim in &claims {
            ids.after(&claim.id);
        }
        let config = Arc::new(settings.config.clone());
        let workers = config.workers.thread_count().get();
        let panics = sender.clone();
        let mut pool = Pool::watched(workers, move || panics.report_panic()).map_err(io::Error::other)?;
        memory_plan::share(&pool, &config);
        let dispatcher = dispatcher::start(&config, &mut pool, events.clone())?;
        let history = Arc::new(History::new(folders.clone()));
        let mut answerer = Answerer::new(folders.clone(), Arc::clone(&disk), pool);
        if settings.once {
            answerer.io_tries_max = ONCE_TRIES_MAX;
        }
        let answerer = Arc::new(answerer);
        let publisher = Publisher::new(Arc::clone(&answerer));
        let (thread_events, record) = (sender.clone(), Arc::clone(&history));
        let threads = Threads::start(workers, &answerer, publisher, move |mut event| {
            if let Event::Published(group) = &mut event {
                record.append(group);
            }
            thread_events.send(event);
        })?;
        let queue_of =
            |claim: &Claim| (claim.id.clone(), RouteQueue::of(&claim.origin, claim.bytes, &config));
        let setting = intake::IntakeSettings {
            config: Arc::clone(&config),
            ids,
            folders: folders.clone(),
            tree,
            gate: Arc::clone(&answerer.gate),
            recovered: claims.iter().map(queue_of).collect(),
        };
        let intake = Intake::start(setting, sender.clone())?;
        let client = LoopClient { events: events.clone(), intake: intake.commands.clone() };
        let servers = QueryServers::start(&config, &folders, &disk, &client)?;
        let retention = Cleaner::start(folders, sender.clone())?;
        let mut service = Self {
            config,
            phase: Phase::Starting,
            events: events.clone(),
            intake,
            answerer,
            threads,
            schedule: Schedule::new(settings.once),
            quarantine: Quarantine::default(),
            settings,
            jobs: BTreeMap::new(),
            gave_up: false,
            untaken: false,
            started: clock::now(),
            since_start: Tally::default(),
            put_back: 0,
            tries_failed: 0,
            history,
            progress_due: None,
            watchdog: systemd::watchdog_interval().map(|interval| (Instant::now(), interval)),
            servers,
            retention,
            dispatcher,
            reloads: 0,
            status_due: None,
            status_sent: Instant::now(),
        };
        if !claims.is_empty() {
            info!(name: kind::RECOVERING.name, files = claims.len(), "recovering");
        }
        service.prepare_references();
        service.take_recovered(claims);
        Ok(service)
    }

    fn is_over(&self) -> bool {
        match self.phase {
            Phase::Starting => false,
            Phase::Running => self.settings.once && self.intake.is_idle && self.schedule.is_empty(),
            Phase::Stopping { .. } | Phase::Cancelled => self.intake.has_ended && self.schedule.is_over(),
        }
    }

    /// Returns when the next [`Event::Due`] is due.
    fn due(&self) -> Instant {
        let deadline = if let Phase::Stopping { deadline } = self.phase { Some(deadline) } else { None };
        let watchdog = self.watchdog.map(|(due, _)| due);
        let (retry, alone) = (self.schedule.next_due(), self.quarantine.next_due());
        let dues = [retry, alone, deadline, self.status_due, self.progress_due, watchdog];
        let tomorrow = || Instant::now() + Duration::from_secs(86_400);
        dues.into_iter().flatten().min().unwrap_or_else(tomorrow)
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Intake(message) => self.handle_intake(message),
            Event::Published(group) => {
                let over = group.into_iter().filter_map(|job| self.close(job)).collect();
                self.intake.send(Command::Release(over));
            }
            Event::Interrupted(pending) => self.interrupted(pending),
            #[cfg(feature = "workers")]
            Event::Workers => self.servers.changed.send_replace(()),
            Event::Control(Control::Reload) => self.reload(),
            Event::Control(Control::Stop) => self.stop(),
            Event::Query(question) => question(self),
            Event::Reloaded(read) => self.reloaded(read),
            Event::Due => self.do_what_is_due(),
        }
    }

    pub(super) fn handle_intake(&mut self, message: Message) {
        match message {
            Message::Claimed(claims) => {
                self.intake.is_idle = false;
                for claim in claims {
                    let actions = self.register(claim);
                    self.perform(actions);
                }
            }
            Message::Watching(status) => {
                self.store_status(status);
                if self.phase == Phase::Starting {
                    self.phase = Phase::Running;
                    info!(name: kind::READY.name, inbox = %self.settings.folders.inbox.display(), "ready");
                    systemd::ready(&self.snapshot().line());
                    self.servers.changed.send_replace(());
                    self.retention.follow(&self.config.retention);
                }
            }
            Message::Idle { incomplete, untaken } => {
                self.untaken = untaken;
                self.intake.is_idle = incomplete == 0;
                self.schedule_status();
            }
            Message::Alive(status) => {
                self.intake.pinged.set(None);
                let paused = status.report.paused.is_some();
                self.store_status(status);
                if paused && self.settings.once && !self.is_stopping() {
                    self.gave_up = true;
                    self.stop();
                }
            }
            Message::Ended => {
                self.intake.has_ended = true;
                // Put files back only now: a running intake would claim them again.
                let actions = self.schedule.close();
                self.perform(actions);
            }
        }
    }

    /// Stores the intake's status, and schedules a status line if it changed.
    pub(super) fn store_status(&mut self, status: Box<intake::Status>) {
        // The number of listings is left out: its change alone must not wake an idle service.
        let shown = |status: &intake::Status| {
            let are_set = (status.report.reason.is_some(), status.report.paused.is_some());
            (are_set, status.other_mounts.len(), status.incomplete, status.report.overflows)
        };
        if shown(&status) != shown(&self.intake.status) {
            self.schedule_status();
        }
        self.intake.status = *status;
    }

    /// Schedules a new status line, and asks the intake for its part of it.
    pub(super) fn schedule_status(&mut self) {
        self.servers.changed.send_replace(());
        if self.status_due.is_none() {
            self.status_due = Some(Instant::now().max(self.status_sent + STATUS_INTERVAL));
            self.intake.send(Command::Ping);
        }
    }

    fn do_what_is_due(&mut self) {
        let now = Instant::now();
        if self.progress_due.take_if(|due| *due <= now).is_some() {
            self.progress_due = Some(now + CHECK_INTERVAL);
            self.answerer.progress.log(now);
            self.schedule_status();
        }
        if let Some((_, interval)) = self.watchdog.filter(|(due, _)| *due <= now) {
            self.watchdog = Some((now + interval, interval));
            self.feed_watchdog(now);
        }
        let actions = self.schedule.due(now);
        self.perform(actions);
        let begin = self.quarantine.due(now);
        self.begin(begin);
        if self.status_due.take_if(|due| *due <= now).is_some() {
            self.status_sent = now;
            let stopping = if self.is_stopping() { "stopping, " } else { "" };
            systemd::status(&format!("{stopping}{}", self.snapshot().line()));
        }
        if let Phase::Stopping { deadline } = self.phase
            && deadline <= now
        {
            self.cancel("the deadline is over");
        }
    }

    /// Feeds systemd's watchdog if the intake, the publisher and all jobs make progress, and pings the intake.
    /// [`EventSender`] reports threads that panicked.
    fn feed_watchdog(&self, now: Instant) {
        let [intake, publisher, jobs] = self.progresses(now);
        if intake && publisher && jobs {
            systemd::watchdog();
        } else {
            error!(name: kind::NO_PROGRESS.name, intake, publisher, jobs, "no progress");
        }
        self.ping_intake(now);
    }

    /// Asks the intake for a sign of life, unless its answer to an earlier question is still missing.
    pub(super) fn ping_intake(&self, now: Instant) {
        if !self.intake.pinged.is_set() && self.intake.send(Command::Ping) {
            self.intake.pinged.set(Some(now));
        }
    }

    /// Returns whether the intake, the publisher and the jobs make progress.
    fn progresses(&self, now: Instant) -> [bool; 3] {
        let intake = self.intake.has_ended || !self.intake.pinged.is_stuck(now);
        [intake, !self.threads.publishing.is_stuck(now), !self.answerer.progress.is_stuck(now)]
    }

    /// Returns why the service is not ready or makes no progress, for snapshots.
    pub(super) fn trouble(&self, now: Instant) -> Option<String> {
        match self.phase {
            Phase::Starting => return Some("the service starts".to_owned()),
            Phase::Running => {}
            Phase::Stopping { .. } | Phase::Cancelled => return Some("the service stops".to_owned()),
        }
        let parts = ["the intake", "the publisher", "a job"].into_iter().zip(self.progresses(now));
        let stuck: Vec<_> = parts.filter(|(_, progresses)| !progresses).map(|(part, _)| part).collect();
        (!stuck.is_empty()).then(|| format!("no progress: {}", stuck.join(", ")))
    }

    /// Ends the threads. Files that the intake claimed at the last moment stay claimed for the next start.
    async fn end(mut self, mut received: mpsc::Receiver<Event>) {
        self.intake.send(Command::Stop);
        self.await_intake_end(&mut received).await;
        let facts = self.facts();
        let OutcomeCounts { answered, graded, rejected, undecided, .. } = self.since_start.total;
        // A run that ends by itself tidies first.
        let tidies = matches!(self.phase, Phase::Running);
        let Self { intake, threads, retention, servers, dispatcher, .. } = self;
        let join = tokio::task::spawn_blocking(move || {
            servers.end(facts);
            if let Some(dispatcher) = dispatcher {
                dispatcher.end();
            }
            // A panic is in the log.
            let _ = intake.thread.join();
            threads.join();
            retention.end(tidies);
        });
        // The threads may be waiting to send an event.
        let drain = async { while received.recv().await.is_some() {} };
        tokio::select! {
            _ = join => {}
            () = drain => {}
        }
        info!(name: kind::STOPPED.name, answered, graded, rejected, undecided, "stopped");
    }
}

#[cfg(test)]
#[path = "main_loop_tests.rs"]
mod tests;
