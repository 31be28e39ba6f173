//! `seek` and `accept-seek`: challenges that anybody may accept.

use super::challenge::{COMMON, agreed, check_room, count_board, set_up};
use super::proof::Proof;
use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Verb, authenticate, no_user, the_game};
use crate::base::ids::UserId;
use crate::model::board::Agreed;
use crate::model::code::{Pending, Purpose, Word};
use crate::model::correspondent::{Begun, Correspondent};
use crate::model::event::{Change, Event};
use crate::model::names;
use crate::model::rating::Standing;
use crate::model::seeks::{Bounds, Seek};
use crate::model::user::User;
use crate::model::world::World;
use crate::refusal::{AccountRefusal, Others, Refusal, SeekRefusal};
use crate::reply::{Account, Answer, Asked, BoardNews};
use crate::store::Key;
use games::{AnyGame, Choices, GAMES, Seat, Switch, Values};

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
    about: "play the user who made that open challenge; `list` shows them",
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
    let known = [game.spec().options, COMMON, BOUNDS];
    let mut options = words.options(&known);
    let (user, proof) = words.player()?;
    options.extend(words.options(&known));
    match (words.rest(), options.is_empty()) {
        ([word], true) if word.eq_ignore_ascii_case(OFF) => {
            Ok(Box::new(Ask { game, user, proof, wish: None }))
        }
        ([], _) => {
            let (agreed, those) = agreed(game, &options, BOUNDS)?;
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
        // What is open at a mailbox is counted over all games.
        let open = GAMES.iter().map(|game| Key::Seeks(game.spec().name)).collect();
        Needs::All(vec![Needs::Fellows(self.user.clone()), Needs::Keys(open)])
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
        let unproved = user.unproved && cx.limits.rate_limits.newcomers;
        let mailboxes: Vec<String> = user.addresses.iter().map(Correspondent::name).collect();
        check_number(world, user, &mailboxes, cx.now)?;
        if unproved && let Some(asked) = check_newcomer(world, user, (game, old), cx)? {
            return Ok(asked);
        }
        let (number, id) = (seeks.next(), user.id.clone());
        let seek = Seek { number, user: id, agreed, bounds, at: cx.now, unproved };
        let found = OpenSeek { game: self.game, seek: seek.clone(), standing: user.standing(game) };
        let answer = Answer::Sought { found, replaced: old };
        let counted = Event::Begun { what: Begun::Seek, mailboxes, at: cx.now };
        Ok(Decision { events: vec![Event::Sought { game, seek }, counted], answer })
    }
}

/// Whether one more open challenge may be made from these mailboxes today.
fn check_number(world: &World, user: &User, mailboxes: &[String], now: i64) -> Result<(), Refusal> {
    for name in mailboxes {
        if world.begun(Begun::Seek, name, now)? >= SeekRefusal::A_DAY {
            return Err(SeekRefusal::TooManyToday.into());
        }
    }
    if fellows_open(world, user, now).count() >= SeekRefusal::AT_MAILBOX {
        return Err(SeekRefusal::TooManyOpen.into());
    }
    Ok(())
}

/// What stands open in all games of a user and of the others at the same mailboxes, with its game.
fn fellows_open<'w>(
    world: &'w World,
    user: &'w User,
    now: i64,
) -> impl Iterator<Item = (&'static str, &'w Seek)> {
    let of = user.addresses.iter().flat_map(|address| world.entered(&names::at_mailbox(address)));
    let fellows: Vec<&UserId> = of.chain([&user.id]).collect();
    let seeks = GAMES.iter().filter_map(|game| world.seeks(game.spec().name).ok());
    let open = seeks.flat_map(move |seeks| seeks.open(now).map(|seek| (seeks.game, seek)));
    open.filter(move |(_, seek)| fellows.contains(&&seek.user))
}

/// Whether somebody who has not shown that he reads his mails may make one more open challenge. If
/// not he is mailed a word that shows it: so nobody waits because of what others do.
fn check_newcomer(
    world: &World,
    user: &User,
    (game, old): (&'static str, Option<u32>),
    cx: &mut Context,
) -> Result<Option<Decision>, Refusal> {
    let is_old = |(of, seek): &(&str, &Seek)| *of == game && Some(seek.number) == old;
    let own = fellows_open(world, user, cx.now).filter(|open| !is_old(open)).count();
    let all = world.seeks(game)?.open(cx.now);
    let all = all.filter(|seek| seek.unproved && Some(seek.number) != old).count();
    if own < SeekRefusal::UNPROVED && all < SeekRefusal::OPEN_UNPROVED {
        return Ok(None);
    }
    let Some(address) = user.addresses.first().cloned() else { return Ok(None) };
    let purpose = Purpose::Address { address: address.clone(), replaces: false };
    let mailed = user.words_mailed(&purpose, cx.now).max(world.asked(&address, cx.now)?);
    if mailed >= AccountRefusal::WORDS {
        return Err(AccountRefusal::TooManyWords.into());
    }
    let word = Word::new(&user.id, cx.chance);
    let change = Change::Mailed(Pending::new(&word, &user.id, purpose, cx.now));
    let events = vec![Event::Account { user: user.id.clone(), change }];
    let asked = Asked { address, word };
    Ok(Some(Decision {
        events,
        answer: Account::ProveFirst { user: user.id.clone(), asked }.into(),
    }))
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
        let keys = vec![Key::Count(game)];
        Needs::All(vec![
            Needs::Fellows(self.user.clone()),
            Needs::Keys(keys),
            Needs::Seek(game, self.number),
        ])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or_else(|| no_user(&self.user))?;
        let seek = self.wanted(world, user, cx.now)?;
        let players = [seek.user.clone(), user.id.clone()];
        check_room(world, self.game, &players)?;
        let counted = count_board(world, cx, user, &user.addresses, &seek.user)?;
        let (new, by) = set_up(world, cx, self.game, &seek.agreed, players, Some(Seat(1)))?;
        let answer = Answer::Board { board: new.board, what: BoardNews::Accepted(self.number), by };
        let ended = Event::SeekEnded { game: self.game.spec().name, number: self.number };
        Ok(Decision { events: vec![ended, Event::Challenged(new), counted], answer })
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
