//! `check`: everything is read, every board replayed with its legal moves listed.

use crate::board::{Board, Damage};
use crate::ids::{BoardId, UserId};
use crate::mailbox::Mailbox;
use crate::store::{Fault, Key, Store};
use crate::user::User;
use games::{AnyGame, AnyPosition, Choices, Entry, GAMES, Seat, Setting, replay};
use std::collections::HashMap;

/// What is wrong in a home: a line each; empty when all is well.
///
/// # Errors
/// The machine failed.
pub fn check(store: &dyn Store) -> Result<Vec<String>, Fault> {
    let mut wrong = Vec::new();
    let mut listed: HashMap<UserId, User> = HashMap::new();
    for key in store.users()? {
        let Key::User(name) = &key else { continue };
        match text(store, &key)?.and_then(|text| User::read(&text.unwrap_or_default())) {
            Ok(user) if user.id.folded() == *name => {
                listed.insert(user.id.clone(), user);
            }
            Ok(user) => wrong.push(format!("the file of user {name} holds user {}", user.id)),
            Err(damage) => wrong.push(format!("{key} cannot be read: {damage}")),
        }
    }
    for key in store.mailboxes()? {
        let read = text(store, &key)?.and_then(|text| Mailbox::read(&text.unwrap_or_default()));
        wrong.extend(read.err().map(|damage| format!("{key} cannot be read: {damage}")));
    }
    let mut boards_of: HashMap<UserId, (Vec<BoardId>, Vec<BoardId>)> = HashMap::new();
    for game in GAMES {
        let name = game.spec().name;
        let mut highest = 0;
        for key in store.boards(name)? {
            let Key::Board(_, number) = key else { continue };
            let id = BoardId { game: name, number };
            highest = highest.max(number);
            match text(store, &key)?.and_then(|text| Board::read(&text.unwrap_or_default())) {
                Ok(board) if board.id == id => {
                    wrong.extend(illegal(&board));
                    for player in &board.players {
                        let (active, finished) = boards_of.entry(player.clone()).or_default();
                        if board.is_over() { finished.push(id) } else { active.push(id) }
                    }
                }
                Ok(board) => wrong.push(format!("the file of {id} holds {}", board.id)),
                Err(damage) => wrong.push(format!("{key} cannot be read: {damage}")),
            }
        }
        let count = text(store, &Key::Count(name))?.ok();
        let count = count.and_then(|text| text.map_or(Some(0), |text| text.trim().parse().ok()));
        if count.is_none_or(|count| count < highest) {
            wrong.push(format!("the count of {name} boards is below board {highest}"));
        }
    }
    for (id, user) in &listed {
        let (active, finished) = boards_of.remove(id).unwrap_or_default();
        if user.left.is_some() && !active.is_empty() {
            wrong.push(format!("{id} has left, but still plays"));
        }
        for (what, mut has, mut should) in
            [("active", user.active.clone(), active), ("finished", user.finished.clone(), finished)]
        {
            has.sort_unstable();
            should.sort_unstable();
            if has != should {
                wrong.push(format!("the list of {what} boards of {id} differs from the boards"));
            }
        }
    }
    wrong.extend(boards_of.keys().map(|id| format!("{id} plays, but is no user")));
    wrong.sort_unstable();
    Ok(wrong)
}

/// What a document holds, if there is one; that it is no text is damage.
fn text(store: &dyn Store, key: &Key) -> Result<Result<Option<String>, Damage>, Fault> {
    match store.load(key) {
        Ok(document) => Ok(Ok(document.text)),
        Err(fault) if fault.is_damage() || fault.is_passing() => {
            Ok(Err(Damage(fault.source.to_string())))
        }
        Err(fault) => Err(fault),
    }
}

/// What may have been played for a player: it hangs on settings that he may have changed since.
fn forced(position: &dyn AnyPosition, game: &dyn AnyGame) -> impl Iterator<Item = String> {
    let settings = game.spec().settings.iter();
    let one = |setting: &'static Setting| Choices::one(&setting.switch, None).ok();
    let each = settings.filter_map(one).chain([Choices::default()]);
    each.filter_map(|settings| position.auto(&settings))
}

/// The first entry of a record that was not legal when it was made.
fn illegal(board: &Board) -> Option<String> {
    let mut position = board.game.setup(&board.options);
    for (index, line) in board.record.iter().enumerate() {
        let said = |why: String| format!("{}: record entry {}: {why}", board.id, index + 1);
        match &line.entry {
            Entry::Rolled(_) | Entry::Resigned { .. } => {
                if let Err((_, error)) = replay(&mut *position, [&line.entry]) {
                    return Some(said(error.to_string()));
                }
            }
            Entry::Moved { seat, text, auto } => {
                if !position.next().asks(*seat) {
                    return Some(said("it was not that side's turn".into()));
                }
                if *auto && !forced(&*position, board.game).any(|forced| forced == *text) {
                    return Some(said(format!("{text} was not forced")));
                }
                match position.play(text) {
                    Ok(played) if played == *text => {}
                    Ok(played) => return Some(said(format!("{text} should be written {played}"))),
                    Err(error) => return Some(said(format!("{text}: {error}"))),
                }
            }
        }
    }
    let seats = [Seat(0), Seat(1)].map(|seat| board.player(seat));
    (seats[0] == seats[1]).then(|| format!("{}: both players are {}", board.id, seats[0]))
}
