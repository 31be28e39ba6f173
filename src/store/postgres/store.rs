//! An open home in a database: a worker, or a reader of one snapshot.

use super::error::DatabaseError;
use super::names::BigInt;
use super::notify::announce_changes;
use super::pool::{Connection, Connector, Database};
use super::spool::PostgresSpool;
use super::worker::{DatabaseWorker, remove_expired};
use super::{HomeDatabase, PostgresHome, schema};
use crate::base::digest::Digest;
use crate::base::time::{Day, Time, TimeSlot};
use crate::store::receipt::{receipt_months, receipt_status};
use crate::store::traits::numbers_after;
use crate::store::transaction::{DUE, UNPROVED};
use crate::store::{
    DocumentKind, DocumentVersion, Documents, Fault, IndexUpdates, Indexes, Key, LogEntry, MailKey,
    OpenHome, ReceiptStatus, Receipts, Register, RunMarker, SpoolStore, Store, StoredDocument,
    Transaction, Wakeups, log_all, record,
};
use r2d2::PooledConnection;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An open home.
#[derive(Debug)]
pub(super) struct PostgresStore {
    database: Database,
    /// The folder on this machine, for the log.
    folder: PathBuf,
    access: AccessMode,
    prefetched: Mutex<PrefetchCache>,
}

/// A receipt of a known ID.
#[derive(Debug)]
struct ReceiptRow {
    content: Vec<u8>,
    at: BigInt,
}

/// What was read ahead, until it is asked for or the next commit.
#[derive(Debug, Default)]
struct PrefetchCache {
    documents: HashMap<String, Option<String>>,
    /// Receipts by the IDs of mails.
    receipts: HashMap<Digest, Vec<ReceiptRow>>,
}

/// How the home is open.
enum AccessMode {
    /// As a worker, among others.
    Worker(Arc<DatabaseWorker>),
    /// For reading: the connection shows the home as it was when it was opened.
    Reader(Box<Mutex<PooledConnection<Connector>>>),
}

impl std::fmt::Debug for AccessMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Worker(worker) => worker.fmt(f),
            Self::Reader(_) => f.write_str("Reader"),
        }
    }
}

impl PostgresStore {
    /// Opens a home as a worker.
    pub(super) fn open(home: &PostgresHome) -> Result<Self, Fault> {
        let HomeDatabase { database, lease } = home.connect()?;
        let worker = DatabaseWorker::start(&database, lease)?;
        let (folder, access) = (home.folder.clone(), AccessMode::Worker(Arc::new(worker)));
        Ok(Self { database, folder, access, prefetched: Mutex::default() })
    }

    /// Opens a home for reading.
    pub(super) fn open_read_only(home: &PostgresHome) -> Result<Self, Fault> {
        let database = home.database()?;
        let connection = database.begin_snapshot("cannot open", schema::check)?;
        let access = AccessMode::Reader(Box::new(Mutex::new(connection)));
        Ok(Self { database, folder: home.folder.clone(), access, prefetched: Mutex::default() })
    }

    fn query<T>(
        &self,
        mut query: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        match &self.access {
            AccessMode::Worker(_) => self.database.with_retries("cannot read", query),
            AccessMode::Reader(connection) => {
                let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                let failed = |failure: DatabaseError| {
                    failure.into_fault("cannot read", &self.database.address)
                };
                query(&mut connection).map_err(failed)
            }
        }
    }

    fn prefetched(&self) -> MutexGuard<'_, PrefetchCache> {
        self.prefetched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn worker(&self) -> Result<&Arc<DatabaseWorker>, Fault> {
        match &self.access {
            AccessMode::Worker(worker) => Ok(worker),
            AccessMode::Reader(_) => {
                let why = DatabaseError::Refused("it was opened for reading".to_owned());
                Err(why.into_fault("cannot change", &self.database.address))
            }
        }
    }
}

impl Drop for AccessMode {
    fn drop(&mut self) {
        match self {
            Self::Worker(worker) => worker.end(),
            Self::Reader(connection) => {
                connection.get_mut().unwrap_or_else(PoisonError::into_inner).rollback();
            }
        }
    }
}

impl Documents for PostgresStore {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        let Some(name) = key.file() else {
            return Ok(StoredDocument { text: None, version: None });
        };
        let prefetched = self.prefetched().documents.remove(&name);
        let text = if let Some(text) = prefetched {
            text
        } else {
            let sql = "SELECT text FROM documents WHERE name = $1";
            let rows = self.query(|it| it.rows(sql, &[&name]))?;
            rows.first().map(|row| row.get(0))
        };
        let version = text.as_ref().map(Digest::of);
        Ok(StoredDocument { text, version })
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn prefetch(&self, keys: &[Key]) -> Result<(), Fault> {
        let names: Vec<String> = keys.iter().filter_map(Key::file).collect();
        let sql = "SELECT name, text FROM documents WHERE name = ANY($1)";
        let rows = self.query(|it| it.rows(sql, &[&names]))?;
        let mut prefetched = self.prefetched();
        prefetched.documents.extend(names.into_iter().map(|name| (name, None)));
        prefetched.documents.extend(rows.iter().map(|row| (row.get(0), row.get(1))));
        Ok(())
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        let sql = "SELECT name FROM documents WHERE folder = $1";
        let rows = self.query(|it| it.rows(sql, &[&kind.folder()]))?;
        let key = |name: &str| kind.named(name.rsplit('/').next().unwrap_or(name));
        let mut keys: Vec<Key> = rows.iter().filter_map(|row| key(row.get(0))).collect();
        keys.sort();
        Ok(keys)
    }
}

impl Receipts for PostgresStore {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        let months: Vec<_> = receipt_months(now).collect();
        let prefetched = self.prefetched().receipts.remove(&mail.id);
        let known = if let Some(known) = prefetched {
            known
        } else {
            let sql = "SELECT content, at FROM receipts WHERE id = $1";
            let rows = self.query(|it| it.rows(sql, &[&&mail.id[..]]))?;
            rows.iter().map(|row| ReceiptRow { content: row.get(0), at: row.get(1) }).collect()
        };
        let mut status = ReceiptStatus::Never;
        for ReceiptRow { content, at } in known {
            let month = Time::from_unix(at).month();
            if !months.contains(&month) {
                continue;
            }
            if *content == mail.content[..] {
                return Ok(receipt_status(month, now));
            }
            status = ReceiptStatus::Reused;
        }
        Ok(status)
    }

    fn prefetch_receipts(&self, mails: &[MailKey]) -> Result<(), Fault> {
        let ids: Vec<Digest> = mails.iter().flat_map(|mail| [mail.id, mail.content]).collect();
        let values: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
        let sql = "SELECT id, content, at FROM receipts WHERE id = ANY($1)";
        let rows = self.query(|it| it.rows(sql, &[&values]))?;
        let mut prefetched = self.prefetched();
        prefetched.receipts.extend(ids.iter().map(|id| (*id, Vec::new())));
        for row in &rows {
            let known = ids.iter().find(|id| id[..] == *row.get::<_, &[u8]>(0));
            let known = known.and_then(|id| prefetched.receipts.get_mut(id));
            if let Some(known) = known {
                known.push(ReceiptRow { content: row.get(1), at: row.get(2) });
            }
        }
        Ok(())
    }
}

impl Indexes for PostgresStore {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        let sql = "SELECT number, at FROM looks WHERE game = $1 ORDER BY number";
        let mut wakeups = Wakeups::default();
        for row in self.query(|it| it.rows(sql, &[&game]))? {
            let (number, at): (BigInt, BigInt) = (row.get(0), row.get(1));
            match usize::try_from(number) {
                Ok(0) => wakeups.scanned = Time::from_unix(at),
                Ok(number) => {
                    wakeups.boards.resize(number - 1, Time::EPOCH);
                    wakeups.boards.push(Time::from_unix(at));
                }
                Err(_) => {}
            }
        }
        Ok(wakeups)
    }

    fn registered(&self, of: Register) -> Result<Vec<String>, Fault> {
        let sql = "SELECT userid FROM registers WHERE register = $1 ORDER BY userid";
        let rows = self.query(|it| it.rows(sql, &[&of.name()]))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        let sql = "SELECT DISTINCT register FROM registers \
                   WHERE register LIKE $1 || '/%' AND register <= $2 ORDER BY register";
        let last = Register::Unproved(until).name();
        let rows = self.query(|it| it.rows(sql, &[&UNPROVED, &last]))?;
        let day = |row: &::postgres::Row| Day::parse(row.get::<_, &str>(0).rsplit('/').next()?);
        Ok(rows.iter().filter_map(day).collect())
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        let sql = "SELECT DISTINCT register FROM registers WHERE register LIKE $1 || '/%' \
                   ORDER BY register";
        let rows = self.query(|it| it.rows(sql, &[&DUE]))?;
        let slot =
            |row: &::postgres::Row| TimeSlot::parse(row.get::<_, &str>(0).rsplit('/').next()?);
        Ok(rows.iter().filter_map(slot).collect())
    }

    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        let sql = "SELECT count(*) FROM sent WHERE mailbox = $1 AND day = $2";
        let rows = self.query(|it| it.rows(sql, &[&&mailbox[..], &now.day().to_string()]))?;
        Ok(usize::try_from(rows[0].get::<_, BigInt>(0)).unwrap_or(usize::MAX))
    }

    fn sent_counts(&self, mailboxes: &[[u8; 8]], now: Time) -> Result<Vec<usize>, Fault> {
        let values: Vec<&[u8]> = mailboxes.iter().map(|it| &it[..]).collect();
        let sql = "SELECT mailbox, count(*) FROM sent WHERE mailbox = ANY($1) AND day = $2 \
                   GROUP BY mailbox";
        let rows = self.query(|it| it.rows(sql, &[&values, &now.day().to_string()]))?;
        let found = |row: &::postgres::Row| (row.get::<_, Vec<u8>>(0), row.get::<_, BigInt>(1));
        let found: HashMap<_, _> = rows.iter().map(found).collect();
        let count = |it: &[u8; 8]| found.get(&it[..]).copied().unwrap_or(0);
        Ok(mailboxes.iter().map(|it| usize::try_from(count(it)).unwrap_or(usize::MAX)).collect())
    }
}

impl Store for PostgresStore {
    fn remove(&mut self, documents: &[(Key, DocumentVersion)], of: Register) -> Result<(), Fault> {
        *self.prefetched() = PrefetchCache::default();
        let mut named = Vec::new();
        for (key, version) in documents {
            if let (Some(name), Some(version)) = (key.file(), version) {
                named.push((name, version.to_vec()));
            }
        }
        let (names, versions): (Vec<String>, Vec<Vec<u8>>) = named.into_iter().unzip();
        self.database.in_unsynced_transaction("cannot change", |connection| {
            let sql = "DELETE FROM documents USING unnest($1::text[], $2::bytea[]) AS old (name, version) \
                       WHERE documents.name = old.name AND documents.version = old.version";
            connection.change(sql, &[&names, &versions])?;
            let sql = "DELETE FROM registers WHERE register = $1";
            connection.change(sql, &[&of.name()]).map(drop)
        })
    }

    fn reserve_board_numbers(
        &self,
        game: &'static str,
        latest: u32,
        count: usize,
    ) -> Result<Vec<u32>, Fault> {
        let AccessMode::Worker(worker) = &self.access else {
            return Ok(numbers_after(latest, count));
        };
        loop {
            let numbers = worker.numbers.reserve(&self.database, game, latest, count)?;
            // A count that was lowered by hand, or a standby that lacked the last reservations, may
            // lead to numbers of existing boards.
            let existing = self.existing_boards(game, &numbers)?;
            if existing.is_empty() {
                return Ok(numbers);
            }
            worker.numbers.drop_numbers(game, &existing);
        }
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        *self.prefetched() = PrefetchCache::default();
        if is_empty(&transaction) {
            return Ok(());
        }
        self.worker()?.commit(&transaction)?;
        announce_changes(&self.database, &transaction.names());
        Ok(())
    }
}

impl OpenHome for PostgresStore {
    fn key(&self) -> Result<[u8; 32], Fault> {
        let keys = self.keys_where(|number| number == 0)?;
        let none = || {
            DatabaseError::Damage("it contains no key")
                .into_fault("cannot use", &self.database.address)
        };
        keys.first().copied().ok_or_else(none)
    }

    fn dice_keys(&self) -> Result<Vec<[u8; 32]>, Fault> {
        self.keys_where(|number| number > 0)
    }

    fn add_dice_key(&mut self, key: &[u8; 32]) -> Result<(), Fault> {
        let worker = Arc::clone(self.worker()?);
        self.database.in_transaction("cannot write", |connection| {
            worker.renew(connection)?;
            let sql = "INSERT INTO keys (number, key) SELECT coalesce(max(number), 0) + 1, $1::bytea \
                       FROM keys WHERE NOT EXISTS (SELECT FROM keys WHERE key = $1)";
            connection.change(sql, &[&&key[..]]).map(drop)
        })
    }

    fn spool_store(&self) -> Box<dyn SpoolStore> {
        let worker = self.worker().ok().cloned();
        Box::new(PostgresSpool::new(&self.database, worker))
    }

    fn run_marker(&self) -> Box<dyn RunMarker> {
        let number = self.worker().map_or(0, |worker| worker.number);
        Box::new(PostgresMarker {
            database: self.database.clone(),
            name: format!("remind {number}"),
        })
    }

    fn repair_flaws(&mut self) -> Result<Vec<String>, Fault> {
        *self.prefetched() = PrefetchCache::default();
        let rows = self.database.in_transaction("cannot change", |connection| {
            let sql = "UPDATE documents SET version = sha256(convert_to(text, 'UTF8')), changed = now() \
                       WHERE version <> sha256(convert_to(text, 'UTF8')) RETURNING name";
            connection.rows(sql, &[])
        })?;
        let mended = |row: &::postgres::Row| {
            let name: &str = row.get(0);
            format!("{name}: in the table documents its version was not that of its text")
        };
        let mut mended: Vec<String> = rows.iter().map(mended).collect();
        mended.sort();
        Ok(mended)
    }

    fn flaws(&self) -> Result<Vec<String>, Fault> {
        // An edit of the table by hand may forget the digest of the text.
        let sql = "SELECT name, version = sha256(convert_to(text, 'UTF8')) FROM documents \
                   WHERE version <> sha256(convert_to(text, 'UTF8')) OR folder <> \
                   CASE WHEN split_part(name, '/', 1) IN ('boards', 'documents') \
                   THEN split_part(name, '/', 1) || '/' || split_part(name, '/', 2) \
                   ELSE split_part(name, '/', 1) END ORDER BY name";
        let flaw = |row: &::postgres::Row| {
            let name: &str = row.get(0);
            let what = if row.get(1) {
                "folder is not that of its name"
            } else {
                "version is not that of its text, so that nobody can change it"
            };
            format!("{name}: in the table documents its {what}")
        };
        Ok(self.query(|it| it.rows(sql, &[]))?.iter().map(flaw).collect())
    }

    fn log(&self, lines: &[&str]) -> Result<(), Fault> {
        log_all(&self.folder, lines)
    }

    fn record(&self, entries: &[LogEntry]) -> Result<(), Fault> {
        record(&self.folder, entries)
    }

    fn close(self: Box<Self>) -> Result<(), Fault> {
        Ok(())
    }
}

impl PostgresStore {
    /// Returns which of these boards exist. They are loaded ahead, since new boards are loaded before
    /// they begin.
    fn existing_boards(&self, game: &'static str, numbers: &[u32]) -> Result<Vec<u32>, Fault> {
        let keys: Vec<Key> = numbers.iter().map(|number| Key::Board(game, *number)).collect();
        self.prefetch(&keys)?;
        let documents = &self.prefetched().documents;
        let exists = |key: &Key| {
            key.file().and_then(|name| documents.get(&name)).is_some_and(Option::is_some)
        };
        let existing = numbers.iter().zip(&keys).filter(|(_, key)| exists(key));
        Ok(existing.map(|(number, _)| *number).collect())
    }

    fn keys_where(&self, is_wanted: impl Fn(BigInt) -> bool) -> Result<Vec<[u8; 32]>, Fault> {
        let rows = self.query(|it| it.rows("SELECT number, key FROM keys ORDER BY number", &[]))?;
        let wanted = rows.iter().filter(|row| is_wanted(row.get(0)));
        let key = |row: &::postgres::Row| row.get::<_, &[u8]>(1).try_into().ok();
        wanted.map(key).collect::<Option<_>>().ok_or_else(|| {
            DatabaseError::Damage("a key is not 32 bytes")
                .into_fault("cannot use", &self.database.address)
        })
    }
}

/// Returns whether there is nothing to write; documents that were only read change nothing.
fn is_empty(transaction: &Transaction) -> bool {
    let Transaction {
        changes,
        reads: _,
        unannounced: _,
        letters,
        receipts,
        swapped_receipts,
        sent,
        at: _,
        index_updates,
    } = transaction;
    changes.is_empty()
        && letters.is_empty()
        && receipts.is_empty()
        && swapped_receipts.is_empty()
        && sent.is_empty()
        && *index_updates == IndexUpdates::default()
}

/// The step of a long run of this worker. Those of other workers count once these are gone.
#[derive(Debug)]
struct PostgresMarker {
    database: Database,
    name: String,
}

impl RunMarker for PostgresMarker {
    fn read(&self) -> Result<String, Fault> {
        let text: Option<String> =
            self.database.in_unsynced_transaction("cannot read", |connection| {
                remove_expired(connection)?;
                let sql = "UPDATE markers SET name = $1 WHERE name = (SELECT name FROM markers \
                       WHERE NOT EXISTS (SELECT FROM workers WHERE 'remind ' || number = name) \
                       ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED) \
                       AND NOT EXISTS (SELECT FROM markers WHERE name = $1)";
                connection.change(sql, &[&self.name])?;
                let rows =
                    connection.rows("SELECT text FROM markers WHERE name = $1", &[&self.name])?;
                Ok(rows.first().map(|row| row.get(0)))
            })?;
        Ok(text.unwrap_or_default())
    }

    fn write(&self, text: &str) -> Result<(), Fault> {
        let sql = "INSERT INTO markers (name, text) VALUES ($1, $2) \
                   ON CONFLICT (name) DO UPDATE SET text = excluded.text";
        self.database.in_unsynced_transaction("cannot write", |it| {
            it.change(sql, &[&self.name, &text]).map(drop)
        })
    }

    fn clear(&self) -> Result<(), Fault> {
        let sql = "DELETE FROM markers WHERE name = $1";
        self.database
            .in_unsynced_transaction("cannot write", |it| it.change(sql, &[&self.name]).map(drop))
    }
}
