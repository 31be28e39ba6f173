//! `moretime`: a player gives time to the opponent whose clock is running.

use crate::command::{
    Arguments, Command, Context, Decision, ParsedCommand, Player, ReplyScope, Verb, VerbScope,
    count_message, of_player, required_game,
};
use crate::model::board::{Board, BoardEvent, BoardStatus};
use crate::model::clock::Gift;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Seat};

pub(crate) const VERB: Verb = Verb {
    name: "moretime",
    aliases: &["addtime"],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password> [<days>]",
    about: "give your opponent more time for this turn: 3 days, or as many as you say",
    reply: Some(ReplyScope::Player),
    parse,
};

/// The days of a gift without a number.
const USUAL_GIFT_DAYS: u32 = 3;

/// The most days of one gift.
const MAX_GIFT_DAYS: u32 = 30;

/// How many gifts a player may make to an opponent in a day beyond the limit for messages.
const EXTRA_MESSAGES: usize = 5;

#[derive(Debug)]
struct MoreTimeCommand {
    by: Player,
    days: u32,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    let days = match words.peek() {
        None => USUAL_GIFT_DAYS,
        Some(word) => {
            let wrong = || words.usage_error(format!("you can give 1 to {MAX_GIFT_DAYS} days"));
            let days = word.parse().ok().filter(|days| (1..=MAX_GIFT_DAYS).contains(days));
            let days = days.ok_or_else(wrong)?;
            words.word("the days")?;
            // `moretime 3 days`
            if words.peek().is_some_and(|word| ["day", "days"].contains(&word)) {
                words.word("the days")?;
            }
            days
        }
    };
    words.expect_end()?;
    Ok(Box::new(MoreTimeCommand { by, days }))
}

impl Command for MoreTimeCommand {
    of_player!();

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, by) = self.by.at(world, cx)?;
        let (id, to) = (board.id, by.other());
        check_gift(world, board, to)?;
        let given: u32 =
            board.gifts.iter().filter(|gift| gift.to() == to).map(|gift| gift.days).sum();
        if given.saturating_add(self.days) > BoardRefusal::DAYS_GIVEN {
            return Err(BoardRefusal::TooMuchTime(id).into());
        }
        let mut events =
            count_message(world, board.player(by), board.player(to), EXTRA_MESSAGES, cx)?;
        let gift = Gift { at: cx.now, to: to.0, days: self.days };
        events.push(Event::Board(id, BoardEvent::Given(gift)));
        let what = BoardNews::TimeGiven { days: self.days };
        Ok(Decision { events, answer: Answer::Board { board: id, what, by: Some(by) } })
    }
}

/// Checks that time can be given to the player of a seat.
fn check_gift(world: &World, board: &Board, to: Seat) -> Result<(), BoardRefusal> {
    let player = board.player(to);
    if world.level(player).is_some() {
        return Err(BoardRefusal::NeedsNoTime { board: board.id, program: player.clone() });
    }
    match board.status() {
        BoardStatus::ToMove(due) if due == to => Ok(()),
        _ => Err(BoardRefusal::ClockStopped { board: board.id, player: player.clone() }),
    }
}
