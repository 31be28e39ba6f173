//! Lists of boards: the finished boards of a game, and the boards of a player. A reader sees only the
//! boards that they may see, and learns nothing of how many others there are.

use super::cursor::Cursor;
use super::{PAGE_SIZE, choice};
use crate::base::ids::{BoardId, UserId};
use crate::model::board::Board;
use crate::model::finished_boards::{FinishedBoard, FinishedBoards, FinishedPart};
use crate::model::user::User;
use crate::model::world::{board_key, user_key};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::SiteReader;
use std::collections::HashSet;

/// The limit on boards that are loaded for one part of a list.
pub(crate) const MAX_LOADED: usize = 200;

/// The number of boards that are loaded at once.
const BATCH: usize = 25;

/// The limit on parts of a game's list of finished boards that are read for one page.
const MAX_PARTS: usize = 20;

/// The wanted part of a list of boards, whose first row is the newest board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardStart {
    /// The first rows.
    Newest,
    /// The rows behind this board.
    After(BoardId),
    /// The rows before this board.
    Before(BoardId),
}

/// A part of a list of boards. All of them are loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardPart {
    pub(crate) ids: Vec<BoardId>,
    /// The cursor for the rows before these, if there may be some.
    pub(crate) newer: Option<String>,
    /// The cursor for the rows behind these, if there may be some.
    pub(crate) older: Option<String>,
}

/// The boards of a player in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayerBoards {
    pub(crate) player: UserId,
    pub(crate) is_finished: bool,
    pub(crate) game: Option<&'static str>,
    pub(crate) opponent: Option<UserId>,
}

/// Returns whether the viewer may see a board in a list.
pub(crate) fn is_visible(viewer: Option<&UserId>, board: &Board) -> bool {
    !board.private || viewer.is_some_and(|viewer| board.seat(viewer).is_some())
}

/// Returns the cursor behind a board in a list of boards.
pub(crate) fn cursor(id: BoardId) -> String {
    Cursor { list: "boards".into(), key: i64::from(id.number), name: id.game.into() }.encode()
}

/// Reads a value of the query as a cursor in a list of boards.
fn board_of_cursor(request: &WebRequest, name: &'static str) -> PageResult<Option<BoardId>> {
    let Some(text) = request.query.get(name) else { return Ok(None) };
    let read = || {
        let Cursor { list, key, name } = Cursor::decode(text)?;
        let game = games::names().find(|game| *game == name)?;
        let number = u32::try_from(key).ok().filter(|number| *number > 0)?;
        (list == "boards").then_some(BoardId { game, number })
    };
    read().map(Some).ok_or(PageError::BadQuery(name))
}

impl BoardStart {
    /// Reads the query of a page.
    ///
    /// # Errors
    /// A value is no cursor.
    pub(crate) fn of_page(request: &WebRequest) -> PageResult<Self> {
        let [after, before] = ["after", "before"].map(|name| board_of_cursor(request, name));
        Ok(match (after?, before?) {
            (None, None) => Self::Newest,
            (Some(id), None) => Self::After(id),
            (None, Some(id)) => Self::Before(id),
            (Some(_), Some(_)) => return Err(PageError::BadQuery("before")),
        })
    }

    /// Reads the query of a program.
    ///
    /// # Errors
    /// The value is no cursor.
    pub(crate) fn of_program(request: &WebRequest) -> PageResult<Self> {
        Ok(board_of_cursor(request, "cursor")?.map_or(Self::Newest, Self::After))
    }
}

/// The boards that were found among candidates.
struct FoundBoards {
    ids: Vec<BoardId>,
    /// The candidate behind which the search can continue, if there may be more.
    stopped_at: Option<BoardId>,
}

/// Loads candidates in their order until a page is full of those that are wanted and visible.
fn find_boards(
    reader: &mut SiteReader,
    candidates: impl IntoIterator<Item = BoardId>,
    is_wanted: impl Fn(&Board) -> bool,
) -> PageResult<FoundBoards> {
    let mut candidates = candidates.into_iter();
    let mut ids: Vec<BoardId> = Vec::new();
    let mut stopped_at = None;
    for _ in 0..MAX_LOADED / BATCH {
        let batch: Vec<BoardId> = candidates.by_ref().take(BATCH).collect();
        reader.load_boards(batch.iter().copied())?;
        for id in &batch {
            let Some(board) = reader.world.loaded_board(*id) else { continue };
            if !is_wanted(board) || !is_visible(reader.viewer.as_ref(), board) {
                continue;
            }
            if ids.len() == PAGE_SIZE {
                return Ok(FoundBoards { stopped_at: ids.last().copied(), ids });
            }
            ids.push(*id);
        }
        if batch.len() < BATCH {
            return Ok(FoundBoards { ids, stopped_at: None });
        }
        stopped_at = batch.last().copied();
    }
    Ok(FoundBoards { ids, stopped_at })
}

/// Lists the finished boards of a game that the reader may see, the latest end first.
///
/// # Errors
/// The board of the start is not in the list.
fn finished_of_game(
    reader: &mut SiteReader,
    game: &'static str,
    start: BoardStart,
) -> PageResult<BoardPart> {
    reader.load(&[FinishedPart::latest(game).key()])?;
    match start {
        BoardStart::Newest => {
            let found = ended_before(reader, game, None)?;
            Ok(BoardPart { older: found.stopped_at.map(cursor), ids: found.ids, newer: None })
        }
        BoardStart::After(id) => {
            let end = end_of(reader, game, id)?;
            let found = ended_before(reader, game, Some(end))?;
            let newer = found.ids.first().copied().unwrap_or(id);
            let older = found.stopped_at.map(cursor);
            Ok(BoardPart { ids: found.ids, newer: Some(cursor(newer)), older })
        }
        BoardStart::Before(id) => {
            let end = end_of(reader, game, id)?;
            let found = ended_after(reader, game, end)?;
            let mut ids = found.ids;
            ids.reverse();
            let older = ids.last().copied().unwrap_or(id);
            Ok(BoardPart { newer: found.stopped_at.map(cursor), older: Some(cursor(older)), ids })
        }
    }
}

/// Returns the place of a cursor's board in the list of a game's finished boards. A private board has no
/// place for others.
fn end_of(reader: &mut SiteReader, game: &'static str, id: BoardId) -> PageResult<FinishedBoard> {
    reader.load(&[board_key(id)])?;
    let board = reader.world.loaded_board(id).filter(|_| id.game == game);
    let board = board.filter(|board| is_visible(reader.viewer.as_ref(), board));
    board.and_then(FinishedBoard::of).ok_or(PageError::BadQuery("cursor"))
}

/// Returns the boards of a game that ended last and that the reader may see, at most a page of them.
///
/// # Errors
/// The machine failed.
pub(crate) fn latest_finished(
    reader: &mut SiteReader,
    game: &'static str,
) -> PageResult<Vec<BoardId>> {
    Ok(finished_of_game(reader, game, BoardStart::Newest)?.ids)
}

/// Finds the boards that ended before a place, or the latest, in descending order of their ends.
fn ended_before(
    reader: &mut SiteReader,
    game: &'static str,
    end: Option<FinishedBoard>,
) -> PageResult<FoundBoards> {
    let first = end.map_or(Ok(None), |end| part_of(reader, game, end).map(Some))?;
    let pages = pages(reader, game);
    let until = first.unwrap_or(pages).saturating_add(1);
    let is_before = |ended: &&FinishedBoard| end.is_none_or(|end| **ended < end);
    let mut candidates = Vec::new();
    for part in (0..until).rev().take(MAX_PARTS) {
        let listed = part_boards(reader, game, part)?;
        candidates.extend(listed.iter().rev().filter(is_before).map(|ended| ended.id(game)));
        if candidates.len() > PAGE_SIZE {
            break;
        }
    }
    find_boards(reader, candidates, Board::is_over)
}

/// Finds the boards that ended after a place, in ascending order of their ends.
fn ended_after(
    reader: &mut SiteReader,
    game: &'static str,
    end: FinishedBoard,
) -> PageResult<FoundBoards> {
    let first = part_of(reader, game, end)?;
    let mut candidates = Vec::new();
    for part in (first..=pages(reader, game)).take(MAX_PARTS) {
        let listed = part_boards(reader, game, part)?;
        let after = listed.iter().filter(|ended| **ended > end);
        candidates.extend(after.map(|ended| ended.id(game)));
        if candidates.len() > PAGE_SIZE {
            break;
        }
    }
    find_boards(reader, candidates, Board::is_over)
}

/// Returns the number of pages of a game's list, which is also the number of the part behind them: the
/// latest boards.
fn pages(reader: &SiteReader, game: &'static str) -> u32 {
    let latest = reader.world.finished_part(FinishedPart::latest(game));
    latest.map_or(0, FinishedBoards::pages)
}

/// Returns the boards of a part that the reader may see in a list. So private boards of others are not
/// even read.
fn part_boards(
    reader: &mut SiteReader,
    game: &'static str,
    part: u32,
) -> PageResult<Vec<FinishedBoard>> {
    let is_page = part < pages(reader, game);
    let part = FinishedPart { game, page: is_page.then_some(part) };
    reader.load(&[part.key()])?;
    let viewer = reader.viewer.as_ref().and_then(|viewer| reader.world.user(viewer));
    let is_own = |ended: &FinishedBoard| {
        viewer.is_some_and(|viewer| viewer.finished.contains(&ended.id(game)))
    };
    let listed = reader.world.finished_part(part).map_or(&[][..], FinishedBoards::boards);
    Ok(listed.iter().filter(|ended| !ended.private || is_own(ended)).copied().collect())
}

/// Returns the number of the part in which a place is: the last part that begins before it.
fn part_of(reader: &mut SiteReader, game: &'static str, end: FinishedBoard) -> PageResult<u32> {
    let (mut low, mut high) = (0, pages(reader, game));
    while low < high {
        // The middle is rounded up, because the part at `low` may be the wanted one.
        let middle = high - (high - low) / 2;
        let part = FinishedPart { game, page: (middle < pages(reader, game)).then_some(middle) };
        reader.load(&[part.key()])?;
        let first = reader.world.finished_part(part).and_then(|part| part.boards().first());
        if first.is_some_and(|first| *first <= end) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Ok(low)
}

/// Lists the boards of a player that the reader may see, the newest first: those in progress by their
/// beginning, finished ones by their end. A player without public boards looks like one without boards.
///
/// The list ends where a page would need more than the limit on loaded boards without having found one
/// that the reader may see, because a cursor must not name a private board.
///
/// # Errors
/// There is no such player, or the board of the start is not in the list.
pub(crate) fn boards_of(
    reader: &mut SiteReader,
    wanted: &PlayerBoards,
    start: BoardStart,
) -> PageResult<BoardPart> {
    let candidates = candidates(reader, wanted)?;
    let is_wanted = |board: &Board| {
        board.is_over() == wanted.is_finished
            && wanted.opponent.as_ref().is_none_or(|other| board.seat(other).is_some())
    };
    let next = |found: &FoundBoards| found.stopped_at.and(found.ids.last()).map(|id| cursor(*id));
    let at = |reader: &mut SiteReader, id| place_of(reader, &candidates, id, wanted.is_finished);
    match start {
        BoardStart::Newest => {
            let found = find_boards(reader, candidates.iter().copied(), is_wanted)?;
            Ok(BoardPart { older: next(&found), newer: None, ids: found.ids })
        }
        BoardStart::After(id) => {
            let from = at(reader, id)?.behind;
            let found = find_boards(reader, candidates[from..].iter().copied(), is_wanted)?;
            let newer = found.ids.first().copied().unwrap_or(id);
            Ok(BoardPart { older: next(&found), newer: Some(cursor(newer)), ids: found.ids })
        }
        BoardStart::Before(id) => {
            let until = at(reader, id)?.first;
            let newer = candidates[..until].iter().rev().copied();
            let found = find_boards(reader, newer, is_wanted)?;
            let newer = next(&found);
            let mut ids = found.ids;
            ids.reverse();
            let older = ids.last().copied().unwrap_or(id);
            Ok(BoardPart { newer, older: Some(cursor(older)), ids })
        }
    }
}

/// Lists the finished boards of a game, or of a player in it; `None` if there is no such player.
///
/// # Errors
/// The start is not in the list.
pub(crate) fn finished(
    reader: &mut SiteReader,
    game: &'static str,
    player: &str,
    start: BoardStart,
) -> PageResult<Option<BoardPart>> {
    if player.is_empty() {
        return finished_of_game(reader, game, start).map(Some);
    }
    let Some(player) = UserId::parse(player) else { return Ok(None) };
    let wanted = PlayerBoards { player, is_finished: true, game: Some(game), opponent: None };
    match boards_of(reader, &wanted, start) {
        Err(PageError::NotFound) => Ok(None),
        part => part.map(Some),
    }
}

/// The states of boards, as addresses name them.
const STATES: [(&str, bool); 2] = [("finished", true), ("active", false)];

/// The wanted boards of a player, as the query names them.
#[derive(Clone, Debug)]
pub(crate) struct BoardsQuery {
    pub(crate) is_finished: bool,
    pub(crate) game: Option<&'static str>,
    /// The opponent as typed.
    pub(crate) opponent: String,
}

impl BoardsQuery {
    /// Reads a query.
    ///
    /// # Errors
    /// The state or the game is not known.
    pub(crate) fn read(request: &WebRequest) -> PageResult<Self> {
        let is_finished = choice(request, "state", &STATES)?.unwrap_or(true);
        let game = request.query_value("game").map(|name| {
            games::names().find(|game| *game == name).ok_or(PageError::BadQuery("game"))
        });
        let opponent = request.query_value("opponent").unwrap_or_default().trim().to_owned();
        Ok(Self { is_finished, game: game.transpose()?, opponent })
    }

    /// Lists the boards of a player. With an opponent who cannot exist, because the text is no userid, the
    /// list is empty.
    ///
    /// # Errors
    /// There is no such player, or the start is not in the list.
    pub(crate) fn boards(
        &self,
        reader: &mut SiteReader,
        player: &UserId,
        start: BoardStart,
    ) -> PageResult<BoardPart> {
        let opponent = UserId::parse(&self.opponent);
        let is_impossible = opponent.is_none() && !self.opponent.is_empty();
        let (player, is_finished, game) = (player.clone(), self.is_finished, self.game);
        let part = boards_of(reader, &PlayerBoards { player, is_finished, game, opponent }, start)?;
        Ok(if is_impossible { BoardPart::default() } else { part })
    }
}

/// Returns the boards of a player's list among which the wanted ones are, the newest first. With an
/// opponent, boards that are not in both lists are left out.
fn candidates(reader: &mut SiteReader, wanted: &PlayerBoards) -> PageResult<Vec<BoardId>> {
    let PlayerBoards { player, is_finished, game, opponent } = wanted;
    let keys: Vec<_> = std::iter::once(player).chain(opponent).map(user_key).collect();
    reader.load(&keys)?;
    let world = &reader.world;
    let boards = |user| boards_in(user, *is_finished);
    let own = boards(world.user(player).ok_or(PageError::NotFound)?);
    // The program has no list of its boards.
    let other = opponent.as_ref().filter(|other| world.level(other).is_none());
    let other = other.map(|other| world.unerased_user(other).into_iter().flat_map(boards));
    let shared: Option<HashSet<&BoardId>> = other.map(Iterator::collect);
    let fits = |id: &&BoardId| {
        game.is_none_or(|game| id.game == game)
            && shared.as_ref().is_none_or(|shared| shared.contains(*id))
    };
    Ok(own.iter().rev().filter(fits).copied().collect())
}

/// Returns the finished boards of a user, or those in progress, the oldest first.
pub(crate) fn boards_in(user: &User, is_finished: bool) -> &[BoardId] {
    if is_finished { &user.finished } else { &user.active }
}

/// The place of a board in a list.
struct BoardPlace {
    /// The index of the first board that is not before it.
    first: usize,
    /// The index of the first board behind it.
    behind: usize,
}

/// Returns the place of a board in a list. A board in progress may have ended since the list was read; then
/// its beginning tells where it was. A private board has no place for others, even if it is in the list.
fn place_of(
    reader: &mut SiteReader,
    list: &[BoardId],
    id: BoardId,
    is_finished: bool,
) -> PageResult<BoardPlace> {
    reader.load(&[board_key(id)])?;
    let board = reader.world.loaded_board(id);
    let board = board.filter(|board| is_visible(reader.viewer.as_ref(), board));
    let started = board.ok_or(PageError::BadQuery("cursor"))?.started;
    if let Some(at) = list.iter().position(|other| *other == id) {
        return Ok(BoardPlace { first: at, behind: at + 1 });
    }
    if is_finished {
        return Err(PageError::BadQuery("cursor"));
    }
    let (mut low, mut high) = (0, list.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        reader.load(&[board_key(list[middle])])?;
        let other = reader.world.loaded_board(list[middle]);
        if other.is_some_and(|other| other.started > started) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(BoardPlace { first: low, behind: low })
}
