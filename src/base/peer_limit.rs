//! A limit on the permits of each peer, a network or a user, so that none takes everything there is.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Permits, of which each peer may hold a limited number.
#[derive(Debug)]
pub(crate) struct PeerLimiter<P: Copy + Eq + Hash> {
    limit: usize,
    held: Mutex<HashMap<P, usize>>,
}

/// A permit of a peer, returned when dropped.
#[derive(Debug)]
pub(crate) struct PeerPermit<P: Copy + Eq + Hash> {
    limiter: Arc<PeerLimiter<P>>,
    peer: P,
}

impl<P: Copy + Eq + Hash> PeerLimiter<P> {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, held: Mutex::default() })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<P, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a permit, or `None` if the peer has reached the limit.
    pub(crate) fn try_acquire(self: &Arc<Self>, peer: P) -> Option<PeerPermit<P>> {
        let mut held = self.held();
        let count = held.entry(peer).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(PeerPermit { limiter: Arc::clone(self), peer })
    }
}

impl<P: Copy + Eq + Hash> Drop for PeerPermit<P> {
    fn drop(&mut self) {
        let mut held = self.limiter.held();
        if let Some(count) = held.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::network::Network;
    use std::net::IpAddr;

    #[test]
    fn networks_are_limited_separately_and_forgotten_when_idle() {
        let network = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        let limiter = PeerLimiter::new(2);
        let (ipv6, ipv4) = (network("2001:db8::1"), network("192.0.2.1"));
        let permits = [ipv6, network("2001:db8::2"), ipv4].map(|it| limiter.try_acquire(it));
        assert!(permits.iter().all(Option::is_some) && limiter.try_acquire(ipv6).is_none());
        drop(permits);
        assert!(limiter.held().is_empty() && limiter.try_acquire(ipv6).is_some());
    }
}
