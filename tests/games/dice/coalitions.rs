//! Coalitions that could choose or know a roll: a program plays each cell of the table in
//! `docs/dice.md`, and is detected, or succeeds where the table says so.

use super::python::agrees;
use super::{DiceHome, check, checked, text};
use data_encoding::HEXLOWER;
use games::{Next, Throw};
use postboard::base::ids::BoardId;
use postboard::base::random_stream::RandomStream;
use postboard::base::time::seconds;
use postboard::model::board::Board;
use postboard::model::dice::{
    BoardDice, CheckedRoll, RollLevel, RollRange, RollSheet, RollVerdict, SeedWord, SheetReport,
    SteeredBy, check_rolls, digests,
};
use postboard::store::Documents as _;
use sha2::{Digest as _, Sha256};

/// The value to which alice commits.
const VALUE: &str = "a-value-of-alice";

fn commitment(value: &str) -> String {
    format!("-seed=sha256:{}", HEXLOWER.encode(&Sha256::digest(value)))
}

/// Returns the player who has to move, and a legal move.
pub(super) fn due(town: &DiceHome, id: BoardId) -> (String, String) {
    let board = town.board(id);
    let (Next::Move(seat) | Next::Ready(seat, _)) = board.position().next() else {
        panic!("it is over")
    };
    (board.player(seat).to_string(), board.position().nth_move(0).unwrap())
}

/// Returns a text with single blanks.
pub(super) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plays the next move with additional words and returns the answer.
fn play(town: &mut DiceHome, id: BoardId, more: &str) -> String {
    let (user, play) = due(town, id);
    let line = format!("{} move {} {user} secret {play} {more}", id.game, id.number);
    flat(&town.say(&user, &line))
}

/// Makes a board of Malaka with a commitment, a word, the value, and some later rolls; returns also
/// the mails to alice.
fn shared(seed: u64) -> (DiceHome, BoardId, Vec<String>) {
    let mut town = DiceHome::new(seed);
    let letters = town.mail("alice", &format!("malaka challenge alice bob {}", commitment(VALUE)));
    let id = BoardId { game: "malaka", number: 1 };
    let of_alice = |letter: &&_| -> bool {
        let letter: &postboard::store::Letter = letter;
        letter.to.as_str() == "alice@example.org"
    };
    let mut mails: Vec<String> = letters.iter().filter(of_alice).map(text).collect();
    for more in ["", "-seed=of-bob", &format!("-seed={VALUE}"), "", "", ""] {
        let (user, play) = due(&town, id);
        let letters = town.mail(&user, &format!("malaka move 1 {user} secret {play} {more}"));
        mails.extend(letters.iter().filter(of_alice).map(text));
    }
    (town, id, mails)
}

/// Returns the sheet of a board as its operator would forge it, from a changed file.
fn forged(town: &DiceHome, board: &Board) -> String {
    let dice = board.dice.as_ref().unwrap();
    let key = town.home.setup.dice.find(dice.key).unwrap();
    RollSheet::new(board, dice, key).text(&RollRange::All)
}

/// Returns a sheet of a board of Malaka on which the rolls from number `from` on have the results of
/// other dice.
fn rerolled(town: &DiceHome, board: &Board, dice: &BoardDice, from: usize) -> String {
    let key = town.home.setup.dice.find(dice.key).unwrap();
    let honest = forged(town, board);
    let mut sheet = RollSheet::new(board, dice, key).text(&RollRange::All);
    for number in from..=board.drawn() {
        let input = dice.input(board.id, board.started, number);
        let count = if number == 1 { 1 } else { 2 };
        let roll = RandomStream::new(key.output(input.as_bytes())).roll(Throw::new(count, 4));
        let line = |sheet: &str| {
            let head = format!("roll {number} {count}d4 ");
            sheet.lines().find(|line| line.starts_with(&head)).unwrap().to_owned()
        };
        let shown = line(&honest);
        let (head, _) = shown.rsplit_once(' ').unwrap();
        sheet = sheet.replace(&line(&sheet), &format!("{head} {roll}"));
    }
    sheet
}

pub(super) fn verdicts(sheet: &SheetReport) -> Vec<Option<RollLevel>> {
    let level = |roll: &CheckedRoll| match roll.verdict {
        RollVerdict::Proved(level) => Some(level),
        _ => None,
    };
    sheet.verdicts.iter().map(level).collect()
}

/// Returns whether an early mail and a sheet agree.
pub(super) fn agree(mail: &str, sheet: &SheetReport) -> bool {
    let named = digests(mail);
    assert!(!named.is_empty(), "{mail}");
    named.iter().all(|named| sheet.digests.contains(&named.digest))
}

#[test]
fn with_a_value_of_each_player_rolls_have_level_1() {
    let (town, id, mails) = shared(1);
    let text = town.sheet(id);
    let both = format!("word bob of-bob after 2 from 4\nword alice {VALUE} after 2 from 4\n");
    assert!(text.contains(&both) && text.contains("level 0 from 1\nlevel 1 from 4\n"), "{text}");
    let sheet = checked(&text);
    assert!(sheet.is_right(), "{sheet:?}");
    let levels = verdicts(&sheet);
    assert_eq!(levels[..3], [Some(RollLevel::Fixed); 3]);
    assert!(levels.len() > 5 && levels[3..].iter().all(|it| *it == Some(RollLevel::Shared)));
    // Each mail names the digest; the mails in which a digest changes name all digests.
    assert_eq!(mails.len(), 7);
    assert!(mails.iter().all(|mail| agree(mail, &sheet)));
    for (mail, word) in
        [(0, "commits alice commitment "), (2, "word bob of-bob after 2"), (3, &*both)]
    {
        assert!(flat(&mails[mail]).contains(&flat(word)), "{}", mails[mail]);
    }
    assert!(!mails[5].contains("commitment"), "{}", mails[5]);
    assert!(mails.iter().all(|mail| check(mail).is_empty()), "a head that is true says nothing");
    assert_eq!(check_rolls(&town.board(id), &town.home.setup.dice), Vec::<String>::new());
}

#[test]
fn the_value_comes_when_it_is_due_and_is_the_one_that_was_committed_to() {
    let mut town = DiceHome::new(2);
    let id = town.challenge("malaka", &commitment(VALUE));
    let early = play(&mut town, id, &format!("-seed={VALUE}"));
    assert!(early.contains("after the word of your opponent"), "{early}");
    play(&mut town, id, "");
    play(&mut town, id, "-seed=of-bob");
    let drawn = town.board(id).drawn();
    let none = play(&mut town, id, "");
    assert!(none.contains("wait for the value"), "{none}");
    let other = play(&mut town, id, "-seed=another");
    assert!(other.contains("which this is not"), "{other}");
    // `submit` and `confirm` cause no roll either.
    let (user, text) = due(&town, id);
    for line in
        [format!("malaka submit 1 {user} secret {text}"), format!("malaka confirm 1 {user} secret")]
    {
        town.say(&user, &line);
    }
    assert_eq!(town.board(id).drawn(), drawn, "no roll comes before the value");
    play(&mut town, id, &format!("-seed={VALUE}"));
    assert_eq!(town.board(id).drawn(), drawn + 1);
    let again = play(&mut town, id, "-seed=more");
    assert!(again.contains("only with your first move"), "{again}");
}

/// Makes a board on which alice has lost her value; returns also the mails about that move.
fn lost(seed: u64) -> (DiceHome, BoardId, Vec<String>) {
    let mut town = DiceHome::new(seed);
    let id = town.challenge("malaka", &commitment(VALUE));
    play(&mut town, id, "");
    play(&mut town, id, "-seed=of-bob");
    let (user, text) = due(&town, id);
    let letters = town.mail(&user, &format!("malaka move 1 {user} secret {text} -seed=lost"));
    let mails = letters.iter().map(super::text).collect();
    while town.board(id).drawn() < 8 {
        assert!(town.play(id, ""));
    }
    (town, id, mails)
}

#[test]
fn a_player_who_has_lost_the_value_goes_on_and_is_marked() {
    let (town, id, mails) = lost(12);
    let sheet = town.sheet(id);
    assert!(sheet.contains("word bob of-bob after 2\nlost alice after 3\nlevel 0"), "{sheet}");
    let report = checked(&sheet);
    assert!(report.is_right(), "{report:?}");
    let verdicts = report.verdicts.iter().map(|roll| roll.verdict.clone());
    let fixed = RollVerdict::Proved(RollLevel::Fixed);
    let marked = RollVerdict::Steerable(SteeredBy::LostValue);
    let expected = (1..=8).map(|number| if number <= 3 { &fixed } else { &marked }).cloned();
    assert!(verdicts.eq(expected), "{report:?}");
    for mail in &mails {
        assert!(flat(mail).contains("lost alice after 3"), "{mail}");
        assert!(agree(mail, &report));
    }
    assert_eq!(check_rolls(&town.board(id), &town.home.setup.dice), Vec::<String>::new());
    // The mark can be neither removed nor set later.
    for (from, to) in
        [("lost alice after 3\n", ""), ("after 3", "after 5"), ("lost alice", "lost bob")]
    {
        let other = sheet.replace(from, to);
        let report = checked(&other);
        let is_seen = !report.is_right() || !mails.iter().any(|mail| agree(mail, &report));
        assert!(is_seen, "{other}");
    }
}

#[test]
fn a_queued_move_does_not_get_round_the_value() {
    let mut town = DiceHome::new(13);
    let id = town.challenge("malaka", &commitment(VALUE));
    play(&mut town, id, "");
    // A second home with the same dice tells the test alice's next move.
    let mut twin = DiceHome::new(13);
    twin.challenge("malaka", &commitment(VALUE));
    play(&mut twin, id, "");
    play(&mut twin, id, "-seed=of-bob");
    let (_, text) = due(&twin, id);
    town.say("alice", &format!("malaka queue 1 alice secret {text}"));
    play(&mut town, id, "-seed=of-bob");
    let board = town.board(id);
    assert_eq!((board.drawn(), &board.plans), (3, &[None, None]), "it is dropped");
    play(&mut town, id, &format!("-seed={VALUE}"));
    assert!(town.sheet(id).contains("level 1 from 4"));
}

#[test]
fn a_move_that_was_looked_at_first_takes_the_value_with_confirm() {
    let mut town = DiceHome::new(14);
    let id = town.challenge("malaka", &commitment(VALUE));
    for (user, seed) in
        [("alice", ""), ("bob", "-seed=of-bob"), ("alice", "-seed=a-value-of-alice")]
    {
        let (_, text) = due(&town, id);
        town.say(user, &format!("malaka submit 1 {user} secret {text}"));
        town.say(user, &format!("malaka confirm 1 {user} secret {seed}"));
    }
    assert!(town.sheet(id).contains("level 1 from 4"), "{}", town.sheet(id));
}

#[test]
fn an_opponent_without_a_word_leaves_level_0() {
    let mut town = DiceHome::new(3);
    let id = town.challenge("malaka", &commitment(VALUE));
    for _ in 0..6 {
        play(&mut town, id, "");
    }
    let late = play(&mut town, id, "-seed=late");
    assert!(late.contains("Not done"), "{late}");
    let sheet = checked(&town.sheet(id));
    assert!(sheet.is_right() && verdicts(&sheet).iter().all(|it| *it == Some(RollLevel::Fixed)));
}

/// Returns a board with a word that the operator, together with the opponent, writes into the file
/// after six rolls, found by trying, so that the next rolls have the wanted results.
fn late_word(town: &DiceHome, id: BoardId) -> (Board, BoardDice, u32) {
    let mut board = town.board(id);
    assert!(board.drawn() > 7);
    let key = town.home.setup.dice.newest();
    for tries in 1..100_000 {
        let mut dice = board.dice.clone().unwrap();
        let word = format!("word-{tries}");
        dice.words.push(SeedWord { seat: Some(0), word, from: 7, after: None });
        let wanted = (7..9).all(|number| {
            let input = dice.input(board.id, board.started, number);
            RandomStream::new(key.output(input.as_bytes())).roll(Throw::new(2, 4)).to_string()
                == "44"
        });
        if wanted {
            board.dice = Some(dice.clone());
            return (board, dice, tries);
        }
    }
    panic!("no word gives these rolls")
}

fn eight_rolls(seed: u64, more: &str) -> (DiceHome, BoardId) {
    let mut town = DiceHome::new(seed);
    let id = town.challenge("malaka", more);
    while town.board(id).drawn() < 8 {
        assert!(town.play(id, ""));
    }
    (town, id)
}

#[test]
fn a_word_written_into_the_file_later_is_refused_everywhere() {
    for more in ["", "-seed=of-alice"] {
        let (town, id) = eight_rolls(4, more);
        let (board, dice, tries) = late_word(&town, id);
        assert!(tries > 1);
        let sheet = rerolled(&town, &board, &dice, 7);
        assert!(!checked(&sheet).is_right(), "{sheet}");
        let wrong = check_rolls(&board, &town.home.setup.dice).join("\n");
        assert!(wrong.contains("counts from roll 7, and cannot"), "{wrong}");
        // The first mail does not agree either.
        let mut first = DiceHome::new(4);
        let letters = first.mail("alice", &format!("malaka challenge alice bob {more}"));
        assert!(agree(&text(&letters[0]), &checked(&town.sheet(id))));
    }
}

/// Returns a board with a word in the inputs of all rolls that claims to have come after the first
/// roll, as the answer to a commitment does.
fn word_of_two_times(town: &DiceHome, id: BoardId, rules: u8) -> (Board, BoardDice) {
    let mut board = town.board(id);
    let mut dice = board.dice.clone().unwrap();
    dice.rules = rules;
    dice.words.push(SeedWord { seat: Some(1), word: "invented".into(), from: 1, after: Some(1) });
    board.dice = Some(dice.clone());
    (board, dice)
}

#[test]
fn a_word_that_counts_from_the_start_gives_no_higher_level() {
    let (town, id) = eight_rolls(17, "");
    for rules in [1, 2] {
        let (board, dice) = word_of_two_times(&town, id, rules);
        let report = checked(&rerolled(&town, &board, &dice, 1));
        assert_eq!(report.proved(), board.drawn(), "{report:?}");
        let is_named = |wrong: &String| wrong.contains("the word invented cannot count");
        assert!(report.wrong.iter().any(is_named), "{report:?}");
        let wrong = check_rolls(&board, &town.home.setup.dice).join("\n");
        assert!(wrong.contains("`invented` counts from roll 1, and cannot"), "{wrong}");
    }
}

#[test]
fn the_last_word_chooses_no_roll() {
    // Without a commitment bob's word would be the last input, so it is refused, in the command and
    // in a file.
    let mut town = DiceHome::new(5);
    let id = town.challenge("malaka", "-seed=of-alice");
    play(&mut town, id, "");
    let refused = play(&mut town, id, "-seed=chosen");
    assert!(refused.contains("only if the challenge has a commitment"), "{refused}");
    let (town, id) = eight_rolls(5, "");
    let mut board = town.board(id);
    let dice = board.dice.as_mut().unwrap();
    dice.words.push(SeedWord { seat: Some(1), word: "chosen".into(), from: 3, after: None });
    let dice = dice.clone();
    assert!(!checked(&rerolled(&town, &board, &dice, 3)).is_right());
    assert!(!check_rolls(&board, &town.home.setup.dice).is_empty());
    // With a commitment the operator can try words for bob, but with alice's value every word gives
    // other rolls than without: the wanted rolls do not come.
    let (town, id, _) = shared(6);
    let board = town.board(id);
    let dice = board.dice.clone().unwrap();
    let mut guessed = dice.clone();
    guessed.words.pop();
    let input = |dice: &BoardDice| dice.input(id, board.started, 5);
    assert_ne!(input(&dice), input(&guessed));
}

/// A change by the operator to the dice in a board's file.
type Change<'a> = &'a dyn Fn(&mut BoardDice);

#[test]
fn a_value_that_was_not_committed_to_or_counts_at_another_time_is_refused() {
    let (town, id, _) = shared(7);
    let with = |change: &dyn Fn(&mut BoardDice)| {
        let mut board = town.board(id);
        let mut dice = board.dice.clone().unwrap();
        change(&mut dice);
        board.dice = Some(dice.clone());
        (rerolled(&town, &board, &dice, 4), check_rolls(&board, &town.home.setup.dice))
    };
    let changes: [(&str, Change); 6] = [
        ("another value", &|dice| dice.words[1].word = "another".into()),
        ("no value", &|dice| drop(dice.words.pop())),
        ("a value alone", &|dice| drop(dice.words.remove(0))),
        ("a value twice", &|dice| dice.words.push(dice.words[1].clone())),
        ("later", &|dice| dice.words.iter_mut().for_each(|word| word.from += 1)),
        ("without a commitment", &|dice| dice.commitment = None),
    ];
    for (what, change) in changes {
        let (sheet, wrong) = with(change);
        assert!(!checked(&sheet).is_right(), "{what}: {sheet}");
        assert!(!wrong.is_empty(), "{what}");
    }
}

#[test]
fn all_three_together_choose_and_every_proof_holds() {
    // Alice tells bob and the operator her value; they try words for bob until roll 4 has the
    // wanted result.
    let (found, _) = (1..10_000)
        .find_map(|tries| {
            let word = format!("word-{tries}");
            let mut town = DiceHome::new(15);
            let id = town.challenge("malaka", &commitment(VALUE));
            play(&mut town, id, "");
            let mut board = town.board(id);
            let (began, drawn) = (board.started, board.drawn());
            let dice = board.dice.as_mut().unwrap();
            dice.take_word(games::Seat(1), &word, drawn, false).unwrap();
            dice.take_word(games::Seat(0), VALUE, drawn + 1, true).unwrap();
            let key = town.home.setup.dice.newest();
            let output = key.output(dice.input(id, began, 4).as_bytes());
            let roll = RandomStream::new(output).roll(Throw::new(2, 4)).to_string();
            (roll == "44").then_some((word, tries))
        })
        .unwrap();
    let mut town = DiceHome::new(15);
    let id = town.challenge("malaka", &commitment(VALUE));
    for more in ["", &format!("-seed={found}"), &format!("-seed={VALUE}")] {
        play(&mut town, id, more);
    }
    let sheet = town.sheet(id);
    assert!(sheet.contains("roll 4 2d4 44\n") && checked(&sheet).is_right(), "{sheet}");
    assert_eq!(verdicts(&checked(&sheet))[3], Some(RollLevel::Shared));
}

#[test]
fn a_player_alone_cannot_make_a_roll() {
    // The sheet contains all that players know; without the server's key another roll has no proof.
    let (town, id) = eight_rolls(16, "");
    let own = postboard::base::vrf::SecretKey::new(&[9; 32]);
    let (board, dice) = (town.board(id), town.board(id).dice.unwrap());
    let forged = RollSheet::new(&board, &dice, &own).text(&RollRange::All);
    assert!(checked(&town.sheet(id)).is_right() && !checked(&forged).is_right());
    assert_eq!(checked(&forged).proved(), 0);
}

#[test]
fn the_start_is_in_the_players_hands_before_it_binds() {
    // Before the first mail the operator can try start times until an opening suits an accomplice.
    let (town, id) = eight_rolls(8, "");
    let mut board = town.board(id);
    let dice = board.dice.clone().unwrap();
    let key = town.home.setup.dice.newest();
    let opening = |began| {
        let input = dice.input(id, began, 1);
        RandomStream::new(key.output(input.as_bytes())).roll(Throw::new(1, 4)).to_string()
    };
    let start = board.started;
    let found = (1..1000).map(|more| start + seconds(more)).find(|began| opening(*began) == "1");
    assert!(found.is_some(), "the table says so");
    // After the first mail, this mail reveals the change.
    let mut first = DiceHome::new(8);
    let letters = first.mail("alice", "malaka challenge alice bob");
    let mail = text(&letters[0]);
    assert!(agree(&mail, &checked(&town.sheet(id))));
    board.started = found.unwrap();
    assert!(!agree(&mail, &checked(&forged(&town, &board))));
}

#[test]
fn a_head_with_another_digest_is_seen() {
    let mut town = DiceHome::new(9);
    let letters = town.mail("alice", &format!("malaka challenge alice bob {}", commitment(VALUE)));
    let mail = text(&letters[0]);
    assert!(check(&mail).is_empty(), "{mail}");
    let other = mail.replace("begun 11", "begun 12");
    assert_ne!(other, mail);
    assert!(check(&other).iter().all(|report| !report.is_right()) && !check(&other).is_empty());
}

#[test]
fn the_operator_knows_rolls_early_and_can_tell_them() {
    let (town, id, _) = shared(10);
    let board = town.board(id);
    let (dice, key) = (board.dice.clone().unwrap(), town.home.setup.dice.newest());
    let next = dice.input(id, board.started, board.drawn());
    let roll = RandomStream::new(key.output(next.as_bytes())).roll(Throw::new(2, 4)).to_string();
    assert!(town.sheet(id).contains(&format!("roll {} 2d4 {roll}\n", board.drawn())));
}

#[test]
fn a_roll_that_was_changed_in_the_file_is_named() {
    let (town, id) = eight_rolls(11, "");
    let store = town.home.store;
    let key = postboard::store::Key::Board(id.game, id.number);
    let file = store.load(&key).unwrap().text.unwrap();
    let rolls: Vec<&str> = file.lines().filter(|line| line.contains("\"roll\":\"")).collect();
    let changed = if rolls[3].contains("\"44\"") { "\"43\"" } else { "\"44\"" };
    let at = rolls[3].find("\"roll\":\"").unwrap() + 7;
    let other = format!("{}{changed}{}", &rolls[3][..at], &rolls[3][at + 4..]);
    let forged = file.replacen(rolls[3], &other, 1);
    // The moves need not fit such a roll: if the board can still be read, the check finds the roll.
    if let Ok(board) = Board::read(&forged) {
        let wrong = check_rolls(&board, &town.home.setup.dice).join("\n");
        assert!(wrong.contains("roll 4 does not follow from the key"), "{wrong}");
    }
    let honest = Board::read(&file).unwrap();
    assert_eq!(check_rolls(&honest, &town.home.setup.dice), Vec::<String>::new());
}

#[test]
#[ignore = "needs python3 with PyNaCl"]
fn python_sees_these_coalitions_too() {
    let (town, id, mails) = shared(1);
    assert!(agrees(&[town.sheet(id)]));
    assert!(agrees(&[mails.concat(), town.sheet(id)]));
    let (gone, id, mails) = lost(12);
    assert!(agrees(&[mails.concat(), gone.sheet(id)]));
    let unmarked = gone.sheet(id).replace("lost alice after 3\n", "");
    assert!(!agrees(&[mails.concat(), unmarked]));
    assert!(!agrees(&[gone.sheet(id).replace("after 3", "after 5")]));
    let (late, id) = eight_rolls(4, "");
    let (board, dice, _) = late_word(&late, id);
    assert!(!agrees(&[rerolled(&late, &board, &dice, 7)]));
    for rules in [1, 2] {
        let (board, dice) = word_of_two_times(&late, id, rules);
        assert!(!agrees(&[rerolled(&late, &board, &dice, 1)]));
    }
    let (shared, id, _) = shared(7);
    let mut board = shared.board(id);
    let dice = board.dice.as_mut().unwrap();
    dice.words[1].word = "another".into();
    let dice = dice.clone();
    assert!(!agrees(&[rerolled(&shared, &board, &dice, 4)]));
    let mut started = shared.board(id);
    started.started += seconds(9);
    assert!(!agrees(&[mails[0].clone(), forged(&shared, &started)]));
}
