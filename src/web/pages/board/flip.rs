//! Flipping the drawing of a board in one browser. Only the drawing changes, so a link may do it.

use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

/// The value of a query that flips the board, `on` or `off`.
const FLIP: &str = "flip";

/// Flips the board if the query says so, on the pages at a path and below it, and leads back to the page.
pub(in crate::web::pages) fn flip(
    site: &Site,
    request: &WebRequest,
    path: &str,
) -> Option<Response> {
    let is_flipped = request.query_value(FLIP)? == "on";
    let mut response = Redirect::to(&request.address_without(FLIP)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::SET_COOKIE, site.set_flip_cookie(path, is_flipped));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Some(response)
}

/// Renders the link that flips the board of the page at an address, or turns it back.
pub(in crate::web::pages) fn flip_link(address: &str, is_flipped: bool) -> Markup {
    let value = if is_flipped { "off" } else { "on" };
    let tie = if address.contains('?') { '&' } else { '?' };
    html! {
        a.key.flip href={ (address) (tie) (FLIP) "=" (value) } data-key="f" rel="nofollow" {
            "Flip the board" }
    }
}
