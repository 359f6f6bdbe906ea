//! The metrics over HTTP/1. No client, however slow or hostile, disturbs the service.
//!
//! So many connections are served at a time, each for a short while, for one request of bounded size; a further one takes the place
//! of the oldest that holds on. The loop is asked at most once a second, however often the metrics are.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
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

use crate::daemon::inspect::metrics::Ask;
use crate::daemon::inspect::serving::{Place, serve_all};
use crate::logging::local_time::is_clock_usable;

/// Connections served at a time.
const CONNECTIONS_MAX: usize = 64;
/// Time of a connection, from being taken to the end of the answer.
const CONNECTION_TIME_MAX: Duration = Duration::from_secs(10);
/// Header lines of a request.
const HEADERS_MAX: usize = 64;
/// Bytes of a request's head.
const HEAD_BYTES_MAX: usize = 16_384;
/// Time between two questions to the loop.
const MEASURE_INTERVAL: Duration = Duration::from_secs(1);

const TEXT_FORMAT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
const PLAIN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// What answers are made from.
struct Source {
    ask: Ask,
    last: Mutex<Option<(Instant, Bytes)>>,
}

impl Source {
    /// Returns the metrics, at most a second old; `None` if the loop does not answer.
    async fn text(&self) -> Option<Bytes> {
        // Held while the loop is asked, so that many who ask together ask it once.
        let mut last = self.last.lock().await;
        if let Some((_, text)) = last.as_ref().filter(|(asked, _)| asked.elapsed() < MEASURE_INTERVAL) {
            return Some(text.clone());
        }
        let text = Bytes::from((self.ask)().await?);
        *last = Some((Instant::now(), text.clone()));
        Some(text)
    }
}

/// Listens at an address. With port 0 the system chooses one.
///
/// # Errors
/// When the address cannot be had.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Serves the metrics.
pub async fn serve(listener: TcpListener, ask: Ask) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let source = Arc::new(Source { ask, last: Mutex::default() });
    let accept = || async { listener.accept().await.map(|(stream, _)| stream) };
    let serve = |stream, place| {
        let connection = connection(stream, place, Arc::clone(&source));
        async {
            let served = timeout(CONNECTION_TIME_MAX, connection).await;
            debug!(in_time = served.is_ok(), "metrics were asked for");
        }
    };
    serve_all(accept, CONNECTIONS_MAX, serve).await;
}

async fn connection(stream: TcpStream, place: Place, source: Arc<Source>) {
    if !is_clock_usable() {
        // Hyper panics when it makes the header Date.
        debug!("a request for metrics is not answered: the clock is before 1970 or beyond the year 9999");
        return;
    }
    let (place, source) = (&place, &source);
    let answer =
        service_fn(|request| async move { Ok::<_, Infallible>(place.work(answer(&request, source)).await) });
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
