//! Handlers of actions.

use super::{ConsoleStage, ConsoleState};
use crate::Button;
use crate::action::{Action, CursorKeys, Step};
use crate::keys;
use crate::typed_point::TypedPoint;
use crate::words;
use crossterm::event::Event;
use games::{Press, Seat};

impl ConsoleState {
    /// Handles an event. Returns the step by which the pace of a replay changes.
    pub fn handle_event(&mut self, event: &Event) -> Option<Step> {
        let action = keys::read(event, self)?;
        self.act(action);
        match action {
            Action::Pace(step) if self.is_replay() => Some(step),
            _ => None,
        }
    }

    /// Handles an action that does not change the speed of a replay.
    pub fn act(&mut self, action: Action) {
        self.is_changed = true;
        if let Action::Resize(width, height) = action {
            self.size = (width, height);
            return;
        }
        let typed_point = std::mem::take(&mut self.typed_point);
        let is_sure = std::mem::take(&mut self.is_giving_up);
        let is_leaving = std::mem::take(&mut self.is_leaving);
        let had_keys = std::mem::take(&mut self.shows_keys);
        if action != Action::Leave {
            self.note = None;
        }
        match action {
            Action::Leave => self.is_left = true,
            // Escape first cancels the name of a point or hides the list of keys.
            Action::Escape if typed_point != TypedPoint::None || had_keys => {}
            Action::Escape | Action::Quit => self.ask_to_leave(is_leaving),
            Action::Yes => self.is_left = is_leaving,
            Action::Keys => self.shows_keys = !had_keys,
            Action::Pause => self.pause(),
            Action::Pace(_) | Action::Resize(..) => {}
            // The other actions belong to a live game.
            _ if self.is_replay() => {}
            Action::Button(button, step) => self.press_button(button, step),
            Action::New => self.another(is_sure),
            Action::StartUp(step) => self.start_up(step),
            Action::FastKeys => self.change_keys(),
            Action::Strike(_) if self.stage == ConsoleStage::Waiting => self.begin(true),
            Action::Click(_) if self.stage == ConsoleStage::Waiting => self.begin(false),
            Action::Move(keys, lines, columns) => self.move_cursor(keys, lines, columns),
            Action::Slash => self.typed_point = TypedPoint::Slash,
            Action::Column(column) => self.typed_point = TypedPoint::Column(column),
            Action::Strike(keys) => self.strike(keys),
            Action::Line(digit) => {
                if let Some(at) = typed_point.line(digit) {
                    self.press(None, Press::At(at), self.keys_aim);
                }
            }
            Action::Click(at) => self.press(None, Press::At(at), 1),
            Action::Pass if words::has_pass(self.game(), self.settings().mode) => {
                self.press(None, Press::Pass, self.aim);
            }
            Action::Pass => self.note = Some(words::no_pass(self.game())),
        }
    }

    /// Leaves, in the middle of a game after a question. The clock keeps running.
    fn ask_to_leave(&mut self, is_sure: bool) {
        if self.stage == ConsoleStage::Running && !self.is_replay() && !is_sure {
            self.is_leaving = true;
            self.note = Some(words::LEAVE.into());
        } else {
            self.is_left = true;
        }
    }

    /// Pauses or continues a replay.
    fn pause(&mut self) {
        if let Some(replay) = &mut self.replay {
            replay.is_paused = !replay.is_paused;
        }
    }

    /// Sets up another game, in the middle of one after a question.
    fn another(&mut self, is_sure: bool) {
        if self.stage == ConsoleStage::Running && !is_sure {
            self.is_giving_up = true;
            self.note = Some(words::SURE.into());
        } else {
            self.renew();
        }
    }

    /// Makes keys count as fast as a mouse in the next game, or no longer.
    fn change_keys(&mut self) {
        self.keys_aim = 3 - self.keys_aim;
        self.note = Some(words::fast_keys(self.keys_aim));
        self.renew_unbegun(self.keys_aim);
    }

    /// Changes the number of points at the start of Life.
    fn start_up(&mut self, step: Step) {
        if !self.panel.start_up(step) {
            self.note = Some(words::NO_START_UP.into());
        } else if self.stage == ConsoleStage::Running {
            self.note = Some(words::NEXT.into());
        } else {
            self.renew();
        }
    }

    /// Sets up the game again if it was not begun.
    fn renew_unbegun(&mut self, aim: u8) {
        if self.stage == ConsoleStage::Waiting {
            self.lay_out(aim);
        }
    }

    /// Presses the point under a cursor.
    fn strike(&mut self, keys: CursorKeys) {
        if let Some(seat) = self.seat_of(keys) {
            let at = self.cursors[seat.index()];
            self.press(Some(seat), Press::At(at), self.keys_aim);
        }
    }

    fn press(&mut self, seat: Option<Seat>, press: Press, aim: u8) {
        self.aim = aim;
        // While the computer thinks, nobody else is on turn.
        if self.is_running() && !self.is_thinking {
            self.presses.push_back((seat, press));
        }
    }

    fn move_cursor(&mut self, keys: CursorKeys, lines: i8, columns: i8) {
        let Some(seat) = self.seat_of(keys) else { return };
        let cursor = &mut self.cursors[seat.index()];
        *cursor = cursor.moved(lines, columns).unwrap_or(*cursor);
    }

    fn press_button(&mut self, button: Button, step: Step) {
        if !self.panel.is_used(button) {
            self.note = Some(words::sentence(&words::idle(button, self.panel.game())));
            return;
        }
        self.panel.press(button, step);
        if self.stage == ConsoleStage::Running {
            self.note = Some(words::NEXT.into());
        } else {
            self.renew();
        }
    }

    /// Saves the game if it was begun, and sets up another.
    fn renew(&mut self) {
        self.put_away();
        if self.stage != ConsoleStage::Waiting {
            self.seed = self.seed.wrapping_add(1);
        }
        self.lay_out(self.aim);
        self.stage = ConsoleStage::Waiting;
    }

    /// Begins the waiting game, with keys or a mouse.
    fn begin(&mut self, has_keys: bool) {
        let cursors = self.cursors;
        self.lay_out(if has_keys { self.keys_aim } else { 1 });
        self.cursors = cursors;
        self.has_keys = has_keys;
        self.stage = ConsoleStage::Running;
    }
}
