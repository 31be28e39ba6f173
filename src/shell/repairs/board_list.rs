//! `board list`.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::refusal::OperatorRefusal;
use crate::reply;
use crate::server::repair::{RepairError, read_board};
use crate::shell::game_tools;
use crate::shell::home;
use crate::shell::output::list::{ListRow, RowWriter};
use crate::shell::output::printable::short_text;
use crate::shell::repairs::existing_user;
use crate::shell::repairs::user::userid_of;
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::{DocumentKind, Key, OpenHome};
use games::{AnyGame, GAMES};
use serde_json::json;
use std::path::Path;

/// Which boards to list.
#[derive(Debug)]
pub(crate) struct BoardFilter<'w> {
    /// Only boards of this game.
    pub(crate) game: Option<&'w str>,
    /// Only boards in play.
    pub(crate) in_play: bool,
    /// Only boards of this player.
    pub(crate) player: Option<&'w str>,
}

/// Lists boards.
pub(crate) fn list(
    home: &Path,
    wanted: &BoardFilter,
    json: bool,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    settings::load(home)?;
    let games: Vec<&'static dyn AnyGame> = match wanted.game {
        Some(game) => {
            vec![game_tools::parse_game(&[game.to_owned()]).map_err(CommandError::Usage)?.0]
        }
        None => GAMES.to_vec(),
    };
    let player = wanted.player.map(userid_of).transpose()?;
    let ids = {
        let store = home::read(home)?;
        match &player {
            Some(player) => of_player(&*store, player, &games, wanted.in_play)?,
            None => of_games(&*store, &games, wanted.in_play)?,
        }
    };
    let mut rows = RowWriter::new(json, machine.out);
    let mut exit = Exit::Done;
    for ids in ids.chunks(home::MAX_READ_AT_ONCE) {
        let store = home::read(home)?;
        let read = |id: &BoardId| row(&*store, *id, wanted.in_play);
        let found = ids.iter().filter_map(|id| read(id).transpose());
        let found: Vec<(ListRow, bool)> = found.collect::<Result<_, _>>()?;
        drop(store);
        for (row, is_whole) in found {
            rows.write(&row)?;
            if !is_whole {
                exit = Exit::Refused;
            }
        }
    }
    rows.end()?;
    Ok(exit)
}

/// Returns the boards of a player, by game and number.
fn of_player(
    store: &dyn OpenHome,
    player: &UserId,
    games: &[&'static dyn AnyGame],
    in_play: bool,
) -> Result<Vec<BoardId>, CommandError> {
    let user = existing_user(store, player)?;
    let over = user.finished.iter().filter(|_| !in_play);
    let mut ids: Vec<BoardId> = user.active.iter().chain(over).copied().collect();
    let place = |id: &BoardId| games.iter().position(|game| game.spec().name == id.game);
    ids.retain(|id| place(id).is_some());
    ids.sort_by_key(|id| (place(id), id.number));
    Ok(ids)
}

/// Returns the boards of some games. For `in_play`, boards that the index knows to be over are left
/// out without reading them.
fn of_games(
    store: &dyn OpenHome,
    games: &[&'static dyn AnyGame],
    in_play: bool,
) -> Result<Vec<BoardId>, CommandError> {
    let mut ids = Vec::new();
    for game in games.iter().map(|game| game.spec().name) {
        let wakeups = store.wakeups(game)?;
        let is_over = |number: u32| wakeups.board(number) == Some(Time::NEVER);
        let keys = store.keys(DocumentKind::Boards(game))?;
        let numbers = keys.iter().filter_map(|key| match key {
            Key::Board(_, number) => Some(*number),
            _ => None,
        });
        let numbers = numbers.filter(|number| !in_play || !is_over(*number));
        ids.extend(numbers.map(|number| BoardId { game, number }));
    }
    Ok(ids)
}

/// Returns the row of a board, and whether the board can be read. None if the board is filtered
/// out.
fn row(
    store: &dyn OpenHome,
    id: BoardId,
    in_play: bool,
) -> Result<Option<(ListRow, bool)>, CommandError> {
    match read_board(store, id) {
        Ok(board) => {
            let board = board.filter(|board| !in_play || !board.is_over());
            Ok(board.map(|board| (of_board(&board), true)))
        }
        Err(RepairError::Refused(OperatorRefusal::Damaged { file, why })) => {
            let json = json!({ "game": id.game, "board": id.number, "damaged": why });
            let line = short_text(&format!("{id}  {file} cannot be read: {why}"));
            Ok(Some((ListRow { line, json }, false)))
        }
        Err(trouble) => Err(trouble.into()),
    }
}

fn of_board(board: &Board) -> ListRow {
    let mut json = reply::board_summary(board);
    json["started"] = json!(board.started);
    json["ended"] = json!(board.ended_at());
    json["waits_since"] = json!((!board.is_over()).then(|| board.waits_since()));
    ListRow { line: reply::operator::board_line(board), json }
}
