//! Lists of players and boards. A function builds each list from documents; a page and a path of the
//! API render it, so both have the same facts. What one request reads is bounded.

pub(crate) mod against;
pub(crate) mod boards;
pub(crate) mod cursor;
pub(crate) mod players;
pub(crate) mod rating_history;
pub(crate) mod standings;

use crate::model::directory::{UserList, UserPlace};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use cursor::Cursor;

/// The number of rows of a page.
pub(crate) const PAGE_SIZE: usize = 50;

/// The greatest number of a page that is read.
const MAX_PAGE: usize = 1_000_000;

/// The first row of a part of a sorted list of users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListStart {
    /// The first row of this page, counted from 1.
    Page(usize),
    /// The row behind this place.
    After(UserPlace),
}

impl ListStart {
    /// Returns the index of the first row in a list of users.
    ///
    /// # Errors
    /// The list has fewer pages.
    fn index(&self, users: UserList) -> PageResult<usize> {
        match self {
            Self::Page(1) => Ok(0),
            Self::Page(number) => {
                let first = (number - 1) * PAGE_SIZE;
                if first < users.len() { Ok(first) } else { Err(PageError::NotFound) }
            }
            Self::After(place) => Ok(users.index_after(place)),
        }
    }
}

/// Returns the cursor for the rows from an index; `None` at the end of the list. `list` names the list and
/// its order.
fn cursor_at(index: usize, users: UserList, list: String) -> Option<String> {
    let last = users.place(index.saturating_sub(1)).filter(|_| index < users.len());
    last.map(|UserPlace { key, folded }| Cursor { list, key, name: folded }.encode())
}

/// Reads the number of a page, from 1.
///
/// # Errors
/// It is no number of a page.
pub(crate) fn page_number(request: &WebRequest) -> PageResult<usize> {
    let Some(text) = request.query.get("page") else { return Ok(1) };
    let number = text.parse().ok().filter(|number| (1..=MAX_PAGE).contains(number));
    number.filter(|number| number.to_string() == *text).ok_or(PageError::BadQuery("page"))
}

/// Returns the number of pages of a list, at least 1.
pub(crate) fn page_count(rows: usize) -> usize {
    rows.div_ceil(PAGE_SIZE).max(1)
}

/// Reads a value of the query as one of several words; `None` if the query does not have it.
///
/// # Errors
/// It is another word.
pub(crate) fn choice<T: Copy>(
    request: &WebRequest,
    name: &'static str,
    words: &[(&str, T)],
) -> PageResult<Option<T>> {
    let Some(text) = request.query.get(name) else { return Ok(None) };
    let found = words.iter().find(|(word, _)| word == text).map(|(_, value)| *value);
    found.map(Some).ok_or(PageError::BadQuery(name))
}

/// Returns the word of a value, as [`choice`] reads it.
pub(crate) fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, other)| other == value).map_or("", |(word, _)| word)
}
