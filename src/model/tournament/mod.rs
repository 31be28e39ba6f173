//! Tournaments: pairings, tables, leavers and rounds.
//!
//! A [`Field`] is all that was decided so far: entrants in the order of seeding, games and byes. The
//! pairings of the next round ([`Format::next_round`]) and all tables ([`tables`]) follow from
//! it, so that both can be computed again from the boards.

pub mod colours;
pub mod crosstable;
pub mod cup;
pub mod divisions;
pub mod field;
pub mod file;
pub mod format;
pub mod knockout;
mod matching;
pub mod record;
pub mod round_robin;
pub mod swiss;
pub mod tables;
pub mod teams;
pub mod terms;
#[cfg(test)]
mod tests;

pub use field::{Bye, DecidedBy, Entrant, EntrantIndex, Field, Game, GameResult, Verdict};
pub use file::{TournamentList, tournament_key, tournament_list_key};
pub use format::{Format, Pair, RoundPairings};
pub use record::{
    BoardEnd, Entry, Finisher, Round, Stage, Step, TitledTable, Tournament, TournamentEvent,
    board_end,
};
pub use teams::{MOST_INVITED, TEAM, Team, Teams};
pub use terms::{Adjudication, TournamentTerms};
