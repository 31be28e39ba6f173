//! The app: `/manifest.webmanifest`, the service worker `/sw.js`, and the page that it shows offline.

use crate::base::digest::Digest;
use crate::web::html::page::{THEME_COLOUR, static_page};
use crate::web::http::assets::{APP, SCRIPT, STYLE, icon};
use crate::web::http::icons::{ICONS, Icon};
use crate::web::site::Site;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use maud::html;
use serde_json::json;
use std::sync::Arc;

/// The path of the offline page. The service worker knows it, too.
const OFFLINE: &str = "/offline";

/// Returns the service worker, with the files that it keeps and a version that changes with them.
fn worker(site: &Site) -> String {
    let files = [OFFLINE.to_owned(), STYLE.path(), SCRIPT.path(), APP.path(), icon(0).path()];
    let icon = json!(ICONS[0].asset.path());
    let head = format!("const FILES = {};\nconst ICON = {icon};", json!(files));
    let script = format!("{head}\n{}", include_str!("../assets/sw.js"));
    // The offline page has no digest in its name.
    let content = format!("{script}{}", offline_page(site));
    let version = HEXLOWER.encode(&Digest::of(content.as_bytes())[..6]);
    format!("const VERSION = \"{version}\";\n{script}")
}

/// Sends the description of the app for browsers that install it.
pub(crate) async fn manifest(State(site): State<Arc<Site>>) -> Response {
    let described = |icon: &Icon| {
        json!({
            "src": icon.asset.path(), "type": "image/png",
            "sizes": format!("{0}x{0}", icon.side),
            "purpose": if icon.is_maskable { "maskable" } else { "any" },
        })
    };
    let pictures = ICONS.iter().map(described);
    let drawing = json!({ "src": icon(0).path(), "type": "image/svg+xml", "sizes": "any" });
    let [light, _] = THEME_COLOUR;
    let manifest = json!({
        "id": "/boards",
        "name": site.name(),
        "short_name": site.name(),
        "description": "Board games by mail or in a browser",
        "lang": "en",
        "start_url": "/boards",
        "scope": "/",
        "display": "standalone",
        "theme_color": light,
        "background_color": light,
        "icons": pictures.chain([drawing]).collect::<Vec<_>>(),
    });
    let headers = [
        (header::CONTENT_TYPE, "application/manifest+json"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, manifest.to_string()).into_response()
}

/// Sends the service worker. Browsers ask for it again at each visit, so a new program replaces it.
pub(crate) async fn service_worker(State(site): State<Arc<Site>>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, worker(&site)).into_response()
}

/// Sends the page that the service worker shows when the server cannot be reached.
pub(crate) async fn offline(State(site): State<Arc<Site>>) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, offline_page(&site)).into_response()
}

fn offline_page(site: &Site) -> String {
    let body = html! {
        h1 { "You are offline" }
        p { "The server cannot be reached, so no board is shown here: it could be out of date. Your "
            "boards wait for you, and their clocks keep running." }
        // The browser keeps the address of the page that it could not load.
        p { a.button.main href="" { "Try again" } }
    };
    static_page("You are offline", site.name(), &body).0
}
