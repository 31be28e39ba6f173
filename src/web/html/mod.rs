//! The parts that pages share: their frame (`page`), error pages, forms and their fields, the blocks of
//! answers, refusals in words, tables, graphs, and texts of players.

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
