//! The unfinished responses of a connection, and when its client has taken too long: to read a
//! response, or to send the next request.

use crate::config::WebLimits;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::time::{Duration, Instant, sleep_until};

/// The unfinished responses of a connection.
#[derive(Debug)]
pub(super) struct PendingResponses(Mutex<ResponseTimes>);

#[derive(Debug)]
struct ResponseTimes {
    /// The number of each request with its arrival, the oldest first.
    pending: Vec<(u64, Instant)>,
    /// How many event streams are open. They may take as long as their reader likes.
    streams: usize,
    /// When the latest response ended.
    idle_since: Instant,
    last_number: u64,
}

/// An unfinished response, until dropped.
#[derive(Debug)]
pub(super) struct PendingResponse {
    responses: Arc<PendingResponses>,
    /// The number of its request; none for an event stream.
    number: Option<u64>,
}

impl PendingResponses {
    pub(super) fn new() -> Arc<Self> {
        let idle_since = Instant::now();
        let times = ResponseTimes { pending: Vec::new(), streams: 0, idle_since, last_number: 0 };
        Arc::new(Self(Mutex::new(times)))
    }

    fn times(&self) -> MutexGuard<'_, ResponseTimes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a request.
    pub(super) fn begin(self: &Arc<Self>) -> PendingResponse {
        let mut times = self.times();
        times.last_number += 1;
        let number = times.last_number;
        times.pending.push((number, Instant::now()));
        PendingResponse { responses: Arc::clone(self), number: Some(number) }
    }

    /// Waits until the client has taken too long. A trusted proxy may stay idle.
    pub(super) async fn wait_until_overdue(&self, limits: &WebLimits, is_proxy: bool) {
        loop {
            let now = Instant::now();
            let deadline = self.deadline(limits, is_proxy);
            if deadline.is_some_and(|deadline| deadline <= now) {
                return;
            }
            // A request that arrives meanwhile is noticed a little late.
            let check = now + limits.idle.max(Duration::from_millis(1));
            sleep_until(deadline.map_or(check, |deadline| deadline.min(check))).await;
        }
    }

    /// Returns when the client will have taken too long; never while an event stream is open.
    fn deadline(&self, limits: &WebLimits, is_proxy: bool) -> Option<Instant> {
        let times = self.times();
        match times.pending.first() {
            Some((_, begun)) => Some(*begun + limits.answer),
            None => (times.streams == 0 && !is_proxy).then(|| times.idle_since + limits.idle),
        }
    }
}

impl PendingResponse {
    /// Marks the response as an event stream, which has no deadline.
    fn become_stream(&mut self) {
        let mut times = self.responses.times();
        if let Some(number) = self.number.take() {
            times.pending.retain(|(other, _)| *other != number);
            times.streams += 1;
        }
    }

    /// Attaches itself to a response until its whole body is sent.
    pub(super) fn attach(mut self, response: Response<Body>) -> Response<Body> {
        if is_event_stream(&response) {
            self.become_stream();
        }
        hold_until_sent(response, self)
    }
}

/// Returns whether a response is a stream of server-sent events.
pub(super) fn is_event_stream(response: &Response<Body>) -> bool {
    let content_type = response.headers().get(header::CONTENT_TYPE);
    content_type == Some(&HeaderValue::from_static("text/event-stream"))
}

impl Drop for PendingResponse {
    fn drop(&mut self) {
        let mut times = self.responses.times();
        match self.number {
            Some(number) => times.pending.retain(|(other, _)| *other != number),
            None => times.streams -= 1,
        }
        times.idle_since = Instant::now();
    }
}

/// Holds a value until the whole body of a response is sent.
pub(super) fn hold_until_sent<T: Send + Unpin + 'static>(
    response: Response<Body>,
    value: T,
) -> Response<Body> {
    response.map(|body| Body::new(HoldingBody { body, value: Some(value) }))
}

/// A body with a value that is dropped at its end.
struct HoldingBody<T> {
    body: Body,
    value: Option<T>,
}

impl<T: Unpin> hyper::body::Body for HoldingBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.value = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
