//! `tournament invite` and `challenge`: for the captains of a team match.

use super::{find, take_number};
use crate::base::ids::{TournamentId, UserId};
use crate::command::moderation::check_sanction;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, authenticate_about,
    count_message,
};
use crate::model::moderation::SanctionKind;
use crate::model::topic::Topic;
use crate::model::tournament::{
    MOST_INVITED, Stage, Teams, Tournament, TournamentEvent, tournament_key,
};
use crate::model::user::{Mark, User};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal, TournamentRefusal};
use crate::reply::TournamentAnswer;
use games::AnyGame;

/// Invites a player to the team of a captain, or challenges the captain of the other team.
#[derive(Debug)]
struct InviteCommand {
    id: TournamentId,
    player: UserId,
    user: UserId,
    proof: UserProof,
    is_challenge: bool,
}

pub(super) fn parse(
    game: &'static dyn AnyGame,
    words: &mut Arguments,
    is_challenge: bool,
) -> ParsedCommand {
    let id = take_number(game, words)?;
    let player = words.word("the userid of the player")?;
    let player = UserId::parse(player).ok_or(AccountRefusal::BadUserid)?;
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(InviteCommand { id, player, user, proof, is_challenge }))
}

impl Command for InviteCommand {
    fn needs(&self) -> Needs {
        let users = [&self.user, &self.player].map(user_key);
        Needs::Keys(users.into_iter().chain([tournament_key(self.id)]).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let topic = Topic::Tournament(self.id);
        let user = authenticate_about(world, &self.user, &self.proof, &topic, cx)?;
        check_sanction(user, SanctionKind::Suspension, cx)?;
        let tournament = find(world, self.id)?;
        let teams = tournament.teams.as_ref().ok_or(TournamentRefusal::NoTeams(self.id))?;
        if matches!(tournament.stage(), Stage::Ended | Stage::Cancelled) {
            return Err(TournamentRefusal::Over(self.id).into());
        }
        let side = self.side(tournament, teams, user)?;
        let player = invitable(world, user, &self.player, cx)?;
        if tournament.has(player) {
            let (id, player) = (self.id, player.clone());
            return Err(TournamentRefusal::InTeam { id, player }.into());
        }
        if tournament.is_team_full(side) {
            let team = teams.sides[side].name();
            return Err(TournamentRefusal::TeamFull { id: self.id, team }.into());
        }
        let invited = &teams.sides[side].invited;
        if invited.contains(player) {
            return Err(TournamentRefusal::Invited(player.clone()).into());
        }
        if invited.len() >= MOST_INVITED {
            return Err(TournamentRefusal::InvitedEnough.into());
        }
        let mut events = count_message(world, &user.id, player, 0, cx)?;
        let invited = TournamentEvent::Invited { user: player.clone(), side };
        events.push(Event::Tournament(self.id, invited));
        let (by, player, is_challenge) = (user.id.clone(), player.clone(), self.is_challenge);
        let answer = TournamentAnswer::Invited { id: self.id, by, player, is_challenge };
        Ok(Decision { events, answer: answer.into() })
    }
}

impl InviteCommand {
    /// Returns the team to which the player is invited.
    fn side(
        &self,
        tournament: &Tournament,
        teams: &Teams,
        user: &User,
    ) -> Result<usize, TournamentRefusal> {
        let led = teams.side_led_by(&user.id).filter(|_| tournament.has(&user.id));
        let own = led.ok_or(TournamentRefusal::NotCaptain(self.id))?;
        if !self.is_challenge {
            return Ok(own);
        }
        match &teams.sides[1 - own].captain {
            None => Ok(1 - own),
            Some(captain) => {
                let captain = captain.clone();
                Err(TournamentRefusal::Challenged { id: self.id, captain })
            }
        }
    }
}

/// Returns a player who could be invited. Who has blocked the captain is not told from those who do
/// not play in tournaments.
fn invitable<'w>(
    world: &'w World,
    captain: &User,
    player: &UserId,
    cx: &Context,
) -> Result<&'w UserId, Refusal> {
    let is_proved = |user: &&User| !user.unproved || !cx.limits.rate_limits.newcomers;
    let plays = |user: &&User| {
        world.level(&user.id).is_none()
            && !user.guest
            && user.sanction(SanctionKind::Suspension, cx.now).is_none()
            && !user.has_marked(&captain.id, Mark::Blocked)
    };
    let found = world.user(player).filter(plays).filter(is_proved);
    let found = found.ok_or_else(|| TournamentRefusal::CannotInvite(player.clone()))?;
    if captain.has_marked(&found.id, Mark::Blocked) {
        return Err(AccountRefusal::BlockedByYou(found.id.clone()).into());
    }
    Ok(&found.id)
}
