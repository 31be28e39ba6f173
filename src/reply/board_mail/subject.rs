//! The Subjects of mails about a board. They say what happened, so that a list of mails can be read at a
//! glance; threads are kept by References, not by equal Subjects. [`read`] recognises them in answers.

use crate::base::ids::BoardId;
use crate::mail::subject_readings;
use crate::model::board::{Board, BoardStatus, Proposal};
use crate::reply::board_mail::news::BoardNews;
use crate::reply::board_mail::{offers, questions};
use games::{Outcome, Seat};

/// The longest Subject in columns, as RFC 5322 recommends for lines.
const WIDTH: usize = 78;

/// The topic of a mail about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubjectTopic<'a> {
    /// The state of the board.
    Board,
    /// News, and the seat that caused it.
    News(&'a BoardNews, Option<Seat>),
    /// A submitted move.
    Submitted,
    /// A reminder to the player to move.
    Reminder,
}

/// Returns the Subject of a mail about a board, to the player of a seat or to an observer.
pub(crate) fn for_board(board: &Board, reader: Option<Seat>, topic: SubjectTopic) -> String {
    let title = format!("{} {}", board.game.spec().title, board.id.number);
    let against = match reader {
        Some(seat) if !board.game.spec().manner.is_solo => {
            format!(" against {}", board.player(seat.other()))
        }
        _ => String::new(),
    };
    let at_move = format!(" (move {})", board.next_move());
    let builder = SubjectBuilder { board, reader, against, at_move };
    let SubjectParts { head, tail } = match topic {
        SubjectTopic::News(what, by) => builder.news(what, by),
        SubjectTopic::Submitted => SubjectParts::new("Not played yet", builder.against_at_move()),
        SubjectTopic::Reminder => builder.reminder(WIDTH.saturating_sub(": ".len() + title.len())),
        SubjectTopic::Board => builder.state(),
    };
    let whole = format!("{head}: {title}{tail}");
    if whole.len() <= WIDTH { whole } else { format!("{head}: {title}") }
}

/// The parts of a Subject before and after the board. The tail is left out where it does not fit.
struct SubjectParts {
    head: String,
    tail: String,
}

impl SubjectParts {
    fn new(head: impl Into<String>, tail: impl Into<String>) -> Self {
        Self { head: head.into(), tail: tail.into() }
    }
}

/// The board and the reader of a Subject.
struct SubjectBuilder<'a> {
    board: &'a Board,
    reader: Option<Seat>,
    /// ` against bob`, or nothing.
    against: String,
    /// ` (move 3)`.
    at_move: String,
}

impl SubjectBuilder<'_> {
    fn against_at_move(&self) -> String {
        format!("{}{}", self.against, self.at_move)
    }

    /// Returns the parts for news: a message or an offer of another player, a new board, or the state.
    fn news(&self, what: &BoardNews, by: Option<Seat>) -> SubjectParts {
        let others = by.filter(|by| self.reader != Some(*by));
        if let Some(head) = others.and_then(|by| request_head(self.board, what, by)) {
            return SubjectParts::new(head, "");
        }
        match (self.board.status(), self.reader) {
            (BoardStatus::ToMove(_), Some(seat)) if is_challenged(what, by, seat) => {
                SubjectParts::new("New challenge", &*self.against)
            }
            (BoardStatus::ToMove(due), Some(seat)) if what.is_new() => {
                let yours = if due == seat { ", your turn" } else { "" };
                SubjectParts::new(format!("New game{yours}"), &*self.against)
            }
            _ => self.state(),
        }
    }

    /// Returns the parts for a reminder, whose head has at most `room` columns.
    fn reminder(&self, room: usize) -> SubjectParts {
        let offered = self.reader.and_then(|seat| self.board.offered_to(seat));
        if offered == Some(Proposal::Draw) {
            return SubjectParts::new("Reminder, a draw is offered", &*self.against);
        }
        let question = self.reader.and_then(|seat| question_head(self.board, seat));
        let head = question.map(|question| format!("Reminder, {question}"));
        match head.filter(|head| head.len() <= room) {
            Some(head) => SubjectParts::new(head, ""),
            None => SubjectParts::new("Reminder, your turn", self.against_at_move()),
        }
    }

    /// Returns the parts that say whose turn it is, or how the game ended.
    fn state(&self) -> SubjectParts {
        let Self { board, reader, against, at_move } = self;
        let won = |by: Seat| match reader {
            Some(seat) if *seat == by => SubjectParts::new("You won", against),
            Some(_) => SubjectParts::new("You lost", against),
            None => SubjectParts::new(format!("{} won", board.player(by)), ""),
        };
        match board.status() {
            BoardStatus::ToMove(due) if *reader == Some(due) => match question_head(board, due) {
                Some(question) => SubjectParts::new(question, ""),
                None => SubjectParts::new("Your turn", self.against_at_move()),
            },
            BoardStatus::ToMove(due) => {
                SubjectParts::new(format!("Waiting for {}", board.player(due)), at_move)
            }
            BoardStatus::Ended(Outcome::Won { by, .. }) => won(by),
            BoardStatus::Ended(Outcome::Drawn { .. }) => SubjectParts::new("Draw", against),
            BoardStatus::Closed(closing) => match closing.winner() {
                Some(by) => won(by),
                None if closing.by.is_draw() => SubjectParts::new("Draw", against),
                None => SubjectParts::new("Closed", against),
            },
        }
    }
}

/// Returns the head for a message or an offer of another player.
fn request_head(board: &Board, what: &BoardNews, by: Seat) -> Option<String> {
    let who = board.player(by);
    match what {
        BoardNews::Chatted(_) => Some(format!("{who} writes")),
        BoardNews::Offered => Some(format!("{who} {}", offers::asks(board.offer?.what))),
        _ => None,
    }
}

/// Returns the head for a question to the player of a seat: `bob doubles`.
fn question_head(board: &Board, seat: Seat) -> Option<String> {
    let did = questions::to_answer(board, seat)?;
    Some(format!("{} {did}", board.player(seat.other())))
}

/// Returns whether the player of a seat was challenged.
fn is_challenged(what: &BoardNews, by: Option<Seat>, seat: Seat) -> bool {
    matches!(what, BoardNews::Begun) && by == Some(seat.other())
}

/// Returns the Subject of a refusal.
pub(crate) fn for_refusal(board: Option<BoardId>) -> String {
    match board.and_then(|board| Some((games::find(board.game)?, board))) {
        Some((game, board)) => format!("Not done: {} {}", game.spec().title, board.number),
        None => "Not done".into(),
    }
}

/// A Subject of ours in an answer, whatever mail programs added before it or cut off after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSubject {
    /// The board; none where it was cut off.
    pub board: Option<BoardId>,
    /// Whether the answered mail was a message of the opponent.
    pub is_message: bool,
}

/// The heads of our Subjects without a userid. Mails with these heads are in mailboxes: never remove one.
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

/// The head of a message, after the userid.
const WRITES: &str = "writes";

/// The heads that begin with a userid, without it. Never remove one.
const HEADS_AFTER_USERID: &[&str] = &[
    WRITES,
    "offers a draw",
    "asks for an undo",
    "asks for an analysis",
    "asks to cancel the game",
    "won",
    "doubles",
    "redoubles",
    "beavers",
    "offers to resign a single game",
    "offers to resign a gammon",
    "offers to resign a backgammon",
    "offers to resign an oin",
    "offers to resign a mars",
];

/// The most words that mail programs add before a Subject.
const MAX_PREFIXES: usize = 12;

/// Recognises a Subject of ours; returns nothing for any other.
pub fn read(subject: &str) -> Option<OwnSubject> {
    subject_readings(subject).find_map(|bare| {
        let bare = bare.to_ascii_lowercase();
        let words: Vec<&str> = bare.split_whitespace().collect();
        let mut firsts = 0..words.len().min(MAX_PREFIXES);
        read_old_form(&words).or_else(|| firsts.find_map(|first| read_with_head(&words[first..])))
    })
}

/// Recognises `your turn: malaka 1 ...`.
fn read_with_head(words: &[&str]) -> Option<OwnSubject> {
    let end = words.iter().position(|word| word.ends_with(':'))?;
    let head = words[..=end].join(" ");
    let head = head.strip_suffix(':')?;
    let said = head.strip_prefix("reminder, ").unwrap_or(head);
    let behind_a_name = said.split_once(' ').map_or("", |(_, behind)| behind);
    let is_waiting = head.strip_prefix("waiting for ").is_some_and(|name| !name.contains(' '));
    let is_ours =
        is_waiting || HEADS.contains(&head) || HEADS_AFTER_USERID.contains(&behind_a_name);
    let board = match &words[end + 1..] {
        [title, number, ..] => parse_board(title, number),
        _ => None,
    };
    // A person may write `draw:` or `closed:`, but hardly a longer head or a board.
    let is_sure = board.is_some() || head.contains(' ');
    (is_ours && is_sure).then_some(OwnSubject { board, is_message: behind_a_name == WRITES })
}

/// Recognises `malaka board 1 bob **`, the form of earlier versions, followed only by marks of other
/// programs.
fn read_old_form(words: &[&str]) -> Option<OwnSubject> {
    let [title, "board", number, _, rest @ ..] = words else { return None };
    let board = parse_board(title, number);
    let is_mark = |word: &&str| *word == "**" || (word.starts_with('[') && word.ends_with(']'));
    (board.is_some() && rest.iter().all(is_mark)).then_some(OwnSubject { board, is_message: false })
}

fn parse_board(title: &str, number: &str) -> Option<BoardId> {
    let game = games::find(title)?.spec().name;
    Some(BoardId { game, number: number.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::board_mail::recent_moves;

    fn board(game: &'static str, number: u32) -> OwnSubject {
        OwnSubject { board: Some(BoardId { game, number }), is_message: false }
    }

    #[test]
    fn our_subjects_are_recognised_after_mail_programs_changed_them() {
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
                Some(OwnSubject { is_message: true, ..board("malaka", 1) }),
            ),
            ("Re: Your turn: Mala", Some(OwnSubject { board: None, is_message: false })),
            ("Re: Draw: Malaka 3 against bob", Some(board("malaka", 3))),
            ("Malaka Board 1 bob **", Some(board("malaka", 1))),
            ("Re: Malaka Board 1 over [#tag]", Some(board("malaka", 1))),
            ("Re: bob doubles: Backgammon 1", Some(board("backgammon", 1))),
            ("AW: Reminder, bob redoubles: Backgammon 1", Some(board("backgammon", 1))),
            (
                "RE: bob offers to resign a gammon: Backg",
                Some(OwnSubject { board: None, is_message: false }),
            ),
            (
                "Re: bob offers to resign an oin: Long Nardy 1",
                Some(OwnSubject { board: None, is_message: false }),
            ),
            ("Re: New challenge: Malaka 4 against bob", Some(board("malaka", 4))),
            ("Re: bob asks for an analysis: Malaka 4", Some(board("malaka", 4))),
            ("Re: bob asks to cancel the game: Malaka 4", Some(board("malaka", 4))),
            ("draw: let us stop", None),
            ("malaka board 1", None),
            ("malaka move 1 alice secret a1-a2", None),
            ("help", None),
            ("", None),
        ] {
            assert_eq!(read(subject), ours, "{subject}");
        }
    }

    #[test]
    fn the_heads_of_offers_and_questions_are_recognised() {
        let offered = Proposal::ALL.map(|what| offers::asks(what).to_owned());
        let stakes = games::GAMES.iter().flat_map(|game| game.spec().stakes);
        let moves = stakes.map(|stake| format!("resign {stake}"));
        let moves = moves.chain(["double", "redouble", "beaver"].map(str::to_owned));
        let asked = moves.map(|text| recent_moves::question_of(&text).unwrap());
        for head in offered.into_iter().chain(asked) {
            assert!(HEADS_AFTER_USERID.contains(&&*head), "{head}");
        }
    }
}
