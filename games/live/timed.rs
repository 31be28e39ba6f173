//! The turn games of [`crate::GAMES`] on the console, with a time limit for each move.

use super::common_state::{CommonState, LiveRules, RunningGame};
use super::digest::StateDigest;
use super::{GameInProgress, GameSettings, Light, Scene};
use crate::grid::{Press, SIDES, Square, Stones};
use crate::kit::{
    AnyPosition, Choices, Diagram, MoveError, Next, Piece, Seat, Spot, TiledBoard, View,
};

/// A turn game.
#[derive(Debug)]
pub(super) struct TimedGame {
    position: Box<dyn AnyPosition>,
    /// The tick when the computer's move is due.
    due: u64,
    /// The message.
    line: Option<String>,
}

impl Clone for TimedGame {
    fn clone(&self) -> Self {
        Self { position: self.position.copy(), due: self.due, line: self.line.clone() }
    }
}

/// Starts a game by name.
///
/// # Panics
/// Panics if there is no such game or mode.
pub(super) fn start(name: &str, settings: &GameSettings) -> Box<dyn GameInProgress> {
    RunningGame::start(settings, |common| TimedGame::start(name, common))
}

/// Returns the name of a side at the start of a sentence.
const fn side(seat: Seat) -> &'static str {
    SIDES[seat.index()]
}

const PASS: &str = "pass";

impl TimedGame {
    fn start(name: &str, common: &mut CommonState) -> Self {
        let game = crate::find(name).expect("every turn game of the console is in GAMES");
        let spec = game.spec();
        let word = format!("mode={}", common.settings.mode);
        let options = Choices::parse(spec.options, spec.exclusive, [word.as_str()]);
        let position = game.setup(&options.expect("the mode is one of the game's"));
        let mut timed = Self { position, due: 0, line: None };
        timed.go_on(common);
        timed
    }

    /// Deals stones, and passes for a side without a choice, until a side must press or the game is
    /// over.
    fn go_on(&mut self, common: &mut CommonState) {
        loop {
            match self.position.next() {
                Next::Deal => {
                    let stones = self.position.deal(&mut |limit| common.below(limit));
                    self.position.lay(stones).expect("what is dealt can be laid");
                }
                Next::Over(outcome) => return common.end(outcome),
                Next::Move(seat) if self.position.moves() == [PASS] => {
                    self.position.play_recorded(PASS).expect("a listed move can be carried out");
                    self.line = Some(format!("{} has no legal press and passes", side(seat)));
                }
                Next::Move(seat) => {
                    common.pass_light_to(seat);
                    self.due = common.ticks + common.pause(seat);
                    return;
                }
                Next::Roll(_) | Next::Ready(..) => unreachable!("square games have no dice"),
            }
        }
    }

    /// Plays a legal move.
    fn play(&mut self, common: &mut CommonState, text: &str) {
        self.position.play_recorded(text).expect("a listed move can be carried out");
        common.last = text.parse().ok();
        self.go_on(common);
    }

    /// Moves for a side that ran out of time: passes where that is allowed, otherwise presses a
    /// random legal point.
    fn play_by_clock(&mut self, common: &mut CommonState, seat: Seat) {
        let moves = self.position.moves();
        let finish = self.position.finish();
        let text = match finish {
            Some(text) => text,
            None if moves.iter().any(|m| m == PASS) => PASS.to_owned(),
            None => moves[common.below(moves.len())].clone(),
        };
        self.line = Some(if text == PASS {
            format!("{} has missed the turn", side(seat))
        } else {
            format!("{} ran out of time: {text} is pressed at random", side(seat))
        });
        self.play(common, &text);
    }

    fn board(&self, legal: bool) -> TiledBoard {
        match self.position.diagram(&View { legal, ..View::default() }) {
            Diagram::Board(board) => board,
            Diagram::Corridor(_) | Diagram::Points(_) => {
                unreachable!("the games of the console have square boards")
            }
        }
    }
}

impl LiveRules for TimedGame {
    fn press(&mut self, common: &mut CommonState, _seat: Seat, press: Press) {
        match self.position.play(&press.to_string()) {
            Ok(text) => {
                self.line = None;
                common.last = text.parse().ok();
                self.go_on(common);
            }
            Err(MoveError::Illegal(why)) => {
                self.line = Some(why);
                let legal = self.board(true).legal;
                common.flash(Square::all().filter(|&at| legal.contains(&at.into())).collect());
            }
            Err(_) => unreachable!("a press is spelled right, and the seat's light is on"),
        }
    }

    fn tick(&mut self, common: &mut CommonState) {
        let seat = common.turn().expect("a turn game under way has one light on");
        let level = common.settings.level_of(seat);
        if level > 0 && common.ticks >= self.due {
            let chosen = self.position.choose(level, &mut |limit| common.chance.below(limit));
            let text = chosen.unwrap_or_else(|| {
                let moves = self.position.moves();
                moves[common.below(moves.len())].clone()
            });
            self.line = (text == PASS).then(|| format!("{} passes", side(seat)));
            self.play(common, &text);
        } else if common.runs_out() {
            self.play_by_clock(common, seat);
        }
    }

    fn scene(&self, common: &CommonState) -> Scene {
        let mut board = self.board(false);
        let (score, counts) = board.score.take().unwrap_or(([0; 2], "points".into()));
        let mut scene = common.scene(&Stones::default(), score, counts);
        for square in Square::all() {
            scene.lights[square.index()] = match board.at(Spot::from(square)) {
                None => Light::Dark,
                Some(Piece::Man(seat)) => Light::for_seat(seat),
                Some(_) => Light::Amber,
            };
        }
        scene.line.clone_from(&self.line);
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
        digest.text(&self.position.notation());
        digest.number(self.due);
        digest.text(self.line.as_deref().unwrap_or_default());
    }

    fn thinks(&self, common: &CommonState) -> bool {
        let level = common.turn().map_or(0, |seat| common.settings.level_of(seat));
        level > 0 && common.ticks + 1 >= self.due
    }
}

#[cfg(test)]
mod tests {
    use super::super::common_state::FLASH;
    use super::super::tests::at;
    use super::*;
    use crate::grid::Squares;

    fn game(name: &str, mode: u8, level: u8) -> RunningGame<TimedGame> {
        let settings = GameSettings { mode, level, time: 0, seed: 5, ..GameSettings::default() };
        RunningGame::new(&settings, |common| TimedGame::start(name, common))
    }

    #[test]
    fn an_illegal_press_lets_the_legal_points_flash() {
        let mut game = game("reversi", 0, 0);
        let clock = game.scene().clock.unwrap();
        game.step(&[(Seat(0), at("a1"))]);
        let legal: Vec<String> = game.rules.position.moves();
        let flash: Vec<String> = game.scene().flash.iter().map(|at| at.to_string()).collect();
        assert_eq!(flash, legal);
        assert_eq!(game.scene().turn, [true, false]);
        assert_eq!(game.scene().clock, Some(clock - 1), "the clock goes on");
        let line = game.scene().line.unwrap();
        assert!(line.contains("a1") && line.ends_with("catches nothing"), "{line}");
        for _ in 1..FLASH {
            game.step(&[]);
            assert_ne!(game.scene().flash, Squares::NONE);
        }
        game.step(&[]);
        assert_eq!(game.scene().flash, Squares::NONE);
        let legal = legal[0].parse().unwrap();
        game.step(&[(Seat(1), Press::At(legal)), (Seat(0), Press::Pass)]);
        assert_eq!((game.scene().turn, game.scene().last), ([true, false], None));
        game.step(&[(Seat(0), Press::At(legal))]);
        let scene = game.scene();
        assert_eq!((scene.turn, scene.score, scene.last), ([false, true], [4, 1], Some(legal)));
        assert_eq!((scene.at(legal), scene.line), (Light::Green, None));
    }

    /// The clock moves for a side that does not press: a random point, or a pass.
    #[test]
    fn time_runs_out_as_the_game_has_it() {
        for (name, mode, is_missed) in [
            ("reversi", 0, false),
            ("countlines", 0, false),
            ("fillit", 0, true),
            ("fillit", 1, true),
            ("fillit", 2, false),
            ("fillit", 3, false),
            ("visiput", 0, false),
            ("speedgo", 1, true),
        ] {
            let mut game = game(name, mode, 0);
            let start = game.rules.position.notation();
            for tick in 1..=500 {
                assert_eq!(game.scene().turn, [true, false], "{name} {mode} at {tick}");
                assert_eq!(game.rules.position.notation(), start);
                game.step(&[]);
            }
            let scene = game.scene();
            assert_eq!((scene.turn, scene.clock), ([false, true], Some(500)), "{name} {mode}");
            assert_eq!(scene.last.is_none(), is_missed, "{name} {mode}: {scene:?}");
            let line = scene.line.unwrap();
            assert_eq!(line == "Green has missed the turn", is_missed, "{name} {mode}: {line}");
        }
    }

    #[test]
    fn the_board_answers_at_every_level_of_every_game() {
        for name in ["reversi", "countlines", "fillit", "visiput", "speedgo"] {
            for level in 1..=2 {
                let mut game = game(name, 0, level);
                let red = game.rules.position.moves()[0].parse().unwrap();
                game.step(&[(Seat(0), Press::At(red))]);
                assert_eq!(game.scene().turn, [false, true], "{name}");
                let chosen = game.rules.position.choose(level, &mut |_| 0);
                assert!(chosen.is_some(), "{name} is not known to the board");
                let before = game.rules.position.notation();
                // Nobody presses for the computer.
                let theirs = game.rules.position.moves()[0].parse().unwrap();
                let mut ticks = 0;
                while game.scene().turn == [false, true] {
                    assert_eq!(game.rules.position.notation(), before);
                    let thinks = game.thinks();
                    game.step(&[(Seat(1), Press::At(theirs))]);
                    ticks += 1;
                    assert_eq!(thinks, game.scene().turn == [true, false], "{name} at {ticks}");
                }
                assert!((60..=180).contains(&ticks), "{name}: {ticks}");
            }
        }
    }

    #[test]
    fn two_passes_end_speedgo() {
        let mut game = game("speedgo", 1, 0);
        game.step(&[(Seat(0), at("e5"))]);
        game.step(&[(Seat(1), Press::Pass), (Seat(0), Press::Pass)]);
        assert!(game.over().is_some());
        let scene = game.scene();
        assert_eq!((scene.turn, scene.bell, scene.clock), ([true, false], 1, None));
        let ticks = game.ticks();
        game.step(&[(Seat(0), at("a1"))]);
        assert_eq!((game.ticks(), game.scene()), (ticks, scene));
    }
}
