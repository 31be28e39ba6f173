//! The learning curve: results against a player that only compares pip counts, during training.

use games::{AnySituation, Chance, GameNets, NetWorkspace, Seat, Situation as _, Throw};
use std::fmt::Write;
use std::path::Path;

/// The number of games of a measurement.
const GAMES: u32 = 200;

/// A measurement.
struct Point {
    games: u32,
    error: f64,
    won: f64,
    points: f64,
}

/// All measurements of a training.
pub(crate) struct Curve {
    game: String,
    /// The unit of progress: games, or epochs.
    unit: &'static str,
    points: Vec<Point>,
}

impl Curve {
    pub(crate) fn new(game: &str, unit: &'static str) -> Self {
        Self { game: game.to_owned(), unit, points: Vec::new() }
    }

    /// Measures the nets after some games and prints the result.
    pub(crate) fn add(&mut self, games: u32, error: f64, nets: &GameNets) {
        let (won, points) = against_greedy(&self.game, nets);
        self.points.push(Point { games, error, won, points });
        println!(
            "{games:>8} {}: {won:5.1} % against greedy, {points:+.3} points, error {error:.4}",
            self.unit
        );
    }

    /// Writes the table and the plot beside a file of weights.
    pub(crate) fn write(&self, weights: &Path) -> std::io::Result<()> {
        let mut table = format!("{}\terror\twon %\tpoints a game\n", self.unit);
        for Point { games, error, won, points } in &self.points {
            let _ = writeln!(table, "{games}\t{error:.4}\t{won:.1}\t{points:+.3}");
        }
        std::fs::write(weights.with_extension("tsv"), table)?;
        std::fs::write(weights.with_extension("svg"), self.picture())
    }

    /// Returns the plot: games won against greedy, in percent, over the games played.
    fn picture(&self) -> String {
        let most = f64::from(self.points.iter().map(|point| point.games).max().unwrap_or(1).max(1));
        let place = |point: &Point| {
            format!(
                "{:.1},{:.1}",
                40.0 + 540.0 * f64::from(point.games) / most,
                320.0 - 3.0 * point.won
            )
        };
        let line: Vec<String> = self.points.iter().map(place).collect();
        let mut svg = String::from(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 350\" \
             font-family=\"sans-serif\" font-size=\"11\">\n",
        );
        for percent in [0, 25, 50, 75, 100] {
            let y = 320 - 3 * percent;
            let _ = writeln!(
                svg,
                "<path d=\"M40 {y}H580\" stroke=\"#ccc\"/><text x=\"4\" y=\"{}\">{percent} %</text>",
                y + 4
            );
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>\n\
             <text x=\"300\" y=\"342\" text-anchor=\"middle\">{}: games won against greedy, after up to \
             {most:.0} {}</text>\n</svg>",
            line.join(" "),
            self.game,
            self.unit
        );
        svg
    }
}

/// Returns the percentage of games won against the greedy player, and the points won a game. Each
/// sequence of dice is played twice, with sides changed.
fn against_greedy(game: &str, nets: &GameNets) -> (f64, f64) {
    let mut work = NetWorkspace::default();
    let (mut won, mut points) = (0.0, 0.0);
    for number in 0..GAMES {
        let mut chance = Chance::new(u64::from(1_000_000 + number / 2));
        let mut ties = Chance::new(u64::from(2_000_000 + number));
        let ours = Seat::BOTH[usize::from(number % 2 == 1)];
        let mut now = AnySituation::start(game, Seat(0)).expect("it is one of the games");
        let mut throw = now.opening();
        let odds = loop {
            if let Some(odds) = now.over() {
                break if now.seat() == ours { odds } else { odds.turned() };
            }
            let mut ends = now.ends(chance.roll(throw));
            let best = if now.seat() == ours {
                AnySituation::best(&ends, nets, &mut work).0
            } else {
                let leads: Vec<f32> = ends.iter().map(|end| -end.lead()).collect();
                let most = leads.iter().copied().fold(f32::MIN, f32::max);
                let best: Vec<usize> = (0..ends.len()).filter(|&at| leads[at] >= most).collect();
                best[ties.below(best.len())]
            };
            now = ends.swap_remove(best);
            throw = Throw::new(2, now.faces());
        };
        won += f64::from(odds.0[0]);
        points += f64::from(odds.equity());
    }
    (won * 100.0 / f64::from(GAMES), points / f64::from(GAMES))
}
