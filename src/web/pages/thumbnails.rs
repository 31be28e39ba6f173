//! Small pictures of boards, beside their names in lists.

use crate::base::digest::digest;
use crate::model::board::Board;
use crate::model::world::board_key;
use crate::reply::board_view;
use crate::reply::draw::{DrawOptions, Ink, Marks, Theme, svg};
use crate::web::html::error_page::PageError;
use crate::web::http::assets::Asset;
use crate::web::http::request::WebRequest;
use crate::web::pages::board::{named, path, visible};
use crate::web::site::{Site, SiteView};
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use games::{AnyGame, Chance, Choices, Diagram, GAMES, Next, View};
use maud::{Markup, html};
use std::fmt::Display;
use std::sync::{Arc, LazyLock};

/// The picture of a game shows so many moves that chance has chosen, the same ones always.
const MOVES: usize = 12;

/// The names of both colourings.
const THEMES: [(&str, Theme); 2] = [("light", Theme::Light), ("dark", Theme::Dark)];

/// A game's pictures, light and dark.
type ThemedPictures = [Asset; 2];

static GAME_PICTURES: LazyLock<Vec<ThemedPictures>> = LazyLock::new(|| {
    let all = (1..).zip(GAMES.iter()).map(|(seed, game)| {
        let diagram = sample(*game, seed);
        let asset = |(name, theme): (&str, Theme)| {
            let name = format!("{}-{name}", game.spec().name);
            Asset::new(&name, "svg", "image/svg+xml", drawn(&diagram, theme))
        };
        THEMES.map(asset)
    });
    all.collect()
});

/// The pictures of all games, as files that pages load.
pub(in crate::web) fn assets() -> impl Iterator<Item = &'static Asset> {
    GAME_PICTURES.iter().flatten()
}

/// A board of a game after some moves.
fn sample(game: &dyn AnyGame, seed: u64) -> Diagram {
    let mut position = game.setup(&Choices::default());
    let mut chance = Chance::new(seed);
    let mut made = 0;
    loop {
        match position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) => {
                position.roll(chance.roll(throw)).expect("these dice were asked for");
            }
            Next::Deal => {
                let stones = position.deal(&mut |limit| chance.below(limit));
                position.lay(stones).expect("these stones were asked for");
            }
            Next::Move(_) if made < MOVES => {
                let text = position.nth_move(chance.below(position.count()));
                position
                    .play_recorded(&text.expect("one of them"))
                    .expect("a listed move is legal");
                made += 1;
            }
            Next::Move(_) | Next::Over(_) => return position.diagram(&View::default()),
        }
    }
}

fn drawn(diagram: &Diagram, theme: Theme) -> String {
    let marks = &Marks::default();
    let ink = Ink::Small(theme);
    svg(diagram, &DrawOptions { names: [""; 2], beside: [""; 2], turn: None, marks, ink })
}

/// The picture of a game.
pub(in crate::web) fn of_game(game: &dyn AnyGame) -> Markup {
    let at = GAMES.iter().position(|other| other.spec().name == game.spec().name);
    html! {
        @if let Some([light, dark]) = at.and_then(|at| GAME_PICTURES.get(at)) {
            (picture(&light.path(), &dark.path()))
        }
    }
}

/// The picture of a board as the reader of the list may see it; it links to the board.
pub(in crate::web) fn of_board(seen: &SiteView, board: &Board) -> Markup {
    let seat = seen.viewer.as_ref().and_then(|user| board.seat(user));
    let view = board_view::view(&seen.world, board, seat);
    // Its address is another one as soon as it looks different.
    let shows = format!("{:?} {}", view, board.position().visible_notation(&view));
    let mark = HEXLOWER.encode(&digest(shows.as_bytes())[..6]);
    let address = |theme: &str| format!("{}/small/{theme}.svg?{mark}", path(board.id));
    html! {
        a.small href=(path(board.id)) tabindex="-1" aria-hidden="true" {
            (picture(&address("light"), &address("dark")))
        }
    }
}

/// The words beside it say what it shows.
fn picture(light: &impl Display, dark: &impl Display) -> Markup {
    html! {
        picture.small {
            source media="(prefers-color-scheme: dark)" srcset=(dark);
            img src=(light) alt="" width="96" height="96" loading="lazy" decoding="async";
        }
    }
}

/// The small picture of a board.
pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Path((game, number, name)): Path<(String, String, String)>,
    RawQuery(mark): RawQuery,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let id = named(&game, &number)?;
    let theme = name.strip_suffix(".svg").ok_or(PageError::NotFound)?;
    let (_, theme) = THEMES.into_iter().find(|(it, _)| *it == theme).ok_or(PageError::NotFound)?;
    let drawing = site.read(ask, move |mut reader| {
        reader.gather(&[board_key(id)])?;
        let seen = reader.leave();
        let seat = visible(&seen, id, None)?;
        let board = seen.world.board(id).map_err(|_| PageError::NotFound)?;
        Ok(drawn(&board_view::diagram(&seen.world, board, seat), theme))
    });
    let kept = if mark.is_some() { "private, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, kept)];
    Ok((headers, drawing.await?).into_response())
}
