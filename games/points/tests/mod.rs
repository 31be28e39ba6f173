//! Tests of the race games, by rule.

mod family;
mod hits;
mod naive;
mod reading;

use crate::kit::count_from;
use crate::kit::fixtures::{after, check_counts, listed, options_in};
use crate::kit::{Choices, Corner, Diagram, Game, Next, Outcome, Roll, Seat, Throw, View};
use crate::{backgammon, fevga, moultezim, nardy, plakoto, portes};

/// Places a position; missing men are off.
pub(crate) fn at<G: Game>(line: &str) -> G {
    at_with(&Choices::default(), line)
}

fn at_with<G: Game>(options: &Choices, line: &str) -> G {
    G::place(options, &with_men_off(line)).unwrap()
}

/// Returns the line of a position with the men that it leaves out, who are off.
pub(crate) fn with_men_off(line: &str) -> String {
    let stacks: String = line.split(' ').skip(2).collect();
    let off = ["O", "X"].map(|side| side.repeat(15 - stacks.matches(side).count())).concat();
    if off.is_empty() { line.to_owned() } else { format!("{line} off={off}") }
}

fn won(by: u8, points: u32, reason: &'static str) -> Next {
    Next::Over(Outcome::Won { by: Seat(by), points, reason })
}

const MOTHER: &str = "by pinning the mother";
const MOTHERS: Next = Next::Over(Outcome::Drawn { reason: "both mothers are pinned" });
const OFF: &str = "by bearing off all men";

#[test]
fn openings_branch_as_counted() {
    check_counts::<plakoto::Position>(include_str!("../../plakoto/perft.txt"), 20);
    check_counts::<moultezim::Position>(include_str!("../../moultezim/perft.txt"), 20);
    check_counts::<backgammon::Position>(include_str!("../../backgammon/perft.txt"), 20);
    check_counts::<portes::Position>(include_str!("../../portes/perft.txt"), 20);
    check_counts::<fevga::Position>(include_str!("../../fevga/perft.txt"), 20);
}

#[test]
fn counting_without_words_counts_what_is_listed() {
    fn check<G: Game>() {
        let start = G::setup(&Choices::default()).notation().replace("- - ", "O - ");
        for depth in 1..=3 {
            let listed = count_from(&at::<G>(&start), depth);
            assert_eq!(G::perft(&Choices::default(), depth), listed);
        }
        assert_eq!(G::perft(&Choices::default(), 0), 1);
    }
    check::<plakoto::Position>();
    check::<moultezim::Position>();
    check::<fevga::Position>();
}

/// A race without nets: Portes, whose winner bears off his men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Untrained;

impl super::Race for Untrained {
    const COURSE: super::Course = portes::Portes::COURSE;
    const LANDING: super::Landing = portes::Portes::LANDING;
    const START: &'static [(u8, u8)] = portes::Portes::START;
    const NUMBERS: [super::Numbers; 2] = portes::Portes::NUMBERS;
}

impl super::NetRace for Untrained {
    const PLAIN: Self = Self;
    const OVERLOOKED: &'static [f32] = &[0.25, 0.12];

    fn outcome(self, after: &super::Board, mover: Seat) -> Option<Outcome> {
        super::double_win(after, mover)
    }
}

/// Without nets, level 3 chooses what leads by the most pips, and every level chooses something.
#[test]
fn a_race_without_nets_is_played_by_pip_counts() {
    use crate::bot::{Situation, TrainedSituation as _, choose, odds};
    use crate::kit::{Chance, EvaluationBudget, SearchDepth};
    type UntrainedSituation = super::RaceSituation<Untrained>;
    assert!(!UntrainedSituation::nets().has_learned());
    let mut chance = Chance::new(1);
    for (a, b) in [(6, 5), (3, 1), (2, 2)] {
        let (start, roll) = (UntrainedSituation::start(Seat(0)), Roll::Two(a, b));
        let ends = start.ends(roll);
        let least = ends.iter().map(Situation::lead).fold(f32::MAX, f32::min);
        let chosen = choose(&start, roll, 3, &mut |below| chance.below(below));
        assert!((ends[chosen].lead() - least).abs() < 1e-6, "{roll}");
        for level in 1..=4 {
            assert!(choose(&start, roll, level, &mut |below| chance.below(below)) < ends.len());
        }
    }
    let even = odds(
        &UntrainedSituation::start(Seat(1)),
        SearchDepth::ZeroPly,
        &mut EvaluationBudget::new(0),
    );
    assert!((even.win() - 0.5).abs() < 1e-6);
}

#[test]
fn nothing_follows_the_end_of_a_game() {
    // Either side may be off at once, and then nothing follows.
    let board = at::<plakoto::Position>("O - 24=O 1=X").board;
    let is_over = |board: &super::Board, mover: Seat| board.men_of(mover).are_off();
    assert_eq!(super::perft::<plakoto::Plakoto>(&board, Seat(0), 1, &is_over), 21);
    assert_eq!(super::perft::<plakoto::Plakoto>(&board, Seat(0), 2, &is_over), 0);
}

#[test]
fn the_higher_die_begins_and_plays_both_dice() {
    let mut start = plakoto::Position::setup(&Choices::default());
    assert_eq!(start.next(), Next::Roll(Throw::to_begin(6)));
    assert_eq!(start.notation(), "- - 1=OOOOOOOOOOOOOOO 24=XXXXXXXXXXXXXXX");
    let mut other = start.clone();
    start.roll(Roll::Two(5, 3));
    assert_eq!((start.next(), &start.notation()[..5]), (Next::Move(Seat(0)), "O 53 "));
    other.roll(Roll::Two(2, 6));
    assert_eq!((other.next(), &other.notation()[..5]), (Next::Move(Seat(1)), "X 62 "));
    // From then on the next side rolls, and may be asked before that.
    let next = after(&start, "1-4,1-6");
    assert_eq!(next.next(), Next::Ready(Seat(1), Throw::new(2, 6)));
    assert_eq!(next.notation(), "X - 1=OOOOOOOOOOOOO 4=O 6=O 24=XXXXXXXXXXXXXXX");
    assert_eq!(next.moves(), []);
}

#[test]
fn with_reroll_and_in_two_games_the_winner_of_the_opening_throws_again() {
    fn opened<G: Game>(words: &str) -> G {
        let mut start = G::setup(&options_in::<G>(words));
        start.roll(Roll::Two(2, 6));
        assert_eq!(start.next(), Next::Ready(Seat(1), Throw::new(2, 6)));
        start.roll(Roll::Two(5, 5));
        assert_eq!(start.next(), Next::Move(Seat(1)));
        start
    }
    opened::<fevga::Position>("");
    opened::<nardy::Position>("");
    let start = opened::<moultezim::Position>("reroll");
    // Only the opening.
    let mut next = after(&start, "13-18,18-23,23-4,4-9");
    next.roll(Roll::Two(1, 2));
    assert_eq!(next.next(), Next::Move(Seat(0)));
}

#[test]
fn both_numbers_of_a_point_are_of_one_place() {
    use super::{Board, Course, Numbers, Race};
    fn check<R: Race>() {
        let names = |set| super::board::down(set).collect::<Vec<u8>>();
        for point in 1..=24 {
            let [own, other] = R::NUMBERS;
            let across = R::COURSE.across(point);
            assert_eq!(own.written(point), other.written(across), "{point}");
            assert_eq!(R::COURSE.across(across), point);
            assert_eq!(names(R::COURSE.turned(1 << point)), [across]);
            assert_eq!(own.own(own.written(point)), point);
            assert_eq!(other.own(other.written(point)), point);
        }
        assert_eq!(R::COURSE.turned(1 | 1 << 25), 0);
    }
    check::<plakoto::Plakoto>();
    check::<moultezim::Moultezim>();
    check::<hits::Hits>();
    check::<fevga::Fevga>();
    check::<portes::Portes>();
    assert_eq!((Numbers::UpFrom13.written(24), Numbers::UpFrom13.written(1)), (13, 12));
    assert_eq!(Course::Parallel.across(1), 13);
    let start = Board::start(hits::Hits::START);
    assert_eq!(start.men.map(super::Men::pips), [167, 167]);
}

// Plakoto.

#[test]
fn a_single_man_is_pinned_and_two_are_a_block() {
    for (target, ends) in [
        ("", "4=O 6=O"),
        ("6=O", "4=O 6=OO"),
        ("6=X", "4=O 6=XO"),
        ("6=XO", "4=O 6=XOO"),
        ("6=XX", "blocked"),
        ("6=OX", "blocked"),
    ] {
        let position = at::<plakoto::Position>(&format!("O 2 4=OO 24=X {target}"));
        if ends == "blocked" {
            assert_eq!(listed(&position), ["pass"], "{target}");
        } else {
            let notation = after(&position, "4-6").notation();
            assert!(notation.starts_with(&format!("X - {ends}")), "{notation}");
        }
    }
}

#[test]
fn a_pinned_man_stays_until_those_above_him_have_left() {
    assert_eq!(listed(&at::<plakoto::Position>("O 41 9=OX 24=XX")), ["pass"]);
    let free = after(&at::<plakoto::Position>("X 21 9=OXX"), "9-7,9-8");
    assert!(free.notation().starts_with("O - 7=X 8=X 9=O "), "{}", free.notation());
    let pinned = after(&at::<plakoto::Position>("X 1 9=OXX 24=X"), "9-8");
    assert!(pinned.notation().starts_with("O - 8=X 9=OX 24=X "), "{}", pinned.notation());
}

#[test]
fn nobody_is_borne_off_while_a_man_is_pinned_or_outside() {
    // P6.
    assert_eq!(listed(&at::<plakoto::Position>("O 65 20=OX 22=OO")), ["pass"]);
    assert_eq!(listed(&at::<plakoto::Position>("O 1 20=OX 22=OO")), ["22-23"]);
    assert_eq!(listed(&at::<plakoto::Position>("O 31 20=OO 22=OO 1=X")).len(), 5);
    assert_eq!(listed(&at::<plakoto::Position>("O 6 18=O 22=OO 24=XX")), ["pass"]);
    // A play that brings the last man home may bear off after that.
    let home = listed(&at::<plakoto::Position>("O 61 18=O 22=OO 12=X"));
    assert_eq!(home, ["18-24,22-23", "18-24,24-off"]);
}

#[test]
fn a_die_bears_off_its_own_point_or_the_rearmost() {
    for (line, plays) in [
        ("O 4 21=O 23=O 1=X", "21-off"),
        ("O 6 21=O 23=O 1=X", "21-off"),
        ("O 3 21=O 23=O 1=X", "21-24"),
        ("O 2 21=O 23=O 1=X", "21-23 23-off"),
        ("O 32 21=O 23=O 1=X", "21-24,23-off 21-23,23-off"),
        ("O 65 21=O 23=O 1=X", "21-off,23-off"),
        ("O 63 19=O 21=O 22=O 1=X", "19-off,22-off 19-off,21-24 19-22,21-off"),
    ] {
        let mut listed = listed(&at::<plakoto::Position>(line));
        let mut expected: Vec<&str> = plays.split(' ').collect();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected, "{line}");
    }
}

#[test]
fn a_pinned_mother_loses_unless_the_pinner_has_men_on_his_start() {
    for (line, next) in [
        // W2: the pinner has left its start.
        ("X - 2=O 24=XO 5=X", won(0, 2, MOTHER)),
        ("O - 1=OX 2=X", won(1, 2, MOTHER)),
        // P1: one man or more there can still be pinned in turn.
        ("O - 1=OX 24=X", Next::Ready(Seat(0), Throw::new(2, 6))),
        ("O - 1=OX 24=XXX", Next::Ready(Seat(0), Throw::new(2, 6))),
        // P2: two men are a block; only a last man can be pinned there.
        ("O - 1=OO 24=X", Next::Ready(Seat(0), Throw::new(2, 6))),
        // P5: both at once, in any order.
        ("O - 1=OX 24=XO", MOTHERS),
        ("X - 1=OX 24=XOO", MOTHERS),
        // The side that has lost its mother may be the one that moved.
        ("X - 1=OX 2=X", won(1, 2, MOTHER)),
        // Other pinned men do not count.
        ("O - 2=OX 3=X", Next::Ready(Seat(0), Throw::new(2, 6))),
    ] {
        assert_eq!(at::<plakoto::Position>(line).next(), next, "{line}");
    }
}

#[test]
fn the_mother_is_judged_after_the_complete_play() {
    // P4: the pin is lifted in the same play.
    let lifted = after(&at::<plakoto::Position>("X 21 1=O 2=XX 4=X 24=XX"), "4-2,2-1");
    assert!(matches!(lifted.next(), Next::Ready(..)), "{lifted:?}");
    let lifted = after(&at::<plakoto::Position>("O 21 22=O 12=O 24=X 9=X"), "22-24,12-13");
    assert_eq!(lifted.next(), won(0, 2, MOTHER));
    // The pinner's last man leaves its start during the pin.
    let left = after(&at::<plakoto::Position>("X 21 1=OX 24=X 20=O 3=O"), "24-22,22-21");
    assert_eq!(left.next(), won(1, 2, MOTHER));
    // The pin is lifted first, so nothing is lost.
    let position = at::<plakoto::Position>("X 31 1=OX 24=X 20=O 3=O");
    assert!(matches!(position.next(), Next::Move(_)));
    // P5: one play pins the second mother while the first is pinned.
    let drawn = after(&at::<plakoto::Position>("O 21 1=OX 21=O 24=X 3=X"), "21-24");
    assert_eq!(drawn.next(), MOTHERS);
}

#[test]
fn bearing_off_wins_one_point_or_two() {
    assert_eq!(after(&at::<plakoto::Position>("O 1 24=O 1=X"), "24-off").next(), won(0, 1, OFF));
    let none_off = format!("O 1 24=O 2={}", "X".repeat(15));
    assert_eq!(
        after(&at::<plakoto::Position>(&none_off), "24").next(),
        won(0, 2, "by bearing off all men before the other side bore off one")
    );
    assert_eq!(after(&at::<plakoto::Position>("X 1 24=O 1=X"), "1-h").next(), won(1, 1, OFF));
    let one_off = format!("O 1 24=O 2={}", "X".repeat(14));
    assert_eq!(after(&at::<plakoto::Position>(&one_off), "24").next(), won(0, 1, OFF));
}

#[test]
fn plakoto_starts_with_360_pips_and_never_turns_a_start_stack() {
    // P3, P7: O starts on point 1, X on point 24.
    let start = plakoto::Position::setup(&Choices::default());
    let Diagram::Points(points) = start.diagram(&View::default()) else { panic!() };
    assert_eq!((points.pips, points.men, points.off), ([360, 360], [15, 15], [0, 0]));
    assert_eq!((points.piles[0].holder, points.piles[0].men), (Some(Seat(0)), 15));
    assert_eq!((points.piles[23].holder, points.piles[23].men), (Some(Seat(1)), 15));
}

/// Returns a seat's view with a setting.
fn view(seat: Option<u8>, setting: Option<(&'static crate::kit::Switch, Option<&str>)>) -> View {
    let settings = setting
        .map_or_else(Choices::default, |(switch, value)| Choices::one(switch, value).unwrap());
    View { seat: seat.map(Seat), settings, ..View::default() }
}

fn corner<G: Game>(view: &View) -> (Corner, Seat) {
    let Diagram::Points(points) = G::setup(&Choices::default()).diagram(view) else { panic!() };
    (points.first, points.upper)
}

/// Returns a setting by name.
fn setting<G: Game>(name: &str) -> &'static crate::kit::Switch {
    let settings: &'static [crate::kit::Setting] = const { G::SPEC.settings };
    &settings.iter().find(|setting| setting.switch.name == name).unwrap().switch
}

#[test]
fn flip_moves_the_viewers_start_to_the_lower_right() {
    use Corner::{LowerRight, UpperRight};
    let flip = setting::<plakoto::Position>("flip");
    for (seat, flipped, expected) in [
        (None, false, UpperRight),
        (Some(0), false, UpperRight),
        (Some(0), true, LowerRight),
        (Some(1), false, LowerRight),
        (Some(1), true, UpperRight),
    ] {
        let view = view(seat, flipped.then_some((flip, None)));
        let upper = Seat(u8::from(expected == LowerRight));
        assert_eq!(corner::<plakoto::Position>(&view), (expected, upper), "{seat:?} {flipped}");
    }
}

#[test]
fn sethome_draws_the_viewers_start_in_that_corner_and_turns_as_it_says() {
    use Corner::{LowerLeft, LowerRight, UpperLeft, UpperRight};
    let sethome = setting::<moultezim::Position>("sethome");
    let opposite = |corner| match corner {
        UpperRight => LowerLeft,
        LowerLeft => UpperRight,
        UpperLeft => LowerRight,
        LowerRight => UpperLeft,
    };
    for (word, named) in
        [("ur", UpperRight), ("ll", LowerLeft), ("ul", UpperLeft), ("lr", LowerRight)]
    {
        for seat in [0, 1] {
            let (first, upper) =
                corner::<moultezim::Position>(&view(Some(seat), Some((sethome, Some(word)))));
            // Point 13 is diagonally opposite to point 1.
            let own = if seat == 0 { first } else { opposite(first) };
            assert_eq!(own, named, "{word} {seat}");
            // From an upper right or a lower left corner men move counter-clockwise.
            let counter_clockwise = |corner| matches!(corner, UpperRight | LowerLeft);
            assert_eq!(counter_clockwise(first), matches!(word, "ur" | "ll"), "{word} {seat}");
            assert_eq!(upper == Seat(0), matches!(first, UpperRight | UpperLeft));
        }
    }
    for seat in [None, Some(0), Some(1)] {
        let drawn = corner::<moultezim::Position>(&view(seat, None));
        assert_eq!(drawn, (UpperRight, Seat(0)), "{seat:?}");
    }
}

// Moultezim.

#[test]
fn one_man_holds_a_point() {
    assert_eq!(listed(&at::<moultezim::Position>("O 1 18=O 19=X")), ["pass"]);
    assert_eq!(listed(&at::<moultezim::Position>("O 1 18=O 20=X")), ["18-19"]);
}

const O_AT_HOME: &str = "1=OOOOOOOOOOOOOO";

#[test]
fn only_the_first_man_moves_until_he_has_gone_12_points() {
    let line =
        |roll: &str, rest: &str| at::<moultezim::Position>(&format!("O {roll} {O_AT_HOME} {rest}"));
    // Z9: with a double 6 it moves 6 points and stops before the other start.
    let start = moultezim::Position::setup(&Choices::default()).notation();
    assert_eq!(listed(&at::<moultezim::Position>(&start.replace("- - ", "O 66 "))), ["1-7"]);
    assert_eq!(listed(&line("21", "5=O 14=X")), ["5-7,7-8"]);
    assert_eq!(listed(&line("21", "12=O 13=X 14=X 24=X")), ["pass"]);
    assert_eq!(listed(&line("31", "9=O 13=X 24=X")), ["9-12"]);
    // Z5: landing on the other start, if it is empty, suffices; Z6: then others may move.
    assert_eq!(listed(&line("21", "12=O 24=X")), ["12-14,1-2", "12-14,14-15", "12-13,1-3"]);
    // One point short does not suffice.
    assert_eq!(listed(&line("1", "11=O 24=X")), ["11-12"]);
    assert_eq!(listed(&line("1", "13=O 24=X")), ["1-2", "13-14"]);
    // A man that is off has gone far enough.
    assert_eq!(listed(&at::<moultezim::Position>("O 1 1=OOO 24=X")), ["1-2"]);
    let x = at::<moultezim::Position>("X 21 13=XXXXXXXXXXXXXX 24=X 5=O");
    assert_eq!(listed(&x), ["24-2,13-14", "24-2,2-3", "24-1,13-15"]);
}

#[test]
fn no_step_may_complete_the_home() {
    // Z2: such a step does not exist, so fewer pips or a pass follow; Z4: the own quadrant.
    let blocked = "1=OO 2=O 3=O 4=O 5=O 7=X 8=X 9=X 10=X";
    assert_eq!(listed(&at::<moultezim::Position>(&format!("O 5 {blocked}"))), ["pass"]);
    let one = at::<moultezim::Position>(&format!("O 65 {blocked} 11=X 19=O"));
    assert_eq!(listed(&one), ["19-24"]);
    let six = listed(&at::<moultezim::Position>("O 2 1=O 2=O 3=O 4=OO 5=OO 20=O 9=X"));
    assert_eq!(six, ["1-3", "2-4", "3-5", "5-7", "20-22"]);
    // A side may do so if one of the six stays behind.
    assert_eq!(listed(&at::<moultezim::Position>("O 2 4=O 5=O 24=X")), ["4-6", "5-7"]);
    let left = listed(&at::<moultezim::Position>("O 1 1=O 2=O 3=O 4=O 5=O 9=X"));
    assert_eq!(left, ["1-2", "2-3", "3-4", "4-5", "5-6"]);
    // An enemy man on one of the six lifts the ban; six in a row elsewhere are allowed.
    let held = listed(&at::<moultezim::Position>("O 2 1=O 2=O 4=OO 5=OO 3=X"));
    assert!(held.contains(&"4-6".to_owned()), "{held:?}");
    let elsewhere = listed(&at::<moultezim::Position>("O 2 7=O 8=O 9=O 10=OO 11=O 3=X"));
    assert!(elsewhere.contains(&"10-12".to_owned()), "{elsewhere:?}");
    let x = listed(&at::<moultezim::Position>("X 2 13=X 14=X 15=X 16=XX 17=XX 3=O"));
    assert!(!x.contains(&"16-18".to_owned()) && x.len() == 4, "{x:?}");
}

#[test]
fn the_home_is_looked_at_after_every_step() {
    // Z3: the man would reach 9 only by completing its home board on the way.
    let position = at::<moultezim::Position>("O 32 1=O 2=O 3=O 4=OO 5=O 7=X");
    let end = "1=O 2=O 3=O 4=O 5=O 7=X 9=O";
    for play in position.moves() {
        let mut after = position.clone();
        after.play(&play);
        assert!(!after.notation().contains(end), "{play}");
    }
    // Another man may open it first.
    let opened = listed(&at::<moultezim::Position>("O 62 1=O 2=O 3=O 4=OO 5=O 12=X"));
    assert!(opened.contains(&"1-7,4-6".to_owned()), "{opened:?}");
}

#[test]
fn moultezim_counts_one_two_and_three() {
    // Z7, Z8.
    const BACKGAMMON: &str = "by a backgammon";
    const GAMMON: &str = "by a gammon";
    let fourteen = "X".repeat(14);
    for (words, line, points, reason) in [
        ("", "O 1 24=O 12=X".to_owned(), 1, OFF),
        ("", format!("O 1 24=O 18={fourteen}"), 1, OFF),
        ("", format!("O 1 24=O 12=X{fourteen}"), 2, GAMMON),
        ("", format!("O 1 24=O 19=X 12={fourteen}"), 2, GAMMON),
        ("", format!("O 1 24=O 13=X 12={fourteen}"), 3, BACKGAMMON),
        ("", format!("O 1 24=O 18=X 12={fourteen}"), 3, BACKGAMMON),
        ("score=123", format!("O 1 24=O 18=X 12={fourteen}"), 3, BACKGAMMON),
        ("score=12", format!("O 1 24=O 18=X 12={fourteen}"), 2, GAMMON),
        ("score=12", "O 1 24=O 12=X".to_owned(), 1, OFF),
    ] {
        let options = options_in::<moultezim::Position>(words);
        let position = after(&at_with::<moultezim::Position>(&options, &line), "24-h");
        assert_eq!(position.next(), won(0, points, reason), "{words} {line}");
    }
}

#[test]
fn numbers_wrap_for_x() {
    // S3's own examples.
    let wrapped = listed(&at::<moultezim::Position>("X 41 23=X 24=X 5=O"));
    assert!(wrapped.contains(&"23-3,24-1".to_owned()), "{wrapped:?}");
    let off = listed(&at::<moultezim::Position>("X 32 10=X 11=X 3=O"));
    assert_eq!(off, ["10-off,11-off", "10-12,11-off"]);
    let start = moultezim::Position::setup(&Choices::default()).notation();
    assert_eq!(start, "- - 1=OOOOOOOOOOOOOOO 13=XXXXXXXXXXXXXXX");
    let next = at::<moultezim::Position>(&start.replace("- - ", "X 21 "));
    assert_eq!(listed(&next), ["13-15,15-16"]);
}

// Both games.

/// Returns the automatic move for a player with these settings.
fn auto<G: Game>(line: &str, settings: &Choices) -> Option<String> {
    at::<G>(line).automatic_move(settings).map(|play| play.to_string())
}

#[test]
fn bearing_off_is_played_for_players_who_like_it_once_no_contact_is_left() {
    let greedy = Choices::one(&super::GREEDY.switch, None).unwrap();
    let manual = Choices::one(&crate::kit::MANUAL.switch, None).unwrap();
    let plakoto = auto::<plakoto::Position>;
    let far = "O 32 22=OO 23=OO 1=X";
    assert_eq!(plakoto(far, &Choices::default()), None);
    assert_eq!(plakoto(far, &greedy).as_deref(), Some("22-off,23-off"));
    // The last men have just passed each other.
    assert_eq!(plakoto("O 32 22=OO 23=OO 21=X 1=X", &greedy).as_deref(), Some("22-off,23-off"));
    // Not while a man of the other side is still to pass or lies pinned.
    assert_eq!(plakoto("O 32 22=OO 23=OO 24=X 10=X", &greedy), None);
    assert_eq!(plakoto("O 32 22=XOO 23=OO 10=X", &greedy), None);
    // A die that bears nobody off leaves a decision, unless the game ends first.
    assert_eq!(plakoto("O 32 20=OO 23=OO 1=X", &greedy), None);
    assert_eq!(plakoto("O 66 22=OO 23=O 1=X", &greedy).as_deref(), Some("22-off,22-off,23-off"));
    // Forced moves are made automatically, except for players by hand; a pass always is.
    assert_eq!(plakoto("O 66 18=O 12=X", &Choices::default()).as_deref(), Some("18-24,24-off"));
    assert_eq!(plakoto("O 66 18=O 12=X", &manual), None);
    assert_eq!(plakoto("O 41 9=OX 24=XX", &manual).as_deref(), Some("pass"));
    let moultezim = auto::<moultezim::Position>;
    let clear = "O 21 23=OO 24=OO 7=X";
    assert_eq!(moultezim(clear, &greedy).as_deref(), Some("23-off,24-off"));
    assert_eq!(moultezim("O 21 23=OO 24=OO 1=X", &greedy).as_deref(), Some("23-off,24-off"));
    assert_eq!(moultezim("O 21 23=OO 24=OO 18=X 12=X", &greedy), None);
}
