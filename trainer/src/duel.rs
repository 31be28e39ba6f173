//! `duel GAME OURS THEIRS`: a comparison of two players with the same dice.

mod rollout;

use clap::Parser;
use games::{AnySituation, Chance, GameNets, Inputs, Odds, Roll, Seat, Situation as _, Throw};
use indicatif::ProgressBar;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

/// Plays pairs of games between two players: the same dice in both, with sides changed.
#[derive(Debug, Parser)]
#[command(name = "duel")]
struct Args {
    /// The game.
    #[arg(value_parser = AnySituation::GAMES)]
    game: String,
    /// The first player: `greedy`, `levelN` (of the program), `levelN:FILE` (with these weights),
    /// or `gnubg-nn`.
    ours: String,
    /// The second player.
    theirs: String,
    /// The number of pairs.
    #[arg(long, value_name = "N", default_value_t = 2500)]
    pairs: u32,
    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Instead of pairs, lets gnubg-nn judge the first player's plays in this many games of
    /// self-play.
    #[arg(long, value_name = "GAMES")]
    refereed: Option<u32>,
    /// Instead of pairs, lets gnubg-nn at two plies judge the plays that the first player would
    /// change in this many games of the second player's self-play.
    #[arg(long, value_name = "GAMES")]
    changed: Option<u32>,
    /// Instead of pairs, compares this many bearoff positions with gnubg-nn.
    #[arg(long, value_name = "N")]
    ends: Option<u32>,
    /// Instead of pairs, rolls out this many of the first player's plays beside the best
    /// alternatives.
    #[arg(long, value_name = "N")]
    regret: Option<u32>,
    /// The number of rollouts of each play.
    #[arg(long, value_name = "N", default_value_t = 1296)]
    trials: u32,
}

/// A player.
enum Player {
    /// A level with its nets.
    Level(u8, Box<GameNets>),
    /// Another program behind a pipe.
    Peer(Peer),
}

/// GNU Backgammon's nets in another process.
struct Peer {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts it with a search depth.
    fn start(plies: u8) -> Result<Self, String> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/referee.py");
        let mut process = Command::new("python3")
            .args([script, &plies.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|why| format!("python3: {why}"))?;
        let to = process.stdin.take().ok_or("no pipe")?;
        let from = BufReader::new(process.stdout.take().ok_or("no pipe")?);
        Ok(Self { process, to, from })
    }

    /// Returns the index of its choice among the successors.
    fn choose(
        &mut self,
        now: &AnySituation,
        roll: Roll,
        ends: &[AnySituation],
    ) -> Result<usize, String> {
        let Roll::Two(a, b) = roll else { return Err("it plays with two dice".into()) };
        let men = now.men().ok_or("it plays Backgammon alone")?;
        let words: Vec<String> = men.as_flattened().iter().map(ToString::to_string).collect();
        writeln!(self.to, "best {a} {b} {}", words.join(" ")).map_err(|why| why.to_string())?;
        let mut line = String::new();
        self.from.read_line(&mut line).map_err(|why| why.to_string())?;
        let men: Vec<u8> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let is_it = |end: &AnySituation| {
            end.men().is_some_and(|[other, own]| {
                men.len() == 50 && men[..25] == own && men[25..] == other
            })
        };
        ends.iter().position(is_it).ok_or_else(|| format!("{line} is no legal play of {now:?}"))
    }
}

impl Peer {
    /// Returns its equity for the side to roll.
    fn equity(&mut self, now: &AnySituation) -> Result<f32, String> {
        now.over().map_or_else(|| self.odds(now), Ok).map(Odds::equity)
    }

    /// Returns its odds for the side to roll.
    fn odds(&mut self, now: &AnySituation) -> Result<Odds, String> {
        let men = now.men().ok_or("it plays Backgammon alone")?;
        let words: Vec<String> = men.as_flattened().iter().map(ToString::to_string).collect();
        writeln!(self.to, "odds {}", words.join(" ")).map_err(|why| why.to_string())?;
        let mut line = String::new();
        self.from.read_line(&mut line).map_err(|why| why.to_string())?;
        let odds: Vec<f32> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        odds.try_into().map(Odds).map_err(|_| "it tells no odds".to_owned())
    }
}

/// Compares random bearoff positions with gnubg-nn.
fn ends(args: &Args, count: u32) -> Result<(), String> {
    let (mut peer, mut chance) = (Peer::start(0)?, Chance::new(args.seed));
    let (mut most, mut sum, mut near) = (0.0_f32, 0.0, 0);
    for _ in 0..count {
        let mut side = || {
            let mut men = [0; 25];
            (0..=chance.below(15)).for_each(|_| men[chance.below(6)] += 1);
            men
        };
        let situation = AnySituation::of_men([side(), side()]);
        let counted = situation.counted().ok_or("it is no end of a race")?;
        let pairs = counted.0.into_iter().zip(peer.odds(&situation)?.0);
        let off = pairs.map(|(ours, theirs)| (ours - theirs).abs()).fold(0.0, f32::max);
        most = most.max(off);
        sum += f64::from(off);
        near += u32::from(off <= 0.0005);
    }
    let mean = sum / f64::from(count);
    println!(
        "{count} ends, seed {}: {near} within 0.0005, {mean:.6} off on average, {most:.6} at most",
        args.seed
    );
    Ok(())
}

/// Plays games of a player against itself and calls `look` for each unforced play: the situation,
/// the roll, the successors and the choice.
fn each_play(
    args: &Args,
    games: u32,
    player: &mut Player,
    mut look: impl FnMut(&AnySituation, Roll, &[AnySituation], usize, &mut Chance) -> Result<(), String>,
) -> Result<(), String> {
    let bar = ProgressBar::new(games.into());
    for number in 0..games {
        let mut dice = Chance::new(Chance::new(args.seed).bits() ^ u64::from(number));
        let mut ties = dice.clone();
        let mut now = AnySituation::start(&args.game, Seat(0)).ok_or("no such game")?;
        let mut throw = now.opening();
        while now.over().is_none() {
            let roll = dice.roll(throw);
            let mut ends = now.ends(roll);
            let chosen = player.choose(&now, roll, &ends, &mut ties)?;
            if ends.len() > 1 {
                look(&now, roll, &ends, chosen, &mut ties)?;
            }
            now = ends.swap_remove(chosen);
            throw = Throw::new(2, now.faces());
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Prints how much worse a player's plays are than gnubg-nn's, in thousandths of a point per
/// unforced play: with contact, and without.
fn refereed(args: &Args, games: u32) -> Result<(), String> {
    let (mut player, mut peer) = (Player::of(&args.game, &args.ours)?, Peer::start(0)?);
    let mut errors = [(0.0, 0_u32); 2];
    let mut inputs = Inputs::new();
    each_play(args, games, &mut player, |now, roll, ends, chosen, _| {
        let best = peer.choose(now, roll, ends)?;
        let class = now.inputs(&mut inputs).unwrap_or(0);
        let lost = peer.equity(&ends[chosen])? - peer.equity(&ends[best])?;
        errors[class].0 += f64::from(lost.max(0.0));
        errors[class].1 += 1;
        Ok(())
    })?;
    let mean = |(sum, count): (f64, u32)| 1_000.0 * sum / f64::from(count.max(1));
    let all = (errors[0].0 + errors[1].0, errors[0].1 + errors[1].1);
    println!(
        "{}, seed {}: {:.2} thousandths a play in {} ({:.2} with contact, {:.2} without)",
        args.ours,
        args.seed,
        mean(all),
        all.1,
        mean(errors[0]),
        mean(errors[1])
    );
    Ok(())
}

/// Prints how much better the first player's plays are in the second player's games, in thousandths
/// of a point per unforced play.
fn changed(args: &Args, games: u32) -> Result<(), String> {
    let mut ours = Player::of(&args.game, &args.ours)?;
    let mut theirs = Player::of(&args.game, &args.theirs)?;
    let mut peer = Peer::start(2)?;
    let (mut gain, mut changes) = (Mean::default(), 0);
    each_play(args, games, &mut theirs, |now, roll, ends, chosen, ties| {
        let other = ours.choose(now, roll, ends, ties)?;
        let more = if other == chosen {
            0.0
        } else {
            peer.equity(&ends[chosen])? - peer.equity(&ends[other])?
        };
        gain.add([f64::from(more); 2]);
        changes += u32::from(other != chosen);
        Ok(())
    })?;
    let (mean, off) = gain.told(1_000.0);
    println!(
        "{} in place of {}, {games} games, seed {}: {mean:+.2} ± {off:.2} thousandths a play in {}, \
         {changes} of them others",
        args.ours, args.theirs, args.seed, gain.count
    );
    Ok(())
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Player {
    fn of(game: &str, words: &str) -> Result<Self, String> {
        let shapes = AnySituation::shapes(game);
        let own =
            || AnySituation::nets(game).cloned().map(Box::new).ok_or("no such game".to_owned());
        let level = |word: &str| {
            let number = word.strip_prefix("level").and_then(|number| number.parse().ok());
            number.ok_or_else(|| format!("{word} is no player"))
        };
        match words.split_once(':') {
            None if words == "gnubg-nn" => Peer::start(0).map(Self::Peer),
            None if words == "greedy" => {
                Ok(Self::Level(0, Box::new(GameNets::new(shapes, &[], || 0.0))))
            }
            None => Ok(Self::Level(level(words)?, own()?)),
            Some((word, file)) => {
                let bytes = std::fs::read(file).map_err(|why| format!("{file}: {why}"))?;
                let nets = GameNets::read(shapes, &bytes)?;
                let nets = nets.for_playing(&AnySituation::scales(game));
                Ok(Self::Level(level(word)?, Box::new(nets)))
            }
        }
    }

    fn choose(
        &mut self,
        now: &AnySituation,
        roll: Roll,
        ends: &[AnySituation],
        ties: &mut Chance,
    ) -> Result<usize, String> {
        match self {
            _ if ends.len() == 1 => Ok(0),
            Self::Level(level, nets) => {
                Ok(AnySituation::chosen(ends, nets, *level, &mut |most| ties.below(most)))
            }
            Self::Peer(peer) => peer.choose(now, roll, ends),
        }
    }
}

/// Rolls out a player's plays beside the plays that seem best, and prints how much worse they are.
fn regret(args: &Args, count: u32) -> Result<(), String> {
    let mut player = Player::of(&args.game, &args.ours)?;
    let Player::Level(3.., judge) = Player::of(&args.game, &args.theirs)? else {
        return Err("a net rolls out: level3 or level3:FILE".to_owned());
    };
    let (mut dice, mut ties) = (Chance::new(args.seed), Chance::new(!args.seed));
    let mut lost = Mean::default();
    let mut others = 0;
    let bar = ProgressBar::new(count.into());
    while bar.position() < count.into() {
        let mut now = AnySituation::start(&args.game, Seat(0)).ok_or("no such game")?;
        let mut throw = now.opening();
        while now.over().is_none() && bar.position() < count.into() {
            let roll = dice.roll(throw);
            let mut ends = now.ends(roll);
            let chosen = player.choose(&now, roll, &ends, &mut ties)?;
            // About one play in eight.
            if ends.len() > 1 && dice.below(8) == 0 {
                let less = rollout::regret(&judge, &ends, chosen, (args.trials, args.seed));
                lost.add([f64::from(less); 2]);
                others += u32::from(less > 0.0);
                bar.inc(1);
            }
            now = ends.swap_remove(chosen);
            throw = Throw::new(2, now.faces());
        }
    }
    bar.finish_and_clear();
    let (mean, off) = lost.told(1_000.0);
    println!(
        "{}, {count} plays, each rolled out {} times by {}, seed {}: {mean:.2} ± {off:.2} thousandths \
         a play, another was better {others} times",
        args.ours, args.trials, args.theirs, args.seed
    );
    Ok(())
}

/// Plays a game and returns the certain odds of the first player.
fn game(
    name: &str,
    players: &mut [Player; 2],
    first: Seat,
    dice: &mut Chance,
    ties: &mut Chance,
) -> Result<Odds, String> {
    let begins = Seat::BOTH[dice.below(2)];
    let mut now = AnySituation::start(name, begins).ok_or("no such game")?;
    let mut throw = now.opening();
    loop {
        if let Some(odds) = now.over() {
            return Ok(if now.seat() == first { odds } else { odds.turned() });
        }
        let roll = dice.roll(throw);
        let mut ends = now.ends(roll);
        let who = usize::from(now.seat() != first);
        let chosen = players[who].choose(&now, roll, &ends, ties)?;
        now = ends.swap_remove(chosen);
        throw = Throw::new(2, now.faces());
    }
}

fn duel(args: &Args) -> Result<(), String> {
    let mut players = [Player::of(&args.game, &args.ours)?, Player::of(&args.game, &args.theirs)?];
    let bar = ProgressBar::new(args.pairs.into());
    let (mut won, mut points) = (Mean::default(), Mean::default());
    for pair in 0..args.pairs {
        let mut both = [Odds::default(); 2];
        for (first, odds) in Seat::BOTH.into_iter().zip(&mut both) {
            let numbered =
                |number: u32| Chance::new(Chance::new(args.seed).bits() ^ u64::from(number));
            let (mut dice, mut ties) = (numbered(pair), numbered(!(2 * pair + u32::from(first.0))));
            *odds = game(&args.game, &mut players, first, &mut dice, &mut ties)?;
        }
        won.add(both.map(|odds| f64::from(odds.0[0])));
        points.add(both.map(|odds| f64::from(odds.equity())));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (won, points) = (won.told(100.0), points.told(1.0));
    println!(
        "{} - {}, {} in {} pairs, seed {}: won {:.2} % ± {:.2}, points a game {:+.4} ± {:.4}",
        args.ours, args.theirs, args.game, args.pairs, args.seed, won.0, won.1, points.0, points.1
    );
    Ok(())
}

/// A mean over pairs, with its variance.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, [a, b]: [f64; 2]) {
        let mean = (a + b) / 2.0;
        self.count += 1.0;
        self.sum += mean;
        self.squares += mean * mean;
    }

    /// Returns the mean and half the 95 % confidence interval, both multiplied by a factor.
    fn told(&self, times: f64) -> (f64, f64) {
        let mean = self.sum / self.count;
        let variance =
            (self.squares / self.count - mean * mean).max(0.0) / (self.count - 1.0).max(1.0);
        (mean * times, 1.96 * variance.sqrt() * times)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match (args.refereed, args.changed, args.ends, args.regret) {
        (Some(games), ..) => refereed(&args, games),
        (_, Some(games), ..) => changed(&args, games),
        (_, _, Some(count), _) => ends(&args, count),
        (.., Some(count)) => regret(&args, count),
        _ => duel(&args),
    };
    trainer::ended("duel", done)
}
