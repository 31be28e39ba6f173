//! How many of something each place of the net has at a time, so that none takes all there is.

use crate::base::network::Network;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A room in which no place of the net may have more than so many.
#[derive(Debug)]
pub(in crate::web) struct NetworkLimiter {
    most: usize,
    inside: Mutex<HashMap<Network, usize>>,
}

/// One of them, until dropped.
#[derive(Debug)]
pub(in crate::web) struct NetworkPermit {
    crowd: Arc<NetworkLimiter>,
    network: Network,
}

impl NetworkLimiter {
    pub(in crate::web) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, inside: Mutex::default() })
    }

    fn inside(&self) -> MutexGuard<'_, HashMap<Network, usize>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more of that place; none if it has enough.
    pub(in crate::web) fn enter(self: &Arc<Self>, network: Network) -> Option<NetworkPermit> {
        let mut inside = self.inside();
        let count = inside.entry(network).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(NetworkPermit { crowd: Arc::clone(self), network })
    }
}

impl Drop for NetworkPermit {
    fn drop(&mut self) {
        let mut inside = self.crowd.inside();
        if let Some(count) = inside.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                inside.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[test]
    fn each_place_has_its_share_and_leaves_nothing_behind() {
        let of = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        let crowd = NetworkLimiter::new(2);
        let (here, there) = (of("2001:db8::1"), of("192.0.2.1"));
        let guests = [crowd.enter(here), crowd.enter(of("2001:db8::2")), crowd.enter(there)];
        assert!(guests.iter().all(Option::is_some) && crowd.enter(here).is_none());
        drop(guests);
        assert!(crowd.inside().is_empty() && crowd.enter(here).is_some());
    }
}
