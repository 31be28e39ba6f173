//! `/password` and `/keys`: a user's password, and the keys of their programs.

use crate::command::account::program_key::RevokeKeyCommand;
use crate::command::{Trust, find_verb, parse_words};
use crate::server::requests::Request;
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::flash_messages::FlashMessage;
use crate::web::html::page::redirect_with_cookie;
use crate::web::http::form::PostedForm;
use crate::web::site::Site;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use std::sync::Arc;

/// Changes the password. All other browsers are signed out.
pub(crate) async fn change_password(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Response> {
    let old = form.required("old")?.to_owned();
    let new = form.required("new")?.to_owned();
    site.write(form.request, move |writer| {
        let user = writer.signed_in_user()?;
        let verb = find_verb("change", None).expect("`change` is a verb");
        // The session alone does not suffice: another person may use the browser.
        let words = ["password", user.as_str(), &old, &new];
        let command = parse_words(None, verb, &words, &Trust::Untrusted)?;
        writer.execute(command, Trust::Untrusted, None)?;
        let cookie = writer.session_cookie(&user).ok_or(PageError::Bug)?;
        let path = FlashMessage::PasswordChanged.on("/settings");
        Ok(redirect_with_cookie(writer.site, &path, &cookie))
    })
    .await
}

/// Makes a key for a program, and shows it once. A form that is sent twice makes one key.
pub(crate) async fn create_key(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult {
    let (request, name) = (form.request.clone(), form.required("name")?.to_owned());
    let once = form.mail_key();
    let key = site.clone().write(form.request, move |writer| {
        let user = writer.signed_in_user()?;
        writer.make_key(&user, &name, false, once)
    });
    let key = key.await?;
    site.read(request, move |reader| {
        let body = html! {
            @if let Some(key) = &key {
                h1 { "A key for your program" }
                p { "Keep it secret: anyone who has it can play for you. It is shown only once." }
                p.position { code data-copy { (key) } }
            } @else {
                h1 { "The key was made already" }
                p { "Your form came twice and made one key, which was shown only the first time." }
                p { "If you did not see it, revoke it: your settings list it by its name. Then make "
                    "another one." }
            }
            p { a href="/settings" { "Back" } }
        };
        Ok(reader.close().page("A key", &body))
    })
    .await
}

/// Revokes the key of a program, after it was confirmed.
pub(crate) async fn revoke_key(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Response> {
    let (request, name) = (form.request.clone(), form.required("name")?.to_owned());
    let revoked = site.clone().write(request.clone(), move |writer| {
        let user = writer.signed_in_user()?;
        let (command, trust) = (Box::new(RevokeKeyCommand { user, name }), writer.trust());
        let request = Request::from_command(command, trust, String::new());
        form.check_confirmed(&request, "/settings")?;
        writer.execute_request(&request, None)
    });
    let path = FlashMessage::KeyRevoked.on("/settings");
    let revoked = revoked.await.map(|_| Redirect::to(&path).into_response());
    with_question(site, request, revoked).await
}
