//! The answers to a mail of several commands.

use super::block::Block;
use super::{Outgoing, To};
use crate::base::words::Count;

/// The longest mail in which the answers to several commands are put together, bytes.
const LONGEST_ANSWER: usize = 100_000;

/// The answers put together: what the sender of the mail alone is told goes into one mail, so
/// that one mail does not bring fifty to whoever stands in its From.
pub fn together(answers: Vec<Vec<Outgoing>>) -> Vec<Outgoing> {
    let mut blocks = Vec::new();
    let mut outgoing = Vec::new();
    let (mut size, mut pages) = (0, 0);
    for (number, answer) in (1..).zip(answers) {
        for mail in answer {
            if mail.to != To::Sender {
                outgoing.push(mail);
                continue;
            }
            pages += 1;
            size += mail.text().len();
            blocks.push(Block::Section(number, mail.subject));
            if size > LONGEST_ANSWER {
                blocks.push(Block::sentence("(left out: too long)"));
            } else {
                blocks.extend(mail.blocks);
            }
        }
    }
    if pages > 0 {
        outgoing.push(Outgoing::answer(Count(pages, "answer").to_string(), blocks));
    }
    outgoing
}
