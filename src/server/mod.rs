//! From a mail, a request of the web or a command of the shell to a transaction.
//!
//! A mail passes these stages in order. Each stage uses the result of the one before, and none
//! looks back:
//!
//! | stage | from | to |
//! |---|---|---|
//! | `receipt` | bytes | a `Message` with its key, unless it was executed before |
//! | `sender`, `requests` | the message | its sender, the sender's proof, and the requests |
//! | `documents` | the needs of a command | loaded documents |
//! | `decide` | a request and documents | a decision: events and an answer, or a refusal |
//! | `change` | the decision | changed documents |
//! | `turn_notices` | changed boards | notices for their players' browsers |
//! | `reactions` | the events | further events, and news for others |
//! | `answer`, `refuse`, `multiple` | the decision and documents | an answer to each reader |
//! | `rate_limit` | the answers | those that may be sent |
//! | `delivery` | the permitted answers | those that go out now |
//! | `announcements` | these answers | the same, with the operator's announcements in the first mail to each user |
//! | `recipients`, `daily_counts`, `letters` | these answers | letters |
//! | `unit_of_work` | documents, letters, keys | one transaction |
//!
//! A [`Server`] keeps documents from mail to mail. It reads through a [`Store`] and writes nothing:
//! [`Server::take_transaction`] returns the transaction for the caller to commit.
//!
//! A command is *carried out*, a mail is *executed*, a transaction is *committed*.

mod address_warning;
mod announcements;
mod answer;
mod bounces;
mod change;
pub mod check;
mod commands;
mod daily_counts;
mod decide;
mod delivery;
mod documents;
pub mod engine_boards;
mod env;
mod failed_mail;
mod letters;
mod mail_log;
mod multiple;
pub mod newcomer_expiry;
mod opt_out;
mod outcome;
mod prefetch;
mod rate_limit;
mod reactions;
mod receipt;
mod recipients;
mod refuse;
pub mod remind;
pub mod repair;
pub mod requests;
mod sender;
pub mod stuck;
mod turn_notices;
mod unit_of_work;

pub use env::Setup;
pub use receipt::{IncomingMail, given_up, key_of, strands};

use crate::base::chance::{Entropy, RandomSource, Seed};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::command::{EngineMoveCommand, Origin, Trust, departure};
use crate::mail::{Address, Message, SenderAddress};
use crate::model::user::{Departure, User};
use crate::refusal::Refusal;
use crate::reply::{self, OutgoingMail, Recipient, TextMedium};
use crate::store::{Fault, Letter, MailKey, ReceiptStatus, Store, Transaction};
use decide::Resources;
use env::Env;
use games::Seat;
use letters::LetterCause;
use mail_log::LogNotes;
use outcome::{CommandReply, MailOutcome};
use requests::Request;
use sender::Sender;
use std::borrow::Cow;
use std::panic::catch_unwind;
use unit_of_work::UnitOfWork;

/// What the caller must do with an executed mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailDisposition {
    /// Nothing: it was executed, now or before, or is not worth keeping.
    Executed,
    /// Keep it for the operator: it cannot be read or answered. The reason.
    Malformed(String),
}

/// The source of a server's dice and random bytes.
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

/// The answer to a command at the shell.
#[derive(Debug)]
pub struct ShellAnswer {
    /// The text to print.
    pub text: String,
    /// Whether the command was carried out.
    pub is_done: bool,
}

/// The result of a request from a browser or a program.
#[derive(Debug)]
pub struct BrowserOutcome {
    /// Whether it was carried out.
    pub outcome: VisitOutcome,
    /// The answers to the user.
    pub answers: Vec<OutgoingMail>,
    /// Why it was refused.
    pub refusal: Option<Refusal>,
}

/// Whether a request from a browser or a program was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitOutcome {
    /// Carried out.
    Done,
    /// Carried out before, and not again.
    Before,
    /// Refused.
    Refused,
    /// Not carried out: another request used the same one-time key.
    Reused,
}

/// Executes mails and commands, one after the other.
pub struct Server<'a> {
    pub(crate) setup: &'a Setup,
    chance: ServerRandom<'a>,
    work: UnitOfWork,
    /// Log lines for the operator, without secrets.
    pub log: Vec<String>,
    log_notes: LogNotes,
}

impl std::fmt::Debug for Server<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let world = &self.work.documents.world;
        f.debug_struct("Server").field("world", world).finish_non_exhaustive()
    }
}

/// What the stages work with.
struct Stages<'a> {
    work: &'a mut UnitOfWork,
    chance: &'a mut dyn RandomSource,
    env: Env<'a>,
}

/// The part of a reply that is not sent as letters.
struct PostedReply {
    /// The mails to the sender of the command.
    own: Vec<OutgoingMail>,
    /// The log's number of the command.
    number: String,
}

impl Stages<'_> {
    /// Carries out one command that did not come by mail.
    fn carry_out(&mut self, request: &Request, origin: &Origin) -> Result<CommandReply, Fault> {
        let resources = &mut Resources::new(self.chance, &self.env.setup.config.limits);
        let documents = &mut self.work.documents;
        commands::carry_out(request, origin, None, documents, resources, &mut self.env)
    }

    /// Adds letters with the mails to others than the sender.
    fn post_to_others(&mut self, outgoing: Vec<OutgoingMail>) -> Result<PostedReply, Fault> {
        let (own, others): (Vec<OutgoingMail>, Vec<OutgoingMail>) =
            outgoing.into_iter().partition(|mail| mail.to == Recipient::Sender);
        let mut cause = [0; 32];
        self.chance.fill(&mut cause);
        self.work.post(&others, None, &LetterCause::command(cause.into()), &mut self.env)?;
        self.work.transaction.at = self.env.now;
        Ok(PostedReply { own, number: receipt::number(&cause) })
    }

    /// Erases a user: their boards are given up, and their opponents, observers and the owners of
    /// `addresses` are told. Returns the boards, with the seats of the user. All documents with data of
    /// the user must be loaded.
    fn erase_user(
        &mut self,
        user: &User,
        addresses: &[Address],
        cause: &LetterCause,
    ) -> Result<Vec<(BoardId, Seat)>, Fault> {
        let (now, documents) = (self.env.now, &mut self.work.documents);
        let left = Departure { at: now, erased: true };
        let (events, boards) = departure(&documents.world, user, left);
        let observers = boards.iter().filter_map(|(board, _)| documents.world.board(*board).ok());
        let observers: Vec<UserId> =
            observers.flat_map(|board| board.observers.iter().cloned()).collect();
        documents.gather_users(&observers, &mut self.env)?;
        for event in &events {
            documents.apply_and_log(event, &mut self.env)?;
        }
        let world = &documents.world;
        let mut mails = reply::operator::user_removed(world, &user.id, addresses, &boards, now);
        mails.extend(reactions::settle(None, documents, self.chance, &mut self.env)?);
        self.work.post(&mails, None, cause, &mut self.env)?;
        Ok(boards)
    }
}

/// The result of executing a readable mail.
struct ExecutedMail {
    disposition: MailDisposition,
    outcome: MailOutcome,
}

/// Executes a readable mail.
fn execute(
    message: &Message,
    key: &MailKey,
    work: &mut UnitOfWork,
    resources: &mut Resources,
    env: &mut Env,
) -> Result<ExecutedMail, Fault> {
    let documents = &mut work.documents;
    let mut outcome = MailOutcome::Nothing;
    let mut disposition = MailDisposition::Executed;
    // If From is not a usable address, the answer goes to an address of the proven user.
    let mut message = Cow::Borrowed(message);
    let mut permitted = if let Some((user, what)) = opt_out::find(&message, documents, env)? {
        outcome = MailOutcome::CarriedOut;
        Vec::from_iter(opt_out::obey(&user, what, &message, documents, env)?)
    } else if let Some(silence) =
        message.no_reply.filter(|silence| !silence.is_weak() || !message.bounced_ids.is_empty())
    {
        env.note(format!("mail {} is not answered: {silence}", receipt::log_name(key)));
        message.bounced_ids.iter().try_for_each(|id| bounces::record_bounce(id, documents, env))?;
        Vec::new()
    } else {
        let sender = Sender::identify(&message, documents, env)?;
        let mut requests = sender.requests(&message, documents, env)?;
        if message.no_reply.is_some() {
            requests = Ok(requests::with_proof(requests.unwrap_or_default()));
        }
        let names_sender = sender.names_sender(&requests);
        let mut replies =
            commands::carry_out_all(requests, &message, &sender, documents, resources, env)?;
        if let Some(silence) = message.no_reply {
            replies.retain_mut(|reply| reply.is_proved() || reply.keep_for_others());
            if replies.is_empty() {
                env.note(format!("mail {} is not answered: {silence}", receipt::log_name(key)));
            }
        }
        outcome = replies.iter().map(|reply| reply.outcome).max().unwrap_or(outcome);
        if let SenderAddress::Unusable(why) = message.from {
            if let Some(user) = replies.iter().find_map(|reply| reply.proved.as_ref()) {
                let reachable = documents.world.user(user).map(User::reachable);
                if let Some(address) = reachable.and_then(|all| all.into_iter().next()) {
                    message.to_mut().from = SenderAddress::Usable(address);
                }
            } else {
                failed_mail::note_unanswerable(why, names_sender, key, env);
                if names_sender {
                    disposition = MailDisposition::Malformed(why.to_string());
                }
            }
        }
        let mut permitted = Vec::new();
        for reply in replies {
            permitted.extend(rate_limit::limit_reply(reply, &message, &sender, documents, env)?);
        }
        permitted
    };
    // The proof of a sender and a returned mail change documents, too.
    permitted.extend(reactions::settle(None, &mut work.documents, resources.chance, env)?);
    work.post(&permitted, Some(&message), &LetterCause::mail(key), env)?;
    Ok(ExecutedMail { disposition, outcome })
}

impl<'a> Server<'a> {
    /// Returns a server without documents in memory.
    pub fn new(setup: &'a Setup, chance: &'a mut dyn RandomSource) -> Self {
        Self {
            setup,
            chance: ServerRandom::Lent(chance),
            work: UnitOfWork::default(),
            log: Vec::new(),
            log_notes: LogNotes::default(),
        }
    }

    /// Returns a second server to execute other mails at the same time. None if dice are scripted,
    /// since they fall in the order of the mails.
    pub fn second_worker(&self) -> Option<Self> {
        let chance = ServerRandom::Own(Box::new(self.chance.seed()?.restart()));
        Some(Self {
            setup: self.setup,
            chance,
            work: UnitOfWork::default(),
            log: Vec::new(),
            log_notes: LogNotes::default(),
        })
    }

    /// Parses and executes a mail.
    ///
    /// # Errors
    /// The machine failed. Call [`Server::forget`], then try the mail again.
    pub fn execute_mail(
        &mut self,
        raw: &[u8],
        store: &dyn Store,
        now: Time,
    ) -> Result<MailDisposition, Fault> {
        self.execute(&IncomingMail::read(raw, &self.setup.identity.address), store, now)
    }

    /// Executes a parsed mail.
    ///
    /// # Errors
    /// As [`Server::execute_mail`].
    pub fn execute(
        &mut self,
        mail: &IncomingMail,
        store: &dyn Store,
        now: Time,
    ) -> Result<MailDisposition, Fault> {
        let (key, begun) = (mail.key(), self.begin());
        let mut own = self.chance.seed().map(|seed| seed.chance([&*key.id, &*key.content]));
        let Stages { work, chance, env } = &mut self.stages(store, now);
        let chance: &mut dyn RandomSource = own.as_mut().map_or(&mut **chance, |own| own);
        let resources = &mut Resources::new(chance, &env.setup.config.limits);
        if !receipt::is_new(key, &work.transaction, env)? {
            self.end(begun, receipt::log_name(key), None);
            return Ok(MailDisposition::Executed);
        }
        if let Some(earlier) = mail.earlier_key()
            && receipt::was_executed_earlier(&earlier, env)?
        {
            env.note(format!("mail {} was executed before", receipt::log_name(key)));
            work.transaction.add_receipts(*key);
            work.transaction.at = now;
            self.end(begun, receipt::log_name(key), None);
            return Ok(MailDisposition::Executed);
        }
        let executed = match &mail.message {
            Ok(message) => execute(message, key, work, resources, env)?,
            Err(malformed) => {
                let is_answered = failed_mail::answer(malformed, key, work, env)?;
                let disposition = if is_answered {
                    MailDisposition::Malformed(malformed.to_string())
                } else {
                    MailDisposition::Executed
                };
                ExecutedMail { disposition, outcome: MailOutcome::Nothing }
            }
        };
        work.transaction.add_receipts(*key);
        work.transaction.at = now;
        self.end(begun, receipt::log_name(key), Some(executed.outcome));
        Ok(executed.disposition)
    }

    /// Gives up a mail that failed because of a bug: its sender is told, and the mail is not
    /// fetched again from a mailbox.
    ///
    /// # Errors
    /// The machine failed.
    pub fn give_up(&mut self, raw: &[u8], store: &dyn Store, now: Time) -> Result<(), Fault> {
        let own = &self.setup.identity.address;
        let (key, mail) = (key_of(raw, own), catch_unwind(|| IncomingMail::read(raw, own)));
        let Stages { work, env, .. } = &mut self.stages(store, now);
        if let Ok(IncomingMail { message: Ok(message), .. }) = &mail {
            failed_mail::apologize(message, &key, work, env)?;
        }
        work.transaction.receipts.push(given_up(&key));
        work.transaction.at = now;
        Ok(())
    }

    /// Carries out one command line of the shell.
    ///
    /// # Errors
    /// The machine failed.
    pub fn execute_shell_command(
        &mut self,
        request: &Request,
        store: &dyn Store,
        now: Time,
    ) -> Result<ShellAnswer, Fault> {
        let begun = self.begin();
        let mut stages = self.stages(store, now);
        let reply = stages.carry_out(request, &Origin::Shell)?;
        let outcome = reply.outcome;
        let PostedReply { own, number } = stages.post_to_others(reply.outgoing)?;
        self.end(begun, number, Some(outcome));
        let text = own.iter().map(|mail| {
            let analysed = reply::run_analyses(&mail.blocks);
            reply::text(analysed.as_deref().unwrap_or(&mail.blocks), TextMedium::Shell)
        });
        let text = text.collect::<Vec<_>>().join("\n");
        Ok(ShellAnswer { text, is_done: outcome == MailOutcome::CarriedOut })
    }

    /// Carries out a move of `board5`, and adds letters for its opponent. Returns why it is refused.
    ///
    /// # Errors
    /// The machine failed.
    pub fn play_for_engine(
        &mut self,
        command: EngineMoveCommand,
        store: &dyn Store,
        now: Time,
    ) -> Result<Option<Refusal>, Fault> {
        let begun = self.begin();
        let request = Request::from_operator(Box::new(command));
        let mut stages = self.stages(store, now);
        let reply = stages.carry_out(&request, &Origin::Shell)?;
        let (outcome, refusal) = (reply.outcome, reply.refusal);
        let PostedReply { number, .. } = stages.post_to_others(reply.outgoing)?;
        self.end(begun, number, Some(outcome));
        Ok(refusal)
    }

    /// Carries out a request from a browser, and adds letters for other readers. Requests with the
    /// same key `once` are carried out once.
    ///
    /// # Errors
    /// The machine failed.
    pub fn execute_web_request(
        &mut self,
        request: &Request,
        origin: &Origin,
        once: Option<MailKey>,
        store: &dyn Store,
        now: Time,
    ) -> Result<BrowserOutcome, Fault> {
        let begun = self.begin();
        let mut stages = self.stages(store, now);
        if let Some(key) = &once {
            let outcome = match receipt::status(key, &stages.work.transaction, &stages.env)? {
                ReceiptStatus::Never => None,
                ReceiptStatus::Executed | ReceiptStatus::Expiring => Some(VisitOutcome::Before),
                ReceiptStatus::Reused => Some(VisitOutcome::Reused),
            };
            if let Some(outcome) = outcome {
                return Ok(BrowserOutcome { outcome, answers: Vec::new(), refusal: None });
            }
        }
        let reply = stages.carry_out(request, origin)?;
        let (outcome, is_done) = (reply.outcome, reply.outcome == MailOutcome::CarriedOut);
        let PostedReply { own: answers, number } = stages.post_to_others(reply.outgoing)?;
        stages.work.transaction.receipts.extend(once.filter(|_| is_done));
        self.end(begun, number, Some(outcome));
        let outcome = if is_done { VisitOutcome::Done } else { VisitOutcome::Refused };
        Ok(BrowserOutcome { outcome, answers, refusal: reply.refusal })
    }

    /// Returns a user who is in memory, as changed so far.
    pub fn user(&self, user: &UserId) -> Option<&User> {
        self.work.documents.world.user(user)
    }

    /// Takes all changes since the last call. Commit them before you use anything else.
    pub fn take_transaction(&mut self) -> Transaction {
        self.work.take()
    }

    /// Returns whether the work since the last [`take_transaction`](Self::take_transaction) would
    /// have had the same results if the work of `before` had been committed first.
    pub fn could_follow(&self, before: &mut Self) -> bool {
        self.work
            .could_follow(&mut before.work, daily_counts::daily_limit(&self.setup.config.limits))
    }

    /// Marks documents as stale that another worker's transaction has changed.
    pub fn mark_stale(&mut self, transaction: &Transaction) {
        self.work.mark_stale(transaction);
    }

    /// Returns the bytes of all letters since they were last taken.
    pub fn letter_bytes(&self) -> usize {
        self.work.transaction.letters.iter().map(|letter| letter.bytes.len()).sum()
    }

    /// Takes the letters written since the last call or the last
    /// [`take_transaction`](Self::take_transaction).
    pub fn take_letters(&mut self) -> Vec<Letter> {
        std::mem::take(&mut self.work.transaction.letters)
    }

    /// Forgets documents if there are too many, or if the home is
    /// [remote](crate::store::Documents::is_remote). Call it after
    /// [`take_transaction`](Self::take_transaction).
    pub fn trim(&mut self, is_remote: bool) {
        self.work.trim(is_remote);
    }

    /// Forgets all documents and all changes that were not taken.
    pub fn forget(&mut self) {
        self.work.forget();
        self.log.clear();
        self.log_notes = LogNotes::default();
    }

    /// Borrows what the stages work with.
    fn stages<'s>(&'s mut self, store: &'s dyn Store, now: Time) -> Stages<'s> {
        let env = Env {
            setup: self.setup,
            store,
            now,
            log: &mut self.log,
            boards: &mut self.log_notes.boards,
            tally: &mut self.log_notes.tally,
            unreadable: &mut self.log_notes.unreadable,
        };
        Stages { work: &mut self.work, chance: self.chance.chance(), env }
    }
}

/// Builds a request from a line of the operator's shell.
pub fn shell_request(line: String, operator: bool, comment: String) -> Request {
    Request::read(line, if operator { Trust::Operator } else { Trust::Untrusted }, comment)
}
