//! The metrics over HTTP/1, on a thread of its own: whoever asks, and however, the service does not notice.
//!
//! Few connections are served at a time, each for a short while, for one request of bounded size; further ones wait in the
//! system's queue. The loop is asked at most once a second, however often the metrics are.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::{Mutex, Semaphore, mpsc, oneshot};
use tracing::debug;

use crate::daemon::inspect::metrics::measured::Measured;

/// Connections served at a time.
const CONNECTIONS_MAX: usize = 8;
/// Time of a connection, from being taken to the end of the answer.
const CONNECTION_TIME_MAX: Duration = Duration::from_secs(10);
/// Header lines of a request.
const HEADERS_MAX: usize = 64;
/// Bytes of a request's head.
const HEAD_BYTES_MAX: usize = 16_384;
/// Time between two questions to the loop.
const MEASURE_INTERVAL: Duration = Duration::from_secs(1);
/// How long the loop is waited for.
const LOOP_WAIT_MAX: Duration = Duration::from_secs(5);
/// Wait after a connection could not be taken, for want of file descriptors perhaps.
const ACCEPT_INTERVAL: Duration = Duration::from_secs(1);

const TEXT_FORMAT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
const PLAIN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Where the loop is asked; it answers when it can.
type Ask = mpsc::Sender<oneshot::Sender<Box<Measured>>>;

/// The thread that serves; it ends when this is dropped.
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves at an address what the loop answers.
    ///
    /// # Errors
    /// When the address cannot be had, or the thread not be started.
    pub fn start(address: SocketAddr, ask: Ask) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let serve =
            move || runtime.block_on(serve(listener, Source { ask, last: Mutex::default() }, stopped));
        let thread = Builder::new().name("metrics".to_owned()).spawn(serve)?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it serves: with port 0 the system chose one.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic was printed by the thread itself.
            let _ = thread.join();
        }
    }
}

/// What answers are made from.
struct Source {
    ask: Ask,
    last: Mutex<Option<(Instant, Bytes)>>,
}

impl Source {
    /// The metrics, at most a second old; `None` when the loop does not answer.
    async fn text(&self) -> Option<Bytes> {
        // Held while the loop is asked, so that many who ask together ask it once.
        let mut last = self.last.lock().await;
        if let Some((_, text)) = last.as_ref().filter(|(asked, _)| asked.elapsed() < MEASURE_INTERVAL) {
            return Some(text.clone());
        }
        let ask = async {
            let (reply, answer) = oneshot::channel();
            self.ask.send(reply).await.ok()?;
            answer.await.ok()
        };
        let measured = tokio::time::timeout(LOOP_WAIT_MAX, ask).await.ok()??;
        let text = Bytes::from(measured.text().ok()?);
        *last = Some((Instant::now(), text.clone()));
        Some(text)
    }
}

async fn serve(listener: TcpListener, source: Source, mut stopped: oneshot::Receiver<()>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let (source, slots) = (Arc::new(source), Arc::new(Semaphore::new(CONNECTIONS_MAX)));
    loop {
        let accept = async {
            let slot = Arc::clone(&slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let accepted = tokio::select! {
            accepted = accept => accepted,
            // What is being answered is broken off when the runtime ends with this.
            _ = &mut stopped => return,
        };
        let (Ok(slot), Ok((stream, _))) = accepted else {
            tokio::time::sleep(ACCEPT_INTERVAL).await;
            continue;
        };
        let source = Arc::clone(&source);
        tokio::spawn(async move {
            let served = tokio::time::timeout(CONNECTION_TIME_MAX, connection(stream, source)).await;
            debug!(in_time = served.is_ok(), "metrics were asked for");
            drop(slot);
        });
    }
}

async fn connection(stream: tokio::net::TcpStream, source: Arc<Source>) {
    let answer = service_fn(|request| {
        let source = Arc::clone(&source);
        async move { Ok::<_, Infallible>(answer(&request, &source).await) }
    });
    // One request a connection: a scraper comes every few seconds, and none may stay.
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(CONNECTION_TIME_MAX)
        .keep_alive(false)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), answer)
        .await;
    if let Err(error) = served {
        debug!("a request for metrics failed: {error}");
    }
}

async fn answer(request: &Request<Incoming>, source: &Source) -> Response<Full<Bytes>> {
    if request.uri().path() != "/metrics" {
        return plain(StatusCode::NOT_FOUND, "the metrics are at /metrics\n");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "expected GET or HEAD\n");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let Some(text) = source.text().await else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "the service is busy or ends; try again\n");
    };
    let mut response = Response::new(Full::new(text));
    response.headers_mut().insert(CONTENT_TYPE, TEXT_FORMAT);
    response
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, PLAIN);
    response
}
