//! A player's reply on the page of a board, read like the first line of a reply by mail.

use super::{board_page, parse_id, path};
use crate::base::ids::{BoardId, UserId};
use crate::command::find_verb;
use crate::model::board::Proposal;
use crate::model::dice::LOST;
use crate::model::token::ReplyTag;
use crate::model::world::board_key;
use crate::refusal::{BoardRefusal, Refusal};
use crate::server::requests::{ReplyContext, Request, read_board_form};
use crate::web::html::error_page::{ErrorText, PageError, PageResult};
use crate::web::html::page::{WebPage, redirect_with_cookie};
use crate::web::http::form::PostedForm;
use crate::web::site::{Site, SiteWriter};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use games::ROLL;
use maud::html;
use std::sync::Arc;

/// Executes a posted reply.
pub(crate) async fn post(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    form: PostedForm,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    let request = form.request.clone();
    let executed =
        site.clone().write(request.clone(), move |writer| execute(writer, id, &form)).await;
    match executed {
        Ok(None) => Ok(Redirect::to(&path(id)).into_response()),
        Ok(Some(cookie)) => Ok(redirect_with_cookie(&site, &path(id), &cookie)),
        // The player sees the reason above the board and can reply again.
        Err(
            error @ (PageError::CommandRefused(_)
            | PageError::Refused(_)
            | PageError::MissingField(_)),
        ) => {
            let ErrorText { title, body } = error.html();
            let notice = html! { section.wrong role="alert" aria-label=(title) { (body) } };
            let page = site.read(request, move |reader| board_page(reader, id, None, notice));
            Ok(page.await?.with_status(StatusCode::UNPROCESSABLE_ENTITY).into_response())
        }
        Err(PageError::NotConfirmed(question)) => {
            Ok(question.page(site, request).await.map(WebPage::into_response)?)
        }
        Err(error) => Err(error),
    }
}

/// Executes a reply and returns a new session cookie if the browser needs one.
fn execute(writer: &mut SiteWriter, id: BoardId, form: &PostedForm) -> PageResult<Option<String>> {
    let user = writer.signed_in_user()?;
    let request = BoardReply::from_form(id, form).request(writer, id, &user)?;
    form.check_confirmed(&request, &path(id))?;
    writer.execute_request(&request, form.mail_key())?;
    Ok(writer.renewed_cookie()?)
}

/// A player's reply to a board as they saw it.
pub(crate) struct BoardReply<'a> {
    pub(crate) line: String,
    pub(crate) comment: &'a str,
    /// The number of the move that the page asked for.
    pub(crate) move_number: Option<usize>,
    /// The offer that was open.
    pub(crate) offered: Option<Proposal>,
}

impl<'a> BoardReply<'a> {
    fn from_form(id: BoardId, form: &'a PostedForm) -> Self {
        let verb = form.field("verb").unwrap_or_default();
        let words = form.field("say").unwrap_or_default();
        // A value counts even if the box "I have lost the value" is checked.
        let seed = form.values("seed").find(|seed| *seed != LOST).or(form.values("seed").next());
        let find = |word: &str| Proposal::ALL.into_iter().find(|it| it.word() == word);
        Self {
            line: with_seed(id, format!("{verb} {words}").trim(), seed),
            comment: form.field("comment").unwrap_or_default(),
            move_number: form.field("moveno").and_then(|number| number.parse().ok()),
            offered: form.field("offered").and_then(find),
        }
    }

    /// Reads the reply as a command of a player on this board.
    ///
    /// # Errors
    /// The board does not exist, the user does not play there, or the reply is not understood.
    pub(crate) fn request(
        &self,
        writer: &SiteWriter,
        id: BoardId,
        user: &UserId,
    ) -> PageResult<Request> {
        let world = writer.load(&[board_key(id)])?;
        let board = world.board(id).map_err(|_| PageError::NotFound)?;
        let not_playing = || BoardRefusal::NotPlaying { board: id, user: user.clone() };
        let seat = board.seat(user).ok_or_else(|| Refusal::from(not_playing()))?;
        let tag = ReplyTag::shown(id, self.move_number, self.offered);
        let view = world.view(board, seat);
        let context = ReplyContext { board, player: user, tag: &tag, view };
        match read_board_form(&self.line, self.comment, &context).map_err(Refusal::from)? {
            Request { command: Err(refusal), .. } => Err(refusal.into()),
            request => Ok(request),
        }
    }
}

/// Appends a word or value for the dice to a move. Other commands take none.
pub(crate) fn with_seed(id: BoardId, line: &str, seed: Option<&str>) -> String {
    let game = games::find(id.game).expect("a BoardId names a game");
    let first = line.split_whitespace().next().unwrap_or_default();
    let verb = find_verb(first, Some(game)).map(|verb| verb.name);
    let takes_seed = verb.is_none_or(|verb| ["move", "confirm", ROLL].contains(&verb));
    match seed.filter(|_| takes_seed) {
        Some(seed) => format!("{line} -seed={seed}"),
        None => line.to_owned(),
    }
}
