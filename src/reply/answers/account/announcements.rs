//! The operator's announcements.

use crate::base::time::Day;
use crate::model::announcement::Announcement;
use crate::reply::letters::{Block, OutgoingMail, TextElement};

/// Tells announcements at the end of a mail.
pub fn block(new: &[&Announcement]) -> Block {
    let first = TextElement::Sentence("The operator of this server announces:".into());
    let quote = |one: &&Announcement| TextElement::Quote(one.words.clone());
    Block::Text(std::iter::once(first).chain(new.iter().map(quote)).collect())
}

/// Builds the answer to the operator.
pub(super) fn made(number: u32, until: Option<Day>) -> OutgoingMail {
    let sentence = match until {
        Some(until) => format!(
            "Announcement {number} is on the home page until {until}, and comes once in a mail to each \
             player."
        ),
        None => format!("Announcement {number} is withdrawn."),
    };
    OutgoingMail::answer("Announcements", vec![Block::sentence(sentence)])
}
