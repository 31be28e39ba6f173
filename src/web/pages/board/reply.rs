//! Words of a player on a board: they are read like the first line of a reply.

use super::{named, page, path};
use crate::base::ids::{BoardId, UserId};
use crate::command::find_verb;
use crate::model::board::Proposal;
use crate::model::dice::LOST;
use crate::model::token::ReplyTag;
use crate::model::world::board_key;
use crate::refusal::{BoardRefusal, Refusal};
use crate::server::requests::{ReplyContext, Request, read_board_form};
use crate::web::html::error_page::PageError;
use crate::web::html::page::{WebPage, led};
use crate::web::http::form::PostedForm;
use crate::web::site::{Site, SiteWriter};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use games::ROLL;
use maud::html;
use std::sync::Arc;

/// Carries out what a player says.
pub(in crate::web) async fn say(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let id = named(&game, &number)?;
    let ask = form.ask.clone();
    let done = site.clone().write(ask.clone(), move |writer| said(writer, id, &form)).await;
    match done {
        Ok(None) => Ok(Redirect::to(&path(id)).into_response()),
        Ok(Some(cookie)) => Ok(led(&site, &path(id), &cookie)),
        // The board as it is, so that it can be said in another way.
        Err(failure @ (PageError::Told(_) | PageError::Refused(_) | PageError::Missing(_))) => {
            let (title, words) = failure.told();
            let why = html! { section.wrong role="alert" aria-label=(title) { (words) } };
            let page = site.read(ask, move |reader| page(reader, id, None, why)).await?;
            Ok(WebPage::with(page, StatusCode::UNPROCESSABLE_ENTITY).into_response())
        }
        Err(PageError::Unsure(question)) => Ok(question.page(site, ask).await?.into_response()),
        Err(failure) => Err(failure),
    }
}

/// Has it carried out; a new cookie for a browser that has to have one.
fn said(
    writer: &mut SiteWriter,
    id: BoardId,
    form: &PostedForm,
) -> Result<Option<String>, PageError> {
    let user = writer.user()?;
    let request = request(writer, id, &user, form)?;
    form.checked(&request, &path(id))?;
    writer.say(&request, form.once())?;
    Ok(writer.renewed()?)
}

/// The meaning of the words of a form.
fn request(
    writer: &SiteWriter,
    id: BoardId,
    user: &UserId,
    form: &PostedForm,
) -> Result<Request, PageError> {
    let moveno = form.field("moveno").and_then(|number| number.parse().ok());
    let (verb, words) = (form.field("verb").unwrap_or_default(), form.field("say"));
    let line = format!("{verb} {}", words.unwrap_or_default());
    // A player who has the value says so, whatever else is marked.
    let seed = form.all("seed").find(|seed| *seed != LOST).or(form.all("seed").next());
    let line = with_seed(id, line.trim(), seed);
    let comment = form.field("comment").unwrap_or_default();
    said_there(writer, id, user, (&line, comment), (moveno, form.field("offered")))
}

/// A move with a word or value for the dice behind it; other words take none.
pub(in crate::web) fn with_seed(id: BoardId, line: &str, seed: Option<&str>) -> String {
    let game = games::find(id.game).expect("a BoardId names a game");
    let first = line.split_whitespace().next().unwrap_or_default();
    let verb = find_verb(first, Some(game)).map(|verb| verb.name);
    let takes_seed = verb.is_none_or(|verb| ["move", "confirm", ROLL].contains(&verb));
    match seed.filter(|_| takes_seed) {
        Some(seed) => format!("{line} -seed={seed}"),
        None => line.to_owned(),
    }
}

/// The meaning of a player's words on a board as they saw it: before that move, with that offer.
pub(in crate::web) fn said_there(
    writer: &SiteWriter,
    id: BoardId,
    user: &UserId,
    (line, comment): (&str, &str),
    (moveno, offered): (Option<usize>, Option<&str>),
) -> Result<Request, PageError> {
    let world = writer.world(&[board_key(id)])?;
    let board = world.board(id).map_err(|_| PageError::NotFound)?;
    let not_playing = || BoardRefusal::NotPlaying { board: id, user: user.clone() };
    let seat = board.seat(user).ok_or_else(|| Refusal::from(not_playing()))?;
    let offered = offered.and_then(|word| Proposal::ALL.into_iter().find(|it| it.word() == word));
    let tag = ReplyTag::shown(id, moveno, offered);
    let replies = ReplyContext { board, player: user, tag: &tag, view: world.view(board, seat) };
    match read_board_form(line, comment, &replies).map_err(Refusal::from)? {
        // A command that is refused before its board is looked at.
        Request { command: Err(refusal), .. } => Err(refusal.into()),
        request => Ok(request),
    }
}
