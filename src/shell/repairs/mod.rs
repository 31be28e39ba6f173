//! The operator's commands for boards, users and moderation, and the commit of their repairs.

pub(super) mod announce;
pub(super) mod board;
mod board_list;
pub(super) mod moderation;
mod person;
pub(super) mod user;

use crate::base::ids::UserId;
use crate::base::password::Hashing;
use crate::base::time::Time;
use crate::model::user::User;
use crate::refusal::OperatorRefusal;
use crate::server::Server;
use crate::server::repair::{self, Repair, RepairError};
use crate::shell::home::open;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::Store;
use std::path::Path;

/// Decides a repair, commits it, logs it with the operator's name, and prints the result.
pub(crate) fn run(
    home: &Path,
    machine: &mut Machine,
    work: impl FnOnce(&mut Server, &dyn Store, Time) -> Result<Repair, RepairError>,
) -> Result<Exit, CommandError> {
    let (mut files, setup) = open(home, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    let repair = work(&mut server, &*files, (machine.clock)())?;
    let by = format!("operator {}", machine.operator);
    let text = repair.commit(&mut server, &mut *files, &by, &|fault| (machine.warn)(fault))?;
    if let Err(fault) = files.close() {
        (machine.warn)(&fault);
    }
    machine.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Reads a user who must exist.
pub(super) fn existing_user(store: &dyn Store, id: &UserId) -> Result<User, RepairError> {
    repair::read_user(store, id)?.ok_or_else(|| OperatorRefusal::NoUser(id.clone()).into())
}
