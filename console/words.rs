//! The texts of the console.

use super::button::Button;
use games::{CONSOLE, GameSettings, LiveGame, Outcome, SIDES, Seat};
use grammar::{OrList, near, quoted};

pub(super) const WAITING: &str =
    "Press Enter to begin, or click on the board where you play with a mouse.";
pub(super) const THINKING: &str = "The board is thinking ...";
pub(super) const SURE: &str = "Press n again to give this game up and lay out another.";
pub(super) const LEAVE: &str =
    "Leave this game? Press y, or the same key again; any other key goes on.";
pub(super) const NO_START_UP: &str = "Only Life lets you say with how many points it begins.";
pub(super) const NEXT: &str = "That holds for the next game: n lays it out.";
pub(super) const BROKEN_OFF: &str = "The tape ends here. Press q to leave.";
pub(super) const FALSE: &str = "The game does not come to the end that the tape tells: it was damaged, or made by another \
     version of this program.";

/// Returns the name of a button.
pub(super) const fn name(button: Button) -> &'static str {
    match button {
        Button::Game => "Game",
        Button::Time => "Time",
        Button::Speed => "Speed",
        Button::Level => "Level",
        Button::Mode => "Mode",
    }
}

/// Returns the letter of a button.
pub(super) const fn letter(button: Button) -> char {
    match button {
        Button::Game => 'o',
        Button::Time => 't',
        Button::Speed => 'v',
        Button::Level => 'l',
        Button::Mode => 'm',
    }
}

/// Returns the message after keys were made slow or fast.
pub(super) fn fast_keys(aim: u8) -> String {
    let how = if aim == 1 { "as fast as with a mouse" } else { "twice as slow as with a mouse" };
    format!("With keys the next game goes {how}.")
}

/// The list of keys, no wider than the board that it replaces.
pub(super) const ALL_KEYS: [&str; 17] = [
    "arrows Enter   press the point in [ ]",
    "e 5            press e5 (for two: / e 5)",
    "w a s d Space  for two: green's cursor",
    "p              pass, where a game has that",
    "n              another game",
    "",
    "o or F1        which game",
    "t or F2        time for a move",
    "v or F3        speed",
    "l or F4        level of the board",
    "m or F5        mode",
    "  with Shift they go back",
    "u              Life: points at the start",
    "x              keys as fast as a mouse",
    "",
    "?              this list, on and off",
    "q, Esc         leave; Ctrl-C at once",
];

/// Returns the message for an unknown game.
pub(super) fn no_game(name: &str) -> String {
    let near = near(name, CONSOLE.iter().map(|game| game.name));
    let there = format!("there is no game {} on the console", quoted(name));
    if near.is_empty() {
        let all: Vec<&str> = CONSOLE.iter().map(|game| game.name).collect();
        format!("{there}; the games are {}", all.join(", "))
    } else {
        format!("{there}; did you mean {}?", OrList(&near))
    }
}

/// Returns the message for a button that the game does not use.
pub(super) fn idle(button: Button, game: &LiveGame) -> String {
    let title = game.title;
    match button {
        Button::Level => format!("{title} is played alone: it has no level"),
        Button::Time => format!("{title} has no time for a move"),
        _ => format!("{title} does not go by speed"),
    }
}

/// Returns whether passing is legal in a game.
pub(super) fn has_pass(game: &LiveGame, mode: u8) -> bool {
    match game.name {
        "speedgo" => true,
        "fillit" => mode < 2,
        "life" => mode == 1,
        _ => false,
    }
}

/// Returns the message after an illegal pass.
pub(super) fn no_pass(game: &LiveGame) -> String {
    format!("There is no pass in this mode of {}.", game.title)
}

/// Returns the message while the name of a point is typed.
pub(super) fn naming(begun: &str) -> String {
    format!("Point {begun}: type a column a to i, then a line 1 to 9. Esc forgets it.")
}

/// Turns a clause into a sentence.
pub(super) fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    // A sentence may begin with the name of a point.
    let is_point = clause.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    match letters.next() {
        Some(first) if !is_point => format!("{}{}.", first.to_ascii_uppercase(), letters.as_str()),
        _ => format!("{clause}."),
    }
}

/// Returns the winner, and the reason.
pub(super) fn ended(game: &LiveGame, is_replay: bool, outcome: &Outcome) -> String {
    let more = if is_replay { "q leaves." } else { "n lays out another game." };
    let alone = !game.uses_level;
    match *outcome {
        Outcome::Drawn { reason } => format!("The game is a draw: {reason}.\n{more}"),
        Outcome::Won { by: Seat(0), reason, .. } if alone => format!("You win {reason}.\n{more}"),
        Outcome::Won { reason, .. } if alone => format!("You have lost {reason}.\n{more}"),
        Outcome::Won { by, reason, .. } => {
            format!("{} wins {reason}!\n{more}", SIDES[by.index()])
        }
    }
}

/// Returns the message for a small terminal.
pub(super) fn too_small(size: (u16, u16), needed: (u16, u16)) -> String {
    format!(
        "The console needs {} columns and {} lines; there are {} and {}. Make the window larger and \
         it goes on; q leaves.",
        needed.0, needed.1, size.0, size.1
    )
}

/// The keys of a replay, for the last line.
pub(super) const REPLAY_KEYS: &str = "Space pause   Left slower   Right faster   q leave";

/// Returns the keys of a game, for the last line.
pub(super) fn keys(game: &LiveGame, mode: u8, people: [bool; 2]) -> String {
    let pass = if has_pass(game, mode) { "   p pass" } else { "" };
    let aim = match people {
        [true, true] => "Green wasd Space   Red arrows Enter   /e5 a point",
        [false, false] => "The board plays both sides",
        _ => "arrows, Enter press   e5 names a point",
    };
    format!("{aim}{pass}   n new   q leave   ? keys")
}

/// Returns how points are pressed in this game, and in the next.
pub(super) fn aim(has_keys: bool, now: u8, next: u8) -> String {
    let with = if has_keys { "keys" } else { "mouse" };
    let next = if next == now { String::new() } else { format!("; next game x {next}") };
    format!("Aim: {with}, x {now}{next}")
}

/// Returns the player of a side.
pub(super) fn player(
    game: &LiveGame,
    settings: &GameSettings,
    seat: Seat,
    is_for_two: bool,
) -> String {
    match settings.level_of(seat) {
        _ if !game.uses_level => String::new(),
        0 if is_for_two => String::new(),
        0 => "you".into(),
        level => format!("board, level {level}"),
    }
}
