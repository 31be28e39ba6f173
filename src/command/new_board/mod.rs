//! Verbs that set up a board. Each agrees on players, options and terms, and checks the limits of
//! both players (`begin`); [`BoardMaker`](crate::model::new_board::BoardMaker) then seats them, rolls,
//! and moves until the first decision.

pub(crate) mod begin;
pub(crate) mod challenge;
pub(crate) mod import;
pub(crate) mod rematch;
pub(crate) mod seek;
