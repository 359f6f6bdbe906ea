//! Threads that answer clients, so that no slow or hostile client disturbs the loop.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// Pause before the next try when no client can be accepted, because this process has no descriptors left.
const ACCEPT_INTERVAL: Duration = Duration::from_secs(1);
/// How long a new client keeps its slot even if it sends nothing: its request may be on the way.
const SLOT_TIME_MIN: Duration = Duration::from_secs(1);

/// Asks the loop; `None` if the service does not answer.
pub type Ask<T> = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Option<T>> + Send>> + Send + Sync>;

/// A thread that serves until this value is dropped.
#[derive(Debug)]
pub struct ServerThread {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl ServerThread {
    /// Starts the thread. Dropping the returned value cancels `serve` wherever it is waiting.
    ///
    /// # Errors
    /// Fails if the thread cannot be started.
    pub fn start(name: &str, serve: impl Future<Output = ()> + Send + 'static) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = serve => {}
                    _ = stopped => {}
                }
            });
            // Does not wait for a disk search that is still running.
            runtime.shutdown_background();
        };
        let thread = Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for ServerThread {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The panic hook has already logged a panic.
            let _ = thread.join();
        }
    }
}

/// The slot of a connected client.
pub(super) struct ClientSlot {
    /// Whether the client waits for the service, and so must not be evicted.
    is_busy: Arc<AtomicBool>,
    /// Notified when a client has ended, or is idle again and can be evicted.
    changed: Arc<Notify>,
}

impl ClientSlot {
    /// Runs `work` for the client. In the meantime, the client cannot be evicted.
    pub(super) async fn work<T>(&self, work: impl Future<Output = T>) -> T {
        self.is_busy.store(true, Ordering::Relaxed);
        let done = work.await;
        self.is_busy.store(false, Ordering::Relaxed);
        self.changed.notify_one();
        done
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        self.changed.notify_one();
    }
}

/// A connected client and the task that serves it.
struct Client {
    task: JoinHandle<()>,
    is_busy: Arc<AtomicBool>,
    since: Instant,
}

/// Serves clients, at most `clients_max` at a time. When all slots are taken, a new client evicts the oldest idle one,
/// never one that is waiting for the service.
pub(super) async fn serve_all<S, A, F>(
    accept: impl Fn() -> A,
    clients_max: usize,
    serve: impl Fn(S, ClientSlot) -> F,
) where
    A: Future<Output = io::Result<S>>,
    F: Future<Output = ()> + Send + 'static,
{
    let mut clients: VecDeque<Client> = VecDeque::new();
    let changed = Arc::new(Notify::new());
    loop {
        let Ok(stream) = accept().await else {
            tokio::time::sleep(ACCEPT_INTERVAL).await;
            continue;
        };
        loop {
            clients.retain(|client| !client.task.is_finished());
            if clients.len() < clients_max {
                break;
            }
            match clients.iter_mut().find(|client| !client.is_busy.load(Ordering::Relaxed)) {
                Some(oldest) if oldest.since.elapsed() >= SLOT_TIME_MIN => {
                    oldest.task.abort();
                    // An aborted task ends at once.
                    let _ = (&mut oldest.task).await;
                }
                Some(oldest) => {
                    let _ = timeout_at(oldest.since + SLOT_TIME_MIN, changed.notified()).await;
                }
                None => changed.notified().await,
            }
        }
        let is_busy = Arc::new(AtomicBool::new(false));
        let slot = ClientSlot { is_busy: Arc::clone(&is_busy), changed: Arc::clone(&changed) };
        clients.push_back(Client { task: tokio::spawn(serve(stream, slot)), is_busy, since: Instant::now() });
    }
}
