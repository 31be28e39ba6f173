//! The answers to the questions of `setup`, and the configuration that follows from them.

use super::{Door, Provider, Question};
use crate::base::ids::UserId;
use crate::config::{Config, SAMPLE};
use crate::model::user::is_reserved;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::Path;
use toml_edit::{DocumentMut, Value};

/// The file in the home with the password of a mailbox.
pub(crate) const PASSWORD_FILE: &str = "mail-password";

/// What `setup` knows after its questions.
#[derive(Clone, PartialEq, Eq)]
pub struct Answers {
    /// How players reach the server.
    pub door: Door,
    /// The address that players write to; without mail, a placeholder.
    pub address: String,
    /// The name shown with the address.
    pub name: String,
    /// The address of the site, if it is known.
    pub site: Option<String>,
    /// Whether `address+anything` comes in.
    pub plus: bool,
    /// How mails are sent.
    pub deliver: DeliverAnswer,
    /// The operator's own address.
    pub own_address: Option<String>,
    /// The userid of the first administrator.
    pub administrator: Option<String>,
    /// The password of the mailbox, if it must still be written into its file.
    pub password: Option<String>,
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("door", &self.door).finish_non_exhaustive()
    }
}

/// How mails are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliverAnswer {
    /// By a method that needs no further keys: `smtp`, `sendmail` or `nothing`.
    By(String),
    /// By the mail server of a provider, from whose mailbox mails come, with the password in a file.
    Provider {
        /// The provider.
        provider: Provider,
        /// The path of the file.
        password_file: String,
    },
}

/// An answer that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The question; `None` if the answers do not go together.
    pub question: Option<Question>,
    /// What is wrong, in lower case and without a full stop.
    pub why: String,
}

impl Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl WrongAnswer {
    /// Builds the error of a wrong answer to a question.
    pub fn to(question: Question, why: impl Into<String>) -> Self {
        Self { question: Some(question), why: why.into() }
    }
}

impl Answers {
    /// Returns the answers for a door, with defaults for questions that are not answered. The password of a mailbox
    /// goes into a file in the home.
    pub fn new(door: Door, home: &Path, given: &BTreeMap<Question, String>) -> Self {
        let text = |question: Question| {
            let answer = given.get(&question).map(String::as_str);
            answer.filter(|text| !text.is_empty()).unwrap_or(question.usual()).to_owned()
        };
        let some = |question| Some(text(question)).filter(|text| !text.is_empty());
        let site = given.get(&Question::Site).filter(|site| !site.is_empty());
        let address = text(Question::Address);
        let (plus, deliver) = match door {
            Door::Server => (true, DeliverAnswer::By("smtp".into())),
            Door::Web => (false, DeliverAnswer::By("nothing".into())),
            Door::Mailbox => {
                let provider = Provider::of(&address);
                let password_file = home.join(PASSWORD_FILE).display().to_string();
                (provider.plus, DeliverAnswer::Provider { provider, password_file })
            }
        };
        Self {
            door,
            name: text(Question::Name),
            site: if door == Door::Web { some(Question::Site) } else { site.cloned() },
            plus,
            deliver,
            own_address: some(Question::OwnAddress),
            administrator: some(Question::Administrator),
            password: (door == Door::Mailbox).then(|| text(Question::Password)),
            address,
        }
    }

    /// Checks each answer, then all of them together.
    ///
    /// # Errors
    /// The first answer that is wrong.
    pub fn check(&self) -> Result<(), WrongAnswer> {
        for (question, section, key, value) in self.settings() {
            let Some(question) = question else { continue };
            with_settings([(section, key, value)])
                .map_err(|why| WrongAnswer::to(question, without_place(&why, key)))?;
        }
        if let Some(userid) = &self.administrator {
            let wrong =
                |why| WrongAnswer::to(Question::Administrator, format!("\"{userid}\" {why}"));
            let id = UserId::parse(userid).ok_or_else(|| wrong("is not a valid userid"))?;
            if is_reserved(&id) {
                return Err(wrong(
                    "is reserved, or looks like a reserved userid: choose another one",
                ));
            }
        }
        if self.password.as_deref() == Some("") {
            let why = "a mailbox is not opened without its password";
            return Err(WrongAnswer::to(Question::Password, why));
        }
        if self.password.as_deref().is_some_and(|it| it.contains(char::is_control)) {
            let why = "a password is one line without control characters";
            return Err(WrongAnswer::to(Question::Password, why));
        }
        self.configuration().map(drop)
    }

    /// Returns whether mails leave, and so come in.
    pub fn has_mail(&self) -> bool {
        self.deliver != DeliverAnswer::By("nothing".into())
    }

    /// Returns the commented configuration with these answers.
    ///
    /// # Errors
    /// An answer is invalid.
    pub fn configuration(&self) -> Result<String, WrongAnswer> {
        let settings = self.settings().into_iter();
        with_settings(settings.map(|(_, section, key, value)| (section, key, value))).map_err(
            |why| WrongAnswer { question: None, why: format!("invalid configuration: {why}") },
        )
    }

    /// Returns the values that differ from the sample's, each with its question, section and key.
    fn settings(&self) -> Vec<(Option<Question>, &'static str, &'static str, Value)> {
        let mut settings: Vec<(Option<Question>, &str, &str, Value)> = vec![
            (Some(Question::Address), "", "address", self.address.as_str().into()),
            (Some(Question::Name), "", "name", self.name.as_str().into()),
            (None, "", "plus", self.plus.into()),
        ];
        let mut keys = Vec::new();
        match &self.deliver {
            DeliverAnswer::By(by) => keys.push(("deliver", "by", by.as_str().into())),
            DeliverAnswer::Provider { provider, password_file } => keys.extend([
                ("deliver", "by", "smtp".into()),
                ("deliver", "host", provider.smtp.host.as_str().into()),
                ("deliver", "port", i64::from(provider.smtp.port).into()),
                ("deliver", "tls", provider.smtp.tls.as_str().into()),
                ("deliver", "user", self.address.as_str().into()),
                ("deliver", "password_file", password_file.as_str().into()),
                ("imap", "host", provider.imap.host.as_str().into()),
                ("imap", "port", i64::from(provider.imap.port).into()),
                ("imap", "tls", provider.imap.tls.as_str().into()),
                ("imap", "user", provider.imap_user(&self.address).into()),
                ("imap", "password_file", password_file.as_str().into()),
            ]),
        }
        settings.extend(keys.into_iter().map(|(section, key, value)| (None, section, key, value)));
        let own = self.own_address.as_deref();
        let own = own.map(|own| (Some(Question::OwnAddress), "alert", "to", own.into()));
        let site = self.site.as_deref();
        let site = site.map(|site| (Some(Question::Site), "web", "address", site.into()));
        settings.extend(own.into_iter().chain(site));
        settings
    }

    /// Returns these answers as options, so that the process of another user asks nothing.
    pub fn options(&self) -> Vec<String> {
        let by = match &self.deliver {
            DeliverAnswer::By(by) => ("--by", by.clone()),
            DeliverAnswer::Provider { password_file, .. } => {
                ("--password-file", password_file.clone())
            }
        };
        let options = [
            ("--door", self.door.word().to_owned()),
            ("--address", self.address.clone()),
            ("--name", self.name.clone()),
            ("--site", self.site.clone().unwrap_or_default()),
            ("--plus", self.plus.to_string()),
            by,
            ("--own-address", self.own_address.clone().unwrap_or_default()),
            ("--administrator", self.administrator.clone().unwrap_or_default()),
        ];
        // An answer may begin with a dash.
        options.map(|(name, value)| format!("{name}={value}")).to_vec()
    }
}

/// Returns the sample with these values, each with its section and key.
fn with_settings(
    settings: impl IntoIterator<Item = (&'static str, &'static str, Value)>,
) -> Result<String, String> {
    let mut text: DocumentMut = SAMPLE.parse().map_err(|_| "invalid TOML".to_owned())?;
    for (section, key, value) in settings {
        let table = if section.is_empty() {
            Some(text.as_table_mut())
        } else {
            text.get_mut(section).and_then(toml_edit::Item::as_table_mut)
        };
        let table = table.ok_or_else(|| format!("the sample has no [{section}]"))?;
        table.insert(key, toml_edit::value(value));
    }
    let text = text.to_string();
    Config::read(&text)?;
    Ok(text)
}

/// Returns what is wrong with a value, without the line and the key: the file does not exist yet.
fn without_place<'w>(why: &'w str, key: &str) -> &'w str {
    let behind_line = why.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
    let why = behind_line.map_or(why, |(_, rest)| rest);
    why.strip_prefix(key).and_then(|rest| rest.strip_prefix(" = ")).unwrap_or(why)
}
