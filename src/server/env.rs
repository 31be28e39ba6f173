//! What every stage needs: setup, store, time and log.

use crate::base::ids::BoardId;
use crate::base::meters::CommandTally;
use crate::base::password::Hashing;
use crate::base::time::Time;
use crate::config::Config;
use crate::mail::Identity;
use crate::model::dice::DiceKeys;
use crate::model::token::TokenKey;
use crate::store::Store;

/// The setup of a server: everything but its documents.
#[derive(Debug)]
pub struct Setup {
    /// The operator's configuration.
    pub config: Config,
    /// Name and address of the server in mails.
    pub identity: Identity,
    /// The secret behind reply tags.
    pub key: TokenKey,
    /// The keys of the dice.
    pub dice: DiceKeys,
    /// The hash function for passwords.
    pub hashing: Hashing,
}

#[cfg(test)]
impl Setup {
    /// Returns the setup of a test's server with this configuration.
    pub(crate) fn of_test(config: &str) -> Self {
        let config = Config::read(config).expect("a configuration");
        let (key, dice) = (TokenKey::new([7; 32]), DiceKeys::new(&[7; 32], Vec::new()));
        Self { identity: config.identity(), config, key, dice, hashing: Hashing::quick() }
    }
}

/// Setup, store, time and log of the mail or command under way.
pub(super) struct Env<'a> {
    pub(super) setup: &'a Setup,
    pub(super) store: &'a dyn Store,
    pub(super) now: Time,
    pub(super) log: &'a mut Vec<String>,
    /// The boards of the commands so far.
    pub(super) boards: &'a mut Vec<BoardId>,
    /// What is counted of the commands so far.
    pub(super) tally: &'a mut CommandTally,
    /// The first unreadable document, with the reason.
    pub(super) unreadable: &'a mut Option<String>,
}

impl Env<'_> {
    /// Logs a line for the operator. It must not contain secrets.
    pub(super) fn note(&mut self, line: impl Into<String>) {
        self.log.push(line.into());
    }

    /// Logs lines about damaged documents, and remembers the first.
    pub(super) fn note_damaged(&mut self, damaged: Vec<String>) {
        self.note_unreadable(&damaged);
        self.log.extend(damaged);
    }

    /// Remembers the first of these lines about unreadable documents.
    pub(super) fn note_unreadable(&mut self, damaged: &[String]) {
        if let Some(line) = damaged.first() {
            self.unreadable.get_or_insert_with(|| line.clone());
        }
    }

    /// Returns this environment with another store, such as a draft.
    pub(super) fn with_store<'s>(&'s mut self, store: &'s dyn Store) -> Env<'s> {
        Env {
            setup: self.setup,
            store,
            now: self.now,
            log: self.log,
            boards: self.boards,
            tally: self.tally,
            unreadable: self.unreadable,
        }
    }
}
