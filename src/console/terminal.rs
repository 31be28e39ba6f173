//! The terminal: it draws what the console shows, and tells it of keys, clicks and time.

#![expect(
    clippy::disallowed_methods,
    reason = "the console's only place that touches the terminal and the clock"
)]

use super::{Metronome, State, Thought, draw};
use crate::app::Trouble;
use crate::store::Fault;
use crossterm::cursor::Show;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture, poll, read};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use games::Tape;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use std::any::Any;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time between two pictures at least.
const FRAME: Duration = Duration::from_millis(33);
/// How often it is looked whether somebody ends the program, where nothing else is to be done.
const IDLE: Duration = Duration::from_millis(200);
/// How often it is looked whether the board has thought.
const THINKING: Duration = Duration::from_millis(5);

/// Whether the terminal is set up for the console.
static IS_SET_UP: AtomicBool = AtomicBool::new(false);

/// Columns and lines of the terminal.
///
/// # Errors
/// There is none: a line for the shell.
pub fn size() -> Result<(u16, u16), String> {
    let is_there = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !is_there {
        return Err("the console needs a terminal: this is none".into());
    }
    if std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
        return Err("the console needs a terminal that can be drawn on: TERM is dumb".into());
    }
    crossterm::terminal::size().map_err(|why| format!("the terminal does not say its size: {why}"))
}

/// Whether colours are wanted: see <https://no-color.org>.
pub fn has_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|word| word.is_empty())
}

/// Runs the console until it is left, and puts each game that has ended away.
///
/// # Errors
/// The terminal, or putting away, failed.
pub fn run(
    mut state: State,
    pace: u32,
    put_away: &mut dyn FnMut(&Tape) -> Result<(), Fault>,
) -> Result<State, Trouble> {
    let ended = {
        let _screen = Screen::new()?;
        show(&mut state, pace, put_away)
    };
    // Whatever ended it, a game that was begun is kept.
    state.leave();
    let kept = state.take_ended().iter().try_for_each(put_away);
    ended?;
    kept?;
    Ok(state)
}

/// The terminal as the console needs it; dropped, it is as it was before.
struct Screen;

impl Screen {
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
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, once. Where that fails there is nobody left to be told.
fn restore() {
    if IS_SET_UP.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

fn show(
    state: &mut State,
    pace: u32,
    put_away: &mut dyn FnMut(&Tape) -> Result<(), Fault>,
) -> Result<(), Trouble> {
    let is_ended = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
        signal_hook::flag::register(signal, Arc::clone(&is_ended))?;
    }
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let begun = Instant::now();
    let mut metronome = Metronome::new(Duration::ZERO, pace);
    state.set_pace(metronome.pace());
    let mut thoughts: Vec<JoinHandle<Thought>> = Vec::new();
    let mut drawn: Option<Instant> = None;
    loop {
        take_back(state, &mut thoughts);
        go_on(state, metronome.due(begun.elapsed()), &mut thoughts);
        if drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) && state.look() {
            terminal.draw(|frame| draw(state, frame))?;
            drawn = Some(Instant::now());
        }
        if state.bell() {
            let mut out = io::stdout();
            out.write_all(b"\x07")?;
            out.flush()?;
        }
        state.take_ended().iter().try_for_each(&mut *put_away)?;
        let wait = if !thoughts.is_empty() {
            THINKING
        } else if state.is_running() || state.has_news() {
            drawn.map_or(Duration::ZERO, |drawn| FRAME.saturating_sub(drawn.elapsed()))
        } else {
            IDLE
        };
        let mut is_told = poll(wait.max(Duration::from_millis(1)))?;
        // A press falls into the tick in which it was made.
        go_on(state, metronome.due(begun.elapsed()), &mut thoughts);
        while is_told {
            if let Some(faster) = state.hear(&read()?) {
                metronome.change(faster);
                state.set_pace(metronome.pace());
            }
            is_told = poll(Duration::ZERO)?;
        }
        // Of a terminal that was closed there is nothing more to hear, and that at once.
        let is_gone = !io::stdin().is_terminal();
        if state.is_left() || is_gone || is_ended.load(Ordering::SeqCst) {
            return Ok(());
        }
    }
}

/// Lets that many ticks go by. One that may take long is taken beside, and the clock stands
/// meanwhile.
fn go_on(state: &mut State, ticks: u64, thoughts: &mut Vec<JoinHandle<Thought>>) {
    for _ in 0..ticks {
        if let Some(thought) = state.thought() {
            thoughts.push(thread::spawn(|| thought.think()));
        }
        state.tick();
    }
}

/// Takes back the thoughts that are thought.
fn take_back(state: &mut State, thoughts: &mut Vec<JoinHandle<Thought>>) {
    while let Some(at) = thoughts.iter().position(JoinHandle::is_finished) {
        match thoughts.swap_remove(at).join() {
            Ok(thought) => state.take(thought),
            Err(panic) => panic!("the board could not think: {}", said(&*panic)),
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why")
}
