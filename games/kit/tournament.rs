//! Tournaments of programs, to measure the strength of their levels.

use super::{AnyGame, AnyPosition, Chance, Choices, Next, Outcome, Seat};

/// A player in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    /// Makes random legal moves.
    Random,
    /// Makes the move with the largest lead in the pip count, in a game with dice.
    Greedy,
    /// The program at this level.
    Level(u8),
}

/// The result of a tournament for the first of the two contenders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TournamentResult {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points won minus points lost.
    pub points: i64,
    /// Sums of squares over the pairs of games: of twice the wins plus the draws, and of the
    /// points.
    squares: [u64; 2],
}

impl TournamentResult {
    /// Adds a game: 2, 1 or 0 half wins, and its points.
    fn add(&mut self, [halves, points]: [i64; 2]) {
        match halves {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.points += points;
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns the percentage of games won, draws as halves; 50 if there are no games.
    #[must_use]
    pub fn percent(&self) -> f64 {
        match self.games() {
            0 => 50.0,
            games => f64::from(2 * self.wins + self.draws) * 50.0 / f64::from(games),
        }
    }

    /// Returns the average points won in a game.
    #[must_use]
    pub fn points_a_game(&self) -> f64 {
        number(self.points) / f64::from(self.games().max(1))
    }

    /// Returns the 95 % confidence intervals of the percentage and of the points a game. The two
    /// games of a pair have the same dice, so a pair is one observation.
    #[must_use]
    pub fn intervals(&self) -> [f64; 2] {
        let pairs = f64::from(self.games() / 2);
        let halves = i64::from(2 * self.wins + self.draws);
        let sums = [halves, self.points].map(number);
        let [share, points] = std::array::from_fn(|which| {
            let mean = sums[which] / pairs;
            let squares = number(i64::try_from(self.squares[which]).unwrap_or(i64::MAX));
            let variance = (squares / pairs - mean * mean).max(0.0) / (pairs - 1.0).max(1.0);
            1.96 * variance.sqrt()
        });
        // A pair has at most four half wins, so half of them is 100 %; points are per game.
        if pairs < 2.0 { [100.0, f64::INFINITY] } else { [share * 25.0, points / 2.0] }
    }
}

#[expect(clippy::cast_precision_loss, reason = "sums stay small")]
fn number(sum: i64) -> f64 {
    sum as f64
}

/// An event that a tournament reports to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEvent {
    /// A contender, 0 or 1, has moved.
    Moved(usize),
    /// A game has ended.
    Ended,
}

/// Plays `games` games between two contenders. They take turns to begin, and the two games of a
/// pair have the same dice and stones. The result is a function of the seed. `report` is called
/// after each move and game, so that a caller can measure time.
pub fn tournament(
    game: &dyn AnyGame,
    options: &Choices,
    contenders: [Contender; 2],
    games: u32,
    seed: u64,
    report: &mut dyn FnMut(TournamentEvent),
) -> TournamentResult {
    let mut tally = TournamentResult::default();
    let mut pair = [0_i64; 2];
    for number in 0..games {
        // The first contender has seat 0 in even games and seat 1 in odd games.
        let first = Seat::BOTH[usize::from(number % 2 == 1)];
        let numbered = |number: u32| Chance::new(Chance::new(seed).bits() ^ u64::from(number));
        let (mut dice, mut thinking) = (numbered(number / 2), numbered(!number));
        let mut position = game.setup(options);
        let outcome = loop {
            match position.next() {
                Next::Over(outcome) => break outcome,
                Next::Roll(throw) | Next::Ready(_, throw) => {
                    position.roll(dice.roll(throw)).expect("these dice were asked for");
                }
                Next::Deal => {
                    let stones = position.deal(&mut |limit| dice.below(limit));
                    position.lay(stones).expect("what is dealt can be laid");
                }
                Next::Move(seat) => {
                    let who = usize::from(seat != first);
                    let text = chosen(&*position, contenders[who], &mut thinking);
                    position.play_recorded(&text).expect("what is chosen can be played");
                    report(TournamentEvent::Moved(who));
                }
            }
        };
        report(TournamentEvent::Ended);
        let score = match outcome {
            Outcome::Drawn { .. } => [1, 0],
            Outcome::Won { by, points, .. } if by == first => [2, points.into()],
            Outcome::Won { points, .. } => [0, -i64::from(points)],
        };
        tally.add(score);
        pair.iter_mut().zip(score).for_each(|(sum, one)| *sum += one);
        if number % 2 == 1 {
            let squares = pair.map(|sum| (sum * sum).unsigned_abs());
            tally.squares.iter_mut().zip(squares).for_each(|(sum, square)| *sum += square);
            pair = [0; 2];
        }
    }
    tally
}

/// Returns a contender's move: random if its level does not know the game.
fn chosen(position: &dyn AnyPosition, contender: Contender, chance: &mut Chance) -> String {
    let move_of_program = match contender {
        Contender::Random => None,
        Contender::Greedy => position.choose(0, &mut |limit| chance.below(limit)),
        Contender::Level(level) => position.choose(level, &mut |limit| chance.below(limit)),
    };
    move_of_program.unwrap_or_else(|| {
        let moves = position.count();
        position.nth_move(chance.below(moves)).expect("the player to move has a move")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(contenders: [Contender; 2], games: u32, seed: u64) -> (TournamentResult, [u32; 2]) {
        let game = crate::find("reversi").unwrap();
        let (mut moves, mut ended) = ([0; 2], 0);
        let options = Choices::default();
        let mut report = |event| match event {
            TournamentEvent::Moved(who) => moves[who] += 1,
            TournamentEvent::Ended => ended += 1,
        };
        let tally = tournament(game, &options, contenders, games, seed, &mut report);
        assert_eq!(ended, games);
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
    fn a_player_who_thinks_wins_from_either_seat() {
        let (level, random) = (Contender::Level(2), Contender::Random);
        for (contenders, wins) in [([level, random], true), ([random, level], false)] {
            let (tally, _) = played(contenders, 20, 1);
            let (won, lost) = (tally.wins, tally.losses);
            assert!(if wins { won > lost + 8 } else { lost > won + 8 }, "{tally:?}");
        }
    }

    #[test]
    fn draws_count_half() {
        let tally =
            TournamentResult { wins: 5, draws: 2, losses: 1, ..TournamentResult::default() };
        let whole = |tally: TournamentResult| format!("{:.1}", tally.percent());
        assert_eq!((tally.games(), whole(tally)), (8, "75.0".into()));
        assert_eq!(whole(TournamentResult::default()), "50.0");
    }

    /// Four pairs, calculated by hand: 4, 2, 2 and 0 half wins; 4, 1, 0 and -2 points.
    #[test]
    fn intervals_are_those_of_pairs() {
        let tally = TournamentResult {
            wins: 4,
            losses: 4,
            points: 3,
            squares: [24, 21],
            ..TournamentResult::default()
        };
        let told = tally.intervals().map(|interval| format!("{interval:.3}"));
        // The variances of the means are (6 - 4) / 3 and (5.25 - 0.5625) / 3.
        assert_eq!(told, ["40.008", "1.225"]);
        assert_eq!(format!("{:.3}", tally.points_a_game()), "0.375");
    }

    /// A game of Reversi counts one point, so percentage and points agree.
    #[test]
    fn points_follow_from_the_games() {
        let (tally, _) = played([Contender::Random; 2], 40, 3);
        assert_eq!(tally.points, i64::from(tally.wins) - i64::from(tally.losses));
        let [share, points] = tally.intervals();
        assert!((share - points * 50.0).abs() < 1e-9, "{share} {points}");
    }
}
