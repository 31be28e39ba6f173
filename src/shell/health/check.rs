//! `check`: finds mistakes in a home and in its mail configuration.

use crate::base::chance::RandomSource;
use crate::base::time::Time;
use crate::config::Config;
use crate::mail::{Address, Mail, bounce_address, compose};
use crate::model::dice::DiceKeys;
use crate::post::{self, DeliveryError, FailureScope, Transport};
use crate::reply;
use crate::server::check::{CheckReport, check_with_progress};
use crate::shell::health::finding::{self, Finding, healthy, problem};
use crate::shell::home::{self, locate};
use crate::shell::output::printable::short_text;
use crate::shell::output::remedy;
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine, ProgressOutput};
use crate::store::owner::{self, Owner};
use crate::store::{Fault, log_all};
use data_encoding::HEXLOWER;
use std::path::Path;

/// The label of the progress bar.
const READING: &str = "reading";

/// The options of `check`.
#[derive(Debug)]
pub(crate) struct CheckOptions<'w> {
    /// Whether to mend what follows from the boards.
    pub(crate) repair: bool,
    /// The address for a test mail.
    pub(crate) mail: Option<&'w str>,
    /// Whether to print JSON.
    pub(crate) json: bool,
}

/// Runs `check`.
pub(crate) fn run(
    home: &Path,
    CheckOptions { repair, mail, json }: CheckOptions,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let config = settings::load(home)?;
    let to = parse_address(mail)?;
    if to.is_some() {
        home::refuse_foreign_transport(home, &config)?;
    }
    let now = (machine.clock)();
    let mut findings = if repair {
        repair_home(home, machine)?
    } else {
        find_mistakes(home, now, machine.screen)?
    };
    findings.extend(post::inspect(&config).into_iter().map(|line| problem("ways", line)));
    findings.extend(find_foreign_files(home)?.into_iter().map(|line| problem("files", line)));
    if !json {
        for Finding { message, .. } in &findings {
            writeln!(machine.out, "{message}")?;
        }
        machine.out.flush()?;
    }
    conclude(home, findings, to.as_ref().map(|to| (&config, to)), json, machine)
}

/// Parses the address for a test mail.
pub(crate) fn parse_address(mail: Option<&str>) -> Result<Option<Address>, CommandError> {
    let parsed = |to: &str| {
        Address::parse(to)
            .ok_or_else(|| CommandError::Usage(format!("`{to}` is not a mail address")))
    };
    mail.map(parsed).transpose()
}

/// Sends the test mail, if there is one, and prints its result; or prints all findings as JSON.
pub(crate) fn conclude(
    home: &Path,
    mut findings: Vec<Finding>,
    trial: Option<(&Config, &Address)>,
    json: bool,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    if let Some((config, to)) = trial {
        let tried = send_test_mail(home, config, to, machine)?;
        if !json {
            writeln!(machine.out, "{}", tried.message)?;
        }
        findings.push(tried);
    }
    if json {
        finding::write_json(&findings, machine.out)?;
    }
    Ok(if finding::are_healthy(&findings) { Exit::Done } else { Exit::Refused })
}

/// The names of two kinds of mistakes. The operator mends the first; `--repair` mends the second,
/// which follow from boards and accounts.
const HOME: &str = "home";
const DERIVED: &str = "derived";

/// The name of the finding about the test mail.
const MAIL: &str = "mail";

/// Finds the mistakes in a home.
fn find_mistakes(
    home: &Path,
    now: Time,
    screen: ProgressOutput,
) -> Result<Vec<Finding>, CommandError> {
    let (opened, bar) = (home::read(home)?, screen.bar(READING));
    let keys = DiceKeys::new(&opened.key()?, opened.dice_keys()?);
    let CheckReport { wrong: mut found, mended, .. } =
        check_with_progress(&*opened, Some(&keys), now, &bar)?;
    found.extend(opened.flaws()?);
    let found = found.into_iter().map(|line| problem(HOME, line));
    Ok(found.chain(mended.into_iter().map(|line| problem(DERIVED, line))).collect())
}

/// Repairs a home. Returns what is left to mend, and what was mended.
fn repair_home(home: &Path, machine: &Machine) -> Result<Vec<Finding>, CommandError> {
    let mut files = locate(home)?.open()?;
    let flaws = files.repair_flaws()?;
    let keys = DiceKeys::new(&files.key()?, files.dice_keys()?);
    let bar = machine.screen.bar(READING);
    let CheckReport { wrong: mut found, mended, repair } =
        check_with_progress(&*files, Some(&keys), (machine.clock)(), &bar)?;
    drop(bar);
    found.extend(files.flaws()?);
    files.commit(repair)?;
    // The repair is durable from here on; later failures are only warnings.
    let lines: Vec<String> =
        flaws.iter().chain(&mended).map(|line| format!("mended: {line}")).collect();
    for fault in [log_all(home, &lines), files.close()].into_iter().filter_map(Result::err) {
        (machine.warn)(&remedy::fault_with_remedy(&fault, home));
    }
    let found = found.into_iter().map(|line| problem(HOME, line));
    Ok(found.chain(lines.into_iter().map(|line| healthy(DERIVED, line))).collect())
}

/// Finds files that the owner of the home may not be able to use.
fn find_foreign_files(home: &Path) -> Result<Vec<String>, Fault> {
    let Some((count, one)) = owner::foreign_files(home)? else { return Ok(Vec::new()) };
    let Some((_, owner)) = Owner::nearest(home) else { return Ok(Vec::new()) };
    let are = if count == 1 { "1 file does" } else { &format!("{count} files do") };
    Ok(vec![format!(
        "{are} not belong to {}, as the home does, such as {}: {}",
        owner.name,
        one.display(),
        remedy::give_home_to(&owner.name, home)
    )])
}

/// Sends a mail to the operator through the configured transport.
pub(crate) fn send(
    mail: &Mail,
    transport: &mut dyn Transport,
    config: &Config,
    machine: &mut Machine,
) -> Result<(), DeliveryError> {
    let mut id = [0; 16];
    machine.chance.fill(&mut id);
    let from = config.identity();
    let bytes = compose(mail, &from, &HEXLOWER.encode(&id), (machine.clock)());
    let sender = mail.bounce_id.as_ref().map(|id| bounce_address(&from, id));
    transport.send(sender.as_ref(), &mail.to, &bytes)
}

/// Sends a test mail. Returns whether it was accepted.
fn send_test_mail(
    home: &Path,
    config: &Config,
    to: &Address,
    machine: &mut Machine,
) -> Result<Finding, CommandError> {
    let Some(mut transport) = home::open_transport(home, config)? else {
        let why = "[deliver] by = \"nothing\": mails stay in the outbox, so no mail was sent";
        return Ok(problem(MAIL, why));
    };
    let mail = reply::operator::test_mail(&config.identity(), to);
    let way = post::describe(&config.deliver);
    let sent = send(&mail, &mut *transport, config, machine);
    Ok(match &sent {
        Ok(()) => {
            healthy(MAIL, format!("a mail to {to} was accepted by {way}; check that it arrives"))
        }
        Err(DeliveryError { scope: FailureScope::Rejected, why }) => {
            let why = short_text(why);
            problem(MAIL, format!("a mail to {to} was rejected by {way}: {why}"))
        }
        Err(DeliveryError { why, .. }) => {
            let why = short_text(why);
            problem(MAIL, format!("a mail to {to} could not be sent yet: {why}"))
        }
    })
}

/// Returns all mistakes in a home, including what could not be checked.
pub(crate) fn all_mistakes(home: &Path, now: Time, screen: ProgressOutput) -> Vec<String> {
    let bar = screen.bar(READING);
    let checked = home::read(home).and_then(|files| {
        let keys = DiceKeys::new(&files.key()?, files.dice_keys()?);
        check_with_progress(&*files, Some(&keys), now, &bar)
    });
    drop(bar);
    let mut found = match checked {
        Ok(CheckReport { wrong, mended, .. }) => [wrong, mended].concat(),
        Err(fault) => vec![fault.to_string()],
    };
    found.extend(settings::load(home).err().map(|fault| fault.to_string()));
    found
}
