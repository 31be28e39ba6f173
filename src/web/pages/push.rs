//! `/push/subscribe` and `/push/unsubscribe`: the browsers that are told when it is a user's turn.

use crate::command::account::browsers::{AddBrowserCommand, RemoveBrowserCommand};
use crate::model::user::{PushBrowser, User};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::{HiddenFields, PostedForm};
use crate::web::http::session::SessionCookie;
use crate::web::site::Site;
use axum::extract::State;
use axum::response::Redirect;
use maud::{Markup, html};
use std::sync::Arc;

/// The page with the forms.
const BACK: &str = "/settings";

/// Adds the browser that sends the form.
pub(crate) async fn subscribe(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Redirect> {
    if !site.notices.is_enabled {
        return Err(PageError::NotFound);
    }
    let cookie = form.request.cookie.as_deref().and_then(SessionCookie::parse);
    let session = cookie.ok_or_else(|| PageError::SignIn(BACK.into()))?.until;
    let (endpoint, key, secret) =
        (form.required("endpoint")?, form.required("key")?, form.required("secret")?);
    let allows_local = site.parts.setup.config.web.has_local_push;
    let parts = [endpoint, key, secret];
    let browser = PushBrowser::new(parts, site.now(), session, allows_local);
    let once = form.mail_key();
    site.write(form.request, move |writer| {
        let user = writer.signed_in_user()?;
        let (command, trust) = (AddBrowserCommand { user, browser }, writer.trust());
        writer.execute(Box::new(command), trust, once)?;
        Ok(Redirect::to(BACK))
    })
    .await
}

/// Removes a browser.
pub(crate) async fn unsubscribe(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Redirect> {
    let id = form.required("id")?.to_owned();
    site.write(form.request, move |writer| {
        let user = writer.signed_in_user()?;
        let (command, trust) = (RemoveBrowserCommand { user, id }, writer.trust());
        writer.execute(Box::new(command), trust, None)?;
        Ok(Redirect::to(BACK))
    })
    .await
}

/// Renders the part of the settings about notices. The script of the app shows the form where the browser
/// can show notices.
pub(super) fn settings(site: &Site, user: &User, hidden_fields: &HiddenFields) -> Markup {
    html! {
        @if site.notices.is_enabled {
            h2 id="notices" { "Notices on your devices" }
            p { "A device can tell you when it is your turn, even while no page of ours is open. A notice "
                "names the board and your opponent, and disappears when you play elsewhere." }
            p.quiet data-push-none { "This browser cannot show notices, or does not allow them here. On an "
                "iPhone or iPad, first add this site to your home screen." }
            form.say method="post" action="/push/subscribe"
                data-push-key=(site.notices.public_key()) hidden {
                (hidden_fields.fields("push"))
                @for name in ["endpoint", "key", "secret"] { input type="hidden" name=(name) value=""; }
                button type="submit" { "Notify me on this device" }
            }
            p.wrong role="status" data-push-status {}
            @for browser in &user.browsers {
                form.say method="post" action="/push/unsubscribe" {
                    (hidden_fields.fields(&format!("push.{}", browser.id())))
                    input type="hidden" name="id" value=(browser.id());
                    button type="submit" {
                        "Turn off the device of " (browser.at.day()) ", by " (browser.service()) }
                }
            }
        }
    }
}
