//! Answers about muted, blocked and favourite players.

use crate::base::ids::UserId;
use crate::base::words::AndList;
use crate::model::user::Mark;
use crate::reply::letters::{Block, OutgoingMail};

/// Builds the answer to a user who has put a mark on another, or removed it.
pub(super) fn changed(user: &UserId, other: &UserId, mark: Mark, is_marked: bool) -> OutgoingMail {
    let blocks = if is_marked {
        vec![
            Block::sentence(made(other, mark)),
            Block::sentence(match mark {
                Mark::Muted => "To unmute them, send the Subject",
                Mark::Blocked => "To unblock them, send the Subject",
                Mark::Favourite => "To end this, send the Subject",
            }),
            Block::command(format!("{} {user} <password> {other}", mark.undoing_verb())),
        ]
    } else {
        vec![Block::sentence(match mark {
            Mark::Muted => format!("{other} is no longer muted."),
            Mark::Blocked => format!("{other} is no longer blocked."),
            Mark::Favourite => format!("{other} is no longer one of your favourites."),
        })]
    };
    OutgoingMail::answer(format!("You and {other}"), blocks)
}

/// Returns what a new mark changes.
fn made(other: &UserId, mark: Mark) -> String {
    match mark {
        Mark::Muted => format!(
            "You have muted {other}. You get no more chats, messages or broadcasts from {other}. \
             Their moves still come, but without their comments. {other} is not told."
        ),
        Mark::Blocked => format!(
            "You have blocked {other}. {other} cannot challenge you, ask for a rematch, accept your \
             open challenges or write to you, and you do not challenge them. Your boards with {other} \
             go on, without their comments. {other} is not told."
        ),
        Mark::Favourite => format!(
            "{other} is one of your favourites: you find them at the head of your lists of players. \
             {other} is not told."
        ),
    }
}

/// Lists the users with a mark.
pub(super) fn listed(user: &UserId, mark: Mark, marked: &[UserId]) -> OutgoingMail {
    let (sentence, verb, other) = match marked {
        [] => {
            let none = match mark {
                Mark::Muted => "You have muted nobody. To mute a player, send the Subject",
                Mark::Blocked => "You have blocked nobody. To block a player, send the Subject",
                Mark::Favourite => "You have no favourites. To mark a player, send the Subject",
            };
            (none.to_owned(), mark.verb(), "<other>")
        }
        [first, more @ ..] => {
            let whom = if more.is_empty() { "them" } else { "one of them" };
            let all = AndList(marked);
            let sentence = match mark {
                Mark::Muted => format!("You have muted {all}. To unmute {whom}, send the Subject"),
                Mark::Blocked => {
                    format!("You have blocked {all}. To unblock {whom}, send the Subject")
                }
                Mark::Favourite => {
                    format!("Your favourites: {all}. To take {whom} off the list, send the Subject")
                }
            };
            (sentence, mark.undoing_verb(), first.as_str())
        }
    };
    let command = Block::command(format!("{verb} {user} <password> {other}"));
    let subject = match mark {
        Mark::Muted => "Users you have muted",
        Mark::Blocked => "Users you have blocked",
        Mark::Favourite => "Your favourites",
    };
    OutgoingMail::answer(subject, vec![Block::sentence(sentence), command])
}
