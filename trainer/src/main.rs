//! `train GAME --games N --seed S`: trains the nets of a game.
//!
//! Training is single-threaded and does not depend on time: the same command writes the same bytes
//! on every machine.

mod ahead;
mod curve;
mod learn;
mod selfplay;

use ahead::Held;
use clap::Parser;
use curve::Curve;
use games::{AnySituation, Chance, GameNets};
use indicatif::{ProgressBar, ProgressStyle};
use selfplay::School;
use std::path::PathBuf;
use std::process::ExitCode;
use trainer::Lesson;

/// Trains the nets of a game by self-play.
#[derive(Debug, Parser)]
#[command(name = "train")]
struct Args {
    /// The game.
    #[arg(value_parser = AnySituation::GAMES)]
    game: String,
    /// The number of games of self-play.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    games: u32,
    /// Starts the one-ply training with untrained nets.
    #[arg(long)]
    afresh: bool,
    /// The number of positions for the one-ply training.
    #[arg(long, value_name = "N", default_value_t = 0)]
    ahead: u32,
    /// Lessons that `lessons` wrote, in place of those positions.
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with = "ahead")]
    lessons: Vec<PathBuf>,
    /// The percentage of games for these positions in which one side is greedy.
    #[arg(long, value_name = "N", default_value_t = 0)]
    greedy: u32,
    /// The number of epochs.
    #[arg(long, value_name = "N", default_value_t = 6)]
    rounds: u32,
    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The learning rates at the start and at the end.
    #[arg(long, num_args = 2, value_names = ["FIRST", "LAST"], default_values_t = [0.2, 0.01])]
    rate: Vec<f32>,
    /// The weight of later positions against the next one in temporal difference learning.
    #[arg(long, default_value_t = 0.5)]
    lambda: f32,
    /// The hidden units of each net, if not the usual number.
    #[arg(long, num_args = 1.., value_name = "N")]
    hidden: Vec<usize>,
    /// Weights to start from instead of random ones.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The output file of weights. The learning curve is written beside it, as a table and as a
    /// plot.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Args {
    /// Learning rates at the start and at the end.
    fn rates(&self) -> [f32; 2] {
        [self.rate[0], self.rate[1]]
    }
}

fn main() -> ExitCode {
    trainer::ended("train", train(&Args::parse()))
}

fn train(args: &Args) -> Result<(), String> {
    let mut chance = Chance::new(args.seed);
    let mut nets = match &args.from {
        None => newborn(args, &mut chance),
        Some(file) => {
            let bytes = std::fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
            GameNets::read(AnySituation::shapes(&args.game), &bytes)?
        }
    };
    let mut curve = Curve::new(&args.game, "games");
    if args.games > 0 {
        nets = by_games(args, nets, &chance, &mut curve);
    }
    if args.ahead > 0 || !args.lessons.is_empty() {
        curve = Curve::new(&args.game, "rounds");
        nets = by_looking_ahead(args, nets, &mut chance, &mut curve)?;
    }
    std::fs::write(&args.out, nets.write()).map_err(|why| why.to_string())?;
    curve.write(&args.out).map_err(|why| why.to_string())
}

fn newborn(args: &Args, chance: &mut Chance) -> GameNets {
    GameNets::new(AnySituation::shapes(&args.game), &args.hidden, || (share(chance) - 0.5) * 0.2)
}

/// Returns the nets after self-play.
fn by_games(args: &Args, nets: GameNets, chance: &Chance, curve: &mut Curve) -> GameNets {
    let bar = bar(args.games, "games");
    let mut school = School::new(nets, args.lambda, chance.clone());
    let mark = (args.games / 10).max(1);
    for game in 0..args.games {
        school.rate = rate(args.rates(), game.into(), args.games.into());
        school.play(&args.game);
        if 2 * game > args.games && game % 4 == 0 {
            school.keep();
        }
        if (game + 1) % mark == 0 {
            let loss = school.loss();
            bar.suspend(|| curve.add(game + 1, loss, school.nets()));
        }
        bar.inc(1);
    }
    bar.finish();
    let nets = school.graduate();
    curve.add(args.games, 0.0, &nets);
    nets
}

/// Returns the nets after the one-ply training.
fn by_looking_ahead(
    args: &Args,
    mut nets: GameNets,
    chance: &mut Chance,
    curve: &mut Curve,
) -> Result<GameNets, String> {
    let (lessons, held) = if args.lessons.is_empty() {
        let bar = bar(args.ahead, "positions");
        let how_many = (args.ahead, args.greedy);
        let lessons = ahead::lessons(&args.game, &nets, how_many, chance, &|| bar.inc(1));
        bar.finish();
        (lessons, Held::Single)
    } else {
        (written(&args.lessons)?, Held::Hundreds)
    };
    if args.afresh {
        nets = newborn(args, chance);
    }
    let done = &mut |round, error, nets: &GameNets| curve.add(round, error, nets);
    let lessons = (&lessons[..], held);
    Ok(ahead::learn(nets, lessons, args.rounds, args.rates(), chance, done))
}

/// Reads the lessons of all files.
fn written(files: &[PathBuf]) -> Result<Vec<Lesson>, String> {
    let mut lessons = Vec::new();
    for file in files {
        lessons.extend(trainer::read(file).map_err(|why| format!("{}: {why}", file.display()))?);
    }
    Ok(lessons)
}

/// Draws a number from 0 to 1.
fn share(chance: &mut Chance) -> f32 {
    (chance.bits() >> 40) as f32 / (1_u32 << 24) as f32
}

/// Returns the learning rate at some progress: exponential interpolation between the two rates.
fn rate([first, last]: [f32; 2], done: u64, all: u64) -> f32 {
    let steps = 64;
    let step = done * steps / all;
    // Multiplication step by step, since `powf` differs between machines.
    let mut rate = first;
    let factor = root_64(last / first);
    for _ in 0..step {
        rate *= factor;
    }
    rate
}

/// Returns the 64th root by square roots, which are exact everywhere.
fn root_64(number: f32) -> f32 {
    (0..6).fold(number, |root, _| root.sqrt())
}

fn bar(length: u32, of: &str) -> ProgressBar {
    let style =
        "{elapsed_precise} {bar:40} {human_pos}/{human_len} ".to_owned() + of + " {eta} {msg}";
    let style = ProgressStyle::with_template(&style).expect("the template is right");
    ProgressBar::new(length.into()).with_style(style)
}
