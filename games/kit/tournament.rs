//! Games of the program against itself, to see how strong its levels are.

use super::{AnyGame, AnyPosition, Chance, Choices, Next, Outcome, Seat};

/// Who plays in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    /// It makes any legal move, each as likely as any other.
    Random,
    /// The program at that level.
    Level(u8),
}

/// How a tournament ended, as the first of the two contenders sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// How many games there were.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// What share of a hundred the first contender won, draws as halves; 50 of no games.
    #[must_use]
    pub fn percent(&self) -> f64 {
        match self.games() {
            0 => 50.0,
            games => f64::from(2 * self.wins + self.draws) * 50.0 / f64::from(games),
        }
    }
}

/// Has two contenders play so many games; each begins every other one, and two games that follow
/// each other begin from the same stones. The same seed gives the same games. After each move the
/// caller hears which of the two has made it, 0 or 1: a caller with a clock may look at it.
pub fn tournament(
    game: &dyn AnyGame,
    options: &Choices,
    contenders: [Contender; 2],
    games: u32,
    seed: u64,
    moved: &mut dyn FnMut(usize),
) -> Tally {
    let mut tally = Tally::default();
    for number in 0..games {
        // The first contender sits at seat 0 in even games, at seat 1 in odd ones.
        let first = Seat::BOTH[usize::from(number % 2 == 1)];
        let numbered = |number: u32| Chance::new(Chance::new(seed).bits() ^ u64::from(number));
        let (mut thrown, mut thought) = (numbered(number / 2), numbered(!number));
        let mut position = game.setup(options);
        let outcome = loop {
            match position.next() {
                Next::Over(outcome) => break outcome,
                Next::Roll(throw) | Next::Ready(_, throw) => {
                    position.roll(thrown.roll(throw)).expect("these dice were asked for");
                }
                Next::Deal => {
                    let stones = position.deal(&mut |limit| thrown.below(limit));
                    position.lay(stones).expect("what is dealt can be laid");
                }
                Next::Move(seat) => {
                    let who = usize::from(seat != first);
                    let text = chosen(&*position, contenders[who], &mut thought);
                    position.recall(&text).expect("what is chosen can be played");
                    moved(who);
                }
            }
        };
        match outcome {
            Outcome::Drawn { .. } => tally.draws += 1,
            Outcome::Won { by, .. } if by == first => tally.wins += 1,
            Outcome::Won { .. } => tally.losses += 1,
        }
    }
    tally
}

/// The move that a contender makes; a level that knows nothing of the game moves at random.
fn chosen(position: &dyn AnyPosition, contender: Contender, chance: &mut Chance) -> String {
    let thought = match contender {
        Contender::Random => None,
        Contender::Level(level) => position.choose(level, &mut |limit| chance.below(limit)),
    };
    thought.unwrap_or_else(|| {
        let moves = position.count();
        position.nth_move(chance.below(moves)).expect("whoever is to move has a move")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(contenders: [Contender; 2], games: u32, seed: u64) -> (Tally, [u32; 2]) {
        let game = crate::find("reversi").unwrap();
        let mut moves = [0; 2];
        let options = Choices::default();
        let mut moved = |who: usize| moves[who] += 1;
        let tally = tournament(game, &options, contenders, games, seed, &mut moved);
        (tally, moves)
    }

    #[test]
    fn the_same_seed_gives_the_same_games() {
        let both = [Contender::Random; 2];
        let (first, moves) = played(both, 40, 3);
        assert_eq!(played(both, 40, 3), (first, moves));
        assert_ne!(played(both, 40, 4), (first, moves));
        assert_eq!(first.games(), 40);
        assert!(first.wins > 5 && first.losses > 5, "{first:?}");
        assert!(moves.iter().all(|&moves| moves > 40 * 30), "{moves:?}");
    }

    #[test]
    fn whoever_thinks_wins_from_either_seat() {
        let (level, random) = (Contender::Level(2), Contender::Random);
        for (contenders, wins) in [([level, random], true), ([random, level], false)] {
            let (tally, _) = played(contenders, 20, 1);
            let (won, lost) = (tally.wins, tally.losses);
            assert!(if wins { won > lost + 8 } else { lost > won + 8 }, "{tally:?}");
        }
    }

    #[test]
    fn draws_count_half() {
        let tally = Tally { wins: 5, draws: 2, losses: 1 };
        let whole = |tally: Tally| format!("{:.1}", tally.percent());
        assert_eq!((tally.games(), whole(tally)), (8, "75.0".into()));
        assert_eq!(whole(Tally::default()), "50.0");
    }
}
