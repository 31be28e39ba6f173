//! Checks open challenges, counts of boards, and indexes.

use super::{CheckedUser, HomeCheck, Versioned};
use crate::base::ids::UserId;
use crate::model::document::Document as _;
use crate::model::seeks::Seeks;
use crate::model::user::User;
use crate::model::user_index::{self, MOST_AUTO_INDEXED, UserIndexEntry};
use crate::model::world::{count_key, seeks_key, user_key};
use crate::store::{Fault, Register, StoredDocument};
use std::collections::HashSet;

/// Checks that open challenges belong to present users.
pub(super) fn seeks(game: &'static str, home: &mut HomeCheck) -> Result<(), Fault> {
    let key = seeks_key(game);
    let Some(Versioned { content: Some(mut seeks), version }) = home.find(&key, Seeks::read)?
    else {
        return Ok(());
    };
    if seeks.game != game {
        home.note_wrong(format!("{key} holds what is open in {}", seeks.game));
        return Ok(());
    }
    let makers = seeks.seeks.iter().map(|seek| &seek.user);
    let named: HashSet<UserId> = makers.chain(&seeks.listeners).cloned().collect();
    let mut is_right = true;
    for user in named {
        let is_here = match home.users.get(&user) {
            Some(account) => account.found.left.is_none(),
            // A user whose file cannot be read may be present.
            None => !matches!(home.text(&user_key(&user))?, Ok(StoredDocument { text: None, .. })),
        };
        if !is_here {
            home.note_mended(format!("{key} names {user}, who is not here"));
            seeks.forget(&user);
            is_right = false;
        }
    }
    if !is_right {
        home.put(key, version, seeks.to_text());
    }
    Ok(())
}

/// Checks that the count of a game's boards is not below the highest number.
pub(super) fn count(game: &'static str, highest: u32, home: &mut HomeCheck) -> Result<(), Fault> {
    let key = count_key(game);
    let line = format!("the count of {game} boards is below board {highest}");
    let Ok(StoredDocument { text, version }) = home.text(&key)? else {
        home.note_wrong(line);
        return Ok(());
    };
    let count = text.map_or(Some(0), |text| text.trim().parse().ok());
    if count.is_none_or(|count| count < highest) {
        home.note_mended(line);
        home.put(key, version, format!("{highest}\n"));
    }
    Ok(())
}

/// Checks that every user rated in a game is in its register.
pub(super) fn rated(game: &'static str, home: &mut HomeCheck) -> Result<(), Fault> {
    let line = |user: &str| format!("the index of {game} ratings lacks {user}");
    registered(Register::Rated(game), |user| user.ratings.contains_key(game), line, home)
}

/// Checks that every user with a stopped address is in the register of stopped addresses.
pub(super) fn stopped(home: &mut HomeCheck) -> Result<(), Fault> {
    let line = |user: &str| format!("the index of stopped addresses lacks {user}");
    registered(Register::Stopped, |user| !user.stopped.is_empty(), line, home)
}

/// Checks that every user who `belongs` into a register is in it.
fn registered(
    register: Register,
    belongs: impl Fn(&User) -> bool,
    line: impl Fn(&str) -> String,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let known: HashSet<String> = home.store.registered(register)?.into_iter().collect();
    let users = home.users.values().map(|account| &account.should);
    let users = users.filter(|user| belongs(user)).map(|user| user.id.folded());
    let missing: Vec<String> = users.filter(|user| !known.contains(user)).collect();
    for user in missing {
        home.note_mended(line(&user));
        home.report.repair.index_updates.registered.push((register, user));
    }
    Ok(())
}

/// Checks that every user is in the index of users. A small home without an index gets one when it
/// is needed; entries too many do no harm.
pub(super) fn users(home: &mut HomeCheck) -> Result<(), Fault> {
    let is_there = matches!(
        home.text(&user_index::complete_mark())?,
        Ok(StoredDocument { text: Some(_), .. })
    );
    if !is_there && home.users.len() <= MOST_AUTO_INDEXED {
        return Ok(());
    }
    if !is_there {
        home.note_mended(
            "there is no index of users, so they are not found by their addresses".into(),
        );
    }
    for (key, should) in
        user_index::build(home.users.values().map(|CheckedUser { should, .. }| should))
    {
        let Some(Versioned { content, version }) = home.find(&key, UserIndexEntry::read)? else {
            continue;
        };
        let mut names = content.unwrap_or_default();
        let lacks = |user: &&UserId| !names.users().contains(user);
        let missing: Vec<UserId> = should.users().iter().filter(lacks).cloned().collect();
        for user in &missing {
            if is_there {
                home.note_mended(format!("{key} does not lead to {user}"));
            }
            names.add(user);
        }
        if !missing.is_empty() || version.is_none() {
            home.put(key, version, names.to_text());
        }
    }
    Ok(())
}
