//! The parts of pages: their frame, the blocks of answers, forms for challenges, the question before
//! an act that cannot be undone, lists, error pages, and texts of players.

pub(super) mod begin;
pub(super) mod blocks;
pub(super) mod challenges;
pub(super) mod confirmation;
pub(super) mod error_page;
pub(super) mod evaluations;
pub(super) mod fields;
pub(super) mod flash_messages;
pub(super) mod lists;
pub(super) mod marks;
pub(super) mod page;
pub(super) mod player_text;
pub(super) mod rating_graph;
pub(super) mod refusals;
