//! `postboard.toml`: what the operator decides.

mod web;

pub use web::{Bounds, TlsFiles, Web};

use crate::base::time::{Span, minutes};
use crate::base::words::near;
use crate::mail::{Address, HeaderText, Identity};
use crate::model::program;
use crate::model::rate_limit::RateLimits;
use crate::store::aside;
use std::borrow::Cow;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

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
    /// After how long a mail that cannot leave is late.
    pub late: Span,
    /// Where `cron` finds mails besides the spool.
    pub collect: Collect,
    /// What anybody is allowed to do.
    pub limits: Limits,
    /// How the boards are shown in a browser.
    pub web: Web,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// What anybody is allowed to do.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Whether anybody may sign up by mail.
    pub signup: bool,
    /// Mails that go to one address in a day at most.
    pub mails_a_day: NonZeroU32,
    /// Moves of the program's highest level that one mail may cause.
    pub program_moves: NonZeroU32,
    /// Mails that are kept in `spool/bad` at most.
    pub bad_mails: NonZeroU32,
    /// Megabytes of them.
    pub bad_megabytes: NonZeroU32,
    /// Days after which what others have sent is not kept any more.
    pub bad_days: NonZeroU32,
    /// How much anybody gets in answer.
    pub rate_limits: RateLimits,
}

impl Limits {
    /// What `spool/bad` holds at most.
    pub fn put_aside(&self) -> aside::Bounds {
        let count = usize::try_from(self.bad_mails.get()).unwrap_or(usize::MAX);
        aside::Bounds { count, bytes: u64::from(self.bad_megabytes.get()) * 1_000_000 }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            signup: true,
            mails_a_day: MAILS_A_DAY,
            program_moves: PROGRAM_MOVES,
            bad_mails: BAD_MAILS,
            bad_megabytes: BAD_MEGABYTES,
            bad_days: BAD_DAYS,
            rate_limits: RateLimits::default(),
        }
    }
}

const MAILS_A_DAY: NonZeroU32 = NonZeroU32::new(200).expect("not 0");
const PROGRAM_MOVES: NonZeroU32 = NonZeroU32::new(program::MOST_MOVES).expect("not 0");
const BAD_MAILS: NonZeroU32 = NonZeroU32::new(1_000).expect("not 0");
const BAD_MEGABYTES: NonZeroU32 = NonZeroU32::new(50).expect("not 0");
const BAD_DAYS: NonZeroU32 = NonZeroU32::new(30).expect("not 0");
const SMTP_PORT: u16 = 25;
const LATE_MINUTES: u32 = 60;

/// The commented configuration that `init` writes.
pub const SAMPLE: &str = include_str!("../data/postboard.toml");

/// The keys of each section; those above all sections first.
const KEYS: [(&str, &[&str]); 5] = [
    ("", &["address", "name", "plus", "authserv_id"]),
    (
        "limits",
        &["signup", "mails_a_day", "program_moves", "bad_mails", "bad_megabytes", "bad_days"],
    ),
    ("collect", &["maildir", "mbox"]),
    (
        "deliver",
        &["by", "host", "port", "tls", "user", "password_file", "command", "path", "late_minutes"],
    ),
    (
        "web",
        &["address", "proxies", "certificate", "key", "connections", "connections_of_one_place"],
    ),
];

/// The ways out by the word for each.
const WAYS: [(&str, By); 5] = [
    ("nothing", By::Nothing),
    ("sendmail", By::Sendmail),
    ("smtp", By::Smtp),
    ("maildir", By::Maildir),
    ("folder", By::Folder),
];

const ENCRYPTIONS: [(&str, Tls); 3] =
    [("none", Tls::None), ("starttls", Tls::Starttls), ("tls", Tls::Tls)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Nothing,
    Smtp,
    Sendmail,
    Maildir,
    Folder,
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

    fn missing(what: String) -> Self {
        Self { at: None, what }
    }

    /// One line.
    fn told(&self, text: &str) -> String {
        let before = self.at.as_ref().and_then(|at| text.as_bytes().get(..at.start));
        match before {
            Some(before) => {
                let line = before.split(|&byte| byte == b'\n').count();
                let example = text.lines().nth(line - 1).filter(|line| lacks_quotes(line));
                let example = example.map_or("", |_| {
                    "; text stands in quotes, as in name = \"Postboard\", and numbers, true and \
                     false do not"
                });
                format!("line {line}: {}{example}", self.what)
            }
            None => self.what.clone(),
        }
    }
}

impl From<toml::de::Error> for Wrong {
    fn from(error: toml::de::Error) -> Self {
        let what = error.message().lines().map(str::trim).collect::<Vec<_>>().join("; ");
        Self { at: error.span(), what: format!("this is no TOML: {what}") }
    }
}

/// Whether a line has text as a value, without quotes around it.
fn lacks_quotes(line: &str) -> bool {
    let value = line.split_once('=').map(|(_, value)| value.trim());
    value.is_some_and(|value| {
        value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
            && !["true", "false"].contains(&value)
    })
}

/// A section of the file, or what is above all sections.
struct Section<'a> {
    name: &'static str,
    table: Cow<'a, DeTable<'a>>,
}

impl<'a> Section<'a> {
    /// That section, whose keys are all known; without entries where the file has none.
    fn of(root: &'a DeTable<'a>, name: &'static str) -> Result<Self, Wrong> {
        let table = match root.get(name) {
            _ if name.is_empty() => Cow::Borrowed(root),
            None => Cow::Owned(DeTable::new()),
            Some(value) => Cow::Borrowed(value.get_ref().as_table().ok_or_else(|| {
                let what = format!("`{name}` is a section: write `[{name}]` on a line of its own");
                Wrong::at(value, what)
            })?),
        };
        let section = Self { name, table };
        section.has_known_keys()?;
        Ok(section)
    }

    fn has_known_keys(&self) -> Result<(), Wrong> {
        let sections = || KEYS.iter().map(|(name, _)| *name).filter(|name| !name.is_empty());
        let own = KEYS.iter().find(|(name, _)| *name == self.name).map_or(&[][..], |(_, own)| *own);
        let is_known = |key: &str| {
            own.contains(&key) || self.name.is_empty() && sections().any(|name| name == key)
        };
        let unknown = self.table.keys().filter(|key| !is_known(key.get_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let (word, place) = (key.get_ref(), in_section(self.name));
        let mut what = format!("there is no key `{word}`{place}");
        let elsewhere = KEYS.iter().find(|(_, keys)| keys.contains(&&**word));
        let known = own.iter().copied();
        let known = known.chain(sections().filter(|_| self.name.is_empty()));
        match (elsewhere, &near(word, known)[..]) {
            (Some((section, _)), _) => {
                let place = if section.is_empty() {
                    "stands above all sections".into()
                } else {
                    format!("stands below [{section}]")
                };
                what = format!("{what}; it {place}");
            }
            (None, [nearest, ..]) => what = format!("{what}; did you mean `{nearest}`?"),
            (None, []) => what = format!("{what}; the keys are {}", own.join(", ")),
        }
        Err(Wrong::at(key, what))
    }

    fn get(&self, key: &str) -> Option<&Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    fn text(&self, key: &str) -> Result<Option<Spanned<String>>, Wrong> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let Some(text) = value.get_ref().as_str() else {
            return Err(Wrong::at(value, format!("`{key}` must be text in quotes")));
        };
        Ok(Some(Spanned::new(value.span(), text.to_owned())))
    }

    /// An absolute path: cron and a mail server start the program wherever they like.
    fn path(&self, key: &str) -> Result<Option<String>, Wrong> {
        let path = self.text(key)?;
        if let Some(path) = path.as_ref().filter(|path| !Path::new(path.get_ref()).is_absolute()) {
            let what =
                format!("{key} = \"{}\" must be absolute, with a / in front", path.get_ref());
            return Err(Wrong::at(path, what));
        }
        Ok(path.map(Spanned::into_inner))
    }

    fn flag(&self, key: &str, usual: bool) -> Result<bool, Wrong> {
        let Some(value) = self.get(key) else { return Ok(usual) };
        let wrong = || Wrong::at(value, format!("`{key}` must be true or false, without quotes"));
        value.get_ref().as_bool().ok_or_else(wrong)
    }

    /// A number of that range.
    fn whole(&self, key: &str, range: RangeInclusive<u32>, usual: u32) -> Result<u32, Wrong> {
        let Some(value) = self.get(key) else { return Ok(usual) };
        let digits = value.get_ref().as_integer();
        let number = digits.and_then(|it| u32::from_str_radix(it.as_str(), it.radix()).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            let quoted = if value.get_ref().is_str() { ", without quotes" } else { "" };
            let what = format!("`{key}` must be a whole number from {first} to {last}{quoted}");
            Wrong::at(value, what)
        })
    }

    fn count(&self, key: &str, usual: NonZeroU32) -> Result<NonZeroU32, Wrong> {
        let number = self.whole(key, 1..=u32::MAX, usual.get())?;
        Ok(NonZeroU32::new(number).expect("in the range that was asked for"))
    }

    fn choice<T: Copy>(
        &self,
        key: &str,
        choices: &[(&'static str, T)],
        usual: T,
    ) -> Result<T, Wrong> {
        let Some(word) = self.text(key)? else { return Ok(usual) };
        let chosen = choices.iter().find(|(name, _)| name == word.get_ref());
        chosen.map(|(_, choice)| *choice).ok_or_else(|| {
            let all = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>();
            let what = format!("{key} = \"{}\" is not one of {}", word.get_ref(), all.join(", "));
            Wrong::at(&word, what)
        })
    }
}

fn in_section(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" in [{name}]") }
}

fn deliver(section: &Section) -> Result<Deliver, Wrong> {
    let by = section.choice("by", &WAYS, By::Nothing)?;
    has_no_others_keys(section, by)?;
    Ok(match by {
        By::Nothing => Deliver::Nothing,
        By::Smtp => smtp(section)?,
        By::Sendmail => {
            let command = section.text("command")?;
            // A bare name is looked for where programs are.
            let is_placed =
                |it: &str| Path::new(it).is_absolute() || !it.is_empty() && !it.contains('/');
            if let Some(command) = command.as_ref().filter(|it| !is_placed(it.get_ref())) {
                let given = command.get_ref();
                let what =
                    format!("command = \"{given}\" must be absolute, or the name of a program");
                return Err(Wrong::at(command, what));
            }
            Deliver::Sendmail { command: command.map(Spanned::into_inner) }
        }
        By::Maildir | By::Folder => {
            let at = section.get("by").map(Spanned::span);
            let lacks = Wrong { at, what: format!("`path` is missing: {} are sent", by.needs()) };
            let path = section.path("path")?.ok_or(lacks)?;
            if by == By::Maildir { Deliver::Maildir { path } } else { Deliver::Folder { path } }
        }
    })
}

fn smtp(section: &Section) -> Result<Deliver, Wrong> {
    let host = section.text("host")?;
    if let Some(host) = host.as_ref().filter(|host| !is_host(host.get_ref())) {
        let given = host.get_ref();
        let what = format!(
            "host = \"{given}\" is no name of a mail server, such as \"smtp.example.org\"; its port \
             and its encryption have keys of their own"
        );
        return Err(Wrong::at(host, what));
    }
    let (user, password_file) = (section.text("user")?, section.path("password_file")?);
    if user.is_some() != password_file.is_some() {
        let (has, lacks) =
            if user.is_some() { ("user", "password_file") } else { ("password_file", "user") };
        let at = section.get(has).map(Spanned::span);
        let what = format!("`{has}` needs `{lacks}` beside it: to log in takes both");
        return Err(Wrong { at, what });
    }
    let port = section.whole("port", 1..=65_535, SMTP_PORT.into())?;
    Ok(Deliver::Smtp {
        host: host.map_or_else(|| "localhost".into(), Spanned::into_inner),
        port: u16::try_from(port).expect("in the range that was asked for"),
        tls: section.choice("tls", &ENCRYPTIONS, Tls::None)?,
        user: user.map(Spanned::into_inner),
        password_file,
    })
}

/// Whether a name server could know it, or it is an address of the net.
fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        let known = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (1..=63).contains(&label.len()) && !label.starts_with('-') && label.chars().all(known)
    };
    let name = text.strip_suffix('.').unwrap_or(text);
    text.parse::<IpAddr>().is_ok() || name.len() <= 253 && name.split('.').all(is_label)
}

fn has_no_others_keys(section: &Section, by: By) -> Result<(), Wrong> {
    let keys: [(&str, &[By]); 7] = [
        ("host", &[By::Smtp]),
        ("port", &[By::Smtp]),
        ("tls", &[By::Smtp]),
        ("user", &[By::Smtp]),
        ("password_file", &[By::Smtp]),
        ("command", &[By::Sendmail]),
        ("path", &[By::Maildir, By::Folder]),
    ];
    for (key, ways) in keys {
        if let Some(value) = section.get(key).filter(|_| !ways.contains(&by)) {
            let ways: Vec<_> = ways.iter().map(|by| format!("\"{}\"", by.word())).collect();
            let what = format!(
                "`{key}` does not belong to by = \"{}\", but to by = {}",
                by.word(),
                ways.join(" or ")
            );
            return Err(Wrong::at(value, what));
        }
    }
    Ok(())
}

impl By {
    fn word(self) -> &'static str {
        WAYS.iter().find(|(_, by)| *by == self).map_or("", |(word, _)| word)
    }

    fn needs(self) -> &'static str {
        if self == Self::Maildir {
            "the Maildir into which mails"
        } else {
            "the folder into which mails"
        }
    }
}

impl Config {
    fn of(root: &DeTable) -> Result<Self, Wrong> {
        let top = Section::of(root, "")?;
        let Some(address) = top.text("address")? else {
            let what = "`address` is missing: the address that players write to";
            return Err(Wrong::missing(what.into()));
        };
        if Address::parse(address.get_ref()).is_none() {
            let what = format!("address = \"{}\" is no mail address", address.get_ref());
            return Err(Wrong::at(&address, what));
        }
        let authserv_id = top.text("authserv_id")?;
        let is_odd = |c: char| !c.is_ascii_graphic() || "();=\"\\".contains(c);
        if let Some(id) = authserv_id.as_ref().filter(|id| {
            let id = id.get_ref();
            id.is_empty() || id.contains(is_odd)
        }) {
            let what = format!("authserv_id = \"{}\" is no name of a server", id.get_ref());
            return Err(Wrong::at(id, what));
        }
        let limits = Section::of(root, "limits")?;
        let usual = Limits::default();
        let collect = Section::of(root, "collect")?;
        let out = Section::of(root, "deliver")?;
        Ok(Self {
            address: address.into_inner(),
            name: top.text("name")?.map_or_else(|| "Postboard".into(), Spanned::into_inner),
            plus: top.flag("plus", false)?,
            authserv_id: authserv_id.map(Spanned::into_inner),
            deliver: deliver(&out)?,
            late: minutes(i64::from(out.whole("late_minutes", 1..=100_000, LATE_MINUTES)?)),
            collect: Collect { maildir: collect.path("maildir")?, mbox: collect.path("mbox")? },
            limits: Limits {
                signup: limits.flag("signup", usual.signup)?,
                mails_a_day: limits.count("mails_a_day", usual.mails_a_day)?,
                program_moves: limits.count("program_moves", usual.program_moves)?,
                bad_mails: limits.count("bad_mails", usual.bad_mails)?,
                bad_megabytes: limits.count("bad_megabytes", usual.bad_megabytes)?,
                bad_days: limits.count("bad_days", usual.bad_days)?,
                ..usual
            },
            web: web::read(&Section::of(root, "web")?)?,
        })
    }

    /// Reads a configuration.
    ///
    /// # Errors
    /// What is not understood, in one line that begins with its number.
    pub fn read(text: &str) -> Result<Self, String> {
        let root = DeTable::parse(text).map_err(Wrong::from);
        root.and_then(|root| Self::of(root.get_ref())).map_err(|wrong| wrong.told(text))
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
        assert!(Config::read("plus = true\n").unwrap_err().contains("`address` is missing"));
    }

    #[test]
    fn every_key_that_is_known_is_read() {
        let text = "address = \"a@b.example\"\nname = \"N\"\nplus = true\nauthserv_id = \"mx\"\n\
                    [limits]\nsignup = false\nmails_a_day = 7\nprogram_moves = 8\nbad_mails = 9\n\
                    bad_megabytes = 10\nbad_days = 11\n[collect]\nmaildir = \"/m\"\n\
                    mbox = \"/b\"\n[deliver]\nby = \"smtp\"\nhost = \"mx.example\"\nport = 587\n\
                    tls = \"starttls\"\nuser = \"u\"\npassword_file = \"/p\"\nlate_minutes = 5\n\
                    [web]\naddress = \"https://games.example/\"\nproxies = [\"10.0.0.1\"]\n\
                    certificate = \"/c\"\nkey = \"/k\"\nconnections = 300\n\
                    connections_of_one_place = 30\n";
        let config = Config::read(text).unwrap();
        assert_eq!(config.identity().name.as_str(), "N");
        assert!(config.plus && !config.limits.signup);
        assert_eq!(config.authserv_id.as_deref(), Some("mx"));
        assert_eq!((config.limits.mails_a_day.get(), config.late), (7, minutes(5)));
        let Limits { program_moves, bad_days, .. } = config.limits;
        assert_eq!((program_moves.get(), bad_days.get()), (8, 11));
        assert_eq!(config.limits.put_aside(), aside::Bounds { count: 9, bytes: 10_000_000 });
        assert_eq!(config.collect.maildir.as_deref(), Some("/m"));
        assert_eq!(config.collect.mbox.as_deref(), Some("/b"));
        let smtp = Deliver::Smtp {
            host: "mx.example".into(),
            port: 587,
            tls: Tls::Starttls,
            user: Some("u".into()),
            password_file: Some("/p".into()),
        };
        assert_eq!(config.deliver, smtp);
        let web = Web {
            address: Some("https://games.example".into()),
            proxies: vec![IpAddr::from([10, 0, 0, 1])],
            tls: Some(TlsFiles { certificate: "/c".into(), key: "/k".into() }),
            bounds: Bounds { connections: 300, of_one_place: 30, ..Bounds::default() },
        };
        assert_eq!(config.web, web);
        let of = |rest: &str| Config::read(&format!("address = \"a@b.example\"\n{rest}")).unwrap();
        let sendmail = of("[deliver]\nby = \"sendmail\"\ncommand = \"/usr/sbin/sendmail\"");
        assert_eq!(
            sendmail.deliver,
            Deliver::Sendmail { command: Some("/usr/sbin/sendmail".into()) }
        );
        // Every key of the table is in one of the texts here.
        let texts = [text, "command = ", "path = "].concat();
        for key in KEYS.iter().flat_map(|(_, keys)| *keys) {
            assert!(texts.contains(&format!("{key} = ")), "{key}");
        }
    }

    #[test]
    fn every_error_is_one_line_with_its_number() {
        for (rest, want) in [
            (
                "plus = yes",
                "line 2: this is no TOML: string values must be quoted, expected literal string; \
                 text stands in quotes, as in name = \"Postboard\", and numbers, true and",
            ),
            ("plus = ", "line 2: this is no TOML: "),
            ("plus = \"true\"", "line 2: `plus` must be true or false, without quotes"),
            ("name = 3", "line 2: `name` must be text in quotes"),
            ("plsu = true", "line 2: there is no key `plsu`; did you mean `plus`?"),
            ("colour = 1", "line 2: there is no key `colour`; the keys are address, name, plus,"),
            ("mails_a_day = 3", "line 2: there is no key `mails_a_day`; it stands below [limits]"),
            ("deliver = \"smtp\"", "line 2: `deliver` is a section: write `[deliver]` on a line"),
            (
                "[delivr]\nby = \"smtp\"",
                "line 2: there is no key `delivr`; did you mean `deliver`?",
            ),
            (
                "[deliver]\nby = \"nothing\"\nhots = \"x\"",
                "line 4: there is no key `hots` in [deliver]; did you mean `host`?",
            ),
            (
                "[deliver]\nplus = true",
                "line 3: there is no key `plus` in [deliver]; it stands above all sections",
            ),
            (
                "[deliver]\nby = \"nothing\"\nhost = \"x\"",
                "line 4: `host` does not belong to by = \"nothing\", but to by = \"smtp\"",
            ),
            (
                "[deliver]\nby = \"smtp\"\n\nport = 26\npath = \"/x\"",
                "line 6: `path` does not belong to by = \"smtp\"",
            ),
            ("[deliver]\nby = \"folder\"", "line 3: `path` is missing: the folder"),
            (
                "[deliver]\nby = \"pigeon\"",
                "line 3: by = \"pigeon\" is not one of \"nothing\", \"sendmail\", \"smtp\", \
                 \"maildir\", \"folder\"",
            ),
            (
                "[deliver]\nby = \"smtp\"\ntls = \"ssl\"",
                "line 4: tls = \"ssl\" is not one of \"none\", \"starttls\", \"tls\"",
            ),
            (
                "[deliver]\nby = \"smtp\"\nport = 70000",
                "line 4: `port` must be a whole number from 1 to 65535",
            ),
            (
                "[deliver]\nby = \"smtp\"\nport = \"25\"",
                "line 4: `port` must be a whole number from 1 to 65535, without quotes",
            ),
            ("[deliver]\nby = \"smtp\"\nport = 2.5", "line 4: `port` must be a whole number from"),
            ("[deliver]\nby = \"smtp\"\nport = -1", "line 4: `port` must be a whole number from"),
            (
                "[deliver]\nby = \"smtp\"\nhost = \"smtp://mx:25\"",
                "line 4: host = \"smtp://mx:25\" is no name of a mail server",
            ),
            ("[deliver]\nby = \"smtp\"\nhost = \"\"", "line 4: host = \"\" is no name"),
            (
                "[deliver]\nby = \"smtp\"\nuser = \"me\"",
                "line 4: `user` needs `password_file` beside it",
            ),
            (
                "[deliver]\nby = \"smtp\"\npassword_file = \"/etc/secret\"",
                "line 4: `password_file` needs `user` beside it",
            ),
            (
                "[deliver]\nby = \"sendmail\"\ncommand = \"bin/sendmail\"",
                "line 4: command = \"bin/sendmail\" must be absolute, or the name of a program",
            ),
            (
                "[deliver]\nlate_minutes = 0",
                "line 3: `late_minutes` must be a whole number from 1 to 100000",
            ),
            ("authserv_id = \"mx; dmarc=pass\"", "line 2: authserv_id = \"mx; dmarc=pass\" is no"),
            ("authserv_id = \"\"", "line 2: authserv_id = \"\" is no name of a server"),
            (
                "[limits]\nsing_up = true",
                "line 3: there is no key `sing_up` in [limits]; did you mean `signup`?",
            ),
            ("[limits]\nmails_a_day = 0", "line 3: `mails_a_day` must be a whole number from 1 to"),
            ("[limits]\nvalves = 0", "line 3: there is no key `valves` in [limits]; the keys are"),
            ("[limits]\nprogram_moves = 0", "line 3: `program_moves` must be a whole number from"),
            ("[limits]\nbad_days = 0", "line 3: `bad_days` must be a whole number from"),
            (
                "[limits]\nbad_mail = 9",
                "line 3: there is no key `bad_mail` in [limits]; did you mean `bad_mails`?",
            ),
        ] {
            let error = Config::read(&format!("address = \"a@b.example\"\n{rest}\n")).unwrap_err();
            assert!(error.starts_with(want) && !error.contains('\n'), "{rest}: {error}");
        }
    }

    #[test]
    fn errors_of_the_web_are_lines_with_their_numbers() {
        for (rest, want) in [
            (
                "[web]\naddress = \"games.example\"",
                "line 3: address = \"games.example\" is no address of a site, such as",
            ),
            (
                "[web]\naddress = \"https://games.example/boards\"",
                "line 3: address = \"https://games.example/boards\" is no address of a site",
            ),
            ("[web]\nproxies = \"10.0.0.1\"", "line 3: `proxies` must be a list of addresses"),
            ("[web]\nproxies = [\"me\"]", "line 3: proxies: \"me\" is no address of a machine"),
            ("[web]\nproxies = [\n3]", "line 4: proxies: an address stands in quotes, such as"),
            ("[web]\nproxies = [\"10.0.0.0/8\"]", "line 3: proxies: \"10.0.0.0/8\" is no address"),
            ("[web]\naddress = 8080", "line 3: `address` must be text in quotes"),
            (
                "[web]\naddress = \"ftp://games.example\"",
                "line 3: address = \"ftp://games.example\"",
            ),
            ("[web]\nkey = \"/k\"", "line 3: `key` needs `certificate` beside it"),
            ("[web]\n\ncertificate = \"/c\"", "line 4: `certificate` needs `key` beside it"),
            (
                "[web]\ncertificate = \"chain.pem\"\nkey = \"/k\"",
                "line 3: certificate = \"chain.pem\" must be absolute, with a / in front",
            ),
            (
                "[web]\ncertificate = \"/c\"\nkey = \"key.pem\"",
                "line 4: key = \"key.pem\" must be absolute, with a / in front",
            ),
            (
                "[web]\nconnections = 0",
                "line 3: `connections` must be a whole number from 100 to 1000000",
            ),
            (
                "[web]\nconnections_of_one_place = \"9\"",
                "line 3: `connections_of_one_place` must be a whole number from 8 to 1000000, without",
            ),
            (
                "[web]\nlisten = \"x\"",
                "line 3: there is no key `listen` in [web]; the keys are address, ",
            ),
            (
                "[web]\nadress = \"x\"",
                "line 3: there is no key `adress` in [web]; did you mean `address`",
            ),
            (
                "[web]\nport = 8080",
                "line 3: there is no key `port` in [web]; it stands below [deliver]",
            ),
            ("web = 3", "line 2: `web` is a section: write `[web]` on a line of its own"),
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
            "[deliver]\npassword_file = \"secret\"\nuser = \"me\"\nby = \"smtp\"",
        ] {
            let read = |text: &str| Config::read(&format!("address = \"a@b.example\"\n{text}\n"));
            let error = read(rest).unwrap_err();
            assert!(error.starts_with("line 3: ") && error.contains("must be absolute"), "{error}");
            let (before, after) = rest.split_once("= \"").unwrap();
            read(&format!("{before}= \"/{after}")).unwrap();
        }
    }
}
