//! Encrypted connections over HTTP/1.1 and HTTP/2, with a test certificate.

use super::limits::{SOON, Served, WIDE};
use crate::support::web::home::MALAKA;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use postboard::config::WebLimits;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

const CERTIFICATE: &[u8] = include_bytes!("tls/certificate.pem");
const KEY: &[u8] = include_bytes!("tls/key.pem");

fn certificate() -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(CERTIFICATE).unwrap()
}

/// Returns an acceptor with the encryption settings of `serve`.
fn acceptor() -> TlsAcceptor {
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate()], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

/// Connects to a served home and negotiates this protocol.
async fn connected(served: &Served, protocol: &str) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.into()];
    let stream = TcpStream::connect(served.at).await.unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    let stream = connector.connect("localhost".try_into().unwrap(), stream).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(protocol.as_bytes()));
    stream
}

fn request(path: &str) -> Request<Body> {
    let request = Request::get(format!("https://localhost{path}")).header("host", "localhost");
    request.body(Body::empty()).unwrap()
}

/// Waits until a connection ends, at most for a minute.
async fn ends<T>(connection: impl Future<Output = T>) -> T {
    timeout(Duration::from_mins(1), connection).await.expect("nobody ends it")
}

#[test]
fn pages_are_served_by_both_protocols() {
    let served = Served::over(&WIDE, false, Some(acceptor()));
    served.threads.block_on(async {
        let stream = TokioIo::new(connected(&served, "http/1.1").await);
        let (mut ask, connection) = http1::handshake(stream).await.unwrap();
        tokio::spawn(connection);
        let answer = ask.send_request(request("/")).await.unwrap();
        assert_eq!(answer.status(), 200);
        let stream = TokioIo::new(connected(&served, "h2").await);
        let (mut ask, connection) = http2::handshake(TokioExecutor::new(), stream).await.unwrap();
        tokio::spawn(connection);
        for path in ["/", "/help", "/malaka"] {
            let answer = ask.send_request(request(path)).await.unwrap();
            assert_eq!(answer.status(), 200);
            let page = to_bytes(Body::new(answer.into_body()), usize::MAX).await.unwrap();
            assert!(page.ends_with(b"</html>"), "{path}");
        }
    });
}

/// Returns the next event of a response.
async fn event(answer: &mut Response<Incoming>) -> String {
    let frame = ends(answer.body_mut().frame()).await.expect("it goes on").unwrap();
    String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap()
}

#[test]
fn listeners_hear_by_both_protocols_until_the_server_ends() {
    let mut served = Served::over(&WIDE, false, Some(acceptor()));
    served.town.say("malaka challenge alice bob");
    let path = "/events?board=malaka+1";
    let (mut first, mut second) = served.threads.block_on(async {
        let stream = TokioIo::new(connected(&served, "http/1.1").await);
        let (mut ask, connection) = http1::handshake(stream).await.unwrap();
        tokio::spawn(connection);
        // The connection has already answered another request.
        let other = ask.send_request(request("/help")).await.unwrap();
        assert!(!to_bytes(Body::new(other.into_body()), usize::MAX).await.unwrap().is_empty());
        // The client must read the end of a response before its next request.
        ask.ready().await.unwrap();
        let first = ask.send_request(request(path)).await.unwrap();
        let stream = TokioIo::new(connected(&served, "h2").await);
        let (mut ask, connection) = http2::handshake(TokioExecutor::new(), stream).await.unwrap();
        tokio::spawn(connection);
        (first, ask.send_request(request(path)).await.unwrap())
    });
    for answer in [&mut first, &mut second] {
        assert!(served.threads.block_on(event(answer)).contains(": listening"));
    }
    for _ in 0..3 {
        served.town.play(MALAKA, 1);
        for answer in [&mut first, &mut second] {
            assert_eq!(served.threads.block_on(event(answer)), "data: changed\n\n");
        }
    }
    served.ends();
    for answer in [first, second] {
        let rest = served.threads.block_on(ends(answer.into_body().collect()));
        assert!(rest.expect("it ends as it should").to_bytes().is_empty());
    }
}

#[test]
fn idle_connections_are_closed() {
    let served = Served::over(&WebLimits { idle: SOON, ..WIDE }, false, Some(acceptor()));
    served.threads.block_on(async {
        let stream = TokioIo::new(connected(&served, "h2").await);
        let (mut ask, connection) = http2::handshake(TokioExecutor::new(), stream).await.unwrap();
        let connection = tokio::spawn(connection);
        let answer = ask.send_request(request("/assets/x")).await.unwrap();
        assert_eq!(answer.status(), 404);
        drop(answer);
        let _ = ends(connection).await.unwrap();
        drop(ask);
    });
}

#[test]
fn clients_without_room_for_a_response_are_cut_off() {
    let served =
        Served::over(&WebLimits { answer: SOON, idle: SOON, ..WIDE }, false, Some(acceptor()));
    served.threads.block_on(async {
        let stream = TokioIo::new(connected(&served, "h2").await);
        let mut builder = http2::Builder::new(TokioExecutor::new());
        let (mut ask, connection) =
            builder.initial_stream_window_size(0).handshake(stream).await.unwrap();
        let connection = tokio::spawn(connection);
        let answers = [ask.send_request(request("/")), ask.send_request(request("/help"))];
        let [first, second] = answers;
        let held = (first.await.unwrap(), second.await.unwrap());
        assert!(held.0.status() == 200 && held.1.status() == 200);
        let _ = ends(connection).await.unwrap();
        drop((ask, held));
    });
}

#[test]
fn clients_that_agree_on_no_key_are_cut_off() {
    let served = Served::over(&WebLimits { header: SOON, ..WIDE }, false, Some(acceptor()));
    // Sends no bytes, plain HTTP, and the beginning of a handshake.
    for begin in ["", "GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}"] {
        served.said(begin);
    }
}
