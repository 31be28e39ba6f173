//! `user rename`: gives a user another userid.

use super::draft::{RepairDraft, damaged};
use super::{Repair, RepairError, finish};
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::model::caches::DOCUMENT_TYPES;
use crate::model::document::Document as _;
use crate::model::one_time_code::PendingCode;
use crate::model::user::{self, Departure, User, is_reserved};
use crate::model::user_index::{self, UserIndexEntry};
use crate::model::world::user_key;
use crate::refusal::OperatorRefusal;
use crate::reply;
use crate::server::letters::LetterCause;
use crate::server::{Server, Stages};
use crate::store::{DocumentKind, Key, Register, Store};
use std::fmt::Write as _;

/// Renames a user in every document that names them. The old userid stays taken, and only they can
/// get it back.
///
/// # Errors
/// The machine failed, the new userid is taken, or a document cannot be read.
pub fn rename_user(
    server: &mut Server,
    store: &dyn Store,
    old: &UserId,
    new: &UserId,
    now: Time,
) -> Result<Repair, RepairError> {
    let Stages { work, env, .. } = &mut server.stages(store, now);
    let mut draft = RepairDraft::new(store);
    let mut user = find_renamable(&draft, old, new)?;
    let old = user.id.clone();
    let boards = rename_in_documents(&mut draft, &old, new)?;
    index_look(&mut draft, new)?;
    user.id = new.clone();
    if old != *new {
        leave_stub(&mut draft, &old, &mut user, now)?;
    }
    draft.put_user(&user)?;
    let mails = reply::operator::user_renamed(&user, &old);
    work.post(&mails, None, &LetterCause::named(&format!("renamed {old} {new} {now}")), env)?;
    env.note(format!("{old} is {new} now"));
    let mut said = format!("{old} is {new} now, on {}\n", Plural(boards, "board"));
    if old != *new {
        let _ = writeln!(
            said,
            "reply addresses in mails sent to {old} are void; {old} stays taken, for {new} alone"
        );
    }
    Ok(Repair { transaction: finish(draft, work, now), said })
}

/// Returns the user `old` if they may be renamed to `new`.
fn find_renamable(draft: &RepairDraft, old: &UserId, new: &UserId) -> Result<User, RepairError> {
    let user = draft.user(old)?.ok_or(OperatorRefusal::NoUser(old.clone()))?;
    let old = user.id.clone();
    if let Some(new) = user.renamed {
        return Err(OperatorRefusal::Renamed { old, new }.into());
    }
    if user.left.as_ref().is_some_and(|left| left.erased) {
        return Err(OperatorRefusal::Erased(old).into());
    }
    if old.as_str() == new.as_str() {
        return Err(OperatorRefusal::SameName(old).into());
    }
    if old != *new {
        let there = draft.user(new)?;
        let is_theirs = there.as_ref().is_none_or(|there| there.renamed.as_ref() == Some(&old));
        if is_reserved(new) && there.is_none() || !is_theirs {
            return Err(OperatorRefusal::Taken(new.clone()).into());
        }
        // A userid that differs only in case may look like the old one.
        let alike = read_entry(draft, &user_index::look_entry(new))?;
        if there.is_none() && alike.users().iter().any(|other| *other != old) {
            return Err(OperatorRefusal::LooksLikeAnother(new.clone()).into());
        }
    }
    Ok(user)
}

/// Leaves a file under the old userid that names the new one. Codes become void, since they begin
/// with the userid.
fn leave_stub(
    draft: &mut RepairDraft,
    old: &UserId,
    user: &mut User,
    now: Time,
) -> Result<(), RepairError> {
    user.codes.iter_mut().for_each(PendingCode::void);
    let mut stub = User::new(old.clone(), String::new(), Vec::new(), Time::EPOCH);
    stub.left = Some(Departure { at: now, erased: true });
    stub.renamed = Some(user.id.clone());
    draft.put_user(&stub)?;
    let games = user.ratings.keys().filter_map(|game| games::find(game));
    let rated = games.map(|game| Register::Rated(game.spec().name));
    let stopped = (!user.stopped.is_empty()).then_some(Register::Stopped);
    let registered = rated.chain(stopped).map(|register| (register, user.id.folded()));
    draft.index_updates.registered.extend(registered);
    Ok(())
}

/// Clears what leads from the former userids of a user who is erased to them. The former userids
/// stay taken.
///
/// # Errors
/// The machine failed, or the document of a former userid cannot be read.
pub fn unlink_former_userids(
    server: &mut Server,
    store: &dyn Store,
    id: &UserId,
    now: Time,
) -> Result<Repair, RepairError> {
    let Stages { work, .. } = &mut server.stages(store, now);
    let mut draft = RepairDraft::new(store);
    let said = unlink(&mut draft, store, id)?;
    Ok(Repair { transaction: finish(draft, work, now), said })
}

/// Clears the links of former userids in a draft. Returns the line about them, if there are any.
pub(super) fn unlink(
    draft: &mut RepairDraft,
    store: &dyn Store,
    id: &UserId,
) -> Result<String, RepairError> {
    let mut stubs = former_userids(store, id)?;
    for stub in &mut stubs {
        stub.renamed = None;
        draft.put_user(stub)?;
    }
    let is_any = !stubs.is_empty();
    let line = || format!("former userids that no longer lead to {id}: {}\n", stubs.len());
    Ok(is_any.then(line).unwrap_or_default())
}

/// Returns the documents under the former userids of a user. Reads all users.
///
/// # Errors
/// The machine failed, or the document of a former userid cannot be read.
pub fn former_userids(store: &dyn Store, id: &UserId) -> Result<Vec<User>, RepairError> {
    let mut stubs = Vec::new();
    for key in store.keys(DocumentKind::In(user::COLLECTION))? {
        let text = store.load_lossy(&key)?.text.unwrap_or_default();
        let Some(former) = User::id_of(&key) else { continue };
        if text.contains("\"renamed\"") && may_name(&text, id) {
            let stub = RepairDraft::new(store).user(&former)?;
            stubs.extend(stub.filter(|stub| stub.renamed.as_ref() == Some(id)));
        }
    }
    Ok(stubs)
}

/// Returns whether a text may name a user. In an edited file `\u` can hide a name.
fn may_name(text: &str, user: &UserId) -> bool {
    text.contains("\\u") || text.to_ascii_lowercase().contains(&user.folded())
}

/// Renames a user in all documents but their own. Returns the number of boards.
fn rename_in_documents(
    draft: &mut RepairDraft,
    old: &UserId,
    new: &UserId,
) -> Result<usize, RepairError> {
    let mut boards = 0;
    for kind in DOCUMENT_TYPES {
        for key in kind.keys(draft)? {
            let Some(text) = draft.text(&key)?.filter(|text| may_name(text, old)) else { continue };
            if key == user_key(old) {
                continue;
            }
            let renamed = kind.renamed(&key, &text, old, new);
            if let Some(text) = renamed.map_err(|why| damaged(&key, &why))? {
                draft.put(key.clone(), text)?;
                boards += usize::from(matches!(key, Key::Board(..)));
            }
        }
    }
    Ok(boards)
}

/// Reads an entry of the index of users.
fn read_entry(draft: &RepairDraft, key: &Key) -> Result<UserIndexEntry, RepairError> {
    let Some(text) = draft.text(key)? else { return Ok(UserIndexEntry::default()) };
    Ok(UserIndexEntry::read(&text).map_err(|why| damaged(key, &why))?)
}

/// Adds the new userid to the index of userids by their look, so that nobody gets a similar one.
fn index_look(draft: &mut RepairDraft, new: &UserId) -> Result<(), RepairError> {
    let key = user_index::look_entry(new);
    let mut names = read_entry(draft, &key)?;
    names.add(new);
    draft.put(key, names.to_text())?;
    Ok(())
}
