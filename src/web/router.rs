//! Which path leads to which page, and what every answer has.

use super::api;
use super::html::error_page::{PageError, tell_failures};
use super::http::assets;
use super::http::compression::{Packers, packed};
use super::http::page_cache::serve_cached;
use super::http::request_limits::{check_headers, limit_by_place, read_whole_body};
use super::live::events;
use super::pages::{
    account, board, command, feed, game, help, home, metrics, my_boards, player, settings,
    standings, thumbnails, unsubscribe,
};
use super::site::Site;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;

/// An answer has begun by then, or there is none.
const PATIENCE: Duration = Duration::from_secs(30);

/// Nothing is loaded from elsewhere, run from the page itself, or shown in another site's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// The pages of a site.
pub fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(home::page))
        .route("/help", get(help::index))
        .route("/help/{page}", get(help::page))
        .route("/assets/{name}", get(assets::get))
        .merge(accounts())
        .merge(programs())
        .route("/events", get(events::events))
        .route("/metrics", get(metrics::page))
        .route("/feed/{user}/{token}", get(feed::feed))
        .route("/boards", get(my_boards::page))
        .route("/settings", get(settings::page))
        .route("/player/{name}", get(player::page))
        .route("/say", post(command::say))
        .route("/{game}", get(game::page))
        .route("/{game}/standings", get(standings::standings))
        .route("/{game}/history", get(standings::history))
        .route("/{game}/{number}", get(board::now).post(board::say))
        .route("/{game}/{number}/preview", get(standings::preview))
        .route("/{game}/{number}/small/{name}", get(thumbnails::get))
        .route("/{game}/{number}/{moves}", get(board::past))
        .fallback(|| async { PageError::NotFound })
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| PageError::Bug.into_response()))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, PATIENCE))
        .layer(from_fn_with_state(Arc::clone(&site), read_whole_body))
        .layer(from_fn_with_state(Arc::clone(&site), limit_by_place))
        .layer(from_fn_with_state(Packers::default(), packed))
        .layer(from_fn_with_state(Arc::clone(&site), serve_cached))
        .layer(from_fn(check_headers))
        .layer(from_fn(tell_failures))
        .layer(from_fn_with_state(Arc::clone(&site), guarded))
        .with_state(site)
}

/// Where people sign up, in and out.
fn accounts() -> Router<Arc<Site>> {
    Router::new()
        .route("/signin", get(account::enter).post(account::by_password))
        .route("/signin/link", post(account::mail_link))
        .route("/signin/{code}", get(account::link).post(account::by_link))
        .route("/signup", get(account::join).post(account::joined))
        .route("/confirm/{code}", get(account::address).post(account::confirmed))
        .route("/welcome", get(account::welcome))
        .route("/unsubscribe/{tag}", get(unsubscribe::page).post(unsubscribe::turn_off))
        .route("/password", post(account::password))
        .route("/keys", post(account::new_key))
        .route("/keys/revoke", post(account::revoke_key))
        .route("/signout", post(account::leave))
        .route("/demo", post(account::be))
}

/// The paths for programs.
fn programs() -> Router<Arc<Site>> {
    Router::new()
        .route("/api/v1/openapi.json", get(api::described))
        .route("/api/v1/signup", post(api::sign_up))
        .route("/api/v1/keys", post(api::key))
        .route("/api/v1/games", get(api::games))
        .route("/api/v1/boards", get(api::boards))
        .route("/api/v1/boards/{game}/{number}", get(api::board).post(api::said_on_board))
        .route("/api/v1/say", post(api::say))
        .route("/api/v1/events", get(events::events))
        .route("/api", any(api::nothing))
        .route("/api/{*path}", any(api::nothing))
}

/// Adds what browsers are told with every answer.
async fn guarded(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let status = response.status();
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if [StatusCode::SERVICE_UNAVAILABLE, StatusCode::TOO_MANY_REQUESTS].contains(&status) {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
    }
    if site.is_encrypted {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    response
}
