//! `postboard.toml`: what the operator decides.

use crate::message::{Address, HeaderText, Identity};
use crate::opponent;
use crate::store::aside::Bounds;
use crate::valve::Valves;
use serde::Deserialize;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// The configuration of a home.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address that commands are sent to.
    address: String,
    /// The display name beside it.
    name: String,
    /// Whether `local+tag@host` is delivered to `local@host`.
    plus: bool,
    /// The name under which our mail server says what it found out about senders; without it
    /// nobody is asked.
    pub authserv_id: Option<String>,
    /// How the outbox is emptied.
    pub deliver: Deliver,
    /// Where `cron` finds mails besides the spool.
    pub collect: Collect,
    /// What is allowed to whom.
    pub limits: Limits,
}

/// How the outbox is emptied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Deliver {
    /// Not at all: mails stay in the outbox.
    #[default]
    Nothing,
    /// By a mail server.
    Smtp {
        /// Its name.
        host: String,
        /// Its port.
        port: u16,
        /// `none`, `starttls` or `tls`.
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
#[derive(Clone, Debug, Default)]
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
    /// Mails that go to one address in a day at most.
    #[serde(default = "mails_a_day")]
    pub mails_a_day: NonZeroU32,
    /// Moves of the program's highest level that one mail may cause.
    #[serde(default = "program_moves")]
    pub program_moves: NonZeroU32,
    /// Mails that are kept in `spool/bad` at most.
    #[serde(default = "bad_mails")]
    pub bad_mails: NonZeroU32,
    /// Megabytes of them.
    #[serde(default = "bad_megabytes")]
    pub bad_megabytes: NonZeroU32,
    /// Days after which what others have sent is not kept any more.
    #[serde(default = "bad_days")]
    pub bad_days: NonZeroU32,
    /// How much is answered to whom.
    #[serde(skip)]
    pub valves: Valves,
}

impl Limits {
    /// What `spool/bad` holds at most.
    pub fn put_aside(&self) -> Bounds {
        let count = usize::try_from(self.bad_mails.get()).unwrap_or(usize::MAX);
        Bounds { count, bytes: u64::from(self.bad_megabytes.get()) * 1_000_000 }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            signup: true,
            mails_a_day: mails_a_day(),
            program_moves: program_moves(),
            bad_mails: bad_mails(),
            bad_megabytes: bad_megabytes(),
            bad_days: bad_days(),
            valves: Valves::default(),
        }
    }
}

const SMTP_PORT: u16 = 25;

/// The commented configuration that `init` writes.
pub const SAMPLE: &str = include_str!("../data/postboard.toml");

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    address: Spanned<String>,
    #[serde(default = "default_name")]
    name: String,
    #[serde(default)]
    plus: bool,
    authserv_id: Option<Spanned<String>>,
    #[serde(default)]
    deliver: WrittenDeliver,
    #[serde(default)]
    collect: WrittenCollect,
    #[serde(default)]
    limits: Limits,
}

/// All keys of all ways out, so that each error can be told with its line.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDeliver {
    by: Option<Spanned<By>>,
    host: Option<Spanned<String>>,
    port: Option<Spanned<u16>>,
    tls: Option<Spanned<Tls>>,
    user: Option<Spanned<String>>,
    password_file: Option<Spanned<String>>,
    command: Option<Spanned<String>>,
    path: Option<Spanned<String>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    #[default]
    Nothing,
    Smtp,
    Sendmail,
    Maildir,
    Folder,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCollect {
    maildir: Option<Spanned<String>>,
    mbox: Option<Spanned<String>>,
}

/// What is wrong, and where.
struct Wrong {
    at: Option<Range<usize>>,
    what: String,
}

impl Wrong {
    fn at<T>(place: &Spanned<T>, what: String) -> Self {
        Self { at: Some(place.span()), what }
    }

    /// One line.
    fn told(&self, text: &str) -> String {
        let what = self.what.lines().map(str::trim).collect::<Vec<_>>().join("; ");
        let before = self.at.as_ref().and_then(|at| text.as_bytes().get(..at.start));
        match before {
            Some(before) => {
                let line = before.split(|&byte| byte == b'\n').count();
                format!("line {line}: {what}")
            }
            None => what,
        }
    }
}

impl From<toml::de::Error> for Wrong {
    fn from(error: toml::de::Error) -> Self {
        Self { at: error.span(), what: error.message().to_owned() }
    }
}

impl WrittenDeliver {
    fn chosen(self) -> Result<Deliver, Wrong> {
        let by = self.by.as_ref().map(|by| *by.get_ref()).unwrap_or_default();
        self.has_no_others_keys(by)?;
        let value = |it: Option<Spanned<String>>| it.map(Spanned::into_inner);
        Ok(match by {
            By::Nothing => Deliver::Nothing,
            By::Smtp => Deliver::Smtp {
                host: value(self.host).unwrap_or_else(|| "localhost".into()),
                port: self.port.map_or(SMTP_PORT, Spanned::into_inner),
                tls: self.tls.map(Spanned::into_inner).unwrap_or_default(),
                user: value(self.user),
                password_file: absolute("password_file", self.password_file)?,
            },
            By::Sendmail => Deliver::Sendmail { command: value(self.command) },
            By::Maildir | By::Folder => {
                let lacks = Wrong {
                    at: self.by.as_ref().map(Spanned::span),
                    what: "`path` is missing".into(),
                };
                let path = absolute("path", self.path)?.ok_or(lacks)?;
                if by == By::Maildir { Deliver::Maildir { path } } else { Deliver::Folder { path } }
            }
        })
    }

    fn has_no_others_keys(&self, by: By) -> Result<(), Wrong> {
        let span = |it: &Option<Spanned<String>>| it.as_ref().map(Spanned::span);
        let smtp: &[By] = &[By::Smtp];
        let keys = [
            ("host", span(&self.host), smtp),
            ("port", self.port.as_ref().map(Spanned::span), smtp),
            ("tls", self.tls.as_ref().map(Spanned::span), smtp),
            ("user", span(&self.user), smtp),
            ("password_file", span(&self.password_file), smtp),
            ("command", span(&self.command), &[By::Sendmail]),
            ("path", span(&self.path), &[By::Maildir, By::Folder]),
        ];
        for (key, at, ways) in keys {
            if at.is_some() && !ways.contains(&by) {
                let what = format!("`{key}` does not belong to by = \"{}\"", by.word());
                return Err(Wrong { at, what });
            }
        }
        Ok(())
    }
}

impl By {
    fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Smtp => "smtp",
            Self::Sendmail => "sendmail",
            Self::Maildir => "maildir",
            Self::Folder => "folder",
        }
    }
}

/// Cron and a mail server start the program wherever they like.
fn absolute(key: &str, path: Option<Spanned<String>>) -> Result<Option<String>, Wrong> {
    if let Some(path) = path.as_ref().filter(|path| !Path::new(path.get_ref()).is_absolute()) {
        let what = format!("{key} = \"{}\" must be absolute", path.get_ref());
        return Err(Wrong::at(path, what));
    }
    Ok(path.map(Spanned::into_inner))
}

impl TryFrom<Written> for Config {
    type Error = Wrong;

    fn try_from(written: Written) -> Result<Self, Wrong> {
        let Written { address, name, plus, authserv_id, deliver, collect, limits } = written;
        if Address::parse(address.get_ref()).is_none() {
            let what = format!("address = \"{}\" is no mail address", address.get_ref());
            return Err(Wrong::at(&address, what));
        }
        let collect = Collect {
            maildir: absolute("maildir", collect.maildir)?,
            mbox: absolute("mbox", collect.mbox)?,
        };
        let is_odd = |c: char| !c.is_ascii_graphic() || "();=\"\\".contains(c);
        if let Some(id) = authserv_id.as_ref().filter(|id| {
            let id = id.get_ref();
            id.is_empty() || id.contains(is_odd)
        }) {
            let what = format!("authserv_id = \"{}\" is no name of a server", id.get_ref());
            return Err(Wrong::at(id, what));
        }
        let authserv_id = authserv_id.map(Spanned::into_inner);
        let deliver = deliver.chosen()?;
        let address = address.into_inner();
        Ok(Self { address, name, plus, authserv_id, deliver, collect, limits })
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// What is not understood, in one line that begins with its number.
    pub fn read(text: &str) -> Result<Self, String> {
        let written = toml::from_str::<Written>(text).map_err(Wrong::from);
        written.and_then(Self::try_from).map_err(|wrong| wrong.told(text))
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

fn mails_a_day() -> NonZeroU32 {
    const { NonZeroU32::new(200).expect("not 0") }
}

fn program_moves() -> NonZeroU32 {
    const { NonZeroU32::new(opponent::MOST_MOVES).expect("not 0") }
}

fn bad_mails() -> NonZeroU32 {
    const { NonZeroU32::new(1_000).expect("not 0") }
}

fn bad_megabytes() -> NonZeroU32 {
    const { NonZeroU32::new(50).expect("not 0") }
}

fn bad_days() -> NonZeroU32 {
    const { NonZeroU32::new(30).expect("not 0") }
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

    #[test]
    fn every_error_is_one_line_with_its_number() {
        for (rest, want) in [
            ("plus = yes", "line 2: "),
            ("plus = ", "line 2: "),
            ("[deliver]\nby = \"nothing\"\nhots = \"x\"", "line 4: unknown field `hots`"),
            (
                "[deliver]\nby = \"nothing\"\nhost = \"x\"",
                "line 4: `host` does not belong to by = \"nothing\"",
            ),
            (
                "[deliver]\nby = \"smtp\"\n\nport = 26\npath = \"/x\"",
                "line 6: `path` does not belong to by = \"smtp\"",
            ),
            ("[deliver]\nby = \"folder\"", "line 3: `path` is missing"),
            ("[deliver]\nby = \"pigeon\"", "line 3: unknown variant `pigeon`"),
            ("[deliver]\nby = \"smtp\"\nport = 70000", "line 4: "),
            ("authserv_id = \"mx; dmarc=pass\"", "line 2: authserv_id = \"mx; dmarc=pass\" is no"),
            ("authserv_id = \"\"", "line 2: authserv_id = \"\" is no name of a server"),
            ("[limits]\nsing_up = true", "line 3: unknown field `sing_up`"),
            ("[limits]\nmails_a_day = 0", "line 3: "),
            ("[limits]\nprogram_moves = 0", "line 3: "),
            ("[limits]\nbad_days = 0", "line 3: "),
            ("[limits]\nbad_mail = 9", "line 3: unknown field `bad_mail`"),
            ("[limits]\nvalves = 0", "line 3: unknown field `valves`"),
        ] {
            let error = Config::read(&format!("address = \"a@b.example\"\n{rest}\n")).unwrap_err();
            assert!(error.starts_with(want) && !error.contains('\n'), "{rest}: {error}");
        }
    }

    #[test]
    fn paths_are_absolute() {
        for rest in [
            "[collect]\nmaildir = \"Maildir\"",
            "[collect]\nmbox = \"./mbox\"",
            "[deliver]\npath = \"sent\"\nby = \"folder\"",
            "[deliver]\npath = \"{local}/Maildir\"\nby = \"maildir\"",
            "[deliver]\npassword_file = \"secret\"\nby = \"smtp\"",
        ] {
            let read = |text: &str| Config::read(&format!("address = \"a@b.example\"\n{text}\n"));
            let error = read(rest).unwrap_err();
            assert!(
                error.starts_with("line 3: ") && error.ends_with("must be absolute"),
                "{error}"
            );
            let (before, after) = rest.split_once("= \"").unwrap();
            read(&format!("{before}= \"/{after}")).unwrap();
        }
    }
}
