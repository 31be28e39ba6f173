//! The answers to the questions of `setup`, and the configuration that follows from them.

use crate::config::{Config, SAMPLE};
use crate::shell::cli::Door;
use crate::shell::setup::providers::Provider;
use toml_edit::{DocumentMut, Value};

/// What `setup` knows after its questions.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Answers {
    pub(super) door: Door,
    /// The address that players write to; without mail, a placeholder.
    pub(super) address: String,
    /// The name shown with the address.
    pub(super) name: String,
    /// The address of the site, if it is known.
    pub(super) site: Option<String>,
    /// Whether `address+anything` comes in.
    pub(super) plus: bool,
    /// How mails are sent.
    pub(super) deliver: DeliverAnswer,
    /// The operator's own address.
    pub(super) own: Option<String>,
    /// The userid of the first administrator.
    pub(super) administrator: Option<String>,
    /// The password of the mailbox, which is to be written into its file.
    pub(super) password: Option<String>,
}

/// How mails are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DeliverAnswer {
    /// By a way that needs no further keys.
    By(String),
    /// By the mail server of a provider, from whose mailbox mails come, with the password in a file.
    Provider { provider: Provider, password_file: String },
}

impl Answers {
    /// Returns the commented configuration with these answers.
    ///
    /// # Errors
    /// An answer is invalid.
    pub(super) fn configuration(&self) -> Result<String, String> {
        let mut text: DocumentMut = SAMPLE.parse().map_err(|_| "invalid TOML".to_owned())?;
        for (section, key, value) in self.settings() {
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

    /// Returns the values that differ from the sample's, each with its section and key.
    fn settings(&self) -> Vec<(&'static str, &'static str, Value)> {
        let mut settings: Vec<(&str, &str, Value)> = vec![
            ("", "address", self.address.as_str().into()),
            ("", "name", self.name.as_str().into()),
            ("", "plus", self.plus.into()),
        ];
        match &self.deliver {
            DeliverAnswer::By(by) => settings.push(("deliver", "by", by.as_str().into())),
            DeliverAnswer::Provider { provider, password_file } => settings.extend([
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
        settings.extend(self.own.iter().map(|own| ("alert", "to", own.as_str().into())));
        settings.extend(self.site.iter().map(|site| ("web", "address", site.as_str().into())));
        settings
    }

    /// Returns the options with which `setup` asks nothing, for the part that another user does.
    pub(super) fn options(&self) -> Vec<String> {
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
            ("--own-address", self.own.clone().unwrap_or_default()),
            ("--administrator", self.administrator.clone().unwrap_or_default()),
        ];
        // An answer may begin with a dash.
        options.map(|(name, value)| format!("{name}={value}")).to_vec()
    }
}
