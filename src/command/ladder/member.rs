//! `ladder join` and `leave`.

use super::authenticate_on;
use crate::base::ids::UserId;
use crate::command::moderation::check_sanction;
use crate::command::{
    Arguments, Command, Context, Decision, LastingAct, Needs, ParsedCommand, UserProof,
};
use crate::model::ladder::{LadderEvent, LadderReader as _};
use crate::model::moderation::SanctionKind;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{LadderRefusal, Refusal};
use crate::reply::LadderAnswer;
use games::AnyGame;

/// Joins or leaves a ladder.
#[derive(Debug)]
struct MemberCommand {
    game: &'static str,
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
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(MemberCommand { game: game.spec().name, user, proof, joins }))
}

impl Command for MemberCommand {
    fn needs(&self) -> Needs {
        Needs::Ladder(self.game, vec![self.user.clone()])
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        (!self.joins).then_some(LastingAct::LeaveLadder(self.game))
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_on(world, self.game, &self.user, &self.proof, cx)?;
        let (game, at, user_id) = (self.game, cx.now, user.id.clone());
        let ladder = world.ladder(game)?;
        let rung = ladder.rung(&user.id);
        // A player who leaves stays as long as a board of theirs is damaged.
        if user.ladders.contains_key(game) && rung.is_none_or(|rung| rung.leaving) {
            return Err(Refusal::Unavailable);
        }
        if !self.joins {
            rung.ok_or(LadderRefusal::NotOn(game))?;
            let event = LadderEvent::Leaving { user: user_id.clone(), at };
            let answer = LadderAnswer::Left { game, user: user_id }.into();
            return Ok(Decision { events: vec![Event::Ladder(game, event)], answer });
        }
        check_sanction(user, SanctionKind::Suspension, cx)?;
        if rung.is_some() {
            return Err(LadderRefusal::Joined(game).into());
        }
        if user.unproved && cx.limits.rate_limits.newcomers {
            return Err(LadderRefusal::Unproved.into());
        }
        let event = LadderEvent::Joined { user: user_id.clone(), at };
        let answer = LadderAnswer::Joined { game, user: user_id }.into();
        Ok(Decision { events: vec![Event::Ladder(game, event)], answer })
    }
}
