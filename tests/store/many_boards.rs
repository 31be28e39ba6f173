//! Boards of Malaka in any number, and their players.

use games::{Chance, Choices, Entry, Next};
use postboard::base::ids::UserId;
use postboard::base::time::Time;
use postboard::mail::Address;
use postboard::model::board::Board;
use postboard::model::user::User;
use std::collections::HashMap;

fn player(number: u32) -> UserId {
    UserId::parse(&format!("player{number}")).unwrap()
}

/// Returns the board of this number before its first move. Of `boards` boards, each pair of players
/// has two.
pub(super) fn begun_board(number: u32, boards: u32) -> Board {
    let game = games::find("malaka").unwrap();
    let pair = number % boards.div_ceil(2) * 2;
    let both = [player(pair), player(pair + 1)];
    let mut board = Board::new(game, number, both, Choices::default(), Time::EPOCH);
    while let Next::Roll(throw) | Next::Ready(_, throw) = board.position().next() {
        let roll = Chance::new(u64::from(number)).roll(throw);
        board.append(Time::EPOCH, &[Entry::Rolled(roll)]);
    }
    board
}

/// Adds a board to those of its players, who begin with it.
pub(super) fn add_board(players: &mut HashMap<UserId, User>, board: &Board) {
    for id in &board.players {
        let address = Address::parse(&format!("{id}@pbm.test")).unwrap();
        let begins = || User::new(id.clone(), "none".into(), vec![address], Time::EPOCH);
        players.entry(id.clone()).or_insert_with(begins).active.push(board.id);
    }
}
