//! How a page is made and sent.

use super::form::HiddenFields;
use super::frame::{PageFrame, framed};
use super::kept::ShownDocuments;
use super::site::{Site, SiteView};
use crate::base::digest::digest;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use data_encoding::HEXLOWER;
use maud::Markup;

/// A page that is ready to be sent.
pub(super) struct WebPage {
    status: StatusCode,
    markup: Markup,
    /// The version that the browser has of it.
    has: Option<String>,
    /// Whether it is the same for everybody.
    is_public: bool,
    /// The documents that it shows, if it may be kept for others.
    shows: Option<ShownDocuments>,
    /// A cookie for the browser to keep.
    cookie: Option<HeaderValue>,
}

impl SiteView<'_> {
    /// The hidden fields of a page's forms for the browser that asks.
    pub(super) fn seal(&mut self) -> HiddenFields {
        if self.ask.cookie.is_none() {
            self.ask.cookie = Some(self.site.guest());
            self.is_new = true;
        }
        HiddenFields::new(self.site, self.ask.cookie.as_deref().unwrap_or_default())
    }

    /// A page with that title.
    pub(super) fn page(self, title: &str, body: &Markup) -> WebPage {
        self.page_of(title, None, body)
    }

    /// A page that changes when something happens.
    pub(super) fn live(self, title: &str, events: &str, body: &Markup) -> WebPage {
        self.page_of(title, Some(events), body)
    }

    fn page_of(self, title: &str, live: Option<&str>, body: &Markup) -> WebPage {
        let Self { site, ask, viewer, is_new, .. } = self;
        let cookie = ask.cookie.as_deref().unwrap_or_default();
        let fields = viewer.as_ref().map(|_| HiddenFields::new(site, cookie).fields("signout"));
        let viewer = viewer.as_ref().zip(fields.as_ref());
        let frame = PageFrame { title, server: site.name(), viewer, live };
        let markup = framed(&frame, body);
        let is_public = viewer.is_none() && !is_new;
        let cookie = is_new.then(|| site.set_cookie(cookie));
        WebPage { status: StatusCode::OK, markup, has: ask.has, is_public, shows: None, cookie }
    }
}

impl WebPage {
    /// The same, kept for others as long as nothing changes that it shows.
    pub(super) fn kept(self, shows: Option<Vec<String>>) -> Self {
        Self { shows: shows.filter(|_| self.is_public).map(ShownDocuments), ..self }
    }

    /// The same with another status.
    pub(super) fn with(self, status: StatusCode) -> Self {
        Self { status, has: None, ..self }
    }
}

/// Leads a browser to another page, and has it keep a cookie; forget ours, if that is empty.
pub(super) fn led(site: &Site, to: &str, cookie: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    response.headers_mut().insert(header::SET_COOKIE, site.set_cookie(cookie));
    if !cookie.is_empty() {
        response.headers_mut().append(header::SET_COOKIE, site.set_known(cookie));
    }
    response
}

impl IntoResponse for WebPage {
    fn into_response(self) -> Response {
        let text = self.markup.into_string();
        if !self.is_public {
            let kept = [(header::CACHE_CONTROL, "private, no-store")];
            let mut response = (self.status, kept, Html(text)).into_response();
            let cookie = self.cookie.map(|cookie| (header::SET_COOKIE, cookie));
            response.headers_mut().extend(cookie);
            return response;
        }
        let version = format!("W/\"{}\"", HEXLOWER.encode(&digest(text.as_bytes())[..12]));
        let headers = [
            (header::ETAG, version.clone()),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            (header::VARY, "cookie".to_owned()),
        ];
        if self.has.is_some_and(|has| has.split(',').any(|one| one.trim() == version)) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let mut response = (self.status, headers, Html(text)).into_response();
        if let Some(shows) = self.shows {
            response.extensions_mut().insert(shows);
        }
        response
    }
}
