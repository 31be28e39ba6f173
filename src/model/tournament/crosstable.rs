//! Crosstables as data.

use super::field::{EntrantIndex, Field, Game};
use super::format::Format;
use super::knockout;
use super::tables::{self, Row};

/// The table of a division, of a group, or of a whole tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    /// The columns: opponents in the order of the table, or rounds.
    pub columns: Columns,
    /// The rows, best first.
    pub rows: Vec<CrosstableRow>,
}

/// The columns of a crosstable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// The opponents, in the order of the rows.
    Opponents,
    /// The rounds.
    Rounds,
    /// The games against one opponent, who has the same place in the other team.
    Games,
}

/// The row of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrosstableRow {
    /// The place, from 1.
    pub place: usize,
    /// The row of the table.
    pub row: Row,
    /// The cells, one for each column.
    pub cells: Vec<Cell>,
}

/// A game in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The state of the game.
    pub state: CellState,
    /// The place of the opponent, if there is one.
    pub opponent: Option<usize>,
    /// The number of the board, if there is one.
    pub board: Option<u32>,
}

/// The state of a game in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellState {
    /// The player won.
    Won,
    /// The player lost.
    Lost,
    /// The game was drawn.
    Drawn,
    /// The game goes on.
    Open,
    /// The player had no opponent.
    Bye,
    /// No game.
    Empty,
}

impl Cell {
    const EMPTY: Self = Self { state: CellState::Empty, opponent: None, board: None };

    fn of(game: &Game, entrant: EntrantIndex, places: &[EntrantIndex]) -> Self {
        let other = game.opponent_of(entrant);
        let state = match game.half_points_of(entrant) {
            None => CellState::Open,
            Some(0) => CellState::Lost,
            Some(1) => CellState::Drawn,
            Some(_) => CellState::Won,
        };
        let opponent = places.iter().position(|place| Some(*place) == other);
        Self { state, opponent: opponent.map(|at| at + 1), board: Some(game.board) }
    }
}

impl CellState {
    /// Returns the sign of the state in a crosstable.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Won => "1",
            Self::Lost => "0",
            Self::Drawn => "=",
            Self::Open => ".",
            Self::Bye => "+",
            Self::Empty => "-",
        }
    }
}

impl Crosstable {
    /// Returns the crosstable of a group in which everybody plays everybody.
    pub fn of_group(field: &Field, round: u32, group: usize) -> Self {
        let rows = tables::of_group(field, round, group);
        let places: Vec<_> = rows.iter().map(|row| row.entrant).collect();
        let cell = |entrant: EntrantIndex, other: EntrantIndex| {
            let mut games = field.group(round, group);
            let game = games.find(|game| game.opponent_of(entrant) == Some(other));
            game.map_or(Cell::EMPTY, |game| Cell::of(game, entrant, &places))
        };
        let cells = |row: &Row| places.iter().map(|other| cell(row.entrant, *other)).collect();
        Self { columns: Columns::Opponents, rows: numbered(&rows, cells) }
    }

    /// Returns the crosstable of an elimination or a Swiss tournament, with a column for each round.
    pub fn of_rounds(format: Format, field: &Field) -> Self {
        let rows = match format {
            Format::KnockOut { lives } => tables::of_knockout(field, lives),
            _ => tables::of_all(field),
        };
        let places: Vec<_> = rows.iter().map(|row| row.entrant).collect();
        let cell = |entrant: EntrantIndex, round: u32| {
            let game = field.games_of(entrant).find(|game| game.round == round);
            let has_bye =
                || field.byes.iter().any(|bye| bye.round == round && bye.entrant == entrant);
            match game {
                Some(game) => {
                    let cell = Cell::of(game, entrant, &places);
                    match format {
                        Format::KnockOut { .. } => decided_by_seat(cell, game, entrant),
                        _ => cell,
                    }
                }
                None if has_bye() => Cell { state: CellState::Bye, ..Cell::EMPTY },
                None => Cell::EMPTY,
            }
        };
        let cells = |row: &Row| (1..=field.round()).map(|round| cell(row.entrant, round)).collect();
        Self { columns: Columns::Rounds, rows: numbered(&rows, cells) }
    }

    /// Returns the table of a team, whose players are in the order of their places.
    pub fn of_team(field: &Field, own: &[EntrantIndex], others: &[EntrantIndex]) -> Self {
        let all = tables::of_all(field);
        let rows = own.iter().filter_map(|one| all.iter().find(|row| row.entrant == *one).copied());
        let rows: Vec<Row> = rows.collect();
        let cells = |row: &Row| {
            let games = field.games_of(row.entrant);
            games.map(|game| Cell::of(game, row.entrant, others)).collect()
        };
        Self { columns: Columns::Games, rows: numbered(&rows, cells) }
    }
}

/// Shows a drawn game of an elimination as won by the player who goes on.
fn decided_by_seat(cell: Cell, game: &Game, entrant: EntrantIndex) -> Cell {
    match cell.state {
        CellState::Drawn if knockout::is_lost(game, entrant) => {
            Cell { state: CellState::Lost, ..cell }
        }
        CellState::Drawn => Cell { state: CellState::Won, ..cell },
        _ => cell,
    }
}

fn numbered(rows: &[Row], cells: impl Fn(&Row) -> Vec<Cell>) -> Vec<CrosstableRow> {
    let row =
        |(at, row): (usize, &Row)| CrosstableRow { place: at + 1, row: *row, cells: cells(row) };
    rows.iter().enumerate().map(row).collect()
}

/// Returns points as text: `7`, `0.5`, `7.5`.
pub fn points(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", half_points / 2)
}

/// Returns a Sonneborn-Berger score as text: `12`, `12.25`.
pub fn quarters(quarters: u32) -> String {
    let part = ["", ".25", ".5", ".75"][(quarters % 4) as usize];
    format!("{}{part}", quarters / 4)
}
