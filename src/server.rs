//! The pipeline: from a mail or a command line to what changes and what is sent.
//!
//! A [`Server`] holds the documents of a batch. It reads through a [`Store`] and writes nothing:
//! [`Server::take`] hands out the transaction that the caller commits.

use crate::board::Board;
use crate::command::words::Trust;
use crate::command::{self, Chance, Command, Context, Needs, Origin};
use crate::config::Config;
use crate::event::Event;
use crate::ids::{BoardId, UserId};
use crate::inbox::{self, Request};
use crate::message::{
    Address, HeaderText, Identity, Kind, Letter, MARK, Mail, Message, MessageId, Unfit, compose,
    parse, shortened,
};
use crate::password::Hashing;
use crate::refusal::SyntaxRefusal;
use crate::reply::{self, Outgoing, To};
use crate::store::{Fault, Key, MailKey, Seen, Store, Transaction, digest};
use crate::token::TokenKey;
use crate::world::{World, board_key, mailbox_key, user_key};
use data_encoding::HEXLOWER;
use std::panic::catch_unwind;

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
    pub(crate) setup: &'a Setup,
    pub(crate) chance: &'a mut dyn Chance,
    pub(crate) world: World,
    pub(crate) done: Transaction,
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
            Err(unfit) => return self.unfit(&unfit, store, now),
        };
        let key = mail_key(message.message_id.as_ref(), message.digest);
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
        let answers = self.request(request, &Origin::Shell, store, now)?;
        Ok(self.printed(answers, now))
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
        Ok(self.printed(answers, now))
    }

    /// What the shell shows of answers; those for others are posted.
    fn printed(&mut self, answers: Answers, now: i64) -> (String, bool) {
        let mut cause = [0; 32];
        self.chance.fill(&mut cause);
        let Answers { outgoing, done, .. } = answers;
        let (own, others): (Vec<Outgoing>, Vec<Outgoing>) =
            outgoing.into_iter().partition(|mail| mail.to == To::Sender);
        for (index, mail) in others.iter().enumerate() {
            self.post(mail, None, true, &Cause::answer(cause, index), now);
        }
        self.done.at = now;
        let mark = format!("{MARK}\n\n");
        let text = own.iter().map(|mail| mail.text.replacen(&mark, "", 1)).collect::<Vec<_>>();
        (text.join("\n"), done)
    }

    /// Posts mails that no mail was the cause of, but what is named so.
    pub(crate) fn post_all(&mut self, outgoing: &[Outgoing], named: &str, now: i64) {
        let digest = digest(named.as_bytes());
        for (index, mail) in outgoing.iter().enumerate() {
            self.post(mail, None, true, &Cause { digest, index, kind: Kind::Notice }, now);
        }
    }

    /// What has changed since the last call: to be committed before anything else is believed.
    pub fn take(&mut self) -> Transaction {
        let mut done = std::mem::take(&mut self.done);
        done.hints = self.world.take_hints(done.at);
        done.changes = self.world.take_changes();
        done
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
        self.log.clear();
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
            Seen::Before | Seen::Fading => {
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
        let tag = inbox::tag(message);
        if let Some(tag) = &tag {
            self.gather(&[board_key(tag.board)], store)?;
            if let Ok(board) = self.world.board(tag.board) {
                let holder = board.players.iter().find(|user| self.setup.key.fits(tag, user));
                replies = holder.map(|user| (board, user, tag));
            }
        }
        let origin = Origin::Mail(message.from.clone());
        let requests = inbox::requests(message, tag.is_some(), replies);
        let holder = replies.map(|(board, user, _)| (board.id, user.clone()));
        let mut answers = Vec::new();
        match requests {
            Ok(requests) => {
                let several = requests.len() > 1;
                for request in requests {
                    answers.push(self.request(&request, &origin, store, now)?);
                }
                if several {
                    answers = vec![reply::together(answers)];
                }
            }
            Err(refusal) => {
                self.log.push(format!("{}: no command in the mail", message.from));
                let board = holder.as_ref().map(|(board, _)| *board);
                let mut outgoing = vec![reply::refuse(&refusal.into(), board)];
                if let Some((_, user)) = &holder {
                    self.address_to(&mut outgoing, user);
                }
                answers.push(Answers { outgoing, done: false, proved: holder.is_some() });
            }
        }
        // Two mails that say the same are two mails, if their ids say so.
        let digest = digest([key.id, key.content].concat().as_slice());
        let mut index = 0;
        for Answers { outgoing, done, proved } in &answers {
            for mail in outgoing {
                let cause = Cause::answer(digest, index);
                self.post(mail, Some(message), *done || *proved, &cause, now);
                index += 1;
            }
        }
        Ok(())
    }

    /// Turns refusals about a board to the player who has shown that he is one, with a tag: so a
    /// move that failed can be mended by pressing Reply.
    fn address_to(&self, outgoing: &mut [Outgoing], user: &UserId) {
        for mail in outgoing.iter_mut().filter(|mail| mail.to == To::Sender) {
            let board = mail.board.and_then(|id| self.world.board(id).ok());
            if let Some(seat) = board.and_then(|board| board.seat(user)) {
                mail.to = To::User(user.clone());
                mail.seat = Some(seat);
                mail.text = format!("{MARK}\n\n{}", mail.text);
                // Whoever answers this mail answers what he is offered in it.
                mail.text.push_str(&board.map_or_else(String::new, |b| reply::offered(b, seat)));
            }
        }
    }

    /// One command line.
    fn request(
        &mut self,
        request: &Request,
        origin: &Origin,
        store: &dyn Store,
        now: i64,
    ) -> Result<Answers, Fault> {
        let command = match command::parse(&request.line, &request.trust) {
            Ok(command) => command,
            Err(refusal) => {
                self.log.push(format!("{origin}: no command"));
                let (mut outgoing, mut proved) = (vec![reply::refuse(&refusal, None)], false);
                if let Trust::Token(board, user) = &request.trust {
                    outgoing = vec![reply::refuse(&refusal, Some(*board))];
                    self.address_to(&mut outgoing, user);
                    proved = true;
                }
                return Ok(Answers { outgoing, done: false, proved });
            }
        };
        self.carry_out(&*command, request, origin, store, now)
    }

    /// A command that was read.
    fn carry_out(
        &mut self,
        command: &dyn Command,
        request: &Request,
        origin: &Origin,
        store: &dyn Store,
        now: i64,
    ) -> Result<Answers, Fault> {
        self.load(&command.needs(), origin, store)?;
        let comment = shortened(&request.comment, LONGEST_COMMENT);
        let mut cx = Context {
            now,
            origin,
            trust: &request.trust,
            comment: comment.to_string(),
            chance: self.chance,
            hashing: &self.setup.hashing,
            limits: &self.setup.config.limits,
            own: &self.setup.identity.address,
            proved: None,
        };
        let decided = command.decide(&self.world, &mut cx);
        let (proved, cx_comment) = (cx.proved, cx.comment);
        let held_back = cx_comment != comment;
        let about = command.board().map(|board| board.to_string());
        let about = about.unwrap_or_else(|| "a command".into());
        Ok(match decided {
            Ok(decision) => {
                for event in &decision.events {
                    self.world.apply(event);
                    self.log.push(format!("{origin}: {}", event.summary()));
                }
                if decision.events.is_empty() {
                    self.log.push(format!("{origin}: {about}: answered"));
                }
                let observers = reply::observers(&self.world, &decision);
                let keys: Vec<Key> = observers.iter().map(user_key).collect();
                self.gather(&keys, store)?;
                if let Some(board) = command.board() {
                    self.drop_gone(board, observers);
                }
                let comment = cx_comment.as_str();
                let mut outgoing = reply::compose(&self.world, origin, &decision, comment, now);
                if let Some(user) = proved.as_ref().filter(|_| held_back) {
                    reply::say_held_back(&mut outgoing, user);
                }
                Answers { outgoing, done: true, proved: proved.is_some() }
            }
            Err(refusal) => {
                self.log.push(format!("{origin}: {about}: refused"));
                let mut outgoing = vec![reply::refuse(&refusal, command.board())];
                if let Some(user) = proved.as_ref().filter(|_| *origin != Origin::Shell) {
                    self.address_to(&mut outgoing, user);
                }
                if let Some(user) = proved.as_ref().filter(|_| held_back) {
                    reply::say_held_back(&mut outgoing, user);
                }
                Answers { outgoing, done: false, proved: proved.is_some() }
            }
        })
    }

    /// Whoever has left watches no board any more.
    fn drop_gone(&mut self, board: BoardId, observers: Vec<UserId>) {
        for user in observers {
            if self.world.known(&user).is_some_and(|user| user.left.is_some()) {
                let event = Event::Observed { board, user, wanted: false };
                self.world.apply(&event);
                self.log.push(event.summary());
            }
        }
    }

    /// A mail that cannot be read gets one short answer, if its sender is known and may get one.
    fn unfit(&mut self, unfit: &Unfit, store: &dyn Store, now: i64) -> Result<Handled, Fault> {
        let key = unfit_key(unfit);
        if !self.is_new(&key, store, now)? {
            return Ok(Handled::Unfit(unfit.to_string()));
        }
        self.log.push(format!("mail {} cannot be read: {unfit}", short(&key)));
        if let Some(from) = unfit.tell() {
            let refusal = SyntaxRefusal::Mail(unfit.to_string()).into();
            let mail = reply::refuse(&refusal, None);
            let answered = unfit.message_id.clone().map(|id| (id, Vec::new()));
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            self.send(&mail, from, answered, false, &cause, now);
        }
        self.done.seen.push(key);
        self.done.at = now;
        Ok(Handled::Unfit(unfit.to_string()))
    }

    /// A mail that failed by a fault of ours and is given up: its sender is told, and it is not
    /// taken again from a mailbox that still has it.
    pub fn give_up(&mut self, raw: &[u8], now: i64) {
        let key = key_of(raw, &self.setup.identity.address);
        let read = catch_unwind(|| parse(raw, &self.setup.identity.address));
        if let Ok(Ok(message)) = read
            && message.silence.is_none()
        {
            let mail = reply::our_fault();
            let answered = message.message_id.clone().map(|id| (id, message.references.clone()));
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            self.send(&mail, &message.from, answered, false, &cause, now);
        }
        self.done.seen.push(given_up(&key));
        self.done.at = now;
    }

    fn load(&mut self, needs: &Needs, origin: &Origin, store: &dyn Store) -> Result<(), Fault> {
        let keys: Vec<Key> = match needs {
            Needs::Keys(keys) => keys.clone(),
            Needs::WithSender(keys) => {
                let sender = match origin {
                    Origin::Mail(address) => Some(mailbox_key(address)),
                    Origin::Shell => None,
                };
                keys.iter().cloned().chain(sender).collect()
            }
            Needs::Watched(board, keys) => {
                self.gather(keys, store)?;
                let board = self.world.board(*board);
                board.map_or_else(
                    |_| Vec::new(),
                    |board| board.observers.iter().map(user_key).collect(),
                )
            }
            Needs::BoardsOf(games) => {
                let mut keys = Vec::new();
                for game in games {
                    keys.extend(store.boards(game)?);
                }
                keys
            }
            Needs::Rated(game) => {
                let users = store.rated(game)?;
                self.log.extend(self.world.look_up(game, &users, store)?);
                return Ok(());
            }
            Needs::BoardsOfUsers(users, games) => {
                let users_keys: Vec<Key> = users.iter().map(user_key).collect();
                self.gather(&users_keys, store)?;
                let users = users.iter().filter_map(|user| self.world.known(user));
                let boards = users.flat_map(|user| user.active.iter().chain(&user.finished));
                boards.filter(|id| games.contains(&id.game)).map(|id| board_key(*id)).collect()
            }
            Needs::ActiveBoardsOf(user) => {
                self.gather(&[user_key(user)], store)?;
                let user = self.world.user(user);
                user.into_iter().flat_map(|user| &user.active).map(|id| board_key(*id)).collect()
            }
            Needs::Seekers(games) => {
                let seeks: Vec<Key> = games.iter().map(|game| Key::Seeks(game)).collect();
                self.gather(&seeks, store)?;
                let seeks = games.iter().filter_map(|game| self.world.seeks(game).ok());
                seeks.flat_map(|seeks| &seeks.seeks).map(|seek| user_key(&seek.user)).collect()
            }
            Needs::Seek(game, number) => {
                self.gather(&[Key::Seeks(game)], store)?;
                let seeks = self.world.seeks(game).ok();
                let seek = seeks.and_then(|seeks| seeks.get(*number));
                seek.map(|seek| user_key(&seek.user)).into_iter().collect()
            }
            Needs::All(all) => {
                return all.iter().try_for_each(|needs| self.load(needs, origin, store));
            }
            Needs::EveryUser(user) => {
                let mut keys = store.users()?;
                keys.push(user_key(user));
                keys
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
        cause: &Cause,
        now: i64,
    ) {
        let addresses: Vec<Address> = match &mail.to {
            To::Sender => answers.map(|message| message.from.clone()).into_iter().collect(),
            To::User(user) | To::Listener(user) => {
                self.world.user(user).map(|user| user.addresses.clone()).unwrap_or_default()
            }
            To::Address(address) => vec![address.clone()],
        };
        // It is no answer, whoever sent the mail that it comes from.
        let is_notice = matches!(mail.to, To::Listener(_));
        let answers = answers.filter(|_| !is_notice);
        let cause = &Cause { kind: if is_notice { Kind::Notice } else { cause.kind }, ..*cause };
        if let (To::User(user), true) = (&mail.to, addresses.is_empty()) {
            self.log.push(format!("{user} has no address; a mail to them is not sent"));
        }
        for address in &addresses {
            let answered = answers
                .filter(|message| message.from == *address)
                .and_then(|m| Some((m.message_id.clone()?, m.references.clone())));
            self.send(mail, address, answered, bounces, cause, now);
        }
    }

    fn send(
        &mut self,
        mail: &Outgoing,
        to: &Address,
        answers: Option<(MessageId, Vec<MessageId>)>,
        bounces: bool,
        cause: &Cause,
        now: i64,
    ) {
        // The same cause gives the same id, so that a mail sent again after a crash is known.
        let seed = format!("{} {} {to}", HEXLOWER.encode(&cause.digest), cause.index);
        let id = HEXLOWER.encode(&digest(seed.as_bytes())[..16]);
        let user = mail.seat.and(match &mail.to {
            To::User(user) => Some(user),
            To::Sender | To::Listener(_) | To::Address(_) => None,
        });
        let out = Mail {
            to: to.clone(),
            subject: HeaderText::new(&mail.subject),
            text: mail.text.clone(),
            kind: cause.kind,
            thread: mail.board.map(|board| format!("{}-{}", board.game, board.number)),
            answers,
            reply_tag: mail.board.zip(user).map(|(board, user)| self.tag(board, user)),
            bounces,
        };
        let letter: Letter = compose(&out, &self.setup.identity, &id, now);
        self.done.letters.push(letter);
    }

    fn tag(&self, board: BoardId, user: &UserId) -> String {
        let known = self.world.board(board).ok();
        let next = known.map_or(0, Board::next_move);
        let seat = known.and_then(|board| board.seat(user));
        let offered = known.zip(seat).and_then(|(board, seat)| board.offered_to(seat));
        self.setup.key.tag(board, next, offered, user)
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
}

/// What a mail is sent for: the mail it answers, and which of its answers it is.
struct Cause {
    digest: [u8; 32],
    index: usize,
    kind: Kind,
}

impl Cause {
    fn answer(digest: [u8; 32], index: usize) -> Self {
        Self { digest, index, kind: Kind::Answer }
    }
}

/// The longest message that is passed on to an opponent, bytes.
const LONGEST_COMMENT: usize = 10_000;

fn mail_key(id: Option<&MessageId>, content: [u8; 32]) -> MailKey {
    MailKey { id: id.map_or(content, |id| digest(id.to_string().as_bytes())), content }
}

fn unfit_key(unfit: &Unfit) -> MailKey {
    mail_key(unfit.message_id.as_ref(), unfit.digest)
}

/// The record that a mail was given up. It is not that of the mail itself, so that an operator can
/// have it executed once the fault is mended.
pub fn given_up(key: &MailKey) -> MailKey {
    MailKey { id: digest([&key.id[..], b"given up"].concat().as_slice()), content: key.content }
}

/// The identity of a raw mail, as [`Server::mail`] keeps it, even of one that cannot be read.
pub fn key_of(raw: &[u8], own: &Address) -> MailKey {
    match catch_unwind(|| parse(raw, own)) {
        Ok(Ok(message)) => mail_key(message.message_id.as_ref(), message.digest),
        Ok(Err(unfit)) => unfit_key(&unfit),
        Err(_) => mail_key(None, digest(raw)),
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
