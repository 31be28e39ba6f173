//! Properties of partial moves, tested on random games of every game with every set of options.

use super::*;
use crate::kit::laws::{everywhere, game_of_match, views};
use crate::kit::{AnyGame, AnyPosition, Chance, Pile, Rim, Scripted, Seat, play_text};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Returns the player who has a play to make.
fn mover(position: &dyn AnyPosition) -> Option<Seat> {
    match position.next() {
        Next::Move(seat) => Some(seat),
        _ => None,
    }
}

/// Returns the position after a viewer's text.
fn said(position: &dyn AnyPosition, view: &View, words: &str) -> String {
    let mut said = position.copy();
    said.set_viewer(view);
    let seat = mover(position).unwrap();
    let result = play_text(&mut *said, seat, words, &mut Scripted::default());
    result.unwrap_or_else(|why| panic!("{words} in {position:?}: {why}"));
    said.notation()
}

fn after_steps(position: &dyn AnyPosition, view: &View, steps: &[String]) -> PartialMove {
    let words: Vec<&str> = steps.iter().map(String::as_str).collect();
    let begun = position.partial_move(view, &words);
    begun.unwrap_or_else(|why| panic!("{steps:?} in {position:?}: {why}"))
}

/// Picks a random viewer.
fn any_view(game: &dyn AnyGame, chance: &mut Chance) -> View {
    let mut views = views(game);
    views.swap_remove(chance.below(views.len()))
}

/// Returns the results of all moves that steps can build. Each position on the way is visited once.
fn put_together(position: &dyn AnyPosition, view: &View) -> BTreeSet<String> {
    let start = after_steps(position, view, &[]);
    let mut ends: BTreeSet<String> = start
        .other_moves
        .iter()
        .chain(&start.play)
        .map(|words| said(position, view, words))
        .collect();
    let mut seen = BTreeSet::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(steps) = open.pop() {
        let made = after_steps(position, view, &steps);
        for next in &made.next {
            let steps = [&steps[..], std::slice::from_ref(&next.words)].concat();
            let made = after_steps(position, view, &steps);
            // A diagram that shows nothing in advance is the same after every press.
            let is_known = !seen.insert(format!("{:?}", made.diagram));
            if is_known && !position.manner().is_blind() {
                continue;
            }
            let moves = made.play.iter().chain(&made.other_moves);
            ends.extend(moves.map(|words| said(position, view, words)));
            if !position.manner().has_multi_move_turns {
                open.push(steps);
            }
        }
    }
    ends
}

#[test]
fn by_steps_every_legal_move_can_be_put_together_and_no_other() {
    let mut tried: HashMap<&str, usize> = HashMap::new();
    now_and_then(8, |game, position, chance| {
        if position.count() > 600 {
            return;
        }
        *tried.entry(game.spec().name).or_default() += 1;
        let view = any_view(game, chance);
        let moves = position.moves().into_iter();
        let listed: BTreeSet<String> =
            moves.map(|words| said(position, &View::default(), &words)).collect();
        assert_eq!(put_together(position, &view), listed, "{view:?} {position:?}");
    });
    assert!(crate::GAMES.iter().all(|game| tried[game.spec().name] > 1), "{tried:?}");
}

#[test]
fn first_steps_are_those_by_one_die_of_all_that_can_come_next() {
    let mut tried = 0;
    now_and_then(12, |game, position, chance| {
        let view = any_view(game, chance);
        let mut next = match position.next() {
            Next::Move(_) => after_steps(position, &view, &[]).next,
            _ => Vec::new(),
        };
        let steps = position.first_steps(&view);
        let from = |steps: &[NextStep]| -> HashSet<Spot> {
            steps.iter().filter_map(|step| step.from).collect()
        };
        assert_eq!(from(&steps), from(&next), "{view:?} {position:?}");
        next.retain(|step| step.from.is_some() && step.via.is_empty());
        assert_eq!(steps, next, "{view:?} {position:?}");
        tried += usize::from(steps.len() > 1);
    });
    assert!(tried > 100, "{tried}");
}

/// Makes random offered steps until the move can be sent.
fn walk(position: &dyn AnyPosition, view: &View, chance: &mut Chance) -> Vec<String> {
    let mut steps = Vec::new();
    loop {
        let next = after_steps(position, view, &steps).next;
        if next.is_empty() || position.manner().has_multi_move_turns && steps.len() == 3 {
            return steps;
        }
        steps.push(next[chance.below(next.len())].words.clone());
    }
}

/// Removes the dice from a diagram.
fn apart_from_dice(mut diagram: Diagram) -> Diagram {
    match &mut diagram {
        Diagram::Corridor(board) => board.dice = None,
        Diagram::Points(board) => board.dice = None,
        Diagram::Board(_) => {}
    }
    diagram
}

/// Returns whether a game of a match has ended, so that the next one is set up.
fn ends_a_game(diagram: &Diagram) -> bool {
    matches!(diagram, Diagram::Points(board) if board.men.contains(&0))
}

/// Visits starts, and one in `one_of` random positions, in which a player has a play to make.
fn now_and_then(one_of: usize, mut at: impl FnMut(&dyn AnyGame, &dyn AnyPosition, &mut Chance)) {
    let mut chance = Chance::new(22);
    everywhere(1, |game, options, position| {
        if mover(position).is_none() {
            return;
        }
        // Games on small boards are short.
        let is_start = position.notation() == game.setup(options).notation();
        if chance.below(one_of) == 0 || is_start {
            at(game, position, &mut chance);
        }
    });
}

#[test]
fn after_all_steps_the_board_looks_as_after_the_move() {
    let mut tried = [0; 2];
    now_and_then(4, |game, position, chance| {
        let view = any_view(game, chance);
        let steps = walk(position, &view, chance);
        if steps.is_empty() {
            return;
        }
        let made = after_steps(position, &view, &steps);
        assert_eq!(made.paths.len(), steps.len());
        // Several moves may have one way, such as promotions.
        if !made.other_moves.is_empty() {
            assert_eq!(made.play, None, "{made:?}");
            return;
        }
        let is_blind = position.manner().is_blind();
        tried[usize::from(is_blind)] += 1;
        if is_blind {
            assert_eq!(made.diagram, position.diagram(&view), "{steps:?} {position:?}");
            return;
        }
        let mut played = position.copy();
        played.set_viewer(&view);
        if position.manner().has_multi_move_turns {
            for press in &steps {
                played.play(press).unwrap();
            }
        } else {
            played.play(&made.play.unwrap()).unwrap();
        }
        if !ends_a_game(&made.diagram) && game_of_match(&*played) == game_of_match(position) {
            let [made, played] = [made.diagram, played.diagram(&view)].map(apart_from_dice);
            assert_eq!(made, played, "{steps:?} {position:?}");
        }
    });
    assert!(tried.iter().all(|&tried| tried > 100), "{tried:?}");
}

#[test]
fn dice_are_used_up_by_steps_and_come_back_with_them() {
    let used = |begun: &PartialMove| match &begun.diagram {
        Diagram::Corridor(board) => board.dice.as_ref().map(|dice| dice.used),
        Diagram::Points(board) => board.dice.as_ref().map(|(_, dice)| dice.used),
        Diagram::Board(_) => None,
    };
    let mut tried = 0;
    now_and_then(4, |game, position, chance| {
        let view = any_view(game, chance);
        let steps = walk(position, &view, chance);
        for count in 0..=steps.len() {
            let made = after_steps(position, &view, &steps[..count]);
            let Some(used) = used(&made) else { continue };
            let hops: usize = made.paths.iter().map(|way| way.len() - 1).sum();
            assert_eq!(usize::from(used[0] + used[1]), hops, "{steps:?} {position:?}");
            tried += 1;
        }
    });
    assert!(tried > 1000, "{tried}");
}

#[test]
fn a_step_that_was_not_offered_is_refused() {
    let mut known: BTreeSet<String> =
        ["", "pass", "roll", "e5", "8-5", "a1-a2", "zz", "13-off"].map(str::to_owned).into();
    let mut tried = 0;
    now_and_then(16, |game, position, chance| {
        let view = any_view(game, chance);
        let steps = walk(position, &view, chance);
        for count in 0..=steps.len() {
            let next = after_steps(position, &view, &steps[..count]).next;
            known.extend(next.iter().map(|next| next.words.clone()));
            for other in known.iter().filter(|other| next.iter().all(|next| next.words != **other))
            {
                if chance.below(20) > 0 {
                    continue;
                }
                let words = steps[..count].iter().chain([other]).map(|step| &**step);
                let words: Vec<&str> = words.collect();
                let refused = position.partial_move(&view, &words).unwrap_err().to_string();
                assert!(!refused.is_empty() && !refused.ends_with('.'), "{refused}");
                tried += 1;
            }
        }
    });
    assert!(tried > 1000, "{tried}");
}

/// Returns the permutations of a list.
fn orders(of: &[&str]) -> Vec<Vec<String>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let begins_with = |first: usize| {
        let rest: Vec<&str> = [&of[..first], &of[first + 1..]].concat();
        let with = move |rest: Vec<String>| [vec![of[first].to_owned()], rest].concat();
        orders(&rest).into_iter().map(with)
    };
    (0..of.len()).flat_map(begins_with).collect()
}

/// A record may hold a play's steps in any legal order.
#[test]
fn a_move_can_be_put_together_in_every_order_in_which_it_can_be_recorded() {
    let mut in_another = 0;
    now_and_then(8, |_, position, chance| {
        // Algebraic notation writes no steps.
        if position.manner().has_multi_move_turns || position.manner().has_case {
            return;
        }
        let moves = position.moves();
        let listed = &moves[chance.below(moves.len())];
        let view = View::default();
        // A move of one path has one order, and may have several steps.
        if !listed.contains(',') {
            return;
        }
        for steps in orders(&listed.split(',').collect::<Vec<_>>()) {
            let text = steps.join(",");
            if position.copy().play_recorded(&text).is_ok() {
                let made = after_steps(position, &view, &steps);
                assert_eq!(made.play.as_ref(), Some(&text), "{position:?}");
                in_another += usize::from(text != *listed);
            }
        }
    });
    assert!(in_another > 100, "{in_another}");
}

/// Counts a side's men on each place.
fn men(diagram: &Diagram, seat: Seat) -> HashMap<Spot, i32> {
    let of = |pile: &Pile| {
        let below = i32::from(pile.pins && pile.holder != Some(seat));
        if pile.holder == Some(seat) { i32::from(pile.men) } else { below }
    };
    match diagram {
        Diagram::Board(_) => HashMap::new(),
        Diagram::Corridor(board) => {
            let at = |index: usize| {
                let [file, rank] =
                    [index % usize::from(board.size), index / usize::from(board.size)];
                Spot::Square(u8::try_from(file + 1).unwrap(), u8::try_from(rank + 1).unwrap())
            };
            (0..).zip(&board.piles).map(|(index, pile)| (at(index), of(pile))).collect()
        }
        Diagram::Points(board) => {
            let bar = match board.rim {
                Rim::Bar(bar) => bar[seat.index()],
                Rim::Line => 0,
            };
            let points =
                (1..).zip(&board.piles).map(|(number, pile)| (Spot::Point(number), of(pile)));
            let beside = [(Spot::Bar, bar), (Spot::Off, board.off[seat.index()])];
            points.chain(beside.map(|(spot, men)| (spot, i32::from(men)))).collect()
        }
    }
}

#[test]
fn the_ways_of_a_recorded_move_begin_and_end_where_the_board_has_changed() {
    let (mut marched, mut pressed, mut other_moves) = (0, 0, 0);
    now_and_then(4, |game, position, chance| {
        let view = any_view(game, chance);
        let outlook = position.successors();
        let (text, after) = &outlook[chance.below(outlook.len())];
        let paths = game.paths(&game.text_for_diagram(&view, text.clone()));
        let begins_next = game_of_match(&**after) != game_of_match(position);
        let [before, after] = [position.diagram(&view), after.diagram(&view)];
        if let Diagram::Board(board) = &after {
            let is_last = |spot: &Spot| board.last.contains(spot);
            assert!(paths.iter().all(|way| way.last().is_some_and(is_last)), "{text}");
            assert_eq!(paths.is_empty(), !text.contains(|c: char| c.is_ascii_digit()), "{text}");
            pressed += paths.len();
            return;
        }
        other_moves += usize::from(paths.is_empty());
        if ends_a_game(&after) || paths.is_empty() {
            let said = ["pass", "take", "drop", "beaver", "accept", "reject"];
            assert!(!paths.is_empty() || said.contains(&&**text), "{text}");
            return;
        }
        let seat = mover(position).unwrap();
        let mut moved = men(&before, seat);
        for way in &paths {
            *moved.get_mut(&way[0]).unwrap() -= 1;
            *moved.get_mut(way.last().unwrap()).unwrap() += 1;
            assert!(way.len() > 1, "{text}");
        }
        // After the last play of a game, the next game of the match is set up.
        if !begins_next {
            assert_eq!(men(&after, seat), moved, "{text} {paths:?} {position:?}");
        }
        marched += paths.len();
    });
    assert!(
        [marched, pressed, other_moves].iter().all(|&tried| tried > 20),
        "{marched} {pressed} {other_moves}"
    );
}

/// Returns the next steps after these steps in a position, as seat 0 writes them.
fn next_words(game: &str, line: &str, steps: &[&str]) -> String {
    let position = crate::find(game).unwrap().place(&crate::Choices::default(), line).unwrap();
    let begun = position.partial_move(&View::default(), steps).unwrap();
    let next = begun.next.into_iter().map(|next| {
        let via: Vec<String> = next.via.iter().map(|spot| format!("{spot:?}")).collect();
        if via.is_empty() { next.words } else { format!("{} via {}", next.words, via.join(" ")) }
    });
    let play = begun.play.map(|play| format!("play {play}"));
    next.chain(play).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_man_goes_by_several_dice_at_once_where_that_can_be_nothing_else() {
    let line = |places: &str| format!("O 32 {places} 6=OOOOO 5=OOOOO 4=OOOO 24=XXXXXXXXXXXXX");
    let next = |places: &str, steps: &[&str]| next_words("backgammon", &line(places), steps);
    let of_13 = |next: String| -> Vec<String> {
        next.split("; ").filter(|words| words.starts_with("13")).map(str::to_owned).collect()
    };
    // Both routes have the same result.
    assert_eq!(of_13(next("13=O 1=XX", &[])), ["13-10", "13-11", "13-10-8 via Point(10)"]);
    // On one route a man is hit, so the player must choose.
    assert_eq!(of_13(next("13=O 10=X 1=X", &[])), ["13-10*", "13-11"]);
    // Only one route is open.
    assert_eq!(of_13(next("13=O 10=XX", &[])), ["13-11", "13-11-8 via Point(11)"]);
    assert_eq!(of_13(next("13=O 10=X 1=X", &["13-10*"])), [""; 0]);
    assert_eq!(
        next_words("backgammon", &line("13=O 10=X 1=X"), &["13-10*", "10-8"]),
        "play 13-10*,10-8"
    );
}

#[test]
fn the_last_men_are_borne_off_by_the_dice_that_do_it() {
    let next = |dice: &str, steps: &[&str]| {
        let off = "off=OOOOOOOOOOOOO";
        let line = format!("O {dice} 3=O 1=O 24=XXXXXXXXXXXXXXX {off}");
        next_words("backgammon", &line, steps)
    };
    // One die bears off the man on 3, and every play uses both dice.
    assert_eq!(next("61", &[]), "3-off; 3-2; 1-off");
    assert_eq!(next("61", &["3-2"]), "2-off");
    assert_eq!(next("61", &["1-off"]), "3-off");
    assert_eq!(next("21", &[]), "3-1; 3-2; 3-1-off via Point(1); 1-off; play 3-1,1-off");
    assert_eq!(next("21", &["3-1-off"]), "play 3-1-off");
}
