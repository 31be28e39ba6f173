//! Setting up a board from a record that another program wrote: the operator's command.

use crate::base::ids::{BoardId, UserId};
use crate::command::new_board::setup::{check_opponent, new_board_dice};
use crate::command::{Command, Context, Decision, Needs, unknown_user};
use crate::model::board::BoardSetup;
use crate::model::clock::BoardTerms;
use crate::model::dice::{BoardRandom, UndrawnReason};
use crate::model::world::event::Event;
use crate::model::world::{World, count_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Choices, Seat, Transcript, advance, replay};

/// A board to be set up with what was already played.
#[derive(Debug)]
struct ImportCommand {
    game: &'static dyn AnyGame,
    players: [UserId; 2],
    options: Choices,
    record: Vec<games::Entry>,
}

/// The command that sets up a board with a record that was read. The players are those named, or
/// else those that the record names.
///
/// # Errors
/// A name can be no userid: a line for the operator, with the letters of the name as they came.
pub fn import(
    game: &'static dyn AnyGame,
    transcript: Transcript,
    named: &[String],
) -> Result<Box<dyn Command>, String> {
    let names = match named {
        [] => transcript.players.as_slice(),
        [_, _] => named,
        _ => return Err("two players play a board".into()),
    };
    let userid = |name: &String| {
        UserId::parse(name).ok_or_else(|| {
            let shown: String = name.chars().take(40).collect();
            format!("`{shown}` can be no userid: say who plays, first the one who is O")
        })
    };
    let players = [userid(&names[0])?, userid(&names[1])?];
    let Transcript { options, record, .. } = transcript;
    Ok(Box::new(ImportCommand { game, players, options, record }))
}

impl Command for ImportCommand {
    fn needs(&self) -> Needs {
        let users = self.players.iter().map(user_key);
        Needs::Keys(users.chain([count_key(self.game.spec().name)]).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let [first, second] = &self.players;
        if first == second {
            return Err(AccountRefusal::SamePlayer(self.game.spec().name).into());
        }
        let user = |id: &UserId| world.user(id).ok_or_else(|| unknown_user(id));
        let players = [user(first)?.id.clone(), user(second)?.id.clone()];
        check_opponent(world, self.game, &players)?;
        let board = BoardId {
            game: self.game.spec().name,
            number: world.next_number(self.game.spec().name)?,
        };
        let mut position = self.game.setup(&self.options);
        replay(&mut *position, &self.record).expect("a format's reader replays what it reads");
        let mut entries = self.record.clone();
        let likes = |seat: Seat| world.new_board_likes(&players[seat.index()], self.game);
        let imported = entries.iter().filter(|entry| entry.is_chance()).count();
        let dice = new_board_dice(cx, &*self.game.setup(&self.options), [None, None]);
        let began = (board, cx.now);
        let draws = BoardRandom::to_begin(began, dice.as_ref(), cx.keys, None, cx.chance);
        let mut draws = draws.behind(imported);
        entries.extend(advance(&mut *position, &mut draws, &likes));
        let challenged = BoardSetup {
            board,
            players,
            challenger: None,
            counted: false,
            options: self.options.clone(),
            private: false,
            // It was begun elsewhere, and perhaps decided there.
            terms: BoardTerms { unrated: true, ..BoardTerms::default() },
            at: cx.now,
            kept: Vec::new(),
            entries,
            dice,
            undrawn: (1..=imported).map(|number| (number, UndrawnReason::Imported)).collect(),
        };
        let answer = Answer::Board { board, what: BoardNews::Imported, by: None };
        Ok(Decision { events: vec![Event::Challenged(Box::new(challenged))], answer })
    }
}
