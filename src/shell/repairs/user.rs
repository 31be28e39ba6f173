//! `user`: the operator's commands for users.

use crate::base::ids::UserId;
use crate::base::password::Hashing;
use crate::command::MOST_ADDRESSES;
use crate::mail::Address;
use crate::model::document::Document as _;
use crate::model::user::{self, User};
use crate::refusal::OperatorRefusal;
use crate::reply;
use crate::server::repair::{RepairError, read_user};
use crate::server::{self, Server};
use crate::shell::cli::UserJob;
use crate::shell::hidden_typing::HiddenTyping;
use crate::shell::home;
use crate::shell::output::list::{ListRow, RowWriter};
use crate::shell::output::printable::short_text;
use crate::shell::repairs::{self, existing_user, person};
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::DocumentKind;
use serde_json::json;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Runs a `user` command.
pub(crate) fn run(home: &Path, job: UserJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    match job {
        UserJob::List { json } => list(home, json, machine),
        UserJob::Show { userid, json } => {
            show(home, &userid_of(&userid)?, json, machine)?;
            Ok(Exit::Done)
        }
        UserJob::Add { userid, addresses, generate } => {
            let id = userid_of(&userid)?;
            let addresses = addresses_of(&addresses)?;
            let given = password(generate, machine)?;
            add(home, &id, &addresses, given, machine)
        }
        UserJob::Password { userid, generate } => {
            let id = userid_of(&userid)?;
            let given = password(generate, machine)?;
            set_password(home, &id, given, machine)
        }
        UserJob::Rename { old, new } => {
            let (old, new) = (userid_of(&old)?, userid_of(&new)?);
            repairs::run(home, machine, |server, files, now| {
                server::repair::rename_user(server, files, &old, &new, now)
            })
        }
        UserJob::Export { userid, file } => {
            person::export(home, &userid_of(&userid)?, &file, machine)
        }
        UserJob::Erase { userid, addresses } => {
            let addresses = addresses_of(&addresses)?;
            person::erase(home, &userid_of(&userid)?, &addresses, machine)
        }
    }
}

/// Adds a user with a password, or with a new one that is printed.
pub(crate) fn add(
    home: &Path,
    id: &UserId,
    addresses: &[Address],
    password: Option<String>,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    repairs::run(home, machine, |server, files, now| {
        let (password, said) = or_new(password, server);
        let mut repair = server::repair::add_user(server, files, id, &password, addresses, now)?;
        repair.said.push_str(&said);
        Ok(repair)
    })
}

/// Sets a password, or a new one that is printed.
pub(crate) fn set_password(
    home: &Path,
    id: &UserId,
    password: Option<String>,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    repairs::run(home, machine, |server, files, now| {
        let (password, said) = or_new(password, server);
        let mut repair = server::repair::set_password(server, files, id, &password, now)?;
        repair.said.push_str(&said);
        Ok(repair)
    })
}

/// Prints what is stored about a user, without secrets.
fn show(home: &Path, id: &UserId, json: bool, machine: &mut Machine) -> Result<(), CommandError> {
    settings::load(home)?;
    if json {
        let user = existing_user(&*home::read(home)?, id)?;
        writeln!(machine.out, "{:#}", user.without_secrets())?;
        return Ok(());
    }
    let text = server::repair::show_user(&*home::read(home)?, id)?;
    machine.out.write_all(text.as_bytes())?;
    Ok(())
}

/// Lists all users.
fn list(home: &Path, json: bool, machine: &mut Machine) -> Result<Exit, CommandError> {
    settings::load(home)?;
    let keys = home::read(home)?.keys(DocumentKind::In(user::COLLECTION))?;
    let mut rows = RowWriter::new(json, machine.out);
    let mut exit = Exit::Done;
    for keys in keys.chunks(home::MAX_READ_AT_ONCE) {
        let store = home::read(home)?;
        let ids = keys.iter().filter_map(User::id_of);
        let found: Vec<_> = ids.map(|id| (read_user(&*store, &id), id)).collect();
        drop(store);
        for (user, id) in found {
            let row = match user {
                Ok(None) => continue,
                Ok(Some(user)) => row(&user),
                Err(RepairError::Refused(OperatorRefusal::Damaged { file, why })) => {
                    exit = Exit::Refused;
                    let line = short_text(&format!("{id}  {file} cannot be read: {why}"));
                    ListRow { line, json: json!({ "user": id, "damaged": why }) }
                }
                Err(trouble) => return Err(trouble.into()),
            };
            rows.write(&row)?;
        }
    }
    rows.end()?;
    Ok(exit)
}

fn row(user: &User) -> ListRow {
    let json = json!({
        "user": user.id,
        "addresses": user.addresses,
        "stopped": user.stopped,
        "joined": user.joined,
        "in_play": user.active.len(),
        "over": user.finished.len(),
        "left": user.left,
        "renamed": user.renamed,
    });
    ListRow { line: reply::operator::user_line(user), json }
}

pub(crate) fn userid_of(word: &str) -> Result<UserId, CommandError> {
    UserId::parse(word)
        .ok_or_else(|| CommandError::Usage(format!("`{word}` is not a valid userid")))
}

pub(crate) fn addresses_of(words: &[String]) -> Result<Vec<Address>, CommandError> {
    let mut addresses = Vec::new();
    for word in words {
        let wrong = || CommandError::Usage(format!("`{word}` is not a mail address"));
        let address = Address::parse(word).ok_or_else(wrong)?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.len() > MOST_ADDRESSES {
        return Err(CommandError::Usage(format!(
            "a user can have at most {MOST_ADDRESSES} addresses"
        )));
    }
    Ok(addresses)
}

/// Reads a password from the first line of standard input. On a terminal it asks for the password, and hides it.
/// `None` if the server must generate one.
fn password(generate: bool, machine: &mut Machine) -> Result<Option<String>, CommandError> {
    if generate {
        return Ok(None);
    }
    let hidden = machine.terminal.map(HiddenTyping::begin).transpose()?;
    if hidden.is_some() {
        write!(machine.out, "The password: ")?;
        machine.out.flush()?;
    }
    let mut line = String::new();
    let longest = 4096;
    let read = Read::take(&mut *machine.input, longest).read_line(&mut line);
    drop(hidden);
    let password = line.trim_end_matches(['\n', '\r']);
    match read {
        Err(error) if error.kind() != io::ErrorKind::InvalidData => Err(error.into()),
        Ok(_) if Hashing::accepts(password) => Ok(Some(password.to_owned())),
        _ => Err(CommandError::Refused(OperatorRefusal::BadPassword.to_string())),
    }
}

/// Returns the given password, or a new one with the line that prints it.
fn or_new(given: Option<String>, server: &mut Server) -> (String, String) {
    given.map_or_else(
        || {
            let new = server::repair::new_password(server);
            let said = format!("password: {new}\n");
            (new, said)
        },
        |given| (given, String::new()),
    )
}
