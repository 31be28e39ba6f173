//! The listeners for documents: pages that are open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Documents of which it is remembered that they have changed.
const REMEMBERED: usize = 100;

/// All listeners, by the names of the documents that they wait for. Each costs a few hundred bytes
/// and no time.
#[derive(Debug, Default)]
pub(in crate::web) struct Hub {
    topics: Mutex<HashMap<String, Vec<Arc<Bell>>>>,
    /// The latest changes, each once, the newest at the end.
    latest: Mutex<Vec<String>>,
}

/// Rings for a listener.
#[derive(Debug, Default)]
struct Bell {
    rings: Notify,
}

/// A listener, until dropped.
#[derive(Debug)]
pub(in crate::web) struct HubSubscription {
    hub: Arc<Hub>,
    bell: Arc<Bell>,
    names: Vec<String>,
}

impl Hub {
    fn topics(&self) -> MutexGuard<'_, HashMap<String, Vec<Arc<Bell>>>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest changes, the newest first.
    pub(in crate::web) fn latest(&self) -> Vec<String> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.iter().rev().cloned().collect()
    }

    /// Rings for all who wait for one of these; for everybody, if it is not known for which.
    pub(in crate::web) fn ring(&self, names: &[String]) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        for name in names {
            latest.retain(|known| known != name);
            latest.push(name.clone());
            let gone = latest.len().saturating_sub(REMEMBERED);
            latest.drain(..gone);
        }
        drop(latest);
        let topics = self.topics();
        let bells: Box<dyn Iterator<Item = &Arc<Bell>>> = if names.is_empty() {
            Box::new(topics.values().flatten())
        } else {
            Box::new(names.iter().filter_map(|name| topics.get(name)).flatten())
        };
        bells.for_each(|bell| bell.rings.notify_one());
    }

    /// Listens for these.
    pub(in crate::web) fn listen(self: &Arc<Self>, names: Vec<String>) -> HubSubscription {
        let bell = Arc::new(Bell::default());
        let mut topics = self.topics();
        for name in &names {
            topics.entry(name.clone()).or_default().push(Arc::clone(&bell));
        }
        drop(topics);
        HubSubscription { hub: Arc::clone(self), bell, names }
    }

    /// For how many documents there are listeners.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.topics().len()
    }
}

impl HubSubscription {
    /// Waits until one of them has changed. Changes between the last call and this one count.
    pub(in crate::web) async fn hear(&self) {
        self.bell.rings.notified().await;
    }
}

impl Drop for HubSubscription {
    fn drop(&mut self) {
        let mut topics = self.hub.topics();
        for name in &self.names {
            let Some(bells) = topics.get_mut(name) else { continue };
            bells.retain(|bell| !Arc::ptr_eq(bell, &self.bell));
            if bells.is_empty() {
                topics.remove(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[test]
    fn only_those_who_wait_for_it_hear_it() {
        let hub = Arc::new(Hub::default());
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (one, both) = (hub.listen(names(&["a"])), hub.listen(names(&["a", "b"])));
        let heard = |ear: &HubSubscription| ear.hear().now_or_never().is_some();
        hub.ring(&names(&["b", "c"]));
        hub.ring(&names(&["b"]));
        assert_eq!(hub.latest(), ["b", "c"]);
        assert!(!heard(&one) && heard(&both) && !heard(&both));
        hub.ring(&names(&["a"]));
        hub.ring(&names(&["a"]));
        assert!(heard(&one) && heard(&both) && !heard(&one), "twice is once");
        hub.ring(&[]);
        assert!(heard(&one) && heard(&both));
        drop(both);
        assert_eq!(hub.len(), 1);
        drop(one);
        assert_eq!(hub.len(), 0);
    }
}
