//! A limit on the permits of each network, so that no network takes everything there is.

use crate::base::network::Network;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Permits, of which each network may hold a limited number.
#[derive(Debug)]
pub(crate) struct NetworkLimiter {
    limit: usize,
    held: Mutex<HashMap<Network, usize>>,
}

/// A permit of a network, returned when dropped.
#[derive(Debug)]
pub(crate) struct NetworkPermit {
    limiter: Arc<NetworkLimiter>,
    network: Network,
}

impl NetworkLimiter {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, held: Mutex::default() })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Network, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a permit, or `None` if the network has reached the limit.
    pub(crate) fn try_acquire(self: &Arc<Self>, network: Network) -> Option<NetworkPermit> {
        let mut held = self.held();
        let count = held.entry(network).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(NetworkPermit { limiter: Arc::clone(self), network })
    }
}

impl Drop for NetworkPermit {
    fn drop(&mut self) {
        let mut held = self.limiter.held();
        if let Some(count) = held.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[test]
    fn networks_are_limited_separately_and_forgotten_when_idle() {
        let network = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        let limiter = NetworkLimiter::new(2);
        let (ipv6, ipv4) = (network("2001:db8::1"), network("192.0.2.1"));
        let permits = [ipv6, network("2001:db8::2"), ipv4].map(|it| limiter.try_acquire(it));
        assert!(permits.iter().all(Option::is_some) && limiter.try_acquire(ipv6).is_none());
        drop(permits);
        assert!(limiter.held().is_empty() && limiter.try_acquire(ipv6).is_some());
    }
}
