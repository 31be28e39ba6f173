//! `/boards`: the boards of the signed-in user, those that wait for them first.

use super::board::{decline_label, path};
use super::{home, thumbnails};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Span, Time, days};
use crate::command::DECLINE_VERB;
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::{board_key, user_key};
use crate::reply::board_view;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::State;
use games::Seat;
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The limit on finished boards.
const MAX_FINISHED: usize = 10;

/// The page of the user's boards.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        let id = reader.signed_in_user()?;
        reader.load(&[user_key(&id)])?;
        let user = reader.world.user(&id).ok_or(PageError::NotFound)?;
        let finished = user.finished.iter().rev().take(MAX_FINISHED);
        let keys: Vec<_> = user.active.iter().chain(finished).map(|it| board_key(*it)).collect();
        reader.load(&keys)?;
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let user = snapshot.world.user(&id).ok_or(PageError::NotFound)?;
        let boards = ListedBoards::of(&snapshot, user);
        let body = body(&snapshot, user, &boards, &hidden_fields);
        let waiting = boards.waiting;
        let feed = snapshot.site.secret_path("feed", user);
        let mut snapshot = snapshot.with_feed(feed, "My boards".into());
        snapshot.waiting = Some(waiting);
        let title = match waiting {
            0 => "My boards".to_owned(),
            count => format!("({count}) My boards"),
        };
        Ok(snapshot.live_page(&title, "/events", &body))
    })
    .await
}

/// The query parameters of the filter.
const GAME: &str = "game";
const WITH: &str = "with";

/// The boards that the page lists, and the choices of its filter.
struct ListedBoards<'s> {
    /// The boards where it is the user's turn, the most urgent first.
    own_turn: Vec<&'s Board>,
    other_turn: Vec<&'s Board>,
    finished: Vec<&'s Board>,
    /// The number of boards that wait for the user, with and without the filter.
    waiting: usize,
    /// The games and opponents of all boards.
    games: BTreeMap<&'static str, &'static str>,
    opponents: BTreeSet<&'s str>,
    /// The chosen game and opponent.
    game: Option<&'s str>,
    with: Option<&'s str>,
}

/// Returns the opponent of a user on a board; `None` where one plays alone.
fn opponent<'s>(user: &UserId, board: &'s Board) -> Option<&'s UserId> {
    let seat = board.seat(user).filter(|_| !board.game.spec().manner.is_solo)?;
    Some(board.player(seat.other()))
}

impl<'s> ListedBoards<'s> {
    fn of(snapshot: &'s Snapshot, user: &User) -> Self {
        let board = |id: &BoardId| snapshot.world.board(*id).ok();
        let mut active: Vec<&Board> = user.active.iter().filter_map(board).collect();
        active.sort_by_cached_key(|board| turn_end(snapshot, board));
        let finished = user.finished.iter().rev().take(MAX_FINISHED);
        let finished: Vec<&Board> = finished.filter_map(board).collect();
        let all = || active.iter().chain(&finished).copied();
        let games = all().map(|board| (board.id.game, board.game.spec().title)).collect();
        let opponents =
            all().filter_map(|board| opponent(&user.id, board)).map(UserId::as_str).collect();
        let (game, with) = (snapshot.request.query_value(GAME), snapshot.request.query_value(WITH));
        let is_turn = |board: &&Board| board.waits_for(&user.id);
        let waiting = active.iter().copied().filter(|board| is_turn(board)).count();
        let is_shown = |board: &&Board| {
            let is_with = |with: &str| {
                opponent(&user.id, board).is_some_and(|it| it.as_str().eq_ignore_ascii_case(with))
            };
            game.is_none_or(|game| board.id.game == game) && with.is_none_or(is_with)
        };
        let (own_turn, other_turn) = active.into_iter().filter(is_shown).partition(is_turn);
        let finished = finished.into_iter().filter(is_shown).collect();
        Self { own_turn, other_turn, finished, waiting, games, opponents, game, with }
    }

    fn is_filtered(&self) -> bool {
        self.game.is_some() || self.with.is_some()
    }

    /// Renders the filter, where there is something to choose.
    fn filter(&self) -> Markup {
        if self.games.len() < 2 && self.opponents.len() < 2 && !self.is_filtered() {
            return html! {};
        }
        html! {
            form.filter method="get" action="/boards" data-save aria-label="Filter" {
                label { "Game"
                    select name=(GAME) {
                        option value="" { "all games" }
                        @for (name, title) in &self.games {
                            option value=(name) selected[self.game == Some(*name)] { (title) }
                        }
                    }
                }
                label { "Opponent"
                    select name=(WITH) {
                        option value="" { "all opponents" }
                        @for user in &self.opponents {
                            option selected[self.with == Some(*user)] { (user) }
                        }
                    }
                }
                button type="submit" { "Show" }
                @if self.is_filtered() { a.key href="/boards" { "Show all" } }
            }
        }
    }
}

/// Returns when the current turn of a board ends.
fn turn_end(snapshot: &Snapshot, board: &Board) -> Time {
    snapshot.world.clock(board, snapshot.now).turn.map_or(Time::NEVER, |turn| turn.end)
}

fn body(
    snapshot: &Snapshot,
    user: &User,
    boards: &ListedBoards,
    hidden_fields: &HiddenFields,
) -> Markup {
    let list = |boards: &[&Board]| list(snapshot, &user.id, boards, hidden_fields);
    let has_none = user.active.is_empty();
    html! {
        h1 { "My boards" }
        (home::begin_any(snapshot, hidden_fields, has_none))
        (boards.filter())
        h2 { "Your turn" }
        @if boards.own_turn.is_empty() {
            p {
                @if boards.is_filtered() { "It is not your turn on any of these boards." }
                @else { "It is not your turn on any board." }
            }
        }
        (list(&boards.own_turn))
        @if !boards.other_turn.is_empty() {
            h2 { "Waiting for others" }
            (list(&boards.other_turn))
        }
        @if !boards.finished.is_empty() {
            h2 { "Finished" }
            (list(&boards.finished))
        }
    }
}

fn list(
    snapshot: &Snapshot,
    user: &UserId,
    boards: &[&Board],
    hidden_fields: &HiddenFields,
) -> Markup {
    html! {
        ul.boards {
            @for board in boards {
                @let seat = board.seat(user);
                li {
                    (thumbnails::of_board(snapshot, board))
                    div {
                        a href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
                        @if let Some(opponent) = opponent(user, board) { " with " (opponent) }
                        span.quiet { (board_view::short_state(board, seat)) }
                        @if let Some(seat) = seat {
                            (offer_and_time(snapshot, board, seat))
                            (decline_form(snapshot, board, seat, hidden_fields))
                        }
                    }
                }
            }
        }
    }
}

/// A list tells how much time is left on a board if it is less than this.
const SHORT: Span = days(3);

/// Renders the offer that waits for a player's answer, and their time left where it is short.
fn offer_and_time(snapshot: &Snapshot, board: &Board, seat: Seat) -> Markup {
    let is_short = turn_end(snapshot, board) < snapshot.now + SHORT;
    let left = || board_view::time_left(&snapshot.world, board, seat, snapshot.now);
    html! {
        @if let Some(offer) = board.offered_to(seat) {
            span.quiet { (board.player(seat.other())) " offers: " (offer.word()) "." }
        }
        @if let Some((left, until)) = is_short.then(left).flatten() {
            span.urgent { (left) " left, until " span.whole { (until) } "." }
        }
    }
}

/// Renders the button that declines a board on which the player has not moved, or withdraws their own
/// challenge.
fn decline_form(
    snapshot: &Snapshot,
    board: &Board,
    seat: Seat,
    hidden_fields: &HiddenFields,
) -> Markup {
    let Some(label) = decline_label(board, seat) else { return html! {} };
    let BoardId { game, number } = board.id;
    let fields = html! {
        input type="hidden" name="game" value=(game);
        input type="hidden" name="word" value=(number);
        button type="submit" aria-label={ (label) " " (board.game.spec().title) " " (number) } {
            (label) }
    };
    let back = &snapshot.request.address;
    let name = format!("{}.{game}.{number}", DECLINE_VERB.name);
    hidden_fields.command_form(&name, DECLINE_VERB.name, back, &fields)
}
