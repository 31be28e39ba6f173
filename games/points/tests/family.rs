//! Properties of every race game, tested on random games.

use super::super::board::down;
use super::super::{Board, Men, Race, apply, plays};
use super::hits::Hits;
use crate::fevga::Fevga;
use crate::hypergammon::Hypergammon;
use crate::kit::Chance;
use crate::kit::fixtures::play_at_random;
use crate::kit::{Choices, Game, Outcome, Roll, Seat, Throw};
use crate::moultezim::Moultezim;
use crate::nackgammon::Nackgammon;
use crate::nardy::Nardy;
use crate::plakoto::Plakoto;

/// Plays a random game until a side is off: `at` sees each board with the seat to move and its roll.
pub(super) fn random_race<R: Race>(chance: &mut Chance, mut at: impl FnMut(&Board, Seat, Roll)) {
    let (mut board, mut seat) = (Board::start(R::START), Seat(0));
    // In Plakoto, both sides may be stuck where both mothers are pinned.
    for _ in 0..400 {
        if board.men.iter().any(|men| men.are_off()) {
            break;
        }
        let roll = chance.roll(Throw::new(2, 6));
        at(&board, seat, roll);
        let plays = plays::<R>(&board, seat, roll);
        apply::<R>(&mut board, seat, &plays[chance.below(plays.len())]);
        seat = seat.other();
    }
}

/// Plays random games: `at` sees each board with the seat to move and its roll.
pub(super) fn everywhere<R: Race>(games: u64, mut at: impl FnMut(&Board, Seat, Roll)) {
    for seed in 0..games {
        random_race::<R>(&mut Chance::new(seed), &mut at);
    }
}

fn men_stay_and_pips_fall<R: Race>() {
    let mut hits = 0;
    everywhere::<R>(20, |board, seat, roll| {
        for play in plays::<R>(board, seat, roll) {
            let mut after = *board;
            apply::<R>(&mut after, seat, &play);
            let gone: u32 = play.steps().iter().map(|step| u32::from(step.from - step.to)).sum();
            assert_eq!(
                after.men_of(seat).pips() + gone,
                board.men_of(seat).pips(),
                "{play} {board:?}"
            );
            // A man that is hit must go its whole way again.
            let sent_back: u32 = play
                .steps()
                .iter()
                .filter(|step| step.hits)
                .map(|step| u32::from(25 - R::COURSE.across(step.to)))
                .sum();
            let other = seat.other();
            assert_eq!(
                after.men_of(other).pips(),
                board.men_of(other).pips() + sent_back,
                "{play}"
            );
            hits += sent_back;
            for side in Seat::BOTH {
                assert_eq!(after.men_of(side).count(), u32::from(R::MEN));
                // A pinned man is alone below free men.
                let (pinned, across) =
                    (after.pinned[side.index()], after.pinned[side.other().index()]);
                assert_eq!(pinned & !after.men_of(side).single(), 0);
                let above = R::COURSE.turned(pinned);
                assert_eq!(above & !after.men_of(side.other()).any(), 0);
                assert_eq!(above & across, 0);
            }
        }
    });
    assert_eq!(hits > 0, R::LANDING == super::super::Landing::Hit);
}

#[test]
fn no_man_is_lost_and_pips_fall_by_what_is_played() {
    men_stay_and_pips_fall::<Plakoto>();
    men_stay_and_pips_fall::<Moultezim>();
    men_stay_and_pips_fall::<Hits>();
    men_stay_and_pips_fall::<Fevga>();
    men_stay_and_pips_fall::<Nardy>();
    men_stay_and_pips_fall::<Nackgammon>();
    men_stay_and_pips_fall::<Hypergammon>();
}

fn sides_are_alike<R: Race>() {
    everywhere::<R>(20, |board, seat, roll| {
        let turned =
            Board { men: [board.men[1], board.men[0]], pinned: [board.pinned[1], board.pinned[0]] };
        let steps = |board: &Board, seat| -> Vec<_> {
            plays::<R>(board, seat, roll).iter().map(|play| play.steps().to_vec()).collect()
        };
        assert_eq!(steps(board, seat), steps(&turned, seat.other()), "{board:?}");
    });
}

#[test]
fn the_other_side_has_the_same_plays_on_the_turned_board() {
    sides_are_alike::<Plakoto>();
    sides_are_alike::<Moultezim>();
    sides_are_alike::<Hits>();
    sides_are_alike::<Fevga>();
    sides_are_alike::<Nardy>();
    sides_are_alike::<Nackgammon>();
    sides_are_alike::<Hypergammon>();
}

/// Steps are written from the rear wherever no rule depends on their order.
#[test]
fn the_rearmost_step_is_written_first() {
    for_both(|steps| assert!(steps.windows(2).all(|two| two[0] >= two[1]), "{steps:?}"));
}

fn for_both(mut at: impl FnMut(&[u8])) {
    fn look<R: Race>(at: &mut impl FnMut(&[u8])) {
        everywhere::<R>(5, |board, seat, roll| {
            for play in plays::<R>(board, seat, roll) {
                at(&play.steps().iter().map(|step| step.from).collect::<Vec<u8>>());
            }
        });
    }
    look::<Plakoto>(&mut at);
    look::<Hits>(&mut at);
}

/// Returns the length of a random game in plays, passes included, and its result.
fn random_end<G: Game>(seed: u64) -> (usize, Outcome) {
    let mut turns = 0;
    let start = G::setup(&Choices::default());
    let outcome = play_at_random(start, &mut Chance::new(seed), |_| turns += 1);
    (turns, outcome)
}

/// Another program's 150 random games took 38 to 110 turns, and 79 to 114.
#[test]
fn random_games_end_as_those_of_another_program() {
    let mut points = [0; 4];
    for seed in 0..150 {
        let (turns, outcome) = random_end::<crate::plakoto::Position>(seed);
        assert!((30..=125).contains(&turns), "{turns}");
        match outcome {
            Outcome::Drawn { .. } => points[0] += 1,
            Outcome::Won { points: worth, .. } => points[worth as usize] += 1,
        }
    }
    // It had 19 % draws, 20 % single wins and 61 % double wins.
    assert!((15..45).contains(&points[0]) && (15..45).contains(&points[1]), "{points:?}");
    for seed in 0..150 {
        let (turns, outcome) = random_end::<crate::moultezim::Position>(seed);
        assert!((70..=125).contains(&turns), "{turns}");
        assert!(matches!(outcome, Outcome::Won { .. }));
    }
}

#[test]
fn counts_of_men_go_up_and_down_by_one() {
    let mut men = Men::default();
    for count in 0..Men::ALL {
        assert_eq!(men.on(7), count);
        men.add(7);
        men.add(25);
        assert_eq!((men.on(6), men.on(8), men.on(25)), (0, 0, count + 1));
    }
    assert_eq!(men.pips(), 15 * 32);
    assert_eq!(down(men.any()).collect::<Vec<_>>(), [25, 7]);
    for count in (0..Men::ALL).rev() {
        men.take(7);
        assert_eq!((men.on(7), men.on(25)), (count, 15));
        assert_eq!(men.many() >> 7 & 1 == 1, count > 1);
        assert_eq!(men.single() >> 7 & 1 == 1, count == 1);
    }
}
