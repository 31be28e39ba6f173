//! Tournaments as JSON.

use super::json_response;
use crate::model::tournament::crosstable::{Cell, CellState, Crosstable, CrosstableRow};
use crate::model::tournament::{
    Field, Stage, TitledTable, Tournament, tournament_key, tournament_list_key,
};
use crate::refusal::Refusal;
use crate::store::Key;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::pages::tournament::parse_id;
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::Arc;

/// Lists the open and running tournaments of a game, and the last ones that ended.
pub(crate) async fn tournaments(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let game = games::find(&game).ok_or(PageError::NotFound)?.spec().name;
    let json = site.read(request, move |mut reader| {
        reader.load(&[tournament_list_key(game)])?;
        let ids = reader.world.tournament_list(game).map_err(Refusal::from)?.shown();
        let keys: Vec<Key> = ids.iter().map(|id| tournament_key(*id)).collect();
        reader.load(&keys)?;
        let found = ids.iter().filter_map(|id| reader.world.loaded_tournament(*id));
        Ok(json!({ "game": game, "tournaments": found.map(summary).collect::<Vec<_>>() }))
    });
    Ok(json_response(&json.await?))
}

/// Returns a tournament with its tables.
pub(crate) async fn tournament(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    let json = site.read(request, move |mut reader| {
        reader.load(&[tournament_key(id)])?;
        let tournament = reader.world.tournament(id).map_err(Refusal::from)?;
        let tournament = tournament.ok_or(PageError::NotFound)?;
        let mut json = summary(tournament);
        json["tables"] = tables(tournament);
        Ok(json)
    });
    Ok(json_response(&json.await?))
}

fn summary(tournament: &Tournament) -> Value {
    let stage = match tournament.stage() {
        Stage::Open => "open",
        Stage::Running => "running",
        Stage::Ended => "ended",
        Stage::Cancelled => "cancelled",
    };
    let entered: Vec<_> = tournament.entries.iter().map(|entry| &entry.user).collect();
    json!({
        "game": tournament.id.game,
        "number": tournament.id.number,
        "format": tournament.terms.format,
        "stage": stage,
        "director": tournament.director,
        "starts": tournament.starts.stamp(),
        "entered": entered,
        "round": tournament.round_number(),
        "deadline": tournament.round.map(|round| round.deadline.stamp()),
        "next": tournament.next,
    })
}

fn tables(tournament: &Tournament) -> Value {
    let Some(field) = &tournament.field else { return json!([]) };
    let table = |TitledTable { title, table }: &TitledTable| json!({ "title": title, "rows": rows(table, field) });
    tournament.crosstables().iter().map(table).collect()
}

fn rows(table: &Crosstable, field: &Field) -> Vec<Value> {
    let row = |one: &CrosstableRow| {
        let entrant = &field.entrants[one.row.entrant];
        json!({
            "place": one.place,
            "player": entrant.user,
            "rating": entrant.rating,
            "left": entrant.left,
            "removed": one.row.is_removed,
            "points": f64::from(one.row.half_points) / 2.0,
            "sonneborn_berger": f64::from(one.row.quarters) / 4.0,
            "games": one.cells.iter().map(cell).collect::<Vec<_>>(),
        })
    };
    table.rows.iter().map(row).collect()
}

fn cell(cell: &Cell) -> Value {
    let state = match cell.state {
        CellState::Won => "won",
        CellState::Lost => "lost",
        CellState::Drawn => "drawn",
        CellState::Open => "open",
        CellState::Bye => "bye",
        CellState::Empty => "none",
    };
    json!({ "state": state, "opponent": cell.opponent, "board": cell.board })
}
