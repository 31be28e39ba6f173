//! Questions in the Go Text Protocol (Farnebäck, *Specification of the Go Text Protocol, version 2*, 2002).

use super::{GoMove, Position};
use crate::kit::apply_entry;
use crate::kit::{EngineMove, EngineQuestion, Entry, Game, Next, Seat, Transcript, Values};

/// The colours of the sides.
const COLOURS: [&str; 2] = ["b", "w"];

/// Returns the question at the end of a record: all its moves, since the superko rule looks at all boards.
/// Dead stones are marked by the game's own program.
pub(super) fn question(record: &Transcript) -> Option<EngineQuestion> {
    let mut position = Position::setup(&record.options);
    let komi = Values::of_halves(position.komi);
    let mut setup = vec![
        format!("boardsize {}", position.board.size()),
        "clear_board".into(),
        format!("komi {komi}"),
    ];
    let stones = position.board.points().filter(|point| position.board.at(*point).is_some());
    setup.extend(stones.map(|point| play(Seat(0), &GoMove::Stone(point).to_string())));
    for entry in &record.record {
        if let Entry::Moved { seat, text, .. } = entry
            && matches!(position.read_recorded(text).ok()?, GoMove::Stone(_) | GoMove::Pass)
        {
            setup.push(play(*seat, text));
        }
        apply_entry(&mut position, entry).ok()?;
    }
    let Next::Move(seat) = position.next() else { return None };
    let ask = format!("genmove {}", COLOURS[seat.index()]);
    position.scoring.is_none().then_some(EngineQuestion { setup, ask, read })
}

fn play(seat: Seat, text: &str) -> String {
    format!("play {} {text}", COLOURS[seat.index()])
}

/// Reads a vertex, `pass` or `resign`.
fn read(answer: &str) -> Option<EngineMove> {
    match &*answer.trim().to_ascii_lowercase() {
        "" => None,
        "resign" => Some(EngineMove::Resign),
        vertex => Some(EngineMove::Move(vertex.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Choices;

    fn asked(options: &[&str], moves: &str) -> Option<EngineQuestion> {
        let spec = Position::SPEC;
        let options =
            Choices::parse(spec.options, spec.exclusive, options.iter().copied()).unwrap();
        let first = usize::from(options.has("handicap"));
        let seats = Seat::BOTH.into_iter().cycle().skip(first);
        let record = moves.split_whitespace().zip(seats);
        let record = record
            .map(|(text, seat)| Entry::Moved { seat, text: text.into(), auto: false })
            .collect();
        question(&Transcript {
            players: ["a", "b"].map(String::from),
            options,
            record,
            ending: None,
        })
    }

    #[test]
    fn a_question_has_the_handicap_and_all_moves() {
        let asked = asked(&["size=9", "handicap=2"], "e5 pass j1").unwrap();
        let setup = [
            "boardsize 9",
            "clear_board",
            "komi 0.5",
            "play b c3",
            "play b g7",
            "play w e5",
            "play b pass",
            "play w j1",
        ];
        assert_eq!((asked.setup, &*asked.ask), (setup.map(String::from).to_vec(), "genmove b"));
    }

    #[test]
    fn dead_stones_are_no_question() {
        assert!(asked(&["size=5"], "c3 pass").is_some());
        assert!(asked(&["size=5"], "c3 pass pass").is_none());
    }

    #[test]
    fn an_answer_is_a_point_a_pass_or_the_end() {
        assert_eq!(read(" E5 "), Some(EngineMove::Move("e5".into())));
        assert_eq!(read("PASS"), Some(EngineMove::Move("pass".into())));
        assert_eq!((read("resign"), read(" ")), (Some(EngineMove::Resign), None));
    }
}
