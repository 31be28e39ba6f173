//! Tests of cube decisions against exact calculations and published values.

use super::super::cube::{CubeModel, CubeOwner, LIVE};
use super::super::matches::AwayScore;
use super::{O, Position, X, at};
use crate::find;
use crate::kit::fixtures::options_in;
use crate::kit::{
    Entry, EvaluationBudget, Game, GammonValue, Next, Odds, Roll, Scripted, SearchDepth, Seat,
    SeatSettings, advance,
};

/// Returns level 4's action, if it has one.
fn said(position: &Position) -> Option<String> {
    position.choose(4, &mut |_| 0).map(|said| said.to_string())
}

/// Returns the one-ply equities of the choices: the moves in order, then rolling.
fn values(position: &Position) -> Vec<f32> {
    let seen =
        position.evaluate(None, SearchDepth::OnePly, &mut EvaluationBudget::new(100_000)).unwrap();
    seen.iter().map(|one| one.value).collect()
}

/// Checks numbers.
fn are(found: &[f32], wanted: &[f32]) -> bool {
    found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-6)
}

/// The last two men of O on these points before its roll; X bears off its last man with any roll.
fn last_two(words: &str, points: [u8; 2], stakes: &str) -> Position {
    let men = match points {
        [one, other] if one == other => format!("{one}=OO"),
        [one, other] => format!("{one}=O {other}=O"),
    };
    at(words, &format!("O - {men} 24=X off=OOOOOOOOOOOOOXXXXXXXXXXXXXX {stakes}"))
}

/// The number of rolls, of 36, that bear off both men on these points.
const LAST_ROLLS: [([u8; 2], u8); 9] = [
    ([6, 1], 15),
    ([4, 3], 17),
    ([5, 2], 19),
    ([5, 1], 23),
    ([4, 2], 23),
    ([3, 2], 25),
    ([2, 2], 26),
    ([4, 1], 29),
    ([3, 1], 34),
];

#[test]
fn the_last_roll_of_a_game_is_reckoned_exactly() {
    for (points, rolls) in LAST_ROLLS {
        let position = last_two("", points, "");
        let win = f32::from(rolls) / 36.0;
        let [double, keeps] = values(&position)[..] else { panic!() };
        let (single, twice) = (2.0 * win - 1.0, 2.0 * (2.0 * win - 1.0));
        assert!((keeps - single).abs() < 0.02, "{points:?}: {keeps} for {single}");
        assert!((double - twice.min(1.0)).abs() < 0.04, "{points:?}: {double} for {twice}");
        let says = said(&position);
        assert_eq!(says.as_deref(), (rolls > 18).then_some("double"), "{points:?}");
        let doubled = super::after(position, "double");
        let answer = if rolls > 27 { "drop" } else { "take" };
        assert_eq!(said(&doubled).as_deref(), Some(answer), "{points:?}");
    }
}

#[test]
fn a_side_that_wants_two_points_as_the_other_does_takes_less() {
    // Eleven wins in 36 suffice for money, but at this score one point is worth 32 %.
    for (words, stakes, answer) in
        [("", "", "take"), ("match=7", "score=5-5", "drop"), ("match=7", "score=0-0", "take")]
    {
        let doubled = super::after(last_two(words, [3, 2], stakes), "double");
        assert_eq!(said(&doubled).as_deref(), Some(answer), "{words} {stakes}");
    }
    let doubled = super::after(last_two("match=7", [4, 2], "score=5-5"), "double");
    assert_eq!(said(&doubled).as_deref(), Some("take"));
}

#[test]
fn a_cube_that_wins_nothing_more_is_not_turned() {
    let wants = |stakes: &str| said(&last_two("match=5", [4, 2], stakes));
    assert_eq!(wants("score=1-1 cube=2O").as_deref(), Some("double"));
    // Two points win the match.
    assert_eq!(wants("score=3-1 cube=2O"), None);
    assert_eq!(wants("score=3-3 cube=2O"), None);
}

#[test]
fn who_has_nothing_to_lose_doubles_at_once() {
    // With 17 of 36 rolls nobody doubles for money, but X wins the match with this game.
    for (stakes, says) in [("score=0-0 cube=2O", None), ("score=1-3 cube=2O", Some("double"))] {
        let position = last_two("match=5", [4, 3], stakes);
        assert_eq!(said(&position).as_deref(), says, "{stakes}");
    }
}

#[test]
fn the_side_behind_doubles_at_once_after_the_crawford_game_and_not_in_it() {
    // An even position before O's second roll.
    let places = "1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO";
    let says = |stakes: &str| said(&at("match=5", &format!("O - {places} {stakes}")));
    assert_eq!(says("score=0-0"), None);
    assert_eq!(says("score=1-4").as_deref(), Some("double"));
    assert_eq!(says("score=1-4 crawford"), None);
    // The leader never doubles.
    assert_eq!(says("score=4-1"), None);
}

#[test]
fn gammons_are_worth_what_they_win_of_the_match() {
    let worth = |words: &str, stakes: &str| {
        let places = "1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO";
        let GammonValue { won, lost } =
            at(words, &format!("O - {places} {stakes}")).worth_of_gammons();
        [won, lost]
    };
    assert_eq!(worth("", ""), [[1.0; 2]; 2]);
    assert_eq!(worth("jacoby", ""), [[0.0; 2]; 2]);
    assert_eq!(worth("match=1", ""), [[0.0; 2]; 2]);
    let [won, lost] = worth("match=5", "score=4-1 crawford");
    assert!(are(&won, &[0.0; 2]) && lost[0] > 0.3, "{won:?} {lost:?}");
    // A side two points away with a cube of 2 needs no gammon; a side four away wins with one.
    let [won, lost] = worth("match=5", "score=3-1 cube=2O");
    assert!(are(&won, &[0.0; 2]) && lost[0] > 0.8 && lost[1].abs() < 1e-6, "{won:?} {lost:?}");
}

#[test]
fn a_single_game_is_not_accepted_for_a_sure_gammon() {
    let answers = |words: &str, stakes: &str| {
        // O bears off its last man, and X has all of its men left.
        let line = format!("X - 1=O 18=XXXXXXXXXXXXXXX off=OOOOOOOOOOOOOO {stakes}");
        let mut position = at(words, &line);
        position.resign(Seat(1), 1).unwrap();
        position.choose(4, &mut |_| 0).map(|said| said.to_string())
    };
    assert_eq!(answers("", "").as_deref(), Some("reject"));
    assert_eq!(answers("match=5", "score=0-0").as_deref(), Some("reject"));
    // One point wins the match.
    assert_eq!(answers("match=5", "score=4-0 crawford").as_deref(), Some("accept"));
}

#[test]
fn a_single_game_is_accepted_where_no_gammon_is_near() {
    let mut position = last_two("", [1, 1], "");
    assert_eq!(position.max_stake(Seat(1)), 1);
    position = at("", "X - 1=O 24=XX 18=XXXXXXXXXXXX off=OOOOOOOOOOOOOOX");
    assert!(position.resign(Seat(1), 1).is_ok());
    let early = "1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO";
    let mut position = at("", &format!("X - {early}"));
    position.resign(Seat(1), 1).unwrap();
    assert_eq!(said(&position).as_deref(), Some("accept"));
    assert_eq!(position.answering(), Some(O));
}

#[test]
fn a_match_that_is_as_good_as_decided_is_played_like_one_for_money() {
    let places = "1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO";
    for stakes in ["score=63-0", "score=0-63", "score=63-0 crawford"] {
        let position = at("match=64", &format!("O 31 {places} {stakes}"));
        assert!(are(&position.worth_of_gammons().won, &[1.0; 2]), "{stakes}");
        for level in 0..=4 {
            let said = position.choose(level, &mut |_| 0).unwrap().to_string();
            assert!(level < 3 || said == "8-5,6-5", "{stakes}: {said}");
        }
        let before = at("match=64", &format!("O - {places} {stakes}"));
        assert!(values(&before).iter().all(|value| value.is_finite()), "{stakes}");
    }
}

/// The match equity table of Neil Kazaross (XG2, rolled out by eXtreme Gammon up to nine points,
/// 2011; included with GNU Backgammon): rows are the side's points away, columns the opponent's,
/// from 1 to 9.
const KAZAROSS: [[f32; 9]; 9] = [
    [0.500, 0.677, 0.751, 0.814, 0.842, 0.887, 0.907, 0.932, 0.944],
    [0.323, 0.500, 0.599, 0.669, 0.744, 0.799, 0.842, 0.875, 0.902],
    [0.249, 0.401, 0.500, 0.572, 0.648, 0.711, 0.762, 0.805, 0.840],
    [0.186, 0.331, 0.428, 0.500, 0.577, 0.643, 0.699, 0.746, 0.788],
    [0.158, 0.256, 0.352, 0.423, 0.500, 0.566, 0.626, 0.678, 0.725],
    [0.113, 0.201, 0.289, 0.357, 0.434, 0.500, 0.563, 0.616, 0.668],
    [0.093, 0.158, 0.238, 0.301, 0.374, 0.437, 0.500, 0.555, 0.609],
    [0.068, 0.125, 0.195, 0.254, 0.322, 0.384, 0.445, 0.500, 0.554],
    [0.056, 0.098, 0.160, 0.212, 0.275, 0.332, 0.391, 0.446, 0.500],
];

/// After the Crawford game, for a side 1 to 9 points away.
const AFTER_CRAWFORD: [f32; 9] = [0.500, 0.488, 0.323, 0.310, 0.190, 0.181, 0.116, 0.109, 0.070];

fn chance(own: i64, other: i64, after_crawford: bool) -> f32 {
    AwayScore { own, other, after_crawford }.chance(true)
}

#[test]
fn chances_to_win_a_match_are_near_those_that_were_published() {
    let (mut sum, mut most, mut count) = (0.0, 0.0_f32, 0.0);
    let mut differ = |found: f32, published: f32| {
        let by = (found - published).abs();
        (sum, count) = (sum + by, count + 1.0);
        most = most.max(by);
    };
    for (own, row) in (1..).zip(KAZAROSS) {
        for (other, published) in (1..).zip(row) {
            differ(chance(own, other, false), published);
        }
    }
    for (own, published) in (1..).zip(AFTER_CRAWFORD) {
        differ(chance(own, 1, true), published);
    }
    let mean = sum / count;
    assert!(most < 0.02 && mean < 0.006, "{most} at most, {mean} on average");
    // Rolled out by GNU Backgammon, and projected.
    assert!((chance(25, 10, false) - 0.075).abs() < 0.02);
    assert!((chance(20, 25, false) - 0.658).abs() < 0.02);
}

#[test]
fn chances_of_both_sides_are_all_and_more_points_are_worth_more() {
    for own in 1..=64 {
        for other in 1..=64 {
            let here = chance(own, other, false);
            assert!((here + chance(other, own, false) - 1.0).abs() < 1e-4, "{own} {other}");
            // The lead is so large that a 24-bit number cannot show the difference.
            assert!(own == 64 || here >= chance(own + 1, other, false), "{own} {other}");
            let is_less = || here > chance(own + 1, other, false) && here < 1.0;
            assert!(own > 25 || other > 25 || is_less(), "{own} {other}");
        }
        assert!(own == 1 || (0.0..=0.5).contains(&chance(own, 1, true)));
    }
    let ends = [chance(0, 3, false), chance(3, 0, false), chance(-2, 1, true)];
    assert!(are(&ends, &[1.0, 0.0, 1.0]), "{ends:?}");
}

#[test]
fn a_game_for_money_without_gammons_is_janowskis() {
    let worth = |points: i64| f32::from(i16::try_from(points).unwrap());
    let value = |win: f32, holder| {
        let odds = Odds([win, 0.0, 0.0, 0.0, 0.0]);
        CubeModel::new(odds, &worth).with(1, holder)
    };
    // With a live cube 20 % suffice to take, with a dead one 25 %.
    for (win, holder, live, dead) in [
        (0.5, CubeOwner::Both, 0.0, 0.0),
        (0.8, CubeOwner::Both, 1.0, 0.6),
        (0.2, CubeOwner::Both, -1.0, -0.6),
        (0.5, CubeOwner::Own, 0.25, 0.0),
        (0.5, CubeOwner::Other, -0.25, 0.0),
        (0.5, CubeOwner::Nobody, 0.0, 0.0),
    ] {
        let want = (1.0 - LIVE) * dead + LIVE * live;
        let found = value(win, holder);
        assert!((found - want).abs() < 0.01, "{win} {holder:?}: {found} for {want}");
    }
}

/// Returns the stake that O resigns before its roll.
fn given_up(words: &str, men: &str) -> Option<u8> {
    at(words, &format!("O - {men}")).resignation()
}

#[test]
fn the_program_gives_up_what_it_cannot_hope_to_keep() {
    // X bears off its last man before O can act; O has borne off some men, or none.
    let single = "5=OOOOO 6=OOOOO 24=X off=OOOOOXXXXXXXXXXXXXX";
    let none_off = "5=OOOOOO 6=OOOOOOOOO 24=XXXXXXXX off=XXXXXXX";
    let gammon = "12=OOOOOOO 14=OOOOOOOO 24=X off=XXXXXXXXXXXXXX";
    let backgammon = "24=OOO 23=OOOOOOOOOOOO 22=X off=XXXXXXXXXXXXXX";
    assert_eq!(given_up("", single), Some(1));
    assert_eq!(given_up("", none_off), Some(1));
    assert_eq!(given_up("", gammon), Some(2));
    assert_eq!(given_up("", backgammon), None, "a shot is left");
    // Gammons do not count before a double.
    assert_eq!(given_up("jacoby", gammon), Some(1));
    // A double could still win, or a gammon may be saved.
    assert_eq!(given_up("", "1=OO 24=XX off=OOOOOOOOOOOOOXXXXXXXXXXXXX"), None);
    assert_eq!(given_up("", "6=OOOOOOOOOOOOOO 7=O 24=XX off=XXXXXXXXXXXXX"), None);
}

#[test]
fn an_offer_that_was_rejected_is_not_made_again_before_a_play() {
    let line = "O - 5=OOOOOO 6=OOOOOOOOO 23=XXXX 24=XXXX off=XXXXXXX";
    let mut position =
        find("backgammon").unwrap().place(&options_in::<Position>(""), line).unwrap();
    let seat_settings =
        |seat: Seat| SeatSettings { level: (seat == O).then_some(3), ..SeatSettings::default() };
    let mut dice = Scripted::new([Roll::Two(2, 1), Roll::Two(2, 1)]);
    let offers = [Entry::Resigned { seat: O, stake: 1 }];
    assert_eq!(advance(&mut *position, &mut dice, &seat_settings), offers);
    assert_eq!(position.next(), Next::Move(X));
    position.play("reject").unwrap();
    let [Entry::Rolled(_), Entry::Moved { seat: O, .. }, Entry::Rolled(_)] =
        &advance(&mut *position, &mut dice, &seat_settings)[..]
    else {
        panic!("{}", position.notation())
    };
    position.play("23-off,24-off").unwrap();
    assert_eq!(advance(&mut *position, &mut dice, &seat_settings), offers);
    position.play("accept").unwrap();
    assert!(matches!(position.next(), Next::Over(_)));
}
