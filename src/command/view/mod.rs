//! Verbs that only show something: boards, lists of boards, legal moves, analyses, players,
//! standings and help pages. A decision here has no events, except that an analysis is counted.

pub(crate) mod analyse;
pub(crate) mod games;
pub(crate) mod help;
pub(crate) mod legal_moves;
pub(crate) mod list;
pub(crate) mod next;
pub(crate) mod players;
pub(crate) mod preview;
pub(crate) mod profile;
pub(crate) mod proof;
pub(crate) mod show;
pub(crate) mod show_all;
pub(crate) mod show_as;
pub(crate) mod standings;
