//! `matches --level N --out DIR`: Backgammon matches of a level against itself, as `.mat` files for
//! GNU Backgammon to judge (`referee-matches.py`).

use clap::Parser;
use games::{Chance, Choices, Entry, Next, Transcript};
use indicatif::ProgressIterator;
use std::path::PathBuf;
use std::process::ExitCode;

/// Plays Backgammon matches of a level against itself.
#[derive(Debug, Parser)]
#[command(name = "matches")]
struct Args {
    /// The level.
    #[arg(long, default_value_t = 4)]
    level: u8,
    /// The number of matches.
    #[arg(long, value_name = "N", default_value_t = 12)]
    matches: u32,
    /// The match length.
    #[arg(long, value_name = "POINTS", default_value_t = 7)]
    length: u32,
    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The output folder for `01.mat` and so on.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn main() -> ExitCode {
    trainer::ended("matches", matches(&Args::parse()))
}

fn matches(args: &Args) -> Result<(), String> {
    std::fs::create_dir_all(&args.out).map_err(|why| why.to_string())?;
    for number in (1..=args.matches).progress_count(args.matches.into()) {
        let mut chance = Chance::new(Chance::new(args.seed).bits() ^ u64::from(number));
        let file = args.out.join(format!("{number:02}.mat"));
        std::fs::write(file, played(args, &mut chance)?).map_err(|why| why.to_string())?;
    }
    Ok(())
}

/// Plays a match and returns it as a `.mat` file.
fn played(args: &Args, chance: &mut Chance) -> Result<String, String> {
    let game = games::find("backgammon").ok_or("no such game")?;
    let spec = game.spec();
    let words = [format!("match={}", args.length)];
    let options = Choices::parse(spec.options, spec.exclusive, words.iter().map(String::as_str))
        .map_err(|why| why.to_string())?;
    let mut position = game.setup(&options);
    let mut record = Vec::new();
    loop {
        let (seat, throw) = match position.next() {
            Next::Over(_) => break,
            Next::Roll(throw) => (None, Some(throw)),
            Next::Ready(seat, throw) => (Some(seat), Some(throw)),
            Next::Move(seat) => (Some(seat), None),
            Next::Deal => return Err("Backgammon has no stones".to_owned()),
        };
        let thought = position.choose(args.level, &mut |most| chance.below(most));
        match (seat, thought, throw) {
            (Some(seat), Some(text), _) => {
                position.play_recorded(&text).map_err(|why| why.to_string())?;
                record.push(Entry::Moved { seat, text, auto: false });
            }
            (_, _, Some(throw)) => {
                let roll = chance.roll(throw);
                position.roll(roll).map_err(|why| why.to_string())?;
                record.push(Entry::Rolled(roll));
            }
            _ => return Err(format!("level {} has no answer", args.level)),
        }
    }
    let players = ["left", "right"].map(str::to_owned);
    let write = spec.formats.iter().find(|format| format.name == "mat").ok_or("no .mat files")?;
    (write.write)(&Transcript { players, options, record, ending: None })
}
