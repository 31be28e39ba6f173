//! Engines: programs of others that play as `board5`. They are started on demand, kept while they are used,
//! limited in memory and time, and killed when they do not answer. An engine's move is a text that the board
//! checks as a player's move.

mod confinement;
mod conversation;
#[cfg(test)]
mod tests;

use crate::config::{EngineLimits, EngineProgram, EnginesConfig};
pub use confinement::Confinement;
use conversation::Conversation;
use games::{EngineMove, EngineProtocol, EngineQuestion};
use std::sync::mpsc;
use std::thread;

/// Why an engine gave no move. The messages are for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineFault {
    /// The system could not start it.
    #[error("it cannot be started: {0}")]
    NotStarted(String),
    /// It gave no answer in time, and was killed.
    #[error("it gave no answer within {0} seconds, and was killed")]
    Hung(u64),
    /// It ended, or closed its output.
    #[error("it ended without an answer")]
    Died,
    /// It printed too much, or a line that is too long.
    #[error("it printed too much without an answer")]
    TooMuch,
    /// It refused a command.
    #[error("it answers \"{0}\" to `{1}`")]
    Refused(String, String),
    /// Its answer has no move.
    #[error("its answer has no move: \"{0}\"")]
    NoMove(String),
}

/// An answer of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineAnswer {
    /// Its decision, which may be illegal.
    pub decision: EngineMove,
    /// What the program calls itself, in at most 40 printable characters.
    pub name: String,
}

/// The program of one game, running or not.
#[derive(Debug)]
pub struct Engine {
    program: EngineProgram,
    protocol: EngineProtocol,
    limits: EngineLimits,
    running: Option<Conversation>,
}

impl Engine {
    /// Returns the program of a game, if one is configured. Starts nothing.
    pub fn configured(config: &EnginesConfig, game: &str) -> Option<Self> {
        let program = config.program(game)?.clone();
        let protocol = games::find(game)?.engine_protocol()?;
        Some(Self { program, protocol, limits: config.limits, running: None })
    }

    /// Returns the command line that starts it.
    pub fn command(&self) -> String {
        self.program.command.join(" ")
    }

    /// Asks for a move. A program that has ended since the last question is started again.
    ///
    /// # Errors
    /// The program gives no move within its limits. It is then ended.
    pub fn ask(&mut self, question: &EngineQuestion) -> Result<EngineAnswer, EngineFault> {
        let is_kept = self.running.is_some();
        match self.ask_once(question) {
            Err(EngineFault::Died) if is_kept => self.ask_once(question),
            answer => answer,
        }
    }

    fn ask_once(&mut self, question: &EngineQuestion) -> Result<EngineAnswer, EngineFault> {
        let mut conversation = match self.running.take() {
            Some(running) => running,
            None => Conversation::start(&self.program.command, self.protocol, self.limits)?,
        };
        // A write to the program or a read from it may block for ever, so another thread talks to it. Killing the
        // program ends that thread.
        let (handle, question) = (conversation.handle(), question.clone());
        let (sender, receiver) = mpsc::channel();
        let talk = move || {
            let answer = conversation.ask(&question);
            let _ = sender.send((conversation, answer));
        };
        let thread = thread::Builder::new().name("engine".into()).spawn(talk);
        thread.map_err(|error| EngineFault::NotStarted(error.to_string()))?;
        match receiver.recv_timeout(self.limits.answer) {
            Ok((conversation, Ok(answer))) => {
                self.running = Some(conversation);
                Ok(answer)
            }
            // Dropping the conversation ends the program.
            Ok((_, Err(fault))) => Err(fault),
            Err(_) => {
                handle.kill();
                Err(EngineFault::Hung(self.limits.answer.as_secs()))
            }
        }
    }

    /// Ends the program. The next question starts it again.
    pub fn end(&mut self) {
        self.running = None;
    }

    /// Returns how the running program is confined; `None` if none runs.
    pub fn confinement(&self) -> Option<Confinement> {
        self.running.as_ref().map(Conversation::confinement)
    }

    /// Returns the id of the running process, for tests.
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(Conversation::process_id)
    }
}
