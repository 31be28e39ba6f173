//! `/report`: the form to report a player, from their page, a board or a message.

use super::board;
use super::command::MAX_MESSAGE;
use super::sign_in::return_path;
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::chat_log::{ChatMessage, chat_key};
use crate::model::world::{board_key, user_key};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::Field;
use crate::web::html::lists::ListAddress;
use crate::web::html::player_text::player_text;
use crate::web::html::refusals::Subject;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::State;
use games::Seat;
use maud::{Markup, html};
use std::sync::Arc;

/// Returns the address of the form for a player.
pub(super) fn player_path(user: &UserId) -> String {
    ListAddress::new("/report".into()).with("player", user.to_string()).href()
}

/// Returns the address of the form for a player of a board.
pub(super) fn board_path(board: &Board, seat: Seat) -> String {
    of_board(board, seat).href()
}

/// Returns the address of the form for a message on a board.
pub(super) fn message_path(board: &Board, seat: Seat, at: Time) -> String {
    of_board(board, seat).with("message", at.unix().to_string()).href()
}

fn of_board(board: &Board, seat: Seat) -> ListAddress {
    let address = ListAddress::new("/report".into()).with("player", board.player(seat).to_string());
    address.with("game", board.id.game).with("number", board.id.number.to_string())
}

/// The page of the form.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    let player = request.query_value("player").and_then(UserId::parse);
    let player = player.ok_or(PageError::NotFound)?;
    let board = board_of(&request)?;
    let message = request.query_value("message").map(str::parse).transpose();
    let message = message.map_err(|_| PageError::BadQuery("message"))?.map(Time::from_unix);
    site.read(request, move |mut reader| {
        let viewer = reader.signed_in_user()?;
        let keys = board.map(|board| [board_key(board), chat_key(board)]);
        let keys: Vec<_> = keys.into_iter().flatten().chain([user_key(&player)]).collect();
        reader.load(&keys)?;
        let mut snapshot = reader.close();
        let is_known = snapshot.world.any_user(&player).is_some() && player != viewer;
        // Guests play the program only.
        if !is_known || snapshot.world.is_guest(&viewer) || snapshot.world.level(&player).is_some()
        {
            return Err(PageError::NotFound);
        }
        let body = body(&mut snapshot, &viewer, &player, board, message)?;
        Ok(snapshot.page(&format!("Report {player}"), &body))
    })
    .await
}

/// Returns the board that the query names.
fn board_of(request: &WebRequest) -> PageResult<Option<BoardId>> {
    let Some(game) = request.query_value("game") else { return Ok(None) };
    let game = games::find(game).ok_or(PageError::BadQuery("game"))?.spec().name;
    let number = request.query_value("number").and_then(|number| number.parse().ok());
    Ok(Some(BoardId { game, number: number.ok_or(PageError::BadQuery("number"))? }))
}

fn body(
    snapshot: &mut Snapshot,
    viewer: &UserId,
    player: &UserId,
    board: Option<BoardId>,
    message: Option<Time>,
) -> PageResult<Markup> {
    let hidden_fields = snapshot.hidden_fields();
    let seats = board.and_then(|id| {
        let board = snapshot.world.loaded_board(id)?;
        Some((board.seat(player)?, board.seat(viewer)))
    });
    if board.is_some() && seats.is_none() {
        return Err(PageError::NotFound);
    }
    // Only players see the messages of a board.
    let quoted: Option<&ChatMessage> = message.and_then(|at| {
        let (seat, _) = seats.filter(|(_, own)| own.is_some())?;
        let said = snapshot.world.chat(board?).iter();
        said.filter(|message| message.at == at).find(|message| message.by == seat.0)
    });
    if message.is_some() && quoted.is_none() {
        return Err(PageError::NotFound);
    }
    let back = board.map_or_else(|| format!("/player/{player}"), board::path);
    let back = return_path(Some(&back), "/");
    let reason = Field::new("comment", "What happened").length(0, MAX_MESSAGE);
    let reason = reason.about(&[Subject::Message]);
    let fields = html! {
        @if let Some(board) = board {
            input type="hidden" name="game" value=(board.game);
            input type="hidden" name="word" value=(board.number);
        }
        @if let Some(at) = message {
            input type="hidden" name="word" value={ "message=" (at.unix()) };
        }
        input type="hidden" name="word" value=(player);
        (hidden_fields.form("report").area(&reason, 5))
        button type="submit" { "Send the report" }
    };
    Ok(html! {
        h1 { "Report " (player) }
        p { "The operator reads your report. " (player) " does not learn of it." }
        @if let Some(message) = quoted {
            p.quiet { (player) ", " (message.at.minute()) " UTC" }
            blockquote.words dir="auto" { (player_text(&message.words)) }
        }
        @if seats.is_some_and(|(_, own)| own.is_some()) {
            p.quiet { "The messages on this board go with it." }
        }
        (hidden_fields.command_form("report", "report", &back, &fields))
        p { a href=(back) { "Back" } " \u{b7} " a href="/help/report" { "What happens with a report" } }
    })
}
