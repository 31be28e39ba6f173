//! `tournament join` and `leave`.

use super::{find, take_number};
use crate::base::ids::{TournamentId, UserId};
use crate::command::moderation::check_sanction;
use crate::command::{
    Arguments, Command, Context, Decision, LastingAct, Needs, ParsedCommand, UserProof,
    authenticate_about,
};
use crate::model::moderation::SanctionKind;
use crate::model::seeks::RatingRange;
use crate::model::topic::Topic;
use crate::model::tournament::{Stage, Tournament, TournamentEvent, tournament_key};
use crate::model::user::User;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{Refusal, TournamentRefusal};
use crate::reply::TournamentAnswer;
use games::AnyGame;

/// Joins or leaves a tournament.
#[derive(Debug)]
struct EnterCommand {
    id: TournamentId,
    user: UserId,
    proof: UserProof,
    joins: bool,
}

pub(super) fn parse_join(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    parse(game, words, true)
}

pub(super) fn parse_leave(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    parse(game, words, false)
}

fn parse(game: &'static dyn AnyGame, words: &mut Arguments, joins: bool) -> ParsedCommand {
    let id = take_number(game, words)?;
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(EnterCommand { id, user, proof, joins }))
}

impl Command for EnterCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user), tournament_key(self.id)])
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        (!self.joins).then_some(LastingAct::LeaveTournament(self.id))
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let topic = Topic::Tournament(self.id);
        let user = authenticate_about(world, &self.user, &self.proof, &topic, cx)?;
        let tournament = find(world, self.id)?;
        let (event, answer) = if self.joins {
            check_sanction(user, SanctionKind::Suspension, cx)?;
            if user.unproved && cx.limits.rate_limits.newcomers {
                return Err(TournamentRefusal::Unproved.into());
            }
            check_entry(tournament, &user.id)?;
            check_team(tournament, &user.id)?;
            check_rating(self.id, tournament.terms.bounds, user)?;
            let event = TournamentEvent::Entered { user: user.id.clone(), at: cx.now };
            (event, TournamentAnswer::Entered { id: self.id, user: user.id.clone() })
        } else {
            check_leaving(tournament, &user.id)?;
            let event = TournamentEvent::Left { user: user.id.clone() };
            (event, TournamentAnswer::Left { id: self.id, user: user.id.clone() })
        };
        Ok(Decision { events: vec![Event::Tournament(self.id, event)], answer: answer.into() })
    }
}

/// Checks that a user can enter a tournament, or its reserve once it runs.
fn check_entry(tournament: &Tournament, user: &UserId) -> Result<(), TournamentRefusal> {
    let id = tournament.id;
    let played = tournament.field.as_ref().and_then(|field| field.find(user));
    match tournament.stage() {
        Stage::Ended | Stage::Cancelled => Err(TournamentRefusal::Over(id)),
        Stage::Open | Stage::Running if tournament.has(user) => Err(TournamentRefusal::Entered(id)),
        Stage::Running if played.is_some() => Err(TournamentRefusal::HasLeft(id)),
        Stage::Running if tournament.round_number() > 1 => Err(TournamentRefusal::Late(id)),
        Stage::Open | Stage::Running if tournament.is_full() => Err(TournamentRefusal::Full(id)),
        Stage::Open | Stage::Running => Ok(()),
    }
}

/// Checks that a user can enter a team, if it is a team match.
fn check_team(tournament: &Tournament, user: &UserId) -> Result<(), TournamentRefusal> {
    let Some(teams) = &tournament.teams else { return Ok(()) };
    let id = tournament.id;
    let captains = teams.sides.each_ref().map(|team| team.captain.clone());
    let captains = captains.into_iter().flatten().collect();
    let side = tournament.side_for(user).ok_or(TournamentRefusal::NotInvited { id, captains })?;
    if tournament.is_team_full(side) {
        let team = teams.sides[side].name();
        return Err(TournamentRefusal::TeamFull { id, team });
    }
    Ok(())
}

/// Checks that the rating of a user is within the bounds of a tournament.
pub(super) fn check_rating(
    id: TournamentId,
    bounds: RatingRange,
    user: &User,
) -> Result<(), TournamentRefusal> {
    let standing = user.standing(id.game);
    let points = standing.points();
    if bounds.contains(&standing) {
        return Ok(());
    }
    Err(TournamentRefusal::Rated { id, bounds, points })
}

/// Checks that a user can leave a tournament.
fn check_leaving(tournament: &Tournament, user: &UserId) -> Result<(), TournamentRefusal> {
    match tournament.stage() {
        Stage::Ended | Stage::Cancelled => Err(TournamentRefusal::Over(tournament.id)),
        Stage::Open | Stage::Running if tournament.has(user) => Ok(()),
        Stage::Open | Stage::Running => Err(TournamentRefusal::NotEntered(tournament.id)),
    }
}
