//! `announce`: the operator's announcements to all players.

use crate::base::time::Day;
use crate::command::Command;
use crate::command::messages::announce::{AnnounceCommand, WithdrawCommand};
use crate::model::announcement::announcements_key;
use crate::server::requests::Request;
use crate::shell::cli::AnnounceOptions;
use crate::shell::output::printable::short_text;
use crate::shell::player::execute;
use crate::shell::repairs::moderation::{day_of, load};
use crate::shell::{CommandError, Exit, Machine};
use std::path::Path;

/// The number of days for which an announcement is shown if no day is named.
const USUAL: i64 = 14;

/// Makes, withdraws or lists announcements.
pub(crate) fn announce(
    home: &Path,
    options: &AnnounceOptions,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let today = (machine.clock)().day();
    let command: Box<dyn Command> = match (options.withdraw, &options.words[..]) {
        (Some(number), _) => Box::new(WithdrawCommand { number }),
        (None, []) => return list(home, today, machine),
        (None, words) => {
            let until = options.until.as_deref().map(day_of).transpose()?;
            let until = until.unwrap_or_else(|| today.plus(USUAL));
            Box::new(AnnounceCommand { until, words: words.join(" ") })
        }
    };
    execute(home, &Request::from_operator(command), machine)
}

/// Prints the announcements that are shown, each with its number and its last day.
fn list(home: &Path, today: Day, machine: &mut Machine) -> Result<Exit, CommandError> {
    let world = load(home, &[announcements_key()])?;
    let board = world.announcements().map_err(|_| {
        CommandError::Refused("the announcements cannot be read; `postboard check` says why".into())
    })?;
    for one in board.shown(today) {
        let line = format!("{}  until {}  {}", one.number, one.until, one.words);
        writeln!(machine.out, "{}", short_text(&line.replace('\n', " ")))?;
    }
    Ok(Exit::Done)
}
