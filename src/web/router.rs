//! The addresses of the site: which path leads to which page, and the layers around all pages.

use super::api;
use super::html::error_page::{PageError, render_errors};
use super::http::assets;
use super::http::compression::compress_response;
use super::http::page_cache::serve_cached;
use super::http::request_limits::{check_headers, limit_by_network, read_whole_body};
use super::http::returned_form::return_forms;
use super::live::events;
use super::pages::{
    account, admin, app, begin, board, calendar, command, feed, game, guest, health, help, history,
    home, ladder, ladders, learn, metrics, moderation, my_boards, opponents, player, players, push,
    report, settings, setup, sign_in, sign_up, standings, study, thumbnails, tournament,
    tournaments, unsubscribe, watch,
};
use super::site::Site;
use crate::base::meters;
use crate::base::stopwatch::Stopwatch;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get, post};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use tower::Layer as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;

/// How long a response may take to begin.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// The content security policy: nothing from other sites, no inline scripts or styles, no frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Returns the routes of a site with their layers.
pub fn router(site: Arc<Site>) -> Router {
    // Around the routes and not behind them: a form that was not accepted is shown again on its page,
    // which has a route of its own.
    let routes = if site.first_run.is_some() { setup_page(&site) } else { pages(&site) };
    let pages = from_fn_with_state(Arc::clone(&site), return_forms).layer(routes);
    Router::new()
        .fallback_service(pages)
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, RESPONSE_TIMEOUT))
        .layer(from_fn_with_state(Arc::clone(&site), read_whole_body))
        .layer(from_fn_with_state(Arc::clone(&site), limit_by_network))
        .layer(from_fn(compress_response))
        .layer(from_fn_with_state(Arc::clone(&site), serve_cached))
        .layer(from_fn(check_headers))
        .layer(from_fn_with_state(Arc::clone(&site), render_errors))
        .layer(from_fn_with_state(site, add_common_headers))
        .layer(from_fn(count_request))
}

/// Returns the routes of a site that nobody has set up.
fn setup_page(site: &Arc<Site>) -> Router {
    Router::new()
        .route("/setup", get(setup::page).post(setup::post))
        .route("/setup/try", post(setup::try_again))
        .route("/setup/finish", post(setup::finish))
        .route_layer(from_fn_with_state(Arc::clone(site), setup::check_admission))
        .route("/assets/{name}", get(assets::get))
        .route("/healthz", get(health::liveness))
        .route("/readyz", get(health::readiness))
        .fallback(|| async { PageError::NotFound })
        .layer(from_fn(setup::hide))
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| PageError::Bug.into_response()))
        .with_state(Arc::clone(site))
}

/// Returns the routes of all pages.
fn pages(site: &Arc<Site>) -> Router {
    Router::new()
        .route("/", get(home::page))
        .route("/play", get(guest::page).post(guest::post))
        .route("/watch", get(watch::page))
        .route("/learn", get(learn::index))
        .route("/learn/{game}", get(learn::page))
        .route("/help", get(help::index))
        .route("/help/{page}", get(help::page))
        .route("/assets/{name}", get(assets::get))
        .route("/manifest.webmanifest", get(app::manifest))
        .route("/sw.js", get(app::service_worker))
        .route("/offline", get(app::offline))
        .merge(accounts())
        .merge(programs())
        .route("/events", get(events::events))
        .route("/metrics", get(metrics::page))
        .route("/healthz", get(health::liveness))
        .route("/readyz", get(health::readiness))
        .route("/feed/{user}/{token}", get(feed::own))
        .route("/calendar/{user}/{token}", get(calendar::own))
        .route("/boards", get(my_boards::page))
        .route("/settings", get(settings::page))
        .merge(lists())
        .route("/say", post(command::post))
        .route("/report", get(report::page))
        .route("/moderation", get(moderation::page).post(moderation::post))
        .route("/moderation/log", get(moderation::log))
        .route("/moderation/report/{number}", get(moderation::report))
        .merge(administration())
        .route("/begin", post(begin::post))
        .route("/{game}", get(game::page))
        .route("/{game}/{number}", get(board::current).post(board::post))
        .route("/study/{game}", get(study::page))
        .route("/study/{game}/tried/{*tried}", get(study::tried_page))
        .route("/{game}/{number}/analysis", get(board::analysis))
        .route("/{game}/{number}/preview", get(board::preview))
        .route("/{game}/{number}/preview/tried/{*tried}", get(board::tried_preview))
        .route("/{game}/{number}/small/{name}", get(thumbnails::get))
        .route("/{game}/{number}/{moves}", get(board::past_or_export))
        .fallback(|| async { PageError::NotFound })
        .layer(from_fn(use_own_name))
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| PageError::Bug.into_response()))
        .with_state(Arc::clone(site))
}

/// Returns the routes of the administrators' pages.
fn administration() -> Router<Arc<Site>> {
    Router::new()
        .route("/admin", get(admin::status::page))
        .route("/admin/doctor", get(admin::status::examination))
        .route("/admin/enter", get(admin::enter::page).post(admin::enter::post))
        .route("/admin/code", post(admin::enter::mail_code))
        .route("/admin/leave", post(admin::enter::leave))
        .route("/admin/queues", get(admin::queues::page))
        .route("/admin/parked", get(admin::queues::parked))
        .route("/admin/parked/{name}", get(admin::queues::mail))
        .route("/admin/stuck", post(admin::queues::post))
        .route("/admin/settings", get(admin::settings::page).post(admin::settings::post))
        .route("/admin/users", get(admin::users::page))
        .route("/admin/users/{name}", get(admin::users::user))
        .route("/admin/users/{name}/sanction", post(admin::users::sanction))
        .route("/admin/users/{name}/erase", post(admin::users::erase))
        .route("/admin/boards", get(admin::boards::page))
        .route("/admin/boards/{game}/{number}", get(admin::boards::board))
        .route("/admin/boards/{game}/{number}/undo", post(admin::boards::undo))
}

/// Returns the routes of accounts: signing up, in and out, passwords, and keys.
fn accounts() -> Router<Arc<Site>> {
    Router::new()
        .route("/signin", get(sign_in::page).post(sign_in::with_password))
        .route("/signin/link", post(sign_in::mail_link))
        .route("/signin/{code}", get(sign_in::link_page).post(sign_in::with_link))
        .route("/signout", post(sign_in::sign_out))
        .route("/demo", post(sign_in::as_demo_player))
        .route("/signup", get(sign_up::page).post(sign_up::post))
        .route("/welcome", get(sign_up::welcome))
        .route("/confirm/{code}", get(sign_up::confirm_page).post(sign_up::confirm))
        .route("/unsubscribe/{tag}", get(unsubscribe::page).post(unsubscribe::post))
        .route("/password", post(account::change_password))
        .route("/keys", post(account::create_key))
        .route("/keys/revoke", post(account::revoke_key))
        .route("/push/subscribe", post(push::subscribe))
        .route("/push/unsubscribe", post(push::unsubscribe))
}

/// Returns the routes of the lists of players, boards and tournaments.
fn lists() -> Router<Arc<Site>> {
    Router::new()
        .route("/players", get(players::page))
        .route("/player/{name}", get(player::page))
        .route("/player/{name}/boards", get(player::boards))
        .route("/player/{name}/against/{other}", get(player::against))
        .route("/player/{name}/rating/{game}", get(player::rating))
        .route("/player/{name}/feed", get(feed::of_player))
        .route("/{game}/feed", get(feed::of_game))
        .route("/{game}/standings", get(standings::page))
        .route("/{game}/players", get(opponents::page))
        .route("/{game}/history", get(history::page))
        .route("/tournaments", get(tournaments::all))
        .route("/ladders", get(ladders::page))
        .route("/{game}/ladder", get(ladder::page))
        .route("/{game}/tournaments", get(tournaments::of_game))
        .route("/{game}/tournament/{number}", get(tournament::page))
}

/// Returns the routes of the API.
fn programs() -> Router<Arc<Site>> {
    Router::new()
        .route("/api/v1/openapi.json", get(api::description))
        .route("/api/v1/signup", post(api::sign_up))
        .route("/api/v1/keys", post(api::create_key))
        .route("/api/v1/games", get(api::games))
        .route("/api/v1/boards", get(api::boards))
        .route("/api/v1/boards/{game}/{number}", get(api::board).post(api::reply_on_board))
        .route("/api/v1/games/{game}/standings", get(api::standings))
        .route("/api/v1/games/{game}/history", get(api::history))
        .route("/api/v1/games/{game}/tournaments", get(api::tournaments))
        .route("/api/v1/games/{game}/ladder", get(api::ladder))
        .route("/api/v1/tournaments/{game}/{number}", get(api::tournament))
        .route("/api/v1/players", get(api::players))
        .route("/api/v1/players/{name}", get(api::player))
        .route("/api/v1/players/{name}/boards", get(api::player_boards))
        .route("/api/v1/players/{name}/against/{other}", get(api::against))
        .route("/api/v1/players/{name}/rating/{game}", get(api::rating))
        .route("/api/v1/say", post(api::execute))
        .route("/api/v1/events", get(events::events))
        .route("/api", any(api::not_found))
        .route("/api/{*path}", any(api::not_found))
}

/// Leads from a path that begins with the name of a game in other letters, such as `/Malaka/1`, to the
/// path with the game's own name.
async fn use_own_name(request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    let name = request.uri().path().split('/').nth(1).unwrap_or_default();
    let own = games::find(name).map(|game| game.spec().name).filter(|own| *own != name);
    match own.filter(|_| request.method().is_safe()) {
        Some(own) => {
            Redirect::permanent(&format!("/{own}{}", &address[1 + name.len()..])).into_response()
        }
        None => next.run(request).await,
    }
}

/// Counts the request and the time until its response begins.
async fn count_request(request: Request, next: Next) -> Response {
    let stopwatch = Stopwatch::start();
    let response = next.run(request).await;
    meters::count_request(response.status().as_u16(), stopwatch.took());
    response
}

/// Adds the headers that all responses have.
async fn add_common_headers(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
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
        let one_year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, one_year);
    }
    response
}
