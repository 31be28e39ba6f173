//! Laws of ladders, on random courses: the order is the one that the journal says, every player has
//! one place, no limit is exceeded, and nobody is kept from leaving.

use super::change::LadderWriter;
use super::journal::{JournalEntry, JournalStep};
use super::reader::{ChallengeBar, LadderReader, LadderStart};
use super::rung::{Ladder, LadderEnd, LadderEvent, LadderSection, Rung, rules};
use crate::base::ids::UserId;
use crate::base::time::{DAY, Span, Time, days};
use crate::model::document::Document as _;
use crate::model::tournament::DecidedBy;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const START: Time = Time::from_unix(1_795_238_400);

/// A ladder in memory.
#[derive(Debug)]
struct MemoryLadder {
    head: Ladder,
    sections: BTreeMap<u32, LadderSection>,
    users: BTreeMap<String, u32>,
    journal: Vec<JournalEntry>,
}

impl LadderReader for MemoryLadder {
    fn head(&self) -> Option<&Ladder> {
        Some(&self.head)
    }

    fn section(&self, number: u32) -> Option<&LadderSection> {
        self.sections.get(&number)
    }

    fn section_of(&self, user: &UserId) -> Option<u32> {
        self.users.get(user.as_str()).copied()
    }
}

impl LadderWriter for MemoryLadder {
    fn head_mut(&mut self) -> Option<&mut Ladder> {
        Some(&mut self.head)
    }

    fn section_mut(&mut self, number: u32) -> Option<&mut LadderSection> {
        self.sections.get_mut(&number)
    }

    fn add_section(&mut self, section: LadderSection) {
        self.sections.insert(section.id().number, section);
    }

    fn set_section_of(&mut self, user: &UserId, section: Option<u32>) {
        match section {
            Some(section) => self.users.insert(user.to_string(), section),
            None => self.users.remove(user.as_str()),
        };
    }

    fn record(&mut self, entry: JournalEntry) {
        self.journal.push(entry);
    }
}

fn user(number: usize) -> UserId {
    UserId::parse(&format!("p{number}")).unwrap()
}

fn end(
    board: u32,
    players: [usize; 2],
    winner: Option<usize>,
    by: DecidedBy,
    at: Time,
) -> LadderEvent {
    LadderEvent::Ended(LadderEnd { board, players: players.map(user), winner, by, at })
}

impl MemoryLadder {
    fn new() -> Self {
        let head = Ladder::new("reversi");
        Self { head, sections: BTreeMap::new(), users: BTreeMap::new(), journal: Vec::new() }
    }

    /// Builds a ladder with players in the order of their numbers, in sections of `size`.
    fn with(players: usize, size: usize) -> Self {
        let mut ladder = Self::new();
        for number in 0..players {
            ladder.happens(LadderEvent::Joined { user: user(number), at: START });
            let last = ladder.head.sections.last().unwrap()[0];
            if ladder.sections[&last].rungs.len() >= 2 * size {
                ladder.happens(LadderEvent::Split { section: last });
            }
        }
        ladder
    }

    #[expect(clippy::needless_pass_by_value, reason = "events are built at each call")]
    fn happens(&mut self, event: LadderEvent) {
        assert_eq!(self.apply(&event), Some(()), "{event:?}");
    }

    fn rungs(&self) -> impl Iterator<Item = &Rung> {
        let sections = self.head.sections.iter().map(|[number, _]| &self.sections[number]);
        sections.flat_map(|section| &section.rungs)
    }

    fn order(&self) -> Vec<&str> {
        self.rungs().map(|rung| rung.user.as_str()).collect()
    }

    fn rung_of(&self, number: usize) -> &Rung {
        self.rung(&user(number)).unwrap()
    }

    /// Checks everything that always holds.
    fn check(&self) {
        let mut replayed = Vec::new();
        for entry in &self.journal {
            assert_eq!(entry.step.replay(&mut replayed), Some(()), "{entry:?}");
        }
        let members: Vec<u32> = self.rungs().map(|rung| rung.member).collect();
        assert_eq!(members, replayed, "the order is the journal's");
        let distinct: BTreeSet<u32> = members.iter().copied().collect();
        assert_eq!(distinct.len(), members.len(), "nobody is on two places");
        for [number, players] in &self.head.sections {
            assert_eq!(self.sections[number].rungs.len(), *players as usize);
        }
        assert_eq!(self.users.len(), members.len());
        let boards = |rung: &Rung| rung.games.clone();
        for (rung, place) in self.rungs().zip(1..) {
            assert_eq!(self.place(&rung.user), Some(place));
            assert_eq!(self.at(place).map(|found| &found.user), Some(&rung.user));
            assert!(rung.outgoing() <= rules::MOST_GAMES && rung.incoming() <= rules::MOST_GAMES);
            assert!(!(rung.leaving && rung.games.is_empty()), "{} is held", rung.user);
            for game in boards(rung) {
                let other = self.rungs().find(|other| other.member == game.opponent).unwrap();
                let is_same = |theirs: &&super::LadderGame| {
                    theirs.board == game.board && theirs.challenger != game.challenger
                };
                assert!(other.games.iter().any(|theirs| is_same(&theirs)), "{game:?}");
            }
        }
    }

    /// Returns the games in progress: board, challenger and challenged player.
    fn games(&self) -> Vec<(u32, [UserId; 2])> {
        let own = self.rungs().flat_map(|rung| rung.games.iter().map(move |game| (rung, game)));
        let begun = own.filter(|(_, game)| game.challenger);
        begun
            .map(|(rung, game)| {
                let other = self.rungs().find(|other| other.member == game.opponent).unwrap();
                (game.board, [rung.user.clone(), other.user.clone()])
            })
            .collect()
    }
}

/// A step of a random course. Numbers choose among what is possible.
#[derive(Clone, Debug)]
enum Act {
    Join,
    Challenge(usize, usize),
    End(usize, usize, bool),
    Leave(usize),
    Wait(i64),
    Split(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => Just(Act::Join),
        8 => (any::<usize>(), 1_usize..15).prop_map(|(one, up)| Act::Challenge(one, up)),
        6 => (any::<usize>(), 0_usize..3, any::<bool>())
            .prop_map(|(game, winner, time)| Act::End(game, winner, time)),
        1 => any::<usize>().prop_map(Act::Leave),
        1 => (1_i64..40).prop_map(Act::Wait),
        1 => any::<usize>().prop_map(Act::Split),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_course_keeps_the_laws(
        players in 1_usize..60,
        size in 2_usize..20,
        acts in prop::collection::vec(act(), 1..150),
    ) {
        let mut ladder = MemoryLadder::with(players, size);
        let (mut now, mut joined, mut board) = (START, players, 0);
        for act in acts {
            let count = ladder.order().len();
            match act {
                Act::Join => {
                    ladder.happens(LadderEvent::Joined { user: user(joined), at: now });
                    joined += 1;
                }
                Act::Challenge(..) | Act::Leave(_) | Act::Split(_) if count == 0 => {}
                Act::Challenge(one, up) => {
                    let place = 1 + one % count;
                    let Some(above) = place.checked_sub(up).filter(|above| *above > 0) else { continue };
                    let at = |place: usize| ladder.at(u32::try_from(place).unwrap()).unwrap();
                    let players = [at(place), at(above)].map(|rung| rung.user.clone());
                    if ladder.check_challenge(&players[0], &players[1], now).is_ok() {
                        board += 1;
                        ladder.happens(LadderEvent::Challenged { board, players });
                    }
                }
                Act::End(game, winner, on_time) => {
                    let games = ladder.games();
                    if games.is_empty() { continue }
                    let (board, players) = games[game % games.len()].clone();
                    let winner = (winner < 2).then_some(winner);
                    let by = if on_time && winner.is_some() { DecidedBy::Time } else { DecidedBy::Play };
                    let end = LadderEnd { board, players: players.clone(), winner, by, at: now };
                    ladder.happens(LadderEvent::Ended(end));
                    if let (Some(winner), DecidedBy::Play) = (winner, by) {
                        let places = players.each_ref().map(|player| ladder.place(player));
                        if let [Some(one), Some(other)] = places {
                            prop_assert_eq!(one < other, winner == 0);
                        }
                    }
                }
                Act::Leave(one) => {
                    let user = ladder.rungs().nth(one % count).unwrap().user.clone();
                    ladder.happens(LadderEvent::Leaving { user, at: now });
                }
                Act::Wait(days) => {
                    now += Span::times(days, DAY);
                    let due = |rung: &&Rung| rung.drops_at().is_some_and(|at| at <= now);
                    let due: Vec<UserId> = ladder.rungs().filter(due).map(|rung| rung.user.clone()).collect();
                    for user in due {
                        ladder.happens(LadderEvent::Idled { user, at: now });
                    }
                    prop_assert!(ladder.rungs().all(|rung| rung.drops_at().is_none_or(|at| at > now)));
                }
                Act::Split(one) => {
                    let sections = &ladder.head.sections;
                    let [section, players] = sections[one % sections.len()];
                    if players > 1 {
                        ladder.happens(LadderEvent::Split { section });
                    }
                }
            }
            ladder.check();
        }
        // All documents are read as they were written.
        let text = ladder.head.to_text();
        prop_assert_eq!(Ladder::from_text(&"reversi", &text).unwrap(), ladder.head.clone());
        for section in ladder.sections.values() {
            let read = LadderSection::from_text(&section.id(), &section.to_text()).unwrap();
            prop_assert_eq!(&read, section);
        }
    }
}

#[test]
fn the_winner_takes_the_place_just_above_the_loser() {
    for size in [2, 3, 20] {
        let mut ladder = MemoryLadder::with(6, size);
        let players = [user(4), user(1)];
        ladder.happens(LadderEvent::Challenged { board: 1, players });
        ladder.happens(end(1, [4, 1], Some(0), DecidedBy::Play, START));
        assert_eq!(ladder.order(), ["p0", "p4", "p1", "p2", "p3", "p5"]);
        // A challenged player who wins stays where they are; a draw changes nothing.
        for winner in [Some(1), None] {
            ladder.happens(LadderEvent::Challenged { board: 2, players: [user(5), user(0)] });
            ladder.happens(end(2, [5, 0], winner, DecidedBy::Play, START));
            assert_eq!(ladder.order(), ["p0", "p4", "p1", "p2", "p3", "p5"]);
        }
        ladder.check();
    }
}

#[test]
fn a_timeout_drops_and_the_winner_profits() {
    let mut ladder = MemoryLadder::with(30, 7);
    ladder.happens(LadderEvent::Challenged { board: 1, players: [user(9), user(4)] });
    ladder.happens(end(1, [9, 4], Some(0), DecidedBy::Time, START));
    assert_eq!(ladder.place(&user(9)), Some(5));
    assert_eq!(ladder.place(&user(4)), Some(16), "place 6, then ten places down");
    // The challenger who runs out of time drops, too; the winner keeps the place.
    ladder.happens(LadderEvent::Challenged { board: 2, players: [user(8), user(3)] });
    ladder.happens(end(2, [8, 3], Some(1), DecidedBy::Time, START));
    assert_eq!((ladder.place(&user(3)), ladder.place(&user(8))), (Some(4), Some(19)));
    // Nobody drops below the bottom.
    ladder.happens(LadderEvent::Challenged { board: 3, players: [user(29), user(28)] });
    ladder.happens(end(3, [29, 28], Some(1), DecidedBy::Time, START));
    assert_eq!(ladder.place(&user(29)), Some(30));
    ladder.check();
}

#[test]
fn three_timeouts_in_a_row_end_a_membership() {
    let mut ladder = MemoryLadder::with(12, 20);
    for board in 1..=3 {
        ladder
            .happens(LadderEvent::Challenged { board, players: [user(11), user(board as usize)] });
    }
    ladder.happens(LadderEvent::Challenged { board: 4, players: [user(10), user(5)] });
    ladder.happens(end(1, [11, 1], Some(1), DecidedBy::Time, START));
    ladder.happens(end(2, [11, 2], Some(1), DecidedBy::Time, START));
    ladder.happens(end(4, [10, 5], Some(0), DecidedBy::Play, START));
    assert_eq!(ladder.rung_of(11).timeouts, 2);
    ladder.happens(end(3, [11, 3], Some(1), DecidedBy::Time, START));
    assert_eq!(ladder.place(&user(11)), None);
    assert_eq!(ladder.journal.last().unwrap().step, JournalStep::Left(12));
    ladder.check();
}

#[test]
fn a_finished_game_ends_a_row_of_timeouts() {
    let mut ladder = MemoryLadder::with(12, 20);
    for (board, by) in [(1, DecidedBy::Time), (2, DecidedBy::Time), (3, DecidedBy::Play)] {
        ladder
            .happens(LadderEvent::Challenged { board, players: [user(11), user(board as usize)] });
        ladder.happens(end(board, [11, board as usize], Some(1), by, START));
    }
    assert_eq!(ladder.rung_of(11).timeouts, 0);
}

#[test]
fn who_is_idle_drops_each_week_and_leaves_after_three_months() {
    let mut ladder = MemoryLadder::with(40, 10);
    let rung = ladder.rung_of(0);
    assert_eq!(rung.drops_at(), Some(START + days(30)));
    let at = START + days(30);
    ladder.happens(LadderEvent::Idled { user: user(0), at });
    assert_eq!(ladder.place(&user(0)), Some(11));
    assert_eq!(ladder.rung_of(0).drops_at(), Some(at + days(7)));
    // A player with a game is not idle, however long it lasts; after it, the time begins anew.
    ladder.happens(LadderEvent::Challenged { board: 1, players: [user(0), user(3)] });
    assert_eq!(ladder.rung_of(0).drops_at(), None);
    ladder.happens(end(1, [0, 3], Some(1), DecidedBy::Play, at));
    assert_eq!(ladder.rung_of(0).drops_at(), Some(at + days(30)));
    ladder.happens(LadderEvent::Idled { user: user(1), at: START + days(90) });
    assert_eq!(ladder.place(&user(1)), None);
    ladder.check();
}

#[test]
fn challenges_are_barred_for_written_reasons() {
    let mut ladder = MemoryLadder::with(40, 10);
    let check = |ladder: &MemoryLadder, by: usize, opponent: usize, now: Time| {
        ladder.check_challenge(&user(by), &user(opponent), now)
    };
    assert_eq!(check(&ladder, 99, 0, START), Err(ChallengeBar::NotOn));
    assert_eq!(check(&ladder, 5, 99, START), Err(ChallengeBar::OpponentNotOn));
    assert_eq!(check(&ladder, 5, 5, START), Err(ChallengeBar::Yourself));
    assert_eq!(check(&ladder, 5, 6, START), Err(ChallengeBar::Below));
    assert_eq!(check(&ladder, 20, 10, START), Ok(()));
    assert_eq!(check(&ladder, 20, 9, START), Err(ChallengeBar::TooFar { highest: 11 }));
    for (board, opponent) in [(1, 10), (2, 11), (3, 12)] {
        ladder.happens(LadderEvent::Challenged { board, players: [user(20), user(opponent)] });
    }
    assert_eq!(check(&ladder, 20, 10, START), Err(ChallengeBar::Playing));
    assert_eq!(check(&ladder, 20, 13, START), Err(ChallengeBar::Outgoing));
    for (board, by) in [(4, 19), (5, 18)] {
        ladder.happens(LadderEvent::Challenged { board, players: [user(by), user(10)] });
    }
    assert_eq!(check(&ladder, 17, 10, START), Err(ChallengeBar::Incoming));
    ladder.happens(end(1, [20, 10], Some(1), DecidedBy::Play, START));
    let until = START + days(7);
    assert_eq!(check(&ladder, 20, 10, START), Err(ChallengeBar::Rematch { until }));
    assert_eq!(check(&ladder, 20, 10, until), Ok(()));
    assert_eq!(check(&ladder, 17, 10, START), Ok(()));
    // Nor can the one who lost the place challenge back.
    ladder.happens(end(2, [20, 11], Some(0), DecidedBy::Play, START));
    assert_eq!(check(&ladder, 11, 20, START), Err(ChallengeBar::Rematch { until }));
    assert_eq!(check(&ladder, 11, 20, until), Ok(()));
    // In a long ladder the range is a tenth of the way to the top.
    let ladder = MemoryLadder::with(200, 10);
    assert_eq!(check(&ladder, 199, 179, START), Ok(()));
    assert_eq!(check(&ladder, 199, 178, START), Err(ChallengeBar::TooFar { highest: 180 }));
}

#[test]
fn who_leaves_stays_until_their_games_are_over() {
    let mut ladder = MemoryLadder::with(6, 3);
    ladder.happens(LadderEvent::Challenged { board: 1, players: [user(4), user(1)] });
    ladder.happens(LadderEvent::Leaving { user: user(1), at: START });
    assert!(ladder.rung_of(1).leaving);
    let found = ladder.check_challenge(&user(3), &user(1), START);
    assert_eq!(found, Err(ChallengeBar::OpponentNotOn));
    let found = ladder.check_challenge(&user(1), &user(0), START);
    assert_eq!(found, Err(ChallengeBar::NotOn));
    ladder.happens(end(1, [4, 1], Some(0), DecidedBy::Leaving, START));
    assert_eq!(ladder.order(), ["p0", "p4", "p2", "p3", "p5"]);
    ladder.happens(LadderEvent::Leaving { user: user(0), at: START });
    assert_eq!(ladder.order(), ["p4", "p2", "p3", "p5"]);
    ladder.check();
}

#[test]
fn an_event_without_its_documents_changes_nothing() {
    let mut ladder = MemoryLadder::with(30, 5);
    ladder.happens(LadderEvent::Challenged { board: 1, players: [user(9), user(4)] });
    let below = ladder.head.find(15).unwrap().0;
    let lost = ladder.sections.remove(&below).unwrap();
    let before = format!("{ladder:?}");
    assert_eq!(ladder.apply(&end(1, [9, 4], Some(0), DecidedBy::Time, START)), None);
    assert_eq!(ladder.apply(&LadderEvent::Idled { user: user(4), at: START + days(31) }), None);
    assert_eq!(ladder.apply(&LadderEvent::Leaving { user: user(99), at: START }), None);
    assert_eq!(format!("{ladder:?}"), before);
    ladder.sections.insert(below, lost);
    ladder.happens(end(1, [9, 4], Some(0), DecidedBy::Time, START));
    ladder.check();
}

#[test]
fn a_head_that_was_edited_by_hand_overflows_nothing() {
    let mut ladder = MemoryLadder::with(2, 1);
    let [first, second] = [0, 1].map(|index| ladder.head.sections[index][0]);
    ladder.head.sections = vec![[first, u32::MAX], [second, u32::MAX]];
    assert_eq!(ladder.head.players(), u32::MAX);
    assert_eq!(ladder.head.above(second), Some(u32::MAX));
    assert_eq!(ladder.head.sections_of(1..=3), [first]);
    assert_eq!(ladder.place(&user(1)), Some(u32::MAX));
}

#[test]
fn a_page_begins_at_a_place_or_has_a_player_in_the_middle() {
    let ladder = MemoryLadder::with(100, 9);
    assert_eq!(ladder.page(&LadderStart::Place(1), 20), Some(1..=20));
    assert_eq!(ladder.page(&LadderStart::Place(91), 20), Some(91..=100));
    assert!(ladder.page(&LadderStart::Place(u32::MAX), 20).unwrap().is_empty());
    assert_eq!(ladder.page(&LadderStart::Player(user(49)), 20), Some(40..=59));
    assert_eq!(ladder.page(&LadderStart::Player(user(2)), 20), Some(1..=20));
    assert_eq!(ladder.page(&LadderStart::Player(user(99)), 20), Some(81..=100));
    assert_eq!(ladder.page(&LadderStart::Player(user(100)), 20), None);
    assert_eq!(ladder.head.sections_of(1..=20).len(), 3);
}
