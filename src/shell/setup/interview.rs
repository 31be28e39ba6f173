//! `setup`: asks at most five questions, writes the configuration, tells or does what the mail server and
//! systemd need, and tries everything with a mail that is answered by what will run.
//!
//! Root does not work in the home: the parts that write or try it run as its owner, in another process.

use super::answers::{Answers, DeliverAnswer};
use super::providers::{ImapServer, Provider, SmtpServer};
use super::service::Service;
use super::trial::{Executor, send_test_mail};
use crate::base::ids::UserId;
use crate::config::{Config, Deliver, SAMPLE};
use crate::mail::Address;
use crate::post::administration::{self, has_systemd, is_active};
use crate::post::{MailServer, MailServerSetup};
use crate::server::repair::read_user;
use crate::shell::cli::{ActOptions, Door, ModerateJob, SetupJob, SetupStep, UserJob};
use crate::shell::home as homes;
use crate::shell::repairs::user::userid_of;
use crate::shell::repairs::{moderation, user};
use crate::shell::settings;
use crate::shell::setup::init;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::owner::Owner;
use crate::store::{operator_files, settings as files};
use std::env;
use std::io::ErrorKind;
use std::path::Path;

/// The file in the home with the password of a mailbox.
const PASSWORD: &str = "mail-password";

/// The user whose home it is, if root makes one.
const USER: &str = "postboard";

/// Asks, writes and tries.
pub(crate) fn run(home: &Path, job: SetupJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    let owner = other_owner(home, &job)?;
    let state = configuration_state(home)?;
    let answers = match state {
        ConfigurationState::Written => None,
        ConfigurationState::Missing | ConfigurationState::Sample => {
            Some(ask_all(home, &job, machine)?)
        }
    };
    match job.step {
        Some(SetupStep::Write) => {
            write(home, state, answers, machine)?;
            return Ok(Exit::Done);
        }
        Some(SetupStep::Try) => return attempt(home, &job, Executor::Here, machine),
        Some(SetupStep::TryServed) => return attempt(home, &job, Executor::Service, machine),
        None => {}
    }
    let own = answers.as_ref().map(|answers| answers.own.clone());
    match &owner {
        None => write(home, state, answers, machine)?,
        Some(owner) => write_as(owner, home, answers, machine)?,
    }
    let config = settings::load(home)?;
    let own = own.unwrap_or_else(|| {
        let alert = config.alert.as_ref().map(|alert| alert.to.to_string());
        job.own_address.clone().or(alert)
    });
    let executor = prepare_machine(home, &config, job.apply, machine)?;
    machine.out.flush()?;
    let job = SetupJob { own_address: own, ..job };
    match &owner {
        None => attempt(home, &job, executor, machine),
        Some(owner) => attempt_as(owner, home, &job, executor),
    }
}

/// What a home has as its configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConfigurationState {
    Missing,
    /// The sample that a package installs, which nobody has edited yet.
    Sample,
    Written,
}

fn configuration_state(home: &Path) -> Result<ConfigurationState, CommandError> {
    match files::read(home) {
        Ok(text) if text == SAMPLE => Ok(ConfigurationState::Sample),
        Ok(_) => Ok(ConfigurationState::Written),
        Err(fault) if fault.source.kind() == ErrorKind::NotFound => Ok(ConfigurationState::Missing),
        Err(fault) => Err(fault.into()),
    }
}

/// Returns the user as whom root works in the home.
fn other_owner(home: &Path, job: &SetupJob) -> Result<Option<Owner>, CommandError> {
    if Owner::current().uid != 0 {
        if job.apply {
            let why = "--apply changes the mail server and systemd: run `setup` as root";
            return Err(CommandError::Usage(why.into()));
        }
        return Ok(None);
    }
    let of_home = Owner::nearest(home).filter(|(place, _)| place == home).map(|(_, owner)| owner);
    if of_home.is_none() && job.apply && Owner::named(USER).is_none() {
        administration::run_in_shell(&format!(
            "useradd --system --home-dir /var/lib/postboard --shell /usr/sbin/nologin {USER}"
        ))?;
    }
    Ok(of_home.or_else(|| Owner::named(USER)).filter(|owner| owner.uid != 0))
}

/// Asks the questions that no option answers: at most five.
fn ask_all(home: &Path, job: &SetupJob, machine: &mut Machine) -> Result<Answers, CommandError> {
    let door = match job.door {
        Some(door) => door,
        None => ask_door(machine)?,
    };
    let mut asked = Interview { home, job, machine };
    let answers = match door {
        Door::Server => asked.server()?,
        Door::Mailbox => asked.mailbox()?,
        Door::Web => asked.web()?,
    };
    // Check first, so that a wrong answer leaves no home behind.
    let is_wrong = |why| CommandError::Usage(format!("invalid configuration: {why}"));
    answers.configuration().map_err(is_wrong)?;
    if let Some(own) = &answers.own
        && Address::parse(own).is_none()
    {
        return Err(CommandError::Usage(format!("`{own}` is not a mail address")));
    }
    answers.administrator.as_deref().map(userid_of).transpose()?;
    Ok(answers)
}

fn ask_door(machine: &mut Machine) -> Result<Door, CommandError> {
    let words: Vec<&str> = Door::ALL.iter().map(|door| door.word()).collect();
    let usual =
        if MailServer::installed_below(Path::new("/")).is_some() { "server" } else { "web" };
    let question = format!(
        "How do players reach the server: by a mail server of yours, by a mailbox at a provider, or by the \
         web only ({})",
        words.join(", ")
    );
    let word = ask(&question, usual, "--door", machine)?;
    Door::ALL
        .into_iter()
        .find(|door| door.word() == word)
        .ok_or_else(|| CommandError::Usage(format!("`{word}` is not one of {}", words.join(", "))))
}

/// The questions of each door.
struct Interview<'a, 'm> {
    home: &'a Path,
    job: &'a SetupJob,
    machine: &'a mut Machine<'m>,
}

impl Interview<'_, '_> {
    fn server(&mut self) -> Result<Answers, CommandError> {
        let address = self.address("The address that players write to")?;
        Ok(Answers {
            door: Door::Server,
            name: self.name()?,
            site: self.job.site.clone().filter(|site| !site.is_empty()),
            plus: self.job.plus.unwrap_or(true),
            deliver: DeliverAnswer::By(self.job.by.clone().unwrap_or_else(|| "smtp".into())),
            own: self.own()?,
            administrator: self.administrator()?,
            password: None,
            address,
        })
    }

    fn mailbox(&mut self) -> Result<Answers, CommandError> {
        let address = self.address("The address of the mailbox, which players write to")?;
        let provider = Provider::of(&address);
        let (password_file, password) = if let Some(file) = &self.job.password_file {
            (std::path::absolute(file)?, self.handed_over()?)
        } else {
            let SmtpServer { host, port, .. } = &provider.smtp;
            let ImapServer { host: imap, port: imap_port, .. } = &provider.imap;
            let out = &mut self.machine.out;
            writeln!(
                out,
                "{}: mails come from {imap}:{imap_port} and leave by {host}:{port}.",
                provider.name
            )?;
            writeln!(out, "{}", provider.note)?;
            let password = ask("The password", "", "--password-file", self.machine)?;
            (std::path::absolute(self.home)?.join(PASSWORD), Some(password))
        };
        let password_file = password_file.display().to_string();
        Ok(Answers {
            door: Door::Mailbox,
            name: self.job.name.clone().unwrap_or_else(|| "Postboard".into()),
            site: self.job.site.clone().filter(|site| !site.is_empty()),
            plus: self.job.plus.unwrap_or(provider.plus),
            deliver: DeliverAnswer::Provider { provider, password_file },
            own: self.own()?,
            administrator: self.administrator()?,
            password,
            address,
        })
    }

    /// Returns the password that root's process hands over to the one that writes the home.
    fn handed_over(&mut self) -> Result<Option<String>, CommandError> {
        if self.job.step != Some(SetupStep::Write) {
            return Ok(None);
        }
        let mut line = String::new();
        self.machine.input.read_line(&mut line)?;
        Ok(Some(line.trim_end().to_owned()).filter(|line| !line.is_empty()))
    }

    fn web(&mut self) -> Result<Answers, CommandError> {
        let site = self.job.site.clone();
        let question = "The address of the site, as players see it";
        let site = self.given_or_ask(site, question, "http://127.0.0.1:8080", "--site")?;
        Ok(Answers {
            door: Door::Web,
            address: self.job.address.clone().unwrap_or_else(|| "postboard@localhost".into()),
            name: self.name()?,
            site: Some(site),
            plus: false,
            deliver: DeliverAnswer::By(self.job.by.clone().unwrap_or_else(|| "nothing".into())),
            own: self.job.own_address.clone().filter(|own| !own.is_empty()),
            administrator: self.administrator()?,
            password: None,
        })
    }

    fn address(&mut self, question: &str) -> Result<String, CommandError> {
        self.given_or_ask(self.job.address.clone(), question, "postboard@localhost", "--address")
    }

    fn name(&mut self) -> Result<String, CommandError> {
        let given = self.job.name.clone();
        self.given_or_ask(given, "The name shown with it", "Postboard", "--name")
    }

    fn own(&mut self) -> Result<Option<String>, CommandError> {
        let question = "Your own address, for alerts and a mail to try it (empty: none)";
        let own = self.given_or_ask(self.job.own_address.clone(), question, "", "--own-address")?;
        Ok(Some(own).filter(|own| !own.is_empty()))
    }

    fn administrator(&mut self) -> Result<Option<String>, CommandError> {
        let question = "Your userid, as a player and the first administrator (empty: none)";
        let given = self.job.administrator.clone();
        let userid = self.given_or_ask(given, question, "", "--administrator")?;
        Ok(Some(userid).filter(|userid| !userid.is_empty()))
    }

    fn given_or_ask(
        &mut self,
        given: Option<String>,
        question: &str,
        usual: &str,
        option: &str,
    ) -> Result<String, CommandError> {
        given.map_or_else(|| ask(question, usual, option, self.machine), Ok)
    }
}

/// Asks a question. An empty line means the default; the end of the input is no answer.
fn ask(
    question: &str,
    usual: &str,
    option: &str,
    machine: &mut Machine,
) -> Result<String, CommandError> {
    write!(machine.out, "{question} [{usual}]: ")?;
    machine.out.flush()?;
    let mut line = String::new();
    if machine.input.read_line(&mut line)? == 0 {
        writeln!(machine.out)?;
        let why = "the input has ended without an answer, and nothing was written";
        return Err(CommandError::Usage(format!("{why}: answer there, or with {option}")));
    }
    let line = line.trim();
    Ok(if line.is_empty() { usual } else { line }.to_owned())
}

/// Makes the home, or replaces its sample; then makes the administrator.
fn write(
    home: &Path,
    state: ConfigurationState,
    answers: Option<Answers>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let Some(answers) = answers else {
        writeln!(machine.out, "{} has a configuration; it stays as it is", home.display())?;
        return Ok(());
    };
    let text = answers.configuration().map_err(CommandError::Usage)?;
    if state == ConfigurationState::Sample {
        operator_files::write(&files::path(home), &text)?;
    } else {
        init::make(home, &text, machine)?;
    }
    if let (Some(password), DeliverAnswer::Provider { password_file, .. }) =
        (&answers.password, &answers.deliver)
    {
        operator_files::replace_secret(Path::new(password_file), &format!("{password}\n"))?;
    }
    let Some(userid) = &answers.administrator else { return Ok(()) };
    make_administrator(home, &userid_of(userid)?, answers.own, machine)
}

/// Makes a user an administrator, who is signed up unless they exist.
fn make_administrator(
    home: &Path,
    id: &UserId,
    address: Option<String>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let userid = id.to_string();
    if read_user(&*homes::read(home)?, id)?.is_none() {
        let addresses = address.into_iter().collect();
        user::run(
            home,
            UserJob::Add { userid: userid.clone(), addresses, generate: true },
            machine,
        )?;
    }
    let why = vec!["setup".to_owned()];
    moderation::moderate(home, ModerateJob::Appoint(ActOptions { subject: userid, why }), machine)?;
    Ok(())
}

/// Does the same as the owner of the home.
fn write_as(
    owner: &Owner,
    home: &Path,
    answers: Option<Answers>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let home = std::path::absolute(home)?;
    if let Some(folder) = home.parent() {
        administration::make_folder_for(owner, folder)?;
    }
    machine.out.flush()?;
    let (options, password) = match answers {
        Some(answers) => (answers.options(), answers.password.unwrap_or_default()),
        None => (Vec::new(), String::new()),
    };
    require_done(run_step(owner, &home, SetupStep::Write, &options, &password)?)
}

/// Runs a part of `setup` as the owner of the home. Returns its exit code.
fn run_step(
    owner: &Owner,
    home: &Path,
    step: SetupStep,
    options: &[String],
    input: &str,
) -> Result<i32, CommandError> {
    let step = match step {
        SetupStep::Write => "--step=write",
        SetupStep::Try => "--step=try",
        SetupStep::TryServed => "--step=try-served",
    };
    let mut words = vec![format!("--home={}", home.display()), "setup".into(), step.into()];
    words.extend_from_slice(options);
    Ok(administration::run_as(owner, &words, input)?)
}

/// The part that failed has said why.
fn require_done(code: i32) -> Result<(), CommandError> {
    if code == 0 { Ok(()) } else { Err(CommandError::Refused("nothing more was done".into())) }
}

/// Tells or does what the mail server and systemd need. Returns who will execute mails.
fn prepare_machine(
    home: &Path,
    config: &Config,
    apply: bool,
    machine: &mut Machine,
) -> Result<Executor, CommandError> {
    let home = std::path::absolute(home)?;
    let service = Service::of(&home).filter(|_| has_systemd());
    let mut commands = Vec::new();
    if let Some(mailbox) = &config.imap {
        let host = &mailbox.host;
        writeln!(
            machine.out,
            "\n`postboard run` reads the mailbox of {} at {host}.",
            mailbox.user
        )?;
    } else if has_mail(config) {
        commands.extend(prepare_mail_server(&home, config, service.as_ref(), machine)?);
    }
    if let Some(service) = &service {
        if apply && service.unit == "postboard.service" {
            let program = env::current_exe()?;
            administration::write_unit(&service.unit, &Service::text(&program))?;
        }
        // The socket is there before the first mail comes.
        commands.splice(0..0, service.commands());
    }
    if apply {
        for command in &commands {
            writeln!(machine.out, "# {command}")?;
            machine.out.flush()?;
            administration::run_in_shell(command)?;
        }
    } else if !commands.is_empty() {
        writeln!(machine.out, "\nRun this as root, or let `postboard setup --apply` do it:\n")?;
        for command in &commands {
            writeln!(machine.out, "  {command}")?;
        }
        writeln!(machine.out)?;
    }
    let is_served = service.is_some_and(|service| is_active(&service.unit));
    Ok(if is_served { Executor::Service } else { Executor::Here })
}

/// Returns whether mails leave, and so come in.
fn has_mail(config: &Config) -> bool {
    config.deliver != Deliver::Nothing
}

/// Tells what the mail server of this machine needs. Returns the commands for it.
fn prepare_mail_server(
    home: &Path,
    config: &Config,
    service: Option<&Service>,
    machine: &mut Machine,
) -> Result<Vec<String>, CommandError> {
    let address = config.identity().address.as_str().to_owned();
    let user = Owner::nearest(home).map_or_else(|| USER.into(), |(_, owner)| owner.name);
    let Some(server) = MailServer::installed_below(Path::new("/")) else {
        writeln!(
            machine.out,
            "\nNo mail server was found here that we know: have mails to {address} passed to \
             `postboard --home {} receive`, or name a Maildir under [collect].",
            home.display()
        )?;
        return Ok(Vec::new());
    };
    writeln!(machine.out, "\nThis machine has {}.", server.name())?;
    let socket = service.map(|service| &*service.socket);
    match server.setup(&address, home, &user, socket) {
        MailServerSetup::Commands(commands) => Ok(commands),
        MailServerSetup::Advice(advice) => {
            writeln!(machine.out, "{advice}")?;
            Ok(Vec::new())
        }
    }
}

/// Tries the home, as far as mails can leave it.
fn attempt(
    home: &Path,
    job: &SetupJob,
    executor: Executor,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let config = settings::load(home)?;
    if let Some(site) = &config.web.address {
        writeln!(machine.out, "The boards are at {site}/ while the server runs.")?;
    }
    if !has_mail(&config) {
        return Ok(Exit::Done);
    }
    let Some(own) = job.own_address.as_deref().and_then(Address::parse) else {
        writeln!(machine.out, "Nothing was tried: give your own address with --own-address")?;
        return Ok(Exit::Done);
    };
    send_test_mail(home, &config, &own, executor, job.patience, machine)
}

/// Does the same as the owner of the home.
fn attempt_as(
    owner: &Owner,
    home: &Path,
    job: &SetupJob,
    executor: Executor,
) -> Result<Exit, CommandError> {
    let home = std::path::absolute(home)?;
    let step = match executor {
        Executor::Here => SetupStep::Try,
        Executor::Service => SetupStep::TryServed,
    };
    let own = job.own_address.clone().unwrap_or_default();
    let options = [format!("--own-address={own}"), format!("--patience={}", job.patience)];
    Ok(if run_step(owner, &home, step, &options, "")? == 0 { Exit::Done } else { Exit::Refused })
}
