//! Makes the moves of `board5`: asks an engine outside of all locks, and sends its answer as a move,
//! which is checked as any player's. Where it fails our own program plays, so that nobody waits for the operator.

use crate::base::chance::Entropy;
use crate::base::password::Hashing;
use crate::base::time::{Span, Time, minutes};
use crate::command::{EngineMoveCommand, EnginePlay};
use crate::config::EnginesConfig;
use crate::engine::Engine;
use crate::refusal::{BoardRefusal, Refusal};
use crate::server::Server;
use crate::server::engine_boards::{AwaitedMove, awaited_moves};
use crate::shell::home::{self, open, with_retries};
use crate::shell::{CommandError, settings};
use crate::store::log_all;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many boards are looked for at a time.
const GROUP: usize = 64;

/// How many failures in a row make a program rest.
const MOST_FAILURES: u32 = 3;

/// How long a program that fails again and again is not asked, and how long one that nobody needs is kept.
const REST: Span = minutes(5);

/// Makes the moves of `board5` with the engines of a home, which stay running between its runs.
pub(crate) struct EngineTask<'a> {
    home: PathBuf,
    time: &'a (dyn Fn() -> Time + Sync),
    chance: Entropy,
    config: EnginesConfig,
    engines: BTreeMap<&'static str, HeldEngine>,
    /// Why programs have failed since this was last taken.
    faults: Vec<String>,
}

/// An engine with its latest failures and its use.
struct HeldEngine {
    engine: Engine,
    /// The failures since the last legal move.
    failures: u32,
    /// The end of the pause after several failures.
    rests: Time,
    /// When it was last asked.
    asked: Time,
}

impl<'a> EngineTask<'a> {
    /// Returns a task that has started no engine.
    pub(crate) fn new(home: &Path, time: &'a (dyn Fn() -> Time + Sync), chance: Entropy) -> Self {
        let (home, config) = (home.to_owned(), EnginesConfig::default());
        Self { home, time, chance, config, engines: BTreeMap::new(), faults: Vec::new() }
    }

    /// Makes all moves that boards wait for, the longest waiting first, while `goes_on` says so. Returns whether
    /// boards have changed.
    ///
    /// # Errors
    /// The machine failed. A program that fails is no error: see [`Self::take_faults`].
    pub(crate) fn run(&mut self, goes_on: &dyn Fn() -> bool) -> Result<bool, CommandError> {
        self.configure()?;
        self.end_idle();
        let mut has_changed = false;
        loop {
            let awaited = awaited_moves(&*home::read(&self.home)?, (self.time)(), GROUP)?;
            let mut has_moved = false;
            for waiting in awaited {
                has_moved |= self.play(waiting)?;
                if !goes_on() {
                    return Ok(has_changed || has_moved);
                }
            }
            if !has_moved {
                return Ok(has_changed);
            }
            has_changed = true;
        }
    }

    /// Ends the programs that nobody has needed for a while.
    fn end_idle(&mut self) {
        let now = (self.time)();
        let idle = self.engines.values_mut().filter(|held| held.asked + REST <= now);
        idle.for_each(|held| held.engine.end());
    }

    /// Takes the lines that say why programs have failed.
    pub(crate) fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// Reads which programs there are. Those of another configuration are ended.
    fn configure(&mut self) -> Result<(), CommandError> {
        let config = settings::load(&self.home)?.engines;
        if config == self.config {
            return Ok(());
        }
        self.engines.clear();
        if !config.programs.is_empty()
            && let Err(fault) = home::refuse_foreign(&self.home)
        {
            self.faults.push(format!("engines: {fault}"));
            return Ok(());
        }
        for program in &config.programs {
            let Some(engine) = Engine::configured(&config, program.game) else { continue };
            let held = HeldEngine { engine, failures: 0, rests: Time::EPOCH, asked: Time::EPOCH };
            self.engines.insert(program.game, held);
        }
        self.config = config;
        Ok(())
    }

    /// Makes one move. Returns whether the board has changed.
    fn play(&mut self, waiting: AwaitedMove) -> Result<bool, CommandError> {
        let AwaitedMove { board, record } = waiting;
        let own = EngineMoveCommand { board, record: record.clone(), play: EnginePlay::OwnProgram };
        let Some(play) = self.ask(&own) else { return self.send(&own).map(|it| it.is_none()) };
        match self.send(&EngineMoveCommand { play, ..own.clone() })? {
            None => {
                self.engines.entry(board.game).and_modify(|held| held.failures = 0);
                Ok(true)
            }
            Some(Refusal::Board(BoardRefusal::Move { text, error, .. })) => {
                self.fail(&own, &format!("its move \"{}\" is refused: {error}", short(&text)));
                self.send(&own).map(|it| it.is_none())
            }
            // The board has changed meanwhile.
            Some(_) => Ok(false),
        }
    }

    /// Returns the answer of a program; none if there is none, it rests, or it has nothing to decide.
    fn ask(&mut self, of: &EngineMoveCommand) -> Option<EnginePlay> {
        let game = games::find(of.board.game)?;
        let now = (self.time)();
        let held = self.engines.get_mut(of.board.game).filter(|held| held.rests <= now)?;
        let question = game.engine_question(&of.record)?;
        held.asked = now;
        match held.engine.ask(&question) {
            Ok(answer) => Some(EnginePlay::Answered(answer)),
            Err(fault) => {
                self.fail(of, &fault.to_string());
                None
            }
        }
    }

    /// Notes a failure of a program. It is ended, and started again for the next question.
    fn fail(&mut self, of: &EngineMoveCommand, why: &str) {
        let now = (self.time)();
        let Some(held) = self.engines.get_mut(of.board.game) else { return };
        held.engine.end();
        held.failures += 1;
        let mut line = format!("engines: {}: {}: {why}", of.board.game, held.engine.command());
        if held.failures >= MOST_FAILURES {
            (held.failures, held.rests) = (0, now + REST);
            line += "; it is not asked for five minutes";
        }
        let logged = format!("{line}; our own program moves on {}", of.board);
        // The disk itself may have failed.
        let _ = log_all(&self.home, &[logged]);
        self.faults.push(line);
    }

    /// Sends a move. Returns why it is refused.
    fn send(&mut self, command: &EngineMoveCommand) -> Result<Option<Refusal>, CommandError> {
        let Self { home, time, chance, .. } = self;
        with_retries(|| {
            let (mut files, setup) = open(home, Hashing::default())?;
            let mut server = Server::new(&setup, chance);
            let refusal = server.play_for_engine(command.clone(), &*files, time())?;
            files.commit(server.take_transaction())?;
            files.record(&server.take_log())?;
            files.close()?;
            Ok(refusal)
        })
    }
}

/// Returns the beginning of a text of another program.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::BoardId;
    use crate::config::EngineProgram;
    use games::{Choices, Transcript};
    use std::sync::atomic::{AtomicI64, Ordering};

    #[test]
    fn an_engine_that_nobody_needs_for_five_minutes_is_ended() {
        let script = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                      go*) echo bestmove e2e4;; esac; done";
        let command = ["/bin/sh", "-c", script].map(String::from).to_vec();
        let programs = vec![EngineProgram { game: "chess", command }];
        let config = EnginesConfig { programs, ..EnginesConfig::default() };
        let now = AtomicI64::new(1_000_000);
        let time = || Time::from_unix(now.load(Ordering::Relaxed));
        let chance = Entropy(rand::SeedableRng::seed_from_u64(1));
        let mut task = EngineTask::new(Path::new("/nowhere"), &time, chance);
        let engine = Engine::configured(&config, "chess").unwrap();
        let held = HeldEngine { engine, failures: 0, rests: Time::EPOCH, asked: Time::EPOCH };
        task.engines.insert("chess", held);
        let players = ["a", "board5"].map(String::from);
        let record =
            Transcript { players, options: Choices::default(), record: Vec::new(), ending: None };
        let board = BoardId { game: "chess", number: 1 };
        let question = EngineMoveCommand { board, record, play: EnginePlay::OwnProgram };
        let is_running_after = |task: &mut EngineTask<'_>, seconds| {
            now.fetch_add(seconds, Ordering::Relaxed);
            task.end_idle();
            task.engines["chess"].engine.process_id().is_some()
        };
        assert!(task.ask(&question).is_some());
        assert!(is_running_after(&mut task, 299));
        assert!(task.ask(&question).is_some());
        assert!(is_running_after(&mut task, 299));
        assert!(!is_running_after(&mut task, 1));
        assert!(task.ask(&question).is_some(), "it is started again");
    }
}
