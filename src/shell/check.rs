//! Tells what is wrong in a home and on the ways in and out.

use super::home::{self, at};
use super::remedy;
use super::rules;
use super::settings;
use super::{Exit, Machine, Screen, Trouble};
use crate::base::chance::Chance;
use crate::base::time::Time;
use crate::config::Config;
use crate::mail::{Address, Mail, bounce_address, compose};
use crate::post::{self, Carrier, Undelivered};
use crate::reply;
use crate::server::check::{Report, watched};
use crate::store::log_all;
use crate::store::owner::{self, Owner};
use data_encoding::HEXLOWER;

use std::path::Path;

/// What a bar says while a home is read.
const READING: &str = "reading";

/// Tells what is wrong in a home and on the ways in and out, and mends what it can.
pub(super) fn run(
    home: &Path,
    repair: bool,
    mail: Option<&str>,
    machine: &mut Machine,
) -> Result<Exit, Trouble> {
    let config = settings::load(home)?;
    let to = mail.map(|to| {
        let wrong = || Trouble::Usage(format!("`{to}` is not a mail address"));
        Address::parse(to).ok_or_else(wrong)
    });
    let to = to.transpose()?;
    let now = (machine.clock)();
    let (mut lines, mut is_well) =
        if repair { mend(home, machine)? } else { look(home, now, machine.screen)? };
    let around = [post::inspect(&config), whose(home)].concat();
    is_well &= around.is_empty();
    lines.extend(around);
    for line in lines {
        writeln!(machine.out, "{line}")?;
    }
    if let Some(to) = to {
        machine.out.flush()?;
        is_well &= try_out(&config, &to, machine)?;
    }
    Ok(if is_well { Exit::Done } else { Exit::Refused })
}

/// What is wrong in a home, and whether nothing is.
pub(super) fn look(home: &Path, now: Time, screen: Screen) -> Result<(Vec<String>, bool), Trouble> {
    let (opened, bar) = (home::read(home)?, screen.bar(READING));
    let Report { mut wrong, mended, .. } = watched(&*opened, now, &bar)?;
    wrong.extend(opened.flaws()?);
    let is_well = wrong.is_empty() && mended.is_empty();
    Ok(([wrong, mended].concat(), is_well))
}

/// Mends what it can; returns what was wrong, and whether all of it is mended.
pub(super) fn mend(home: &Path, machine: &Machine) -> Result<(Vec<String>, bool), Trouble> {
    let mut files = at(home).open()?;
    let bar = machine.screen.bar(READING);
    let Report { mut wrong, mended, repair } = watched(&*files, (machine.clock)(), &bar)?;
    drop(bar);
    wrong.extend(files.flaws()?);
    files.commit(repair)?;
    // From here on it is done, whatever happens.
    let lines: Vec<String> = mended.iter().map(|line| format!("mended: {line}")).collect();
    for fault in [log_all(home, &lines), files.close()].into_iter().filter_map(Result::err) {
        (machine.warn)(&remedy::told_fault(&fault, home));
    }
    let is_well = wrong.is_empty();
    Ok(([wrong, lines].concat(), is_well))
}

/// Files that the server may not be able to use.
pub(super) fn whose(home: &Path) -> Vec<String> {
    let Some((count, one)) = owner::strange_files(home) else { return Vec::new() };
    let Some((_, owner)) = Owner::of(home) else { return Vec::new() };
    let are = if count == 1 { "1 file does" } else { &format!("{count} files do") };
    vec![format!(
        "{are} not belong to {}, as the home does, such as {}: `chown -R {}: {}`",
        owner.name,
        one.display(),
        owner.name,
        home.display()
    )]
}

/// Sends a mail of ours to the operator, in the way answers are sent.
pub(super) fn send(
    mail: &Mail,
    carrier: &mut dyn Carrier,
    config: &Config,
    machine: &mut Machine,
) -> Result<(), Undelivered> {
    let mut id = [0; 16];
    machine.chance.fill(&mut id);
    let from = config.identity();
    let bytes = compose(mail, &from, &HEXLOWER.encode(&id), (machine.clock)());
    let sender = mail.bounces.as_ref().map(|id| bounce_address(&from, id));
    carrier.send(sender.as_ref(), &mail.to, &bytes)
}

/// Sends a test mail in the way answers are sent, and tells the result; whether it was accepted.
pub(super) fn try_out(
    config: &Config,
    to: &Address,
    machine: &mut Machine,
) -> Result<bool, Trouble> {
    let Some(mut carrier) = post::carrier(&config.deliver)? else {
        let why = "[deliver] by = \"nothing\": mails stay in the outbox, so no mail was sent";
        writeln!(machine.out, "{why}")?;
        return Ok(false);
    };
    let mail = reply::operator::trial(&config.identity(), to);
    let way = post::named(&config.deliver);
    let sent = send(&mail, &mut *carrier, config, machine);
    let line = match &sent {
        Ok(()) => format!("a mail to {to} was accepted by {way}; check that it arrives"),
        Err(Undelivered { permanent: true, why, .. }) => {
            format!("a mail to {to} was rejected by {way}: {}", rules::printable(why))
        }
        Err(Undelivered { why, .. }) => {
            format!("a mail to {to} could not be sent yet: {}", rules::printable(why))
        }
    };
    writeln!(machine.out, "{line}")?;
    Ok(sent.is_ok())
}

/// All that is wrong in a home, and what could not be checked.
pub(super) fn found_in(home: &Path, now: Time, screen: Screen) -> Vec<String> {
    let bar = screen.bar(READING);
    let checked = home::read(home).and_then(|files| watched(&*files, now, &bar));
    drop(bar);
    let mut found = match checked {
        Ok(Report { wrong, mended, .. }) => [wrong, mended].concat(),
        Err(fault) => vec![fault.to_string()],
    };
    found.extend(settings::load(home).err().map(|fault| fault.to_string()));
    found
}
