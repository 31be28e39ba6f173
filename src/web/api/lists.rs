//! The lists of players and boards as JSON, with cursors.

use super::json_response;
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::rating::Standing;
use crate::model::user::{PublicUser, User};
use crate::model::world::{World, user_key};
use crate::reply::{Fact, ShownProfile, board_summary};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::lists::against::{HeadToHead, between, score};
use crate::web::lists::boards::{BoardPart, BoardStart, BoardsQuery, boards_of, finished};
use crate::web::lists::players::{self as player_list, PlayersPart, PlayersQuery};
use crate::web::lists::rating_history::{RatingPoint, load_rating_history, rating_history};
use crate::web::lists::standings::{self as ranking, RankedPlayer, StandingsPart, StandingsQuery};
use crate::web::lists::word_of;
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::Arc;

fn game_name(name: &str) -> PageResult<&'static str> {
    games::find(name).map(|game| game.spec().name).ok_or(PageError::NotFound)
}

fn user_id(name: &str) -> PageResult<UserId> {
    UserId::parse(name).ok_or(PageError::NotFound)
}

/// Lists the rated players of a game.
pub(crate) async fn standings(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let game = game_name(&game)?;
    let query = StandingsQuery::of_program(game, &request)?;
    let part = site.read(request, move |reader| {
        let snapshot = reader.close();
        let viewer = snapshot.viewer.as_ref();
        snapshot.directory(|directory| ranking::standings(directory, &query, viewer))?
    });
    let StandingsPart { list, sort, counts, rows, next, .. } = part.await?;
    let row = |RankedPlayer { rank, user, standing }: &RankedPlayer| {
        let mut json = standing_json(standing);
        json["rank"] = json!(rank);
        json["player"] = json!(user);
        json
    };
    Ok(json_response(&json!({
        "game": game,
        "list": word_of(&ranking::LISTS, &list),
        "sort": word_of(&ranking::SORTS, &sort),
        "total": counts[list as usize],
        "players": rows.iter().map(row).collect::<Vec<_>>(),
        "next": next,
    })))
}

/// Lists the finished boards of a game, or of a player in it.
pub(crate) async fn history(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let game = game_name(&game)?;
    let start = BoardStart::of_program(&request)?;
    let player = request.query_value("player").unwrap_or_default().to_owned();
    let json = site.read(request, move |mut reader| {
        let part = finished(&mut reader, game, &player, start)?;
        let part = part.ok_or(PageError::NotFound)?;
        let mut json = part_json(&reader.close().world, &part);
        json["game"] = json!(game);
        Ok(json)
    });
    Ok(json_response(&json.await?))
}

/// Lists the players, or those whose names begin with a text.
pub(crate) async fn players(
    State(site): State<Arc<Site>>,
    request: WebRequest,
) -> PageResult<Response> {
    let query = PlayersQuery::of_program(&request)?;
    let part = site.read(request, move |reader| {
        reader.close().directory(|directory| player_list::players(directory, &query))?
    });
    let PlayersPart { sort, total, rows, next } = part.await?;
    let row = |user: &PublicUser| {
        let ratings = user.ratings.iter().map(|(game, standing)| (*game, standing));
        player_json(&user.id, &user.joined.stamp(), ratings)
    };
    Ok(json_response(&json!({
        "sort": word_of(&player_list::SORTS, &sort),
        "total": total,
        "players": rows.iter().map(row).collect::<Vec<_>>(),
        "next": next,
    })))
}

/// Returns a player's ratings.
pub(crate) async fn player(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = user_id(&name)?;
    let json = site.read(request, move |mut reader| {
        reader.load(&[user_key(&id)])?;
        let user = reader.world.user(&id).ok_or(PageError::NotFound)?;
        let User { id, joined, ratings, .. } = user;
        let ratings = ratings.iter().map(|(game, standing)| (game.as_str(), standing));
        let mut json = player_json(id, &joined.stamp(), ratings);
        json["program_level"] = json!(reader.world.level(id));
        let shown = ShownProfile::of(user, reader.now);
        json["about"] = json!(shown.about);
        for Fact { label, words } in shown.facts {
            json[label.to_ascii_lowercase()] = json!(words);
        }
        Ok(json)
    });
    Ok(json_response(&json.await?))
}

/// Lists the boards of a player.
pub(crate) async fn player_boards(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = user_id(&name)?;
    let (query, start) = (BoardsQuery::read(&request)?, BoardStart::of_program(&request)?);
    let json = site.read(request, move |mut reader| {
        let part = query.boards(&mut reader, &id, start)?;
        let world = reader.close().world;
        let mut json = part_json(&world, &part);
        json["player"] = json!(world.user(&id).map(|user| &user.id));
        Ok(json)
    });
    Ok(json_response(&json.await?))
}

/// Returns the score of two players, and the finished boards between them.
pub(crate) async fn against(
    State(site): State<Arc<Site>>,
    Path((name, other)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let players = [user_id(&name)?, user_id(&other)?];
    let start = BoardStart::of_program(&request)?;
    let json = site.read(request, move |mut reader| {
        let score = score(&mut reader, [&players[0], &players[1]])?;
        let part = boards_of(&mut reader, &between(&players), start)?;
        let world = reader.close().world;
        let mut json = part_json(&world, &part);
        let game = |(name, score): &(&str, HeadToHead)| {
            let HeadToHead { won, drawn } = score;
            json!({ "game": name, "boards": score.boards(), "won": won, "drawn": drawn })
        };
        json["players"] = players.iter().map(|id| json!(world.user(id).map(|it| &it.id))).collect();
        json["games"] = score.games.iter().map(game).collect();
        json["is_partial"] = json!(score.is_partial);
        Ok(json)
    });
    Ok(json_response(&json.await?))
}

/// Returns a player's rating in a game after each of their latest boards.
pub(crate) async fn rating(
    State(site): State<Arc<Site>>,
    Path((name, game)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let (id, game) = (user_id(&name)?, game_name(&game)?);
    let json = site.read(request, move |mut reader| {
        load_rating_history(&mut reader, &id, game)?;
        let snapshot = reader.close();
        let user = snapshot.world.user(&id).ok_or(PageError::NotFound)?;
        let history = rating_history(&snapshot.world, snapshot.viewer.as_ref(), user, game);
        let point = |point: &RatingPoint| {
            json!({
                "ended": point.at.stamp(),
                "board": point.board.number,
                "opponent": point.opponent,
                "won": point.is_won,
                "rating": point.after,
                "change": point.after - point.before,
                "deviation": point.deviation,
                "original": point.original,
            })
        };
        let boards: Vec<Value> = history.iter().map(point).collect();
        Ok(json!({ "player": user.id, "game": game, "boards": boards }))
    });
    Ok(json_response(&json.await?))
}

fn standing_json(standing: &Standing) -> Value {
    let Standing { original, won, lost, tied, last, skill } = standing;
    json!({
        "rating": standing.points(),
        "deviation": skill.deviation.points(),
        "is_provisional": standing.is_provisional(),
        "original": original.points(),
        "games": standing.games(),
        "won": won,
        "lost": lost,
        "tied": tied,
        "last": last.stamp(),
    })
}

fn player_json<'a>(
    id: &UserId,
    joined: &str,
    ratings: impl Iterator<Item = (&'a str, &'a Standing)>,
) -> Value {
    let rating = |(game, standing): (&str, &Standing)| {
        let mut json = standing_json(standing);
        json["game"] = json!(game);
        json
    };
    json!({ "player": id, "joined": joined, "ratings": ratings.map(rating).collect::<Vec<_>>() })
}

/// Returns a part of a list of boards.
fn part_json(world: &World, part: &BoardPart) -> Value {
    let board = |board: &Board| {
        let mut json = board_summary(board);
        json["started"] = json!(board.started.stamp());
        json["ended"] = json!(board.ended_at().map(Time::stamp));
        json
    };
    let boards = part.ids.iter().filter_map(|id| world.loaded_board(*id));
    json!({ "boards": boards.map(board).collect::<Vec<_>>(), "next": part.older })
}
