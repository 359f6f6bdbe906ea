//! Serves the metrics and the health over HTTP/1. No slow or hostile client can disturb the service.
//!
//! The number of connections is bounded. Each connection carries one request of bounded size and lasts at most ten
//! seconds. When all are taken, a new one evicts the oldest idle one. The loop gets at most one question per second.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::timeout;
use tracing::debug;

use crate::daemon::inspect::metrics::{Timings, text};
use crate::daemon::inspect::serving::{Ask, ClientSlot, serve_all};
use crate::daemon::inspect::snapshot::Snapshot;

/// The maximum number of simultaneous connections.
const CONNECTIONS_MAX: usize = 64;
/// How long a connection can last, from accepting it to the end of the answer.
const CONNECTION_TIME_MAX: Duration = Duration::from_secs(10);
/// The maximum number of header lines in a request.
const HEADERS_MAX: usize = 64;
/// The maximum size of a request's head, in bytes.
const HEAD_BYTES_MAX: usize = 16_384;
/// The minimum time between two questions to the loop.
const MEASURE_INTERVAL: Duration = Duration::from_secs(1);

const TEXT_FORMAT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
const PLAIN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// The data that answers are made from.
struct Source {
    ask: Ask<Box<Snapshot>>,
    timings: Timings,
    last: Mutex<Option<(Instant, Box<Snapshot>)>>,
}

impl Source {
    /// Returns a snapshot of the service that is at most one second old; `None` if the loop does not answer.
    async fn snapshot(&self) -> Option<Box<Snapshot>> {
        // Held while the loop is asked, so that simultaneous clients share one question.
        let mut last = self.last.lock().await;
        if last.as_ref().is_none_or(|(asked, _)| asked.elapsed() >= MEASURE_INTERVAL) {
            *last = Some((Instant::now(), (self.ask)().await?));
        }
        last.as_ref().map(|(_, snapshot)| snapshot.clone())
    }
}

/// Serves the metrics on `listener` until the future is dropped.
pub async fn serve(listener: TcpListener, ask: Ask<Box<Snapshot>>, timings: Timings) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let source = Arc::new(Source { ask, timings, last: Mutex::default() });
    let accept = || async { listener.accept().await.map(|(stream, _)| stream) };
    let serve = |stream, slot| {
        let connection = connection(stream, slot, Arc::clone(&source));
        async {
            let served = timeout(CONNECTION_TIME_MAX, connection).await;
            debug!(in_time = served.is_ok(), "metrics were asked for");
        }
    };
    serve_all(accept, CONNECTIONS_MAX, serve).await;
}

async fn connection(stream: TcpStream, slot: ClientSlot, source: Arc<Source>) {
    let (slot, source) = (&slot, &source);
    let answer =
        service_fn(|request| async move { Ok::<_, Infallible>(slot.work(answer(&request, source)).await) });
    // One request per connection: a scraper comes every few seconds, and must not keep its slot in between.
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
    let path = request.uri().path();
    if !matches!(path, "/metrics" | "/healthz") {
        return plain(StatusCode::NOT_FOUND, "the metrics are at /metrics, the health at /healthz\n");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "expected GET or HEAD\n");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let busy = || plain(StatusCode::SERVICE_UNAVAILABLE, "the service is busy or stopping; try again\n");
    let Some(snapshot) = source.snapshot().await else { return busy() };
    if path == "/healthz" {
        return match snapshot.trouble {
            None => plain(StatusCode::OK, "ok\n"),
            Some(why) => plain(StatusCode::SERVICE_UNAVAILABLE, why + "\n"),
        };
    }
    let Ok(text) = text(&snapshot, &source.timings) else { return busy() };
    let mut response = Response::new(Full::from(text));
    response.headers_mut().insert(CONTENT_TYPE, TEXT_FORMAT);
    response
}

fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(text.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, PLAIN);
    response
}
