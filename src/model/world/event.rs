//! Events, the changes of commands: each changes one document.
//!
//! A document with new events has four lines here: its variant, the document that it requires, its
//! text for the log, and its application.

use super::{World, board_key, seeks_key, user_key};
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::mail::Address;
use crate::model::announcement::{AnnouncementEvent, announcements_key};
use crate::model::board::{BoardEvent, BoardSetup};
use crate::model::chat_log::ChatMessage;
use crate::model::correspondent::CorrespondentEvent;
use crate::model::document::Unwritten;
use crate::model::ladder::{LadderEvent, ladder_key};
use crate::model::moderation::{
    AuditRecord, BanEvent, BanSubject, Report, Settlement, ban_key, docket_key, report_key,
};
use crate::model::note::notes_key;
use crate::model::recent_players::{PlayersActive, recent_players_key};
use crate::model::seeks::SeeksEvent;
use crate::model::tournament::{Tournament, TournamentEvent, tournament_key, tournament_list_key};
use crate::model::user::{User, UserEvent};
use crate::model::welcomers::{WelcomeEvent, welcomers_key};
use crate::store::Key;
use games::Seat;

/// One change of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A user signed up.
    SignedUp {
        /// The user.
        user: Box<User>,
        /// The sender's address, if it was a mail.
        from: Option<Address>,
    },
    /// A board was set up.
    Challenged(Box<BoardSetup>),
    /// A board changed.
    Board(BoardId, BoardEvent),
    /// A user changed.
    User(UserId, UserEvent),
    /// The open challenges of a game changed.
    Seeks(&'static str, SeeksEvent),
    /// A player sent a message on a board.
    Chat(BoardId, ChatMessage),
    /// A player wrote their own note on a board; without words it is removed.
    Note(BoardId, Seat, String),
    /// Players of a game were active.
    PlayersActive(&'static str, PlayersActive),
    /// The players who welcome newcomers changed.
    Welcomers(WelcomeEvent),
    /// A tournament was created.
    TournamentCreated(Box<Tournament>),
    /// A tournament changed.
    Tournament(TournamentId, TournamentEvent),
    /// The ladder of a game changed.
    Ladder(&'static str, LadderEvent),
    /// A user was reported.
    Reported(Box<Report>),
    /// The report of this number was settled.
    ReportSettled(u32, Settlement),
    /// The words of the report of this number were removed.
    ReportEmptied(u32),
    /// A user became an administrator, or is none any more.
    Appointed(UserId, bool),
    /// The operator's announcements changed.
    Announcements(AnnouncementEvent),
    /// A ban began or was lifted.
    Ban(BanSubject, BanEvent),
    /// An act is appended to the log of acts.
    Audited(AuditRecord),
    /// The counts with these names changed.
    Correspondents(Vec<String>, CorrespondentEvent),
}

impl Event {
    /// Returns the document without which a decision with this event is refused. Counts and chat logs
    /// are kept as far as possible.
    pub fn required(&self) -> Option<Key> {
        match self {
            Self::SignedUp { user, .. } => Some(user_key(&user.id)),
            Self::Challenged(new) => Some(board_key(new.board)),
            Self::Board(board, _) => Some(board_key(*board)),
            Self::User(user, _) => Some(user_key(user)),
            Self::Seeks(game, _) => Some(seeks_key(game)),
            Self::Note(board, ..) => Some(notes_key(*board)),
            Self::TournamentCreated(new) => Some(tournament_list_key(new.id.game)),
            Self::Tournament(id, _) => Some(tournament_key(*id)),
            Self::Ladder(game, _) => Some(ladder_key(game)),
            Self::Reported(_) | Self::Appointed(..) | Self::Audited(_) => Some(docket_key()),
            Self::Announcements(_) => Some(announcements_key()),
            Self::ReportSettled(number, _) | Self::ReportEmptied(number) => {
                Some(report_key(*number))
            }
            Self::Ban(subject, _) => Some(ban_key(subject)),
            Self::PlayersActive(game, _) => Some(recent_players_key(game)),
            Self::Welcomers(_) => Some(welcomers_key()),
            Self::Chat(..) | Self::Correspondents(..) => None,
        }
    }

    /// Returns a short text for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::SignedUp { user, .. } => format!("{} signed up", user.id),
            Self::Challenged(new) => {
                format!("{} set up for {} and {}", new.board, new.players[0], new.players[1])
            }
            Self::Board(board, event) => event.summary(*board),
            Self::User(user, event) => event.summary(user),
            Self::Seeks(game, event) => event.summary(game),
            Self::Chat(board, _) => format!("{board}: message stored"),
            Self::Note(board, ..) => format!("{board}: note kept"),
            Self::PlayersActive(game, event) => event.summary(game),
            Self::Welcomers(event) => event.summary(),
            Self::TournamentCreated(new) => format!("{} created by {}", new.id, new.director),
            Self::Tournament(id, event) => event.summary(*id),
            Self::Ladder(game, event) => event.summary(game),
            // The log is read by more people than reports are.
            Self::Reported(_) => "a player was reported".into(),
            Self::ReportSettled(number, _) => format!("report {number} settled"),
            Self::ReportEmptied(number) => format!("words of report {number} removed"),
            Self::Appointed(user, true) => format!("{user} is an administrator"),
            Self::Appointed(user, false) => format!("{user} is no administrator"),
            Self::Announcements(event) => event.summary(),
            Self::Ban(subject, event) => event.summary(subject),
            Self::Audited(record) => record.summary(),
            Self::Correspondents(_, event) => event.summary(),
        }
    }
}

/// Returns the boards that events set up or change, each once.
pub fn changed_boards<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<BoardId> {
    let board = |event: &Event| match event {
        Event::Challenged(new) => Some(new.board),
        Event::Board(board, _) => Some(*board),
        _ => None,
    };
    let mut boards: Vec<BoardId> = events.into_iter().filter_map(board).collect();
    boards.sort_unstable();
    boards.dedup();
    boards
}

impl World {
    /// Applies an event.
    ///
    /// # Errors
    /// The document is damaged and stays as it is.
    pub fn apply(&mut self, event: &Event) -> Result<(), Unwritten> {
        match event {
            Event::SignedUp { user, from } => return self.sign_up(user, from.as_ref()),
            Event::Challenged(challenged) => self.set_up(challenged),
            Event::Board(id, event) => self.change_board(*id, event),
            Event::User(id, event) => return self.change_account(id, event),
            Event::Seeks(game, event) => {
                let seeks = self.caches.seeks.get_mut(game);
                seeks.ok_or_else(|| Unwritten(seeks_key(game)))?.apply(event);
            }
            Event::Chat(id, said) => self.caches.chats.get_or_create(id)?.add(said),
            Event::Note(id, seat, words) => {
                self.caches.notes.get_or_create(id)?.write(*seat, words);
            }
            Event::PlayersActive(game, event) => {
                self.caches.recent_players.get_or_create(game)?.apply(event);
            }
            Event::Welcomers(event) => self.caches.welcomers.get_or_create(&())?.apply(event),
            Event::TournamentCreated(new) => self.create_tournament(new),
            Event::Tournament(id, event) => return self.change_tournament(*id, event),
            Event::Ladder(game, event) => return self.change_ladder(game, event),
            Event::Reported(report) => return self.file_report(report),
            Event::ReportSettled(number, how) => return self.settle_report(*number, how),
            Event::ReportEmptied(number) => {
                let report = self.caches.reports.get_mut(number);
                report.ok_or_else(|| Unwritten(report_key(*number)))?.remove_words();
            }
            Event::Appointed(user, wanted) => {
                let docket = self.caches.dockets.get_mut(&());
                docket.ok_or_else(|| Unwritten(docket_key()))?.appoint(user, *wanted);
            }
            Event::Announcements(event) => {
                self.caches.announcements.get_or_create(&())?.apply(event);
            }
            Event::Ban(subject, event) => return self.change_ban(subject, event),
            Event::Audited(record) => return self.append_to_audit(record),
            Event::Correspondents(names, event) => {
                let counted: Vec<_> = names.iter().map(|name| self.count(name, event)).collect();
                return counted.into_iter().collect();
            }
        }
        Ok(())
    }
}
