//! The operator's `import`: sets up a board from the record of another program.

use crate::base::ids::{BoardId, UserId};
use crate::command::new_board::setup::{check_opponent, new_board_dice};
use crate::command::{Command, Context, Decision, Needs, unknown_user};
use crate::model::board::{BoardSetup, UndrawnRoll};
use crate::model::clock::BoardTerms;
use crate::model::dice::{BoardRandom, UndrawnReason};
use crate::model::world::event::Event;
use crate::model::world::{World, count_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Choices, Seat, Transcript, advance, replay};

/// A board to set up with a given record.
#[derive(Debug)]
struct ImportCommand {
    game: &'static dyn AnyGame,
    players: [UserId; 2],
    options: Choices,
    record: Vec<games::Entry>,
}

/// Builds the command for a transcript. The players are those in `named`, or else those of the
/// transcript.
///
/// # Errors
/// A line for the operator if a player's name is not a userid.
pub fn import(
    game: &'static dyn AnyGame,
    transcript: Transcript,
    named: &[String],
) -> Result<Box<dyn Command>, String> {
    let names = match named {
        [] => transcript.players.as_slice(),
        [_, _] => named,
        _ => return Err("name two players, O first".into()),
    };
    let userid = |name: &String| {
        UserId::parse(name).ok_or_else(|| {
            let shown: String = name.chars().take(40).collect();
            format!("`{shown}` is not a userid: name the players, O first")
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
        let settings_of = |seat: Seat| world.new_board_settings(&players[seat.index()], self.game);
        let imported = entries.iter().filter(|entry| entry.is_chance()).count();
        let dice = new_board_dice(cx, &*self.game.setup(&self.options), [None, None]);
        let draws =
            BoardRandom::for_new_board(board, cx.now, dice.as_ref(), cx.keys, None, cx.chance);
        let mut draws = draws.after_draws(imported);
        entries.extend(advance(&mut *position, &mut draws, &settings_of));
        let challenged = BoardSetup {
            board,
            players,
            challenger: None,
            counted: false,
            options: self.options.clone(),
            private: false,
            // The game was begun elsewhere, and perhaps decided there.
            terms: BoardTerms { unrated: true, ..BoardTerms::default() },
            at: cx.now,
            kept: Vec::new(),
            entries,
            dice,
            undrawn: (1..=imported)
                .map(|number| UndrawnRoll { number, reason: UndrawnReason::Imported })
                .collect(),
        };
        let answer = Answer::Board { board, what: BoardNews::Imported, by: None };
        Ok(Decision { events: vec![Event::Challenged(Box::new(challenged))], answer })
    }
}
