//! Everything that players read: decisions and refusals as mails made of blocks, before they have
//! addresses.
//!
//! `answers` has a file for each kind of answer, `board_mail` builds the mails about boards,
//! `board_view` the same for web pages, `operator` the mails and texts about the operator's repairs.
//! `letters` prints mails as text and HTML, and `draw` draws boards.

pub mod analysis;
mod answers;
mod board_json;
mod board_mail;
pub mod board_view;
mod calendar;
pub mod draw;
mod letters;
mod local_time;
pub mod operator;
mod origin;
mod turn_notice;

pub use analysis::{PendingAnalysis, run_analyses};
pub use answers::account::{
    AccountAnswer, PendingAddress, announcements, foreign_reply, introduction, link_requested,
    opted_out,
};
pub use answers::combined::combine;
pub use answers::digest::{Digest, answer_to_lines, with_next_board};
pub use answers::displays::{BoardDrawing, DisplayAnswer};
pub(crate) use answers::ladder;
pub use answers::ladder::{LadderAnswer, LadderNews};
pub use answers::lists::{GameActivity, Listing, PlayerRow};
pub use answers::moderation::ModerationAnswer;
pub use answers::notices::BoardNotice;
pub use answers::open_challenges::{OpenChallenge, OpenChallenges, SeekAnswer};
pub use answers::opponents::near_sentence;
pub use answers::profile::{Fact, ShownProfile, pace};
pub use answers::rate_limits::{answer_too_long, last_answer_note, mails_resumed, quota_reached};
pub use answers::ratings_table::{Standings, StandingsRow};
pub use answers::refusals::{
    note_muted_words, note_withheld_lines, open_offer, redact_password, refusal_mail, server_error,
};
pub use answers::settings::SettingAnswer;
pub use answers::times::sentences as own_times;
pub(crate) use answers::tournament::words as tournament_words;
pub use answers::tournament::{TournamentAnswer, TournamentNews};
pub use board_json::board_summary;
pub use board_mail::news::{BoardNews, OperatorUndo};
pub use board_mail::subject;
pub use calendar::CalendarReader;
pub use letters::draft::{
    LetterHeaders, Unprintable, draft_letter, print_letter, print_letter_with,
};
pub use letters::html_page::MAX_PAGE_BYTES;
pub use letters::plain_text::text;
pub use letters::{
    Block, Choice, ChoiceAction, Delivery, Highlights, ListedMove, MoveList, OutgoingMail, Picture,
    PictureCache, PictureFormat, Recipient, RoutedBlocks, TextElement, TextMedium,
};
pub use origin::{Browser, Origin};
pub use turn_notice::turn_notice;

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::BoardEvent;
use crate::model::chat_log::ChatMessage;
use crate::model::user::{AutomaticVacation, OptOut};
use crate::model::world::World;
use crate::model::world::event::Event;
use answers::open_challenges;
use board_mail::clock_text;
use board_mail::news::NewsItem;
use board_mail::plans;
use board_mail::subject::SubjectTopic;
use games::{Entry, Seat};

/// The most legal plays that are listed in full.
pub const MAX_LISTED_PLAYS: usize = 20;

/// The result of a decision, for the sender and everybody else who gets a mail.
#[derive(Debug)]
pub enum Answer {
    /// An answer about an account.
    Account(AccountAnswer),
    /// A list, or help pages.
    Listing(Listing),
    /// Boards or texts that a user asked to see.
    Display(DisplayAnswer),
    /// An answer about open challenges or notices of new boards.
    Seek(SeekAnswer),
    /// An answer about a player's settings.
    Setting(SettingAnswer),
    /// An answer about tournaments.
    Tournament(TournamentAnswer),
    /// An answer about ladders.
    Ladder(LadderAnswer),
    /// An answer about an act of moderation.
    Moderation(ModerationAnswer),
    /// A notice about a board to one reader alone.
    Notice(BoardNotice),
    /// The mail to a user about several boards.
    Digest(Digest),
    /// News of a board to both players.
    Board {
        /// The board.
        board: BoardId,
        /// The news.
        what: BoardNews,
        /// The player who caused it; none when the operator set the board up.
        by: Option<Seat>,
    },
}

macro_rules! answer_from {
    ($($variant:ident($answer:ty),)*) => {$(
        impl From<$answer> for Answer {
            fn from(answer: $answer) -> Self {
                Self::$variant(answer)
            }
        }
    )*};
}

answer_from! {
    Account(AccountAnswer),
    Listing(Listing),
    Display(DisplayAnswer),
    Seek(SeekAnswer),
    Setting(SettingAnswer),
    Tournament(TournamentAnswer),
    Ladder(LadderAnswer),
    Moderation(ModerationAnswer),
    Notice(BoardNotice),
}

/// The circumstances of an answer.
pub(crate) struct AnswerContext<'a> {
    /// The documents, after the events were applied.
    world: &'a World,
    /// The source of the command.
    origin: &'a Origin,
    /// The comment in the mail with the command.
    comment: &'a str,
    now: Time,
}

/// Builds the mails about a decision, after its events were applied.
pub fn compose(
    world: &World,
    origin: &Origin,
    answer: &Answer,
    events: &[Event],
    comment: &str,
    now: Time,
) -> Vec<OutgoingMail> {
    let at = AnswerContext { world, origin, comment, now };
    match answer {
        Answer::Account(account) => account.mails(&at),
        Answer::Listing(listing) => vec![listing.mail(&at)],
        Answer::Display(display) => vec![display.mail(&at)],
        Answer::Seek(seek) => vec![seek.mail(&at)],
        Answer::Setting(setting) => vec![setting.mail(&at)],
        Answer::Tournament(tournament) => tournament.mails(&at),
        Answer::Ladder(ladder) => ladder.mails(&at),
        Answer::Moderation(act) => act.mails(&at),
        Answer::Notice(notice) => notice.mails(&at),
        Answer::Digest(digest) => vec![answers::digest::mail(world, digest, now)],
        Answer::Board { board, what, by } => {
            let news = NewsItem { what, by: *by, comment, moves: count_moves(events, *board) };
            let mut mails = board_mail::to_players(world, Some(origin), *board, &news, now);
            plans::report_plans(world, &mut mails, events);
            mails.extend(board_mail::to_observers(world, *board, &news, now));
            if what.is_new() {
                mails.extend(open_challenges::new_board_notices(world, *board));
            }
            mails
        }
    }
}

/// Counts the moves made on a board by these events.
fn count_moves(events: &[Event], id: BoardId) -> usize {
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

/// A message that a recipient does not get because they have muted its writer.
#[derive(Debug)]
pub struct MutedMessage {
    /// The writer.
    pub writer: UserId,
    /// The recipient.
    pub reader: UserId,
}

/// Returns the messages of an answer that muting holds back, for the log.
pub fn muted_messages(world: &World, answer: &Answer) -> Vec<MutedMessage> {
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
    let muting = to.into_iter().filter(|reader| world.is_muted(reader, from));
    muting.map(|reader| MutedMessage { writer: from.clone(), reader: reader.clone() }).collect()
}

/// Returns what a player writes to the opponent with a decision: a message or a comment.
pub fn chat_message(answer: &Answer, comment: &str, at: Time) -> Option<(BoardId, ChatMessage)> {
    let Answer::Board { board, what, by: Some(by) } = answer else { return None };
    let words = match what {
        BoardNews::Chatted(words) => words,
        _ => comment,
    };
    let words = words.trim().to_owned();
    (!words.is_empty()).then_some((*board, ChatMessage { at, by: by.0, words }))
}

/// Returns the users who get mails about a decision besides the players of its board.
pub fn observers(world: &World, answer: &Answer) -> Vec<UserId> {
    match answer {
        // A new board has no observers yet.
        Answer::Board { board, what, .. } if what.is_new() => world.listeners(*board),
        Answer::Board { board, what, .. } if what.is_public() => {
            world.board(*board).map(|board| board.observers.clone()).unwrap_or_default()
        }
        Answer::Tournament(tournament) => tournament.readers(world),
        Answer::Ladder(ladder) => ladder.readers(),
        Answer::Moderation(act) => act.readers(world),
        Answer::Account(AccountAnswer::Left { boards, .. }) => {
            let boards = boards.iter().filter_map(|(board, _)| world.board(*board).ok());
            boards.flat_map(|board| board.observers.iter().cloned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Builds the reminder to a player whose turn it is.
pub fn reminder(world: &World, id: BoardId, seat: Seat, now: Time) -> OutgoingMail {
    let reminder = clock_text::reminder(world, id, now);
    let mail = board_mail::to_player(world, None, id, seat, SubjectTopic::Reminder, reminder, now);
    OutgoingMail { opt_out: Some(OptOut::Reminders), delivery: Delivery::Reminder, ..mail }
}

/// Builds the mail to a player for whom a day of vacation was taken.
pub fn vacation_began(
    world: &World,
    id: BoardId,
    seat: Seat,
    begun: &AutomaticVacation,
    now: Time,
) -> OutgoingMail {
    let head = clock_text::vacation_began(world, id, seat, begun);
    board_mail::to_player(world, None, id, seat, SubjectTopic::Reminder, head, now)
}

/// Builds the mails about a board that the clock has closed, to both players and to observers.
pub fn closed_by_clock(world: &World, id: BoardId, now: Time) -> Vec<OutgoingMail> {
    let news = NewsItem { what: &BoardNews::Moved, by: None, comment: "", moves: 0 };
    let mut mails = board_mail::to_players(world, None, id, &news, now);
    mails.extend(board_mail::to_observers(world, id, &news, now));
    mails
}
