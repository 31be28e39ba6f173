//! `set` and the verbs of a game's settings: how a player sees their boards, and what is played for
//! them.

use crate::base::ids::{BoardId, UserId};
use crate::command::account::preferences;
use crate::command::play::turn;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Player, ReplyScope, UserProof,
    Verb, VerbScope, authenticate, authenticate_in_any_reply, seat_in_play, seat_on,
};
use crate::model::board::{Board, BoardEvent};
use crate::model::user::UserEvent;
use crate::model::user::preference::preference_names;
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, OptionHelp, Refusal, SyntaxRefusal};
use crate::reply::{Answer, BoardNews, SettingAnswer};
use games::{AnyGame, Choices, Scope, Seat, SeatSettings, Setting};

pub(crate) const VERB: Verb = Verb {
    name: "set",
    aliases: &[],
    scope: VerbScope::Both,
    usage: "<userid> <password> <setting> [<value>|off]",
    about: concat!(preference_names!(), "; a game's own"),
    reply: Some(ReplyScope::User),
    parse,
};

/// Chooses a setting of a game, on one board or on all.
#[derive(Debug)]
struct SetCommand {
    user: UserId,
    proof: UserProof,
    game: &'static dyn AnyGame,
    /// The board, if one is named.
    board: Option<BoardId>,
    /// The move number after the board, if any.
    moveno: Option<usize>,
    setting: &'static Setting,
    choice: Option<Choices>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let Some(game) = game else {
        words.set_usage(&preferences::usage());
        let (user, proof) = words.player()?;
        return preferences::parse(user, proof, words);
    };
    let (user, proof) = words.player()?;
    if words.peek().is_some_and(preferences::is_option) {
        words.set_usage(&preferences::usage());
        return preferences::parse(user, proof, words);
    }
    let (setting, choice) = read_setting(game, words.take_rest())?;
    if setting.scope == Scope::Board {
        let name = setting.switch.name;
        return Err(SyntaxRefusal::Usage {
            what: format!("`{name}` is set for one board at a time"),
            usage: format!("{} {name} <board> <userid> <password> [off]", game.spec().name),
        }
        .into());
    }
    Ok(Box::new(SetCommand { user, proof, game, board: None, moveno: None, setting, choice }))
}

/// Parses a command that begins with a setting: `sethome <board> <userid> <password> ur`.
pub(crate) fn parse_setting(
    game: &'static dyn AnyGame,
    name: &str,
    words: &mut Arguments,
) -> ParsedCommand {
    let by = Player::read(game, words)?;
    on_board(game, by, &[&[name], words.take_rest()].concat())
}

/// Builds the command of a setting for one board: `sethome ur`.
pub(crate) fn on_board(game: &'static dyn AnyGame, by: Player, words: &[&str]) -> ParsedCommand {
    let (setting, choice) = read_setting(game, words)?;
    let Player { board, moveno, user, proof } = by;
    Ok(Box::new(SetCommand { user, proof, game, board: Some(board), moveno, setting, choice }))
}

fn read_setting(
    game: &'static dyn AnyGame,
    words: &[&str],
) -> Result<(&'static Setting, Option<Choices>), Refusal> {
    let settings = game.spec().settings;
    match Setting::read(settings, words) {
        Some(Ok(chosen)) => Ok(chosen),
        refused => {
            let error = refused.and_then(Result::err);
            let known = settings.iter().map(describe_setting).collect();
            Err(SyntaxRefusal::Setting { error, known }.into())
        }
    }
}

/// Returns the usage and the description of a setting.
fn describe_setting(setting: &Setting) -> OptionHelp {
    let switch = &setting.switch;
    OptionHelp { usage: switch.values.written(switch.name, ' '), about: switch.help }
}

impl Command for SetCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let board = self.board.map(board_key);
        Needs::Keys(board.into_iter().chain([user_key(&self.user)]).collect())
    }

    fn board(&self) -> Option<BoardId> {
        self.board
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        match self.board {
            Some(board) => authenticate(world, &self.user, &self.proof, Some(board), cx)?,
            None => authenticate_in_any_reply(world, &self.user, &self.proof, cx)?,
        };
        let Some(id) = self.board else {
            let event = self.everywhere_event();
            return Ok(Decision { events: vec![event], answer: self.answer(None) });
        };
        let (board, seat) = self.board_and_seat(world, id)?;
        let mut events = vec![match self.setting.scope {
            Scope::Board => self.on_board_event(id),
            Scope::Game => self.everywhere_event(),
        }];
        let followed = self.apply_now(world, board, seat, cx)?;
        if followed.is_empty() {
            return Ok(Decision { events, answer: self.answer(Some((id, seat))) });
        }
        events.extend(followed);
        let answer = Answer::Board { board: id, what: BoardNews::Moved, by: Some(seat) };
        Ok(Decision { events, answer })
    }
}

impl SetCommand {
    /// Returns the event that changes the setting on one board.
    fn on_board_event(&self, board: BoardId) -> Event {
        let (user, setting) = (self.user.clone(), self.setting.switch.name);
        Event::Board(board, BoardEvent::Chose { user, setting, choice: self.choice.clone() })
    }

    /// Returns the event that changes the setting on all boards of the game.
    fn everywhere_event(&self) -> Event {
        let (game, setting) = (self.game.spec().name, self.setting.switch.name);
        let chose = UserEvent::Chose { game, setting, choice: self.choice.clone() };
        Event::User(self.user.clone(), chose)
    }

    fn answer(&self, board: Option<(BoardId, Seat)>) -> Answer {
        let choice = self.choice.clone();
        SettingAnswer::Setting { game: self.game, setting: self.setting, choice, board }.into()
    }

    /// Returns the board and the player's seat.
    ///
    /// # Errors
    /// The user does not play there, or the move number is not the next one.
    fn board_and_seat<'w>(
        &self,
        world: &'w World,
        id: BoardId,
    ) -> Result<(&'w Board, Seat), Refusal> {
        let board = world.board(id)?;
        let seat = match self.setting.scope {
            Scope::Board => seat_in_play(world, id, &self.user, self.moveno)?,
            // The view of a board can be changed after its end.
            Scope::Game => seat_on(board, &self.user)?,
        };
        let due = board.next_move();
        if let Some(given) = self.moveno.filter(|given| *given != due) {
            return Err(BoardRefusal::Stale { board: id, given, due }.into());
        }
        Ok((board, seat))
    }

    /// Plays the moves that the new setting makes for its player, such as rolls.
    fn apply_now(
        &self,
        world: &World,
        board: &Board,
        seat: Seat,
        cx: &mut Context,
    ) -> Result<Vec<Event>, Refusal> {
        if board.is_over() {
            return Ok(Vec::new());
        }
        let settings_of = |of| {
            let liked = world.seat_settings(board, of);
            if of != seat {
                return liked;
            }
            let settings = liked.settings.without(self.setting.switch.name);
            let settings = settings.and(&self.choice.clone().unwrap_or_default());
            SeatSettings { settings, ..liked }
        };
        let context = turn::AdvanceContext::new(board, &settings_of, cx);
        let mut dice = turn::board_random(board, board.dice.as_ref(), cx)?;
        let position = &mut *board.position().copy();
        Ok(turn::advance_game(context, position, Vec::new(), &mut dice))
    }
}
