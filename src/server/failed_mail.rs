//! Answers to mails that cannot be read, and to those given up after a bug.

use crate::mail::{Address, AnsweredMail, MailKind, Malformed, MalformedReason, Message};
use crate::model::rate_limit::QuotaShare;
use crate::refusal::{ExampleValues, SyntaxRefusal};
use crate::reply::{self, OutgoingMail};
use crate::server::env::Env;
use crate::server::letters::{LetterCause, limited_letter};
use crate::server::rate_limit;
use crate::server::receipt::log_name;
use crate::server::recipients::AddressedMail;
use crate::server::unit_of_work::UnitOfWork;
use crate::store::{Fault, MailKey};

/// Answers a mail that cannot be read, if its sender is known and within their limits. Returns
/// whether it was answered.
pub(super) fn answer(
    malformed: &Malformed,
    key: &MailKey,
    work: &mut UnitOfWork,
    env: &mut Env,
) -> Result<bool, Fault> {
    // Nobody will ask for a mail whose sender was not told.
    let mut is_told = false;
    if let Some(from) = malformed.answerable_sender() {
        let refusal = SyntaxRefusal::Mail(malformed.to_string()).into();
        let mail = reply::refusal_mail(&refusal, &ExampleValues::default());
        let answered =
            malformed.message_id.clone().map(|id| AnsweredMail { id, references: Vec::new() });
        is_told = tell(mail, &malformed.to_string(), from, answered, key, work, env)?;
    }
    let kept = if is_told { "" } else { "; it is not kept" };
    env.note(format!("mail {} cannot be read: {malformed}{kept}", log_name(key)));
    Ok(is_told)
}

/// Logs that a mail has no address to answer and no proven sender. If it names a user
/// (`names_sender`), it is kept for the operator.
pub(super) fn note_unanswerable(
    why: MalformedReason,
    names_sender: bool,
    key: &MailKey,
    env: &mut Env,
) {
    let kept = if names_sender { "" } else { "; it is not kept" };
    env.note(format!("mail {} cannot be answered: {why}{kept}", log_name(key)));
}

/// Tells the sender of a mail that it failed because of a bug and was given up.
pub(super) fn apologize(
    message: &Message,
    key: &MailKey,
    work: &mut UnitOfWork,
    env: &mut Env,
) -> Result<(), Fault> {
    if let Some(from) = message.from.address().filter(|_| message.no_reply.is_none()) {
        let mail = reply::server_error();
        let counted = mail.text();
        tell(mail, &counted, from, message.as_answered(), key, work, env)?;
    }
    Ok(())
}

/// Sends a mail to the sender of a failed mail, if their limits allow. `counted` is the text by which
/// the limit recognises equal answers.
fn tell(
    mail: OutgoingMail,
    counted: &str,
    from: &Address,
    in_reply_to: Option<AnsweredMail>,
    key: &MailKey,
    work: &mut UnitOfWork,
    env: &mut Env,
) -> Result<bool, Fault> {
    let mail = OutgoingMail { share: QuotaShare::Others, ..mail };
    let charge = rate_limit::error_charge(&mail, counted);
    let is_sent = rate_limit::check(from, charge, &mut work.documents, env)?.is_sent();
    if is_sent {
        let addressed =
            AddressedMail { mail: &mail, to: from.clone(), kind: MailKind::Answer, in_reply_to };
        let (cause, world) = (LetterCause::mail(key), &work.documents.world);
        let letter = limited_letter(addressed, &cause, 0, world, &mut work.daily_counts, env)?;
        work.transaction.letters.extend(letter);
    }
    Ok(is_sent)
}
