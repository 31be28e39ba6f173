//! Pages that listen, by the thousand. An HTTP/1.1 connection has buffers of 16 KB, which such a
//! page needs for a moment only: once its answer has begun the connection is taken over, and each
//! event is written as it comes.

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

/// The events of a page, lent until the answer has begun.
#[derive(Clone)]
pub(in crate::web) struct EventStream(Arc<Mutex<EventBody>>);

struct EventBody {
    body: Body,
    /// Whether there is nothing more to be sent for now.
    is_quiet: bool,
}

impl EventStream {
    pub(in crate::web) fn new(body: Body) -> Self {
        Self(Arc::new(Mutex::new(EventBody { body, is_quiet: false })))
    }

    fn lent(&self) -> MutexGuard<'_, EventBody> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all that has come has been taken.
    pub(in crate::web) fn is_quiet(&self) -> bool {
        self.lent().is_quiet
    }

    /// The events from now on.
    pub(in crate::web) fn end(&self) -> Body {
        std::mem::take(&mut self.lent().body)
    }
}

impl HttpBody for EventStream {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut lent = self.lent();
        let frame = Pin::new(&mut lent.body).poll_frame(cx);
        lent.is_quiet = frame.is_pending();
        frame
    }
}

/// A connection that knows whether all that was written has left.
pub(in crate::web) struct TrackedStream<T> {
    pub(in crate::web) stream: T,
    has_left: Arc<AtomicBool>,
}

impl<T> TrackedStream<T> {
    /// Around that connection; and what tells.
    pub(in crate::web) fn new(stream: T) -> (Self, Arc<AtomicBool>) {
        let has_left = Arc::new(AtomicBool::new(false));
        (Self { stream, has_left: Arc::clone(&has_left) }, has_left)
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for TrackedStream<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for TrackedStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.has_left.store(false, Ordering::Relaxed);
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.has_left.store(false, Ordering::Relaxed);
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(Pin::new(&mut self.stream).poll_flush(cx));
        self.has_left.store(flushed.is_ok(), Ordering::Relaxed);
        Poll::Ready(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Writes events as they come, until there are no more or the client has gone.
pub(in crate::web) async fn go_on(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    mut events: Body,
    patience: Duration,
) {
    let mut said = [0];
    loop {
        let event = tokio::select! {
            event = poll_fn(|cx| Pin::new(&mut events).poll_frame(cx)) => event,
            // It has gone, or says what nobody has asked for.
            _ = stream.read(&mut said) => return,
        };
        let (chunk, is_last) = match event.map(|frame| frame.map(Frame::into_data)) {
            Some(Ok(Ok(bytes))) if !bytes.is_empty() => (chunk(&bytes), false),
            Some(Ok(_)) => continue,
            Some(Err(_)) | None => (b"0\r\n\r\n".to_vec(), true),
        };
        let written = async {
            stream.write_all(&chunk).await?;
            stream.flush().await
        };
        if !matches!(timeout(patience, written).await, Ok(Ok(()))) || is_last {
            return;
        }
    }
}

/// A piece of an answer whose length is not known (RFC 9112, 7.1).
fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}
