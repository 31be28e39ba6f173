//! What comes of a command: its events, and what is said about it.

use crate::base::ids::{BoardId, UserId};
use crate::command::words::Trust;
use crate::command::{self, Command, Context, Origin};
use crate::mail::{shortened, without_secrets};
use crate::model::event::{Change, Event};
use crate::model::world::{DAY, failures_key, mailbox_key, user_key};
use crate::refusal::{Asker, Lead, Refusal, SyntaxRefusal};
use crate::reply::{self, Outgoing};
use crate::server::inbox::{LONGEST_COMMENT, Request};
use crate::server::{Answers, Found, Server};
use crate::store::{Fault, Key, Store};

impl Server<'_> {
    /// One command line.
    pub(super) fn request(
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
    pub(super) fn carry_out(
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
                let observers = reply::observers(&self.world, &decision);
                let keys: Vec<Key> = observers.iter().map(user_key).collect();
                self.gather(&keys, store)?;
                if let Some(board) = command.board() {
                    self.drop_gone(board, observers);
                }
                for (from, reader) in reply::muted(&self.world, &decision) {
                    self.log.push(format!("dropped: words of {from} to {reader}, who mutes them"));
                }
                let mut outgoing = Vec::new();
                if !self.is_said_later(&decision, held_back) {
                    outgoing = reply::compose(&self.world, origin, &decision, &comment, now);
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
    pub(super) fn remember(&mut self, user: &UserId, origin: &Origin, now: i64) {
        let Origin::Mail(from) = origin else { return };
        let is_own = self.world.user(user).is_some_and(|user| user.addresses.contains(from));
        if is_own
            && self.world.has_mailbox(from)
            && !self.world.mailbox(from).is_players(now + 6 * DAY)
        {
            self.world.apply(&Event::Proved { from: from.clone(), at: now });
        }
    }

    /// Whoever writes can be written to again.
    pub(super) fn reach(&mut self, user: &UserId, origin: &Origin) -> Option<Outgoing> {
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
    pub(super) fn prove(&mut self, user: &UserId) {
        if self.world.user(user).is_some_and(|user| user.unproved) {
            let event = Event::Account { user: user.clone(), change: Change::Proved };
            self.world.apply(&event);
            self.log.push(event.summary());
        }
    }

    /// Whoever has left watches no board any more.
    pub(super) fn drop_gone(&mut self, board: BoardId, observers: Vec<UserId>) {
        for user in observers {
            if self.world.known(&user).is_some_and(|user| user.left.is_some()) {
                let event = Event::Observed { board, user, wanted: false };
                self.world.apply(&event);
                self.log.push(event.summary());
            }
        }
    }
}
