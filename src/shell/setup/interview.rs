//! `setup`: asks a few questions, writes the configuration, prints what the mail server needs, and
//! tries everything with a mail that goes out, comes in and is answered.

use crate::base::chance::RandomSource as _;
use crate::config::{Config, SAMPLE};
use crate::mail::Address;
use crate::post::{self, MailServer};
use crate::server::key_of;
use crate::shell::cli::SetupJob;
use crate::shell::home;
use crate::shell::mails::deliver::{self, ReportScope};
use crate::shell::mails::process::{self, MailSource};
use crate::shell::settings;
use crate::shell::setup::init;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::owner::Owner;
use crate::store::{ReceiptStatus, operator_files, settings as files};
use data_encoding::HEXLOWER;
use std::path::Path;
use toml::Value;

/// Asks, writes and tries.
pub(crate) fn run(home: &Path, job: SetupJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    let own = job.own_address.clone();
    let patience = job.patience;
    let written = files::read(home);
    let is_missing =
        written.as_ref().is_err_and(|it| it.source.kind() == std::io::ErrorKind::NotFound);
    // A package installs the sample, which nobody has edited yet.
    let is_sample = written.as_ref().is_ok_and(|text| text == SAMPLE);
    let own = if is_missing || is_sample {
        let (text, own) = ask_all(job, machine)?;
        if is_sample {
            operator_files::write(&files::path(home), &text)?;
        } else {
            init::make(home, &text, machine)?;
        }
        own
    } else {
        writeln!(machine.out, "{} has a configuration; it stays as it is", home.display())?;
        let alert = settings::load(home)?.alert;
        own.or_else(|| alert.map(|alert| alert.to.to_string()))
    };
    let config = settings::load(home)?;
    print_mail_server_setup(home, &config, machine)?;
    machine.out.flush()?;
    let Some(own) = own.as_deref().and_then(Address::parse) else {
        writeln!(machine.out, "Nothing was tried: give your own address with --own-address")?;
        return Ok(Exit::Done);
    };
    send_test_mail(home, &config, &own, patience, machine)
}

/// Asks the questions. Returns the configuration and the operator's address.
fn ask_all(job: SetupJob, machine: &mut Machine) -> Result<(String, Option<String>), CommandError> {
    let SetupJob { address, name, plus, by, own_address, .. } = job;
    let address =
        ask(address, "The address that players write to", "postboard@localhost", machine)?;
    let name = ask(name, "The name shown with it", "Postboard", machine)?;
    let question = "Does your mail server deliver ADDRESS+anything, too (true or false)";
    let plus = ask(plus.map(|plus| plus.to_string()), question, "true", machine)?;
    let question = "How do answers leave (sendmail, smtp for a server on this machine, nothing)";
    let by = ask(by, question, "sendmail", machine)?;
    let own = ask(own_address, "Your own address, for alerts and a mail to try it", "", machine)?;
    let quoted = |text: &str| Value::from(text).to_string();
    let mut text = SAMPLE
        .replace("address = \"postboard@localhost\"", &format!("address = {}", quoted(&address)))
        .replace("name = \"Postboard\"", &format!("name = {}", quoted(&name)))
        .replace("plus = false", &format!("plus = {plus}"))
        .replace("\nby = \"nothing\"", &format!("\nby = {}", quoted(&by)));
    if !own.is_empty() {
        text = text.replace("\n[alert]\n", &format!("\n[alert]\nto = {}\n", quoted(&own)));
    }
    // Check first, so that a wrong answer leaves no home behind.
    Config::read(&text)
        .map_err(|why| CommandError::Usage(format!("invalid configuration: {why}")))?;
    Ok((text, Some(own).filter(|own| !own.is_empty())))
}

/// Returns the answer given as an option, or asks. An empty line means the default.
fn ask(
    given: Option<String>,
    question: &str,
    usual: &str,
    machine: &mut Machine,
) -> Result<String, CommandError> {
    if let Some(given) = given {
        return Ok(given);
    }
    write!(machine.out, "{question} [{usual}]: ")?;
    machine.out.flush()?;
    let mut line = String::new();
    machine.input.read_line(&mut line)?;
    let line = line.trim();
    Ok(if line.is_empty() { usual } else { line }.to_owned())
}

/// Prints the configuration for the mail server of this machine.
fn print_mail_server_setup(
    home: &Path,
    config: &Config,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let address = config.identity().address.as_str().to_owned();
    let user = Owner::nearest(home).map_or_else(|| "postboard".into(), |(_, owner)| owner.name);
    match MailServer::installed_below(Path::new("/")) {
        Some(server) => {
            let lines = server.setup_lines(&address, home, &user);
            writeln!(machine.out, "\nThis machine has {}. {lines}", server.name())?;
        }
        None => writeln!(
            machine.out,
            "\nNo mail server was found here that we know: have mails to {address} passed to \
             `postboard --home {} receive`, or name a Maildir under [collect].",
            home.display()
        )?,
    }
    Ok(())
}

/// Sends `help` from the operator to the server through the configured transport, and waits until
/// it arrives.
fn send_test_mail(
    home: &Path,
    config: &Config,
    own: &Address,
    patience: u32,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let to = config.identity().address;
    let Some(mut carrier) = home::open_transport(home, config)? else {
        writeln!(machine.out, "Nothing was tried: with by = \"nothing\" no mail leaves")?;
        return Ok(Exit::Done);
    };
    let mut id = [0; 16];
    machine.chance.fill(&mut id);
    let host = to.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
    let mail = format!(
        "From: {own}\r\nTo: {to}\r\nSubject: help\r\nMessage-ID: <{}@{host}>\r\n\r\n",
        HEXLOWER.encode(&id)
    );
    if let Err(trouble) = carrier.send(Some(own), &to, mail.as_bytes()) {
        let way = post::describe(&config.deliver);
        writeln!(machine.out, "A mail to {to} was not accepted by {way}: {}", trouble.why)?;
        return Ok(Exit::Refused);
    }
    let key = key_of(mail.as_bytes(), &to);
    for second in 0..=patience {
        process::run(home, MailSource::Spool, machine)?;
        let now = (machine.clock)();
        if home::read(home)?.receipt(&key, now)? != ReceiptStatus::Never {
            deliver::run(home, ReportScope::All, machine)?;
            writeln!(
                machine.out,
                "A mail to {to} came back and was executed; its answer goes to {own}. It works."
            )?;
            return Ok(Exit::Done);
        }
        if second < patience {
            (machine.pause)();
        }
    }
    writeln!(
        machine.out,
        "A mail to {to} left and has not come back in {patience} seconds. Write the lines above, then run \
         `postboard setup --own-address {own}` again."
    )?;
    Ok(Exit::Refused)
}
