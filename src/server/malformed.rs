//! Mails that cannot be executed: they cannot be read, or are given up.

use crate::mail::{Address, MailKind, Malformed, MalformedReason, Message, MessageId};

use crate::model::rate_limit::QuotaShare;
use crate::refusal::{Asker, SyntaxRefusal};
use crate::reply::{self, OutgoingMail};
use crate::server::address::AddressedMail;
use crate::server::batch::UnitOfWork;
use crate::server::env::Env;
use crate::server::letters::{LetterCause, letter};
use crate::server::permit;
use crate::server::receipt::log_name;
use crate::store::{Fault, MailKey};

/// A mail that cannot be read gets one short answer, if its sender is known and may get one.
/// Returns whether it does.
pub(super) fn answer(
    malformed: &Malformed,
    key: &MailKey,
    batch: &mut UnitOfWork,
    env: &mut Env,
) -> Result<bool, Fault> {
    // Where nobody is told nobody asks for it again.
    let mut is_told = false;
    if let Some(from) = malformed.tell() {
        let refusal = SyntaxRefusal::Mail(malformed.to_string()).into();
        let mail = reply::refusal_mail(&refusal, &Asker::default());
        let answers = malformed.message_id.clone().map(|id| (id, Vec::new()));
        is_told = tell(mail, &malformed.to_string(), from, answers, key, batch, env)?;
    }
    let kept = if is_told { "" } else { "; it is not kept" };
    env.note(format!("mail {} cannot be read: {malformed}{kept}", log_name(key)));
    Ok(is_told)
}

/// Notes a mail that names no address to answer and nobody who is proven. One that says who sends it
/// is kept for the operator.
pub(super) fn note_unanswerable(
    why: MalformedReason,
    says_who: bool,
    key: &MailKey,
    env: &mut Env,
) {
    let kept = if says_who { "" } else { "; it is not kept" };
    env.note(format!("mail {} cannot be answered: {why}{kept}", log_name(key)));
}

/// The sender of a mail is told that it failed by a fault of ours and is given up.
pub(super) fn apologize(
    message: &Message,
    key: &MailKey,
    batch: &mut UnitOfWork,
    env: &mut Env,
) -> Result<(), Fault> {
    if let Some(from) = message.from.address().filter(|_| message.silence.is_none()) {
        let mail = reply::server_error();
        let of = mail.text();
        let answers = message.message_id.clone().map(|id| (id, message.references.clone()));
        tell(mail, &of, from, answers, key, batch, env)?;
    }
    Ok(())
}

/// Tells the address that a mail came from, if it may get that. `of` is what it counts for.
fn tell(
    mail: OutgoingMail,
    of: &str,
    from: &Address,
    answers: Option<(MessageId, Vec<MessageId>)>,
    key: &MailKey,
    batch: &mut UnitOfWork,
    env: &mut Env,
) -> Result<bool, Fault> {
    let mail = OutgoingMail { share: QuotaShare::Others, ..mail };
    let charge = permit::error(&mail, of);
    let is_sent = permit::judge(from, charge, &mut batch.documents, env)?.is_sent();
    if is_sent {
        let addressed =
            AddressedMail { mail: &mail, to: from.clone(), kind: MailKind::Answer, answers };
        let (cause, world) = (LetterCause::mail(key), &batch.documents.world);
        let letter = letter(addressed, &cause, 0, world, &mut batch.quota, env)?;
        batch.transaction.letters.extend(letter);
    }
    Ok(is_sent)
}
