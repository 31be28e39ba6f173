//! Swiss pairings after the FIDE Dutch system (Handbook C.04.3).
//!
//! The absolute criteria hold whenever a pairing exists that meets them: nobody meets an opponent
//! twice, nobody has two byes, and nobody who is due a seat absolutely gets the other one. The
//! brackets of equal score are paired from the top; in each, these follow in this order: the bye to
//! the lowest score, the most pairs in the bracket, the least score differences (their squares),
//! the most pairs in the next bracket, seats as they are due, and floats that do not repeat those of
//! the last two rounds. What is still free goes to the upper half against the lower half, by
//! seeding. The Dutch system orders these last choices by transpositions; here they are least
//! squares.

use super::colours::{SeatHistory, Strength, clash, seat_of_higher};
use super::field::{EntrantIndex, Field};
use super::format::{Pair, RoundPairings};
use super::matching::{self, Cost};

/// How an entrant was paired across scores in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Float {
    /// Against a lower score, or not at all.
    Down,
    /// Against a higher score.
    Up,
}

/// An entrant to pair, with the history that matters.
#[derive(Clone, Debug)]
struct Player {
    entrant: EntrantIndex,
    /// Half points.
    score: u32,
    seats: SeatHistory,
    had_bye: bool,
    /// The floats of the last round and of the round before.
    floats: [Option<Float>; 2],
}

/// A vertex of the matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vertex {
    /// The player at this index.
    Player(usize),
    /// The opponent of the player who gets the bye.
    Bye,
}

/// Players of a bracket by their origin.
#[derive(Clone, Debug)]
struct Bracket {
    /// Players of higher score who were not paired above.
    floaters: Vec<usize>,
    /// Players with the score of the bracket.
    residents: Vec<usize>,
    /// The score of the next bracket, if there is one.
    next: Option<u32>,
}

/// A tournament before the pairing of a round.
struct Pairing<'f> {
    field: &'f Field,
    /// The players, best score first, then in the order of seeding.
    players: Vec<Player>,
    most_score: u32,
}

/// Returns the pairings of the next round; `None` if fewer than two players are left.
pub fn next_round(field: &Field) -> Option<RoundPairings> {
    let mut players: Vec<_> = field.active().map(|entrant| Player::new(field, entrant)).collect();
    if players.len() < 2 {
        return None;
    }
    players.sort_by_key(|player| (std::cmp::Reverse(player.score), player.entrant));
    let most_score = players[0].score;
    Some(Pairing { field, players, most_score }.pairings())
}

impl Player {
    fn new(field: &Field, entrant: EntrantIndex) -> Self {
        let round = field.round();
        let float = |back: u32| round.checked_sub(back).filter(|round| *round > 0);
        Self {
            entrant,
            score: field.half_points(entrant),
            seats: SeatHistory::of(field, entrant),
            had_bye: field.byes_of(entrant) > 0,
            floats: [0, 1].map(|back| float_in(field, entrant, float(back)?)),
        }
    }
}

fn float_in(field: &Field, entrant: EntrantIndex, round: u32) -> Option<Float> {
    let game = field.games_of(entrant).find(|game| game.round == round);
    let Some(other) = game.and_then(|game| game.opponent_of(entrant)) else {
        return Some(Float::Down);
    };
    let [own, opponent] = [entrant, other].map(|player| score_before(field, player, round));
    match own.cmp(&opponent) {
        std::cmp::Ordering::Greater => Some(Float::Down),
        std::cmp::Ordering::Less => Some(Float::Up),
        std::cmp::Ordering::Equal => None,
    }
}

/// Returns the half points of an entrant before a round.
fn score_before(field: &Field, entrant: EntrantIndex, round: u32) -> u32 {
    let games = field.games_of(entrant).filter(|game| game.round < round);
    let byes = field.byes.iter().filter(|bye| bye.entrant == entrant && bye.round < round);
    let byes: u32 = byes.map(|_| 2).sum();
    games.filter_map(|game| game.half_points_of(entrant)).sum::<u32>() + byes
}

impl Pairing<'_> {
    fn pairings(&self) -> RoundPairings {
        let mut round = RoundPairings::default();
        let mut floaters = Vec::new();
        let mut unpaired: Vec<usize> = (0..self.players.len()).collect();
        let has_bye = unpaired.len() % 2 == 1;
        while let Some(score) = unpaired.first().map(|first| self.players[*first].score) {
            let (residents, below): (Vec<_>, Vec<_>) =
                unpaired.iter().partition(|player| self.players[**player].score == score);
            let next = below.first().map(|first: &usize| self.players[*first].score);
            let bracket = Bracket { floaters, residents, next };
            let pairs = self.pair_bracket(&bracket, &below, has_bye);
            floaters = bracket
                .players()
                .filter(|one| !pairs.iter().any(|pair| pair.contains(one)))
                .collect();
            round.pairs.extend(pairs.into_iter().map(|pair| self.seated(pair)));
            unpaired = below;
        }
        round.byes = floaters.into_iter().map(|player| self.players[player].entrant).collect();
        round
    }

    /// Returns the pairs inside a bracket, such that all players below can be paired as well.
    fn pair_bracket(&self, bracket: &Bracket, below: &[usize], has_bye: bool) -> Vec<[usize; 2]> {
        let players = bracket.players().chain(below.iter().copied());
        let mut vertices: Vec<_> = players.map(Vertex::Player).collect();
        vertices.extend(has_bye.then_some(Vertex::Bye));
        let cost = |one: usize, other: usize| {
            self.cost(bracket, vertices.len() / 2, vertices[one], vertices[other])
        };
        let partners = matching::pair(vertices.len(), cost);
        let inside = bracket.players().count();
        let pairs = partners.into_iter().enumerate().take(inside);
        let pairs = pairs.filter(|(one, other)| one < other && *other < inside);
        let player = |vertex: usize| match vertices[vertex] {
            Vertex::Player(player) => player,
            Vertex::Bye => unreachable!("the bye is below all brackets"),
        };
        pairs.map(|(one, other)| [player(one), player(other)]).collect()
    }

    /// Returns the cost of pairing two vertices while a bracket is paired; the first is ranked
    /// higher.
    fn cost(&self, bracket: &Bracket, pairs: usize, one: Vertex, other: Vertex) -> Cost {
        let Vertex::Player(high) = one else { unreachable!("the bye is the last vertex") };
        let player = &self.players[high];
        let low = match other {
            Vertex::Player(low) => Some(low),
            Vertex::Bye => None,
        };
        let opponent = low.map(|low| &self.players[low]);
        let is_met = opponent.is_some_and(|low| self.field.have_met(player.entrant, low.entrant));
        let clashes = opponent.is_some_and(|low| clash(&player.seats, &low.seats));
        let bye_score = if opponent.is_none() { player.score } else { 0 };
        let absolute = Cost::new(pairs)
            .then_if(is_met)
            .then_if(opponent.is_none() && player.had_bye)
            .then_if(clashes)
            .then(bye_score as usize, self.most_score as usize);
        let is_inside = bracket.contains(high);
        let is_pair_inside = is_inside && low.is_some_and(|low| bracket.contains(low));
        let is_float = is_inside && !is_pair_inside;
        // An unpaired player counts as paired with a score one point below the bracket.
        let difference = match opponent {
            Some(low) if is_pair_inside => player.score.abs_diff(low.score),
            _ if is_float => player.score - bracket.score(self) + 2,
            _ => 0,
        };
        let is_next = |vertex: usize| {
            bracket.contains(vertex) || Some(self.players[vertex].score) == bracket.next
        };
        let leaves_next = low.is_none_or(|low| is_next(high) != is_next(low));
        let cost = absolute
            .then_if(is_float)
            .then((difference as usize).pow(2), (self.most_score as usize + 2).pow(2))
            .then_if(!is_pair_inside && leaves_next);
        let cost = seat_cost(cost, is_pair_inside, player, opponent);
        let cost = float_cost(cost, is_pair_inside, is_float, player, opponent);
        let distance = match low {
            Some(low) if is_pair_inside => bracket.distance(high, low),
            _ if is_float => bracket.places_below(high),
            _ => 0,
        };
        let most = bracket.players().count();
        cost.then(distance.pow(2), most.pow(2))
    }

    fn seated(&self, [high, low]: [usize; 2]) -> Pair {
        let [high, low] = [high, low].map(|player| &self.players[player]);
        // In the first round, the seats alternate from pair to pair.
        let seat = seat_of_higher(&high.seats, &low.seats, high.entrant % 2);
        let players = [high.entrant, low.entrant];
        Pair { group: 0, players: if seat == 0 { players } else { [players[1], players[0]] } }
    }
}

/// Adds the criteria of seats: the same seat is due to both, and strongly to both.
fn seat_cost(cost: Cost, counts: bool, high: &Player, low: Option<&Player>) -> Cost {
    let due = high.seats.due();
    let unmet = low.filter(|low| counts && due.is_some() && low.seats.due() == due);
    let is_strong = |player: &Player| player.seats.strength() >= Strength::Strong;
    cost.then_if(unmet.is_some())
        .then_if(unmet.is_some_and(|low| is_strong(high) && is_strong(low)))
}

/// Adds the criteria of floats: down in the last round, up in the last round, and the same for the
/// round before.
fn float_cost(
    cost: Cost,
    is_pair_inside: bool,
    is_float: bool,
    high: &Player,
    low: Option<&Player>,
) -> Cost {
    let mut cost = cost;
    for back in 0..2 {
        let goes_down = is_float && high.floats[back] == Some(Float::Down);
        let goes_up = low.is_some_and(|low| {
            is_pair_inside && low.score < high.score && low.floats[back] == Some(Float::Up)
        });
        cost = cost.then_if(goes_down).then_if(goes_up);
    }
    cost
}

impl Bracket {
    /// Returns the players, the floaters first.
    fn players(&self) -> impl Iterator<Item = usize> {
        self.floaters.iter().chain(&self.residents).copied()
    }

    fn contains(&self, player: usize) -> bool {
        self.floaters.contains(&player) || self.residents.contains(&player)
    }

    fn score(&self, pairing: &Pairing) -> u32 {
        pairing.players[self.residents[0]].score
    }

    /// Returns the place of a player, from 0.
    fn place(&self, player: usize) -> usize {
        self.players().position(|one| one == player).unwrap_or(0)
    }

    /// Returns how many players of the bracket are ranked lower. The last ones float.
    fn places_below(&self, player: usize) -> usize {
        self.players().count() - 1 - self.place(player)
    }

    /// Returns how far a pair is from the ideal one. Floaters meet the first residents in order; of
    /// the other residents, the upper half meets the lower half in order.
    fn distance(&self, high: usize, low: usize) -> usize {
        let floaters = self.floaters.len();
        let [high, low] = [high, low].map(|player| self.place(player));
        let half = self.residents.len().saturating_sub(floaters) / 2;
        let ideal = if high < floaters { high + floaters } else { high + half.max(1) };
        ideal.abs_diff(low)
    }
}

/// Returns the number of bits of the largest cost in the next round.
#[cfg(test)]
pub(super) fn cost_bits(field: &Field) -> u32 {
    let mut players: Vec<_> = field.active().map(|entrant| Player::new(field, entrant)).collect();
    players.sort_by_key(|player| (std::cmp::Reverse(player.score), player.entrant));
    let all = (0..players.len()).collect();
    let bracket = Bracket { floaters: Vec::new(), residents: all, next: None };
    let most_score = players[0].score;
    let pairing = Pairing { field, players, most_score };
    let pairs = pairing.players.len().div_ceil(2);
    pairing.cost(&bracket, pairs, Vertex::Player(0), Vertex::Bye).bits()
}
