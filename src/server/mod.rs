//! The pipeline: from a mail or a command line to what changes and what is sent.
//!
//! A [`Server`] holds the documents of a batch. It reads through a [`Store`] and writes nothing:
//! [`Server::take`] hands out the transaction that the caller commits.

pub mod check;
pub mod inbox;
pub mod remind;
pub mod repair;

use crate::base::chance::Chance;
use crate::base::digest::digest;
use crate::base::ids::{BoardId, UserId};
use crate::base::password::{Hashing, Tried};
use crate::command::words::Trust;
use crate::command::{self, Command, Context, Decision, Needs, Origin};
use crate::config::Config;
use crate::mail::{
    Address, HeaderText, Identity, Kind, Letter, Mail, Malformed, Message, MessageId, compose,
    is_automatic, is_read_by_nobody, own_words, parse, shortened, vouches, without_marks,
    without_secrets,
};
use crate::model::correspondent::Correspondent;
use crate::model::event::{Change, Event};
use crate::model::names;
use crate::model::rate_limit::{Charge, Class, Share, Verdict, mark, told_apart, without_figures};
use crate::model::token::{Generation, Tag, TokenKey, bounced_user};
use crate::model::user::{OptOut, User};
use crate::model::world::{DAY, World, board_key, failures_key, mailbox_key, user_key};
use crate::refusal::{Asker, Lead, Refusal, SyntaxRefusal};
use crate::reply::{self, Answer, BoardNews, Form, Outgoing, To, subject};
use crate::server::inbox::{LONGEST_COMMENT, Replies, Request};
use crate::store::spool::Strands;
use crate::store::{Fault, Key, MailKey, Seen, Sent, Store, Transaction, executed};
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

/// What a mail of several commands has led to, so that it is told in few letters.
#[derive(Default)]
struct Several {
    /// One letter for each board.
    said: Vec<Said>,
    /// The boards whose player has been told of a refusal in a mail of its own.
    refused: Vec<BoardId>,
}

/// What a player says on a board in one mail.
struct Said {
    board: BoardId,
    by: Seat,
    words: String,
    held_back: bool,
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
        let text = own.iter().map(|mail| reply::text(&mail.blocks, Form::Shell));
        let text = text.collect::<Vec<_>>();
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
                    answers = vec![Answers::together(answers)];
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

    /// Whom a refusal is told.
    fn asker(&self, user: Option<&UserId>, board: Option<BoardId>) -> Asker {
        let played = board.and_then(|id| self.world.board(id).ok());
        let opponent = played
            .zip(user)
            .and_then(|(board, user)| Some(board.player(board.seat(user)?.other()).clone()));
        Asker { board, user: user.cloned(), opponent }
    }

    /// The player of a board who has that address, if one has: whoever reads the mails that go there
    /// knows it.
    fn player_from(
        &mut self,
        board: BoardId,
        from: &Address,
        store: &dyn Store,
    ) -> Result<Option<UserId>, Fault> {
        self.gather(&[board_key(board)], store)?;
        let Ok(players) = self.world.board(board).map(|board| board.players.clone()) else {
            return Ok(None);
        };
        self.gather(&players.each_ref().map(user_key), store)?;
        let is_theirs = |player: &UserId| {
            self.world.user(player).is_some_and(|user| user.addresses.contains(from))
        };
        Ok(players.into_iter().find(is_theirs))
    }

    /// Takes out of an answer what its sender must not get, and counts what they get.
    fn limit(
        &mut self,
        answer: &mut Answers,
        sender: &Sender,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        let message = sender.message;
        // What the mail itself caused; a board mail that came of it is the players' own.
        let done = answer.done;
        let counts = |mail: &Outgoing| mail.to == To::Sender || !done;
        let Some(class) = sender.class(answer) else { return Ok(()) };
        if self.setup.config.limits.rate_limits.are_open() || !answer.outgoing.iter().any(counts) {
            return Ok(());
        }
        if !done && is_automatic(&without_marks(&message.subject)) {
            self.log.push(format!(
                "{}: not answered: its Subject is that of a note or a report that a program writes",
                message.from
            ));
            answer.outgoing.retain(|mail| !counts(mail));
            return Ok(());
        }
        if matches!(class, Class::Help | Class::Prose) {
            answer.outgoing = vec![reply::introduction(&self.setup.identity.name)];
        }
        if class.is_anybodys() {
            let longest = self.setup.config.limits.rate_limits.longest;
            for mail in answer.outgoing.iter_mut().filter(|mail| counts(mail)) {
                mail.shorten(longest);
                mail.share = Share::Others;
            }
        }
        let forged = answer.outgoing.iter().filter(|mail| counts(mail) && !sender.is_vouched_for);
        let bytes = forged.map(Outgoing::size).sum();
        self.gather(&[mailbox_key(&message.from)], store)?;
        let is_players = self.world.mailbox(&message.from).is_players(now);
        let charge = sender.charge(answer, class, bytes, is_players);
        let verdict = self.judge(&message.from, charge, store, now)?;
        match verdict {
            Verdict::Silence => answer.outgoing.retain(|mail| !counts(mail)),
            Verdict::Last | Verdict::LastOfThese => {
                for mail in answer.outgoing.iter_mut().filter(|mail| counts(mail)) {
                    mail.blocks.push(reply::last(verdict));
                }
            }
            Verdict::Full => {
                answer.outgoing.retain(|mail| !counts(mail));
                answer.outgoing.push(Outgoing { share: Share::Others, ..reply::too_long() });
            }
            Verdict::Answer => {}
        }
        Ok(())
    }

    /// Whether an answer may go to an address; if so, it is counted.
    fn judge(
        &mut self,
        address: &Address,
        charge: Charge,
        store: &dyn Store,
        now: i64,
    ) -> Result<Verdict, Fault> {
        self.gather(&[mailbox_key(address)], store)?;
        let rate_limits = &self.setup.config.limits.rate_limits;
        let verdict = self.world.mailbox(address).judge(&charge, now, rate_limits);
        let class = charge.class;
        if verdict == Verdict::Silence {
            self.log.push(format!("{address}: not answered: enough of that today ({class:?})"));
        } else if !rate_limits.are_open() {
            self.world.apply(&Event::Answered {
                address: address.clone(),
                charge,
                verdict,
                at: now,
            });
        }
        Ok(verdict)
    }

    /// The charge for an error that is told to whoever a mail came from.
    fn error(mail: &Outgoing, of: &str) -> Charge {
        let board = String::new();
        Charge { class: Class::Error, of: mark(of), board, bytes: mail.size() }
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

    /// Whoever answers a mail of ours has got it.
    fn prove(&mut self, user: &UserId) {
        if self.world.user(user).is_some_and(|user| user.unproved) {
            let event = Event::Account { user: user.clone(), change: Change::Proved };
            self.world.apply(&event);
            self.log.push(event.summary());
        }
    }

    /// Turns refusals about a board to the player who has shown that he is one, with a tag: so a
    /// move that failed can be mended by pressing Reply. In a mail of several commands that is done
    /// for the first of each board; the others are told together.
    fn address_to(&mut self, outgoing: &mut [Outgoing], user: &UserId) {
        for mail in outgoing.iter_mut().filter(|mail| mail.to == To::Sender) {
            if let (Some(several), Some(board)) = (&mut self.several, mail.board) {
                if several.refused.contains(&board) {
                    continue;
                }
                several.refused.push(board);
            }
            let board = mail.board.and_then(|id| self.world.board(id).ok());
            if let Some(seat) = board.and_then(|board| board.seat(user)) {
                // Whoever answers this mail answers what he is offered in it.
                let offered = board.and_then(|board| reply::offered(&self.world, board, seat));
                mail.answered_by(user, seat, offered);
            }
        }
    }

    /// Does so for a whole command in a reply that is refused before its board is known, so that
    /// the player can reply to that, too.
    fn address_to_holder(&mut self, answer: &mut Answers, board: BoardId, user: &UserId) {
        if answer.done || answer.outgoing.iter().any(|mail| mail.to != To::Sender) {
            return;
        }
        for mail in answer.outgoing.iter_mut().filter(|mail| mail.board.is_none()) {
            mail.board = Some(board);
        }
        self.address_to(&mut answer.outgoing, user);
        answer.proved = true;
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
                let (mut outgoing, mut proved) =
                    (vec![reply::refuse(&refusal, &Asker::default())], false);
                if let Trust::Token(board, user) = &request.trust {
                    let asker = self.asker(Some(user), Some(*board));
                    outgoing = vec![reply::refuse(&refusal, &asker)];
                    self.address_to(&mut outgoing, user);
                    proved = true;
                }
                let found = match &refusal {
                    Refusal::Syntax(SyntaxRefusal::Nothing | SyntaxRefusal::Led(Lead::Hello)) => {
                        Found::Nothing
                    }
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
            comment: without_secrets(&comment),
            chance: self.chance,
            hashing: &self.setup.hashing,
            limits: &self.setup.config.limits,
            own: &self.setup.identity.address,
            proved: None,
            password: None,
            held_back: request.held_back,
            tried: &mut self.tried,
            program_moves: &mut self.program_moves,
        };
        let decided = command.decide(&self.world, &mut cx);
        let Context { proved, password, held_back, comment, .. } = cx;
        let wrong = self.tried.take_wrong();
        let counts = self.setup.config.limits.rate_limits.passwords;
        if let Some(from) = origin.address().filter(|_| counts) {
            for user in wrong {
                self.world.apply(&Event::WrongPassword { user, from: from.clone(), at: now });
            }
        }
        let about = command.board().map(|board| board.to_string());
        let about = about.unwrap_or_else(|| "a command".into());
        let reached = proved.as_ref().and_then(|user| self.reach(user, origin));
        if let (Trust::Token(_, user), Some(_)) = (&request.trust, origin.address()) {
            self.prove(user);
        }
        let (found, of) = (Found::Command, String::new());
        let mut answers = match decided {
            Ok(decision) => {
                for event in &decision.events {
                    let entries = self.world.entries(event);
                    self.gather(&entries, store)?;
                    self.world.apply(event);
                    self.log.push(format!("{origin}: {}", event.summary()));
                }
                if decision.events.is_empty() {
                    self.log.push(format!("{origin}: {about}: answered"));
                } else if let Some(user) = &proved {
                    self.remember(user, origin, now);
                }
                let observers = reply::observers(&self.world, &decision.answer);
                let keys: Vec<Key> = observers.iter().map(user_key).collect();
                self.gather(&keys, store)?;
                if let Some(board) = command.board() {
                    self.drop_gone(board, observers);
                }
                for (from, reader) in reply::muted(&self.world, &decision.answer) {
                    self.log.push(format!("dropped: words of {from} to {reader}, who mutes them"));
                }
                let mut outgoing = Vec::new();
                if !self.is_said_later(&decision, held_back) {
                    outgoing = reply::compose(&self.world, origin, decision.told(), &comment, now);
                    if let Some(user) = proved.as_ref().filter(|_| held_back) {
                        reply::say_held_back(&mut outgoing, user);
                    }
                }
                Answers { outgoing, done: true, proved: proved.is_some(), found, of }
            }
            Err(refusal) => {
                self.log.push(format!("{origin}: {about}: refused"));
                let asker = self.asker(proved.as_ref(), command.board());
                let mut outgoing = vec![reply::refuse(&refusal, &asker)];
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

    /// Remembers that an address is a user's who has shown it: once a day, and only where something
    /// is written anyway and what is counted for the address has been read, as for a password.
    fn remember(&mut self, user: &UserId, origin: &Origin, now: i64) {
        let Origin::Mail(from) = origin else { return };
        let is_own = self.world.user(user).is_some_and(|user| user.addresses.contains(from));
        if is_own
            && self.world.has_mailbox(from)
            && !self.world.mailbox(from).is_players(now + 6 * DAY)
        {
            self.world.apply(&Event::Proved { from: from.clone(), at: now });
        }
    }

    /// Keeps what is said on a board until the whole mail is executed, if it has several commands.
    fn is_said_later(&mut self, decision: &Decision, held_back: bool) -> bool {
        let Answer::Board { board, what: BoardNews::Chatted(words), by: Some(by) } =
            &decision.answer
        else {
            return false;
        };
        let Some(Several { said: all, .. }) = &mut self.several else { return false };
        let (board, by) = (*board, *by);
        let Some(said) = all.iter_mut().find(|said| said.board == board && said.by == by) else {
            all.push(Said { board, by, words: words.clone(), held_back });
            return true;
        };
        said.words.push_str("\n\n");
        said.words.push_str(words);
        said.held_back |= held_back;
        true
    }

    /// The letters with what was said in a mail of several commands.
    fn all_said(&mut self, origin: &Origin, now: i64) -> Option<Answers> {
        let said = self.several.take().map(|several| several.said);
        let said = said.filter(|said| !said.is_empty())?;
        let mut outgoing = Vec::new();
        for Said { board, by, words, held_back } in said {
            let words = shortened(&words, LONGEST_COMMENT).into_owned();
            let what = BoardNews::Chatted(words);
            let answer = Answer::Board { board, what, by: Some(by) };
            let mut mails = reply::compose(&self.world, origin, (&answer, &[]), "", now);
            if let Ok(board) = self.world.board(board)
                && held_back
            {
                reply::say_held_back(&mut mails, board.player(by));
            }
            outgoing.extend(mails);
        }
        let (found, of) = (Found::Command, String::new());
        Some(Answers { outgoing, done: true, proved: true, found, of })
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
    fn unfit(&mut self, unfit: &Malformed, store: &dyn Store, now: i64) -> Result<Handled, Fault> {
        let key = unfit_key(unfit);
        if !self.is_new(&key, store, now)? {
            return Ok(Handled::Done);
        }
        // Where nobody is told nobody asks for it again.
        let mut is_told = false;
        if let Some(from) = unfit.tell() {
            let refusal = SyntaxRefusal::Mail(unfit.to_string()).into();
            let refused = reply::refuse(&refusal, &Asker::default());
            let mail = Outgoing { share: Share::Others, ..refused };
            let answered = unfit.message_id.clone().map(|id| (id, Vec::new()));
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            let charge = Self::error(&mail, &unfit.to_string());
            if self.judge(from, charge, store, now)?.is_sent() {
                self.send(&mail, from, answered, &cause, store, now)?;
                is_told = true;
            }
        }
        let kept = if is_told { "" } else { "; it is not kept" };
        self.log.push(format!("mail {} cannot be read: {unfit}{kept}", short(&key)));
        self.done.executes(key);
        self.done.at = now;
        Ok(if is_told { Handled::Malformed(unfit.to_string()) } else { Handled::Done })
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
            let mail = Outgoing { share: Share::Others, ..reply::our_fault() };
            let answered = message.message_id.clone().map(|id| (id, message.references.clone()));
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            let charge = Self::error(&mail, &mail.text());
            if self.judge(&message.from, charge, store, now)?.is_sent() {
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
            Needs::At(address) => self.users_at(address, store)?,
            Needs::FromSender => match origin.address() {
                Some(sender) => {
                    let mut keys = self.users_at(sender, store)?;
                    keys.push(mailbox_key(sender));
                    keys
                }
                None => Vec::new(),
            },
            Needs::BoardsOfSender => {
                let sender = origin.address();
                let keys = sender.map(|at| self.users_at(at, store)).transpose()?;
                self.gather(&keys.unwrap_or_default(), store)?;
                let users = sender.map(|sender| self.world.users_at(sender)).unwrap_or_default();
                let boards = users.iter().flat_map(|user| &user.active);
                boards.map(|id| board_key(*id)).collect()
            }
            Needs::Fellows(user) => {
                self.gather(&[user_key(user)], store)?;
                let user = self.world.user(user);
                let addresses = user.map_or_else(Vec::new, |user| user.addresses.clone());
                let mut keys: Vec<Key> = addresses.iter().map(mailbox_key).collect();
                for address in &addresses {
                    keys.extend(self.users_at(address, store)?);
                }
                keys
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
                let keys = seek.map(|seek| [user_key(&seek.user), failures_key(&seek.user)]);
                keys.into_iter().flatten().collect()
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
        if keys.iter().any(|key| matches!(key, Key::Names(_))) {
            self.index(store)?;
        }
        self.gather(&keys, store)
    }

    /// The documents of all users who are at a mailbox; which those are is loaded.
    fn users_at(&mut self, address: &Address, store: &dyn Store) -> Result<Vec<Key>, Fault> {
        self.index(store)?;
        let entry = names::at_mailbox(address);
        self.gather(std::slice::from_ref(&entry), store)?;
        Ok(self.world.entered(&entry).iter().map(user_key).collect())
    }

    /// Makes the index of users, where an older program has made the home. A large home would take
    /// too long for it: there `check --repair` does it.
    fn index(&mut self, store: &dyn Store) -> Result<(), Fault> {
        self.gather(&[names::whole()], store)?;
        if self.world.is_indexed() || self.is_unindexed {
            return Ok(());
        }
        let users = store.users()?;
        if users.len() > names::MOST_UNASKED {
            self.is_unindexed = true;
            self.log.push("users are not found by their addresses: run `check --repair`".into());
            return Ok(());
        }
        self.gather(&users, store)?;
        let index = self.world.whole_index();
        let keys: Vec<Key> = index.keys().cloned().collect();
        self.gather(&keys, store)?;
        self.world.index(index);
        Ok(())
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
        if let (To::User(user) | To::Listener(user), false, []) = (&mail.to, has_none, &*addresses)
        {
            self.log.push(format!("dropped: a mail to {user}, whose mails came back"));
        }
        for address in &addresses {
            if matches!(mail.to, To::Address(_)) && is_read_by_nobody(address) {
                self.log.push(format!("dropped: a mail to {address}, which no person reads"));
                continue;
            }
            let answered = answers
                .filter(|message| message.from == *address)
                .and_then(|m| Some((m.message_id.clone()?, m.references.clone())));
            self.send(mail, address, answered, cause, store, now)?;
        }
        Ok(())
    }

    /// Counts a mail to an address. Says whether it may go out, or is the first of its share that
    /// may not: then the address is warned in its place.
    fn count(
        &mut self,
        to: &Address,
        share: Share,
        id: &str,
        store: &dyn Store,
        now: i64,
    ) -> Result<Verdict, Fault> {
        let all = usize::try_from(self.setup.config.limits.mails_a_day.get());
        let all = all.unwrap_or(usize::MAX);
        let total = self.counted(Correspondent::digest(to), store, now)?;
        let is_full = match share {
            Share::Others => {
                let others = self.counted(Correspondent::digest_of(to, "others"), store, now)?;
                others >= share.most(all) || total >= Share::Boards.most(all)
            }
            Share::Boards | Share::Account => total >= share.most(all),
        };
        if !is_full {
            self.count_one(Correspondent::digest(to), id);
            if share == Share::Others {
                self.count_one(Correspondent::digest_of(to, "others"), id);
            }
            return Ok(Verdict::Answer);
        }
        let told = Correspondent::digest_of(to, &format!("told {share:?}"));
        if self.counted(told, store, now)? > 0 {
            return Ok(Verdict::Silence);
        }
        self.count_one(Correspondent::digest(to), id);
        self.count_one(told, id);
        Ok(Verdict::Last)
    }

    /// How many mails of a kind went to a mailbox today.
    fn counted(&mut self, what: [u8; 8], store: &dyn Store, now: i64) -> Result<usize, Fault> {
        let day = now.div_euclid(DAY);
        if day != self.today {
            self.sent.clear();
            self.today = day;
        }
        if let Some(count) = self.sent.get(&what) {
            return Ok(*count);
        }
        let count = store.sent(what, now)?;
        self.sent.insert(what, count);
        Ok(count)
    }

    fn count_one(&mut self, what: [u8; 8], id: &str) {
        *self.sent.entry(what).or_default() += 1;
        let digest = digest(id.as_bytes());
        let letter = std::array::from_fn(|at| digest[at]);
        self.done.sent.push(Sent { mailbox: what, letter });
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
        let share = mail.share;
        let verdict = self.count(to, share, &id, store, now)?;
        let mail = if verdict == Verdict::Answer {
            mail
        } else {
            let all = usize::try_from(self.setup.config.limits.mails_a_day.get());
            let most = share.most(all.unwrap_or(usize::MAX));
            let about = mail.board.map_or_else(String::new, |board| format!(" about {board}"));
            self.log.push(format!(
                "dropped: a mail to {to}{about}: {most} mails of its kind ({share:?}) went there \
                 today"
            ));
            if verdict == Verdict::Silence {
                return Ok(());
            }
            warning = Outgoing { to: mail.to.clone(), share, ..reply::enough(share, most) };
            &warning
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
            text: mail.text(),
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

/// Who asks, as far as a mail tells.
struct Sender<'a> {
    message: &'a Message,
    /// The tag of the address that the mail went to, or of its Subject.
    tag: Option<&'a Tag>,
    /// Whether that tag is a player's.
    is_player: bool,
    /// Whether the mail server does not vouch for the sender.
    is_doubted: bool,
    /// Whether it does, so that nobody can have asked in another's name.
    is_vouched_for: bool,
}

impl Sender<'_> {
    /// What kind of answer this is; none for what only a proved player can cause.
    fn class(&self, answer: &Answers) -> Option<Class> {
        let class = match (answer.found, answer.done, answer.proved || self.is_player) {
            // A player with many boards and a new password has many old mails.
            (Found::OldTag, ..) => Class::Error,
            (Found::Nothing, _, true) => Class::Unread,
            (Found::Nothing, _, false) if self.is_answer() => Class::Prose,
            (Found::Nothing, _, false) => Class::Help,
            (_, _, false) if self.is_answer() => Class::Reply,
            (_, false, false) => Class::Error,
            (_, true, false) => Class::Asked,
            (_, false, true) if self.tag.is_some() => Class::Tried,
            (_, false, true) => Class::Own,
            (_, true, true) if answer.proved => return None,
            (_, true, true) => Class::Shown,
        };
        // What was asked for in somebody's name they may not have asked for.
        Some(match class {
            Class::Error | Class::Asked | Class::Reply | Class::Prose if self.is_doubted => {
                Class::Doubted
            }
            class => class,
        })
    }

    /// Whether the mail answers another one.
    fn is_answer(&self) -> bool {
        self.tag.is_some()
            || self.message.is_answer
            || without_marks(&self.message.subject) != joined(self.message)
    }

    /// By what the answer counts, also if players have written from there lately.
    fn charge(&self, answer: &Answers, class: Class, bytes: usize, is_players: bool) -> Charge {
        let Message { subject, text, .. } = self.message;
        let of = match class {
            // Programs put what they answer into the Subject: what they say themselves is the same.
            Class::Prose => without_figures(&own_words(text)),
            Class::Help => {
                let own = own_words(text);
                // A mail that only quotes comes from a program, whatever its Subject.
                let is_quotation = own.is_empty() && !text.trim().is_empty();
                let subject = if is_quotation { "" } else { subject };
                let words = format!("{subject} {own}");
                // What a player means as a move differs in its figures.
                if is_players { told_apart(&words) } else { without_figures(&words) }
            }
            Class::Unread => told_apart(&own_words(text)),
            Class::Reply if subject::read(subject).is_some() => String::new(),
            Class::Tried => String::new(),
            _ if answer.found == Found::OldTag => String::new(),
            _ => answer.of.clone(),
        };
        let by_board =
            matches!(class, Class::Tried | Class::Unread) || answer.found == Found::OldTag;
        let board = self.tag.filter(|_| by_board).map(|tag| mark(&tag.board.to_string()));
        Charge { class, of: mark(&of), board: board.unwrap_or_default(), bytes }
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

impl Answers {
    /// The answers to a mail of several commands as one.
    fn together(answers: Vec<Self>) -> Self {
        let lines: Vec<&str> = answers.iter().map(|answer| &*answer.of).collect();
        let of = lines.join("\n");
        let (done, proved) = (answers.iter().any(|a| a.done), answers.iter().any(|a| a.proved));
        let found = answers.iter().map(|answer| answer.found).max().unwrap_or(Found::Nothing);
        let outgoing = answers.into_iter().map(|answer| answer.outgoing).collect();
        Self { outgoing: reply::together(outgoing), done, proved, found, of }
    }
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

/// The Subject with single blanks, as [`command::without_marks`] returns it.
fn joined(message: &Message) -> String {
    message.subject.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn mail_key(id: Option<&MessageId>, content: [u8; 32]) -> MailKey {
    MailKey { id: id.map_or(content, |id| digest(id.to_string().as_bytes())), content }
}

fn unfit_key(unfit: &Malformed) -> MailKey {
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

/// What a mail shares with others that must not overtake it: its sender, and the boards that it is
/// about. A mail that cannot be read shares nothing.
pub fn strands(raw: &[u8], own: &Address) -> Strands {
    catch_unwind(|| strands_of(raw, own)).unwrap_or_default()
}

fn strands_of(raw: &[u8], own: &Address) -> Strands {
    let Ok(message) = parse(raw, own) else { return Strands::new() };
    let mut boards: Vec<BoardId> = inbox::tag(&message).map(|tag| tag.board).into_iter().collect();
    let lines = inbox::requests(&message, false, None).unwrap_or_default();
    let commands = lines.iter().filter_map(|it| command::parse(&it.line, &it.trust).ok());
    boards.extend(commands.filter_map(|command| command.board()));
    let sender = message.from.as_str().to_lowercase();
    boards.iter().map(ToString::to_string).chain([sender]).collect()
}

/// A request of the operator's shell.
pub fn shell_request(line: String, operator: bool, comment: String) -> Request {
    let trust = if operator { Trust::Operator } else { Trust::Words };
    Request { line, trust, comment, held_back: false }
}

fn short(key: &MailKey) -> String {
    HEXLOWER.encode(&key.content[..6])
}
