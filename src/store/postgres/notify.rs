//! Notifications between processes, by the database's LISTEN and NOTIFY. A lost one leaves a page a
//! little old, or a mail waiting for the next poll.

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

/// The channel of changed documents, by name.
pub(super) const CHANGES: &str = "postboard_changes";
/// The channel of new mails.
pub(super) const MAILS: &str = "postboard_mails";

/// The most bytes of a notification; the limit of the database is 8000.
const MAX_PAYLOAD_BYTES: usize = 7000;
/// How often a subscription checks whether it is still wanted.
const POLL: Duration = Duration::from_millis(200);

/// Begins a statement whose transaction is not synced. A notification would otherwise wait for the
/// disk and a standby, and nobody misses one after a crash.
macro_rules! unsynced {
    () => {
        "SELECT set_config('synchronous_commit', 'off', true)"
    };
}

/// Announces the names that a durable transaction has changed.
pub(super) fn announce_changes(database: &Database, names: &[String]) {
    let mut payloads: Vec<String> = Vec::new();
    for name in names {
        match payloads.last_mut() {
            Some(payload) if payload.len() + name.len() < MAX_PAYLOAD_BYTES => {
                payload.push('\n');
                payload.push_str(name);
            }
            _ => payloads.push(name.clone()),
        }
    }
    if !payloads.is_empty() {
        let sql = concat!(unsynced!(), ", pg_notify($1, word) FROM unnest($2::text[]) AS word");
        let _ = database.connection().and_then(|mut it| it.rows(sql, &[&CHANGES, &payloads]));
    }
}

/// Announces a new mail.
pub(super) fn announce_mail(database: &Database) {
    let sql = concat!(unsynced!(), ", pg_notify($1, '')");
    let _ = database.connection().and_then(|mut it| it.rows(sql, &[&MAILS]));
}

/// Announces mails within a transaction, which must not be synced: all other notifying transactions
/// wait for it.
pub(super) fn announce_mail_with(connection: &mut Connection) -> Result<(), DatabaseError> {
    connection.rows("SELECT pg_notify($1, '')", &[&MAILS]).map(drop)
}

/// A subscription to the changes of a home.
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

/// Subscribes a listener to all notifications of a channel from now on.
pub(super) fn subscribe(
    database: &Database,
    channel: &'static str,
    listener: ChangeListener,
) -> Result<Box<dyn Subscription>, Fault> {
    let is_over = Arc::new(AtomicBool::new(false));
    let (ready, begun) = mpsc::channel();
    let (database_of_thread, over) = (database.clone(), Arc::clone(&is_over));
    let work = move || {
        // After a lost connection, notifications may have been missed.
        let mut is_first = true;
        while !over.load(Ordering::Relaxed) {
            let received = receive(&database_of_thread, channel, &listener, &over, &mut || {
                if !std::mem::replace(&mut is_first, false) {
                    listener(&[]);
                }
                let _ = ready.send(Ok(()));
            });
            if let Err(failure) = received {
                let _ = ready.send(Err(failure));
                thread::sleep(POLL);
            }
        }
    };
    let thread = thread::Builder::new().name("listen".to_owned()).spawn(work);
    let thread = thread.map_err(Fault::at("cannot start a thread for", &database.address))?;
    let subscription = PostgresSubscription { is_over, thread: Some(thread) };
    match begun.recv() {
        Ok(Err(failure)) => Err(failure.into_fault("cannot listen to", &database.address)),
        Ok(Ok(())) | Err(_) => Ok(Box::new(subscription)),
    }
}

/// Receives notifications on a connection of its own, until the subscription is over or the
/// connection lost.
fn receive(
    database: &Database,
    channel: &str,
    listener: &ChangeListener,
    over: &AtomicBool,
    on_ready: &mut dyn FnMut(),
) -> Result<(), DatabaseError> {
    let mut client = database.address.connect()?;
    client.batch_execute(&format!("LISTEN {channel}"))?;
    on_ready();
    while !over.load(Ordering::Relaxed) && !client.is_closed() {
        let mut notifications = client.notifications();
        let mut notifications = notifications.timeout_iter(POLL);
        while let Some(notification) = notifications.next()? {
            let names: Vec<String> = notification.payload().lines().map(str::to_owned).collect();
            listener(&names);
        }
    }
    Ok(())
}
