//! A mail that goes out, still without addresses.

use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::rate_limit::QuotaShare;
use crate::model::user::OptOut;
use crate::reply::letters::blocks::Block;
use crate::reply::letters::plain_text::{self, TextMedium};
use games::Seat;

/// A mail without addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The reader.
    pub to: Recipient,
    /// The Subject.
    pub subject: String,
    /// What it says.
    pub blocks: Vec<Block>,
    /// The board it is about.
    pub board: Option<BoardId>,
    /// The seat that the recipient may move for by replying.
    pub seat: Option<Seat>,
    /// The user whose words it brings, if these are about no board: a reply goes back to them.
    pub writer: Option<UserId>,
    /// Whether its reader gets it as a page of HTML, too.
    pub is_page: bool,
    /// What its reader can turn off, by an address that the mail names for it.
    pub opt_out: Option<OptOut>,
    /// Which part of the day's mails it counts for.
    pub share: QuotaShare,
}

/// The reader of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The sender of the command, no matter where it came from.
    Sender,
    /// A user, at the registered addresses.
    User(UserId),
    /// A user who wants to hear of what others do, at the registered addresses.
    Listener(UserId),
    /// One address, which may be nobody's here.
    Address(Address),
}

impl OutgoingMail {
    /// A mail about no board.
    pub(crate) fn new(to: Recipient, subject: impl Into<String>, blocks: Vec<Block>) -> Self {
        // Most mails that are about no board answer a user who has shown a password.
        let share = if matches!(to, Recipient::Address(_)) {
            QuotaShare::Account
        } else {
            QuotaShare::Boards
        };
        let subject = subject.into();
        Self {
            to,
            subject,
            blocks,
            board: None,
            seat: None,
            writer: None,
            is_page: false,
            opt_out: None,
            share,
        }
    }

    /// A mail about no board to the sender of a command.
    pub(crate) fn answer(subject: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self::new(Recipient::Sender, subject, blocks)
    }

    /// What a mail has to say.
    pub fn text(&self) -> String {
        plain_text::text(&self.blocks, TextMedium::Mail)
    }

    /// About how many bytes its letter has, without an HTML part.
    pub fn size(&self) -> usize {
        const HEADERS: usize = 700;
        self.text().len() + HEADERS
    }

    /// Makes it one that a player answers by pressing Reply; below it is what they are offered.
    pub fn answered_by(&mut self, user: &UserId, seat: Seat, offered: Option<Block>) {
        self.to = Recipient::User(user.clone());
        self.seat = Some(seat);
        self.blocks.insert(0, Block::Mark);
        self.blocks.extend(offered);
    }

    /// Leaves the pictures out, for a reader who wants words only.
    #[must_use]
    pub fn without_pictures(mut self) -> Self {
        self.blocks = without_pictures(self.blocks);
        self
    }

    /// Cuts an answer that is too long for a sender who has not shown who they are.
    pub fn shorten(&mut self, longest: usize) {
        let blocks = std::mem::take(&mut self.blocks);
        self.blocks = vec![Block::Shortened(blocks, longest)];
    }
}

fn without_pictures(blocks: Vec<Block>) -> Vec<Block> {
    let kept = blocks.into_iter().filter(|block| !matches!(block, Block::Picture(_)));
    kept.map(|block| match block {
        Block::Shortened(blocks, most) => Block::Shortened(without_pictures(blocks), most),
        Block::PageOnly(blocks) => Block::PageOnly(without_pictures(blocks)),
        block => block,
    })
    .collect()
}
