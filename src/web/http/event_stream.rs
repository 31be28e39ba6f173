//! Event streams without hyper's buffers. An HTTP/1.1 connection of hyper holds 16 KB of buffers for
//! as long as it lives; an open page listens for hours. Once the head of an event stream is sent, the
//! connection is taken back from hyper, and events are written directly.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::Frame;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::time::timeout;

/// The body of an event stream, shared between hyper, which sends its first events, and the
/// connection that takes it over.
#[derive(Clone)]
pub(super) struct EventStream(Arc<Mutex<SharedBody>>);

struct SharedBody {
    body: Body,
    /// Whether the latest poll found no event.
    is_drained: bool,
}

impl EventStream {
    pub(super) fn new(body: Body) -> Self {
        Self(Arc::new(Mutex::new(SharedBody { body, is_drained: false })))
    }

    fn shared(&self) -> MutexGuard<'_, SharedBody> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether hyper has taken all events so far.
    pub(super) fn is_drained(&self) -> bool {
        self.shared().is_drained
    }

    /// Takes the body, and with it the events from now on.
    pub(super) fn take_body(&self) -> Body {
        std::mem::take(&mut self.shared().body)
    }
}

impl HttpBody for EventStream {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut shared = self.shared();
        let frame = Pin::new(&mut shared.body).poll_frame(cx);
        shared.is_drained = frame.is_pending();
        frame
    }
}

/// A connection that records whether everything written to it was flushed.
pub(super) struct TrackedStream<T> {
    pub(super) stream: T,
    is_flushed: Arc<AtomicBool>,
}

impl<T> TrackedStream<T> {
    /// Wraps a stream and returns it with its flush flag.
    pub(super) fn new(stream: T) -> (Self, Arc<AtomicBool>) {
        let is_flushed = Arc::new(AtomicBool::new(false));
        (Self { stream, is_flushed: Arc::clone(&is_flushed) }, is_flushed)
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for TrackedStream<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for TrackedStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.is_flushed.store(false, Ordering::Relaxed);
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.is_flushed.store(false, Ordering::Relaxed);
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(Pin::new(&mut self.stream).poll_flush(cx));
        self.is_flushed.store(flushed.is_ok(), Ordering::Relaxed);
        Poll::Ready(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Writes events as they come, until the stream ends or the client goes away. A client has
/// `write_timeout` for each event.
pub(super) async fn write_events(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    mut events: Body,
    write_timeout: Duration,
) {
    let mut byte = [0];
    loop {
        let event = tokio::select! {
            event = poll_fn(|cx| Pin::new(&mut events).poll_frame(cx)) => event,
            // The client has closed the connection, or sends a request that nobody would answer.
            _ = stream.read(&mut byte) => return,
        };
        let (chunk, is_last) = match event.map(|frame| frame.map(Frame::into_data)) {
            Some(Ok(Ok(bytes))) if !bytes.is_empty() => (chunk(&bytes), false),
            Some(Ok(_)) => continue,
            Some(Err(_)) | None => (b"0\r\n\r\n".to_vec(), true),
        };
        let write = async {
            stream.write_all(&chunk).await?;
            stream.flush().await
        };
        if !matches!(timeout(write_timeout, write).await, Ok(Ok(()))) || is_last {
            return;
        }
    }
}

/// Encodes a chunk of a body of unknown length (RFC 9112, 7.1).
fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}
