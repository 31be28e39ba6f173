//! `/admin/boards`: finds a board, shows whether it can be read and replayed, and takes moves back.

use super::{CodeQuestion, LONGEST_WHY, admin_page, note};
use crate::base::ids::BoardId;
use crate::base::words::Plural;
use crate::command::moderation::administer::AdministratorAct;
use crate::model::moderation::Act;
use crate::server::repair::{self, RepairError};
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::{Field, FormFields};
use crate::web::html::flash_messages::FlashMessage;
use crate::web::html::player_text::player_text;
use crate::web::html::refusals::Subject;
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::pages::board;
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

const BOARDS: &str = "/admin/boards";

/// The page that finds a board.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    request: WebRequest,
) -> PageResult<Response> {
    site.read(request, |mut reader| {
        reader.check_raised()?;
        let wanted = |name| reader.request.query_value(name);
        if let (Some(game), Some(number)) = (wanted("game"), wanted("number")) {
            let number = number.parse().map_err(|_| PageError::BadQuery("number"))?;
            let id = board_id(game, number).ok_or(PageError::BadQuery("game"))?;
            return Ok(Redirect::to(&path(id)).into_response());
        }
        let body = html! {
            form.tall method="get" action=(BOARDS) role="search" {
                label { "Game"
                    select name="game" {
                        @for game in GAMES {
                            option value=(game.spec().name) { (game.spec().title) }
                        }
                    }
                }
                label { "Number"
                    input type="number" name="number" min="1" required;
                }
                button type="submit" { "Find" }
            }
        };
        Ok(admin_page(reader.close(), "Boards", BOARDS, &body).into_response())
    })
    .await
}

fn board_id(game: &str, number: u32) -> Option<BoardId> {
    let game = games::find(game)?.spec().name;
    Some(BoardId { game, number })
}

fn path(id: BoardId) -> String {
    format!("{BOARDS}/{}/{}", id.game, id.number)
}

/// The page of a board.
pub(crate) async fn board(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, u32)>,
    request: WebRequest,
) -> PageResult {
    let id = board_id(&game, number).ok_or(PageError::NotFound)?;
    site.read(request, move |mut reader| {
        reader.check_raised()?;
        let decisions = || repair::decision_count(&*reader.store, id);
        let shown = reader.show_board(id).and_then(|details| Ok((details, decisions()?)));
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let body = match shown {
            Err(RepairError::Fault(fault)) => return Err(fault.into()),
            Err(refused) => html! {
                p.problem { (refused) }
                p { "Mend it on the server: " code { "postboard board edit " (id) } }
            },
            Ok((details, decisions)) => html! {
                p { "The board can be read, and its record can be replayed." }
                p { a href=(board::path(id)) { "The board" } }
                div.scroll role="region" aria-label="The board" tabindex="0" {
                    pre.raw dir="ltr" { (player_text(&details)) }
                }
                h2 { "Take moves back" }
                (undo_form(&hidden_fields.form("undo"), id, decisions))
            },
        };
        Ok(admin_page(snapshot, &id.to_string(), BOARDS, &body))
    })
    .await
}

/// Renders the form, which names the number of decisions that the page shows: a move that comes before it is sent must
/// not be taken back instead.
fn undo_form(form: &FormFields, id: BoardId, decisions: usize) -> Markup {
    let moves = Field::new("moves", "Decisions; reopening the board counts as one");
    let moves = moves.kind("number").value(Some("1")).about(&[Subject::Field("moves")]);
    let why = Field::new("why", "Reason, for the log").length(0, LONGEST_WHY);
    let why = why.about(&[Subject::Field("why")]);
    html! {
        form.say method="post" action={ (path(id)) "/undo" } {
            (form.hidden())
            (form.problem())
            p.quiet { (Plural(decisions, "decision")) " can be taken back." }
            input type="hidden" name="of" value=(decisions);
            (form.text(&moves))
            label.check { input type="checkbox" name="dice" value="new"; " Roll new dice" }
            (form.area(&why, 2))
            button type="submit" { "Take back" }
        }
    }
}

/// Takes moves back, after a code was sent back.
pub(crate) async fn undo(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, u32)>,
    form: PostedForm,
) -> PageResult<Response> {
    let id = board_id(&game, number).ok_or(PageError::NotFound)?;
    let request = form.request.clone();
    let done = site.clone().write(request.clone(), move |writer| {
        let by = writer.raised_administrator()?;
        form.required("why")?;
        form.check_length("why", LONGEST_WHY)?;
        let moves: Option<u32> = form.required("moves")?.parse().ok().filter(|count| *count > 0);
        let why = "write a whole number, at least 1";
        let moves = moves.ok_or_else(|| PageError::WrongAnswer("moves", why.into()))?;
        let decisions = usize::try_from(moves).unwrap_or(usize::MAX);
        let shown: usize = form.required("of")?.parse().map_err(|_| PageError::Malformed)?;
        let new_dice = form.field("dice").is_some();
        let question = CodeQuestion {
            title: format!("Take back {moves} of {shown} on {id}?"),
            consequence: "Both players are told. Ratings that follow from the board are computed anew.",
            button: "Take back",
            back: path(id),
        };
        let dice = if new_dice { " with new dice" } else { "" };
        let about = format!("{moves} of {shown} on {id}{dice}");
        let act = AdministratorAct { act: Act::Undo, about };
        writer.repair(
            &by,
            |writer| note(writer, &form, act, &question),
            |server, store, now| {
                repair::check_decision_count(store, id, shown)?;
                repair::undo(server, store, id, decisions, new_dice, now)
            },
        )?;
        Ok(Redirect::to(&FlashMessage::Moderated.on(&path(id))).into_response())
    });
    with_question(site, request, done.await).await
}
