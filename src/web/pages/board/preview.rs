//! `/{game}/{number}/preview`: a board as it would be after other moves.

use super::{parse_id, path};
use crate::base::ids::BoardId;
use crate::command::preview_after;
use crate::model::world::board_key;
use crate::web::html::blocks;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::extract::{Path, State};
use maud::{Markup, html};
use std::sync::Arc;

/// The page of a board after some moves, from the current position or an earlier one.
pub(crate) async fn preview(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult {
    let id = parse_id(&game, &number)?;
    let game = games::find(&game).ok_or(PageError::NotFound)?;
    site.read(request, move |mut reader| {
        reader.load(&[board_key(id)])?;
        let board = reader.world.board(id).map_err(|_| PageError::NotFound)?;
        let played = board.next_move() - 1;
        let after = reader.request.query_value("after").map(str::parse);
        let after = after.transpose().map_err(|_| PageError::NotFound)?.unwrap_or(played);
        let moves = reader.request.query_value("moves").unwrap_or_default().to_owned();
        let words: Vec<&str> = moves.split_whitespace().collect();
        let visit = reader.query(preview_after(game, id, after, &words))?;
        let back = if after == played { path(id) } else { format!("{}/{after}", path(id)) };
        let body = html! {
            nav.trail aria-label="Where you are" {
                a href=(back) { (game.spec().title) " " (id.number) }
            }
            h1 { "What if" }
            (form(id, after, &moves))
            @for mail in &visit.said { (blocks::blocks(&mail.blocks)) }
        };
        Ok(reader.close().page("What if", &body))
    })
    .await
}

/// Renders the form that asks for a preview.
pub(super) fn form(id: BoardId, after: usize, moves: &str) -> Markup {
    html! {
        form.say method="get" action={ (path(id)) "/preview" } {
            input type="hidden" name="after" value=(after);
            label { "Moves, with dice between them"
                input name="moves" value=(moves) autocomplete="off" maxlength="2000"; }
            button type="submit" { "Look ahead" }
        }
    }
}
