//! `mail`: lists, shows, retries or drops parked mails and unsent letters.

use crate::base::time::Time;
use crate::base::words::Plural;
use crate::reply;
use crate::server::stuck::{self, StuckMails, StuckRow};
use crate::shell::cli::MailJob;
use crate::shell::home::locate;
use crate::shell::output::printable::short_text;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::outbox::UnsentLetter;
use crate::store::{ParkedMail, Remedy, RemedyResult};
use serde_json::{Value, json};
use std::path::Path;

/// Runs a `mail` command.
pub(crate) fn run(home: &Path, job: MailJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    let all = StuckMails::of_home(&*locate(home)?)?;
    match job {
        MailJob::List { json } => list(&all, json, machine)?,
        MailJob::Show { name } => {
            let bytes = match find_row(&all, &name)? {
                StuckRow::Mail(parked) => {
                    locate(home)?.parked_mail(&parked.name)?.unwrap_or_default()
                }
                StuckRow::Letter(unsent) => print_letter(unsent)?,
            };
            machine.out.write_all(&bytes)?;
        }
        MailJob::Retry { names, dry_run } => {
            return retry_or_drop(home, &all, Remedy::Retry, &names, dry_run, machine);
        }
        MailJob::Drop { names, dry_run } => {
            return retry_or_drop(home, &all, Remedy::Drop, &names, dry_run, machine);
        }
    }
    Ok(Exit::Done)
}

/// Formats a row in one line.
fn row_line(row: StuckRow) -> String {
    match row {
        StuckRow::Mail(ParkedMail { name, at, bytes, why }) => {
            let at = at.map(Time::minute).unwrap_or_default();
            format!("{name}  {at}  {bytes} bytes  put aside: {}", short_text(why))
        }
        StuckRow::Letter(unsent) => letter_line(unsent),
    }
}

/// Returns a row as JSON.
fn row_json(row: StuckRow) -> Value {
    match row {
        StuckRow::Mail(ParkedMail { name, at, bytes, why }) => json!({
            "kind": "mail", "name": name, "at": at, "bytes": bytes, "why": why,
        }),
        StuckRow::Letter(UnsentLetter { letter, written_at, tries, not_before, is_given_up }) => {
            json!({
                "kind": "letter", "name": letter.name, "at": written_at, "to": letter.to.as_str(),
                "board": letter.thread, "tries": tries, "not_before": not_before,
                "given_up": is_given_up,
            })
        }
    }
}

/// Finds the only row whose name begins with `name`.
fn find_row<'a>(all: &'a StuckMails, name: &str) -> Result<StuckRow<'a>, CommandError> {
    let mut found = all.rows().filter(|one| !name.is_empty() && one.name().starts_with(name));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (found, _) => {
            let why = if found.is_some() {
                "is the beginning of several names"
            } else {
                "is not the beginning of any name"
            };
            let name = name.escape_debug();
            Err(CommandError::Refused(format!("`{name}` {why}; `postboard mail list` lists them")))
        }
    }
}

fn list(all: &StuckMails, json: bool, machine: &mut Machine) -> Result<(), CommandError> {
    if json {
        let all: Vec<Value> = all.rows().map(row_json).collect();
        writeln!(machine.out, "{:#}", Value::from(all))?;
        return Ok(());
    }
    for one in all.rows() {
        writeln!(machine.out, "{}", row_line(one))?;
    }
    Ok(())
}

/// Formats a letter in one line: name, time, recipient, board, and number of tries.
fn letter_line(unsent: &UnsentLetter) -> String {
    let UnsentLetter { letter, written_at, tries, not_before, is_given_up } = unsent;
    let about = letter.thread.as_ref().map(|board| format!("  {board}")).unwrap_or_default();
    let tried = match tries {
        _ if *is_given_up => "  given up".to_owned(),
        0 => String::new(),
        _ => {
            format!("  tried {}, next at {}", Plural(*tries as usize, "time"), not_before.minute())
        }
    };
    format!("{}  {}  {}{about}{tried}", letter.name, written_at.minute(), letter.to)
}

/// Prints a letter as it will leave.
fn print_letter(unsent: &UnsentLetter) -> Result<Vec<u8>, CommandError> {
    let mail = reply::print_letter(&unsent.letter);
    let mail = mail.map_err(|why| CommandError::Refused(format!("it cannot be printed: {why}")))?;
    Ok(mail.into_owned())
}

/// Retries or drops the named mails and letters, all or none, and logs who did it.
fn retry_or_drop(
    home: &Path,
    all: &StuckMails,
    remedy: Remedy,
    names: &[String],
    dry_run: bool,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let rows: Vec<StuckRow> =
        names.iter().map(|name| find_row(all, name)).collect::<Result<_, _>>()?;
    let located = locate(home)?;
    let opened = (!dry_run).then(|| located.open()).transpose()?;
    let mut exit = Exit::Done;
    for one in rows {
        let (called, done) = (one.called(), stuck::outcome(remedy));
        let became = match &opened {
            Some(opened) => one.apply(remedy, machine.operator, &*located, &**opened)?,
            None => RemedyResult::Done,
        };
        let line = match became {
            RemedyResult::Done if dry_run => format!("dry run: {called} {done}"),
            RemedyResult::Done => format!("{called} {done}"),
            RemedyResult::Gone => format!("{called} is gone already"),
            RemedyResult::Busy => {
                exit = Exit::Refused;
                format!("{called} is left as it is, since letters are being sent: try it again")
            }
        };
        writeln!(machine.out, "{line}")?;
    }
    if let Some(opened) = opened {
        opened.close()?;
    }
    Ok(exit)
}
