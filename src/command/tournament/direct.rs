//! `tournament extend` and `cancel`: for the director of a tournament.

use super::{find, take_number};
use crate::base::ids::{TournamentId, UserId};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, authenticate_about,
};
use crate::model::topic::Topic;
use crate::model::tournament::{
    Stage, Tournament, TournamentEvent, tournament_key, tournament_list_key,
};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{Refusal, TournamentRefusal};
use crate::reply::TournamentAnswer;
use games::AnyGame;

/// An order of the director.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// Extends the round by some days.
    Extend(u32),
    /// Cancels the tournament before its start.
    Cancel,
}

#[derive(Debug)]
struct DirectCommand {
    id: TournamentId,
    user: UserId,
    proof: UserProof,
    order: Order,
}

pub(super) fn parse_extend(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    let id = take_number(game, words)?;
    let days = words.word("the number of days")?.parse().ok();
    let most = TournamentRefusal::EXTENSION;
    let days = days.filter(|days| (1..=most).contains(days));
    let days = days
        .ok_or_else(|| words.usage_error(format!("the days must be a number from 1 to {most}")))?;
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(DirectCommand { id, user, proof, order: Order::Extend(days) }))
}

pub(super) fn parse_cancel(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    let id = take_number(game, words)?;
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(DirectCommand { id, user, proof, order: Order::Cancel }))
}

impl Command for DirectCommand {
    fn needs(&self) -> Needs {
        let list = tournament_list_key(self.id.game);
        Needs::Keys(vec![user_key(&self.user), tournament_key(self.id), list])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let topic = Topic::Tournament(self.id);
        let user = authenticate_about(world, &self.user, &self.proof, &topic, cx)?;
        let tournament = find(world, self.id)?;
        if tournament.director != user.id && !matches!(self.proof, UserProof::Operator) {
            let director = tournament.director.clone();
            return Err(TournamentRefusal::NotDirector { id: self.id, director }.into());
        }
        let event = match self.order {
            Order::Extend(days) => extend(tournament, days)?,
            Order::Cancel => match tournament.stage() {
                Stage::Open => TournamentEvent::Ended { at: cx.now },
                Stage::Running => return Err(TournamentRefusal::Started(self.id).into()),
                Stage::Ended | Stage::Cancelled => {
                    return Err(TournamentRefusal::Over(self.id).into());
                }
            },
        };
        let answer = match self.order {
            Order::Extend(_) => TournamentAnswer::Extended(self.id),
            Order::Cancel => TournamentAnswer::Cancelled(self.id),
        };
        Ok(Decision { events: vec![Event::Tournament(self.id, event)], answer: answer.into() })
    }
}

/// Returns the extension of a round, if the round can still be extended by so many days.
fn extend(tournament: &Tournament, days: u32) -> Result<TournamentEvent, TournamentRefusal> {
    let id = tournament.id;
    let round = tournament.round.filter(|_| tournament.stage() == Stage::Running);
    let round = round.ok_or(TournamentRefusal::NotRunning(id))?;
    let left = TournamentRefusal::EXTENSION.saturating_sub(round.extended);
    if days > left {
        return Err(TournamentRefusal::TooLong { id, left });
    }
    Ok(TournamentEvent::Extended { days })
}
