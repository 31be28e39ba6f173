//! Forgeries by a cheating server: the checkers find each forgery.

use super::{DiceHome, checked};
use crate::games::dice::python;
use games::Throw;
use postboard::base::random_stream::RandomStream;
use postboard::base::vrf::SecretKey;

/// Returns the sheet of a board with ten rolls and a word.
fn sheet(seed: u64) -> String {
    let mut town = DiceHome::new(seed);
    let id = town.challenge("backgammon", "-seed=of-alice -force");
    while town.board(id).drawn() < 10 {
        assert!(town.play(id, ""));
    }
    town.sheet(id)
}

/// Returns the lines of roll `number` in a sheet: its result, then its proof.
fn roll(sheet: &str, number: usize) -> [String; 2] {
    let head = format!("roll {number} ");
    let mut lines = sheet.split_inclusive('\n').skip_while(|line| !line.starts_with(&head));
    let shown = lines.next().unwrap().to_owned();
    [shown, lines.take_while(|line| line.starts_with(' ')).collect()]
}

/// Returns a sheet of Malaka with another number of dice for one roll, and the result of these
/// dice.
fn with_dice(number: usize, count: u8) -> String {
    let mut town = DiceHome::new(1);
    let id = town.challenge("malaka", "");
    assert!(town.play(id, "") && town.play(id, ""));
    let board = town.board(id);
    let input = board.dice.as_ref().unwrap().input(id, board.started, number);
    let mut lots = RandomStream::new(town.home.setup.dice.newest().output(input.as_bytes()));
    let thrown = lots.roll(Throw::new(count, 4));
    let sheet = town.sheet(id);
    let forged = format!("roll {number} {count}d4 {thrown}\n");
    sheet.replace(&roll(&sheet, number)[0], &forged)
}

/// Returns every forgery with its name.
pub(super) fn forgeries() -> Vec<(&'static str, String)> {
    let sheet = sheet(1);
    let [five, six] = [5, 6].map(|number| roll(&sheet, number));
    let other_face = |roll: &str| {
        let (head, shown) = roll.trim_end().rsplit_once(' ').unwrap();
        format!("{head} {}\n", if shown == "66" { "65" } else { "66" })
    };
    let began = sheet.lines().next().unwrap().to_owned();
    let key = sheet.lines().find(|line| line.starts_with("key ")).unwrap().to_owned();
    let another = format!("key {}", SecretKey::new(&[9; 32]).public());
    let of_other = {
        let mut town = DiceHome::new(1);
        town.challenge("backgammon", "-seed=of-alice -force");
        let id = town.challenge("backgammon", "-seed=of-alice -force");
        while town.board(id).drawn() < 10 {
            assert!(town.play(id, ""));
        }
        roll(&town.sheet(id), 5)[1].clone()
    };
    let six_as_four = sheet.replace(" 2d6 ", " 2d4 ");
    vec![
        ("another roll", sheet.replace(&five[0], &other_face(&five[0]))),
        (
            "two rolls exchanged",
            sheet
                .replace(&five.concat(), "@")
                .replace(&six.concat(), &five.concat().replace("roll 5", "roll 6"))
                .replace('@', &six.concat().replace("roll 6", "roll 5")),
        ),
        ("two rolls exchanged in their places", {
            let swapped = format!("{}{}", six.concat(), five.concat());
            sheet.replace(&format!("{}{}", five.concat(), six.concat()), &swapped)
        }),
        ("a roll left out", sheet.replace(&five.concat(), "")),
        ("thrown twice", sheet.replace(&five.concat(), &five.concat().repeat(2))),
        ("a proof of another roll", sheet.replace(&five[1], &six[1])),
        ("a proof of another board", sheet.replace(&five[1], &of_other)),
        ("another key", sheet.replace(&key, &another)),
        ("a changed seed word", sheet.replace("of-alice", "of-Alice")),
        ("a seed word left out", sheet.replace("word alice of-alice from 1\n", "")),
        ("a seed word that counts later", sheet.replace("from 1\n", "from 6\n")),
        ("another beginning", sheet.replace(&began, &format!("{began}1"))),
        ("another rule from output to faces", six_as_four),
        ("two dice at the start", with_dice(1, 2)),
        ("one die in the middle", with_dice(3, 1)),
        ("a throw to begin in the middle", sheet.replacen(" 2d6 ", " 2d6! ", 1)),
        ("the end cut off", sheet.split("dice end").next().unwrap().to_owned()),
        ("the last roll cut off", sheet.replace(&roll(&sheet, 10).concat(), "")),
    ]
}

#[test]
fn every_forgery_is_seen() {
    assert!(checked(&sheet(1)).is_right());
    assert!(checked(&with_dice(1, 1)).is_right() && checked(&with_dice(3, 2)).is_right());
    for (what, forged) in forgeries() {
        assert_ne!(forged, sheet(1), "{what}");
        assert!(!checked(&forged).is_right(), "{what}: {:#?}", checked(&forged));
    }
}

#[test]
#[ignore = "needs python3 with PyNaCl"]
fn python_sees_every_forgery_too() {
    assert!(python::agrees(&[sheet(1), with_dice(1, 1), with_dice(3, 2)]));
    for (what, forged) in forgeries() {
        // Dice of another shape may give the same roll by chance: one roll that differs is enough.
        assert!(!python::agrees(&[forged]), "{what}");
    }
}
