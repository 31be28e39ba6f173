//! `[deliver]`: how the outbox is emptied.

use super::section::{ConfigError, Section};
use super::{Deliver, DomainLimits, Tls};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::Path;
use toml::Spanned;

const SMTP_PORT: u16 = 25;

/// The values of `by`.
const METHODS: [(&str, DeliveryMethod); 5] = [
    ("nothing", DeliveryMethod::Nothing),
    ("sendmail", DeliveryMethod::Sendmail),
    ("smtp", DeliveryMethod::Smtp),
    ("maildir", DeliveryMethod::Maildir),
    ("folder", DeliveryMethod::Folder),
];

pub(super) const ENCRYPTIONS: [(&str, Tls); 3] =
    [("none", Tls::None), ("starttls", Tls::Starttls), ("tls", Tls::Tls)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeliveryMethod {
    Nothing,
    Smtp,
    Sendmail,
    Maildir,
    Folder,
}

pub(super) fn read(section: &Section) -> Result<Deliver, ConfigError> {
    let by = section.choice("by", &METHODS, DeliveryMethod::Nothing)?;
    refuse_keys_of_other_methods(section, by)?;
    Ok(match by {
        DeliveryMethod::Nothing => Deliver::Nothing,
        DeliveryMethod::Smtp => smtp(section)?,
        DeliveryMethod::Sendmail => {
            let command = section.text("command")?;
            // A bare name is searched for in the usual folders.
            let is_valid =
                |it: &str| Path::new(it).is_absolute() || !it.is_empty() && !it.contains('/');
            if let Some(command) = command.as_ref().filter(|it| !is_valid(it.get_ref())) {
                let given = command.get_ref();
                let what =
                    format!("command = \"{given}\" must be absolute, or the name of a program");
                return Err(ConfigError::at(command, what));
            }
            Deliver::Sendmail { command: command.map(Spanned::into_inner) }
        }
        DeliveryMethod::Maildir | DeliveryMethod::Folder => {
            let is_maildir = by == DeliveryMethod::Maildir;
            let at = section.get("by").map(Spanned::span);
            let kind = if is_maildir { "Maildir" } else { "folder" };
            let what = format!("`path` is missing: the {kind} into which mails are sent");
            let path = section.path("path")?.ok_or(ConfigError { at, what })?;
            if is_maildir { Deliver::Maildir { path } } else { Deliver::Folder { path } }
        }
    })
}

fn smtp(section: &Section) -> Result<Deliver, ConfigError> {
    let host = section.text_or("host", "localhost")?;
    if !is_host(&host) {
        let at = section.get("host").map(Spanned::span);
        let what = format!(
            "host = \"{host}\" is not the name of a mail server, such as \"smtp.example.org\"; its port \
             and its encryption have keys of their own"
        );
        return Err(ConfigError { at, what });
    }
    let (user, password_file) = (section.text("user")?, section.path("password_file")?);
    // A user may lack a password here: systemd passes it to the service as a credential.
    if password_file.is_some() && user.is_none() {
        let at = section.get("password_file").map(Spanned::span);
        let what = "`password_file` requires `user`: a login needs both".into();
        return Err(ConfigError { at, what });
    }
    let port = section.whole("port", 1..=65_535, SMTP_PORT.into())?;
    Ok(Deliver::Smtp {
        host,
        port: u16::try_from(port).expect("in the range that was asked for"),
        tls: section.choice("tls", &ENCRYPTIONS, Tls::None)?,
        user: user.map(Spanned::into_inner),
        password_file,
    })
}

/// Reads the limits for the domains of recipients.
pub(super) fn domain_limits(section: &Section) -> Result<DomainLimits, ConfigError> {
    let usual = DomainLimits::default();
    let most = section.whole("domain_mails_a_minute", 0..=10_000, 0)?;
    let failures = section.count("domain_failures", usual.failures)?;
    Ok(DomainLimits { letters_a_minute: NonZeroU32::new(most), failures })
}

/// Returns whether a text is a host name or an IP address.
pub(super) fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        let is_known = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (1..=63).contains(&label.len()) && !label.starts_with('-') && label.chars().all(is_known)
    };
    let name = text.strip_suffix('.').unwrap_or(text);
    text.parse::<IpAddr>().is_ok() || name.len() <= 253 && name.split('.').all(is_label)
}

fn refuse_keys_of_other_methods(section: &Section, by: DeliveryMethod) -> Result<(), ConfigError> {
    let keys: [(&str, &[DeliveryMethod]); 7] = [
        ("host", &[DeliveryMethod::Smtp]),
        ("port", &[DeliveryMethod::Smtp]),
        ("tls", &[DeliveryMethod::Smtp]),
        ("user", &[DeliveryMethod::Smtp]),
        ("password_file", &[DeliveryMethod::Smtp]),
        ("command", &[DeliveryMethod::Sendmail]),
        ("path", &[DeliveryMethod::Maildir, DeliveryMethod::Folder]),
    ];
    for (key, methods) in keys {
        if let Some(value) = section.get(key).filter(|_| !methods.contains(&by)) {
            let methods: Vec<_> = methods.iter().map(|by| format!("\"{}\"", by.word())).collect();
            let what = format!(
                "`{key}` does not belong to by = \"{}\", but to by = {}",
                by.word(),
                methods.join(" or ")
            );
            return Err(ConfigError::at(value, what));
        }
    }
    Ok(())
}

impl DeliveryMethod {
    fn word(self) -> &'static str {
        METHODS.iter().find(|(_, by)| *by == self).map_or("", |(word, _)| word)
    }
}
