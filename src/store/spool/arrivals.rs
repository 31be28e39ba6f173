//! Watches a folder for mails that arrive, for a process that stays.

use crate::store::{Fault, MailListener, Subscription};
use notify::event::{ModifyKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::io;
use std::path::Path;

/// A folder that is watched until this is dropped.
#[derive(Debug)]
struct WatchedFolder(#[expect(dead_code, reason = "held until drop")] RecommendedWatcher);

impl Subscription for WatchedFolder {}

/// Calls a listener whenever a file has come into a folder.
///
/// # Errors
/// The system cannot watch the folder.
pub(in crate::store) fn subscribe(
    folder: &Path,
    listener: MailListener,
) -> Result<Box<dyn Subscription>, Fault> {
    let failed = |error: notify::Error| Fault::at("cannot watch", folder)(io::Error::other(error));
    let on_event = move |event: notify::Result<Event>| {
        // After an error, arrivals may have been missed.
        if event.is_ok_and(|event| !is_arrival(event.kind)) {
            return;
        }
        listener();
    };
    let mut watcher = notify::recommended_watcher(on_event).map_err(failed)?;
    watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failed)?;
    Ok(Box::new(WatchedFolder(watcher)))
}

/// Mails come by a rename, so that they are complete. A copy into the folder is a file that is created
/// and written.
fn is_arrival(kind: EventKind) -> bool {
    match kind {
        EventKind::Create(_) => true,
        EventKind::Modify(ModifyKind::Name(mode)) => mode != RenameMode::From,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::store::{FileHome, FileStore, Home as _};
    use std::sync::mpsc;

    #[test]
    fn a_mail_calls_the_listener_and_its_removal_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        FileStore::init(&home, &[7; 32]).unwrap();
        let (sender, calls) = mpsc::channel();
        let home_at = FileHome::new(&home);
        let subscription = home_at.subscribe_to_mails(Box::new(move || sender.send(()).unwrap()));
        let subscription = subscription.unwrap();
        home_at.put(b"From: a@h.test\n\n", None).unwrap();
        calls.recv().unwrap();
        let arrived = home.join("spool/new").join(&home_at.waiting_mails().unwrap()[0]);
        std::fs::remove_file(arrived).unwrap();
        home_at.put(b"From: b@h.test\n\n", None).unwrap();
        calls.recv().unwrap();
        drop(subscription);
        assert_eq!(calls.try_iter().count(), 0, "the removal called it");
    }
}
