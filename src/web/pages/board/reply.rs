//! A player's reply on the page of a board, read like the first line of a reply by mail.

use super::bar::{BY_SERVER, ROLLING, SHOWN};
use super::next_board::NextBoard;
use super::{parse_id, path};
use crate::base::ids::{BoardId, UserId};
use crate::command::find_verb;
use crate::model::board::{Board, Proposal};
use crate::model::chat_log::LONGEST_MESSAGE;
use crate::model::dice::LOST;
use crate::model::token::ReplyTag;
use crate::model::user::preference::NEXT;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::OutgoingMail;
use crate::server::BrowserOutcome;
use crate::server::requests::{ReplyContext, Request, read_board_form};
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult, RefusedCommand};
use crate::web::html::page::redirect_with_cookie;
use crate::web::http::form::PostedForm;
use crate::web::site::{Site, SiteWriter};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use games::{MANUAL, ROLL};
use std::sync::Arc;

/// Executes a posted reply. A reply that is refused, or whose sender is not signed in any more, is shown
/// again on the page of the board.
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
        Ok(Executed { cookie: None, leads_to }) => Ok(Redirect::to(&leads_to).into_response()),
        Ok(Executed { cookie: Some(cookie), leads_to }) => {
            Ok(redirect_with_cookie(&site, &leads_to, &cookie))
        }
        // What cannot be read is refused like a command.
        Err(PageError::Refused(refusal)) => {
            let refused = RefusedCommand { refusal: Some(refusal), answers: Vec::new() };
            Err(PageError::CommandRefused(Box::new(refused)))
        }
        Err(error) => with_question(site, request, Err(error)).await,
    }
}

/// An executed reply.
struct Executed {
    /// A new session cookie, if the browser needs one.
    cookie: Option<String>,
    /// The path of the page after it.
    leads_to: String,
}

fn execute(writer: &mut SiteWriter, id: BoardId, form: &PostedForm) -> PageResult<Executed> {
    let user = writer.signed_in_user()?;
    let request = BoardReply::from_form(id, form).request(writer, id, &user)?;
    form.check_confirmed(&request, &path(id))?;
    let before = writer.load(&[board_key(id)])?;
    let rolls_by_hand = rolls_by_hand(form);
    if rolls_by_hand == Some(true) && !has_manual(&before, id, &user) {
        roll_by_hand(writer, id, &user, true)?;
    }
    let visit = writer.execute_request(&request, form.mail_key())?;
    if rolls_by_hand == Some(false) && has_manual(&before, id, &user) {
        match roll_by_hand(writer, id, &user, false) {
            // The move was made and may have ended the game.
            Ok(()) | Err(PageError::Refused(_) | PageError::CommandRefused(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let was_due = before.board(id).is_ok_and(|board| asks(board, &user));
    let leads_to = next_path(writer, id, &user, &visit, was_due)?;
    Ok(Executed { cookie: writer.renewed_cookie()?, leads_to })
}

/// Returns whether a form says that its sender rolls by hand; `None` if it does not ask.
fn rolls_by_hand(form: &PostedForm) -> Option<bool> {
    let mut values = form.values(ROLLING);
    let is_shown = form.values(ROLLING).any(|value| value == SHOWN);
    is_shown.then(|| values.all(|value| value != BY_SERVER))
}

/// Returns whether a player rolls by hand on a board.
fn has_manual(world: &World, id: BoardId, user: &UserId) -> bool {
    let board = world.board(id).ok();
    let seat = board.and_then(|board| Some((board, board.seat(user)?)));
    seat.is_some_and(|(board, seat)| world.settings(board, seat).has(MANUAL.switch.name))
}

/// Sets whether a player rolls by hand on a board.
fn roll_by_hand(
    writer: &mut SiteWriter,
    id: BoardId,
    user: &UserId,
    by_hand: bool,
) -> PageResult<()> {
    // The same words as in the form of this setting.
    let line = format!("{} {}", MANUAL.switch.name, if by_hand { "on" } else { "off" });
    let reply = BoardReply { line, comment: "", move_number: None, offered: None };
    let request = reply.request(writer, id, user)?;
    writer.execute_request(&request, None).map(drop)
}

/// Returns whether a player has to decide on a board.
fn asks(board: &Board, user: &UserId) -> bool {
    let seat = board.seat(user);
    !board.is_over() && seat.is_some_and(|seat| board.position().next().asks(seat))
}

/// Returns the path of the page after a reply: the new board after a rematch, the next board that waits
/// after a move if the player prefers that, or else this board.
fn next_path(
    writer: &SiteWriter,
    id: BoardId,
    user: &UserId,
    visit: &BrowserOutcome,
    was_due: bool,
) -> PageResult<String> {
    let mut boards =
        visit.answers.iter().filter(|mail| mail.seat.is_some()).filter_map(OutgoingMail::board);
    if let Some(new) = boards.find(|board| *board != id) {
        return Ok(path(new));
    }
    let world = writer.load(&[board_key(id), user_key(user)])?;
    let player = world.user(user).filter(|user| user.preferences.is_on(&NEXT));
    let is_made = world.board(id).is_ok_and(|board| !board.is_over() && !asks(board, user));
    let Some(player) = player.filter(|_| was_due && is_made) else { return Ok(path(id)) };
    let candidates = NextBoard::candidates(player, id).into_iter().map(board_key);
    let world = writer.load(&candidates.chain([user_key(user)]).collect::<Vec<_>>())?;
    let next = world.user(user).and_then(|player| NextBoard::find(&world, player, id));
    Ok(path(next.map_or(id, |next| next.id)))
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
        // A browser counts a line break as one character.
        let letters = self.comment.chars().filter(|letter| *letter != '\r').count();
        if letters > LONGEST_MESSAGE {
            return Err(Refusal::from(BoardRefusal::LongMessage { board: id, letters }).into());
        }
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
