//! Whether every entry of a record was legal when it was made.

use crate::model::board::Board;
use crate::model::document::Damage;
use games::{AnyGame, AnyPosition, Choices, Entry, Seat, Setting, replay};

/// The first entry of a record that was not legal when it was made.
pub fn illegal(board: &Board) -> Option<Damage> {
    let mut position = board.start();
    for (index, line) in board.record.iter().enumerate() {
        let said = |why: String| Damage::of_entry(index, &why);
        match &line.entry {
            Entry::Rolled(_) | Entry::Laid(_) | Entry::Resigned { .. } => {
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
    let [one, other] = Seat::BOTH.map(|seat| board.player(seat));
    (one == other).then(|| Damage::untrue(format!("both players are {one}")))
}

/// Moves that may have been played for a player: they hang on settings that may have changed since.
fn forced(position: &dyn AnyPosition, game: &dyn AnyGame) -> impl Iterator<Item = String> {
    let settings = game.spec().settings.iter();
    let one = |setting: &'static Setting| Choices::one(&setting.switch, None).ok();
    let each = settings.filter_map(one).chain([Choices::default()]);
    each.filter_map(|settings| position.auto(&settings))
}
