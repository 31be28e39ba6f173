//! Games and boards as JSON.

use super::json_response;
use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus, Proposal};
use crate::model::dice::{self, WantedSeed};
use crate::model::world::{World, board_key, user_key};
use crate::reply::{board_summary, board_view};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::pages::board::{parse_id, visible_seat};
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::Response;
use games::{FAMILIES, Family, Next, ROLL, Seat, Spec};
use serde_json::{Value, json};
use std::sync::Arc;

/// The limit on listed legal moves.
const MAX_LEGAL: usize = 1_000;

/// Lists the games.
pub(crate) async fn games() -> Response {
    let game = |family: &Family, spec: &Spec| {
        json!({
            "game": spec.name, "title": spec.title, "about": spec.about, "family": family.title,
            "turns": spec.manner.turns, "minutes_to_learn": spec.manner.minutes_to_learn,
        })
    };
    let of_family = |family: &'static Family| family.games.iter().map(|it| game(family, it.spec()));
    let games: Vec<Value> = FAMILIES.iter().flat_map(of_family).collect();
    json_response(&json!({ "games": games }))
}

/// Returns a board, with the legal moves if it is the reader's turn.
pub(crate) async fn board(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    let json = site.read(request, move |mut reader| {
        reader.load(&[board_key(id)])?;
        let snapshot = reader.close();
        let seat = visible_seat(&snapshot.world, snapshot.viewer.as_ref(), id)?;
        let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
        Ok(details(&snapshot.world, board, seat, snapshot.now))
    });
    Ok(json_response(&json.await?))
}

/// Lists the user's boards in progress.
pub(crate) async fn boards(
    State(site): State<Arc<Site>>,
    request: WebRequest,
) -> PageResult<Response> {
    let json = site.read(request, |mut reader| {
        let user = reader.signed_in_user()?;
        reader.load(&[user_key(&user)])?;
        let active = reader.world.user(&user).map(|user| user.active.clone()).unwrap_or_default();
        reader.load_boards(active.iter().copied())?;
        let snapshot = reader.close();
        let boards = active.iter().filter_map(|id| snapshot.world.board(*id).ok());
        let boards: Vec<Value> = boards.map(|board| summary(board, board.seat(&user))).collect();
        Ok(json!({ "user": user, "boards": boards }))
    });
    Ok(json_response(&json.await?))
}

/// Returns the fields of a board that lists have, for the player of a seat or an observer.
fn summary(board: &Board, seat: Option<Seat>) -> Value {
    let mut json = board_summary(board);
    json["seat"] = json!(seat.map(|seat| seat.0));
    let is_turn = matches!(board.status(), BoardStatus::ToMove(turn) if Some(turn) == seat);
    json["your_turn"] = json!(is_turn);
    json
}

/// Returns everything about a board that the player of a seat or an observer may know.
fn details(world: &World, board: &Board, seat: Option<Seat>, now: Time) -> Value {
    let view = board_view::view(world, board, seat);
    let mut json = summary(board, seat);
    let moves = board_view::all_moves(board, &view).into_iter().map(|turn| {
        json!({
            "number": turn.number,
            "player": board.player(turn.seat),
            "dice": turn.dice.map(|dice| dice.to_string()),
            "move": turn.words,
        })
    });
    json["moves"] = moves.collect();
    let turn = world.clock(board, now).turn;
    json["deadline"] = json!(turn.map(|turn| turn.end.stamp()));
    json["position"] = json!(board.position().visible_notation(&view));
    json["options"] = board.options.words().collect();
    json["dice_key"] = json!(board.dice.as_ref().map(|dice| dice.key.to_string()));
    let dice = board.dice.as_ref().filter(|dice| dice.rules > 1);
    json["dice_digest"] = json!(dice.map(|dice| dice::digest(board, dice)));
    let level = dice.and_then(|dice| dice::roll_levels(dice).pop());
    json["dice_level"] = json!(level.map(|(level, _)| level.number()));
    let commitment = dice.and_then(|dice| dice.commitment.as_ref());
    json["dice_commitment"] = json!(commitment.map(|it| &it.hash));
    let chain = dice.and_then(|dice| dice.chain_of(seat?));
    json["dice_chain"] = json!(chain.map(|[_, newest]| newest));
    let wanted = seat.and_then(|seat| board.wanted_seed(seat));
    json["dice_wanted"] = json!(wanted.map(WantedSeed::name));
    let offered = seat.and_then(|seat| board.offered_to(seat));
    json["offered"] = json!(offered.map(Proposal::word));
    let plan = seat.and_then(|seat| Some((seat, board.plans[seat.index()].as_ref()?)));
    json["plan"] = json!(plan.map(|(seat, plan)| board_view::plan_lines(board, seat, plan, &view)));
    if seat.is_some_and(|seat| board.position().next().asks(seat)) && !board.is_over() {
        let mut position = board.position().copy();
        position.set_viewer(&view);
        let mut legal = position.moves_up_to(MAX_LEGAL);
        if matches!(position.next(), Next::Ready(..)) {
            legal.insert(0, ROLL.to_owned());
        }
        json["legal"] = json!(legal);
    }
    json
}
