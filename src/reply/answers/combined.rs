//! The answers to a mail of several commands.

use crate::base::words::Plural;
use crate::reply::letters::blocks::Block;
use crate::reply::letters::outgoing_mail::OutgoingMail;

/// The longest mail in which the answers to several commands are put together, bytes.
const LONGEST_ANSWER: usize = 100_000;

/// One mail to the sender of several commands alone: each answer with the number of its command.
pub fn combine(answers: Vec<(usize, OutgoingMail)>) -> OutgoingMail {
    let subject = Plural(answers.len(), "answer").to_string();
    let mut blocks = Vec::new();
    let mut size = 0;
    for (number, mail) in answers {
        size += mail.text().len();
        blocks.push(Block::Section(number, mail.subject));
        if size > LONGEST_ANSWER {
            blocks.push(Block::sentence("(left out: too long)"));
        } else {
            blocks.extend(mail.blocks);
        }
    }
    OutgoingMail::answer(subject, blocks)
}
