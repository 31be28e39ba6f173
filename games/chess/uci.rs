//! Questions in the Universal Chess Interface (Meyer-Kahlen and Huber, *Description of the universal chess
//! interface*, 2006).

use super::{ChessMove, Position, notation};
use crate::kit::{EngineMove, EngineQuestion, Entry, Game, Next, Transcript, apply_entry};

/// Returns the question at the end of a record: a position, and the moves since that cannot be repeated
/// across it. A draw is claimed by players alone.
pub(super) fn question(record: &Transcript) -> Option<EngineQuestion> {
    let mut position = Position::setup(&record.options);
    let (mut begin, mut moves) = (position.clone(), Vec::new());
    for entry in &record.record {
        let written = match entry {
            Entry::Moved { text, .. } => coordinates(&position.read_recorded(text).ok()?),
            _ => None,
        };
        apply_entry(&mut position, entry).ok()?;
        if let Some(written) = written.filter(|_| position.past.quiet > 0) {
            moves.push(written);
        } else {
            (begin, moves) = (position.clone(), Vec::new());
        }
    }
    if !matches!(position.next(), Next::Move(_)) {
        return None;
    }
    let moves =
        if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    let setup = vec![
        format!("setoption name UCI_Chess960 value {}", position.is_960),
        format!("position fen {}{moves}", notation::fen(&begin)),
    ];
    Some(EngineQuestion { setup, ask: "go".into(), read })
}

/// Writes a move by its squares: `e7e8q`. A king castles by its own move, in Chess960 onto its rook.
fn coordinates(m: &ChessMove) -> Option<String> {
    let ChessMove::Man { m, path: [from, to], .. } = m else { return None };
    let promotion = m.promotion.map_or_else(String::new, |piece| piece.to_string());
    Some(format!("{from}{to}{promotion}"))
}

/// Reads `e2e4 ponder e7e5`. Without a legal move programs say `(none)` or `0000`.
fn read(answer: &str) -> Option<EngineMove> {
    let word = answer.split_ascii_whitespace().next()?;
    (!["(none)", "0000", "NULL"].contains(&word)).then(|| EngineMove::Move(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fixtures::options;
    use crate::kit::sgf::tests::of_moves;

    fn record(words: &[&str], moves: &str) -> Transcript {
        of_moves(options::<Position>(words), moves)
    }

    #[test]
    fn a_question_has_the_moves_since_the_last_one_that_is_not_repeated() {
        let setup = |options: &[&str], moves| question(&record(options, moves)).unwrap().setup;
        let start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let usual = "setoption name UCI_Chess960 value false";
        assert_eq!(setup(&[], ""), [usual, start]);
        assert_eq!(setup(&[], "Nf3 Nf6 Ng1"), [usual, &format!("{start} moves g1f3 g8f6 f3g1")]);
        let castled = "position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2 \
                       moves g1f3 b8c6 f1c4 f8c5 e1g1";
        assert_eq!(setup(&[], "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O")[1], castled);
        let setup = setup(&["start=518"], "Nf3");
        assert_eq!(setup[0], usual, "the usual start is number 518");
        let other = question(&record(&["start=0"], "")).unwrap().setup;
        assert_eq!(other[0], "setoption name UCI_Chess960 value true");
    }

    #[test]
    fn nobody_is_asked_when_a_game_is_over_or_its_start_not_drawn() {
        assert!(question(&record(&[], "f3 e5 g4 Qh4#")).is_none());
        assert!(question(&record(&["960"], "")).is_none());
        assert!(question(&record(&[], "e5")).is_none(), "this record is none");
    }

    #[test]
    fn an_answer_without_a_move_is_none() {
        for none in ["", " ", "(none)", "0000 ponder 0000"] {
            assert_eq!(read(none), None, "{none:?}");
        }
        assert_eq!(read(" e7e8q ponder a1a2"), Some(EngineMove::Move("e7e8q".into())));
    }
}
