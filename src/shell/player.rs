//! Players' commands from the shell.

use crate::base::password::Hashing;
use crate::base::time::Time;
use crate::command;
use crate::config::{self, Config};
use crate::model::dice::DiceKeys;
use crate::model::token::TokenKey;
use crate::server::requests::Request;
use crate::server::{Server, Setup, ShellAnswer};
use crate::shell::cli;
use crate::shell::health::unreadable;
use crate::shell::home::{open, with_retries};
use crate::shell::output::printable::short_text;
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::{Fault, MemoryStore, Store, record};
use std::io::Write;
use std::path::Path;

/// Carries out a player's command: prints its answer, and puts mails to others into the outbox.
pub(crate) fn run(
    home: &Path,
    request: &Request,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    if command::is_help(&request.line) {
        return help(home, request, machine);
    }
    if let Some(why) =
        renamed_command_hint(&request.line).or_else(|| operator_command_hint(&request.line))
    {
        return Err(CommandError::Usage(why));
    }
    execute(home, request, machine)
}

/// Executes a request, and prints its answer.
pub(crate) fn execute(
    home: &Path,
    request: &Request,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    run_on_server(home, machine, |server, files, now| {
        server.execute_shell_command(request, files, now)
    })
}

/// Prints help pages, which need no home and no lock.
fn help(home: &Path, request: &Request, machine: &mut Machine) -> Result<Exit, CommandError> {
    let sample = || Config::read(config::SAMPLE).expect("a test reads it");
    let config = settings::load(home).unwrap_or_else(|_| sample());
    let key = TokenKey::new([0; 32]);
    let dice = DiceKeys::new(&[0; 32], Vec::new());
    let hashing = Hashing::default();
    let setup = Setup { identity: config.identity(), config, key, dice, hashing };
    let now = (machine.clock)();
    let mut server = Server::new(&setup, &mut machine.chance);
    let answer = server.execute_shell_command(request, &MemoryStore::new(), now)?;
    print(&answer, machine.out)
}

/// Prints an answer.
fn print(answer: &ShellAnswer, out: &mut dyn Write) -> Result<Exit, CommandError> {
    out.write_all(answer.text.as_bytes())?;
    Ok(if answer.is_done { Exit::Done } else { Exit::Refused })
}

/// Returns a hint for a line that is `report`, as `charts` was called, with at most a folder behind it. A
/// player's report has more words.
fn renamed_command_hint(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], ["report"] | ["report", _]).then(|| {
        "`report` is the command with which players report other players. The page about games is \
         written by `postboard charts`"
            .to_owned()
    })
}

/// Returns a hint for a word that looks like a mistyped operator's command.
fn operator_command_hint(line: &str) -> Option<String> {
    let word = line.split_whitespace().next()?;
    let jobs = cli::jobs_near(word);
    let meant: Vec<String> = jobs.iter().map(|job| format!("`{job}`")).collect();
    let word = short_text(word);
    (!meant.is_empty())
        .then(|| format!("there is no command `{word}`. Did you mean {}?", meant.join(" or ")))
}

/// Lets a server work for a person at the shell, commits, and prints the result.
pub(crate) fn run_on_server(
    home: &Path,
    machine: &mut Machine,
    mut work: impl FnMut(&mut Server, &dyn Store, Time) -> Result<ShellAnswer, Fault>,
) -> Result<Exit, CommandError> {
    with_retries(|| {
        let (mut files, setup) = open(home, Hashing::default())?;
        let mut server = Server::new(&setup, &mut machine.chance);
        let answer = work(&mut server, &*files, (machine.clock)())?;
        let transaction = server.take_transaction();
        if !transaction.changes.is_empty() || !transaction.letters.is_empty() {
            files.commit(transaction)?;
        }
        // The command is durable from here on; later failures are only warnings.
        let logged = record(home, &server.take_log());
        let met = server.take_unreadable();
        for fault in [logged, files.close()].into_iter().filter_map(Result::err) {
            (machine.warn)(&fault);
        }
        unreadable::note(home, met, (machine.clock)());
        print(&answer, machine.out)
    })
}

/// Lets a server work for a person at the shell, prints the result, and forgets it.
pub(crate) fn try_on_server(
    home: &Path,
    machine: &mut Machine,
    work: impl FnOnce(&mut Server, &dyn Store, Time) -> Result<ShellAnswer, Fault>,
) -> Result<Exit, CommandError> {
    let (files, setup) = open(home, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    let answer = work(&mut server, &*files, (machine.clock)())?;
    files.close()?;
    print(&answer, machine.out)
}
