//! Mails that cannot be executed: they cannot be read, or are given up.

use crate::mail::{Address, Kind, Malformed, Message, MessageId};
use crate::model::rate_limit::Share;
use crate::refusal::{Asker, SyntaxRefusal};
use crate::reply::{self, Outgoing};
use crate::server::address::Addressed;
use crate::server::batch::Batch;
use crate::server::env::Env;
use crate::server::letters::{Cause, letter};
use crate::server::permit;
use crate::server::receipt::short;
use crate::store::{Fault, MailKey};

/// A mail that cannot be read gets one short answer, if its sender is known and may get one.
/// Returns whether it does.
pub(super) fn answer(
    malformed: &Malformed,
    key: &MailKey,
    batch: &mut Batch,
    env: &mut Env,
) -> Result<bool, Fault> {
    // Where nobody is told nobody asks for it again.
    let mut is_told = false;
    if let Some(from) = malformed.tell() {
        let refusal = SyntaxRefusal::Mail(malformed.to_string()).into();
        let mail = reply::refuse(&refusal, &Asker::default());
        let answers = malformed.message_id.clone().map(|id| (id, Vec::new()));
        is_told = tell(mail, &malformed.to_string(), from, answers, key, batch, env)?;
    }
    let kept = if is_told { "" } else { "; it is not kept" };
    env.note(format!("mail {} cannot be read: {malformed}{kept}", short(key)));
    Ok(is_told)
}

/// The sender of a mail is told that it failed by a fault of ours and is given up.
pub(super) fn apologize(
    message: &Message,
    key: &MailKey,
    batch: &mut Batch,
    env: &mut Env,
) -> Result<(), Fault> {
    if message.silence.is_none() {
        let mail = reply::our_fault();
        let of = mail.text();
        let answers = message.message_id.clone().map(|id| (id, message.references.clone()));
        tell(mail, &of, &message.from, answers, key, batch, env)?;
    }
    Ok(())
}

/// Tells the address that a mail came from, if it may get that. `of` is what it counts for.
fn tell(
    mail: Outgoing,
    of: &str,
    from: &Address,
    answers: Option<(MessageId, Vec<MessageId>)>,
    key: &MailKey,
    batch: &mut Batch,
    env: &mut Env,
) -> Result<bool, Fault> {
    let mail = Outgoing { share: Share::Others, ..mail };
    let charge = permit::error(&mail, of);
    let is_sent = permit::judge(from, charge, &mut batch.documents, env)?.is_sent();
    if is_sent {
        let addressed = Addressed { mail: &mail, to: from.clone(), kind: Kind::Answer, answers };
        let (cause, world) = (Cause::mail(key), &batch.documents.world);
        let letter = letter(addressed, &cause, 0, world, &mut batch.quota, env)?;
        batch.transaction.letters.extend(letter);
    }
    Ok(is_sent)
}
