//! Dice that anyone can check: the tests play boards of all games by mail, and check their sheets
//! with our code and with a Python program that shares no code with ours. Both find forgeries.

mod chains;
mod coalitions;
mod falls;
mod forged;
mod python;
mod repaired;
mod said;
mod seed;
mod shell;

pub(crate) use python::checker_accepts;

use crate::support::home::{Home, config, seeded, setup};
use crate::support::letters::{as_sent, read};
use games::{AnyGame, GAMES, Next, Seat};
use postboard::base::ids::BoardId;
use postboard::base::time::{DAY, seconds};
use postboard::model::board::Board;
use postboard::model::dice::{RollRange, RollSheet, SheetReport, check};
use postboard::model::world::count_key;
use postboard::store::{Documents as _, Key, Letter, MemoryStore, Store as _};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;

/// A home in memory where alice and bob play; its key determines the dice.
struct DiceHome {
    home: Home,
    /// The choice among legal moves.
    chance: ChaCha20Rng,
}

impl DiceHome {
    fn new(seed: u64) -> Self {
        let home = Home::of(setup(config()), MemoryStore::new(), seeded(seed)).without_limits();
        let mut town = Self { home, chance: ChaCha20Rng::seed_from_u64(seed + 1) };
        for user in ["alice", "bob"] {
            town.mail(user, &format!("signup {user} secret"));
            // Moves are sent in the numbering of the board.
            for game in [
                "backgammon",
                "plakoto",
                "moultezim",
                "portes",
                "fevga",
                "nackgammon",
                "hypergammon",
                "nardy",
            ] {
                town.mail(user, &format!("{game} set {user} secret numbers off"));
            }
        }
        town
    }

    /// Executes a command and returns the letters that it causes.
    fn mail(&mut self, user: &str, subject: &str) -> Vec<Letter> {
        self.home.now += seconds(1);
        self.home.mail(user, subject, "hello")
    }

    /// Executes a command and returns the answers to its sender.
    fn say(&mut self, user: &str, subject: &str) -> String {
        let letters = self.mail(user, subject);
        let own = format!("{user}@example.org");
        letters.iter().filter(|letter| letter.to.as_str() == own).map(text).collect()
    }

    /// Sets up a board.
    fn challenge(&mut self, game: &str, more: &str) -> BoardId {
        let spec = games::find(game).unwrap().spec();
        let (game, players) = (spec.name, if spec.manner.is_solo { "alice" } else { "alice bob" });
        let told = self.say("alice", &format!("{game} challenge {players} {more}"));
        assert!(told.contains("challenged") || told.contains("begins"), "{more}: {told}");
        let count = self.home.store.load(&count_key(game)).unwrap().text.unwrap();
        BoardId { game, number: count.trim().parse().unwrap() }
    }

    fn board(&self, id: BoardId) -> Board {
        self.home.board(id)
    }

    /// Plays a random move for the player whose turn it is; returns false if the game is over.
    fn play(&mut self, id: BoardId, more: &str) -> bool {
        let board = self.board(id);
        let (Next::Move(seat) | Next::Ready(seat, _)) = board.position().next() else {
            return false;
        };
        let count = board.position().count();
        let nth = if count == 0 { 0 } else { self.chance.random_range(0..count) };
        let Some(text) = board.position().nth_move(nth) else { return false };
        if board.closing.is_some() {
            return false;
        }
        let user = board.player(seat).to_string();
        self.mail(&user, &format!("{} move {} {user} secret {text}{more}", id.game, id.number));
        assert_ne!(self.board(id).record.len(), board.record.len(), "{text} was refused");
        true
    }

    /// Returns the sheet of all dice of a board, as a user gets it.
    fn sheet(&self, id: BoardId) -> String {
        let board = self.board(id);
        let dice = board.dice.as_ref().unwrap();
        let key = self.home.setup.dice.find(dice.key).unwrap();
        RollSheet::new(&board, dice, key).text(&RollRange::All)
    }
}

/// Returns the text of a letter.
fn text(letter: &Letter) -> String {
    read(letter).1.replace("\r\n", "\n")
}

/// Checks the only sheet in a text.
fn checked(text: &str) -> SheetReport {
    let [sheet] = <[SheetReport; 1]>::try_from(check(text)).unwrap();
    sheet
}

/// Returns whether a game has rolls or deals.
fn has_chance(game: &dyn AnyGame, options: &str) -> bool {
    let words = options.split_whitespace();
    let options = games::Choices::parse(game.spec().options, game.spec().exclusive, words).unwrap();
    !matches!(game.setup(&options).next(), Next::Move(_))
}

fn has_option(game: &dyn AnyGame, name: &str) -> bool {
    game.spec().options.iter().any(|option| option.name == name)
}

/// Plays a number of moves on boards of all games, and returns the sheets.
fn sheets(seed: u64, boards: usize, moves: usize) -> Vec<String> {
    let mut town = DiceHome::new(seed);
    let mut sheets = Vec::new();
    for game in GAMES {
        let name = game.spec().name;
        let modes: &[&str] = match name {
            "malaka" => &["", "-d6", "-large"],
            "backgammon" => &["", "-match=3", "-force"],
            "chess" => &["-960"],
            "checkers" => &["-ballot"],
            _ if !has_option(*game, "mode") => &[""],
            _ => &["-mode=0", "-mode=1", "-mode=2"],
        };
        for number in 0..boards {
            let options = modes[number % modes.len()];
            if name == "life" && options == "-mode=2" {
                continue;
            }
            let seed = if number % 2 == 0 { "" } else { "-seed=of-alice" };
            town.home.now += DAY;
            let id = town.challenge(name, &format!("{options} {seed}"));
            for _ in 0..moves {
                if !town.play(id, "") {
                    break;
                }
            }
            assert_eq!(town.board(id).dice.is_some(), has_chance(*game, options), "{id}");
            if town.board(id).dice.is_some() {
                sheets.push(town.sheet(id));
            }
        }
    }
    sheets
}

#[test]
fn rolls_and_deals_of_all_games_are_proved() {
    let sheets = sheets(3, 2, 12);
    assert!(sheets.len() > 12, "{}", sheets.len());
    for sheet in &sheets {
        let checked = checked(sheet);
        assert!(checked.is_right(), "{checked:#?}\n{sheet}");
        assert!(checked.proved() > 0 || sheet.contains("hidden"), "{sheet}");
        assert!(sheet.lines().all(|line| line.len() <= 76), "{sheet}");
    }
    let all = sheets.concat();
    assert!(all.contains("2d6!") && all.contains("1d4") && all.contains(" deal 1\n"), "{all}");
    assert!(all.contains("hidden") && all.contains("word alice of-alice from 1"), "{all}");
    assert_eq!(check(&all).len(), sheets.len());
}

/// Plays a number of moves of a game that began from a position.
fn placed(name: &str, moves: usize) -> (DiceHome, BoardId) {
    let mut town = DiceHome::new(5);
    let id = town.challenge("backgammon", &format!("-position={name}"));
    for _ in 0..moves {
        town.play(id, "");
    }
    (town, id)
}

/// Tests games that began from positions: before a roll, with dice on the table, with a double to
/// answer, in a match, and with an ID of GNU Backgammon.
#[test]
fn games_from_positions_are_recorded_checked_and_unrated() {
    for (name, first) in [
        ("XGID=-CB--------------------bc-:0:0:1:00:0:0:0:0:10", None),
        ("XGID=-b----E-C---eE---c-e----B-:1:1:-1:52:3:4:0:5:10", Some("roll 1 2d6 52 imported")),
        ("-b----E-C---eE---c-e----B-:0:0:-1:D:3:4:0:7:10", None),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", None),
        ("4HPwATDgc/ABMA", None),
    ] {
        let (town, id) = &mut placed(name, 0);
        let id = *id;
        let board = town.board(id);
        assert!(board.terms.unrated, "{name}");
        assert_eq!(board.options.get("position"), Some(name));
        let game = games::find("backgammon").unwrap();
        let placed = game.place(&games::Choices::default(), name).unwrap();
        let men = |position: &dyn games::AnyPosition| {
            let words = position.notation();
            words
                .split(' ')
                .filter(|word| word.contains("=O") || word.contains("=X"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(men(&*board.start()), men(&*placed), "{name}");
        for _ in 0..12 {
            town.play(id, "");
        }
        let board = town.board(id);
        assert!(board.record.len() > 4, "{name}");
        let sheet = town.sheet(id);
        let report = checked(&sheet);
        assert!(report.is_right() && report.proved() > 0, "{name}: {sheet}");
        assert!(first.is_none_or(|line| sheet.contains(line)), "{sheet}");
        // The player resigns, and `check` finds the board and all data derived from it correct.
        town.say("alice", &format!("backgammon resign {} alice secret match", id.number));
        town.say("bob", &format!("backgammon accept {} bob secret", id.number));
        assert!(town.board(id).rated.is_none(), "{name}");
        let report = postboard::server::check::check(&town.home.store, town.home.now).unwrap();
        assert_eq!((report.wrong, report.mended), (Vec::<String>::new(), Vec::new()), "{name}");
        let xgid = town.say("alice", &format!("backgammon show {}#1 -export=xgid", id.number));
        assert!(xgid.contains("XGID="), "{xgid}");
        let mat = town.say("alice", &format!("backgammon show {} -export=mat", id.number));
        assert!(mat.contains("begins at the start of a game"), "{mat}");
    }
}

/// Another program may read such a line as a word of the draw.
#[test]
fn a_line_of_a_sheet_that_is_not_understood_is_named() {
    let sheet = sheets(3, 1, 6).remove(0);
    assert!(checked(&sheet).is_right(), "{sheet}");
    for line in ["salt 7", "word alice", "word alice x y from 1", "word alice x from ?", "KEY x"] {
        let at = sheet.find("\nkey ").unwrap();
        let found = checked(&format!("{}\n{line}{}", &sheet[..at], &sheet[at..]));
        let why = format!("a line of its head is not understood: {line}");
        assert!(!found.is_right() && found.wrong.contains(&why), "{line}: {found:?}");
    }
}

#[test]
fn the_dice_of_a_board_depend_on_nothing_else() {
    let [mut one, mut other] = [1, 2].map(DiceHome::new);
    let [first, second] = [&mut one, &mut other].map(|town| {
        let id = town.challenge("malaka", "");
        let moves: Vec<String> = (0..3)
            .map(|_| {
                let board = town.board(id);
                let text = board.position().nth_move(0).unwrap();
                let Next::Move(seat) = board.position().next() else { panic!() };
                let user = board.player(seat).to_string();
                town.mail(&user, &format!("malaka move 1 {user} secret {text}"));
                text
            })
            .collect();
        (moves, town.sheet(id))
    });
    assert_eq!(first, second);
}

#[test]
fn boards_from_before_are_told_apart_and_go_on() {
    let mut town = DiceHome::new(5);
    let id = town.challenge("malaka", "");
    let text = town.home.store.load(&Key::Board(id.game, id.number)).unwrap();
    let mut board: serde_json::Value = serde_json::from_str(text.text.as_ref().unwrap()).unwrap();
    board.as_object_mut().unwrap().remove("dice");
    let change = postboard::store::DocumentChange {
        key: Key::Board(id.game, id.number),
        was: text.version,
        text: board.to_string(),
    };
    let changes = vec![change];
    town.home
        .store
        .commit(postboard::store::Transaction { changes, ..Default::default() })
        .unwrap();
    assert!(town.play(id, "") && town.play(id, ""));
    assert!(town.board(id).dice.is_none() && town.board(id).drawn() == 3);
    let answer = town.say("bob", "malaka proof 1");
    assert!(answer.contains("cannot be checked"), "{answer}");
    // A seat belongs to a player, whatever the dice.
    assert_eq!(town.board(id).seat(&town.board(id).players[0].clone()), Some(Seat(0)));
}

/// Returns a letter's bytes, as a mail program gets them.
fn raw(letter: &Letter) -> Vec<u8> {
    as_sent(letter)
}
