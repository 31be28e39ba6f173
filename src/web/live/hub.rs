//! The hub: wakes the event streams that wait for a document.

use crate::base::ids::UserId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The number of changed documents that the hub remembers.
const MAX_RECENT: usize = 100;

/// The waiting streams, by the names of their documents. A stream costs a few hundred bytes and no
/// time while it waits.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    subscribers: Mutex<HashMap<String, Vec<Arc<Notify>>>>,
    /// The documents changed last, each once, the newest at the end.
    recent: Mutex<Vec<String>>,
    /// How many streams show a document to one of its players.
    watched: Mutex<HashMap<(String, UserId), usize>>,
}

/// A subscription to documents, until dropped.
#[derive(Debug)]
pub(crate) struct HubSubscription {
    hub: Arc<Hub>,
    wakeup: Arc<Notify>,
    documents: Vec<String>,
    /// The player who watches the first document, if it is a board of theirs.
    player: Option<UserId>,
}

impl Hub {
    fn watched(&self) -> MutexGuard<'_, HashMap<(String, UserId), usize>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a page that is visible shows a board to this player.
    pub(crate) fn is_watched(&self, document: &str, player: &UserId) -> bool {
        self.watched().contains_key(&(document.to_owned(), player.clone()))
    }

    fn subscribers(&self) -> MutexGuard<'_, HashMap<String, Vec<Arc<Notify>>>> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the documents that changed last, the newest first.
    pub(crate) fn recent_changes(&self) -> Vec<String> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().rev().cloned().collect()
    }

    /// Wakes the subscribers of changed documents. An empty list means that any document may have
    /// changed, and wakes all.
    pub(crate) fn notify(&self, documents: &[String]) {
        self.remember(documents);
        let subscribers = self.subscribers();
        let wakeups: Box<dyn Iterator<Item = &Arc<Notify>>> = if documents.is_empty() {
            Box::new(subscribers.values().flatten())
        } else {
            Box::new(documents.iter().filter_map(|name| subscribers.get(name)).flatten())
        };
        wakeups.for_each(|wakeup| wakeup.notify_one());
    }

    fn remember(&self, documents: &[String]) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        for name in documents {
            recent.retain(|other| other != name);
            recent.push(name.clone());
        }
        let excess = recent.len().saturating_sub(MAX_RECENT);
        recent.drain(..excess);
    }

    /// Subscribes to documents. A player watches the first of them, a board of theirs.
    pub(crate) fn subscribe(
        self: &Arc<Self>,
        documents: Vec<String>,
        player: Option<UserId>,
    ) -> HubSubscription {
        let wakeup = Arc::new(Notify::new());
        let mut subscribers = self.subscribers();
        for name in &documents {
            subscribers.entry(name.clone()).or_default().push(Arc::clone(&wakeup));
        }
        drop(subscribers);
        if let Some(watched) = documents.first().cloned().zip(player.clone()) {
            *self.watched().entry(watched).or_default() += 1;
        }
        HubSubscription { hub: Arc::clone(self), wakeup, documents, player }
    }
}

impl HubSubscription {
    /// Waits until a document has changed since the last call.
    pub(crate) async fn changed(&self) {
        self.wakeup.notified().await;
    }
}

impl Drop for HubSubscription {
    fn drop(&mut self) {
        if let Some((board, player)) = self.documents.first().zip(self.player.take()) {
            let mut watched = self.hub.watched();
            let key = (board.clone(), player);
            if let Some(count) = watched.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    watched.remove(&key);
                }
            }
        }
        let mut subscribers = self.hub.subscribers();
        for name in &self.documents {
            let Some(wakeups) = subscribers.get_mut(name) else { continue };
            wakeups.retain(|wakeup| !Arc::ptr_eq(wakeup, &self.wakeup));
            if wakeups.is_empty() {
                subscribers.remove(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[test]
    fn only_subscribers_of_a_changed_document_are_woken() {
        let hub = Arc::new(Hub::default());
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let subscribe = |all: &[&str]| hub.subscribe(names(all), None);
        let (one, both) = (subscribe(&["a"]), subscribe(&["a", "b"]));
        let is_woken = |it: &HubSubscription| it.changed().now_or_never().is_some();
        hub.notify(&names(&["b", "c"]));
        hub.notify(&names(&["b"]));
        assert_eq!(hub.recent_changes(), ["b", "c"]);
        assert!(!is_woken(&one) && is_woken(&both) && !is_woken(&both));
        hub.notify(&names(&["a"]));
        hub.notify(&names(&["a"]));
        assert!(is_woken(&one) && is_woken(&both) && !is_woken(&one), "two changes wake once");
        hub.notify(&[]);
        assert!(is_woken(&one) && is_woken(&both));
        drop(both);
        assert_eq!(hub.subscribers().len(), 1);
        drop(one);
        assert_eq!(hub.subscribers().len(), 0);
    }

    #[test]
    fn a_player_watches_a_board_while_a_page_is_open() {
        let hub = Arc::new(Hub::default());
        let user = |name: &str| UserId::parse(name).unwrap();
        let open = || hub.subscribe(vec!["board".into(), "chat".into()], Some(user("Alice")));
        let (one, other) = (open(), open());
        assert!(hub.is_watched("board", &user("alice")));
        assert!(!hub.is_watched("chat", &user("alice")) && !hub.is_watched("board", &user("bob")));
        drop(one);
        assert!(hub.is_watched("board", &user("alice")));
        drop(other);
        assert!(!hub.is_watched("board", &user("alice")) && hub.watched().is_empty());
    }
}
