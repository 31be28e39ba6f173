//! What is around every page.

use super::asset::{ICON, SCRIPT, STYLE};
use crate::base::ids::UserId;
use axum::response::Html;
use maud::{DOCTYPE, Markup, html};

/// The frame of a page.
#[derive(Clone, Copy, Default)]
pub(super) struct PageFrame<'a> {
    pub(super) title: &'a str,
    pub(super) server: &'a str,
    /// Who has signed in, and what the form has with which they sign out.
    pub(super) viewer: Option<(&'a UserId, &'a Markup)>,
    /// The path of the events that change the page.
    pub(super) live: Option<&'a str>,
}

/// A page about nothing that is kept, such as a failure.
pub(super) fn bare(title: &str, body: &Markup) -> Html<String> {
    let frame = PageFrame { title, server: "Postboard", ..PageFrame::default() };
    Html(framed(&frame, body).into_string())
}

/// A page with what is around it.
pub(super) fn framed(frame: &PageFrame, body: &Markup) -> Markup {
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
