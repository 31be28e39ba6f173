//! Compares the lists of finished boards with the boards, and makes the lists of a home of an earlier
//! version.

use super::{HomeCheck, Versioned};
use crate::base::progress::Progress;
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::document::Document as _;
use crate::model::finished_boards::{FinishedBoard, FinishedBoards, FinishedPart, build};
use crate::store::{DocumentChange, DocumentKind, Documents, Fault, Key, Store, Transaction};
use std::collections::HashMap;

/// The number of parts that are committed at once.
const BATCH: usize = 500;

/// Compares the list of a game with the boards that should be in it. `is_begun` says whether the game
/// has boards.
pub(super) fn compare(
    game: &'static str,
    mut should: Vec<FinishedBoard>,
    is_begun: bool,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let Some(latest) = read_part(FinishedPart::latest(game), home)? else { return Ok(()) };
    let mut versions = HashMap::from([(FinishedPart::latest(game).key(), latest.version)]);
    let is_missing = latest.content.is_none();
    let latest = latest.content.unwrap_or_default();
    let mut found = latest.boards().to_vec();
    for page in (0..latest.pages()).map(|page| FinishedPart::page(game, page)) {
        let Some(Versioned { content, version }) = read_part(page, home)? else { return Ok(()) };
        versions.insert(page.key(), version);
        found.extend_from_slice(content.unwrap_or_default().boards());
    }
    found.sort_unstable();
    should.sort_unstable();
    if is_missing && is_begun {
        home.note_mended(format!("there is no list of the finished boards of {game}"));
    } else if found != should {
        home.note_mended(format!(
            "the list of the finished boards of {game} differs from the boards"
        ));
    } else {
        return Ok(());
    }
    for (key, part) in build(game, should) {
        let was = match versions.get(&key) {
            Some(version) => *version,
            None => home.store.load_lossy(&key)?.version,
        };
        home.report.repair.changes.push(DocumentChange { key, was, text: part.to_text() });
    }
    Ok(())
}

/// Reads a part of a list, or reports its damage.
fn read_part(
    part: FinishedPart,
    home: &mut HomeCheck,
) -> Result<Option<Versioned<Option<FinishedBoards>>>, Fault> {
    home.find(&part.key(), |text| FinishedBoards::from_text(&part, text))
}

/// Returns a game that has boards and no list of those that are finished, as in a home that an earlier
/// version made.
///
/// # Errors
/// The machine failed.
pub fn find_unlisted_game(documents: &dyn Documents) -> Result<Option<&'static str>, Fault> {
    for game in games::names() {
        let has = |key: &Key| documents.load_lossy(key).map(|document| document.text.is_some());
        if has(&Key::Board(game, 1))? && !has(&FinishedPart::latest(game).key())? {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// Lists the finished boards of each game that has no list of them. The latest boards are committed
/// last, so if this is interrupted, it can be repeated. Returns the number of boards.
///
/// # Errors
/// The machine failed.
pub fn list_finished(
    store: &mut dyn Store,
    now: Time,
    progress: &dyn Progress,
) -> Result<usize, Fault> {
    let mut count = 0;
    for game in games::names() {
        let keys = store.keys(DocumentKind::Boards(game))?;
        if keys.is_empty() || store.load_lossy(&FinishedPart::latest(game).key())?.text.is_some() {
            continue;
        }
        progress.expects(keys.len());
        let mut boards = Vec::new();
        for key in &keys {
            progress.advances(1);
            let text = store.load_lossy(key)?.text;
            // `check` reports a board that cannot be read.
            let board = text.and_then(|text| Board::read(&text).ok());
            let is_there = |board: &Board| *key == Key::Board(board.id.game, board.id.number);
            boards.extend(board.filter(is_there).as_ref().and_then(FinishedBoard::of));
        }
        count += boards.len();
        let parts: Vec<_> = build(game, boards).into_iter().collect();
        for batch in parts.chunks(BATCH) {
            let change = |(key, part): &(Key, FinishedBoards)| {
                let (key, text) = (key.clone(), part.to_text());
                Ok(DocumentChange { was: store.load_lossy(&key)?.version, key, text })
            };
            let changes = batch.iter().map(change).collect::<Result<_, Fault>>()?;
            store.commit(Transaction { changes, at: now, ..Transaction::default() })?;
        }
    }
    Ok(count)
}
