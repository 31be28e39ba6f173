//! All players, by name or by the day when they signed up, and those whose names begin with a text.

use super::cursor::Cursor;
use super::{ListStart, PAGE_SIZE, choice, cursor_at, page_number, word_of};
use crate::model::directory::{Directory, UserList, UserPlace, UserSort};
use crate::model::user::PublicUser;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;

/// The orders, as addresses name them.
pub(crate) const SORTS: [(&str, UserSort); 2] =
    [("name", UserSort::Name), ("joined", UserSort::Joined)];

/// The wanted part of the list of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayersQuery {
    /// The beginning of the wanted names; empty for all players.
    pub(crate) beginning: String,
    sort: UserSort,
    start: ListStart,
}

/// A part of the list of players.
#[derive(Clone, Debug)]
pub(crate) struct PlayersPart {
    pub(crate) sort: UserSort,
    /// The number of players in the whole list.
    pub(crate) total: usize,
    pub(crate) rows: Vec<PublicUser>,
    /// The cursor for the next rows; `None` at the end of the list.
    pub(crate) next: Option<String>,
}

impl PlayersQuery {
    /// Reads the query of a page.
    ///
    /// # Errors
    /// The query has a value that the list does not have. Players who are searched are sorted by name.
    pub(crate) fn of_page(request: &WebRequest) -> PageResult<Self> {
        let start = ListStart::Page(page_number(request)?);
        Ok(Self { start, ..Self::read(request)? })
    }

    /// Reads the beginning of the names and the order.
    fn read(request: &WebRequest) -> PageResult<Self> {
        let beginning = request.query_value("q").unwrap_or_default().trim().to_owned();
        let sort = choice(request, "sort", &SORTS)?.unwrap_or(UserSort::Name);
        if !beginning.is_empty() && sort != UserSort::Name {
            return Err(PageError::BadQuery("sort"));
        }
        Ok(Self { beginning, sort, start: ListStart::Page(1) })
    }

    /// Reads the query of a program.
    ///
    /// # Errors
    /// The query has a value that the list does not have.
    pub(crate) fn of_program(request: &WebRequest) -> PageResult<Self> {
        let first = Self::read(request)?;
        let Some(text) = request.query.get("cursor") else { return Ok(first) };
        let bad = || PageError::BadQuery("cursor");
        let cursor = Cursor::decode(text).ok_or_else(bad)?;
        let mut sorts = SORTS.iter().map(|(_, sort)| *sort);
        let sort = sorts.find(|sort| tag(*sort) == cursor.list).ok_or_else(bad)?;
        let is_asked = request.query.contains_key("sort");
        if (is_asked && sort != first.sort)
            || (!first.beginning.is_empty() && sort != UserSort::Name)
        {
            return Err(bad());
        }
        let place = UserPlace { key: cursor.key, folded: cursor.name };
        Ok(Self { sort, start: ListStart::After(place), ..first })
    }
}

/// Returns the name of the list in its order, for cursors.
fn tag(sort: UserSort) -> String {
    format!("players/{}", word_of(&SORTS, &sort))
}

/// Builds the wanted part of the list.
///
/// # Errors
/// There is no such page.
pub(crate) fn players(directory: &Directory, query: &PlayersQuery) -> PageResult<PlayersPart> {
    let PlayersQuery { ref beginning, sort, ref start } = *query;
    let users: UserList = if beginning.is_empty() {
        directory.all(sort)
    } else {
        directory.beginning_with(beginning)
    };
    let first = start.index(users)?;
    let rows: Vec<PublicUser> = users.part(first, PAGE_SIZE).cloned().collect();
    let next = cursor_at(first + rows.len(), users, tag(sort));
    Ok(PlayersPart { sort, total: users.len(), rows, next })
}
