//! `/signup`, `/welcome` and `/confirm`: a new user, their first page, and their address.

use super::{board, guest, learn, newcomers};
use crate::base::ids::{BoardId, UserId};
use crate::command::{Trust, find_verb, parse_words};
use crate::model::board::Board;
use crate::model::program;
use crate::refusal::{AccountRefusal, Refusal};
use crate::server::VisitOutcome;
use crate::web::html::blocks;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::{Field, FormFields};
use crate::web::html::page::redirect_with_cookie;
use crate::web::html::refusals::Subject;
use crate::web::http::form::{HiddenFields, PostedForm};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, html};
use std::sync::Arc;

/// The page to sign up.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |reader| {
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let body = html! {
            h1 { "Sign up" }
            (guest::sign_up_note(&snapshot))
            (sign_up_form(&hidden_fields.form("signup")))
            p { "Do you have a userid? " a href="/signin" { "Sign in" } "." }
        };
        Ok(snapshot.page("Sign up", &body))
    })
    .await
}

fn sign_up_form(form: &FormFields) -> Markup {
    let userid = Field::new("user", "Userid (everybody sees it)").autocomplete("username");
    let password = Field::new("password", "Password").kind("password").length(6, 128);
    let address = Field::new("address", "Mail address (nobody sees it)").kind("email");
    let userid = userid.length(0, 32).pattern("[A-Za-z][A-Za-z0-9_.\\-]*");
    let password = password.autocomplete("new-password");
    let address = address.autocomplete("email").length(0, 254);
    html! {
        form.tall method="post" action="/signup" {
            (form.hidden())
            @let userid = form.text(&userid.about(&[Subject::Userid]));
            @let password = form.text(&password.about(&[Subject::NewPassword]));
            @let address = form.text(&address.about(&[Subject::Address]));
            (form.problem()) (userid) (password) (address)
            button type="submit" { "Sign up" }
        }
    }
}

/// Signs up a user, and signs them in.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let (userid, password) = (form.required("user")?, form.required("password")?);
    let words = [userid, password, form.required("address")?].map(str::to_owned);
    let user = UserId::parse(userid).ok_or_else(|| Refusal::from(AccountRefusal::BadUserid))?;
    site.write(form.request, move |writer| {
        let verb = find_verb("signup", None).expect("`signup` is a verb");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let command = parse_words(None, verb, &words, &Trust::Untrusted)?;
        writer.execute(command, Trust::Untrusted, None)?;
        let cookie = writer.session_cookie(&user).ok_or(PageError::Bug)?;
        Ok(redirect_with_cookie(writer.site, "/welcome", &cookie))
    })
    .await
}

/// The first page of a new user.
pub(crate) async fn welcome(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        let user = reader.signed_in_user()?;
        newcomers::load(&mut reader)?;
        let boards = reader.world.user(&user).map_or(&[][..], |user| &user.active[..]);
        let boards: Vec<BoardId> = boards.iter().copied().take(MAX_FIRST_BOARDS).collect();
        reader.load_boards(boards.iter().copied())?;
        let mut snapshot = reader.close();
        let hidden_fields = guest::first_fields(&mut snapshot);
        let body = first_steps(&snapshot, &user, &boards, hidden_fields.as_ref());
        Ok(snapshot.page("Welcome", &body))
    })
    .await
}

/// The limit on boards on the first page of a new user, who may have played them as a guest.
const MAX_FIRST_BOARDS: usize = 4;

/// Renders what a new user can do first.
fn first_steps(
    snapshot: &Snapshot,
    user: &UserId,
    boards: &[BoardId],
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    let boards: Vec<&Board> =
        boards.iter().filter_map(|id| snapshot.world.board(*id).ok()).collect();
    let game = games::find(program::EXAMPLE).expect("the example is a game");
    html! {
        h1 { "Welcome, " (user) "!" }
        p { "We have sent you a mail. Open the link in it to confirm your address: then your boards "
            "also come by mail, and you can answer them there. Confirm your address to play without "
            "limits." }
        @if !boards.is_empty() {
            h2 { "Go on with your boards" }
            p.actions {
                @for board in &boards {
                    a.button.main href=(board::path(board.id)) {
                        (board.game.spec().title) " " (board.id.number)
                    }
                }
            }
        }
        h2 { "Play now" }
        p { "The program answers at once, and these games do not change your rating." }
        div.actions {
            (guest::play_button(game, "Play the program now", hidden_fields))
            a.button href="/play" { "Choose a game" }
        }
        h2 { "Learn a game in six moves" }
        (learn::links())
        @if let (Some(newcomer), Some(hidden_fields)) = (snapshot.world.user(user), hidden_fields) {
            (newcomers::welcomers(snapshot, newcomer, "/welcome", hidden_fields))
        }
        h2 { "Play other people" }
        p.actions {
            a.button href="/#challenges" { "Open challenges" }
            a.button href="/watch" { "Watch boards in play" }
        }
    }
}

/// The page that confirms an address. Its button confirms it, because mail programs open links by
/// themselves.
pub(crate) async fn confirm_page(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    request: WebRequest,
) -> PageResult {
    site.read(request, move |reader| {
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let body = html! {
            h1 { "Confirm your address" }
            form.tall method="post" action={ "/confirm/" (code) } {
                (hidden_fields.fields("confirm"))
                button type="submit" { "Yes, send mails to me" }
            }
        };
        Ok(snapshot.page("Confirm your address", &body))
    })
    .await
}

/// Confirms an address.
pub(crate) async fn confirm(
    State(site): State<Arc<Site>>,
    Path(code): Path<String>,
    form: PostedForm,
) -> PageResult {
    let once = form.mail_key();
    let visit = site.clone().write(form.request.clone(), move |writer| {
        let verb = find_verb("confirm-address", None).expect("`confirm-address` is a verb");
        let command = parse_words(None, verb, &[&code], &Trust::Untrusted)?;
        writer.execute(command, Trust::Untrusted, once)
    });
    let visit = visit.await?;
    site.read(form.request, move |reader| {
        let body = html! {
            h1 { "Your address" }
            @if visit.outcome == VisitOutcome::Before { p { "That was done already." } }
            @for mail in &visit.answers { (blocks::blocks(&mail.blocks)) }
        };
        Ok(reader.close().page("Your address", &body))
    })
    .await
}
