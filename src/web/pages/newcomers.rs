//! What a new user sees of the players who welcome newcomers.

use super::opponents;
use crate::model::user::User;
use crate::model::welcomers::{Welcomers, welcomers_for, welcomers_key};
use crate::model::world::user_key;
use crate::web::html::error_page::PageResult;
use crate::web::html::lists;
use crate::web::http::form::HiddenFields;
use crate::web::site::{SiteReader, Snapshot};
use maud::{Markup, html};

/// Loads the players who welcome newcomers.
pub(super) fn load(reader: &mut SiteReader) -> PageResult<()> {
    reader.load(&[welcomers_key()])?;
    let players = reader.world.welcomers().map_or(&[][..], Welcomers::players);
    let keys: Vec<_> = players.iter().map(|player| user_key(&player.user)).collect();
    Ok(reader.load(&keys)?)
}

/// Returns whether a user has begun no game yet.
pub(super) fn is_newcomer(user: &User) -> bool {
    !user.guest && user.active.is_empty() && user.finished.is_empty()
}

/// Renders the players who welcome a newcomer, each with a button that begins a game with them. `back`
/// is the page.
pub(super) fn welcomers(
    snapshot: &Snapshot,
    newcomer: &User,
    back: &str,
    hidden_fields: &HiddenFields,
) -> Markup {
    let offered = welcomers_for(&snapshot.world, Some(newcomer), snapshot.now);
    html! {
        @if !offered.is_empty() {
            section aria-labelledby="welcomers" {
                h2 id="welcomers" { "Players who welcome you" }
                p { "They like to play with new players, at their own pace." }
                ul.boards {
                    @for player in &offered {
                        @let spec = player.game.spec();
                        li {
                            (lists::player(&player.user)) " plays "
                            a href={ "/" (spec.name) } { (spec.title) }
                            (opponents::challenge(spec.name, &player.user, back, hidden_fields))
                        }
                    }
                }
            }
        }
    }
}
