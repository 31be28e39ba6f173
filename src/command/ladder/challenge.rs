//! `ladder challenge`: begins a game for a place on the ladder.

use super::authenticate_on;
use crate::base::ids::UserId;
use crate::command::moderation::check_sanction;
use crate::command::{Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof};
use crate::model::board::BoardSetup;
use crate::model::ladder::{LadderEvent, LadderReader as _, rules};
use crate::model::moderation::SanctionKind;
use crate::model::new_board::NewBoard;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{AccountRefusal, LadderRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Seat};

#[derive(Debug)]
struct ChallengeCommand {
    game: &'static dyn AnyGame,
    opponent: UserId,
    user: UserId,
    proof: UserProof,
}

pub(super) fn parse(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    let opponent = words.word("the userid of the opponent")?;
    let opponent = UserId::parse(opponent).ok_or(AccountRefusal::BadUserid)?;
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(ChallengeCommand { game, opponent, user, proof }))
}

impl Command for ChallengeCommand {
    fn needs(&self) -> Needs {
        let game = self.game.spec().name;
        let players = vec![self.user.clone(), self.opponent.clone()];
        Needs::All(vec![Needs::Ladder(game, players), Needs::NewBoards(game, 1)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_on(world, self.game.spec().name, &self.user, &self.proof, cx)?;
        // A suspended player can be challenged, or they would keep their place by the suspension.
        check_sanction(user, SanctionKind::Suspension, cx)?;
        let game = self.game.spec().name;
        let ladder = world.ladder(game)?;
        let check = ladder.check_challenge(&user.id, &self.opponent, cx.now);
        check.map_err(|bar| LadderRefusal::Barred {
            game,
            opponent: self.opponent.clone(),
            bar,
            place: ladder.place(&user.id),
        })?;
        // Both userids as they were typed at signup.
        let opponent = world.user(&self.opponent).ok_or(Refusal::Unavailable)?.id.clone();
        let players = [user.id.clone(), opponent.clone()];
        // Who must accept has the first side, unless an opening roll decides.
        let new = NewBoard {
            game: self.game,
            agreed: rules::terms(),
            players: [opponent, user.id.clone()],
            by: Some(Seat(1)),
            seeds: [None, None],
        };
        let begun = cx.board_maker(world).begin(new)?;
        let setup = BoardSetup { challenger: begun.by, is_of_ladder: true, ..begun.setup };
        let board = setup.board;
        let challenged = LadderEvent::Challenged { board: board.number, players };
        let events = vec![Event::Challenged(Box::new(setup)), Event::Ladder(game, challenged)];
        let answer = Answer::Board { board, what: BoardNews::Begun, by: begun.by };
        Ok(Decision { events, answer })
    }
}
