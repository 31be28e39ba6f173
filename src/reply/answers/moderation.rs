//! Answers about acts of moderation, and the mails about them: to the user whom an act concerns, to
//! the opponents of a banned user, and to the author of a settled report.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::{AndList, Plural};
use crate::mail::Address;
use crate::model::moderation::{Act, AuditRecord};
use crate::model::world::World;
use crate::refusal::until;
use crate::reply::AnswerContext;
use crate::reply::answers::account::opponents;
use crate::reply::letters::{Block, OutgoingMail, Recipient, TextElement};
use games::Seat;

/// An answer about an act of moderation.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum ModerationAnswer {
    /// An act about a user.
    User {
        user: UserId,
        addresses: Vec<Address>,
        record: AuditRecord,
        /// The boards that a banned user gives up, with their seats.
        boards: Vec<(BoardId, Seat)>,
        contact: String,
    },
    /// An act about an address, a domain or a network.
    Place { record: AuditRecord, users: Vec<UserId> },
    /// A settled report.
    Settled { number: u32, reporter: UserId },
}

impl ModerationAnswer {
    /// Returns the users who get a mail besides the sender and the players of given up boards.
    pub(crate) fn readers(&self, world: &World) -> Vec<UserId> {
        match self {
            Self::User { boards, .. } => {
                let boards = boards.iter().filter_map(|(board, _)| world.board(*board).ok());
                boards.flat_map(|board| board.observers.iter().cloned()).collect()
            }
            Self::Place { .. } => Vec::new(),
            Self::Settled { reporter, .. } => vec![reporter.clone()],
        }
    }

    pub(crate) fn mails(&self, at: &AnswerContext) -> Vec<OutgoingMail> {
        match self {
            Self::User { user, addresses, record, boards, contact } => {
                let mut mails = vec![done(record, boards.len())];
                let notice = notice(user, record, boards.len(), contact);
                mails.extend(addresses.iter().map(|address| {
                    let to = Recipient::Address(address.clone());
                    OutgoingMail::new(to, format!("Your account {user}"), notice.clone())
                }));
                mails.extend(boards.iter().flat_map(|(board, seat)| {
                    opponents(at.world, Some(at.origin), *board, None, *seat, at.now)
                }));
                mails
            }
            Self::Place { record, users } => {
                let mut mail = done(record, 0);
                if !users.is_empty() {
                    let words = format!(
                        "Players who already use it are not concerned: {}. To ban them, name them.",
                        AndList(users)
                    );
                    mail.blocks.push(Block::sentence(words));
                }
                vec![mail]
            }
            Self::Settled { number, reporter } => {
                let done = format!("Report {number} is settled.");
                let words = format!(
                    "The operator has looked at your report {number} and has settled it. Thank you \
                     for your help."
                );
                let to = Recipient::Listener(reporter.clone());
                vec![
                    OutgoingMail::answer("Moderation", vec![Block::sentence(done)]),
                    OutgoingMail::new(
                        to,
                        format!("Your report {number}"),
                        vec![Block::sentence(words)],
                    ),
                ]
            }
        }
    }
}

/// Builds the answer to the operator or administrator who acts.
fn done(record: &AuditRecord, boards: usize) -> OutgoingMail {
    let about = &record.about;
    let until = until(record.until);
    let words = match record.act {
        Act::Mute => format!("{about} is muted{until}."),
        Act::Suspend => format!("{about} is suspended{until}."),
        Act::Ban => format!("{about} is banned{until}."),
        Act::Lift => format!("Nothing is in force against {about} any more."),
        Act::Appoint => format!("{about} is an administrator."),
        Act::Dismiss => format!("{about} is no administrator any more."),
        Act::Settle => format!("{about} is settled."),
        Act::Enter | Act::Retry | Act::Drop | Act::Erase | Act::Undo | Act::Configure => {
            format!("{} {about}: done.", record.act)
        }
    };
    let resigned = match boards {
        0 => String::new(),
        count => format!(" They gave up {}.", Plural(count, "board")),
    };
    OutgoingMail::answer("Moderation", vec![Block::sentence(format!("{words}{resigned}"))])
}

/// Builds the text to the user whom an act concerns.
fn notice(user: &UserId, record: &AuditRecord, boards: usize, contact: &str) -> Vec<Block> {
    let until = until(record.until);
    let words = match record.act {
        Act::Mute => format!(
            "{user}, the operator has muted you{until}. You can play as before, but what you write \
             is not passed on to others."
        ),
        Act::Suspend => format!(
            "{user}, the operator has suspended you{until}. Your boards go on and their clocks run, \
             so play them, also in running tournaments. You can begin no games, enter no tournaments \
             and write to nobody. Your open challenges are withdrawn, and so are your entries in \
             tournaments that have not started."
        ),
        Act::Ban if boards > 0 => format!(
            "{user}, the operator has banned you{until}. You have given up {}: those on which you had \
             moved are resigned, the others are closed without a result.",
            Plural(boards, "board")
        ),
        Act::Ban => format!("{user}, the operator has banned you{until}."),
        Act::Lift => format!(
            "{user}, nothing is in force against you any more. If you were banned, you can come back: \
             send `signup` with your userid and your password."
        ),
        Act::Appoint => format!(
            "{user}, the operator has made you an administrator: your settings on the web lead to \
             the reports of players."
        ),
        Act::Dismiss => format!("{user}, you are not an administrator any more."),
        Act::Settle
        | Act::Enter
        | Act::Retry
        | Act::Drop
        | Act::Erase
        | Act::Undo
        | Act::Configure => String::new(),
    };
    let mut blocks = vec![Block::sentence(words)];
    if matches!(record.act, Act::Mute | Act::Suspend | Act::Ban) {
        blocks.push(Block::Text(vec![
            TextElement::Sentence("The reason:".into()),
            TextElement::Quote(record.why.clone()),
        ]));
        let words = format!("If you think that this is a mistake, write to {contact}.");
        blocks.push(Block::sentence(words));
    }
    blocks
}
