//! A position in words, for readers who use a screen reader: short, and what matters most first.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::base::words::{AndList, Plural};
use crate::model::board::{Board, RecordedMove};
use crate::model::world::World;
use crate::reply::board_mail::names::player_names;
use crate::reply::board_mail::recent_moves::rolled;
use crate::reply::board_mail::{clock_text, match_facts};
use crate::reply::draw::links_in_words;
use crate::reply::letters::{Block, TextElement};
use games::{
    AnyPosition, Corridor, Diagram, DiceOnTable, ManKind, MenKind, Next, Piece, Pile, Points, ROLL,
    Rim, Seat, Spot, TiledBoard, View, Wall,
};
use std::fmt::Display;

/// Describes a board as it is now, with the reader's time left and the command to move.
pub(crate) fn describe(
    world: &World,
    board: &Board,
    diagram: &Diagram,
    reader: &UserId,
    now: Time,
) -> Block {
    let seat = board.seat(reader);
    let view = seat.map_or_else(View::default, |seat| world.view(board, seat));
    let mut sentences = position_sentences(board, board.position(), diagram, &view, None);
    if board.is_over() {
        return in_words(sentences);
    }
    sentences.extend(seat.and_then(|seat| clock_text::time_left_sentence(world, board, seat, now)));
    if let (Next::Move(due) | Next::Ready(due, _), Some(seat)) = (board.position().next(), seat)
        && due == seat
    {
        let is_asked = matches!(board.position().next(), Next::Ready(..));
        let first = board.position().first_move().unwrap_or_default();
        let first = board.game.text_for_viewer(&view, due, first);
        let sample = if is_asked { ROLL } else { &first };
        let (game, number) = (board.game.spec().name, board.id.number);
        sentences.push(format!("To move: {game} move {number} {reader} <password> {sample}"));
    }
    in_words(sentences)
}

fn in_words(sentences: Vec<String>) -> Block {
    let first = TextElement::Sentence("In words:".into());
    Block::Text(
        std::iter::once(first).chain(sentences.into_iter().map(TextElement::Sentence)).collect(),
    )
}

/// Describes a position of a board. `after` is the number of the moves that were played before it; without it,
/// all moves of the board were.
pub(crate) fn position(
    board: &Board,
    position: &dyn AnyPosition,
    diagram: &Diagram,
    view: &View,
    after: Option<usize>,
) -> Block {
    in_words(position_sentences(board, position, diagram, view, after))
}

fn position_sentences(
    board: &Board,
    position: &dyn AnyPosition,
    diagram: &Diagram,
    view: &View,
    after: Option<usize>,
) -> Vec<String> {
    let reader = view.seat;
    let side = |seat: Seat| format!("{} {}", board.side(seat), board.player(seat));
    let mut sentences = vec![turn_sentence(board, position, diagram, reader, after)];
    let made = after.unwrap_or(usize::MAX);
    if let Some(RecordedMove { seat, dice, text, .. }) = board.moves().take(made).last() {
        let dice = dice.map_or_else(String::new, |dice| format!(" rolled {} and", rolled(dice)));
        let text = board.game.text_for_viewer(view, seat, text.into_owned());
        sentences.push(format!("Last play: {}{dice} played {text}.", side(seat)));
    }
    match diagram {
        Diagram::Board(board) => sentences.extend(marks(board)),
        Diagram::Corridor(_) | Diagram::Points(_) => {
            // The reader's own men come first.
            let first = reader.unwrap_or(Seat(0));
            sentences.extend([first, first.other()].map(|seat| {
                let men = match diagram {
                    Diagram::Corridor(corridor) => corridor_men(corridor, seat),
                    Diagram::Points(points) => points_men(points, seat),
                    Diagram::Board(_) => Vec::new(),
                };
                format!("{}: {}.", side(seat), men.join(", "))
            }));
        }
    }
    if let Diagram::Corridor(corridor) = diagram {
        sentences.extend(walls(corridor));
    }
    sentences
}

/// Returns whose turn it is and the dice to be played.
fn turn_sentence(
    board: &Board,
    position: &dyn AnyPosition,
    diagram: &Diagram,
    reader: Option<Seat>,
    after: Option<usize>,
) -> String {
    match position.next() {
        _ if board.closing.is_some() && after.is_none() => "The game is over.".into(),
        Next::Over(_) => "The game is over.".into(),
        Next::Deal => "Stones are laid next.".into(),
        Next::Roll(_) => "The dice are rolled next.".into(),
        Next::Ready(..) if !position.asks_to_roll() => "The dice are rolled next.".into(),
        Next::Move(seat) | Next::Ready(seat, _) => {
            let dice = match diagram {
                Diagram::Board(_) => String::new(),
                _ => dice_of(diagram).map_or_else(|| "No dice yet.".into(), spoken_dice),
            };
            if reader == Some(seat) {
                format!("Your move, {}. {dice}", board.side(seat))
            } else {
                format!("{} {} to move. {dice}", board.side(seat), board.player(seat))
            }
        }
    }
}

/// Describes the position after `after` moves, with the facts beside the board.
pub(crate) fn past(
    board: &Board,
    past: &dyn AnyPosition,
    diagram: &Diagram,
    view: &View,
    after: usize,
) -> Block {
    let facts = match_facts::describe(diagram, player_names(board), board.game.spec().stakes);
    let mut sentences = position_sentences(board, past, diagram, view, Some(after));
    sentences.extend(facts);
    in_words(sentences)
}

fn dice_of(diagram: &Diagram) -> Option<&DiceOnTable> {
    match diagram {
        Diagram::Corridor(corridor) => corridor.dice.as_ref(),
        Diagram::Points(points) => points.dice.as_ref().map(|(_, dice)| dice),
        Diagram::Board(_) => None,
    }
}

/// Returns the dice as a sentence, the higher one first.
fn spoken_dice(dice: &DiceOnTable) -> String {
    match dice.show.as_slice() {
        [value, ..] if dice.is_double => format!("Dice: double {value}, to be played 4 times."),
        [value] => format!("Die: {value}."),
        _ => format!("Dice: {}.", AndList(&dice.higher_first())),
    }
}

fn men_on_point(pile: Pile, seat: Seat, name: &dyn Display) -> Option<String> {
    match pile.holder {
        Some(holder) if holder == seat && pile.pins => {
            Some(format!("{} on {name} pinning one", pile.men))
        }
        Some(holder) if holder == seat => Some(format!("{} on {name}", pile.men)),
        Some(_) if pile.pins => Some(format!("1 pinned on {name}")),
        _ => None,
    }
}

/// Returns the men of a seat, file by file.
fn corridor_men(board: &Corridor, seat: Seat) -> Vec<String> {
    let size = board.size;
    let places = (1..=size).flat_map(|file| (1..=size).map(move |rank| (file, rank)));
    let mut men: Vec<String> = places
        .filter_map(|(file, rank)| {
            let index = usize::from(rank - 1) * usize::from(size) + usize::from(file - 1);
            men_on_point(board.piles[index], seat, &Spot::Square(file, rank))
        })
        .collect();
    let steps = usize::try_from(board.connection[seat.index()]).unwrap_or(usize::MAX);
    men.push(format!("{} to connection", Plural(steps, "step")));
    men
}

/// Returns the men of a seat, by the points as moves name them.
fn points_men(board: &Points, seat: Seat) -> Vec<String> {
    let index = seat.index();
    let on_points = board.piles.iter().enumerate();
    let mut men: Vec<String> =
        on_points.filter_map(|(point, pile)| men_on_point(*pile, seat, &(point + 1))).collect();
    if let Rim::Bar(waiting) = board.rim
        && waiting[index] > 0
    {
        men.insert(0, format!("{} on the bar", waiting[index]));
    }
    if board.off[index] > 0 {
        men.push(format!("{} off", board.off[index]));
    }
    let pips = usize::try_from(board.pips[index]).unwrap_or(usize::MAX);
    men.push(Plural(pips, "pip").to_string());
    men
}

/// Returns the walls of a corridor board as a sentence.
fn walls(board: &Corridor) -> Option<String> {
    let file = |number: u8| Spot::Square(number, 1).to_string().replace('1', "");
    let one = |wall: &Wall| {
        let (left, right) = (file(wall.after_file), file(wall.after_file + 1));
        let Wall { from_rank, to_rank, .. } = wall;
        if from_rank == to_rank {
            format!("between {left} and {right} on rank {from_rank}")
        } else {
            format!("between {left} and {right} on ranks {from_rank} to {to_rank}")
        }
    };
    let walls: Vec<String> = board.walls.iter().map(one).collect();
    (!walls.is_empty()).then(|| format!("Walls: {}.", walls.join(", ")))
}

/// Returns the signs on a board of tiles, each with its tiles, and the score.
fn marks(board: &TiledBoard) -> Vec<String> {
    if board.lower_side().is_some() {
        return Seat::BOTH.map(|seat| men_by_kinds(board, seat)).to_vec();
    }
    let mut kinds: Vec<(char, Vec<String>)> = Vec::new();
    let (lines, others): (Vec<Spot>, Vec<Spot>) = board
        .rows()
        .concat()
        .into_iter()
        .filter(|spot| board.at(*spot).is_some())
        .partition(|spot| board.at(*spot) == Some(Piece::Line));
    for spot in others {
        let (mark, name) = (board.mark(spot), spot.to_string());
        match kinds.iter_mut().find(|(kind, _)| *kind == mark) {
            Some((_, names)) => names.push(name),
            None => kinds.push((mark, vec![name])),
        }
    }
    let line = |(mark, names): &(char, Vec<String>)| {
        format!("{mark}, {}: {}.", Plural(names.len(), &board.place), names.join(", "))
    };
    kinds.sort_by_key(|(kind, _)| *kind);
    let score = board.score.as_ref().map(|([first, second], what)| {
        let mut name = what.clone().into_owned();
        name[..1].make_ascii_uppercase();
        let [one, other] = &board.sides;
        format!("{name}: {one} {first}, {other} {second}.")
    });
    let owned = Seat::BOTH.into_iter().flat_map(|seat| owned(board, seat));
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let lines = (!lines.is_empty()).then(|| format!("Lines: {}.", lines.join(", ")));
    let links = links_in_words(board);
    let kinds = lines.into_iter().chain(kinds.iter().map(line));
    kinds.chain(links).chain(owned).chain(score).collect()
}

/// Returns the territory of a side, and the dead men of the other side in it.
fn owned(board: &TiledBoard, seat: Seat) -> Vec<String> {
    let spots = board.rows().concat().into_iter();
    let (men, empty): (Vec<Spot>, Vec<Spot>) = spots
        .filter(|spot| board.owners.get(spot) == Some(&seat))
        .partition(|spot| board.at(*spot).is_some());
    let side = |seat: Seat| &board.sides[seat.index()];
    let line = |what: String, spots: Vec<Spot>| {
        let names: Vec<String> = spots.iter().map(ToString::to_string).collect();
        (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")))
    };
    let territory = line(format!("Territory of {}", side(seat)), empty);
    let dead = line(format!("Dead men of {}", side(seat.other())), men);
    territory.into_iter().chain(dead).collect()
}

/// Returns the men of a side by their kinds: `White: king e1, rooks a1 and h1.`
fn men_by_kinds(board: &TiledBoard, seat: Seat) -> String {
    let spots = board.rows().concat();
    let of_kind = |(one, several, piece): (&str, &str, Piece)| {
        let is_one = |spot: &&Spot| board.at(**spot) == Some(piece);
        let names: Vec<String> =
            spots.iter().filter(is_one).map(|spot| board.name(*spot)).collect();
        match &names[..] {
            [] => None,
            [only] => Some(format!("{one} {only}")),
            names => Some(format!("{several} {}", AndList(names))),
        }
    };
    let kinds = if board.men == MenKind::Draughtsmen {
        vec![("man", "men", Piece::Man(seat)), ("king", "kings", Piece::King(seat))]
    } else {
        ManKind::ALL.map(|kind| (kind.name(), kind.plural(), Piece::Chessman(seat, kind))).to_vec()
    };
    let men: Vec<String> = kinds.into_iter().filter_map(of_kind).collect();
    format!("{}: {}.", board.sides[seat.index()], men.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pile(holder: u8, men: u8, pins: bool) -> Pile {
        Pile { holder: Some(Seat(holder)), men, pins }
    }

    #[test]
    fn both_sides_of_a_pin_are_told() {
        let said = |seat| men_on_point(pile(0, 2, true), Seat(seat), &"e3").unwrap();
        assert_eq!([said(0), said(1)], ["2 on e3 pinning one", "1 pinned on e3"]);
        assert_eq!(men_on_point(pile(0, 2, false), Seat(1), &"e3"), None);
        assert_eq!(men_on_point(Pile::default(), Seat(0), &"e3"), None);
    }

    #[test]
    fn dice_are_said_as_they_are_played() {
        let dice = |show: &[u8], is_double| {
            spoken_dice(&DiceOnTable { faces: 6, show: show.to_vec(), is_double, used: [0; 2] })
        };
        assert_eq!(dice(&[3], false), "Die: 3.");
        assert_eq!(dice(&[6, 2], false), "Dice: 6 and 2.");
        assert_eq!(dice(&[1, 3], false), "Dice: 3 and 1.");
        assert_eq!(dice(&[5], true), "Dice: double 5, to be played 4 times.");
    }

    #[test]
    fn a_square_board_is_read_mark_by_mark_from_the_top() {
        let mut board = TiledBoard::new(["Green", "Red"], 3, 2);
        board.put_rows(&["R.G", "GG."]);
        assert_eq!(marks(&board), ["G, 3 points: c2, a1, b1.", "R, 1 point: a2."]);
    }

    #[test]
    fn territory_and_dead_men_are_read_behind_the_men() {
        let mut board = TiledBoard::new(["Black", "White"], 3, 2);
        board.put_rows(&["B.W", ".B."]);
        let owned = ["b2", "a1", "c2"].map(|name| (name.parse().unwrap(), Seat(0)));
        board.owners = owned.into();
        assert_eq!(
            marks(&board),
            [
                "B, 2 points: a2, b1.",
                "W, 1 point: c2.",
                "Territory of Black: b2, a1.",
                "Dead men of White: c2."
            ]
        );
    }

    #[test]
    fn chessmen_are_read_side_by_side_with_their_kinds() {
        let men = MenKind::Chessmen;
        let mut board = TiledBoard { men, ..TiledBoard::new(["White", "Black"], 3, 2) };
        board.put_rows(&["k.P", "PKP"]);
        assert_eq!(marks(&board), ["White: king b1; pawns c2, a1 and c1.", "Black: king a2."]);
    }

    #[test]
    fn draughtsmen_are_read_by_the_numbers_of_their_squares() {
        let men = MenKind::Draughtsmen;
        let mut board = TiledBoard { men, ..TiledBoard::new(["White", "Black"], 4, 4) };
        board.put_rows(&[".b.b", "....", "....", "W.w."]);
        assert_eq!(marks(&board), ["White: man 8; king 7.", "Black: men 1 and 2."]);
    }

    #[test]
    fn men_on_the_bar_come_first_and_those_off_behind() {
        let mut piles = [Pile::default(); 24];
        piles[23] = pile(0, 2, false);
        piles[0] = pile(1, 3, true);
        let board = Points {
            piles,
            first: games::Corner::LowerRight,
            rim: Rim::Bar([1, 0]),
            off: [0, 4],
            men: [15, 11],
            pips: [73, 1],
            upper: Seat(1),
            dice: None,
            cube: None,
            game_of: None,
            resigns: None,
        };
        let said = |seat| points_men(&board, Seat(seat)).join(", ");
        assert_eq!(said(0), "1 on the bar, 1 pinned on 1, 2 on 24, 73 pips");
        assert_eq!(said(1), "3 on 1 pinning one, 4 off, 1 pip");
    }
}
