//! Answers: decisions and refusals as mails of blocks, still without addresses.

mod account;
mod advice;
mod analysed;
mod block;
mod board;
mod board_news;
mod body;
mod chosen;
mod clock;
pub mod draw;
mod facts;
mod kept;
mod letter;
mod limited;
mod listing;
mod marked;
mod marks;
mod named;
mod news;
mod offer;
pub mod operator;
mod origin;
mod outgoing;
mod page;
mod picture;
mod plain;
mod question;
mod refused;
mod row;
mod seek;
mod several;
mod shown;
pub mod sight;
mod spoken;
mod standing;
mod standings;
mod stored;
pub mod subject;
mod to_analyse;
mod told;
mod turns;

pub use account::{
    AccountAnswer, PendingAddress, foreign_reply, introduction, link_asked, opted_out,
};
pub use analysed::worked_out;
pub use block::{Block, Choice, ChoiceAction, MoveList, TextElement};
pub use board_news::{BoardNews, OperatorUndo};
pub use chosen::PreferenceAnswer;
pub use kept::{ListedMove, Picture};
pub use letter::{LetterHeaders, Unprintable, letter, printed, printed_with};
pub use limited::{enough, last, reached, too_long};
pub use listing::{GameActivity, Listing, PlayerRow};
pub use marked::Highlights;
pub use origin::{Browser, Origin};
pub use outgoing::{OutgoingMail, Recipient};
pub use page::LARGEST;
pub use picture::{PictureCache, PictureFormat};
pub use plain::{TextMedium, text};
pub use refused::{do_not_quote, offered, our_fault, refuse, say_held_back};
pub use row::row_of;
pub use seek::{OpenChallenge, OpenChallenges, SeekAnswer};
pub use several::together;
pub use shown::{BoardDrawing, LookAnswer};
pub use standings::{Standings, StandingsRow};
pub use to_analyse::PendingAnalysis;
pub use told::BoardNotice;

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::BoardEvent;
use crate::model::talk::ChatMessage;
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::model::world::event::Event;
use games::{Entry, Seat};
use news::NewsItem;
use subject::SubjectTopic;

/// How many legal plays are listed in full.
pub const FEW: usize = 20;

/// What a decision is about, for those who asked and those it touches.
#[derive(Debug)]
pub enum Answer {
    /// Something about an account.
    Account(AccountAnswer),
    /// A list, or pages of help.
    Listing(Listing),
    /// Boards that a user looks at.
    Look(LookAnswer),
    /// Something about open challenges, or about notices of new boards.
    Seeking(SeekAnswer),
    /// Something that a player has chosen.
    Chosen(PreferenceAnswer),
    /// Something about a board that only one player hears, or a user who watches.
    Told(BoardNotice),
    /// Something happened on a board that both players hear of.
    Board {
        /// The board.
        board: BoardId,
        /// What happened.
        what: BoardNews,
        /// The player who did it; none when the operator set a board up.
        by: Option<Seat>,
    },
}

impl From<AccountAnswer> for Answer {
    fn from(account: AccountAnswer) -> Self {
        Self::Account(account)
    }
}

impl From<Listing> for Answer {
    fn from(listing: Listing) -> Self {
        Self::Listing(listing)
    }
}

impl From<LookAnswer> for Answer {
    fn from(look: LookAnswer) -> Self {
        Self::Look(look)
    }
}

impl From<SeekAnswer> for Answer {
    fn from(seeking: SeekAnswer) -> Self {
        Self::Seeking(seeking)
    }
}

impl From<PreferenceAnswer> for Answer {
    fn from(chosen: PreferenceAnswer) -> Self {
        Self::Chosen(chosen)
    }
}

impl From<BoardNotice> for Answer {
    fn from(told: BoardNotice) -> Self {
        Self::Told(told)
    }
}

/// On what occasion an answer is given.
struct AnswerContext<'a> {
    /// The documents, after the events were applied.
    world: &'a World,
    /// Where the command came from.
    origin: &'a Origin,
    /// The words beside the command.
    comment: &'a str,
    /// When.
    now: Time,
}

/// Says what came of a command, after its events were applied.
pub fn compose(
    world: &World,
    origin: &Origin,
    (answer, events): (&Answer, &[Event]),
    comment: &str,
    now: Time,
) -> Vec<OutgoingMail> {
    let at = AnswerContext { world, origin, comment, now };
    match answer {
        Answer::Account(account) => account.mails(&at),
        Answer::Listing(listing) => vec![listing.mail(&at)],
        Answer::Look(look) => vec![look.mail(&at)],
        Answer::Seeking(seeking) => vec![seeking.mail(&at)],
        Answer::Chosen(chosen) => vec![chosen.mail(&at)],
        Answer::Told(told) => told.mails(&at),
        Answer::Board { board, what, by } => {
            let news = NewsItem { what, by: *by, comment, moves: made(events, *board) };
            let mut mails = board::to_players(world, Some(origin), *board, &news, now);
            board::report_dropped(&mut mails, events);
            mails.extend(board::to_observers(world, *board, &news, now));
            if what.is_new() {
                mails.extend(seek::notices(world, *board));
            }
            mails
        }
    }
}

/// How many moves were made on a board.
fn made(events: &[Event], id: BoardId) -> usize {
    let entries = |event: &Event| match event {
        Event::Board(board, BoardEvent::Played { entries, .. }) if *board == id => {
            moves_in(entries)
        }
        Event::Challenged(new) if new.board == id => moves_in(&new.entries),
        _ => 0,
    };
    events.iter().map(entries).sum()
}

fn moves_in(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| !entry.is_chance()).count()
}

/// Those who would have heard the words of a decision but have muted their writer: for the log.
pub fn muted(world: &World, answer: &Answer) -> Vec<(UserId, UserId)> {
    let (from, to): (&UserId, Vec<&UserId>) = match answer {
        Answer::Board { board, what: BoardNews::Chatted(_), by: Some(by) } => {
            let Ok(board) = world.board(*board) else { return Vec::new() };
            (board.player(*by), vec![board.player(by.other())])
        }
        Answer::Account(
            AccountAnswer::Message { from, to, .. } | AccountAnswer::Broadcast { from, to, .. },
        ) => (from, to.iter().collect()),
        _ => return Vec::new(),
    };
    let deaf = to.into_iter().filter(|reader| world.is_muted(reader, from));
    deaf.map(|reader| (from.clone(), reader.clone())).collect()
}

/// What a player says to the other by a decision, with a comment or without.
pub fn said(answer: &Answer, comment: &str, at: Time) -> Option<(BoardId, ChatMessage)> {
    let Answer::Board { board, what, by: Some(by) } = answer else { return None };
    let words = match what {
        BoardNews::Chatted(words) => words,
        _ => comment,
    };
    let words = words.trim().to_owned();
    (!words.is_empty()).then_some((*board, ChatMessage { at, by: by.0, words }))
}

/// The users who hear of a decision beside the players of its board.
pub fn observers(world: &World, answer: &Answer) -> Vec<UserId> {
    match answer {
        // Nobody can watch a board before it is there.
        Answer::Board { board, what, .. } if what.is_new() => world.listeners(*board),
        Answer::Board { board, what, .. } if what.is_public() => {
            world.board(*board).map(|board| board.observers.clone()).unwrap_or_default()
        }
        Answer::Account(AccountAnswer::Left { boards, .. }) => {
            let boards = boards.iter().filter_map(|(board, _)| world.board(*board).ok());
            boards.flat_map(|board| board.observers.iter().cloned()).collect()
        }
        _ => Vec::new(),
    }
}

/// The mail to a player who lets a board wait.
pub fn remind(world: &World, id: BoardId, seat: Seat, now: Time) -> OutgoingMail {
    let reminder = clock::reminder(world, id, now);
    let mail = board::to_player(world, None, (id, seat), SubjectTopic::Reminder, reminder, now);
    OutgoingMail { opt_out: Some(OptOut::Reminders), ..mail }
}

/// The mails about a board that the clock has ended, to both players and to observers.
pub fn ended(world: &World, id: BoardId, now: Time) -> Vec<OutgoingMail> {
    let news = NewsItem { what: &BoardNews::Moved, by: None, comment: "", moves: 0 };
    let mut mails = board::to_players(world, None, id, &news, now);
    mails.extend(board::to_observers(world, id, &news, now));
    mails
}
