//! The numbers of new boards, which each worker reserves outside its commits, so that workers that begin
//! boards of a game do not wait for each other and do not conflict.
//!
//! Each reserved number has a row in `looks`, so no other worker reserves it, even if this one dies;
//! `remind` skips numbers without boards.

use super::error::DatabaseError;
use super::names::BigInt;
use super::pool::{Connection, Database};
use crate::base::key::Key;
use crate::store::traits::numbers_after;
use crate::store::{Fault, Transaction, Wakeups};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most numbers that a worker reserves in advance. Pages that show the newest boards read past as many
/// numbers without a board for each worker.
const MAX_RANGE: usize = 16;

/// The reserved numbers of a worker that have no boards yet, by game.
#[derive(Debug, Default)]
pub(super) struct BoardNumbers(Mutex<HashMap<&'static str, GameNumbers>>);

/// The reserved numbers of a game.
#[derive(Debug, Default)]
struct GameNumbers {
    free: Vec<u32>,
    /// The length of the last range: each is twice as long as the one before, so that a worker that
    /// begins few boards leaves few numbers without one.
    range: usize,
    /// The greatest number with which a commit was tried: the count may have been raised to it.
    tried: u32,
}

impl BoardNumbers {
    /// Returns the first `count` free numbers of a game; reserves more if there are not enough. They stay free
    /// until a commit [uses](Self::remove) them.
    pub(super) fn reserve(
        &self,
        database: &Database,
        game: &'static str,
        latest: u32,
        count: usize,
    ) -> Result<Vec<u32>, Fault> {
        let mut games = self.lock();
        let numbers = games.entry(game).or_default();
        while numbers.free.len() < count {
            let lacking = count - numbers.free.len();
            let range = lacking.max(MAX_RANGE.min(2 * numbers.range));
            // A synced transaction: a database that crashes must not forget the numbers.
            let reserved =
                database.in_transaction("cannot reserve numbers of boards in", |it| {
                    lock_numbers(it, game)?;
                    reserve_range(it, game, latest, range)
                })?;
            if reserved.is_empty() {
                break;
            }
            numbers.range = range;
            numbers.free.extend(reserved);
        }
        Ok(numbers.free.iter().take(count).copied().collect())
    }

    /// Drops numbers of a game that cannot be used.
    pub(super) fn drop_numbers(&self, game: &'static str, dropped: &[u32]) {
        if let Some(numbers) = self.lock().get_mut(game) {
            numbers.free.retain(|number| !dropped.contains(number));
        }
    }

    /// Notes the numbers of the boards that a transaction begins, before it is committed.
    pub(super) fn note_tried(&self, transaction: &Transaction) {
        let mut games = self.lock();
        for change in &transaction.changes {
            if let Key::Board(game, number) = change.key
                && let Some(numbers) = games.get_mut(game)
            {
                numbers.tried = numbers.tried.max(number);
            }
        }
    }

    /// Removes the numbers of the boards that a transaction begins.
    pub(super) fn remove(&self, transaction: &Transaction) {
        for change in &transaction.changes {
            if let Key::Board(game, number) = change.key {
                self.drop_numbers(game, &[number]);
            }
        }
    }

    /// Gives back the free numbers above which nobody has reserved any, and to which no count was raised.
    pub(super) fn give_back(&self, connection: &mut Connection) -> Result<(), DatabaseError> {
        for (game, numbers) in self.lock().drain() {
            let free = numbers.free.into_iter().filter(|number| *number > numbers.tried);
            let free: Vec<BigInt> = free.map(BigInt::from).collect();
            if !free.is_empty() {
                lock_numbers(connection, game)?;
                let sql = "DELETE FROM looks WHERE game = $1 AND number = ANY($2) AND at = $3 AND number > \
                           (SELECT coalesce(max(number), 0) FROM looks WHERE game = $1 AND number <> ALL($2))";
                connection.change(sql, &[&game, &free, &Wakeups::RESERVED.unix()])?;
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, GameNumbers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets no other worker reserve or give back numbers of a game until the transaction ends.
fn lock_numbers(connection: &mut Connection, game: &str) -> Result<(), DatabaseError> {
    connection.limit_waits()?;
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || $1::text, 0))";
    connection.rows(sql, &[&game]).map(drop)
}

/// Reserves up to `range` numbers after all that are in use; none if no more are left.
fn reserve_range(
    connection: &mut Connection,
    game: &str,
    latest: u32,
    range: usize,
) -> Result<Vec<u32>, DatabaseError> {
    let sql = "SELECT coalesce(max(number), 0) FROM looks WHERE game = $1";
    let last: BigInt = connection.rows(sql, &[&game])?[0].get(0);
    let last = u32::try_from(last).unwrap_or(u32::MAX).max(latest);
    let numbers = numbers_after(last, range);
    let rows: Vec<BigInt> = numbers.iter().copied().map(BigInt::from).collect();
    let sql = "INSERT INTO looks (game, number, at) \
               SELECT $1, number, $3 FROM unnest($2::bigint[]) AS new (number)";
    connection.change(sql, &[&game, &rows, &Wakeups::RESERVED.unix()])?;
    Ok(numbers)
}
