//! A run of `remind` that dies tells the next one at which board: a marker names the boards that
//! are being looked at, and a watchdog ends a run that stays at them for too long.

use crate::base::ids::BoardId;
use crate::base::watchdog::Watchdog;
use crate::server::remind::{Guard, Suspects};
use crate::store::{Fault, Marker};

/// A guard with a marker and a watchdog.
#[derive(Debug)]
pub struct MarkerGuard {
    marker: Box<dyn Marker>,
    watchdog: Watchdog,
}

impl MarkerGuard {
    /// Begins to guard a run.
    pub fn new(marker: Box<dyn Marker>) -> Self {
        Self { marker, watchdog: Watchdog::start() }
    }

    /// The run has come to its end.
    ///
    /// # Errors
    /// The machine failed.
    pub fn clear(self) -> Result<(), Fault> {
        self.marker.clear()
    }
}

impl Guard for MarkerGuard {
    fn suspects(&mut self) -> Result<Suspects, Fault> {
        // A marker that was cut off says nothing.
        let (tries, boards) = serde_json::from_str(&self.marker.read()?).unwrap_or_default();
        Ok(Suspects { boards, tries })
    }

    fn begin(&mut self, boards: &[BoardId], tries: u32) -> Result<(), Fault> {
        let text = serde_json::to_string(&(tries, boards)).expect("names and numbers are JSON");
        self.marker.write(&text)?;
        self.watchdog.begin();
        Ok(())
    }

    fn end(&mut self) {
        self.watchdog.end();
    }
}
