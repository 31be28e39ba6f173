//! How much is answered to whom.

use crate::command;
use crate::mail::{Address, Message, is_automatic, own_words};
use crate::model::event::Event;
use crate::model::rate_limit::{Charge, Class, Share, Verdict, mark, told_apart, without_figures};
use crate::model::token::Tag;
use crate::model::world::mailbox_key;
use crate::reply::{self, Outgoing, To, subject};
use crate::server::{Answers, Found, Server};
use crate::store::{Fault, Store};

impl Server<'_> {
    /// Takes out of an answer what its sender must not get, and counts what they get.
    pub(super) fn limit(
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
        if !done && is_automatic(&command::without_marks(&message.subject)) {
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
                reply::shorten(mail, longest);
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
                    mail.text.push_str(&reply::last(verdict));
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
    pub(super) fn judge(
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
    pub(super) fn error(mail: &Outgoing, of: &str) -> Charge {
        let board = String::new();
        Charge { class: Class::Error, of: mark(of), board, bytes: mail.size() }
    }
}

/// Who asks, as far as a mail tells.
pub(super) struct Sender<'a> {
    pub(super) message: &'a Message,
    /// The tag of the address that the mail went to, or of its Subject.
    pub(super) tag: Option<&'a Tag>,
    /// Whether that tag is a player's.
    pub(super) is_player: bool,
    /// Whether the mail server does not vouch for the sender.
    pub(super) is_doubted: bool,
    /// Whether it does, so that nobody can have asked in another's name.
    pub(super) is_vouched_for: bool,
}

impl Sender<'_> {
    /// What kind of answer this is; none for what only a proved player can cause.
    pub(super) fn class(&self, answer: &Answers) -> Option<Class> {
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
    pub(super) fn is_answer(&self) -> bool {
        self.tag.is_some()
            || self.message.is_answer
            || command::without_marks(&self.message.subject) != joined(self.message)
    }

    /// By what the answer counts, also if players have written from there lately.
    pub(super) fn charge(
        &self,
        answer: &Answers,
        class: Class,
        bytes: usize,
        is_players: bool,
    ) -> Charge {
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

/// The Subject with single blanks, as [`command::without_marks`] returns it.
pub(super) fn joined(message: &Message) -> String {
    message.subject.split_whitespace().collect::<Vec<_>>().join(" ")
}
