//! Verbs that set up a board. Each agrees on players, options and terms, and checks the limits of
//! both players; [`setup`] then seats the players, and rolls and moves until the first decision.

pub(crate) mod challenge;
pub(crate) mod import;
pub(crate) mod rematch;
pub(crate) mod seek;
pub(crate) mod setup;
