//! `board edit`: replaces a board by an edited text.

use super::draft::RepairDraft;
use super::replace_board::{RatingUpdate, correct_users, replace_board};
use super::{Repair, RepairError, finish, rating_summary, read_players, tell, time_off, wake};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::{Board, RecordLine, RewindRecord};
use crate::model::clock::{WaitingTimes, waiting_times};
use crate::model::dice;
use crate::refusal::{OperatorRefusal, TextError};
use crate::reply::BoardNews;
use crate::server::check::{self, FaultyBoard, ProofreadBoard};
use crate::server::{Server, Stages};
use crate::store::{DocumentVersion, Store, StoredDocument};
use games::{Entry, Seat};

/// Replaces a board by a text. `found` is the stored document, `was` its version when the operator
/// began to edit it.
///
/// # Errors
/// The machine failed, the board was changed meanwhile, or the text is not a valid board.
pub fn edit(
    server: &mut Server,
    store: &dyn Store,
    id: BoardId,
    found: &StoredDocument,
    was: DocumentVersion,
    text: &str,
    now: Time,
) -> Result<Repair, RepairError> {
    let Stages { work, env, .. } = &mut server.stages(store, now);
    let Some(old) = &found.text else { return Err(OperatorRefusal::NoBoard(id).into()) };
    if found.version != was {
        return Err(OperatorRefusal::ChangedWhileEdited(id).into());
    }
    let mut draft = RepairDraft::new(store);
    let mut board = read_edited(text, id, &draft)?;
    let before = Board::read(old).ok().filter(|board| board.id == id);
    dice::mark_edited_rolls(&mut board, before.as_ref(), &env.setup.dice);
    let is_news = before.as_ref().is_none_or(|before| looks_different(before, &board));
    if before.as_ref().is_some_and(|before| waits_differently(before, &board)) {
        restart_turn(&mut board, &draft, now)?;
    }
    let version = found.version;
    let RatingUpdate { rerated, unrated } =
        replace_board(&mut draft, before.as_ref(), version, board, now)?;
    let told = if is_news {
        tell(&draft, id, &BoardNews::OperatorEdited, &[], work, env)?
    } else {
        wake(&draft, id, work, env)?;
        String::new()
    };
    let transaction = finish(draft, work, now);
    if transaction.changes.is_empty() {
        return Ok(Repair { transaction, said: format!("{id}: unchanged\n") });
    }
    env.note(format!("{id}: edited"));
    let unrated = unrated.map_or_else(String::new, |line| {
        format!("ratings are as they were, because {line}; mend that and run `check --repair`\n")
    });
    let said = format!("{id}: edited\n{told}{}{unrated}", rating_summary(id, rerated));
    Ok(Repair { transaction, said })
}

/// Gives the player to move their whole time, and makes replies to earlier mails void.
fn restart_turn(board: &mut Board, draft: &RepairDraft, now: Time) -> Result<(), RepairError> {
    let players = read_players(draft, board)?;
    let entries = board.record.len();
    let WaitingTimes { used, banks, .. } = waiting_times(board, entries, time_off(&players), now);
    let moved = Seat::BOTH.map(|seat| board.had_moved(seat, entries));
    (board.nags, board.rewound) =
        (None, Some(RewindRecord { at: now, entries, used, banks, moved }));
    board.void_replies();
    Ok(())
}

/// Reads a board that an operator has edited, and replays it.
fn read_edited(text: &str, id: BoardId, draft: &RepairDraft) -> Result<Board, RepairError> {
    let FaultyBoard { start, faults } = match check::proofread_file(text) {
        Ok(ProofreadBoard { board, .. }) if board.id == id => return Ok(board),
        Ok(ProofreadBoard { board, .. }) => {
            return Err(OperatorRefusal::OtherBoard { board: id, is: board.id }.into());
        }
        Err(found) => *found,
    };
    let mut told = Vec::new();
    if let Some(mut start) = start {
        if start.id != id {
            return Err(OperatorRefusal::OtherBoard { board: id, is: start.id }.into());
        }
        // The end of the record decides whether the game goes on.
        let strangers = correct_users(draft, &mut start, false)?;
        told.extend(strangers.iter().map(|fault| TextError::of_all(fault.to_string())));
    }
    told.extend(faults.into_iter().map(|damage| TextError {
        line: damage.entry().and_then(|entry| line_of_entry(text, entry)),
        why: damage.to_string(),
    }));
    Err(OperatorRefusal::NoGoodBoard(told).into())
}

/// Returns the line, from 1, on which an entry of the record begins. `entry` is counted from 0.
fn line_of_entry(text: &str, entry: usize) -> Option<usize> {
    let (mut depth, mut entries, mut line) = (0, 0, 1);
    let (mut in_record, mut in_string, mut escaped) = (false, false, false);
    let mut word = String::new();
    for letter in text.chars() {
        line += usize::from(letter == '\n');
        if in_string {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => word.push(letter),
            }
            continue;
        }
        match letter {
            '"' => {
                in_string = true;
                word.clear();
            }
            // A key of the outermost object.
            ':' if depth == 1 => in_record = word == "record",
            '{' | '[' => {
                if letter == '{' && in_record && depth == 2 {
                    if entries == entry {
                        return Some(line);
                    }
                    entries += 1;
                }
                depth += 1;
            }
            '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns whether players see a different board.
fn looks_different(before: &Board, after: &Board) -> bool {
    let seen = |board: &Board| {
        let lines = board.record.iter();
        let record: Vec<Entry> = lines.map(|RecordLine { entry, .. }| entry.clone()).collect();
        (record, board.closing, board.terms, board.offer, board.private)
    };
    let options = |board: &Board| board.options.words().collect::<Vec<_>>();
    before.players.each_ref().map(UserId::as_str) != after.players.each_ref().map(UserId::as_str)
        || seen(before) != seen(after)
        || options(before) != options(after)
}

/// Returns whether a game in progress waits for something else than before.
fn waits_differently(before: &Board, after: &Board) -> bool {
    let record = |board: &Board| board.record.iter().map(|line| line.entry.clone()).collect();
    let (was, is): (Vec<Entry>, Vec<Entry>) = (record(before), record(after));
    !after.is_over() && (before.is_over() || was != is)
}

#[cfg(test)]
mod tests {
    use super::line_of_entry;

    #[test]
    fn the_line_of_an_entry_is_found_however_it_is_written() {
        let text =
            "{\"a\":{\"record\":[{}]},\n\"record\":[{\"x\":\"}{\\\"\"},\n\n{\"at\":\n1},{}]}";
        let lines = [0, 1, 2, 3].map(|entry| line_of_entry(text, entry));
        assert_eq!(lines, [Some(2), Some(4), Some(5), None]);
    }
}
