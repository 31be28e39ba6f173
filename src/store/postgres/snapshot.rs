//! The contents of a home in a database as a stream of values, a page of rows at a time.

use super::error::DatabaseError;
use super::names::BigInt;
use super::outbox::letter;
use super::pool::{Connection, Connector, Database};
use crate::base::digest::Digest;
use crate::base::time::Time;
use crate::store::Fault;
use crate::store::transfer::{CopySource, HomePart, Item, ItemBatch, ItemBatches};
use ::postgres::Row;
use data_encoding::HEXLOWER;
use r2d2::PooledConnection;
use std::sync::{Mutex, PoisonError};

/// The rows of a page: documents, letters, and mails, of which one may be as large as all these
/// letters.
const DOCUMENTS: BigInt = 500;
const LETTERS: BigInt = 64;
const MAILS: BigInt = 8;
/// The rows of a page of short values.
const SHORT: BigInt = 4000;

/// A home as it was at one moment.
pub(in crate::store) struct HomeSnapshot {
    database: Database,
    connection: Mutex<PooledConnection<Connector>>,
}

impl HomeSnapshot {
    /// Begins a snapshot.
    pub(super) fn take(database: Database) -> Result<Self, Fault> {
        let connection = database.begin_snapshot("cannot read", |_| Ok(()))?;
        Ok(Self { database, connection: Mutex::new(connection) })
    }

    fn query<T>(
        &self,
        query: impl FnOnce(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        query(&mut connection)
            .map_err(|failure| failure.into_fault("cannot read", &self.database.address))
    }
}

impl Drop for HomeSnapshot {
    fn drop(&mut self) {
        self.connection.get_mut().unwrap_or_else(PoisonError::into_inner).rollback();
    }
}

/// A page of values.
type RowPage = Result<PageItems, DatabaseError>;

/// The values of a page, and the name of its last row; `None` at the end.
struct PageItems {
    items: Vec<Item>,
    last: Option<String>,
}

impl CopySource for HomeSnapshot {
    fn walk(&self, part: HomePart, after: &str) -> Result<ItemBatches<'_>, Fault> {
        let mut after = Some(after.to_owned());
        Ok(Box::new(std::iter::from_fn(move || {
            let begin = after.take()?;
            match self.query(|connection| page(connection, part, &begin)) {
                Ok(PageItems { items, last }) => {
                    after.clone_from(&last);
                    last.map(|after| Ok(ItemBatch { items, after }))
                }
                Err(fault) => Some(Err(fault)),
            }
        })))
    }

    fn count(&self) -> Result<u64, Fault> {
        let sql = "SELECT (SELECT count(*) FROM keys) + (SELECT count(*) FROM documents) \
                   + (SELECT count(*) FROM receipts) + (SELECT count(*) FROM sent) \
                   + (SELECT count(*) FROM looks) + (SELECT count(*) FROM registers) \
                   + (SELECT count(*) FROM mails) + (SELECT count(*) FROM aside) \
                   + (SELECT count(*) FROM letters)";
        let rows = self.query(|connection| connection.rows(sql, &[]))?;
        Ok(rows[0].get::<_, BigInt>(0).unsigned_abs())
    }
}

fn page(connection: &mut Connection, part: HomePart, after: &str) -> RowPage {
    match part {
        HomePart::Keys => keys(connection, after),
        HomePart::Documents => documents(connection, after),
        HomePart::Receipts => receipts(connection, after),
        HomePart::Sent => sent(connection, after),
        HomePart::Wakeups => wakeups(connection, after),
        HomePart::Registers => registers(connection, after),
        HomePart::Mails => mails(connection, after),
        HomePart::Parked => parked(connection, after),
        HomePart::Letters => letters(connection, after),
    }
}

/// Converts rows to values.
fn paged(
    rows: &[Row],
    item: impl Fn(&Row) -> Result<Item, DatabaseError>,
    name: impl Fn(&Row) -> String,
) -> RowPage {
    let items = rows.iter().map(item).collect::<Result<_, _>>()?;
    Ok(PageItems { items, last: rows.last().map(name) })
}

fn fixed_bytes<const N: usize>(row: &Row, column: &str) -> Result<[u8; N], DatabaseError> {
    let bytes: &[u8] = row.get(column);
    bytes.try_into().map_err(|_| DatabaseError::Damage("a digest has the wrong length"))
}

fn time(row: &Row, column: &str) -> Time {
    Time::from_unix(row.get(column))
}

fn hex(row: &Row, column: &str) -> String {
    HEXLOWER.encode(row.get(column))
}

/// Decodes [`hex`]; no digits come before all others.
fn bytes(digits: &str) -> Vec<u8> {
    HEXLOWER.decode(digits.as_bytes()).unwrap_or_default()
}

/// Returns the number that a page begins behind.
fn number(after: &str) -> BigInt {
    after.parse().unwrap_or(BigInt::MIN)
}

fn keys(connection: &mut Connection, after: &str) -> RowPage {
    if !after.is_empty() {
        return Ok(PageItems { items: Vec::new(), last: None });
    }
    let rows = connection.rows("SELECT key FROM keys ORDER BY number", &[])?;
    let key = |(row, number)| Ok(Item::Key { number, key: fixed_bytes(row, "key")? });
    let items = rows.iter().zip(0..).map(key).collect::<Result<_, DatabaseError>>()?;
    Ok(PageItems { items, last: Some("all".to_owned()) })
}

fn documents(connection: &mut Connection, after: &str) -> RowPage {
    let sql = "SELECT name, text, extract(epoch FROM changed)::bigint AS changed FROM documents \
               WHERE name > $1 ORDER BY name LIMIT $2";
    let rows = connection.rows(sql, &[&after, &DOCUMENTS])?;
    let item = |row: &Row| {
        let (name, text, changed) = (row.get("name"), row.get("text"), time(row, "changed"));
        Ok(Item::Document { name, text, changed })
    };
    paged(&rows, item, |row| row.get("name"))
}

fn receipts(connection: &mut Connection, after: &str) -> RowPage {
    let (id, content) = after.split_once(' ').unwrap_or_default();
    let sql = "SELECT id, content, at FROM receipts WHERE (id, content) > ($1, $2) \
               ORDER BY id, content LIMIT $3";
    let rows = connection.rows(sql, &[&bytes(id), &bytes(content), &SHORT])?;
    let item = |row: &Row| {
        let [id, content] =
            [fixed_bytes(row, "id")?, fixed_bytes(row, "content")?].map(Digest::from);
        Ok(Item::Receipt { id, content, at: time(row, "at") })
    };
    paged(&rows, item, |row| format!("{} {}", hex(row, "id"), hex(row, "content")))
}

fn sent(connection: &mut Connection, after: &str) -> RowPage {
    let mut words = after.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (mailbox, day, letter) = (bytes(word()), word(), bytes(word()));
    let sql = "SELECT mailbox, day, letter FROM sent WHERE (mailbox, day, letter) > ($1, $2, $3) \
               ORDER BY mailbox, day, letter LIMIT $4";
    let rows = connection.rows(sql, &[&mailbox, &day, &letter, &SHORT])?;
    let item = |row: &Row| {
        let (mailbox, letter) = (fixed_bytes(row, "mailbox")?, fixed_bytes(row, "letter")?);
        Ok(Item::Sent { mailbox, day: row.get("day"), letter })
    };
    let name = |row: &Row| {
        let day: &str = row.get("day");
        format!("{} {day} {}", hex(row, "mailbox"), hex(row, "letter"))
    };
    paged(&rows, item, name)
}

fn wakeups(connection: &mut Connection, after: &str) -> RowPage {
    let (game, last) = after.rsplit_once(' ').unwrap_or_default();
    let sql = "SELECT game, number, at FROM looks WHERE (game, number) > ($1, $2) AND at <> 0 \
               ORDER BY game, number LIMIT $3";
    let rows = connection.rows(sql, &[&game, &number(last), &SHORT])?;
    let item = |row: &Row| {
        let number = u32::try_from(row.get::<_, BigInt>("number"));
        let number =
            number.map_err(|_| DatabaseError::Damage("the number of a board is out of range"))?;
        Ok(Item::Wakeup { game: row.get("game"), number, at: time(row, "at") })
    };
    let name = |row: &Row| {
        let game: &str = row.get("game");
        format!("{game} {}", row.get::<_, BigInt>("number"))
    };
    paged(&rows, item, name)
}

fn registers(connection: &mut Connection, after: &str) -> RowPage {
    let (register, user) = after.split_once(' ').unwrap_or_default();
    let sql = "SELECT register, userid FROM registers WHERE (register, userid) > ($1, $2) \
               ORDER BY register, userid LIMIT $3";
    let rows = connection.rows(sql, &[&register, &user, &SHORT])?;
    let item =
        |row: &Row| Ok(Item::Registered { register: row.get("register"), user: row.get("userid") });
    let name = |row: &Row| {
        let (register, user): (&str, &str) = (row.get("register"), row.get("userid"));
        format!("{register} {user}")
    };
    paged(&rows, item, name)
}

fn mails(connection: &mut Connection, after: &str) -> RowPage {
    let sql = "SELECT number, mark, extract(epoch FROM came)::bigint AS came, begun, bytes \
               FROM mails WHERE number > $1 ORDER BY number LIMIT $2";
    let rows = connection.rows(sql, &[&number(after), &MAILS])?;
    let item = |row: &Row| {
        let (number, came): (BigInt, Time) = (row.get("number"), time(row, "came"));
        let mark: Option<String> = row.get("mark");
        let end = mark.as_ref().map(|mark| format!(".{mark}")).unwrap_or_default();
        // The name that the mail would have in files, in the order of arrival.
        let name = format!("{}.{number:015}.0.0{end}", came.digits());
        let begun = row.get::<_, i32>("begun").unsigned_abs();
        Ok(Item::Mail { name, mark, came, begun, bytes: row.get("bytes") })
    };
    paged(&rows, item, |row| row.get::<_, BigInt>("number").to_string())
}

fn parked(connection: &mut Connection, after: &str) -> RowPage {
    let sql = "SELECT name, extract(epoch FROM at)::bigint AS at, why, bytes FROM aside \
               WHERE name > $1 ORDER BY name LIMIT $2";
    let rows = connection.rows(sql, &[&after, &MAILS])?;
    let item = |row: &Row| {
        let why: &str = row.get("why");
        let (why, bytes) = (why.trim_end().to_owned(), row.get("bytes"));
        Ok(Item::Parked { name: row.get("name"), at: time(row, "at"), why, bytes })
    };
    paged(&rows, item, |row| row.get("name"))
}

fn letters(connection: &mut Connection, after: &str) -> RowPage {
    let sql = "SELECT number, name, sender, recipient, thread, bytes, at, tries, not_before, why \
               FROM letters WHERE number > $1 ORDER BY number LIMIT $2";
    let rows = connection.rows(sql, &[&number(after), &LETTERS])?;
    let item = |row: &Row| {
        let letter = letter(row).ok_or(DatabaseError::Damage("a letter has an invalid address"))?;
        let tries = row.get::<_, i32>("tries").unsigned_abs();
        // For a letter that was never tried it has no meaning.
        let not_before = if tries == 0 { Time::EPOCH } else { time(row, "not_before") };
        let why = row.get::<_, Option<&str>>("why").map(|why| why.trim_end().to_owned());
        Ok(Item::Letter { letter, at: time(row, "at"), tries, not_before, why })
    };
    paged(&rows, item, |row| row.get::<_, BigInt>("number").to_string())
}
