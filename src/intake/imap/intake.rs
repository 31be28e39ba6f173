//! Reads a mailbox for as long as the process runs: connects, logs in, takes mails, and begins again after
//! pauses that grow.

use super::ImapError;
use super::client::{ImapClient, MAX_SHORT_ANSWER};
use super::connection::connect;
use super::progress::Progress;
use super::secret::{Credentials, credentials};
use super::session::Session;
use crate::base::time::Time;
use crate::config::{ImapConfig, ImapSecret};
use crate::intake::Stream;
use data_encoding::BASE64;
use imap_next::imap_types::command::CommandBody;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};

/// The first pause after a failure.
const MIN_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause after failures.
const MAX_PAUSE: Duration = Duration::from_mins(5);

/// A session that lasts so long has worked, even if no mail came.
const WORKING_SESSION: Duration = Duration::from_mins(3);

/// The pause after a refused login: providers lock out a user whose wrong password is tried again and again.
const REFUSED_PAUSE: Duration = Duration::from_mins(10);

/// How long the end of a session may take after a shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// How long a check of a mailbox may take.
const CHECK_TIMEOUT: Duration = Duration::from_secs(30);

/// A mail of a mailbox.
#[derive(Debug, PartialEq, Eq)]
pub struct TakenMail {
    /// Its bytes; of a mail that is too long, just enough to show that.
    pub raw: Vec<u8>,
    /// When the server got it.
    pub at: Time,
    /// A stable id of the mail in the mailbox: unique, and equal in every session.
    pub arrival: [u8; 8],
}

/// What is reported after each look into the mailbox: `None`, or why it failed, in one line.
pub type ImapOutcome = Option<String>;

/// Makes a mail durable; returns whether it is.
pub(super) type Take = Arc<dyn Fn(TakenMail) -> bool + Send + Sync>;

/// A mailbox to read, and the functions that get its mails and the outcomes.
#[derive(Clone)]
pub struct ImapIntake {
    /// The mailbox.
    pub config: ImapConfig,
    /// Makes a mail durable; returns whether it is.
    pub take: Take,
    /// Called with the outcome after each look into the mailbox.
    pub report: Arc<dyn Fn(ImapOutcome) + Send + Sync>,
}

impl ImapIntake {
    /// Takes mails until `shutdown` is true.
    pub async fn run(self, shutdown: watch::Receiver<bool>) {
        let mut over = shutdown.clone();
        let read = self.read_for_ever(shutdown);
        tokio::pin!(read);
        tokio::select! {
            () = &mut read => {}
            () = async { drop(over.wait_for(|it| *it).await) } => {
                // The mail at hand becomes durable and leaves the mailbox.
                let _ = timeout(SHUTDOWN_GRACE, read).await;
            }
        }
    }

    async fn read_for_ever(self, shutdown: watch::Receiver<bool>) {
        let mut pauses = Pauses::default();
        let mut progress = Progress::default();
        while !*shutdown.borrow() {
            let begun = Instant::now();
            let mut has_worked = false;
            let ended = self.session(&shutdown, &mut progress, &mut has_worked).await;
            let Err(error) = ended else { return };
            has_worked |= begun.elapsed() >= WORKING_SESSION;
            let wait = pauses.next(&error, has_worked);
            (self.report)(Some(self.describe_with_remedy(&error)));
            let mut over = shutdown.clone();
            tokio::select! {
                () = sleep(wait) => {}
                _ = over.wait_for(|it| *it) => {}
            }
        }
    }

    /// Reads the mailbox over one connection until it fails or the process ends. Notes in `has_worked`
    /// whether any mail was taken for good.
    async fn session(
        &self,
        shutdown: &watch::Receiver<bool>,
        progress: &mut Progress,
        has_worked: &mut bool,
    ) -> Result<(), ImapError> {
        let mut session = open(&self.config, progress).await?;
        // After the first look, mails may have come before IDLE.
        let mut has_found = true;
        while !*shutdown.borrow() {
            let looked = session.look(&self.take, shutdown).await;
            *has_worked |= session.has_finished;
            has_found |= looked? > 0;
            (self.report)(None);
            let mut over = shutdown.clone();
            let until = async { drop(over.wait_for(|it| *it).await) };
            session.wait(std::mem::take(&mut has_found), until).await?;
        }
        session.end().await;
        Ok(())
    }

    /// Describes a failure, and what to do about it, in one line.
    fn describe_with_remedy(&self, error: &ImapError) -> String {
        let why = describe(error, &self.config);
        let ImapError::Refused(_) = error else { return why };
        let remedy = match &self.config.secret {
            ImapSecret::PasswordFile(path) => format!(
                "correct `user` under [imap] or the password in {path}; many providers want an app \
                 password here"
            ),
            ImapSecret::TokenFile(path) => format!("renew the token in {path}"),
            ImapSecret::TokenCommand(words) => {
                format!("see what {} prints", words.first().map_or("", |word| word))
            }
        };
        format!("{why}: {remedy}; the next try is in ten minutes")
    }
}

/// The pauses between sessions.
pub(super) struct Pauses {
    next: Duration,
}

impl Default for Pauses {
    fn default() -> Self {
        Self { next: MIN_PAUSE }
    }
}

impl Pauses {
    /// Returns the pause after a session that failed, and makes the next one longer. They begin anew if the
    /// session `has_worked`.
    pub(super) fn next(&mut self, error: &ImapError, has_worked: bool) -> Duration {
        let pause = if has_worked { MIN_PAUSE } else { self.next };
        self.next = (pause * 2).min(MAX_PAUSE);
        if matches!(error, ImapError::Refused(_)) { REFUSED_PAUSE } else { pause }
    }
}

/// Opens a mailbox and closes it again. Takes no mail.
///
/// # Errors
/// Why it cannot be opened, in one line.
pub fn check_mailbox(config: &ImapConfig) -> Result<(), String> {
    let failed = |error: ImapError| describe(&error, config);
    let threads = Builder::new_current_thread().enable_all().build();
    let threads = threads.map_err(|error| failed(error.into()))?;
    let check = async {
        let mut progress = Progress::default();
        let session = open(config, &mut progress).await?;
        let fault = session.read_only_fault();
        session.end().await;
        fault.map_or(Ok(()), |why| Err(ImapError::Failed(why)))
    };
    let late = || ImapError::Failed("the server does not answer".into());
    let checked = threads.block_on(async { timeout(CHECK_TIMEOUT, check).await });
    checked.unwrap_or_else(|_| Err(late())).map_err(failed)
}

/// Connects, logs in and selects the mailbox.
async fn open<'a>(
    config: &ImapConfig,
    progress: &'a mut Progress,
) -> Result<Session<'a, Box<dyn Stream>>, ImapError> {
    let secret = config.secret.clone();
    let credentials = spawn_blocking(move || credentials(&secret)).await;
    let credentials =
        credentials.unwrap_or_else(|_| Err(ImapError::Failed("a bug in this program".into())))?;
    let connected = connect(config).await?;
    let mut client = ImapClient::new(connected.stream, connected.is_greeted).await?;
    log_in(&config.user, &mut client, credentials).await?;
    Session::select(client, &config.mailbox, config.after.clone(), progress).await
}

/// Logs in, and lets no secret come back in an error.
pub(super) async fn log_in(
    user: &str,
    client: &mut ImapClient<Box<dyn Stream>>,
    credentials: Credentials,
) -> Result<(), ImapError> {
    let answer = match credentials {
        Credentials::Password(password) => {
            let login = CommandBody::login(user.to_owned(), password.clone()).map_err(|_| {
                ImapError::Failed("the user or the password has unusual characters".into())
            })?;
            let quoted = password.replace('\\', "\\\\").replace('"', "\\\"");
            let plain = BASE64.encode(format!("\0{user}\0{password}").as_bytes());
            client.hide(vec![plain, BASE64.encode(password.as_bytes()), quoted, password]);
            client.command(login, MAX_SHORT_ANSWER).await
        }
        Credentials::Token(token) => {
            let message = format!("user={user}\x01auth=Bearer {token}\x01\x01");
            let encoded = BASE64.encode(message.as_bytes());
            client.hide(vec![encoded, BASE64.encode(token.as_bytes()), token]);
            client.authenticate(message).await
        }
    };
    match answer?.refusal {
        None => Ok(()),
        Some(why) => Err(ImapError::Refused(why)),
    }
}

/// Describes a failure, with the server, in one line.
fn describe(error: &ImapError, config: &ImapConfig) -> String {
    let ImapConfig { host, port, user, .. } = config;
    let why = match error {
        ImapError::Refused(why) => format!("the login of {user} is refused ({why})"),
        ImapError::Failed(why) => why.clone(),
        ImapError::NotTaken => "mails stay there, since they cannot be stored here".into(),
    };
    format!("[imap] {host}:{port}: {why}")
}
