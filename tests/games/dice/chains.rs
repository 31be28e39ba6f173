//! Level 2: each player reveals the next value of a hash chain with a roll. Rolls that nobody could
//! know before, and values that the program refuses.

use super::coalitions::{agree, due, flat, verdicts};
use super::python::agrees;
use super::{DiceHome, checked, text};
use data_encoding::HEXLOWER;
use games::Throw;
use postboard::base::ids::BoardId;
use postboard::base::random_stream::RandomStream;
use postboard::model::board::Board;
use postboard::model::dice::{
    BoardDice, RollLevel, RollRange, RollSheet, RollVerdict, SheetReport, SteeredBy, check_rolls,
};
use sha2::{Digest as _, Sha256};

/// Returns the values of a chain, its end first.
pub(super) fn chain(name: &str) -> Vec<String> {
    let hash = |text: &str| HEXLOWER.encode(&Sha256::digest(text));
    let mut values = vec![hash(name)];
    for _ in 0..20 {
        values.push(hash(values.last().unwrap()));
    }
    values.reverse();
    values
}

/// Alice and bob with their chains, and the number of values that each has revealed.
struct Players {
    town: DiceHome,
    id: BoardId,
    chains: [Vec<String>; 2],
    taken: [usize; 2],
    mails: Vec<String>,
}

impl Players {
    /// Makes a board of a game after alice's value, with chains for both players.
    fn new(game: &str, seed: u64) -> Self {
        let mut players = Self::begun(game, seed);
        players.answers();
        players
    }

    /// Makes a board of a game that waits for bob's word.
    fn begun(game: &str, seed: u64) -> Self {
        let mut town = DiceHome::new(seed);
        let chains = [chain("alice"), chain("bob")];
        let more = format!("-seed=sha256:{}", chains[0][0]);
        let letters = town.mail("alice", &format!("{game} challenge alice bob {more}"));
        let game = games::find(game).unwrap().spec().name;
        let id = BoardId { game, number: 1 };
        let mails = letters.iter().map(text).collect();
        let mut players = Self { town, id, chains, taken: [1, 0], mails };
        players.plays("");
        players
    }

    /// Sends the end of bob's chain, then alice's value.
    fn answers(&mut self) {
        let (answer, value) = (self.chains[1][0].clone(), self.chains[0][1].clone());
        self.plays(&format!("-seed={answer}"));
        self.plays(&format!("-seed={value}"));
    }

    fn says(&mut self, user: &str, words: &str) {
        let BoardId { game, number } = self.id;
        let letters = self.town.mail(user, &format!("{game} move {number} {user} secret {words}"));
        self.mails.extend(letters.iter().map(text));
    }

    /// Makes a legal move for the player who has rolled.
    fn plays(&mut self, more: &str) {
        let (user, play) = due(&self.town, self.id);
        self.says(&user, &format!("{play} {more}"));
    }

    /// Rolls for the player whose turn it is, with the next value of their chain.
    fn rolls(&mut self) {
        let user = self.due();
        let player = usize::from(user == "bob");
        self.taken[player] += 1;
        let value = self.chains[player][self.taken[player]].clone();
        let drawn = self.drawn();
        self.says(&user, &format!("roll -seed={value}"));
        assert!(self.drawn() > drawn, "{user}: {}", self.mails.last().unwrap());
    }

    fn due(&self) -> String {
        let board = self.town.board(self.id);
        let seat = games::Seat::BOTH.into_iter().find(|seat| board.position().next().asks(*seat));
        board.player(seat.unwrap()).to_string()
    }

    fn drawn(&self) -> usize {
        self.town.board(self.id).drawn()
    }

    /// Returns whether the next roll waits for a value.
    fn waits(&self) -> bool {
        let board = self.town.board(self.id);
        let dice = board.dice.as_ref().unwrap();
        let ready = |seat: &games::Seat| matches!(board.position().next(), games::Next::Ready(due, _) if due == *seat);
        games::Seat::BOTH
            .into_iter()
            .find(ready)
            .is_some_and(|seat| dice.awaits_link(seat, board.drawn()))
    }

    /// Rolls and plays until `rolls` rolls have been made.
    fn go_on(&mut self, rolls: usize) {
        while self.drawn() < rolls {
            if self.waits() { self.rolls() } else { self.plays("") }
        }
    }

    /// Returns the sheet of a board as its operator would forge it with other dice in the file:
    /// each roll has the result of these dice.
    fn forged(&self, change: impl Fn(&mut BoardDice)) -> (String, Vec<String>) {
        let mut board = self.town.board(self.id);
        change(board.dice.as_mut().unwrap());
        let (dice, key) = (board.dice.clone().unwrap(), self.town.home.setup.dice.newest());
        let mut sheet = RollSheet::new(&board, &dice, key).text(&RollRange::All);
        for number in 4..=board.drawn() {
            let output = key.output(dice.input(board.id, board.started, number).as_bytes());
            let roll = RandomStream::new(output).roll(Throw::new(2, 4));
            let head = format!("roll {number} 2d4 ");
            let line = sheet.lines().find(|line| line.starts_with(&head)).unwrap().to_owned();
            sheet = sheet.replace(&line, &format!("{head}{roll}"));
        }
        (sheet, check_rolls(&board, &self.town.home.setup.dice))
    }
}

fn report(players: &Players) -> SheetReport {
    checked(&players.town.sheet(players.id))
}

#[test]
fn with_chains_each_roll_waits_for_its_player_and_has_level_2() {
    for game in ["malaka", "moloko"] {
        let mut players = Players::new(game, 21);
        assert!(players.waits() && players.drawn() == 3);
        let told = players.mails.last().unwrap();
        assert!(flat(told).contains("The next roll waits for a value from bob"), "{told}");
        players.go_on(9);
        let sheet = report(&players);
        assert!(sheet.is_right(), "{sheet:?}");
        let linked = Some(RollLevel::Linked);
        let fixed = Some(RollLevel::Fixed);
        assert_eq!(verdicts(&sheet), [vec![fixed; 3], vec![linked; 6]].concat());
        assert!(players.mails.iter().all(|mail| agree(mail, &sheet)), "each names the digest");
        let board = players.town.board(players.id);
        assert_eq!(check_rolls(&board, &players.town.home.setup.dice), Vec::<String>::new());
    }
}

#[test]
fn a_roll_without_a_value_has_level_1_and_says_so() {
    let mut players = Players::new("malaka", 22);
    players.go_on(5);
    while !players.waits() {
        players.plays("");
    }
    let user = players.due();
    players.says(&user, "roll");
    players.go_on(7);
    let sheet = report(&players);
    assert!(sheet.is_right(), "{sheet:?}");
    assert_eq!(sheet.verdicts[5].verdict, RollVerdict::Steerable(SteeredBy::NoLink));
    assert_eq!(sheet.verdicts[6].verdict, RollVerdict::Proved(RollLevel::Linked));
}

#[test]
fn values_that_are_wrong_repeated_or_not_due_are_refused() {
    let mut players = Players::new("malaka", 23);
    let bob = players.chains[1].clone();
    for value in [&bob[0], &bob[2], "hello", &players.chains[0][2].clone()] {
        let told = players.town.say("bob", &format!("malaka move 1 bob secret roll -seed={value}"));
        assert!(flat(&told).contains("wait for the next value of your chain"), "{told}");
    }
    assert_eq!(players.drawn(), 3);
    players.rolls();
    let (user, play) = due(&players.town, players.id);
    let late = format!("malaka move 1 {user} secret {play} -seed={}", bob[2]);
    assert!(flat(&players.town.say(&user, &late)).contains("only while they wait for one"));
    assert_eq!(players.drawn(), 4);
}

#[test]
fn a_player_who_lost_a_chain_begins_another() {
    let mut players = Players::new("malaka", 24);
    players.go_on(4);
    // Bob has lost his chain and publishes the end of a new chain with his move.
    let new = chain("new");
    players.plays(&format!("-seed=sha256:{}", new[0]));
    players.rolls();
    players.plays("");
    assert!(players.waits());
    players.chains[1] = new;
    players.taken[1] = 0;
    players.go_on(8);
    let sheet = report(&players);
    assert!(sheet.is_right() && verdicts(&sheet)[3..] == [Some(RollLevel::Linked); 5], "{sheet:?}");
    assert!(players.town.sheet(players.id).contains("chains bob 4\nchain "));
    assert!(players.mails.iter().all(|mail| agree(mail, &sheet)));
}

#[test]
fn the_operator_cannot_tell_the_opponent_a_roll() {
    let mut players = Players::new("malaka", 25);
    players.go_on(6);
    while !players.waits() {
        players.plays("");
    }
    // The input that the operator can compute before the roll differs from the actual input.
    let before = players.town.board(players.id);
    let known = before.dice.as_ref().unwrap().input(before.id, before.started, 7);
    players.rolls();
    let after = players.town.board(players.id);
    let came = after.dice.as_ref().unwrap().input(after.id, after.started, 7);
    assert_ne!(known, came);
    let last = players.chains[usize::from(known_player(&after) == 1)].clone();
    assert!(last.iter().any(|value| came.contains(value) && !known.contains(value)));
}

/// Returns the seat of the player who revealed the newest value.
fn known_player(board: &Board) -> u8 {
    board.dice.as_ref().unwrap().links.last().unwrap().seat
}

#[test]
fn the_operator_and_the_player_who_rolls_know_it_and_can_choose_one_of_two() {
    let mut players = Players::new("malaka", 26);
    let (board, key) = (players.town.board(players.id), players.town.home.setup.dice.newest());
    let mut dice = board.dice.clone().unwrap();
    let roll = |dice: &BoardDice| {
        let output = key.output(dice.input(board.id, board.started, 4).as_bytes());
        RandomStream::new(output).roll(Throw::new(2, 4)).to_string()
    };
    let without = roll(&dice);
    dice.take_link(games::Seat(1), &players.chains[1][1], 3, false).unwrap();
    let with = roll(&dice);
    players.rolls();
    assert!(players.town.sheet(players.id).contains(&format!("roll 4 2d4 {with}\n")));
    // If bob had rolled without his value, the sheet would mark the roll.
    let mut marked = Players::new("malaka", 26);
    marked.says("bob", "roll");
    assert!(marked.town.sheet(marked.id).contains(&format!("roll 4 2d4 {without}\n")));
    assert_eq!(report(&marked).verdicts[3].verdict, RollVerdict::Steerable(SteeredBy::NoLink));
}

#[test]
fn all_three_together_choose_at_level_2_and_every_proof_holds() {
    // Both players tell the operator their chains; the operator tries chains for bob until roll 4
    // has the wanted result.
    let mut players = Players::begun("malaka", 28);
    let (board, key) = (players.town.board(players.id), players.town.home.setup.dice.newest());
    let alice = players.chains[0].clone();
    let is_wanted = |bob: &Vec<String>| {
        let mut dice = board.dice.clone().unwrap();
        dice.take_word(games::Seat(1), &bob[0], 2, false).unwrap();
        dice.take_word(games::Seat(0), &alice[1], 3, true).unwrap();
        dice.take_link(games::Seat(1), &bob[1], 3, false).unwrap();
        let output = key.output(dice.input(board.id, board.started, 4).as_bytes());
        RandomStream::new(output).roll(Throw::new(2, 4)).to_string() == "44"
    };
    let found = (0..10_000).map(|tries| chain(&format!("bob {tries}"))).find(is_wanted).unwrap();
    players.chains[1] = found;
    players.answers();
    players.go_on(5);
    let sheet = report(&players);
    assert!(players.town.sheet(players.id).contains("roll 4 2d4 44\n") && sheet.is_right());
    assert_eq!(verdicts(&sheet)[3], Some(RollLevel::Linked));
}

#[test]
fn a_roll_that_was_taken_back_comes_again_with_or_without_a_value() {
    for by_value in [true, false] {
        let mut players = Players::new("malaka", 29);
        players.go_on(6);
        while !players.waits() {
            players.plays("");
        }
        let user = players.due();
        if by_value {
            players.rolls();
        } else {
            players.says(&user, "roll");
        }
        let shown = |players: &Players| {
            let sheet = players.town.sheet(players.id);
            sheet.lines().find(|line| line.starts_with("roll 7 ")).unwrap().to_owned()
        };
        let before = shown(&players);
        // The opponent takes back the previous move.
        let other = if user == "bob" { "alice" } else { "bob" };
        players.says(other, "undo");
        players.says(&user, "accept");
        assert_eq!((players.drawn(), players.due().as_str()), (6, other), "{:?}", players.mails);
        players.plays("");
        assert!(!players.waits(), "it was seen");
        assert_eq!(shown(&players), before);
        players.go_on(9);
        assert!(report(&players).is_right(), "{:?}", report(&players));
        let board = players.town.board(players.id);
        assert_eq!(check_rolls(&board, &players.town.home.setup.dice), Vec::<String>::new());
    }
}

/// A forgery by the operator, with or without a player: a change of the values in a board's file.
type Change = fn(&mut BoardDice);

const CHANGES: [(&str, Change); 7] = [
    ("another value", |dice| dice.links[1].value = "0".repeat(64)),
    ("a value twice", |dice| {
        let again = dice.links[1].clone();
        dice.links.insert(2, again);
    }),
    ("a value later", |dice| dice.links[1].roll += 1),
    ("a value earlier", |dice| dice.links[1].roll -= 1),
    ("values in another order", |dice| dice.links.swap(0, 1)),
    ("the value of the other", |dice| dice.links[1].seat = 1 - dice.links[1].seat),
    ("a new chain that counts at once", |dice| {
        let end = Sha256::digest(chain("grind")[1].as_bytes());
        let mut last = dice.links.pop().unwrap();
        let number = last.roll;
        last.value = HEXLOWER.encode(&end);
        (last.roll, last.is_end) = (number - 1, true);
        dice.links.push(last.clone());
        last.value.clone_from(&chain("grind")[1]);
        (last.roll, last.is_end) = (number, false);
        dice.links.push(last);
    }),
];

#[test]
fn values_that_an_operator_changes_in_the_file_are_refused_everywhere() {
    let mut players = Players::new("malaka", 27);
    players.go_on(8);
    let honest = players.forged(|_| ());
    assert!(checked(&honest.0).is_right() && honest.1.is_empty(), "{honest:?}");
    for (what, change) in CHANGES {
        let (sheet, wrong) = players.forged(change);
        assert!(!checked(&sheet).is_right(), "{what}: {sheet}");
        assert!(!wrong.is_empty(), "{what}");
    }
    // A missing value leaves a gap, and the digests differ from the digests in the mails.
    let (sheet, _) = players.forged(|dice| drop(dice.links.pop()));
    let report = checked(&sheet);
    assert!(!players.mails.iter().all(|mail| agree(mail, &report)), "{sheet}");
}

#[test]
#[ignore = "needs python3 with PyNaCl"]
fn python_sees_chains_too() {
    let mut players = Players::new("malaka", 27);
    players.go_on(5);
    while !players.waits() {
        players.plays("");
    }
    let user = players.due();
    players.says(&user, "roll");
    players.go_on(9);
    let mails = players.mails.concat();
    assert!(agrees(&[mails.clone(), players.town.sheet(players.id)]));
    let mut players = Players::new("malaka", 27);
    players.go_on(8);
    for (what, change) in CHANGES {
        assert!(!agrees(&[players.forged(change).0]), "{what}");
    }
    let (sheet, _) = players.forged(|dice| drop(dice.links.pop()));
    assert!(!agrees(&[players.mails.concat(), sheet]));
}
