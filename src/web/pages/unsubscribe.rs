//! `/unsubscribe/{tag}`: turns off mails of a kind. Mails contain the address; its tag proves whose
//! mails they are, so the page needs no cookie. The tag permits nothing else.

use crate::command::Trust;
use crate::command::messages::opt_out::OptOutCommand;
use crate::model::token::OptOutTag;
use crate::model::user::{OptOut, User};
use crate::model::world::{World, user_key};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::extract::{Path, State};
use maud::html;
use std::sync::Arc;

/// The page with the button. Mail programs open links by themselves, so the link alone does nothing.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(tag): Path<String>,
    request: WebRequest,
) -> PageResult {
    let tag = OptOutTag::parse(&tag).ok_or(PageError::NotFound)?;
    site.read(request, move |mut reader| {
        reader.load(&[user_key(&tag.user)])?;
        let snapshot = reader.close();
        holder(&tag, &snapshot.world, snapshot.site)?;
        let mails = mails(tag.what);
        let body = html! {
            h1 { "Turn off " (mails) "?" }
            form.tall method="post" action=(snapshot.request.path) {
                input type="hidden" name="List-Unsubscribe" value="One-Click";
                button type="submit" { "Turn off " (mails) }
            }
        };
        Ok(snapshot.page("Unsubscribe", &body))
    })
    .await
}

/// Turns the mails off (RFC 8058). The path says everything, so the body is ignored.
pub(crate) async fn post(
    State(site): State<Arc<Site>>,
    Path(tag): Path<String>,
    request: WebRequest,
) -> PageResult {
    let tag = OptOutTag::parse(&tag).ok_or(PageError::NotFound)?;
    let what = tag.what;
    let opted_out = site.clone().write(request.clone(), move |writer| {
        let world = writer.load(&[user_key(&tag.user)])?;
        let user = holder(&tag, &world, writer.site)?;
        // The user gets a mail about the change, and none if the link is opened again.
        if user.preferences.wants(what) {
            let command = OptOutCommand { user: user.id.clone(), what };
            writer.execute(Box::new(command), Trust::Untrusted, None)?;
        }
        Ok(())
    });
    opted_out.await?;
    site.read(request, move |reader| {
        let body = html! {
            h1 { "Unsubscribed" }
            p { "You get no more " (mails(what)) ". To get them again, open your "
                a href="/settings" { "settings" } "." }
        };
        Ok(reader.close().page("Unsubscribed", &body))
    })
    .await
}

/// Returns the user to whom the tag was mailed.
fn holder<'w>(tag: &OptOutTag, world: &'w World, site: &Site) -> PageResult<&'w User> {
    let user = world.user(&tag.user);
    let user = user.filter(|user| site.parts.setup.key.fits_opt_out(tag, user.tokens));
    user.ok_or(PageError::NotFound)
}

/// Names the mails of a kind.
fn mails(what: OptOut) -> &'static str {
    match what {
        OptOut::Reminders => "reminders",
        OptOut::Broadcasts => "mails to everybody",
        OptOut::Boards => "news of your boards",
        OptOut::Events => "mails about your tournaments and ladders",
        OptOut::Newcomers => "mails about new players",
    }
}
