//! `seek` and `accept-seek`: challenges that anybody may accept.

use super::challenge::{agreed, check_room, set_up};
use super::words::{Proof, Words};
use super::{Command, Context, Decision, Needs, Of, Verb, authenticate, no_user, the_game};
use crate::board::Agreed;
use crate::event::Event;
use crate::ids::UserId;
use crate::rating::Standing;
use crate::refusal::{AccountRefusal, Others, Refusal, SeekRefusal};
use crate::reply::{Answer, Happening};
use crate::seeks::{Bounds, Seek};
use crate::store::Key;
use crate::user::User;
use crate::world::{World, user_key};
use games::{AnyGame, Choices, Seat, Switch, Values};

pub(super) const SEEK: Verb = Verb {
    name: "seek",
    aliases: &[],
    of: Of::Game,
    usage: "<userid> <password> [-option ...] [--option ...] | off",
    about: "challenge everybody, or who is rated --min=R to --max=R; open for 30 days",
    reply: None,
    parse,
};

pub(super) const ACCEPT: Verb = Verb {
    name: "accept-seek",
    aliases: &[],
    of: Of::Game,
    usage: "<number> <userid> <password>",
    about: "play whoever made that open challenge; `list` shows them",
    reply: None,
    parse: parse_accept,
};

/// The word that ends an open challenge.
const OFF: &str = "off";

/// What an open challenge lets choose besides. Names have the second dash, so that refusals show it.
const BOUNDS: &[Switch] = &[
    rating("-min", "only for players rated R or more"),
    rating("-max", "only for players rated R or less"),
];

const fn rating(name: &'static str, help: &'static str) -> Switch {
    Switch { name, values: Values::Number { min: 0, max: 9_999, default: 1_600 }, help }
}

/// The open challenges of some games.
#[derive(Debug, Default)]
pub struct OpenSeeks {
    /// The challenges, by game and the oldest first.
    pub found: Vec<OpenSeek>,
    /// Games whose open challenges cannot be read.
    pub damaged: Vec<&'static dyn AnyGame>,
}

/// An open challenge.
#[derive(Debug)]
pub struct OpenSeek {
    /// To which game.
    pub game: &'static dyn AnyGame,
    /// The challenge.
    pub seek: Seek,
    /// How whoever made it stands in that game.
    pub standing: Standing,
}

/// What stands open in these games.
pub(super) fn open(world: &World, games: &[&'static dyn AnyGame], now: i64) -> OpenSeeks {
    let mut open = OpenSeeks::default();
    for game in games.iter().copied() {
        let name = game.spec().name;
        let Ok(seeks) = world.seeks(name) else {
            open.damaged.push(game);
            continue;
        };
        let here = seeks.open(now).filter_map(|seek| Some((seek, world.user(&seek.user)?)));
        open.found.extend(here.map(|(seek, user)| OpenSeek {
            game,
            seek: seek.clone(),
            standing: user.standing(name),
        }));
    }
    open
}

#[derive(Debug)]
struct Ask {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: Proof,
    /// What is played with whom; nothing ends what is open.
    wish: Option<(Agreed, Bounds)>,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    // A userid has no dash in front; a password may.
    let mut options = Vec::new();
    while words.peek().is_some_and(|word| word.starts_with('-')) {
        options.extend(words.word("an option"));
    }
    let (user, proof) = words.player()?;
    match (words.rest(), options.is_empty()) {
        ([word], true) if word.eq_ignore_ascii_case(OFF) => {
            Ok(Box::new(Ask { game, user, proof, wish: None }))
        }
        (more, _) if more.iter().all(|word| word.starts_with('-')) => {
            options.extend(more);
            let (agreed, those) = agreed(game, options, BOUNDS)?;
            let wish = Some((agreed, bounds(&those)?));
            Ok(Box::new(Ask { game, user, proof, wish }))
        }
        _ => Err(words.wrong("after the password only options or `off` can follow")),
    }
}

/// The ratings that common options choose.
fn bounds(those: &Choices) -> Result<Bounds, Refusal> {
    let points = |name: &str| those.get(name).and_then(|value| value.parse().ok());
    let bounds = Bounds { min: points("-min"), max: points("-max") };
    match bounds {
        Bounds { min: Some(min), max: Some(max) } if min > max => {
            Err(SeekRefusal::NoRating(min, max).into())
        }
        bounds => Ok(bounds),
    }
}

impl Command for Ask {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user), Key::Seeks(self.game.spec().name)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or_else(|| no_user(&self.user))?;
        let game = self.game.spec().name;
        if self.wish.is_some() && self.game.spec().manner.solo {
            return Err(AccountRefusal::PlayedAlone(game).into());
        }
        let seeks = world.seeks(game)?;
        let old = seeks.open(cx.now).find(|seek| seek.user == user.id).map(|seek| seek.number);
        let Some((agreed, bounds)) = self.wish.clone() else {
            let number = old.ok_or(SeekRefusal::None(game))?;
            let events = vec![Event::SeekEnded { game, number }];
            return Ok(Decision { events, answer: Answer::SeekEnded { game: self.game, number } });
        };
        if old.is_none() && seeks.open(cx.now).count() >= SeekRefusal::OPEN {
            return Err(SeekRefusal::TooMany(game).into());
        }
        let seek = Seek { number: seeks.next(), user: user.id.clone(), agreed, bounds, at: cx.now };
        let found = OpenSeek { game: self.game, seek: seek.clone(), standing: user.standing(game) };
        let answer = Answer::Sought { found, replaced: old };
        Ok(Decision { events: vec![Event::Sought { game, seek }], answer })
    }
}

#[derive(Debug)]
struct Accept {
    game: &'static dyn AnyGame,
    number: u32,
    user: UserId,
    proof: Proof,
}

fn parse_accept(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let number = words.word("the number of the open challenge")?.parse().ok();
    let number = number.filter(|number| *number > 0);
    let number = number
        .ok_or_else(|| words.wrong("the number of the challenge must be a number, such as 1"))?;
    let (user, proof) = words.player()?;
    words.end()?;
    Ok(Box::new(Accept { game, number, user, proof }))
}

impl Command for Accept {
    fn needs(&self) -> Needs {
        let game = self.game.spec().name;
        let keys = vec![user_key(&self.user), Key::Count(game)];
        Needs::All(vec![Needs::Keys(keys), Needs::Seek(game, self.number)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or_else(|| no_user(&self.user))?;
        let seek = self.wanted(world, user, cx.now)?;
        let players = [seek.user.clone(), user.id.clone()];
        check_room(world, self.game, &players)?;
        let (new, by) = set_up(world, cx, self.game, &seek.agreed, players, Some(Seat(1)))?;
        let answer = Answer::Board { board: new.board, what: Happening::Accepted(self.number), by };
        let ended = Event::SeekEnded { game: self.game.spec().name, number: self.number };
        Ok(Decision { events: vec![ended, Event::Challenged(new)], answer })
    }
}

impl Accept {
    /// The challenge, if this user may accept it.
    fn wanted<'w>(&self, world: &'w World, user: &User, now: i64) -> Result<&'w Seek, Refusal> {
        let (game, number) = (self.game.spec().name, self.number);
        let seeks = world.seeks(game)?;
        let standing = user.standing(game);
        let others = || {
            let fits = |seek: &&Seek| {
                seek.number != number && seek.user != user.id && seek.bounds.hold(&standing)
            };
            let open = seeks.open(now).filter(fits).cloned().collect();
            Others { game, user: user.id.clone(), open }
        };
        let Some(seek) = seeks.open(now).find(|seek| seek.number == number) else {
            let was = seeks.has_been(number);
            return Err(SeekRefusal::NotOpen { number, was, others: others() }.into());
        };
        if seek.user == user.id {
            return Err(SeekRefusal::Own { number, others: others() }.into());
        }
        if !seek.bounds.hold(&standing) {
            let refusal = SeekRefusal::Rated {
                number,
                user: seek.user.clone(),
                bounds: seek.bounds,
                points: standing.rating.points(),
                is_rated: standing.games() > 0,
                others: others(),
            };
            return Err(refusal.into());
        }
        match world.user(&seek.user) {
            Some(_) => Ok(seek),
            // He is here, but his file cannot be read.
            None if world.known(&seek.user).is_none() && world.is_taken(&seek.user) => {
                Err(Refusal::Unavailable)
            }
            // Files were copied by hand; `check` mends that.
            None => Err(SeekRefusal::NotOpen { number, was: true, others: others() }.into()),
        }
    }
}
