//! A position in words, for players who have it read to them: short, and what matters most first.

use super::{clock, facts};
use crate::base::ids::UserId;
use crate::base::words::{And, Count, lines};
use crate::model::board::{Board, Turn};
use crate::model::world::World;
use games::{
    AnyPosition, Corridor, Diagram, DiceOnTable, Grid, Next, Pile, Points, ROLL, Rim, Seat, View,
};
use std::fmt::Write as _;

/// Whether a user wants positions in words.
pub(super) fn is_wanted(world: &World, reader: &UserId) -> bool {
    world.user(reader).is_some_and(|user| user.preferences.words)
}

/// What a picture shows of a board, and what its reader can do about it.
pub(super) fn of(
    world: &World,
    board: &Board,
    diagram: &Diagram,
    reader: &UserId,
    now: i64,
) -> String {
    let seat = board.seat(reader);
    let view = seat.map_or_else(View::default, |seat| world.view(board, seat));
    let mut text = position(board, board.position(), diagram, &view, None);
    if board.is_over() {
        return text;
    }
    if let Some(left) = seat.and_then(|seat| clock::left(world, board, seat, now)) {
        let _ = writeln!(text, "{left}");
    }
    if let (Next::Move(due) | Next::Ready(due, _), Some(seat)) = (board.position().next(), seat)
        && due == seat
    {
        let is_asked = matches!(board.position().next(), Next::Ready(..));
        let first = board.position().first_move().unwrap_or_default();
        let first = board.game.worded(&view, first);
        let sample = if is_asked { ROLL } else { &first };
        let (game, number) = (board.game.spec().name, board.id.number);
        let _ = writeln!(text, "To move: {game} move {number} {reader} <password> {sample}");
    }
    text
}

/// What a picture shows of any position of a board: as it stood after so many moves if that is
/// said, or as it would stand.
pub(super) fn position(
    board: &Board,
    position: &dyn AnyPosition,
    diagram: &Diagram,
    view: &View,
    after: Option<usize>,
) -> String {
    let reader = view.seat;
    let side = |seat: Seat| format!("{} {}", board.side(seat), board.player(seat));
    let dice = dice_of(diagram);
    let turn = match position.next() {
        _ if board.closing.is_some() && after.is_none() => "The game is over.".into(),
        Next::Over(_) => "The game is over.".into(),
        Next::Deal => "Stones are laid next.".into(),
        Next::Roll(_) => "The dice are thrown next.".into(),
        Next::Move(seat) | Next::Ready(seat, _) => {
            let dice = match diagram {
                Diagram::Grid(_) => String::new(),
                _ => dice.map_or_else(|| "No dice yet.".into(), spoken_dice),
            };
            match reader {
                Some(reader) if reader == seat => {
                    format!("Your move, {}. {dice}", board.side(seat))
                }
                _ => format!("The move of {}. {dice}", side(seat)),
            }
        }
    };
    let mut sentences = vec![turn];
    let made = after.unwrap_or(usize::MAX);
    if let Some(Turn { seat, dice, text, .. }) = board.moves().take(made).last() {
        let dice = dice.map_or_else(String::new, |dice| format!(" rolled {dice} and"));
        let text = board.game.worded(view, text.into_owned());
        sentences.push(format!("Last play: {}{dice} played {text}.", side(seat)));
    }
    match diagram {
        Diagram::Grid(grid) => sentences.extend(marks(grid)),
        Diagram::Corridor(_) | Diagram::Points(_) => {
            // His own men come first.
            let first = reader.unwrap_or(Seat(0));
            sentences.extend([first, first.other()].map(|seat| {
                let men = match diagram {
                    Diagram::Corridor(corridor) => of_corridor(corridor, seat),
                    Diagram::Points(points) => of_points(points, seat),
                    Diagram::Grid(_) => Vec::new(),
                };
                format!("{}: {}.", side(seat), men.join(", "))
            }));
        }
    }
    let mut text = String::from("In words:\n");
    for sentence in sentences {
        text.push_str(&lines(&sentence, 76, ""));
        text.push('\n');
    }
    text
}

/// The words of a position that is no longer there, with what stands beside the board.
pub(super) fn past(
    board: &Board,
    past: &dyn AnyPosition,
    diagram: &Diagram,
    view: &View,
    after: usize,
) -> String {
    let names = [board.players[0].as_str(), board.players[1].as_str()];
    let facts = facts::of(diagram, names, board.game.spec().stakes);
    position(board, past, diagram, view, Some(after)) + &facts
}

fn dice_of(diagram: &Diagram) -> Option<&DiceOnTable> {
    match diagram {
        Diagram::Corridor(corridor) => corridor.dice.as_ref(),
        Diagram::Points(points) => points.dice.as_ref().map(|(_, dice)| dice),
        Diagram::Grid(_) => None,
    }
}

fn spoken_dice(dice: &DiceOnTable) -> String {
    match dice.show.as_slice() {
        [value, ..] if dice.double => format!("Dice: double {value}, to be played 4 times."),
        [value] => format!("Die: {value}."),
        values => format!("Dice: {}.", And(values)),
    }
}

/// The men of a seat on one point.
fn of_pile(pile: Pile, seat: Seat, name: &str) -> Option<String> {
    match pile.holder {
        Some(holder) if holder == seat && pile.pins => {
            Some(format!("{} on {name} pinning one", pile.men))
        }
        Some(holder) if holder == seat => Some(format!("{} on {name}", pile.men)),
        Some(_) if pile.pins => Some(format!("1 pinned on {name}")),
        _ => None,
    }
}

/// The men of a seat, file by file.
fn of_corridor(board: &Corridor, seat: Seat) -> Vec<String> {
    let size = usize::from(board.size);
    let places = (0..size).flat_map(|file| (0..size).map(move |rank| (file, rank)));
    let mut men: Vec<String> = places
        .filter_map(|(file, rank)| {
            let name = format!("{}{}", letter(file), rank + 1);
            of_pile(board.piles[rank * size + file], seat, &name)
        })
        .collect();
    let steps = usize::try_from(board.connection[seat.index()]).unwrap_or(usize::MAX);
    men.push(format!("{} to connection", Count(steps, "step")));
    men
}

/// The men of a seat, on the points as moves name them.
fn of_points(board: &Points, seat: Seat) -> Vec<String> {
    let index = seat.index();
    let on_points = board.piles.iter().enumerate();
    let mut men: Vec<String> = on_points
        .filter_map(|(point, pile)| of_pile(*pile, seat, &(point + 1).to_string()))
        .collect();
    if let Rim::Bar(waiting) = board.rim
        && waiting[index] > 0
    {
        men.insert(0, format!("{} on the bar", waiting[index]));
    }
    if board.off[index] > 0 {
        men.push(format!("{} off", board.off[index]));
    }
    let pips = usize::try_from(board.pips[index]).unwrap_or(usize::MAX);
    men.push(Count(pips, "pip").to_string());
    men
}

/// The marks of a square board, each with its points.
fn marks(board: &Grid) -> Vec<String> {
    let height = board.rows.len();
    let mut kinds: Vec<(char, Vec<String>)> = Vec::new();
    for (row, text) in board.rows.iter().enumerate() {
        for (file, mark) in text.chars().enumerate().filter(|(_, mark)| *mark != '.') {
            let name = format!("{}{}", letter(file), height - row);
            match kinds.iter_mut().find(|(kind, _)| *kind == mark) {
                Some((_, names)) => names.push(name),
                None => kinds.push((mark, vec![name])),
            }
        }
    }
    let line = |(mark, names): &(char, Vec<String>)| {
        format!("{mark}, {}: {}.", Count(names.len(), "point"), names.join(", "))
    };
    kinds.sort_by_key(|(kind, _)| *kind);
    let score = board.score.map(|([green, red], what)| {
        let mut name = what.to_owned();
        name[..1].make_ascii_uppercase();
        format!("{name}: Green {green}, Red {red}.")
    });
    kinds.iter().map(line).chain(score).collect()
}

fn letter(file: usize) -> char {
    (b'a'..=b'z').map(char::from).nth(file).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pile(holder: u8, men: u8, pins: bool) -> Pile {
        Pile { holder: Some(Seat(holder)), men, pins }
    }

    #[test]
    fn both_sides_of_a_pin_are_told() {
        let said = |seat| of_pile(pile(0, 2, true), Seat(seat), "e3").unwrap();
        assert_eq!([said(0), said(1)], ["2 on e3 pinning one", "1 pinned on e3"]);
        assert_eq!(of_pile(pile(0, 2, false), Seat(1), "e3"), None);
        assert_eq!(of_pile(Pile::default(), Seat(0), "e3"), None);
    }

    #[test]
    fn dice_are_said_as_they_are_played() {
        let dice = |show: &[u8], double| {
            spoken_dice(&DiceOnTable { faces: 6, show: show.to_vec(), double })
        };
        assert_eq!(dice(&[3], false), "Die: 3.");
        assert_eq!(dice(&[6, 2], false), "Dice: 6 and 2.");
        assert_eq!(dice(&[5], true), "Dice: double 5, to be played 4 times.");
    }

    #[test]
    fn a_square_board_is_read_mark_by_mark_from_the_top() {
        let board = Grid { rows: vec!["R.G".into(), "GG.".into()], ..Grid::default() };
        assert_eq!(marks(&board), ["G, 3 points: c2, a1, b1.", "R, 1 point: a2."]);
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
        let said = |seat| of_points(&board, Seat(seat)).join(", ");
        assert_eq!(said(0), "1 on the bar, 1 pinned on 1, 2 on 24, 73 pips");
        assert_eq!(said(1), "3 on 1 pinning one, 4 off, 1 pip");
    }
}
