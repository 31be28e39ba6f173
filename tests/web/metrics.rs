//! Access to `/metrics` from this machine and with the token.

use crate::support::web::home::WebHome;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use std::net::SocketAddr;

#[test]
fn numbers_are_for_this_machine_and_those_with_the_token() {
    let town = WebHome::new();
    let asked = |peer: &str, forwarded: &str, authorization: &str| {
        let mut request = Request::get("/metrics");
        for (name, value) in [("x-forwarded-for", forwarded), ("authorization", authorization)] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        let peer: SocketAddr = peer.parse().unwrap();
        town.send(request.extension(ConnectInfo(peer)).body(Body::empty()).unwrap())
    };
    let (here, elsewhere) = ("127.0.0.1:4000", "192.0.2.7:4000");
    let answer = asked(here, "", "");
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    assert_eq!(answer.body, "postboard_build_info 1\n");
    for (peer, forwarded, authorization, status) in [
        (elsewhere, "", "", StatusCode::NOT_FOUND),
        (elsewhere, "127.0.0.1", "", StatusCode::NOT_FOUND),
        // A proxy on this machine forwards a foreign client.
        (here, "192.0.2.7", "", StatusCode::NOT_FOUND),
        (elsewhere, "", "Bearer another", StatusCode::NOT_FOUND),
        (elsewhere, "", "Bearer ", StatusCode::NOT_FOUND),
        (elsewhere, "", "a-token", StatusCode::NOT_FOUND),
        (elsewhere, "", "Bearer a-token", StatusCode::OK),
        (here, "192.0.2.7", "Bearer a-token", StatusCode::OK),
    ] {
        let answer = asked(peer, forwarded, authorization);
        assert_eq!(answer.status, status, "{peer} {forwarded} {authorization}");
        assert_eq!(answer.body.contains("build_info"), status == StatusCode::OK);
    }
}
