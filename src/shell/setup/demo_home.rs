//! The home of `serve --demo`: a few users, and boards of every game in progress.

use crate::base::ids::BoardId;
use crate::base::password::Hashing;
use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::world::{World, board_key, count_key, user_key};
use crate::server::{Server, Setup, shell_request};
use crate::shell::home::open;
use crate::shell::{CommandError, Machine, settings};
use crate::store::{Fault, FileStore, OpenHome};
use games::{AnyGame, GAMES, ROLL, Thrower as _};
use rand::Rng as _;
use std::path::Path;

/// The configuration of a demo home.
const CONFIG: &str = "address = \"postboard@localhost\"\nname = \"Postboard demo\"\n";

/// The players. Their passwords are random: nobody signs in, since visitors choose a player.
const PLAYERS: [&str; 3] = ["alice", "bob", "carol"];

/// How many moves are made on a board.
const MOVES: usize = 9;

/// The most moves of a game that is played to its end.
const WHOLE_GAME: usize = 400;

/// Makes the home, unless it exists; an existing home must be a demonstration.
pub(crate) fn create(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    if let Some(config) = settings::load_if_any(home)? {
        let is_demo = config.identity().name.as_str() == "Postboard demo";
        let why = "--demo lets everybody be everybody: it is for a home of its own";
        return if is_demo { Ok(()) } else { Err(CommandError::Refused(why.into())) };
    }
    let mut key = [0; 32];
    machine.chance.0.fill_bytes(&mut key);
    FileStore::init(home, &key)?;
    settings::write(home, CONFIG)?;
    // Without a subscription the first page would not know the latest moves.
    let _listening = crate::shell::home::locate(home)?.subscribe(Box::new(|_| {}))?;
    let (mut store, setup) = open(home, Hashing::default())?;
    let now = (machine.clock)();
    DemoHome { store: &mut *store, setup: &setup, machine, now }.set_up()?;
    Ok(store.close()?)
}

/// A home being filled.
struct DemoHome<'a, 'm> {
    store: &'a mut dyn OpenHome,
    setup: &'a Setup,
    machine: &'a mut Machine<'m>,
    now: Time,
}

impl DemoHome<'_, '_> {
    fn set_up(&mut self) -> Result<(), Fault> {
        for player in PLAYERS {
            let mut word = [0; 16];
            self.machine.chance.0.fill_bytes(&mut word);
            let word = data_encoding::HEXLOWER.encode(&word);
            self.say(&format!("signup {player} {word} {player}@localhost"))?;
        }
        for game in GAMES.iter().copied() {
            let spec = game.spec();
            if spec.manner.is_solo {
                self.board(game, "alice", MOVES)?;
                continue;
            }
            self.board(game, "alice bob", MOVES)?;
            self.board(game, "bob alice", MOVES)?;
            if spec.manner.levels > 0 {
                self.board(game, "alice board1", MOVES)?;
            }
        }
        self.say("backgammon challenge carol alice -match=3")?;
        self.say("malaka challenge carol bob -large")?;
        for (game, players) in [("malaka", "carol alice"), ("reversi", "carol bob")] {
            self.board(games::find(game).expect("a game of ours"), players, WHOLE_GAME)?;
        }
        self.say("malaka seek carol")?;
        self.say("backgammon seek carol -match=5")
    }

    /// Carries out a command as the operator.
    fn say(&mut self, line: &str) -> Result<(), Fault> {
        let mut server = Server::new(self.setup, &mut self.machine.chance);
        let request = shell_request(line.to_owned(), true, String::new());
        let answer = server.execute_shell_command(&request, &*self.store, self.now)?;
        debug_assert!(answer.is_done, "{line}: {}", answer.text);
        let mut done = server.take_transaction();
        done.letters.clear();
        self.store.commit(done)
    }

    /// Sets up a board between two players and makes random moves.
    fn board(
        &mut self,
        game: &'static dyn AnyGame,
        players: &str,
        moves: usize,
    ) -> Result<(), Fault> {
        let name = game.spec().name;
        let before = self.number(name)?;
        self.say(&format!("{name} challenge {players}"))?;
        let id = BoardId { game: name, number: before };
        for _ in 0..moves {
            let Some(line) = self.next_move(id)? else { break };
            self.say(&line)?;
        }
        Ok(())
    }

    /// Returns the number of the next board of a game.
    fn number(&self, game: &'static str) -> Result<u32, Fault> {
        let mut world = World::default();
        world.load(&[count_key(game)], &*self.store)?;
        Ok(world.latest_number(game).unwrap_or(0) + 1)
    }

    /// Returns a legal move of the player to move, as a command.
    fn next_move(&mut self, id: BoardId) -> Result<Option<String>, Fault> {
        let mut world = World::default();
        world.load(&[board_key(id)], &*self.store)?;
        let Ok(board) = world.board(id) else { return Ok(None) };
        let BoardStatus::ToMove(seat) = board.status() else { return Ok(None) };
        let mover = user_key(board.player(seat));
        world.load(&[mover], &*self.store)?;
        let Ok(board) = world.board(id) else { return Ok(None) };
        let word = board.game.text_for_viewer(&world.view(board, seat), seat, self.any_move(board));
        let Board { players, .. } = board;
        Ok(Some(format!("{} move {} {} {word}", id.game, id.number, players[seat.index()])))
    }

    fn any_move(&mut self, board: &Board) -> String {
        let count = board.position().count();
        if count == 0 {
            return ROLL.to_owned();
        }
        let index = self.machine.chance.below(count);
        board.position().nth_move(index).unwrap_or_else(|| ROLL.to_owned())
    }
}
