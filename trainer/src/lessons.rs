//! `lessons GAME --from FILE --count N --seed S`: training positions for `train --lessons`.
//!
//! Targets are found as in `train --ahead`: by the 21 rolls of a position, each played best. The
//! positions are successors of the best plays of a roll, since differences between these matter for
//! play.

use clap::Parser;
use games::{AnySituation, Chance, GameNets, Inputs, NetWorkspace, Situation as _, Throw};
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::process::ExitCode;
use trainer::{Lesson, course};

/// Writes positions of self-play with their targets.
#[derive(Debug, Parser)]
#[command(name = "lessons")]
struct Args {
    /// The game.
    #[arg(value_parser = AnySituation::GAMES)]
    game: String,
    /// The weights that play and evaluate.
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The number of positions.
    #[arg(long, value_name = "N", default_value_t = 400_000)]
    count: usize,
    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The output file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The number of plays of a roll, and how many points worse than the best they may seem.
const BEST: usize = 4;
const NEAR: f32 = 0.12;

fn main() -> ExitCode {
    trainer::ended("lessons", lessons(&Args::parse()))
}

fn lessons(args: &Args) -> Result<(), String> {
    let bytes =
        std::fs::read(&args.from).map_err(|why| format!("{}: {why}", args.from.display()))?;
    let nets = GameNets::read(AnySituation::shapes(&args.game), &bytes)?;
    let (mut chance, mut work) = (Chance::new(args.seed), NetWorkspace::default());
    let mut lessons = Vec::new();
    let bar = ProgressBar::new(args.count as u64);
    while lessons.len() < args.count {
        for (situation, _) in course(&nets, &args.game, None, &mut chance, &mut work) {
            // One roll in four of a game.
            if chance.below(4) == 0 && situation.over().is_none() {
                let roll = chance.roll(Throw::new(2, situation.faces()));
                let ends = situation.ends(roll);
                let chosen = chosen(&nets, &ends, &mut chance, &mut work);
                lessons.extend(chosen.into_iter().filter_map(|at| {
                    let mut inputs = Inputs::new();
                    let which = ends[at].inputs(&mut inputs)?;
                    let right = ends[at].judged_ahead(&nets, &mut work);
                    Some(Lesson { inputs: inputs.clone(), which, right })
                }));
            }
        }
        bar.set_position(lessons.len() as u64);
    }
    bar.finish_and_clear();
    lessons.truncate(args.count);
    trainer::write(&args.out, &lessons).map_err(|why| format!("{}: {why}", args.out.display()))
}

/// Returns the best plays of a roll, and after every other roll a random play as well, so that bad
/// positions are known. Ends of games need no lesson.
fn chosen(
    nets: &GameNets,
    ends: &[AnySituation],
    chance: &mut Chance,
    work: &mut NetWorkspace,
) -> Vec<usize> {
    let value = |end: &AnySituation, work: &mut NetWorkspace| end.judged(nets, work).equity();
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
