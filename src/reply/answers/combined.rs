//! One mail for the answers to several commands.

use crate::base::words::Plural;
use crate::reply::letters::{Block, OutgoingMail};

/// The longest text of a combined mail, in bytes.
const MAX_BYTES: usize = 100_000;

/// Combines the answers to the sender of several commands. Each has the number of its command.
pub fn combine(answers: Vec<(usize, OutgoingMail)>) -> OutgoingMail {
    let subject = Plural(answers.len(), "answer").to_string();
    let mut blocks = Vec::new();
    let mut size = 0;
    for (number, mail) in answers {
        size += mail.text().len();
        blocks.push(Block::Section(number, mail.subject));
        if size > MAX_BYTES {
            blocks.push(Block::sentence("(left out: too long)"));
        } else {
            blocks.extend(mail.blocks);
        }
    }
    OutgoingMail::answer(subject, blocks)
}
