//! Self-play.

use games::{AnySituation, Chance, GameNets, NetWorkspace, Odds, Seat, Situation as _, Throw};

/// Plays a game and returns its situations before each roll with their odds; the last is over. A
/// greedy side considers only its lead.
///
/// # Panics
/// Panics if there is no such game.
pub fn course(
    nets: &GameNets,
    game: &str,
    greedy: Option<Seat>,
    chance: &mut Chance,
    work: &mut NetWorkspace,
) -> Vec<(AnySituation, Odds)> {
    let seat = Seat::BOTH[chance.below(2)];
    let mut now = AnySituation::start(game, seat).expect("it is one of the games");
    let mut throw = now.opening();
    let mut course = vec![(now.clone(), now.judged(nets, work))];
    while now.over().is_none() {
        let mut ends = now.ends(chance.roll(throw));
        let (mut best, odds) = AnySituation::best(&ends, nets, work);
        if greedy == Some(now.seat()) {
            best = AnySituation::chosen(&ends, nets, 0, &mut |most| chance.below(most));
        }
        now = ends.swap_remove(best);
        course.push((now.clone(), odds.turned()));
        throw = Throw::new(2, now.faces());
    }
    course
}
