//! `console`: plays in the terminal, or shows a tape.

use crate::base::chance::RandomSource;
use crate::shell::cli::ConsoleJob;
use crate::shell::output::printable::short_text;
use crate::shell::{CommandError, Machine};
use crate::store::{Fault, recordings};
use console::terminal::{self, ConsoleError, ScreenError};
use console::{ConsoleState, ControlPanel, PanelError, PanelOptions};
use games::{Tape, TapeError};
use std::path::Path;

/// Plays in the terminal, or shows a tape.
pub(crate) fn run(job: ConsoleJob, machine: &mut Machine) -> Result<(), CommandError> {
    let ConsoleJob { game, mode, speed, level, green, time, points, seed, pace, record, replay } =
        job;
    if let Some(path) = replay {
        let unread = |fault: Fault| CommandError::Usage(fault.to_string());
        let text = recordings::read(&path).map_err(unread)?;
        let tape: Tape = text.parse().map_err(|error| no_tape(&path, &error))?;
        // If the program plays, replaying the whole game first would take too long; then the end is
        // checked when it is reached.
        if tape.game.is_timed_by_speed || (tape.settings.level, tape.settings.green) == (0, 0) {
            tape.replay().map_err(|error| no_tape(&path, &error))?;
        }
        let state = ConsoleState::replaying(tape, terminal::size()?, terminal::has_colours());
        let state = terminal::run(state, pace, &mut |_| Ok::<(), Fault>(()))?;
        if state.differs_from_tape() {
            let why = "the game does not end as the tape says";
            return Err(CommandError::Refused(format!("{}: {why}", path.display())));
        }
        return Ok(());
    }
    let panel = ControlPanel::new(&PanelOptions { game, mode, speed, level, green, time, points })?;
    let size = terminal::size()?;
    let seed = seed.unwrap_or_else(|| {
        let mut bytes = [0; 8];
        machine.chance.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    });
    let state = ConsoleState::new(panel, seed, size, terminal::has_colours());
    let unwritten = |fault: Fault| CommandError::Usage(fault.to_string());
    let mut recording =
        record.map(recordings::RecordingWriter::new).transpose().map_err(unwritten)?;
    let ended = terminal::run(state, pace, &mut |tape| match &mut recording {
        Some(recording) => recording.write(&tape.to_string()),
        None => Ok(()),
    });
    recording.map(recordings::RecordingWriter::close).transpose()?;
    ended?;
    Ok(())
}

impl From<PanelError> for CommandError {
    fn from(wrong: PanelError) -> Self {
        Self::Usage(wrong.to_string())
    }
}

impl From<ScreenError> for CommandError {
    fn from(missing: ScreenError) -> Self {
        Self::Usage(missing.to_string())
    }
}

impl From<ConsoleError<Fault>> for CommandError {
    fn from(failure: ConsoleError<Fault>) -> Self {
        match failure {
            ConsoleError::Terminal(error) => error.into(),
            ConsoleError::PutAway(fault) => fault.into(),
        }
    }
}

/// Returns the error for a file that is not a tape.
fn no_tape(path: &Path, error: &TapeError) -> CommandError {
    CommandError::Usage(short_text(&format!("{}: {error}", path.display())))
}
