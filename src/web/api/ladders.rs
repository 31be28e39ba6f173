//! Ladders as JSON.

use super::json_response;
use crate::model::ladder::{LadderReader as _, Rung};
use crate::model::world::WorldLadder;
use crate::refusal::Refusal;
use crate::reply::ladder::{LatestResult, latest};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::pages::ladder::{LadderPart, parse_game};
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns the part of a ladder from a place, or else around the user.
pub(crate) async fn ladder(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let game = parse_game(&game)?;
    let json = site.read(request, move |mut reader| {
        let part = LadderPart::load(&mut reader, game)?;
        let snapshot = reader.close();
        let ladder = snapshot.world.ladder(game).map_err(Refusal::from)?;
        let places = part.places(&ladder).ok_or(PageError::NotFound)?;
        let viewer = snapshot.viewer.as_ref();
        let found = places.clone().filter_map(|place| Some((place, ladder.at(place)?)));
        let row = |(place, rung): (u32, &Rung)| {
            let check = |viewer| ladder.check_challenge_of(viewer, place, snapshot.now);
            let can_challenge = viewer.is_some_and(|viewer| check(viewer).is_ok());
            place_json(place, rung, can_challenge)
        };
        let results = latest(&snapshot.world, &ladder);
        Ok(json!({
            "game": game,
            "players": ladder.players(),
            "own": viewer.and_then(|viewer| ladder.place(viewer)),
            "places": found.map(row).collect::<Vec<_>>(),
            "results": results.iter().map(result_json).collect::<Vec<_>>(),
            "next": next(&ladder, *places.end()),
        }))
    });
    Ok(json_response(&json.await?))
}

/// Returns the first place after a part.
fn next(ladder: &WorldLadder, last: u32) -> Option<u32> {
    (last < ladder.players()).then_some(last + 1)
}

fn place_json(place: u32, rung: &Rung, can_challenge: bool) -> Value {
    let boards: Vec<u32> = rung.games.iter().map(|game| game.board).collect();
    json!({
        "place": place,
        "player": rung.user,
        "boards": boards,
        "can_challenge": can_challenge,
    })
}

fn result_json(LatestResult { board, end }: &LatestResult) -> Value {
    let winner = end.winner.map(|winner| &end.players[winner]);
    json!({
        "board": board.number,
        "challenger": end.players[0],
        "challenged": end.players[1],
        "winner": winner,
        "ended": end.at.stamp(),
    })
}
