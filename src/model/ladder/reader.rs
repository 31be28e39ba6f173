//! What is asked of a ladder.

use super::rung::{Ladder, LadderSection, Rung, rules};
use crate::base::ids::UserId;
use crate::base::time::Time;
use std::ops::RangeInclusive;

/// Why a player cannot challenge another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeBar {
    /// The player is not on the ladder.
    NotOn,
    /// The opponent is not on the ladder.
    OpponentNotOn,
    /// The opponent is the player.
    Yourself,
    /// They play already.
    Playing,
    /// They have just met.
    Rematch {
        /// When they can meet again.
        until: Time,
    },
    /// The opponent is below.
    Below,
    /// The opponent is too far above.
    TooFar {
        /// The highest place that the player can challenge.
        highest: u32,
    },
    /// The player has the most games that they can begin.
    Outgoing,
    /// The opponent has the most games that others can begin.
    Incoming,
}

/// The most places of a page in a mail.
pub const LADDER_PAGE: u32 = 20;

/// How often the keys of a page must be loaded until all are known: the section of the player, then
/// the places around them and the journal, then the boards in it.
pub const LADDER_PAGE_STEPS: usize = 3;

/// Where a page of a ladder begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LadderStart {
    /// At a place.
    Place(u32),
    /// Some places above a player, so that they are in the middle.
    Player(UserId),
}

impl LadderStart {
    /// Returns the player in the middle, if there is one.
    pub fn player(&self) -> Option<&UserId> {
        match self {
            Self::Place(_) => None,
            Self::Player(user) => Some(user),
        }
    }
}

/// The loaded documents of a ladder.
pub trait LadderReader {
    /// Returns the head.
    fn head(&self) -> Option<&Ladder>;

    /// Returns a section, if it is loaded.
    fn section(&self, number: u32) -> Option<&LadderSection>;

    /// Returns the section of a user, if they are on the ladder.
    fn section_of(&self, user: &UserId) -> Option<u32>;

    /// Returns the number of players.
    fn players(&self) -> u32 {
        self.head().map_or(0, Ladder::players)
    }

    /// Returns a player, if they are on the ladder and their section is loaded.
    fn rung(&self, user: &UserId) -> Option<&Rung> {
        let section = self.section(self.section_of(user)?)?;
        section.rungs.iter().find(|rung| rung.user == *user)
    }

    /// Returns the place of a player, from 1.
    fn place(&self, user: &UserId) -> Option<u32> {
        let number = self.section_of(user)?;
        let index = self.section(number)?.rungs.iter().position(|rung| rung.user == *user)?;
        let above = self.head()?.above(number)?;
        Some(above.saturating_add(u32::try_from(index).ok()?).saturating_add(1))
    }

    /// Returns the places of a page of some length, none of a page behind the last place; `None` for a
    /// player whose place is not known.
    fn page(&self, start: &LadderStart, length: u32) -> Option<RangeInclusive<u32>> {
        let latest = self.players().saturating_sub(length - 1).max(1);
        let first = match start {
            LadderStart::Place(place) => (*place).max(1),
            LadderStart::Player(user) => {
                self.place(user)?.saturating_sub(length / 2).clamp(1, latest)
            }
        };
        Some(first..=first.saturating_add(length - 1).min(self.players()))
    }

    /// Returns the player on a place, if the section is loaded.
    fn at(&self, place: u32) -> Option<&Rung> {
        let (number, index) = self.head()?.find(place)?;
        self.section(number)?.rungs.get(index)
    }

    /// Checks whether a player can challenge another one.
    ///
    /// # Errors
    /// The reason why not.
    fn check_challenge(
        &self,
        by: &UserId,
        opponent: &UserId,
        now: Time,
    ) -> Result<(), ChallengeBar> {
        self.rung(by).filter(|rung| !rung.leaving).ok_or(ChallengeBar::NotOn)?;
        if by == opponent {
            return Err(ChallengeBar::Yourself);
        }
        let target = self.place(opponent).ok_or(ChallengeBar::OpponentNotOn)?;
        self.check_challenge_of(by, target, now)
    }

    /// Checks whether a player can challenge the player on a place, whose section must be loaded.
    ///
    /// # Errors
    /// The reason why not.
    fn check_challenge_of(&self, by: &UserId, target: u32, now: Time) -> Result<(), ChallengeBar> {
        let is_here = |rung: &&Rung| !rung.leaving;
        let own = self.rung(by).filter(is_here).ok_or(ChallengeBar::NotOn)?;
        let place = self.place(by).ok_or(ChallengeBar::NotOn)?;
        if place == target {
            return Err(ChallengeBar::Yourself);
        }
        let other = self.at(target).filter(is_here).ok_or(ChallengeBar::OpponentNotOn)?;
        if own.games.iter().any(|game| game.opponent == other.member) {
            return Err(ChallengeBar::Playing);
        }
        let met = own.met.iter().find(|met| met.member == other.member && met.until > now);
        if let Some(met) = met {
            return Err(ChallengeBar::Rematch { until: met.until });
        }
        if target > place {
            return Err(ChallengeBar::Below);
        }
        if place - target > rules::range(place) {
            return Err(ChallengeBar::TooFar { highest: place - rules::range(place) });
        }
        if own.outgoing() >= rules::MOST_GAMES {
            return Err(ChallengeBar::Outgoing);
        }
        if other.incoming() >= rules::MOST_GAMES {
            return Err(ChallengeBar::Incoming);
        }
        Ok(())
    }
}

impl Ladder {
    /// Returns the number of players.
    pub fn players(&self) -> u32 {
        players_of(&self.sections)
    }

    /// Returns the number of players above a section.
    pub fn above(&self, section: u32) -> Option<u32> {
        let at = self.sections.iter().position(|[number, _]| *number == section)?;
        Some(players_of(&self.sections[..at]))
    }

    /// Returns the section of a place, from 1, and the index in it.
    pub fn find(&self, place: u32) -> Option<(u32, usize)> {
        let mut left = place.checked_sub(1)?;
        for [number, players] in &self.sections {
            if left < *players {
                return Some((*number, usize::try_from(left).ok()?));
            }
            left -= players;
        }
        None
    }

    /// Returns the sections of these places.
    pub fn sections_of(&self, places: RangeInclusive<u32>) -> Vec<u32> {
        let mut above = 0_u32;
        let mut found = Vec::new();
        for [number, players] in &self.sections {
            let end = above.saturating_add(*players);
            if above < *places.end() && end >= *places.start() && *players > 0 {
                found.push(*number);
            }
            above = end;
        }
        found
    }
}

/// Returns the number of players in some sections. Nothing checks the numbers in a document that was edited by hand.
fn players_of(sections: &[[u32; 2]]) -> u32 {
    sections.iter().map(|[_, players]| *players).fold(0, u32::saturating_add)
}
