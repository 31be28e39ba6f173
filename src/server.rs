//! The pipeline: from a mail or a command line to what changes and what is sent.
//!
//! A [`Server`] holds the documents of a batch. It reads through a [`Store`] and writes nothing:
//! [`Server::take`] hands out the transaction that the caller commits.

use crate::command::words::Trust;
use crate::command::{self, Chance, Context, Needs, Origin};
use crate::config::Config;
use crate::ids::{BoardId, UserId};
use crate::inbox::{self, Request};
use crate::message::{Address, HeaderText, Identity, Kind, Letter, Mail, Message, compose, parse};
use crate::password::Hashing;
use crate::refusal::{Refusal, SyntaxRefusal};
use crate::reply::{self, Outgoing, To};
use crate::store::{Fault, Key, MailKey, Seen, Store, Transaction, digest};
use crate::token::TokenKey;
use crate::world::{World, board_key, user_key};
use data_encoding::HEXLOWER;

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
    Unfit(String),
}

/// The documents of a batch, and what became of them.
pub struct Server<'a> {
    setup: &'a Setup,
    chance: &'a mut dyn Chance,
    world: World,
    done: Transaction,
    /// What the operator should read: a line each, without secrets.
    pub log: Vec<String>,
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
        Self { setup, chance, world, done, log: Vec::new() }
    }

    /// Executes one mail.
    ///
    /// # Errors
    /// The machine failed; the mail is to be tried again, after [`Server::forget`].
    pub fn mail(&mut self, raw: &[u8], store: &dyn Store, now: i64) -> Result<Handled, Fault> {
        let message = match parse(raw, &self.setup.identity.address) {
            Ok(message) => message,
            Err(unfit) => return self.unfit(raw, &unfit, store, now),
        };
        let id = message.message_id.as_ref();
        let key = MailKey {
            id: id.map_or(message.digest, |id| digest(id.to_string().as_bytes())),
            content: message.digest,
        };
        if !self.is_new(&key, store, now)? {
            return Ok(Handled::Done);
        }
        if let Some(silence) = &message.silence {
            self.log.push(format!("mail {} is not answered: {silence}", short(&key)));
        } else {
            self.execute(&message, &key, store, now)?;
        }
        self.done.seen.push(key);
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
        let mut cause = [0; 32];
        self.chance.fill(&mut cause);
        let (outgoing, done) = self.request(request, &Origin::Shell, store, now)?;
        let (own, others): (Vec<Outgoing>, Vec<Outgoing>) =
            outgoing.into_iter().partition(|mail| mail.to == To::Sender);
        for (index, mail) in others.iter().enumerate() {
            self.post(mail, None, true, &(cause, index), now);
        }
        self.done.at = now;
        let mark = format!("{}\n\n", crate::message::MARK);
        let text = own.iter().map(|mail| mail.text.replacen(&mark, "", 1)).collect::<Vec<_>>();
        Ok((text.join("\n"), done))
    }

    /// What has changed since the last call: to be committed before anything else is believed.
    pub fn take(&mut self) -> Transaction {
        let mut done = std::mem::take(&mut self.done);
        done.changes = self.world.take_changes();
        done
    }

    /// How many mails were executed since the last [`Server::take`].
    pub fn pending(&self) -> usize {
        self.done.seen.len()
    }

    /// Forgets documents when there are many; to be called when all was taken.
    pub fn trim(&mut self) {
        if self.world.len() > MOST_DOCUMENTS {
            self.world = World::default();
        }
    }

    /// Forgets all documents and everything not taken.
    pub fn forget(&mut self) {
        self.world = World::default();
        self.done = Transaction::default();
    }

    fn is_new(&mut self, key: &MailKey, store: &dyn Store, now: i64) -> Result<bool, Fault> {
        let seen = if self.done.seen.contains(key) {
            Seen::Before
        } else if self.done.seen.iter().any(|done| done.id == key.id) {
            Seen::Reused
        } else {
            store.seen(key, now)?
        };
        match seen {
            Seen::New => {}
            Seen::Before => {
                self.log.push(format!("mail {} was executed before", short(key)));
                return Ok(false);
            }
            Seen::Reused => self.log.push(format!(
                "mail {} has the Message-ID of another mail; it is executed",
                short(key)
            )),
        }
        Ok(true)
    }

    fn execute(
        &mut self,
        message: &Message,
        key: &MailKey,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        let mut replies = None;
        if let Some(tag) = inbox::tag(message) {
            self.load(&Needs::Keys(vec![board_key(tag.board)]), store)?;
            if let Ok(board) = self.world.board(tag.board) {
                let holder = board.players.iter().find(|user| self.setup.key.fits(&tag, user));
                replies = holder.map(|user| (board, user));
            }
        }
        let origin = Origin::Mail(message.from.clone());
        let requests = inbox::requests(message, replies);
        let board = replies.map(|(board, _)| board.id);
        let mut index = 0;
        let mut post = |server: &mut Self, outgoing: &[Outgoing], bounces: bool| {
            for mail in outgoing {
                server.post(mail, Some(message), bounces, &(key.content, index), now);
                index += 1;
            }
        };
        match requests {
            Ok(requests) => {
                for request in requests {
                    let (outgoing, done) = self.request(&request, &origin, store, now)?;
                    post(self, &outgoing, done);
                }
            }
            Err(refusal) => {
                let refusal = Refusal::from(refusal);
                self.log.push(format!("{}: a reply without a move", message.from));
                post(self, &[reply::refuse(&refusal, board)], true);
            }
        }
        Ok(())
    }

    /// One command line; whether it was done stands beside what is said.
    fn request(
        &mut self,
        request: &Request,
        origin: &Origin,
        store: &dyn Store,
        now: i64,
    ) -> Result<(Vec<Outgoing>, bool), Fault> {
        let who = match origin {
            Origin::Mail(address) => address.as_str(),
            Origin::Shell => "shell",
        };
        let command = match command::parse(&request.line, &request.trust) {
            Ok(command) => command,
            Err(refusal) => {
                self.log.push(format!("{who}: no command"));
                return Ok((vec![reply::refuse(&refusal, None)], false));
            }
        };
        self.load(&command.needs(), store)?;
        let mut cx = Context {
            now,
            origin,
            comment: &request.comment,
            chance: self.chance,
            hashing: &self.setup.hashing,
            limits: &self.setup.config.limits,
        };
        match command.decide(&self.world, &mut cx) {
            Ok(decision) => {
                for event in &decision.events {
                    self.world.apply(event);
                    self.log.push(format!("{who}: {}", event.summary()));
                }
                Ok((reply::compose(&self.world, origin, &decision, &request.comment), true))
            }
            Err(refusal) => {
                let board = command.board();
                let about = board.map_or_else(|| "a command".into(), |board| board.to_string());
                self.log.push(format!("{who}: {about}: refused"));
                let known = !refusal.is_about_identity();
                Ok((vec![reply::refuse(&refusal, board)], known && *origin != Origin::Shell))
            }
        }
    }

    /// A mail that cannot be read gets one short answer, if its sender is known and may get one.
    fn unfit(
        &mut self,
        raw: &[u8],
        unfit: &crate::message::Unfit,
        store: &dyn Store,
        now: i64,
    ) -> Result<Handled, Fault> {
        let content = digest(raw);
        let key = MailKey { id: content, content };
        if !self.is_new(&key, store, now)? {
            return Ok(Handled::Done);
        }
        self.log.push(format!("mail {} cannot be read: {unfit}", short(&key)));
        if let Some(from) = unfit.tell() {
            let refusal = SyntaxRefusal::Mail(unfit.to_string()).into();
            let mail = reply::refuse(&refusal, None);
            self.send(&mail, from, None, false, &(content, 0), now);
        }
        self.done.seen.push(key);
        self.done.at = now;
        Ok(Handled::Unfit(unfit.to_string()))
    }

    fn load(&mut self, needs: &Needs, store: &dyn Store) -> Result<(), Fault> {
        let keys: Vec<Key> = match needs {
            Needs::Keys(keys) => keys.clone(),
            Needs::BoardsOf(games) => {
                let mut keys = Vec::new();
                for game in games {
                    keys.extend(store.boards(game)?);
                }
                keys
            }
            Needs::BoardsOfUsers(users, games) => {
                let users_keys: Vec<Key> = users.iter().map(user_key).collect();
                self.gather(&users_keys, store)?;
                let users = users.iter().filter_map(|user| self.world.user(user));
                let boards = users.flat_map(|user| user.active.iter().chain(&user.finished));
                boards.filter(|id| games.contains(&id.game)).map(|id| board_key(*id)).collect()
            }
        };
        self.gather(&keys, store)
    }

    fn gather(&mut self, keys: &[Key], store: &dyn Store) -> Result<(), Fault> {
        let damaged = self.world.gather(keys, store)?;
        self.log.extend(damaged);
        Ok(())
    }

    fn post(
        &mut self,
        mail: &Outgoing,
        answers: Option<&Message>,
        bounces: bool,
        cause: &([u8; 32], usize),
        now: i64,
    ) {
        let addresses: Vec<Address> = match &mail.to {
            To::Sender => answers.map(|message| message.from.clone()).into_iter().collect(),
            To::User(user) => {
                self.world.user(user).map(|user| user.addresses.clone()).unwrap_or_default()
            }
        };
        if let (To::User(user), true) = (&mail.to, addresses.is_empty()) {
            self.log.push(format!("{user} has no address; a mail to them is not sent"));
        }
        for address in &addresses {
            self.send(mail, address, answers, bounces, cause, now);
        }
    }

    fn send(
        &mut self,
        mail: &Outgoing,
        to: &Address,
        answers: Option<&Message>,
        bounces: bool,
        cause: &([u8; 32], usize),
        now: i64,
    ) {
        // The same cause gives the same id, so that a mail sent again after a crash is known.
        let (cause, index) = cause;
        let seed = format!("{} {index} {to}", HEXLOWER.encode(cause));
        let id = HEXLOWER.encode(&digest(seed.as_bytes())[..16]);
        let user = mail.seat.and(match &mail.to {
            To::User(user) => Some(user),
            To::Sender => None,
        });
        let answered = answers
            .filter(|message| message.from == *to)
            .and_then(|m| Some((m.message_id.clone()?, m.references.clone())));
        let out = Mail {
            to: to.clone(),
            subject: HeaderText::new(&mail.subject),
            text: mail.text.clone(),
            kind: Kind::Answer,
            thread: mail.board.map(|board| format!("{}-{}", board.game, board.number)),
            answers: answered,
            reply_tag: mail.board.zip(user).map(|(board, user)| self.tag(board, user)),
            bounces,
        };
        let letter: Letter = compose(&out, &self.setup.identity, &id, now);
        self.done.letters.push(letter);
    }

    fn tag(&self, board: BoardId, user: &UserId) -> String {
        self.setup.key.tag(board, user)
    }
}

/// A request of the operator's shell.
pub fn shell_request(line: String, operator: bool, comment: String) -> Request {
    let trust = if operator { Trust::Operator } else { Trust::Words };
    Request { line, trust, comment }
}

fn short(key: &MailKey) -> String {
    HEXLOWER.encode(&key.content[..6])
}
