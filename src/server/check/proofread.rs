//! Checks that every entry of a record was legal when it was made.

use crate::model::board::{Board, BoardFile, RecordLine};
use crate::model::document::Damage;
use games::{AnyGame, AnyPosition, Choices, Entry, ReplayError, Setting, replay};

/// A replayed record.
#[derive(Debug, Default)]
pub(super) struct ProofreadRecord {
    /// Entries that were not legal.
    pub(super) faults: Vec<Damage>,
    /// The lines before the first unplayable entry, each play in its standard notation.
    pub(super) lines: Vec<RecordLine>,
    /// The first play that was not in standard notation, with the correction.
    pub(super) respelled: Option<Damage>,
}

/// A board from a file that was edited by hand.
#[derive(Debug)]
pub struct ProofreadBoard {
    /// The board, each play in its standard notation.
    pub board: Board,
    /// The first play that was not in standard notation, with the correction.
    pub respelled: Option<Damage>,
}

/// The mistakes in a file that was edited by hand.
#[derive(Debug)]
pub struct FaultyBoard {
    /// The board before its record, if that can be read.
    pub start: Option<Board>,
    /// All mistakes.
    pub faults: Vec<Damage>,
}

/// Reads a board that was edited by hand. The steps of a play may be in any order.
///
/// # Errors
/// All mistakes in the file. Entries behind an unplayable one are only parsed, not played.
pub fn proofread_file(text: &str) -> Result<ProofreadBoard, Box<FaultyBoard>> {
    let BoardFile { board, record, mut faults } = BoardFile::read(text);
    let faulty = |start, faults| Err(Box::new(FaultyBoard { start, faults }));
    let Some(board) = board else { return faulty(None, faults) };
    let read = proofread(&board, record.iter().map(|(index, line)| (*index, line)));
    faults.extend(read.faults);
    // Mistakes of the whole file come first.
    faults.sort_by_key(Damage::entry);
    if !faults.is_empty() {
        return faulty(Some(board), faults);
    }
    match board.with_record(read.lines.into_iter().map(Ok)) {
        Ok(board) => Ok(ProofreadBoard { board, respelled: read.respelled }),
        Err(damage) => faulty(None, vec![damage]),
    }
}

/// Replays the lines of a record, each with its index from 0, from the start of its board.
pub(super) fn proofread<'a>(
    board: &Board,
    lines: impl IntoIterator<Item = (usize, &'a RecordLine)>,
) -> ProofreadRecord {
    let (mut position, mut read) = (board.start(), ProofreadRecord::default());
    for (place, (index, line)) in lines.into_iter().enumerate() {
        // After a missing line the position is unknown.
        if place < index {
            break;
        }
        let mut line = line.clone();
        let said = |why: String| Damage::in_entry(index, why);
        if let Entry::Moved { seat, text, auto } = &mut line.entry {
            if !position.next().asks(*seat) {
                read.faults.push(said("it was not that side's turn".into()));
                break;
            }
            let forced: Vec<String> =
                if *auto { forced(&*position, board.game).collect() } else { Vec::new() };
            match position.play(text) {
                Err(error) => {
                    read.faults.push(said(format!("{text}: {error}")));
                    break;
                }
                Ok(played) if *auto && !forced.contains(&played) => {
                    read.faults.push(said(format!("{text} was not forced")));
                }
                Ok(played) if played != *text => {
                    let why = format!("{text} should be written {played}");
                    read.respelled.get_or_insert_with(|| said(why));
                    *text = played;
                }
                Ok(_) => {}
            }
        } else if let Err(ReplayError { error, .. }) = replay(&mut *position, [&line.entry]) {
            read.faults.push(said(error.to_string()));
            break;
        }
        read.lines.push(line);
    }
    read
}

/// Returns the moves that may have been made automatically. Settings may have changed since, so all
/// are tried.
fn forced(position: &dyn AnyPosition, game: &dyn AnyGame) -> impl Iterator<Item = String> {
    let settings = game.spec().settings.iter();
    let one = |setting: &'static Setting| Choices::one(&setting.switch, None).ok();
    let each = settings.filter_map(one).chain([Choices::default()]);
    each.filter_map(|settings| position.automatic_move(&settings))
}
