//! Notices for browsers that a board waits for a user. This stage follows the change of a board: it notes
//! in the user's document, in the same transaction, that a notice is due or taken back. `web/` sends it.
//!
//! A board has at most one notice. It is taken back when the user does anything on the board, or when the
//! board no longer waits for them.

use crate::base::ids::{BoardId, UserId};
use crate::model::board::Board;
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::store::Fault;

/// Notes for which players of these boards a notice is due or taken back. `actor` is the user whose command
/// changed the boards. They have just seen them, so they need no notice.
pub(super) fn note(
    boards: &[BoardId],
    actor: Option<&UserId>,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    for id in boards {
        let Ok(board) = documents.world.board(*id) else { continue };
        let users = board.players.iter().filter_map(|player| documents.world.user(player));
        let notices = users.filter_map(|user| {
            let open = due_change(board, user, actor == Some(&user.id))?;
            let notice = UserEvent::TurnNoticed { board: *id, at: env.now, open };
            Some(Event::User(user.id.clone(), notice))
        });
        let mut notices: Vec<Event> = notices.collect();
        // Both players of a puzzle are the same user.
        notices.dedup();
        for notice in notices {
            documents.apply(&notice, env)?;
        }
    }
    Ok(())
}

/// Returns whether a user's notice about a board is now due (`true`) or to be taken back (`false`); `None`
/// if nothing changes.
fn due_change(board: &Board, user: &User, is_actor: bool) -> Option<bool> {
    let waits = board.waits_for(&user.id) && !is_actor;
    let is_told = user.has_notice(board.id);
    let may_change = is_told || !user.browsers.is_empty();
    (waits != is_told && may_change).then_some(waits)
}
