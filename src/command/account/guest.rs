//! A guest: a user without a password and an address, who plays against the program in one browser.
//! The command has no verb; the web has a form for it. A guest who signs up (`signup.rs`), or signs in
//! as a user (`signin.rs`), can keep the boards; others end thirty days after their last move
//! (`src/server/newcomer_expiry.rs`).

use crate::base::chance::RandomSource;
use crate::base::ids::UserId;
use crate::command::moderation::check_bans;
use crate::command::{Command, Context, Decision, Needs, Origin};
use crate::model::board::{Agreement, BoardEvent, BoardSetup};
use crate::model::correspondent::{
    Correspondent, CorrespondentEvent, LimitedAction, StrangerAction,
};
use crate::model::new_board::{BegunBoard, NewBoard};
use crate::model::program;
use crate::model::user::{Departure, GUEST, User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, counted_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Seat};

/// The characters of the random end of a guest's userid: none that look alike.
const LETTERS: &[u8; 28] = b"23456789abcdefghjkmpqrstwxyz";

/// The length of that end.
const LENGTH: usize = 6;

/// Makes a userid for a guest.
pub fn guest_id(chance: &mut dyn RandomSource) -> UserId {
    let letters = (0..LENGTH).map(|_| char::from(LETTERS[chance.below(LETTERS.len())]));
    let id: String = GUEST.chars().chain(letters).collect();
    UserId::parse(&id).expect("the letters make a userid")
}

/// Creates a guest, and their first board.
#[derive(Debug)]
pub struct GuestCommand {
    /// The guest.
    pub guest: UserId,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The program as the opponent.
    pub opponent: UserId,
}

impl Command for GuestCommand {
    fn needs(&self) -> Needs {
        let all = Correspondent::stranger_names().map(counted_key);
        let keys = [user_key(&self.guest), user_key(&self.opponent)];
        let keys = keys.into_iter().chain(all).collect();
        let board = Needs::NewBoards(self.game.spec().name, 1);
        Needs::All(vec![Needs::WithSender(keys), Needs::Bans(Vec::new()), board])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        check_bans(world, [], cx)?;
        let counted = count_guest(world, cx)?;
        if world.is_taken(&self.guest) {
            return Err(AccountRefusal::Taken(self.guest.clone()).into());
        }
        if world.level(&self.opponent).is_none() {
            return Err(AccountRefusal::GuestsPlayProgram.into());
        }
        let guest = User::visiting(self.guest.clone(), cx.now);
        let players = [self.guest.clone(), self.opponent.clone()];
        let new = NewBoard {
            game: self.game,
            agreed: Agreement::default(),
            players,
            by: Some(Seat(0)),
            seeds: [None, None],
        };
        let BegunBoard { setup, by } = cx.board_maker(world).begin(new)?;
        let challenged = BoardSetup { challenger: by, counted: true, ..setup };
        let answer = Answer::Board { board: challenged.board, what: BoardNews::Begun, by };
        let signed_up = Event::SignedUp { user: Box::new(guest), from: None };
        let mut events = vec![signed_up, Event::Challenged(Box::new(challenged))];
        events.extend(counted);
        Ok(Decision { events, answer })
    }
}

/// Checks that one more guest may come from the sender's network, and returns the events that count
/// them.
fn count_guest(world: &World, cx: &Context) -> Result<Vec<Event>, Refusal> {
    let Origin::Web(browser) = cx.origin else {
        return Err(AccountRefusal::NotAPlayer.into());
    };
    if browser.user.is_some() {
        return Err(AccountRefusal::NotAPlayer.into());
    }
    if !cx.limits.signup {
        return Err(AccountRefusal::NoGuests.into());
    }
    let network = Correspondent::network_name(browser.network);
    let [_, everywhere] = Correspondent::stranger_names();
    let today = world.actions_today(LimitedAction::Guest, &network, cx.now)?;
    let is_full = world.strangers_at_limit(StrangerAction::Visited, &everywhere, cx.now)?;
    if cx.limits.rate_limits.newcomers && (today >= AccountRefusal::GUESTS || is_full) {
        return Err(AccountRefusal::TooManyGuests.into());
    }
    let of_network = CorrespondentEvent::Begun { what: LimitedAction::Guest, at: cx.now };
    let of_all = CorrespondentEvent::Stranger { what: StrangerAction::Visited, at: cx.now };
    Ok(vec![
        Event::Correspondents(vec![network], of_network),
        Event::Correspondents(vec![everywhere], of_all),
    ])
}

/// Returns the events by which the boards of the guest in this browser become those of a user, and
/// the guest ends. None if nobody plays there as a guest.
pub(crate) fn hand_over_boards(world: &World, cx: &Context, user: &UserId) -> Vec<Event> {
    let guest = cx.origin.browser().and_then(|browser| browser.user.as_ref());
    let guest = guest.and_then(|id| world.user(id)).filter(|user| user.guest);
    let Some(guest) = guest else { return Vec::new() };
    let boards = guest.active.iter().chain(&guest.finished);
    // `check` reports damaged boards.
    let boards = boards.filter(|id| world.board(**id).is_ok());
    let handed_over = boards.map(|id| {
        let event = BoardEvent::HandedOver { from: guest.id.clone(), to: user.clone() };
        Event::Board(*id, event)
    });
    let left = UserEvent::Left(Departure { at: cx.now, erased: true });
    handed_over.chain([Event::User(guest.id.clone(), left)]).collect()
}

/// Returns the userid of the program at a level.
///
/// # Errors
/// The program does not play the game at this level.
pub fn opponent_at(game: &'static dyn AnyGame, level: u8) -> Result<UserId, Refusal> {
    let spec = game.spec();
    let opponent = program::of_level(level).filter(|_| level <= spec.manner.levels);
    Ok(opponent.cloned().ok_or(AccountRefusal::NoProgram(spec.name))?)
}
