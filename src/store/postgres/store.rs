//! A home in a database, open: to be worked at, or at one moment of it, to be looked at.

use super::error::{DatabaseError, RetryAction};
use super::names::BigInt;
use super::notify::tell;
use super::pool::{Connection, Connector, Database};
use super::spool::PostgresSpool;
use super::worker::{DatabaseWorker, sweep};
use super::{HomeDatabase, PostgresHome, schema};
use crate::base::digest::Digest;
use crate::base::time::{Day, Time};
use crate::store::receipt::{receipt_months, receipt_status};
use crate::store::transaction::UNPROVED;
use crate::store::{
    Backoff, DocumentKind, DocumentVersion, Documents, Fault, IndexUpdates, Indexes, Key, LogEntry,
    MailKey, Marker, OpenHome, ReceiptStatus, Receipts, Register, SpoolStore, Store,
    StoredDocument, Transaction, Wakeups, log_all, record,
};
use r2d2::PooledConnection;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An open home.
#[derive(Debug)]
pub(super) struct PostgresStore {
    database: Database,
    /// The folder on this machine, where it writes its log.
    folder: PathBuf,
    by: AccessMode,
    ahead: Mutex<PrefetchCache>,
}

/// Documents read before they were asked for, until then or until the next commit.
#[derive(Debug, Default)]
struct PrefetchCache {
    documents: HashMap<String, Option<String>>,
    /// By what mails are known; what else, and when.
    receipts: HashMap<Digest, Vec<(Vec<u8>, BigInt)>>,
}

/// The process that has it open.
enum AccessMode {
    /// A worker, among others.
    Worker(Arc<DatabaseWorker>),
    /// A reader: this connection shows the home as it was when it was opened.
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

/// How a look begins.
const LOOK: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl PostgresStore {
    /// Opens a home to work there.
    pub(super) fn begin(home: &PostgresHome) -> Result<Self, Fault> {
        let HomeDatabase { database, lease, .. } = home.at()?;
        let worker = DatabaseWorker::begin(&database, lease)?;
        let (folder, by) = (home.folder.clone(), AccessMode::Worker(Arc::new(worker)));
        Ok(Self { database, folder, by, ahead: Mutex::default() })
    }

    /// Opens a home to look at it.
    pub(super) fn look(home: &PostgresHome) -> Result<Self, Fault> {
        let database = home.at()?.database;
        // The first look decides which moment is shown.
        let first = |connection: &mut Connection| {
            connection.begin(LOOK)?;
            schema::look(connection).inspect_err(|_| connection.rollback())
        };
        let mut tries = Backoff::new();
        loop {
            let opened = database.connection().and_then(|mut it| first(&mut it).map(|()| it));
            let failure = match opened {
                Ok(connection) => {
                    let by = AccessMode::Reader(Box::new(Mutex::new(connection)));
                    let folder = home.folder.clone();
                    return Ok(Self { database, folder, by, ahead: Mutex::default() });
                }
                Err(failure) => failure,
            };
            if failure.cure() == RetryAction::None || !tries.wait() {
                return Err(failure.into_fault("cannot open", &database.address));
            }
        }
    }

    fn ask<T>(
        &self,
        mut question: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        match &self.by {
            AccessMode::Worker(_) => self.database.with_retries("cannot read", question),
            AccessMode::Reader(connection) => {
                let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                let failed = |failure: DatabaseError| {
                    failure.into_fault("cannot read", &self.database.address)
                };
                question(&mut connection).map_err(failed)
            }
        }
    }

    fn ahead(&self) -> MutexGuard<'_, PrefetchCache> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn worker(&self) -> Result<&Arc<DatabaseWorker>, Fault> {
        match &self.by {
            AccessMode::Worker(worker) => Ok(worker),
            AccessMode::Reader(_) => {
                let why = DatabaseError::Damage("it was opened to be looked at");
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
        let ahead = self.ahead().documents.remove(&name);
        let text = if let Some(text) = ahead {
            text
        } else {
            let sql = "SELECT text FROM documents WHERE name = $1";
            let rows = self.ask(|it| it.rows(sql, &[&name]))?;
            rows.first().map(|row| row.get(0))
        };
        let version = text.as_ref().map(Digest::of);
        Ok(StoredDocument { text, version })
    }

    fn is_far(&self) -> bool {
        true
    }

    fn expect(&self, keys: &[Key]) -> Result<(), Fault> {
        let names: Vec<String> = keys.iter().filter_map(Key::file).collect();
        let sql = "SELECT name, text FROM documents WHERE name = ANY($1)";
        let rows = self.ask(|it| it.rows(sql, &[&names]))?;
        let mut ahead = self.ahead();
        ahead.documents.extend(names.into_iter().map(|name| (name, None)));
        ahead.documents.extend(rows.iter().map(|row| (row.get(0), row.get(1))));
        Ok(())
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        let sql = "SELECT name FROM documents WHERE folder = $1";
        let rows = self.ask(|it| it.rows(sql, &[&kind.folder()]))?;
        let key = |name: &str| kind.named(name.rsplit('/').next().unwrap_or(name));
        let mut keys: Vec<Key> = rows.iter().filter_map(|row| key(row.get(0))).collect();
        keys.sort();
        Ok(keys)
    }
}

impl Receipts for PostgresStore {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        let months: Vec<_> = receipt_months(now).collect();
        let ahead = self.ahead().receipts.remove(&mail.id);
        let known = if let Some(known) = ahead {
            known
        } else {
            let sql = "SELECT content, at FROM receipts WHERE id = $1";
            let rows = self.ask(|it| it.rows(sql, &[&&mail.id[..]]))?;
            rows.iter().map(|row| (row.get(0), row.get(1))).collect()
        };
        let mut answer = ReceiptStatus::Never;
        for (content, at) in known {
            let month = Time::from_unix(at).month();
            if !months.contains(&month) {
                continue;
            }
            if *content == mail.content[..] {
                return Ok(receipt_status(month, now));
            }
            answer = ReceiptStatus::Reused;
        }
        Ok(answer)
    }

    fn expect_mails(&self, mails: &[MailKey]) -> Result<(), Fault> {
        let ids: Vec<Digest> = mails.iter().flat_map(|mail| [mail.id, mail.content]).collect();
        let values: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
        let sql = "SELECT id, content, at FROM receipts WHERE id = ANY($1)";
        let rows = self.ask(|it| it.rows(sql, &[&values]))?;
        let mut ahead = self.ahead();
        ahead.receipts.extend(ids.iter().map(|id| (*id, Vec::new())));
        for row in &rows {
            let known = ids.iter().find(|id| id[..] == *row.get::<_, &[u8]>(0));
            let known = known.and_then(|id| ahead.receipts.get_mut(id));
            if let Some(known) = known {
                known.push((row.get(1), row.get(2)));
            }
        }
        Ok(())
    }
}

impl Indexes for PostgresStore {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        let sql = "SELECT number, at FROM looks WHERE game = $1 ORDER BY number";
        let mut wakeups = Wakeups::default();
        for row in self.ask(|it| it.rows(sql, &[&game]))? {
            let (number, at): (BigInt, BigInt) = (row.get(0), row.get(1));
            match usize::try_from(number) {
                Ok(0) => wakeups.walked = Time::from_unix(at),
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
        let rows = self.ask(|it| it.rows(sql, &[&of.name()]))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        let sql = "SELECT DISTINCT register FROM registers \
                   WHERE register LIKE $1 || '/%' AND register <= $2 ORDER BY register";
        let last = Register::Unproved(until).name();
        let rows = self.ask(|it| it.rows(sql, &[&UNPROVED, &last]))?;
        let day = |row: &::postgres::Row| Day::parse(row.get::<_, &str>(0).rsplit('/').next()?);
        Ok(rows.iter().filter_map(day).collect())
    }

    fn sent(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        let sql = "SELECT count(*) FROM sent WHERE mailbox = $1 AND day = $2";
        let rows = self.ask(|it| it.rows(sql, &[&&mailbox[..], &now.day().to_string()]))?;
        Ok(usize::try_from(rows[0].get::<_, BigInt>(0)).unwrap_or(usize::MAX))
    }

    fn sent_to(&self, mailboxes: &[[u8; 8]], now: Time) -> Result<Vec<usize>, Fault> {
        let values: Vec<&[u8]> = mailboxes.iter().map(|it| &it[..]).collect();
        let sql = "SELECT mailbox, count(*) FROM sent WHERE mailbox = ANY($1) AND day = $2 \
                   GROUP BY mailbox";
        let rows = self.ask(|it| it.rows(sql, &[&values, &now.day().to_string()]))?;
        let found = |row: &::postgres::Row| (row.get::<_, Vec<u8>>(0), row.get::<_, BigInt>(1));
        let found: HashMap<_, _> = rows.iter().map(found).collect();
        let count = |it: &[u8; 8]| found.get(&it[..]).copied().unwrap_or(0);
        Ok(mailboxes.iter().map(|it| usize::try_from(count(it)).unwrap_or(usize::MAX)).collect())
    }
}

impl Store for PostgresStore {
    fn remove(&mut self, documents: &[(Key, DocumentVersion)], of: Register) -> Result<(), Fault> {
        *self.ahead() = PrefetchCache::default();
        let mut named = Vec::new();
        for (key, version) in documents {
            if let (Some(name), Some(version)) = (key.file(), version) {
                named.push((name, version.to_vec()));
            }
        }
        let (names, versions): (Vec<String>, Vec<Vec<u8>>) = named.into_iter().unzip();
        self.database.loosely("cannot change", |connection| {
            let sql = "DELETE FROM documents USING unnest($1::text[], $2::bytea[]) AS old (name, version) \
                       WHERE documents.name = old.name AND documents.version = old.version";
            connection.change(sql, &[&names, &versions])?;
            let sql = "DELETE FROM registers WHERE register = $1";
            connection.change(sql, &[&of.name()]).map(drop)
        })
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        *self.ahead() = PrefetchCache::default();
        if is_empty(&transaction) {
            return Ok(());
        }
        self.worker()?.commit(&transaction)?;
        tell(&self.database, &transaction.names());
        Ok(())
    }
}

impl OpenHome for PostgresStore {
    fn key(&self) -> Result<[u8; 32], Fault> {
        let keys = self.keys_where(|number| number == 0)?;
        let none = || {
            DatabaseError::Damage("it holds no key")
                .into_fault("cannot use", &self.database.address)
        };
        keys.first().copied().ok_or_else(none)
    }

    fn dice_keys(&self) -> Result<Vec<[u8; 32]>, Fault> {
        self.keys_where(|number| number > 0)
    }

    fn add_dice_key(&mut self, key: &[u8; 32]) -> Result<(), Fault> {
        let worker = Arc::clone(self.worker()?);
        self.database.as_one("cannot write", |connection| {
            worker.stay(connection)?;
            let sql = "INSERT INTO keys (number, key) SELECT coalesce(max(number), 0) + 1, $1::bytea \
                       FROM keys WHERE NOT EXISTS (SELECT FROM keys WHERE key = $1)";
            connection.change(sql, &[&&key[..]]).map(drop)
        })
    }

    fn tray(&self) -> Box<dyn SpoolStore> {
        let worker = self.worker().ok().cloned();
        Box::new(PostgresSpool::new(&self.database, worker))
    }

    fn marker(&self) -> Box<dyn Marker> {
        let number = self.worker().map_or(0, |worker| worker.number);
        Box::new(PostgresMarker {
            database: self.database.clone(),
            name: format!("remind {number}"),
        })
    }

    fn mend_flaws(&mut self) -> Result<Vec<String>, Fault> {
        *self.ahead() = PrefetchCache::default();
        let rows = self.database.as_one("cannot change", |connection| {
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
        // A person who writes into the table by hand may forget the digest that the others go by.
        let sql = "SELECT name, version = sha256(convert_to(text, 'UTF8')) FROM documents \
                   WHERE version <> sha256(convert_to(text, 'UTF8')) OR folder <> \
                   CASE WHEN name LIKE 'boards/%' \
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
        Ok(self.ask(|it| it.rows(sql, &[]))?.iter().map(flaw).collect())
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
    fn keys_where(&self, is_wanted: impl Fn(BigInt) -> bool) -> Result<Vec<[u8; 32]>, Fault> {
        let rows = self.ask(|it| it.rows("SELECT number, key FROM keys ORDER BY number", &[]))?;
        let wanted = rows.iter().filter(|row| is_wanted(row.get(0)));
        let key = |row: &::postgres::Row| row.get::<_, &[u8]>(1).try_into().ok();
        wanted.map(key).collect::<Option<_>>().ok_or_else(|| {
            DatabaseError::Damage("a key is not 32 bytes")
                .into_fault("cannot use", &self.database.address)
        })
    }
}

/// Whether there is nothing to keep. Documents that were only looked at change nothing.
fn is_empty(transaction: &Transaction) -> bool {
    let Transaction { changes, reads: _, letters, receipts, turned, sent, at: _, index_updates } =
        transaction;
    changes.is_empty()
        && letters.is_empty()
        && receipts.is_empty()
        && turned.is_empty()
        && sent.is_empty()
        && *index_updates == IndexUpdates::default()
}

/// The board that a run over the boards is at. Other processes may be at other boards: theirs say
/// something only once they are gone.
#[derive(Debug)]
struct PostgresMarker {
    database: Database,
    name: String,
}

impl Marker for PostgresMarker {
    fn read(&self) -> Result<String, Fault> {
        let text: Option<String> = self.database.loosely("cannot read", |connection| {
            sweep(connection)?;
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
        self.database.loosely("cannot write", |it| it.change(sql, &[&self.name, &text]).map(drop))
    }

    fn clear(&self) -> Result<(), Fault> {
        let sql = "DELETE FROM markers WHERE name = $1";
        self.database.loosely("cannot write", |it| it.change(sql, &[&self.name]).map(drop))
    }
}
