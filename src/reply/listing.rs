//! Boards and games, a line each.

use super::Played;
use super::clock::span;
use crate::base::ids::{BoardId, UserId};
use crate::base::words::{And, Count, wrapped};
use crate::model::board::{Board, ClosedBy, Closing, Status};
use crate::model::world::World;
use games::{AnyGame, Outcome};
use std::fmt::Write as _;

/// The games played here.
pub(super) fn games(games: &[Played]) -> String {
    let mut text = String::from(
        "The games played here, with the boards in progress and who plays there:\n\n\
         \x20              boards players\n",
    );
    for Played { game, boards, players } in games {
        let spec = game.spec();
        let mark = if spec.manner.levels > 0 { "*" } else { " " };
        let _ =
            writeln!(text, "  {:<11}{mark} {boards:>6} {players:>7}  {}", spec.name, spec.about);
    }
    text.push_str(
        "\n\
         * You can play these against the program, which answers at once. Its levels\n\
         \x20 are board1, the weakest, to board4: `reversi challenge <userid> board1`.\n\n\
         To wait for an opponent, send `malaka seek <userid> <password>`: anybody can\n\
         accept that. `help <game>` brings the rules, `list <game>` the boards.\n",
    );
    text
}

/// Boards of several games.
pub(super) fn lists(world: &World, lists: &[(&'static dyn AnyGame, Vec<BoardId>)]) -> String {
    let one = |(game, ids): &(&'static dyn AnyGame, Vec<BoardId>)| {
        let count = Count(ids.len(), "board");
        format!("{}: {count} in progress\n\n{}", game.spec().title, rows(world, ids))
    };
    lists.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Boards of some players.
pub(super) fn boards(world: &World, ids: &[BoardId]) -> String {
    format!("{}\n\n{}", Count(ids.len(), "board"), rows(world, ids))
}

/// Boards of some players in all games: those first that wait for them.
pub(super) fn everywhere(world: &World, users: &[UserId], ids: &[BoardId], now: i64) -> String {
    if ids.is_empty() {
        let whose = And(users);
        return format!(
            "{}\n",
            wrapped(&format!(
                "There are no such boards of {whose}. `list` shows the games, and who looks for an \
                 opponent."
            ))
        );
    }
    let boards = ids.iter().filter_map(|id| world.board(*id).ok());
    let (mut theirs, mut others, mut over) = (Vec::new(), Vec::new(), Vec::new());
    for board in boards {
        match board.status() {
            Status::ToMove(seat) if users.contains(board.player(seat)) => theirs.push(board),
            Status::ToMove(_) => others.push(board),
            Status::Ended(_) | Status::Closed(_) => over.push(board),
        }
    }
    let who = And(users);
    let parts = [
        (theirs, format!("Waiting for {who}:")),
        (others, "Waiting for the opponent:".to_owned()),
        (over, "Over:".to_owned()),
    ];
    let mut text = String::new();
    for (boards, head) in parts.into_iter().filter(|(boards, _)| !boards.is_empty()) {
        let _ = writeln!(text, "{head}\n");
        for board in boards.iter().take(MOST) {
            text.push_str(&line(world, board, now));
        }
        if boards.len() > MOST {
            let _ = writeln!(text, "  ... and {} more", boards.len() - MOST);
        }
        text.push('\n');
    }
    text.push_str("`<game> show <board>` shows a board: `");
    let first = ids[0];
    let _ = writeln!(text, "{} show {}`.", first.game, first.number);
    text
}

/// A board of one of several games, with the time that its player has left.
fn line(world: &World, board: &Board, now: i64) -> String {
    let [first, second] = &board.players;
    let name = format!("{} {}", board.id.game, board.id.number);
    let players = format!("{first} - {second}");
    let state = match board.status() {
        Status::ToMove(seat) => {
            let end = world.clock(board, now).turn.map(|turn| (turn.end - now).max(0));
            let left = end.map(|left| format!(", {} left", span(left))).unwrap_or_default();
            format!("move {}, {}{left}", board.next_move(), board.player(seat))
        }
        _ => state(board),
    };
    let one = format!("  {name:<15} {players:<24} {state}");
    if one.len() <= 78 { one + "\n" } else { format!("  {name:<15} {players}\n{:18}{state}\n", "") }
}

/// Boards of a listing at most.
const MOST: usize = 200;

fn rows(world: &World, ids: &[BoardId]) -> String {
    let boards = ids.iter().take(MOST).filter_map(|id| world.board(*id).ok());
    let mut text: String = boards.map(|board| row(board) + "\n").collect();
    if ids.len() > MOST {
        let _ = writeln!(text, "  ... and {} more", ids.len() - MOST);
    }
    text
}

fn row(board: &Board) -> String {
    let [first, second] = &board.players;
    let players = format!("{first} - {second}");
    let state = state(board);
    let options: Vec<String> = board.options.words().chain(board.terms.words()).collect();
    let options = options.join(" ");
    let one = format!("  {:>5}  {players:<26} {state:<22} {options}", board.id.number);
    let two = || format!("  {:>5}  {players}\n         {state}  {options}", board.id.number);
    let row = if one.trim_end().len() <= 78 { one } else { two() };
    row.trim_end().to_owned()
}

/// How a board stands, in a few words.
fn state(board: &Board) -> String {
    match board.status() {
        Status::ToMove(seat) => format!("move {}, {}", board.next_move(), board.player(seat)),
        Status::Ended(Outcome::Won { by, .. }) => format!("over, won by {}", board.player(by)),
        Status::Ended(Outcome::Drawn { .. })
        | Status::Closed(Closing { by: ClosedBy::Agreeing | ClosedBy::Assenting, .. }) => {
            "over, a draw".into()
        }
        Status::Closed(Closing { by: ClosedBy::Declining, .. }) => "declined".into(),
        Status::Closed(closing) => match closing.winner() {
            Some(winner) => format!("over, won by {}", board.player(winner)),
            None => "never begun".into(),
        },
    }
}
