//! What is said: decisions and refusals as mails, still without addresses.

mod account;
mod clock;
mod facts;
mod listing;
mod page;
mod standings;
mod summary;
pub mod words;

pub use account::{Account, Asked};
pub use page::{LARGEST, Picture, html};

use crate::board::{Proposal, Queued};
use crate::clock::{Day, Vacation};
use crate::command::{Decision, Origin, Standings};
use crate::ids::{BoardId, UserId};
use crate::message::Address;
use crate::refusal::{BoardRefusal, Refusal};
use crate::server::Answers;
use crate::world::World;
use games::{AnyGame, AnyPosition, Choices, Scope, Seat, Setting};
use words::{Count, quoted, wrapped};

/// How many legal plays are listed in full.
pub const FEW: usize = 20;

/// What a decision is about, for whoever asked and whoever it touches.
#[derive(Debug)]
pub enum Answer {
    /// Something about an account.
    Account(Account),
    /// Help pages.
    Help(String),
    /// The games played here, with their boards in progress.
    Games(Vec<(&'static dyn AnyGame, usize)>),
    /// Boards in progress of each game, a line each.
    Lists(Vec<(&'static dyn AnyGame, Vec<BoardId>)>),
    /// Boards of some players, a line each.
    Boards {
        /// The game.
        game: &'static dyn AnyGame,
        /// Which boards.
        boards: Vec<BoardId>,
    },
    /// Boards drawn for the asker.
    Shown(Vec<Shown>),
    /// Boards in a format of other programs.
    Exported {
        /// Their game.
        game: &'static dyn AnyGame,
        /// The text.
        text: String,
    },
    /// A position that was looked ahead to.
    Previewed {
        /// Its game.
        game: &'static dyn AnyGame,
        /// What was played, in canonical notation.
        played: Vec<String>,
        /// What came of it.
        position: Box<dyn AnyPosition>,
    },
    /// A board as it would be after a move that waits to be confirmed, for its mover.
    Submitted {
        /// The board.
        board: BoardId,
        /// Whose move it is.
        seat: Seat,
        /// What would come of it, before dice are thrown.
        position: Box<dyn AnyPosition>,
    },
    /// Something about a board that only one of its players hears of.
    Told {
        /// The board.
        board: BoardId,
        /// His seat.
        seat: Seat,
        /// What he is told.
        what: Told,
    },
    /// A player has said how many boards of a game he plays at most.
    Limited {
        /// The game.
        game: &'static dyn AnyGame,
        /// How many; no limit if nothing is said.
        most: Option<u32>,
    },
    /// Somebody gets the mails of a board from now on, or no longer.
    Observed {
        /// The board.
        board: BoardId,
        /// Who.
        user: UserId,
        /// Whether he gets them.
        wanted: bool,
    },
    /// A player chose how he likes something.
    Chose {
        /// The game.
        game: &'static dyn AnyGame,
        /// What he chose about.
        setting: &'static Setting,
        /// What he chose; nothing for the default.
        choice: Option<Choices>,
        /// The board that he said it about, and his seat there.
        board: Option<(BoardId, Seat)>,
    },
    /// Everybody's ratings in a game.
    Standings {
        /// The game.
        game: &'static dyn AnyGame,
        /// Who stands how.
        standings: Standings,
    },
    /// A user's vacations changed.
    Rested {
        /// The user.
        user: UserId,
        /// The day on which he says so.
        today: Day,
        /// What is left of them.
        left: Vec<Vacation>,
    },
    /// Something happened on a board that both players hear of.
    Board {
        /// The board.
        board: BoardId,
        /// What happened.
        what: Happening,
        /// Who did it; nobody when the operator set a board up.
        by: Option<Seat>,
    },
}

impl From<Account> for Answer {
    fn from(account: Account) -> Self {
        Self::Account(account)
    }
}

impl From<Account> for Decision {
    fn from(account: Account) -> Self {
        Answer::from(account).into()
    }
}

/// What one player of a board is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Which move of his waits for his turn, if one does.
    Queued(Option<Queued>),
}

/// A board to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Which board.
    pub board: BoardId,
    /// After so many moves; as it stands when not said.
    pub after: Option<usize>,
    /// Whose view is drawn; an observer's when nobody's.
    pub seat: Option<Seat>,
}

/// What happened on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// It was set up.
    Begun,
    /// It was set up with what was played elsewhere.
    Imported,
    /// A move was made, or the board was given up.
    Moved,
    /// A player said something.
    Chatted(String),
    /// A player offered what the board shows as open.
    Offered,
    /// An offer was rejected.
    OfferRejected(Proposal),
    /// An offer was withdrawn.
    OfferWithdrawn,
    /// The players agreed to take moves back.
    TakenBack {
        /// The number of the first of them.
        from: usize,
    },
}

/// A mail without addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// For whom.
    pub to: To,
    /// The Subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The board it is about.
    pub board: Option<BoardId>,
    /// The seat that the recipient may move for by replying.
    pub seat: Option<Seat>,
    /// The board to be drawn in an HTML part, for those who want one.
    pub picture: Option<Box<Picture>>,
}

/// Whom a mail is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// Whoever sent the command, wherever it came from.
    Sender,
    /// A user, at the registered addresses.
    User(UserId),
    /// One address, which may be nobody's here.
    Address(Address),
}

/// Says what came of a command, after its events were applied.
pub fn compose(
    world: &World,
    origin: &Origin,
    decision: &Decision,
    comment: &str,
    now: i64,
) -> Vec<Outgoing> {
    let page = |subject: String, text: String| {
        vec![Outgoing { to: To::Sender, subject, text, board: None, seat: None, picture: None }]
    };
    match &decision.answer {
        Answer::Account(account) => account::mails(world, origin, account, now),
        Answer::Help(text) => page("Help".into(), text.clone()),
        Answer::Games(games) => page("Games".into(), listing::games(games)),
        Answer::Lists(lists) => page("Boards in progress".into(), listing::lists(world, lists)),
        Answer::Boards { game, boards } => {
            page(format!("{} boards", game.spec().title), listing::boards(world, boards))
        }
        Answer::Shown(shown) => page(subject_of(world, shown), summary::shown(world, shown, now)),
        Answer::Exported { game, text } => {
            page(format!("{} export", game.spec().title), text.clone())
        }
        Answer::Previewed { game, played, position } => {
            page(format!("{} preview", game.spec().title), summary::previewed(played, &**position))
        }
        Answer::Submitted { board, seat, position } => {
            vec![summary::submitted(world, origin, *board, *seat, &**position, now)]
        }
        Answer::Told { board, seat, what } => {
            vec![summary::to_player(world, Some(origin), *board, *seat, &told(what), now)]
        }
        Answer::Limited { game, most } => {
            let title = game.spec().title;
            page(format!("{title} settings"), limited(title, *most))
        }
        Answer::Observed { board, user, wanted } => {
            vec![summary::to_observer(world, *board, user, *wanted, now)]
        }
        Answer::Chose { game, setting, choice, board } => {
            let mut sentence = chosen(*game, setting, choice.as_ref());
            if !comment.is_empty() {
                sentence.push_str("\n\n");
                sentence.push_str(&wrapped(
                    "What you wrote besides was not passed on: `chat` sends it to your opponent.",
                ));
            }
            match board {
                None => page(format!("{} settings", game.spec().title), sentence + "\n"),
                Some((board, seat)) => {
                    vec![summary::to_player(world, Some(origin), *board, *seat, &sentence, now)]
                }
            }
        }
        Answer::Board { board, what, by } => {
            let mut mails =
                summary::to_players(world, Some(origin), *board, what, *by, comment, now);
            summary::report_dropped(&mut mails, &decision.events);
            mails.extend(summary::to_observers(world, *board, what, now));
            mails
        }
        Answer::Standings { game, standings } => {
            page(format!("{} standings", game.spec().title), standings::all(*game, standings))
        }
        Answer::Rested { user, today, left } => {
            page(format!("Vacation {user}"), clock::rested(user, *today, left))
        }
    }
}

/// Who hears of a decision beside the players of its board.
pub fn observers(world: &World, decision: &Decision) -> Vec<UserId> {
    match &decision.answer {
        Answer::Board { board, what, .. } if what.is_public() => {
            world.board(*board).map(|board| board.observers.clone()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

impl Happening {
    /// Whether observers hear of it: what changes the board is, what players say is not.
    fn is_public(&self) -> bool {
        match self {
            Self::Begun | Self::Imported | Self::Moved | Self::TakenBack { .. } => true,
            Self::Chatted(_) | Self::Offered | Self::OfferRejected(_) | Self::OfferWithdrawn => {
                false
            }
        }
    }
}

/// The mail to whoever lets a board wait.
pub fn remind(world: &World, id: BoardId, seat: Seat, now: i64) -> Outgoing {
    summary::to_player(world, None, id, seat, &clock::reminder(world, id, now), now)
}

/// The mails to both players of a board that the clock has ended.
pub fn forfeit(world: &World, id: BoardId, now: i64) -> Vec<Outgoing> {
    summary::to_players(world, None, id, &Happening::Moved, None, "", now)
}

/// Says why a command is not carried out, to whoever sent it.
pub fn refuse(refusal: &Refusal, board: Option<BoardId>) -> Outgoing {
    let board = match refusal {
        Refusal::Board(about) => about.board().or(board),
        _ => board,
    };
    let subject = match board.and_then(|board| Some((games::find(board.game)?, board))) {
        Some((game, board)) => format!("{} Board {} Error", game.spec().title, board.number),
        None => "Postboard Error".into(),
    };
    let mut text = wrapped(&format!("Not done: {refusal}."));
    text.push_str("\nNothing has changed.\n");
    if let Some(hint) = refusal.hint() {
        text.push('\n');
        // Lists and samples stand as they are; only the sentence above them is broken.
        let (sentence, rest) = hint.split_once('\n').unwrap_or((&hint, ""));
        text.push_str(&wrapped(sentence));
        text.push('\n');
        text.push_str(rest);
        if !rest.is_empty() {
            text.push('\n');
        }
    }
    let stale = matches!(refusal, Refusal::Board(BoardRefusal::Unknown(_)));
    let board = board.filter(|_| !stale);
    Outgoing { to: To::Sender, subject, text, board, seat: None, picture: None }
}

/// The answers to a mail of several commands: what its sender alone is told goes into one mail, so
/// that one mail does not bring fifty to whoever stands in its From.
pub fn together(answers: Vec<Answers>) -> Answers {
    let (done, proved) = (answers.iter().any(|a| a.done), answers.iter().any(|a| a.proved));
    let mut pages: Vec<String> = Vec::new();
    let mut outgoing = Vec::new();
    let mut size = 0;
    for (number, answer) in answers.into_iter().enumerate() {
        for mail in answer.outgoing {
            if mail.to != To::Sender {
                outgoing.push(mail);
                continue;
            }
            size += mail.text.len();
            let text = if size > LONGEST_ANSWER { "(left out: too long)\n" } else { &mail.text };
            pages.push(format!("{:-<76}\n{}. {}\n\n{text}", "", number + 1, mail.subject));
        }
    }
    if !pages.is_empty() {
        let (subject, text) = (Count(pages.len(), "answer").to_string(), pages.join("\n"));
        outgoing.push(Outgoing {
            to: To::Sender,
            subject,
            text,
            board: None,
            seat: None,
            picture: None,
        });
    }
    Answers { outgoing, done, proved }
}

/// The longest mail in which the answers to several commands are put together, bytes.
const LONGEST_ANSWER: usize = 100_000;

/// What the sender of a mail is told that fails by a fault of ours.
pub fn our_fault() -> Outgoing {
    let text = "Your mail could not be executed: that is a fault of this server, not yours. The\n\
                operator knows of it and has your mail. Nothing has changed.\n";
    Outgoing {
        to: To::Sender,
        subject: "Postboard Error".into(),
        text: text.into(),
        board: None,
        seat: None,
        picture: None,
    }
}

fn subject_of(world: &World, shown: &[Shown]) -> String {
    match shown {
        [only] => world.board(only.board).map_or_else(|_| "Board".into(), summary::subject),
        more => Count(more.len(), "board").to_string(),
    }
}

/// How many challenges to a game somebody takes.
fn limited(title: &str, most: Option<u32>) -> String {
    let text = match most {
        None => format!("You take challenges to {title}, without a limit."),
        Some(0) => format!("You take no challenges to {title}. Boards in progress go on."),
        Some(most) => {
            let boards = Count(usize::try_from(most).unwrap_or(usize::MAX), "board");
            format!("You play at most {boards} of {title} at a time.")
        }
    };
    wrapped(&text) + "\n"
}

/// What one player of a board is told, as a paragraph.
fn told(what: &Told) -> String {
    wrapped(&match what {
        Told::Queued(None) => "No move of yours is queued on this board.".into(),
        Told::Queued(Some(Queued { text, moveno })) => {
            let text = quoted(text);
            let when = match moveno {
                None => "as soon as it is your turn".into(),
                Some(moveno) => format!("as move {moveno}, if that is yours"),
            };
            format!(
                "Queued: {text}. It will be tried {when}; nobody else sees it before. `queue off` \
                 on the first line of a reply forgets it."
            )
        }
    })
}

/// That a setting was taken, and how far it reaches.
fn chosen(game: &'static dyn AnyGame, setting: &Setting, choice: Option<&Choices>) -> String {
    let name = setting.switch.name;
    let value = match choice.map(|choice| choice.get(name).unwrap_or_default()) {
        None => "off",
        Some("") => "on",
        Some(value) => value,
    };
    let place = match setting.scope {
        Scope::Board => "on this board".into(),
        Scope::Game => format!("on all your {} boards", game.spec().title),
    };
    wrapped(&format!("From now on `{name}` is `{value}` {place}."))
}
