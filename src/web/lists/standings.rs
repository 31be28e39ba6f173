//! The standings of a game: established, provisional and inactive players, each list in four orders.

use super::cursor::Cursor;
use super::{ListStart, PAGE_SIZE, choice, cursor_at, page_number, word_of};
use crate::base::ids::UserId;
use crate::model::directory::{Directory, StandingsSort, UserPlace};
use crate::model::rating::{RatingList, Standing};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;

/// The lists, as addresses name them.
pub(crate) const LISTS: [(&str, RatingList); 3] = [
    ("established", RatingList::Established),
    ("provisional", RatingList::Provisional),
    ("inactive", RatingList::Inactive),
];

/// The orders, as addresses name them.
pub(crate) const SORTS: [(&str, StandingsSort); 4] = [
    ("rating", StandingsSort::Rating),
    ("name", StandingsSort::Name),
    ("won", StandingsSort::Won),
    ("games", StandingsSort::Games),
];

/// The wanted part of a game's standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StandingsQuery {
    game: &'static str,
    /// `None` for the first list that has players.
    list: Option<RatingList>,
    sort: StandingsSort,
    start: ListStart,
}

/// A player in the standings.
#[derive(Clone, Debug)]
pub(crate) struct RankedPlayer {
    /// The rank by rating, from 1; equal ratings share a rank.
    pub(crate) rank: usize,
    pub(crate) user: UserId,
    pub(crate) standing: Standing,
}

/// The place of the viewer in the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnPlace {
    pub(crate) list: RatingList,
    pub(crate) rank: usize,
    /// The page that has the row of the viewer.
    pub(crate) page: usize,
    pub(crate) points: i32,
}

/// A part of a game's standings.
#[derive(Clone, Debug)]
pub(crate) struct StandingsPart {
    pub(crate) list: RatingList,
    pub(crate) sort: StandingsSort,
    /// The number of players in each list.
    pub(crate) counts: [usize; 3],
    pub(crate) rows: Vec<RankedPlayer>,
    /// The cursor for the next rows; `None` at the end of the list.
    pub(crate) next: Option<String>,
    pub(crate) own: Option<OwnPlace>,
}

impl StandingsQuery {
    /// Reads the query of a page.
    ///
    /// # Errors
    /// The query has a value that the standings do not have.
    pub(crate) fn of_page(game: &'static str, request: &WebRequest) -> PageResult<Self> {
        let start = ListStart::Page(page_number(request)?);
        Ok(Self { start, ..Self::read(game, request)? })
    }

    /// Reads the list and its order.
    fn read(game: &'static str, request: &WebRequest) -> PageResult<Self> {
        let list = choice(request, "list", &LISTS)?;
        let sort = choice(request, "sort", &SORTS)?.unwrap_or(StandingsSort::Rating);
        Ok(Self { game, list, sort, start: ListStart::Page(1) })
    }

    /// Reads the query of a program. A cursor continues its own list in its own order.
    ///
    /// # Errors
    /// The query has a value that the standings do not have.
    pub(crate) fn of_program(game: &'static str, request: &WebRequest) -> PageResult<Self> {
        let first = Self::read(game, request)?;
        let Some(text) = request.query.get("cursor") else { return Ok(first) };
        let bad = || PageError::BadQuery("cursor");
        let cursor = Cursor::decode(text).ok_or_else(bad)?;
        let tags = LISTS.iter().flat_map(|list| SORTS.iter().map(move |sort| (list.1, sort.1)));
        let mut matching = tags.filter(|(list, sort)| tag(game, *list, *sort) == cursor.list);
        let (list, sort) = matching.next().ok_or_else(bad)?;
        let is_other_list = first.list.is_some_and(|wanted| wanted != list);
        if is_other_list || (request.query.contains_key("sort") && first.sort != sort) {
            return Err(bad());
        }
        let place = UserPlace { key: cursor.key, folded: cursor.name };
        Ok(Self { game, list: Some(list), sort, start: ListStart::After(place) })
    }
}

/// Returns the name of a list in its order, for cursors.
fn tag(game: &str, list: RatingList, sort: StandingsSort) -> String {
    format!("standings/{game}/{}/{}", word_of(&LISTS, &list), word_of(&SORTS, &sort))
}

/// Builds the wanted part of the standings, with the place of the viewer.
///
/// # Errors
/// There is no such page.
pub(crate) fn standings(
    directory: &Directory,
    query: &StandingsQuery,
    viewer: Option<&UserId>,
) -> PageResult<StandingsPart> {
    let StandingsQuery { game, list, sort, ref start } = *query;
    let counts =
        RatingList::ALL.map(|list| directory.standings(game, list, StandingsSort::Rating).len());
    let filled = || RatingList::ALL.into_iter().find(|list| counts[*list as usize] > 0);
    let list = list.or_else(filled).unwrap_or(RatingList::Established);
    let users = directory.standings(game, list, sort);
    let first = start.index(users)?;
    let rows = users.part(first, PAGE_SIZE).filter_map(|user| {
        let standing = *user.ratings.get(game)?;
        let rank = directory.rank(game, list, &standing);
        Some(RankedPlayer { rank, user: user.id.clone(), standing })
    });
    let rows: Vec<RankedPlayer> = rows.collect();
    let next = cursor_at(first + rows.len(), users, tag(game, list, sort));
    let own = viewer.and_then(|viewer| own_place(directory, game, sort, viewer));
    Ok(StandingsPart { list, sort, counts, rows, next, own })
}

/// Returns the place of a user in their list, in this order.
fn own_place(
    directory: &Directory,
    game: &str,
    sort: StandingsSort,
    user: &UserId,
) -> Option<OwnPlace> {
    let standing = directory.user(user)?.ratings.get(game)?;
    let find =
        |list: &RatingList| directory.standings(game, *list, sort).index_of(user, sort, standing);
    let (list, index) = RatingList::ALL.iter().find_map(|list| Some((*list, find(list)?)))?;
    let rank = directory.rank(game, list, standing);
    Some(OwnPlace { list, rank, page: 1 + index / PAGE_SIZE, points: standing.points() })
}
