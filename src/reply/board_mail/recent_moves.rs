//! The latest moves as sentences.

use crate::base::words::{AndList, Plural};
use crate::model::board::{Board, RecordedMove};
use crate::reply::board_mail::names::subject_and_verb;
use crate::reply::board_mail::questions;
use games::{Diagram, Match, Roll, Seat, View};

/// The most turns that are described one by one.
const MAX_TURNS: usize = 4;

/// Returns the latest `made` moves as sentences, consecutive moves of a player in one. Of many turns,
/// the first and the last are described.
pub(crate) fn sentences(board: &Board, made: usize, view: &View) -> Vec<String> {
    let all: Vec<RecordedMove> = board.moves().collect();
    let before = all.len().saturating_sub(made);
    let mut runs: Vec<&[RecordedMove]> = all[before..].chunk_by(is_same_turn).collect();
    // The sentence about the result implies these moves.
    let is_said = |run: &&[RecordedMove]| matches!(&*run[0].text, "drop" | "accept");
    // The question to the reader tells the last move.
    let is_asked = view.seat.is_some_and(|seat| questions::to_answer(board, seat).is_some());
    if is_asked || board.is_over() && runs.last().is_some_and(is_said) {
        runs.pop();
    }
    let tell = |runs: &[&[RecordedMove]]| -> Vec<String> {
        runs.iter().map(|run| turn_sentence(board, run, view)).collect()
    };
    let mut sentences = Vec::from_iter(finished_game(board, before, view.seat));
    match runs.len().checked_sub(MAX_TURNS) {
        None | Some(0) => sentences.extend(tell(&runs)),
        Some(left_out) => {
            sentences.extend(tell(&runs[..1]));
            let more = if left_out == 1 { "turn was" } else { "turns were" };
            sentences.push(format!("{left_out} more {more} played."));
            sentences.extend(tell(&runs[1 + left_out..]));
        }
    }
    sentences
}

/// Returns whether two moves are described in one sentence: both by one player, without a roll
/// between them.
fn is_same_turn(one: &RecordedMove, next: &RecordedMove) -> bool {
    let is_like = if is_word(one) { one.text == next.text } else { !is_word(next) };
    one.seat == next.seat && next.dice.is_none() && one.auto == next.auto && is_like
}

/// Returns whether a move is a word such as `take` and not a play of men.
fn is_word(turn: &RecordedMove) -> bool {
    turn.text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ')
}

fn turn_sentence(board: &Board, run: &[RecordedMove], view: &View) -> String {
    let reader = view.seat;
    let Some(first) = run.first() else { return String::new() };
    let auto = if first.auto { " (auto)" } else { "" };
    if is_word(first) {
        let times = if run.len() > 1 { format!(" {} times", run.len()) } else { String::new() };
        return format!("{}{times}{auto}.", word_sentence(board, first, reader));
    }
    let worded =
        |turn: &RecordedMove| board.game.text_for_viewer(view, turn.seat, turn.text.to_string());
    let played: Vec<String> = run.iter().map(worded).collect();
    let dice = first.dice.map_or_else(String::new, |dice| format!(" with {}", rolled(dice)));
    let did = subject_and_verb(board, first.seat, reader, ["played", "played"]);
    format!("{did} {}{dice}{auto}.", AndList(&played))
}

/// Returns a move that the opponent has to answer, as it follows the player's name.
pub(crate) fn question_of(said: &str) -> Option<String> {
    match said {
        "double" => Some("doubles".into()),
        "redouble" => Some("redoubles".into()),
        "beaver" => Some("beavers".into()),
        _ => said
            .strip_prefix("resign ")
            .map(|stake| format!("offers to resign {}", with_article(stake))),
    }
}

pub(super) fn with_article(stake: &str) -> String {
    match stake {
        "single" => "a single game".to_owned(),
        "oin" => "an oin".to_owned(),
        stake => format!("a {stake}"),
    }
}

/// Returns a move that is a word as a sentence, without the full stop.
fn word_sentence(board: &Board, turn: &RecordedMove, reader: Option<Seat>) -> String {
    let said = match &*turn.text {
        "double" => "doubled",
        "redouble" => "redoubled",
        "take" => "took the double",
        "drop" => "dropped the double",
        "beaver" => "beavered",
        "accept" => "accepted the resignation",
        "reject" => "rejected the resignation",
        "pass" => "passed",
        other => {
            let said = match other.strip_prefix("resign ") {
                Some(stake) => format!("offered to resign {}", with_article(stake)),
                None => format!("said {other}"),
            };
            return subject_and_verb(board, turn.seat, reader, [&said, &said]);
        }
    };
    let dice = turn.dice.map_or_else(String::new, |dice| format!(" with {}", rolled(dice)));
    subject_and_verb(board, turn.seat, reader, [said, said]) + &dice
}

/// Returns dice as people say them, the higher one first: `6-2`, `a 3`.
pub(crate) fn rolled(roll: Roll) -> String {
    match roll {
        Roll::One(die) => format!("a {die}"),
        Roll::Two(one, other) => format!("{}-{}", one.max(other), one.min(other)),
    }
}

/// Returns the result of the game of a match that ended after the first `moves` moves, if one did.
fn finished_game(board: &Board, moves: usize, reader: Option<Seat>) -> Option<String> {
    let now = match_of(&board.position().diagram(&View::default()))?;
    let (winner, points) = now.last.filter(|_| !board.is_over())?;
    let position = board.position_after(moves)?;
    let before = match_of(&position.diagram(&View::default()))?;
    (before.game < now.game).then(|| {
        let points = Plural(usize::try_from(points).unwrap_or(usize::MAX), "point");
        let won = subject_and_verb(board, winner, reader, ["won", "won"]);
        format!("{won} game {} of the match, {points}.", before.game)
    })
}

fn match_of(diagram: &Diagram) -> Option<Match> {
    match diagram {
        Diagram::Points(points) => points.game_of,
        Diagram::Corridor(_) | Diagram::Board(_) => None,
    }
}
