//! Seasons of ladders with simulated players: challenges, results, leavers, players who never move and
//! vacations. `check` finds nothing, no limit is exceeded, nobody is held, and the order of places equals
//! an independent recomputation from the boards.

use crate::support::simulated::SimulatedHome;
use postboard::base::ids::UserId;
use postboard::base::time::{DAY, Time, days};
use postboard::model::board::{BoardResult, BoardStatus, ClosedBy};
use postboard::model::document::Document as _;
use postboard::model::ladder::{
    JournalStep, Ladder, LadderJournal, LadderPartId, LadderSection, Rung, ladder_journal_key,
    ladder_key, ladder_section_key,
};
use postboard::server::ShellAnswer;
use postboard::store::Key;
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::{Deref, DerefMut};

const GAME: &str = "reversi";

/// A home with a ladder.
struct Town {
    home: SimulatedHome,
    /// The userids in the order of places as these tests compute it.
    order: Vec<String>,
    /// The journal entries that were seen.
    seen: usize,
    /// When two players last ended a game.
    met: HashMap<[String; 2], Time>,
    /// The boards of the ladder so far, with their ends.
    boards: BTreeMap<u32, bool>,
    /// The userid of each membership.
    members: HashMap<u32, String>,
}

fn number(user: &UserId) -> usize {
    user.as_str()[1..].parse().unwrap()
}

fn pair(players: [&UserId; 2]) -> [String; 2] {
    let mut pair = players.map(ToString::to_string);
    pair.sort();
    pair
}

/// Drops a player by ten places.
fn drop_in(order: &mut Vec<String>, user: &str) {
    let from = order.iter().position(|known| known == user).unwrap();
    let user = order.remove(from);
    order.insert((from + 10).min(order.len()), user);
}

impl Deref for Town {
    type Target = SimulatedHome;

    fn deref(&self) -> &SimulatedHome {
        &self.home
    }
}

impl DerefMut for Town {
    fn deref_mut(&mut self) -> &mut SimulatedHome {
        &mut self.home
    }
}

impl Town {
    fn new(seed: u64, players: usize) -> Self {
        let mut town = Self {
            home: SimulatedHome::new(seed, players),
            order: Vec::new(),
            seen: 0,
            met: HashMap::new(),
            boards: BTreeMap::new(),
            members: HashMap::new(),
        };
        for player in 0..players {
            town.say(false, &format!("{GAME} ladder join p{player} secret"));
        }
        town
    }

    fn head(&self) -> Ladder {
        Ladder::from_text(&GAME, &self.text(&ladder_key(GAME)).unwrap()).unwrap()
    }

    /// Returns the players from the top.
    fn rungs(&self) -> Vec<Rung> {
        let mut rungs = Vec::new();
        for [number, players] in self.head().sections {
            let id = LadderPartId { game: GAME, number };
            let text = self.text(&ladder_section_key(GAME, number)).unwrap();
            let section = LadderSection::from_text(&id, &text).unwrap();
            assert_eq!(section.rungs.len(), players as usize);
            rungs.extend(section.rungs);
        }
        rungs
    }

    /// Players challenge others: those whom the page offers are never refused, others always are.
    fn challenge(&mut self) {
        let rungs = self.rungs();
        for _ in 0..rungs.len() / 6 {
            let rungs = self.rungs();
            let at = self.random.random_range(0..rungs.len());
            let up = self.random.random_range(1..=14).min(at);
            let (own, other) = (&rungs[at], &rungs[at - up]);
            if self.asleep.contains(&number(&own.user)) {
                continue;
            }
            let met = self.met.get(&pair([&own.user, &other.user]));
            let has_just_met = met.is_some_and(|at| self.now < *at + days(7));
            let plays = own.games.iter().any(|game| game.opponent == other.member);
            let is_free = own.outgoing() < 3 && other.incoming() < 3;
            let may = (1..=10).contains(&up) && !has_just_met && !plays && is_free;
            let line = format!("{GAME} ladder challenge {} {} secret", other.user, own.user);
            let ShellAnswer { text, is_done } = self.said(false, &line);
            assert_eq!(is_done, may, "{line}: {text}");
        }
    }

    /// Plays a day of a board: somebody moves, and after both have moved the weaker resigns sooner or
    /// later.
    fn play(&mut self, board: u32) {
        let stored = self.board(GAME, board);
        let BoardStatus::ToMove(seat) = stored.status() else { return };
        let (mover, other) = (number(stored.player(seat)), number(stored.player(seat.other())));
        if self.asleep.contains(&mover) || self.random.random_range(0..3) == 0 {
            return;
        }
        let both = games::Seat::BOTH.into_iter().all(|seat| stored.has_moved(seat));
        match self.random.random_range(0..40) {
            // A refusal before the first move.
            0 => drop(self.say(true, &format!("{GAME} resign {board} p{mover}"))),
            1 => {
                self.say(true, &format!("{GAME} propose {board} p{mover} cancel"));
                if !self.asleep.contains(&other) {
                    self.said(true, &format!("{GAME} accept {board} p{other} cancel"));
                }
            }
            2..20 if both => {
                let loser = self.loser([mover, other]);
                self.say(true, &format!("{GAME} resign {board} p{loser}"));
            }
            _ => {
                let text = stored.position().first_move().unwrap();
                self.say(true, &format!("{GAME} move {board} p{mover} {text}"));
            }
        }
    }

    /// Lets a day pass.
    fn pass(&mut self) {
        self.challenge();
        let games: BTreeSet<u32> =
            self.rungs().iter().flat_map(|rung| &rung.games).map(|game| game.board).collect();
        for board in games {
            self.play(board);
        }
        let rungs = self.rungs();
        if self.random.random_range(0..6) == 0 {
            let user = rungs.choose(&mut self.random).unwrap().user.clone();
            self.say(false, &format!("{GAME} ladder leave {user} secret"));
            if self.random.random_range(0..2) == 0 {
                self.say(false, &format!("{GAME} ladder join {user} secret"));
            }
        }
        self.send_on_vacation();
        self.now += DAY;
        self.remind();
        self.recompute();
    }

    fn journal(&self) -> Vec<postboard::model::ladder::JournalEntry> {
        let journals = (1..=self.head().journal).filter_map(|number| {
            let text = self.text(&ladder_journal_key(GAME, number))?;
            let id = LadderPartId { game: GAME, number };
            Some(LadderJournal::from_text(&id, &text).unwrap().entries)
        });
        journals.flatten().collect()
    }

    /// Computes the order of places by the written rules: from the ends of the boards, whatever the
    /// ladder says of them, and from when players joined, were idle and left.
    fn recompute(&mut self) {
        let rungs = self.rungs();
        for rung in &rungs {
            self.members.insert(rung.member, rung.user.to_string());
        }
        let journal = self.journal();
        for entry in &journal[self.seen..] {
            match entry.step {
                JournalStep::Joined(member) => {
                    // A membership that came and went within the day has no name.
                    let name = self.members.entry(member).or_insert_with(|| format!("m{member}"));
                    self.order.push(name.clone());
                }
                JournalStep::Idled(member) => drop_in(&mut self.order, &self.members[&member]),
                JournalStep::Left(member) => {
                    let name = &self.members[&member];
                    self.order.retain(|known| known != name);
                }
                JournalStep::Ended { board, .. } => self.end(board),
            }
        }
        self.seen = journal.len();
        let places: Vec<String> = rungs.iter().map(|rung| rung.user.to_string()).collect();
        assert_eq!(places, self.order, "{}", self.now);
        for rung in &rungs {
            assert!(rung.outgoing() <= 3 && rung.incoming() <= 3, "{rung:?}");
            assert!(!rung.leaving, "{} is held", rung.user);
            for game in &rung.games {
                assert!(
                    !self.board(GAME, game.board).is_over(),
                    "{} is held by {game:?}",
                    rung.user
                );
                self.boards.entry(game.board).or_insert(false);
            }
        }
    }

    /// Applies the end of a board to the order of places.
    fn end(&mut self, number: u32) {
        let board = self.board(GAME, number);
        assert!(board.is_of_ladder && board.is_over());
        assert_ne!(self.boards.insert(number, true), Some(true), "{number} ends once");
        let [one, other] = [&board.players[0], &board.players[1]];
        self.met.insert(pair([one, other]), board.ended_at().unwrap());
        let (winner, is_timeout) = match (board.closing, board.result()) {
            (Some(closing), _) if matches!(closing.by, ClosedBy::Aborting | ClosedBy::Agreeing) => {
                return;
            }
            (Some(closing), _) => {
                let timeout = matches!(closing.by, ClosedBy::Forfeiting | ClosedBy::Lapsing);
                (games::Seat(closing.seat).other(), timeout)
            }
            (None, Some(BoardResult::Won(winner))) => (winner, false),
            (None, _) => return,
        };
        let (winner, loser) = (board.player(winner).to_string(), board.player(winner.other()));
        let loser = loser.to_string();
        let place =
            |order: &[String], user: &str| order.iter().position(|known| known == user).unwrap();
        let (from, to) = (place(&self.order, &winner), place(&self.order, &loser));
        if from > to {
            self.order.remove(from);
            self.order.insert(to, winner);
        }
        if is_timeout {
            drop_in(&mut self.order, &loser);
        }
    }
}

/// Plays a season, and returns how many games ended and how many players are left.
fn season(seed: u64, players: usize, days: usize) -> (usize, usize) {
    let mut town = Town::new(seed, players);
    town.recompute();
    for day in 0..days {
        town.pass();
        if day % 30 == 0 {
            town.assert_sound();
        }
    }
    town.assert_sound();
    (town.boards.values().filter(|is_over| **is_over).count(), town.rungs().len())
}

#[test]
fn a_short_season_keeps_the_rules() {
    let (games, players) = season(1, 14, 40);
    assert!(games > 10 && players > 5, "{games} {players}");
}

/// Replaces a part of a document, and returns what `check` says.
fn check_after(town: &mut Town, key: &Key, change: impl Fn(&str) -> String) -> Vec<String> {
    let before = town.text(key).unwrap();
    town.change(key, |text| change(&text));
    assert_ne!(town.text(key).as_ref(), Some(&before), "{key}");
    let complaints = town.complaints();
    town.change(key, |_| before.clone());
    complaints
}

/// Exchanges two words of a text.
fn exchanged(text: &str, one: &str, other: &str) -> String {
    text.replace(one, "@").replace(other, one).replace('@', other)
}

#[test]
fn check_says_what_differs_from_the_journal_and_the_boards() {
    let mut town = Town::new(1, 5);
    town.asleep.clear();
    for (by, opponent) in [(3, 1), (4, 0), (2, 0)] {
        town.say(false, &format!("{GAME} ladder challenge p{opponent} p{by} secret"));
    }
    town.say(true, &format!("{GAME} resign 1 p1"));
    town.assert_sound();
    let (head, section) = (ladder_key(GAME), ladder_section_key(GAME, 1));
    let journal = ladder_journal_key(GAME, 1);
    let mut says = |key: &Key, change: &dyn Fn(&str) -> String| check_after(&mut town, key, change);
    assert_eq!(
        says(&section, &|text| exchanged(text, "\"member\":2,", "\"member\":4,")),
        [
            "reversi 1 ended otherwise than its ladder says",
            "the places of the reversi ladder differ \
          from its journal"
        ]
    );
    assert_eq!(
        says(&head, &|text| text.replace("[1,5]", "[1,4]")),
        ["the reversi ladder counts other players than its sections have"]
    );
    assert_eq!(
        says(&journal, &|text| text.replace("\"winner\":0", "\"winner\":1")),
        [
            "reversi 1 ended otherwise than its ladder says",
            "the places of the reversi ladder differ \
          from its journal"
        ]
    );
    assert_eq!(
        says(&journal, &|text| text.replace("\"board\":1,", "\"board\":2,")),
        ["reversi 2 ended otherwise than its ladder says", "the ladder has no result of reversi 1"]
    );
    assert_eq!(
        says(&section, &|text| text.replace("\"board\":2,", "\"board\":1,")),
        [
            "reversi 1 is over, but goes on in the ladder",
            "reversi 2 is in progress, but not on the \
          ladder"
        ]
    );
    let user = Key::In(postboard::model::user::COLLECTION, "p3".into());
    assert_eq!(
        says(&user, &|text| text.replace("\"reversi\": 1", "\"reversi\": 7")),
        ["the ladders of p3 differ from their sections"]
    );
}

#[test]
#[ignore = "takes minutes"]
fn seasons_of_sixty_players_keep_the_rules() {
    for seed in 1..=5 {
        let (games, players) = season(seed, 60, 200);
        assert!(games > 300 && players > 20, "seed {seed}: {games} {players}");
    }
}

#[test]
fn a_long_ladder_is_split_into_sections() {
    let mut town = Town::new(3, 70);
    let sections: Vec<u32> = town.head().sections.iter().map(|[_, players]| *players).collect();
    assert_eq!(sections, [32, 38]);
    town.asleep.clear();
    // The winner changes the section with the place.
    town.say(false, &format!("{GAME} ladder challenge p30 p38 secret"));
    town.say(true, &format!("{GAME} resign 1 p30"));
    let place = town.rungs().iter().position(|rung| rung.user.as_str() == "p38");
    assert_eq!(place, Some(30));
    town.recompute();
    town.assert_sound();
}
