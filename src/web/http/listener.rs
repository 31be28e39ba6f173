//! The door: connections are taken, encrypted where the operator says so, and served until the
//! process is told to end.

use crate::config::WebLimits;
use crate::web::http::event_stream::{EventStream, TrackedStream, go_on};
use crate::web::http::network_limit::NetworkLimiter;
use crate::web::http::pending_responses::PendingResponses;
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
use std::net::SocketAddr;
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

/// Bytes that the header of a request may have.
const LARGEST_HEADER: u32 = 16 * 1024;

/// Requests on one connection at a time.
const STREAMS: u32 = 32;

/// How long a proxy of ours may keep a connection on which it asks for nothing.
const IDLE_PROXY: Duration = Duration::from_mins(5);

/// After how long a client that says nothing is asked whether it is still there.
const STILL_THERE: Duration = Duration::from_secs(15);

/// How long requests may take to end once the process is told to.
const FAREWELL: Duration = Duration::from_secs(10);

/// A door that is open.
#[derive(Debug)]
pub struct WebListener {
    listener: TcpListener,
    acceptor: Option<Acceptor>,
}

/// Encrypts connections.
#[derive(Clone)]
struct Acceptor(TlsAcceptor);

impl std::fmt::Debug for Acceptor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Acceptor")
    }
}

/// Opens a door at that address.
///
/// # Errors
/// Another process has it, or it is none of this machine's.
pub async fn listen(at: SocketAddr, acceptor: Option<TlsAcceptor>) -> io::Result<WebListener> {
    let listener = TcpListener::bind(at).await?;
    Ok(WebListener { listener, acceptor: acceptor.map(Acceptor) })
}

impl WebListener {
    /// Where it is.
    ///
    /// # Errors
    /// The machine does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves a site until `ended` is; then requests under way are ended.
    pub async fn serve(self, site: Arc<Site>, ended: impl Future<Output = ()>) {
        let web = &site.parts.setup.config.web;
        let connections = web.bounds.connections;
        let room = Arc::new(Semaphore::new(connections));
        let places = NetworkLimiter::new(web.bounds.of_one_place);
        let door = ConnectionContext {
            site: Arc::clone(&site),
            routes: router(Arc::clone(&site)),
            acceptor: self.acceptor,
            bounds: Arc::new(web.bounds.clone()),
        };
        let mut ended = std::pin::pin!(ended);
        loop {
            let taken = async {
                let permit = Arc::clone(&room).acquire_owned().await;
                (self.listener.accept().await, permit)
            };
            let (taken, permit) = tokio::select! {
                taken = taken => taken,
                () = &mut ended => break,
            };
            let (Ok((stream, peer)), Ok(permit)) = (taken, permit) else {
                // Out of files, most likely: connections that end make room.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let is_proxy = site.is_proxy(peer.ip());
            let guest = if is_proxy { None } else { places.enter(peer.ip().into()) };
            if guest.is_none() && !is_proxy {
                continue;
            }
            let served = door.clone().serve(stream, Peer { at: peer, is_proxy });
            tokio::spawn(async move {
                served.await;
                drop((permit, guest));
            });
        }
        drop(self.listener);
        site.close();
        // When all have ended there is room for all; what has not ended by then is cut off.
        let all = u32::try_from(connections).unwrap_or(u32::MAX);
        let _ = timeout(FAREWELL, room.acquire_many(all)).await;
        site.settled().await;
    }
}

/// Data that all connections share.
#[derive(Clone)]
struct ConnectionContext {
    site: Arc<Site>,
    routes: Router,
    acceptor: Option<Acceptor>,
    bounds: Arc<WebLimits>,
}

/// The client at the other end.
#[derive(Clone, Copy)]
struct Peer {
    at: SocketAddr,
    is_proxy: bool,
}

/// The rest of the work with a connection.
type ConnectionEnd = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The requests of a connection: its answers, and the events that it hears.
struct ConnectionState {
    answers: Arc<PendingResponses>,
    listens: Arc<Mutex<Option<EventStream>>>,
}

impl ConnectionContext {
    /// Serves a connection. Boxed, so that each takes the room of its own way alone.
    async fn serve(self, stream: TcpStream, peer: Peer) {
        let _ = stream.set_nodelay(true);
        let rest = match &self.acceptor {
            None => Box::pin(self.first(stream, peer)).await,
            Some(Acceptor(acceptor)) => {
                let accepted = Box::pin(timeout(self.bounds.header, acceptor.accept(stream)));
                let Ok(Ok(stream)) = accepted.await else { return };
                if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                    Box::pin(self.second(stream, peer)).await;
                    return;
                }
                Box::pin(self.first(stream, peer)).await
            }
        };
        if let Some(rest) = rest {
            rest.await;
        }
    }

    /// HTTP/1.1: one request after the other; the rest, if it listens in the end.
    async fn first(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: Peer,
    ) -> Option<ConnectionEnd> {
        // It is also how long it may ask for nothing. A proxy has read all that it sends.
        let header = if peer.is_proxy { IDLE_PROXY } else { self.bounds.header };
        let (wire, has_left) = TrackedStream::new(stream);
        let asked = ConnectionState::new();
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(header)
            .max_buf_size(LARGEST_HEADER as usize)
            .serve_connection(TokioIo::new(wire), self.answering(&asked, peer));
        let (mut ended, mut overdue) = self.ends(&asked, peer);
        let mut is_ending = false;
        let loan = poll_fn(|cx| {
            if !is_ending && ended.as_mut().poll(cx).is_ready() {
                is_ending = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
            // A client that goes away is no trouble of ours.
            if overdue.as_mut().poll(cx).is_ready() || Pin::new(&mut connection).poll(cx).is_ready()
            {
                return Poll::Ready(None);
            }
            let loan = asked.listens().clone().filter(EventStream::is_quiet);
            match loan.filter(|_| has_left.load(Ordering::Relaxed)) {
                Some(loan) => Poll::Ready(Some(loan)),
                None => Poll::Pending,
            }
        });
        let events = loan.await?.end();
        let stream = connection.into_parts().io.into_inner().stream;
        Some(Box::pin(go_on(stream, events, self.bounds.answer)))
    }

    /// HTTP/2: many at a time.
    async fn second(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: Peer,
    ) {
        let asked = ConnectionState::new();
        let connection = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_header_list_size(LARGEST_HEADER)
            .max_concurrent_streams(STREAMS)
            .keep_alive_interval(STILL_THERE)
            .keep_alive_timeout(STILL_THERE)
            .serve_connection(TokioIo::new(stream), self.answering(&asked, peer));
        let (mut ended, mut overdue) = self.ends(&asked, peer);
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => return,
            () = overdue.as_mut() => return,
            () = ended.as_mut() => {}
        }
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ = connection => {}
            () = overdue => {}
        }
    }

    /// The ends of a connection: the process, and a client that takes too long.
    fn ends(&self, asked: &ConnectionState, peer: Peer) -> (ConnectionEnd, ConnectionEnd) {
        let (site, bounds) = (Arc::clone(&self.site), Arc::clone(&self.bounds));
        let answers = Arc::clone(&asked.answers);
        let ended = Box::pin(async move { site.ended().await });
        (ended, Box::pin(async move { answers.overdue(&bounds, peer.is_proxy).await }))
    }

    /// Answers what is asked on a connection.
    fn answering(
        &self,
        asked: &ConnectionState,
        peer: Peer,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<Body>,
        Error = Infallible,
        Future = ResponseFuture,
    > + Send
    + Unpin
    + use<> {
        let (routes, answers) = (self.routes.clone(), Arc::clone(&asked.answers));
        let listens = Arc::clone(&asked.listens);
        hyper::service::service_fn(move |request: Request<Incoming>| -> ResponseFuture {
            let pending = answers.begin();
            let is_first = request.version() == Version::HTTP_11 && request.method() == Method::GET;
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer.at));
            let (routes, listens) = (routes.clone(), Arc::clone(&listens));
            Box::pin(async move {
                let (answer, is_stream) = pending.until_taken(routes.oneshot(request).await?);
                if !(is_stream && is_first) {
                    return Ok(answer);
                }
                Ok(answer.map(|events| {
                    let loan = EventStream::new(events);
                    *listens.lock().unwrap_or_else(PoisonError::into_inner) = Some(loan.clone());
                    Body::new(loan)
                }))
            })
        })
    }
}

/// An answer that is being made.
type ResponseFuture = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl ConnectionState {
    fn new() -> Self {
        Self { answers: PendingResponses::new(), listens: Arc::default() }
    }

    fn listens(&self) -> MutexGuard<'_, Option<EventStream>> {
        self.listens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
