//! Boards, as programs read them.

use super::answer;
use crate::base::ids::BoardId;
use crate::model::board::{Board, BoardStatus, Proposal};
use crate::model::dice::{self, WantedSeed};
use crate::model::world::{World, board_key, user_key};
use crate::reply::{board_summary, board_view};
use crate::web::html::error_page::PageError;
use crate::web::http::request::WebRequest;
use crate::web::pages::board::{named, seen_by};
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::Response;
use games::{GAMES, Next, ROLL, Seat};
use serde_json::{Value, json};
use std::sync::Arc;

/// Legal moves that are listed at most.
const LISTED: usize = 1_000;

/// The games here.
pub(in crate::web) async fn games() -> Response {
    let game =
        |spec: &games::Spec| json!({ "game": spec.name, "title": spec.title, "about": spec.about });
    let games: Vec<Value> = GAMES.iter().map(|it| game(it.spec())).collect();
    answer(&json!({ "games": games }))
}

/// A board, with the legal moves of its reader if it is their turn.
pub(in crate::web) async fn board(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let id = named(&game, &number)?;
    let told = site.read(ask, move |mut reader| {
        reader.gather(&[board_key(id)])?;
        let seen = reader.leave();
        let seat = seen_by(&seen.world, seen.viewer.as_ref(), id)?;
        Ok(whole(&seen.world, id, seat))
    });
    Ok(answer(&told.await?))
}

/// The boards of the user who asks.
pub(in crate::web) async fn boards(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let told = site.read(ask, |mut reader| {
        let user = reader.user()?;
        reader.gather(&[user_key(&user)])?;
        let active = reader.world.user(&user).map(|user| user.active.clone()).unwrap_or_default();
        let keys: Vec<_> = active.iter().map(|id| board_key(*id)).collect();
        reader.gather(&keys)?;
        let seen = reader.leave();
        let boards = active.iter().filter_map(|id| seen.world.board(*id).ok());
        let boards: Vec<Value> = boards.map(|board| short(board, board.seat(&user))).collect();
        Ok(json!({ "user": user, "boards": boards }))
    });
    Ok(answer(&told.await?))
}

/// A board as every list has it, with the seat of its reader.
fn short(board: &Board, seat: Option<Seat>) -> Value {
    let mut told = board_summary(board);
    told["seat"] = json!(seat.map(|seat| seat.0));
    let is_turn = matches!(board.status(), BoardStatus::ToMove(turn) if Some(turn) == seat);
    told["your_turn"] = json!(is_turn);
    told
}

/// All of a board that its reader may know.
fn whole(world: &World, id: BoardId, seat: Option<Seat>) -> Value {
    let board = world.board(id).expect("it was looked at just now");
    let view = board_view::view(world, board, seat);
    let mut told = short(board, seat);
    let moves = board_view::all_moves(board, &view).into_iter().map(|one| {
        json!({
            "number": one.number,
            "player": board.player(one.seat),
            "dice": one.dice.map(|dice| dice.to_string()),
            "move": one.words,
        })
    });
    told["moves"] = moves.collect();
    told["position"] = json!(board.position().visible_notation(&view));
    told["options"] = board.options.words().collect();
    told["dice_key"] = json!(board.dice.as_ref().map(|dice| dice.key.to_string()));
    let newest = board.dice.as_ref().filter(|dice| dice.rules > 1);
    told["dice_digest"] = json!(newest.map(|dice| dice::digest(board, dice)));
    let level = newest.and_then(|dice| dice::levels(dice).pop());
    told["dice_level"] = json!(level.map(|(level, _)| level.number()));
    let commitment = newest.and_then(|dice| dice.commitment.as_ref());
    told["dice_commitment"] = json!(commitment.map(|it| &it.hash));
    let chain = newest.and_then(|dice| dice.chain_of(seat?));
    told["dice_chain"] = json!(chain.map(|[_, newest]| newest));
    let wanted = seat.and_then(|seat| board.wanted_seed(seat));
    told["dice_wanted"] = json!(wanted.map(WantedSeed::name));
    let offered = seat.and_then(|seat| board.offered_to(seat));
    told["offered"] = json!(offered.map(Proposal::word));
    if seat.is_some_and(|seat| board.position().next().asks(seat)) && !board.is_over() {
        let mut position = board.position().copy();
        position.set_viewer(&view);
        let mut legal = position.moves_up_to(LISTED);
        if matches!(position.next(), Next::Ready(..)) {
            legal.insert(0, ROLL.to_owned());
        }
        told["legal"] = json!(legal);
    }
    told
}
