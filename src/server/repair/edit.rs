//! A board is edited.

use super::draft::RepairDraft;
use super::settle::{RerateResult, name_users, settle};
use super::{Repair, RepairError, finish, of_ratings, tell, vacations, wake};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::{Board, RecordLine, RewindRecord};
use crate::model::clock::waited;
use crate::model::dice;
use crate::refusal::{OperatorRefusal, TextFault};
use crate::reply::BoardNews;
use crate::server::Server;
use crate::server::check::{self, FaultyBoard, ProofreadBoard};
use crate::store::{DocumentVersion, Store, StoredDocument};
use games::{Entry, Seat};

/// Replaces a board by a text. `found` is the board's document, `was` what it was when the operator
/// began to edit it.
///
/// # Errors
/// The machine failed, the board was changed meanwhile, or the text is no good board.
pub fn edit(
    server: &mut Server,
    store: &dyn Store,
    id: BoardId,
    found: &StoredDocument,
    was: DocumentVersion,
    text: &str,
    now: Time,
) -> Result<Repair, RepairError> {
    let (batch, _, env) = &mut server.stages(store, now);
    let Some(old) = &found.text else { return Err(OperatorRefusal::NoBoard(id).into()) };
    if found.version != was {
        return Err(OperatorRefusal::Meanwhile(id).into());
    }
    let mut draft = RepairDraft::new(store);
    let mut board = read_whole(text, id, &draft)?;
    let before = Board::read(old).ok().filter(|board| board.id == id);
    dice::mend(&mut board, before.as_ref(), &env.setup.dice);
    let is_news = before.as_ref().is_none_or(|before| looks_different(before, &board));
    if before.as_ref().is_some_and(|before| goes_on_differently(before, &board)) {
        begin_anew(&mut board, &draft, now)?;
    }
    let version = found.version;
    let RerateResult { rerated, unrated } =
        settle(&mut draft, before.as_ref(), version, board, now)?;
    let told = if is_news {
        tell(&draft, id, &BoardNews::Mended, &[], batch, env)?
    } else {
        wake(&draft, id, batch, env)?;
        String::new()
    };
    let transaction = finish(draft, batch, now);
    if transaction.changes.is_empty() {
        return Ok(Repair { transaction, said: format!("{id}: nothing is to be changed\n") });
    }
    env.note(format!("{id}: edited"));
    let unrated = unrated.map_or_else(String::new, |line| {
        format!("ratings are as they were, because {line}; mend that and run `check --repair`\n")
    });
    let said = format!("{id}: edited\n{told}{}{unrated}", of_ratings(id, rerated));
    Ok(Repair { transaction, said })
}

/// The player to move has the whole time for it, and replies to earlier mails are void.
fn begin_anew(board: &mut Board, draft: &RepairDraft, now: Time) -> Result<(), RepairError> {
    let vacations = vacations(draft, board)?;
    let off = vacations.each_ref().map(Vec::as_slice);
    let entries = board.record.len();
    let (used, ..) = waited(board, entries, off, now);
    let moved = Seat::BOTH.map(|seat| board.had_moved(seat, entries));
    (board.nags, board.rewound) = (None, Some(RewindRecord { at: now, entries, used, moved }));
    board.void_replies();
    Ok(())
}

/// A board that an operator wrote, read and replayed with its legal moves listed.
fn read_whole(text: &str, id: BoardId, draft: &RepairDraft) -> Result<Board, RepairError> {
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
        // Whether it is in play shows only at the end of its record.
        let strangers = name_users(draft, &mut start, false)?;
        told.extend(strangers.iter().map(|fault| TextFault::of_all(fault.to_string())));
    }
    told.extend(faults.into_iter().map(|damage| TextFault {
        line: damage.entry().and_then(|entry| line_of_entry(text, entry)),
        why: damage.to_string(),
    }));
    Err(OperatorRefusal::NoGoodBoard(told).into())
}

/// The line, from 1, on which an entry of the record begins, counted from 0.
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
            // A key of the whole file.
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

/// Whether players see another board than before.
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

/// Whether a board in progress waits for something else than before.
fn goes_on_differently(before: &Board, after: &Board) -> bool {
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
