//! The page that a mail names to turn off mails of its kind. Its address shows whose it is, so it asks
//! for no cookie; it can do nothing else.

use crate::command::Trust;
use crate::command::messages::opt_out::OptOutCommand;
use crate::model::token::OptOutTag;
use crate::model::user::{OptOut, User};
use crate::model::world::{World, user_key};
use crate::server::requests::Request;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteView};
use axum::extract::{Path, State};
use maud::html;
use std::sync::Arc;

/// Asks with a button: mail programs open links by themselves.
pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    Path(tag): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    let tag = OptOutTag::parse(&tag).ok_or(PageError::NotFound)?;
    site.read(ask, move |mut reader| {
        reader.gather(&[user_key(&tag.user)])?;
        let seen = reader.leave();
        holder(&tag, &seen.world, seen.site)?;
        let words = words(tag.what);
        let body = html! {
            h1 { "Turn off " (words) "?" }
            form.tall method="post" action=(seen.ask.path) {
                input type="hidden" name="List-Unsubscribe" value="One-Click";
                button type="submit" { "Turn off " (words) }
            }
        };
        Ok(seen.page("Unsubscribe", &body))
    })
    .await
}

/// Turns the mails off (RFC 8058). The contents of the request do not matter, since the path says all.
pub(in crate::web) async fn turn_off(
    State(site): State<Arc<Site>>,
    Path(tag): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    let tag = OptOutTag::parse(&tag).ok_or(PageError::NotFound)?;
    let what = tag.what;
    let done = site.clone().write(ask.clone(), move |writer| {
        let world = writer.world(&[user_key(&tag.user)])?;
        let user = holder(&tag, &world, writer.site)?;
        // Only a change is told, once.
        if user.preferences.wants(what) {
            let command = OptOutCommand { user: user.id.clone(), what };
            let request = Request::from_command(Box::new(command), Trust::Words, String::new());
            writer.say(&request, None)?;
        }
        Ok(())
    });
    done.await?;
    site.read(ask, move |reader| {
        let seen: SiteView = reader.leave();
        let body = html! {
            h1 { "Unsubscribed" }
            p { "You get no more " (words(what)) ". To get them again, open your "
                a href="/settings" { "settings" } "." }
        };
        Ok(seen.page("Unsubscribed", &body))
    })
    .await
}

/// The user whose mail named the page.
fn holder<'w>(tag: &OptOutTag, world: &'w World, site: &Site) -> Result<&'w User, PageError> {
    let user = world.user(&tag.user);
    let user = user.filter(|user| site.parts.setup.key.fits_opt_out(tag, user.tokens));
    user.ok_or(PageError::NotFound)
}

fn words(what: OptOut) -> &'static str {
    match what {
        OptOut::Reminders => "reminders",
        OptOut::Broadcasts => "mails to everybody",
    }
}
