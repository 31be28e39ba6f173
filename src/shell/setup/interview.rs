//! `setup`: asks at most five questions, writes the configuration, prints or runs the commands that the mail
//! server and systemd need, and tries everything with a mail, which the service answers if it runs already.
//!
//! Root does not work in the home: the parts that write or try it run as its owner, in another process.

use super::mail_server::MailServerNeeds;
use super::service::Service;
use super::writing;
use crate::base::ids::UserId;
use crate::config::setup::{Answers, DeliverAnswer, Door, OR_NONE, Provider, Question};
use crate::config::{Config, Deliver, SAMPLE};
use crate::mail::Address;
use crate::model::moderation::docket_key;
use crate::model::world::World;
use crate::post::MailServer;
use crate::post::administration::{self, has_systemd, is_active};
use crate::server::repair::read_user;
use crate::shell::cli::{SetupJob, SetupStep};
use crate::shell::hidden_typing::HiddenTyping;
use crate::shell::home as homes;
use crate::shell::repairs::user::userid_of;
use crate::shell::run::{TrialOutcome, check_provider, try_in_terminal};
use crate::shell::settings;
use crate::shell::setup::init;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::Fault;
use crate::store::owner::Owner;
use crate::store::settings as files;
use std::collections::BTreeMap;
use std::env;
use std::io::ErrorKind;
use std::path::Path;

/// The user whose home it is, if root makes one.
pub(super) const USER: &str = "postboard";

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
        Some(SetupStep::Try) => return attempt(home, &job, false, machine),
        Some(SetupStep::TryServed) => return attempt(home, &job, true, machine),
        None => {}
    }
    let own = answers.as_ref().map(|answers| answers.own_address.clone());
    match &owner {
        None => write(home, state, answers, machine)?,
        Some(owner) => write_as(owner, home, answers, machine)?,
    }
    let config = settings::load(home)?;
    let own = own.unwrap_or_else(|| {
        let alert = config.alert.as_ref().map(|alert| alert.to.to_string());
        job.own_address.clone().or(alert)
    });
    let is_served = prepare_machine(home, &config, job.apply, machine)?;
    machine.out.flush()?;
    let job = SetupJob { own_address: own, ..job };
    match &owner {
        None => attempt(home, &job, is_served, machine),
        Some(owner) => attempt_as(owner, home, &job, is_served),
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
    let given = (Interview { door, job, machine }).given()?;
    let mut answers = Answers::new(door, &std::path::absolute(home)?, &given);
    answers.plus = job.plus.unwrap_or(answers.plus);
    match &mut answers.deliver {
        DeliverAnswer::By(by) => *by = job.by.clone().unwrap_or_else(|| std::mem::take(by)),
        DeliverAnswer::Provider { password_file, .. } => {
            if let Some(file) = &job.password_file {
                *password_file = std::path::absolute(file)?.display().to_string();
                answers.password = handed_over(job, machine)?;
            }
        }
    }
    // Check first, so that a wrong answer leaves no home behind.
    answers.check().map_err(|wrong| CommandError::Usage(wrong.why))?;
    Ok(answers)
}

fn ask_door(machine: &mut Machine) -> Result<Door, CommandError> {
    let words = Door::ALL.map(Door::word).join(", ");
    let [server, mailbox, web] = Door::ALL.map(Door::answer);
    let usual = usual_door().word();
    let question = format!("{}: {server}, {mailbox}, or {web} ({words})", Door::QUESTION);
    let word = ask(&question, usual, "--door", machine)?;
    Door::of(&word).ok_or_else(|| CommandError::Usage(format!("`{word}` is not one of {words}")))
}

/// Returns the door that fits this machine.
pub(crate) fn usual_door() -> Door {
    let server = MailServer::installed_below(Path::new("/"));
    if server.is_some() { Door::Server } else { Door::Web }
}

/// Returns the password that root's process hands over to the one that writes the home.
fn handed_over(job: &SetupJob, machine: &mut Machine) -> Result<Option<String>, CommandError> {
    if job.step != Some(SetupStep::Write) {
        return Ok(None);
    }
    let mut line = String::new();
    machine.input.read_line(&mut line)?;
    Ok(Some(line.trim_end().to_owned()).filter(|line| !line.is_empty()))
}

/// The questions of a door.
struct Interview<'a, 'm> {
    door: Door,
    job: &'a SetupJob,
    machine: &'a mut Machine<'m>,
}

impl Interview<'_, '_> {
    /// Returns the answers of options, and of the operator to the questions that no option answers.
    fn given(&mut self) -> Result<BTreeMap<Question, String>, CommandError> {
        let Self { door, job, .. } = *self;
        let options = [
            (Question::Address, &job.address),
            (Question::Name, &job.name),
            (Question::Site, &job.site),
            (Question::OwnAddress, &job.own_address),
            (Question::Administrator, &job.administrator),
        ];
        let options = options.into_iter().filter_map(|(it, word)| Some((it, word.clone()?)));
        let mut given: BTreeMap<Question, String> = options.collect();
        for question in door.questions() {
            let has_file = *question == Question::Password && job.password_file.is_some();
            if has_file || given.contains_key(question) {
                continue;
            }
            if *question == Question::Password {
                self.show_provider(&given)?;
            }
            let option = match question {
                Question::Password => "--password-file".to_owned(),
                other => format!("--{}", other.name()),
            };
            let none = if question.is_optional() { OR_NONE } else { "" };
            let words = format!("{}{none}", question.words(door));
            // Hidden before the question is there, so that no quick answer is shown.
            let terminal = self.machine.terminal.filter(|_| *question == Question::Password);
            let hidden = terminal.map(HiddenTyping::begin).transpose()?;
            given.insert(*question, ask(&words, question.usual(), &option, self.machine)?);
            drop(hidden);
        }
        Ok(given)
    }

    /// Shows what is known about the provider of the mailbox.
    fn show_provider(&mut self, given: &BTreeMap<Question, String>) -> Result<(), CommandError> {
        let provider = Provider::of(given.get(&Question::Address).map_or("", String::as_str));
        let [servers, note] = provider.login_notes();
        writeln!(self.machine.out, "{servers}\n{note}")?;
        Ok(())
    }
}

/// Asks a question. An empty line means the default; the end of the input is no answer.
fn ask(
    question: &str,
    usual: &str,
    option: &str,
    machine: &mut Machine,
) -> Result<String, CommandError> {
    let default = if usual.is_empty() { String::new() } else { format!(" [{usual}]") };
    write!(machine.out, "{question}{default}: ")?;
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

/// Makes the home with its administrator, then replaces the sample. Whatever interrupts this, the next run
/// asks again. An operator with an address of their own wants to know whether a mailbox works before anything
/// is written.
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
    if state == ConfigurationState::Missing {
        init::make(home, SAMPLE, machine)?;
    }
    if answers.own_address.is_some() {
        writing::with_password(&answers, || check(home, &answers))?;
    }
    writing::finish(home, &answers, || make_administrator(home, &answers, machine))?;
    Ok(())
}

/// Makes the administrator, or completes what an interrupted run has begun.
fn make_administrator(
    home: &Path,
    answers: &Answers,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let Some(userid) = &answers.administrator else { return Ok(()) };
    let id = userid_of(userid)?;
    if read_user(&*homes::read(home)?, &id)?.is_none() {
        writing::add_user(home, &id, answers.own_address.as_deref(), None, machine)?;
    } else {
        writeln!(
            machine.out,
            "{id} is a user here already; `postboard user password {id} --generate` replaces the password"
        )?;
    }
    if is_administrator(home, &id)? { Ok(()) } else { writing::appoint(home, &id, machine) }
}

fn is_administrator(home: &Path, id: &UserId) -> Result<bool, Fault> {
    let mut world = World::default();
    world.load(&[docket_key()], &*homes::read(home)?)?;
    // One that cannot be read is reported when somebody is appointed.
    Ok(world.docket().is_ok_and(|docket| docket.is_administrator(id)))
}

/// Checks that the provider of a mailbox lets the server in with these answers.
fn check(home: &Path, answers: &Answers) -> Result<(), CommandError> {
    let config = settings::parse_draft(home, &writing::configuration(answers)?)?;
    check_provider(home, &config).map_err(|why| {
        CommandError::Refused(format!(
            "{why}; nothing was set up: answer again, or leave out your own address to set it up untried"
        ))
    })
}

/// Does the work of [`write`] as the owner of the home.
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

/// Ends `setup` if a part failed, which has printed the reason.
fn require_done(code: i32) -> Result<(), CommandError> {
    if code == 0 { Ok(()) } else { Err(CommandError::Refused("nothing more was done".into())) }
}

/// Prints the commands that the mail server and systemd need, or runs them. Returns whether a service runs the
/// home.
fn prepare_machine(
    home: &Path,
    config: &Config,
    apply: bool,
    machine: &mut Machine,
) -> Result<bool, CommandError> {
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
        let needs = MailServerNeeds::of(&home, config, service.as_ref());
        writeln!(machine.out, "\n{}", needs.description)?;
        commands.extend(needs.commands);
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
    Ok(service.is_some_and(|service| is_active(&service.unit)))
}

/// Returns whether mails leave, and so come in.
fn has_mail(config: &Config) -> bool {
    config.deliver != Deliver::Nothing
}

/// Tries the home, as far as mails can leave it.
fn attempt(
    home: &Path,
    job: &SetupJob,
    is_served: bool,
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
    let outcome = try_in_terminal(home, &config, &own, is_served, job.patience, machine)?;
    writeln!(machine.out, "{outcome}")?;
    if let TrialOutcome::Lost { .. } = outcome {
        writeln!(
            machine.out,
            "`postboard doctor` and the log of the mail server say why; mend it, then run `postboard setup \
             --own-address {own}` again."
        )?;
    }
    Ok(if outcome.is_failure() { Exit::Refused } else { Exit::Done })
}

/// Does the work of [`attempt`] as the owner of the home.
fn attempt_as(
    owner: &Owner,
    home: &Path,
    job: &SetupJob,
    is_served: bool,
) -> Result<Exit, CommandError> {
    let home = std::path::absolute(home)?;
    let step = if is_served { SetupStep::TryServed } else { SetupStep::Try };
    let own = job.own_address.clone().unwrap_or_default();
    let options = [format!("--own-address={own}"), format!("--patience={}", job.patience)];
    Ok(if run_step(owner, &home, step, &options, "")? == 0 { Exit::Done } else { Exit::Refused })
}
