//! Queues for work that takes a thread, the lock of the home, or much memory.

use crate::base::network::Network;
use crate::base::peer_limit::{PeerLimiter, PeerPermit};
use crate::web::html::error_page::{PageError, PageResult};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A queue with limits on running, total and per-network requests.
#[derive(Debug)]
pub(crate) struct WorkQueue {
    networks: Arc<PeerLimiter<Network>>,
    total: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

/// The place of a waiting request.
#[derive(Debug)]
pub(crate) struct QueuePlace {
    running: Arc<Semaphore>,
    total: OwnedSemaphorePermit,
    network: Option<PeerPermit<Network>>,
}

/// The permit of a running request, until dropped. The thread that does the work holds it, because
/// the request may be cancelled while the work goes on.
#[derive(Debug)]
pub(crate) struct QueuePermit {
    _running: OwnedSemaphorePermit,
    _total: OwnedSemaphorePermit,
    _network: Option<PeerPermit<Network>>,
}

impl WorkQueue {
    /// Creates a queue from its limits: running requests, running and waiting ones, and those of each
    /// network.
    pub(crate) fn new(running: usize, total: usize, per_network: usize) -> Self {
        let [running, total] = [running, total].map(|count| Arc::new(Semaphore::new(count)));
        Self { networks: PeerLimiter::new(per_network), total, running }
    }

    /// Enters the queue without waiting for a permit to run. A request without a network is not
    /// counted for any.
    ///
    /// # Errors
    /// The queue is full, or the network has reached its limit.
    pub(crate) fn enter(&self, network: Option<Network>) -> PageResult<QueuePlace> {
        let permit =
            |network| self.networks.try_acquire(network).ok_or(PageError::TooManyFromNetwork);
        let network = network.map(permit).transpose()?;
        let total = Arc::clone(&self.total).try_acquire_owned().map_err(|_| PageError::Busy)?;
        Ok(QueuePlace { running: Arc::clone(&self.running), total, network })
    }

    /// Enters the queue and waits for a permit to run.
    ///
    /// # Errors
    /// As for [`enter`](Self::enter).
    pub(crate) async fn acquire(&self, network: Option<Network>) -> PageResult<QueuePermit> {
        self.enter(network)?.acquire().await
    }
}

impl QueuePlace {
    /// Waits for a permit to run.
    ///
    /// # Errors
    /// The queue is closed.
    pub(crate) async fn acquire(self) -> PageResult<QueuePermit> {
        let Self { running, total, network } = self;
        let running = running.acquire_owned().await.map_err(|_| PageError::Busy)?;
        Ok(QueuePermit { _running: running, _total: total, _network: network })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use std::net::IpAddr;

    #[test]
    fn a_queue_limits_each_network_and_refuses_requests_when_full() {
        let network = |text: &str| Some(text.parse::<IpAddr>().unwrap().into());
        let (one, other) = (network("192.0.2.1"), network("192.0.2.2"));
        let queue = WorkQueue::new(1, 3, 2);
        let first = queue.acquire(one).now_or_never().unwrap().unwrap();
        let mut second = Box::pin(queue.acquire(one));
        assert!(second.as_mut().now_or_never().is_none());
        let third = queue.acquire(one).now_or_never();
        assert!(matches!(third, Some(Err(PageError::TooManyFromNetwork))), "{third:?}");
        let mut of_other = Box::pin(queue.acquire(other));
        assert!(of_other.as_mut().now_or_never().is_none());
        let last = queue.acquire(None).now_or_never();
        assert!(matches!(last, Some(Err(PageError::Busy))), "{last:?}");
        drop(first);
        let second = second.now_or_never().unwrap().unwrap();
        drop(of_other);
        assert!(queue.acquire(other).now_or_never().is_none(), "the second request runs");
        drop(second);
        assert!(queue.acquire(one).now_or_never().unwrap().is_ok());
    }
}
