//! Dice in mails and commands of players: seed words, and proofs in mails.

use super::coalitions::due;
use super::{DiceHome, check, checked, text};
use postboard::base::ids::BoardId;

#[test]
fn a_first_mail_names_the_key_and_a_later_one_does_not() {
    let mut town = DiceHome::new(1);
    let key = town.home.setup.dice.newest().public().to_string();
    let letters = town.mail("alice", "malaka challenge alice bob");
    assert_eq!(letters.len(), 2);
    assert!(letters.iter().all(|letter| text(letter).contains(&key)));
    let (user, play) = due(&town, BoardId { game: "malaka", number: 1 });
    let letters = town.mail(&user, &format!("malaka move 1 {user} secret {play}"));
    assert!(!letters.iter().any(|letter| text(letter).contains(&key)));
    // This game has no chance.
    let letters = town.mail("alice", "countlines challenge alice bob");
    assert!(!letters.iter().any(|letter| text(letter).contains(&key)));
}

#[test]
fn proofs_come_with_each_mail_to_who_wants_them_and_all_at_the_end() {
    let mut town = DiceHome::new(2);
    let told = town.say("bob", "set bob secret proofs on");
    assert!(told.contains("proves its new rolls"), "{told}");
    let id = town.challenge("malaka", "");
    for _ in 0..6 {
        let (user, play) = due(&town, id);
        let letters = town.mail(&user, &format!("malaka move 1 {user} secret {play}"));
        for letter in &letters {
            let wants = letter.to.as_str() == "bob@example.org";
            assert_eq!(check(&text(letter)).len(), usize::from(wants));
        }
        let to_bob = letters.iter().find(|letter| letter.to.as_str() == "bob@example.org").unwrap();
        let sheet = checked(&text(to_bob));
        let drawn = town.board(id).drawn();
        assert!(sheet.is_right() && *sheet.rolls.end() == drawn && sheet.of == drawn, "{sheet:?}");
        assert!(*sheet.rolls.start() + 3 > drawn, "only what is new: {sheet:?}");
    }
    // Mails between moves have no new proof; the last mail has all proofs.
    let (user, _) = due(&town, id);
    let letters = town.mail(&user, &format!("malaka undo 1 {user} secret"));
    assert!(letters.iter().all(|letter| check(&text(letter)).is_empty()));
    let letters = town.mail("alice", "malaka resign 1 alice secret");
    let to_bob = letters.iter().find(|letter| letter.to.as_str() == "bob@example.org").unwrap();
    let sheet = checked(&text(to_bob));
    assert!(sheet.is_right() && sheet.rolls == (1..=town.board(id).drawn()), "{sheet:?}");
}

#[test]
fn anybody_can_ask_for_proofs_and_of_a_private_board_its_players() {
    let mut town = DiceHome::new(3);
    let id = town.challenge("malaka", "--private");
    assert!(town.play(id, ""));
    let all = town.say("bob", "malaka proof 1");
    assert!(checked(&all).is_right() && checked(&all).rolls == (1..=2), "{all}");
    assert_eq!(checked(&town.say("alice", "malaka proof 1#2")).rolls, 2..=2);
    let none = town.say("bob", "malaka proof 1#3");
    assert!(none.contains("have no roll with this number"), "{none}");
    town.mail("carol", "signup carol secret");
    let refused = town.say("carol", "malaka proof 1");
    assert!(refused.contains("is private"), "{refused}");
}

#[test]
fn hidden_stones_are_proved_only_at_the_end() {
    let mut town = DiceHome::new(4);
    let id = town.challenge("findthem", "");
    let asked = town.say("bob", "findthem proof 1");
    let during = checked(&asked);
    assert!(during.is_right() && during.proved() == 0 && asked.contains("deal hidden"), "{asked}");
    town.mail("alice", "findthem resign 1 alice secret");
    let after = checked(&town.say("bob", "findthem proof 1"));
    assert!(after.is_right() && after.proved() == 1, "{after:?}");
    assert!(town.board(id).is_over());
}

#[test]
fn a_word_stays_with_its_player_where_dice_decide_who_begins() {
    let mut begun = [0; 2];
    for seed in 0..12 {
        let mut town = DiceHome::new(seed);
        town.home.now += postboard::base::time::seconds(seed.try_into().unwrap());
        let id = town.challenge("backgammon", "-seed=of-alice");
        let sheet = town.sheet(id);
        assert!(sheet.contains("word alice of-alice from 1\n"), "{sheet}");
        assert!(checked(&sheet).is_right());
        begun[usize::from(town.board(id).players[0].as_str() == "alice")] += 1;
    }
    assert!(begun.iter().all(|times| *times > 0), "{begun:?}");
}

#[test]
fn both_players_of_an_open_challenge_mix_words_in_that_nobody_sees_before() {
    let mut town = DiceHome::new(7);
    let told = town.say("alice", "malaka seek alice secret -seed=of-alice -large");
    assert!(!told.contains("of-alice"), "{told}");
    assert!(!town.say("bob", "malaka list").contains("of-alice"));
    let wrong = town.say("bob", "malaka accept-seek 1 bob secret -large");
    assert!(wrong.contains("only `-seed=word` can follow"), "{wrong}");
    town.mail("bob", "malaka accept-seek 1 bob secret -seed=of-bob");
    let sheet = town.sheet(BoardId { game: "malaka", number: 1 });
    for word in ["word alice of-alice from 1\n", "word bob of-bob from 1\n"] {
        assert!(sheet.contains(word), "{sheet}");
    }
    assert!(checked(&sheet).is_right() && checked(&sheet).proved() > 0);
}

#[test]
fn the_page_about_dice_names_the_keys_of_the_server() {
    let mut town = DiceHome::new(8);
    let old = town.home.setup.dice.newest().public().to_string();
    let page = town.say("bob", "help dice");
    assert!(page.contains(&format!("New boards use this key:\n\n    {old}\n")), "{page}");
    assert!(!page.contains("Earlier boards"), "{page}");
    town.home.setup.dice.learn(&[[9; 32]]);
    let new = town.home.setup.dice.newest().public().to_string();
    let page = town.say("bob", "help dice");
    let told = format!("    {new}\n\nEarlier boards use one of these keys:\n\n    {old}\n");
    assert!(new != old && page.contains(&told), "{page}");
}
