//! The numbers of new boards, which each worker reserves outside its commits, so that workers that begin
//! boards of a game do not wait for each other and do not conflict.
//!
//! A reserved number has a row in the table of wakeups: so nobody reserves it again, whatever becomes of
//! the worker, and `remind` passes over a number that gets no board.

use super::error::DatabaseError;
use super::names::BigInt;
use super::pool::{Connection, Database};
use crate::base::key::Key;
use crate::store::traits::numbers_after;
use crate::store::{Fault, Transaction, Wakeups};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most numbers that a worker reserves in advance.
const LARGEST_RANGE: usize = 100;

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
}

impl BoardNumbers {
    /// Returns the first `count` free numbers of a game, after reserving those that are lacking. They stay
    /// free until a commit [uses](Self::remove) them.
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
            let range = lacking.max(LARGEST_RANGE.min(2 * numbers.range));
            // A synced transaction: a database that crashes must not forget the numbers.
            let reserved = database
                .in_transaction("cannot reserve numbers of boards in", |it| {
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

    /// Removes the numbers of the boards that a transaction begins.
    pub(super) fn remove(&self, transaction: &Transaction) {
        for change in &transaction.changes {
            if let Key::Board(game, number) = change.key {
                self.drop_numbers(game, &[number]);
            }
        }
    }

    /// Gives back the free numbers above which nobody has reserved any.
    pub(super) fn give_back(&self, connection: &mut Connection) -> Result<(), DatabaseError> {
        for (game, numbers) in self.lock().drain() {
            let free: Vec<BigInt> = numbers.free.into_iter().map(BigInt::from).collect();
            if !free.is_empty() {
                let sql = "DELETE FROM looks WHERE game = $1 AND number = ANY($2) AND number > \
                           (SELECT coalesce(max(number), 0) FROM looks WHERE game = $1 AND number <> ALL($2))";
                connection.change(sql, &[&game, &free])?;
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, GameNumbers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reserves up to `range` numbers after all that are in use; none if no more are left.
fn reserve_range(
    connection: &mut Connection,
    game: &str,
    latest: u32,
    range: usize,
) -> Result<Vec<u32>, DatabaseError> {
    loop {
        let sql = "SELECT coalesce(max(number), 0) FROM looks WHERE game = $1";
        let last: BigInt = connection.rows(sql, &[&game])?[0].get(0);
        let last = u32::try_from(last).unwrap_or(u32::MAX).max(latest);
        let next: Vec<BigInt> = numbers_after(last, range).into_iter().map(BigInt::from).collect();
        // A worker that reserves at the same time waits here for the other, and may find all taken.
        let sql = "INSERT INTO looks (game, number, at) \
                   SELECT $1, number, $3 FROM unnest($2::bigint[]) AS new (number) \
                   ON CONFLICT DO NOTHING RETURNING number";
        let rows = connection.rows(sql, &[&game, &next, &Wakeups::RESERVED.unix()])?;
        if next.is_empty() || !rows.is_empty() {
            let numbers = rows.iter().map(|row| u32::try_from(row.get::<_, BigInt>(0)));
            let mut numbers: Vec<u32> = numbers.filter_map(Result::ok).collect();
            numbers.sort_unstable();
            return Ok(numbers);
        }
    }
}
