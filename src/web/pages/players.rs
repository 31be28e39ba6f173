//! `/players`: all players, and the search for a player by the beginning of their name.

use crate::base::words::Plural;
use crate::model::directory::UserSort;
use crate::model::rating::Standing;
use crate::model::user::{PublicUser, User};
use crate::model::world::user_key;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists::{self, ListAddress, SortOrder, SortableColumn};
use crate::web::html::marks;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::lists::players::{PlayersPart, PlayersQuery, SORTS, players};
use crate::web::lists::{page_count, page_number, word_of};
use crate::web::site::Site;
use axum::extract::State;
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on ratings in a row, the highest.
const MAX_RATINGS: usize = 3;

/// The page of the players.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    let query = PlayersQuery::of_page(&request)?;
    let page = page_number(&request)?;
    site.read(request, move |reader| {
        let mut snapshot = reader.close();
        let viewer = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer));
        let viewer = viewer.filter(|viewer| !viewer.guest).cloned();
        let is_first = query.beginning.is_empty() && page == 1;
        let marked = viewer.iter().filter(|_| is_first).flat_map(|viewer| &viewer.favourites);
        let (part, favourites) = snapshot.directory(|directory| {
            let found = |id| directory.user(id).cloned();
            Ok::<_, PageError>((players(directory, &query)?, marked.filter_map(found).collect()))
        })??;
        let reader =
            viewer.map(|user| Reader { user, hidden_fields: snapshot.hidden_fields(), favourites });
        let body = body(&part, &query.beginning, page, reader.as_ref());
        let shown = part.rows.iter().filter_map(|user| user_key(&user.id).file()).collect();
        Ok(snapshot.page("Players", &body).cached_until_change(Some(shown)))
    })
    .await
}

/// Returns the address of the list in an order.
fn address(sort: UserSort, beginning: &str) -> ListAddress {
    let sort = Some(sort).filter(|sort| *sort != UserSort::Name);
    ListAddress::new("/players".into())
        .with("q", beginning)
        .with("sort", sort.map_or("", |sort| word_of(&SORTS, &sort)))
}

/// A signed-in reader of the page.
struct Reader {
    user: User,
    hidden_fields: HiddenFields,
    /// Their favourites, at the head of the first page.
    favourites: Vec<PublicUser>,
}

fn body(part: &PlayersPart, beginning: &str, page: usize, reader: Option<&Reader>) -> Markup {
    let found = Plural(part.total, "player");
    html! {
        h1 { "Players" }
        form.row.find method="get" action="/players" role="search" {
            label for="q" { "Name begins with" }
            input id="q" name="q" type="search" value=(beginning) maxlength="32" autocomplete="off"
                autocapitalize="none" spellcheck="false";
            button type="submit" { "Search" }
            @if !beginning.is_empty() { a.key href="/players" { "All players" } }
        }
        @if beginning.is_empty() {
            p.quiet { (found) ", and the program, which plays as "
                @for level in 1..=4_u8 {
                    @if level > 1 { ", " }
                    a href={ "/player/board" (level) } { "board" (level) }
                }
                "." }
        } @else if part.rows.is_empty() {
            p role="status" { "No player's name begins with \"" (beginning) "\"." }
        } @else {
            p.quiet role="status" { (found) " found." }
        }
        @if let Some(reader) = reader.filter(|reader| !reader.favourites.is_empty()) {
            h2 { "Your favourites" }
            (lists::table("Your favourites", &plain_head(), &rows(&reader.favourites, Some(reader))))
            h2 { "All players" }
        }
        @if !part.rows.is_empty() {
            (lists::table("Players", &head(part, beginning, reader), &rows(&part.rows, reader)))
        }
        (lists::pages(&address(part.sort, beginning), page, page_count(part.total)))
    }
}

/// Renders the head of the favourites, which are in the order in which they were marked.
fn plain_head() -> Markup {
    html! {
        th scope="col" { "Player" }
        th.extra scope="col" { "Joined" }
        th scope="col" { "Highest ratings" }
        (star_head())
    }
}

fn star_head() -> Markup {
    html! { th scope="col" { span.unseen { "Favourite" } } }
}

fn head(part: &PlayersPart, beginning: &str, reader: Option<&Reader>) -> Markup {
    // Players who are searched are sorted by name.
    let sortable = |label: &str, sort: UserSort| {
        let href = address(sort, "").href();
        let order =
            if sort == UserSort::Name { SortOrder::Ascending } else { SortOrder::Descending };
        let sorted = (part.sort == sort).then_some(order);
        SortableColumn { label, sorted, is_extra: sort == UserSort::Joined, href: &href }.head()
    };
    html! {
        (sortable("Player", UserSort::Name))
        @if beginning.is_empty() { (sortable("Joined", UserSort::Joined)) }
        @else { th.extra scope="col" { "Joined" } }
        th scope="col" { "Highest ratings" }
        @if reader.is_some() { (star_head()) }
    }
}

fn rows(users: &[PublicUser], reader: Option<&Reader>) -> Markup {
    html! {
        @for user in users {
            @let is_own = reader.is_some_and(|reader| reader.user.id == user.id);
            tr class=[is_own.then_some("own")] id=[is_own.then_some("you")] {
                th scope="row" { (lists::player(&user.id)) @if is_own { " (you)" } }
                td.whole.extra { (user.joined.day()) }
                td.ratings { (ratings(user)) }
                @if let Some(Reader { user: viewer, hidden_fields, .. }) = reader {
                    td.star {
                        @if !is_own { (marks::star(viewer, &user.id, "/players", hidden_fields)) }
                    }
                }
            }
        }
    }
}

/// Returns a player's highest ratings in words.
fn ratings(user: &PublicUser) -> String {
    let specs = GAMES.iter().map(|game| game.spec());
    let rated = specs.filter_map(|spec| Some((spec.title, user.ratings.get(spec.name)?)));
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by_key(|(_, standing)| std::cmp::Reverse(standing.points()));
    let shown =
        |(title, standing): &(&str, &Standing)| format!("{title} {}", standing.marked_points());
    let shown = rated.iter().take(MAX_RATINGS).map(shown);
    let more = rated.len().saturating_sub(MAX_RATINGS);
    let more = (more > 0).then(|| format!("{more} more"));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}
