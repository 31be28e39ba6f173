//! The settings that turn the picture of a board.

use crate::kit::{Corner, Scope, Seat, Setting, Switch, View};

/// The setting that turns the board upside down, where the sides move in opposite directions.
pub(crate) const FLIP: Setting =
    Setting { switch: Switch::flag("flip", "the board is drawn upside down"), scope: Scope::Game };

/// The setting that chooses the corner of a viewer's start, where the sides move in one direction.
pub(crate) const SETHOME: Setting = Setting {
    switch: Switch::one_of(
        "sethome",
        &["ur", "ll", "ul", "lr"],
        "your starting corner; by default ur for O and ll for X",
    ),
    scope: Scope::Game,
};

/// Returns whether a viewer has turned the board upside down.
pub(crate) fn is_flipped(view: &View) -> bool {
    view.settings.has(FLIP.switch.name)
}

/// Returns the corner of point 1 where O starts there, X starts on point 13, and a viewer's start is
/// in the corner of their choice. The numbers belong to the points.
pub(crate) fn corner_by_start(view: &View) -> Corner {
    use Corner::{LowerLeft, LowerRight, UpperLeft, UpperRight};
    let is_13 = view.seat == Some(Seat(1));
    let corner = match view.settings.get(SETHOME.switch.name) {
        Some("ur") => UpperRight,
        Some("ll") => LowerLeft,
        Some("ul") => UpperLeft,
        Some("lr") => LowerRight,
        _ if is_13 => LowerLeft,
        _ => UpperRight,
    };
    match corner {
        corner if !is_13 => corner,
        UpperRight => LowerLeft,
        LowerLeft => UpperRight,
        UpperLeft => LowerRight,
        LowerRight => UpperLeft,
    }
}
