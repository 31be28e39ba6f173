//! `standings`: the ratings of a game's players.

use crate::command::new_board::seek;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
    required_game,
};
use crate::model::rating::RatingList;
use crate::model::user::RatedUser;
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::{Listing, Standings, StandingsRow};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "standings",
    aliases: &["ratings"],
    scope: VerbScope::Game,
    usage: "",
    about: "the ratings of everybody who has finished a rated game",
    reply: Some(ReplyScope::Game),
    parse,
};

#[derive(Debug)]
struct StandingsCommand(&'static dyn AnyGame);

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    words.expect_end()?;
    Ok(Box::new(StandingsCommand(required_game(game))))
}

impl Command for StandingsCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let game = self.0.spec().name;
        Needs::All(vec![Needs::Rated(game), Needs::OpenChallenges(vec![game])])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let game = self.0.spec().name;
        let mut standings = Standings::default();
        for RatedUser { user, standing, active } in world.standings(game) {
            let section = match standing.list(cx.now) {
                RatingList::Established => &mut standings.established,
                RatingList::Provisional => &mut standings.provisional,
                RatingList::Inactive => &mut standings.inactive,
            };
            let (user, standing, active) = (user.clone(), *standing, *active);
            section.push(StandingsRow { rank: 0, user, standing, active });
        }
        for section in
            [&mut standings.established, &mut standings.provisional, &mut standings.inactive]
        {
            rank(section);
        }
        let open = seek::open_challenges(world, &[self.0], cx.now);
        Ok(Listing::Standings { game: self.0, standings, open }.into())
    }
}

/// Sorts rows by rating and ranks them; equal ratings share a rank.
fn rank(rows: &mut [StandingsRow]) {
    rows.sort_by_key(|row| std::cmp::Reverse(row.standing.points()));
    let mut last = None;
    let mut rank = 0;
    for (index, row) in rows.iter_mut().enumerate() {
        let points = row.standing.points();
        if last.replace(points) != Some(points) {
            rank = index + 1;
        }
        row.rank = rank;
    }
}
