//! Verbs of players on a board in progress. A move, an answer to a double, a resignation for a
//! stake and a setting that plays for its player all end in [`turn`], which rolls and plays forced
//! and planned moves up to the next decision.

pub(crate) mod answer;
pub(crate) mod decline;
pub(crate) mod engine_move;
pub(crate) mod make_move;
pub(crate) mod more_time;
pub(crate) mod note;
pub(crate) mod offer;
pub(crate) mod pass;
pub(crate) mod plan;
pub(crate) mod resign;
pub(crate) mod settings;
pub(crate) mod submit;
pub(crate) mod turn;
