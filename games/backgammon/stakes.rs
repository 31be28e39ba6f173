//! The cube and the score, with their rules.
//!
//! Nothing here knows the board. The rules are those of <https://www.bkgm.com/rules.html>: the
//! cube, Jacoby, beavers, Crawford.

use crate::kit::{Choices, Seat};

/// The highest cube value (ours).
pub(super) const TOP: u32 = 4096;

/// The highest score at the start of a game, so that nothing overflows (ours).
pub(super) const HIGHEST: u32 = 1_000_000;

/// The terms of a board, from its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatchTerms {
    /// The match length; 0 for a money game.
    pub(super) length: u32,
    /// Whether gammons count as single games while the cube is in the middle.
    pub(super) jacoby: bool,
    /// Whether a player who is doubled may redouble at once and keep the cube.
    pub(super) beavers: bool,
    /// Whether the cube is used.
    pub(super) uses_cube: bool,
}

impl MatchTerms {
    pub(super) fn from_options(options: &Choices) -> Self {
        Self {
            length: options.get("match").and_then(|length| length.parse().ok()).unwrap_or(0),
            jacoby: options.has("jacoby"),
            beavers: options.has("beavers"),
            uses_cube: !options.has("nocube"),
        }
    }

    /// Returns whether the board has a cube; a match to one point has none.
    pub(super) fn has_cube(self) -> bool {
        self.uses_cube && self.length != 1
    }

    /// Returns whether the board is a match of several games.
    pub(super) fn is_match(self) -> bool {
        self.length > 0
    }
}

/// The cube and the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stakes {
    /// The score. Points beyond the match length do not count, but are kept.
    pub(super) score: [u32; 2],
    /// The game number, from 1.
    pub(super) game: u32,
    /// The cube value, a power of two.
    pub(super) cube: u32,
    /// The side that may turn the cube; `None` means both.
    pub(super) owner: Option<Seat>,
    /// Whether this is the Crawford game.
    pub(super) crawford: bool,
    /// The winner and the points of the previous game.
    pub(super) last: Option<(Seat, u32)>,
}

impl Stakes {
    /// The start of a board.
    pub(super) const START: Self =
        Self { score: [0; 2], game: 1, cube: 1, owner: None, crawford: false, last: None };

    /// Checks that a side may double before its roll.
    ///
    /// # Errors
    /// The rule against it.
    pub(super) fn may_double(&self, terms: MatchTerms, seat: Seat) -> Result<(), String> {
        let why = if !terms.uses_cube {
            "this board is played without a cube"
        } else if terms.length == 1 {
            "a match to one point is played without a cube"
        } else if self.crawford {
            "this is the Crawford game, which is played without a cube"
        } else if self.owner == Some(seat.other()) {
            "your opponent owns the cube"
        } else if self.cube >= TOP {
            return Err(format!("the cube has reached its top of {TOP}"));
        } else {
            return Ok(());
        };
        Err(why.into())
    }

    /// Checks that a side that is doubled may beaver.
    ///
    /// # Errors
    /// The rule against it.
    pub(super) fn may_beaver(&self, terms: MatchTerms) -> Result<(), String> {
        if !terms.beavers {
            Err("this board is played without beavers".into())
        } else if self.cube * 2 >= TOP {
            Err(format!("the cube cannot go beyond {TOP}"))
        } else {
            Ok(())
        }
    }

    /// Takes a double: the cube value doubles and the taker owns the cube. A beaver takes as well
    /// and turns the cube again.
    pub(super) fn take(&mut self, taker: Seat) {
        self.cube *= 2;
        self.owner = Some(taker);
    }

    /// Takes a beaver: the cube value doubles, the owner stays.
    pub(super) fn take_beaver(&mut self) {
        self.cube *= 2;
    }

    /// Returns the kind of win that counts, from 1, where the board shows `win`: under the Jacoby
    /// rule a game with an unturned cube is single.
    pub(super) fn counted(&self, terms: MatchTerms, win: u8) -> u8 {
        if terms.jacoby && self.owner.is_none() { 1 } else { win }
    }

    /// Ends a game won by so many cubes. Returns whether the board is over; otherwise the next game
    /// of the match begins.
    ///
    /// The first game after a side comes within a point of winning is the Crawford game; there is
    /// only one.
    pub(super) fn win(&mut self, terms: MatchTerms, by: Seat, times: u8) -> bool {
        let points = self.cube * u32::from(times);
        let one_short = |score: [u32; 2]| score.contains(&terms.length.wrapping_sub(1));
        let before = one_short(self.score);
        let score = &mut self.score[by.index()];
        *score = score.saturating_add(points);
        self.last = Some((by, points));
        if !terms.is_match() {
            return true;
        }
        if *score >= terms.length {
            return true;
        }
        let crawford = terms.uses_cube && !before && one_short(self.score);
        *self = Self {
            game: self.game.saturating_add(1),
            cube: 1,
            owner: None,
            crawford,
            ..self.clone()
        };
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MONEY: MatchTerms =
        MatchTerms { length: 0, jacoby: false, beavers: false, uses_cube: true };
    const FIVE: MatchTerms = MatchTerms { length: 5, ..MONEY };
    const O: Seat = Seat(0);
    const X: Seat = Seat(1);

    #[test]
    fn who_may_double_is_told_and_who_may_not_why() {
        let start = Stakes::START;
        let owned = Stakes { cube: 2, owner: Some(X), ..start.clone() };
        let top = Stakes { cube: TOP, owner: Some(X), ..start.clone() };
        let crawford = Stakes { score: [4, 0], crawford: true, ..start.clone() };
        for (stakes, terms, o, x) in [
            (&start, MONEY, "", ""),
            (&start, FIVE, "", ""),
            (&owned, MONEY, "your opponent owns the cube", ""),
            (&top, MONEY, "your opponent owns the cube", "the cube has reached its top of 4096"),
            (
                &crawford,
                FIVE,
                "this is the Crawford game, which is played without a cube",
                "this is the Crawford game, which is played without a cube",
            ),
            (
                &start,
                MatchTerms { length: 1, ..FIVE },
                "a match to one point is played without a cube",
                "a match to one point is played without a cube",
            ),
            (
                &start,
                MatchTerms { uses_cube: false, ..FIVE },
                "this board is played without a cube",
                "this board is played without a cube",
            ),
        ] {
            for (seat, why) in [(O, o), (X, x)] {
                let answer = stakes.may_double(terms, seat).err().unwrap_or_default();
                assert_eq!(answer, why, "{stakes:?} {terms:?} {seat:?}");
            }
        }
    }

    #[test]
    fn a_cube_goes_to_the_taker_and_a_beaver_stays_with_him() {
        let mut stakes = Stakes::START;
        stakes.take(X);
        assert_eq!((stakes.cube, stakes.owner), (2, Some(X)));
        stakes.take(O);
        assert_eq!((stakes.cube, stakes.owner), (4, Some(O)));
        stakes.take(X);
        assert_eq!((stakes.cube, stakes.owner), (8, Some(X)));
        stakes.take_beaver();
        assert_eq!((stakes.cube, stakes.owner), (16, Some(X)));
        let beavers = MatchTerms { beavers: true, ..MONEY };
        assert_eq!(stakes.may_beaver(beavers), Ok(()));
        assert!(stakes.may_beaver(MONEY).unwrap_err().contains("without beavers"));
        stakes.cube = TOP / 2;
        assert!(stakes.may_beaver(beavers).unwrap_err().contains("4096"));
    }

    #[test]
    fn jacoby_counts_gammons_once_the_cube_was_turned() {
        let jacoby = MatchTerms { jacoby: true, ..MONEY };
        let turned = Stakes { cube: 2, owner: Some(O), ..Stakes::START };
        for (stakes, terms, win, counts) in [
            (&Stakes::START, jacoby, 3, 1),
            (&Stakes::START, jacoby, 1, 1),
            (&Stakes::START, MONEY, 3, 3),
            (&turned, jacoby, 2, 2),
            (&turned, jacoby, 3, 3),
        ] {
            assert_eq!(stakes.counted(terms, win), counts, "{stakes:?} {terms:?} {win}");
        }
    }

    #[test]
    fn a_match_has_one_crawford_game_and_ends_with_enough_points() {
        // Each line is a match: winner, kind of win and cube of each game; then the score, whether
        // the next game is the Crawford game, and whether the match is over.
        type Game = (Seat, u8, u32, [u32; 2], bool, bool);
        let matches: [(u32, &[Game]); 5] = [
            (1, &[(X, 1, 1, [0, 1], false, true)]),
            (2, &[(O, 1, 1, [1, 0], true, false), (X, 1, 1, [1, 1], false, false)]),
            (3, &[(O, 2, 2, [4, 0], false, true)]),
            (
                5,
                &[
                    (O, 1, 4, [4, 0], true, false),
                    (X, 1, 1, [4, 1], false, false),
                    (X, 3, 1, [4, 4], false, false),
                    (O, 1, 64, [68, 4], false, true),
                ],
            ),
            (
                7,
                &[
                    (X, 3, 2, [0, 6], true, false),
                    (O, 3, 1, [3, 6], false, false),
                    (O, 3, 1, [6, 6], false, false),
                    (X, 2, 2, [6, 10], false, true),
                ],
            ),
        ];
        for (length, games) in matches {
            let terms = MatchTerms { length, ..MONEY };
            let mut stakes = Stakes::START;
            for (number, &(by, times, cube, score, crawford, over)) in (2..).zip(games) {
                stakes.cube = cube;
                assert_eq!(stakes.win(terms, by, times), over, "{length}: {stakes:?}");
                assert_eq!((stakes.score, stakes.crawford), (score, crawford), "{length}");
                assert_eq!(stakes.last, Some((by, u32::from(times) * cube)));
                assert!(over || (stakes.cube, stakes.owner, stakes.game) == (1, None, number));
            }
        }
        let mut money = Stakes { cube: 8, ..Stakes::START };
        assert!(money.win(MONEY, O, 3));
        assert_eq!((money.score, money.last), ([24, 0], Some((O, 24))));
    }
}
