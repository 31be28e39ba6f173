//! `/{game}/players`: players who could be challenged to a game.

use crate::base::ids::UserId;
use crate::model::recent_players::{
    PossibleOpponent, RecentPlayers, possible_opponents, recent_players_key,
};
use crate::model::user::User;
use crate::model::user::preference::PACE;
use crate::model::world::user_key;
use crate::reply::{near_sentence, pace};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::{lists, marks};
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use games::AnyGame;
use maud::{Markup, html};
use std::sync::Arc;

/// Returns the path of the page of a game.
pub(super) fn path(game: &str) -> String {
    format!("/{game}/players")
}

/// The page of the players who could be challenged.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let game = games::find(&name).ok_or(PageError::NotFound)?;
    if game.spec().manner.is_solo {
        return Err(PageError::NotFound);
    }
    site.read(request, move |mut reader| {
        load(&mut reader, game.spec().name)?;
        let shows = reader.world.files_read();
        let mut snapshot = reader.close();
        let viewer = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer));
        let viewer = viewer.filter(|viewer| !viewer.guest).cloned();
        let hidden_fields = viewer.is_some().then(|| snapshot.hidden_fields());
        let own = viewer.as_ref().zip(hidden_fields.as_ref());
        let body = body(&snapshot, game, own);
        let title = format!("{} players", game.spec().title);
        Ok(snapshot.page(&title, &body).cached_until_change(shows))
    })
    .await
}

/// Loads the latest players of a game.
fn load(reader: &mut SiteReader, game: &'static str) -> PageResult<()> {
    reader.load(&[recent_players_key(game)])?;
    let recent = reader.world.recent_players(game).into_iter().flat_map(RecentPlayers::latest);
    let keys: Vec<_> = recent.map(|player| user_key(&player.user)).collect();
    Ok(reader.load(&keys)?)
}

fn body(
    snapshot: &Snapshot,
    game: &'static dyn AnyGame,
    viewer: Option<(&User, &HiddenFields)>,
) -> Markup {
    let spec = game.spec();
    let reader = viewer.map(|(user, _)| user);
    let found = possible_opponents(&snapshot.world, spec.name, reader, snapshot.now);
    let own = reader.map(|reader| reader.standing(spec.name));
    html! {
        nav.trail aria-label="Where you are" { a href={ "/" (spec.name) } { (spec.title) } }
        h1 { (spec.title) " players" }
        @if found.is_empty() {
            p { "Nobody whom you could challenge has played lately. "
                a href={ "/" (spec.name) } { "Post an open challenge" }
                ", which anybody can accept." }
        } @else {
            p { (near_sentence(game, own.as_ref())) "." }
            (lists::table("Players", &head(viewer.is_some()), &html! {
                @for opponent in &found { (row(snapshot, game, opponent, viewer)) }
            }))
        }
        p { a href="/players" { "All players" } " "
            a href={ "/" (spec.name) "/standings" } { "Standings" } " "
            a href="/help/players" { "Favourites and blocked players" } }
    }
}

fn head(has_viewer: bool) -> Markup {
    html! {
        th scope="col" { "Player" }
        th scope="col" { "Rating" }
        th.extra scope="col" { "Active" }
        th.extra scope="col" { "Pace" }
        @if has_viewer {
            th scope="col" { span.unseen { "Challenge" } }
            th scope="col" { span.unseen { "Favourite" } }
        }
    }
}

fn row(
    snapshot: &Snapshot,
    game: &'static dyn AnyGame,
    opponent: &PossibleOpponent,
    viewer: Option<(&User, &HiddenFields)>,
) -> Markup {
    let PossibleOpponent { user, standing, at, .. } = opponent;
    let chosen = snapshot.world.user(user).map(|user| user.preferences.chosen(&PACE).name);
    html! {
        tr {
            th scope="row" { (lists::player(user)) }
            td { (standing.marked_points()) }
            td.whole.extra { (at.day()) }
            td.extra { (chosen.and_then(pace).unwrap_or_default()) }
            @if let Some((viewer, hidden_fields)) = viewer {
                td { (challenge(game.spec().name, user, &path(game.spec().name), hidden_fields)) }
                td.star { (marks::star(viewer, user, &path(game.spec().name), hidden_fields)) }
            }
        }
    }
}

/// Renders the button that challenges a player with the usual terms. `back` is the page.
pub(super) fn challenge(
    game: &str,
    user: &UserId,
    back: &str,
    hidden_fields: &HiddenFields,
) -> Markup {
    let name = format!("challenge.{user}");
    hidden_fields.command_form(
        &name,
        "challenge",
        back,
        &html! {
            input type="hidden" name="game" value=(game);
            input type="hidden" name="word" value=(user);
            button type="submit" aria-label={ "Challenge " (user) } { "Challenge" }
        },
    )
}
