//! The listener: accepts connections, encrypts them if configured, and serves them until shutdown.

use super::event_stream::{EventStream, TrackedStream, write_events};
use super::pending_responses::{PendingResponses, is_event_stream};
use crate::base::network::Network;
use crate::base::peer_limit::PeerLimiter;
use crate::config::WebLimits;
use crate::web::router::router;
use crate::web::site::Site;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, Response, Version};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{SocketAddr, TcpListener as StdTcpListener};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

/// The size limit of the headers of a request, in bytes.
const MAX_HEADERS: u32 = 16 * 1024;

/// The limit on concurrent requests of an HTTP/2 connection.
const MAX_STREAMS: u32 = 32;

/// How long a trusted proxy may keep an idle connection.
const PROXY_IDLE: Duration = Duration::from_mins(5);

/// How long an HTTP/2 connection is silent before a ping, and how long the client has to answer it.
const PING_INTERVAL: Duration = Duration::from_secs(15);

/// How long requests may take to finish after a shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// A bound socket.
pub struct WebListener {
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
}

impl WebListener {
    /// Wraps a bound, non-blocking socket.
    ///
    /// # Errors
    /// The system cannot watch it.
    pub fn new(socket: StdTcpListener, acceptor: Option<TlsAcceptor>) -> io::Result<Self> {
        let listener = TcpListener::from_std(socket)?;
        Ok(Self { listener, acceptor })
    }

    /// Serves a site until `shutdown` completes, then lets requests finish for a while.
    pub async fn serve(self, site: Arc<Site>, shutdown: impl Future<Output = ()>) {
        let web = &site.parts.setup.config.web;
        let max_connections = web.bounds.connections;
        let connections = Arc::new(Semaphore::new(max_connections));
        let networks = PeerLimiter::<Network>::new(web.bounds.per_network);
        let context = ConnectionContext {
            site: Arc::clone(&site),
            routes: router(Arc::clone(&site)),
            acceptor: self.acceptor,
            limits: Arc::new(web.bounds.clone()),
        };
        let notices = tokio::spawn(Arc::clone(&site).run_notices());
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let accept = async {
                let permit = Arc::clone(&connections).acquire_owned().await;
                (self.listener.accept().await, permit)
            };
            let (accepted, permit) = tokio::select! {
                accepted = accept => accepted,
                () = &mut shutdown => break,
            };
            let (Ok((stream, address)), Ok(permit)) = (accepted, permit) else {
                // Most likely the process has no file descriptors left: wait until connections end.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let is_proxy = site.is_proxy(address.ip());
            let network_permit =
                if is_proxy { None } else { networks.try_acquire(address.ip().into()) };
            if network_permit.is_none() && !is_proxy {
                continue;
            }
            let connection = context.clone().serve(stream, Peer { address, is_proxy });
            tokio::spawn(async move {
                connection.await;
                drop((permit, network_permit));
            });
        }
        drop(self.listener);
        site.begin_shutdown();
        // All permits are free when all connections have ended.
        let all = u32::try_from(max_connections).unwrap_or(u32::MAX);
        let _ = timeout(SHUTDOWN_GRACE, connections.acquire_many(all)).await;
        let _ = timeout(SHUTDOWN_GRACE, site.finish_background_writes()).await;
        notices.abort();
    }
}

/// The parts that all connections share.
#[derive(Clone)]
struct ConnectionContext {
    site: Arc<Site>,
    routes: Router,
    acceptor: Option<TlsAcceptor>,
    limits: Arc<WebLimits>,
}

/// The client at the other end of a connection.
#[derive(Clone, Copy)]
struct Peer {
    address: SocketAddr,
    is_proxy: bool,
}

/// The state of a connection: its unfinished responses, and its event stream if it has one.
#[derive(Clone)]
struct ConnectionState {
    responses: Arc<PendingResponses>,
    event_stream: Arc<Mutex<Option<EventStream>>>,
}

impl ConnectionState {
    fn new() -> Self {
        Self { responses: PendingResponses::new(), event_stream: Arc::default() }
    }

    fn event_stream(&self) -> MutexGuard<'_, Option<EventStream>> {
        self.event_stream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type BoxedFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

type ResponseFuture = BoxedFuture<Result<Response<Body>, Infallible>>;

impl ConnectionContext {
    /// Serves a connection. Each stage is boxed, so that a connection takes the memory of its current
    /// stage only.
    async fn serve(self, stream: TcpStream, peer: Peer) {
        let _ = stream.set_nodelay(true);
        let events = match &self.acceptor {
            None => Box::pin(self.serve_http1(stream, peer)).await,
            Some(acceptor) => {
                let handshake = Box::pin(timeout(self.limits.header, acceptor.accept(stream)));
                let Ok(Ok(stream)) = handshake.await else { return };
                if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                    Box::pin(self.serve_http2(stream, peer)).await;
                    return;
                }
                Box::pin(self.serve_http1(stream, peer)).await
            }
        };
        if let Some(events) = events {
            events.await;
        }
    }

    /// Serves HTTP/1.1. If the connection becomes an event stream, returns the future that writes its
    /// events.
    async fn serve_http1(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: Peer,
    ) -> Option<BoxedFuture<()>> {
        // The timeout also applies to the wait for the next request.
        let header_timeout = if peer.is_proxy { PROXY_IDLE } else { self.limits.header };
        let (stream, is_flushed) = TrackedStream::new(stream);
        let state = ConnectionState::new();
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(header_timeout)
            .max_buf_size(MAX_HEADERS as usize)
            .serve_connection(TokioIo::new(stream), self.service(&state, peer));
        let mut shutdown = self.shutdown();
        let mut overdue = self.overdue(&state, peer);
        let mut is_ending = false;
        let event_stream = poll_fn(|cx| {
            if !is_ending && shutdown.as_mut().poll(cx).is_ready() {
                is_ending = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
            // Errors of a connection are its client's: it went away.
            if overdue.as_mut().poll(cx).is_ready() || Pin::new(&mut connection).poll(cx).is_ready()
            {
                return Poll::Ready(None);
            }
            let drained = state.event_stream().clone().filter(EventStream::is_drained);
            match drained.filter(|_| is_flushed.load(Ordering::Relaxed)) {
                Some(event_stream) => Poll::Ready(Some(event_stream)),
                None => Poll::Pending,
            }
        });
        let events = event_stream.await?.take_body();
        let stream = connection.into_parts().io.into_inner().stream;
        Some(Box::pin(write_events(stream, events, self.limits.answer)))
    }

    /// Serves HTTP/2.
    async fn serve_http2(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: Peer,
    ) {
        let state = ConnectionState::new();
        let connection = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_header_list_size(MAX_HEADERS)
            .max_concurrent_streams(MAX_STREAMS)
            .keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_INTERVAL)
            .serve_connection(TokioIo::new(stream), self.service(&state, peer));
        let shutdown = self.shutdown();
        let mut overdue = self.overdue(&state, peer);
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => return,
            () = overdue.as_mut() => return,
            () = shutdown => {}
        }
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ = connection => {}
            () = overdue => {}
        }
    }

    /// Completes when the process shuts down.
    fn shutdown(&self) -> BoxedFuture<()> {
        let site = Arc::clone(&self.site);
        Box::pin(async move { site.shutdown().await })
    }

    /// Completes when the client has taken too long.
    fn overdue(&self, state: &ConnectionState, peer: Peer) -> BoxedFuture<()> {
        let (responses, limits) = (Arc::clone(&state.responses), Arc::clone(&self.limits));
        Box::pin(async move { responses.wait_until_overdue(&limits, peer.is_proxy).await })
    }

    /// Returns the service that answers the requests of a connection.
    fn service(
        &self,
        state: &ConnectionState,
        peer: Peer,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<Body>,
        Error = Infallible,
        Future = ResponseFuture,
    > + Send
    + Unpin
    + use<> {
        let (routes, state) = (self.routes.clone(), state.clone());
        hyper::service::service_fn(move |request: Request<Incoming>| -> ResponseFuture {
            let pending = state.responses.begin();
            let is_http1_get =
                request.version() == Version::HTTP_11 && request.method() == Method::GET;
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer.address));
            let (routes, state) = (routes.clone(), state.clone());
            Box::pin(async move {
                let response = routes.oneshot(request).await?;
                let is_taken_over = is_http1_get && is_event_stream(&response);
                let response = pending.attach(response);
                if !is_taken_over {
                    return Ok(response);
                }
                Ok(response.map(|events| {
                    let event_stream = EventStream::new(events);
                    *state.event_stream() = Some(event_stream.clone());
                    Body::new(event_stream)
                }))
            })
        })
    }
}
