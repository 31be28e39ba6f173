//! Shows the operator what is not sent.

use super::cli::OutboxJob;
use super::home::at;
use super::{Exit, Machine, Trouble};
use crate::base::words::Count;
use crate::reply;
use crate::store::{Home as _, outbox::Unsent};
use std::path::Path;

/// Lists what waits, or prints a letter as it will leave.
pub(super) fn run(home: &Path, job: OutboxJob, machine: &mut Machine) -> Result<Exit, Trouble> {
    let unsent = at(home).unsent()?;
    match job {
        OutboxJob::List => {
            for unsent in &unsent {
                writeln!(machine.out, "{}", line(unsent))?;
            }
        }
        OutboxJob::Show { name } => {
            let mut found = unsent.iter().filter(|unsent| unsent.letter.name.starts_with(&name));
            let (Some(one), None) = (found.next(), found.next()) else {
                let why = "is not the beginning of the name of one letter that waits; `postboard \
                           outbox list` lists their names";
                return Err(Trouble::Refused(format!("`{}` {why}", name.escape_debug())));
            };
            let mail = reply::printed(&one.letter);
            let mail =
                mail.map_err(|why| Trouble::Refused(format!("it cannot be printed: {why}")))?;
            machine.out.write_all(&mail)?;
        }
    }
    Ok(Exit::Done)
}

/// A letter in one line: its name, when it was written, to whom, about which board, and how often
/// sending it failed.
fn line(unsent: &Unsent) -> String {
    let Unsent { letter, at, tries, not_before, is_given_up } = unsent;
    let about = letter.thread.as_ref().map(|board| format!("  {board}")).unwrap_or_default();
    let tried = match tries {
        _ if *is_given_up => "  given up".to_owned(),
        0 => String::new(),
        _ => format!("  tried {}, next at {}", Count(*tries as usize, "time"), not_before.minute()),
    };
    format!("{}  {}  {}{about}{tried}", letter.name, at.minute(), letter.to)
}
