//! The board as it stands on the screen.
//!
//! Each light has its letter, so that it is told apart without colours, too.

use super::desk::Button;
use super::keys::Target;
use super::state::{Stage, State, shown_clock};
use super::words;
use crate::reply::words::lines;
use games::{Light, SIZE, Seat, Square};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// The columns that the console needs.
pub const WIDTH: u16 = 80;
/// The lines that it needs.
pub const HEIGHT: u16 = 24;

/// Columns and lines from one point to the next.
const PITCH: (u16, u16) = (5, 2);
/// Where the cell of the first point begins.
const BOARD: (u16, u16) = (4, 2);
/// Where the panel beside the board begins.
const PANEL: (u16, u16) = (54, 2);
/// The columns of the panel.
const PANEL_WIDTH: usize = 26;
const MESSAGE: u16 = 20;
const BUTTONS: u16 = 22;
const KEYS: u16 = 23;
/// The columns of the bar that shows the time.
const BAR: u64 = 20;

/// Draws the console.
pub fn draw(state: &State, frame: &mut Frame) {
    let area = frame.area();
    let size = (area.width, area.height);
    let buffer = frame.buffer_mut();
    if size.0 < WIDTH || size.1 < HEIGHT {
        let text = lines(&words::too_small(size, (WIDTH, HEIGHT)), usize::from(size.0).max(1), "");
        for (row, line) in (0..size.1).zip(text.lines()) {
            buffer.set_stringn(0, row, line, usize::from(size.0), Style::new());
        }
        return;
    }
    let mut sheet = Sheet { state, buffer, origin: origin(size) };
    sheet.title();
    sheet.board();
    sheet.panel();
    sheet.message();
    sheet.buttons();
    sheet.put(0, KEYS, &words::keys(state), sheet.faint());
}

/// What lies at that place of the terminal.
pub(super) fn target(state: &State, column: u16, row: u16) -> Option<Target> {
    if !state.has_room() {
        return None;
    }
    let origin = origin(state.size);
    let (x, y) = (column.checked_sub(origin.0)?, row.checked_sub(origin.1)?);
    if y == BUTTONS {
        let place = |(button, from, text): (Button, u16, String)| {
            (from..from + width(&text)).contains(&x).then_some(Target::Button(button))
        };
        return buttons(state).into_iter().find_map(place);
    }
    let line = y.checked_sub(BOARD.1)? / PITCH.1;
    let column = x.checked_sub(BOARD.0)? / PITCH.0;
    let small = |number| u8::try_from(number).ok();
    Square::at(small(line)?, small(column)?).map(Target::Point)
}

/// Where the console stands in a larger terminal: in the middle.
const fn origin(size: (u16, u16)) -> (u16, u16) {
    ((size.0 - WIDTH) / 2, (size.1 - HEIGHT) / 2)
}

/// The buttons with their places: what they show is as wide as the places are far apart.
fn buttons(state: &State) -> Vec<(Button, u16, String)> {
    let mut from = 0;
    let mut place = |(number, &button): (usize, &Button)| {
        let value = state.desk.value(button).unwrap_or_else(|| "-".into());
        let text = format!(" F{} {} {value} ", number + 1, words::name(button));
        let begin = from;
        from += width(&text) + 1;
        (button, begin, text)
    };
    Button::ALL.iter().enumerate().map(&mut place).collect()
}

/// The columns that ASCII text takes.
fn width(text: &str) -> u16 {
    u16::try_from(text.len()).unwrap_or(u16::MAX)
}

/// What is drawn on.
struct Sheet<'a> {
    state: &'a State,
    buffer: &'a mut Buffer,
    origin: (u16, u16),
}

impl Sheet<'_> {
    /// Writes ASCII text, as far as there is room in the line.
    fn put(&mut self, x: u16, y: u16, text: &str, style: Style) {
        let room = usize::from(WIDTH.saturating_sub(x));
        self.buffer.set_stringn(self.origin.0 + x, self.origin.1 + y, text, room, style);
    }

    /// A style with colours, or without where there are none.
    fn style(&self, front: Color, back: Option<Color>, modifier: Modifier) -> Style {
        let style = Style::new().add_modifier(modifier);
        if !self.state.has_colours {
            return style;
        }
        back.map_or(style, |back| style.bg(back)).fg(front)
    }

    /// What is less important: dimmed, so that it can be read on any background.
    fn faint(&self) -> Style {
        self.style(Color::Reset, None, Modifier::DIM)
    }

    fn bold(&self) -> Style {
        self.style(Color::Reset, None, Modifier::BOLD)
    }

    /// A side's own colour.
    fn side(&self, seat: Seat) -> Style {
        let colour = [Color::Green, Color::Red][seat.index()];
        self.style(colour, None, Modifier::BOLD)
    }

    /// How a light shines, and its letter.
    fn light(&self, light: Light) -> (char, Style) {
        match light {
            Light::Dark => ('.', Style::new()),
            Light::Green => ('G', self.style(Color::Black, Some(Color::Green), Modifier::BOLD)),
            Light::Red => {
                // The one colour is told from the other where there are none.
                let modifier =
                    if self.state.has_colours { Modifier::BOLD } else { Modifier::REVERSED };
                ('R', self.style(Color::White, Some(Color::Red), modifier))
            }
            Light::Amber => ('#', self.style(Color::Black, Some(Color::Yellow), Modifier::BOLD)),
        }
    }

    fn title(&mut self) {
        let game = self.state.game();
        let heading = format!("{} {}", game.number, game.title);
        self.put(0, 0, &heading, self.bold());
        let about = format!(": {}", game.about);
        self.put(width(&heading), 0, &about, self.faint());
    }

    fn board(&mut self) {
        for column in 0..SIZE {
            let x = BOARD.0 + u16::from(column) * PITCH.0 + 2;
            let letter = char::from(b'a' + column).to_string();
            self.put(x, BOARD.1 - 1, &letter, self.faint());
            self.put(x, BOARD.1 + PITCH.1 * u16::from(SIZE) - 1, &letter, self.faint());
        }
        for line in 0..SIZE {
            let y = BOARD.1 + u16::from(line) * PITCH.1;
            let digit = (SIZE - line).to_string();
            self.put(BOARD.0 - 2, y, &digit, self.faint());
            self.put(BOARD.0 + PITCH.0 * u16::from(SIZE) + 1, y, &digit, self.faint());
        }
        Square::all().for_each(|at| self.point(at));
        self.cursors();
    }

    /// A point: its light, and whether it was pressed last or may be pressed.
    fn point(&mut self, at: Square) {
        let scene = &self.state.scene;
        let is_hidden = self.state.is_hidden();
        let (letter, style) = self.light(if is_hidden { Light::Dark } else { scene.at(at) });
        let flashes = scene.flash.contains(at);
        let (text, style) = if flashes {
            let style = self.style(Color::Black, Some(Color::Cyan), Modifier::BOLD);
            let bright = if self.state.has_colours { style } else { style.reversed() };
            let letter = if letter == '.' { '+' } else { letter };
            (format!(" {letter} "), if self.state.is_bright { bright } else { self.faint() })
        } else if scene.last == Some(at) && !is_hidden {
            (format!("({letter})"), style)
        } else {
            (format!(" {letter} "), style)
        };
        let (x, y) = place(at);
        self.put(x + 1, y, &text, style);
    }

    /// Green's cursor stands in `[ ]`, red's in `< >`; on one point, in `[ >`.
    fn cursors(&mut self) {
        for (seat, [left, right]) in Seat::BOTH.into_iter().zip([["[", "]"], ["<", ">"]]) {
            if !self.state.people()[seat.index()] || self.state.is_replay() {
                continue;
            }
            let [green, red] = self.state.cursors;
            let are_one = self.state.is_for_two() && green == red;
            let (x, y) = place(self.state.cursors[seat.index()]);
            let style = self.side(seat);
            if !(are_one && seat == Seat(1)) {
                self.put(x, y, left, style);
            }
            self.put(x + 4, y, right, style);
        }
    }

    fn panel(&mut self) {
        let state = self.state;
        let (x, mut y) = PANEL;
        let is_alone = !state.game().uses_level;
        for seat in Seat::BOTH {
            let is_on = state.scene.turn[seat.index()] && state.stage != Stage::Waiting;
            let sign = ["G", "R"][seat.index()];
            let (lamp, style) = if is_on {
                (format!("({sign})"), self.light(Light::of(seat)).1)
            } else {
                ("( )".to_owned(), self.faint())
            };
            let name = match seat {
                Seat(0) if is_alone => "You",
                _ if is_alone => "Missing",
                _ => words::SIDES[seat.index()],
            };
            self.put(x, y, &lamp, style);
            let text = format!("{name:<8}{:>4}", state.scene.score[seat.index()]);
            self.put(x + 4, y, &text, self.side(seat));
            self.put(x + 4, y + 1, &words::player(state, seat), self.faint());
            y += 2;
        }
        let counts = format!("counted: {}", state.scene.counts);
        self.put(x + 4, y, &counts, self.faint());
        self.clock(x, y + 2);
        let mut lines = vec![words::aim(state)];
        if state.game().is_timed_by_speed {
            let ticks = state.sitting().period();
            lines.push(format!("Period: {}.{:02} s", ticks / 100, ticks % 100));
        }
        if let Some(replay) = &state.replay {
            let paused = if replay.is_paused { ", paused" } else { "" };
            lines.push(format!("Replay: {}{paused}", replay.pace));
        }
        for (row, line) in (y + 5..MESSAGE).zip(lines) {
            self.put(x, row, &line[..line.len().min(PANEL_WIDTH)], self.faint());
        }
    }

    /// The time that is left, in figures and as a bar.
    fn clock(&mut self, x: u16, y: u16) {
        let Some(clock) = self.state.scene.clock else { return };
        let tenths = shown_clock(Some(clock)).unwrap_or_default();
        let is_short = tenths < 50 && self.state.game().uses_time;
        let style = if is_short { self.side(Seat(1)) } else { self.bold() };
        self.put(x, y, &format!("Time {}.{} s", tenths / 10, tenths % 10), style);
        let whole = self.state.whole_clock().max(1);
        let filled = (clock.min(whole) * BAR).div_ceil(whole);
        let bar: String = (0..BAR).map(|n| if n < filled { '=' } else { ' ' }).collect();
        self.put(x, y + 1, &format!("[{bar}]"), style);
    }

    fn message(&mut self) {
        let text = lines(&self.state.message(), usize::from(WIDTH), "");
        let style = if self.state.stage == Stage::Running { Style::new() } else { self.bold() };
        for (row, line) in (MESSAGE..BUTTONS).zip(text.lines()) {
            self.put(0, row, line, style);
        }
    }

    fn buttons(&mut self) {
        for (_, x, text) in buttons(self.state) {
            let style = self.style(Color::Black, Some(Color::Gray), Modifier::empty());
            let style = if self.state.has_colours { style } else { style.reversed() };
            self.put(x, BUTTONS, &text, style);
        }
    }
}

/// Where the cell of a point begins.
fn place(at: Square) -> (u16, u16) {
    (BOARD.0 + u16::from(at.column()) * PITCH.0, BOARD.1 + u16::from(at.line()) * PITCH.1)
}
