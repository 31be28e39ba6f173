//! Answers: decisions and refusals as mails of blocks, still without addresses.

mod analysis;
mod answers;
mod board_json;
mod board_mail;
pub mod board_view;
pub mod draw;
mod letters;
pub mod operator;
mod origin;

pub use analysis::{PendingAnalysis, run_analyses};
pub use answers::account::{
    AccountAnswer, PendingAddress, foreign_reply, introduction, link_requested, opted_out,
};
pub use answers::combined::combine;
pub use answers::displays::{BoardDrawing, DisplayAnswer};
pub use answers::lists::{GameActivity, Listing, PlayerRow};
pub use answers::notices::BoardNotice;
pub use answers::open_challenges::{OpenChallenge, OpenChallenges, SeekAnswer};
pub use answers::rate_limits::{answer_too_long, last_answer_note, mails_resumed, quota_reached};
pub use answers::ratings_table::{Standings, StandingsRow};
pub use answers::refusals::{
    note_withheld_lines, open_offer, redact_password, refusal_mail, server_error,
};
pub use answers::settings::SettingAnswer;
pub use board_json::board_summary;
pub use board_mail::news::{BoardNews, OperatorUndo};
pub use board_mail::subject;
pub use letters::blocks::{Block, Choice, ChoiceAction, MoveList, TextElement};
pub use letters::draft::{
    LetterHeaders, Unprintable, draft_letter, print_letter, print_letter_with,
};
pub use letters::highlights::Highlights;
pub use letters::html_page::MAX_PAGE_BYTES;
pub use letters::inline_pictures::{PictureCache, PictureFormat};
pub use letters::outgoing_mail::{OutgoingMail, Recipient};
pub use letters::picture_json::{ListedMove, Picture};
pub use letters::plain_text::{TextMedium, text};
pub use origin::{Browser, Origin};

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::BoardEvent;
use crate::model::talk::ChatMessage;
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::model::world::event::Event;
use answers::open_challenges;
use board_mail::clock_text;
use board_mail::news::NewsItem;
use board_mail::subject::SubjectTopic;
use games::{Entry, Seat};

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
    Look(DisplayAnswer),
    /// Something about open challenges, or about notices of new boards.
    Seeking(SeekAnswer),
    /// Something that a player has chosen.
    Chosen(SettingAnswer),
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

impl From<DisplayAnswer> for Answer {
    fn from(look: DisplayAnswer) -> Self {
        Self::Look(look)
    }
}

impl From<SeekAnswer> for Answer {
    fn from(seeking: SeekAnswer) -> Self {
        Self::Seeking(seeking)
    }
}

impl From<SettingAnswer> for Answer {
    fn from(chosen: SettingAnswer) -> Self {
        Self::Chosen(chosen)
    }
}

impl From<BoardNotice> for Answer {
    fn from(told: BoardNotice) -> Self {
        Self::Told(told)
    }
}

/// On what occasion an answer is given.
pub(crate) struct AnswerContext<'a> {
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
            let mut mails = board_mail::to_players(world, Some(origin), *board, &news, now);
            board_mail::report_dropped(&mut mails, events);
            mails.extend(board_mail::to_observers(world, *board, &news, now));
            if what.is_new() {
                mails.extend(open_challenges::notices(world, *board));
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
pub fn muted_readers(world: &World, answer: &Answer) -> Vec<(UserId, UserId)> {
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
pub fn chat_message(answer: &Answer, comment: &str, at: Time) -> Option<(BoardId, ChatMessage)> {
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
pub fn reminder(world: &World, id: BoardId, seat: Seat, now: Time) -> OutgoingMail {
    let reminder = clock_text::reminder(world, id, now);
    let mail =
        board_mail::to_player(world, None, (id, seat), SubjectTopic::Reminder, reminder, now);
    OutgoingMail { opt_out: Some(OptOut::Reminders), ..mail }
}

/// The mails about a board that the clock has ended, to both players and to observers.
pub fn closed_by_clock(world: &World, id: BoardId, now: Time) -> Vec<OutgoingMail> {
    let news = NewsItem { what: &BoardNews::Moved, by: None, comment: "", moves: 0 };
    let mut mails = board_mail::to_players(world, None, id, &news, now);
    mails.extend(board_mail::to_observers(world, id, &news, now));
    mails
}
