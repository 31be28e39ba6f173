//! What the operator does with a user.

use super::home;
use super::repair;
use super::settings;
use super::{Exit, Machine, Trouble};
use crate::base::ids::UserId;
use crate::base::password::Hashing;
use crate::command::MOST_ADDRESSES;
use crate::mail::Address;
use crate::refusal::OperatorRefusal;
use crate::server::{self, Server};
use crate::shell::cli::UserJob;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// What the operator does with a user.
pub(super) fn run(home: &Path, job: UserJob, machine: &mut Machine) -> Result<Exit, Trouble> {
    match job {
        UserJob::Show { userid } => {
            let id = userid_of(&userid)?;
            settings::load(home)?;
            let text = server::repair::show_user(&*home::read(home)?, &id)?;
            machine.out.write_all(text.as_bytes())?;
            Ok(Exit::Done)
        }
        UserJob::Add { userid, addresses, generate } => {
            let id = userid_of(&userid)?;
            let addresses = addresses_of(&addresses)?;
            let given = password(generate, machine)?;
            repair::run(home, machine, |server, files, now| {
                let (password, said) = or_new(given, server);
                let mut repair =
                    server::repair::add_user(server, files, &id, &password, &addresses, now)?;
                repair.said.push_str(&said);
                Ok(repair)
            })
        }
        UserJob::Password { userid, generate } => {
            let id = userid_of(&userid)?;
            let given = password(generate, machine)?;
            repair::run(home, machine, |server, files, now| {
                let (password, said) = or_new(given, server);
                let mut repair = server::repair::set_password(server, files, &id, &password, now)?;
                repair.said.push_str(&said);
                Ok(repair)
            })
        }
        UserJob::Rename { old, new } => {
            let (old, new) = (userid_of(&old)?, userid_of(&new)?);
            repair::run(home, machine, |server, files, now| {
                server::repair::rename_user(server, files, &old, &new, now)
            })
        }
        UserJob::Remove { userid } => {
            let id = userid_of(&userid)?;
            repair::run(home, machine, |server, files, now| {
                server::repair::remove_user(server, files, &id, now)
            })
        }
    }
}

pub(super) fn userid_of(word: &str) -> Result<UserId, Trouble> {
    UserId::parse(word).ok_or_else(|| Trouble::Usage(format!("`{word}` can be no userid")))
}

pub(super) fn addresses_of(words: &[String]) -> Result<Vec<Address>, Trouble> {
    let mut addresses = Vec::new();
    for word in words {
        let wrong = || Trouble::Usage(format!("`{word}` is no mail address"));
        let address = Address::parse(word).ok_or_else(wrong)?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.len() > MOST_ADDRESSES {
        return Err(Trouble::Usage(format!("a user has at most {MOST_ADDRESSES} addresses")));
    }
    Ok(addresses)
}

/// The password on the first line of standard input; none if one is to be made.
pub(super) fn password(generate: bool, machine: &mut Machine) -> Result<Option<String>, Trouble> {
    if generate {
        return Ok(None);
    }
    let mut line = String::new();
    let longest = 4096;
    let read = Read::take(&mut *machine.input, longest).read_line(&mut line);
    let password = line.trim_end_matches(['\n', '\r']);
    match read {
        Err(error) if error.kind() != io::ErrorKind::InvalidData => Err(error.into()),
        Ok(_) if Hashing::accepts(password) => Ok(Some(password.to_owned())),
        _ => Err(Trouble::Refused(OperatorRefusal::BadPassword.to_string())),
    }
}

/// The password given, or a new one and how it is printed.
pub(super) fn or_new(given: Option<String>, server: &mut Server) -> (String, String) {
    given.map_or_else(
        || {
            let new = server::repair::new_password(server);
            let said = format!("password: {new}\n");
            (new, said)
        },
        |given| (given, String::new()),
    )
}
