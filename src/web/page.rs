//! The frame of every page, and how one is sent.

use super::asset::{ICON, SCRIPT, STYLE};
use super::site::{Seen, Site};
use crate::base::digest::digest;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use data_encoding::HEXLOWER;
use maud::{DOCTYPE, Markup, html};

/// A page that is ready to be sent.
pub(super) struct Page {
    status: StatusCode,
    markup: Markup,
    /// The version that the browser has of it.
    has: Option<String>,
}

impl Seen<'_> {
    /// A page with that title.
    pub(super) fn page(self, title: &str, body: &Markup) -> Page {
        let markup = framed(title, self.site.name(), body);
        Page { status: StatusCode::OK, markup, has: self.ask.has }
    }
}

/// A page about nothing that is kept, such as a failure.
pub(super) fn bare(title: &str, body: &Markup) -> Html<String> {
    Html(framed(title, "Postboard", body).into_string())
}

/// A page that needs no documents.
pub(super) fn plain(site: &Site, has: Option<String>, title: &str, body: &Markup) -> Page {
    Page { status: StatusCode::OK, markup: framed(title, site.name(), body), has }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let text = self.markup.into_string();
        let version = format!("W/\"{}\"", HEXLOWER.encode(&digest(text.as_bytes())[..12]));
        let headers =
            [(header::ETAG, version.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
        if self.has.is_some_and(|has| has.split(',').any(|one| one.trim() == version)) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        (self.status, headers, Html(text)).into_response()
    }
}

fn framed(title: &str, server: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " - " (server) }
                link rel="stylesheet" href=(STYLE.path());
                link rel="icon" type="image/svg+xml" href=(ICON.path());
                script src=(SCRIPT.path()) defer {}
            }
            body {
                a.skip href="#main" { "To the content" }
                header.top {
                    a.home href="/" { (server) }
                    nav aria-label="Pages" {
                        a href="/help" { "Help" }
                    }
                }
                main id="main" { (body) }
                footer { p { "Play by mail or here; it is the same board." } }
            }
        }
    }
}
