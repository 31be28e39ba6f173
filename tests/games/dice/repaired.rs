//! Boards that are taken back, edited, imported or resigned: the same dice come again, and other
//! dice are marked as not drawn.

use super::{DiceHome, checked};
use postboard::base::ids::{BoardId, UserId};
use postboard::server::{Server, repair};
use postboard::store::{Documents as _, Key, Store as _};

const ID: BoardId = BoardId { game: "malaka", number: 1 };

impl DiceHome {
    fn undo(&mut self, decisions: usize, new_dice: bool) {
        self.undo_on(ID, decisions, new_dice);
    }

    fn undo_on(&mut self, id: BoardId, decisions: usize, new_dice: bool) {
        let mut server = Server::new(&self.home.setup, &mut self.home.chance);
        let repair =
            repair::undo(&mut server, &self.home.store, id, decisions, new_dice, self.home.now)
                .unwrap();
        self.home.store.commit(repair.transaction).unwrap();
    }

    fn edit(&mut self, change: impl Fn(&str) -> String) {
        let found = self.home.store.load(&Key::Board(ID.game, ID.number)).unwrap();
        let text = change(found.text.as_ref().unwrap());
        let mut server = Server::new(&self.home.setup, &mut self.home.chance);
        let was = found.version;
        let repair =
            repair::edit(&mut server, &self.home.store, ID, &found, was, &text, self.home.now)
                .unwrap();
        self.home.store.commit(repair.transaction).unwrap();
    }

    fn rolls(&self) -> Vec<String> {
        let board = self.board(ID);
        let rolls = board.record.iter().filter(|line| line.entry.is_chance());
        rolls.map(|line| postboard::model::board::entry_word(&line.entry)).collect()
    }
}

/// Makes a home with a board of Malaka and a number of moves.
fn played(moves: usize) -> DiceHome {
    let mut town = DiceHome::new(1);
    town.challenge("malaka", "");
    for _ in 0..moves {
        assert!(town.play(ID, ""));
    }
    town
}

#[test]
fn after_an_undo_of_the_players_the_same_dice_come_again() {
    let mut town = played(6);
    let before = town.rolls();
    let board = town.board(ID);
    let games::Next::Move(seat) = board.position().next() else { panic!() };
    let (due, other) = (board.player(seat), board.player(seat.other()));
    town.mail(other.as_str(), &format!("malaka undo 1 {other} secret"));
    town.mail(due.as_str(), &format!("malaka accept 1 {due} secret undo"));
    assert!(town.rolls().len() < before.len(), "{:?}", town.rolls());
    while town.rolls().len() < before.len() {
        assert!(town.play(ID, ""));
    }
    assert_eq!(town.rolls(), before);
    assert!(town.board(ID).kept.is_empty());
    let checked = checked(&town.sheet(ID));
    assert!(checked.is_right() && checked.proved() == before.len(), "{checked:?}");
}

#[test]
fn after_an_undo_of_the_operator_too_unless_new_ones_are_wanted() {
    let mut town = played(6);
    let before = town.rolls();
    town.undo(2, false);
    assert_eq!(town.rolls()[..], before[..before.len() - 2]);
    while town.rolls().len() < before.len() {
        assert!(town.play(ID, ""));
    }
    assert_eq!(town.rolls(), before);
    // New dice depend on a word of the operator, which everybody can read.
    town.undo(4, true);
    while town.rolls().len() < before.len() + 6 {
        assert!(town.play(ID, ""));
    }
    assert_eq!(town.rolls()[..3], before[..3]);
    assert_ne!(town.rolls()[3..before.len()], before[3..]);
    let sheet = town.sheet(ID);
    assert!(sheet.contains("word operator again-11000000"), "{sheet}");
    assert!(checked(&sheet).is_right(), "{sheet}");
}

#[test]
fn what_an_operator_writes_is_told() {
    let mut town = played(1);
    let (key, all) = (town.board(ID).dice, town.rolls());
    let other = if all[1] == "11" { "22" } else { "11" };
    town.edit(|text| {
        let other =
            text.replace(&format!("\"roll\":\"{}\"}}", all[1]), &format!("\"roll\":\"{other}\"}}"));
        assert_ne!(other, text);
        other
    });
    assert_eq!(town.rolls()[1], other);
    assert_eq!(town.board(ID).dice, key, "what dice follow from cannot be edited");
    let sheet = town.sheet(ID);
    assert!(sheet.contains(&format!("roll 2 2d4 {other} operator\n")), "{sheet}");
    assert!(checked(&sheet).is_right() && checked(&sheet).proved() == 1, "{sheet}");
    // Neither the operator's word nor the dice can be removed.
    town.edit(|text| text.replace("\"from\":\"operator\",", ""));
    assert!(town.sheet(ID).contains("operator"));
    town.edit(|text| {
        let mut board: serde_json::Value = serde_json::from_str(text).unwrap();
        board.as_object_mut().unwrap().remove("dice");
        board.to_string()
    });
    assert_eq!(town.board(ID).dice, key);
    assert!(town.play(ID, "") && checked(&town.sheet(ID)).is_right());
    assert_eq!(checked(&town.sheet(ID)).proved(), 2);
}

#[test]
fn a_repeated_opening_comes_again_and_is_marked() {
    let mut town = DiceHome::new(2);
    town.challenge("malaka", "");
    let before = town.rolls();
    town.mail("alice", "malaka resign 1 alice secret");
    let second = town.challenge("malaka", "");
    let sheet = town.sheet(second);
    assert!(sheet.contains(&format!("roll 1 1d4 {} again\n", before[0])), "{sheet}");
    assert!(town.play(second, ""));
    let checked = checked(&town.sheet(second));
    assert!(checked.is_right() && checked.proved() == 1 && checked.verdicts.len() == 2);
}

#[test]
fn imported_boards_are_marked() {
    let mut town = DiceHome::new(3);
    let mut request = String::new();
    for line in [
        " ; [Site \"elsewhere\"]",
        "",
        " 3 point match",
        "",
        " Game 1",
        " alice : 0                        bob : 0",
        "  1) 31: 8/5 6/5                   42: 8/4 6/4",
    ] {
        request += line;
        request += "\n";
    }
    let game = games::find("backgammon").unwrap();
    let read = game.spec().formats.iter().find_map(|format| format.read).unwrap();
    let transcript = read(&request).remove(0).unwrap();
    let players = transcript.players.each_ref().map(|name| UserId::parse(name).unwrap());
    let command = postboard::command::import(game, transcript, players);
    let request = postboard::server::requests::Request::from_operator(command);
    let mut server = Server::new(&town.home.setup, &mut town.home.chance);
    server.execute_shell_command(&request, &town.home.store, town.home.now).unwrap();
    let transaction = server.take_transaction();
    town.home.store.commit(transaction).unwrap();
    let id = BoardId { game: "backgammon", number: 1 };
    let sheet = town.sheet(id);
    assert!(sheet.contains("roll 1 2d6! 31 imported\nroll 2 2d6 42 imported\n"), "{sheet}");
    assert!(checked(&sheet).is_right() && checked(&sheet).proved() == 1, "{sheet}");
    // A roll of the imported game that is taken back comes again, and does not count as drawn.
    town.undo_on(id, 2, false);
    assert_eq!(town.board(id).drawn(), 1);
    assert!(town.play(id, ""));
    let sheet = town.sheet(id);
    assert!(sheet.contains("roll 2 2d6 42 again\n"), "{sheet}");
    assert!(checked(&sheet).is_right() && checked(&sheet).proved() == 0, "{sheet}");
}
