//! `challenge`: setting up a board.

use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Origin, Verb, no_user, the_game};
use crate::board::Agreed;
use crate::clock::Terms;
use crate::event::{Challenged, Event};
use crate::ids::{BoardId, UserId};
use crate::message::Address;
use crate::opponent;
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
pub(super) const COMMON: &[Switch] = &[
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
    agreed: Agreed,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let known = [game.spec().options, COMMON];
    let (mut options, mut names) = (words.options(&known), Vec::new());
    while let Some(name) = words.peek() {
        names.push(name);
        words.word("a userid")?;
        options.extend(words.options(&known));
    }
    let (agreed, _) = agreed(game, &options, &[])?;
    let userid = |word: &str| UserId::parse(word).ok_or(AccountRefusal::BadUserid);
    let players = match names[..] {
        // Opposite who plays alone sits the program.
        [alone] if game.spec().manner.solo => [userid(alone)?, opponent::lowest().clone()],
        [first, second] => [userid(first)?, userid(second)?],
        _ if game.spec().manner.solo => return Err(words.wrong("a challenge names one player")),
        _ => return Err(words.wrong("a challenge names two players")),
    };
    Ok(Box::new(Challenge { game, players, agreed }))
}

/// What options make of a board of a game: its own, and those common to all. With how many dashes
/// they are written does not matter. Returns what was chosen of `more` common ones, too.
pub(super) fn agreed(
    game: &'static dyn AnyGame,
    options: &[String],
    more: &'static [Switch],
) -> Result<(Agreed, Choices), Refusal> {
    let spec = game.spec();
    let of = |switches: &'static [Switch]| {
        move |word: &&str| switches.iter().any(|switch| switch.is_named(word))
    };
    let (those, others): (Vec<&str>, Vec<&str>) =
        options.iter().map(String::as_str).partition(of(more));
    let (common, own): (Vec<&str>, Vec<&str>) = others.into_iter().partition(of(COMMON));
    let option = |error| SyntaxRefusal::Option { error, known: known(game, more) };
    let those = Choices::parse(more, &[], those).map_err(option)?;
    let common = Choices::parse(COMMON, &[], common).map_err(option)?;
    let options = Choices::parse(spec.options, spec.exclusive, own).map_err(option)?;
    let terms = terms(&common);
    if terms.nag >= terms.forfeit && terms.nag != Terms::default().nag {
        return Err(SyntaxRefusal::LateReminder { nag: terms.nag, forfeit: terms.forfeit }.into());
    }
    let agreed = Agreed { options, private: common.has("-private"), terms };
    Ok((agreed, those))
}

/// Every option of a game's challenge, a line each; of `more` those that are ratings.
fn known(game: &'static dyn AnyGame, more: &'static [Switch]) -> Vec<String> {
    let described = |switch: &Switch, value: &str| {
        let is_given = switch.name.starts_with('-') && switch.values != Values::Flag;
        let value = if is_given { value } else { "" };
        format!("-{:<16} {}", format!("{}{value}", switch.name), switch.help)
    };
    let days = game.spec().options.iter().chain(COMMON).map(|switch| described(switch, "=D"));
    days.chain(more.iter().map(|switch| described(switch, "=R"))).collect()
}

impl Command for Challenge {
    fn needs(&self) -> Needs {
        let users = self.players.iter().map(user_key);
        let name = self.game.spec().name;
        Needs::Keys(users.chain([Key::Count(name), Key::Seeks(name)]).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let [first, second] = &self.players;
        if first == second {
            return Err(AccountRefusal::SamePlayer.into());
        }
        let challenger = match cx.origin {
            Origin::Shell => None,
            Origin::Doubted(_) => return Err(AccountRefusal::Doubted.into()),
            Origin::Mail(address) => Some(self.sender(world, address)?),
        };
        // Only one of the two learns here whether the other exists.
        let user = |id: &UserId| {
            world.user(id).ok_or_else(|| match challenger {
                // It may be a password in the place of a name.
                Some(_) => AccountRefusal::NoOpponent.into(),
                None => no_user(id),
            })
        };
        let players = [user(first)?.id.clone(), user(second)?.id.clone()];
        if let Some(seat) = challenger {
            self.check_limits(world, seat, cx.now)?;
        }
        // Who takes no challenges may still play alone.
        let is_alone = check_opponent(world, self.game, &players)?;
        if challenger.is_some() && !is_alone {
            check_room(world, self.game, &self.players)?;
        }
        let (board, by) = set_up(world, cx, self.game, &self.agreed, players, challenger)?;
        let challenged = Challenged { challenger: by, counted: by.is_some(), ..board };
        let answer = Answer::Board { board: challenged.board, what: Happening::Begun, by };
        Ok(Decision { events: vec![Event::Challenged(challenged)], answer })
    }
}

/// A new board, and where on it whoever asked for it sits; `by` says which of the named he is. The
/// first named is the first side, but where dice decide.
pub(super) fn set_up(
    world: &World,
    cx: &mut Context,
    game: &'static dyn AnyGame,
    agreed: &Agreed,
    mut players: [UserId; 2],
    mut by: Option<Seat>,
) -> Result<(Challenged, Option<Seat>), Refusal> {
    let name = game.spec().name;
    let is_alone = check_opponent(world, game, &players)?;
    // The program would press before the other has seen what is to be found.
    if game.spec().manner.secret && world.level(&players[0]).is_some() {
        players.swap(0, 1);
        by = by.map(Seat::other);
    }
    let board = BoardId { game: name, number: world.next_number(name)? };
    let mut position = game.setup(&agreed.options);
    let mut entries = Vec::new();
    if let Next::Roll(throw) = position.next()
        && throw.opening
    {
        let (roll, is_swapped) = opening(cx.chance.throw(throw), &agreed.options);
        if is_swapped {
            players.swap(0, 1);
            by = by.map(Seat::other);
        }
        position.roll(roll).expect("dice show what was thrown");
        entries.push(Entry::Rolled(roll));
    }
    let likes = |seat: Seat| world.of(&players[seat.index()], game);
    entries.extend(advance(&mut *position, cx.chance, &likes));
    let Agreed { options, private, mut terms } = agreed.clone();
    terms.unrated |= is_alone;
    let (challenger, counted, at) = (None, false, cx.now);
    let set_up =
        Challenged { board, players, challenger, counted, options, private, terms, at, entries };
    Ok((set_up, by))
}

/// Whether one of these players is the program.
///
/// # Errors
/// Both are, or it does not know the game, or the game is one for somebody alone.
pub(super) fn check_opponent(
    world: &World,
    game: &'static dyn AnyGame,
    players: &[UserId; 2],
) -> Result<bool, Refusal> {
    let manner = game.spec().manner;
    let levels = players.each_ref().map(|id| world.level(id));
    match levels {
        [Some(_), Some(_)] => Err(AccountRefusal::OnlyPrograms.into()),
        [None, Some(_)] if manner.solo => Ok(true),
        _ if manner.solo => Err(AccountRefusal::PlayedAlone(game.spec().name).into()),
        [None, None] => Ok(false),
        [Some(level), None] | [None, Some(level)] if level <= manner.levels => Ok(true),
        _ => Err(AccountRefusal::NoProgram(game.spec().name).into()),
    }
}

/// Whether these players take one more board of a game each.
pub(super) fn check_room(
    world: &World,
    game: &'static dyn AnyGame,
    players: &[UserId; 2],
) -> Result<(), Refusal> {
    for id in players {
        match world.user(id).and_then(|user| user.is_full(game.spec().name)) {
            None => {}
            Some(0) => return Err(AccountRefusal::TakesNoChallenges(id.clone()).into()),
            Some(most) => return Err(AccountRefusal::AtLimit(id.clone(), most).into()),
        }
    }
    Ok(())
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
    fn sender(&self, world: &World, address: &Address) -> Result<Seat, Refusal> {
        let of_sender = |seat: &Seat| {
            let user = world.user(&self.players[seat.index()]);
            user.is_some_and(|user| user.addresses.contains(address))
        };
        let sender = Seat::BOTH.into_iter().find(of_sender);
        sender.ok_or_else(|| AccountRefusal::NotAPlayer.into())
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

#[cfg(test)]
mod tests {
    use super::*;
    use games::GAMES;

    /// With how many dashes an option is written does not matter.
    #[test]
    fn no_game_has_an_option_of_a_common_name() {
        for game in GAMES {
            for option in game.spec().options {
                assert!(!COMMON.iter().any(|common| common.is_named(option.name)), "{option:?}");
            }
        }
    }
}
