//! The door: connections are taken, encrypted where the operator says so, and served until the
//! process is told to end.

use super::answers::Answers;
use super::crowd::{Crowd, Guest};
use super::router::router;
use super::site::Site;
use crate::config::Bounds;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown, Watcher};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
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
pub struct Listening {
    listener: TcpListener,
    acceptor: Option<Acceptor>,
}

/// What encrypts.
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
/// Somebody else has it, or it is none of this machine's.
pub async fn listen(at: SocketAddr, acceptor: Option<TlsAcceptor>) -> io::Result<Listening> {
    let listener = TcpListener::bind(at).await?;
    Ok(Listening { listener, acceptor: acceptor.map(Acceptor) })
}

impl Listening {
    /// Where it is.
    ///
    /// # Errors
    /// The machine does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves a site until `ended` is; then requests under way are ended.
    pub async fn serve(self, site: Arc<Site>, ended: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let web = &site.parts.setup.config.web;
        let room = Arc::new(Semaphore::new(web.bounds.connections));
        let places = Crowd::new(web.bounds.of_one_place);
        let door = Door {
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
            let connection = Connection { peer, is_proxy, _held: (permit, guest) };
            tokio::spawn(door.clone().serve(stream, connection, graceful.watcher()));
        }
        drop(self.listener);
        site.close();
        // What has not ended by then is cut off.
        let _ = timeout(FAREWELL, graceful.shutdown()).await;
    }
}

/// What all connections share.
#[derive(Clone)]
struct Door {
    routes: Router,
    acceptor: Option<Acceptor>,
    bounds: Arc<Bounds>,
}

/// Who is at the other end.
struct Connection {
    peer: SocketAddr,
    is_proxy: bool,
    _held: (OwnedSemaphorePermit, Option<Guest>),
}

/// What a connection has come to.
type Done = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Door {
    async fn serve(self, stream: TcpStream, connection: Connection, watcher: Watcher) {
        let _ = stream.set_nodelay(true);
        // Boxed, so that a connection takes the room of its own way alone.
        let speaking: Done = match &self.acceptor {
            None => Box::pin(self.first(stream, connection, watcher)),
            Some(Acceptor(acceptor)) => {
                let accepted = Box::pin(timeout(self.bounds.header, acceptor.accept(stream)));
                let Ok(Ok(stream)) = accepted.await else { return };
                if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                    Box::pin(self.second(stream, connection, watcher))
                } else {
                    Box::pin(self.first(stream, connection, watcher))
                }
            }
        };
        speaking.await;
    }

    /// HTTP/1.1: one request after the other.
    fn first(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        connection: Connection,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + Send {
        // It is also how long it may ask for nothing. What a proxy sends it has read as a whole.
        let header = if connection.is_proxy { IDLE_PROXY } else { self.bounds.header };
        let answers = Answers::new();
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(header)
            .max_buf_size(LARGEST_HEADER as usize)
            .serve_connection(TokioIo::new(stream), self.answering(&answers, &connection));
        self.until_overdue(served, answers, connection, watcher)
    }

    /// HTTP/2: many at a time.
    fn second(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        connection: Connection,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + Send {
        let answers = Answers::new();
        let served = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_header_list_size(LARGEST_HEADER)
            .max_concurrent_streams(STREAMS)
            .keep_alive_interval(STILL_THERE)
            .keep_alive_timeout(STILL_THERE)
            .serve_connection(TokioIo::new(stream), self.answering(&answers, &connection));
        self.until_overdue(served, answers, connection, watcher)
    }

    /// Answers what is asked on a connection.
    fn answering(
        &self,
        answers: &Arc<Answers>,
        connection: &Connection,
    ) -> impl Service<Request<Incoming>, Response = Response<Body>, Error = Infallible, Future: Send>
    + Send
    + use<> {
        let (routes, answers, peer) = (self.routes.clone(), Arc::clone(answers), connection.peer);
        hyper::service::service_fn(move |request: Request<Incoming>| {
            let pending = answers.begin();
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let routes = routes.clone();
            async move { Ok(pending.until_taken(routes.oneshot(request).await?)) }
        })
    }

    /// Serves a connection to its end, or until its client takes too long.
    async fn until_overdue(
        self,
        served: impl GracefulConnection,
        answers: Arc<Answers>,
        connection: Connection,
        watcher: Watcher,
    ) {
        tokio::select! {
            // A client that goes away is no trouble of ours.
            _ = watcher.watch(served) => {}
            () = answers.overdue(&self.bounds, connection.is_proxy) => {}
        }
    }
}
