//! Questions for GNU Backgammon (its manual, chapter "Command reference"): it reads a position by its IDs,
//! and `hint` prints the best play, or what is right with the cube.

use super::{CubePosition, CubeRace, GameStage};
use crate::kit::{EngineMove, EngineQuestion, Game, Next, Seat, Transcript};

/// The words before what is right with the cube.
const CUBE: &str = "Proper cube action:";

/// What keeps the program from rolling, moving and asking back by itself.
const SETTINGS: [&str; 8] = [
    "set confirm new off",
    "set player 0 human",
    "set player 1 human",
    "set automatic bearoff off",
    "set automatic game off",
    "set automatic move off",
    "set automatic roll off",
    "set display off",
];

/// Returns the question at the end of a record. Forced plays, offers to resign, beavers and rolls before which
/// nothing can be done are decided by the game's own program.
pub(super) fn question<R: CubeRace>(record: &Transcript) -> Option<EngineQuestion> {
    let position: CubePosition<R> = record.replay().ok()?;
    if position.resigns.is_some() {
        return None;
    }
    let read: fn(&str) -> Option<EngineMove> = match (position.stage, position.next()) {
        (GameStage::Dice(_), Next::Move(seat)) if position.moves_up_to(2).len() > 1 => {
            if seat == Seat(0) { read_play } else { read_other_play }
        }
        (GameStage::Ready, Next::Ready(..)) if position.may_double().is_ok() => read_double,
        (GameStage::Doubled, Next::Move(_))
            if position.stakes.may_beaver(position.terms).is_ok() =>
        {
            read_answer_or_beaver
        }
        (GameStage::Doubled, Next::Move(_)) => read_answer,
        _ => return None,
    };
    let ids = position.gnubgid();
    let ids = ids.strip_prefix("GNUBGID ").unwrap_or(&ids);
    let beavers = u8::from(position.terms.beavers);
    let setup = SETTINGS.map(String::from).into_iter();
    let setup =
        setup.chain([format!("set beavers {beavers}"), format!("set gnubgid {ids}")]).collect();
    Some(EngineQuestion { setup, ask: "hint 1".into(), read })
}

/// Reads the first play: `    1. Cubeful 2-ply    13/11(2) 6/4(2)              Eq.: +0.333`.
fn read_play(answer: &str) -> Option<EngineMove> {
    let line = answer.lines().find_map(|line| line.trim_start().strip_prefix("1. "))?;
    let (before, _) = line.split_once("Eq.:")?;
    let (_, play) = before.split_once("-ply")?;
    let play = play.trim();
    (!play.is_empty()).then(|| EngineMove::Move(play.to_owned()))
}

/// Reads the first play of seat 1, whose points the program numbers from its own side, and the record from the other.
fn read_other_play(answer: &str) -> Option<EngineMove> {
    let EngineMove::Move(play) = read_play(answer)? else { return None };
    let point = |written: &str| {
        let digits = written.trim_end_matches('*');
        match digits.parse() {
            Ok(own @ 1..=24_u8) => written.replace(digits, &(25 - own).to_string()),
            _ => written.to_owned(),
        }
    };
    let way = |way: &str| way.split('/').map(point).collect::<Vec<_>>().join("/");
    // The number in parentheses counts men.
    let steps = play.split_whitespace().map(|step| match step.split_once('(') {
        Some((points, count)) => format!("{}({count}", way(points)),
        None => way(step),
    });
    Some(EngineMove::Move(steps.collect::<Vec<_>>().join(" ")))
}

/// Returns what is right with the cube: of the side that may double, and of the other one.
fn cube_action(answer: &str) -> Option<(&str, &str)> {
    let line = answer.lines().find_map(|line| line.trim().strip_prefix(CUBE))?;
    // A percentage may follow in parentheses.
    let line = line.split('(').next()?.trim();
    Some(line.split_once(", ").unwrap_or((line, "take")))
}

fn word(text: &str) -> EngineMove {
    EngineMove::Move(text.into())
}

/// Reads `Double, take`, `Redouble, pass`, `No double, take`, `Too good to double, pass`.
fn read_double(answer: &str) -> Option<EngineMove> {
    let (action, _) = cube_action(answer)?;
    let doubles = action.starts_with("Double") || action.starts_with("Redouble");
    Some(word(if doubles { "double" } else { "roll" }))
}

fn read_answer(answer: &str) -> Option<EngineMove> {
    let (_, reply) = cube_action(answer)?;
    Some(word(if reply.starts_with("pass") { "drop" } else { "take" }))
}

fn read_answer_or_beaver(answer: &str) -> Option<EngineMove> {
    let (_, reply) = cube_action(answer)?;
    if reply.starts_with("beaver") { Some(word("beaver")) } else { read_answer(answer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_DOUBLE: &str = "Cube analysis\n1. No double           +0.084\n\
                             Proper cube action: No double, beaver (23.1%)\n\n";

    #[test]
    fn the_best_play_is_read() {
        let play = "    1. Cubeful 0-ply    13/11(2) 6/4(2)              Eq.: +0.333\n\
                       0.578 0.190 0.014 - 0.422 0.116 0.004\n";
        assert_eq!(read_play(play), Some(word("13/11(2) 6/4(2)")));
        let turned = read_other_play(&play.replace("13/11(2) 6/4(2)", "bar/24*/18(2) 2/1* 3/off"));
        assert_eq!(turned, Some(word("bar/1*/7(2) 23/24* 22/off")));
        for none in ["", "1. ", "1. Cubeful", "1. Cubeful 0-ply  Eq.: 1", NO_DOUBLE] {
            assert_eq!(read_play(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_right_with_the_cube_is_read_for_both_sides() {
        let said = |action: &str| format!("x\nProper cube action: {action}\n");
        for (action, double, answer) in [
            ("Double, take", "double", "take"),
            ("Redouble, pass", "double", "drop"),
            ("No double, take (12.0%)", "roll", "take"),
            ("Too good to double, pass (3.1%)", "roll", "drop"),
            ("Optional double, take", "roll", "take"),
            ("No double, beaver (23.1%)", "roll", "take"),
        ] {
            let said = said(action);
            assert_eq!(read_double(&said), Some(word(double)), "{action}");
            assert_eq!(read_answer(&said), Some(word(answer)), "{action}");
        }
        assert_eq!(read_answer_or_beaver(NO_DOUBLE), Some(word("beaver")));
        assert_eq!(read_double("nothing"), None);
    }
}
