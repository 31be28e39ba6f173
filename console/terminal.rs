//! The terminal loop: draws the state, and reads keys, clicks and time.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "only this module uses the terminal and the clock"
)]

use super::{ConsoleState, Metronome, SlowTick, draw};
use crossterm::cursor::Show;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, read};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use games::Tape;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::any::Any;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The minimum time between two frames.
const FRAME: Duration = Duration::from_millis(33);
/// The time to wait for events when nothing else is due.
const IDLE: Duration = Duration::from_hours(1);
/// The interval at which blinking lights are updated.
const BLINK: Duration = Duration::from_millis(100);
/// The interval at which a running search is polled.
const THINKING: Duration = Duration::from_millis(5);

/// Whether the terminal is set up for the console.
static IS_SET_UP: AtomicBool = AtomicBool::new(false);

/// Why the console cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// Standard input or output is not a terminal.
    #[error("the console needs a terminal: this is none")]
    NoTerminal,
    /// The terminal has no cursor positioning.
    #[error("the console needs a terminal that can be drawn on: TERM is dumb")]
    Dumb,
    /// The terminal has no size.
    #[error("the terminal does not say its size: {0}")]
    NoSize(io::Error),
}

/// Why the console ended early.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError<E> {
    /// The terminal failed.
    #[error(transparent)]
    Terminal(#[from] io::Error),
    /// A game could not be saved.
    #[error("a game could not be put away: {0}")]
    PutAway(E),
}

/// Returns the columns and lines of the terminal.
///
/// # Errors
/// There is no terminal that can be drawn on.
pub fn size() -> Result<(u16, u16), ScreenError> {
    let is_there = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !is_there {
        return Err(ScreenError::NoTerminal);
    }
    if std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
        return Err(ScreenError::Dumb);
    }
    crossterm::terminal::size().map_err(ScreenError::NoSize)
}

/// Whether colours are wanted: see <https://no-color.org>.
pub fn has_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|word| word.is_empty())
}

/// Runs the console until the player leaves, and saves each finished game.
///
/// # Errors
/// The terminal or saving failed.
pub fn run<E>(
    mut state: ConsoleState,
    pace: u32,
    put_away: &mut dyn FnMut(&Tape) -> Result<(), E>,
) -> Result<ConsoleState, ConsoleError<E>> {
    let ended = {
        let _screen = TerminalGuard::new()?;
        show(&mut state, pace, put_away)
    };
    // A game that was begun is saved, whatever ended the loop.
    state.leave();
    let kept = state.take_ended().iter().try_for_each(put_away);
    match ended {
        // A closed terminal cannot be drawn on.
        Err(ConsoleError::Terminal(_)) if is_gone(Some(Duration::ZERO)) => {}
        ended => ended?,
    }
    kept.map_err(ConsoleError::PutAway)?;
    Ok(state)
}

/// Events for the console's loop.
enum ConsoleEvent {
    /// An event of the terminal.
    Event(Event),
    /// A signal, or the terminal was closed: the console must end.
    End,
}

/// Waits for events on threads that end with the process.
///
/// When its terminal is closed, crossterm loops without returning, so another thread watches for
/// that and for signals.
fn listen() -> io::Result<Receiver<ConsoleEvent>> {
    let (sender, receiver) = mpsc::channel();
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT])?;
    let told = Sender::clone(&sender);
    thread::spawn(move || {
        for (count, signal) in signals.forever().enumerate() {
            let _ = told.send(ConsoleEvent::End);
            // The first signal had no effect: the console cannot write to its terminal.
            if count > 0 {
                let _ = disable_raw_mode();
                let _ = emulate_default_handler(signal);
            }
        }
    });
    let told = Sender::clone(&sender);
    thread::spawn(move || {
        if is_gone(None) {
            let _ = told.send(ConsoleEvent::End);
        }
    });
    thread::spawn(move || {
        while let Ok(event) = read() {
            if sender.send(ConsoleEvent::Event(event)).is_err() {
                return;
            }
        }
        let _ = sender.send(ConsoleEvent::End);
    });
    Ok(receiver)
}

/// Returns whether the terminal was closed, after at most this time.
fn is_gone(wait: Option<Duration>) -> bool {
    // No events are requested, so only a closed or broken terminal wakes the poll.
    let (stdin, stdout) = (stdio::stdin(), stdio::stdout());
    let mut ends = [&stdin, &stdout].map(|end| PollFd::new(end, PollFlags::empty()));
    let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
    loop {
        match poll(&mut ends, wait.as_ref()) {
            Err(rustix::io::Errno::INTR) => {}
            told => return told.is_ok_and(|count| count > 0),
        }
    }
}

/// A guard that restores the terminal when dropped.
struct TerminalGuard;

impl TerminalGuard {
    fn new() -> io::Result<Self> {
        let own = thread::current().id();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // The panic of another thread is reported by the thread that joins it; and standard
            // output is locked by that one.
            if thread::current().id() == own {
                restore();
                before(panic);
            }
        }));
        IS_SET_UP.store(true, Ordering::SeqCst);
        let screen = Self;
        enable_raw_mode()?;
        execute!(out()?, EnterAlternateScreen, EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

/// A writer to the terminal. Standard output buffers what it could not write, and would fail again
/// at the end of the program.
fn out() -> io::Result<File> {
    Ok(File::from(stdio::stdout().try_clone_to_owned()?))
}

/// Restores the terminal, once. Errors are ignored since nobody could read them.
fn restore() {
    if IS_SET_UP.swap(false, Ordering::SeqCst) {
        let given = |mut out: File| execute!(out, DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = out().and_then(given);
        let _ = disable_raw_mode();
    }
}

fn show<E>(
    state: &mut ConsoleState,
    pace: u32,
    put_away: &mut dyn FnMut(&Tape) -> Result<(), E>,
) -> Result<(), ConsoleError<E>> {
    let news = listen()?;
    // Its drop would show the cursor, and panic without a terminal; the guard shows it anyway.
    let mut terminal =
        ManuallyDrop::new(Terminal::new(CrosstermBackend::new(BufWriter::new(out()?)))?);
    let begun = Instant::now();
    let mut metronome = Metronome::new(Duration::ZERO, pace);
    state.set_pace(metronome.pace());
    let mut thoughts: Vec<JoinHandle<SlowTick>> = Vec::new();
    let mut drawn: Option<Instant> = None;
    loop {
        take_back(state, &mut thoughts);
        go_on(state, metronome.due(begun.elapsed()), &mut thoughts);
        if drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) && state.look() {
            terminal.draw(|frame| draw(state, frame))?;
            drawn = Some(Instant::now());
        }
        if state.bell() {
            out()?.write_all(b"\x07")?;
        }
        state.take_ended().iter().try_for_each(&mut *put_away).map_err(ConsoleError::PutAway)?;
        let wait = if thoughts.is_empty() { until_next(state, drawn) } else { THINKING };
        let mut heard = news.recv_timeout(wait.max(Duration::from_millis(1)));
        // A press belongs to the tick in which it was made.
        go_on(state, metronome.due(begun.elapsed()), &mut thoughts);
        while let Ok(ConsoleEvent::Event(event)) = heard {
            if let Some(step) = state.handle_event(&event) {
                metronome.change(step);
                state.set_pace(metronome.pace());
            }
            heard = news.recv_timeout(Duration::ZERO);
        }
        let is_ended = !matches!(heard, Err(RecvTimeoutError::Timeout));
        if state.is_left() || is_ended {
            return Ok(());
        }
    }
}

/// Returns how long the next frame can wait without events.
fn until_next(state: &ConsoleState, drawn: Option<Instant>) -> Duration {
    if state.is_running() || state.has_news() {
        drawn.map_or(Duration::ZERO, |drawn| FRAME.saturating_sub(drawn.elapsed()))
    } else if state.is_blinking() {
        BLINK
    } else {
        IDLE
    }
}

/// Advances the game by ticks. A tick with a search runs on another thread, and the clock stops
/// meanwhile.
fn go_on(state: &mut ConsoleState, ticks: u64, thoughts: &mut Vec<JoinHandle<SlowTick>>) {
    for _ in 0..ticks {
        if let Some(thought) = state.take_search() {
            thoughts.push(thread::spawn(|| thought.think()));
        }
        state.tick();
    }
}

/// Takes back a finished search.
fn take_back(state: &mut ConsoleState, thoughts: &mut Vec<JoinHandle<SlowTick>>) {
    while let Some(at) = thoughts.iter().position(JoinHandle::is_finished) {
        match thoughts.swap_remove(at).join() {
            Ok(thought) => state.finish_search(thought),
            Err(panic) => panic!("the board could not think: {}", said(&*panic)),
        }
    }
}

/// Returns the message of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why")
}
