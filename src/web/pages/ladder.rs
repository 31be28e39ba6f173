//! `/{game}/ladder`: a part of a game's ladder, with the forms to join, to leave and to challenge. The
//! page updates itself.

use super::{board, guest};
use crate::base::ids::{BoardId, UserId};
use crate::base::words::Plural;
use crate::model::ladder::{LADDER_PAGE_STEPS, LadderReader as _, LadderStart, Rung, ladder_key};
use crate::model::world::{WorldLadder, user_key};
use crate::refusal::Refusal;
use crate::reply::ladder::{latest, name};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use maud::{Markup, html};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The most places of a page.
const PLACES: u32 = 50;

/// The value of the query that names the first place.
const FROM: &str = "from";

/// Returns the path of the page of a ladder.
pub(crate) fn path(game: &str) -> String {
    format!("/{game}/ladder")
}

/// Returns the name of a game that has a ladder.
///
/// # Errors
/// There is no such game, or it is played alone.
pub(crate) fn parse_game(name: &str) -> PageResult<&'static str> {
    let spec = games::find(name).ok_or(PageError::NotFound)?.spec();
    if spec.manner.is_solo { Err(PageError::NotFound) } else { Ok(spec.name) }
}

/// The page of a ladder.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(named): Path<String>,
    request: WebRequest,
) -> PageResult {
    let game = parse_game(&named)?;
    site.read(request, move |mut reader| {
        let part = LadderPart::load(&mut reader, game)?;
        let mut snapshot = reader.close();
        let hidden_fields = guest::member_fields(&mut snapshot);
        let body = body(&snapshot, game, &part, hidden_fields.as_ref())?;
        let shown = snapshot.world.files_read();
        let events = format!("/events?ladder={game}");
        Ok(snapshot.live_page(&name(game), &events, &body).cached_until_change(shown))
    })
    .await
}

/// The part of a ladder that a visitor asks for.
pub(crate) struct LadderPart(LadderStart);

impl LadderPart {
    /// Loads the part: from the place of the query, or around the visitor, or else from the top.
    ///
    /// # Errors
    /// The query names no place, or the machine failed.
    pub(crate) fn load(reader: &mut SiteReader, game: &'static str) -> PageResult<Self> {
        let from = reader.request.query_value(FROM).map(|from| {
            let from = board::parse_number(from).filter(|from: &u32| *from > 0);
            from.ok_or(PageError::BadQuery(FROM))
        });
        let from = from.transpose()?;
        let viewer = reader.viewer.clone();
        let keys: Vec<_> = viewer.iter().map(user_key).chain([ladder_key(game)]).collect();
        reader.load(&keys)?;
        let is_on = |user: &UserId| {
            let ladder = reader.world.loaded_ladder(game);
            ladder.is_some_and(|ladder| ladder.section_of(user).is_some())
        };
        let own = viewer.filter(is_on);
        let start = match (from, &own) {
            (Some(from), _) => LadderStart::Place(from),
            (None, Some(user)) => LadderStart::Player(user.clone()),
            (None, None) => LadderStart::Place(1),
        };
        let own = own.as_slice();
        for _ in 0..LADDER_PAGE_STEPS {
            let Some(ladder) = reader.world.loaded_ladder(game) else { break };
            let mut keys = ladder.page_keys(&start, PLACES);
            // Whom the visitor can challenge depends on their own place.
            keys.extend(ladder.own_sections(own));
            reader.load(&keys)?;
        }
        Ok(Self(start))
    }

    /// Returns the places of the part; `None` if the ladder has fewer.
    pub(crate) fn places(&self, ladder: &WorldLadder) -> Option<RangeInclusive<u32>> {
        let players = ladder.players();
        let places = ladder.page(&self.0, PLACES).unwrap_or(1..=players.min(PLACES));
        (*places.start() <= players.max(1)).then_some(places)
    }
}

fn body(
    snapshot: &Snapshot,
    game: &'static str,
    part: &LadderPart,
    hidden_fields: Option<&HiddenFields>,
) -> PageResult<Markup> {
    let title = games::title(game);
    let ladder = snapshot.world.ladder(game).map_err(Refusal::from)?;
    let players = ladder.players();
    let places = part.places(&ladder).ok_or(PageError::NotFound)?;
    let forms = Forms { snapshot, ladder, game, hidden_fields };
    Ok(html! {
        nav.trail aria-label="Where you are" {
            a href={ "/" (game) } { (title) } " " a href="/ladders" { "Ladders" }
        }
        h1 { (name(game)) }
        p { "Challenge players above you: the winner gets the higher of the two places. "
            a href="/help/ladder" { "The rules" } }
        (forms.membership())
        @if players > 0 {
            (forms.table(&places))
            (links(game, players, &places))
        } @else {
            p.quiet { "Nobody is on this ladder yet." }
        }
        (results(snapshot, &ladder))
    })
}

/// The forms of a ladder for a visitor.
struct Forms<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    ladder: WorldLadder<'a>,
    game: &'static str,
    hidden_fields: Option<&'a HiddenFields>,
}

impl Forms<'_, '_> {
    /// Renders a button that sends a subcommand.
    fn form(&self, fields: &HiddenFields, words: &[&str], label: &str, about: &str) -> Markup {
        let parts = html! {
            input type="hidden" name="game" value=(self.game);
            @for word in words { input type="hidden" name="word" value=(word); }
            button type="submit" aria-label=[(!about.is_empty()).then_some(about)] { (label) }
        };
        fields.command_form(&words.join("."), "ladder", &path(self.game), &parts)
    }

    /// Renders the visitor's place, and how they join or leave.
    fn membership(&self) -> Markup {
        let (Some(fields), Some(viewer)) = (self.hidden_fields, &self.snapshot.viewer) else {
            return html! {
                p { a href={ "/signin?back=" (path(self.game)) } { "Sign in" } " to join." }
            };
        };
        let place = self.ladder.place(viewer);
        html! {
            @if let Some(place) = place {
                p { "You are on place " strong { (place) } " of " (self.ladder.players()) ". "
                    a href={ (path(self.game)) "#you" } { "Your place" } }
                (self.form(fields, &["leave"], "Leave the ladder", ""))
            } @else {
                p.quiet { "You begin on the last place." }
                (self.form(fields, &["join"], "Join the ladder", ""))
            }
        }
    }

    fn table(&self, places: &RangeInclusive<u32>) -> Markup {
        let head = html! {
            th.number scope="col" { "Place" }
            th scope="col" { "Player" }
            th.extra scope="col" { "Games in progress" }
            @if self.hidden_fields.is_some() { th scope="col" { "Challenge" } }
        };
        let found = places.clone().filter_map(|place| Some((place, self.ladder.at(place)?)));
        let rows = html! { @for (place, rung) in found { (self.row(place, rung)) } };
        lists::table("Places", &head, &rows)
    }

    fn row(&self, place: u32, rung: &Rung) -> Markup {
        let viewer = self.snapshot.viewer.as_ref();
        let is_own = viewer == Some(&rung.user);
        let can_challenge = |viewer: &UserId| {
            self.ladder.check_challenge_of(viewer, place, self.snapshot.now).is_ok()
        };
        html! {
            tr.own[is_own] id=[is_own.then_some("you")] {
                td.number { (place) }
                th scope="row" { (lists::player(&rung.user)) }
                td.extra { @for game in &rung.games {
                    a href=(board::path(BoardId { game: self.game, number: game.board })) {
                        (game.board) } " "
                } }
                @if let Some(fields) = self.hidden_fields {
                    td {
                        @if viewer.is_some_and(can_challenge) {
                            (self.form(fields, &["challenge", rung.user.as_str()], "Challenge",
                                &format!("Challenge {}", rung.user)))
                        }
                    }
                }
            }
        }
    }
}

/// Renders links to other parts of the ladder.
fn links(game: &str, players: u32, places: &RangeInclusive<u32>) -> Markup {
    let address = |from: u32| format!("{}?{FROM}={from}", path(game));
    let (first, last) = (*places.start(), *places.end());
    html! {
        nav.tabs aria-label="Other places" {
            @if first > 1 {
                a href=(address(1)) { "Top" }
                a href=(address(first.saturating_sub(PLACES).max(1))) { "Higher places" }
            }
            @if last < players {
                a href=(address(last + 1)) { "Lower places" }
            }
        }
        p.quiet { "Places " (first) " to " (last) " of " (Plural(players as usize, "player")) "." }
    }
}

fn results(snapshot: &Snapshot, ladder: &WorldLadder) -> Markup {
    let results = latest(&snapshot.world, ladder);
    html! {
        @if !results.is_empty() {
            h2 { "Latest results" }
            ul {
                @for result in &results {
                    li {
                        (result.end.at.day()) ": "
                        a href=(board::path(result.board)) { (result.words()) }
                    }
                }
            }
        }
    }
}
