//! Replaces a board in a draft, with the lists and ratings that follow from it.

use super::draft::RepairDraft;
use super::{RepairError, is_program};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::document::Document as _;
use crate::model::finished_boards::{FinishedBoard, FinishedBoards, FinishedPart};
use crate::model::program;
use crate::model::user::{self, User};
use crate::model::world::board_key;
use crate::refusal::{OperatorRefusal, TextError};
use crate::store::{DocumentKind, DocumentVersion, Documents as _};

/// The effects of a replaced board on ratings.
pub(super) struct RatingUpdate {
    /// How many other boards changed.
    pub(super) rerated: usize,
    /// Why the ratings were not recomputed, if they were not.
    pub(super) unrated: Option<String>,
}

/// Replaces a board, and updates the lists of its players and the ratings of its game.
pub(super) fn replace_board(
    draft: &mut RepairDraft,
    was: Option<&Board>,
    version: DocumentVersion,
    mut board: Board,
    now: Time,
) -> Result<RatingUpdate, RepairError> {
    let id = board.id;
    if let BoardStatus::ToMove(seat) = board.status()
        && is_program(draft, &board, seat)?
    {
        let why = "it would be the move of the program, which moves only when somebody else has";
        return Err(OperatorRefusal::NoGoodBoard(vec![TextError::of_all(why)]).into());
    }
    let in_play = !board.is_over();
    let mut faults = correct_users(draft, &mut board, in_play)?;
    if faults.len() > 1 {
        let lines = faults.iter().map(|fault| TextError::of_all(fault.to_string()));
        return Err(OperatorRefusal::NoGoodBoard(lines.collect()).into());
    }
    if let Some(fault) = faults.pop() {
        return Err(fault.into());
    }
    relist(draft, was, &board)?;
    relist_finished(draft, was, &board)?;
    let game = board.rated_game();
    let stays = was.is_some_and(|was| {
        was.rated_game() == game
            && was.rated == board.rated
            && was.players == board.players
            && was.rated.is_some() == game.is_some()
    });
    if game.is_none() {
        board.rated = None;
    }
    draft.put_over(board_key(id), version, board.write());
    if stays {
        return Ok(RatingUpdate { rerated: 0, unrated: None });
    }
    match draft.rate_anew(id, now) {
        Ok(rerated) => Ok(RatingUpdate { rerated, unrated: None }),
        Err(RepairError::Unrated(line)) => Ok(RatingUpdate { rerated: 0, unrated: Some(line) }),
        Err(trouble) => Err(trouble),
    }
}

/// Corrects the spelling of the players and observers of a board. Returns why some of them cannot
/// be there, or cannot go on playing if the board is in play.
pub(super) fn correct_users(
    draft: &RepairDraft,
    board: &mut Board,
    in_play: bool,
) -> Result<Vec<OperatorRefusal>, RepairError> {
    let (id, players) = (board.id, board.players.len());
    let mut faults = Vec::new();
    for (index, user) in board.players.iter_mut().chain(&mut board.observers).enumerate() {
        let program = || program::user(user).filter(|_| index < players).cloned();
        let Some(known) = draft.user(user)?.or_else(program) else {
            faults.push(OperatorRefusal::UnknownPlayer { board: id, user: user.clone() });
            continue;
        };
        if let Some(new) = known.renamed {
            faults.push(OperatorRefusal::Renamed { old: known.id, new });
            continue;
        }
        if known.left.is_some() && index < players && in_play {
            faults.push(OperatorRefusal::PlayerHasLeft { board: id, user: known.id.clone() });
        }
        *user = known.id;
    }
    Ok(faults)
}

/// Puts a board into the right lists of its players, and takes it out of all others.
fn relist(draft: &mut RepairDraft, was: Option<&Board>, board: &Board) -> Result<(), RepairError> {
    let id = board.id;
    let mut users: Vec<UserId> = match was {
        Some(was) => was.players.to_vec(),
        // The old board cannot be read, so anybody may have played on it.
        None => users_listing(draft, id)?,
    };
    users.extend(board.players.iter().cloned());
    for name in users {
        let Some(mut user) = draft.user(&name)? else { continue };
        let before = user.clone();
        let plays = board.seat(&name).is_some();
        let over = board.is_over();
        for (list, should) in
            [(&mut user.active, plays && !over), (&mut user.finished, plays && over)]
        {
            let has = list.contains(&id);
            if has && !should {
                list.retain(|other| *other != id);
            } else if should && !has {
                // Boards of a game are sorted by number; finished boards by their end.
                let behind = |other: &BoardId| other.game == id.game && other.number > id.number;
                let at = list.iter().position(behind).filter(|_| !over);
                list.insert(at.unwrap_or(list.len()), id);
            }
        }
        if let Some(by) = board.challenger.filter(|by| *board.player(*by) == name) {
            let is_open = !over && !board.has_moved(by.other());
            for challenge in user.challenges.iter_mut().filter(|of| of.board == id) {
                challenge.answered = !is_open;
            }
        }
        if user != before {
            draft.put_user(&user)?;
        }
    }
    Ok(())
}

/// Puts a board into the list of its game's finished boards, if it is over, and takes it out otherwise.
fn relist_finished(
    draft: &mut RepairDraft,
    was: Option<&Board>,
    board: &Board,
) -> Result<(), RepairError> {
    let (game, should) = (board.id.game, FinishedBoard::of(board));
    if was.is_some_and(|was| FinishedBoard::of(was) == should) {
        return Ok(());
    }
    // `upgrade` makes the list of an earlier version's home.
    let latest_part = FinishedPart::latest(game);
    let Some(mut latest) = draft.document::<FinishedBoards>(&latest_part)? else { return Ok(()) };
    if was.is_none_or(Board::is_over) && !latest.remove(board.id.number) {
        for part in (0..latest.pages()).rev().map(|page| FinishedPart::page(game, page)) {
            let Some(mut page) = draft.document::<FinishedBoards>(&part)? else { continue };
            if page.remove(board.id.number) {
                draft.put(part.key(), page.to_text())?;
                break;
            }
        }
    }
    let next = latest.next_page(game);
    let full = should.and_then(|ended| latest.add(ended));
    if let (Some(part), Some(page)) = (next, full) {
        draft.put(part.key(), page.to_text())?;
    }
    Ok(draft.put(latest_part.key(), latest.to_text())?)
}

/// Returns the users who have a board in their lists.
fn users_listing(draft: &RepairDraft, id: BoardId) -> Result<Vec<UserId>, RepairError> {
    let mut found = Vec::new();
    for key in draft.keys(DocumentKind::In(user::COLLECTION))? {
        // A damaged file has no list to update.
        let Ok(Some(text)) = draft.text(&key) else { continue };
        if let Ok(user) = User::read(&text)
            && (user.active.contains(&id) || user.finished.contains(&id))
        {
            found.push(user.id);
        }
    }
    Ok(found)
}
