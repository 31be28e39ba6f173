//! The stakes: the doubling cube, the score, and the rules that hang on them.
//!
//! Nothing here knows the board. The rules are those of <https://www.bkgm.com/rules.html>: the
//! cube, Jacoby, beavers, Crawford.

use crate::kit::{Choices, Seat};

/// The highest value of the cube: nothing on a board of ours is worth more (ours).
pub(super) const TOP: u32 = 4096;

/// The longest match: tables of match equities, such as GNU Backgammon shows, end there.
pub(super) const LONGEST: u32 = 64;

/// The highest score from which a game can begin, so that nothing overflows (ours).
pub(super) const HIGHEST: u32 = 1_000_000;

/// The terms of a board, as its options say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatchTerms {
    /// The points that win the match; 0 for a single game for money.
    pub(super) length: u32,
    /// Whether gammons count as single games while the cube is in the middle.
    pub(super) jacoby: bool,
    /// Whether a player who is doubled may turn the cube once more and keep it.
    pub(super) beavers: bool,
    /// Whether there is a cube.
    pub(super) cube: bool,
}

impl MatchTerms {
    pub(super) fn from_options(options: &Choices) -> Self {
        Self {
            length: options.get("match").and_then(|length| length.parse().ok()).unwrap_or(0),
            jacoby: options.has("jacoby"),
            beavers: options.has("beavers"),
            cube: !options.has("nocube"),
        }
    }

    /// Whether the board has a cube at all: a match to one point has none.
    pub(super) fn has_cube(self) -> bool {
        self.cube && self.length != 1
    }

    /// Whether the board is a match of several games.
    pub(super) fn is_match(self) -> bool {
        self.length > 0
    }
}

/// The cube and the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stakes {
    /// The points so far. Those beyond the length of a match do not count, but are kept.
    pub(super) score: [u32; 2],
    /// The number of the game, from 1.
    pub(super) game: u32,
    /// The number on the cube: a power of two.
    pub(super) cube: u32,
    /// The side that may turn it; none means both.
    pub(super) owner: Option<Seat>,
    /// Whether this is the game without a cube.
    pub(super) crawford: bool,
    /// The winner of the game before, and of how many points.
    pub(super) last: Option<(Seat, u32)>,
}

impl Stakes {
    /// Before anything is played.
    pub(super) const START: Self =
        Self { score: [0; 2], game: 1, cube: 1, owner: None, crawford: false, last: None };

    /// Whether a side may offer a double when it is its turn to roll.
    ///
    /// # Errors
    /// The rule against it.
    pub(super) fn may_double(&self, terms: MatchTerms, seat: Seat) -> Result<(), String> {
        let why = if !terms.cube {
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

    /// Whether a side that is doubled may double at once.
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

    /// The double is taken: the cube shows twice as much and is the taker's. A player who answers
    /// with a beaver takes it too, and turns the cube again.
    pub(super) fn take(&mut self, taker: Seat) {
        self.cube *= 2;
        self.owner = Some(taker);
    }

    /// The beaver is taken: the cube shows twice as much and stays where it is.
    pub(super) fn take_beaver(&mut self) {
        self.cube *= 2;
    }

    /// Which kind of win, from 1, counts where the board shows `win`: with Jacoby a game whose
    /// cube has not been turned is a single one.
    pub(super) fn counted(&self, terms: MatchTerms, win: u8) -> u8 {
        if terms.jacoby && self.owner.is_none() { 1 } else { win }
    }

    /// A side wins the game for so many times the cube. Returns whether that ends the board;
    /// else the next game of the match is about to begin.
    ///
    /// The first game after a side has come within a point of winning the match is the Crawford
    /// game, and there is no second.
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
        let crawford = terms.cube && !before && one_short(self.score);
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

    const MONEY: MatchTerms = MatchTerms { length: 0, jacoby: false, beavers: false, cube: true };
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
                MatchTerms { cube: false, ..FIVE },
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
        // Each line: a match from its start; winner, kind of win, cube; then the score, whether
        // the next game is the Crawford game, whether the match is over.
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
