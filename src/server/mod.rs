//! The pipeline: from a mail or a command line to what changes and what is sent.
//!
//! A [`Server`] holds the documents of a batch. It reads through a [`Store`] and writes nothing:
//! [`Server::take`] hands out the transaction that the caller commits.

mod address;
pub mod check;
mod decide;
mod gather;
pub mod inbox;
mod letters;
mod malformed;
mod opt_out;
mod permit;
mod receipt;
pub mod remind;
pub mod repair;
mod returned;
mod several;

pub use receipt::{given_up, key_of, strands};

use crate::base::chance::Chance;
use crate::base::digest::digest;
use crate::base::password::{Hashing, Tried};
use crate::command::words::Trust;
use crate::command::{Command, Origin};
use crate::config::Config;
use crate::mail::{Identity, MARK, Message, parse, vouches};
use crate::model::token::TokenKey;
use crate::model::world::{World, board_key};
use crate::refusal::SyntaxRefusal;
use crate::reply::{self, Outgoing, To};
use crate::server::inbox::{Replies, Request};
use crate::server::letters::Cause;
use crate::server::permit::Sender;
use crate::server::receipt::{mail_key, short};
use crate::server::several::Several;
use crate::store::{Fault, MailKey, Store, Transaction};
use games::Seat;
use std::collections::HashMap;

/// What a server is, apart from its documents.
#[derive(Debug)]
pub struct Setup {
    /// The operator's choices.
    pub config: Config,
    /// What it calls itself in mails.
    pub identity: Identity,
    /// The secret behind reply tokens.
    pub key: TokenKey,
    /// How passwords are hashed.
    pub hashing: Hashing,
}

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handled {
    /// It was executed, or needs no execution.
    Done,
    /// It cannot be read, and is to be kept for the operator: why.
    Malformed(String),
}

/// The documents of a batch, and what became of them.
pub struct Server<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) chance: &'a mut dyn Chance,
    pub(crate) world: World,
    pub(crate) done: Transaction,
    /// What the operator should read: a line each, without secrets.
    pub log: Vec<String>,
    /// How many mails each mailbox got today, with those not yet committed; and the day.
    sent: HashMap<[u8; 8], usize>,
    today: i64,
    /// The passwords of the mail that were looked at.
    tried: Tried,
    /// What a mail of several commands has led to, while they are executed.
    several: Option<Several>,
    /// How many more moves of its highest level the program makes for the mail.
    program_moves: u32,
    /// Whether the home has so many users that their index is not made beside other work.
    is_unindexed: bool,
}

/// Documents kept between two transactions.
const MOST_DOCUMENTS: usize = 2_000;

impl std::fmt::Debug for Server<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("world", &self.world).finish_non_exhaustive()
    }
}

impl<'a> Server<'a> {
    /// A server that has read nothing yet.
    pub fn new(setup: &'a Setup, chance: &'a mut dyn Chance) -> Self {
        let (world, done) = (World::default(), Transaction::default());
        let (log, sent, tried) = (Vec::new(), HashMap::new(), Tried::default());
        let program_moves = setup.config.limits.program_moves.get();
        Self {
            setup,
            chance,
            world,
            done,
            log,
            sent,
            today: 0,
            tried,
            several: None,
            program_moves,
            is_unindexed: false,
        }
    }

    /// Executes one mail.
    ///
    /// # Errors
    /// The machine failed; the mail is to be tried again, after [`Server::forget`].
    pub fn mail(&mut self, raw: &[u8], store: &dyn Store, now: i64) -> Result<Handled, Fault> {
        let message = match parse(raw, &self.setup.identity.address) {
            Ok(message) => message,
            Err(unfit) => return self.unfit(&unfit, store, now),
        };
        let key = mail_key(message.message_id.as_ref(), message.digest);
        if !self.is_new(&key, store, now)? {
            return Ok(Handled::Done);
        }
        self.tried = Tried::default();
        self.program_moves = self.setup.config.limits.program_moves.get();
        if let Some((user, what)) = self.opted_out(&message, store)? {
            self.opt_out(&user, what, &message, &key, store, now)?;
        } else if let Some(silence) = &message.silence {
            self.log.push(format!("mail {} is not answered: {silence}", short(&key)));
            for id in &message.returned {
                self.returned(id, store, now)?;
            }
        } else {
            self.execute(&message, &key, store, now)?;
        }
        self.done.executes(key);
        self.done.at = now;
        Ok(Handled::Done)
    }

    /// Executes one command line of the shell; returns what is printed, and whether it was done.
    ///
    /// # Errors
    /// The machine failed.
    pub fn shell(
        &mut self,
        request: &Request,
        store: &dyn Store,
        now: i64,
    ) -> Result<(String, bool), Fault> {
        self.tried = Tried::default();
        let answers = self.request(request, &Origin::Shell, store, now)?;
        self.printed(answers, store, now)
    }

    /// Executes a command that is no player's; returns what is printed, and whether it was done.
    ///
    /// # Errors
    /// The machine failed.
    pub fn order(
        &mut self,
        command: &dyn Command,
        store: &dyn Store,
        now: i64,
    ) -> Result<(String, bool), Fault> {
        let request = shell_request(String::new(), true, String::new());
        let answers = self.carry_out(command, &request, &Origin::Shell, store, now)?;
        self.printed(answers, store, now)
    }

    /// What the shell shows of answers; those for others are posted.
    fn printed(
        &mut self,
        answers: Answers,
        store: &dyn Store,
        now: i64,
    ) -> Result<(String, bool), Fault> {
        let mut cause = [0; 32];
        self.chance.fill(&mut cause);
        let Answers { outgoing, done, .. } = answers;
        let (own, others): (Vec<Outgoing>, Vec<Outgoing>) =
            outgoing.into_iter().partition(|mail| mail.to == To::Sender);
        for (index, mail) in others.iter().enumerate() {
            self.post(mail, None, &Cause::answer(cause, index), store, now)?;
        }
        self.done.at = now;
        let mark = format!("{MARK}\n\n");
        let text = own.iter().map(|mail| mail.text.replacen(&mark, "", 1)).collect::<Vec<_>>();
        Ok((text.join("\n"), done))
    }

    /// What has changed since the last call: to be committed before anything else is believed.
    pub fn take(&mut self) -> Transaction {
        let mut done = std::mem::take(&mut self.done);
        done.index_updates = self.world.take_index_updates(done.at);
        done.changes = self.world.take_changes();
        done
    }

    /// Bytes of the letters written since the last [`take`](Self::take).
    pub fn answered(&self) -> usize {
        self.done.letters.iter().map(|letter| letter.bytes.len()).sum()
    }

    /// Forgets documents when there are many; to be called when all was taken.
    pub fn trim(&mut self) {
        if self.world.len() > MOST_DOCUMENTS {
            self.world = World::default();
        }
        if self.sent.len() > MOST_DOCUMENTS {
            self.sent.clear();
        }
    }

    /// Forgets all documents and everything not taken.
    pub fn forget(&mut self) {
        self.world = World::default();
        self.done = Transaction::default();
        self.sent.clear();
        self.several = None;
        self.log.clear();
    }

    fn execute(
        &mut self,
        message: &Message,
        key: &MailKey,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        let mut replies = None;
        let tag = inbox::tag(message);
        if let Some(tag) = &tag {
            self.gather(&[board_key(tag.board)], store)?;
            if let Ok(board) = self.world.board(tag.board) {
                let holder = Seat::BOTH.into_iter().find(|seat| {
                    let generation = self.world.generation(board, *seat);
                    self.setup.key.fits(tag, board.player(*seat), generation)
                });
                replies = holder.map(|seat| {
                    let (player, view) = (board.player(seat), self.world.view(board, seat));
                    Replies { board, player, tag, view }
                });
            }
        }
        let setup = self.setup;
        let server = setup.config.authserv_id.as_deref();
        let is_doubted = server.is_some_and(|it| !vouches(&message.results, it, &message.from));
        let origin = if is_doubted { Origin::Doubted } else { Origin::Mail };
        let origin = origin(message.from.clone());
        let mut requests = inbox::requests(message, tag.is_some(), replies.as_ref());
        let holder = replies.map(|replies| (replies.board.id, replies.player.clone()));
        if let Err(SyntaxRefusal::Untagged { board: Some((board, player)) }) = &mut requests {
            *player = self.player_from(*board, &message.from, store)?;
        }
        let mut answers = Vec::new();
        match requests {
            Ok(requests) => {
                let several = requests.len() > 1;
                self.several = several.then(Several::default);
                for request in requests {
                    let mut answer = self.request(&request, &origin, store, now)?;
                    if let Some((board, user)) = holder.as_ref().filter(|_| !several) {
                        self.address_to_holder(&mut answer, *board, user);
                    }
                    answer.of = request.line;
                    answers.push(answer);
                }
                if several {
                    answers.extend(self.all_said(&origin, now));
                    answers = vec![reply::together(answers)];
                }
            }
            Err(refusal) => {
                self.log.push(format!("{}: no command in the mail", message.from));
                let board = holder.as_ref().map(|(board, _)| *board);
                // Whoever says `multiple` has heard of us.
                let found = match refusal {
                    SyntaxRefusal::EmptyMultiple | SyntaxRefusal::LongMultiple(_) => Found::Words,
                    SyntaxRefusal::Tag | SyntaxRefusal::OptOut => Found::OldTag,
                    _ => Found::Nothing,
                };
                let user = holder.as_ref().map(|(_, user)| user);
                let mut outgoing = vec![reply::refuse(&refusal.into(), &self.asker(user, board))];
                if let Some((_, user)) = &holder {
                    self.address_to(&mut outgoing, user);
                }
                let (proved, of) = (holder.is_some(), message.subject.clone());
                answers.push(Answers { outgoing, done: false, proved, found, of });
            }
        }
        for answer in &mut answers {
            let is_player = holder.is_some();
            let is_vouched_for = server.is_some() && !is_doubted;
            let tag = tag.as_ref();
            let sender = Sender { message, tag, is_player, is_doubted, is_vouched_for };
            self.limit(answer, &sender, store, now)?;
        }
        // Two mails that say the same are two mails, if their ids say so.
        let digest = digest([key.id, key.content].concat().as_slice());
        let outgoing = answers.iter().flat_map(|answer| &answer.outgoing);
        for (index, mail) in outgoing.enumerate() {
            self.post(mail, Some(message), &Cause::answer(digest, index), store, now)?;
        }
        Ok(())
    }
}

/// What is said to one command, still without addresses.
#[derive(Debug)]
pub struct Answers {
    /// The mails.
    pub outgoing: Vec<Outgoing>,
    /// Whether the command was carried out.
    pub done: bool,
    /// Whether whoever sent it has shown who he is.
    pub proved: bool,
    /// What was found in the mail.
    pub found: Found,
    /// The words that are answered.
    pub of: String,
}

/// What was found in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// Nothing that is said here.
    Nothing,
    /// A reply to an address of ours that belongs to nobody, or no longer.
    OldTag,
    /// Words that look like a command and are none.
    Words,
    /// A command.
    Command,
}

/// A request of the operator's shell.
pub fn shell_request(line: String, operator: bool, comment: String) -> Request {
    let trust = if operator { Trust::Operator } else { Trust::Words };
    Request { line, trust, comment, held_back: false }
}
