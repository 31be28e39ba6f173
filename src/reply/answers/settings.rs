//! Answers about a player's settings: settings of a game, the limit of boards, vacations.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Day;
use crate::base::words::Plural;
use crate::model::clock::Vacation;
use crate::reply::AnswerContext;
use crate::reply::answers::notices::undelivered_comment;
use crate::reply::answers::{profile, times};
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::board_mail::{self, clock_text};
use crate::reply::letters::{Block, OutgoingMail};
use games::{AnyGame, Choices, Scope, Seat, Setting};

/// An answer about a setting.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum SettingAnswer {
    /// The player's limit of boards of a game was set.
    Limit {
        game: &'static dyn AnyGame,
        /// The limit; none for no limit.
        most: Option<u32>,
    },
    /// A setting of a game was set.
    Setting {
        game: &'static dyn AnyGame,
        setting: &'static Setting,
        /// The value; none for the default.
        choice: Option<Choices>,
        /// The board for which it was set, and the player's seat there.
        board: Option<(BoardId, Seat)>,
    },
    /// Vacations were set, cancelled or requested.
    Vacation {
        user: UserId,
        today: Day,
        /// The current and planned vacations.
        left: Vec<Vacation>,
        cancelled: Vec<Vacation>,
    },
    /// The user chose a time zone, or days or nights at which their clocks stop.
    Times(UserId),
    /// The user changed their profile.
    Profile(UserId),
}

impl SettingAnswer {
    pub(crate) fn mail(&self, at: &AnswerContext) -> OutgoingMail {
        match self {
            Self::Limit { game, most } => {
                let title = game.spec().title;
                let blocks = vec![Block::sentence(limit_sentence(title, *most))];
                OutgoingMail::answer(format!("{title} settings"), blocks)
            }
            Self::Setting { game, setting, choice, board } => {
                let first = Block::heading(setting_sentence(*game, setting, choice.as_ref()));
                let head = [first].into_iter().chain(undelivered_comment(at.comment));
                match *board {
                    None => {
                        let subject = format!("{} settings", game.spec().title);
                        OutgoingMail::answer(subject, head.collect())
                    }
                    Some((id, seat)) => {
                        let origin = Some(at.origin);
                        board_mail::to_player(
                            at.world,
                            origin,
                            id,
                            seat,
                            SubjectTopic::Board,
                            head,
                            at.now,
                        )
                    }
                }
            }
            Self::Vacation { user, today, left, cancelled } => {
                let blocks = clock_text::vacations(user, *today, left, cancelled);
                OutgoingMail::answer(format!("Vacation {user}"), blocks)
            }
            Self::Times(user) => {
                let user = at.world.user(user);
                let blocks = user.map_or_else(Vec::new, |user| times::describe(user, at.now));
                OutgoingMail::answer("Your clocks", blocks)
            }
            Self::Profile(user) => {
                let user = at.world.user(user);
                let blocks = user.map_or_else(Vec::new, |user| profile::own(user, at.now));
                OutgoingMail::answer("Your profile", blocks)
            }
        }
    }
}

/// Returns a player's limit of boards of a game.
fn limit_sentence(title: &str, most: Option<u32>) -> String {
    match most {
        None => format!("You accept any number of challenges to {title}."),
        Some(0) => format!("You accept no challenges to {title}. Your boards in progress go on."),
        Some(most) => {
            let boards = Plural(usize::try_from(most).unwrap_or(usize::MAX), "board");
            format!("You play at most {boards} of {title} at a time.")
        }
    }
}

/// Returns that a setting was set, and for which boards.
fn setting_sentence(
    game: &'static dyn AnyGame,
    setting: &Setting,
    choice: Option<&Choices>,
) -> String {
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
    format!("From now on `{name}` is `{value}` {place}.")
}
