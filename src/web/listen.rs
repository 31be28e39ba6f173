//! The door: connections are taken, encrypted where the operator says so, and served until the
//! process is told to end.

use super::router::router;
use super::site::Site;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

/// Connections at a time; others wait to be taken.
const CONNECTIONS: usize = 10_000;

/// How long a client may take for the header of a request, or to agree on a key.
const HEADER_TIME: Duration = Duration::from_secs(15);

/// Bytes that the header of a request may have.
const LARGEST_HEADER: u32 = 16 * 1024;

/// Requests on one connection at a time.
const STREAMS: u32 = 32;

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
        let (routes, graceful) = (router(Arc::clone(&site)), GracefulShutdown::new());
        let room = Arc::new(Semaphore::new(CONNECTIONS));
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
            let connection = Connection { routes: routes.clone(), peer, _permit: permit };
            let (acceptor, watcher) = (self.acceptor.clone(), graceful.watcher());
            tokio::spawn(connection.serve(stream, acceptor, watcher));
        }
        drop(self.listener);
        site.close();
        // What has not ended by then is cut off.
        let _ = timeout(FAREWELL, graceful.shutdown()).await;
    }
}

struct Connection {
    routes: Router,
    peer: SocketAddr,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    async fn serve(
        self,
        stream: TcpStream,
        acceptor: Option<Acceptor>,
        watcher: hyper_util::server::graceful::Watcher,
    ) {
        let _ = stream.set_nodelay(true);
        match acceptor {
            None => self.speak(stream, watcher).await,
            Some(Acceptor(acceptor)) => {
                if let Ok(Ok(stream)) = timeout(HEADER_TIME, acceptor.accept(stream)).await {
                    self.speak(stream, watcher).await;
                }
            }
        }
    }

    async fn speak(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        watcher: hyper_util::server::graceful::Watcher,
    ) {
        let mut builder = Builder::new(TokioExecutor::new());
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIME)
            .max_buf_size(LARGEST_HEADER as usize);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_header_list_size(LARGEST_HEADER)
            .max_concurrent_streams(STREAMS)
            .keep_alive_interval(HEADER_TIME)
            .keep_alive_timeout(HEADER_TIME);
        let (routes, peer) = (self.routes, self.peer);
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let routes = routes.clone();
            async move { routes.oneshot(request).await }
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        // A client that goes away is no trouble of ours.
        let _ = watcher.watch(connection.into_owned()).await;
    }
}
