//! Crosstables as text of at most 78 columns.

use crate::model::tournament::crosstable::{
    Cell, CellState, Columns, Crosstable, points, quarters,
};
use crate::model::tournament::{EntrantIndex, Field};
use std::fmt::Display;

/// The longest line of a mail's text.
const WIDTH: usize = 78;

/// The narrowest column of userids.
const NARROWEST: usize = 8;

/// Returns the lines of a crosstable, with a head. Of more rounds than fit, the first are left out.
pub(crate) fn lines(table: &Crosstable, field: &Field) -> Vec<String> {
    let count = table.rows.first().map_or(0, |row| row.cells.len());
    let place = digits(table.rows.len());
    let cell = match table.columns {
        Columns::Opponents => 1 + digits(count),
        Columns::Rounds | Columns::Games => 2 + place,
    };
    // The place, the userid, the cells, and the points with their tie-break.
    let tail = 2 + 6 + 8;
    let room = WIDTH.saturating_sub(2 + place + 2 + NARROWEST + tail);
    let shown = count.min(room / cell);
    let skipped = count - shown;
    let longest = table.rows.iter().map(|row| name(field, row.row.entrant).len()).max();
    let fits = NARROWEST + room - shown * cell;
    let names = longest.unwrap_or(0).clamp("Player".len(), fits);
    let mut lines = vec![head(table, place, names, cell, skipped)];
    for row in &table.rows {
        let signs = row.cells[skipped..].iter().map(|one| sign(*one, table.columns));
        let cells = padded(signs, cell);
        let user = name(field, row.row.entrant);
        let user: String = user.chars().take(names).collect();
        let score = if row.row.is_removed {
            format!("  {:>6}", "left")
        } else {
            let points = format!("  {:>6}", points(row.row.half_points));
            match table.columns {
                Columns::Games => points,
                _ => format!("{points}{:>8}", quarters(row.row.quarters)),
            }
        };
        lines.push(format!("  {:>place$}  {user:<names$}{cells}{score}", row.place));
    }
    lines
}

fn head(table: &Crosstable, place: usize, names: usize, cell: usize, skipped: usize) -> String {
    let count = table.rows.first().map_or(0, |row| row.cells.len());
    let cells = padded(skipped + 1..=count, cell);
    let head = format!("  {:>place$}  {:<names$}{cells}  {:>6}", "", "Player", "points");
    if table.columns == Columns::Games { head } else { format!("{head}{:>8}", "SB") }
}

/// Returns values in columns of a width.
fn padded<T: Display>(values: impl IntoIterator<Item = T>, width: usize) -> String {
    let padded: Vec<String> = values.into_iter().map(|it| format!("{it:>width$}")).collect();
    padded.concat()
}

/// Returns the userid of an entrant; a star marks players who have left.
fn name(field: &Field, entrant: EntrantIndex) -> String {
    let entrant = &field.entrants[entrant];
    let mark = if entrant.left { "*" } else { "" };
    format!("{}{mark}", entrant.user)
}

/// Returns the text of a cell. In a column of a round, the opponent's place comes first.
fn sign(cell: Cell, columns: Columns) -> String {
    let sign = cell.state.sign();
    match (columns, cell.opponent) {
        (Columns::Rounds | Columns::Games, Some(place)) if cell.state != CellState::Empty => {
            format!("{place}{sign}")
        }
        _ => sign.to_owned(),
    }
}

fn digits(count: usize) -> usize {
    count.max(1).ilog10() as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::UserId;
    use crate::model::tournament::{Bye, DecidedBy, Entrant, Format, Game, GameResult, Verdict};

    fn field(players: usize, name: impl Fn(usize) -> String) -> Field {
        let entrant =
            |at| Entrant { user: UserId::parse(&name(at)).unwrap(), rating: 1600, left: false };
        Field { entrants: (0..players).map(entrant).collect(), ..Field::default() }
    }

    fn game(round: u32, players: [usize; 2], result: Option<GameResult>) -> Game {
        let verdict = result.map(|result| Verdict { result, by: DecidedBy::Play });
        Game { round, group: 0, players, board: 1, verdict }
    }

    #[test]
    fn a_group_is_a_square_of_results() {
        let mut field = field(3, |at| ["alice", "bob", "carol"][at].to_owned());
        field.games.push(game(1, [0, 1], Some(GameResult::Second)));
        field.games.push(game(1, [1, 2], Some(GameResult::Draw)));
        field.games.push(game(1, [2, 0], None));
        field.entrants[2].left = true;
        let table = Crosstable::of_group(&field, 1, 0);
        // Carol has left after half of her games, so they count.
        assert_eq!(
            lines(&table, &field),
            [
                "     Player 1 2 3  points      SB",
                "  1  bob    - = 1     1.5    0.25",
                "  2  carol* = - .     0.5    0.75",
                "  3  alice  0 . -       0       0",
            ]
        );
    }

    #[test]
    fn rounds_show_opponents_and_byes() {
        let mut field = field(3, |at| ["alice", "bob", "carol"][at].to_owned());
        field.games.push(game(1, [0, 1], Some(GameResult::First)));
        field.byes.push(Bye { round: 1, entrant: 2 });
        field.games.push(game(2, [2, 0], None));
        let table = Crosstable::of_rounds(Format::Swiss { rounds: 2 }, &field);
        assert_eq!(
            lines(&table, &field),
            [
                "     Player  1  2  points      SB",
                "  1  alice  31 2.       1       0",
                "  2  carol   + 1.       1       0",
                "  3  bob    10  -       0       0",
            ]
        );
    }

    #[test]
    fn no_line_is_longer_than_a_mail_allows() {
        for (players, rounds) in [(2, 1), (12, 1), (128, 11), (128, 16)] {
            let mut field = field(players, |at| format!("{:x<32}", format!("p{at}-")));
            for round in 1..=rounds {
                for at in 0..players / 2 {
                    field.games.push(game(round, [at, players - 1 - at], Some(GameResult::Draw)));
                }
            }
            let tables = [
                Crosstable::of_rounds(Format::Swiss { rounds }, &field),
                Crosstable::of_group(&field, 1, 0),
            ];
            for table in &tables[..if players > 12 { 1 } else { 2 }] {
                let longest = lines(table, &field).iter().map(String::len).max();
                assert!(longest <= Some(WIDTH), "{:#?}", lines(table, &field));
            }
        }
    }
}
