//! The Subjects of mails about a board: they tell what happened, so that a list of mails can be read
//! at a glance. Threads are kept by References, not by equal Subjects.

use crate::base::ids::BoardId;
use crate::mail::subject_readings;
use crate::model::board::{Board, BoardStatus, Proposal};
use crate::reply::board_mail::news::BoardNews;
use crate::reply::board_mail::{offers, questions};
use games::{Outcome, Seat};

/// The longest Subject, columns: RFC 5322 asks for no longer lines.
const WIDTH: usize = 78;

/// What a mail about a board is for, as its Subject says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubjectTopic<'a> {
    /// The state of the board.
    Board,
    /// Something happened, and that seat did it.
    News(&'a BoardNews, Option<Seat>),
    /// A move that waits to be confirmed.
    Submitted,
    /// A reader who lets the board wait.
    Reminder,
}

/// The Subject of a mail about a board to the player of a seat, or to a user who watches.
pub(crate) fn for_board(board: &Board, reader: Option<Seat>, about: SubjectTopic) -> String {
    let title = format!("{} {}", board.game.spec().title, board.id.number);
    let against = match reader {
        Some(seat) if !board.game.spec().manner.solo => {
            format!(" against {}", board.player(seat.other()))
        }
        _ => String::new(),
    };
    let at = format!(" (move {})", board.next_move());
    let (head, tail) = match (about, reader) {
        (SubjectTopic::News(what, Some(by)), reader) if reader != Some(by) => {
            match said(board, what, by) {
                Some(head) => (head, String::new()),
                None => new_or_standing(board, reader, (what, Some(by)), &against, &at),
            }
        }
        (SubjectTopic::News(what, by), reader) => {
            new_or_standing(board, reader, (what, by), &against, &at)
        }
        (SubjectTopic::Submitted, _) => ("Not played yet".into(), against + &at),
        (SubjectTopic::Reminder, Some(seat)) if board.offered_to(seat) == Some(Proposal::Draw) => {
            ("Reminder, a draw is offered".into(), against)
        }
        (SubjectTopic::Reminder, reader) => {
            let head =
                reader.and_then(|seat| asks(board, seat)).map(|did| format!("Reminder, {did}"));
            match head.filter(|head| head.len() + ": ".len() + title.len() <= WIDTH) {
                Some(head) => (head, String::new()),
                None => ("Reminder, your turn".into(), against + &at),
            }
        }
        (SubjectTopic::Board, reader) => state_sentence(board, reader, &against, &at),
    };
    let whole = format!("{head}: {title}{tail}");
    if whole.len() <= WIDTH { whole } else { format!("{head}: {title}") }
}

/// Words or requests of the other player.
fn said(board: &Board, what: &BoardNews, by: Seat) -> Option<String> {
    let who = board.player(by);
    match what {
        BoardNews::Chatted(_) => Some(format!("{who} writes")),
        BoardNews::Offered => Some(format!("{who} {}", offers::asks(board.offer?.what))),
        _ => None,
    }
}

/// What the other player did that the player of a seat has to answer.
fn asks(board: &Board, seat: Seat) -> Option<String> {
    let did = questions::to_answer(board, seat)?;
    Some(format!("{} {did}", board.player(seat.other())))
}

/// A new board is named as such while it goes on.
fn new_or_standing(
    board: &Board,
    reader: Option<Seat>,
    (what, by): (&BoardNews, Option<Seat>),
    against: &str,
    at: &str,
) -> (String, String) {
    match (board.status(), reader) {
        (BoardStatus::ToMove(_), Some(seat)) if is_challenged(what, by, seat) => {
            ("New challenge".into(), against.into())
        }
        (BoardStatus::ToMove(due), Some(seat)) if what.is_new() => {
            let yours = if due == seat { ", your turn" } else { "" };
            (format!("New game{yours}"), against.into())
        }
        _ => state_sentence(board, reader, against, at),
    }
}

/// Whether the player of a seat was challenged by the other one.
fn is_challenged(what: &BoardNews, by: Option<Seat>, seat: Seat) -> bool {
    matches!(what, BoardNews::Begun) && by == Some(seat.other())
}

/// Whose turn it is, or how the game ended.
fn state_sentence(
    board: &Board,
    reader: Option<Seat>,
    against: &str,
    at: &str,
) -> (String, String) {
    let won = |by: Seat| match reader {
        Some(seat) if seat == by => ("You won".into(), against.to_owned()),
        Some(_) => ("You lost".into(), against.to_owned()),
        None => (format!("{} won", board.player(by)), String::new()),
    };
    match board.status() {
        BoardStatus::ToMove(due) if reader == Some(due) => match asks(board, due) {
            Some(asks) => (asks, String::new()),
            None => ("Your turn".into(), format!("{against}{at}")),
        },
        BoardStatus::ToMove(due) => (format!("Waiting for {}", board.player(due)), at.into()),
        BoardStatus::Ended(Outcome::Won { by, .. }) => won(by),
        BoardStatus::Ended(Outcome::Drawn { .. }) => ("Draw".into(), against.into()),
        BoardStatus::Closed(closing) => match closing.winner() {
            Some(by) => won(by),
            None if closing.by.is_draw() => ("Draw".into(), against.into()),
            None => ("Closed".into(), against.into()),
        },
    }
}

/// The Subject of a refusal.
pub(crate) fn for_refusal(board: Option<BoardId>) -> String {
    match board.and_then(|board| Some((games::find(board.game)?, board))) {
        Some((game, board)) => format!("Not done: {} {}", game.spec().title, board.number),
        None => "Not done".into(),
    }
}

/// A Subject that we wrote, whatever mail programs have put before it or cut off behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSubject {
    /// The board that it names; nothing where that was cut off.
    pub board: Option<BoardId>,
    /// Whether the mail brought words of the other player.
    pub is_words: bool,
}

/// The beginnings of our Subjects, except those with a userid in them.
const HEADS: &[&str] = &[
    "your turn",
    "new challenge",
    "new game",
    "new game, your turn",
    "you won",
    "you lost",
    "draw",
    "closed",
    "not played yet",
    "not done",
    "reminder, your turn",
    "reminder, a draw is offered",
];

/// What a player does who sends words.
const WRITES: &str = "writes";

/// The same for those that begin with a userid, without it.
const BEHIND_A_NAME: &[&str] = &[
    WRITES,
    "offers a draw",
    "asks for an undo",
    "asks for an analysis",
    "won",
    "doubles",
    "redoubles",
    "beavers",
    "offers to resign a single game",
    "offers to resign a gammon",
    "offers to resign a backgammon",
];

/// Words that mail programs put before a Subject, at most.
const MOST_MARKS: usize = 12;

/// Reads a Subject that we wrote; nothing if it is none of ours.
pub fn read(subject: &str) -> Option<OwnSubject> {
    subject_readings(subject).find_map(|bare| {
        let bare = bare.to_ascii_lowercase();
        let words: Vec<&str> = bare.split_whitespace().collect();
        let mut firsts = 0..words.len().min(MOST_MARKS);
        older(&words).or_else(|| firsts.find_map(|first| with_head(&words[first..])))
    })
}

/// `your turn: malaka 1 ...`.
fn with_head(words: &[&str]) -> Option<OwnSubject> {
    let end = words.iter().position(|word| word.ends_with(':'))?;
    let head = words[..=end].join(" ");
    let head = head.strip_suffix(':')?;
    let said = head.strip_prefix("reminder, ").unwrap_or(head);
    let behind_a_name = said.split_once(' ').map_or("", |(_, behind)| behind);
    let is_waiting = head.strip_prefix("waiting for ").is_some_and(|name| !name.contains(' '));
    let is_ours = is_waiting || HEADS.contains(&head) || BEHIND_A_NAME.contains(&behind_a_name);
    let board = match &words[end + 1..] {
        [title, number, ..] => named(title, number),
        _ => None,
    };
    // A person may write `draw:` or `closed:`; a name or a cut Subject is none of theirs.
    let is_sure = board.is_some() || head.contains(' ');
    (is_ours && is_sure).then_some(OwnSubject { board, is_words: behind_a_name == WRITES })
}

/// `malaka board 1 bob **`, as Subjects were once, with nothing behind but marks of other programs.
fn older(words: &[&str]) -> Option<OwnSubject> {
    let [title, "board", number, _, rest @ ..] = words else { return None };
    let board = named(title, number);
    let is_mark = |word: &&str| *word == "**" || (word.starts_with('[') && word.ends_with(']'));
    (board.is_some() && rest.iter().all(is_mark)).then_some(OwnSubject { board, is_words: false })
}

fn named(title: &str, number: &str) -> Option<BoardId> {
    let game = games::find(title)?.spec().name;
    Some(BoardId { game, number: number.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(game: &'static str, number: u32) -> OwnSubject {
        OwnSubject { board: Some(BoardId { game, number }), is_words: false }
    }

    #[test]
    fn what_mail_programs_make_of_our_subjects_is_known() {
        for (subject, ours) in [
            ("Your turn: Malaka 1 against bob (move 2)", Some(board("malaka", 1))),
            ("Re: Your turn: Malaka 1 against bob (move 2)", Some(board("malaka", 1))),
            ("AW: Antwort: Your turn: Malaka 12", Some(board("malaka", 12))),
            (
                "Odp: YNT: waiting for TESS: BACKGAMMON 7 (move 3) [#x]",
                Some(board("backgammon", 7)),
            ),
            (
                "[External] Fwd: list writes: Malaka 1",
                Some(OwnSubject { is_words: true, ..board("malaka", 1) }),
            ),
            ("Re: Your turn: Mala", Some(OwnSubject { board: None, is_words: false })),
            ("Re: Draw: Malaka 3 against bob", Some(board("malaka", 3))),
            ("Malaka Board 1 bob **", Some(board("malaka", 1))),
            ("Re: Malaka Board 1 over [#tag]", Some(board("malaka", 1))),
            ("Re: bob doubles: Backgammon 1", Some(board("backgammon", 1))),
            ("AW: Reminder, bob redoubles: Backgammon 1", Some(board("backgammon", 1))),
            (
                "RE: bob offers to resign a gammon: Backg",
                Some(OwnSubject { board: None, is_words: false }),
            ),
            ("Re: New challenge: Malaka 4 against bob", Some(board("malaka", 4))),
            ("Re: bob asks for an analysis: Malaka 4", Some(board("malaka", 4))),
            ("draw: let us stop", None),
            ("malaka board 1", None),
            ("malaka move 1 alice secret a1-a2", None),
            ("help", None),
            ("", None),
        ] {
            assert_eq!(read(subject), ours, "{subject}");
        }
    }
}
