//! Tests of cube, match and resignation, by rule.

mod cube;
mod files;
mod names;

use super::Backgammon;
use super::{BackgammonMove, GameStage, Position};
use crate::find;
use crate::kit::fixtures::{listed, options_in};
use crate::kit::{Chance, apply_entry};
use crate::kit::{
    Choices, Corner, Cube, Diagram, Entry, Game, Match, MoveError, Next, Outcome, Points, Roll,
    Scripted, Seat, Throw, View, advance,
};

const O: Seat = Seat(0);
const X: Seat = Seat(1);

/// The places of the start.
const START: &str = "1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO";

/// O has one man left, on point 1, and all of X's men are where the constant's name says.
const X_AT_HOME: &str = "1=O 24=XXXXXXXXXXXXXX off=OOOOOOOOOOOOOOX";
const X_OUTSIDE: &str = "1=O 18=XXXXXXXXXXXXXXX off=OOOOOOOOOOOOOO";
const X_INSIDE: &str = "1=O 2=X 18=XXXXXXXXXXXXXX off=OOOOOOOOOOOOOO";

/// Builds a position from options, side and dice, places and words.
fn at(words: &str, line: &str) -> Position {
    Position::place(&options_in::<Position>(words), line)
        .unwrap_or_else(|why| panic!("{line}: {why}"))
}

fn try_say(position: &mut Position, text: &str) -> Result<BackgammonMove, MoveError> {
    let said = position.read(text)?;
    position.play(&said);
    Ok(said)
}

/// Plays words in order; two digits are dice, `O resigns 2` resigns.
fn after(mut position: Position, words: &str) -> Position {
    for text in words.split("; ") {
        if let Ok(roll @ Roll::Two(..)) = text.parse() {
            position.roll(roll);
        } else if let Some((side, stake)) = text.split_once(" resigns ") {
            let seat = if side == "O" { O } else { X };
            position.resign(seat, stake.parse().unwrap()).unwrap();
        } else {
            try_say(&mut position, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        }
    }
    position
}

/// Returns the result of a money game: the winner, the points, and the rule.
fn won(by: Seat, points: u32, reason: &'static str) -> Next {
    Next::Over(Outcome::Won { by, points, reason })
}

const OFF: &str = "by bearing off all men";
const GAMMON: &str = "with a gammon";
const BACKGAMMON: &str = "with a backgammon";
const DROP: &str = "as the double was dropped";
const RESIGNED: &str = "by resignation";

#[test]
fn the_higher_die_begins_and_plays_both() {
    let start = Position::setup(&options_in::<Position>(""));
    assert_eq!(start.next(), Next::Roll(Throw::to_begin(6)));
    for (roll, begins) in [("31", O), ("13", X), ("65", O), ("56", X)] {
        let begun = after(start.clone(), roll);
        assert_eq!(begun.next(), Next::Move(begins), "{roll}");
        let Diagram::Points(points) = begun.diagram(&View::default()) else { panic!() };
        let (seat, dice) = points.dice.unwrap();
        assert!(seat == begins && dice.show[0] > dice.show[1]);
    }
    let start = Position::setup(&options_in::<Position>("-reroll"));
    let begun = after(start, "26");
    assert_eq!((begun.next(), listed(&begun).len()), (Next::Roll(Throw::new(2, 6)), 0));
    assert_eq!(after(begun, "44").next(), Next::Move(X));
}

#[test]
fn before_a_throw_a_player_may_double_if_the_cube_lets_him() {
    let ready = |seat| Next::Ready(seat, Throw::new(2, 6));
    for (words, line, asked) in [
        ("", format!("O - {START}"), "double"),
        ("", format!("X - {START}"), "double"),
        ("-match=5", format!("X - {START}"), "double"),
        ("", format!("O - {START} cube=2O"), "double"),
        ("", format!("O - {START} cube=2X"), ""),
        ("", format!("X - {START} cube=2048X"), "double"),
        ("", format!("X - {START} cube=4096X"), ""),
        ("-nocube", format!("O - {START}"), ""),
        ("-match=1", format!("O - {START}"), ""),
        ("-match=5", format!("O - {START} score=4-2 crawford"), ""),
        ("-match=5", format!("O - {START} score=4-2"), "double"),
        // A dead cube: a player who needs no more than this game may still double.
        ("-match=5", format!("O - {START} score=3-0 cube=2O"), "double"),
    ] {
        let position = at(words, &line);
        assert_eq!(position.next(), ready(position.turn), "{line}");
        assert_eq!(listed(&position).join(" "), asked, "{words} {line}");
    }
}

#[test]
fn a_word_that_does_not_fit_is_refused_with_its_reason() {
    let manual = "the dice are already rolled; with `manual` you are asked before each roll";
    let resigns = "answer the offer to resign first: `accept` or `reject`";
    let double = "answer the double first: `take` or `drop`";
    let beaver = "answer the beaver first: `take` or `drop`";
    let crawford = "this is the Crawford game, which is played without a cube";
    for (words, line, text, why) in [
        ("", "O 31 START", "roll", "you have already rolled 31"),
        ("", "O 13 START", "ROLL", "you have already rolled 31"),
        ("", "O 31 START", "double", "there is no doubling before the first roll of a game"),
        ("", "X 31 LATER", "redouble", manual),
        ("-match=5", "X 31 LATER score=4-0 crawford", "double", crawford),
        ("-match=5", "X - LATER score=4-0 crawford", "double", crawford),
        ("-nocube", "X - LATER", "double", "this board is played without a cube"),
        ("-nocube", "X 31 LATER", "double", "this board is played without a cube"),
        ("-match=1", "X - LATER", "double", "a match to one point is played without a cube"),
        ("", "X - LATER cube=2O", "double", "your opponent owns the cube"),
        ("", "X - LATER cube=4096X", "double", "the cube has reached its top of 4096"),
        ("", "X - LATER", "take", "there is no double to answer"),
        ("", "X - LATER", "drop", "there is no double to answer"),
        ("", "X - LATER", "beaver", "there is no double to beaver"),
        ("", "X - LATER", "accept", "there is no double and no offer to resign to answer"),
        ("", "X 31 LATER", "reject", "there is no double and no offer to resign to answer"),
        ("", "X - LATER", "13-7", "the dice are not rolled yet: send `roll`"),
        ("", "X - LATER doubled", "double", double),
        ("", "X - LATER doubled", "roll", double),
        ("", "X - LATER doubled", "13-7,8-7", double),
        ("", "X - LATER doubled", "beaver", "this board is played without beavers"),
        ("-beavers", "X - LATER cube=2048X doubled", "beaver", "the cube cannot go beyond 4096"),
        ("-beavers", "X - LATER cube=2O beavered", "beaver", beaver),
        ("-beavers", "X - LATER cube=2O beavered", "double", beaver),
        ("-beavers", "X - LATER cube=2O beavered", "pass", beaver),
        ("", "X 31 LATER resigns=O1", "12-13", resigns),
        ("", "X - LATER resigns=O1", "double", resigns),
        ("", "X - LATER resigns=O1", "roll", resigns),
        ("", "X - LATER doubled resigns=X1", "take", resigns),
    ] {
        let line = line
            .replace("START", START)
            .replace("LATER", "1=XX 5=OO 6=OOOO 8=OO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO");
        let position = at(words, &line);
        let illegal = Err(MoveError::Illegal(why.to_owned()));
        assert_eq!(position.read(text), illegal, "{line}: {text}");
        // Readability does not depend on legality.
        assert!(matches!(position.read(text), Err(MoveError::Illegal(_))) || text == "pass");
    }
}

#[test]
fn words_without_meaning_are_told_what_could_stand_there() {
    for (line, expected) in [
        ("O - START", "`roll` or `double`"),
        ("O - START doubled", "`take` or `drop`"),
        ("O - START resigns=O1", "`accept` or `reject`"),
        ("O 31 START resigns=X1", "`accept` or `reject`"),
    ] {
        let position = at("", &line.replace("START", START));
        for text in ["", "zzz", "rolls", "doubled", "take it", "I accept", "I", "I am"] {
            let refused = position.read(text);
            assert!(
                matches!(refused, Err(MoveError::Unreadable { expected: e, .. }) if e == expected),
                "{line} {text}: {refused:?}"
            );
        }
    }
}

#[test]
fn words_have_synonyms_where_they_fit() {
    for (line, said, means) in [
        ("O - START", "ReDouble", "double"),
        ("O - START cube=2O", "redouble", "double"),
        ("O - START doubled", "accept", "take"),
        ("O - START doubled", " TAKE ", "take"),
        ("O - START doubled", "reject", "drop"),
        ("O - START", "Double!", "double"),
        ("O - START", "I double.", "double"),
        ("O - START doubled", "Take!", "take"),
        ("O - START doubled", "I  drop", "drop"),
        ("O - START resigns=X1", "accept", "accept"),
        ("O - START resigns=X1", "reject", "reject"),
        ("O - START doubled resigns=O2", "accept", "accept"),
        ("O - START jacoby beavers doubled", "Beaver", "beaver"),
        ("O - START beavers cube=2X beavered", "accept", "take"),
    ] {
        let mut position = at("", &line.replace("START", START));
        let legal = listed(&position);
        let move_made = try_say(&mut position, said).unwrap().to_string();
        assert_eq!(move_made, means, "{line}");
        assert!(legal.contains(&move_made));
    }
}

/// A game before O's roll, and the words: then the cube and the side asked.
#[test]
fn doubles_are_taken_dropped_and_beavered() {
    const READY_O: Next = Next::Ready(O, Throw::new(2, 6));
    for (words, line, said, next, cube, owner) in [
        ("", "O -", "double", Next::Move(X), 1, None),
        ("", "X -", "double", Next::Move(O), 1, None),
        ("", "O -", "double; take", READY_O, 2, Some(X)),
        ("", "O -", "double; drop", won(O, 1, DROP), 1, None),
        ("", "X - cube=4X", "redouble; drop", won(X, 4, DROP), 4, Some(X)),
        ("", "O - cube=2O", "redouble; take", READY_O, 4, Some(X)),
        ("-beavers", "O -", "double; beaver", Next::Move(O), 2, Some(X)),
        ("-beavers", "O -", "double; beaver; take", READY_O, 4, Some(X)),
        ("-beavers", "O -", "double; beaver; drop", won(X, 2, DROP), 2, Some(X)),
        ("-beavers", "O - cube=2O", "double; beaver; take", READY_O, 8, Some(X)),
        ("-beavers", "O -", "double; take", READY_O, 2, Some(X)),
        ("-nocube", "O -", "31; 8-5,6-5", Next::Ready(X, Throw::new(2, 6)), 1, None),
        // Only the player who took may redouble, and only on their own turn.
        (
            "",
            "O -",
            "double; take; 31; 8-5,6-5; double; take",
            Next::Ready(X, Throw::new(2, 6)),
            4,
            Some(O),
        ),
    ] {
        let (side, extra) = line.split_at(3);
        let position = after(at(words, &format!("{side} {START}{extra}")), said);
        assert_eq!(position.next(), next, "{line}: {said}");
        assert_eq!((position.stakes.cube, position.stakes.owner), (cube, owner), "{said}");
    }
    assert_eq!(
        listed(&at("-beavers", &format!("O - {START} doubled"))),
        ["take", "drop", "beaver"]
    );
    assert_eq!(listed(&at("", &format!("O - {START} doubled"))), ["take", "drop"]);
    assert_eq!(
        listed(&at("-beavers", &format!("O - {START} cube=2048O doubled"))),
        ["take", "drop"]
    );
}

#[test]
fn a_game_is_worth_what_the_cube_and_the_loss_make_it() {
    for (words, places, extra, points, reason) in [
        ("", X_AT_HOME, "", 1, OFF),
        ("", X_OUTSIDE, "", 2, GAMMON),
        ("", X_INSIDE, "", 3, BACKGAMMON),
        ("", X_AT_HOME, "cube=8X", 8, OFF),
        ("", X_OUTSIDE, "cube=2O", 4, GAMMON),
        ("", X_INSIDE, "cube=4096X", 12288, BACKGAMMON),
        ("-jacoby", X_AT_HOME, "", 1, OFF),
        ("-jacoby", X_OUTSIDE, "", 1, OFF),
        ("-jacoby", X_INSIDE, "", 1, OFF),
        ("-jacoby", X_OUTSIDE, "cube=2X", 4, GAMMON),
        ("-jacoby", X_INSIDE, "cube=2O", 6, BACKGAMMON),
        ("-nocube", X_INSIDE, "", 3, BACKGAMMON),
    ] {
        let position = at(words, &format!("O 21 {places} {extra}"));
        assert_eq!(listed(&position), ["1-off"]);
        let over = after(position, "1");
        assert_eq!(over.next(), won(O, points, reason), "{words} {places} {extra}");
        assert!(over.moves().is_empty());
    }
}

#[test]
fn a_match_goes_on_until_its_points_are_won() {
    let begins = Next::Roll(Throw::to_begin(6));
    let match_won = |by| won(by, 1, "by winning the match");
    for (length, line, said, next, score, crawford) in [
        (5, format!("O 21 {X_AT_HOME}"), "1", begins, [1, 0], false),
        (5, format!("O 21 {X_OUTSIDE} cube=2X"), "1", begins, [4, 0], true),
        (5, format!("O 21 {X_INSIDE} cube=2X"), "1", match_won(O), [6, 0], false),
        (5, format!("O 21 {X_INSIDE} score=2-4"), "1", match_won(O), [5, 4], false),
        (5, format!("O 21 {X_AT_HOME} score=3-4"), "1", begins, [4, 4], false),
        (5, format!("O 21 {X_AT_HOME} score=3-4 crawford"), "1", begins, [4, 4], false),
        (5, format!("X - {START} score=1-2 cube=2X"), "double; drop", begins, [1, 4], true),
        (5, format!("X - {START} score=1-3 cube=2X"), "double; drop", match_won(X), [1, 5], false),
        (2, format!("O - {START} score=0-1 crawford"), "X resigns 3", match_won(O), [3, 1], true),
        (
            2,
            format!("O - {START} score=0-1 crawford"),
            "X resigns 1; accept",
            begins,
            [1, 1],
            false,
        ),
        (1, format!("O 21 {X_AT_HOME}"), "1", match_won(O), [1, 0], false),
    ] {
        let position = after(at(&format!("-match={length}"), &line), said);
        assert_eq!(position.next(), next, "{line}: {said}");
        assert_eq!((position.stakes.score, position.stakes.crawford), (score, crawford), "{line}");
        if next == begins {
            assert_eq!(position.board, super::start::<Backgammon>());
            assert_eq!((position.stakes.cube, position.stakes.owner), (1, None));
            assert_eq!(position.stakes.game, 2);
        }
    }
}

#[test]
fn what_a_side_stands_to_lose_is_read_off_the_board() {
    for (words, line, stakes) in [
        // At the start both sides have two men in the other's home board.
        ("", format!("O 31 {START}"), [3, 3]),
        ("", format!("O - {X_AT_HOME}"), [1, 1]),
        ("", format!("X - {X_OUTSIDE}"), [1, 2]),
        ("", format!("X 66 {X_INSIDE}"), [1, 3]),
        ("-jacoby", format!("X 66 {X_INSIDE}"), [1, 1]),
        ("-jacoby", format!("X 66 {X_INSIDE} cube=2O"), [1, 3]),
        // The player who is doubled could drop.
        ("", format!("O - {START} doubled"), [3, 1]),
        ("", format!("X - {START} doubled"), [1, 3]),
        ("-beavers", format!("O - {START} cube=2X beavered"), [1, 3]),
        ("", format!("- - {START}"), [1, 1]),
    ] {
        let position = at(words, &line);
        assert_eq!(Seat::BOTH.map(|seat| position.max_stake(seat)), stakes, "{words} {line}");
    }
}

const REJECTED: &str = "your offer was rejected: play first, or resign for more";

#[test]
fn a_resignation_ends_the_game_or_asks_the_other_side() {
    let illegal = |why: &str| Err(MoveError::Illegal(why.to_owned()));
    for (words, line, seat, stake, next) in [
        ("", format!("O 31 {START}"), O, 3, Ok(won(X, 3, RESIGNED))),
        ("", format!("O 31 {START}"), X, 3, Ok(won(O, 3, RESIGNED))),
        ("", format!("O 31 {START}"), X, 2, Ok(Next::Move(O))),
        ("", format!("O - {START}"), O, 1, Ok(Next::Move(X))),
        ("", format!("O - {X_OUTSIDE} cube=4X"), X, 2, Ok(won(O, 8, RESIGNED))),
        // A side loses no more than the position can cost.
        ("", format!("O - {X_AT_HOME} cube=4X"), X, 3, Ok(won(O, 4, RESIGNED))),
        ("-jacoby", format!("O - {START}"), X, 2, Ok(won(O, 1, RESIGNED))),
        // A double that is not answered does not count.
        ("", format!("O - {START} doubled"), X, 1, Ok(won(O, 1, RESIGNED))),
        ("", format!("O - {START} doubled"), X, 3, Ok(won(O, 1, RESIGNED))),
        ("", format!("O - {START} doubled"), O, 3, Ok(won(X, 3, RESIGNED))),
        ("", format!("O - {START} doubled"), O, 2, Ok(Next::Move(X))),
        ("", format!("O 31 {START}"), O, 0, Err(MoveError::NothingToMove)),
        ("", format!("- - {START}"), O, 3, illegal("the game has not begun")),
        (
            "",
            format!("O - {START} resigns=X1"),
            O,
            3,
            illegal("an offer to resign is already waiting for an answer"),
        ),
        ("", format!("X - {START} won=O1 by=drop"), X, 1, Err(MoveError::NothingToMove)),
    ] {
        let mut position = at(words, &line);
        let before = position.clone();
        let resigned = position.resign(seat, stake).map(|()| position.next());
        assert_eq!(resigned, next, "{words} {line} {seat:?} {stake}");
        assert!(resigned.is_ok() || position == before);
        if let Ok(Next::Move(_)) = next {
            assert_eq!(listed(&position), ["accept", "reject"]);
            let mut rejected = after(position.clone(), "reject");
            let again = rejected.resign(seat, stake);
            assert_eq!(again, Err(MoveError::Illegal(REJECTED.into())), "{line}");
            assert_ne!(rejected.notation(), before.notation());
            rejected.rejected = before.rejected;
            assert_eq!(rejected, before, "{line}");
            let points = u32::from(stake) * before.stakes.cube;
            assert_eq!(after(position, "accept").next(), won(seat.other(), points, RESIGNED));
        }
    }
}

#[test]
fn only_plays_are_made_for_a_player_and_only_some() {
    let settings = |words: &str| {
        let spec = Position::SPEC.settings;
        words.split_whitespace().fold(Choices::default(), |taken, word| {
            let setting = spec.iter().find(|setting| setting.switch.name == word).unwrap();
            taken.and(&Choices::one(&setting.switch, None).unwrap())
        })
    };
    // O cannot enter; O has one play; O may bear off or move.
    let dance = "1=X 19=XX 20=XX 21=XX 22=XX 23=XX 24=XX 8=OOOOOOOOOOOOOO bar=O off=XX";
    let forced = "2=OO 24=XX off=OOOOOOOOOOOOOXXXXXXXXXXXXX";
    let open = "3=OO 4=OO 24=XX off=OOOOOOOOOOOXXXXXXXXXXXXX";
    let contact = "3=OO 4=OO 2=XX off=OOOOOOOOOOOXXXXXXXXXXXXX";
    for (line, words, auto) in [
        (format!("O 66 {dance}"), "", Some("pass")),
        (format!("O 66 {dance}"), "manual", Some("pass")),
        (format!("O 52 {forced}"), "", Some("2-off,2-off")),
        (format!("O 52 {forced}"), "manual", None),
        (format!("O 43 {open}"), "", None),
        (format!("O 43 {open}"), "greedy", Some("4-off,3-off")),
        (format!("O 43 {open}"), "greedy manual", Some("4-off,3-off")),
        (format!("O 43 {contact}"), "greedy", None),
        (format!("O - {START}"), "greedy", None),
        (format!("O - {START} doubled"), "", None),
        (format!("O 66 {dance} resigns=O1"), "", None),
    ] {
        let auto = auto.map(str::to_owned);
        let played = at("", &line).automatic_move(&settings(words)).map(|m| m.to_string());
        assert_eq!(played, auto, "{line} {words}");
    }
}

#[test]
fn a_diagram_shows_cube_match_and_who_waits() {
    let drawn = |words: &str, line: &str, flip: bool| -> Points {
        let settings = if flip {
            Choices::one(&super::FLIP.switch, None).unwrap()
        } else {
            Choices::default()
        };
        match at(words, line).diagram(&View { seat: Some(O), settings, ..View::default() }) {
            Diagram::Points(points) => points,
            other => panic!("{other:?}"),
        }
    };
    let line = |extra: &str| format!("O - {START} {extra}");
    let cube = |value, owner, turned| Some(Cube { value, owner, turned });
    for (words, extra, shown) in [
        ("", "", cube(1, None, None)),
        ("", "doubled", cube(1, None, Some(O))),
        ("", "cube=4X", cube(4, Some(X), None)),
        ("-beavers", "cube=2X beavered", cube(2, Some(X), Some(X))),
        ("-match=5", "score=4-0 crawford", cube(1, None, None)),
        ("-match=1", "", None),
        ("-nocube", "", None),
    ] {
        assert_eq!(drawn(words, &line(extra), false).cube, shown, "{words} {extra}");
    }
    let game = drawn("-match=5", &line("score=4-2 game=4 crawford last=O2"), false).game_of;
    let last = Some((O, 2));
    assert_eq!(
        game,
        Some(Match { length: 5, score: [4, 2], is_crawford: true, game: 4, title: None, last })
    );
    assert_eq!(drawn("", &line(""), false).game_of, None);
    let over = drawn("-match=5", &line("score=8-2 won=O4 by=gammon"), false);
    assert_eq!(over.game_of.unwrap().score, [5, 2]);
    assert_eq!(drawn("", &line("resigns=X2"), false).resigns, Some((X, 2)));
    let (plain, flipped) = (drawn("", &line(""), false), drawn("", &line(""), true));
    assert_eq!((plain.first, plain.upper), (Corner::UpperRight, O));
    assert_eq!((flipped.first, flipped.upper), (Corner::LowerRight, X));
    assert_eq!((plain.pips, plain.men, plain.off), ([167, 167], [15, 15], [0, 0]));
}

/// Plays a match as the server does: with scripted dice, forced plays made, and O and X's texts.
#[test]
fn a_match_to_five_points_is_played_to_its_end() {
    let mut dice = Scripted::default();
    let mut position = find("backgammon").unwrap().setup(&options_in::<Position>("-match=5"));
    let settings = |_| crate::kit::SeatSettings {
        settings: Choices::one(&crate::kit::MANUAL.switch, None).unwrap(),
        level: None,
    };
    let mut seen = Vec::new();
    // Each step: the next rolls, the text, and what the position then waits for.
    for (rolls, says, waits) in [
        // O begins, X doubles, O drops.
        ("31", "", "move O"),
        ("", "8-5,6-5", "ready X"),
        ("", "double", "move O"),
        ("52", "drop", "move O"),
        // O begins again; X doubles, O takes, X gives up a gammon: 4-1, and the Crawford game.
        ("", "13-8,24-22", "ready X"),
        ("", "double", "move O"),
        // O owns the cube, so X is not asked to roll.
        ("61", "accept", "move X"),
        ("26", "X resigns 2", "move O"),
        ("", "accept", "move X"),
        // The Crawford game: X begins, O cannot double, and resigns two points.
        ("43", "1-3,12-18", "move O"),
        ("16", "O resigns 2", "move X"),
        ("", "accept", "move X"),
        // The cube is back; X doubles at once and wins the match.
        ("", "12-18,17-18", "ready O"),
        ("", "double", "move X"),
        ("52", "take", "move O"),
        ("", "O resigns 3", "over X"),
    ] {
        dice.extend(rolls.split_whitespace().map(|roll| roll.parse::<Roll>().unwrap()));
        if let Some((side, stake)) = says.split_once(" resigns ") {
            let seat = if side == "O" { O } else { X };
            position.resign(seat, stake.parse().unwrap()).unwrap();
        } else if !says.is_empty() {
            position.play(says).unwrap_or_else(|why| panic!("{says}: {why}"));
        }
        advance(&mut *position, &mut dice, &settings);
        let side = |seat: Seat| ["O", "X"][seat.index()];
        let waiting = match position.next() {
            Next::Move(seat) => format!("move {}", side(seat)),
            Next::Ready(seat, _) => format!("ready {}", side(seat)),
            Next::Over(Outcome::Won { by, .. }) => format!("over {}", side(by)),
            other => panic!("{other:?}"),
        };
        assert_eq!(waiting, waits, "{says} in {}", position.notation());
        let Diagram::Points(points) = position.diagram(&View::default()) else { panic!() };
        let game = points.game_of.unwrap();
        if seen.last() != Some(&(game.score, game.is_crawford)) {
            seen.push((game.score, game.is_crawford));
        }
    }
    assert_eq!(dice.left(), 0);
    let scores =
        [([0, 0], false), ([0, 1], false), ([4, 1], true), ([4, 3], false), ([4, 5], false)];
    assert_eq!(seen, scores);
}

/// Plays a random board; `at` sees every position, the last one included.
fn random(words: &str, seed: u64, mut at: impl FnMut(&Position)) -> Vec<Entry> {
    let mut chance = Chance::new(seed);
    let mut position = Position::setup(&options_in::<Position>(words));
    let mut record = Vec::new();
    loop {
        at(&position);
        let resigns = chance.below(60) == 0;
        let seat = Seat::BOTH[chance.below(2)];
        let stake = u8::try_from(1 + chance.below(3)).unwrap().min(position.max_stake(seat));
        let entry = match position.next() {
            Next::Over(_) => return record,
            Next::Deal => unreachable!("no stones are laid here"),
            // Forced moves have been played before anybody can resign.
            waits @ (Next::Move(_) | Next::Ready(..))
                if resigns
                    && (matches!(waits, Next::Ready(..))
                        || position.automatic_move(&Choices::default()).is_none())
                    && position.clone().resign(seat, stake).is_ok() =>
            {
                Entry::Resigned { seat, stake }
            }
            Next::Ready(seat, _) if chance.below(12) == 0 && !position.moves().is_empty() => {
                Entry::Moved { seat, text: "double".into(), auto: false }
            }
            Next::Roll(throw) | Next::Ready(_, throw) => Entry::Rolled(chance.roll(throw)),
            Next::Move(seat) => {
                let moves = position.moves();
                let text = moves[chance.below(moves.len())].to_string();
                Entry::Moved { seat, text, auto: false }
            }
        };
        apply_entry(&mut position, &entry).unwrap();
        record.push(entry);
    }
}

#[test]
fn random_matches_keep_what_a_match_promises() {
    let (mut drops, mut resigned, mut gammons) = (0, 0, 0);
    for (words, length) in [("-match=3", 3), ("-match=7 -reroll", 7), ("-match=11", 11)] {
        for seed in 0..12 {
            let mut last: Option<Position> = None;
            let mut crawford_games = Vec::new();
            random(words, seed, |position| {
                let stakes = &position.stakes;
                assert!(stakes.cube.is_power_of_two() && stakes.cube <= super::stakes::TOP);
                assert!((stakes.cube == 1) == stakes.owner.is_none());
                if stakes.crawford {
                    assert_eq!(stakes.cube, 1);
                    crawford_games.push(stakes.game);
                }
                for seat in Seat::BOTH {
                    let board = position.board.men_of(seat);
                    assert_eq!(board.count(), 15);
                }
                let over = matches!(position.stage, GameStage::Over(..));
                assert_eq!(over, stakes.score.into_iter().any(|score| score >= length));
                if let Some(before) = &last {
                    let gained: Vec<u32> = (0..2)
                        .map(|seat| {
                            stakes.score[seat].checked_sub(before.stakes.score[seat]).unwrap()
                        })
                        .collect();
                    let ended = gained.iter().sum::<u32>() > 0;
                    assert_eq!(ended, stakes.game > before.stakes.game || over);
                    if ended {
                        let (by, points) = stakes.last.unwrap();
                        assert_eq!(gained[by.index()], points);
                        assert_eq!(gained[by.other().index()], 0);
                        drops += usize::from(before.stage == GameStage::Doubled);
                        resigned += usize::from(before.resigns.is_some());
                        gammons += usize::from(points > before.stakes.cube);
                    }
                }
                last = Some(position.clone());
            });
            crawford_games.dedup();
            let end = last.unwrap().stakes;
            // A side that was never one point away saw no Crawford game.
            assert!(crawford_games.len() <= 1, "{words} {seed}: {crawford_games:?}");
            let needed = end.score.into_iter().min().unwrap() + 1 == length;
            assert!(!needed || crawford_games.len() == 1);
        }
    }
    assert!(drops > 5 && resigned > 5 && gammons > 5, "{drops} {resigned} {gammons}");
}
