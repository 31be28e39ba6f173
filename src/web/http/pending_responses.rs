//! The answers that a connection still owes, so that it can be ended when its client takes too long
//! to read them, or asks for nothing.

use crate::config::WebLimits;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::time::{Duration, Instant, sleep_until};

/// The answers of a connection that are under way.
#[derive(Debug)]
pub(in crate::web) struct PendingResponses(Mutex<ResponseTimes>);

#[derive(Debug)]
struct ResponseTimes {
    /// When each was asked for, the oldest first.
    begun: Vec<(u64, Instant)>,
    /// Those that go on for as long as their reader likes.
    streams: usize,
    /// When the last one ended.
    quiet: Instant,
    asked: u64,
}

/// An answer that is under way, until dropped.
#[derive(Debug)]
pub(in crate::web) struct PendingResponse {
    answers: Arc<PendingResponses>,
    /// None if it goes on for as long as its reader likes.
    number: Option<u64>,
}

impl PendingResponses {
    pub(in crate::web) fn new() -> Arc<Self> {
        let quiet = Instant::now();
        Arc::new(Self(Mutex::new(ResponseTimes { begun: Vec::new(), streams: 0, quiet, asked: 0 })))
    }

    fn open(&self) -> MutexGuard<'_, ResponseTimes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is asked for.
    pub(in crate::web) fn begin(self: &Arc<Self>) -> PendingResponse {
        let mut open = self.open();
        open.asked += 1;
        let number = open.asked;
        open.begun.push((number, Instant::now()));
        PendingResponse { answers: Arc::clone(self), number: Some(number) }
    }

    /// Ends when the client has taken too long. A proxy of ours may ask for nothing as long as it
    /// likes.
    pub(in crate::web) async fn overdue(&self, bounds: &WebLimits, is_proxy: bool) {
        loop {
            let now = Instant::now();
            let due = self.due(bounds, is_proxy);
            if due.is_some_and(|due| due <= now) {
                return;
            }
            // An answer that begins meanwhile is looked at a little late.
            let look = now + bounds.idle.max(Duration::from_millis(1));
            sleep_until(due.map_or(look, |due| due.min(look))).await;
        }
    }

    /// When the client will have taken too long; never while it listens.
    fn due(&self, bounds: &WebLimits, is_proxy: bool) -> Option<Instant> {
        let open = self.open();
        match open.begun.first() {
            Some((_, begun)) => Some(*begun + bounds.answer),
            None => (open.streams == 0 && !is_proxy).then(|| open.quiet + bounds.idle),
        }
    }
}

impl PendingResponse {
    fn end(&mut self, is_stream: bool) {
        let mut open = self.answers.open();
        if let Some(number) = self.number.take() {
            open.begun.retain(|(begun, _)| *begun != number);
        } else {
            open.streams -= 1;
        }
        if is_stream {
            open.streams += 1;
        } else {
            open.quiet = Instant::now();
        }
    }

    /// Keeps this until all of an answer is taken; and whether that goes on for as long as its
    /// reader likes.
    pub(in crate::web) fn until_taken(
        mut self,
        response: Response<Body>,
    ) -> (Response<Body>, bool) {
        let kind = response.headers().get(header::CONTENT_TYPE);
        let is_stream = kind == Some(&HeaderValue::from_static("text/event-stream"));
        if is_stream {
            self.end(true);
        }
        (keep_until_sent(response, self), is_stream)
    }
}

impl Drop for PendingResponse {
    fn drop(&mut self) {
        self.end(false);
    }
}

/// Keeps something until all of an answer is taken.
pub(in crate::web) fn keep_until_sent<T: Send + Unpin + 'static>(
    response: Response<Body>,
    kept: T,
) -> Response<Body> {
    response.map(|body| Body::new(GuardedBody { body, kept: Some(kept) }))
}

/// A body with something that is dropped after it.
struct GuardedBody<T> {
    body: Body,
    kept: Option<T>,
}

impl<T: Unpin> hyper::body::Body for GuardedBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.kept = None;
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
