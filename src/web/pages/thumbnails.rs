//! Thumbnails of boards beside their names in lists: `/{game}/{number}/small/light.svg`. Thumbnails of
//! games are static files.

use super::board::{parse_id, path, visible_seat_after};
use crate::base::digest::Digest;
use crate::model::board::Board;
use crate::model::user::preference::{Preference, THEME};
use crate::model::world::board_key;
use crate::reply::board_view;
use crate::reply::draw::{
    BoardTheme, DrawOptions, Ink, Look, Marks, MenTheme, Orientation, Theme, svg,
};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::assets::Asset;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use games::{AnyGame, Chance, Choices, Diagram, GAMES, Next, View};
use maud::{Markup, html};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// The number of random moves on the thumbnail of a game.
const SAMPLE_MOVES: usize = 12;

/// The thumbnails of the games in all looks, by the index of the game.
static GAME_PICTURES: LazyLock<HashMap<(usize, Look), Asset>> = LazyLock::new(|| {
    let mut pictures = HashMap::new();
    for (seed, (index, game)) in (1..).zip(GAMES.iter().enumerate()) {
        let diagram = sample(*game, seed);
        for look in Look::all() {
            let name = format!("{}-{}", game.spec().name, name_of(look));
            let asset = Asset::new(&name, "svg", "image/svg+xml", draw(&diagram, look));
            pictures.insert((index, look), asset);
        }
    }
    pictures
});

/// Returns the name of a look in addresses: `light`, `dark-wood-stone`. Defaults have no name.
fn name_of(look: Look) -> String {
    let mut name = match look.theme {
        Theme::Light => "light".to_owned(),
        Theme::Dark => "dark".to_owned(),
    };
    if look.board != BoardTheme::default() {
        name = format!("{name}-{}", look.board.name());
    }
    if look.men != MenTheme::default() {
        name = format!("{name}-{}", look.men.name());
    }
    name
}

/// Returns the thumbnails of all games as static files.
pub(crate) fn game_pictures() -> impl Iterator<Item = &'static Asset> {
    GAME_PICTURES.values()
}

/// Returns the diagram of a game after random moves.
fn sample(game: &dyn AnyGame, seed: u64) -> Diagram {
    let mut position = game.setup(&Choices::default());
    let mut chance = Chance::new(seed);
    let mut played = 0;
    loop {
        match position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) => {
                position.roll(chance.roll(throw)).expect("the position wants these dice");
            }
            Next::Deal => {
                let stones = position.deal(&mut |limit| chance.below(limit));
                position.lay(stones).expect("the position wants these stones");
            }
            Next::Move(_) if played < SAMPLE_MOVES => {
                let text = position.nth_move(chance.below(position.count()));
                let text = text.expect("the index is below the count");
                position.play_recorded(&text).expect("a listed move is legal");
                played += 1;
            }
            Next::Move(_) | Next::Over(_) => return position.diagram(&View::default()),
        }
    }
}

fn draw(diagram: &Diagram, look: Look) -> String {
    let marks = &Marks::default();
    let ink = Ink::Small(look);
    let orientation = Orientation::upright(diagram);
    svg(
        diagram,
        &DrawOptions { names: [""; 2], beside: [""; 2], turn: None, marks, ink, orientation },
    )
}

fn index_of(game: &dyn AnyGame) -> usize {
    let name = game.spec().name;
    GAMES.iter().position(|other| other.spec().name == name).expect("GAMES has all games")
}

/// Renders the thumbnail of a game.
pub(super) fn of_game(snapshot: &Snapshot, game: &dyn AnyGame) -> Markup {
    game_picture(index_of(game), snapshot.looks())
}

/// Renders the thumbnail of a game in a look that the viewer has if they choose this value of a
/// preference.
pub(super) fn of_look(snapshot: &Snapshot, preference: &Preference, value: &str) -> Markup {
    let looks = snapshot.looks().map(|look| match preference.name {
        name if name == THEME.name => {
            Look { board: BoardTheme::find(value).unwrap_or_default(), ..look }
        }
        _ => Look { men: MenTheme::find(value).unwrap_or_default(), ..look },
    });
    let diagram = |game: &dyn AnyGame| game.setup(&Choices::default()).diagram(&View::default());
    let index = GAMES.iter().position(|game| matches!(diagram(*game), Diagram::Points(_)));
    game_picture(index.unwrap_or_default(), looks)
}

fn game_picture(game: usize, looks: [Look; 2]) -> Markup {
    let [light, dark] = looks.map(|look| GAME_PICTURES.get(&(game, look)).map(Asset::path));
    html! { @if let Some((light, dark)) = light.zip(dark) { (picture(&light, &dark)) } }
}

/// Renders the picture of a game in a larger size, for newcomers, in the default look. Text beside it says
/// which game it is.
pub(super) fn large_of_game(game: &dyn AnyGame) -> Markup {
    let [light, dark] =
        [Theme::Light, Theme::Dark].map(|theme| GAME_PICTURES.get(&(index_of(game), theme.into())));
    html! {
        @if let Some((light, dark)) = light.zip(dark) {
            picture.large {
                source media="(prefers-color-scheme: dark)" srcset=(dark.path());
                img src=(light.path()) alt="" width="240" height="240" decoding="async";
            }
        }
    }
}

/// Renders the thumbnail of a board as the viewer may see it, with a link to the board.
pub(super) fn of_board(snapshot: &Snapshot, board: &Board) -> Markup {
    let seat = snapshot.viewer.as_ref().and_then(|user| board.seat(user));
    let view = board_view::view(&snapshot.world, board, seat);
    // The address changes with the picture, so browsers cache it.
    let shows = format!("{:?} {}", view, board.position().visible_notation(&view));
    let version = HEXLOWER.encode(&Digest::of(shows.as_bytes())[..6]);
    let address = |look| format!("{}/small/{}.svg?{version}", path(board.id), name_of(look));
    let [light, dark] = snapshot.looks().map(address);
    html! {
        a.small href=(path(board.id)) tabindex="-1" aria-hidden="true" { (picture(&light, &dark)) }
    }
}

/// Renders a thumbnail. Its alternative text is empty, because the text beside it says the same.
fn picture(light: &str, dark: &str) -> Markup {
    html! {
        picture.small {
            source media="(prefers-color-scheme: dark)" srcset=(dark);
            img src=(light) alt="" width="96" height="96" loading="lazy" decoding="async";
        }
    }
}

/// Sends the thumbnail of a board. With a version in its query it is cached for ever.
pub(crate) async fn get(
    State(site): State<Arc<Site>>,
    Path((game, number, name)): Path<(String, String, String)>,
    RawQuery(version): RawQuery,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    let name = name.strip_suffix(".svg").ok_or(PageError::NotFound)?;
    let look = Look::all().find(|look| name_of(*look) == name).ok_or(PageError::NotFound)?;
    let drawing = site.read(request, move |mut reader| {
        reader.load(&[board_key(id)])?;
        let snapshot = reader.close();
        let seat = visible_seat_after(&snapshot, id, None)?;
        let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
        Ok(draw(&board_view::diagram(&snapshot.world, board, seat), look))
    });
    let caching =
        if version.is_some() { "private, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, caching)];
    Ok((headers, drawing.await?).into_response())
}
