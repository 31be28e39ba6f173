//! A board is put in the place of another one, and what follows from it is brought right.

use super::draft::RepairDraft;
use super::{RepairError, plays};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::program;
use crate::model::user::{self, User};
use crate::model::world::board_key;
use crate::refusal::{OperatorRefusal, TextFault};
use crate::store::{DocumentKind, DocumentVersion, Documents as _};

/// The results of a change of a board.
pub(super) struct RerateResult {
    /// Other boards whose effects on ratings have changed.
    pub(super) rerated: usize,
    /// Why ratings were left as they are, if they were.
    pub(super) unrated: Option<String>,
}

/// Puts a board in the place of another one, and brings everything right that follows from it: the
/// lists of its players, and the ratings of its game.
pub(super) fn settle(
    draft: &mut RepairDraft,
    was: Option<&Board>,
    version: DocumentVersion,
    mut board: Board,
    now: Time,
) -> Result<RerateResult, RepairError> {
    let id = board.id;
    if let BoardStatus::ToMove(seat) = board.status()
        && plays(draft, &board, seat)?
    {
        let why = "it would be the move of the program, which moves only when somebody else has";
        return Err(OperatorRefusal::NoGoodBoard(vec![TextFault::of_all(why)]).into());
    }
    let in_play = !board.is_over();
    let mut faults = name_users(draft, &mut board, in_play)?;
    if faults.len() > 1 {
        let lines = faults.iter().map(|fault| TextFault::of_all(fault.to_string()));
        return Err(OperatorRefusal::NoGoodBoard(lines.collect()).into());
    }
    if let Some(fault) = faults.pop() {
        return Err(fault.into());
    }
    relist(draft, was, &board)?;
    let counts = |board: &Board| Some((board.scores()?, board.ended_at()?));
    let stays = was.is_some_and(|was| {
        counts(was) == counts(&board)
            && was.rated == board.rated
            && was.players == board.players
            && was.rated.is_some() == counts(was).is_some()
    });
    if counts(&board).is_none() {
        board.rated = None;
    }
    draft.put_over(board_key(id), version, board.write());
    if stays {
        return Ok(RerateResult { rerated: 0, unrated: None });
    }
    match draft.rate_anew(id, now) {
        Ok(rerated) => Ok(RerateResult { rerated, unrated: None }),
        Err(RepairError::Unrated(line)) => Ok(RerateResult { rerated: 0, unrated: Some(line) }),
        Err(trouble) => Err(trouble),
    }
}

/// Writes the players and observers of a board as they write themselves. Returns why some of them
/// cannot be there, or cannot play on where the board is in play.
pub(super) fn name_users(
    draft: &RepairDraft,
    board: &mut Board,
    in_play: bool,
) -> Result<Vec<OperatorRefusal>, RepairError> {
    let (id, players) = (board.id, board.players.len());
    let mut faults = Vec::new();
    for (index, user) in board.players.iter_mut().chain(&mut board.observers).enumerate() {
        let program = || program::user(user).filter(|_| index < players).cloned();
        let Some(known) = draft.user(user)?.or_else(program) else {
            faults.push(OperatorRefusal::Stranger { board: id, user: user.clone() });
            continue;
        };
        if let Some(new) = known.renamed {
            faults.push(OperatorRefusal::Renamed { old: known.id, new });
            continue;
        }
        if known.left.is_some() && index < players && in_play {
            faults.push(OperatorRefusal::HasLeft { board: id, user: known.id.clone() });
        }
        *user = known.id;
    }
    Ok(faults)
}

/// Puts a board into the right list of each of its players, and out of those of all others.
fn relist(draft: &mut RepairDraft, was: Option<&Board>, board: &Board) -> Result<(), RepairError> {
    let id = board.id;
    let mut users: Vec<UserId> = match was {
        Some(was) => was.players.to_vec(),
        // Nobody knows who played on it.
        None => listing(draft, id)?,
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
                // The oldest of a game come first; what ended last comes last.
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

/// The users who have a board in their lists.
fn listing(draft: &RepairDraft, id: BoardId) -> Result<Vec<UserId>, RepairError> {
    let mut found = Vec::new();
    for key in draft.keys(DocumentKind::In(user::DRAWER))? {
        // A damaged file has no list that could be kept right.
        let Ok(Some(text)) = draft.text(&key) else { continue };
        if let Ok(user) = User::read(&text)
            && (user.active.contains(&id) || user.finished.contains(&id))
        {
            found.push(user.id);
        }
    }
    Ok(found)
}
