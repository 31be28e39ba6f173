//! `/{game}/tournament/{number}`: a tournament with its tables, and the forms to enter and leave it. The
//! page updates itself.

use super::board::{self, parse_number};
use super::guest;
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::model::tournament::crosstable::{
    Cell, CellState, Columns, Crosstable, CrosstableRow, points, quarters,
};
use crate::model::tournament::{
    Field as TournamentField, Stage, Teams, TitledTable, Tournament, tournament_key,
};
use crate::refusal::Refusal;
use crate::reply::tournament_words as words;
use crate::web::html::blocks::capitalized;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::Field;
use crate::web::html::lists;
use crate::web::html::refusals::Subject;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, State};
use maud::{Markup, html};
use std::sync::Arc;

/// Returns the path of the page of a tournament.
pub(crate) fn path(id: TournamentId) -> String {
    format!("/{}/tournament/{}", id.game, id.number)
}

/// Reads a tournament from the parts of a path.
pub(crate) fn parse_id(game: &str, number: &str) -> PageResult<TournamentId> {
    let game = games::find(game).ok_or(PageError::NotFound)?.spec().name;
    let number = parse_number(number).filter(|number| *number > 0).ok_or(PageError::NotFound)?;
    Ok(TournamentId { game, number })
}

/// The page of a tournament.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult {
    let id = parse_id(&game, &number)?;
    site.read(request, move |mut reader| {
        let key = tournament_key(id);
        reader.load(std::slice::from_ref(&key))?;
        let mut snapshot = reader.close();
        let hidden_fields = guest::member_fields(&mut snapshot);
        let found = snapshot.world.tournament(id).map_err(Refusal::from)?;
        let tournament = found.ok_or(PageError::NotFound)?;
        let title = tournament.id.title();
        let body = body(&snapshot, tournament, hidden_fields.as_ref());
        let events = format!("/events?tournament={}%20{}", id.game, id.number);
        let shown = key.file().map(|file| vec![file]);
        Ok(snapshot.live_page(&title, &events, &body).cached_until_change(shown))
    })
    .await
}

fn body(
    snapshot: &Snapshot,
    tournament: &Tournament,
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    let id = tournament.id;
    let title = games::title(id.game);
    let next = tournament.next.map(|number| TournamentId { number, ..id });
    html! {
        nav.trail aria-label="Where you are" {
            a href={ "/" (id.game) } { (title) } " "
            a href={ "/" (id.game) "/tournaments" } { "Tournaments" }
        }
        h1 { (tournament.id.title()) }
        p { (capitalized(&words::format_words(tournament.terms.format))) ". " (words::state(tournament)) }
        p.quiet { (words::terms_words(tournament)) }
        @if let Some(next) = next {
            p { a href=(path(next)) { "The next season" } }
        }
        (forms(snapshot, tournament, hidden_fields))
        @match &tournament.teams {
            Some(teams) => {
                (invitations(snapshot, tournament, teams, hidden_fields))
                (team_lists(tournament, teams))
            },
            None => (entries(tournament)),
        }
        @if let Some(field) = &tournament.field {
            @for TitledTable { title, table } in tournament.crosstables() {
                @if let Some(title) = &title { h2 { (title) } }
                (crosstable(title.as_deref().unwrap_or("Table"), &table, field, id.game))
            }
            p.quiet {
                @if tournament.teams.is_some() {
                    "The place of the opponent in the other team, then 1 won, 0 lost, = drawn, \u{25cb} in progress."
                } @else {
                    "1 won, 0 lost, = drawn, \u{25cb} in progress, + bye; SB is the Sonneborn-Berger score."
                }
            }
        }
    }
}

/// Returns whether a user may enter: in a team match those may whom a captain has invited.
fn may_enter(tournament: &Tournament, viewer: &UserId) -> bool {
    tournament.teams.is_none() || tournament.side_for(viewer).is_some()
}

/// Renders what the viewer can do.
fn forms(
    snapshot: &Snapshot,
    tournament: &Tournament,
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    let id = tournament.id;
    let is_current = matches!(tournament.stage(), Stage::Open | Stage::Running);
    let (Some(fields), Some(viewer)) = (hidden_fields, &snapshot.viewer) else {
        return html! {
            @if is_current { p { a href={ "/signin?back=" (path(id)) } { "Sign in" } " to enter." } }
        };
    };
    let form = |word: &str, label: &str| {
        let parts = html! {
            input type="hidden" name="game" value=(id.game);
            input type="hidden" name="word" value=(word);
            input type="hidden" name="word" value=(id.number);
            button type="submit" { (label) }
        };
        fields.command_form(&format!("{word}.{id}"), "tournament", &path(id), &parts)
    };
    let has_played = tournament.field.as_ref().is_some_and(|field| field.find(viewer).is_some());
    html! {
        @if is_current {
            @if tournament.has(viewer) {
                (form("leave", "Leave"))
            } @else if !may_enter(tournament, viewer) {
                p.quiet { "The captains invite the players." }
            } @else if tournament.is_full() {
                p.quiet { "There is no place left." }
            } @else if tournament.stage() == Stage::Open {
                (form("join", "Enter"))
            } @else if !has_played && tournament.round_number() == 1 {
                (form("join", "Enter the reserve"))
            }
        }
    }
}

/// Renders the forms of a captain: one invites a player, the other challenges a captain.
fn invitations(
    snapshot: &Snapshot,
    tournament: &Tournament,
    teams: &Teams,
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    let id = tournament.id;
    let led = snapshot.viewer.as_ref().filter(|viewer| tournament.has(viewer));
    let led = led.and_then(|viewer| teams.side_led_by(viewer));
    let is_current = matches!(tournament.stage(), Stage::Open | Stage::Running);
    let (Some(fields), Some(side)) = (hidden_fields, led.filter(|_| is_current)) else {
        return html! {};
    };
    let form = |word: &str, label: &'static str, button: &str| {
        let name = format!("{word}.{id}");
        let player = Field::new("word", label).at(2).length(0, 32).autocomplete("off");
        let parts = html! {
            input type="hidden" name="game" value=(id.game);
            input type="hidden" name="word" value=(word);
            input type="hidden" name="word" value=(id.number);
            (fields.form(&name).text(&player.about(&[Subject::Player, Subject::Userid])))
            button type="submit" { (button) }
        };
        fields.command_form(&name, "tournament", &path(id), &parts)
    };
    html! {
        @if teams.sides[1 - side].captain.is_none() {
            (form("challenge", "Captain of the other team", "Challenge"))
        }
        @if !tournament.is_team_full(side) {
            (form("invite", "A player for your team", "Invite"))
        }
    }
}

/// Lists the players of both teams, those in reserve once they play, and those who are invited.
fn team_lists(tournament: &Tournament, teams: &Teams) -> Markup {
    let lists = teams.sides.iter().map(|team| {
        let entered = team.members.iter().filter(|user| tournament.is_entered(user));
        (team, entered.collect::<Vec<_>>())
    });
    html! {
        @for (team, entered) in lists {
            @if !entered.is_empty() {
                h2 {
                    @if tournament.field.is_some() { "In reserve of " (team.name()) }
                    @else { (capitalized(&team.name())) }
                }
                ul { @for user in entered { li { (lists::player(user)) } } }
            }
            @if !team.invited.is_empty() && tournament.ended.is_none() {
                p { "Invited to " (team.name()) ":" @for user in &team.invited { " " (lists::player(user)) } }
            }
        }
    }
}

fn entries(tournament: &Tournament) -> Markup {
    let head = if tournament.field.is_some() { "In reserve" } else { "Entered so far" };
    html! {
        @if !tournament.entries.is_empty() {
            h2 { (head) }
            ul { @for entry in &tournament.entries { li { (lists::player(&entry.user)) } } }
        }
    }
}

fn crosstable(
    label: &str,
    table: &Crosstable,
    field: &TournamentField,
    game: &'static str,
) -> Markup {
    let columns = table.rows.first().map_or(0, |row| row.cells.len());
    let head = html! {
        th scope="col" { "Place" }
        th scope="col" { "Player" }
        th.number scope="col" { "Rating" }
        @for column in 1..=columns { th.game scope="col" { (column) } }
        th.number scope="col" { "Points" }
        @if table.columns != Columns::Games { th.number scope="col" { "SB" } }
    };
    let rows =
        html! { @for row in &table.rows { (crosstable_row(row, table.columns, field, game)) } };
    lists::table(label, &head, &rows)
}

fn crosstable_row(
    row: &CrosstableRow,
    columns: Columns,
    field: &TournamentField,
    game: &'static str,
) -> Markup {
    let entrant = &field.entrants[row.row.entrant];
    html! {
        tr {
            td { (row.place) }
            th scope="row" {
                (lists::player(&entrant.user))
                @if entrant.left { " (left)" }
            }
            td.number { (entrant.rating) }
            @for cell in &row.cells { td.game { (self::cell(*cell, columns, game)) } }
            @if row.row.is_removed {
                td.number { "-" } td.number { "-" }
            } @else {
                td.number { (points(row.row.half_points)) }
                @if columns != Columns::Games { td.number { (quarters(row.row.quarters)) } }
            }
        }
    }
}

/// Renders a game with a link to its board; the name of the link says its state in words.
fn cell(cell: Cell, columns: Columns, game: &'static str) -> Markup {
    let place = match (columns, cell.opponent) {
        (Columns::Rounds | Columns::Games, Some(place)) => place.to_string(),
        _ => String::new(),
    };
    let words = match cell.state {
        CellState::Won => "won",
        CellState::Lost => "lost",
        CellState::Drawn => "drawn",
        CellState::Open => "in progress",
        CellState::Bye => "bye",
        CellState::Empty => "",
    };
    // Mails have a dot, which is hard to see and to press on a page.
    let sign = if cell.state == CellState::Open { "\u{25cb}" } else { cell.state.sign() };
    let text = format!("{place}{sign}");
    html! {
        @match cell.board {
            Some(number) => {
                a href=(board::path(BoardId { game, number }))
                    aria-label={ (words) @if let Some(place) = cell.opponent { " against " (place) } } {
                    (text)
                }
            },
            None => (text),
        }
    }
}
