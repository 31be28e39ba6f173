//! Words of a player on a board: they are read like the first line of a reply.

use super::{named, page, path};
use crate::base::ids::{BoardId, UserId};
use crate::model::board::Proposal;
use crate::model::token::Tag;
use crate::model::world::board_key;
use crate::refusal::{BoardRefusal, Refusal};
use crate::server::inbox::{Replies, Request, written};
use crate::web::failure::Failure;
use crate::web::form::Form;
use crate::web::page::{Page, led};
use crate::web::site::{Site, Writer};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use std::sync::Arc;

/// Carries out what a player says.
pub(in crate::web) async fn say(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Failure> {
    let id = named(&game, &number)?;
    let ask = form.ask.clone();
    let done = site.clone().write(ask.clone(), move |writer| said(writer, id, &form)).await;
    match done {
        Ok(None) => Ok(Redirect::to(&path(id)).into_response()),
        Ok(Some(cookie)) => Ok(led(&site, &path(id), &cookie)),
        // The board as it is, so that it can be said in another way.
        Err(failure @ (Failure::Told(_) | Failure::Refused(_) | Failure::Missing(_))) => {
            let (title, words) = failure.told();
            let why = html! { section.wrong role="alert" aria-label=(title) { (words) } };
            let page = site.read(ask, move |reader| page(reader, id, None, why)).await?;
            Ok(Page::with(page, StatusCode::UNPROCESSABLE_ENTITY).into_response())
        }
        Err(failure) => Err(failure),
    }
}

/// Has it carried out; a new cookie for a browser that has to have one.
fn said(writer: &mut Writer, id: BoardId, form: &Form) -> Result<Option<String>, Failure> {
    let user = writer.user()?;
    let request = request(writer, id, &user, form)?;
    writer.say(&request, form.once())?;
    Ok(writer.renewed()?)
}

/// The meaning of the words of a form.
fn request(writer: &Writer, id: BoardId, user: &UserId, form: &Form) -> Result<Request, Failure> {
    let moveno = form.field("moveno").and_then(|number| number.parse().ok());
    let (verb, words) = (form.field("verb").unwrap_or_default(), form.field("say"));
    let line = format!("{verb} {}", words.unwrap_or_default());
    let comment = form.field("comment").unwrap_or_default();
    said_there(writer, id, user, (line.trim(), comment), (moveno, form.field("offered")))
}

/// The meaning of a player's words on a board as they saw it: before that move, with that offer.
pub(in crate::web) fn said_there(
    writer: &Writer,
    id: BoardId,
    user: &UserId,
    (line, comment): (&str, &str),
    (moveno, offered): (Option<usize>, Option<&str>),
) -> Result<Request, Failure> {
    let world = writer.world(&[board_key(id)])?;
    let board = world.board(id).map_err(|_| Failure::NotFound)?;
    let not_playing = || BoardRefusal::NotPlaying { board: id, user: user.clone() };
    let seat = board.seat(user).ok_or_else(|| Refusal::from(not_playing()))?;
    let offered = offered.and_then(|word| Proposal::ALL.into_iter().find(|it| it.word() == word));
    let tag = Tag::shown(id, moveno, offered);
    let replies = Replies { board, player: user, tag: &tag, view: world.view(board, seat) };
    Ok(written(line, comment, &replies).map_err(Refusal::from)?)
}
