//! `seek` and `accept-seek`: open challenges, which anybody may accept.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::moderation::check_sanction;
use crate::command::new_board::begin::{Asker, BoardRequest, RequestedBoard};
use crate::command::new_board::challenge::{COMMON_OPTIONS, read_agreement, take_seed_option};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, Verb, VerbScope,
    authenticate, authenticate_about, required_game,
};
use crate::model::board::Agreement;
use crate::model::correspondent::{Correspondent, CorrespondentEvent, LimitedAction};
use crate::model::dice::commitment_digest;
use crate::model::moderation::SanctionKind;
use crate::model::one_time_code::CodePurpose;
use crate::model::seeks::{RatingRange, Seek, SeeksEvent};
use crate::model::topic::Topic;
use crate::model::user::{Mark, User};
use crate::model::user_index;
use crate::model::world::event::Event;
use crate::model::world::{World, seeks_key};
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

/// The word that withdraws an open challenge.
const OFF: &str = "off";

/// The further options of an open challenge. Their names contain the second dash, so that refusals
/// show it.
const BOUNDS: &[Switch] = &[
    rating("-min", "only for players with at least this rating"),
    rating("-max", "only for players with at most this rating"),
];

const fn rating(name: &'static str, help: &'static str) -> Switch {
    Switch { name, values: Values::Number { min: 0, max: 9_999, default: 1_600 }, help }
}

/// Returns the open challenges of these games.
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

/// The terms of an open challenge.
#[derive(Clone, Debug)]
struct SeekTerms {
    agreed: Agreement,
    bounds: RatingRange,
    /// The author's seed word or commitment.
    seed: Option<String>,
}

#[derive(Debug)]
struct SeekCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    /// The terms of the challenge; `None` withdraws the open one.
    terms: Option<SeekTerms>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let game = required_game(game);
    // A password may begin with a dash, a userid may not.
    let known = [game.spec().options, COMMON_OPTIONS, BOUNDS];
    let mut options = words.options(&known);
    let (user, proof) = words.player()?;
    options.extend(words.options(&known));
    match (words.take_rest(), options.is_empty()) {
        ([word], true) if word.eq_ignore_ascii_case(OFF) => {
            Ok(Box::new(SeekCommand { game, user, proof, terms: None }))
        }
        ([], _) => {
            let seed = take_seed_option(&mut options, words)?;
            let (agreed, chosen) = read_agreement(game, &options, BOUNDS)?;
            let terms = Some(SeekTerms { agreed, bounds: read_bounds(&chosen)?, seed });
            Ok(Box::new(SeekCommand { game, user, proof, terms }))
        }
        _ => Err(words.usage_error("after the password only options or `off` can follow")),
    }
}

/// Returns the rating range of the options.
pub(crate) fn read_bounds(chosen: &Choices) -> Result<RatingRange, Refusal> {
    let points = |name: &str| chosen.get(name).and_then(|value| value.parse().ok());
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
        // Open challenges at a mailbox are counted over all games.
        let open = GAMES.iter().map(|game| seeks_key(game.spec().name)).collect();
        Needs::All(vec![Needs::SharedMailboxes(self.user.clone()), Needs::Keys(open)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let game = self.game.spec().name;
        let topic = Topic::Game(game);
        let user = authenticate_about(world, &self.user, &self.proof, &topic, cx)?;
        if self.terms.is_some() && self.game.spec().manner.is_solo {
            return Err(AccountRefusal::PlayedAlone(game).into());
        }
        let seeks = world.seeks(game)?;
        let old = seeks.open(cx.now).find(|seek| seek.user == user.id).map(|seek| seek.number);
        let Some(SeekTerms { agreed, bounds, seed }) = self.terms.clone() else {
            let number = old.ok_or(SeekRefusal::None(game))?;
            let events = vec![Event::Seeks(game, SeeksEvent::Ended(number))];
            let answer = SeekAnswer::Ended { game: self.game, number }.into();
            return Ok(Decision { events, answer });
        };
        check_sanction(user, SanctionKind::Suspension, cx)?;
        if old.is_none() && seeks.open(cx.now).count() >= SeekRefusal::OPEN {
            return Err(SeekRefusal::TooMany(game).into());
        }
        let unproved = user.unproved && cx.limits.rate_limits.newcomers;
        let mailboxes: Vec<String> =
            user.addresses.iter().map(Correspondent::mailbox_name).collect();
        check_daily_limit(world, user, &mailboxes, cx.now)?;
        if unproved && let Some(asked) = check_newcomer(world, user, game, old, cx)? {
            return Ok(asked);
        }
        let (number, id) = (seeks.next_number(), user.id.clone());
        let seek = Seek { number, user: id, agreed, bounds, seed, at: cx.now, unproved };
        let found =
            OpenChallenge { game: self.game, seek: seek.clone(), standing: user.standing(game) };
        let answer = SeekAnswer::Opened { found, replaced: old }.into();
        let begun = CorrespondentEvent::Begun { what: LimitedAction::Seek, at: cx.now };
        let sought = Event::Seeks(game, SeeksEvent::Sought(seek));
        Ok(Decision { events: vec![sought, Event::Correspondents(mailboxes, begun)], answer })
    }
}

/// Checks the limits of open challenges at these mailboxes.
fn check_daily_limit(
    world: &World,
    user: &User,
    mailboxes: &[String],
    now: Time,
) -> Result<(), Refusal> {
    for name in mailboxes {
        if world.actions_today(LimitedAction::Seek, name, now)? >= SeekRefusal::A_DAY {
            return Err(SeekRefusal::TooManyToday.into());
        }
    }
    if open_at_mailboxes(world, user, now).count() >= SeekRefusal::AT_MAILBOX {
        return Err(SeekRefusal::TooManyOpen.into());
    }
    Ok(())
}

/// Returns the open challenges of a user and of all others at the same mailboxes, with their games.
fn open_at_mailboxes<'w>(
    world: &'w World,
    user: &'w User,
    now: Time,
) -> impl Iterator<Item = (&'static str, &'w Seek)> {
    let of = user
        .addresses
        .iter()
        .flat_map(|address| world.indexed_users(&user_index::mailbox_entry(address)));
    let fellows: Vec<&UserId> = of.chain([&user.id]).collect();
    let seeks = GAMES.iter().filter_map(|game| world.seeks(game.spec().name).ok());
    let open = seeks.flat_map(move |seeks| seeks.open(now).map(|seek| (seeks.game, seek)));
    open.filter(move |(_, seek)| fellows.contains(&&seek.user))
}

/// Checks whether a newcomer may make one more open challenge. If not, returns a decision that
/// mails them a code to prove that they read their mail, so that newcomers do not have to wait for
/// each other.
fn check_newcomer(
    world: &World,
    user: &User,
    game: &'static str,
    old: Option<u32>,
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
    let mailbox = Correspondent::mailbox_name(&address);
    let mailed = world.actions_today(LimitedAction::Code, &mailbox, cx.now)?;
    if mailed.max(user.codes_mailed(&purpose, cx.now)) >= AccountRefusal::CODES {
        return Err(AccountRefusal::TooManyCodes.into());
    }
    let (code, mailed) = cx.make_code(&user.id, purpose);
    let pending = PendingAddress { address, code };
    let answer = AccountAnswer::ConfirmFirst { user: user.id.clone(), pending }.into();
    Ok(Some(Decision { events: vec![mailed], answer }))
}

#[derive(Debug)]
struct AcceptSeekCommand {
    game: &'static dyn AnyGame,
    number: u32,
    user: UserId,
    proof: UserProof,
    /// The seed word.
    seed: Option<String>,
}

fn parse_accept(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
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
        return Err(words.usage_error("only the challenger can commit to a value"));
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
        Needs::All(vec![
            Needs::SharedMailboxes(self.user.clone()),
            BoardRequest::needs(game),
            Needs::OpenChallenge(game, self.number),
        ])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate(world, &self.user, &self.proof, None, cx)?;
        let seek = self.find(world, user, cx.now)?;
        let players = [seek.user.clone(), user.id.clone()];
        let request = BoardRequest {
            game: self.game,
            agreed: seek.agreed.clone(),
            players,
            asker: Some(Asker { seat: Seat(1), user, addresses: user.addresses.clone() }),
            seeds: [seek.seed.clone(), self.seed.clone()],
            is_challenge: false,
        };
        let RequestedBoard { board, by, events } = request.begin(world, cx)?;
        let answer = Answer::Board { board, what: BoardNews::Accepted(self.number), by };
        let ended = Event::Seeks(self.game.spec().name, SeeksEvent::Ended(self.number));
        Ok(Decision { events: [ended].into_iter().chain(events).collect(), answer })
    }
}

impl AcceptSeekCommand {
    /// Returns the challenge if the user may accept it.
    fn find<'w>(&self, world: &'w World, user: &User, now: Time) -> Result<&'w Seek, Refusal> {
        let (game, number) = (self.game.spec().name, self.number);
        let seeks = world.seeks(game)?;
        let standing = user.standing(game);
        let others = || {
            let fits = |seek: &&Seek| {
                seek.number != number && seek.user != user.id && seek.bounds.contains(&standing)
            };
            let open = seeks.open(now).filter(fits).cloned().collect();
            OpenSeeks { game, user: user.id.clone(), open }
        };
        let Some(seek) = seeks.open(now).find(|seek| seek.number == number) else {
            let was = seeks.existed(number);
            return Err(SeekRefusal::NotOpen { number, was, others: others() }.into());
        };
        if seek.user == user.id {
            return Err(SeekRefusal::Own { number, others: others() }.into());
        }
        if world.has_marked(&seek.user, &user.id, Mark::Blocked) {
            return Err(SeekRefusal::NotForYou { number, others: others() }.into());
        }
        if !seek.bounds.contains(&standing) {
            let refusal = SeekRefusal::Rated {
                number,
                user: seek.user.clone(),
                bounds: seek.bounds,
                points: standing.points(),
                is_rated: standing.games() > 0,
                others: others(),
            };
            return Err(refusal.into());
        }
        match world.user(&seek.user) {
            Some(_) => Ok(seek),
            // The user exists, but their file is damaged.
            None if world.any_user(&seek.user).is_none() && world.is_taken(&seek.user) => {
                Err(Refusal::Unavailable)
            }
            // Files were copied by hand; `check` repairs them.
            None => Err(SeekRefusal::NotOpen { number, was: true, others: others() }.into()),
        }
    }
}
