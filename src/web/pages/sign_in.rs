//! `/signin`, `/signout` and `/demo`: signing in by a password or a mailed link, and signing out.

use super::guest;
use crate::base::ids::UserId;
use crate::command::account::signin::{
    CheckedPassword, LinkSignInCommand, PasswordSignInCommand, RequestLinkCommand, SignOutCommand,
    SignOutScope, UserOrAddress, check_links,
};
use crate::command::{Command, Trust};
use crate::model::correspondent::{Correspondent, PasswordSource};
use crate::model::moderation::ban_keys;
use crate::model::world::{counted_key, failures_key, user_key};
use crate::refusal::{AccountRefusal, ExampleValues, Refusal};
use crate::reply;
use crate::server::requests::Request;
use crate::web::html::blocks;
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult, RefusedCommand};
use crate::web::html::fields::{Field, FormFields};
use crate::web::html::page::{WebPage, redirect_with_cookie};
use crate::web::html::refusals::Subject;
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::http::returned_form::{FormAfterSignIn, KEPT, ReturnedForm, SIGN_IN_FORM};
use crate::web::http::session::SessionCookie;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, html};
use std::sync::Arc;

/// The page after signing in, if the form names no other.
const AFTER_SIGN_IN: &str = "/boards";

/// The page to sign in.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |reader| Ok(sign_in_page(reader.close()))).await
}

fn sign_in_page(mut snapshot: Snapshot) -> WebPage {
    let hidden_fields = snapshot.hidden_fields();
    let back = snapshot.request.query_value("back").unwrap_or_default();
    let body = html! {
        h1 { "Sign in" }
        (password_form(&snapshot, &hidden_fields.form(SIGN_IN_FORM), back))
        h2 { "Without a password" }
        p { "We mail you a link that signs you in. It works once." }
        (link_form(&hidden_fields.form("link")))
        p { "Are you new here? " a href="/signup" { "Sign up" } "." }
    };
    snapshot.page("Sign in", &body)
}

/// Renders the form that signs in with a password. It carries what was typed in a form that was sent
/// after its session had ended.
fn password_form(snapshot: &Snapshot, form: &FormFields, back: &str) -> Markup {
    let userid = Field::new("user", "Userid").autocomplete("username").length(0, 32);
    let password = Field::new("password", "Password").kind("password");
    html! {
        form.tall method="post" action="/signin" {
            (form.hidden())
            input type="hidden" name="back" value=(form.typed("back", 0).unwrap_or(back));
            @if let Some(kept) = form.typed(KEPT, 0) {
                input type="hidden" name=(KEPT) value=(kept);
            }
            @let userid = form.text(&userid.about(&[Subject::Userid]));
            @let password = form.text(
                &password.autocomplete("current-password").about(&[Subject::Password]));
            (form.problem()) (userid) (password)
            (guest::boards_choice(snapshot, form))
            button type="submit" { "Sign in" }
        }
    }
}

fn link_form(form: &FormFields) -> Markup {
    let who = Field::new("who", "Userid or address").autocomplete("email").length(0, 254);
    html! {
        form.tall method="post" action="/signin/link" {
            (form.hidden())
            @let who = form.text(&who.about(&[Subject::Userid, Subject::Address]));
            (form.problem()) (who)
            button type="submit" { "Mail me a link" }
        }
    }
}

/// Signs in with a password.
pub(crate) async fn with_password(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Response> {
    let user = UserId::parse(form.required("user")?);
    let password = form.required("password")?.to_owned();
    let user = user.ok_or_else(|| Refusal::from(AccountRefusal::WrongPassword))?;
    let path = return_path(form.field("back"), AFTER_SIGN_IN);
    let kept = form.field(KEPT).and_then(|kept| ReturnedForm::unseal(kept, &site));
    let takes_boards = guest::takes_boards(&form);
    let command = PasswordSignInCommand { user, password, checked: None, takes_boards };
    let VerifiedSignIn { command, cookie } = verify_password(&site, &form.request, command).await?;
    // A wrong password must not cost more for a user who has boards.
    let takes_boards = takes_boards && cookie.is_some();
    let command = PasswordSignInCommand { takes_boards, ..command };
    let mut response = if let Some(cookie) = cookie.filter(|_| !takes_boards) {
        redirect_with_cookie(&site, &path, &cookie)
    } else {
        // The command hands the guest's boards over, or counts the wrong password and refuses.
        let user = command.user.clone();
        sign_in(site, form.request, user, Box::new(command), path).await?
    };
    if let Some(kept) = kept {
        response.extensions_mut().insert(FormAfterSignIn(Arc::new(kept)));
    }
    Ok(response)
}

/// A sign-in whose password was verified, unless the user or the network must pause.
pub(crate) struct VerifiedSignIn {
    /// The command, with the result of the verification.
    pub(crate) command: PasswordSignInCommand,
    /// The session cookie, if the password is right.
    pub(crate) cookie: Option<String>,
}

/// Verifies a password. That takes long, so the home is closed meanwhile. While the user or the
/// network must pause, nothing is verified.
pub(crate) async fn verify_password(
    site: &Arc<Site>,
    request: &WebRequest,
    command: PasswordSignInCommand,
) -> PageResult<VerifiedSignIn> {
    let user = command.user.clone();
    let stored =
        Arc::clone(site).read(request.clone(), move |reader| stored_password(reader, &user));
    let Some(StoredPassword { hash, cookie }) = stored.await? else {
        return Ok(VerifiedSignIn { command, cookie: None });
    };
    let network = request.counted_network;
    let password = command.password.clone();
    let is_right = Arc::clone(site).verify_password(network, password, hash.clone()).await?;
    let command =
        PasswordSignInCommand { checked: Some(CheckedPassword { hash, is_right }), ..command };
    Ok(VerifiedSignIn { command, cookie: cookie.filter(|_| is_right) })
}

/// The stored password of a user. Both fields are empty for an unknown user.
struct StoredPassword {
    hash: Option<String>,
    /// The session cookie that the user gets for the right password.
    cookie: Option<String>,
}

/// Returns the stored password of a user, or `None` while the user or the network must pause.
fn stored_password(mut reader: SiteReader, user: &UserId) -> PageResult<Option<StoredPassword>> {
    let network = Correspondent::network_name(reader.request.network);
    let browser = Correspondent::known_browser_name(user);
    let counters = [network.clone(), browser].map(counted_key);
    reader.load(&[user_key(user), failures_key(user)])?;
    // The browser may be known for another user than the one who signs in.
    let known = reader.request.known_cookie.as_deref().and_then(SessionCookie::parse);
    reader.load(&Vec::from_iter(known.map(|cookie| user_key(&cookie.user))))?;
    reader.load(&counters)?;
    reader.load(&ban_keys([], Some(reader.request.network)))?;
    let Snapshot { site, now, world, request, .. } = reader.close();
    let known = site.known_user(&request, &world);
    let source = PasswordSource { place: network, address: None, known: known.as_ref() };
    let is_limited = site.parts.setup.config.limits.rate_limits.passwords;
    if is_limited && world.password_pause(user, &source, now).is_some() {
        return Ok(None);
    }
    let hash = world.any_user(user).map(|user| user.password.clone());
    // The command refuses a network that is banned, or whose ban cannot be read.
    let is_accepted = world.is_banned([], Some(request.network), now) == Ok(false);
    let user = world.user(user).filter(|_| is_accepted);
    let cookie = user.map(|user| site.new_session_cookie(user, now));
    Ok(Some(StoredPassword { hash, cookie }))
}

/// Signs in by a command that proves who the user is.
async fn sign_in(
    site: Arc<Site>,
    request: WebRequest,
    user: UserId,
    command: Box<dyn Command + Send>,
    path: String,
) -> PageResult<Response> {
    site.write(request, move |writer| {
        writer.execute(command, Trust::Untrusted, None)?;
        let cookie = writer.session_cookie(&user).ok_or(PageError::Bug)?;
        Ok(redirect_with_cookie(writer.site, &path, &cookie))
    })
    .await
}

/// Returns the requested path if it is on this site, or else the default.
pub(super) fn return_path(requested: Option<&str>, default: &str) -> String {
    // `//host` and `/\host` are other sites.
    let is_ours = |path: &&str| {
        path.starts_with('/')
            && !path[1..].starts_with(['/', '\\'])
            && !path.contains(char::is_control)
    };
    requested.filter(is_ours).unwrap_or(default).to_owned()
}

/// Mails a link that signs in. The response is the same whether the user exists or not.
pub(crate) async fn mail_link(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult {
    let who = UserOrAddress::parse(form.required("who")?)
        .ok_or(AccountRefusal::BadUserid)
        .map_err(Refusal::from)?;
    let once = form.mail_key();
    let network = Correspondent::network_name(form.request.network);
    let page = site.clone().read(form.request.clone(), move |mut reader| {
        reader.load(&[counted_key(network.clone())])?;
        check_links(&reader.world, &network, reader.now).map_err(|refusal| {
            let answers = vec![reply::refusal_mail(&refusal, &ExampleValues::default())];
            let refused = RefusedCommand { refusal: Some(refusal), answers };
            PageError::CommandRefused(Box::new(refused))
        })?;
        let body = html! {
            h1 { "A link to sign in" }
            (blocks::blocks(&reply::link_requested().blocks))
        };
        Ok(reader.close().page("A link to sign in", &body))
    });
    let page = page.await?;
    // In the background: mailing a link takes longer than finding no user.
    site.write_in_background(form.request, move |writer| {
        writer.execute(Box::new(RequestLinkCommand(who)), Trust::Untrusted, once).map(drop)
    })?;
    Ok(page)
}

/// The page that a mailed link leads to. Its button signs in, because mail programs open links by
/// themselves.
pub(crate) async fn link_page(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    request: WebRequest,
) -> PageResult {
    let user = user_of_link(&code)?;
    site.read(request, move |reader| {
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let body = html! {
            h1 { "Sign in as " (user) }
            form.tall method="post" action={ "/signin/" (code) } {
                @let form = hidden_fields.form("code");
                (form.hidden())
                (guest::boards_choice(&snapshot, &form))
                button type="submit" { "Sign in as " (user) }
            }
        };
        Ok(snapshot.page("Sign in", &body))
    })
    .await
}

/// Returns the user whom the code of a mailed link names.
fn user_of_link(code: &str) -> PageResult<UserId> {
    let command = LinkSignInCommand { code: code.to_owned(), takes_boards: false };
    command.user().ok_or(PageError::NotFound)
}

/// Signs in with the code of a mailed link.
pub(crate) async fn with_link(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    form: PostedForm,
) -> PageResult<Response> {
    let user = user_of_link(&code)?;
    let command = LinkSignInCommand { code, takes_boards: guest::takes_boards(&form) };
    sign_in(site, form.request, user, Box::new(command), AFTER_SIGN_IN.into()).await
}

/// Signs in as a player of a demonstration.
pub(crate) async fn as_demo_player(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Response> {
    let user = UserId::parse(form.required("user")?).ok_or(PageError::NotFound)?;
    if !site.parts.is_demo {
        return Err(PageError::NotFound);
    }
    site.write(form.request, move |writer| {
        let world = writer.load(&[user_key(&user)])?;
        let user = world.user(&user).ok_or(PageError::NotFound)?;
        let cookie = writer.site.new_session_cookie(user, writer.now);
        Ok(redirect_with_cookie(writer.site, AFTER_SIGN_IN, &cookie))
    })
    .await
}

/// Signs out of this browser, or everywhere. Copies of the cookie become invalid, too.
pub(crate) async fn sign_out(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Response> {
    let is_everywhere = form.field("everywhere").is_some();
    let request = form.request.clone();
    let session = request.cookie.as_deref().and_then(SessionCookie::parse);
    let signed_out = site.clone().write(request.clone(), move |writer| {
        let user = writer.signed_in_user()?;
        let is_guest = writer.load(&[user_key(&user)])?.is_guest(&user);
        let scope = match session {
            _ if is_guest => SignOutScope::Guest,
            Some(SessionCookie { until, .. }) if !is_everywhere => SignOutScope::Browser(until),
            _ => SignOutScope::Everywhere,
        };
        let command = Box::new(SignOutCommand { user, scope });
        let request = Request::from_command(command, writer.trust(), String::new());
        form.check_confirmed(&request, if is_guest { "/boards" } else { "/settings" })?;
        writer.execute_request(&request, None)
    });
    match signed_out.await {
        // Without a session there is nothing to end.
        Ok(_) | Err(PageError::SignIn(_)) => Ok(redirect_with_cookie(&site, "/", "")),
        Err(error) => with_question(site, request, Err(error)).await,
    }
}
