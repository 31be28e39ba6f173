//! `postboard.toml`: what the operator decides.

use crate::message::{Address, HeaderText, Identity};
use serde::Deserialize;

/// The configuration of a home.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The address that commands are sent to.
    address: String,
    /// The display name beside it.
    #[serde(default = "default_name")]
    name: String,
    /// Whether `local+tag@host` is delivered to `local@host`.
    #[serde(default)]
    plus: bool,
    /// How the outbox is emptied.
    #[serde(default)]
    pub deliver: Deliver,
    /// Where `cron` finds mails besides the spool.
    #[serde(default)]
    pub collect: Collect,
    /// What is allowed to whom.
    #[serde(default)]
    pub limits: Limits,
}

/// How the outbox is emptied.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, tag = "by", rename_all = "lowercase")]
pub enum Deliver {
    /// Not at all: mails stay in the outbox.
    #[default]
    Nothing,
    /// By a mail server.
    Smtp {
        /// Its name.
        #[serde(default = "localhost")]
        host: String,
        /// Its port.
        #[serde(default = "smtp_port")]
        port: u16,
        /// `none`, `starttls` or `tls`.
        #[serde(default)]
        tls: Tls,
        /// The name to log in with.
        user: Option<String>,
        /// The file whose first line is the password.
        password_file: Option<String>,
    },
    /// By the sendmail program.
    Sendmail {
        /// The program; `sendmail` as found when not named.
        command: Option<String>,
    },
    /// Into Maildirs: `{local}` and `{address}` in the path stand for the recipient.
    Maildir {
        /// The Maildir.
        path: String,
    },
    /// As .eml files into a folder.
    Folder {
        /// The folder.
        path: String,
    },
}

/// How a connection to a mail server is encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tls {
    /// Not at all: for a server on this machine.
    #[default]
    None,
    /// After STARTTLS, which the server must offer.
    Starttls,
    /// From the first byte.
    Tls,
}

/// Where mails are collected from besides the spool.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collect {
    /// A Maildir whose new mails are commands.
    pub maildir: Option<String>,
    /// An mbox file, which is only read.
    pub mbox: Option<String>,
}

/// What is allowed to whom.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Whether anybody may sign up by mail.
    #[serde(default = "yes")]
    pub signup: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { signup: true }
    }
}

/// The commented configuration that `init` writes.
pub const SAMPLE: &str = include_str!("../data/postboard.toml");

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// A line that is not understood, named with its number, or an address that is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        if Address::parse(&config.address).is_none() {
            return Err(format!("address = \"{}\" is no mail address", config.address));
        }
        Ok(config)
    }

    /// What the server calls itself in mails.
    pub fn identity(&self) -> Identity {
        Identity {
            address: Address::parse(&self.address).expect("checked when it was read"),
            name: HeaderText::new(&self.name),
            plus: self.plus,
        }
    }
}

fn default_name() -> String {
    "Postboard".into()
}

fn localhost() -> String {
    "localhost".into()
}

fn smtp_port() -> u16 {
    25
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_valid() {
        assert_eq!(Config::read(SAMPLE).unwrap().identity().name.as_str(), "Postboard");
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let error = Config::read("address = \"a@b.example\"\nadress = 3\n").unwrap_err();
        assert!(error.contains("line 2") && error.contains("adress"), "{error}");
        assert!(Config::read("address = \"nobody\"\n").unwrap_err().contains("no mail address"));
    }
}
