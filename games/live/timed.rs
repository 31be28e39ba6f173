//! The turn games on the console: those of [`crate::GAMES`], with a clock for each move.

use super::digest::Digest;
use super::table::{Running, Table, Ticking};
use super::{Light, Live, Scene, Sitting};
use crate::grid::{Press, Square, Stones};
use crate::kit::{AnyPosition, Choices, Diagram, Grid, MoveError, Next, Seat, View};

/// A turn game.
#[derive(Debug)]
pub(super) struct Timed {
    position: Box<dyn AnyPosition>,
    /// The tick at which the board has thought, where it is its turn.
    due: u64,
    /// What there is to say.
    line: Option<String>,
}

impl Clone for Timed {
    fn clone(&self) -> Self {
        Self { position: self.position.copy(), due: self.due, line: self.line.clone() }
    }
}

/// Starts the game of that name.
///
/// # Panics
/// There is no such game, or not in that mode.
pub(super) fn start(name: &str, sitting: &Sitting) -> Box<dyn Live> {
    let game = crate::find(name).expect("every turn game of the console is in GAMES");
    let spec = game.spec();
    let word = format!("mode={}", sitting.mode);
    let options = Choices::parse(spec.options, spec.exclusive, [word.as_str()]);
    let position = game.setup(&options.expect("the mode is one of the game's"));
    Running::start(sitting, |table| {
        let mut timed = Timed { position, due: 0, line: None };
        timed.go_on(table);
        timed
    })
}

/// What a side is called at the head of a sentence.
const fn side(seat: Seat) -> &'static str {
    if seat.0 == 0 { "Green" } else { "Red" }
}

const PASS: &str = "pass";

impl Timed {
    /// Lays what is to be dealt and passes for who can do nothing else, until somebody is to press
    /// or the game is over.
    fn go_on(&mut self, table: &mut Table) {
        loop {
            match self.position.next() {
                Next::Deal => {
                    let stones = self.position.deal(&mut |limit| table.below(limit));
                    self.position.lay(stones).expect("what is dealt can be laid");
                }
                Next::Over(outcome) => return table.end(outcome),
                Next::Move(seat) if self.position.moves() == [PASS] => {
                    self.position.recall(PASS).expect("a listed move can be carried out");
                    self.line = Some(format!("{} can press nothing and passes", side(seat)));
                }
                Next::Move(seat) => {
                    table.pass_light_to(seat);
                    self.due = table.ticks + table.pause(seat);
                    return;
                }
                Next::Roll(_) | Next::Ready(..) => unreachable!("square games have no dice"),
            }
        }
    }

    /// Plays what is legal.
    fn play(&mut self, table: &mut Table, text: &str) {
        self.position.recall(text).expect("a listed move can be carried out");
        table.last = text.parse().ok();
        self.go_on(table);
    }

    /// What is done for who has let his time run out: a turn is missed where that is allowed, else
    /// a legal point is pressed by chance.
    fn play_by_clock(&mut self, table: &mut Table, seat: Seat) {
        let moves = self.position.moves();
        let finish = self.position.finish();
        let text = match finish {
            Some(text) => text,
            None if moves.iter().any(|m| m == PASS) => PASS.to_owned(),
            None => moves[table.below(moves.len())].clone(),
        };
        self.line = Some(if text == PASS {
            format!("{} has missed the turn", side(seat))
        } else {
            format!("{} has no time left: {text} is pressed by chance", side(seat))
        });
        self.play(table, &text);
    }

    fn grid(&self, legal: bool) -> Grid {
        match self.position.diagram(&View { legal, ..View::default() }) {
            Diagram::Grid(grid) => grid,
            Diagram::Corridor(_) | Diagram::Points(_) => {
                unreachable!("the games of the console have square boards")
            }
        }
    }
}

impl Ticking for Timed {
    fn press(&mut self, table: &mut Table, _seat: Seat, press: Press) {
        match self.position.play(&press.to_string()) {
            Ok(text) => {
                self.line = None;
                table.last = text.parse().ok();
                self.go_on(table);
            }
            Err(MoveError::Illegal(why)) => {
                self.line = Some(why);
                table.flash(self.grid(true).legal);
            }
            Err(_) => unreachable!("a press is spelled right, and the seat's light is on"),
        }
    }

    fn tick(&mut self, table: &mut Table) {
        let seat = table.turn().expect("a turn game under way has one light on");
        let level = table.sitting.level_of(seat);
        if level > 0 && table.ticks >= self.due {
            let chosen = self.position.choose(level, &mut |limit| table.chance.below(limit));
            let text = chosen.unwrap_or_else(|| {
                let moves = self.position.moves();
                moves[table.below(moves.len())].clone()
            });
            self.line = (text == PASS).then(|| format!("{} passes", side(seat)));
            self.play(table, &text);
        } else if table.runs_out() {
            self.play_by_clock(table, seat);
        }
    }

    fn scene(&self, table: &Table) -> Scene {
        let grid = self.grid(false);
        let (score, counts) = grid.score.unwrap_or(([0; 2], "points"));
        let mut scene = table.scene(&Stones::default(), score, counts);
        for (line, row) in (0..).zip(&grid.rows) {
            for (column, mark) in (0..).zip(row.bytes()) {
                let light = match mark {
                    b'.' => Light::Dark,
                    b'G' => Light::Green,
                    b'R' => Light::Red,
                    _ => Light::Amber,
                };
                if let Some(square) = Square::at(line, column) {
                    scene.lights[square.index()] = light;
                }
            }
        }
        scene.line.clone_from(&self.line);
        scene
    }

    fn write(&self, digest: &mut Digest) {
        digest.text(&self.position.notation());
        digest.number(self.due);
        digest.text(self.line.as_deref().unwrap_or_default());
    }

    fn thinks(&self, table: &Table) -> bool {
        let level = table.turn().map_or(0, |seat| table.sitting.level_of(seat));
        level > 0 && table.ticks + 1 >= self.due
    }
}
