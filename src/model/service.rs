//! What decisions outside commands take besides documents.

use crate::base::chance::RandomSource;
use crate::base::time::Time;
use crate::model::dice::DiceKeys;

/// Time and chance for a service of the model or a reaction.
pub struct ServiceContext<'a> {
    /// The time.
    pub now: Time,
    /// Random numbers for boards without a key, and for programs that play.
    pub chance: &'a mut dyn RandomSource,
    /// The keys that the dice of boards follow from.
    pub keys: &'a DiceKeys,
}
