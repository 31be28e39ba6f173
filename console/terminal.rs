//! The terminal: it draws what the console shows, and tells it of keys, clicks and time.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the console's only place that touches the terminal and the clock"
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

/// The time between two pictures at least.
const FRAME: Duration = Duration::from_millis(33);
/// How long to wait for news where there is nothing else to do.
const IDLE: Duration = Duration::from_hours(1);
/// How often the console checks whether the winner's light must go on or off.
const BLINK: Duration = Duration::from_millis(100);
/// How often it is looked whether the board has thought.
const THINKING: Duration = Duration::from_millis(5);

/// Whether the terminal is set up for the console.
static IS_SET_UP: AtomicBool = AtomicBool::new(false);

/// Why the console cannot be drawn here.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// Standard input or output leads elsewhere.
    #[error("the console needs a terminal: this is none")]
    NoTerminal,
    /// Nothing can be placed on it.
    #[error("the console needs a terminal that can be drawn on: TERM is dumb")]
    Dumb,
    /// It has no size.
    #[error("the terminal does not say its size: {0}")]
    NoSize(io::Error),
}

/// Why the console ended before it was left.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError<E> {
    /// The terminal failed.
    #[error(transparent)]
    Terminal(#[from] io::Error),
    /// A game could not be put away.
    #[error("a game could not be put away: {0}")]
    PutAway(E),
}

/// Columns and lines of the terminal.
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

/// Runs the console until it is left, and puts each game that has ended away.
///
/// # Errors
/// The terminal, or putting away, failed.
pub fn run<E>(
    mut state: ConsoleState,
    pace: u32,
    put_away: &mut dyn FnMut(&Tape) -> Result<(), E>,
) -> Result<ConsoleState, ConsoleError<E>> {
    let ended = {
        let _screen = TerminalGuard::new()?;
        show(&mut state, pace, put_away)
    };
    // Whatever ended it, a game that was begun is kept.
    state.leave();
    let kept = state.take_ended().iter().try_for_each(put_away);
    match ended {
        // A terminal that was closed cannot be drawn on, and nobody is left to be told so.
        Err(ConsoleError::Terminal(_)) if is_gone(Some(Duration::ZERO)) => {}
        ended => ended?,
    }
    kept.map_err(ConsoleError::PutAway)?;
    Ok(state)
}

/// Events that reach the console from outside.
enum ConsoleEvent {
    /// The terminal reports something.
    Event(Event),
    /// A signal came, or the terminal was closed: the console has to end.
    End,
}

/// Waits for news in threads of their own, which end with the process.
///
/// Of a terminal that was closed crossterm reads nothing again and again and never returns, so
/// nothing may depend on that thread: whether the terminal is there, and whether a signal came, is
/// heard beside it.
fn listen() -> io::Result<Receiver<ConsoleEvent>> {
    let (sender, receiver) = mpsc::channel();
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT])?;
    let told = Sender::clone(&sender);
    thread::spawn(move || {
        for (count, signal) in signals.forever().enumerate() {
            let _ = told.send(ConsoleEvent::End);
            // The first one was in vain: the console cannot write to its terminal.
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

/// Whether the terminal was closed: at the latest after that time, or when it is.
fn is_gone(wait: Option<Duration>) -> bool {
    // Only what cannot be left out is waited for: an end that is closed, or broken.
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

/// The terminal as the console needs it; dropped, it is as it was before.
struct TerminalGuard;

impl TerminalGuard {
    fn new() -> io::Result<Self> {
        let own = thread::current().id();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // Another thread's panic is told by the one that waits for it; and standard output is
            // locked by that.
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

/// The terminal to be written on. Standard output itself keeps what it could not write, and the end
/// of the program would fail with that once more.
fn out() -> io::Result<File> {
    Ok(File::from(stdio::stdout().try_clone_to_owned()?))
}

/// Gives the terminal back, once. Where that fails there is nobody left to be told.
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
    // It would show the cursor when it is dropped, and panic where there is no terminal to do so;
    // the screen shows it anyway.
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
        // A press falls into the tick in which it was made.
        go_on(state, metronome.due(begun.elapsed()), &mut thoughts);
        while let Ok(ConsoleEvent::Event(event)) = heard {
            if let Some(faster) = state.hear(&event) {
                metronome.change(faster);
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

/// How long the next picture can wait, if nothing happens before.
fn until_next(state: &ConsoleState, drawn: Option<Instant>) -> Duration {
    if state.is_running() || state.has_news() {
        drawn.map_or(Duration::ZERO, |drawn| FRAME.saturating_sub(drawn.elapsed()))
    } else if state.is_blinking() {
        BLINK
    } else {
        IDLE
    }
}

/// Lets that many ticks go by. One that may take long runs in a thread of its own, and the clock
/// stops meanwhile.
fn go_on(state: &mut ConsoleState, ticks: u64, thoughts: &mut Vec<JoinHandle<SlowTick>>) {
    for _ in 0..ticks {
        if let Some(thought) = state.thought() {
            thoughts.push(thread::spawn(|| thought.think()));
        }
        state.tick();
    }
}

/// Takes back the thoughts that are thought.
fn take_back(state: &mut ConsoleState, thoughts: &mut Vec<JoinHandle<SlowTick>>) {
    while let Some(at) = thoughts.iter().position(JoinHandle::is_finished) {
        match thoughts.swap_remove(at).join() {
            Ok(thought) => state.take(thought),
            Err(panic) => panic!("the board could not think: {}", said(&*panic)),
        }
    }
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why")
}
