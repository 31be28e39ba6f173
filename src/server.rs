//! The pipeline: from a mail or a command line to what changes and what is sent.
//!
//! A [`Server`] holds the documents of a batch. It reads through a [`Store`] and writes nothing:
//! [`Server::take`] hands out the transaction that the caller commits.

use crate::command::words::Trust;
use crate::command::{self, Chance, Command, Context, Needs, Origin};
use crate::config::Config;
use crate::event::{Change, Event};
use crate::ids::{BoardId, UserId};
use crate::inbox::{self, Request};
use crate::mailbox::Mailbox;
use crate::message::{
    Address, HeaderText, Identity, Kind, Letter, MARK, Mail, Message, MessageId, Unfit, compose,
    parse, shortened, vouches,
};
use crate::password::{Hashing, Tried};
use crate::refusal::{Refusal, SyntaxRefusal};
use crate::reply::{self, Outgoing, To};
use crate::store::{Fault, Key, MailKey, Seen, Sent, Store, Transaction, digest, executed};
use crate::token::{Generation, Tag, TokenKey, bounced_user};
use crate::user::{OptOut, User};
use crate::valve::{Class, Verdict, mark};
use crate::world::{DAY, World, board_key, failures_key, mailbox_key, user_key};
use data_encoding::HEXLOWER;
use games::Seat;
use std::collections::HashMap;
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
    /// How many mails each mailbox got today, with those not yet committed; and the day.
    sent: HashMap<[u8; 8], usize>,
    today: i64,
    /// The passwords of the mail that were looked at.
    tried: Tried,
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
        Self { setup, chance, world, done, log, sent, today: 0, tried }
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

    /// Posts mails that no mail was the cause of, but what is named so.
    ///
    /// # Errors
    /// The machine failed.
    pub(crate) fn post_all(
        &mut self,
        outgoing: &[Outgoing],
        named: &str,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        let digest = digest(named.as_bytes());
        for (index, mail) in outgoing.iter().enumerate() {
            self.post(mail, None, &Cause { digest, index, kind: Kind::Notice }, store, now)?;
        }
        Ok(())
    }

    /// What has changed since the last call: to be committed before anything else is believed.
    pub fn take(&mut self) -> Transaction {
        let mut done = std::mem::take(&mut self.done);
        done.hints = self.world.take_hints(done.at);
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
        self.log.clear();
    }

    fn is_new(&mut self, key: &MailKey, store: &dyn Store, now: i64) -> Result<bool, Fault> {
        let done = &self.done;
        let pending = || done.seen.iter().chain(&done.turned);
        let seen = executed(key, |key| {
            if pending().any(|done| done == key) {
                Ok(Seen::Before)
            } else if pending().any(|done| done.id == key.id) {
                Ok(Seen::Reused)
            } else {
                store.seen(key, now)
            }
        })?;
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
                let holder = Seat::BOTH.into_iter().find(|seat| {
                    let generation = self.world.generation(board, *seat);
                    self.setup.key.fits(tag, board.player(*seat), generation)
                });
                let holder = holder.map(|seat| board.player(seat));
                replies = holder.map(|user| (board, user, tag));
            }
        }
        let server = self.setup.config.authserv_id.as_deref();
        let is_doubted = server.is_some_and(|it| !vouches(&message.results, it, &message.from));
        let origin = if is_doubted { Origin::Doubted } else { Origin::Mail };
        let origin = origin(message.from.clone());
        let requests = inbox::requests(message, tag.is_some(), replies);
        let holder = replies.map(|(board, user, _)| (board.id, user.clone()));
        let mut answers = Vec::new();
        match requests {
            Ok(requests) => {
                let several = requests.len() > 1;
                for request in requests {
                    let mut answer = self.request(&request, &origin, store, now)?;
                    answer.of = request.line;
                    answers.push(answer);
                }
                if several {
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
                let mut outgoing = vec![reply::refuse(&refusal.into(), board)];
                if let Some((_, user)) = &holder {
                    self.address_to(&mut outgoing, user);
                }
                let (proved, of) = (holder.is_some(), message.subject.clone());
                answers.push(Answers { outgoing, done: false, proved, found, of });
            }
        }
        for answer in &mut answers {
            self.valve(answer, message, tag.as_ref(), is_doubted, store, now)?;
        }
        // Two mails that say the same are two mails, if their ids say so.
        let digest = digest([key.id, key.content].concat().as_slice());
        let outgoing = answers.iter().flat_map(|answer| &answer.outgoing);
        for (index, mail) in outgoing.enumerate() {
            self.post(mail, Some(message), &Cause::answer(digest, index), store, now)?;
        }
        Ok(())
    }

    /// Takes out of an answer what its sender must not get, and counts what he gets.
    fn valve(
        &mut self,
        answer: &mut Answers,
        message: &Message,
        tag: Option<&Tag>,
        is_doubted: bool,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        // What the mail itself caused; a board mail that came of it is the players' own.
        let proved = answer.proved;
        let counts = |mail: &Outgoing, done: bool| mail.to == To::Sender || !done;
        let is_answer = tag.is_some()
            || message.is_answer
            || command::without_marks(&message.subject) != joined(message);
        let class = match (answer.found, answer.done, proved) {
            // A player with many boards and a new password has many old mails.
            (Found::OldTag, ..) => Class::Error,
            (Found::Nothing, ..) | (_, _, false) if is_answer => Class::Reply,
            (Found::Nothing, _, false) => Class::Help,
            (_, false, false) => Class::Error,
            (_, true, false) => Class::Asked,
            (_, false, true) if tag.is_some() => Class::Tried,
            (_, false, true) => Class::Own,
            (_, true, true) => return Ok(()),
        };
        // What was asked for in somebody's name may not have been asked for by him.
        let class = match class {
            Class::Error | Class::Asked if is_doubted => Class::Reply,
            class => class,
        };
        if self.setup.config.limits.valves.are_open()
            || !answer.outgoing.iter().any(|mail| counts(mail, answer.done))
        {
            return Ok(());
        }
        if class == Class::Help {
            answer.outgoing = vec![reply::introduction(&self.setup.identity.name)];
        }
        let by_board = class == Class::Tried || answer.found == Found::OldTag;
        let of = match tag.filter(|_| by_board) {
            Some(tag) => mark(&tag.board.to_string()),
            None => mark(&answer.of),
        };
        let verdict = self.judge(&message.from, class, of, store, now)?;
        match verdict {
            Verdict::Silence => answer.outgoing.retain(|mail| !counts(mail, answer.done)),
            Verdict::Last | Verdict::LastOfThese => {
                let done = answer.done;
                for mail in answer.outgoing.iter_mut().filter(|mail| counts(mail, done)) {
                    mail.text.push_str(&reply::last(verdict));
                }
            }
            Verdict::Answer => {}
        }
        Ok(())
    }

    /// Whether an answer may go to an address; if so, it is counted.
    fn judge(
        &mut self,
        address: &Address,
        class: Class,
        of: String,
        store: &dyn Store,
        now: i64,
    ) -> Result<Verdict, Fault> {
        self.gather(&[mailbox_key(address)], store)?;
        let valves = &self.setup.config.limits.valves;
        let verdict = self.world.mailbox(address).judge(class, &of, now, valves);
        if verdict == Verdict::Silence {
            self.log.push(format!("{address}: not answered: enough of that today ({class:?})"));
        } else if !valves.are_open() {
            self.world.apply(&Event::Answered { address: address.clone(), class, of, at: now });
        }
        Ok(verdict)
    }

    /// A mail of ours came back for good, or somebody says so.
    fn returned(&mut self, id: &str, store: &dyn Store, now: i64) -> Result<(), Fault> {
        let Some(user) = bounced_user(id) else { return Ok(()) };
        self.gather(&[user_key(&user)], store)?;
        let Some(found) = self.world.user(&user) else { return Ok(()) };
        let key = &self.setup.key;
        let is_his = |address: &&Address| key.is_bounce_of(id, &found.id, address);
        let Some(address) = found.addresses.iter().find(is_his).cloned() else { return Ok(()) };
        let (user, stopped) = (found.id.clone(), found.stopped.len());
        let change = Change::Returned { address, at: now };
        let event = Event::Account { user: user.clone(), change };
        self.world.apply(&event);
        self.log.push(event.summary());
        if self.world.user(&user).is_some_and(|user| user.stopped.len() > stopped) {
            self.log.push(format!(
                "to {user} no mail is sent to one address any more, since three came back within a \
                 week, until {user} writes"
            ));
        }
        Ok(())
    }

    /// Who wants no more mails of a kind, if the mail went to an address that we made for that.
    fn opted_out(
        &mut self,
        message: &Message,
        store: &dyn Store,
    ) -> Result<Option<(UserId, OptOut)>, Fault> {
        let Some(tag) = inbox::opt_out(message) else { return Ok(None) };
        self.gather(&[user_key(&tag.user)], store)?;
        let user = self.world.user(&tag.user);
        let fits = user.filter(|user| self.setup.key.fits_opt_out(&tag, user.tokens));
        Ok(fits.map(|user| (user.id.clone(), tag.what)))
    }

    /// Turns mails off, whoever presses the button and whatever his program writes: the address
    /// proves it, and says nothing else. Only the user is told, and once, so that two programs have
    /// nothing to answer each other. A mail that says that a program wrote it is obeyed as well, for
    /// some providers mark theirs so, but it is not answered.
    fn opt_out(
        &mut self,
        user: &UserId,
        what: OptOut,
        message: &Message,
        key: &MailKey,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        if !self.world.user(user).is_some_and(|user| user.preferences.wants(what)) {
            self.log.push(format!("{}: {user} gets no such mails as it is", message.from));
            return Ok(());
        }
        let change = Change::Prefers(what.preference());
        let event = Event::Account { user: user.clone(), change };
        self.world.apply(&event);
        self.log.push(format!("{}: {}", message.from, event.summary()));
        if message.silence.is_none() {
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            self.post(&reply::opted_out(user, what), Some(message), &cause, store, now)?;
        }
        Ok(())
    }

    /// Whoever writes can be written to again.
    fn reach(&mut self, user: &UserId, origin: &Origin) -> Option<Outgoing> {
        let found = self.world.user(user)?;
        let addresses =
            Some(found.reached_by(origin.address())).filter(|reached| !reached.is_empty())?;
        let mail = reply::reached(&found.id);
        let event = Event::Account { user: found.id.clone(), change: Change::Reached(addresses) };
        self.world.apply(&event);
        self.log.push(event.summary());
        Some(mail)
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
                mail.text.push_str(
                    &board.map_or_else(String::new, |b| reply::offered(&self.world, b, seat)),
                );
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
        let (command, claimed) = match command::read(&request.line, &request.trust) {
            Ok(read) => read,
            Err(refusal) => {
                self.log.push(format!("{origin}: no command"));
                let (mut outgoing, mut proved) = (vec![reply::refuse(&refusal, None)], false);
                if let Trust::Token(board, user) = &request.trust {
                    outgoing = vec![reply::refuse(&refusal, Some(*board))];
                    self.address_to(&mut outgoing, user);
                    proved = true;
                }
                let found = match &refusal {
                    Refusal::Syntax(SyntaxRefusal::Nothing) => Found::Nothing,
                    Refusal::Syntax(SyntaxRefusal::UnknownWord { near, .. }) if near.is_empty() => {
                        Found::Nothing
                    }
                    _ => Found::Words,
                };
                let of = String::new();
                return Ok(Answers { outgoing, done: false, proved, found, of });
            }
        };
        if let (Some(user), Some(from)) = (&claimed, origin.address()) {
            self.gather(&[failures_key(user), mailbox_key(from)], store)?;
        }
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
            password: None,
            held_back: false,
            tried: &mut self.tried,
        };
        let decided = command.decide(&self.world, &mut cx);
        let Context { proved, password, held_back, comment, .. } = cx;
        let wrong = self.tried.take_wrong();
        let counts = self.setup.config.limits.valves.passwords;
        if let Some(from) = origin.address().filter(|_| counts) {
            for user in wrong {
                self.world.apply(&Event::WrongPassword { user, from: from.clone(), at: now });
            }
        }
        let about = command.board().map(|board| board.to_string());
        let about = about.unwrap_or_else(|| "a command".into());
        let reached = proved.as_ref().and_then(|user| self.reach(user, origin));
        let (found, of) = (Found::Command, String::new());
        let mut answers = match decided {
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
                let mut outgoing = reply::compose(&self.world, origin, &decision, &comment, now);
                if let Some(user) = proved.as_ref().filter(|_| held_back) {
                    reply::say_held_back(&mut outgoing, user);
                }
                Answers { outgoing, done: true, proved: proved.is_some(), found, of }
            }
            Err(refusal) => {
                self.log.push(format!("{origin}: {about}: refused"));
                let mut outgoing = vec![reply::refuse(&refusal, command.board())];
                if let Some(password) = &password {
                    reply::do_not_quote(&mut outgoing, password);
                }
                if let Some(user) = proved.as_ref().filter(|_| *origin != Origin::Shell) {
                    self.address_to(&mut outgoing, user);
                }
                if let Some(user) = proved.as_ref().filter(|_| held_back) {
                    reply::say_held_back(&mut outgoing, user);
                }
                Answers { outgoing, done: false, proved: proved.is_some(), found, of }
            }
        };
        answers.outgoing.extend(reached);
        Ok(answers)
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
            let of = mark(&unfit.to_string());
            if self.judge(from, Class::Error, of, store, now)? != Verdict::Silence {
                self.send(&mail, from, answered, &cause, store, now)?;
            }
        }
        self.done.executes(key);
        self.done.at = now;
        Ok(Handled::Unfit(unfit.to_string()))
    }

    /// A mail that failed by a fault of ours and is given up: its sender is told, and it is not
    /// taken again from a mailbox that still has it.
    ///
    /// # Errors
    /// The machine failed.
    pub fn give_up(&mut self, raw: &[u8], store: &dyn Store, now: i64) -> Result<(), Fault> {
        let key = key_of(raw, &self.setup.identity.address);
        let read = catch_unwind(|| parse(raw, &self.setup.identity.address));
        if let Ok(Ok(message)) = read
            && message.silence.is_none()
        {
            let mail = reply::our_fault();
            let answered = message.message_id.clone().map(|id| (id, message.references.clone()));
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            let of = mark(&mail.text);
            if self.judge(&message.from, Class::Error, of, store, now)? != Verdict::Silence {
                self.send(&mail, &message.from, answered, &cause, store, now)?;
            }
        }
        self.done.seen.push(given_up(&key));
        self.done.at = now;
        Ok(())
    }

    fn load(&mut self, needs: &Needs, origin: &Origin, store: &dyn Store) -> Result<(), Fault> {
        let keys: Vec<Key> = match needs {
            Needs::Keys(keys) => keys.clone(),
            Needs::WithSender(keys) => {
                let sender = origin.address().map(mailbox_key);
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
        cause: &Cause,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        let mut has_none = false;
        let addresses: Vec<Address> = match &mail.to {
            To::Sender => answers.map(|message| message.from.clone()).into_iter().collect(),
            To::User(user) | To::Listener(user) => {
                let user = self.world.user(user);
                has_none = user.is_none_or(|user| user.addresses.is_empty());
                user.map(User::reachable).unwrap_or_default()
            }
            To::Address(address) => vec![address.clone()],
        };
        // It is no answer, whoever sent the mail that it comes from.
        let is_notice = matches!(mail.to, To::Listener(_));
        let answers = answers.filter(|_| !is_notice);
        let cause = &Cause { kind: if is_notice { Kind::Notice } else { cause.kind }, ..*cause };
        if let (To::User(user), true) = (&mail.to, has_none)
            && self.world.level(user).is_none()
        {
            self.log.push(format!("{user} has no address; a mail to them is not sent"));
        }
        for address in &addresses {
            let answered = answers
                .filter(|message| message.from == *address)
                .and_then(|m| Some((m.message_id.clone()?, m.references.clone())));
            self.send(mail, address, answered, cause, store, now)?;
        }
        Ok(())
    }

    /// Counts a mail to an address. Says whether it may go out, or is the first that may not: then
    /// the address is warned in its place.
    fn count(
        &mut self,
        to: &Address,
        id: &str,
        store: &dyn Store,
        now: i64,
    ) -> Result<Verdict, Fault> {
        let day = now.div_euclid(DAY);
        if day != self.today {
            self.sent.clear();
            self.today = day;
        }
        let mailbox = Mailbox::digest(to);
        let count = match self.sent.get(&mailbox) {
            Some(count) => *count,
            None => store.sent(mailbox, now)?,
        };
        let most =
            usize::try_from(self.setup.config.limits.mails_a_day.get()).unwrap_or(usize::MAX);
        if count > most {
            self.sent.insert(mailbox, count);
            return Ok(Verdict::Silence);
        }
        self.sent.insert(mailbox, count + 1);
        let digest = digest(id.as_bytes());
        self.done.sent.push(Sent { mailbox, letter: std::array::from_fn(|at| digest[at]) });
        Ok(if count == most { Verdict::Last } else { Verdict::Answer })
    }

    fn send(
        &mut self,
        mail: &Outgoing,
        to: &Address,
        answers: Option<(MessageId, Vec<MessageId>)>,
        cause: &Cause,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        // The same cause gives the same id, so that a mail sent again after a crash is known.
        let seed = format!("{} {} {to}", HEXLOWER.encode(&cause.digest), cause.index);
        let id = HEXLOWER.encode(&digest(seed.as_bytes())[..16]);
        let warning;
        let mail = match self.count(to, &id, store, now)? {
            Verdict::Silence => return Ok(()),
            Verdict::Last => {
                let most = self.setup.config.limits.mails_a_day.get();
                self.log.push(format!(
                    "{to}: {most} mails were sent there today; the others are not sent"
                ));
                warning = Outgoing { to: mail.to.clone(), ..reply::enough(most) };
                &warning
            }
            Verdict::Answer | Verdict::LastOfThese => mail,
        };
        let user = match &mail.to {
            To::User(user) => Some(user),
            To::Sender | To::Listener(_) | To::Address(_) => None,
        };
        let player = user.filter(|_| mail.seat.is_some());
        let reply_tag = mail.board.zip(player).map(|(board, user)| self.tag(board, user));
        let opt_out = mail.opt_out.zip(user).map(|(what, user)| {
            let generation = self.world.user(user).map_or(0, |user| user.tokens);
            self.setup.key.opt_out_tag(what, user, generation)
        });
        let html = reply::html(mail, &self.setup.identity, reply_tag.as_deref());
        let out = Mail {
            to: to.clone(),
            subject: HeaderText::new(&mail.subject),
            text: mail.text.clone(),
            html,
            kind: cause.kind,
            thread: mail.board.map(|board| format!("{}-{}", board.game, board.number)),
            answers,
            reply_tag,
            opt_out,
            bounces: user.map(|user| self.setup.key.bounce_id(user, to)),
        };
        let letter: Letter = compose(&out, &self.setup.identity, &id, now);
        self.done.letters.push(letter);
        Ok(())
    }

    fn tag(&self, board: BoardId, user: &UserId) -> String {
        let (mut next, mut offered, mut generation) = (0, None, Generation::default());
        if let Ok(board) = self.world.board(board) {
            next = board.next_move();
            if let Some(seat) = board.seat(user) {
                offered = board.offered_to(seat);
                generation = self.world.generation(board, seat);
            }
        }
        self.setup.key.tag(board, next, offered, user, generation)
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

/// The Subject with single blanks, as [`command::without_marks`] returns it.
fn joined(message: &Message) -> String {
    message.subject.split_whitespace().collect::<Vec<_>>().join(" ")
}

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
