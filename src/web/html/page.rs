//! How a page is made and sent.

use crate::base::digest::digest;
use crate::base::ids::UserId;
use crate::web::http::assets::{ICON, SCRIPT, STYLE};
use crate::web::http::form::HiddenFields;
use crate::web::http::page_cache::ShownDocuments;
use crate::web::site::{Site, SiteView};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use data_encoding::HEXLOWER;
use maud::{DOCTYPE, Markup, html};

/// A page that is ready to be sent.
pub(in crate::web) struct WebPage {
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
    pub(in crate::web) fn seal(&mut self) -> HiddenFields {
        if self.ask.cookie.is_none() {
            self.ask.cookie = Some(self.site.guest());
            self.is_new = true;
        }
        HiddenFields::new(self.site, self.ask.cookie.as_deref().unwrap_or_default())
    }

    /// A page with that title.
    pub(in crate::web) fn page(self, title: &str, body: &Markup) -> WebPage {
        self.page_of(title, None, body)
    }

    /// A page that changes when something happens.
    pub(in crate::web) fn live(self, title: &str, events: &str, body: &Markup) -> WebPage {
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
    pub(in crate::web) fn kept(self, shows: Option<Vec<String>>) -> Self {
        Self { shows: shows.filter(|_| self.is_public).map(ShownDocuments), ..self }
    }

    /// The same with another status.
    pub(in crate::web) fn with(self, status: StatusCode) -> Self {
        Self { status, has: None, ..self }
    }
}

/// Leads a browser to another page, and has it keep a cookie; forget ours, if that is empty.
pub(in crate::web) fn led(site: &Site, to: &str, cookie: &str) -> Response {
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

/// The frame of a page.
#[derive(Clone, Copy, Default)]
pub(in crate::web) struct PageFrame<'a> {
    pub(in crate::web) title: &'a str,
    pub(in crate::web) server: &'a str,
    /// Who has signed in, and what the form has with which they sign out.
    pub(in crate::web) viewer: Option<(&'a UserId, &'a Markup)>,
    /// The path of the events that change the page.
    pub(in crate::web) live: Option<&'a str>,
}

/// A page about nothing that is kept, such as a failure.
pub(in crate::web) fn bare(title: &str, body: &Markup) -> Html<String> {
    let frame = PageFrame { title, server: "Postboard", ..PageFrame::default() };
    Html(framed(&frame, body).into_string())
}

/// A page with what is around it.
pub(in crate::web) fn framed(frame: &PageFrame, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="description"
                    content={ (frame.title) ": board games by mail or in a browser" };
                title { (frame.title) " - " (frame.server) }
                link rel="stylesheet" href=(STYLE.path());
                link rel="icon" type="image/svg+xml" href=(ICON.path());
                script src=(SCRIPT.path()) defer {}
            }
            body data-events=[frame.live] {
                a.skip href="#main" { "To the content" }
                header.top {
                    a.home href="/" { (frame.server) }
                    (navigation(frame))
                }
                main id="main" tabindex="-1" { (body) }
                footer { p { "Play by mail or here: it is the same board." } }
            }
        }
    }
}

fn navigation(frame: &PageFrame) -> Markup {
    html! {
        nav aria-label="Pages" {
            @match frame.viewer {
                Some((user, fields)) => {
                    a href="/boards" { "My boards" }
                    a href={ "/player/" (user) } { (user) }
                    a href="/settings" { "Settings" }
                    a href="/help" { "Help" }
                    form method="post" action="/signout" {
                        (fields)
                        button.plain type="submit" { "Sign out" }
                    }
                },
                None => {
                    a href="/help" { "Help" }
                    a href="/signin" { "Sign in" }
                    a href="/signup" { "Sign up" }
                },
            }
        }
    }
}
