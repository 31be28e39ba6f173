//! `/{game}/standings`: the rated players of a game.

use crate::base::ids::UserId;
use crate::model::directory::StandingsSort;
use crate::model::rating::RatingList;
use crate::model::world::user_key;
use crate::web::html::blocks::capitalized;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists::{self, ListAddress, SortOrder, SortableColumn, Tab};
use crate::web::http::request::WebRequest;
use crate::web::lists::standings::{
    LISTS, OwnPlace, RankedPlayer, SORTS, StandingsPart, StandingsQuery, standings,
};
use crate::web::lists::{page_count, page_number, word_of};
use crate::web::site::Site;
use axum::extract::{Path, State};
use games::Spec;
use maud::{Markup, html};
use std::sync::Arc;

/// The page of the standings.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let spec = games::find(&name).ok_or(PageError::NotFound)?.spec();
    let query = StandingsQuery::of_page(spec.name, &request)?;
    let page = page_number(&request)?;
    site.read(request, move |reader| {
        let snapshot = reader.close();
        let viewer = snapshot.viewer.as_ref();
        let part = snapshot.directory(|directory| standings(directory, &query, viewer))??;
        let body = body(spec, &part, page, viewer);
        let shown = part.rows.iter().filter_map(|row| user_key(&row.user).file()).collect();
        Ok(snapshot
            .page(&format!("{} standings", spec.title), &body)
            .cached_until_change(Some(shown)))
    })
    .await
}

/// Returns the address of a list in an order.
fn address(spec: &Spec, list: RatingList, sort: StandingsSort) -> ListAddress {
    let sort = Some(sort).filter(|sort| *sort != StandingsSort::Rating);
    ListAddress::new(format!("/{}/standings", spec.name))
        .with("list", word_of(&LISTS, &list))
        .with("sort", sort.map_or("", |sort| word_of(&SORTS, &sort)))
}

fn body(spec: &Spec, part: &StandingsPart, page: usize, viewer: Option<&UserId>) -> Markup {
    let own_address = address(spec, part.list, part.sort);
    let pages = page_count(part.counts[part.list as usize]);
    html! {
        nav.trail aria-label="Where you are" { a href={ "/" (spec.name) } { (spec.title) } }
        h1 { (spec.title) " standings" }
        @if let Some(own) = &part.own { (own_place(spec, part, own, page)) }
        @if part.counts == [0; 3] {
            p { "Nobody has finished a rated game of " (spec.title) " yet." }
        } @else {
            (lists::tabs("Lists", &tabs(spec, part)))
            p.quiet { (about(part.list)) }
            (lists::table("Standings", &head(spec, part), &rows(part, viewer)))
            (lists::pages(&own_address, page, pages))
        }
        p { a href="/help/ratings" { "What the numbers mean" } }
    }
}

/// Returns which players a list has.
fn about(list: RatingList) -> &'static str {
    match list {
        RatingList::Established => "Players whose ratings are certain enough to be compared.",
        RatingList::Provisional => {
            "Players whose games do not say enough yet. Their ratings have a question mark."
        }
        RatingList::Inactive => "Players who have not finished a rated game for a year.",
    }
}

/// Returns the tabs of the lists that have players, as [`lists::tabs`] renders them.
fn tabs(spec: &Spec, part: &StandingsPart) -> Vec<Tab> {
    let shown =
        LISTS.iter().zip(part.counts).filter(|((_, list), count)| *count > 0 || *list == part.list);
    let tab = |((name, list), count): (&(&str, RatingList), usize)| {
        let href = address(spec, *list, part.sort).href();
        let text = format!("{} ({count})", capitalized(name));
        Tab { text, href, is_current: *list == part.list }
    };
    shown.map(tab).collect()
}

/// Renders the viewer's rank, with a link to the page that has their row.
fn own_place(spec: &Spec, part: &StandingsPart, own: &OwnPlace, page: usize) -> Markup {
    let address = address(spec, own.list, part.sort).with("page", own.page.to_string());
    let is_here = own.list == part.list && own.page == page;
    let href = if is_here { "#you".to_owned() } else { format!("{}#you", address.href()) };
    let list = word_of(&LISTS, &own.list);
    html! {
        p { "You are number " (own.rank) " of the " (list) " players, with " (own.points) " points. "
            a href=(href) { "Your place" } }
    }
}

fn head(spec: &Spec, part: &StandingsPart) -> Markup {
    let sortable = |label: &str, sort: StandingsSort| {
        let href = address(spec, part.list, sort).href();
        let order =
            if sort == StandingsSort::Name { SortOrder::Ascending } else { SortOrder::Descending };
        let sorted = (part.sort == sort).then_some(order);
        SortableColumn { label, sorted, is_extra: sort == StandingsSort::Won, href: &href }.head()
    };
    html! {
        th scope="col" { "Rank" }
        (sortable("Player", StandingsSort::Name))
        (sortable("Rating", StandingsSort::Rating))
        (sortable("Games", StandingsSort::Games))
        (sortable("Won", StandingsSort::Won))
        th.extra scope="col" { "Lost" }
        th.extra scope="col" { "Tied" }
        th.extra scope="col" { "Deviation" }
        th.extra scope="col" { "Original" }
        th.extra scope="col" { "Last game" }
    }
}

fn rows(part: &StandingsPart, viewer: Option<&UserId>) -> Markup {
    html! {
        @for RankedPlayer { rank, user, standing } in &part.rows {
            @let is_own = viewer == Some(user);
            tr class=[is_own.then_some("own")] id=[is_own.then_some("you")] {
                td { (rank) }
                th scope="row" { (lists::player(user)) @if is_own { " (you)" } }
                td { (standing.marked_points()) }
                td { (standing.games()) }
                td.extra { (standing.won) }
                td.extra { (standing.lost) }
                td.extra { (standing.tied) }
                td.extra { "\u{b1}" (standing.skill.deviation.points()) }
                td.extra { (standing.original.points()) }
                td.whole.extra { (standing.last.day()) }
            }
        }
    }
}
