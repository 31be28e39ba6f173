//! `user add`, `user password`, `user erase` and `user export`.

use super::draft::RepairDraft;
use super::rename::unlink;
use super::{Repair, RepairError, finish};
use crate::base::chance::RandomSource;
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::mail::Address;
use crate::model::caches::keys_of;
use crate::model::export::Export;
use crate::model::user::{User, UserEvent, is_reserved};
use crate::model::user_index;
use crate::model::world::event::Event;
use crate::model::world::user_key;
use crate::refusal::OperatorRefusal;
use crate::reply;
use crate::server::env::Env;
use crate::server::letters::LetterCause;
use crate::server::unit_of_work::UnitOfWork;
use crate::server::{Server, Stages};
use crate::store::Store;
use data_encoding::BASE32_NOPAD;

/// Adds a user.
///
/// # Errors
/// The machine failed, or the userid is taken.
pub fn add_user(
    server: &mut Server,
    store: &dyn Store,
    id: &UserId,
    password: &str,
    addresses: &[Address],
    now: Time,
) -> Result<Repair, RepairError> {
    let Stages { work, chance, env } = &mut server.stages(store, now);
    if is_reserved(id) || RepairDraft::new(store).text(&user_key(id))?.is_some() {
        return Err(OperatorRefusal::Taken(id.clone()).into());
    }
    work.documents.world.load(&[user_key(id), user_index::look_entry(id)], store)?;
    if work.documents.world.is_confusable(id) {
        return Err(OperatorRefusal::LooksLikeAnother(id.clone()).into());
    }
    let password = hashed(password, *chance, env);
    let user = User::joining(id.clone(), password, addresses.to_vec(), now);
    let mails = reply::operator::user_added(&user);
    let event = Event::SignedUp { user: Box::new(user), from: None };
    work.documents.apply_and_log(&event, env)?;
    work.post(&mails, None, &LetterCause::named(&format!("added {id} {now}")), env)?;
    Ok(repair(format!("{id} can play now\n"), work, now))
}

/// Sets a new password.
///
/// # Errors
/// The machine failed, or there is no such user.
pub fn set_password(
    server: &mut Server,
    store: &dyn Store,
    id: &UserId,
    password: &str,
    now: Time,
) -> Result<Repair, RepairError> {
    let Stages { work, chance, env } = &mut server.stages(store, now);
    let user = load_user(store, id, work)?;
    if let Some(left) = user.left {
        let (away, erased) = (OperatorRefusal::UserHasLeft, OperatorRefusal::Erased);
        return Err(if left.erased { erased(user.id) } else { away(user.id) }.into());
    }
    let change = UserEvent::Password(hashed(password, *chance, env));
    work.documents.apply_and_log(&Event::User(user.id.clone(), change), env)?;
    let mails = reply::operator::password_replaced(&user);
    work.post(&mails, None, &LetterCause::named(&format!("password {id} {now}")), env)?;
    Ok(repair(format!("{} has a new password\n", user.id), work, now))
}

/// Removes a user: their games are resigned, their data is erased, and their former userids no longer
/// lead to them.
///
/// # Errors
/// The machine failed, or there is no such user.
pub fn remove_user(
    server: &mut Server,
    store: &dyn Store,
    id: &UserId,
    now: Time,
) -> Result<Repair, RepairError> {
    let mut stages = server.stages(store, now);
    let user = load_user(store, id, stages.work)?;
    if user.left.as_ref().is_some_and(|left| left.erased) {
        return Err(OperatorRefusal::Erased(user.id).into());
    }
    check_readable(&user, store)?;
    let mut draft = RepairDraft::new(store);
    let unlinked = unlink(&mut draft, store, &user.id)?;
    stages.work.documents.gather(&keys_of(&user), &mut stages.env)?;
    let cause = LetterCause::named(&format!("removed {id} {now}"));
    let boards = stages.erase_user(&user, &user.addresses, &cause)?;
    let said = format!("{} is removed; boards resigned: {}\n{unlinked}", user.id, boards.len());
    Ok(Repair { transaction: finish(draft, stages.work, now), said })
}

/// Returns all data of a user in the documents.
///
/// # Errors
/// The machine failed, there is no such user, or their data is erased.
pub fn export_user(
    server: &mut Server,
    store: &dyn Store,
    id: &UserId,
    now: Time,
) -> Result<(User, Export), RepairError> {
    let Stages { work, env, .. } = &mut server.stages(store, now);
    let user = load_user(store, id, work)?;
    if user.left.as_ref().is_some_and(|left| left.erased) {
        return Err(OperatorRefusal::Erased(user.id).into());
    }
    work.documents.gather(&keys_of(&user), env)?;
    let export = work.documents.world.export(&user);
    Ok((user, export))
}

/// Returns a random password.
pub fn new_password(server: &mut Server) -> String {
    let mut bytes = [0; 10];
    server.chance.chance().fill(&mut bytes);
    BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()
}

fn hashed(password: &str, chance: &mut dyn RandomSource, env: &Env) -> String {
    let mut salt = [0; 16];
    chance.fill(&mut salt);
    env.setup.hashing.hash(password, salt)
}

/// Reads a user, present or departed, and loads their document.
fn load_user(store: &dyn Store, id: &UserId, work: &mut UnitOfWork) -> Result<User, RepairError> {
    let user = RepairDraft::new(store).user(id)?.ok_or(OperatorRefusal::NoUser(id.clone()))?;
    if let Some(new) = user.renamed {
        return Err(OperatorRefusal::Renamed { old: user.id, new }.into());
    }
    work.documents.world.load(&[user_key(id)], store)?;
    Ok(user)
}

/// Checks that the boards of a user and their players can be read. Otherwise a game could not be
/// resigned or rated.
fn check_readable(user: &User, store: &dyn Store) -> Result<(), RepairError> {
    let draft = RepairDraft::new(store);
    for board in &user.active {
        for player in draft.board(*board)?.iter().flat_map(|board| &board.players) {
            draft.user(player)?;
        }
    }
    Ok(())
}

fn repair(said: String, work: &mut UnitOfWork, now: Time) -> Repair {
    work.transaction.at = now;
    Repair { transaction: work.take(), said }
}
