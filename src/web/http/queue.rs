//! Queues for scarce resources.

use crate::base::network::Network;
use crate::web::html::error_page::PageError;
use crate::web::http::network_limit::{NetworkLimiter, NetworkPermit};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The requests that wait, and those that have their turn.
#[derive(Debug)]
pub(in crate::web) struct WorkQueue {
    places: Arc<NetworkLimiter>,
    waiting: Arc<Semaphore>,
    working: Arc<Semaphore>,
}

/// The place of one that waits.
#[derive(Debug)]
pub(in crate::web) struct QueuePlace {
    working: Arc<Semaphore>,
    waiting: OwnedSemaphorePermit,
    guest: Option<NetworkPermit>,
}

/// The turn of one of them, until dropped. The thread that does the work drops it, since the client
/// that asked may have gone.
#[derive(Debug)]
pub(in crate::web) struct QueuePermit {
    _working: OwnedSemaphorePermit,
    _waiting: OwnedSemaphorePermit,
    _guest: Option<NetworkPermit>,
}

impl WorkQueue {
    /// One in which so many work at a time, and so many are, and so many of one place of the net.
    pub(in crate::web) fn new(working: usize, most: usize, of_one_place: usize) -> Self {
        let [working, waiting] = [working, most].map(|count| Arc::new(Semaphore::new(count)));
        Self { places: NetworkLimiter::new(of_one_place), waiting, working }
    }

    /// Enters the queue.
    ///
    /// # Errors
    /// Too many wait already, or too many of that place.
    pub(in crate::web) fn enter(&self, place: Option<Network>) -> Result<QueuePlace, PageError> {
        let guest = place.map(|place| self.places.enter(place).ok_or(PageError::Crowded));
        let guest = guest.transpose()?;
        let waiting = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| PageError::Busy)?;
        Ok(QueuePlace { working: Arc::clone(&self.working), waiting, guest })
    }

    /// Enters the queue and waits for a turn.
    ///
    /// # Errors
    /// Too many wait already, or too many of that place.
    pub(in crate::web) async fn turn(
        &self,
        place: Option<Network>,
    ) -> Result<QueuePermit, PageError> {
        self.enter(place)?.turn().await
    }
}

impl QueuePlace {
    /// Waits for the turn.
    ///
    /// # Errors
    /// The queue has ended.
    pub(in crate::web) async fn turn(self) -> Result<QueuePermit, PageError> {
        let Self { working, waiting, guest } = self;
        let working = working.acquire_owned().await.map_err(|_| PageError::Busy)?;
        Ok(QueuePermit { _working: working, _waiting: waiting, _guest: guest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use std::net::IpAddr;

    #[test]
    fn one_place_leaves_room_for_others_and_many_are_sent_away() {
        let of = |text: &str| Some(text.parse::<IpAddr>().unwrap().into());
        let (here, there) = (of("192.0.2.1"), of("192.0.2.2"));
        let queue = WorkQueue::new(1, 3, 2);
        let first = queue.turn(here).now_or_never().unwrap().unwrap();
        let mut second = Box::pin(queue.turn(here));
        assert!(second.as_mut().now_or_never().is_none());
        let third = queue.turn(here).now_or_never();
        assert!(matches!(third, Some(Err(PageError::Crowded))), "{third:?}");
        let mut other = Box::pin(queue.turn(there));
        assert!(other.as_mut().now_or_never().is_none());
        let last = queue.turn(None).now_or_never();
        assert!(matches!(last, Some(Err(PageError::Busy))), "{last:?}");
        drop(first);
        let second = second.now_or_never().unwrap().unwrap();
        drop(other);
        assert!(queue.turn(there).now_or_never().is_none(), "it is not their turn yet");
        drop(second);
        assert!(queue.turn(here).now_or_never().unwrap().is_ok());
    }
}
