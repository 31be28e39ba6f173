//! Limits how many answers an address gets in an hour and a day, by class of answer.

use crate::command::Needs;
use crate::mail::{
    Address, Message, is_automatic_subject, unquoted_text, without_subject_prefixes,
};
use crate::model::correspondent::{Correspondent, CorrespondentEvent, StrangerAction, counted_key};
use crate::model::rate_limit::{
    AnswerClass, Charge, LimitVerdict, QuotaShare, distinctive_words, without_digits, words_digest,
};
use crate::model::topic::Topic;
use crate::model::world::event::Event;
use crate::model::world::mailbox_key;
use crate::reply::{self, OutgoingMail, Recipient, subject};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::requests::CommandPlace;
use crate::server::sender::{Sender, SenderProof};
use crate::store::Fault;

/// Returns the answers to a command of a mail that its sender's limits allow, and counts them.
pub(super) fn limit_reply(
    mut answer: CommandReply,
    message: &Message,
    sender: &Sender,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let limits = &env.setup.config.limits.rate_limits;
    let Some(class) = classify(&answer, message, sender) else { return Ok(answer.outgoing) };
    if limits.are_open() || answer.counted().next().is_none() {
        return Ok(answer.outgoing);
    }
    if answer.outcome != MailOutcome::CarriedOut
        && is_automatic_subject(&without_subject_prefixes(&message.subject))
    {
        env.note(format!("{}: not answered: automatic mail, by its Subject", message.from));
        return Ok(Vec::new());
    }
    if matches!(class, AnswerClass::Help | AnswerClass::Prose)
        && !is_registered(message, sender, documents, env)?
    {
        answer.outgoing = vec![reply::introduction(&env.setup.identity.name)];
    }
    let mut bytes = 0;
    for mail in answer.counted() {
        if class.is_forgeable() {
            mail.shorten(limits.longest);
            mail.share = QuotaShare::Others;
        }
        bytes += mail.size();
    }
    if sender.proof == SenderProof::MailServer {
        bytes = 0;
    }
    let Some(from) = message.from.address() else { return Ok(Vec::new()) };
    documents.gather(&[mailbox_key(from)], env)?;
    let is_players = documents.world.mailbox(from).is_players(env.now);
    if class.is_forgeable() && !is_players && sender.proof != SenderProof::MailServer {
        let is_asked = answer.outcome == MailOutcome::CarriedOut;
        if is_full_of_strangers(from, is_asked, documents, env)? {
            return Ok(answer.apply_verdict(LimitVerdict::Silence));
        }
    }
    let of = counted_words(&answer, class, message, is_players);
    let charge = charge_for(&answer, class, &of, sender, bytes);
    let verdict = check(from, charge, documents, env)?;
    Ok(answer.apply_verdict(verdict))
}

/// Returns whether the sender's address belongs to a user. Users get no introduction.
fn is_registered(
    message: &Message,
    sender: &Sender,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<bool, Fault> {
    let Some(from) = message.from.address() else { return Ok(false) };
    documents.load(&Needs::UsersAt(from.clone()), &sender.origin, env)?;
    Ok(!documents.world.users_at(from).is_empty())
}

impl CommandReply {
    /// Returns a test of whether a mail counts for the sender's limits: anything caused by the mail
    /// alone. A board mail about a change belongs to the players and does not count, except the
    /// copy to the writer of a message without a command.
    fn counts(&self) -> impl Fn(&OutgoingMail) -> bool + use<> {
        let all = self.outcome != MailOutcome::CarriedOut || !self.changes;
        let writer = self.proved.clone().filter(|_| self.place == CommandPlace::Prose);
        move |mail| {
            let is_writers = || match &mail.to {
                Recipient::User(user) => Some(user) == writer.as_ref(),
                _ => false,
            };
            all || mail.to == Recipient::Sender || is_writers()
        }
    }

    /// Returns the mails that count.
    fn counted(&mut self) -> impl Iterator<Item = &mut OutgoingMail> {
        let counts = self.counts();
        self.outgoing.iter_mut().filter(move |mail| counts(mail))
    }

    /// Applies a verdict to the mails that count, and returns all mails left.
    fn apply_verdict(mut self, verdict: LimitVerdict) -> Vec<OutgoingMail> {
        let counts = self.counts();
        match verdict {
            LimitVerdict::Answer => {}
            LimitVerdict::Last | LimitVerdict::LastOfThese => {
                for mail in self.counted() {
                    mail.blocks.push(reply::last_answer_note(verdict));
                }
            }
            LimitVerdict::Full => {
                self.outgoing.retain(|mail| !counts(mail));
                self.outgoing
                    .push(OutgoingMail { share: QuotaShare::Others, ..reply::answer_too_long() });
            }
            LimitVerdict::Silence => self.outgoing.retain(|mail| !counts(mail)),
        }
        self.outgoing
    }
}

/// Returns whether the answers to strangers in this hour are used up; otherwise counts one more.
/// Commands that were carried out, such as a sign-up, have a limit of their own, so that other
/// mails cannot use it up.
fn is_full_of_strangers(
    from: &Address,
    is_asked: bool,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<bool, Fault> {
    let [refused, asked] = Correspondent::answer_names();
    let all = if is_asked { asked } else { refused };
    documents.gather(&[counted_key(all.clone())], env)?;
    let what = StrangerAction::Answered;
    // A damaged count stops no answer; the operator mends it.
    if documents.world.strangers_at_limit(what, &all, env.now).unwrap_or(false) {
        env.note(format!("{from}: not answered: hourly limit of answers to strangers reached"));
        return Ok(true);
    }
    let counted = CorrespondentEvent::Stranger { what, at: env.now };
    documents.apply(&Event::Correspondents(vec![all], counted), env)?;
    Ok(false)
}

/// Checks an answer against the limits of an address, and counts it if it may be sent.
pub(super) fn check(
    address: &Address,
    charge: Charge,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<LimitVerdict, Fault> {
    documents.gather(&[mailbox_key(address)], env)?;
    let limits = &env.setup.config.limits.rate_limits;
    let verdict = documents.world.mailbox(address).judge(&charge, env.now, limits);
    let class = charge.class;
    if verdict == LimitVerdict::Silence {
        env.note(format!("{address}: not answered: rate limit reached ({class:?})"));
    } else if !limits.are_open() {
        let answered = CorrespondentEvent::Answered { charge, verdict, at: env.now };
        let names = vec![Correspondent::mailbox_name(address)];
        documents.apply(&Event::Correspondents(names, answered), env)?;
    }
    Ok(verdict)
}

/// Returns the charge for an error message to the sender of a mail.
pub(super) fn error_charge(mail: &OutgoingMail, of: &str) -> Charge {
    Charge {
        class: AnswerClass::Error,
        of: words_digest(of),
        board: String::new(),
        bytes: mail.size(),
    }
}

/// Returns the class of an answer. None if only a proven player can cause it.
fn classify(answer: &CommandReply, message: &Message, sender: &Sender) -> Option<AnswerClass> {
    let is_answer = || sender.is_answer(message);
    let is_proved = answer.is_proved() || sender.proof == SenderProof::Tag;
    let class = match (answer.outcome, is_proved) {
        // A program may write such a mail, too.
        (_, true) if answer.place == CommandPlace::Prose => AnswerClass::Unread,
        // A player with many boards and a new password has many old mails.
        (MailOutcome::OldTag, _) => AnswerClass::Error,
        (MailOutcome::Nothing, true) => AnswerClass::Unread,
        (MailOutcome::Nothing, false) if is_answer() => AnswerClass::Prose,
        (MailOutcome::Nothing, false) => AnswerClass::Help,
        // The Subject of a reply may be our own, repeated by a program.
        (_, false) if is_answer() && answer.place == CommandPlace::Usual => AnswerClass::Reply,
        (MailOutcome::Words | MailOutcome::Refused, false) => AnswerClass::Error,
        (MailOutcome::CarriedOut, false) => AnswerClass::Asked,
        (MailOutcome::Words | MailOutcome::Refused, true) if sender.tag.is_some() => {
            AnswerClass::Tried
        }
        (MailOutcome::Words | MailOutcome::Refused, true) => AnswerClass::Own,
        (MailOutcome::CarriedOut, true) if answer.is_proved() => return None,
        (MailOutcome::CarriedOut, true) => AnswerClass::Shown,
    };
    // A mail in the name of a user may come from somebody else.
    Some(match class {
        AnswerClass::Error | AnswerClass::Asked | AnswerClass::Reply | AnswerClass::Prose
            if sender.proof == SenderProof::Doubt =>
        {
            AnswerClass::Doubted
        }
        class => class,
    })
}

/// Returns the words by which answers are counted as equal. `is_players`: players have written from
/// the address lately.
fn counted_words(
    answer: &CommandReply,
    class: AnswerClass,
    message: &Message,
    is_players: bool,
) -> String {
    let Message { subject, text, .. } = message;
    match class {
        // Programs repeat our Subject; only their own text stays the same.
        AnswerClass::Prose => without_digits(&unquoted_text(text)),
        AnswerClass::Help => {
            let own = unquoted_text(text);
            // A mail with nothing but a quotation comes from a program, whatever its Subject.
            let is_quotation = own.is_empty() && !text.trim().is_empty();
            let subject = if is_quotation { "" } else { subject };
            let words = format!("{subject} {own}");
            // Moves that a player tries differ in their figures.
            if is_players { distinctive_words(&words) } else { without_digits(&words) }
        }
        AnswerClass::Unread => distinctive_words(&unquoted_text(text)),
        AnswerClass::Reply if subject::read(subject).is_some() => String::new(),
        AnswerClass::Tried => String::new(),
        _ if answer.outcome == MailOutcome::OldTag => String::new(),
        _ => answer.line.clone(),
    }
}

/// Returns the charge for an answer of a class. `of` are the words by which answers are equal.
fn charge_for(
    answer: &CommandReply,
    class: AnswerClass,
    of: &str,
    sender: &Sender,
    bytes: usize,
) -> Charge {
    let by_board = matches!(class, AnswerClass::Tried | AnswerClass::Unread)
        || answer.outcome == MailOutcome::OldTag;
    let board = sender.tag.as_ref().filter(|_| by_board);
    let board = board.map(|tag| tag.board.to_string());
    // Replies about other topics are counted apart, as those about a board are.
    let topic = sender.topic.as_ref().filter(|_| by_board);
    let topic = topic.map(|tag| match &tag.topic {
        Topic::Conversation(writer) => writer.folded(),
        topic => topic.to_string(),
    });
    let board = board.or(topic).map(|of| words_digest(&of)).unwrap_or_default();
    Charge { class, of: words_digest(of), board, bytes }
}
