//! The parts of pages with lists: tables in a box of their own, sortable columns, and links between the
//! parts of a list.

use crate::base::ids::UserId;
use crate::model::board::{Board, BoardResult, BoardStatus, ClosedBy};
use crate::model::world::World;
use crate::web::lists::boards::BoardPart;
use crate::web::pages::board::path;
use maud::{Markup, html};

/// The address of a list with its query. Empty values are left out.
#[derive(Clone, Debug)]
pub(crate) struct ListAddress {
    path: String,
    query: Vec<(&'static str, String)>,
}

impl ListAddress {
    pub(crate) fn new(path: String) -> Self {
        Self { path, query: Vec::new() }
    }

    /// Sets a value of the query.
    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.query.retain(|(known, _)| *known != name);
        self.query.push((name, value.into()));
        self.query.retain(|(_, value)| !value.is_empty());
        self
    }

    /// Returns the address as a link has it.
    pub(crate) fn href(&self) -> String {
        if self.query.is_empty() {
            return self.path.clone();
        }
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.query);
        format!("{}?{}", self.path, query.finish())
    }
}

/// Renders a table in a box that scrolls by itself on a narrow window. Columns of the class `extra` are
/// left out on phones.
pub(crate) fn table(label: &str, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(label) tabindex="0" {
            table.list {
                thead { tr { (head) } }
                tbody { (rows) }
            }
        }
    }
}

/// The order in which a column sorts a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortOrder {
    Ascending,
    Descending,
}

/// A column by which a list can be sorted.
pub(crate) struct SortableColumn<'a> {
    pub(crate) label: &'a str,
    /// The order, if the list is sorted by this column.
    pub(crate) sorted: Option<SortOrder>,
    /// Whether it is left out on phones.
    pub(crate) is_extra: bool,
    /// The address of the list sorted by this column.
    pub(crate) href: &'a str,
}

impl SortableColumn<'_> {
    /// Renders the head of the column.
    pub(crate) fn head(&self) -> Markup {
        let order = self.sorted.map(|order| match order {
            SortOrder::Ascending => ("ascending", " \u{25b4}"),
            SortOrder::Descending => ("descending", " \u{25be}"),
        });
        html! {
            th.extra[self.is_extra] scope="col" aria-sort=[order.map(|(word, _)| word)] {
                @match order {
                    Some((_, arrow)) => { (self.label) span aria-hidden="true" { (arrow) } },
                    None => a href=(self.href) { (self.label) },
                }
            }
        }
    }
}

/// A link to a list beside others.
pub(crate) struct Tab {
    pub(crate) text: String,
    pub(crate) href: String,
    /// Whether this list is shown.
    pub(crate) is_current: bool,
}

/// Renders links to lists beside each other, with the current one marked.
pub(crate) fn tabs(label: &str, tabs: &[Tab]) -> Markup {
    html! {
        nav.tabs aria-label=(label) {
            @for Tab { text, href, is_current } in tabs {
                a href=(href) aria-current=[is_current.then_some("page")] { (text) }
            }
        }
    }
}

/// Renders the links between the numbered pages of a list. Their target keeps the script from showing the
/// next page in place, where its reader would see the end of it.
pub(crate) fn pages(address: &ListAddress, page: usize, count: usize) -> Markup {
    let href = |page: usize| address.clone().with("page", page.to_string()).href();
    html! {
        @if count > 1 {
            nav.pages aria-label="Parts of the list" {
                @if page > 1 {
                    @if page > 2 { a target="_self" href=(address.href()) { "First" } }
                    a target="_self" href=(href(page - 1)) { "Previous" }
                }
                span { "Page " (page) " of " (count) }
                @if page < count {
                    a target="_self" href=(href(page + 1)) { "Next" }
                    @if page + 1 < count { a target="_self" href=(href(count)) { "Last" } }
                }
            }
        }
    }
}

/// Renders the links between the parts of a list of boards.
pub(crate) fn board_pages(address: &ListAddress, part: &BoardPart) -> Markup {
    let BoardPart { newer, older, .. } = part;
    html! {
        @if newer.is_some() || older.is_some() {
            nav.pages aria-label="Parts of the list" {
                @if let Some(newer) = newer {
                    a target="_self" href=(address.href()) { "Newest" }
                    a target="_self" href=(address.clone().with("before", newer).href()) { "Newer" }
                }
                @if let Some(older) = older {
                    a target="_self" href=(address.clone().with("after", older).href()) { "Older" }
                }
            }
        }
    }
}

/// Renders a part of a list of boards as a table.
pub(crate) fn board_table(label: &str, world: &World, part: &BoardPart) -> Markup {
    let head = html! {
        th scope="col" { "Board" }
        th scope="col" { "Players" }
        th scope="col" { "Result" }
        th.number.extra scope="col" { "Moves" }
        th.extra scope="col" { "Date" }
    };
    let boards = part.ids.iter().filter_map(|id| world.loaded_board(*id));
    table(label, &head, &html! { @for board in boards { (board_row(board)) } })
}

/// Renders a board as the row of a table.
fn board_row(board: &Board) -> Markup {
    let [one, other] = &board.players;
    html! {
        tr {
            th scope="row" {
                a.whole href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
            }
            td.players {
                (player(one))
                @if one != other { " and " (player(other)) }
            }
            td.result { (result(board)) }
            td.number.extra { (board.next_move() - 1) }
            td.whole.extra { (board.ended_at().unwrap_or(board.started).day()) }
        }
    }
}

/// Renders the name of a player with a link to their page.
pub(crate) fn player(id: &UserId) -> Markup {
    html! { a href={ "/player/" (id) } { (id) } }
}

/// Returns the result of a board, or whose turn it is, in a few words.
fn result(board: &Board) -> String {
    match (board.status(), board.result()) {
        (BoardStatus::ToMove(seat), _) => format!("{} to move", board.player(seat)),
        (BoardStatus::Closed(closing), Some(BoardResult::Won(winner))) => {
            let how = match closing.by {
                ClosedBy::Forfeiting | ClosedBy::Lapsing => "on time",
                ClosedBy::Adjudicating => "by adjudication",
                _ => "by resignation",
            };
            format!("{} won {how}", board.player(winner))
        }
        (_, Some(BoardResult::Won(winner))) => format!("{} won", board.player(winner)),
        (_, Some(BoardResult::Drawn)) => "draw".to_owned(),
        (BoardStatus::Closed(closing), None) if closing.by == ClosedBy::Declining => {
            "declined".to_owned()
        }
        (BoardStatus::Closed(closing), None) if closing.by == ClosedBy::Aborting => {
            "ended without a result".to_owned()
        }
        (_, None) => "never begun".to_owned(),
    }
}
