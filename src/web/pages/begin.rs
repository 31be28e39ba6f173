//! `/begin`: begins a game, by the card that many pages have.

use super::command::{command_words, execute_words, respond};
use super::sign_in::return_path;
use crate::command::find_verb;
use crate::model::clock::BoardTerms;
use crate::model::program;
use crate::web::html::begin::{
    ANYBODY, BOUNDS, FRIEND, LEVEL, MATCH, OPPONENT, PROGRAM, SEED, WITH, has_dice, has_option,
};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::PostedForm;
use crate::web::site::Site;
use axum::extract::State;
use axum::response::Response;
use games::AnyGame;
use std::sync::Arc;

/// Begins a game against a friend or the program, or posts an open challenge.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let back = return_path(form.field("back"), "/boards");
    let request = form.request.clone();
    let executed = site.clone().write(request.clone(), move |writer| {
        writer.signed_in_user()?;
        let game = games::find(form.required("game")?).ok_or(PageError::NotFound)?;
        let ChallengeWords { verb, opponent } = ChallengeWords::read(&form, game)?;
        let verb = find_verb(verb, Some(game)).expect("the verb is one of games");
        let options = command_words(&form).into_iter().filter(|option| fits(option, &form, game));
        let words: Vec<String> = opponent.into_iter().chain(options).collect();
        execute_words(writer, &form, Some(game), verb, &words)
    });
    respond(&site, request, executed.await?, back).await
}

/// The option with the days for a move, and the field with those of a bank.
const FORFEIT: &str = "-forfeittime";
const BANK: &str = "option.-bank";

/// The verb and the first word of the command that begins a game.
struct ChallengeWords {
    verb: &'static str,
    /// The userid of the opponent; `None` for an open challenge and a game that is played alone.
    opponent: Option<String>,
}

impl ChallengeWords {
    fn read(form: &PostedForm, game: &'static dyn AnyGame) -> PageResult<Self> {
        if game.spec().manner.is_solo {
            return Ok(Self { verb: "challenge", opponent: None });
        }
        match form.required(WITH)? {
            FRIEND => {
                let opponent = Some(form.required(OPPONENT)?.to_owned());
                Ok(Self { verb: "challenge", opponent })
            }
            PROGRAM => {
                let level = form.required(LEVEL)?.parse().map_err(|_| PageError::Malformed)?;
                let user = program::of_level(level).ok_or(PageError::Malformed)?;
                Ok(Self { verb: "challenge", opponent: Some(user.to_string()) })
            }
            ANYBODY => Ok(Self { verb: "seek", opponent: None }),
            _ => Err(PageError::Malformed),
        }
    }
}

/// Returns whether an option is for this game and opponent. The card also sends the options that it hides.
fn fits(option: &str, form: &PostedForm, game: &'static dyn AnyGame) -> bool {
    let name = option.split('=').next().unwrap_or_default();
    let Some(name) = name.strip_prefix('-') else { return false };
    let is = |known: &str| name == known;
    if is(SEED) {
        has_dice(game)
    } else if is(MATCH) {
        has_option(game, MATCH)
    } else if is(FORFEIT) {
        // The card always sends the days for a move. Beside a bank the usual number was not chosen.
        let usual = BoardTerms::default().forfeit_days.to_string();
        !(form.field(BANK).is_some() && option.ends_with(&format!("={usual}")))
    } else {
        let is_bound = BOUNDS.into_iter().any(is);
        !is_bound || form.field(WITH) == Some(ANYBODY)
    }
}
