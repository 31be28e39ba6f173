//! Facts that a drawing cannot show: the score of a match, the cube, an offer to resign.

use crate::base::words::Plural;
use crate::reply::board_mail::recent_moves::with_article;
use games::{Cube, Diagram, Match, Seat, Spot};

/// Returns the facts below a drawing, each as a sentence. `names` are the players', seat 0's first;
/// `stakes` are the game's.
pub(crate) fn describe(diagram: &Diagram, names: [&str; 2], stakes: &[&str]) -> Vec<String> {
    let board = match diagram {
        Diagram::Points(board) => board,
        Diagram::Corridor(_) => return Vec::new(),
        Diagram::Board(board) => {
            let sentence = |note: &String| format!("{}.", capitalized(note));
            return board.notes.iter().map(sentence).collect();
        }
    };
    let mut facts = Vec::new();
    if let Some(game_of) = board.game_of {
        facts.extend(match_score(game_of, names));
    }
    let is_crawford = board.game_of.is_some_and(|game_of| game_of.is_crawford);
    if let Some(cube) = board.cube.filter(|_| !is_crawford) {
        // An offer to resign is answered first.
        let turned = cube.turned.filter(|_| board.resigns.is_none());
        facts.extend(cube_facts(Cube { turned, ..cube }, names));
    }
    if let Some((seat, stake)) = board.resigns {
        let stake = stakes.get(usize::from(stake).wrapping_sub(1));
        let stake = stake.map_or_else(String::new, |stake| format!(" {}", with_article(stake)));
        facts.push(format!("{} offers to resign{stake}.", names[seat.index()]));
    }
    facts
}

/// Capitalizes a sentence, unless it begins with a point such as `e5`.
fn capitalized(words: &str) -> String {
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    let is_point = words.split(' ').next().is_some_and(|word| word.parse::<Spot>().is_ok());
    if is_point { words.to_owned() } else { first.to_uppercase() + rest }
}

fn match_score(game_of: Match, [o, x]: [&str; 2]) -> Vec<String> {
    let Match { length, score, is_crawford, game, title, last } = game_of;
    let mut facts = Vec::new();
    if let Some((winner, points)) = last {
        let points = Plural(usize::try_from(points).unwrap_or(usize::MAX), "point");
        facts.push(format!("{} won the last game: {points}.", [o, x][winner.index()]));
    }
    let title = title.map_or_else(String::new, |title| format!(", {title}"));
    facts.push(format!(
        "{length}-point match, game {game}{title}: {o} {}, {x} {}.",
        score[0], score[1]
    ));
    if is_crawford {
        facts.push("Crawford game: no doubling.".into());
    }
    facts
}

fn cube_facts(cube: Cube, names: [&str; 2]) -> Vec<String> {
    let name = |seat: Seat| names[seat.index()];
    let value = cube.value;
    let place = match cube.owner {
        None => format!("The cube is at {value}, in the middle."),
        Some(owner) => format!("The cube is at {value}; {} owns it.", name(owner)),
    };
    let turned = cube.turned.map(|seat| {
        let value = value.saturating_mul(2);
        format!("{} doubles to {value}: {} takes or drops.", name(seat), name(seat.other()))
    });
    [place].into_iter().chain(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Corner, Pile, Points, Rim, TiledBoard};

    const NAMES: [&str; 2] = ["alice", "bob"];
    const STAKES: &[&str] = &["single", "gammon", "backgammon"];
    const BOARD: Points = Points {
        piles: [Pile { holder: None, men: 0, pins: false }; 24],
        first: Corner::LowerRight,
        rim: Rim::Bar([0; 2]),
        off: [0; 2],
        men: [15; 2],
        pips: [167; 2],
        upper: Seat(1),
        dice: None,
        cube: None,
        game_of: None,
        resigns: None,
    };
    const MATCH: Match =
        Match { length: 5, score: [0; 2], is_crawford: false, game: 1, title: None, last: None };

    fn facts(board: Points) -> String {
        let facts = describe(&Diagram::Points(board), NAMES, STAKES);
        facts.join("\n")
    }

    #[test]
    fn a_board_without_match_and_cube_has_none() {
        assert_eq!(facts(BOARD), "");
        assert_eq!(
            describe(&Diagram::Board(TiledBoard::new(["O", "X"], 1, 1)), NAMES, STAKES),
            Vec::<String>::new()
        );
    }

    #[test]
    fn the_score_of_a_match() {
        let board = |game_of| Points { game_of: Some(game_of), ..BOARD };
        assert_eq!(facts(board(MATCH)), "5-point match, game 1: alice 0, bob 0.");
        let third = Match { score: [2, 1], game: 3, last: Some((Seat(1), 1)), ..MATCH };
        assert_eq!(
            facts(board(third)),
            "bob won the last game: 1 point.\n5-point match, game 3: alice 2, bob 1."
        );
        let fevga = Match { game: 3, title: Some("Fevga"), ..MATCH };
        assert_eq!(facts(board(fevga)), "5-point match, game 3, Fevga: alice 0, bob 0.");
        let crawford =
            Match { score: [4, 1], is_crawford: true, game: 4, last: Some((Seat(0), 2)), ..MATCH };
        let cube = Some(Cube { value: 1, owner: None, turned: None });
        assert_eq!(
            facts(Points { cube, ..board(crawford) }),
            "alice won the last game: 2 points.\n\
             5-point match, game 4: alice 4, bob 1.\n\
             Crawford game: no doubling."
        );
    }

    #[test]
    fn the_cube_with_its_owner_and_a_double() {
        let board = |value, owner, turned| {
            facts(Points { cube: Some(Cube { value, owner, turned }), ..BOARD })
        };
        assert_eq!(board(1, None, None), "The cube is at 1, in the middle.");
        assert_eq!(board(2, Some(Seat(1)), None), "The cube is at 2; bob owns it.");
        assert_eq!(
            board(2, Some(Seat(0)), Some(Seat(0))),
            "The cube is at 2; alice owns it.\nalice doubles to 4: bob takes or drops."
        );
    }

    #[test]
    fn an_offer_to_resign() {
        for (stake, said) in [
            (1, "bob offers to resign a single game."),
            (2, "bob offers to resign a gammon."),
            (9, "bob offers to resign."),
        ] {
            assert_eq!(facts(Points { resigns: Some((Seat(1), stake)), ..BOARD }), said);
        }
    }
}
