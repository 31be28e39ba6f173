//! The race games compared with the crate `bkgm` and `OpenSpiel`, on one core.
//!
//! Each figure is the best of three alternating rounds. `OpenSpiel` is measured if `python3` has
//! the package `open_spiel`; `$PYTHON` names another Python.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time, and prints its results"
)]

use bkgm::codecs::gnuid;
use bkgm::dice::ALL_21;
use bkgm::{ClassicRules, GameState, Position, PositionRules, State};
use games::{AnyPosition, Chance, Choices, Diagram, Next, Pile, Rim, Roll, Seat, View};
use std::cell::Cell;
use std::time::Instant;

/// The number of positions whose plays are listed.
const POSITIONS: usize = 10_000;
/// The number of random games in a round.
const GAMES: usize = 3_000;
/// The number of rounds.
const ROUNDS: usize = 3;

/// Returns the best rate of each job over alternating rounds; a job returns its count.
fn race<const N: usize>(mut jobs: [&mut dyn FnMut() -> u64; N]) -> [f64; N] {
    let mut best = [0.0_f64; N];
    for _ in 0..ROUNDS {
        for (best, job) in best.iter_mut().zip(&mut jobs) {
            let began = Instant::now();
            let done = job();
            #[expect(clippy::cast_precision_loss, reason = "a rate is printed with few digits")]
            let rate = done as f64 / began.elapsed().as_secs_f64();
            *best = best.max(rate);
        }
    }
    best
}

fn start(name: &str) -> Box<dyn AnyPosition> {
    games::find(name).expect("it is a game").setup(&Choices::default())
}

fn bkgm_start() -> Position<15> {
    gnuid::decode_position::<15>("4HPwATDgc/ABMA").expect("the ID of the start")
}

fn bkgm_perft(position: Position<15>, depth: u32) -> u64 {
    ALL_21
        .iter()
        .map(|(dice, _)| {
            let next = <ClassicRules as PositionRules<15>>::legal_positions(position, dice);
            match depth {
                1 => next.len() as u64,
                _ => next.into_iter().map(|after| bkgm_perft(after, depth - 1)).sum(),
            }
        })
        .sum()
}

fn bkgm_games(chance: &mut Chance, games: usize) -> u64 {
    let mut turns = 0;
    for _ in 0..games {
        let mut position = bkgm_start();
        while position.game_state() == GameState::Ongoing {
            let mut die = || chance.below(6) + 1;
            let dice = bkgm::Dice::new(die(), die());
            let next = <ClassicRules as PositionRules<15>>::legal_positions(position, &dice);
            position = next[chance.below(next.len())];
            turns += 1;
        }
    }
    turns
}

fn our_games(name: &str, chance: &mut Chance, games: usize) -> u64 {
    let start = start(name);
    (0..games).map(|_| benches::random_game(&mut *start.copy(), chance) as u64).sum()
}

/// Returns positions of random games of Backgammon with dice to play, in our form and in bkgm's.
fn positions(chance: &mut Chance) -> Vec<(Box<dyn AnyPosition>, Position<15>, bkgm::Dice)> {
    let mut found = Vec::with_capacity(POSITIONS);
    let mut position = start("backgammon");
    while found.len() < POSITIONS {
        match position.next() {
            Next::Over(_) => position = start("backgammon"),
            Next::Deal => unreachable!("no stones are laid here"),
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let roll = chance.roll(throw);
                position.roll(roll).expect("these dice were asked for");
                let (Next::Move(mover), Roll::Two(a, b)) = (position.next(), roll) else {
                    unreachable!("two dice are to be played")
                };
                let theirs = gnuid::decode_position::<15>(&id(&*position, mover));
                let dice = bkgm::Dice::new(a.into(), b.into());
                found.push((position.copy(), theirs.expect("an ID"), dice));
            }
            Next::Move(_) => {
                let moves = position.moves();
                let text = &moves[chance.below(moves.len())];
                position.play_recorded(text).expect("a listed move can be carried out");
            }
        }
    }
    found
}

/// Returns the GNU position ID: the men of the side not on roll, then of the other, each from its
/// ace point to the bar, as that many ones and a zero.
fn id(position: &dyn AnyPosition, mover: Seat) -> String {
    let Diagram::Points(board) = position.diagram(&View::default()) else {
        unreachable!("Backgammon is drawn with points")
    };
    let Rim::Bar(bar) = board.rim else { unreachable!("Backgammon has a bar") };
    let mut bits = Vec::with_capacity(80);
    for seat in [mover.other(), mover] {
        let on = |pile: &Pile| if pile.holder == Some(seat) { pile.men } else { 0 };
        let mut men: Vec<u8> = board.piles.iter().map(on).collect();
        if seat == Seat(1) {
            men.reverse();
        }
        men.push(bar[seat.index()]);
        for men in men {
            bits.extend(std::iter::repeat_n(true, men.into()));
            bits.push(false);
        }
    }
    bits.resize(80, false);
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |all, &bit| all << 1 | u8::from(bit));
    data_encoding::BASE64_NOPAD.encode(&bits.chunks(8).map(byte).collect::<Vec<u8>>())
}

fn openspiel() -> Option<f64> {
    let ran = benches::python("openspiel.py").arg("500").output().ok()?;
    String::from_utf8(ran.stdout).ok()?.trim().parse().ok()
}

#[expect(clippy::too_many_lines, reason = "a list of comparisons")]
fn main() {
    let millions = |rate: f64| rate / 1e6;
    let options = Choices::default();
    let backgammon = games::find("backgammon").expect("it is a game");

    let [ours, theirs] = race([
        &mut || {
            let count = backgammon.perft(&options, 3);
            assert_eq!(count, 116_154_993);
            count
        },
        &mut || {
            let count = bkgm_perft(bkgm_start(), 3);
            assert_eq!(count, 116_154_993);
            count
        },
    ]);
    println!(
        "perft 3 of Backgammon (447; 202,782; 116,154,993): {:.1} M/s, bkgm {:.1} M/s: {:.2} x",
        millions(ours),
        millions(theirs),
        ours / theirs
    );

    let positions = positions(&mut Chance::new(1));
    let counts = [const { Cell::new(0) }; 2];
    let [ours, theirs] = race([
        &mut || {
            counts[0].set(positions.iter().map(|(ours, ..)| ours.copy().count() as u64).sum());
            POSITIONS as u64
        },
        &mut || {
            let list = |(_, position, dice): &(_, Position<15>, bkgm::Dice)| {
                <ClassicRules as PositionRules<15>>::legal_positions(*position, dice).len() as u64
            };
            counts[1].set(positions.iter().map(list).sum());
            POSITIONS as u64
        },
    ]);
    println!(
        "all plays of {POSITIONS} positions of random games: {:.2} M/s, bkgm {:.2} M/s: {:.2} x \
         ({} plays, {} results of bkgm)",
        millions(ours),
        millions(theirs),
        ours / theirs,
        counts[0].get(),
        counts[1].get()
    );

    let turns = [const { Cell::new(0) }; 4];
    let counted = |which: usize, made: u64| {
        turns[which].set(made);
        made
    };
    let [ours, theirs, plakoto, moultezim] = race([
        &mut || counted(0, our_games("backgammon", &mut Chance::new(2), GAMES)),
        &mut || counted(1, bkgm_games(&mut Chance::new(2), GAMES)),
        &mut || counted(2, our_games("plakoto", &mut Chance::new(2), GAMES)),
        &mut || counted(3, our_games("moultezim", &mut Chance::new(2), GAMES)),
    ]);
    #[expect(clippy::cast_precision_loss, reason = "a rate is printed with few digits")]
    let games = |rate: f64, which: usize| rate * GAMES as f64 / turns[which].get() as f64;
    println!(
        "random games of Backgammon: {:.0}/s ({:.2} M turns/s), bkgm {:.0}/s ({:.2} M turns/s): \
         {:.2} x in turns",
        games(ours, 0),
        millions(ours),
        games(theirs, 1),
        millions(theirs),
        ours / theirs
    );
    for (name, rate, which) in [("Plakoto", plakoto, 2), ("Moultezim", moultezim, 3)] {
        println!(
            "random games of {name}: {:.0}/s ({:.2} M turns/s): {:.2} x Backgammon in turns",
            games(rate, which),
            millions(rate),
            rate / ours
        );
    }
    for (name, depth) in [("plakoto", 3), ("moultezim", 4)] {
        let game = games::find(name).expect("it is a game");
        let [rate] = race([&mut || game.perft(&options, depth)]);
        println!("perft {depth} of {name}: {:.1} M/s", millions(rate));
    }
    match openspiel() {
        Some(rate) => println!(
            "random games of Backgammon in OpenSpiel, a loop in Python: {rate:.0}/s: ours {:.1} x",
            games(ours, 0) / rate
        ),
        None => println!("OpenSpiel is not here: pip install open_spiel"),
    }
}
