//! Tests of notation and of other programs' IDs.

use super::{START, X_AT_HOME, X_OUTSIDE, at};
use crate::backgammon::Position;
use crate::kit::Chance;
use crate::kit::fixtures::{listed, options_in};
use crate::kit::{Choices, Game, Next, Roll, Seat, Throw, Transcript};

fn refused(words: &str, line: &str) -> String {
    match Position::place(&options_in::<Position>(words), &line.replace("START", START)) {
        Ok(position) => panic!("{line} is {position:?}"),
        Err(why) => why,
    }
}

#[test]
fn a_plain_line_is_a_game_for_money() {
    let position = at("", &format!("O 31 {START}"));
    assert_eq!(position.next(), Next::Move(Seat(0)));
    assert_eq!(listed(&position).len(), 16);
    assert_eq!(position.notation(), format!("O 31 {START}"));
    assert_eq!(at("", &format!("o 13 {START}")), position);
    let opening = at("", &format!("- - {START}"));
    assert_eq!(opening, Position::setup(&Choices::default()));
    assert_eq!(opening.notation(), format!("- - {START}"));
}

#[test]
fn every_word_comes_back() {
    for (words, line) in [
        ("", "O - START"),
        ("", "X 66 START cube=8X"),
        ("", "O - START cube=2"),
        ("", "O 31 START score=3-8"),
        ("", "O - START jacoby beavers cube=2X beavered"),
        ("", "O - START nocube"),
        ("", "O - START match=5 score=3-4 game=6 last=X1"),
        ("", "X 21 START match=5 score=3-4 game=6 crawford last=X1 resigns=O2"),
        ("", "X - START match=5 cube=2X doubled resigns=X1"),
        ("", "O - START won=X1 by=drop"),
        ("", "O - START match=3 score=4-0 cube=2X won=O4 by=resignation"),
        ("-reroll", "X - START first"),
        ("-reroll -match=7", "- - START match=7 score=1-0 game=2 last=O1"),
    ] {
        let line = line.replace("START", START);
        let position = at(words, &line);
        assert_eq!(position.notation(), line, "{words}");
        let upper = at(words, &line.to_ascii_uppercase());
        assert_eq!(upper, position);
    }
}

#[test]
fn options_hold_where_a_line_is_silent_and_may_not_be_contradicted() {
    for (words, line, whole) in [
        ("-match=5", "O 31 START", "O 31 START match=5"),
        ("-match=5", "O 31 START match=5 score=1-0", "O 31 START match=5 score=1-0"),
        ("-jacoby", "O 31 START beavers", "O 31 START jacoby beavers"),
        ("-nocube", "O 31 START", "O 31 START nocube"),
        ("-force", "O 31 START", "O 31 START"),
    ] {
        let position = at(words, &line.replace("START", START));
        assert_eq!(position.notation(), whole.replace("START", START));
    }
    for (words, line, why) in [
        ("-match=5", "O 31 START match=3", "a match to 5, the position one to 3"),
        ("-match=5", "O 31 START match=0", "a match to 5, the position none"),
        ("-match=5", "O 31 START jacoby", "for money, not for a match"),
        ("-jacoby", "O 31 START match=5", "for money, not for a match"),
        ("-nocube", "O 31 START beavers", "need a cube"),
        ("-nocube", "O 31 START cube=2O", "there is no cube on this board"),
        ("", "O 31 START match=65", "64 points at most"),
        ("-match=5", "4HPwATDgc/ABMA:cAkAAAAAAAAE", "a match to 5, the position none"),
    ] {
        let answer = refused(words, line);
        assert!(answer.contains(why), "{words} {line}: {answer}");
    }
}

#[test]
fn without_dice_the_board_is_judged_as_after_a_play() {
    let off = X_AT_HOME.replace("1=O ", "").replace("off=", "off=O");
    let over = at("", &format!("X - {off}"));
    assert_eq!(over.notation(), format!("X - {off} score=1-0 won=O1 by=single"));
    let gammon = X_OUTSIDE.replace("1=O ", "").replace("off=", "off=O");
    let next = at("-match=5", &format!("X - {gammon} cube=2O"));
    assert_eq!(next.next(), Next::Roll(Throw::to_begin(6)));
    assert_eq!(next.notation(), format!("- - {START} match=5 score=4-0 game=2 crawford last=O4"));
}

#[test]
fn a_line_that_cannot_be_is_refused_with_its_reason() {
    for (words, line, why) in [
        ("", "", "the first word must be the side"),
        ("", "O 31", "O has 0 men and not 15"),
        ("", "O 3 START", "two dice are to be played"),
        (
            "",
            "- - 24=OOOOOOOOOOOOOOO 1=XXXXXXXXXXXXXXX",
            "all men must be at their starting places",
        ),
        ("", "O - START cube=3", "`cube=3` is not part of"),
        ("", "O - START cube=2Z", "`cube=2Z` is not part of"),
        ("", "O - START cube=8192", "goes up to 4096"),
        ("", "O - START cube", "`cube` is not part of"),
        ("", "O - START cube=1O", "has no owner"),
        ("", "- - START cube=4O", "before the first roll"),
        ("-match=5", "O - START won=O1 by=single", "has not won the match"),
        ("", "O - START score=0-1500000", "a score goes up to 1000000"),
        ("", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:4294967295:0:0:0:10", "a score goes up"),
        ("-match=5 -nocube", "O - START score=4-0 crawford", "the Crawford game"),
        ("", "- - START rejected=O", "for a game that is played"),
        (
            "",
            "O - 1=OO 2=OO 3=OO 4=OO 5=OO 6=OO 19=XX 20=XX 21=XX 22=XX 23=XX 24=XX bar=OOOXXX",
            "no man of either side could ever enter",
        ),
        ("", "O - START cube=2O cube=4X", "`cube=4X` says again"),
        ("", "O - START score=1", "`score=1` is not part of"),
        ("", "O - START match=99999999999", "is not part of"),
        ("", "O - START doubled beavered", "`beavered` says again"),
        ("", "O - START first", "with `-reroll`"),
        ("", "O 31 START doubled", "must follow `O -`"),
        ("", "- - START doubled", "must follow `O -`"),
        ("", "O - START cube=2X doubled", "O cannot have doubled: your opponent owns the cube"),
        ("", "O - START cube=2X beavered", "without beavers"),
        ("-beavers", "O - START cube=2O beavered", "the player who beavers owns the cube"),
        ("-match=5", "O - START score=5-0", "with 5 points the match is over"),
        ("-match=5", "O - START crawford", "a point short of the match"),
        ("", "O - START crawford", "a point short of the match"),
        ("-match=5", "O - START score=4-0 crawford cube=2O", "no cube in the Crawford game"),
        ("", "O - START resigns=O3", "O cannot offer to resign for 3 here"),
        ("", "O - START resigns=O4", "is not part of"),
        ("", "- - START resigns=O1", "O cannot offer"),
        ("", "O - START won=O1", "`won=` and `by=` must come together"),
        ("", "O - START by=drop", "`won=` and `by=` must come together"),
        ("", "O 31 START won=O1 by=drop", "must come together"),
        ("", "O - 24=XXXXXXXXXXXXXXX off=OOOOOOOOOOOOOOO", "O has borne off all men"),
        ("", "O 31 24=XXXXXXXXXXXXXXX off=OOOOOOOOOOOOOOO", "the game is over here"),
        ("", "XGID=", "nine fields"),
        ("", "GNUBGID 4HPw:cAk", "is not a match ID"),
        ("", "4HPwATDgc/ABMA:cAk", "is not a match ID"),
        ("", "XGID=-bO---E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10", "more than 15 men"),
        ("", "\u{e9}", "the first word must be the side"),
        ("", " 3 point match", "a line of a record"),
        ("", "  1) 31: 8/5 6/5", "a line of a record"),
        ("", "(;FF[4]GM[6]", "a line of a record"),
    ] {
        let answer = refused(words, line);
        assert!(answer.contains(why), "{words} {line}: {answer}");
    }
}

/// Alters, drops or doubles random characters of a text.
pub(super) fn garbled(text: &str, chance: &mut Chance) -> String {
    const ODD: [char; 12] = ['0', '9', '=', ':', '/', ' ', 'O', 'X', '-', '(', '*', '\u{e9}'];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(3) {
        let at = chance.below(letters.len());
        match chance.below(3) {
            0 => letters[at] = ODD[chance.below(ODD.len())],
            1 => drop(letters.remove(at)),
            _ => letters.insert(at, letters[at]),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn a_garbled_line_is_another_position_or_refused() {
    let mut chance = Chance::new(7);
    let (mut placed, mut refused) = (0, 0);
    for line in [
        format!("O 31 {START} match=5 score=3-4 game=6 last=X1 cube=2O resigns=X2"),
        format!("X - {START} jacoby beavers cube=2O beavered"),
        "XGID=-b----E-C---eE---c-e----B-:1:1:-1:52:3:1:0:5:10".to_owned(),
        "GNUBGID sGfhQSDg88gBMA:UUFgAAAAAAAE".to_owned(),
    ] {
        for _ in 0..2_000 {
            match Position::place(&Choices::default(), &garbled(&line, &mut chance)) {
                Ok(position) => {
                    placed += 1;
                    let notation = position.notation();
                    for m in position.moves() {
                        position.clone().play(&m);
                    }
                    assert_eq!(Position::place(&Choices::default(), &notation), Ok(position));
                }
                Err(why) => {
                    refused += 1;
                    assert!(!why.is_empty() && !why.ends_with('.'), "{why}");
                }
            }
        }
    }
    assert!(placed > 200 && refused > 500, "{placed} {refused}");
}

#[test]
fn other_programs_names_are_read() {
    for (name, line) in [
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", "X - START jacoby"),
        ("GNUBGID 4HPwATDgc/ABMA:cAkAAAAAAAAE", "X - START"),
        ("4HPwATDgc/ABMA:QYkqASAAIAAA", "X 52 START match=9 score=2-4 cube=2O"),
        ("4HPwATDgc/ABMA", "X - START"),
        (" Position ID: 4HPwATDgc/ABMA", "X - START"),
        (
            "GNU Backgammon  Position ID: 4HPwATDgc/ABMA  Match ID   : QYkqASAAIAAA",
            "X 52 START match=9 score=2-4 cube=2O",
        ),
        (
            "Match ID: QYkqASAAIAAA Position ID: 4HPwATDgc/ABMA",
            "X 52 START match=9 score=2-4 cube=2O",
        ),
        ("-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10", "X 52 START jacoby beavers"),
        (
            "the position XGID: -b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10",
            "X 52 START jacoby beavers",
        ),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10", "X 52 START jacoby beavers"),
        (
            "xgid=-b----E-C---eE---c-e----B-:1:-1:-1:00:1:3:0:5:10",
            "O - START match=5 score=3-1 cube=2O",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:3:4:0:5:10",
            "O - START match=5 score=4-3 doubled",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:3:1:5:10",
            "X - START match=5 score=3-4 crawford",
        ),
        (
            "4PPIATCwZ/ABMA:EREAAAAAAAAA",
            "O - 1=XX 5=OO 6=OOOO 8=OO 12=XXX 13=OOOOO 14=X 17=XXXX 19=XXXXX 24=OO jacoby beavers cube=2X beavered",
        ),
        // Bob, on roll, offers a gammon.
        (
            "sGfhQSDg88gBMA:UUFgAAAAAAAE",
            "X - 1=XX 5=OO 6=OOOO 8=OO 9=O 12=XXX 13=OOOO 14=X 17=XXXX 18=O 19=XXXXX 24=O match=3 cube=2X resigns=X2",
        ),
    ] {
        let position = at("", name);
        assert_eq!(position.notation(), line.replace("START", START), "{name}");
    }
}

#[test]
fn a_record_is_written_as_the_name_of_its_last_position() {
    let named = |words: &str, rolls: &[Roll]| -> Vec<String> {
        let transcript = Transcript {
            players: ["alice".into(), "bob".into()],
            options: options_in::<Position>(words),
            record: rolls.iter().map(|&roll| crate::Entry::Rolled(roll)).collect(),
            ending: None,
        };
        let formats = ["gnubgid", "xgid"].map(|name| {
            let format = Position::SPEC.formats.iter().find(|format| format.name == name);
            (format.unwrap().write)(&transcript).unwrap()
        });
        formats.to_vec()
    };
    assert_eq!(
        named("-jacoby -beavers", &[Roll::Two(2, 5)]),
        [
            "GNUBGID 4HPwATDgc/ABMA:cIkKAAAAAAAA\n",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10\n"
        ]
    );
    assert_eq!(
        named("-match=7", &[]),
        [
            "GNUBGID 4HPwATDgc/ABMA:MADgAAAAAAAE\n",
            "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:7:10\n"
        ]
    );
}
