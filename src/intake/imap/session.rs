//! Takes the mails of a mailbox: first each mail becomes durable here, then it leaves the mailbox.

use super::ImapError;
use super::client::{Answer, IdleOutcome, ImapClient, MAX_SHORT_ANSWER};
use super::intake::{Take, TakenMail};
use super::progress::{Progress, Step};
use crate::base::time::Time;
use crate::config::AfterIntake;
use crate::mail::LARGEST_MAIL;
use imap_next::imap_types::command::CommandBody;
use imap_next::imap_types::core::Vec1;
use imap_next::imap_types::fetch::{
    MacroOrMessageDataItemNames, MessageDataItem, MessageDataItemName,
};
use imap_next::imap_types::flag::{Flag, StoreResponse, StoreType};
use imap_next::imap_types::mailbox::Mailbox;
use imap_next::imap_types::response::{Capability, Code, Data};
use imap_next::imap_types::search::SearchKey;
use imap_next::imap_types::sequence::SequenceSet;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::task::spawn_blocking;

/// The most bytes of an answer that lists mails: about a million of them.
const MAX_LIST: usize = 8 << 20;

/// The bytes that are fetched of a mail: one more than a mail may have, which shows its size.
const FETCHED: usize = LARGEST_MAIL + 1;

/// How many mails leave the mailbox with one command.
const GROUP: usize = 64;

/// The longest time between two looks while IDLE reports nothing.
const MAX_IDLE: Duration = Duration::from_mins(5);

/// The same after mails were found, and at first. Some servers forget to tell of mails that came just before
/// IDLE.
const MAX_IDLE_AFTER_MAILS: Duration = Duration::from_secs(15);

/// The pause between looks if the server does not support IDLE, or refuses it.
const POLL: Duration = Duration::from_mins(1);

/// The extensions that a server supports.
#[derive(Clone, Copy, Debug, Default)]
struct Extensions {
    has_idle: bool,
    has_move: bool,
    has_uid_plus: bool,
}

/// A user's session with a selected mailbox.
pub(super) struct Session<'a, S> {
    client: ImapClient<S>,
    extensions: Extensions,
    progress: &'a mut Progress,
    after: AfterIntake,
    /// Whether the server opens the mailbox only for reading. It may then hide new mails: Dovecot does, where it may not
    /// write into the mailbox's folder.
    is_read_only: bool,
    /// Whether any mail was taken and has left the mailbox, or is marked there.
    pub(super) has_finished: bool,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> Session<'a, S> {
    /// Selects a mailbox after the login. `progress` is what earlier sessions know of it.
    pub(super) async fn select(
        mut client: ImapClient<S>,
        mailbox: &str,
        after: AfterIntake,
        progress: &'a mut Progress,
    ) -> Result<Self, ImapError> {
        let answer =
            client.command(CommandBody::Capability, MAX_SHORT_ANSWER).await?.done("CAPABILITY")?;
        let mut extensions = Extensions::default();
        for capability in answer.data.iter().flat_map(capabilities) {
            match capability {
                Capability::Idle => extensions.has_idle = true,
                Capability::Move => extensions.has_move = true,
                Capability::UidPlus => extensions.has_uid_plus = true,
                _ => {}
            }
        }
        let name = mailbox_named(mailbox)?;
        let select = CommandBody::select(name).map_err(|_| no_mailbox(mailbox))?;
        let answer = client.command(select, MAX_SHORT_ANSWER).await?;
        let answer = answer.done(&format!("the mailbox {mailbox}"))?;
        let validity = answer.codes.iter().find_map(|code| match code {
            Code::UidValidity(number) => Some(number.get()),
            _ => None,
        });
        progress.begin(validity.unwrap_or(0));
        let is_read_only = answer.codes.contains(&Code::ReadOnly);
        Ok(Self { client, extensions, progress, after, is_read_only, has_finished: false })
    }

    /// Takes all mails that wait, or some if `shutdown` is true. Returns their number. What the server refuses
    /// for one mail or group holds up no other, and is an error at the end.
    pub(super) async fn look(
        &mut self,
        take: &Take,
        shutdown: &watch::Receiver<bool>,
    ) -> Result<usize, ImapError> {
        let mut uids = self.search().await?;
        self.progress.keep(&uids);
        // Mails that could not be read come last, since many of them end the session.
        uids.sort_by_key(|uid| self.progress.step(*uid) == Some(Step::Unreadable));
        let (mut count, mut refused) = (0, None);
        for group in uids.chunks(GROUP) {
            // Mails that were taken before are not fetched again, and leave the mailbox with the others.
            let (known, new): (Vec<_>, Vec<_>) =
                group.iter().copied().partition(|uid| self.progress.is_taken(*uid));
            let mut taken = Vec::new();
            let failed = self.take_group(&new, take, shutdown, &mut taken).await;
            count += taken.len();
            let has_taken = !taken.is_empty();
            taken.extend(known);
            // Also if the next mail failed: these are durable.
            let unfinished = self.finish(&taken).await?;
            self.has_finished |= has_taken && unfinished.is_none();
            refused = refused.or(failed?).or(unfinished);
            if *shutdown.borrow() {
                break;
            }
        }
        let refused = refused.or_else(|| self.read_only_fault());
        refused.map_or(Ok(count), |why| Err(ImapError::Failed(why)))
    }

    /// Returns the fault of a mailbox that the server opens only for reading.
    pub(super) fn read_only_fault(&self) -> Option<String> {
        let why =
            "the server opens the mailbox only for reading, and may hide new mails: see its log";
        self.is_read_only.then(|| why.to_owned())
    }

    /// Returns the numbers of the mails that wait, in order.
    async fn search(&mut self) -> Result<Vec<NonZeroU32>, ImapError> {
        let wanted = match self.after {
            AfterIntake::Seen => SearchKey::Unseen,
            AfterIntake::Delete | AfterIntake::Move(_) => SearchKey::Undeleted,
        };
        let search = CommandBody::search(None, Vec1::from(wanted), true);
        let answer = self.client.command(search, MAX_LIST).await?.done("SEARCH")?;
        let mut uids: Vec<NonZeroU32> = Vec::new();
        for data in answer.data {
            if let Data::Search(found) = data {
                uids.extend(found);
            }
        }
        uids.sort_unstable();
        uids.dedup();
        Ok(uids)
    }

    /// Waits until it is time to look again, or `until` completes.
    pub(super) async fn wait(
        &mut self,
        has_found: bool,
        until: impl Future<Output = ()>,
    ) -> Result<(), ImapError> {
        tokio::pin!(until);
        let limit = if has_found { MAX_IDLE_AFTER_MAILS } else { MAX_IDLE };
        self.extensions.has_idle = self.extensions.has_idle
            && self.client.idle(limit, &mut until).await? != IdleOutcome::Refused;
        if !self.extensions.has_idle {
            let _ = tokio::time::timeout(POLL, until).await;
        }
        Ok(())
    }

    /// Says goodbye. Whether the server hears it does not matter.
    pub(super) async fn end(mut self) {
        let _ = self.client.command(CommandBody::Logout, MAX_SHORT_ANSWER).await;
    }

    /// Fetches mails and makes each durable, which adds it to `taken`. Returns why the server does not send
    /// one of them, or that it cannot be read, if so.
    async fn take_group(
        &mut self,
        uids: &[NonZeroU32],
        take: &Take,
        shutdown: &watch::Receiver<bool>,
        taken: &mut Vec<NonZeroU32>,
    ) -> Result<Option<String>, ImapError> {
        let mut refused = None;
        for uid in uids.iter().take_while(|_| !*shutdown.borrow()) {
            let answer = self.fetch(*uid).await?;
            if let Some(why) = answer.refused("to send a mail") {
                refused = refused.or(Some(why));
                continue;
            }
            let Some(mail) = self.mail_in(*uid, answer) else {
                let fault = self.unreadable(*uid);
                refused = refused.or(fault);
                continue;
            };
            let take = Arc::clone(take);
            if !spawn_blocking(move || take(mail)).await.unwrap_or(false) {
                return Err(ImapError::NotTaken);
            }
            taken.push(*uid);
            self.progress.note(*uid, Step::Taken);
        }
        Ok(refused)
    }

    /// Notes that the server sent no mail. Returns a fault if that is not the first time; at first, somebody
    /// else may just have removed it.
    fn unreadable(&mut self, uid: NonZeroU32) -> Option<String> {
        let is_known = self.progress.step(uid) == Some(Step::Unreadable);
        self.progress.note(uid, Step::Unreadable);
        is_known.then(|| {
            format!("mail {uid} (its UID) cannot be read: take it out of the mailbox by hand")
        })
    }

    async fn fetch(&mut self, uid: NonZeroU32) -> Result<Answer, ImapError> {
        let length = u32::try_from(FETCHED).ok().and_then(NonZeroU32::new);
        let partial = length.map(|length| (0, length));
        let whole = MessageDataItemName::BodyExt { section: None, partial, peek: true };
        let items = vec![MessageDataItemName::Uid, MessageDataItemName::InternalDate, whole];
        let items = MacroOrMessageDataItemNames::MessageDataItemNames(items);
        let fetch = CommandBody::fetch(SequenceSet::from(uid), items, true)
            .map_err(|_| ImapError::Failed("a mail has no number".into()))?;
        self.client.command(fetch, FETCHED + MAX_SHORT_ANSWER).await
    }

    /// Returns the mail in the answer to its fetch.
    fn mail_in(&self, uid: NonZeroU32, answer: Answer) -> Option<TakenMail> {
        answer.data.into_iter().find_map(|data| {
            let Data::Fetch { items, .. } = data else { return None };
            let items = items.as_ref();
            if !items.contains(&MessageDataItem::Uid(uid)) {
                return None;
            }
            let at = items.iter().find_map(|item| match item {
                MessageDataItem::InternalDate(date) => {
                    Some(Time::from_unix(date.as_ref().timestamp()))
                }
                _ => None,
            });
            let bytes = items.iter().find_map(|item| match item {
                MessageDataItem::BodyExt { section: None, data, .. } => data.0.as_ref(),
                _ => None,
            })?;
            // The same mail has the same number in each session: if it is taken twice, it is known.
            let mut arrival = [0; 8];
            arrival[..4].copy_from_slice(&self.progress.validity().to_be_bytes());
            arrival[4..].copy_from_slice(&uid.get().to_be_bytes());
            let mut raw = bytes.as_ref().to_vec();
            raw.truncate(FETCHED);
            Some(TakenMail { raw, at: at.unwrap_or(Time::EPOCH), arrival })
        })
    }

    /// Removes mails from the mailbox, or marks them, as configured. Returns what the server refuses, if it
    /// does.
    async fn finish(&mut self, uids: &[NonZeroU32]) -> Result<Option<String>, ImapError> {
        let Ok(set) = SequenceSet::try_from(uids) else { return Ok(None) };
        match self.after.clone() {
            AfterIntake::Seen => self.flag(set, Flag::Seen).await,
            AfterIntake::Delete => self.delete(set).await,
            AfterIntake::Move(to) => {
                let mailbox = mailbox_named(&to)?;
                let what = format!("to move mails to {to}");
                if self.extensions.has_move {
                    let body = CommandBody::Move { sequence_set: set, mailbox, uid: true };
                    return Ok(self.client.command(body, MAX_LIST).await?.refused(&what));
                }
                let refused = self.copy(uids, mailbox).await?.and_then(|it| it.refused(&what));
                if refused.is_some() { Ok(refused) } else { self.delete(set).await }
            }
        }
    }

    /// Copies those mails that were not copied before. Returns the answer, if there are any.
    async fn copy(
        &mut self,
        uids: &[NonZeroU32],
        mailbox: Mailbox<'static>,
    ) -> Result<Option<Answer>, ImapError> {
        let mut uids = uids.to_vec();
        uids.retain(|uid| self.progress.step(*uid) != Some(Step::Copied));
        let Ok(set) = SequenceSet::try_from(&*uids) else { return Ok(None) };
        let body = CommandBody::Copy { sequence_set: set, mailbox, uid: true };
        let answer = self.client.command(body, MAX_SHORT_ANSWER).await?;
        if answer.refusal.is_none() {
            for uid in uids {
                self.progress.note(uid, Step::Copied);
            }
        }
        Ok(Some(answer))
    }

    async fn delete(&mut self, set: SequenceSet) -> Result<Option<String>, ImapError> {
        let refused = self.flag(set.clone(), Flag::Deleted).await?;
        if refused.is_some() {
            return Ok(refused);
        }
        let body = if self.extensions.has_uid_plus {
            CommandBody::ExpungeUid { sequence_set: set }
        } else {
            CommandBody::Expunge
        };
        Ok(self.client.command(body, MAX_LIST).await?.refused("to delete mails"))
    }

    async fn flag(
        &mut self,
        set: SequenceSet,
        flag: Flag<'static>,
    ) -> Result<Option<String>, ImapError> {
        let body = CommandBody::store(set, StoreType::Add, StoreResponse::Silent, vec![flag], true)
            .map_err(|_| ImapError::Failed("a mail has no number".into()))?;
        Ok(self.client.command(body, MAX_LIST).await?.refused("to mark mails"))
    }
}

fn capabilities<'a>(data: &'a Data<'static>) -> &'a [Capability<'static>] {
    match data {
        Data::Capability(all) => all.as_ref(),
        _ => &[],
    }
}

fn mailbox_named(name: &str) -> Result<Mailbox<'static>, ImapError> {
    Mailbox::try_from(name.to_owned()).map_err(|_| no_mailbox(name))
}

fn no_mailbox(name: &str) -> ImapError {
    ImapError::Failed(format!("{name} is not the name of a mailbox"))
}
