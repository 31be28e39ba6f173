//! Properties of every game, tested on random games with every set of options.

use super::{
    AnyGame, AnyPosition, Chance, Choices, Contender, Diagram, Entry, Game, GameEntry, MoveError,
    Next, Outcome, Roll, Seat, SeatSettings, Spec, Transcript, Values, View, advance, tournament,
};
use std::collections::HashSet;

/// An upper bound for rolls and moves of one game.
pub(crate) const BOUND: usize = 20_000;

/// The largest number tried for a numeric option.
const MANY: u32 = 5;

/// Sentences that a player may write above a move or instead of one.
pub(crate) const ENGLISH: [&str; 25] = [
    "Hello Alice",
    "off to bed",
    "off to home",
    "home to off",
    "I will pass on that",
    "pass on that",
    "8 of them",
    "50 of them",
    "100 thanks",
    "2 to go",
    "5 to 3 for me",
    "a nice move",
    "a 6 to 3 finish",
    "b there soon",
    "be seeing you",
    "b4 we start, hello",
    "z9 is fine",
    "1. hello",
    "31: what a roll",
    "I'm off",
    "home at last",
    "3 x hooray",
    "to be or not to be",
    "4, I think",
    "good luck - have fun",
];

/// Returns every game, the test game `blank` among them.
fn games() -> impl Iterator<Item = &'static dyn AnyGame> {
    static BLANK: GameEntry<crate::blank::Position> = GameEntry::NEW;
    crate::GAMES.iter().copied().chain([&BLANK as &dyn AnyGame])
}

/// Returns every valid set of options of a game, with the board that it declares for these tests.
pub(crate) fn every_choice(game: &dyn AnyGame) -> Vec<Choices> {
    let spec = game.spec();
    let mut sets = vec![Vec::new()];
    let is_small =
        |name: &str| spec.manner.small.iter().any(|word| word.split('=').next() == Some(name));
    for option in spec.options.iter().filter(|option| !is_small(option.name)) {
        let words: Vec<String> = match option.values {
            Values::Flag => vec![option.name.to_owned()],
            Values::OneOf(values) => {
                values.iter().map(|value| format!("{}={value}", option.name)).collect()
            }
            Values::Number { min, max, .. } => {
                [min, max.min(MANY)].map(|number| format!("{}={number}", option.name)).to_vec()
            }
            Values::Halves { default, .. } => [0, default]
                .map(|halves| format!("{}={}", option.name, Values::of_halves(halves)))
                .to_vec(),
            Values::Position { example, .. } => vec![format!("{}={example}", option.name)],
        };
        let with = |set: &Vec<String>| {
            let set = set.clone();
            words.clone().into_iter().map(move |word| [set.clone(), vec![word]].concat())
        };
        let more: Vec<_> = sets.iter().flat_map(with).collect();
        sets.extend(more);
    }
    sets.iter()
        .filter_map(|set| {
            let words = set.iter().map(String::as_str).chain(spec.manner.small.iter().copied());
            Choices::parse(spec.options, spec.exclusive, words).ok()
        })
        .collect()
}

/// Returns the number of the game of a match that a position is in.
pub(crate) fn game_of_match(position: &dyn AnyPosition) -> Option<u32> {
    match position.diagram(&View::default()) {
        Diagram::Points(board) => board.game_of.map(|of| of.game),
        Diagram::Corridor(_) | Diagram::Board(_) => None,
    }
}

/// Returns the games that were read from a file, or why the first bad one was not.
pub(crate) fn all_games(read: Vec<Result<Transcript, String>>) -> Result<Vec<Transcript>, String> {
    read.into_iter().collect()
}

/// Plays a random game and calls `at` for every position.
pub(crate) fn random_game(
    start: Box<dyn AnyPosition>,
    chance: &mut Chance,
    mut at: impl FnMut(&dyn AnyPosition),
) -> (Box<dyn AnyPosition>, Vec<Entry>) {
    let (mut position, mut record) = (start, Vec::new());
    for _ in 0..BOUND {
        at(&*position);
        // Now and then a player resigns.
        if chance.below(100) == 0 {
            let seat = Seat::BOTH[chance.below(2)];
            let stake = u8::try_from(chance.below(4)).unwrap();
            if position.resign(seat, stake).is_ok() {
                record.push(Entry::Resigned { seat, stake });
                at(&*position);
            }
        }
        match position.next() {
            Next::Over(_) => return (position, record),
            Next::Ready(seat, _) if chance.below(4) == 0 && position.count() > 0 => {
                let text = position.nth_move(chance.below(position.count())).unwrap();
                position.play_recorded(&text).unwrap();
                record.push(Entry::Moved { seat, text, auto: false });
            }
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let roll = chance.roll(throw);
                position.roll(roll).unwrap();
                record.push(Entry::Rolled(roll));
            }
            Next::Deal => {
                let stones = position.deal(&mut |limit| chance.below(limit));
                position.lay(stones.clone()).unwrap();
                record.push(Entry::Laid(stones));
            }
            Next::Move(seat) => {
                let moves = position.moves();
                let text = moves[chance.below(moves.len())].clone();
                position.play_recorded(&text).unwrap();
                record.push(Entry::Moved { seat, text, auto: false });
            }
        }
    }
    panic!("the game has not ended after {BOUND} moves: {position:?}");
}

/// Plays random games of every game with every set of options.
pub(crate) fn everywhere(seeds: u64, mut at: impl FnMut(&dyn AnyGame, &Choices, &dyn AnyPosition)) {
    for game in games() {
        for options in every_choice(game) {
            for seed in 0..seeds {
                random_game(game.setup(&options), &mut Chance::new(seed), |position| {
                    at(game, &options, position);
                });
            }
        }
    }
}

/// Returns the percentage of games that the first of two levels wins, draws as halves.
pub(crate) fn percent<G: Game>(levels: [u8; 2], words: &[&str], games: u32) -> f64 {
    let options = Choices::parse(G::SPEC.options, &[], words.iter().copied()).unwrap();
    let contenders = levels.map(Contender::Level);
    tournament(&GameEntry::<G>::NEW, &options, contenders, games, 1, &mut |_| {}).percent()
}

/// Checks on boards of these options that each level wins two of three games from the one below it.
pub(crate) fn levels_differ<G: Game>(boards: &[&[&str]]) {
    for words in boards {
        for level in 2..=G::SPEC.manner.levels {
            let won = percent::<G>([level, level - 1], words, 100);
            println!(
                "| {} {words:?} | level {} | level {level} | {won} % |",
                G::SPEC.name,
                level - 1
            );
            assert!(won >= 65.0, "{words:?} {level}: {won} %");
        }
    }
}

/// Writes the tests of a program's strength: on small boards its highest level wins three of four of some
/// games from the lowest, and on other boards each level wins two of three from the one below it.
macro_rules! strength_tests {
    ($position:ty, $games:literal games on $small:expr, many on $boards:expr) => {
        #[test]
        fn the_highest_level_wins_most_games_from_the_lowest() {
            for words in $small {
                let won = crate::kit::laws::percent::<$position>([4, 1], words, $games);
                assert!(won >= 75.0, "{words:?}: {won} %");
            }
        }

        #[test]
        #[ignore = "takes minutes"]
        fn a_level_wins_two_of_three_games_from_the_one_below() {
            crate::kit::laws::levels_differ::<$position>($boards);
        }
    };
}
pub(crate) use strength_tests;

#[test]
fn every_set_of_options_is_tried() {
    for (name, sets) in [
        ("malaka", 24),
        ("moloko", 1),
        ("moultezim", 12),
        ("backgammon", 37),
        ("nackgammon", 37),
        ("hypergammon", 37),
        ("plakoto", 4),
        ("reversi", 28),
        ("life", 12),
        ("symmetry", 9),
        ("findthem", 10),
        ("countlines", 6),
        ("fillit", 6),
        ("visiput", 9),
        ("speedgo", 12),
        ("hex", 2),
        ("chess", 4),
        ("loa", 2),
        ("amazons", 1),
        ("go", 9),
        ("portes", 6),
        ("fevga", 6),
        ("nardy", 6),
        ("tavli", 6),
        ("checkers", 5),
        ("draughts", 2),
        ("gomoku", 4),
        ("connect6", 1),
        ("y", 2),
        ("havannah", 2),
        ("twixt", 4),
        ("dots", 1),
        ("blank", 1),
    ] {
        let game = games().find(|game| game.spec().name == name).unwrap();
        assert_eq!(every_choice(game).len(), sets, "{name}");
    }
}

/// In other games players may agree on a draw.
#[test]
fn only_a_game_that_says_so_is_ever_drawn() {
    everywhere(2, |game, options, position| {
        let is_drawn = matches!(position.next(), Next::Over(Outcome::Drawn { .. }));
        let may_be = game.spec().manner.has_draws;
        assert!(may_be || !is_drawn, "{game:?} {options:?} {position:?}");
    });
    let never = games().filter(|game| !game.spec().manner.has_draws).map(|game| game.spec().name);
    let mut never: Vec<_> = never.collect();
    never.sort_unstable();
    assert_eq!(
        never,
        [
            "amazons",
            "backgammon",
            "fevga",
            "hex",
            "hypergammon",
            "malaka",
            "moultezim",
            "nackgammon",
            "nardy",
            "portes",
            "symmetry",
            "tavli",
            "y"
        ]
    );
}

#[test]
fn a_player_to_move_has_moves_and_nobody_else() {
    everywhere(2, |game, options, position| {
        let listed = !position.moves().is_empty();
        match position.next() {
            Next::Move(_) => assert!(listed, "{game:?} {options:?} {position:?}"),
            Next::Roll(_) | Next::Deal | Next::Over(_) => {
                assert!(!listed, "{game:?} {options:?} {position:?}");
            }
            Next::Ready(..) => {}
        }
        // A copy has no cached moves.
        assert_eq!(position.copy().count(), position.moves().len());
    });
}

#[test]
fn no_two_moves_are_written_alike_or_lead_to_one_position() {
    everywhere(1, |_, _, position| {
        let outlook = position.successors();
        let words: HashSet<&String> = outlook.iter().map(|(text, _)| text).collect();
        assert_eq!(words.len(), outlook.len(), "{position:?}");
        // Moves that end a game of a match all lead to the start of the next one.
        let game = game_of_match(position);
        let going_on = outlook.iter().filter(|(_, after)| game_of_match(&**after) == game);
        let ends: Vec<String> = going_on.map(|(_, after)| after.notation()).collect();
        assert_eq!(ends.iter().collect::<HashSet<_>>().len(), ends.len(), "{position:?}");
        assert!(position.moves().iter().eq(outlook.iter().map(|(text, _)| text)));
    });
}

#[test]
fn an_only_move_is_played_for_the_player_and_no_other() {
    everywhere(1, |game, _, position| {
        let moves = position.moves();
        let to_move =
            matches!(position.next(), Next::Move(_)) && !game.spec().manner.asks_for_forced;
        let only = (moves.len() == 1 && to_move).then(|| moves[0].clone());
        assert_eq!(position.automatic_move(&Choices::default()), only, "{position:?}");
        assert_eq!(position.count(), moves.len());
        assert_eq!(position.nth_move(0), moves.first().cloned());
        // A copy has no cached moves.
        for most in [0, 1, 2, moves.len(), moves.len() + 1] {
            let first: Vec<String> = moves.iter().take(most).cloned().collect();
            assert_eq!(position.copy().moves_up_to(most), first, "{position:?}");
        }
        assert_eq!(position.copy().first_move(), moves.first().cloned());
        assert_eq!(position.nth_move(moves.len()), None);
    });
}

#[test]
fn a_listed_move_reads_back_as_itself_in_any_case_and_order() {
    let mut chance = Chance::new(1);
    everywhere(1, |game, _, position| {
        let outlook = position.successors();
        let has_case = game.spec().manner.has_case;
        let other_case = |text: &String| {
            if has_case { text.clone() } else { text.to_ascii_uppercase() }
        };
        for _ in 0..outlook.len().min(3) {
            let (text, after) = &outlook[chance.below(outlook.len())];
            let reversed: Vec<&str> = text.rsplit(',').collect();
            for words in [text.clone(), other_case(text), reversed.join(",")] {
                let mut played = position.copy();
                assert_eq!(played.play(&words).as_ref(), Ok(text), "{words} in {position:?}");
                assert_eq!(played.notation(), after.notation());
            }
            let mut recalled = position.copy();
            recalled.play_recorded(text).unwrap();
            assert_eq!(format!("{recalled:?}"), format!("{after:?}"));
            assert_eq!(recalled.next(), after.next());
        }
    });
}

/// Returns every combination of seat and settings of a viewer.
pub(crate) fn views(game: &dyn AnyGame) -> Vec<View> {
    let mut views = vec![View::default()];
    for setting in game.spec().settings {
        let words: Vec<String> = match setting.switch.values {
            Values::Flag => vec![setting.switch.name.to_owned()],
            Values::OneOf(values) => {
                values.iter().map(|value| format!("{}={value}", setting.switch.name)).collect()
            }
            Values::Number { .. } | Values::Halves { .. } | Values::Position { .. } => Vec::new(),
        };
        for word in words {
            let settings = Choices::of_settings(game.spec().settings, [&*word]).unwrap();
            let view = |seat| View { seat: Some(seat), settings: settings.clone(), legal: false };
            views.extend(Seat::BOTH.map(view));
        }
    }
    views
}

/// A move in a viewer's notation is read back as the same move and recorded in canonical notation.
/// In the viewer's diagram, the mover's men are at the starts of its paths, and a viewer's own
/// moves are written in the numbering of that diagram.
#[test]
fn a_move_as_a_viewer_writes_it_is_the_same_move() {
    let mut chance = Chance::new(3);
    let mut others = 0;
    everywhere(1, |game, _, position| {
        let Next::Move(mover) = position.next() else { return };
        let moves = position.moves();
        for view in views(game) {
            let mut seen = position.copy();
            seen.set_viewer(&view);
            let listed = seen.moves();
            for _ in 0..listed.len().min(2) {
                let index = chance.below(listed.len());
                let (words, text) = (&listed[index], &moves[index]);
                assert_eq!(seen.nth_move(index).as_ref(), Some(words));
                assert_eq!(game.text_for_viewer(&view, mover, text.clone()), *words);
                let mut played = seen.copy();
                assert_eq!(played.play(words).as_ref(), Ok(text), "{words} {view:?} {position:?}");
                others += usize::from(words != text);
                let located = game.text_for_diagram(&view, text.clone());
                if view.seat == Some(mover) {
                    assert_eq!(located, *words, "{view:?} {position:?}");
                }
                let first = located.split('-').next().and_then(|from| from.parse::<usize>().ok());
                if let (Some(from), Diagram::Points(board)) = (first, seen.diagram(&view)) {
                    assert_eq!(board.piles[from - 1].holder, Some(mover), "{words} {view:?}");
                }
            }
        }
    });
    assert!(others > 1000, "{others} moves were written in another way");
}

#[test]
fn no_english_is_taken_for_a_move() {
    everywhere(1, |_, _, position| {
        for text in ENGLISH {
            assert!(!position.can_read(text), "{text} in {position:?}");
        }
    });
}

#[test]
fn a_listed_move_reads_back_as_itself_however_it_is_set() {
    let mut chance = Chance::new(9);
    everywhere(1, |_, _, position| {
        let moves = position.moves();
        if moves.is_empty() {
            return;
        }
        let text = &moves[chance.below(moves.len())];
        for words in [
            text.replace(',', " "),
            text.replace(',', ", "),
            format!("{text}."),
            format!(" {text} !"),
            format!("{text},"),
            text.replace('-', "\u{2013}"),
            text.replace('-', " \u{2192} "),
            text.replace('-', " - "),
        ] {
            assert!(position.can_read(&words), "{words} in {position:?}");
            assert_eq!(position.copy().play(&words).as_ref(), Ok(text), "{words} in {position:?}");
        }
    });
}

#[test]
fn a_refused_text_changes_nothing() {
    const GARBAGE: [&str; 16] = [
        "",
        " ",
        ",",
        "-",
        "x",
        "zzz",
        "a1",
        "a1-",
        "a1--a2",
        "4:",
        "9xa1-a2",
        "a1-a99999999999",
        "\u{0}",
        "é1-é2",
        "Ω",
        "a0-b0",
    ];
    everywhere(1, |_, _, position| {
        // In some games these words are moves, or the places of moves with a word.
        let moves = position.moves();
        let is_move = |text: &str| moves.iter().any(|legal| legal.rsplit(' ').next() == Some(text));
        for text in GARBAGE.into_iter().filter(|text| !is_move(text)) {
            for refused in
                [position.copy().play(text).map(|_| ()), position.copy().play_recorded(text)]
            {
                let error = refused.unwrap_err().to_string();
                assert!(!error.is_empty() && !error.ends_with('.'), "{error}");
            }
            let mut same = position.copy();
            same.play(text).unwrap_err();
            same.play_recorded(text).unwrap_err();
            assert_eq!(format!("{same:?}"), format!("{position:?}"));
            if matches!(position.next(), Next::Move(_) | Next::Ready(..)) {
                let unreadable = matches!(same.play(text), Err(MoveError::Unreadable { .. }));
                assert_eq!(position.can_read(text), !unreadable, "{text} in {position:?}");
            }
        }
        if matches!(position.next(), Next::Roll(_) | Next::Deal | Next::Over(_)) {
            assert_eq!(position.copy().play("a1-a2"), Err(MoveError::NothingToMove));
        }
        if matches!(position.next(), Next::Move(_) | Next::Over(_)) {
            position.copy().roll(Roll::One(1)).unwrap_err();
        }
    });
}

#[test]
fn every_position_can_be_drawn_for_everybody() {
    everywhere(1, |_, _, position| {
        for seat in [None, Some(Seat(0)), Some(Seat(1))] {
            position.diagram(&View { seat, legal: seat.is_some(), ..View::default() });
        }
    });
}

#[test]
fn a_placed_notation_is_the_equal_position() {
    everywhere(3, |game, options, position| {
        let placed = game.place(options, &position.notation()).unwrap();
        assert_eq!(format!("{placed:?}"), format!("{position:?}"));
        assert_eq!(placed.notation(), position.notation());
        assert_eq!(placed.next(), position.next());
    });
}

#[test]
fn a_record_replays_to_the_equal_position() {
    for game in games() {
        for options in every_choice(game) {
            for seed in 0..3 {
                let (end, record) =
                    random_game(game.setup(&options), &mut Chance::new(seed), |_| {});
                let mut again = game.setup(&options);
                super::replay(&mut *again, &record).unwrap();
                assert_eq!(format!("{again:?}"), format!("{end:?}"));
                assert_eq!(again.next(), end.next());
            }
        }
    }
}

/// Only the lower two levels: the higher ones are too slow for so many games.
#[test]
fn a_level_chooses_a_legal_move_wherever_somebody_is_to_move() {
    for game in games().filter(|game| game.spec().manner.levels > 0) {
        for options in every_choice(game) {
            let (mut chance, mut seen) = (Chance::new(11), 0);
            random_game(game.setup(&options), &mut Chance::new(12), |position| {
                seen += 1;
                if seen % 16 != 1 {
                    return;
                }
                for level in 1..=2 {
                    let chosen = position.choose(level, &mut |limit| chance.below(limit));
                    let is_asked = matches!(position.next(), Next::Move(_));
                    // Before a roll it may have no action.
                    let may_act = is_asked || matches!(position.next(), Next::Ready(..));
                    assert!(chosen.is_some() || !is_asked, "{position:?}");
                    assert!(chosen.is_none() || may_act, "{position:?}");
                    assert!(chosen.is_none_or(|text| position.moves().contains(&text)));
                }
                if let Some(stake) = position.resignation() {
                    let Next::Ready(seat, _) = position.next() else { panic!("{position:?}") };
                    position.copy().resign(seat, stake).unwrap();
                }
            });
        }
    }
}

#[test]
fn what_a_viewer_sees_of_an_open_game_is_all_of_it() {
    everywhere(1, |game, _, position| {
        if !game.spec().manner.is_secret {
            assert_eq!(position.visible_notation(&View::default()), position.notation());
        }
    });
}

#[test]
fn a_turn_of_several_moves_is_said_at_once_and_ended() {
    for game in games().filter(|game| game.spec().manner.has_multi_move_turns) {
        let (mut chance, mut tried) = (Chance::new(2), 0);
        random_game(game.setup(&Choices::default()), &mut Chance::new(3), |position| {
            let Next::Move(seat) = position.next() else { return };
            if tried >= 50 {
                return;
            }
            tried += 1;
            // All presses of the turn, and one too many.
            let (mut one_by_one, mut words) = (position.copy(), Vec::new());
            while one_by_one.next() == Next::Move(seat) && words.len() < 4 {
                let moves = one_by_one.moves();
                words.push(moves[chance.below(moves.len())].clone());
                one_by_one.play(&words[words.len() - 1]).unwrap();
            }
            if let Some(end) = one_by_one.finish().filter(|_| one_by_one.next() == Next::Move(seat))
            {
                one_by_one.play_recorded(&end).unwrap();
            }
            let (mut said, mut dice) = (position.copy(), Chance::new(0));
            let text = words.join(", ");
            assert!(position.can_read(&text), "{text}");
            let entries = super::play_text(&mut *said, seat, &text, &mut dice).unwrap();
            assert_eq!(said.notation(), one_by_one.notation(), "{text} in {position:?}");
            let mut again = position.copy();
            super::replay(&mut *again, &entries).unwrap();
            assert_eq!(again.notation(), said.notation());
            let mut wrong = position.copy();
            let error = super::play_text(&mut *wrong, seat, &format!("{text},zz"), &mut dice);
            error.unwrap_err();
            assert_eq!(wrong.notation(), position.notation());
        });
        assert!(tried > 0, "{game:?}");
    }
}

/// The length that a game's page tells is that of a game of the program, within a factor of two.
#[test]
fn a_usual_game_is_as_long_as_its_page_says() {
    const GAMES: usize = 4;
    for game in games().filter(|game| game.spec().manner.levels > 0) {
        let Spec { name, manner, .. } = game.spec();
        assert!(manner.minutes_to_learn > 0, "{name}: how long does it take to learn?");
        let program = |_| SeatSettings { settings: Choices::default(), level: Some(1) };
        let turns_of_a_game = |seed: usize| {
            let mut position = game.setup(&Choices::default());
            let record = advance(&mut *position, &mut Chance::new(seed as u64), &program);
            let mover = |entry: Entry| match entry {
                Entry::Moved { seat, .. } => Some(seat),
                _ => None,
            };
            let mut movers: Vec<Seat> = record.into_iter().filter_map(mover).collect();
            movers.dedup();
            movers.len() / 2
        };
        let turns = (0..GAMES).map(turns_of_a_game).sum::<usize>() / GAMES;
        let told = usize::from(manner.turns);
        assert!((turns / 2..=2 * turns).contains(&told), "{name}: {turns} turns, not {told}");
    }
}
