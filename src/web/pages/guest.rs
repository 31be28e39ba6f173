//! `/play`: a game against the program, with an account or as a guest.

use super::board;
use super::thumbnails;
use crate::command::account::guest::{GuestCommand, guest_id, opponent_at};
use crate::command::{Trust, find_verb, parse_words};
use crate::reply::OutgoingMail;
use crate::web::html::begin::LEVELS;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::FormFields;
use crate::web::html::page::WebPage;
use crate::web::http::form::{FirstForm, HiddenFields, PostedForm};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteWriter, Snapshot};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use games::{AnyGame, FAMILIES};
use maud::{Markup, html};
use std::sync::Arc;

/// Returns the hidden fields of forms that a visitor may send without a cookie; `None` for a visitor
/// who has none, and who gets none by looking at the page.
pub(crate) fn first_fields(snapshot: &mut Snapshot) -> Option<HiddenFields> {
    snapshot.request.cookie.is_some().then(|| snapshot.hidden_fields())
}

/// Returns whether the viewer is a guest.
pub(crate) fn is_guest(snapshot: &Snapshot) -> bool {
    snapshot.viewer.as_ref().is_some_and(|user| snapshot.world.is_guest(user))
}

/// Returns whether the viewer has signed in and is no guest.
pub(crate) fn is_member(snapshot: &Snapshot) -> bool {
    snapshot.viewer.is_some() && !is_guest(snapshot)
}

/// Returns the hidden fields of forms that only members may send; `None` for visitors and guests.
pub(crate) fn member_fields(snapshot: &mut Snapshot) -> Option<HiddenFields> {
    is_member(snapshot).then(|| snapshot.hidden_fields())
}

/// Renders a button that begins a game against the lowest level of the program.
pub(crate) fn play_button(
    game: &dyn AnyGame,
    label: &str,
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    html! {
        form.begin method="post" action="/play" {
            @if let Some(hidden_fields) = hidden_fields { (hidden_fields.fields("play")) }
            input type="hidden" name="game" value=(game.spec().name);
            button.main type="submit" { (label) }
        }
    }
}

/// Renders buttons that begin a game against each level of the program.
pub(crate) fn level_buttons(game: &dyn AnyGame, hidden_fields: Option<&HiddenFields>) -> Markup {
    let spec = game.spec();
    html! {
        @if spec.manner.levels > 0 {
            form.actions method="post" action="/play" {
                @if let Some(hidden_fields) = hidden_fields { (hidden_fields.fields("play")) }
                input type="hidden" name="game" value=(spec.name);
                @for (level, name) in (1..=spec.manner.levels).zip(LEVELS) {
                    button type="submit" name="level" value=(level) { (name) }
                }
            }
        }
    }
}

/// Renders what becomes of a guest's boards when they sign up.
pub(crate) fn sign_up_note(snapshot: &Snapshot) -> Markup {
    html! {
        @if is_guest(snapshot) {
            p { "The boards that you have played as a guest become yours, with all their moves." }
        }
    }
}

/// The field of a form that signs a guest in as a user, and its value: whether the guest's boards become
/// the user's.
const BOARDS: &str = "boards";
const TAKE: &str = "take";

/// Returns whether a form says that the boards of the guest become those of the user who signs in.
pub(crate) fn takes_boards(form: &PostedForm) -> bool {
    form.field(BOARDS) == Some(TAKE)
}

/// Renders the choice of what becomes of a guest's boards when they sign in as a user.
pub(crate) fn boards_choice(snapshot: &Snapshot, form: &FormFields) -> Markup {
    let user = snapshot.viewer.as_ref().and_then(|user| snapshot.world.user(user));
    let Some(guest) = user.filter(|user| user.guest) else { return html! {} };
    let count = guest.active.len() + guest.finished.len();
    let boards = if count == 1 { "board".to_owned() } else { format!("{count} boards") };
    // A form that is shown again and does not have the field was sent without the check mark.
    let is_checked = form.has_typed(BOARDS, TAKE).unwrap_or(true);
    html! {
        label.check {
            input type="checkbox" name=(BOARDS) value=(TAKE) checked[is_checked];
            " Keep the " (boards) " that I have played as a guest"
        }
        p.quiet {
            "They become boards of the user who signs in, with all their moves. Otherwise you cannot come "
            "back to them."
        }
    }
}

/// The page of settings for a guest, who has none.
pub(crate) fn no_settings(snapshot: Snapshot) -> WebPage {
    let body = html! {
        h1 { "Settings" }
        p { "You are playing as a guest. Sign up to choose settings, to play other people and to get your "
            "boards by mail. The boards that you have played become yours." }
        p { a.button.main href="/signup" { "Sign up to keep your boards" } }
    };
    snapshot.page("Settings", &body)
}

/// The page to choose a game against the program.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |reader| {
        let mut snapshot = reader.close();
        let hidden_fields = first_fields(&mut snapshot);
        let is_signed_in = snapshot.viewer.is_some();
        let body = html! {
            h1 { "Play the program" }
            @if !is_signed_in {
                p { "It answers at once. You need no account; if you sign up later, you keep your \
                     boards." }
            } @else {
                p { "It answers at once. These games do not change your rating." }
            }
            @for family in FAMILIES {
                h2 { (family.title) }
                ul.games.programs {
                    @for game in family.games.iter().copied().filter(|it| it.spec().manner.levels > 0) {
                        li {
                            (thumbnails::of_game(&snapshot, game))
                            div {
                                h3 { (game.spec().title) }
                                (level_buttons(game, hidden_fields.as_ref()))
                            }
                        }
                    }
                }
            }
        };
        Ok(snapshot.page("Play the program", &body))
    })
    .await
}

/// Begins a game against the program. A visitor who has not signed in becomes a guest.
pub(crate) async fn post(
    State(site): State<Arc<Site>>,
    FirstForm(form): FirstForm,
) -> PageResult<Response> {
    let game = games::find(form.required("game")?).ok_or(PageError::NotFound)?;
    let level =
        form.field("level").unwrap_or("1").parse::<u8>().map_err(|_| PageError::NotFound)?;
    site.write(form.request.clone(), move |writer| {
        if writer.signed_in_user().is_ok() {
            challenge(writer, game, level, &form)
        } else {
            begin_as_guest(writer, game, level)
        }
    })
    .await
}

/// Challenges the program.
fn challenge(
    writer: &mut SiteWriter,
    game: &'static dyn AnyGame,
    level: u8,
    form: &PostedForm,
) -> PageResult<Response> {
    let opponent = opponent_at(game, level)?;
    let verb = find_verb("challenge", Some(game)).expect("`challenge` is a verb");
    let trust = writer.trust();
    let command = parse_words(Some(game), verb, &[opponent.as_str()], &trust)?;
    let visit = writer.execute(command, trust, form.mail_key())?;
    Ok(Redirect::to(&path_of_new_board(&visit.answers)).into_response())
}

/// Creates a guest with a board, and signs the browser in.
fn begin_as_guest(
    writer: &mut SiteWriter,
    game: &'static dyn AnyGame,
    level: u8,
) -> PageResult<Response> {
    let guest = guest_id(&mut **writer.site.chance());
    let opponent = opponent_at(game, level)?;
    let command = GuestCommand { guest: guest.clone(), game, opponent };
    let visit = writer.execute(Box::new(command), Trust::Untrusted, None)?;
    let cookie = writer.session_cookie(&guest).ok_or(PageError::Bug)?;
    let mut response = Redirect::to(&path_of_new_board(&visit.answers)).into_response();
    // The cookie of a user who signed in here before stays.
    response.headers_mut().insert(header::SET_COOKIE, writer.site.set_session_cookie(&cookie));
    Ok(response)
}

/// Returns the path of the board that was begun. A form that was sent twice leads to the list.
fn path_of_new_board(answers: &[OutgoingMail]) -> String {
    let board = answers.iter().find_map(OutgoingMail::board);
    board.map_or_else(|| "/boards".into(), board::path)
}
