//! Words from one process to the others, by the engine's own LISTEN and NOTIFY. A lost word costs a
//! page that is a little old, or a mail that waits for the next look.

use super::error::DatabaseError;
use super::pool::{Connection, Database};
use crate::store::Fault;
use crate::store::{ChangeListener, Subscription};
use ::postgres::fallible_iterator::FallibleIterator as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Where changes are told, by the names of documents.
const CHANGES: &str = "postboard_changes";
/// Where it is told that a mail came.
pub(super) const MAILS: &str = "postboard_mails";

/// Bytes of one word; the engine takes 8000.
const LONGEST: usize = 7000;
/// How often a listener looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(200);

/// Begins a question that is a transaction by itself. It would wait for the disk, and for a standby,
/// since words count as something that is kept; nobody misses them after a crash.
macro_rules! unsynced {
    () => {
        "SELECT set_config('synchronous_commit', 'off', true)"
    };
}

/// Tells what a transaction has changed. It is durable, and nothing waits for this.
pub(super) fn tell(database: &Database, names: &[String]) {
    let mut words: Vec<String> = Vec::new();
    for name in names {
        match words.last_mut() {
            Some(word) if word.len() + name.len() < LONGEST => {
                word.push('\n');
                word.push_str(name);
            }
            _ => words.push(name.clone()),
        }
    }
    if !words.is_empty() {
        let sql = concat!(unsynced!(), ", pg_notify($1, word) FROM unnest($2::text[]) AS word");
        let _ = database.connection().and_then(|mut it| it.rows(sql, &[&CHANGES, &words]));
    }
}

/// Tells that a mail came.
pub(super) fn tell_of_mail(database: &Database) {
    let sql = concat!(unsynced!(), ", pg_notify($1, '')");
    let _ = database.connection().and_then(|mut it| it.rows(sql, &[&MAILS]));
}

/// The same with a transaction, which should not wait for the disk: all others that tell wait for it.
pub(super) fn tell_with(connection: &mut Connection) -> Result<(), DatabaseError> {
    connection.rows("SELECT pg_notify($1, '')", &[&MAILS]).map(drop)
}

/// A listener.
#[derive(Debug)]
struct PostgresSubscription {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Subscription for PostgresSubscription {}

impl Drop for PostgresSubscription {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Tells a listener every change from now on.
pub(super) fn listen(
    database: &Database,
    tell: ChangeListener,
) -> Result<Box<dyn Subscription>, Fault> {
    let is_over = Arc::new(AtomicBool::new(false));
    let (ready, begun) = mpsc::channel();
    let (theirs, over) = (database.clone(), Arc::clone(&is_over));
    let work = move || {
        // A connection that was lost may have been told something.
        let mut is_first = true;
        while !over.load(Ordering::Relaxed) {
            let heard = hear(&theirs, &tell, &over, &mut || {
                if !std::mem::replace(&mut is_first, false) {
                    tell(&[]);
                }
                let _ = ready.send(Ok(()));
            });
            if let Err(failure) = heard {
                let _ = ready.send(Err(failure));
                thread::sleep(GLANCE);
            }
        }
    };
    let thread = thread::Builder::new().name("listen".to_owned()).spawn(work);
    let thread =
        thread.map_err(Fault::at("cannot start a thread for", database.address.place()))?;
    let ear = PostgresSubscription { is_over, thread: Some(thread) };
    match begun.recv() {
        Ok(Err(failure)) => Err(failure.into_fault("cannot listen to", &database.address)),
        Ok(Ok(())) | Err(_) => Ok(Box::new(ear)),
    }
}

/// Listens on a connection of its own, until it is over or the connection is lost.
fn hear(
    database: &Database,
    tell: &ChangeListener,
    over: &AtomicBool,
    begun: &mut dyn FnMut(),
) -> Result<(), DatabaseError> {
    let mut client = database.address.connect()?;
    client.batch_execute(&format!("LISTEN {CHANGES}"))?;
    begun();
    while !over.load(Ordering::Relaxed) && !client.is_closed() {
        let mut words = client.notifications();
        let mut words = words.timeout_iter(GLANCE);
        while let Some(word) = words.next()? {
            let names: Vec<String> = word.payload().lines().map(str::to_owned).collect();
            tell(&names);
        }
    }
    Ok(())
}
