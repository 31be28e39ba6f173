//! `lessons GAME --from FILE --count N --seed S`: positions and what they are worth, for `train --lessons`.
//!
//! What a position is worth is found as in `train --ahead`: by its 21 rolls, each played best. They are not
//! any positions, but what the best plays of a roll lead to, since what counts is how these differ.

use clap::Parser;
use games::{AnySituation, Chance, GameNets, Inputs, NetWorkspace, Situation as _, Throw};
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::process::ExitCode;
use trainer::{Lesson, course};

/// Writes positions of games of a net against itself, with what they are worth.
#[derive(Debug, Parser)]
#[command(name = "lessons")]
struct Order {
    /// The game.
    #[arg(value_parser = AnySituation::GAMES)]
    game: String,
    /// The weights that play and judge.
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// How many positions.
    #[arg(long, value_name = "N", default_value_t = 400_000)]
    count: usize,
    /// The same seed gives the same positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Where they go.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// How many plays of a roll are looked at, and by how many points they may seem worse than the best.
const BEST: usize = 4;
const NEAR: f32 = 0.12;

fn main() -> ExitCode {
    trainer::ended("lessons", lessons(&Order::parse()))
}

fn lessons(order: &Order) -> Result<(), String> {
    let bytes =
        std::fs::read(&order.from).map_err(|why| format!("{}: {why}", order.from.display()))?;
    let brain = GameNets::read(AnySituation::shapes(&order.game), &bytes)?;
    let (mut chance, mut work) = (Chance::new(order.seed), NetWorkspace::default());
    let mut lessons = Vec::new();
    let bar = ProgressBar::new(order.count as u64);
    while lessons.len() < order.count {
        for (situation, _) in course(&brain, &order.game, None, &mut chance, &mut work) {
            // Of a game one roll in four.
            if chance.below(4) == 0 && situation.over().is_none() {
                let roll = chance.roll(Throw::new(2, situation.faces()));
                let ends = situation.ends(roll);
                let chosen = chosen(&brain, &ends, &mut chance, &mut work);
                lessons.extend(chosen.into_iter().filter_map(|at| {
                    let mut inputs = Inputs::new();
                    let which = ends[at].inputs(&mut inputs)?;
                    let right = ends[at].judged_ahead(&brain, &mut work);
                    Some(Lesson { inputs: inputs.clone(), which, right })
                }));
            }
        }
        bar.set_position(lessons.len() as u64);
    }
    bar.finish_and_clear();
    lessons.truncate(order.count);
    trainer::write(&order.out, &lessons).map_err(|why| format!("{}: {why}", order.out.display()))
}

/// The plays of a roll that seem best, and after every other roll any play beside them, so that what is
/// bad is known, too. What ends the game needs no lesson.
fn chosen(
    brain: &GameNets,
    ends: &[AnySituation],
    chance: &mut Chance,
    work: &mut NetWorkspace,
) -> Vec<usize> {
    let value = |end: &AnySituation, work: &mut NetWorkspace| end.judged(brain, work).equity();
    let values = ends.iter().map(|end| value(end, work)).enumerate();
    let mut values: Vec<(usize, f32)> = values.collect();
    values.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let (any, _) = values[chance.below(values.len())];
    let worst = values[0].1 + NEAR;
    let near = values.iter().take(BEST).take_while(|(_, value)| *value <= worst);
    let mut chosen: Vec<usize> = near.map(|(at, _)| *at).collect();
    if chance.below(2) == 0 && !chosen.contains(&any) {
        chosen.push(any);
    }
    chosen.retain(|&at| ends[at].over().is_none());
    chosen
}
