//! The environment of every stage.

use crate::base::ids::BoardId;
use crate::base::password::Hashing;
use crate::base::time::Time;
use crate::config::Config;
use crate::mail::Identity;
use crate::model::dice::DiceKeys;
use crate::model::token::TokenKey;
use crate::store::Store;

/// The setup of a server, apart from its documents.
#[derive(Debug)]
pub struct Setup {
    /// The operator's choices.
    pub config: Config,
    /// Its names in mails.
    pub identity: Identity,
    /// The secret behind reply tokens.
    pub key: TokenKey,
    /// The keys from which dice follow.
    pub dice: DiceKeys,
    /// How passwords are hashed.
    pub hashing: Hashing,
}

/// The server, what it reads from, the time, and the log.
pub(super) struct Env<'a> {
    pub(super) setup: &'a Setup,
    pub(super) store: &'a dyn Store,
    pub(super) now: Time,
    pub(super) log: &'a mut Vec<String>,
    /// The boards that commands were about.
    pub(super) boards: &'a mut Vec<BoardId>,
    /// The first document that could not be read, and why.
    pub(super) unreadable: &'a mut Option<String>,
}

impl Env<'_> {
    /// Tells the operator something, in a line without secrets.
    pub(super) fn note(&mut self, line: impl Into<String>) {
        self.log.push(line.into());
    }

    /// Keeps in mind that documents cannot be read: a line each.
    pub(super) fn met(&mut self, damaged: &[String]) {
        if let Some(line) = damaged.first() {
            self.unreadable.get_or_insert_with(|| line.clone());
        }
    }

    /// The same over documents that are not committed yet.
    pub(super) fn over<'s>(&'s mut self, store: &'s dyn Store) -> Env<'s> {
        Env {
            setup: self.setup,
            store,
            now: self.now,
            log: self.log,
            boards: self.boards,
            unreadable: self.unreadable,
        }
    }
}
