//! Programs of the dice games: situations judged a second, compared with the nets of GNU Backgammon
//! (Python's package `gnubg-nn`; `$PYTHON` names another Python), and the time of each level for a
//! decision.
//!
//! The decisions are from games of level 3 against itself, without forced plays.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time, and prints its results"
)]

use games::{AnySituation, Chance, NetWorkspace, Roll, Seat, Situation as _, Throw};
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The number of Backgammon decisions in the comparison.
const COMPARED: usize = 4_000;

/// The number of rounds, alternating with the peer.
const ROUNDS: usize = 3;

/// A roll to play, with the situations after each play.
struct Decision {
    now: AnySituation,
    roll: Roll,
    ends: Vec<AnySituation>,
}

/// Collects decisions of games between equals.
fn decisions(game: &str, count: usize) -> Vec<Decision> {
    let nets = AnySituation::nets(game).expect("it has nets");
    let mut chance = Chance::new(1);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let mut now = AnySituation::start(game, Seat(0)).expect("it is a game");
        let mut throw = now.opening();
        while now.over().is_none() && found.len() < count {
            let roll = chance.roll(throw);
            let ends = now.ends(roll);
            let best = AnySituation::chosen(&ends, nets, 3, &mut |_| 0);
            let next = ends[best].clone();
            if ends.len() > 1 {
                found.push(Decision { now, roll, ends });
            }
            throw = Throw::new(2, next.faces());
            now = next;
        }
    }
    found
}

#[expect(clippy::cast_precision_loss, reason = "a rate is printed with few digits")]
fn rate(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}

/// Returns the time in which level 3 lists and judges the plays of all rolls.
fn ours(decisions: &[Decision]) -> Duration {
    let nets = AnySituation::nets("backgammon").expect("it has nets");
    let began = Instant::now();
    for Decision { now, roll, .. } in decisions {
        std::hint::black_box(AnySituation::chosen(&now.ends(*roll), nets, 3, &mut |_| 0));
    }
    began.elapsed()
}

/// Returns the peer's time for the same, if Python has it.
fn peers(decisions: &[Decision]) -> Option<Duration> {
    let mut peer = benches::python("gnubg.py")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let line = |Decision { now, roll, .. }: &Decision| {
        let Roll::Two(a, b) = roll else { return String::new() };
        let men = now.men().expect("it is Backgammon");
        let words: Vec<String> = men.as_flattened().iter().map(ToString::to_string).collect();
        format!("{a} {b} {}\n", words.join(" "))
    };
    let lines: String = decisions.iter().map(line).collect();
    // Its answer shows whether it read all input.
    let _ = peer.stdin.take()?.write_all(lines.as_bytes());
    let said = peer.wait_with_output().ok()?.stdout;
    let seconds = String::from_utf8(said).ok()?.trim().parse().ok()?;
    Some(Duration::from_secs_f64(seconds))
}

/// Prints the best rates of both.
fn compare() {
    let decisions = decisions("backgammon", COMPARED);
    let judged: usize = decisions.iter().map(|decision| decision.ends.len()).sum();
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (ours(&decisions), peers(&decisions))).collect();
    let best = rounds.iter().map(|(ours, _)| *ours).min().unwrap_or_default();
    println!("Backgammon, {COMPARED} rolls with {judged} plays listed and judged:");
    println!("  level 3   {:>9.0} plays a second", rate(judged, best));
    match rounds.iter().filter_map(|(_, peer)| *peer).min() {
        Some(peer) => {
            println!("  gnubg-nn  {:>9.0} plays a second", rate(judged, peer));
            println!("  {:.2} times as many", peer.as_secs_f64() / best.as_secs_f64());
        }
        None => println!("  gnubg-nn is not there: `pip install gnubg-nn`, or set $PYTHON"),
    }
}

/// Returns the situations judged a second, all successors of a roll together.
fn judge(game: &str) -> f64 {
    let (nets, mut work) =
        (AnySituation::nets(game).expect("it has nets"), NetWorkspace::default());
    let decisions = decisions(game, 300);
    let situations = decisions.iter().map(|decision| decision.ends.len()).sum();
    let began = Instant::now();
    for decision in &decisions {
        std::hint::black_box(AnySituation::best(&decision.ends, nets, &mut work));
    }
    rate(situations, began.elapsed())
}

/// Prints each level's time for a decision.
fn levels(game: &str, count: usize) {
    let nets = AnySituation::nets(game).expect("it has nets");
    let decisions = decisions(game, count);
    println!("{game}: {:.0} situations judged a second", judge(game));
    for level in 1..=4 {
        let mut chance = Chance::new(2);
        let mut took: Vec<Duration> = Vec::with_capacity(count);
        for Decision { ends, .. } in &decisions {
            let began = Instant::now();
            std::hint::black_box(AnySituation::chosen(ends, nets, level, &mut |most| {
                chance.below(most)
            }));
            took.push(began.elapsed());
        }
        took.sort();
        let at = |percent: usize| took[(count * percent / 100).min(count - 1)].as_secs_f64() * 1e3;
        let (half, most) = (at(50), at(100));
        println!("  level {level}: {half:.3} ms, 95 of 100 within {:.3}, most {most:.3}", at(95));
    }
}

fn main() {
    compare();
    for (game, count) in [
        ("backgammon", 600),
        ("plakoto", 300),
        ("moultezim", 300),
        ("malaka", 150),
        ("moloko", 150),
    ] {
        levels(game, count);
    }
}
