//! The way of a mail, and of a command from the shell, to what changes and what is sent.
//!
//! A mail passes the stages once, in this order, and none looks back; each takes the value of the
//! one before it:
//!
//! | stage | from | to |
//! |---|---|---|
//! | `receipt` | bytes | a `Message` with its key, unless it was executed before |
//! | `sender`, `inbox` | the message | its sender, what proves them, and their requests |
//! | `gather` | what a command needs | documents |
//! | `decide` | a request and the documents | a decision: events and an answer, or a refusal |
//! | `change` | the decision | changed documents |
//! | `answer`, `refuse`, `several` | the decision and the documents | what is said to each reader |
//! | `permit` | the answers | those that may be sent |
//! | `address`, `quota`, `letters` | the permitted answers | letters |
//! | `batch` | documents, letters, keys | one transaction |
//!
//! A [`Server`] keeps what lasts from mail to mail. It reads through a [`Store`] and writes
//! nothing: [`Server::take`] hands out the transaction that the caller commits.
//!
//! A command is *carried out*, a mail is *executed*, a transaction is *committed*.

mod address;
mod answer;
mod batch;
mod carry_out;
mod change;
pub mod check;
mod decide;
mod env;
mod foreign;
mod foresee;
mod gather;
pub mod guard;
pub mod inbox;
mod letters;
mod malformed;
pub mod newcomers;
mod noted;
mod opt_out;
mod outcome;
mod permit;
mod quota;
mod receipt;
mod refuse;
pub mod remind;
pub mod repair;
mod returned;
mod sender;
mod several;

pub use env::Setup;
pub use receipt::{IncomingMail, given_up, key_of, strands};

use crate::base::chance::{Entropy, RandomSource, Seed};
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::{Origin, Trust};
use crate::mail::{Message, SenderAddress};
use crate::model::user::User;
use crate::reply::{self, OutgoingMail, Recipient, TextMedium};
use crate::store::{Fault, Letter, MailKey, ReceiptStatus, Store, Transaction};
use batch::UnitOfWork;
use decide::Resources;
use env::Env;
use inbox::Request;
use letters::LetterCause;
use noted::{LogNotes, LogStart};
use outcome::{CommandReply, MailOutcome};
use sender::Sender;
use std::borrow::Cow;
use std::panic::catch_unwind;

/// The outcome of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailDisposition {
    /// It was executed, now or before, or is not worth keeping.
    Executed,
    /// It cannot be read, and must be kept for the operator: why.
    Malformed(String),
}

/// Where a server's chance comes from.
enum ServerRandom<'a> {
    Lent(&'a mut dyn RandomSource),
    Own(Box<Entropy>),
}

impl ServerRandom<'_> {
    fn chance(&mut self) -> &mut dyn RandomSource {
        match self {
            Self::Lent(chance) => *chance,
            Self::Own(chance) => &mut **chance,
        }
    }

    fn seed(&self) -> Option<Seed> {
        match self {
            Self::Lent(chance) => chance.seed(),
            Self::Own(chance) => chance.seed(),
        }
    }
}

/// The outcome of a request from a browser.
#[derive(Debug)]
pub struct BrowserOutcome {
    /// What came of it.
    pub outcome: VisitOutcome,
    /// The answers to the user.
    pub said: Vec<OutgoingMail>,
}

/// What came of a request from a browser or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitOutcome {
    /// It was carried out.
    Done,
    /// It was carried out before, and not again.
    Before,
    /// It was refused.
    Refused,
    /// Another request with its identity was carried out, so this one is not.
    Reused,
}

/// Executes mails and commands, one after the other.
pub struct Server<'a> {
    pub(crate) setup: &'a Setup,
    chance: ServerRandom<'a>,
    batch: UnitOfWork,
    /// Lines for the operator, without secrets.
    pub log: Vec<String>,
    noted: LogNotes,
}

impl std::fmt::Debug for Server<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let world = &self.batch.documents.world;
        f.debug_struct("Server").field("world", world).finish_non_exhaustive()
    }
}

/// The way of a mail that can be read. Returns what becomes of it, and what came of it.
fn execute(
    message: &Message,
    key: &MailKey,
    batch: &mut UnitOfWork,
    resources: &mut Resources,
    env: &mut Env,
) -> Result<(MailDisposition, MailOutcome), Fault> {
    let documents = &mut batch.documents;
    let mut outcome = MailOutcome::Nothing;
    let mut disposition = MailDisposition::Executed;
    // A mail whose From is no address is answered where its proven user has one.
    let mut message = Cow::Borrowed(message);
    let permitted = if let Some((user, what)) = opt_out::asked(&message, documents, env)? {
        outcome = MailOutcome::CarriedOut;
        Vec::from_iter(opt_out::obey(&user, what, &message, documents, env)?)
    } else if let Some(silence) =
        message.silence.filter(|silence| !silence.is_mark() || !message.returned.is_empty())
    {
        env.note(format!("mail {} is not answered: {silence}", receipt::log_name(key)));
        message.returned.iter().try_for_each(|id| returned::note(id, documents, env))?;
        Vec::new()
    } else {
        let sender = Sender::identify(&message, documents, env)?;
        let mut requests = sender.requests(&message, documents, env)?;
        if message.silence.is_some() {
            requests = Ok(inbox::with_proof(requests));
        }
        let says_who = sender.says_who(&requests);
        let mut answers = carry_out::mail(requests, &message, &sender, documents, resources, env)?;
        if let Some(silence) = message.silence {
            answers.retain_mut(|answers| answers.is_proved() || answers.keep_for_others());
            if answers.is_empty() {
                env.note(format!("mail {} is not answered: {silence}", receipt::log_name(key)));
            }
        }
        outcome = answers.iter().map(|answers| answers.outcome).max().unwrap_or(outcome);
        if let SenderAddress::Unusable(why) = message.from {
            if let Some(user) = answers.iter().find_map(|answers| answers.proved.as_ref()) {
                let reachable = documents.world.user(user).map(User::reachable);
                if let Some(address) = reachable.and_then(|all| all.into_iter().next()) {
                    message.to_mut().from = SenderAddress::Usable(address);
                }
            } else {
                malformed::note_unanswerable(why, says_who, key, env);
                if says_who {
                    disposition = MailDisposition::Malformed(why.to_string());
                }
            }
        }
        permit::permitted(answers, &message, &sender, documents, env)?
    };
    batch.post(&permitted, Some(&message), &LetterCause::mail(key), env)?;
    Ok((disposition, outcome))
}

impl<'a> Server<'a> {
    /// A server that has read nothing yet.
    pub fn new(setup: &'a Setup, chance: &'a mut dyn RandomSource) -> Self {
        Self {
            setup,
            chance: ServerRandom::Lent(chance),
            batch: UnitOfWork::default(),
            log: Vec::new(),
            noted: LogNotes::default(),
        }
    }

    /// Another one, to execute other mails at the same time; none where dice fall for one mail after
    /// the other.
    pub fn beside(&self) -> Option<Self> {
        let chance = ServerRandom::Own(Box::new(self.chance.seed()?.restart()));
        Some(Self {
            setup: self.setup,
            chance,
            batch: UnitOfWork::default(),
            log: Vec::new(),
            noted: LogNotes::default(),
        })
    }

    /// Executes one mail.
    ///
    /// # Errors
    /// The machine failed; the mail must be tried again, after [`Server::forget`].
    pub fn mail(
        &mut self,
        raw: &[u8],
        store: &dyn Store,
        now: Time,
    ) -> Result<MailDisposition, Fault> {
        self.execute(&IncomingMail::read(raw, &self.setup.identity.address), store, now)
    }

    /// Executes one mail that was read.
    ///
    /// # Errors
    /// As [`Server::mail`].
    pub fn execute(
        &mut self,
        mail: &IncomingMail,
        store: &dyn Store,
        now: Time,
    ) -> Result<MailDisposition, Fault> {
        let (key, begun) = (mail.key(), self.begin());
        let mut own = self.chance.seed().map(|seed| seed.chance([&*key.id, &*key.content]));
        let (batch, chance, env) = &mut self.stages(store, now);
        let chance: &mut dyn RandomSource = own.as_mut().map_or(&mut **chance, |own| own);
        let resources = &mut Resources::new(chance, &env.setup.config.limits);
        if !receipt::is_new(key, &batch.transaction, env)? {
            self.end(begun, receipt::log_name(key), None);
            return Ok(MailDisposition::Executed);
        }
        if let Some(earlier) = mail.earlier_key()
            && receipt::was_executed_earlier(&earlier, env)?
        {
            env.note(format!("mail {} was executed before", receipt::log_name(key)));
            batch.transaction.executes(*key);
            batch.transaction.at = now;
            self.end(begun, receipt::log_name(key), None);
            return Ok(MailDisposition::Executed);
        }
        let (handled, outcome) = match &mail.message {
            Ok(message) => execute(message, key, batch, resources, env)?,
            Err(malformed) if malformed::answer(malformed, key, batch, env)? => {
                (MailDisposition::Malformed(malformed.to_string()), MailOutcome::Nothing)
            }
            Err(_) => (MailDisposition::Executed, MailOutcome::Nothing),
        };
        batch.transaction.executes(*key);
        batch.transaction.at = now;
        self.end(begun, receipt::log_name(key), Some(outcome));
        Ok(handled)
    }

    /// A mail that failed by a fault of ours and is given up: its sender is told, and it is not
    /// taken again from a mailbox that still has it.
    ///
    /// # Errors
    /// The machine failed.
    pub fn give_up(&mut self, raw: &[u8], store: &dyn Store, now: Time) -> Result<(), Fault> {
        let own = &self.setup.identity.address;
        let (key, mail) = (key_of(raw, own), catch_unwind(|| IncomingMail::read(raw, own)));
        let (batch, _, env) = &mut self.stages(store, now);
        if let Ok(IncomingMail { message: Ok(message), .. }) = &mail {
            malformed::apologize(message, &key, batch, env)?;
        }
        batch.transaction.receipts.push(given_up(&key));
        batch.transaction.at = now;
        Ok(())
    }

    /// Carries out one command line of the shell; returns what is printed, and whether it was
    /// carried out.
    ///
    /// # Errors
    /// The machine failed.
    pub fn shell(
        &mut self,
        request: &Request,
        store: &dyn Store,
        now: Time,
    ) -> Result<(String, bool), Fault> {
        let begun = self.begin();
        let (batch, chance, env) = &mut self.stages(store, now);
        let resources = &mut Resources::new(*chance, &env.setup.config.limits);
        let (origin, documents) = (&Origin::Shell, &mut batch.documents);
        let answers = carry_out::command(request, origin, None, documents, resources, env)?;
        self.printed(answers, begun, store, now)
    }

    /// Carries out a request from a browser; answers for others are posted. Requests with the same
    /// key `once` are carried out once.
    ///
    /// # Errors
    /// The machine failed.
    pub fn visit(
        &mut self,
        request: &Request,
        origin: &Origin,
        once: Option<MailKey>,
        store: &dyn Store,
        now: Time,
    ) -> Result<BrowserOutcome, Fault> {
        let begun = self.begin();
        let (batch, chance, env) = &mut self.stages(store, now);
        if let Some(key) = &once {
            let outcome = match receipt::status(key, &batch.transaction, env)? {
                ReceiptStatus::Never => None,
                ReceiptStatus::Before | ReceiptStatus::Fading => Some(VisitOutcome::Before),
                ReceiptStatus::Reused => Some(VisitOutcome::Reused),
            };
            if let Some(outcome) = outcome {
                return Ok(BrowserOutcome { outcome, said: Vec::new() });
            }
        }
        let resources = &mut Resources::new(*chance, &env.setup.config.limits);
        let documents = &mut batch.documents;
        let answers = carry_out::command(request, origin, None, documents, resources, env)?;
        let outcome = answers.outcome;
        let is_done = outcome == MailOutcome::CarriedOut;
        let (said, others): (Vec<OutgoingMail>, Vec<OutgoingMail>) =
            answers.outgoing.into_iter().partition(|mail| mail.to == Recipient::Sender);
        let mut cause = [0; 32];
        chance.fill(&mut cause);
        batch.post(&others, None, &LetterCause::command(cause.into()), env)?;
        batch.transaction.receipts.extend(once.filter(|_| is_done));
        batch.transaction.at = now;
        self.end(begun, receipt::number(&cause), Some(outcome));
        let outcome = if is_done { VisitOutcome::Done } else { VisitOutcome::Refused };
        Ok(BrowserOutcome { outcome, said })
    }

    /// A user who was met, as they are now.
    pub fn user(&self, user: &UserId) -> Option<&User> {
        self.batch.documents.world.user(user)
    }

    /// The answers that the shell shows; those for others are posted.
    fn printed(
        &mut self,
        answers: CommandReply,
        begun: LogStart,
        store: &dyn Store,
        now: Time,
    ) -> Result<(String, bool), Fault> {
        let CommandReply { outgoing, outcome, .. } = answers;
        let (own, others): (Vec<OutgoingMail>, Vec<OutgoingMail>) =
            outgoing.into_iter().partition(|mail| mail.to == Recipient::Sender);
        let (batch, chance, env) = &mut self.stages(store, now);
        let mut cause = [0; 32];
        chance.fill(&mut cause);
        batch.post(&others, None, &LetterCause::command(cause.into()), env)?;
        batch.transaction.at = now;
        self.end(begun, receipt::number(&cause), Some(outcome));
        let text = own.iter().map(|mail| {
            let analysed = reply::run_analyses(&mail.blocks);
            reply::text(analysed.as_deref().unwrap_or(&mail.blocks), TextMedium::Shell)
        });
        let text = text.collect::<Vec<_>>();
        Ok((text.join("\n"), outcome == MailOutcome::CarriedOut))
    }

    /// All changes since the last call. Commit them before you trust anything else.
    pub fn take(&mut self) -> Transaction {
        self.batch.take()
    }

    /// Whether what was done here since the last [`take`](Self::take) would have been done in the
    /// same way after what another one has done since then.
    pub fn could_follow(&self, before: &mut Self) -> bool {
        self.batch.could_follow(&mut before.batch, quota::daily_limit(&self.setup.config.limits))
    }

    /// Another process has made a transaction: documents that were read before it are read again.
    pub fn learn(&mut self, transaction: &Transaction) {
        self.batch.learn(transaction);
    }

    /// Bytes of the letters written since the last [`take`](Self::take) of them.
    pub fn answered(&self) -> usize {
        self.batch.transaction.letters.iter().map(|letter| letter.bytes.len()).sum()
    }

    /// The letters written since the last call, or since the last [`take`](Self::take).
    pub fn take_letters(&mut self) -> Vec<Letter> {
        std::mem::take(&mut self.batch.transaction.letters)
    }

    /// Forgets documents when there are many, or the home is [far](crate::store::Documents::is_far);
    /// to be called when all was taken.
    pub fn trim(&mut self, is_far: bool) {
        self.batch.trim(is_far);
    }

    /// Forgets all documents and everything not taken.
    pub fn forget(&mut self) {
        self.batch.forget();
        self.log.clear();
        self.noted = LogNotes::default();
    }

    /// The data and tools of the stages.
    fn stages<'s>(
        &'s mut self,
        store: &'s dyn Store,
        now: Time,
    ) -> (&'s mut UnitOfWork, &'s mut dyn RandomSource, Env<'s>) {
        let env = Env {
            setup: self.setup,
            store,
            now,
            log: &mut self.log,
            boards: &mut self.noted.boards,
            unreadable: &mut self.noted.unreadable,
        };
        (&mut self.batch, self.chance.chance(), env)
    }
}

/// A request of the operator's shell.
pub fn shell_request(line: String, operator: bool, comment: String) -> Request {
    Request::read(line, if operator { Trust::Operator } else { Trust::Words }, comment)
}
