//! `challenge`: setting up a board.

use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Origin, Verb, no_user, the_game};
use crate::clock::Terms;
use crate::event::{Challenged, Event};
use crate::ids::{BoardId, UserId};
use crate::refusal::{AccountRefusal, Refusal, SyntaxRefusal};
use crate::reply::{Answer, Happening};
use crate::store::Key;
use crate::world::{DAY, World, user_key};
use games::{AnyGame, Choices, Entry, Next, Roll, Seat, Switch, Values, advance};

pub(super) const VERB: Verb = Verb {
    name: "challenge",
    aliases: &["new"],
    of: Of::Game,
    usage: "<userid1> <userid2> [-option ...] [--option ...]",
    about: "set up a board; who begins is told then",
    reply: None,
    parse,
};

/// What every game lets a challenge choose, behind a double dash.
const COMMON: &[Switch] = &[
    days("-nagtime", 365, 7, "days of a turn until a player is reminded; usually 7"),
    days("-forfeittime", 365, 21, "days of a turn until he forfeits; usually 21"),
    days("-totaltime", 3650, 0, "days of all his turns until he forfeits; no limit"),
    flag("-unrated", "the ratings stay as they are"),
    flag("-private", "only the players see the board"),
];

/// A number of days. Names have the second dash, so that refusals show it.
const fn days(name: &'static str, max: u32, default: u32, help: &'static str) -> Switch {
    Switch { name, values: Values::Number { min: 1, max, default }, help }
}

const fn flag(name: &'static str, help: &'static str) -> Switch {
    Switch { name, values: Values::Flag, help }
}

/// The times, and whether the game is rated, that common options choose.
fn terms(common: &Choices) -> Terms {
    let days = |name: &str| common.get(name).and_then(|value| value.parse().ok());
    let usual = Terms::default();
    Terms {
        nag: days("-nagtime").unwrap_or(usual.nag),
        forfeit: days("-forfeittime").unwrap_or(usual.forfeit),
        total: days("-totaltime"),
        unrated: common.has("-unrated"),
    }
}

/// The option of games whose opening roll decides who is the first side: the first named is.
const FORCE: &str = "force";

#[derive(Debug)]
struct Challenge {
    game: &'static dyn AnyGame,
    players: [UserId; 2],
    options: Choices,
    private: bool,
    terms: Terms,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let spec = game.spec();
    let (options, names): (Vec<&str>, Vec<&str>) =
        words.rest().iter().partition(|word| word.starts_with('-'));
    let [first, second] = names[..] else {
        return Err(words.wrong("a challenge names two players"));
    };
    let userid = |word: &str| UserId::parse(word).ok_or(AccountRefusal::BadUserid);
    let players = [userid(first)?, userid(second)?];
    let (common, own): (Vec<&str>, Vec<&str>) =
        options.into_iter().partition(|word| word.starts_with("--"));
    let option = |error| SyntaxRefusal::Option { error, known: known(game) };
    let common = Choices::parse(COMMON, &[], common).map_err(option)?;
    let options = Choices::parse(spec.options, spec.exclusive, own).map_err(option)?;
    let (private, terms) = (common.has("-private"), terms(&common));
    Ok(Box::new(Challenge { game, players, options, private, terms }))
}

/// Every option of a game's challenge, a line each.
fn known(game: &'static dyn AnyGame) -> Vec<String> {
    let described = |switch: &Switch| {
        let value =
            if switch.name.starts_with('-') && switch.values != Values::Flag { "=D" } else { "" };
        format!("-{:<16} {}", format!("{}{value}", switch.name), switch.help)
    };
    game.spec().options.iter().chain(COMMON).map(described).collect()
}

impl Command for Challenge {
    fn needs(&self) -> Needs {
        let users = self.players.iter().map(user_key);
        Needs::Keys(users.chain([Key::Count(self.game.spec().name)]).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let [first, second] = &self.players;
        if first == second {
            return Err(AccountRefusal::SamePlayer.into());
        }
        let challenger = match cx.origin {
            Origin::Shell => None,
            Origin::Mail(_) => Some(self.sender(world, cx)?),
        };
        // Only one of the two learns here whether the other exists.
        let user = |id: &UserId| world.user(id).ok_or_else(|| no_user(id));
        let mut players = [user(first)?.id.clone(), user(second)?.id.clone()];
        if let Some(seat) = challenger {
            self.check_limits(world, seat, cx.now)?;
        }
        if challenger.is_some() {
            self.check_room(world)?;
        }
        let number = world.next_number(self.game.spec().name)?;
        let board = BoardId { game: self.game.spec().name, number };
        let mut position = self.game.setup(&self.options);
        let mut entries = Vec::new();
        let mut seated = challenger;
        if let Next::Roll(throw) = position.next()
            && throw.opening
        {
            let (roll, is_swapped) = opening(cx.chance.throw(throw), &self.options);
            if is_swapped {
                players.swap(0, 1);
                seated = challenger.map(Seat::other);
            }
            position.roll(roll).expect("dice show what was thrown");
            entries.push(Entry::Rolled(roll));
        }
        let likes = |seat: Seat| {
            world
                .user(&players[seat.index()])
                .map_or_else(Choices::default, |user| user.settings(self.game))
        };
        entries.extend(advance(&mut *position, cx.chance, &likes));
        let challenged = Challenged {
            board,
            players,
            challenger: seated,
            counted: challenger.is_some(),
            options: self.options.clone(),
            private: self.private,
            terms: self.terms,
            at: cx.now,
            entries,
        };
        let answer = Answer::Board { board, what: Happening::Begun, by: seated };
        Ok(Decision { events: vec![Event::Challenged(challenged)], answer })
    }
}

/// The opening roll with the winner's die first, and whether the second named has won it: who
/// does, begins and is the first side, unless the players have agreed that the first named is.
fn opening(roll: Roll, options: &Choices) -> (Roll, bool) {
    match roll {
        Roll::Two(first, second) if second > first => {
            (Roll::Two(second, first), !options.has(FORCE))
        }
        roll => (roll, false),
    }
}

impl Challenge {
    /// The seat of whoever sent the mail.
    fn sender(&self, world: &World, cx: &Context) -> Result<Seat, Refusal> {
        let Origin::Mail(address) = cx.origin else {
            unreachable!("only mails have a sender to be found")
        };
        let of_sender = |seat: &Seat| {
            let user = world.user(&self.players[seat.index()]);
            user.is_some_and(|user| user.addresses.contains(address))
        };
        let sender = Seat::BOTH.into_iter().find(of_sender);
        sender.ok_or_else(|| AccountRefusal::NotAPlayer.into())
    }

    /// Whether both players take one more board of the game.
    fn check_room(&self, world: &World) -> Result<(), Refusal> {
        for id in &self.players {
            match world.user(id).and_then(|user| user.is_full(self.game.spec().name)) {
                None => {}
                Some(0) => return Err(AccountRefusal::TakesNoChallenges(id.clone()).into()),
                Some(most) => return Err(AccountRefusal::AtLimit(id.clone(), most).into()),
            }
        }
        Ok(())
    }

    fn check_limits(&self, world: &World, seat: Seat, now: i64) -> Result<(), Refusal> {
        let sender = world.user(&self.players[seat.index()]).expect("found by the caller");
        let to = &self.players[seat.other().index()];
        let sent = &sender.challenges;
        let open =
            |by: &UserId, to: &UserId| world.user(by).map_or(0, |user| user.unanswered(to, now));
        let from = &self.players[seat.index()];
        if open(from, to) + open(to, from) >= AccountRefusal::UNANSWERED {
            return Err(AccountRefusal::TooManyUnanswered(to.clone()).into());
        }
        if sent.iter().filter(|old| old.at > now - DAY).count() >= AccountRefusal::A_DAY {
            return Err(AccountRefusal::TooManyToday.into());
        }
        Ok(())
    }
}
