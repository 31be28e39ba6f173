//! Which answers may be sent: how much anybody gets in answer.

use crate::command::Needs;
use crate::mail::{Address, Message, is_automatic, own_words, without_marks};
use crate::model::correspondent::{Correspondent, CorrespondentEvent, StrangerAction, counted_key};
use crate::model::rate_limit::{
    AnswerClass, Charge, LimitVerdict, QuotaShare, mark, told_apart, without_figures,
};
use crate::model::world::event::Event;
use crate::model::world::mailbox_key;
use crate::reply::{self, OutgoingMail, Recipient, subject};
use crate::server::env::Env;
use crate::server::gather::DocumentSet;
use crate::server::inbox::CommandPlace;
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::sender::{Sender, SenderProof};
use crate::store::Fault;

/// The answers to a mail that may be sent; those to its sender are counted.
pub(super) fn permitted(
    answers: Vec<CommandReply>,
    message: &Message,
    sender: &Sender,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let mut permitted = Vec::new();
    for answers in answers {
        permitted.extend(permitted_of(answers, message, sender, documents, env)?);
    }
    Ok(permitted)
}

/// The answers to one command that may be sent.
fn permitted_of(
    mut answers: CommandReply,
    message: &Message,
    sender: &Sender,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let limits = &env.setup.config.limits.rate_limits;
    let Some(class) = class(&answers, message, sender) else { return Ok(answers.outgoing) };
    if limits.are_open() || answers.counted().next().is_none() {
        return Ok(answers.outgoing);
    }
    if answers.outcome != MailOutcome::CarriedOut && is_automatic(&without_marks(&message.subject))
    {
        env.note(format!(
            "{}: not answered: its Subject is that of a note or a report that a program writes",
            message.from
        ));
        return Ok(Vec::new());
    }
    if matches!(class, AnswerClass::Help | AnswerClass::Prose)
        && !is_registered(message, sender, documents, env)?
    {
        answers.outgoing = vec![reply::introduction(&env.setup.identity.name)];
    }
    let mut bytes = 0;
    for mail in answers.counted() {
        if class.is_anybodys() {
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
    if class.is_anybodys() && !is_players && sender.proof != SenderProof::MailServer {
        let is_asked = answers.outcome == MailOutcome::CarriedOut;
        if is_full_of_strangers(from, is_asked, documents, env)? {
            return Ok(answers.judged(LimitVerdict::Silence));
        }
    }
    let of = matter(&answers, class, message, is_players);
    let charge = charge(&answers, class, &of, sender, bytes);
    let verdict = judge(from, charge, documents, env)?;
    Ok(answers.judged(verdict))
}

/// Whether the address that a mail came from is a user's. They need no introduction.
fn is_registered(
    message: &Message,
    sender: &Sender,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<bool, Fault> {
    let Some(from) = message.from.address() else { return Ok(false) };
    documents.load(&Needs::At(from.clone()), &sender.origin, env)?;
    Ok(!documents.world.users_at(from).is_empty())
}

impl CommandReply {
    /// Whether a mail counts: what the mail itself caused. A board mail that came of a change is the
    /// players' own; one that tells the writer of a message without a command that it was sent
    /// counts.
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

    /// The mails that count.
    fn counted(&mut self) -> impl Iterator<Item = &mut OutgoingMail> {
        let counts = self.counts();
        self.outgoing.iter_mut().filter(move |mail| counts(mail))
    }

    /// Those of them that are sent by that verdict.
    fn judged(mut self, verdict: LimitVerdict) -> Vec<OutgoingMail> {
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

/// Whether no more answers go to strangers in this hour, of whom none may have asked; else one more
/// is counted. What was carried out, such as a sign-up, has its own limit and is not silenced by
/// mails that were not.
fn is_full_of_strangers(
    from: &Address,
    is_asked: bool,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<bool, Fault> {
    let [refused, asked] = Correspondent::names_of_answers();
    let all = if is_asked { asked } else { refused };
    documents.gather(&[counted_key(all.clone())], env)?;
    let what = StrangerAction::Answered;
    // A damaged count is the operator's to mend, and stops no answer.
    if documents.world.is_full(what, &all, env.now).unwrap_or(false) {
        env.note(format!("{from}: not answered: enough answers to strangers in this hour"));
        return Ok(true);
    }
    let counted = CorrespondentEvent::Stranger { what, at: env.now };
    documents.world.apply(&Event::Correspondents(vec![all], counted));
    Ok(false)
}

/// Whether an answer may go to an address; if so, it is counted.
pub(super) fn judge(
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
        env.note(format!("{address}: not answered: enough of that today ({class:?})"));
    } else if !limits.are_open() {
        let answered = CorrespondentEvent::Answered { charge, verdict, at: env.now };
        let names = vec![Correspondent::name(address)];
        documents.world.apply(&Event::Correspondents(names, answered));
    }
    Ok(verdict)
}

/// The charge for an error that is told to the address that a mail came from.
pub(super) fn error(mail: &OutgoingMail, of: &str) -> Charge {
    Charge { class: AnswerClass::Error, of: mark(of), board: String::new(), bytes: mail.size() }
}

/// The kind of this answer; none for one that only a proved player can cause.
fn class(answers: &CommandReply, message: &Message, sender: &Sender) -> Option<AnswerClass> {
    let is_answer = || sender.is_answer(message);
    let is_proved = answers.is_proved() || sender.proof == SenderProof::Tag;
    let class = match (answers.outcome, is_proved) {
        // A program may write so, too.
        (_, true) if answers.place == CommandPlace::Prose => AnswerClass::Unread,
        // A player with many boards and a new password has many old mails.
        (MailOutcome::OldTag, _) => AnswerClass::Error,
        (MailOutcome::Nothing, true) => AnswerClass::Unread,
        (MailOutcome::Nothing, false) if is_answer() => AnswerClass::Prose,
        (MailOutcome::Nothing, false) => AnswerClass::Help,
        // The Subject of a reply may be that of our mail, which a program repeats.
        (_, false) if is_answer() && answers.place == CommandPlace::Usual => AnswerClass::Reply,
        (MailOutcome::Words | MailOutcome::Refused, false) => AnswerClass::Error,
        (MailOutcome::CarriedOut, false) => AnswerClass::Asked,
        (MailOutcome::Words | MailOutcome::Refused, true) if sender.tag.is_some() => {
            AnswerClass::Tried
        }
        (MailOutcome::Words | MailOutcome::Refused, true) => AnswerClass::Own,
        (MailOutcome::CarriedOut, true) if answers.is_proved() => return None,
        (MailOutcome::CarriedOut, true) => AnswerClass::Shown,
    };
    // A request in the name of a user may not come from that user.
    Some(match class {
        AnswerClass::Error | AnswerClass::Asked | AnswerClass::Reply | AnswerClass::Prose
            if sender.proof == SenderProof::Doubt =>
        {
            AnswerClass::Doubted
        }
        class => class,
    })
}

/// By what words an answer counts, also if players have written from there lately.
fn matter(
    answers: &CommandReply,
    class: AnswerClass,
    message: &Message,
    is_players: bool,
) -> String {
    let Message { subject, text, .. } = message;
    match class {
        // Programs put what they answer into the Subject: what they say themselves is the same.
        AnswerClass::Prose => without_figures(&own_words(text)),
        AnswerClass::Help => {
            let own = own_words(text);
            // A mail that only quotes comes from a program, whatever its Subject.
            let is_quotation = own.is_empty() && !text.trim().is_empty();
            let subject = if is_quotation { "" } else { subject };
            let words = format!("{subject} {own}");
            // The moves that a player tries differ in their figures.
            if is_players { told_apart(&words) } else { without_figures(&words) }
        }
        AnswerClass::Unread => told_apart(&own_words(text)),
        AnswerClass::Reply if subject::read(subject).is_some() => String::new(),
        AnswerClass::Tried => String::new(),
        _ if answers.outcome == MailOutcome::OldTag => String::new(),
        _ => answers.of.clone(),
    }
}

fn charge(
    answers: &CommandReply,
    class: AnswerClass,
    of: &str,
    sender: &Sender,
    bytes: usize,
) -> Charge {
    let by_board = matches!(class, AnswerClass::Tried | AnswerClass::Unread)
        || answers.outcome == MailOutcome::OldTag;
    let board = sender.tag.as_ref().filter(|_| by_board);
    let board = board.map(|tag| tag.board.to_string());
    // Words to another user are counted apart, as a board is.
    let writer = sender.words.as_ref().filter(|_| by_board).map(|tag| tag.writer.folded());
    let board = board.or(writer).map(|of| mark(&of)).unwrap_or_default();
    Charge { class, of: mark(of), board, bytes }
}
