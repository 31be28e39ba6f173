//! Thumbnails of boards beside their names in lists: `/{game}/{number}/small/light.svg`. Thumbnails of
//! games are static files.

use super::board::{parse_id, path, visible_seat_after};
use crate::base::digest::digest;
use crate::model::board::Board;
use crate::model::world::board_key;
use crate::reply::board_view;
use crate::reply::draw::{DrawOptions, Ink, Marks, Orientation, Theme, svg};
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
use std::sync::{Arc, LazyLock};

/// The number of random moves on the thumbnail of a game.
const SAMPLE_MOVES: usize = 12;

const THEMES: [(&str, Theme); 2] = [("light", Theme::Light), ("dark", Theme::Dark)];

/// The thumbnails of the games, each in both themes.
static GAME_PICTURES: LazyLock<Vec<[Asset; 2]>> = LazyLock::new(|| {
    let all = (1..).zip(GAMES.iter()).map(|(seed, game)| {
        let diagram = sample(*game, seed);
        let asset = |(name, theme): (&str, Theme)| {
            let name = format!("{}-{name}", game.spec().name);
            Asset::new(&name, "svg", "image/svg+xml", draw(&diagram, theme))
        };
        THEMES.map(asset)
    });
    all.collect()
});

/// Returns the thumbnails of all games as static files.
pub(crate) fn game_pictures() -> impl Iterator<Item = &'static Asset> {
    GAME_PICTURES.iter().flatten()
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

fn draw(diagram: &Diagram, theme: Theme) -> String {
    let marks = &Marks::default();
    let ink = Ink::Small(theme);
    let orientation = Orientation::default();
    svg(
        diagram,
        &DrawOptions { names: [""; 2], beside: [""; 2], turn: None, marks, ink, orientation },
    )
}

/// Renders the thumbnail of a game.
pub(super) fn of_game(game: &dyn AnyGame) -> Markup {
    let index = GAMES.iter().position(|other| other.spec().name == game.spec().name);
    html! {
        @if let Some([light, dark]) = index.and_then(|index| GAME_PICTURES.get(index)) {
            (picture(&light.path(), &dark.path()))
        }
    }
}

/// Renders the picture of a game in a larger size. Text beside it says which game it is.
pub(super) fn large_of_game(game: &dyn AnyGame) -> Markup {
    let index = GAMES.iter().position(|other| other.spec().name == game.spec().name);
    html! {
        @if let Some([light, dark]) = index.and_then(|index| GAME_PICTURES.get(index)) {
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
    let version = HEXLOWER.encode(&digest(shows.as_bytes())[..6]);
    let address = |theme: &str| format!("{}/small/{theme}.svg?{version}", path(board.id));
    html! {
        a.small href=(path(board.id)) tabindex="-1" aria-hidden="true" {
            (picture(&address("light"), &address("dark")))
        }
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
    let theme = name.strip_suffix(".svg").ok_or(PageError::NotFound)?;
    let (_, theme) = THEMES.into_iter().find(|(it, _)| *it == theme).ok_or(PageError::NotFound)?;
    let drawing = site.read(request, move |mut reader| {
        reader.load(&[board_key(id)])?;
        let snapshot = reader.close();
        let seat = visible_seat_after(&snapshot, id, None)?;
        let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
        Ok(draw(&board_view::diagram(&snapshot.world, board, seat), theme))
    });
    let caching =
        if version.is_some() { "private, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, caching)];
    Ok((headers, drawing.await?).into_response())
}
