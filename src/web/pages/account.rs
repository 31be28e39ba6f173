//! Signing up, in and out.

use crate::base::ids::UserId;
use crate::command::account::program_key::RevokeKeyCommand;
use crate::command::account::signin::{
    EndSessionCommand, LinkSignInCommand, PasswordSignInCommand, RequestLinkCommand,
    SignOutCommand, UserOrAddress, check_links,
};
use crate::command::{Command, Trust, find_verb, parse_words};
use crate::model::correspondent::{Correspondent, PasswordSource};
use crate::model::world::{counted_key, failures_key, user_key};
use crate::refusal::{AccountRefusal, ExampleValues, Refusal};
use crate::reply;
use crate::server::requests::Request;
use crate::server::{BrowserOutcome, VisitOutcome};
use crate::web::html::blocks;
use crate::web::html::error_page::PageError;
use crate::web::html::page::{WebPage, led};
use crate::web::http::form::{HiddenFields, PostedForm};
use crate::web::http::request::WebRequest;
use crate::web::http::session::SessionCookie;
use crate::web::site::{Site, SiteReader, SiteView};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;

/// The page after signing in, if no other was asked for.
const HOME: &str = "/boards";

/// The page to sign in.
pub(in crate::web) async fn enter(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    site.read(ask, |reader| Ok(entrance(reader))).await
}

fn entrance(reader: SiteReader) -> WebPage {
    let mut seen = reader.leave();
    let (seal, back) = (seen.seal(), seen.ask.query_value("back").unwrap_or_default().to_owned());
    let body = html! {
        h1 { "Sign in" }
        form.tall method="post" action="/signin" {
            (seal.fields("password"))
            input type="hidden" name="back" value=(back);
            label { "Userid" input name="user" autocomplete="username" required maxlength="32"; }
            label { "Password"
                input name="password" type="password" autocomplete="current-password" required; }
            button type="submit" { "Sign in" }
        }
        h2 { "Without a password" }
        p { "A link to sign in is mailed to your registered address. It works once." }
        form.tall method="post" action="/signin/link" {
            (seal.fields("link"))
            label { "Userid or address" input name="who" autocomplete="email" required maxlength="254"; }
            button type="submit" { "Mail me a link" }
        }
        p { "You are new here? " a href="/signup" { "Sign up" } "." }
    };
    seen.page("Sign in", &body)
}

/// Signs in with a password.
pub(in crate::web) async fn by_password(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let user = UserId::parse(form.needed("user")?);
    let password = form.needed("password")?.to_owned();
    let user = user.ok_or_else(|| Refusal::from(AccountRefusal::WrongPassword))?;
    let back = back(form.field("back"), HOME);
    let proving = PasswordSignInCommand { user, password, tried: None };
    let (proving, ticket) = verify_password(&site, &form.ask, proving).await?;
    if let Some(ticket) = ticket {
        return Ok(led(&site, &back, &ticket));
    }
    // A wrong one is counted; the command says what is said.
    let user = proving.user.clone();
    signed_in(site, form.ask, user, Box::new(proving), back).await
}

/// Tries a password, and makes the cookie of its user where it is right. That takes long, so the home
/// is not held meanwhile; it is not tried where the userid or the place pauses.
pub(in crate::web) async fn verify_password(
    site: &Arc<Site>,
    ask: &WebRequest,
    proving: PasswordSignInCommand,
) -> Result<(PasswordSignInCommand, Option<String>), PageError> {
    let user = proving.user.clone();
    let known =
        Arc::clone(site).read(ask.clone(), move |reader| stored_password(reader, &user)).await?;
    let Some((stored, cookie)) = known else { return Ok((proving, None)) };
    let (password, hash) = (proving.password.clone(), stored.clone());
    let right = Arc::clone(site).verify(ask.place, password, hash).await?;
    let proving = PasswordSignInCommand { tried: Some((stored, right)), ..proving };
    Ok((proving, cookie.filter(|_| right)))
}

/// The hash of a user's password and the cookie that they would get; nothing while they pause.
#[expect(
    clippy::type_complexity,
    reason = "a hash, a cookie, and neither of a user who is not known"
)]
fn stored_password(
    mut reader: SiteReader,
    user: &UserId,
) -> Result<Option<(Option<String>, Option<String>)>, PageError> {
    let places =
        [Correspondent::name_of_network(reader.ask.network), Correspondent::name_of_known(user)];
    let [place, known] = places.clone().map(counted_key);
    reader.gather(&[user_key(user), failures_key(user), place, known])?;
    let SiteView { site, now, world, ask, .. } = reader.leave();
    let known = site.known_to(&ask, &world);
    let [place, _] = places;
    let source = PasswordSource { place, address: None, known: known.as_ref() };
    let counts = site.parts.setup.config.limits.rate_limits.passwords;
    if counts && world.pause(user, &source, now).is_some() {
        return Ok(None);
    }
    let stored = world.known(user).map(|known| known.password.clone());
    let cookie = world.user(user).map(|known| site.ticket(known, now));
    Ok(Some((stored, cookie)))
}

/// Signs in by a command that shows who the user is.
async fn signed_in(
    site: Arc<Site>,
    ask: WebRequest,
    user: UserId,
    command: Box<dyn Command + Send>,
    back: String,
) -> Result<Response, PageError> {
    site.write(ask, move |writer| {
        let request = Request::from_command(command, Trust::Words, String::new());
        writer.say(&request, None)?;
        let ticket = writer.ticket(&user).ok_or(PageError::Bug)?;
        Ok(led(writer.site, &back, &ticket))
    })
    .await
}

/// A page of ours to go back to; the usual one if what was asked for is none.
pub(in crate::web) fn back(asked: Option<&str>, usual: &str) -> String {
    // `//host` and `/\host` are other sites.
    let is_ours = |path: &&str| {
        path.starts_with('/')
            && !path[1..].starts_with(['/', '\\'])
            && !path.contains(char::is_control)
    };
    asked.filter(is_ours).unwrap_or(usual).to_owned()
}

/// Mails a link.
pub(in crate::web) async fn mail_link(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<WebPage, PageError> {
    let who = UserOrAddress::parse(form.needed("who")?)
        .ok_or(AccountRefusal::BadUserid)
        .map_err(Refusal::from)?;
    let once = form.once();
    let place = Correspondent::name_of_network(form.ask.network);
    let page = site.clone().read(form.ask.clone(), move |mut reader| {
        reader.gather(&[counted_key(place.clone())])?;
        check_links(&reader.world, &place, reader.now).map_err(|refusal| {
            PageError::Told(vec![reply::refusal_mail(&refusal, &ExampleValues::default())])
        })?;
        let visit =
            BrowserOutcome { outcome: VisitOutcome::Done, said: vec![reply::link_requested()] };
        Ok(result_page(reader.leave(), "A link to sign in", &visit))
    });
    let page = page.await?;
    // Afterwards, since mailing a link takes longer than finding out that there is nobody.
    site.write_later(form.ask, move |writer| {
        let command = Box::new(RequestLinkCommand(who));
        let request = Request::from_command(command, Trust::Words, String::new());
        writer.say(&request, once).map(drop)
    })?;
    Ok(page)
}

/// A page with what came of a command.
fn result_page(seen: SiteView, title: &str, visit: &BrowserOutcome) -> WebPage {
    let body = html! {
        h1 { (title) }
        @if visit.outcome == VisitOutcome::Before { p { "That was done already." } }
        @for mail in &visit.said { (blocks::blocks(&mail.blocks)) }
    };
    seen.page(title, &body)
}

/// The page that the link of a mail leads to. Nothing happens before its button is pressed: mail
/// programs open links by themselves.
pub(in crate::web) async fn link(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    let user = LinkSignInCommand(code.clone()).user().ok_or(PageError::NotFound)?;
    site.read(ask, move |reader| {
        let mut seen = reader.leave();
        let seal = seen.seal();
        let body = html! {
            h1 { "Sign in as " (user) }
            form.tall method="post" action={ "/signin/" (code) } {
                (seal.fields("code"))
                button type="submit" { "Sign in as " (user) }
            }
        };
        Ok(seen.page("Sign in", &body))
    })
    .await
}

/// Signs in by such a link.
pub(in crate::web) async fn by_link(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let command = LinkSignInCommand(code);
    let user = command.user().ok_or(PageError::NotFound)?;
    signed_in(site, form.ask, user, Box::new(command), HOME.into()).await
}

/// Becomes a player of a demonstration.
pub(in crate::web) async fn be(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let user = UserId::parse(form.needed("user")?).ok_or(PageError::NotFound)?;
    if !site.parts.is_demo {
        return Err(PageError::NotFound);
    }
    site.write(form.ask, move |writer| {
        let world = writer.world(&[user_key(&user)])?;
        let user = world.user(&user).ok_or(PageError::NotFound)?;
        let ticket = writer.site.ticket(user, writer.now);
        Ok(led(writer.site, HOME, &ticket))
    })
    .await
}

/// The page to sign up.
pub(in crate::web) async fn join(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    site.read(ask, |reader| {
        let mut seen = reader.leave();
        let seal = seen.seal();
        let body = joining(&seal);
        Ok(seen.page("Sign up", &body))
    })
    .await
}

fn joining(seal: &HiddenFields) -> Markup {
    html! {
        h1 { "Sign up" }
        form.tall method="post" action="/signup" {
            (seal.fields("signup"))
            label { "Userid, which everybody sees"
                input name="user" autocomplete="username" required maxlength="32"
                    pattern="[A-Za-z][A-Za-z0-9_.\\-]*"; }
            label { "Password"
                input name="password" type="password" autocomplete="new-password" required
                    minlength="6" maxlength="128"; }
            label { "Mail address, which nobody sees"
                input name="address" type="email" autocomplete="email" required maxlength="254"; }
            button type="submit" { "Sign up" }
        }
    }
}

/// Signs up, and in.
pub(in crate::web) async fn joined(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let words = ["user", "password", "address"].map(|name| form.needed(name).map(str::to_owned));
    let [user, password, address] = words;
    let words = [user?, password?, address?];
    let user = UserId::parse(&words[0]).ok_or_else(|| Refusal::from(AccountRefusal::BadUserid))?;
    site.write(form.ask, move |writer| {
        let verb = find_verb("signup", None).expect("a verb of ours");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let command = parse_words(None, verb, &words, &Trust::Words)?;
        writer.say(&Request::from_command(command, Trust::Words, String::new()), None)?;
        let ticket = writer.ticket(&user).ok_or(PageError::Bug)?;
        Ok(led(writer.site, "/welcome", &ticket))
    })
    .await
}

/// The first page of a new user.
pub(in crate::web) async fn welcome(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    site.read(ask, |reader| {
        let user = reader.user()?;
        let body = html! {
            h1 { "Welcome, " (user) "!" }
            p { "A mail has gone to your address. Open the link in it: from then on your boards reach you "
                "by mail, too, and you can answer by mail. Until then you can play a little." }
            ul.links {
                li { a href="/help/tutorial" { "How a first game goes" } }
                li { a href="/" { "All games, and who waits for an opponent" } }
            }
        };
        Ok(reader.leave().page("Welcome", &body))
    })
    .await
}

/// The page that confirms an address.
pub(in crate::web) async fn address(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    site.read(ask, move |reader| {
        let mut seen = reader.leave();
        let seal = seen.seal();
        let body = html! {
            h1 { "Confirm your address" }
            form.tall method="post" action={ "/confirm/" (code) } {
                (seal.fields("confirm"))
                button type="submit" { "Yes, send mails to me" }
            }
        };
        Ok(seen.page("Confirm your address", &body))
    })
    .await
}

/// Confirms an address.
pub(in crate::web) async fn confirmed(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    form: PostedForm,
) -> Result<WebPage, PageError> {
    let once = form.once();
    let visit = site.clone().write(form.ask.clone(), move |writer| {
        let verb = find_verb("confirm-address", None).expect("a verb of ours");
        let command = parse_words(None, verb, &[&code], &Trust::Words)?;
        writer.say(&Request::from_command(command, Trust::Words, String::new()), once)
    });
    let visit = visit.await?;
    site.read(form.ask, move |reader| Ok(result_page(reader.leave(), "Your address", &visit))).await
}

/// Changes the password, which signs out everywhere else.
pub(in crate::web) async fn password(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let words = ["old", "new"].map(|name| form.needed(name).map(str::to_owned));
    let [old, new] = words;
    let (old, new) = (old?, new?);
    site.write(form.ask, move |writer| {
        let user = writer.user()?;
        let verb = find_verb("change", None).expect("a verb of ours");
        // Another person may sit at the screen, so the old password is asked for.
        let words = ["password", user.as_str(), &old, &new];
        let command = parse_words(None, verb, &words, &Trust::Words)?;
        writer.say(&Request::from_command(command, Trust::Words, String::new()), None)?;
        let ticket = writer.ticket(&user).ok_or(PageError::Bug)?;
        Ok(led(writer.site, "/settings", &ticket))
    })
    .await
}

/// Makes a key for a program, and shows it once.
pub(in crate::web) async fn new_key(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<WebPage, PageError> {
    let (ask, name) = (form.ask.clone(), form.needed("name")?.to_owned());
    let key = site.clone().write(form.ask, move |writer| {
        let user = writer.user()?;
        writer.make_key(&user, &name, false)
    });
    let key = key.await?;
    site.read(ask, move |reader| {
        let body = html! {
            h1 { "A key for your program" }
            p { "Keep it to yourself: anyone who has it can play for you. It is shown this once." }
            p.position { code data-copy { (key) } }
            p { a href="/settings" { "Back" } }
        };
        Ok(reader.leave().page("A key", &body))
    })
    .await
}

/// Makes a key void.
pub(in crate::web) async fn revoke_key(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let (ask, name) = (form.ask.clone(), form.needed("name")?.to_owned());
    let done = site.clone().write(ask.clone(), move |writer| {
        let user = writer.user()?;
        let (command, trust) = (Box::new(RevokeKeyCommand { user, name }), writer.trust());
        let request = Request::from_command(command, trust, String::new());
        form.checked(&request, "/settings")?;
        writer.say(&request, None)
    });
    match done.await {
        Err(PageError::Unsure(question)) => Ok(question.page(site, ask).await?.into_response()),
        done => done.map(|_| Redirect::to("/settings").into_response()),
    }
}

/// Signs out of this browser, or of all. The cookie counts no more, whoever has a copy of it.
pub(in crate::web) async fn leave(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let is_everywhere = form.field("everywhere").is_some();
    let ask = form.ask.clone();
    let session = ask.cookie.as_deref().and_then(SessionCookie::parse);
    let done = site.clone().write(ask.clone(), move |writer| {
        let user = writer.user()?;
        let command: Box<dyn Command + Send> = match session {
            Some(SessionCookie { until, .. }) if !is_everywhere => {
                Box::new(EndSessionCommand { user, until })
            }
            _ => Box::new(SignOutCommand(user)),
        };
        let request = Request::from_command(command, writer.trust(), String::new());
        form.checked(&request, "/settings")?;
        writer.say(&request, None)
    });
    match done.await {
        Err(PageError::Unsure(question)) => Ok(question.page(site, ask).await?.into_response()),
        // Nobody is signed in there any more.
        Ok(_) | Err(PageError::SignIn(_)) => Ok(led(&site, "/", "")),
        Err(failure) => Err(failure),
    }
}
