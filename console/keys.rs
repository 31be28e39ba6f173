//! Key bindings and clicks.
//!
//! With one player letters and digits name points; with two, `w a s d` move green's cursor and a
//! name starts with `/`.

use super::action::{Action, CursorKeys, Step};
use super::button::Button;
use super::draw::{self, ClickTarget};
use super::state::ConsoleState;
use super::words;
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use games::SIZE;

/// Returns the action of a terminal event.
pub(super) fn read(event: &Event, state: &ConsoleState) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => pressed(*key, state),
        Event::Mouse(mouse) => clicked(*mouse, state),
        Event::Resize(width, height) => Some(Action::Resize(*width, *height)),
        _ => None,
    }
}

fn pressed(key: KeyEvent, state: &ConsoleState) -> Option<Action> {
    let is_down = |modifier| key.modifiers.contains(modifier);
    if is_down(KeyModifiers::CONTROL) || is_down(KeyModifiers::ALT) {
        return (is_down(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c'))
            .then_some(Action::Leave);
    }
    let action = match key.code {
        KeyCode::Esc => Action::Escape,
        KeyCode::Char(c) => {
            return typed(c.to_ascii_lowercase(), step(c.is_ascii_uppercase()), state);
        }
        _ if state.is_replay() => match key.code {
            KeyCode::Left | KeyCode::Down => Action::Pace(Step::Previous),
            KeyCode::Right | KeyCode::Up => Action::Pace(Step::Next),
            KeyCode::Enter => Action::Pause,
            _ => return None,
        },
        KeyCode::Up => Action::Move(CursorKeys::Right, -1, 0),
        KeyCode::Down => Action::Move(CursorKeys::Right, 1, 0),
        KeyCode::Left => Action::Move(CursorKeys::Right, 0, -1),
        KeyCode::Right => Action::Move(CursorKeys::Right, 0, 1),
        KeyCode::Enter => Action::Strike(CursorKeys::Right),
        // Some terminals report Shift with a function key as F13 and up.
        KeyCode::F(number @ 1..=5) => {
            Action::Button(Button::ALL[usize::from(number) - 1], step(is_down(KeyModifiers::SHIFT)))
        }
        KeyCode::F(number @ 13..=17) => {
            Action::Button(Button::ALL[usize::from(number) - 13], Step::Previous)
        }
        _ => return None,
    };
    Some(action)
}

/// Returns the step of a button that is pressed with Shift, or without it.
fn step(has_shift: bool) -> Step {
    if has_shift { Step::Previous } else { Step::Next }
}

/// Returns the action of a letter, which steps backwards with Shift.
fn typed(c: char, step: Step, state: &ConsoleState) -> Option<Action> {
    match c {
        'q' => return Some(Action::Quit),
        'y' => return Some(Action::Yes),
        '?' => return Some(Action::Keys),
        _ => {}
    }
    if state.is_replay() {
        return match c {
            ' ' | 'p' => Some(Action::Pause),
            '+' | '=' => Some(Action::Pace(Step::Next)),
            '-' => Some(Action::Pace(Step::Previous)),
            _ => None,
        };
    }
    let byte = u8::try_from(c).ok()?;
    let column = || matches!(c, 'a'..='i').then(|| Action::Column(byte - b'a'));
    let is_for_two = state.is_for_two() && !state.is_naming();
    if let Some(button) = button(c) {
        return Some(Action::Button(button, step));
    }
    let action = match c {
        ' ' => Action::Strike(CursorKeys::Left),
        'w' if is_for_two => Action::Move(CursorKeys::Left, -1, 0),
        's' if is_for_two => Action::Move(CursorKeys::Left, 1, 0),
        'a' if is_for_two => Action::Move(CursorKeys::Left, 0, -1),
        'd' if is_for_two => Action::Move(CursorKeys::Left, 0, 1),
        '/' => Action::Slash,
        '1'..='9' if byte - b'0' <= SIZE => Action::Line(byte - b'0'),
        'p' => Action::Pass,
        'n' => Action::New,
        'u' => Action::StartUp(step),
        'x' => Action::FastKeys,
        _ if is_for_two => return None,
        _ => return column(),
    };
    Some(action)
}

/// Returns the button of a letter that neither names points nor moves a cursor.
fn button(c: char) -> Option<Button> {
    Button::ALL.into_iter().find(|button| words::letter(*button) == c)
}

fn clicked(mouse: MouseEvent, state: &ConsoleState) -> Option<Action> {
    let step = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Step::Next,
        MouseEventKind::Down(MouseButton::Right) => Step::Previous,
        _ => return None,
    };
    match draw::target(state, mouse.column, mouse.row)? {
        ClickTarget::Button(button) => Some(Action::Button(button, step)),
        ClickTarget::Point(square) => (step == Step::Next).then_some(Action::Click(square)),
    }
}
