//! A mail that goes out, still without addresses.

use super::block::{Block, Piece};
use super::plain::{self, Form};
use crate::base::ids::{BoardId, UserId};
use crate::base::words::quoted;
use crate::mail::Address;
use crate::model::rate_limit::Share;
use crate::model::user::OptOut;
use games::Seat;

/// A mail without addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// For whom.
    pub to: To,
    /// The Subject.
    pub subject: String,
    /// What it says.
    pub blocks: Vec<Block>,
    /// The board it is about.
    pub board: Option<BoardId>,
    /// The seat that the recipient may move for by replying.
    pub seat: Option<Seat>,
    /// Whether its reader gets it as a page of HTML, too.
    pub is_page: bool,
    /// What its reader can turn off, by an address that the mail names for it.
    pub opt_out: Option<OptOut>,
    /// Which part of the day's mails it counts for.
    pub share: Share,
}

/// Whom a mail is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// Whoever sent the command, wherever it came from.
    Sender,
    /// A user, at the registered addresses.
    User(UserId),
    /// A user who wants to hear of what others do, at the registered addresses.
    Listener(UserId),
    /// One address, which may be nobody's here.
    Address(Address),
}

impl Outgoing {
    /// A mail about no board.
    pub(super) fn new(to: To, subject: impl Into<String>, blocks: Vec<Block>) -> Self {
        // Most mails that are about no board answer somebody who has shown a password.
        let share = if matches!(to, To::Address(_)) { Share::Account } else { Share::Boards };
        let subject = subject.into();
        Self { to, subject, blocks, board: None, seat: None, is_page: false, opt_out: None, share }
    }

    /// A mail about no board to the sender of a command.
    pub(super) fn answer(subject: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self::new(To::Sender, subject, blocks)
    }

    /// What a mail has to say.
    pub fn text(&self) -> String {
        plain::text(&self.blocks, Form::Mail)
    }

    /// About how many bytes its letter has, without an HTML part.
    pub fn size(&self) -> usize {
        const HEADERS: usize = 700;
        self.text().len() + HEADERS
    }

    /// Makes it one that a player answers by pressing Reply; below stands what they are offered.
    pub fn answered_by(&mut self, user: &UserId, seat: Seat, offered: Option<Block>) {
        self.to = To::User(user.clone());
        self.seat = Some(seat);
        self.blocks.insert(0, Block::Mark);
        self.blocks.extend(offered);
    }

    /// Cuts an answer that is too long for somebody who has not shown who they are.
    pub fn shorten(&mut self, longest: usize) {
        let blocks = std::mem::take(&mut self.blocks);
        self.blocks = vec![Block::Shortened(blocks, longest)];
    }
}

/// Takes a password out of refusals that quote it as a word that was something else.
pub fn do_not_quote(outgoing: &mut [Outgoing], password: &str) {
    for block in outgoing.iter_mut().flat_map(|mail| &mut mail.blocks) {
        let Block::Text(lines) = block else { continue };
        for line in lines {
            match line {
                Piece::Heading(words)
                | Piece::Sentence(words)
                | Piece::Fact(words)
                | Piece::Named(_, words)
                | Piece::Command(words)
                | Piece::Said(words)
                | Piece::Kept(words) => *words = without_quotes_of(password, words),
                Piece::Plays(plays) => {
                    for play in plays {
                        *play = without_quotes_of(password, play);
                    }
                }
            }
        }
    }
}

/// The words with those between backquotes left out that have a password in them, with signs beside
/// it, say. How a command is written is no such word.
fn without_quotes_of(password: &str, words: &str) -> String {
    let text = words.replace(&quoted(password), "your password");
    if !text.contains(password) {
        return text;
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once('`') {
        kept.push_str(before);
        let Some((words, after)) = behind.split_once('`') else {
            kept.push('`');
            rest = behind;
            break;
        };
        if words.contains(password) && !words.contains('<') {
            kept.push_str("your password");
        } else {
            kept.extend(["`", words, "`"]);
        }
        rest = after;
    }
    kept + rest
}
