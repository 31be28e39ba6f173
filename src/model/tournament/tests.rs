//! Laws of the formats, on random tournaments, and examples of tables.

use super::colours::{SeatHistory, Strength, clash};
use super::divisions::{Finish, movers, seasonal, sizes};
use super::*;
use crate::base::ids::UserId;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;

/// A random tournament.
struct Play {
    random: ChaCha20Rng,
    format: Format,
    field: Field,
    /// How many of 100 games are drawn.
    draws: u32,
    /// How many of 100 players leave in each round.
    leavers: u32,
    /// The number of the latest board.
    boards: u32,
}

fn user(number: usize) -> UserId {
    UserId::parse(&format!("p{number}")).unwrap()
}

fn field(ratings: impl IntoIterator<Item = i32>) -> Field {
    let entrant = |(number, rating)| Entrant { user: user(number), rating, left: false };
    Field::new(ratings.into_iter().enumerate().map(entrant).collect())
}

impl Play {
    fn new(seed: u64, format: Format, players: usize) -> Self {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        let field = field((0..players).map(|_| random.random_range(1200..2200)));
        Self { random, format, field, draws: 20, leavers: 0, boards: 0 }
    }

    /// Begins the games of a round.
    fn begin(&mut self, pairings: &RoundPairings) {
        let round = self.field.round() + 1;
        for pair in &pairings.pairs {
            self.boards += 1;
            let Pair { group, players } = *pair;
            let board = self.boards;
            self.field.games.push(Game { round, group, players, board, verdict: None });
        }
        self.field
            .byes
            .extend(pairings.byes.iter().map(|entrant| Bye { round, entrant: *entrant }));
    }

    /// Lets players leave, and ends all games.
    fn play(&mut self) {
        for entrant in 0..self.field.entrants.len() {
            if self.random.random_range(0..100) < self.leavers && !self.field.entrants[entrant].left
            {
                // Some have finished games before.
                self.finish(50);
                leave(&mut self.field, entrant);
            }
        }
        self.finish(100);
    }

    fn finish(&mut self, percent: u32) {
        for game in self.field.games.iter_mut().filter(|game| game.verdict.is_none()) {
            if self.random.random_range(0..100) >= percent {
                continue;
            }
            let [first, second] =
                game.players.map(|one| f64::from(self.field.entrants[one].rating));
            let expected = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
            let result = if self.random.random_range(0..100) < self.draws {
                GameResult::Draw
            } else if self.random.random_bool(expected) {
                GameResult::First
            } else {
                GameResult::Second
            };
            game.verdict = Some(Verdict { result, by: DecidedBy::Play });
        }
    }

    /// Plays a tournament to its end. `check` sees the field before each round, and its pairings.
    fn run(&mut self, mut check: impl FnMut(&Field, &RoundPairings)) {
        while let Some(pairings) = self.format.next_round(&self.field) {
            check(&self.field, &pairings);
            assert!(self.field.round() < 100, "{:?} does not end", self.format);
            let mut paired: Vec<_> = pairings.pairs.iter().flat_map(|pair| pair.players).collect();
            paired.extend(&pairings.byes);
            assert!(paired.iter().all(|one| !self.field.entrants[*one].left), "a leaver is paired");
            self.begin(&pairings);
            self.play();
        }
    }
}

/// Lets an entrant leave; their unfinished games are lost.
fn leave(field: &mut Field, entrant: EntrantIndex) {
    field.entrants[entrant].left = true;
    for game in field.games.iter_mut().filter(|game| game.verdict.is_none()) {
        let result = match game.seat_of(entrant) {
            Some(0) => GameResult::Second,
            Some(_) => GameResult::First,
            None => continue,
        };
        game.verdict = Some(Verdict { result, by: DecidedBy::Leaving });
    }
}

/// Returns the entrants of the pairs and byes of a round, sorted, each as often as paired.
fn paired(pairings: &RoundPairings) -> Vec<EntrantIndex> {
    let mut all: Vec<_> = pairings.pairs.iter().flat_map(|pair| pair.players).collect();
    all.extend(&pairings.byes);
    all.sort_unstable();
    all
}

fn balance(field: &Field, entrant: EntrantIndex) -> i64 {
    SeatHistory::of(field, entrant).balance()
}

#[test]
fn in_a_round_robin_everybody_meets_everybody_of_the_division_once() {
    for seed in 0..1000 {
        let players = 2 + (seed % 59) as usize;
        let division = 3 + (seed % 10) as usize;
        let mut play = Play::new(seed, Format::RoundRobin { division }, players);
        play.run(|_, _| ());
        let field = &play.field;
        assert_eq!(field.round(), 1);
        let groups: Vec<_> = (0..field.groups(1)).map(|group| field.members(1, group)).collect();
        assert_eq!(groups.concat(), (0..players).collect::<Vec<_>>(), "divisions follow ratings");
        let lengths: Vec<_> = groups.iter().map(Vec::len).collect();
        let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
        assert!(most - least <= 1 && *most <= division && *least >= 2, "{lengths:?}");
        for (group, members) in groups.iter().enumerate() {
            for one in members {
                let mut met: Vec<_> =
                    field.games_of(*one).filter_map(|game| game.opponent_of(*one)).collect();
                met.push(*one);
                met.sort_unstable();
                assert_eq!(met, *members);
                assert!(field.games_of(*one).all(|game| game.group == group));
                assert!(balance(field, *one).abs() <= 1, "{members:?}");
            }
        }
    }
}

#[test]
fn in_a_season_divisions_have_their_sizes_and_winners_go_up() {
    let mut random = ChaCha20Rng::seed_from_u64(1);
    for _ in 0..2000 {
        let most = random.random_range(3..=12);
        let players: usize = random.random_range(2..=60);
        let mut finishes: Vec<Option<Finish>> = Vec::new();
        let divided = sizes(players, most);
        for (division, size) in divided.iter().enumerate() {
            finishes.extend((1..=*size).map(|place| {
                Some(Finish { division, divisions: divided.len(), place, size: *size })
            }));
        }
        // Some leave, some come, and all are seeded by rating.
        let leavers = random.random_range(0..=30);
        finishes.retain(|_| random.random_range(0..100) >= leavers);
        let newcomers = random.random_range(0..=8);
        finishes.extend((0..newcomers).map(|_| None));
        for at in (1..finishes.len()).rev() {
            finishes.swap(at, random.random_range(0..=at));
        }
        let next = seasonal(&finishes, most);
        let lengths: Vec<_> = next.iter().map(Vec::len).collect();
        assert_eq!(lengths, sizes(finishes.len(), most));
        let mut all = next.concat();
        all.sort_unstable();
        assert_eq!(all, (0..finishes.len()).collect::<Vec<_>>(), "everybody is in one division");
        for (division, members) in next.iter().enumerate() {
            for finish in members.iter().filter_map(|member| finishes[*member]) {
                let is_first = finish.place <= movers(finish.size);
                if is_first && finish.division > 0 && newcomers == 0 && finish.division < next.len()
                {
                    assert!(division < finish.division, "{finish:?} is in {division}");
                }
            }
        }
    }
}

#[test]
fn a_full_season_moves_the_first_two_up_and_the_last_two_down() {
    let finish = |division, place| Some(Finish { division, divisions: 3, place, size: 6 });
    let finishes: Vec<_> =
        (0..3).flat_map(|division| (1..=6).map(move |place| finish(division, place))).collect();
    let next = seasonal(&finishes, 6);
    assert_eq!(next[0], [0, 1, 2, 3, 6, 7]);
    assert_eq!(next[1], [4, 5, 8, 9, 12, 13]);
    assert_eq!(next[2], [10, 11, 14, 15, 16, 17]);
    // The first of the second division leaves: the next one who stayed there goes up instead.
    let mut finishes = finishes;
    finishes.remove(6);
    finishes.push(None);
    let next = seasonal(&finishes, 6);
    assert_eq!(next[0], [0, 1, 2, 3, 6, 7], "the third of the second division is 7 now");
    assert!(next[2].contains(&17), "the newcomer begins in the last division");
}

#[test]
fn a_cup_ends_with_one_winner_and_no_group_above_its_size() {
    for seed in 0..1000 {
        let players = 2 + (seed % 63) as usize;
        let group = 3 + (seed % 8) as usize;
        let mut play = Play::new(seed, Format::Cup { group }, players);
        play.leavers = if seed % 3 == 0 { 5 } else { 0 };
        let mut players_left = usize::MAX;
        play.run(|field, pairings| {
            let all: std::collections::BTreeSet<_> = paired(pairings).into_iter().collect();
            assert!(all.len() < players_left, "winners alone go on");
            players_left = all.len();
            let mut of_groups = vec![std::collections::BTreeSet::new(); all.len()];
            for pair in &pairings.pairs {
                of_groups[pair.group].extend(pair.players);
            }
            assert!(of_groups.iter().all(|members| members.len() <= group));
            if field.round() == 0 {
                assert_eq!(all, field.active().collect());
            }
        });
        let field = &play.field;
        for one in 0..field.entrants.len() {
            for round in 1..=field.round() {
                let seats = field.games_of(one).filter(|game| game.round == round);
                let seats = seats.map(|game| if game.seat_of(one) == Some(0) { 1 } else { -1_i64 });
                assert!(seats.sum::<i64>().abs() <= 1);
            }
        }
        assert!(cup::winners(field, field.round()).len() <= 1);
        assert_eq!(tables::ranking(play.format, field).len(), players);
    }
}

#[test]
fn an_elimination_knocks_out_all_but_one() {
    for seed in 0..2000 {
        let players = 2 + (seed % 63) as usize;
        let lives = 1 + (seed % 2) as usize;
        let mut play = Play::new(seed, Format::KnockOut { lives }, players);
        play.leavers = if seed % 3 == 0 { 3 } else { 0 };
        play.run(|field, pairings| {
            assert_eq!(paired(pairings), knockout::survivors(field, lives));
            let is_last = knockout::survivors(field, lives).len() == 2;
            for pair in &pairings.pairs {
                let balances = pair.players.map(|one| balance(field, one));
                assert!(balances[0] <= balances[1], "{balances:?}");
                let losses = pair.players.map(|one| knockout::losses(field, one));
                assert!(losses[0] == losses[1] || is_last);
            }
            for bye in &pairings.byes {
                let level = knockout::losses(field, *bye);
                let fewest = knockout::survivors(field, lives).into_iter();
                let fewest = fewest.filter(|one| knockout::losses(field, *one) == level);
                assert_eq!(Some(field.byes_of(*bye)), fewest.map(|one| field.byes_of(one)).min());
            }
        });
        let field = &play.field;
        assert!(knockout::survivors(field, lives).len() <= 1);
        if lives == 1 {
            assert!(field.round() <= players.next_power_of_two().ilog2(), "{players}");
        }
        if play.leavers == 0 {
            let lost: usize = (0..players).map(|one| knockout::losses(field, one)).sum();
            assert!(lost == lives * (players - 1) || lost == lives * players - 1);
        }
        let ranking = tables::ranking(play.format, field);
        assert_eq!(ranking.len(), players);
        assert_eq!(
            knockout::survivors(field, lives).first(),
            ranking.first().filter(|one| { knockout::survivors(field, lives).contains(one) })
        );
    }
}

#[test]
fn favourites_meet_late_in_an_elimination() {
    let mut play = Play::new(7, Format::KnockOut { lives: 1 }, 8);
    while let Some(pairings) = play.format.next_round(&play.field) {
        play.begin(&pairings);
        for game in play.field.games.iter_mut().filter(|game| game.verdict.is_none()) {
            let first = game.players[0] < game.players[1];
            let result = if first { GameResult::First } else { GameResult::Second };
            game.verdict = Some(Verdict { result, by: DecidedBy::Play });
        }
    }
    let meet = |round| {
        let of_round = play.field.games.iter().filter(move |game| game.round == round);
        let mut pairs: Vec<_> = of_round
            .map(|game| {
                [game.players[0].min(game.players[1]), game.players[0].max(game.players[1])]
            })
            .collect();
        pairs.sort_unstable();
        pairs
    };
    assert_eq!(meet(1), [[0, 7], [1, 6], [2, 5], [3, 4]]);
    assert_eq!(meet(3), [[0, 1]]);
    assert_eq!(tables::ranking(play.format, &play.field)[..2], [0, 1]);
}

#[test]
fn an_elimination_ranks_who_left_by_their_last_round() {
    let mut field = field([1900, 1800, 1700, 1600]);
    for (board, players) in [(1, [0, 3]), (2, [1, 2])] {
        let verdict = Some(Verdict { result: GameResult::First, by: DecidedBy::Play });
        field.games.push(Game { round: 1, group: 0, players, board, verdict });
    }
    leave(&mut field, 0);
    assert_eq!(tables::ranking(Format::KnockOut { lives: 1 }, &field), [1, 0, 2, 3]);
}

#[test]
fn a_drawn_game_of_an_elimination_is_lost_by_who_moved_first() {
    let mut play = Play::new(3, Format::KnockOut { lives: 1 }, 2);
    play.draws = 100;
    play.run(|_, _| ());
    let game = &play.field.games[0];
    assert_eq!(knockout::survivors(&play.field, 1), [game.players[1]]);
    assert_eq!(tables::ranking(play.format, &play.field), [game.players[1], game.players[0]]);
}

#[test]
fn a_swiss_round_meets_the_absolute_criteria() {
    for seed in 0..1500 {
        let rounds = 3 + u32::try_from(seed % 6).unwrap();
        // Always more players than a round robin of so many rounds would have.
        let players = 2 * rounds as usize + (seed % 23) as usize;
        let mut play = Play::new(seed, Format::Swiss { rounds }, players);
        play.leavers = if seed % 4 == 0 { 2 } else { 0 };
        play.run(|field, pairings| {
            assert_eq!(paired(pairings), field.active().collect::<Vec<_>>());
            for Pair { players: [one, other], .. } in &pairings.pairs {
                assert!(!field.have_met(*one, *other), "a rematch");
                let seats = [one, other].map(|player| SeatHistory::of(field, *player));
                assert!(!clash(&seats[0], &seats[1]), "{seats:?}");
                for (seat, history) in seats.iter().enumerate() {
                    if history.strength() == Strength::Absolute {
                        assert_eq!(history.due(), Some(seat), "{seats:?}");
                    }
                }
            }
            assert!(pairings.byes.iter().all(|bye| field.byes_of(*bye) == 0), "a second bye");
            assert_eq!(pairings.byes.len(), field.active().count() % 2);
        });
        let field = &play.field;
        assert_eq!(field.round(), rounds);
        for one in 0..field.entrants.len() {
            assert!(balance(field, one).abs() <= 2);
        }
    }
}

#[test]
fn costs_of_the_largest_swiss_fit_into_their_integer() {
    let players = Format::MOST_PLAYERS;
    let mut play = Play::new(1, Format::Swiss { rounds: Format::MOST_ROUNDS }, players);
    play.run(|_, _| ());
    assert!(swiss::cost_bits(&play.field) <= 124, "{}", swiss::cost_bits(&play.field));
}

/// Sensei's Library, "Sonneborn-Berger": four players, two games each pair, as wins of rows.
#[test]
fn sonneborn_berger_is_as_in_the_example_of_senseis_library() {
    let first = [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]];
    let second = [[0, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1], [1, 0, 0, 0]];
    let mut field = field([1000, 1000, 1000, 1000]);
    for wins in [first, second] {
        for (one, wins) in wins.iter().enumerate() {
            for (other, won) in wins.iter().enumerate().skip(one + 1) {
                let result = if *won == 1 { GameResult::First } else { GameResult::Second };
                let verdict = Some(Verdict { result, by: DecidedBy::Play });
                field.games.push(Game {
                    round: 1,
                    group: 0,
                    players: [one, other],
                    board: 1,
                    verdict,
                });
            }
        }
    }
    let rows = tables::of_group(&field, 1, 0);
    let found: Vec<_> =
        rows.iter().map(|row| (row.entrant, row.half_points, row.quarters)).collect();
    assert_eq!(found, [(0, 8, 44), (1, 8, 36), (2, 6, 24), (3, 2, 16)]);
}

/// Builds a group from results of pairs: 2, 1 or 0 half points of the first.
fn group(ratings: [i32; 4], results: [([EntrantIndex; 2], u32); 6]) -> Field {
    let mut field = field(ratings);
    for (players, half_points) in results {
        let result = match half_points {
            0 => GameResult::Second,
            1 => GameResult::Draw,
            _ => GameResult::First,
        };
        let verdict = Some(Verdict { result, by: DecidedBy::Play });
        field.games.push(Game { round: 1, group: 0, players, board: 1, verdict });
    }
    field
}

#[test]
fn ties_are_broken_by_head_to_head_and_then_by_the_rating_at_the_start() {
    // The players 2 and 3 have 1.5 points and a Sonneborn-Berger score of 1.75 each; 3 beat 2.
    let results = [([0, 1], 2), ([0, 2], 1), ([0, 3], 2), ([1, 2], 0), ([1, 3], 1), ([2, 3], 0)];
    let rows = tables::of_group(&group([1900, 1800, 1700, 1600], results), 1, 0);
    let tied: Vec<_> = rows[1..3]
        .iter()
        .map(|row| (row.entrant, row.half_points, row.quarters, row.head_to_head))
        .collect();
    assert_eq!(tied, [(3, 3, 7, 2), (2, 3, 7, 0)]);
    // Three players beat each other in a circle, and all beat the fourth.
    let results = [([0, 1], 2), ([1, 2], 2), ([2, 0], 2), ([0, 3], 2), ([1, 3], 2), ([2, 3], 2)];
    let rows = tables::of_group(&group([1500, 1600, 1700, 1400], results), 1, 0);
    let order: Vec<_> = rows.iter().map(|row| row.entrant).collect();
    assert_eq!(order, [0, 1, 2, 3]);
    assert!(rows[..3].iter().all(|row| row.head_to_head == 2));
}

#[test]
fn games_of_a_leaver_count_if_half_of_them_were_finished() {
    let started = || {
        let mut play = Play::new(5, Format::RoundRobin { division: 5 }, 5);
        let pairings = play.format.next_round(&play.field).unwrap();
        play.begin(&pairings);
        play
    };
    for finished in 0..=4 {
        let mut play = started();
        let won = |game: &Game| {
            if game.players[0] == 2 { GameResult::First } else { GameResult::Second }
        };
        for game in
            play.field.games.iter_mut().filter(|game| game.players.contains(&2)).take(finished)
        {
            game.verdict = Some(Verdict { result: won(game), by: DecidedBy::Play });
        }
        leave(&mut play.field, 2);
        let row = |rows: &[tables::Row], one| *rows.iter().find(|row| row.entrant == one).unwrap();
        let rows = tables::of_group(&play.field, 1, 0);
        let leaver = row(&rows, 2);
        assert_eq!(leaver.is_removed, finished < 2);
        if finished < 2 {
            assert_eq!((leaver.half_points, leaver.games, rows[4].entrant), (0, 0, 2));
            assert!(
                rows.iter().all(|row| row.half_points == 0),
                "no game against the leaver counts"
            );
        } else {
            assert_eq!(leaver.half_points as usize, 2 * finished);
            let others: u32 =
                rows.iter().filter(|row| row.entrant != 2).map(|row| row.half_points).sum();
            assert_eq!(others as usize, 2 * (4 - finished));
        }
    }
}

#[test]
fn who_times_out_twice_must_leave_and_timeouts_do_not_count_as_finished() {
    let mut play = Play::new(5, Format::RoundRobin { division: 5 }, 5);
    let pairings = play.format.next_round(&play.field).unwrap();
    play.begin(&pairings);
    let of_one: Vec<_> = (0..10).filter(|at| play.field.games[*at].players.contains(&1)).collect();
    for (count, at) in of_one.iter().enumerate().take(2) {
        assert!(!play.field.must_leave(1), "after {count}");
        let game = &mut play.field.games[*at];
        let result = if game.players[0] == 1 { GameResult::Second } else { GameResult::First };
        game.verdict = Some(Verdict { result, by: DecidedBy::Time });
    }
    assert!(play.field.must_leave(1));
    assert!((0..5).filter(|one| *one != 1).all(|one| !play.field.must_leave(one)));
    leave(&mut play.field, 1);
    assert!(play.field.is_removed(1, 1, 0));
}

#[test]
fn a_field_is_read_back_from_its_text() {
    let mut play = Play::new(11, Format::Swiss { rounds: 5 }, 9);
    play.leavers = 4;
    play.run(|_, _| ());
    let text = serde_json::to_string(&play.field).unwrap();
    assert_eq!(serde_json::from_str::<Field>(&text).unwrap(), play.field);
    let format = serde_json::to_string(&play.format).unwrap();
    assert_eq!(format, r#"{"swiss":{"rounds":5}}"#);
}

#[test]
fn sizes_differ_by_at_most_one() {
    assert_eq!(sizes(10, 10), [10]);
    assert_eq!(sizes(11, 10), [6, 5]);
    assert_eq!(sizes(31, 10), [8, 8, 8, 7]);
    assert_eq!(sizes(0, 10), [0; 0]);
}

/// The faults of a bracket in the order of the criteria, and the players who float down.
#[derive(Debug, PartialEq)]
struct BracketFaults {
    faults: Vec<u32>,
    floaters: Vec<EntrantIndex>,
}

/// Returns the faults of each bracket from the top.
fn bracket_faults(field: &Field, pairings: &RoundPairings) -> Vec<BracketFaults> {
    let score = |one: EntrantIndex| field.half_points(one);
    let partner = |one: EntrantIndex| {
        let pair = pairings.pairs.iter().find(|pair| pair.players.contains(&one))?;
        Some(pair.players[usize::from(pair.players[0] == one)])
    };
    let mut scores: Vec<_> = field.active().map(score).collect();
    scores.sort_unstable();
    scores.dedup();
    let mut brackets: Vec<BracketFaults> = Vec::new();
    for bracket in scores.into_iter().rev() {
        let mut members = brackets.last().map(|last| last.floaters.clone()).unwrap_or_default();
        members.extend(field.active().filter(|one| score(*one) == bracket));
        let (mut seats, mut strong) = (0, 0);
        let (mut differences, mut floaters) = (Vec::new(), Vec::new());
        for one in &members {
            let Some(other) = partner(*one).filter(|other| members.contains(other)) else {
                floaters.push(*one);
                differences.push(score(*one) - bracket + 2);
                continue;
            };
            let histories = [*one, other].map(|player| SeatHistory::of(field, player));
            let [due, theirs] = histories.each_ref().map(SeatHistory::due);
            if *one < other {
                differences.push(score(*one).abs_diff(score(other)));
                seats += u32::from(due.is_some() && due == theirs);
                let least = histories.iter().map(SeatHistory::strength).min();
                strong +=
                    u32::from(due.is_some() && due == theirs && least >= Some(Strength::Strong));
            }
        }
        differences.sort_unstable_by_key(|difference| std::cmp::Reverse(*difference));
        // More pairs above leave fewer floaters here: that is a criterion of the bracket above.
        let floats = u32::try_from(floaters.len()).unwrap();
        if let Some(above) = brackets.last_mut() {
            let at = above.faults.len() - 2;
            above.faults.insert(at, floats);
        }
        let faults = [floats].into_iter().chain(differences).chain([seats, strong]).collect();
        brackets.push(BracketFaults { faults, floaters });
    }
    brackets
}

/// Returns whether a pairing is as good as another one in the first bracket in which they differ.
fn is_as_good(field: &Field, own: &RoundPairings, theirs: &RoundPairings) -> bool {
    let byes = [own, theirs].map(|of| of.byes.first().map(|bye| field.half_points(*bye)));
    if byes[0] != byes[1] {
        return byes[0] < byes[1];
    }
    let [own, theirs] = [own, theirs].map(|of| bracket_faults(field, of));
    let differ = own.iter().zip(&theirs).find(|(own, theirs)| own != theirs);
    differ.is_none_or(|(own, theirs)| own.faults <= theirs.faults)
}

/// Tournaments paired by an independent program for the Dutch system: `swiss_oracle.py` made them.
const ORACLE: &str = include_str!("swiss_oracle.txt");

/// Reads the pairings and results of a round.
fn oracle_round(text: &str) -> (RoundPairings, Vec<GameResult>) {
    let mut pairings = RoundPairings::default();
    let mut results = Vec::new();
    for game in text.split(' ') {
        let index = |word: &str| word.parse::<usize>().unwrap() - 1;
        let Some((one, rest)) = game.split_once('-') else {
            pairings.byes.push(index(game));
            continue;
        };
        let (other, result) = rest.split_at(rest.len() - 1);
        pairings.pairs.push(Pair { group: 0, players: [index(one), index(other)] });
        results.push(match result {
            "1" => GameResult::First,
            "0" => GameResult::Second,
            _ => GameResult::Draw,
        });
    }
    (pairings, results)
}

#[test]
fn swiss_pairings_are_no_worse_than_those_of_an_independent_program() {
    let (mut alike, mut all) = (0, 0);
    for line in ORACLE.lines() {
        let (players, text) = line.split_once(' ').unwrap();
        let players: i32 = players.parse().unwrap();
        let format = Format::Swiss { rounds: 99 };
        let mut play = Play::new(1, format, 0);
        play.field = field((1..=players).map(|number| 2200 - 10 * number));
        for round in text.split('|') {
            let (theirs, results) = oracle_round(round);
            let own = format.next_round(&play.field).unwrap();
            assert!(
                is_as_good(&play.field, &own, &theirs),
                "{line}\nround {}: {own:?}\n{:?}\n{:?}",
                play.field.round() + 1,
                bracket_faults(&play.field, &own),
                bracket_faults(&play.field, &theirs)
            );
            all += theirs.pairs.len();
            let is_alike = |pair: &&Pair| own.pairs.contains(pair);
            alike += theirs.pairs.iter().filter(is_alike).count();
            play.begin(&theirs);
            let open = play.field.games.iter_mut().filter(|game| game.verdict.is_none());
            for (game, result) in open.zip(results) {
                game.verdict = Some(Verdict { result, by: DecidedBy::Play });
            }
        }
    }
    assert!(100 * alike >= 85 * all, "{alike} of {all} pairs are alike");
}
