//! Rollouts: the value of a play by the games that continue from it, with the same dice for each
//! play.

use games::{AnySituation, Chance, GameNets, NetWorkspace, Odds, Roll, Situation as _, Throw};

/// The length of a rollout in rolls, after which the net evaluates.
const ROLLS: u32 = 8;

/// The number of plays to compare, and how many points worse than the best they may seem.
const COMPARED: usize = 4;
const DOUBTED: f32 = 0.15;

/// Returns how much worse the chosen play is than the best, by rollouts of both.
pub(crate) fn regret(
    nets: &GameNets,
    ends: &[AnySituation],
    chosen: usize,
    (trials, seed): (u32, u64),
) -> f32 {
    let mut work = NetWorkspace::default();
    let mut glance: Vec<(usize, f32)> = ends
        .iter()
        .enumerate()
        .map(|(at, end)| (at, -end.judged(nets, &mut work).equity()))
        .collect();
    glance.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let least = glance[0].1 - DOUBTED;
    let near = glance.iter().take(COMPARED).take_while(|(_, value)| *value >= least);
    let others: Vec<usize> = near.map(|(at, _)| *at).filter(|at| *at != chosen).collect();
    if others.is_empty() {
        return 0.0;
    }
    let mut worth = |at: usize| rolled_out(nets, &ends[at], (trials, seed), &mut work);
    let own = worth(chosen);
    others.into_iter().map(worth).fold(own, f32::max) - own
}

/// Returns the average value of a play for the side that made it.
fn rolled_out(
    nets: &GameNets,
    after: &AnySituation,
    (trials, seed): (u32, u64),
    work: &mut NetWorkspace,
) -> f32 {
    let mut sum = 0.0;
    for trial in 0..trials {
        let mut dice = Chance::new(Chance::new(seed).bits() ^ u64::from(trial));
        let mut now = after.clone();
        let mut is_ours = false;
        for number in 0..ROLLS {
            if now.over().is_some() {
                break;
            }
            let roll = even(number, trial, &mut dice, now.faces());
            let mut ends = now.ends(roll);
            let (best, _) = AnySituation::best(&ends, nets, work);
            now = ends.swap_remove(best);
            is_ours = !is_ours;
        }
        let odds: Odds = now.judged(nets, work);
        sum += f64::from(if is_ours { odds.equity() } else { -odds.equity() });
    }
    (sum / f64::from(trials)) as f32
}

/// Returns a roll of a trial: for the first two rolls all pairs are equally frequent.
fn even(number: u32, trial: u32, dice: &mut Chance, faces: u8) -> Roll {
    let one = |number: u32| u8::try_from(number % u32::from(faces)).unwrap_or(0) + 1;
    let all = u32::from(faces) * u32::from(faces);
    match number {
        0 => Roll::Two(one(trial), one(trial / u32::from(faces))),
        1 => Roll::Two(one(trial / all), one(trial / all / u32::from(faces))),
        _ => dice.roll(Throw::new(2, faces)),
    }
}
