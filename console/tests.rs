use super::state::ConsoleStage;
use super::*;
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use games::{CONSOLE, Light, Outcome, Press, Seat, Square, Tape};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

const SIZE: (u16, u16) = (WIDTH, HEIGHT);

/// Creates a console with a game.
fn console(wish: &PanelOptions) -> ConsoleState {
    ConsoleState::new(ControlPanel::new(wish).unwrap(), 1, SIZE, true)
}

/// Creates a game with settings, begun with a key or a click.
fn begun(game: &str, mode: u8, level: u8) -> ConsoleState {
    let level = Some(level).filter(|_| game != "symmetry");
    let wish = PanelOptions {
        game: Some(game.into()),
        mode: Some(mode),
        level,
        ..PanelOptions::default()
    };
    let mut state = console(&wish);
    press(&mut state, "Enter");
    assert_eq!(state.stage, ConsoleStage::Running);
    state
}

/// Presses keys, named with blanks between.
fn press(state: &mut ConsoleState, keys: &str) {
    for key in keys.split(' ') {
        let code = match key {
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Space" => KeyCode::Char(' '),
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            "F1" => KeyCode::F(1),
            "F2" => KeyCode::F(2),
            "F3" => KeyCode::F(3),
            "F4" => KeyCode::F(4),
            "F5" => KeyCode::F(5),
            "F17" => KeyCode::F(17),
            letter => KeyCode::Char(letter.parse().unwrap()),
        };
        state.handle_event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        state.look();
    }
}

fn click(state: &mut ConsoleState, column: u16, row: u16, button: MouseButton) {
    let kind = MouseEventKind::Down(button);
    state.handle_event(&Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
    state.look();
}

fn ticks(state: &mut ConsoleState, ticks: u64) {
    (0..ticks).for_each(|_| state.tick());
    state.look();
}

fn drawn(state: &ConsoleState) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(state.size.0, state.size.1)).unwrap();
    terminal.draw(|frame| draw(state, frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// Returns the lines of the screen without trailing blanks.
fn screen(state: &ConsoleState) -> Vec<String> {
    let buffer = drawn(state);
    let line = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..buffer.area.height).map(|y| line(y).trim_end().to_owned()).collect()
}

/// Returns the presses so far, as on a tape.
fn pressed(state: &ConsoleState) -> Vec<String> {
    let text = state.tape().to_string();
    text.lines().skip(1).map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

#[test]
fn the_screen_shows_all_there_is() {
    let mut state = begun("reversi", 0, 2);
    press(&mut state, "Right a 1");
    ticks(&mut state, 1);
    assert_eq!(
        screen(&state),
        [
            "0 Reversi: catch rows of the other colour between two of yours",
            "      a    b    c    d    e    f    g    h    i",
            "  9   .    .    .    .    .    .    .    .    .   9   (G) Green      2",
            "                                                          you",
            "  8   .    .    .    .    .    .    .    .    .   8   ( ) Red        2",
            "                                                          board, level 2",
            "  7   .    .    .    +    .    .    .    .    .   7       counted: points",
            "",
            "  6   .    .    +    R    G    .    .    .    .   6   Time 30.0 s",
            "                                                      [====================]",
            "  5   .    .    .    G    R  [ + ]  .    .    .   5",
            "                                                      Aim: keys, x 2",
            "  4   .    .    .    .    +    .    .    .    .   4",
            "",
            "  3   .    .    .    .    .    .    .    .    .   3",
            "",
            "  2   .    .    .    .    .    .    .    .    .   2",
            "",
            "  1   .    .    .    .    .    .    .    .    .   1",
            "      a    b    c    d    e    f    g    h    i",
            "a1 lies next to no red point, so it catches nothing.",
            "",
            " o Game 0 Reversi   t Time 5 (30 s)   v Speed -   l Level 2   m Mode 0",
            "arrows, Enter press   e5 names a point   n new   q leave   ? keys",
        ]
    );
}

/// All texts and values fit in every game and mode.
#[test]
fn all_ten_games_fit_the_screen() {
    for game in CONSOLE {
        for mode in 0..game.modes {
            for level in if game.uses_level { 0..=4 } else { 0..=0 } {
                let mut state = begun(game.name, mode, level);
                ticks(&mut state, 300);
                let screen = screen(&state);
                let has = |row: usize, what: &str| {
                    assert!(screen[row].contains(what), "{what}: {screen:#?}");
                };
                has(0, &format!("{} {}: {}", game.number, game.title, game.about));
                for (line, row) in (1..=9).rev().zip((2..).step_by(2)) {
                    has(row, &format!(" {line}  "));
                    let marks: String = screen[row]
                        .chars()
                        .skip(4)
                        .take(45)
                        .filter(|c| !" [<>()]".contains(*c))
                        .collect();
                    assert_eq!(marks.len(), 9, "{marks}: {screen:#?}");
                    for (column, mark) in (0..).zip(marks.chars()) {
                        let at = Square::at(9 - line, column).unwrap();
                        let age = state.scene.ages[at.index()];
                        let light = match state.scene.at(at) {
                            _ if age > 0 => char::from(b'0' + age),
                            Light::Dark if state.scene.flash.contains(at) => '+',
                            Light::Dark => '.',
                            Light::Green => 'G',
                            Light::Red => 'R',
                            Light::Amber => '#',
                        };
                        assert_eq!(mark, light, "{at}: {screen:#?}");
                    }
                }
                has(2, &state.scene.score[0].to_string());
                has(4, &state.scene.score[1].to_string());
                has(6, &format!("counted: {}", state.scene.counts));
                for button in Button::ALL {
                    let value = state.panel.value(button).unwrap_or_else(|| "-".into());
                    has(22, &format!(" {} {value}", words::name(button)));
                }
                has(23, "q leave");
                for (button, is_used) in [
                    (Button::Speed, game.is_timed_by_speed),
                    (Button::Time, game.uses_time),
                    (Button::Level, game.uses_level),
                ] {
                    assert_eq!(state.panel.value(button).is_some(), is_used);
                }
                let text = grammar::lines(&state.message(), 80, "");
                assert!(text.lines().count() <= 2, "{text}");
            }
        }
    }
}

/// The widest values still fit beside each other.
#[test]
fn buttons_never_touch() {
    for game in CONSOLE {
        let time = game.uses_time.then_some(9);
        let wish = PanelOptions { game: Some(game.name.into()), time, ..PanelOptions::default() };
        let line = screen(&console(&wish))[22].clone();
        assert!(line.len() <= 80 && line.contains("m Mode 0"), "{line}");
    }
}

#[test]
fn lights_have_colours_and_letters() {
    let mut state = begun("reversi", 0, 0);
    let look = |state: &ConsoleState, column: u16, line: u16| {
        let buffer = drawn(state);
        let cell = &buffer[(4 + 5 * column + 2, 2 + 2 * line)];
        (cell.symbol().to_owned(), cell.bg, cell.modifier.contains(Modifier::REVERSED))
    };
    assert_eq!(look(&state, 3, 3), ("R".into(), Color::Red, false));
    assert_eq!(look(&state, 4, 3), ("G".into(), Color::Green, false));
    assert_eq!(look(&state, 0, 0), (".".into(), Color::Reset, false));
    state.has_colours = false;
    assert_eq!(look(&state, 3, 3), ("R".into(), Color::Reset, true));
    assert_eq!(look(&state, 4, 3), ("G".into(), Color::Reset, false));
    press(&mut state, "/ a 1");
    ticks(&mut state, 2);
    let buffer = drawn(&state);
    assert!(buffer.content().iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
}

#[test]
fn legal_points_flash_on_and_off() {
    let mut state = begun("reversi", 0, 0);
    press(&mut state, "/ a 1");
    let mut pictures = Vec::new();
    for _ in 0..60 {
        ticks(&mut state, 1);
        let cell = drawn(&state)[(4 + 5 * 3 + 2, 2 + 2 * 2)].clone();
        pictures.push((cell.symbol().to_owned(), cell.bg == Color::Cyan));
    }
    pictures.dedup();
    let flash: Vec<(&str, bool)> = pictures.iter().map(|(mark, on)| (mark.as_str(), *on)).collect();
    assert_eq!(flash, [("+", true), ("+", false), ("+", true), ("+", false), ("+", true)]);
    ticks(&mut state, 2);
    assert!(!screen(&state).join("").contains('+'));
}

#[test]
fn the_last_press_and_both_cursors_are_marked() {
    let mut state = begun("countlines", 0, 0);
    press(&mut state, "Space");
    ticks(&mut state, 1);
    assert_eq!(screen(&state)[10], "  5   .    .    .  [(G)]  .  < . >  .    .    .   5");
    press(&mut state, "d d");
    assert_eq!(screen(&state)[10], "  5   .    .    .   (G)   .  [ . >  .    .    .   5");
    // A single player has one cursor.
    let state = begun("countlines", 0, 1);
    assert_eq!(screen(&state)[10], "  5   .    .    .    .  [ . ]  .    .    .    .   5");
}

/// Two players at one keyboard: `w a s d` are green's, so names of points start with `/`.
#[test]
fn keys_of_two_players_do_not_meet() {
    let mut state = begun("countlines", 0, 0);
    press(&mut state, "a w Space");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G c6"]);
    press(&mut state, "Left Down Enter");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G c6", "R e4"]);
    // Without a slash it is not a name; with one it is a press for the side on turn.
    press(&mut state, "h 9 / a 9");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G c6", "R e4", "G a9"]);
    press(&mut state, "/ d 1");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G c6", "R e4", "G a9", "R d1"]);
    // Names do not move the cursors: green's is where `a w` took it.
    assert_eq!(state.cursors.map(|at| at.to_string()), ["c6", "e4"]);
}

#[test]
fn one_player_has_both_blocks_of_keys_and_all_names() {
    let mut state = begun("countlines", 0, 1);
    press(&mut state, "a 9");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G a9"]);
    for (keys, at) in [("d 1 Right Space", "d1"), ("Up Enter", "e6")] {
        let mut state = begun("countlines", 0, 1);
        press(&mut state, keys);
        ticks(&mut state, 1);
        assert_eq!(pressed(&state)[0], format!("G {at}"), "{keys}");
    }
    // Where the computer plays green, the keys are red's.
    let wish =
        PanelOptions { game: Some("ghost".into()), green: Some(1), ..PanelOptions::default() };
    let mut state = console(&wish);
    press(&mut state, "Enter Down Enter");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["R e4"]);
}

#[test]
fn a_name_can_be_broken_off() {
    let mut state = begun("countlines", 0, 1);
    press(&mut state, "e");
    assert!(state.message().starts_with("Point e_:"), "{}", state.message());
    press(&mut state, "Esc 5");
    ticks(&mut state, 1);
    assert!(!state.is_left() && pressed(&state).is_empty());
    // Another letter replaces the column.
    press(&mut state, "e f 5");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G f5"]);
}

#[test]
fn clicks_press_points_and_buttons() {
    let wish = PanelOptions { game: Some("countlines".into()), ..PanelOptions::default() };
    let mut state = console(&wish);
    assert_eq!(state.settings().aim, 2);
    // The first click begins the game, with a mouse.
    click(&mut state, 20, 10, MouseButton::Left);
    assert_eq!((state.stage, state.settings().aim), (ConsoleStage::Running, 1));
    assert!(screen(&state).iter().any(|line| line.ends_with("Aim: mouse, x 1")));
    for (column, row) in [(4, 2), (48, 19), (24, 10), (28, 11)] {
        click(&mut state, column, row, MouseButton::Left);
        ticks(&mut state, 1);
    }
    // Beside the board, and with the other button.
    for (column, row, button) in [
        (3, 2, MouseButton::Left),
        (49, 2, MouseButton::Left),
        (4, 1, MouseButton::Left),
        (8, 8, MouseButton::Right),
    ] {
        click(&mut state, column, row, button);
        ticks(&mut state, 1);
    }
    assert_eq!(pressed(&state), ["G a9", "R i1", "G e5", "R e5"]);
    // A click on a button, before and after the gap between two.
    let mut state = console(&wish);
    for (column, button, expected) in [
        (0, MouseButton::Left, "fillit"),
        (0, MouseButton::Right, "countlines"),
        (0, MouseButton::Right, "symmetry"),
        (0, MouseButton::Left, "countlines"),
    ] {
        click(&mut state, column, 22, button);
        assert_eq!(state.game().name, expected);
    }
    let line = screen(&state)[22].clone();
    let mode = u16::try_from(line.find("m Mode").unwrap()).unwrap();
    click(&mut state, mode, 22, MouseButton::Right);
    assert_eq!(state.settings().mode, 4);
    click(&mut state, mode - 2, 22, MouseButton::Left);
    assert_eq!((state.settings().mode, state.settings().level), (4, 0), "between two buttons");
}

/// A larger terminal shows the board in its middle, and clicks follow.
#[test]
fn a_larger_terminal_has_the_board_in_its_middle() {
    let mut state = begun("countlines", 0, 0);
    state.act(Action::Resize(120, 40));
    let screen = screen(&state);
    assert_eq!(&screen[8][20..], "5 CountLines: make rows of four");
    assert_eq!((screen.len(), screen[0].as_str()), (40, ""));
    click(&mut state, 20 + 4, 8 + 2, MouseButton::Left);
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G a9"]);
}

#[test]
fn a_small_terminal_says_what_is_needed_and_the_game_waits() {
    let mut state = begun("ghost", 0, 0);
    ticks(&mut state, 10);
    for size in [(79, 24), (80, 23), (20, 8), (1, 1)] {
        state.act(Action::Resize(size.0, size.1));
        ticks(&mut state, 50);
        assert_eq!(state.tape().ticks(), 10, "nothing goes on unseen");
        let text = screen(&state).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let told = text.contains(&format!(
            "The console needs 80 columns and 24 lines; there are {} and {}.",
            size.0, size.1
        ));
        assert!(told || size == (1, 1), "{text}");
        click(&mut state, 0, 0, MouseButton::Left);
    }
    state.act(Action::Resize(80, 24));
    ticks(&mut state, 5);
    assert_eq!(state.tape().ticks(), 15);
    assert!(screen(&state)[0].starts_with("1 Ghost"));
}

#[test]
fn buttons_go_round_and_remember_what_a_game_had() {
    let mut state = console(&PanelOptions { game: Some("1".into()), ..PanelOptions::default() });
    press(&mut state, "F3 F3 F5");
    assert_eq!((state.settings().speed, state.settings().mode), (7, 1));
    press(&mut state, "F1 F3 F4 F2");
    let settings = *state.settings();
    assert_eq!((state.game().name, settings.speed, settings.mode), ("life", 6, 0));
    assert_eq!((settings.level, settings.time), (1, 6));
    // Nine games on is the previous game: it has its own speed and mode, and the current level.
    press(&mut state, "F1 F1 F1 F1 F1 F1 F1 F1 F1");
    let settings = *state.settings();
    assert_eq!((state.game().name, settings.speed, settings.mode), ("ghost", 7, 1));
    assert_eq!((settings.level, settings.time), (1, 6));
    for (key, modes) in [("F5", [2, 3, 0, 1]), ("F17", [0, 3, 2, 1])] {
        for mode in modes {
            press(&mut state, key);
            assert_eq!(state.settings().mode, mode);
        }
    }
    for _ in 0..10 {
        press(&mut state, "F2");
    }
    for level in [2, 3, 4, 0] {
        press(&mut state, "F4");
        assert_eq!(state.settings().level, level);
    }
    assert_eq!((state.settings().time, state.stage), (6, ConsoleStage::Waiting));
}

#[test]
fn a_button_that_says_nothing_to_a_game_says_so() {
    for (game, key, said) in [
        ("reversi", "F3", "Reversi does not go by speed."),
        ("touchit", "F2", "TouchIt has no time for a move."),
        ("symmetry", "F4", "Symmetry is played alone: it has no level."),
    ] {
        let mut state =
            console(&PanelOptions { game: Some(game.into()), ..PanelOptions::default() });
        let panel = state.panel;
        press(&mut state, key);
        assert_eq!((state.message().as_str(), state.panel), (said, panel));
    }
}

/// A slip of the finger does not lose a game.
#[test]
fn buttons_pressed_in_a_game_hold_for_the_next_one() {
    let mut state = begun("ghost", 0, 0);
    ticks(&mut state, 50);
    press(&mut state, "F1 F4");
    assert_eq!((state.game().name, state.stage), ("ghost", ConsoleStage::Running));
    assert_eq!(state.message(), words::NEXT);
    press(&mut state, "n");
    assert_eq!((state.game().name, state.message().as_str()), ("ghost", words::SURE));
    press(&mut state, "Up n");
    assert_eq!(state.stage, ConsoleStage::Running, "it was taken back by another key");
    press(&mut state, "n");
    assert_eq!((state.game().name, state.stage), ("life", ConsoleStage::Waiting));
    assert_eq!((state.settings().level, state.settings().seed), (1, 2));
    let [tape] = &state.take_ended()[..] else { panic!("the game that was given up is kept") };
    assert_eq!((tape.game.name, tape.ticks()), ("ghost", 50));
    tape.replay().unwrap();
}

#[test]
fn what_is_to_be_remembered_is_not_shown_before_the_clock_runs() {
    for (game, count) in [("findthem", 48), ("life", 28)] {
        let mut state =
            console(&PanelOptions { game: Some(game.into()), ..PanelOptions::default() });
        ticks(&mut state, 100);
        let marks = |state: &ConsoleState| {
            let lines = screen(state)[2..19].to_vec();
            let board: String =
                lines.iter().flat_map(|line| line.chars().skip(4).take(45)).collect();
            board.matches(['G', 'R', '1']).count()
        };
        assert_eq!((marks(&state), state.tape().ticks()), (0, 0), "{game}");
        press(&mut state, "Enter");
        ticks(&mut state, 1);
        assert_eq!(marks(&state), count, "{game}");
    }
}

#[test]
fn passing_is_for_games_that_have_it() {
    let mut state = begun("reversi", 0, 0);
    press(&mut state, "p");
    assert_eq!(state.message(), "There is no pass in this mode of Reversi.");
    let mut state = begun("speedgo", 0, 0);
    press(&mut state, "p");
    ticks(&mut state, 1);
    press(&mut state, "p");
    ticks(&mut state, 1);
    assert_eq!(pressed(&state), ["G pass", "R pass"]);
    assert_eq!(state.stage, ConsoleStage::Over);
}

/// The winner is shown, the bell rings once, and the tape is saved once.
#[test]
fn the_end_is_told_with_one_ring() {
    for game in CONSOLE {
        let level = u8::from(game.uses_level);
        let wish = PanelOptions {
            game: Some(game.name.into()),
            level: Some(level),
            green: Some(level),
            speed: game.is_timed_by_speed.then_some(9),
            ..PanelOptions::default()
        };
        let mut state = console(&wish);
        press(&mut state, "Enter");
        let mut rings = 0;
        for _ in 0..400_000 {
            ticks(&mut state, 1);
            rings += u32::from(state.bell());
            if state.stage == ConsoleStage::Over {
                break;
            }
        }
        ticks(&mut state, 10);
        assert!(!state.bell());
        assert_eq!(rings, 1, "{}", game.name);
        let said = match state.outcome().unwrap() {
            Outcome::Won { reason, .. } if !game.uses_level => format!("You have lost {reason}."),
            Outcome::Won { by, reason, .. } => {
                format!("{} wins {reason}!", games::SIDES[by.index()])
            }
            Outcome::Drawn { reason } => format!("The game is a draw: {reason}."),
        };
        assert!(screen(&state)[20].starts_with(&said), "{said}: {}", state.message());
        let tapes = state.take_ended();
        assert_eq!((tapes.len(), state.take_ended().len()), (1, 0));
        // The replay has the same end.
        let tape: Tape = tapes[0].to_string().parse().unwrap();
        let mut again = ConsoleState::replaying(tape, SIZE, true);
        while again.stage == ConsoleStage::Running {
            ticks(&mut again, 1);
        }
        assert_eq!(
            (again.differs_from_tape(), again.outcome()),
            (false, state.outcome()),
            "{}",
            game.name
        );
        assert!(again.bell());
    }
}

/// A search on another thread has the same result as one in place; presses meanwhile and results
/// for an abandoned game are ignored.
#[test]
fn thinking_beside_the_screen_changes_nothing() {
    let mut state = begun("reversi", 0, 1);
    let mut other = begun("reversi", 0, 1);
    for state in [&mut state, &mut other] {
        press(state, "d 7");
        ticks(state, 1);
    }
    let mut thoughts = 0;
    for _ in 0..400 {
        if let Some(thought) = state.take_search() {
            thoughts += 1;
            assert_eq!(state.message(), words::THINKING);
            press(&mut state, "a 1");
            ticks(&mut state, 20);
            state.finish_search(thought.think());
        } else {
            state.tick();
        }
        other.tick();
    }
    assert_eq!((thoughts, state.tape().to_string()), (1, other.tape().to_string()));
    assert_eq!(pressed(&state), ["G d7"]);
    for keys in ["c 5", "c 6", "c 7", "d 4", "f 6", "e 4", "f 5", "e 7"] {
        press(&mut state, keys);
        ticks(&mut state, 1);
    }
    let thought = (0..400).find_map(|_| {
        let thought = state.take_search();
        state.tick();
        thought
    });
    press(&mut state, "n n");
    assert_eq!(state.stage, ConsoleStage::Waiting);
    let fresh = state.tape().to_string();
    state.finish_search(thought.expect("one of these was legal").think());
    assert_eq!(state.tape().to_string(), fresh);
}

#[test]
fn a_replay_stops_and_goes_on() {
    let mut state = begun("ghost", 0, 1);
    for keys in ["e 5", "d 5", "f 6"] {
        press(&mut state, keys);
        ticks(&mut state, 300);
    }
    let tape = state.tape();
    let mut replay = ConsoleState::replaying(tape.to_string().parse().unwrap(), SIZE, true);
    ticks(&mut replay, 100);
    press(&mut replay, "Space");
    ticks(&mut replay, 100);
    assert_eq!((replay.play_ticks(), replay.is_running()), (100, false));
    assert!(screen(&replay).iter().any(|line| line.ends_with("Replay: x 1, paused")));
    // Nothing is pressed in it.
    press(&mut replay, "p e 5 F1 n");
    ticks(&mut replay, 10_000);
    assert_eq!((replay.stage, replay.play_ticks()), (ConsoleStage::Over, 900));
    assert_eq!(replay.message(), words::BROKEN_OFF);
    assert_eq!((replay.scene.clone(), replay.differs_from_tape()), (state.scene.clone(), false));
    assert!(replay.take_ended().is_empty(), "it is not recorded again");
    let told = |state: &mut ConsoleState, code| {
        state.handle_event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    };
    for (code, step) in [
        (KeyCode::Right, Some(Step::Next)),
        (KeyCode::Left, Some(Step::Previous)),
        (KeyCode::Char('+'), Some(Step::Next)),
        (KeyCode::Char('-'), Some(Step::Previous)),
        (KeyCode::Char('x'), None),
    ] {
        assert_eq!(told(&mut replay, code), step);
    }
    // A tape with another end is reported there.
    let text = tape.to_string().replacen("ticks=900", "ticks=890", 1);
    let mut replay = ConsoleState::replaying(text.parse().unwrap(), SIZE, true);
    ticks(&mut replay, 900);
    assert!(replay.differs_from_tape());
    assert!(
        screen(&replay)[20].starts_with("The game does not come to the end that the tape tells")
    );
}

#[test]
fn a_wish_that_cannot_be_is_refused() {
    let wish = |game: &str| PanelOptions { game: Some(game.into()), ..PanelOptions::default() };
    for (wish, said) in [
        (wish("ghots"), "there is no game `ghots` on the console; did you mean `ghost`?"),
        (
            wish("plakoto"),
            "there is no game `plakoto` on the console; the games are reversi, ghost, life, \
             touchit, symmetry, countlines, fillit, findthem, visiput, speedgo",
        ),
        (PanelOptions { mode: Some(6), ..wish("reversi") }, "mode goes from 0 to 5 in Reversi"),
        (PanelOptions { mode: Some(2), ..wish("life") }, "mode goes from 0 to 1 in Life"),
        (PanelOptions { level: Some(5), ..wish("ghost") }, "level goes from 0 to 4 in Ghost"),
        (PanelOptions { green: Some(5), ..wish("ghost") }, "green goes from 0 to 4 in Ghost"),
        (PanelOptions { speed: Some(10), ..wish("ghost") }, "speed goes from 0 to 9 in Ghost"),
        (PanelOptions { time: Some(10), ..wish("ghost") }, "time goes from 0 to 9 in Ghost"),
        (PanelOptions { speed: Some(5), ..wish("reversi") }, "Reversi does not go by speed"),
        (PanelOptions { time: Some(5), ..wish("touchit") }, "TouchIt has no time for a move"),
        (
            PanelOptions { level: Some(1), ..wish("symmetry") },
            "Symmetry is played alone: it has no level",
        ),
        (
            PanelOptions { green: Some(1), ..wish("symmetry") },
            "Symmetry is played alone: it has no level",
        ),
    ] {
        assert_eq!(ControlPanel::new(&wish).unwrap_err().to_string(), said);
    }
    for name in ["SpeedGo", "9"] {
        assert_eq!(ControlPanel::new(&wish(name)).unwrap().game().name, "speedgo");
    }
    assert_eq!(ControlPanel::new(&PanelOptions::default()).unwrap().game().name, "reversi");
}

/// Both lights of `TouchIt` are on: a click is for the side of the point's colour.
#[test]
fn a_click_where_both_may_press_is_for_the_colour_that_shines() {
    for (seat, light) in Seat::BOTH.into_iter().zip([Light::Green, Light::Red]) {
        let mut state = begun("touchit", 0, 0);
        let lit = |state: &ConsoleState| Square::all().find(|&at| state.scene.at(at) == light);
        while lit(&state).is_none() {
            ticks(&mut state, 1);
        }
        assert_eq!(state.scene.turn, [true; 2]);
        let at = lit(&state).unwrap();
        state.act(Action::Click(at));
        ticks(&mut state, 1);
        let tape = state.tape();
        assert_eq!(tape.pressed_at(tape.ticks()), [(seat, Press::At(at))]);
        assert_eq!(state.scene.score[seat.index()], 1);
    }
}

/// Keys typed faster than the ticks count for the side that is on turn when they are handled.
#[test]
fn fast_fingers_press_for_one_side_and_then_for_the_other() {
    let mut state = begun("countlines", 2, 0);
    press(&mut state, "/ a 1 / b 1 / c 1");
    ticks(&mut state, 3);
    assert_eq!(pressed(&state), ["G a1", "R b1", "G c1"]);
}

#[test]
fn nothing_is_drawn_twice() {
    let mut state = begun("countlines", 0, 0);
    state.look();
    let mut pictures = 0;
    for _ in 0..100 {
        state.tick();
        pictures += u32::from(state.look());
    }
    assert_eq!(pictures, 10, "the clock shows tenths of a second");
    assert!(!state.look());
    press(&mut state, "Up");
    state.act(Action::Pass);
    assert!(state.look());
}

/// Prints the line of `docs/performance.md`.
#[test]
#[ignore = "a measurement: see docs/performance.md"]
fn time_for_a_picture() {
    use std::time::Instant;
    #[expect(clippy::disallowed_methods, reason = "the test measures time")]
    let now = Instant::now;
    for game in CONSOLE {
        let mut state = begun(game.name, 0, 0);
        let mut terminal = Terminal::new(TestBackend::new(WIDTH, HEIGHT)).unwrap();
        let mut times: Vec<u128> = (0..1001)
            .map(|_| {
                ticks(&mut state, 10);
                let begun = now();
                state.look();
                terminal.draw(|frame| draw(&state, frame)).unwrap();
                begun.elapsed().as_micros()
            })
            .collect();
        times.sort_unstable();
        println!("{}: median {} us, slowest {} us", game.title, times[500], times[1000]);
    }
}

/// A slip of the finger does not leave a game; without a running game nothing is asked.
#[test]
fn leaving_in_the_middle_of_a_game_is_asked_about() {
    for key in ["Esc", "q"] {
        for again in [key, "y"] {
            let mut state = begun("ghost", 0, 0);
            press(&mut state, key);
            assert_eq!((state.is_left(), state.message().as_str()), (false, words::LEAVE));
            ticks(&mut state, 10);
            assert_eq!(state.tape().ticks(), 10, "the clock goes on");
            press(&mut state, again);
            assert!(state.is_left(), "{key} {again}");
        }
        // Any other key continues, and then the question is asked again.
        for other in ["Up", "n", "e", "?"] {
            let mut state = begun("ghost", 0, 1);
            press(&mut state, key);
            press(&mut state, other);
            press(&mut state, "y");
            assert!(!state.is_left(), "{key} {other}");
        }
        let mut state = console(&PanelOptions::default());
        press(&mut state, key);
        assert!(state.is_left(), "nothing was begun");
        let tape = begun("ghost", 0, 0).tape();
        let mut replay = ConsoleState::replaying(tape, SIZE, true);
        press(&mut replay, key);
        assert!(replay.is_left(), "a replay is lost by nobody");
    }
    let mut state = begun("ghost", 0, 0);
    let code = KeyCode::Char('c');
    state.handle_event(&Event::Key(KeyEvent::new(code, KeyModifiers::CONTROL)));
    assert!(state.is_left(), "Ctrl-C asks nothing");
}

#[test]
fn a_question_mark_shows_all_keys() {
    for game in ["ghost", "countlines"] {
        let mut state = begun(game, 0, 1);
        let board = screen(&state);
        press(&mut state, "?");
        let shown = screen(&state);
        for (line, keys) in shown[2..].iter().zip(words::ALL_KEYS) {
            assert!(line[..54.min(line.len())].contains(keys), "{line}: {keys}");
        }
        assert_eq!(shown[2..19].len(), words::ALL_KEYS.len(), "they fit");
        assert_eq!(shown[22..], board[22..]);
        press(&mut state, "Esc");
        assert_eq!((screen(&state), state.is_left()), (board, false));
        press(&mut state, "? ?");
        assert!(!state.shows_keys);
    }
    // Every button and every key of the list has an effect.
    let list = words::ALL_KEYS.join(" ");
    assert!(
        Button::ALL.iter().all(|&button| list.contains(&format!("{} or F", words::letter(button))))
    );
}

/// Function keys may belong to tmux or to the volume of a laptop: each button has a letter as well.
#[test]
fn letters_press_the_buttons() {
    for (letter, key) in [("o", "F1"), ("t", "F2"), ("v", "F3"), ("l", "F4"), ("m", "F5")] {
        for level in [0, 1] {
            let wish = || PanelOptions {
                game: Some("ghost".into()),
                level: Some(level),
                ..PanelOptions::default()
            };
            let [mut one, mut other] = [console(&wish()), console(&wish())];
            let before = one.panel;
            press(&mut one, letter);
            press(&mut other, key);
            assert_eq!(one.panel, other.panel, "{letter}");
            assert_ne!(one.panel, before, "{letter}");
            press(&mut one, &letter.to_uppercase());
            assert_eq!(one.panel, before, "with Shift {letter} goes back");
        }
    }
    assert!(
        screen(&console(&PanelOptions::default()))[22].contains(" l Level _ "),
        "two people play (S4)"
    );
}

/// A large terminal has a larger board, and clicks follow.
#[test]
fn a_large_terminal_has_a_large_board() {
    for (size, scale, origin) in
        [((124, 42), 1, (22, 9)), ((125, 42), 2, (0, 0)), ((171, 61), 3, (0, 0))]
    {
        let mut state = begun("countlines", 0, 0);
        state.act(Action::Resize(size.0, size.1));
        let (wide, high) = (5 * scale, 2 * scale);
        for (at, button) in [("a9", (0, 0)), ("i1", (8, 8)), ("e5", (4, 4))] {
            // Each corner of its cell.
            for (x, y) in [(0, 0), (wide - 1, high - 1)] {
                let column = origin.0 + 4 + button.0 * wide + x;
                let row = origin.1 + 2 + button.1 * high + y;
                let target = draw::target(&state, column, row);
                assert_eq!(target, Some(ClickTarget::Point(at.parse().unwrap())), "{size:?} {at}");
            }
        }
        click(&mut state, origin.0 + 4, origin.1 + 2, MouseButton::Left);
        ticks(&mut state, 1);
        let buffer = drawn(&state);
        let lit = (0..size.0).flat_map(|x| (0..size.1).map(move |y| (x, y)));
        // Red's lamp beside the board has another colour.
        let green = lit.filter(|&place| buffer[place].bg == Color::Green).count();
        assert_eq!(green, usize::from((wide - 2) * (high - 1)), "{size:?}");
        let text = screen(&state).join("\n");
        for part in ["Red        0", "o Game 5 CountLines", "? keys", "Time 30.0 s"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        press(&mut state, "?");
        assert!(screen(&state).join("\n").contains(words::ALL_KEYS[16]));
    }
}

/// The winner's turn light blinks indefinitely.
#[test]
fn the_winners_light_blinks() {
    let wish = PanelOptions {
        game: Some("ghost".into()),
        level: Some(1),
        green: Some(1),
        speed: Some(9),
        ..PanelOptions::default()
    };
    let mut state = console(&wish);
    press(&mut state, "Enter");
    while state.stage == ConsoleStage::Running {
        assert!(!state.is_blinking());
        ticks(&mut state, 1);
    }
    let Some(Outcome::Won { by, .. }) = state.outcome() else {
        panic!("somebody wins with this seed")
    };
    let row = 2 + 2 * by.index();
    let lamp = ["(G)", "(R)"][by.index()];
    let mut pictures = Vec::new();
    for _ in 0..200 {
        state.tick();
        if state.look() {
            pictures.push(screen(&state)[row].contains(lamp));
        }
    }
    pictures.dedup();
    assert!(state.is_blinking() && pictures.len() >= 4, "{pictures:?}");
    press(&mut state, "n");
    assert!(!state.is_blinking());
}

#[test]
fn the_period_shown_is_that_of_the_ghost() {
    let mut state = begun("ghost", 0, 0);
    let period = |state: &ConsoleState| {
        let line = screen(state).into_iter().find(|line| line.contains("Period: "));
        line.unwrap().split("Period: ").nth(1).unwrap().to_owned()
    };
    assert_eq!(period(&state), "1.40 s");
    press(&mut state, "/ a 1");
    ticks(&mut state, 1);
    assert_eq!(period(&state), "1.47 s");
}

/// The game's period of 0.7 seconds can be selected with keys as well.
#[test]
fn keys_may_be_as_fast_as_a_mouse() {
    let mut state = console(&PanelOptions { game: Some("life".into()), ..PanelOptions::default() });
    assert_eq!(state.settings().period(), 140);
    press(&mut state, "x");
    assert_eq!(state.settings().period(), 70);
    press(&mut state, "Enter");
    ticks(&mut state, 1);
    assert!(screen(&state).iter().any(|line| line.ends_with("Aim: keys, x 1")));
    assert!(state.tape().to_string().contains(" aim=1 "));
    // In the middle of a game it applies to the next one.
    press(&mut state, "x");
    assert_eq!(state.settings().period(), 70);
    press(&mut state, "n n Enter");
    assert_eq!(state.settings().period(), 140);
}

#[test]
fn life_begins_with_as_many_points_as_somebody_likes() {
    let wish =
        PanelOptions { game: Some("life".into()), points: Some(10), ..PanelOptions::default() };
    let mut state = console(&wish);
    assert_eq!(state.settings().points, 10);
    press(&mut state, "u");
    assert_eq!(state.settings().points, 12);
    press(&mut state, "U U U U");
    assert_eq!(state.settings().points, 0, "as many as it has by itself");
    press(&mut state, "U");
    assert_eq!(state.settings().points, 40);
    press(&mut state, "Enter");
    ticks(&mut state, 1);
    let shown = screen(&state);
    assert!(shown.iter().any(|line| line.ends_with("Start up: 40 points")));
    let ones = shown[2..19]
        .iter()
        .map(|line| line.chars().skip(4).take(45).filter(|c| *c == '1').count())
        .sum::<usize>();
    assert_eq!(ones, 40, "each is of age 1");
    let tape: Tape = state.tape().to_string().parse().unwrap();
    assert_eq!(tape.settings.points, 40);
    tape.replay().unwrap();
    // Nowhere else.
    let mut state =
        console(&PanelOptions { game: Some("ghost".into()), ..PanelOptions::default() });
    press(&mut state, "u");
    assert_eq!((state.message().as_str(), state.settings().points), (words::NO_START_UP, 0));
    for (game, points, said) in [
        ("ghost", 10, "Ghost has no number of points to begin with"),
        ("life", 5, "points go from 6 to 40"),
        ("life", 41, "points go from 6 to 40"),
        ("life", 0, "points go from 6 to 40"),
    ] {
        let wish = PanelOptions {
            game: Some(game.into()),
            points: Some(points),
            ..PanelOptions::default()
        };
        assert_eq!(ControlPanel::new(&wish).unwrap_err().to_string(), said);
    }
}
