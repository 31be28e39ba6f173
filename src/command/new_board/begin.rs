//! Begins a board for a user who asks for it, within the limits of new boards: a challenge, a
//! rematch, or an open challenge that is accepted.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{DAY, Time};
use crate::command::moderation::check_sanction;
use crate::command::{Context, Needs};
use crate::mail::Address;
use crate::model::board::{Agreement, BoardSetup};
use crate::model::correspondent::{Correspondent, CorrespondentEvent, LimitedAction};
use crate::model::moderation::SanctionKind;
use crate::model::new_board::{BegunBoard, NewBoard, Seeds, check_opponent};
use crate::model::program;
use crate::model::user::{Mark, User};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{AccountRefusal, ModerationRefusal, Refusal};
use games::{AnyGame, Seat};

/// A board that a user or the operator asks for.
pub(crate) struct BoardRequest<'w> {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) agreed: Agreement,
    /// The players, who exist.
    pub(crate) players: [UserId; 2],
    /// The user who asks; none for the operator, who has no limits.
    pub(crate) asker: Option<Asker<'w>>,
    pub(crate) seeds: Seeds,
    /// Whether the opponent has not agreed yet.
    pub(crate) is_challenge: bool,
}

/// The player who asks for a board.
pub(crate) struct Asker<'w> {
    pub(crate) seat: Seat,
    pub(crate) user: &'w User,
    /// The addresses whose limits apply.
    pub(crate) addresses: Vec<Address>,
}

/// The board that was begun.
pub(crate) struct RequestedBoard {
    pub(crate) board: BoardId,
    /// The seat of the user who asked.
    pub(crate) by: Option<Seat>,
    /// The board, and the counts of its asker.
    pub(crate) events: Vec<Event>,
}

impl BoardRequest<'_> {
    /// Returns the documents that any request for a board of a game needs, besides those of its
    /// players.
    pub(crate) fn needs(game: &'static str) -> Needs {
        Needs::NewBoards(game, 1)
    }

    /// Begins the board.
    ///
    /// # Errors
    /// A limit is reached, or these players cannot play the game together.
    pub(crate) fn begin(self, world: &World, cx: &mut Context) -> Result<RequestedBoard, Refusal> {
        let Self { game, agreed, players, asker, seeds, is_challenge } = self;
        let is_engine = |id| world.level(id) == Some(program::ENGINE);
        let name = game.spec().name;
        if players.iter().any(is_engine) && !cx.limits.engine_games.contains(&name) {
            return Err(AccountRefusal::NoEngine(name).into());
        }
        let mut counted = None;
        if let Some(asker) = &asker {
            check_suspensions(world, cx, asker, &players)?;
            check_blocks(world, asker, &players)?;
            if is_challenge {
                check_unanswered(world, &players, asker.seat, cx.now)?;
            }
            counted = Some(count_board(world, cx, asker, &players[asker.seat.other().index()])?);
        }
        // A player who takes no challenges may still play alone.
        let is_alone = check_opponent(world, game, &players)?;
        if asker.is_some() && !is_alone {
            check_limits(world, game, &players)?;
        }
        let new = NewBoard { game, agreed, players, by: asker.map(|asker| asker.seat), seeds };
        let BegunBoard { setup, by } = cx.board_maker(world).begin(new)?;
        let challenger = by.filter(|_| is_challenge);
        let setup = BoardSetup { challenger, counted: challenger.is_some(), ..setup };
        let board = setup.board;
        let events = [Event::Challenged(Box::new(setup))].into_iter().chain(counted).collect();
        Ok(RequestedBoard { board, by, events })
    }
}

/// Checks that a user may set up one more board, and returns the event that counts it. Boards are
/// counted by mailbox, so that many userids at one mailbox have one limit.
///
/// # Errors
/// The limit is reached.
fn count_board(world: &World, cx: &Context, asker: &Asker, to: &UserId) -> Result<Event, Refusal> {
    let Asker { user, addresses, .. } = asker;
    let mut mailboxes: Vec<String> = addresses.iter().map(Correspondent::mailbox_name).collect();
    let mut most = 0;
    for name in &mailboxes {
        most = most.max(world.actions_today(LimitedAction::Board, name, cx.now)?);
    }
    let own = user.challenges.iter().filter(|old| old.at > cx.now - DAY).count();
    if most.max(own) >= AccountRefusal::A_DAY {
        return Err(AccountRefusal::TooManyToday.into());
    }
    if user.guest {
        if user.active.len() + user.finished.len() >= AccountRefusal::GUEST_BOARDS {
            return Err(AccountRefusal::TooManyGuestBoards.into());
        }
    } else if user.unproved && cx.limits.rate_limits.newcomers {
        if most >= AccountRefusal::UNPROVED_BOARDS {
            return Err(AccountRefusal::Unproved(user.id.clone()).into());
        }
        if world.level(to).is_none() {
            let strangers = Correspondent::userid_name(to);
            if world.actions_today(LimitedAction::Board, &strangers, cx.now)?
                >= AccountRefusal::FROM_UNPROVED
            {
                return Err(AccountRefusal::TooManyStrangers(to.clone()).into());
            }
            mailboxes.push(strangers);
        }
    }
    let begun = CorrespondentEvent::Begun { what: LimitedAction::Board, at: cx.now };
    Ok(Event::Correspondents(mailboxes, begun))
}

/// Checks that the operator has suspended neither the user who asks nor their opponent.
fn check_suspensions(
    world: &World,
    cx: &Context,
    asker: &Asker,
    players: &[UserId; 2],
) -> Result<(), ModerationRefusal> {
    check_sanction(asker.user, SanctionKind::Suspension, cx)?;
    let opponent = world.user(&players[asker.seat.other().index()]);
    match opponent.filter(|user| user.sanction(SanctionKind::Suspension, cx.now).is_some()) {
        Some(opponent) => Err(ModerationRefusal::OpponentSuspended(opponent.id.clone())),
        None => Ok(()),
    }
}

/// Checks that neither the user who asks nor their opponent has blocked the other. Who is blocked is told
/// the same as by a player who takes no challenges.
fn check_blocks(world: &World, asker: &Asker, players: &[UserId; 2]) -> Result<(), AccountRefusal> {
    let opponent = &players[asker.seat.other().index()];
    if asker.user.has_marked(opponent, Mark::Blocked) {
        return Err(AccountRefusal::BlockedByYou(opponent.clone()));
    }
    if world.has_marked(opponent, &asker.user.id, Mark::Blocked) {
        return Err(AccountRefusal::TakesNoChallenges(opponent.clone()));
    }
    Ok(())
}

/// Checks that no player's own limit of boards is reached.
fn check_limits(
    world: &World,
    game: &'static dyn AnyGame,
    players: &[UserId; 2],
) -> Result<(), Refusal> {
    for id in players {
        match world.user(id).and_then(|user| user.reached_limit(game.spec().name)) {
            None => {}
            Some(0) => return Err(AccountRefusal::TakesNoChallenges(id.clone()).into()),
            Some(most) => return Err(AccountRefusal::AtLimit(id.clone(), most).into()),
        }
    }
    Ok(())
}

/// Checks that one more unanswered challenge is allowed between two players.
fn check_unanswered(
    world: &World,
    players: &[UserId; 2],
    seat: Seat,
    now: Time,
) -> Result<(), Refusal> {
    let (from, to) = (&players[seat.index()], &players[seat.other().index()]);
    let open = |by: &UserId, to: &UserId| world.user(by).map_or(0, |user| user.unanswered(to, now));
    if open(from, to) + open(to, from) >= AccountRefusal::UNANSWERED {
        return Err(AccountRefusal::TooManyUnanswered(to.clone()).into());
    }
    Ok(())
}
