//! A mail before it has addresses.

use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::rate_limit::QuotaShare;
use crate::model::topic::Topic;
use crate::model::user::OptOut;
use crate::reply::letters::Block;
use crate::reply::letters::RoutedBlocks;
use crate::reply::letters::plain_text::{self, TextMedium};
use games::Seat;

/// A mail to a recipient whose addresses are not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The recipient.
    pub to: Recipient,
    /// The Subject.
    pub subject: String,
    /// The text.
    pub blocks: Vec<Block>,
    /// What the mail is about.
    pub topic: Option<Topic>,
    /// The seat for which the recipient can move by replying.
    pub seat: Option<Seat>,
    /// Whether the mail has an HTML page, too.
    pub has_page: bool,
    /// The kind of mails that its unsubscribe address turns off.
    pub opt_out: Option<OptOut>,
    /// The quota that the mail counts for.
    pub share: QuotaShare,
    /// Whether the mail may wait.
    pub delivery: Delivery,
    /// The user who reads the mail to the sender of a command, if they have proved to be its sender.
    pub reader: Option<UserId>,
}

/// Whether a mail may wait for others, or be left out if its reader wishes so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It goes out now.
    Now,
    /// News of a board.
    News,
    /// News of a board that waits for the opponent.
    Routine,
    /// A reminder.
    Reminder,
}

/// The recipient of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The sender of the command, wherever it came from.
    Sender,
    /// A user, at their registered addresses.
    User(UserId),
    /// A user who subscribed to news of others, at their registered addresses.
    Listener(UserId),
    /// An address, which may belong to no user.
    Address(Address),
}

impl OutgoingMail {
    /// Builds a mail about no board.
    pub(crate) fn new(to: Recipient, subject: impl Into<String>, blocks: Vec<Block>) -> Self {
        // Most mails about no board answer a user who has shown a password.
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
            topic: None,
            seat: None,
            has_page: false,
            opt_out: None,
            share,
            delivery: Delivery::Now,
            reader: None,
        }
    }

    /// Builds a mail about no board to the sender of a command.
    pub(crate) fn answer(subject: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self::new(Recipient::Sender, subject, blocks)
    }

    /// Returns the board that the mail is about.
    pub fn board(&self) -> Option<BoardId> {
        self.topic.as_ref().and_then(Topic::board)
    }

    /// Returns the user to whose registered addresses the mail goes.
    pub fn user(&self) -> Option<&UserId> {
        match &self.to {
            Recipient::User(user) | Recipient::Listener(user) => Some(user),
            Recipient::Sender | Recipient::Address(_) => None,
        }
    }

    /// Returns the user who reads the mail.
    pub fn reader(&self) -> Option<&UserId> {
        self.user().or_else(|| self.reader.as_ref().filter(|_| self.to == Recipient::Sender))
    }

    /// Prints the plain text.
    pub fn text(&self) -> String {
        plain_text::text(&self.blocks, TextMedium::Mail)
    }

    /// Returns the approximate size of the letter in bytes, without an HTML page.
    pub fn size(&self) -> usize {
        const HEADERS: usize = 700;
        self.text().len() + HEADERS
    }

    /// Makes the mail one that a player can answer, with the open offer below it.
    pub fn make_answerable(&mut self, user: &UserId, seat: Seat, offer: Option<Block>) {
        self.to = Recipient::User(user.clone());
        self.seat = Some(seat);
        self.blocks.insert(0, Block::Mark);
        self.blocks.extend(offer);
    }

    /// Removes the pictures, for a reader who wants words only.
    #[must_use]
    pub fn without_pictures(mut self) -> Self {
        self.blocks = without_pictures(self.blocks);
        self
    }

    /// Cuts the text after `longest` bytes, for a sender who has not shown who they are.
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
        Block::Routed(routed) => {
            let blocks = without_pictures(routed.blocks);
            Block::Routed(Box::new(RoutedBlocks { blocks, ..*routed }))
        }
        block => block,
    })
    .collect()
}
