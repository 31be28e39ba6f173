//! `[imap]`: the mailbox that `run` reads.

use super::Tls;
use super::deliver::{ENCRYPTIONS, is_host};
use super::section::{ConfigError, Section};
use toml::Spanned;

/// A mailbox at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImapConfig {
    /// The host name of the IMAP server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub tls: Tls,
    /// The user name to log in with.
    pub user: String,
    /// What the user logs in with.
    pub secret: ImapSecret,
    /// The name of the mailbox, in ASCII.
    pub mailbox: String,
    /// What happens there to a mail that was taken.
    pub after: AfterIntake,
}

/// What a user logs in with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImapSecret {
    /// The file whose first line is the password, such as an app password.
    PasswordFile(String),
    /// The file whose first line is an access token for XOAUTH2, which another program renews.
    TokenFile(String),
    /// The program that prints an access token for XOAUTH2, and its arguments.
    TokenCommand(Vec<String>),
}

/// What happens in the mailbox to a mail that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterIntake {
    /// It is deleted.
    Delete,
    /// It is moved to another mailbox.
    Move(String),
    /// It is marked as seen, and stays. Only mails that are not seen are taken.
    Seen,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Delete,
    Move,
    Seen,
}

const AFTER: [(&str, After); 3] =
    [("delete", After::Delete), ("move", After::Move), ("seen", After::Seen)];

/// Reads the section; `None` without a host.
pub(super) fn read(section: &Section) -> Result<Option<ImapConfig>, ConfigError> {
    let host = section.text("host")?;
    let tls = section.choice("tls", &ENCRYPTIONS, Tls::Tls)?;
    let usual = if tls == Tls::Tls { 993 } else { 143 };
    let port = section.whole("port", 1..=65_535, usual)?;
    let user = section.text("user")?;
    let secrets = secrets(section)?;
    let mailbox = mailbox(section, "mailbox", section.text_or("mailbox", "INBOX")?)?;
    let after = section.choice("after", &AFTER, After::Delete)?;
    let move_to = section.text("move_to")?;
    let Some(host) = host else {
        let keys = ["user", "password_file", "token_file", "token_command", "move_to"];
        return match keys.iter().find_map(|key| section.get(key)) {
            Some(value) => {
                Err(ConfigError::at(value, "it requires `host`, which is missing".into()))
            }
            None => Ok(None),
        };
    };
    if !is_host(host.get_ref()) {
        let what = format!(
            "host = \"{}\" is not the name of a mail server, such as \"imap.example.org\"",
            host.get_ref()
        );
        return Err(ConfigError::at(&host, what));
    }
    let Some(user) = user else {
        return Err(ConfigError::at(&host, "`host` requires `user`, which is missing".into()));
    };
    let is_plain = |text: &str| !text.is_empty() && !text.contains(char::is_control);
    if !is_plain(user.get_ref()) {
        return Err(ConfigError::at(&user, "`user` is not the name of a user".into()));
    }
    let Ok([secret]) = <[ImapSecret; 1]>::try_from(secrets) else {
        let what =
            "`user` requires exactly one of `password_file`, `token_file` and `token_command`";
        return Err(ConfigError::at(&user, what.into()));
    };
    let after = after_intake(section, after, &host, move_to)?;
    Ok(Some(ImapConfig {
        host: host.into_inner(),
        port: u16::try_from(port).expect("in the range that was asked for"),
        tls,
        user: user.into_inner(),
        secret,
        mailbox,
        after,
    }))
}

/// Reads what the user may log in with.
fn secrets(section: &Section) -> Result<Vec<ImapSecret>, ConfigError> {
    let password = section.path("password_file")?.map(ImapSecret::PasswordFile);
    let token = section.path("token_file")?.map(ImapSecret::TokenFile);
    let command = section.command("token_command")?.map(ImapSecret::TokenCommand);
    Ok(password.into_iter().chain(token).chain(command).collect())
}

/// Returns what happens to mails that were taken.
fn after_intake(
    section: &Section,
    after: After,
    host: &Spanned<String>,
    move_to: Option<Spanned<String>>,
) -> Result<AfterIntake, ConfigError> {
    match (after, move_to) {
        (After::Delete, None) => Ok(AfterIntake::Delete),
        (After::Seen, None) => Ok(AfterIntake::Seen),
        (After::Move, Some(to)) => {
            mailbox(section, "move_to", to.into_inner()).map(AfterIntake::Move)
        }
        (After::Move, None) => {
            let what = "`after` = \"move\" requires `move_to`, the name of a mailbox";
            Err(ConfigError::at(host, what.into()))
        }
        (_, Some(to)) => {
            let what = "`move_to` belongs to after = \"move\"";
            Err(ConfigError::at(&to, what.into()))
        }
    }
}

/// Checks the name of a mailbox.
fn mailbox(section: &Section, key: &str, name: String) -> Result<String, ConfigError> {
    if !name.is_empty() && name.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Ok(name);
    }
    let at = section.get(key).map(Spanned::span);
    let what = format!("`{key}` must be ASCII; write other letters as IMAP does (modified UTF-7)");
    Err(ConfigError { at, what })
}
