//! The frame of a page, and how a page is sent.

use super::flash_messages::{FLASH_MESSAGE, FlashMessage};
use crate::base::digest::Digest;
use crate::base::ids::UserId;
use crate::reply::draw::{BoardTheme, Look, MenTheme, Theme};
use crate::web::http::assets::{APP, MOTION, SCRIPT, STYLE, icon};
use crate::web::http::form::HiddenFields;
use crate::web::http::icons::ICONS;
use crate::web::http::page_cache::ShownDocuments;
use crate::web::http::request::WebRequest;
use crate::web::http::returned_form::ReturnedForm;
use crate::web::http::session::session_cookies;
use crate::web::site::{FeedLink, Site, Snapshot};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use data_encoding::HEXLOWER;
use maud::{DOCTYPE, Markup, html};

/// The colour of the browser's own parts beside a page, light and dark.
pub(crate) const THEME_COLOUR: [&str; 2] = ["#fffdf9", "#1f2328"];

/// A page that is ready to be sent.
pub(crate) struct WebPage {
    status: StatusCode,
    markup: Markup,
    /// The version that the browser has.
    if_none_match: Option<String>,
    /// Whether all visitors see the same page.
    is_public: bool,
    /// The documents on the page, if it may be cached.
    shows: Option<ShownDocuments>,
    set_cookie: Option<HeaderValue>,
}

impl Snapshot<'_> {
    /// Returns the hidden fields of this page's forms. A browser without a cookie gets one.
    pub(crate) fn hidden_fields(&mut self) -> HiddenFields {
        let site = self.site;
        let cookie = self.request.cookie.get_or_insert_with(|| {
            self.has_new_cookie = true;
            site.new_visitor_cookie()
        });
        let cookie = cookie.clone();
        HiddenFields::new(site, &cookie, &self.request)
    }

    pub(crate) fn page(self, title: &str, body: &Markup) -> WebPage {
        self.page_with_events(title, None, body)
    }

    /// Builds a page that updates itself at each event of the stream at `events`.
    pub(crate) fn live_page(self, title: &str, events: &str, body: &Markup) -> WebPage {
        self.page_with_events(title, Some(events), body)
    }

    fn page_with_events(self, title: &str, events: Option<&str>, body: &Markup) -> WebPage {
        let [look, _] = self.looks();
        let Self {
            site, request, viewer, has_new_cookie, waiting, has_motion, world, feed, ..
        } = self;
        let cookie = request.cookie.as_deref().unwrap_or_default();
        let viewer = viewer.as_ref().map(|user| Viewer {
            user,
            is_guest: world.is_guest(user),
            sign_out_fields: HiddenFields::new(site, cookie, &request).fields("signout"),
        });
        // Visitors who have not signed in share cached pages, which have no messages.
        let body = &html! {
            @if viewer.is_some() { (flash_message(&request)) }
            (returned_form(request.returned.as_deref()))
            (body)
        };
        let is_user = viewer.as_ref().is_some_and(|viewer| !viewer.is_guest);
        let has_push = is_user && site.notices.is_enabled;
        let is_public = viewer.is_none() && !has_new_cookie;
        let frame = PageFrame {
            title,
            server: site.name(),
            viewer,
            events,
            feed,
            waiting,
            has_push,
            has_motion,
            look,
            is_bare: false,
        };
        WebPage {
            status: StatusCode::OK,
            markup: render(&frame, body),
            is_public,
            shows: None,
            set_cookie: has_new_cookie.then(|| site.set_session_cookie(cookie)),
            if_none_match: request.if_none_match,
        }
    }
}

impl WebPage {
    /// Lets the page be cached until one of these documents changes.
    pub(crate) fn cached_until_change(self, shows: Option<Vec<String>>) -> Self {
        Self { shows: shows.filter(|_| self.is_public).map(ShownDocuments), ..self }
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status, if_none_match: None, ..self }
    }
}

/// Redirects a browser and sets its session cookie; an empty cookie deletes it.
pub(crate) fn redirect_with_cookie(site: &Site, path: &str, cookie: &str) -> Response {
    let mut response = Redirect::to(path).into_response();
    let headers = response.headers_mut();
    if cookie.is_empty() {
        headers.insert(header::SET_COOKIE, site.set_session_cookie(cookie));
    } else {
        let cookies = session_cookies(cookie, site.is_encrypted);
        headers.extend(cookies.map(|cookie| (header::SET_COOKIE, cookie)));
    }
    response
}

impl IntoResponse for WebPage {
    fn into_response(self) -> Response {
        let text = self.markup.into_string();
        if !self.is_public {
            let caching = [(header::CACHE_CONTROL, "private, no-store")];
            let mut response = (self.status, caching, Html(text)).into_response();
            let cookie = self.set_cookie.map(|cookie| (header::SET_COOKIE, cookie));
            response.headers_mut().extend(cookie);
            return response;
        }
        let version = format!("W/\"{}\"", HEXLOWER.encode(&Digest::of(text.as_bytes())[..12]));
        let headers = [
            (header::ETAG, version.clone()),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            (header::VARY, "cookie".to_owned()),
        ];
        if self.if_none_match.is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == version)) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let mut response = (self.status, headers, Html(text)).into_response();
        if let Some(shows) = self.shows {
            response.extensions_mut().insert(shows);
        }
        response
    }
}

/// Renders the message that the address of the page names. The paragraph is there without a message, too,
/// so that a screen reader tells a new one.
fn flash_message(request: &WebRequest) -> Markup {
    let name = request.query_value(FLASH_MESSAGE).filter(|_| request.returned.is_none());
    let flash_message = name.and_then(FlashMessage::find);
    html! { p.notice role="status" { (flash_message.map_or("", FlashMessage::words)) } }
}

/// Renders what the page of a returned form has not shown: the reason, and what was typed.
fn returned_form(returned: Option<&ReturnedForm>) -> Markup {
    let Some(returned) = returned else { return html! {} };
    html! {
        @if let Some(problem) = returned.untold_problem() {
            p.problem role="alert" tabindex="-1" autofocus { (problem) }
        }
        @if returned.is_kept() {
            p.kept-form role="status" {
                "You are signed in again. Nothing was sent: look at what you have typed, and send it once \
                 more."
            }
        }
        @for text in returned.unshown_texts() {
            p { "You have written:" }
            blockquote.words data-copy { (text) }
        }
    }
}

/// Everything on a page around its body.
struct PageFrame<'a> {
    title: &'a str,
    /// The name of the server.
    server: &'a str,
    viewer: Option<Viewer<'a>>,
    /// The path of the event stream of a live page.
    events: Option<&'a str>,
    feed: Option<FeedLink>,
    /// The number of boards that wait for the viewer, if the page knows it.
    waiting: Option<usize>,
    /// Whether the viewer can get notices.
    has_push: bool,
    /// Whether men and dice move on the page.
    has_motion: bool,
    /// The look of the viewer's boards.
    look: Look,
    /// Whether the page has neither links to other pages nor scripts.
    is_bare: bool,
}

/// The signed-in user, and the hidden fields of the form that signs them out.
struct Viewer<'a> {
    user: &'a UserId,
    /// Whether the user is a guest, who can sign up but not come back after signing out.
    is_guest: bool,
    sign_out_fields: Markup,
}

/// Builds a page without a session, such as an error page.
pub(crate) fn static_page(title: &str, server: &str, body: &Markup) -> Html<String> {
    Html(render(&static_frame(title, server), body).into_string())
}

/// Builds a page without a session, links to other pages and scripts.
pub(crate) fn bare_page(title: &str, server: &str, body: &Markup) -> Html<String> {
    let frame = PageFrame { is_bare: true, ..static_frame(title, server) };
    Html(render(&frame, body).into_string())
}

fn static_frame<'a>(title: &'a str, server: &'a str) -> PageFrame<'a> {
    PageFrame {
        title,
        server,
        viewer: None,
        events: None,
        feed: None,
        waiting: None,
        has_push: false,
        has_motion: false,
        look: Theme::Light.into(),
        is_bare: false,
    }
}

/// Renders a page in its frame.
fn render(frame: &PageFrame, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-board=[name_unless_default(frame.look.board, BoardTheme::name)]
            data-men=[name_unless_default(frame.look.men, MenTheme::name)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="description"
                    content={ (frame.title) ": board games by mail or in a browser" };
                title { (frame.title) " - " (frame.server) }
                @for (scheme, colour) in ["light", "dark"].into_iter().zip(THEME_COLOUR) {
                    meta name="theme-color" content=(colour)
                        media={ "(prefers-color-scheme: " (scheme) ")" };
                }
                link rel="manifest" href="/manifest.webmanifest";
                link rel="apple-touch-icon" href=(ICONS[0].asset.path());
                link rel="stylesheet" href=(STYLE.path());
                link rel="icon" type="image/svg+xml" href=(icon(frame.waiting.unwrap_or_default()).path());
                @if let Some(FeedLink { path, title }) = &frame.feed {
                    link rel="alternate" type="application/atom+xml" href=(path) title=(title);
                }
                @if !frame.is_bare {
                    script src=(SCRIPT.path()) defer {}
                    script src=(APP.path()) defer {}
                }
                @if frame.has_motion { script src=(MOTION.path()) defer {} }
            }
            body data-events=[frame.events] data-waiting=[frame.waiting] data-push[frame.has_push] {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    @if frame.is_bare { span.home { (frame.server) } } @else {
                        a.home href="/" { (frame.server) }
                        (navigation(frame))
                    }
                }
                main id="main" tabindex="-1" { (body) }
                footer { p { "Play by mail or here: it is the same board." } }
            }
        }
    }
}

/// Returns the name of a choice, unless it is the default.
fn name_unless_default<T: Copy + Default + PartialEq>(
    choice: T,
    name: impl Fn(T) -> &'static str,
) -> Option<&'static str> {
    (choice != T::default()).then(|| name(choice))
}

fn navigation(frame: &PageFrame) -> Markup {
    html! {
        nav aria-label="Pages" {
            @match &frame.viewer {
                Some(Viewer { user, is_guest: true, sign_out_fields }) => {
                    a href="/boards" { "My boards" }
                    span.quiet.more { (user) }
                    a href="/help" { "Help" }
                    a href="/signin" { "Sign in" }
                    a href="/signup" { "Sign up" span.more { " to keep your boards" } }
                    (sign_out(sign_out_fields))
                },
                Some(Viewer { user, sign_out_fields, .. }) => {
                    a href="/boards" { "My boards" }
                    a href="/players" { "Players" }
                    a href={ "/player/" (user) } { (user) }
                    a href="/settings" { "Settings" }
                    a href="/help" { "Help" }
                    (sign_out(sign_out_fields))
                },
                None => {
                    a href="/players" { "Players" }
                    a href="/help" { "Help" }
                    a href="/signin" { "Sign in" }
                    a href="/signup" { "Sign up" }
                },
            }
        }
    }
}

/// Renders the button that signs the viewer out.
fn sign_out(hidden_fields: &Markup) -> Markup {
    html! {
        form method="post" action="/signout" {
            (hidden_fields)
            button.plain type="submit" { "Sign out" }
        }
    }
}
