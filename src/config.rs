//! `postboard.toml`: the operator's configuration.

mod deliver;
mod dns;
mod engines;
mod imap;
mod keys;
mod layers;
mod runtime;
mod section;
pub mod setup;
mod store;
mod web;

pub use dns::DnsConfig;
pub use engines::{EngineLimits, EngineProgram, EnginesConfig};
pub use imap::{AfterIntake, ImapConfig, ImapSecret};
pub use layers::{ConfigOrigin, EffectiveSetting};
pub use runtime::{RuntimeSetting, runtime_settings, with_runtime_setting};
pub(crate) use store::is_database_url;
pub use store::{StoreAccess, with_store_password_file, with_store_url};
pub use web::{TlsFiles, WebConfig, WebLimits};

use crate::base::time::{Span, minutes};
use crate::mail::{Address, HeaderText, Identity};
use crate::model::program;
use crate::model::rate_limit::RateLimits;
use crate::store::backup::{BackupKey, BucketAddress};
use crate::store::postgres::DatabaseConfig;
use crate::store::settings::ProcessEnv;
use crate::store::{LogStyle, LogTo, QuarantineLimits};
use layers::Layers;
use section::{ConfigError, Section};
use std::num::NonZeroU32;
use toml::Spanned;
use toml::de::DeTable;

/// The configuration of a home.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address that commands are sent to.
    address: String,
    /// The display name of that address.
    name: String,
    /// Whether the mail server delivers `local+tag@host` to `local@host`.
    plus: bool,
    /// The name under which our mail server reports what it knows about senders (RFC 8601). Without
    /// it such reports are ignored.
    pub authserv_id: Option<String>,
    /// How the outbox is emptied.
    pub deliver: Deliver,
    /// How long a mail may fail to leave before it is late.
    pub late_after: Span,
    /// The limits for the domain of each recipient.
    pub domain_limits: DomainLimits,
    /// Where `cron` finds mails besides the spool.
    pub collect: Collect,
    /// The mailbox that `run` reads, if any.
    pub imap: Option<ImapConfig>,
    /// Limits for all users.
    pub limits: Limits,
    /// Alerts to the operator when something waits too long, if configured.
    pub alert: Option<Alert>,
    /// The nightly backup of `run`, if configured.
    pub backup: BackupConfig,
    /// What `doctor` asks the DNS.
    pub dns: DnsConfig,
    /// The engines.
    pub engines: EnginesConfig,
    /// How the log is written.
    pub log: LogStyle,
    /// The web pages.
    pub web: WebConfig,
    /// The database with the home, unless the home is in files.
    pub store: Option<DatabaseConfig>,
    /// How databases are reached, wherever the home is now.
    pub store_access: StoreAccess,
}

/// A configuration, and where each value comes from.
#[derive(Clone, Debug)]
pub struct LayeredConfig {
    /// The configuration itself.
    pub config: Config,
    /// All keys with their effective values, in the order of the table of keys.
    pub in_force: Vec<EffectiveSetting>,
    /// Environment variables that begin with `POSTBOARD_` but name no key.
    pub unknown_variables: Vec<String>,
}

/// How the outbox is emptied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Deliver {
    /// Not at all: mails stay in the outbox.
    #[default]
    Nothing,
    /// By SMTP to a mail server.
    Smtp {
        /// Its host name.
        host: String,
        /// Its port.
        port: u16,
        /// `none`, `starttls` or `tls`.
        tls: Tls,
        /// The user name to log in with.
        user: Option<String>,
        /// The file whose first line is the password.
        password_file: Option<String>,
    },
    /// By the sendmail program.
    Sendmail {
        /// The program. By default, `sendmail` is searched for.
        command: Option<String>,
    },
    /// Into Maildirs. `{local}` and `{address}` in the path are replaced by the recipient's.
    Maildir {
        /// The Maildir.
        path: String,
    },
    /// Into a folder of .eml files.
    Folder {
        /// The folder.
        path: String,
    },
}

/// How many letters the domain of a recipient gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainLimits {
    /// The most letters in a minute; none for no limit.
    pub letters_a_minute: Option<NonZeroU32>,
    /// How many failures in a row make it wait.
    pub failures: NonZeroU32,
}

impl Default for DomainLimits {
    fn default() -> Self {
        Self { letters_a_minute: None, failures: DOMAIN_FAILURES }
    }
}

/// How a connection to a mail server is encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tls {
    /// Not encrypted, for a server on this machine.
    #[default]
    None,
    /// By STARTTLS, which the server must offer.
    Starttls,
    /// From the first byte.
    Tls,
}

/// Where mails are collected besides the spool.
#[derive(Clone, Debug, Default)]
pub struct Collect {
    /// A Maildir. Its new mails are commands.
    pub maildir: Option<String>,
    /// An mbox file, which is only read.
    pub mbox: Option<String>,
}

/// Alerts to the operator, with the waiting times that cause them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The operator's address.
    pub to: Address,
    /// How long a mail may wait to be executed.
    pub mails_after: Span,
    /// How long a letter may fail to leave.
    pub letters_after: Span,
    /// How long a mail may have been put aside.
    pub parked_after: Span,
}

/// The backup that `run` makes every night.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NightlyBackup {
    /// The folder of the backups.
    pub folder: String,
    /// The hour of UTC at which it begins.
    pub hour: u32,
    /// How many backups are kept, besides the whole ones that they need to be restored.
    pub keep: usize,
    /// After how many days a backup is whole again; between, they contain only changes.
    pub whole_every: u32,
    /// The bucket to which each is copied.
    pub bucket: Option<BucketAddress>,
}

/// The section `[backup]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupConfig {
    /// The keys to which every backup is encrypted.
    pub keys: Vec<BackupKey>,
    /// The backup of each night, if a folder is named.
    pub nightly: Option<NightlyBackup>,
}

/// Limits for all users.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Whether anybody may sign up, by mail or in a browser, and play as a guest.
    pub signup: bool,
    /// The most mails to one address in a day.
    pub mails_a_day: NonZeroU32,
    /// The most moves at its highest level that the program makes for one mail.
    pub program_moves: NonZeroU32,
    /// The most mails in `spool/bad`.
    pub bad_mails: NonZeroU32,
    /// The most megabytes in `spool/bad`.
    pub bad_megabytes: NonZeroU32,
    /// How many days bad mails of strangers are kept.
    pub bad_days: NonZeroU32,
    /// How many days mails are kept that failed because of a bug in the program.
    pub parked_days: NonZeroU32,
    /// How many days the words of a report are kept after it was settled.
    pub report_days: NonZeroU32,
    /// How many days a file of the log is kept after its last line.
    pub log_days: NonZeroU32,
    /// The games in which an engine plays as `board5`.
    pub engine_games: Vec<&'static str>,
    /// How many answers an address gets.
    pub rate_limits: RateLimits,
}

impl Limits {
    /// Returns the limits of `spool/bad`.
    pub fn quarantine_limits(&self) -> QuarantineLimits {
        let count = usize::try_from(self.bad_mails.get()).unwrap_or(usize::MAX);
        QuarantineLimits { count, bytes: u64::from(self.bad_megabytes.get()) * 1_000_000 }
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
            parked_days: PARKED_DAYS,
            report_days: REPORT_DAYS,
            log_days: LOG_DAYS,
            engine_games: Vec::new(),
            rate_limits: RateLimits::default(),
        }
    }
}

const MAILS_A_DAY: NonZeroU32 = NonZeroU32::new(200).expect("not 0");
const PROGRAM_MOVES: NonZeroU32 = NonZeroU32::new(program::MOST_MOVES).expect("not 0");
const REPORT_DAYS: NonZeroU32 = NonZeroU32::new(365).expect("not 0");
const PARKED_DAYS: NonZeroU32 = NonZeroU32::new(365).expect("not 0");
const LOG_DAYS: NonZeroU32 = NonZeroU32::new(60).expect("not 0");
const BAD_MAILS: NonZeroU32 = NonZeroU32::new(1_000).expect("not 0");
const BAD_MEGABYTES: NonZeroU32 = NonZeroU32::new(50).expect("not 0");
const BAD_DAYS: NonZeroU32 = NonZeroU32::new(30).expect("not 0");
const LATE_MINUTES: u32 = 60;
const DOMAIN_FAILURES: NonZeroU32 = NonZeroU32::new(10).expect("not 0");

/// The commented configuration that `init` writes.
pub const SAMPLE: &str = include_str!("../data/postboard.toml");
/// The default of the waiting times under `[alert]`.
const ALERT_MINUTES: u32 = 60;

fn alert(section: &Section) -> Result<Option<Alert>, ConfigError> {
    let to = section.text("to")?;
    let span = |key| -> Result<Span, ConfigError> {
        section.whole(key, 1..=100_000, ALERT_MINUTES).map(|number| minutes(i64::from(number)))
    };
    let (mails_after, letters_after) = (span("mails_minutes")?, span("letters_minutes")?);
    let parked_after = span("parked_minutes")?;
    let Some(to) = to else { return Ok(None) };
    let Some(address) = Address::parse(to.get_ref()) else {
        let what = format!("to = \"{}\" is not a mail address", to.get_ref());
        return Err(ConfigError::at(&to, what));
    };
    Ok(Some(Alert { to: address, mails_after, letters_after, parked_after }))
}

fn backup(section: &Section) -> Result<BackupConfig, ConfigError> {
    let folder = section.path("folder")?;
    let hour = section.whole("hour", 0..=23, 3)?;
    let keep = section.whole("keep", 1..=10_000, 14)?;
    let keep = usize::try_from(keep).unwrap_or(usize::MAX);
    let whole_every = section.whole("whole_every", 1..=366, 1)?;
    let keys = section.list("recipients", &|text: &str| {
        text.parse::<BackupKey>().map_err(|why| format!("recipients: \"{text}\" {why}"))
    })?;
    let shown = keys.iter().map(|key| toml::Value::from(key.to_string())).collect();
    section.note("recipients", Some(toml::Value::Array(shown)));
    let bucket = bucket(section, folder.is_some() && !keys.is_empty())?;
    let nightly = folder.map(|folder| NightlyBackup { folder, hour, keep, whole_every, bucket });
    Ok(BackupConfig { keys, nightly })
}

/// Reads the bucket to which backups are copied. `may_copy` tells whether backups are made, and encrypted.
fn bucket(section: &Section, may_copy: bool) -> Result<Option<BucketAddress>, ConfigError> {
    let url = section.text("bucket")?;
    let region = section.text_or("region", "us-east-1")?;
    let credentials_file = section.path("credentials_file")?;
    let Some(url) = url else { return Ok(None) };
    if !may_copy {
        let what = "`bucket` needs `folder`, where backups are made first, and `recipients`, to which they are \
                    encrypted";
        return Err(ConfigError::at(&url, what.into()));
    }
    let Some(credentials_file) = credentials_file else {
        let what = "`bucket` needs `credentials_file`: the id of an access key, and in the next line its secret";
        return Err(ConfigError::at(&url, what.into()));
    };
    Ok(Some(BucketAddress { url: url.into_inner(), region, credentials_file }))
}

const LOGS: [(&str, LogTo); 3] =
    [("file", LogTo::File), ("stderr", LogTo::Stderr), ("journald", LogTo::Journald)];

fn log(section: &Section) -> Result<LogStyle, ConfigError> {
    let to = section.choice("to", &LOGS, LogTo::File)?;
    let is_json = section.choice("format", &[("text", false), ("json", true)], false)?;
    Ok(LogStyle { to, is_json })
}

impl Config {
    fn from_layers<'a>(layers: &'a Layers<'a>, root: &'a DeTable<'a>) -> Result<Self, ConfigError> {
        let section = |name| Section::read(layers, root, name);
        let top = section("")?;
        let Some(address) = top.text("address")? else {
            let what = "`address` is missing: the address that players write to";
            return Err(ConfigError::missing(what.into()));
        };
        if Address::parse(address.get_ref()).is_none() {
            let what = format!("address = \"{}\" is not a mail address", address.get_ref());
            return Err(ConfigError::at(&address, what));
        }
        let authserv_id = top.text("authserv_id")?;
        let is_odd = |c: char| !c.is_ascii_graphic() || "();=\"\\".contains(c);
        if let Some(id) = authserv_id.as_ref().filter(|id| {
            let id = id.get_ref();
            id.is_empty() || id.contains(is_odd)
        }) {
            let what = format!("authserv_id = \"{}\" is not a server name", id.get_ref());
            return Err(ConfigError::at(id, what));
        }
        let limits = section("limits")?;
        let usual = Limits::default();
        let collect = section("collect")?;
        let out = section("deliver")?;
        let engines = engines::read(&section("engines")?)?;
        let (database, store_access) = store::read(&section("store")?)?;
        Ok(Self {
            address: address.into_inner(),
            name: top.text_or("name", "Postboard")?,
            plus: top.flag("plus", false)?,
            authserv_id: authserv_id.map(Spanned::into_inner),
            deliver: deliver::read(&out)?,
            late_after: minutes(i64::from(out.whole("late_minutes", 1..=100_000, LATE_MINUTES)?)),
            domain_limits: deliver::domain_limits(&out)?,
            imap: imap::read(&section("imap")?)?,
            collect: Collect { maildir: collect.path("maildir")?, mbox: collect.path("mbox")? },
            limits: Limits {
                signup: limits.flag("signup", usual.signup)?,
                mails_a_day: limits.count("mails_a_day", usual.mails_a_day)?,
                program_moves: limits.count("program_moves", usual.program_moves)?,
                bad_mails: limits.count("bad_mails", usual.bad_mails)?,
                bad_megabytes: limits.count("bad_megabytes", usual.bad_megabytes)?,
                bad_days: limits.count("bad_days", usual.bad_days)?,
                parked_days: limits.count("parked_days", usual.parked_days)?,
                report_days: limits.count("report_days", usual.report_days)?,
                log_days: limits.count("log_days", usual.log_days)?,
                engine_games: engines.programs.iter().map(|program| program.game).collect(),
                ..usual
            },
            alert: alert(&section("alert")?)?,
            backup: backup(&section("backup")?)?,
            dns: dns::read(&section("dns")?)?,
            engines,
            log: log(&section("log")?)?,
            web: web::read(&section("web")?)?,
            store: database.map(|url| store_access.database(url)),
            store_access,
        })
    }

    /// Parses a configuration.
    ///
    /// # Errors
    /// The first mistake, in one line that begins with its line number.
    pub fn read(text: &str) -> Result<Self, String> {
        Self::layered(text, &ProcessEnv::default()).map(|layered| layered.config)
    }

    /// Parses a configuration and applies the environment to it.
    ///
    /// # Errors
    /// The first mistake, in one line that begins with its place.
    pub fn layered(text: &str, env: &ProcessEnv) -> Result<LayeredConfig, String> {
        let mut layers = Layers::new(text);
        let root =
            DeTable::parse(text).map_err(|error| ConfigError::from(error).message(&layers))?;
        let mut root = root.into_inner();
        layers.put(&mut root, env);
        let config = Self::from_layers(&layers, &root).map_err(|wrong| wrong.message(&layers))?;
        drop(root);
        let unknown_variables = layers::unknown_variables(env);
        Ok(LayeredConfig { config, in_force: layers.in_force(), unknown_variables })
    }

    /// Returns the server's name and address in mails.
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
    use std::net::{IpAddr, SocketAddr};
    use std::path::Path;

    #[test]
    fn the_sample_is_valid() {
        assert_eq!(Config::read(SAMPLE).unwrap().identity().name.as_str(), "Postboard");
    }

    #[test]
    fn the_sample_names_every_key() {
        for (section, key, _) in keys::all() {
            let title = if section.is_empty() { "\n".into() } else { format!("[{section}]") };
            let words = SAMPLE.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            assert!(SAMPLE.contains(&title) && words.clone().any(|it| it == key), "{title} {key}");
        }
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let error = Config::read("address = \"a@b.example\"\nadress = 3\n").unwrap_err();
        assert!(error.contains("line 2") && error.contains("adress"), "{error}");
        assert!(
            Config::read("address = \"nobody\"\n").unwrap_err().contains("is not a mail address")
        );
        assert!(Config::read("plus = true\n").unwrap_err().contains("`address` is missing"));
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of keys")]
    fn every_key_that_is_known_is_read() {
        let text = "address = \"a@b.example\"\nname = \"N\"\nplus = true\nauthserv_id = \"mx\"\n\
                    [limits]\nsignup = false\nmails_a_day = 7\nprogram_moves = 8\nbad_mails = 9\n\
                    bad_megabytes = 10\nbad_days = 11\nreport_days = 12\n\
                    log_days = 13\nparked_days = 14\n[collect]\nmaildir = \"/m\"\n\
                    mbox = \"/b\"\n[deliver]\nby = \"smtp\"\nhost = \"mx.example\"\nport = 587\n\
                    tls = \"starttls\"\nuser = \"u\"\npassword_file = \"/p\"\nlate_minutes = 5\n\
                    domain_mails_a_minute = 20\ndomain_failures = 4\n\
                    [web]\naddress = \"https://games.example/\"\nproxies = [\"10.0.0.1\"]\n\
                    certificate = \"/c\"\nkey = \"/k\"\nmetrics_token_file = \"/t\"\nconnections = 300\n\
                    connections_of_one_place = 30\n[store]\n\
                    url = \"postgres://me@db.example/games\"\npassword_file = \"/w\"\n\
                    lease_seconds = 9\n[log]\nto = \"stderr\"\nformat = \"json\"\n\
                    [alert]\nto = \"o@b.example\"\nmails_minutes = 1\nletters_minutes = 2\n\
                    parked_minutes = 3\n[dns]\nserver = \"10.0.0.2\"\ndkim_selector = \"s1\"\n\
                    [engines]\nbackgammon = \"/g\"\nchess = \"/s -x  y\"\ngo = \"/o\"\n\
                    nodes = 5\nseconds = 6\nmemory_megabytes = 70\n\
                    [imap]\nhost = \"imap.example\"\nport = 994\ntls = \"starttls\"\nuser = \"u\"\n\
                    password_file = \"/i\"\nmailbox = \"Games\"\nafter = \"move\"\n\
                    move_to = \"Old\"\n[backup]\nfolder = \"/backups\"\nhour = 4\nkeep = 7\nwhole_every = 6\n\
                    recipients = [\"age1yhm4gctwfmrpz87tdslm550wrx6m79y9f2hdzt0lndjnehwj0ukqrjpyx5\"]\n\
                    bucket = \"https://s3.example/b\"\nregion = \"eu\"\ncredentials_file = \"/s3\"\n";
        let config = Config::read(text).unwrap();
        assert_eq!(config.identity().name.as_str(), "N");
        assert!(config.plus && !config.limits.signup);
        assert_eq!(config.authserv_id.as_deref(), Some("mx"));
        assert_eq!((config.limits.mails_a_day.get(), config.late_after), (7, minutes(5)));
        let DatabaseConfig { url, password_file, lease } = config.store.unwrap();
        assert_eq!((&*url, lease.as_secs()), ("postgres://me@db.example/games", 9));
        assert_eq!(password_file.as_deref(), Some(Path::new("/w")));
        let Limits { program_moves, bad_days, parked_days, report_days, log_days, .. } =
            config.limits;
        assert_eq!(parked_days.get(), 14);
        assert_eq!((program_moves.get(), bad_days.get()), (8, 11));
        assert_eq!((report_days.get(), log_days.get()), (12, 13));
        assert_eq!(
            config.limits.quarantine_limits(),
            QuarantineLimits { count: 9, bytes: 10_000_000 }
        );
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
        let limits = (NonZeroU32::new(20), NonZeroU32::new(4).unwrap());
        let DomainLimits { letters_a_minute, failures } = config.domain_limits;
        assert_eq!((letters_a_minute, failures), limits);
        let web = WebConfig {
            address: Some("https://games.example".into()),
            proxies: vec![IpAddr::from([10, 0, 0, 1])],
            tls: Some(TlsFiles { certificate: "/c".into(), key: "/k".into() }),
            metrics_token_file: Some("/t".into()),
            bounds: WebLimits { connections: 300, per_network: 30, ..WebLimits::default() },
            has_local_push: false,
        };
        assert_eq!(config.web, web);
        let to = Address::parse("o@b.example").unwrap();
        let (mails_after, letters_after, parked_after) = (minutes(1), minutes(2), minutes(3));
        assert_eq!(config.alert, Some(Alert { to, mails_after, letters_after, parked_after }));
        let server = Some(SocketAddr::from(([10, 0, 0, 2], 53)));
        let EnginesConfig { programs, limits } = &config.engines;
        let words: Vec<_> = programs.iter().map(|it| (it.game, it.command.join("|"))).collect();
        let want = [("backgammon", "/g"), ("chess", "/s|-x|y"), ("go", "/o")];
        assert_eq!(words, want.map(|(game, words)| (game, words.to_owned())));
        assert_eq!((limits.nodes, limits.answer.as_secs(), limits.memory), (5, 6, 70 << 20));
        assert_eq!(config.limits.engine_games, ["backgammon", "chess", "go"]);
        assert_eq!(config.dns, DnsConfig { server, dkim_selector: Some("s1".into()) });
        assert_eq!(config.log, LogStyle { to: LogTo::Stderr, is_json: true });
        let imap = ImapConfig {
            host: "imap.example".into(),
            port: 994,
            tls: Tls::Starttls,
            user: "u".into(),
            secret: ImapSecret::PasswordFile("/i".into()),
            mailbox: "Games".into(),
            after: AfterIntake::Move("Old".into()),
        };
        assert_eq!(config.imap, Some(imap));
        let bucket = BucketAddress {
            url: "https://s3.example/b".into(),
            region: "eu".into(),
            credentials_file: "/s3".into(),
        };
        let bucket = Some(bucket);
        let folder = "/backups".into();
        let backup = NightlyBackup { folder, hour: 4, keep: 7, whole_every: 6, bucket };
        assert_eq!(config.backup.nightly, Some(backup));
        let key = "age1yhm4gctwfmrpz87tdslm550wrx6m79y9f2hdzt0lndjnehwj0ukqrjpyx5";
        assert_eq!(config.backup.keys, [key.parse().unwrap()]);
        let of = |rest: &str| Config::read(&format!("address = \"a@b.example\"\n{rest}")).unwrap();
        assert_eq!(of("").domain_limits, DomainLimits::default());
        let sendmail = of("[deliver]\nby = \"sendmail\"\ncommand = \"/usr/sbin/sendmail\"");
        assert_eq!(
            sendmail.deliver,
            Deliver::Sendmail { command: Some("/usr/sbin/sendmail".into()) }
        );
        let token = |key: &str| {
            let text = format!("[imap]\nhost = \"imap.example\"\nuser = \"u\"\n{key}");
            of(&text).imap.unwrap()
        };
        let ImapConfig { port, tls, secret, mailbox, after, .. } = token("token_file = \"/t\"");
        assert_eq!((port, tls, &*mailbox, after), (993, Tls::Tls, "INBOX", AfterIntake::Delete));
        assert_eq!(secret, ImapSecret::TokenFile("/t".into()));
        let command = token("token_command = \"/usr/bin/token  me\"").secret;
        let words = ["/usr/bin/token", "me"].map(String::from).to_vec();
        assert_eq!(command, ImapSecret::TokenCommand(words));
        // One of these texts contains every key of the table.
        let texts = [text, "command = ", "path = ", "token_file = ", "token_command = "].concat();
        for (_, key, _) in keys::all() {
            assert!(texts.contains(&format!("{key} = ")), "{key}");
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn every_error_is_one_line_with_its_number() {
        for (rest, want) in [
            (
                "plus = yes",
                "line 2: invalid TOML: string values must be quoted, expected literal string; \
                 quote text, as in name = \"Postboard\"; numbers, true and",
            ),
            ("plus = ", "line 2: invalid TOML: "),
            ("plus = \"true\"", "line 2: `plus` must be true or false, without quotes"),
            ("name = 3", "line 2: `name` must be text in quotes"),
            ("plsu = true", "line 2: unknown key `plsu`; did you mean `plus`?"),
            ("colour = 1", "line 2: unknown key `colour`; the keys are address, name, plus,"),
            ("mails_a_day = 3", "line 2: unknown key `mails_a_day`; it belongs in [limits]"),
            ("deliver = \"smtp\"", "line 2: `deliver` is a section: write `[deliver]` on a line"),
            ("[delivr]\nby = \"smtp\"", "line 2: unknown key `delivr`; did you mean `deliver`?"),
            (
                "[deliver]\nby = \"nothing\"\nhots = \"x\"",
                "line 4: unknown key `hots` in [deliver]; did you mean `host`?",
            ),
            (
                "[deliver]\nplus = true",
                "line 3: unknown key `plus` in [deliver]; it belongs above all sections",
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
                "line 4: host = \"smtp://mx:25\" is not the name of a mail server",
            ),
            ("[deliver]\nby = \"smtp\"\nhost = \"\"", "line 4: host = \"\" is not the name"),
            (
                "[deliver]\nby = \"smtp\"\npassword_file = \"/etc/secret\"",
                "line 4: `password_file` requires `user`",
            ),
            (
                "[deliver]\nby = \"sendmail\"\ncommand = \"bin/sendmail\"",
                "line 4: command = \"bin/sendmail\" must be absolute, or the name of a program",
            ),
            (
                "[deliver]\nlate_minutes = 0",
                "line 3: `late_minutes` must be a whole number from 1 to 100000",
            ),
            (
                "authserv_id = \"mx; dmarc=pass\"",
                "line 2: authserv_id = \"mx; dmarc=pass\" is not a server name",
            ),
            ("authserv_id = \"\"", "line 2: authserv_id = \"\" is not a server name"),
            (
                "[limits]\nsing_up = true",
                "line 3: unknown key `sing_up` in [limits]; did you mean `signup`?",
            ),
            ("[limits]\nmails_a_day = 0", "line 3: `mails_a_day` must be a whole number from 1 to"),
            ("[limits]\nvalves = 0", "line 3: unknown key `valves` in [limits]; the keys are"),
            ("[limits]\nprogram_moves = 0", "line 3: `program_moves` must be a whole number from"),
            ("[limits]\nbad_days = 0", "line 3: `bad_days` must be a whole number from"),
            (
                "[engines]\nchess = \"stockfish\"",
                "line 3: chess = \"stockfish\" must begin with the absolute path of a program",
            ),
            ("[engines]\nreversi = \"/x\"", "line 3: unknown key `reversi` in [engines]; the keys"),
            ("[engines]\nseconds = 0", "line 3: `seconds` must be a whole number from 1 to 60"),
            (
                "[limits]\nbad_mail = 9",
                "line 3: unknown key `bad_mail` in [limits]; did you mean `bad_mails`?",
            ),
        ] {
            let error = Config::read(&format!("address = \"a@b.example\"\n{rest}\n")).unwrap_err();
            assert!(error.starts_with(want) && !error.contains('\n'), "{rest}: {error}");
        }
    }

    #[test]
    fn errors_of_a_mailbox_are_lines_with_their_numbers() {
        let begin = "[imap]\nhost = \"imap.example\"\n";
        for (rest, want) in [
            ("[imap]\nuser = \"u\"".to_owned(), "line 3: it requires `host`, which is missing"),
            (
                "[imap]\nhost = \"imap://x\"".into(),
                "line 3: host = \"imap://x\" is not the name of a",
            ),
            (begin.into(), "line 3: `host` requires `user`"),
            (format!("{begin}user = \"u\""), "line 4: `user` requires exactly one of"),
            (
                format!("{begin}user = \"u\"\npassword_file = \"/p\"\ntoken_file = \"/t\""),
                "line 4: `user` requires exactly one of",
            ),
            (
                format!("{begin}user = \"u\"\ntoken_command = \"token me\""),
                "line 5: token_command = \"token me\" must begin with the absolute path",
            ),
            (
                format!("{begin}user = \"u\"\npassword_file = \"/p\"\nafter = \"move\""),
                "line 3: `after` = \"move\" requires `move_to`",
            ),
            (
                format!("{begin}user = \"u\"\npassword_file = \"/p\"\nmove_to = \"Old\""),
                "line 6: `move_to` belongs to after = \"move\"",
            ),
            (
                format!("{begin}user = \"u\"\npassword_file = \"/p\"\nmailbox = \"K\u{f6}rbe\""),
                "line 6: `mailbox` must be ASCII",
            ),
            (
                format!("{begin}user = \"u\"\npassword_file = \"/p\"\nafter = \"keep\""),
                "line 6: after = \"keep\" is not one of \"delete\", \"move\", \"seen\"",
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
                "line 3: address = \"games.example\" is not the address of a site, such as",
            ),
            (
                "[web]\naddress = \"https://games.example/boards\"",
                "line 3: address = \"https://games.example/boards\" is not the address of a site",
            ),
            ("[web]\nproxies = \"10.0.0.1\"", "line 3: `proxies` must be a list of addresses"),
            ("[web]\nproxies = [\"me\"]", "line 3: proxies: \"me\" is not an IP address"),
            ("[web]\nproxies = [\n3]", "line 4: proxies: write addresses in quotes, such as"),
            ("[web]\nproxies = [\"10.0.0.0/8\"]", "line 3: proxies: \"10.0.0.0/8\" is not an IP"),
            ("[web]\naddress = 8080", "line 3: `address` must be text in quotes"),
            (
                "[web]\naddress = \"ftp://games.example\"",
                "line 3: address = \"ftp://games.example\"",
            ),
            ("[web]\nkey = \"/k\"", "line 3: `key` requires `certificate`"),
            ("[web]\n\ncertificate = \"/c\"", "line 4: `certificate` requires `key`"),
            (
                "[web]\ncertificate = \"chain.pem\"\nkey = \"/k\"",
                "line 3: certificate = \"chain.pem\" must be an absolute path",
            ),
            (
                "[web]\ncertificate = \"/c\"\nkey = \"key.pem\"",
                "line 4: key = \"key.pem\" must be an absolute path",
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
                "line 3: unknown key `listen` in [web]; the keys are address, ",
            ),
            (
                "[web]\nadress = \"x\"",
                "line 3: unknown key `adress` in [web]; did you mean `address`",
            ),
            ("[web]\nport = 8080", "line 3: unknown key `port` in [web]; it belongs in [deliver]"),
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
            assert!(
                error.starts_with("line 3: ") && error.contains("must be an absolute path"),
                "{error}"
            );
            let (before, after) = rest.split_once("= \"").unwrap();
            read(&format!("{before}= \"/{after}")).unwrap();
        }
    }
}
