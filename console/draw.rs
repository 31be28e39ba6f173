//! The renderer of the console.
//!
//! Each light has its own letter, so lights differ without colours as well.

use super::button::Button;
use super::state::{ConsoleStage, ConsoleState, HEIGHT, WIDTH, shown_clock};
use super::words;
use games::{Light, SIZE, Seat, Square};
use grammar::lines;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// The distance between neighbouring points on the smallest board, in columns and lines.
const PITCH: (u16, u16) = (5, 2);
/// The increase of this distance with each size.
const GROWTH: (u16, u16) = (PITCH.0 * SIZE as u16, PITCH.1 * SIZE as u16);
/// The cell of the first point.
const BOARD: (u16, u16) = (4, 2);
/// The first column of the panel beside the smallest board.
const PANEL: (u16, u16) = (54, 2);
/// The columns of the panel.
const PANEL_WIDTH: usize = 26;
/// The columns of the time bar.
const BAR: u64 = 20;
/// The lines of the message, the buttons and the keys below the smallest board.
const MESSAGE: u16 = 20;
const BUTTONS: u16 = 22;
const KEYS: u16 = 23;

/// The target of a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    /// A point.
    Point(Square),
    /// A button.
    Button(Button),
}

/// The size of the board: as large as the terminal allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scale(u16);

impl Scale {
    /// Returns the largest size for a terminal.
    fn for_size(size: (u16, u16)) -> Self {
        let more = ((size.0 - WIDTH) / GROWTH.0).min((size.1 - HEIGHT) / GROWTH.1);
        Self(1 + more)
    }

    /// Returns the distance between neighbouring points.
    const fn pitch(self) -> (u16, u16) {
        (PITCH.0 * self.0, PITCH.1 * self.0)
    }

    /// Returns a column to the right of the board.
    const fn beside(self, x: u16) -> u16 {
        x + GROWTH.0 * (self.0 - 1)
    }

    /// Returns a line below the board.
    const fn below(self, y: u16) -> u16 {
        y + GROWTH.1 * (self.0 - 1)
    }

    /// Returns the columns of a point between its brackets, and its lines.
    const fn cell(self) -> (u16, u16) {
        (self.pitch().0 - 2, self.pitch().1 - 1)
    }

    /// Returns the upper left corner of a point's cell.
    fn place(self, at: Square) -> (u16, u16) {
        let pitch = self.pitch();
        (BOARD.0 + u16::from(at.column()) * pitch.0, BOARD.1 + u16::from(at.line()) * pitch.1)
    }

    /// Returns the origin of the console, which is centred in a larger terminal.
    const fn origin(self, size: (u16, u16)) -> (u16, u16) {
        ((size.0 - self.beside(WIDTH)) / 2, (size.1 - self.below(HEIGHT)) / 2)
    }
}
/// Draws the console.
pub fn draw(state: &ConsoleState, frame: &mut Frame) {
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
    let scale = Scale::for_size(size);
    let mut painter = BoardPainter { state, buffer, scale, origin: scale.origin(size) };
    painter.title();
    if state.shows_keys {
        painter.all_keys();
    } else {
        painter.board();
    }
    painter.panel();
    painter.message();
    painter.buttons();
    let keys = if state.is_replay() {
        words::REPLAY_KEYS.to_owned()
    } else {
        words::keys(state.game(), state.settings().mode, state.people())
    };
    painter.put(0, scale.below(KEYS), &keys, painter.faint());
}

/// Returns the target of a click.
pub(super) fn target(state: &ConsoleState, column: u16, row: u16) -> Option<ClickTarget> {
    if !state.has_room() {
        return None;
    }
    let scale = Scale::for_size(state.size);
    let origin = scale.origin(state.size);
    let (x, y) = (column.checked_sub(origin.0)?, row.checked_sub(origin.1)?);
    if y == scale.below(BUTTONS) {
        let place = |(button, from, text): (Button, u16, String)| {
            (from..from + width(&text)).contains(&x).then_some(ClickTarget::Button(button))
        };
        return buttons(state).into_iter().find_map(place);
    }
    let line = y.checked_sub(BOARD.1)? / scale.pitch().1;
    let column = x.checked_sub(BOARD.0)? / scale.pitch().0;
    let small = |number| u8::try_from(number).ok();
    Square::at(small(line)?, small(column)?).map(ClickTarget::Point)
}

/// Returns the help line for pressing points.
fn aim(state: &ConsoleState) -> String {
    let now = state.settings().aim;
    let next = if state.is_replay() { now } else { state.aim };
    words::aim(state.has_keys, now, next)
}

/// Returns the buttons with their columns: a value is as wide as the space to the next button.
fn buttons(state: &ConsoleState) -> Vec<(Button, u16, String)> {
    let mut from = 0;
    let mut place = |&button: &Button| {
        let value = state.panel.value(button).unwrap_or_else(|| "-".into());
        let text = format!(" {} {} {value} ", words::letter(button), words::name(button));
        let begin = from;
        from += width(&text) + 1;
        (button, begin, text)
    };
    Button::ALL.iter().map(&mut place).collect()
}

/// Returns the columns of ASCII text.
fn width(text: &str) -> u16 {
    u16::try_from(text.len()).unwrap_or(u16::MAX)
}

/// The screen buffer to draw on.
struct BoardPainter<'a> {
    state: &'a ConsoleState,
    buffer: &'a mut Buffer,
    scale: Scale,
    origin: (u16, u16),
}

impl BoardPainter<'_> {
    /// Writes ASCII text, clipped to the line.
    fn put(&mut self, x: u16, y: u16, text: &str, style: Style) {
        let room = usize::from(self.scale.beside(WIDTH).saturating_sub(x));
        self.buffer.set_stringn(self.origin.0 + x, self.origin.1 + y, text, room, style);
    }

    /// Returns a style with colours if they are enabled.
    fn style(&self, front: Color, back: Option<Color>, modifier: Modifier) -> Style {
        let style = Style::new().add_modifier(modifier);
        if !self.state.has_colours {
            return style;
        }
        back.map_or(style, |back| style.bg(back)).fg(front)
    }

    /// Returns the style of less important text: dimmed, so that it is readable on any background.
    fn faint(&self) -> Style {
        self.style(Color::Reset, None, Modifier::DIM)
    }

    fn bold(&self) -> Style {
        self.style(Color::Reset, None, Modifier::BOLD)
    }

    /// Returns a side's colour.
    fn side(&self, seat: Seat) -> Style {
        let colour = [Color::Green, Color::Red][seat.index()];
        self.style(colour, None, Modifier::BOLD)
    }

    /// Returns the style and the letter of a light.
    fn light(&self, light: Light) -> (char, Style) {
        match light {
            Light::Dark => ('.', Style::new()),
            Light::Green => ('G', self.style(Color::Black, Some(Color::Green), Modifier::BOLD)),
            Light::Red => {
                // Without colours, one side is bold.
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
        let (pitch, (_, lines)) = (self.scale.pitch(), self.scale.cell());
        for column in 0..SIZE {
            let x = BOARD.0 + u16::from(column) * pitch.0 + pitch.0 / 2;
            let letter = char::from(b'a' + column).to_string();
            self.put(x, BOARD.1 - 1, &letter, self.faint());
            self.put(x, BOARD.1 + pitch.1 * u16::from(SIZE) - 1, &letter, self.faint());
        }
        for line in 0..SIZE {
            let y = BOARD.1 + u16::from(line) * pitch.1 + lines / 2;
            let digit = (SIZE - line).to_string();
            self.put(BOARD.0 - 2, y, &digit, self.faint());
            self.put(BOARD.0 + pitch.0 * u16::from(SIZE) + 1, y, &digit, self.faint());
        }
        Square::all().for_each(|at| self.point(at));
        self.cursors();
    }

    /// Draws a point with its light, and marks for the last press and legal presses.
    fn point(&mut self, at: Square) {
        let scene = &self.state.scene;
        let is_hidden = self.state.is_hidden();
        let (letter, style) = self.light(if is_hidden { Light::Dark } else { scene.at(at) });
        // Where points have ages, the age replaces the letter of the colour, which is that of the
        // side to move.
        let letter = match scene.ages[at.index()] {
            age @ 1..=9 if !is_hidden => char::from(b'0' + age),
            _ => letter,
        };
        let flashes = scene.flash.contains(at);
        let (text, style) = if flashes {
            let style = self.style(Color::Black, Some(Color::Cyan), Modifier::BOLD);
            let bright = if self.state.has_colours { style } else { style.reversed() };
            let letter = if letter == '.' { '+' } else { letter };
            ([' ', letter, ' '], if self.state.is_bright { bright } else { self.faint() })
        } else if scene.last == Some(at) && !is_hidden {
            (['(', letter, ')'], style)
        } else {
            ([' ', letter, ' '], style)
        };
        let ((x, y), (columns, lines)) = (self.scale.place(at), self.scale.cell());
        // A light fills its cell; a dark point is a dot in the middle.
        for row in 0..lines {
            let [left, middle, right] = if row == lines / 2 { text } else { [' '; 3] };
            let mut line = vec![' '; usize::from(columns)];
            let half = usize::from(columns / 2);
            (line[0], line[half], line[usize::from(columns) - 1]) = (left, middle, right);
            self.put(x + 1, y + row, &line.into_iter().collect::<String>(), style);
        }
    }

    /// Draws the cursors: green's is `[ ]`, red's is `< >`, both on one point are `[ >`.
    fn cursors(&mut self) {
        for (seat, [left, right]) in Seat::BOTH.into_iter().zip([["[", "]"], ["<", ">"]]) {
            if !self.state.people()[seat.index()] || self.state.is_replay() {
                continue;
            }
            let [green, red] = self.state.cursors;
            let are_one = self.state.is_for_two() && green == red;
            let (x, y) = self.scale.place(self.state.cursors[seat.index()]);
            let style = self.side(seat);
            for y in y..y + self.scale.cell().1 {
                if !(are_one && seat == Seat(1)) {
                    self.put(x, y, left, style);
                }
                self.put(x + self.scale.pitch().0 - 1, y, right, style);
            }
        }
    }

    /// Draws the list of keys in place of the board.
    fn all_keys(&mut self) {
        for (line, text) in (BOARD.1..).zip(words::ALL_KEYS) {
            self.put(BOARD.0, line, text, Style::new());
        }
    }

    fn panel(&mut self) {
        let state = self.state;
        let (x, mut y) = (self.scale.beside(PANEL.0), PANEL.1);
        let is_alone = !state.game().uses_level;
        for seat in Seat::BOTH {
            let is_on = state.scene.turn[seat.index()]
                && state.stage != ConsoleStage::Waiting
                && (!state.is_blinking() || state.is_lamp_on());
            let sign = ["G", "R"][seat.index()];
            let (lamp, style) = if is_on {
                (format!("({sign})"), self.light(Light::for_seat(seat)).1)
            } else {
                ("( )".to_owned(), self.faint())
            };
            let name = match seat {
                Seat(0) if is_alone => "You",
                _ if is_alone => "Missing",
                _ => games::SIDES[seat.index()],
            };
            self.put(x, y, &lamp, style);
            let text = format!("{name:<8}{:>4}", state.scene.score[seat.index()]);
            self.put(x + 4, y, &text, self.side(seat));
            self.put(
                x + 4,
                y + 1,
                &words::player(state.game(), state.settings(), seat, state.is_for_two()),
                self.faint(),
            );
            y += 2;
        }
        let counts = format!("counted: {}", state.scene.counts);
        self.put(x + 4, y, &counts, self.faint());
        self.clock(x, y + 2);
        let mut lines = vec![aim(state)];
        if state.game().is_timed_by_speed {
            let ticks = state.scene.period;
            lines.push(format!("Period: {}.{:02} s", ticks / 100, ticks % 100));
        }
        if state.settings().points > 0 {
            lines.push(format!("Start up: {} points", state.settings().points));
        }
        if let Some(replay) = &state.replay {
            let paused = if replay.is_paused { ", paused" } else { "" };
            lines.push(format!("Replay: {}{paused}", replay.pace));
        }
        for (row, line) in (y + 5..MESSAGE).zip(lines) {
            self.put(x, row, &line[..line.len().min(PANEL_WIDTH)], self.faint());
        }
    }

    /// Draws the remaining time in figures and as a bar.
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
        let style =
            if self.state.stage == ConsoleStage::Running { Style::new() } else { self.bold() };
        for (row, line) in (MESSAGE..BUTTONS).zip(text.lines()) {
            self.put(0, self.scale.below(row), line, style);
        }
    }

    fn buttons(&mut self) {
        for (_, x, text) in buttons(self.state) {
            let style = self.style(Color::Black, Some(Color::Gray), Modifier::empty());
            let style = if self.state.has_colours { style } else { style.reversed() };
            self.put(x, self.scale.below(BUTTONS), &text, style);
        }
    }
}
