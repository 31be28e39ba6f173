//! Sends commands to an IMAP server, and bounds its answers in bytes and time.

use super::ImapError;
use imap_next::client::{Client, Event, Options};
use imap_next::imap_types::auth::{AuthMechanism, AuthenticateData};
use imap_next::imap_types::command::{Command, CommandBody};
use imap_next::imap_types::core::Tag;
use imap_next::imap_types::response::{
    Code, Data, GreetingKind, Status, StatusBody, StatusKind, Tagged,
};
use imap_next::{Interrupt, Io, State as _};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

/// How long the server may take for a command, and to receive it.
const COMMAND_TIMEOUT: Duration = Duration::from_mins(2);

/// The bytes read at once.
const PIECE: usize = 16 * 1024;

/// The most bytes of an answer without a mail.
pub(super) const MAX_SHORT_ANSWER: usize = 64 * 1024;

/// The most bytes of one response, which the grammar sees at once.
const MAX_RESPONSE: u32 = 16 << 20;

/// How many responses that are no IMAP a session may have.
const MAX_MALFORMED: u32 = 100;

/// The answer to a command.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) data: Vec<Data<'static>>,
    /// The codes of status responses.
    pub(super) codes: Vec<Code<'static>>,
    /// Why the server refuses, if it does.
    pub(super) refusal: Option<String>,
}

impl Answer {
    /// Returns the answer, unless the server refuses `what`.
    pub(super) fn done(self, what: &str) -> Result<Self, ImapError> {
        match self.refused(what) {
            None => Ok(self),
            Some(why) => Err(ImapError::Failed(why)),
        }
    }

    /// Returns what the server refuses and why, if it does.
    pub(super) fn refused(&self, what: &str) -> Option<String> {
        self.refusal.as_ref().map(|why| format!("the server refuses {what}: {why}"))
    }
}

/// How an IDLE ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdleOutcome {
    /// The server has told of a change.
    News,
    /// Nothing has happened.
    Quiet,
    /// The server did not begin it.
    Refused,
}

/// A connection to an IMAP server.
pub(super) struct ImapClient<S> {
    stream: S,
    state: Client,
    /// Where bytes are read into.
    piece: Vec<u8>,
    /// The number of tags so far.
    tags: u32,
    /// The bytes that the server may still send.
    budget: usize,
    /// The number of responses so far that are no IMAP.
    malformed: u32,
    /// Secrets to remove from server responses before they are shown.
    secrets: Vec<String>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> ImapClient<S> {
    /// Wraps a connection. `is_greeted` tells that the greeting was read before the connection was encrypted.
    pub(super) async fn new(stream: S, is_greeted: bool) -> Result<Self, ImapError> {
        let mut options = Options::default();
        options.max_response_size = MAX_RESPONSE;
        options.discard_greeting = is_greeted;
        let state = Client::new(options);
        let piece = vec![0; PIECE];
        let secrets = Vec::new();
        let mut client =
            Self { stream, state, piece, tags: 0, budget: MAX_SHORT_ANSWER, malformed: 0, secrets };
        if !is_greeted {
            match in_time(client.event()).await? {
                Event::GreetingReceived { greeting } if greeting.kind == GreetingKind::Bye => {
                    return Err(client.closed_with(greeting.text.inner()));
                }
                _ => {}
            }
        }
        Ok(client)
    }

    /// Hides these words in what the server says from now on, the first of them first: servers may repeat
    /// what they were told.
    pub(super) fn hide(&mut self, secrets: Vec<String>) {
        self.secrets = secrets;
    }

    /// Sends a command whose answer has at most `budget` bytes.
    pub(super) async fn command(
        &mut self,
        body: CommandBody<'static>,
        budget: usize,
    ) -> Result<Answer, ImapError> {
        self.budget = budget;
        let tag = self.next_tag()?;
        self.state.enqueue_command(Command { tag: tag.clone(), body });
        in_time(self.answer(&tag)).await
    }

    /// Logs in with an access token.
    pub(super) async fn authenticate(&mut self, message: String) -> Result<Answer, ImapError> {
        self.budget = MAX_SHORT_ANSWER;
        let tag = self.next_tag()?;
        let body = CommandBody::authenticate(AuthMechanism::XOAuth2);
        self.state.enqueue_command(Command { tag, body });
        let converse = async {
            // After a refusal the server sends its reason, and waits for an empty answer.
            let mut message = Some(message);
            loop {
                match self.event().await? {
                    Event::AuthenticateContinuationRequestReceived { .. } => {
                        let data = message.take().unwrap_or_default().into_bytes();
                        let _ =
                            self.state.set_authenticate_data(AuthenticateData::r#continue(data));
                    }
                    Event::AuthenticateStatusReceived { status, .. } => {
                        let mut answer = Answer::default();
                        let is_over = self.conclude(status, None, &mut answer)?;
                        let endless = || ImapError::Failed("the login has no end".into());
                        return is_over.then_some(answer).ok_or_else(endless);
                    }
                    _ => {}
                }
            }
        };
        in_time(converse).await
    }

    /// Waits until the server tells of a change, `limit` is over or `until` completes. If the server refuses,
    /// `until` is not polled.
    pub(super) async fn idle(
        &mut self,
        limit: Duration,
        until: impl Future<Output = ()>,
    ) -> Result<IdleOutcome, ImapError> {
        self.budget = MAX_SHORT_ANSWER;
        let tag = self.next_tag()?;
        self.state.enqueue_command(Command { tag: tag.clone(), body: CommandBody::Idle });
        let begun = async {
            let mut idled = IdleOutcome::Quiet;
            loop {
                match self.event().await? {
                    Event::IdleAccepted { .. } => return Ok(idled),
                    Event::IdleRejected { .. } => return Ok(IdleOutcome::Refused),
                    Event::DataReceived { data: Data::Exists(_) } => idled = IdleOutcome::News,
                    _ => {}
                }
            }
        };
        let mut idled = in_time(begun).await?;
        if idled == IdleOutcome::Refused {
            return Ok(idled);
        }
        if idled == IdleOutcome::Quiet {
            let news = async {
                while !matches!(self.event().await?, Event::DataReceived { data: Data::Exists(_) })
                {
                }
                Ok::<_, ImapError>(IdleOutcome::News)
            };
            idled = tokio::select! {
                news = timeout(limit, news) => news.unwrap_or(Ok(IdleOutcome::Quiet))?,
                () = until => IdleOutcome::Quiet,
            };
        }
        self.state.set_idle_done();
        let answer = in_time(self.answer(&tag)).await?.done("IDLE")?;
        let has_news = answer.data.iter().any(|data| matches!(data, Data::Exists(_)));
        Ok(if has_news { IdleOutcome::News } else { idled })
    }

    /// Collects what the server says until it ends a command.
    async fn answer(&mut self, tag: &Tag<'static>) -> Result<Answer, ImapError> {
        let mut answer = Answer::default();
        loop {
            let status = match self.event().await? {
                Event::StatusReceived { status } | Event::CommandRejected { status, .. } => status,
                Event::DataReceived { data } => {
                    answer.data.push(data);
                    continue;
                }
                _ => continue,
            };
            if self.conclude(status, Some(tag), &mut answer)? {
                return Ok(answer);
            }
        }
    }

    /// Returns the next event; a farewell of the server is an error.
    async fn event(&mut self) -> Result<Event, ImapError> {
        loop {
            match self.state.next() {
                Ok(Event::StatusReceived { status: Status::Bye(bye) }) => {
                    return Err(self.closed_with(bye.text.inner()));
                }
                Ok(event) => return Ok(event),
                Err(Interrupt::Io(Io::NeedMoreInput)) => {
                    let count = self.stream.read(&mut self.piece).await?;
                    if count == 0 {
                        return Err(ImapError::Failed("the server closed the connection".into()));
                    }
                    self.budget = self.budget.checked_sub(count).ok_or_else(|| {
                        ImapError::Failed("the server sends more than was asked for".into())
                    })?;
                    self.state.enqueue_input(&self.piece[..count]);
                }
                Err(Interrupt::Io(Io::Output(bytes))) => {
                    self.stream.write_all(&bytes).await?;
                    self.stream.flush().await?;
                }
                // A response that the grammar does not know, of an extension for example.
                Err(Interrupt::Error(_)) if self.malformed < MAX_MALFORMED => self.malformed += 1,
                Err(Interrupt::Error(error)) => {
                    return Err(ImapError::Failed(format!(
                        "the server does not speak IMAP: {error}"
                    )));
                }
            }
        }
    }

    fn next_tag(&mut self) -> Result<Tag<'static>, ImapError> {
        self.tags += 1;
        let tag = format!("P{}", self.tags);
        Tag::try_from(tag).map_err(|_| ImapError::Failed("cannot make a tag".into()))
    }

    /// Adds a status to an answer. Returns whether it ends the command with that tag, or any command.
    fn conclude(
        &self,
        status: Status<'static>,
        tag: Option<&Tag<'static>>,
        answer: &mut Answer,
    ) -> Result<bool, ImapError> {
        match status {
            Status::Untagged(StatusBody { code, .. }) => {
                answer.codes.extend(code);
                Ok(false)
            }
            Status::Tagged(Tagged { tag: of, body }) if tag.is_none_or(|tag| *tag == of) => {
                let refusal = || self.shown(body.text.inner());
                answer.refusal = (body.kind != StatusKind::Ok).then(refusal);
                answer.codes.extend(body.code);
                Ok(true)
            }
            Status::Tagged(_) => Ok(false),
            Status::Bye(bye) => Err(self.closed_with(bye.text.inner())),
        }
    }

    fn closed_with(&self, why: &str) -> ImapError {
        ImapError::Failed(format!("the server closes the connection: {}", self.shown(why)))
    }

    /// Returns what a server says, short, in one line and without secrets.
    fn shown(&self, text: &str) -> String {
        let secrets = self.secrets.iter().filter(|secret| !secret.is_empty());
        let text = secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "..."));
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
    }
}

async fn in_time<T>(work: impl Future<Output = Result<T, ImapError>>) -> Result<T, ImapError> {
    let late = || ImapError::Failed("the server does not answer".into());
    timeout(COMMAND_TIMEOUT, work).await.unwrap_or_else(|_| Err(late()))
}
