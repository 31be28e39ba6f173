//! `seek` and `accept-seek`: challenges that anybody may accept.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::new_board::challenge::{
    COMMON, check_limits, count_board, read_agreement, take_seed_option,
};
use crate::command::new_board::setup::set_up_board;
use crate::command::parsing::arguments::commitment_digest;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, UserProof, Verb, VerbScope, authenticate,
    required_game, unknown_user,
};
use crate::model::board::Agreement;
use crate::model::code::{CodePurpose, OneTimeCode, PendingCode};
use crate::model::correspondent::{Correspondent, CorrespondentEvent, LimitedAction};
use crate::model::names;
use crate::model::seeks::{RatingRange, Seek, SeeksEvent};
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, count_key, seeks_key};
use crate::refusal::{AccountRefusal, OpenSeeks, Refusal, SeekRefusal};
use crate::reply::{
    AccountAnswer, Answer, BoardNews, OpenChallenge, OpenChallenges, PendingAddress, SeekAnswer,
};
use games::{AnyGame, Choices, GAMES, Seat, Switch, Values};

pub(crate) const SEEK: Verb = Verb {
    name: "seek",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<userid> <password> [-option ...] [--option ...] | off",
    about: "challenge everybody, or players rated --min=R to --max=R; open for 30 days",
    reply: None,
    parse,
};

pub(crate) const ACCEPT: Verb = Verb {
    name: "accept-seek",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<number> <userid> <password> [-seed=word]",
    about: "accept that open challenge and begin to play; `list` shows them",
    reply: None,
    parse: parse_accept,
};

/// The word that ends an open challenge.
const OFF: &str = "off";

/// What else an open challenge lets its maker choose. Names have the second dash, so that refusals
/// show it.
const BOUNDS: &[Switch] = &[
    rating("-min", "only for players with at least this rating"),
    rating("-max", "only for players with at most this rating"),
];

const fn rating(name: &'static str, help: &'static str) -> Switch {
    Switch { name, values: Values::Number { min: 0, max: 9_999, default: 1_600 }, help }
}

/// The open challenges in these games.
pub(crate) fn open_challenges(
    world: &World,
    games: &[&'static dyn AnyGame],
    now: Time,
) -> OpenChallenges {
    let mut open = OpenChallenges::default();
    for game in games.iter().copied() {
        let name = game.spec().name;
        let Ok(seeks) = world.seeks(name) else {
            open.damaged.push(game);
            continue;
        };
        let here = seeks.open(now).filter_map(|seek| Some((seek, world.user(&seek.user)?)));
        open.found.extend(here.map(|(seek, user)| OpenChallenge {
            game,
            seek: seek.clone(),
            standing: user.standing(name),
        }));
    }
    open
}

#[derive(Debug)]
struct SeekCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    /// What is played, which opponents may accept, and the word that is mixed into the dice; nothing
    /// ends the open challenge.
    wish: Option<(Agreement, RatingRange, Option<String>)>,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let game = required_game(game);
    // A userid has no dash in front; a password may.
    let known = [game.spec().options, COMMON, BOUNDS];
    let mut options = words.options(&known);
    let (user, proof) = words.player()?;
    options.extend(words.options(&known));
    match (words.rest(), options.is_empty()) {
        ([word], true) if word.eq_ignore_ascii_case(OFF) => {
            Ok(Box::new(SeekCommand { game, user, proof, wish: None }))
        }
        ([], _) => {
            let seed = take_seed_option(&mut options, words)?;
            let (agreed, those) = read_agreement(game, &options, BOUNDS)?;
            let wish = Some((agreed, read_bounds(&those)?, seed));
            Ok(Box::new(SeekCommand { game, user, proof, wish }))
        }
        _ => Err(words.usage_error("after the password only options or `off` can follow")),
    }
}

/// The ratings that common options choose.
fn read_bounds(those: &Choices) -> Result<RatingRange, Refusal> {
    let points = |name: &str| those.get(name).and_then(|value| value.parse().ok());
    let bounds = RatingRange { min: points("-min"), max: points("-max") };
    match bounds {
        RatingRange { min: Some(min), max: Some(max) } if min > max => {
            Err(SeekRefusal::NoRating(min, max).into())
        }
        bounds => Ok(bounds),
    }
}

impl Command for SeekCommand {
    fn needs(&self) -> Needs {
        // What is open at a mailbox is counted over all games.
        let open = GAMES.iter().map(|game| seeks_key(game.spec().name)).collect();
        Needs::All(vec![Needs::Fellows(self.user.clone()), Needs::Keys(open)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or_else(|| unknown_user(&self.user))?;
        let game = self.game.spec().name;
        if self.wish.is_some() && self.game.spec().manner.solo {
            return Err(AccountRefusal::PlayedAlone(game).into());
        }
        let seeks = world.seeks(game)?;
        let old = seeks.open(cx.now).find(|seek| seek.user == user.id).map(|seek| seek.number);
        let Some((agreed, bounds, seed)) = self.wish.clone() else {
            let number = old.ok_or(SeekRefusal::None(game))?;
            let events = vec![Event::Seeks(game, SeeksEvent::Ended(number))];
            let answer = SeekAnswer::Ended { game: self.game, number }.into();
            return Ok(Decision { events, answer });
        };
        if old.is_none() && seeks.open(cx.now).count() >= SeekRefusal::OPEN {
            return Err(SeekRefusal::TooMany(game).into());
        }
        let unproved = user.unproved && cx.limits.rate_limits.newcomers;
        let mailboxes: Vec<String> = user.addresses.iter().map(Correspondent::name).collect();
        check_daily_limit(world, user, &mailboxes, cx.now)?;
        if unproved && let Some(asked) = check_newcomer(world, user, (game, old), cx)? {
            return Ok(asked);
        }
        let (number, id) = (seeks.next(), user.id.clone());
        let seek = Seek { number, user: id, agreed, bounds, seed, at: cx.now, unproved };
        let found =
            OpenChallenge { game: self.game, seek: seek.clone(), standing: user.standing(game) };
        let answer = SeekAnswer::Opened { found, replaced: old }.into();
        let begun = CorrespondentEvent::Begun { what: LimitedAction::Seek, at: cx.now };
        let sought = Event::Seeks(game, SeeksEvent::Sought(seek));
        Ok(Decision { events: vec![sought, Event::Correspondents(mailboxes, begun)], answer })
    }
}

/// Whether one more open challenge may be made from these mailboxes today.
fn check_daily_limit(
    world: &World,
    user: &User,
    mailboxes: &[String],
    now: Time,
) -> Result<(), Refusal> {
    for name in mailboxes {
        if world.begun(LimitedAction::Seek, name, now)? >= SeekRefusal::A_DAY {
            return Err(SeekRefusal::TooManyToday.into());
        }
    }
    if open_at_mailboxes(world, user, now).count() >= SeekRefusal::AT_MAILBOX {
        return Err(SeekRefusal::TooManyOpen.into());
    }
    Ok(())
}

/// The open challenges of a user, and of the others at the same mailboxes, in all games; each with
/// its game.
fn open_at_mailboxes<'w>(
    world: &'w World,
    user: &'w User,
    now: Time,
) -> impl Iterator<Item = (&'static str, &'w Seek)> {
    let of = user.addresses.iter().flat_map(|address| world.entered(&names::at_mailbox(address)));
    let fellows: Vec<&UserId> = of.chain([&user.id]).collect();
    let seeks = GAMES.iter().filter_map(|game| world.seeks(game.spec().name).ok());
    let open = seeks.flat_map(move |seeks| seeks.open(now).map(|seek| (seeks.game, seek)));
    open.filter(move |(_, seek)| fellows.contains(&&seek.user))
}

/// Whether a user who has not shown that they read their mails may make one more open challenge.
/// If not, they are mailed a code that shows it: so nobody waits because of what others do.
fn check_newcomer(
    world: &World,
    user: &User,
    (game, old): (&'static str, Option<u32>),
    cx: &mut Context,
) -> Result<Option<Decision>, Refusal> {
    let is_old = |(of, seek): &(&str, &Seek)| *of == game && Some(seek.number) == old;
    let own = open_at_mailboxes(world, user, cx.now).filter(|open| !is_old(open)).count();
    let all = world.seeks(game)?.open(cx.now);
    let all = all.filter(|seek| seek.unproved && Some(seek.number) != old).count();
    if own < SeekRefusal::UNPROVED && all < SeekRefusal::OPEN_UNPROVED {
        return Ok(None);
    }
    let Some(address) = user.addresses.first().cloned() else { return Ok(None) };
    let purpose = CodePurpose::Address { address: address.clone(), replaces: false };
    let mailed = user.codes_mailed(&purpose, cx.now).max(world.asked(&address, cx.now)?);
    if mailed >= AccountRefusal::CODES {
        return Err(AccountRefusal::TooManyCodes.into());
    }
    let word = OneTimeCode::new(&user.id, cx.chance);
    let change = UserEvent::CodeMailed(PendingCode::new(&word, &user.id, purpose, cx.now));
    let events = vec![Event::User(user.id.clone(), change)];
    let pending = PendingAddress { address, code: word };
    Ok(Some(Decision {
        events,
        answer: AccountAnswer::ConfirmFirst { user: user.id.clone(), pending }.into(),
    }))
}

#[derive(Debug)]
struct AcceptSeekCommand {
    game: &'static dyn AnyGame,
    number: u32,
    user: UserId,
    proof: UserProof,
    /// The word that is mixed into the dice.
    seed: Option<String>,
}

fn parse_accept(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let game = required_game(game);
    let number = words.word("the number of the open challenge")?.parse().ok();
    let number = number.filter(|number| *number > 0);
    let number = number.ok_or_else(|| {
        words.usage_error("the number of the challenge must be a number, such as 1")
    })?;
    let (user, proof) = words.player()?;
    let mut seed = words.options(&[]);
    let word = take_seed_option(&mut seed, words)?;
    if word.as_deref().is_some_and(|word| commitment_digest(word).is_some()) {
        return Err(words.usage_error("only who makes a challenge can commit to a value"));
    }
    if !seed.is_empty() {
        return Err(words.usage_error("after the password only `-seed=word` can follow"));
    }
    words.expect_end()?;
    Ok(Box::new(AcceptSeekCommand { game, number, user, proof, seed: word }))
}

impl Command for AcceptSeekCommand {
    fn needs(&self) -> Needs {
        let game = self.game.spec().name;
        let keys = vec![count_key(game)];
        Needs::All(vec![
            Needs::Fellows(self.user.clone()),
            Needs::Keys(keys),
            Needs::Seek(game, self.number),
        ])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or_else(|| unknown_user(&self.user))?;
        let seek = self.find(world, user, cx.now)?;
        let players = [seek.user.clone(), user.id.clone()];
        check_limits(world, self.game, &players)?;
        let counted = count_board(world, cx, user, &user.addresses, &seek.user)?;
        let seeds = [seek.seed.clone(), self.seed.clone()];
        let (new, by) =
            set_up_board(world, cx, self.game, &seek.agreed, players, Some(Seat(1)), seeds)?;
        let answer = Answer::Board { board: new.board, what: BoardNews::Accepted(self.number), by };
        let ended = Event::Seeks(self.game.spec().name, SeeksEvent::Ended(self.number));
        Ok(Decision { events: vec![ended, Event::Challenged(Box::new(new)), counted], answer })
    }
}

impl AcceptSeekCommand {
    /// The challenge, if this user may accept it.
    fn find<'w>(&self, world: &'w World, user: &User, now: Time) -> Result<&'w Seek, Refusal> {
        let (game, number) = (self.game.spec().name, self.number);
        let seeks = world.seeks(game)?;
        let standing = user.standing(game);
        let others = || {
            let fits = |seek: &&Seek| {
                seek.number != number && seek.user != user.id && seek.bounds.hold(&standing)
            };
            let open = seeks.open(now).filter(fits).cloned().collect();
            OpenSeeks { game, user: user.id.clone(), open }
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
            // The user is here, but their file cannot be read.
            None if world.known(&seek.user).is_none() && world.is_taken(&seek.user) => {
                Err(Refusal::Unavailable)
            }
            // Files were copied by hand; `check` mends that.
            None => Err(SeekRefusal::NotOpen { number, was: true, others: others() }.into()),
        }
    }
}
