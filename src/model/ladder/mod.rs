//! Ladders: the players of a game in an order that challenges change.
//!
//! A ladder is kept in sections of neighbouring places ([`LadderSection`]), so that no change grows
//! with the ladder: a result changes the sections of its two players, and a drop those of the next
//! few places. The head ([`Ladder`]) says how many players each section has, and a user's document
//! in which section they are. All that happens is kept in the journal ([`LadderJournal`]), from which
//! `check` computes the order anew.

mod change;
mod file;
mod journal;
mod reader;
mod rung;
#[cfg(test)]
mod tests;

pub use change::LadderWriter;
pub use file::{
    JOURNALS, LadderPartId, SECTIONS, ladder_journal_key, ladder_key, ladder_section_key,
};
pub use journal::{JournalEntry, JournalStep, LadderJournal};
pub use reader::{ChallengeBar, LADDER_PAGE, LADDER_PAGE_STEPS, LadderReader, LadderStart};
pub use rung::{Ladder, LadderEnd, LadderEvent, LadderGame, LadderSection, Meeting, Rung, rules};
