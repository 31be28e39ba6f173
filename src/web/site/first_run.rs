//! The first run of a home: who may use the page of setup, and what the shell does for it.

use super::Site;
use crate::config::setup::{Answers, Door};
use crate::model::token::TokenKey;
use crate::web::http::request::WebRequest;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// What the page of setup needs from the machine. The shell implements it.
pub trait SetupDesk: Send + Sync {
    /// Returns the folder of the home.
    fn home(&self) -> PathBuf;

    /// Returns the way by which players reach the server that fits this machine.
    fn usual_door(&self) -> Door;

    /// Returns the address of the site on this machine.
    fn usual_site(&self) -> String;

    /// Returns how far the setup is.
    fn progress(&self) -> SetupProgress;

    /// Begins to send a mail to the server, configured with these answers, and to wait for its answer.
    fn begin_trial(&self, answers: Answers);

    /// Writes the configuration and makes the administrator with this password; it waits until that is
    /// done. Returns whether the site is reached by `https`.
    ///
    /// # Errors
    /// Something failed: why.
    fn finish(&self, answers: Answers, password: String) -> Result<bool, String>;

    /// Returns what the mail server of this machine needs, and the commands for it.
    fn mail_server(&self, answers: &Answers) -> Option<(String, Vec<String>)>;
}

/// How far the setup of a home is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupProgress {
    /// Nothing was tried.
    Asking,
    /// A mail is on its way: since when, and what has failed.
    Trying {
        /// The seconds since the mail was sent.
        seconds: u32,
        /// The seconds that it may take.
        patience: u32,
        /// What fails on the way, if anything.
        trouble: Option<String>,
    },
    /// The trial is over.
    Tried {
        /// Whether the mail was answered.
        works: bool,
        /// How it ended, with what has failed.
        words: String,
    },
    /// The home is set up.
    Done,
}

/// The first run of a home.
pub(crate) struct FirstRun {
    pub(crate) desk: Box<dyn SetupDesk>,
    /// What the token of the page was made from.
    nonce: String,
    /// The cookie of the browser in which the token was used. Wrong tokens are not counted: nobody guesses
    /// one, and a stranger behind the operator's proxy could use up any number.
    admitted_cookie: Mutex<Option<String>>,
    pending: Mutex<Option<PendingSetup>>,
}

/// The answers that are tried, and the password of the administrator.
#[derive(Clone)]
pub(crate) struct PendingSetup {
    pub(crate) answers: Answers,
    pub(crate) password: String,
}

impl FirstRun {
    pub(super) fn new(desk: Box<dyn SetupDesk>, nonce: String) -> Self {
        Self { desk, nonce, admitted_cookie: Mutex::default(), pending: Mutex::default() }
    }

    /// Returns the answers that were given.
    pub(crate) fn pending(&self) -> Option<PendingSetup> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers answers.
    pub(crate) fn remember(&self, pending: PendingSetup) {
        *self.pending.lock().unwrap_or_else(PoisonError::into_inner) = Some(pending);
    }

    fn admit(&self, key: &TokenKey, request: &WebRequest, new_cookie: &str) -> Admission {
        let admitted = &mut *self.admitted_cookie.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(cookie), Some(admitted)) = (&request.cookie, &*admitted) {
            // Comparing their tokens takes the same time for all cookies.
            if key.is_form_token(&key.form_token(cookie), admitted) {
                return Admission::Admitted;
            }
        }
        let token = request.query_value("token");
        let is_right = token.is_some_and(|token| key.is_setup_token(token, &self.nonce));
        if is_right && admitted.is_none() {
            *admitted = Some(new_cookie.to_owned());
            return Admission::WithToken;
        }
        Admission::Refused
    }
}

/// What a request to the page of setup may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It comes from the browser in which the token was used.
    Admitted,
    /// It brings the token, which nobody has used before.
    WithToken,
    /// Neither.
    Refused,
}

impl Site {
    /// Returns the token with which the page of setup can be opened once.
    pub fn setup_token(&self) -> Option<String> {
        let first_run = self.first_run.as_ref()?;
        Some(self.parts.setup.key.setup_token(&first_run.nonce))
    }

    /// Returns what a request may do. A token that is right is used up, and admits the browser with its new
    /// cookie from then on.
    pub(crate) fn admit(&self, request: &WebRequest, new_cookie: &str) -> Admission {
        let Some(first_run) = &self.first_run else { return Admission::Refused };
        if first_run.desk.progress() == SetupProgress::Done {
            return Admission::Refused;
        }
        first_run.admit(&self.parts.setup.key, request, new_cookie)
    }
}
