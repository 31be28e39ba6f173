//! The choices of a player: settings of a game, a limit, days of vacation.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Day;
use crate::base::words::Plural;
use crate::model::clock::Vacation;
use crate::reply::AnswerContext;
use crate::reply::answers::notices::undelivered_comment;
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::board_mail::{self, clock_text};
use crate::reply::letters::blocks::Block;
use crate::reply::letters::outgoing_mail::OutgoingMail;
use games::{AnyGame, Choices, Scope, Seat, Setting};

/// What a player has chosen.
#[derive(Debug)]
pub enum SettingAnswer {
    /// How many boards of a game they play at most.
    Limit {
        /// The game.
        game: &'static dyn AnyGame,
        /// How many; no limit if nothing is said.
        most: Option<u32>,
    },
    /// How they like something.
    Setting {
        /// The game.
        game: &'static dyn AnyGame,
        /// The setting.
        setting: &'static Setting,
        /// Their choice; nothing for the default.
        choice: Option<Choices>,
        /// The board that they said it about, and their seat there.
        board: Option<(BoardId, Seat)>,
    },
    /// Their vacations.
    Vacation {
        /// The user.
        user: UserId,
        /// The day on which they say so.
        today: Day,
        /// What is left of them.
        left: Vec<Vacation>,
        /// Those to come that are taken back.
        cancelled: Vec<Vacation>,
    },
}

impl SettingAnswer {
    pub(crate) fn mail(&self, at: &AnswerContext) -> OutgoingMail {
        match self {
            Self::Limit { game, most } => {
                let title = game.spec().title;
                let blocks = vec![Block::sentence(limit(title, *most))];
                OutgoingMail::answer(format!("{title} settings"), blocks)
            }
            Self::Setting { game, setting, choice, board } => {
                let first = Block::heading(setting_taken(*game, setting, choice.as_ref()));
                let head = [first].into_iter().chain(undelivered_comment(at.comment));
                match *board {
                    None => {
                        let subject = format!("{} settings", game.spec().title);
                        OutgoingMail::answer(subject, head.collect())
                    }
                    Some(seat) => {
                        let origin = Some(at.origin);
                        board_mail::to_player(
                            at.world,
                            origin,
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
        }
    }
}

/// How many challenges to a game a user takes.
fn limit(title: &str, most: Option<u32>) -> String {
    match most {
        None => format!("You take challenges to {title}, without a limit."),
        Some(0) => format!("You take no challenges to {title}. Boards in progress go on."),
        Some(most) => {
            let boards = Plural(usize::try_from(most).unwrap_or(usize::MAX), "board");
            format!("You play at most {boards} of {title} at a time.")
        }
    }
}

/// That a setting was taken, and how far it reaches.
fn setting_taken(
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
