//! Threads for those who ask, and the clients that they serve: neither a slow client nor a hostile one disturbs the loop.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};

/// Pause where nobody can be let in, because this process has no descriptors left.
const ACCEPT_INTERVAL: Duration = Duration::from_secs(1);

/// A thread that serves until this is dropped.
#[derive(Debug)]
pub struct Serving {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    /// Starts the thread. What `serve` is doing when it has to end is broken off.
    ///
    /// # Errors
    /// When the thread cannot be started.
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
            // Whoever still searches the disk is not waited for.
            runtime.shutdown_background();
        };
        let thread = Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic was printed by the thread itself.
            let _ = thread.join();
        }
    }
}

/// Serves clients, at most `clients_max` at a time; further ones wait in the system's queue.
pub(super) async fn serve_all<S, A, F>(accept: impl Fn() -> A, clients_max: usize, serve: impl Fn(S) -> F)
where
    A: Future<Output = io::Result<S>>,
    F: Future<Output = ()> + Send + 'static,
{
    let slots = Arc::new(Semaphore::new(clients_max));
    loop {
        let slot = Arc::clone(&slots).acquire_owned().await;
        let Ok(stream) = accept().await else {
            tokio::time::sleep(ACCEPT_INTERVAL).await;
            continue;
        };
        let served = serve(stream);
        tokio::spawn(async move {
            served.await;
            drop(slot);
        });
    }
}
